//! Places between two writes where a test may have the process die. They exist in development builds alone.

/// Dies, as by SIGKILL, when `GLEANER_FAILPOINT` names this place.
#[cfg(debug_assertions)]
pub(crate) fn reached(place: &str) {
    if std::env::var("GLEANER_FAILPOINT").is_ok_and(|named| named == place) {
        std::process::abort();
    }
}

#[cfg(not(debug_assertions))]
pub(crate) const fn reached(_place: &str) {}
