//! What can go wrong between a process and the store.

use redis::{ErrorKind, RedisError, ServerErrorKind};

/// Why the store did not do what it was asked.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// The store is away, starting, failing over, or too slow. The same call may succeed later, and may be repeated:
    /// every write is one step that does nothing a second time.
    #[error("the store cannot be asked: {0}")]
    Unavailable(String),
    /// The store has reached its `maxmemory`; nothing was written.
    #[error("the store is out of memory: raise maxmemory, or let the workers catch up")]
    OutOfMemory,
    /// The store is there and will not serve us until somebody changes a setting.
    #[error("the store cannot be used: {0}")]
    Refused(String),
    /// A record is there but cannot be read.
    #[error("a record in the store cannot be read: {0}")]
    Corrupt(String),
    /// Something of the tenant's comes first. Whatever call of [`crate::Store`] meets this does it and tries again, so
    /// callers never get it.
    #[error("the store has something of the tenant's to do first")]
    Unsettled,
    /// A cursor that this store did not hand out, handed out for another list, or too long ago.
    #[error("the cursor is not one of this list")]
    InvalidCursor,
}

impl Error {
    /// Whether the same call may succeed later without anyone changing anything but load.
    #[must_use]
    pub const fn is_transient(&self) -> bool {
        matches!(self, Self::Unavailable(_) | Self::OutOfMemory | Self::Unsettled)
    }

    /// What the server said to a script, in its own words: an error word, then a sentence.
    pub(crate) fn of_script(words: &str) -> Self {
        let (word, sentence) = words.split_once(' ').unwrap_or((words, ""));
        redis::make_extension_error(word.to_owned(), Some(sentence.to_owned())).into()
    }

    pub(crate) fn corrupt(what: impl std::fmt::Display) -> Self {
        Self::Corrupt(what.to_string())
    }
}

/// Error words that say "not now": the node is loading, read-only after a failover, busy, or cannot persist.
const NOT_NOW: [&str; 9] =
    ["LOADING", "READONLY", "BUSY", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "MISCONF", "NOREPLICAS", "UNBLOCKED"];
/// Error words that say "not you".
const NOT_YOU: [&str; 4] = ["NOAUTH", "WRONGPASS", "NOPERM", "ERR AUTH"];

impl From<RedisError> for Error {
    fn from(error: RedisError) -> Self {
        let text = error.to_string();
        if says(&error, &text, "OOM") {
            return Self::OutOfMemory;
        }
        if says(&error, &text, "UNSETTLED") {
            return Self::Unsettled;
        }
        if NOT_NOW.iter().any(|word| says(&error, &text, word)) {
            return Self::Unavailable(text);
        }
        if NOT_YOU.iter().any(|word| says(&error, &text, word)) {
            return Self::Refused(text);
        }
        match error.kind() {
            ErrorKind::Io
            | ErrorKind::ClusterConnectionNotFound
            | ErrorKind::MasterNameNotFoundBySentinel
            | ErrorKind::NoValidReplicasFoundBySentinel
            | ErrorKind::Parse
            | ErrorKind::Server(ServerErrorKind::Moved | ServerErrorKind::Ask) => Self::Unavailable(text),
            ErrorKind::UnexpectedReturnType => Self::Corrupt(text),
            _ => Self::Refused(text),
        }
    }
}

/// Whether the server answered with that error word: as the answer's own code, or, before Redis 7, quoted within the
/// error of the script that met it.
fn says(error: &RedisError, text: &str, word: &str) -> bool {
    error.code() == Some(word) || text.contains(&format!("-{word} "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(code: &str, detail: &str) -> Error {
        redis::make_extension_error(code.to_owned(), Some(detail.to_owned())).into()
    }

    #[test]
    fn an_error_word_is_understood_from_old_and_new_servers() {
        assert!(matches!(answered("OOM", "command not allowed when used memory > 'maxmemory'."), Error::OutOfMemory));
        let old = "Error running script (call to f_1): @user_script:5: -OOM command not allowed when used memory";
        assert!(matches!(answered("ERR", old), Error::OutOfMemory));
        for word in NOT_NOW {
            assert!(answered(word, "later").is_transient(), "{word}");
        }
        assert!(matches!(answered("WRONGPASS", "invalid username-password pair"), Error::Refused(_)));
        assert!(matches!(answered("ERR", "unknown command"), Error::Refused(_)));
    }
}
