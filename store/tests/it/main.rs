//! The store against real servers.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

mod accept;
mod chaos;
mod cluster;
mod consume;
mod cost;
mod credentials;
mod erase;
mod events;
mod faults;
mod jobs;
mod lessons;
mod lists;
mod llm;
mod notes;
mod rate;
mod sentinel;
mod sweep;
mod takeover;
mod tasks;
mod tls;
mod upgrade;
mod webhooks;
mod world;
