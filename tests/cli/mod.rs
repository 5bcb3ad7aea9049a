//! What users of the command line rely on.

mod client;
mod dev;
mod offline;
mod recipes;
mod terminal;
mod watch;
