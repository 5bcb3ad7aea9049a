//! What the suites stand on: a real redis-server, a real API process in this one, a client that sends any bytes.

pub mod api;
pub mod gleaner;
pub mod http;
pub mod model;
pub mod queue;
pub mod receiver;
pub mod redis;
pub mod task;
