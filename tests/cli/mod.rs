//! What users of the command line rely on.

mod client;
mod dev;
mod offline;
mod recipes;
mod terminal;
mod watch;

use std::{
    thread,
    time::{Duration, Instant},
};

/// Longest wait for anything: only what hangs takes as long.
const TIMEOUT: Duration = Duration::from_secs(240);

/// Asks again until there is an answer.
#[track_caller]
fn until<T>(what: &str, ask: impl Fn() -> Option<T>) -> T {
    let begun = Instant::now();
    while begun.elapsed() < TIMEOUT {
        if let Some(found) = ask() {
            return found;
        }
        thread::sleep(Duration::from_millis(100));
    }
    panic!("waited in vain for {what}");
}
