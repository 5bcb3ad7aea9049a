//! What a store that fails, or does not answer in time, is to a client.

use crate::problem::Problem;
use std::{future::Future, time::Duration};

/// Asks the store, for so long at most.
///
/// # Errors
/// The store's error as a problem.
pub async fn within<T>(
    limit: Duration,
    question: impl Future<Output = Result<T, gleaner_store::Error>>,
) -> Result<T, Problem> {
    match tokio::time::timeout(limit, question).await {
        Ok(answer) => answer.map_err(Problem::from),
        Err(_) => Err(Problem::store_unavailable("the store did not answer in time")),
    }
}

impl From<gleaner_store::Error> for Problem {
    fn from(error: gleaner_store::Error) -> Self {
        use gleaner_store::Error;
        match error {
            Error::Unavailable(_) | Error::Refused(_) | Error::Unsettled => Self::store_unavailable(error),
            Error::OutOfMemory => {
                let mut problem = Self::overloaded("the store is full; try again later");
                problem.cause = Some(error.to_string());
                problem
            }
            Error::InvalidCursor => Self::invalid("/cursor", "must be the next_cursor of a page with the same filters"),
            Error::Corrupt(_) => Self::internal(error),
        }
    }
}
