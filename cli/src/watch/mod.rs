//! What `gleaner watch` stands on: the folders that it follows, and what it knows of their files.

pub mod folder;
pub mod state;
