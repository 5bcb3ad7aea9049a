//! The integration suite, over real parts. A file for each heading of what users rely on.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod api;
mod cli;
mod consistency;
mod flow;
mod webhooks;
mod worker;
