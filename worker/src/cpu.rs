//! Where work on an item is done: off the async threads, and what a long text takes after everything else. So somebody's
//! long texts, each of which takes seconds of a processor, delay nobody's short one, and neither the threads that talk to
//! the store.

use gleaner_runtime::background;
use tokio::task::spawn_blocking;

/// Bytes from which on a text counts as long: more than a mail, less than an hour's talk.
const LONG: usize = 8 * 1024;

/// Does what a text of so many bytes takes. `None` when it panicked.
pub async fn work<T: Send + 'static>(bytes: usize, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    if bytes >= LONG { background::compute(work).await } else { spawn_blocking(work).await.ok() }
}
