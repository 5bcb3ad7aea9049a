//! Real Redis servers as children of a test: on free loopback ports, gone when the test is, however it ends.

use crate::child::ChildGuard;
use std::{
    collections::BTreeSet,
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Command, Stdio},
    sync::Mutex,
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// How long a server may take to come up on a busy machine.
const STARTUP_TIMEOUT: Duration = Duration::from_secs(60);

/// Keeps an append-only file.
const DURABLE: [&str; 4] = ["--appendonly", "yes", "--save", ""];
/// Answers once a change is written: with `everysec` a server under load may answer before, and a kill then loses what was
/// acknowledged.
pub const FSYNC_ALWAYS: [&str; 2] = ["--appendfsync", "always"];
/// Keeps nothing on disk.
const IN_MEMORY: [&str; 4] = ["--appendonly", "no", "--save", ""];

/// A `redis-server` with a folder and a port of its own. `Drop` ends it.
pub struct RedisServer {
    /// What makes it something else than a server of data.
    mode: Option<&'static str>,
    arguments: Vec<String>,
    port: u16,
    folder: TempDir,
    running: Option<ChildGuard>,
}

impl RedisServer {
    /// A server that keeps an append-only file, with further settings as on its command line.
    pub fn start(settings: &[&str]) -> Self {
        let mut server = Self::stopped(&[&DURABLE, settings].concat());
        server.run();
        server
    }

    /// A server that keeps nothing on disk.
    pub fn in_memory() -> Self {
        let mut server = Self::stopped(&IN_MEMORY);
        server.run();
        server
    }

    /// A server that begins with the data of a dump.
    pub fn with_dump(dump: &Path) -> Self {
        let mut server = Self::stopped(&IN_MEMORY);
        std::fs::copy(dump, server.folder.path().join("dump.rdb")).unwrap();
        server.run();
        server
    }

    /// A Sentinel with the lines of a configuration file.
    pub fn sentinel(lines: &str) -> Self {
        let mut server = Self::stopped(&[]);
        let file = server.folder.path().join("sentinel.conf");
        std::fs::write(&file, lines).unwrap();
        server.arguments = vec![file.display().to_string()];
        server.mode = Some("--sentinel");
        server.run();
        server
    }

    fn stopped(settings: &[&str]) -> Self {
        let arguments = settings.iter().map(|setting| (*setting).to_owned()).collect();
        Self { mode: None, arguments, port: free_port(), folder: TempDir::new().unwrap(), running: None }
    }

    /// Starts it again, from now on with a file into which each change is written before it is answered.
    pub fn run_durable(&mut self) {
        self.arguments = [&DURABLE[..], &FSYNC_ALWAYS].concat().iter().map(|word| (*word).to_owned()).collect();
        self.run();
    }

    /// Starts it again, with the data that it has written, and waits until it answers.
    pub fn run(&mut self) {
        assert!(self.running.is_none(), "it is running");
        // Another Redis, or a Valkey, is tried by its name. A write for which there is no room is an error, as on a full
        // disk, and no signal that ends the process.
        let binary = std::env::var("GLEANER_TEST_REDIS_SERVER").unwrap_or_else(|_| "redis-server".to_owned());
        let mut command = Command::new("sh");
        command.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\"", &binary]).args(&self.arguments);
        command.args(["--port", &self.port.to_string(), "--bind", "127.0.0.1", "--dir"]).arg(self.folder.path());
        command.args(self.mode);
        let mut server = ChildGuard::spawn(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()));
        let end = Instant::now() + STARTUP_TIMEOUT;
        while !self.answers() {
            assert_eq!(server.ended(), None, "{binary} must be installed, and start at port {}", self.port);
            assert!(Instant::now() < end, "{binary} comes up at port {}", self.port);
            thread::sleep(Duration::from_millis(20));
        }
        self.running = Some(server);
    }

    fn answers(&self) -> bool {
        let ask = || -> std::io::Result<bool> {
            let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
            stream.set_read_timeout(Some(Duration::from_secs(1)))?;
            stream.write_all(b"PING\r\n")?;
            let mut answer = [0; 5];
            stream.read_exact(&mut answer)?;
            Ok(&answer == b"+PONG" || answer.starts_with(b"-NOAU"))
        };
        ask().unwrap_or(false)
    }

    fn process(&self) -> &ChildGuard {
        self.running.as_ref().expect("it is running")
    }

    /// Ends it as a crash would.
    pub fn kill(&mut self) {
        self.running = None;
    }

    /// Stops it from doing anything, without closing a connection.
    pub fn freeze(&self) {
        self.process().signal("-STOP");
    }

    /// Lets it go on.
    pub fn thaw(&self) {
        self.process().signal("-CONT");
    }

    /// Leaves no room on its disk, or as much as there is.
    pub fn fill_disk(&self, full: bool) {
        let limit = if full { "--fsize=1:unlimited" } else { "--fsize=unlimited" };
        let done = Command::new("prlimit").args(["--pid", &self.id().to_string(), limit]).status();
        assert!(done.expect("prlimit").success());
    }

    /// The id of its process.
    pub fn id(&self) -> u32 {
        self.process().id()
    }

    /// Its port on loopback.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// `redis://…`
    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// What `redis-cli` prints for a command, without the last line break.
    pub fn cli(&self, words: &[&str]) -> String {
        let output = Command::new("redis-cli").args(["-p", &self.port.to_string()]).args(words).output().unwrap();
        String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
    }
}

/// A port that nobody listens on now, and that no other test of this process is given: a server that is down keeps its own, or its
/// clients would take another test's server for it. Not one of those that the system gives to whoever connects: a client that comes
/// again and again to a server which is down would be given the server's own port, reach itself, and the server could not come back.
pub fn free_port() -> u16 {
    static GIVEN: Mutex<BTreeSet<u16>> = Mutex::new(BTreeSet::new());
    loop {
        // A cluster node listens on port + 10000 as well.
        let port = rand::random_range(12_000..22_000);
        if [port, port + 10_000].iter().all(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok())
            && GIVEN.lock().unwrap().insert(port)
        {
            return port;
        }
    }
}
