//! Content in: items, and the jobs that read them.

pub mod erase;
pub mod get_job;
mod idempotency;
pub mod list_jobs;
pub mod missed;
pub mod requeue;
pub mod submit;
