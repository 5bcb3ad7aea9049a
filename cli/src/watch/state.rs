//! What was sent: one line for each file, added when the server has it. The last line of a file counts.

use super::folder::FileStamp;
use crate::failure::CliError;
use serde::{Deserialize, Serialize};
use std::{
    collections::HashMap,
    fs::{self, File, OpenOptions, TryLockError},
    io::Write as _,
    path::{Path, PathBuf},
};

/// What is known of a file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FileState {
    /// What could be seen of it.
    #[serde(flatten)]
    pub look: FileStamp,
    /// SHA-256 (hex) of what it held.
    pub sha256: String,
    /// Why the server refused it; it is not sent again until it changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct StateLine {
    external_id: String,
    #[serde(flatten)]
    known: FileState,
}

/// The state file, held by one process at a time.
pub struct WatchState {
    path: PathBuf,
    file: File,
    known: HashMap<String, FileState>,
}

impl WatchState {
    /// Reads the file, or begins it.
    ///
    /// # Errors
    /// When it cannot be read or written, or another process holds it.
    pub fn open(path: &Path) -> Result<Self, CliError> {
        let failed = |error: std::io::Error| {
            CliError::failed(format!("cannot use {}: {error}; name another with --state", path.display()))
        };
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let shown = path.display();
                return Err(CliError::failed(format!(
                    "another `gleaner watch` uses {shown}; name another with --state"
                )));
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let text = fs::read_to_string(path).map_err(failed)?;
        // A line that a crash cut off stands for nothing: its file is looked at again.
        let lines = text.lines().filter_map(|line| serde_json::from_str::<StateLine>(line).ok());
        let known = lines.map(|line| (line.external_id, line.known)).collect();
        let state = Self { path: path.to_owned(), file, known };
        if !text.is_empty() && !text.ends_with('\n') {
            (&state.file).write_all(b"\n").map_err(failed)?;
        }
        Ok(state)
    }

    /// What is known of a file.
    pub fn known(&self, external_id: &str) -> Option<&FileState> {
        self.known.get(external_id)
    }

    /// Remembers a file, also over a crash.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn remember(&mut self, external_id: &str, known: FileState) -> Result<(), CliError> {
        let line = StateLine { external_id: external_id.to_owned(), known };
        let mut text = serde_json::to_string(&line)?;
        text.push('\n');
        let written = self.file.write_all(text.as_bytes());
        written.map_err(|error| CliError::failed(format!("cannot write {}: {error}", self.path.display())))?;
        self.known.insert(line.external_id, line.known);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(size: u64) -> FileState {
        FileState { look: FileStamp { size, modified_ms: 1 }, sha256: "00".to_owned(), refused: None }
    }

    #[test]
    fn what_was_remembered_is_known_after_a_crash_that_cut_a_line_off() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("below/state");
        let mut state = WatchState::open(&path).unwrap();
        state.remember("a", known(1)).unwrap();
        state.remember("a", known(2)).unwrap();
        assert!(WatchState::open(&path).is_err(), "one process at a time");
        drop(state);
        let mut text = fs::read(&path).unwrap();
        text.extend_from_slice(b"{\"external_id\":\"b\",\"si");
        fs::write(&path, text).unwrap();
        let mut state = WatchState::open(&path).unwrap();
        assert_eq!((state.known("a"), state.known("b")), (Some(&known(2)), None));
        state.remember("c", known(3)).unwrap();
        drop(state);
        assert_eq!(WatchState::open(&path).unwrap().known("c"), Some(&known(3)));
    }
}
