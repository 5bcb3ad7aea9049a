//! What each process does alike: logs, traces, an HTTP server that slow clients cannot hold, the admin port, shutdown.
//!
//! A process starts with [`log::init`], makes one [`Shutdown`], serves its [`admin`] port beside its own work, and ends
//! when [`Shutdown::finished`] says that all of it is done.

pub mod admin;
pub mod connections;
pub mod http;
pub mod log;
pub mod low_priority;
mod mutex;
pub mod otlp;
pub mod shares;
mod shutdown;
pub mod target;
pub mod trace;
mod write_deadline;

pub use mutex::lock;
pub use shutdown::{Shutdown, ShutdownConfig};
