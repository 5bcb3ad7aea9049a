//! The chart without a node: what it renders for each switch, what its schema refuses, what its page and alerts say, and
//! that a real API server takes every object of it.
//!
//! `make generate` writes the snapshots and the page anew: the same code as here, with `GLEANER_WRITE` set.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod accepted;
mod generated;
mod model;
mod refused;
mod render;
mod rules;
mod switches;
mod values_page;
