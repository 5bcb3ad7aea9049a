//! The controller, over a real control plane, a real redis-server, and a real API that judges whether a token works.
//!
//! A file for each part of what users rely on. The controller runs as a process of its own, with the rights that its
//! documentation lists, so that it can be killed and frozen; everything that it writes is searched for tokens.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod admission;
mod chaos;
mod crash;
mod delivery;
mod edit;
mod expiry;
mod imported;
mod issue;
mod issuer;
mod leader;
mod limits;
mod outage;
mod privilege;
mod process;
mod repair;
mod requests;
mod revoke;
mod rotation;
mod scale;
mod uninstall;
mod webhook;
mod world;
