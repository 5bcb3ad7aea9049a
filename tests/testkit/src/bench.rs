//! Benches whose servers are processes of their own: the bench's program, called with a role.

use crate::child::ChildGuard;
use std::{
    env,
    io::{BufRead as _, BufReader, Write as _},
    net::SocketAddr,
    process::{Command, Stdio},
};
use tokio::runtime::{Builder, Runtime};

const ROLE: &str = "GLEANER_BENCH_ROLE";

/// The role of this process; none for the one that measures.
pub fn role() -> Option<String> {
    env::var(ROLE).ok()
}

/// A runtime with two threads.
pub fn runtime() -> Runtime {
    Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

/// This program in a role, with these environment variables.
pub fn spawn(role: &str, variables: &[(&str, &str)]) -> ChildGuard {
    ChildGuard::spawn(&mut command(role, variables))
}

/// A server in a role, and where it listens, which it says with [`announce`].
pub fn serve(role: &str, variables: &[(&str, &str)]) -> (ChildGuard, SocketAddr) {
    let mut child = ChildGuard::spawn(command(role, variables).stdout(Stdio::piped()));
    let mut line = String::new();
    BufReader::new(child.child().stdout.take().unwrap()).read_line(&mut line).unwrap();
    (child, line.trim().parse().unwrap())
}

/// Says where this server listens.
pub fn announce(address: SocketAddr) {
    println!("{address}");
    std::io::stdout().flush().unwrap();
}

fn command(role: &str, variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command.env(ROLE, role).envs(variables.iter().copied());
    command
}
