//! The data directory of `gleaner dev`: one process at a time, readable by its owner alone, with a token that outlives
//! restarts.

use crate::failure::CliError;
use gleaner_model::PlainToken;
use std::{
    fs::{DirBuilder, File, OpenOptions, Permissions, TryLockError, set_permissions},
    io::{Read as _, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

/// A data directory that is ours until this is dropped.
pub struct DataFolder {
    path: PathBuf,
    _lock: File,
}

impl DataFolder {
    /// Makes the directory if it is not there, and takes it.
    ///
    /// # Errors
    /// When it cannot be made, or another process has it.
    pub fn take(path: &Path) -> Result<Self, CliError> {
        let failed = |error: std::io::Error| {
            CliError::failed(format!("cannot use {}: {error}; name another with --data-dir", path.display()))
        };
        DirBuilder::new().recursive(true).mode(0o700).create(path.join("redis")).map_err(failed)?;
        let path = path.canonicalize().map_err(failed)?;
        let lock = private(&path.join("lock")).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path, _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(CliError::failed(format!(
                "another `gleaner dev` uses {}; end it, or name another directory with --data-dir",
                path.display()
            ))),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }

    /// Where the redis-server keeps its data.
    pub fn redis(&self) -> PathBuf {
        self.path.join("redis")
    }

    /// Where the samples are written.
    pub fn samples(&self) -> PathBuf {
        self.path.join("samples")
    }

    /// Where the token lies.
    pub fn token_file(&self) -> PathBuf {
        self.path.join("token")
    }

    /// The token, minted the first time.
    ///
    /// # Errors
    /// When the file cannot be read or written, or holds something else.
    pub fn token(&self) -> Result<PlainToken, CliError> {
        let path = self.token_file();
        let failed = |error: std::io::Error| CliError::failed(format!("cannot use {}: {error}", path.display()));
        let mut file = private(&path).map_err(failed)?;
        set_permissions(&path, Permissions::from_mode(0o600)).map_err(failed)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(failed)?;
        if text.trim().is_empty() {
            let token = PlainToken::mint().map_err(failed)?;
            writeln!(file, "{}", token.expose()).map_err(failed)?;
            return Ok(token);
        }
        PlainToken::parse(text.trim()).map_err(|_| {
            CliError::failed(format!("{} holds no token; delete it, and another will be made", path.display()))
        })
    }
}

/// A file for its owner alone, made if it is not there.
pub fn private(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_outlives_a_restart_and_is_its_owners_alone() {
        let place = tempfile::tempdir().unwrap();
        let first = DataFolder::take(place.path()).unwrap().token().unwrap();
        let folder = DataFolder::take(place.path()).unwrap();
        assert_eq!(folder.token().unwrap(), first);
        assert_eq!(folder.token_file().metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_directory_serves_one_process_at_a_time() {
        let place = tempfile::tempdir().unwrap();
        let _first = DataFolder::take(place.path()).unwrap();
        let refused = DataFolder::take(place.path()).err().unwrap().to_string();
        assert!(refused.contains("another `gleaner dev`"), "{refused}");
    }

    #[test]
    fn a_file_that_holds_no_token_is_left_alone() {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("token"), "precious").unwrap();
        assert!(DataFolder::take(place.path()).unwrap().token().is_err());
        assert_eq!(std::fs::read_to_string(place.path().join("token")).unwrap(), "precious");
    }
}
