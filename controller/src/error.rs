//! Why a reconcile did not come to its end, and what helps.

use std::time::Duration;

/// Why a reconcile did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The API server refused, or could not be asked.
    #[error("the Kubernetes API: {}", description(.0))]
    Kubernetes(#[source] Box<kube::Error>),
    /// The store refused, or could not be asked.
    #[error(transparent)]
    Store(#[from] gleaner_store::Error),
    /// The object has changed since it was read: the watch will tell.
    #[error("the object has changed since it was read")]
    Outdated,
    /// Another controller may lead now.
    #[error("this controller does not lead any more")]
    NotLeader,
    /// The operating system has no random numbers.
    #[error("cannot mint a token: {0}")]
    Mint(#[source] std::io::Error),
    /// An answer did not come in time.
    #[error("no answer in time from {0}")]
    Slow(&'static str),
    /// An object that the API server handed out lacks what every object has.
    #[error("an object without {0}")]
    Malformed(&'static str),
}

impl Error {
    /// How long to wait before the same is tried again, when it failed `times` times in a row; `None`: wait for a change.
    #[must_use]
    pub fn pause(&self, times: u32) -> Option<Duration> {
        match self {
            Self::NotLeader | Self::Malformed(_) => None,
            // A second look in case the event that will tell is lost with its watch.
            Self::Outdated => Some(Duration::from_secs(5)),
            _ => Some(Duration::from_millis(500 << times.min(6))),
        }
    }
}

impl From<kube::Error> for Error {
    fn from(error: kube::Error) -> Self {
        match &error {
            kube::Error::Api(status) if status.code == 409 => Self::Outdated,
            _ => Self::Kubernetes(Box::new(error)),
        }
    }
}

/// What the API server said, without the object that it may quote.
fn description(error: &kube::Error) -> String {
    match error {
        kube::Error::Api(status) => format!("{} {}", status.code, status.message),
        other => other.to_string(),
    }
}
