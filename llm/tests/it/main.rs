//! The model's endpoint over real HTTP.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

mod failing;
mod grounding;
mod injections;
mod support;
