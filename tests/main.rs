//! The integration suite, over real parts. A file for each heading of what users rely on.

mod api;
mod cli;
mod flow;
mod support;
mod worker;
