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

const VERBS: [&str; 8] = ["send", "review", "update", "prepare", "finish", "book", "order", "check"];
const DAYS: [&str; 5] = ["Monday", "tomorrow", "Friday", "next week", "March 20"];

/// Pronounceable, and no other number's.
fn word(mut number: usize) -> String {
    let mut out = String::new();
    loop {
        let (consonant, vowel) = (number % 16, number / 16 % 5);
        out.push(char::from(b"bdfgklmnprstvwzj"[consonant]));
        out.push(char::from(b"aeiou"[vowel]));
        number /= 80;
        if number == 0 {
            return out + "n";
        }
    }
}

/// A meeting of about 5 KB with three tasks; two of them share no object.
pub fn unlike(n: usize) -> String {
    let mut text = String::new();
    for line in 0..60 {
        let number = n * 61 + line;
        let (a, b) = (word(number * 7 + 3), word(number * 11 + 5));
        text += &match line {
            10 | 30 | 50 => {
                format!("Dana: I'll {} the {a} {b} by {}.\n", VERBS[number % VERBS.len()], DAYS[number % DAYS.len()])
            }
            _ if line % 2 == 0 => format!("Sam: The {a} was fine on the {b}, and the weather held all through.\n"),
            _ => format!("Lee: We talked about the {a} for an hour, as the {b} was late again.\n"),
        };
    }
    text
}
