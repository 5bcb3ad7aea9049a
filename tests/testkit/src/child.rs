//! Child processes that end with the test, however it ends.

use std::process::{Child, Command, ExitStatus, Stdio};

/// Waits for the end of its standard input, whatever signal comes meanwhile, then kills a process.
const LEASH: &str = "trap '' HUP INT TERM; read -r _; kill -9 \"$0\"";

/// A child of the test. `Drop` kills it, and so does the end of the test's process where no destructor runs.
#[derive(Debug)]
pub struct ChildGuard {
    child: Child,
    /// A shell that holds the other end of a pipe to this process: only the system closes that whatever happens.
    leash: Child,
}

impl ChildGuard {
    /// Starts a command.
    pub fn spawn(command: &mut Command) -> Self {
        let child = command.spawn().unwrap_or_else(|error| panic!("{command:?} does not start: {error}"));
        let mut leash = Command::new("sh");
        leash.args(["-c", LEASH, &child.id().to_string()]).stdin(Stdio::piped());
        let leash = leash.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("sh starts");
        Self { child, leash }
    }

    /// The child, for its pipes.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// The id of its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a signal, such as `-TERM`.
    pub fn signal(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.id().to_string()]).status();
        assert!(sent.expect("kill runs").success());
    }

    /// How it ended, if it has.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().unwrap()
    }

    /// Waits for its end.
    pub fn wait(&mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }

    /// Ends it at once, as a crash would.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for ChildGuard {
    fn drop(&mut self) {
        // The leash first: once the child is gone its number may be somebody else's.
        let _ = self.leash.kill();
        let _ = self.leash.wait();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Processor time that a process has used, in seconds.
pub fn cpu_seconds(process: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let fields: Vec<_> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    // User and system time, in hundredths of a second.
    (fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap()) / 100.0
}

/// Memory of a process in MiB: with `VmRSS:` what it holds, with `VmHWM:` the most that it held. `None` where the system
/// does not tell.
pub fn memory_mib(process: u32, line: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let told = status.lines().find_map(|told| told.strip_prefix(line))?;
    Some(told.split_whitespace().next()?.parse::<u64>().ok()? / 1024)
}
