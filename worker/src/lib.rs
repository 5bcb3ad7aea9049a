//! Consumes submissions, extracts their tasks, and records the result.

mod mention;

pub use mention::mention;
