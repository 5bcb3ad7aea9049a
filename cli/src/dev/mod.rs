//! The parts of `gleaner dev`: a data directory with a lock and a token, and a redis-server child.

pub mod folder;
pub mod redis;
pub mod samples;
