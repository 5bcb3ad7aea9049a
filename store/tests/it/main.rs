//! The store against real servers.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

mod accept;
mod chaos;
mod cluster;
mod consume;
mod cost;
#[path = "../support/cost.rs"]
mod counted;
mod credentials;
mod erase;
mod events;
mod faults;
mod jobs;
mod lessons;
mod lists;
mod llm;
#[path = "../support/cluster.rs"]
mod nodes;
mod notes;
mod rate;
#[path = "../support/redis.rs"]
mod redis;
mod sentinel;
mod sweep;
mod takeover;
mod tasks;
mod tls;
mod upgrade;
mod world;
