//! What every suite stands on: real servers that end with the test, one HTTP client, and records to begin with.
//!
//! A helper panics where it cannot go on: that fails the test, which is what it is for.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

pub mod bench;
pub mod child;
pub mod cluster;
pub mod environment;
pub mod fixture;
pub mod http;
pub mod job_cost;
pub mod queue;
pub mod redis;
pub mod wait;

#[cfg(feature = "servers")]
pub mod api;
#[cfg(feature = "servers")]
pub mod gleaner;
#[cfg(feature = "servers")]
pub mod kubernetes;
#[cfg(feature = "servers")]
pub mod model;
#[cfg(feature = "servers")]
pub mod receiver;
