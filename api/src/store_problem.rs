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
            Error::Unavailable(_) | Error::Unsettled => Self::store_unavailable(error),
            Error::Refused(_) => Self::store_unavailable(error).for_the_operator(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use gleaner_store::Error;

    #[test]
    fn a_store_that_is_away_is_a_warning_and_one_that_refuses_is_for_the_operator() {
        assert!(Problem::from(Error::Unavailable("gone".to_owned())).ends_by_itself);
        assert!(!Problem::from(Error::Refused("WRONGPASS".to_owned())).ends_by_itself);
    }
}
