//! What users of the HTTP interface rely on: a file for each heading, a test for each sentence.

mod authentication;
mod conventions;
mod errors;
mod events;
mod feedback;
mod hostile;
mod jobs;
mod limits;
mod mcp;
mod openapi;
mod submit;
mod tasks;
mod tokens;
