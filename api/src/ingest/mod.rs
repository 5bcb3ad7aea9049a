//! Content in: items, and the jobs that read them.

pub mod erase;
pub mod file;
pub mod get_job;
mod idempotency;
pub mod list_jobs;
mod mail;
pub mod missed;
pub mod requeue;
pub mod submit;
pub mod word;
