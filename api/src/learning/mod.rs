//! What feedback has taught: shown, and forgotten.

pub mod forget;
pub mod show;
