//! The model's endpoint over real HTTP.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

mod bearing;
mod failing;
mod injections;
mod support;
