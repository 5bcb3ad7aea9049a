//! What users of the HTTP interface rely on: a file for each heading, a test for each sentence.

mod authentication;
mod client_limits;
mod conventions;
mod errors;
mod events;
mod exports;
mod feedback;
mod files;
mod hostile;
mod jobs;
mod limits;
mod mcp;
mod openapi;
mod pages;
mod submit;
mod tasks;
mod token_limits;
mod tokens;
