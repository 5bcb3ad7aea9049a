//! Folders that are looked through again and again. Nothing is asked of the operating system but the list of files, so that
//! network file systems, which tell nobody of changes, work as well.

use crate::failure::CliError;
use std::{
    fs,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

/// Deepest folder that is looked into.
const DEEPEST: usize = 16;
/// Names that other programs give to files that are not complete.
const UNFINISHED: [&str; 5] = ["tmp", "part", "partial", "crdownload", "swp"];

/// A folder that is followed.
pub struct WatchedFolder {
    path: PathBuf,
    name: String,
}

/// What can be seen of a file from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct FileStamp {
    /// Its length in bytes.
    pub size: u64,
    /// When it was last written, in milliseconds since 1970.
    pub modified_ms: u64,
}

/// A file that was found.
pub struct WatchedFile {
    /// Its path: the watched folder's and the way from there.
    pub path: PathBuf,
    /// What the item is called: the folder's name and the way from there.
    pub external_id: String,
    /// What can be seen of it.
    pub look: FileStamp,
}

impl WatchedFolder {
    /// # Errors
    /// When there is no such folder.
    pub fn new(path: &Path) -> Result<Self, CliError> {
        let missing = |why: String| CliError::usage(format!("cannot watch {}: {why}", path.display()));
        let path = path.canonicalize().map_err(|error| missing(error.to_string()))?;
        if !path.is_dir() {
            return Err(missing("it is no folder".to_owned()));
        }
        let name = path.file_name().map_or_else(|| "root".to_owned(), |name| name.to_string_lossy().into_owned());
        Ok(Self { path, name })
    }

    /// The name that its items begin with.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Every file with one of the extensions, in the order of their paths. What cannot be read now is left for the next
    /// time.
    pub fn files(&self, extensions: &[String]) -> Vec<WatchedFile> {
        let mut found = Vec::new();
        self.visit(&self.path, 0, extensions, &mut found);
        found.sort_by(|one, other| one.path.cmp(&other.path));
        found
    }

    fn visit(&self, folder: &Path, depth: usize, extensions: &[String], found: &mut Vec<WatchedFile>) {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        for entry in entries.filter(|entry| !entry.file_name().to_string_lossy().starts_with('.')) {
            // A link could lead out of the folder, or in a circle.
            let Ok(kind) = entry.file_type() else { continue };
            let path = entry.path();
            if kind.is_dir() && depth < DEEPEST {
                self.visit(&path, depth + 1, extensions, found);
            } else if kind.is_file() && is_wanted(&path, extensions) {
                found.extend(entry.metadata().ok().and_then(|seen| self.found(path, &seen)));
            }
        }
    }

    fn found(&self, path: PathBuf, seen: &fs::Metadata) -> Option<WatchedFile> {
        let way = path.strip_prefix(&self.path).ok()?;
        let parts: Vec<_> = way.components().map(|part| part.as_os_str().to_string_lossy()).collect();
        let external_id = format!("{}/{}", self.name, parts.join("/"));
        let modified = seen.modified().unwrap_or(UNIX_EPOCH);
        Some(WatchedFile {
            path,
            external_id,
            look: FileStamp { size: seen.len(), modified_ms: milliseconds(modified) },
        })
    }
}

/// A time in milliseconds since 1970; what was before counts as 1970.
pub fn milliseconds(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

fn is_wanted(path: &Path, extensions: &[String]) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_ascii_lowercase();
    !UNFINISHED.contains(&extension.as_str()) && extensions.contains(&extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_in_folders_below_and_what_is_hidden_unfinished_or_linked_is_not() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("notes");
        fs::create_dir_all(root.join("a/b")).unwrap();
        for name in ["x.vtt", "a/b/y.MD", ".hidden.md", "z.md.part", "w.png"] {
            fs::write(root.join(name), "text").unwrap();
        }
        std::os::unix::fs::symlink(&root, root.join("a/loop")).unwrap();
        let folder = WatchedFolder::new(&root).unwrap();
        let found = folder.files(&["vtt".to_owned(), "md".to_owned()]);
        let names: Vec<_> = found.iter().map(|found| found.external_id.as_str()).collect();
        assert_eq!(names, ["notes/a/b/y.MD", "notes/x.vtt"]);
        assert_eq!(found[0].look.size, 4);
    }
}
