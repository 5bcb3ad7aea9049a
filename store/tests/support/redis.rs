//! Real Redis servers as children of a test: on free loopback ports, gone when the test is, however it ends.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// How long a server may take to come up on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// The server that is tried: another Redis, or a Valkey.
fn binary() -> String {
    std::env::var("GLEANER_TEST_REDIS_SERVER").unwrap_or_else(|_| "redis-server".to_owned())
}

/// A `redis-server` with a directory of its own.
pub struct RedisServer {
    /// What makes it something else than a server of data.
    mode: Option<&'static str>,
    settings: Vec<String>,
    port: u16,
    dir: TempDir,
    running: Option<Running>,
}

/// The server and the shell that ends it as soon as nobody holds the other end of its standard input: also when the
/// test is killed and no destructor runs.
struct Running {
    shell: Child,
    pid: String,
}

impl RedisServer {
    /// A server that keeps an append-only file, with further settings as on its command line.
    pub fn start(settings: &[&str]) -> Self {
        let settings = ["--appendonly", "yes", "--save", ""].iter().chain(settings).map(|s| (*s).to_owned()).collect();
        let mut server = Self::stopped(None, settings);
        server.run();
        server
    }

    /// A server that begins with the data of a dump.
    #[allow(dead_code, reason = "not everybody who shares this needs it")]
    pub fn with_dump(dump: &std::path::Path) -> Self {
        let settings = ["--appendonly", "no", "--save", ""].map(str::to_owned).to_vec();
        let mut server = Self::stopped(None, settings);
        std::fs::copy(dump, server.dir.path().join("dump.rdb")).unwrap();
        server.run();
        server
    }

    /// A Sentinel with the lines of a configuration file.
    pub fn sentinel(lines: &str) -> Self {
        let mut server = Self::stopped(Some("--sentinel"), Vec::new());
        let file = server.dir.path().join("sentinel.conf");
        std::fs::write(&file, lines).unwrap();
        server.settings = vec![file.display().to_string()];
        server.run();
        server
    }

    fn stopped(mode: Option<&'static str>, settings: Vec<String>) -> Self {
        Self { mode, settings, port: free_port(), dir: TempDir::new().unwrap(), running: None }
    }

    /// Starts it (again), with the data that it has written, and waits until it answers.
    pub fn run(&mut self) {
        assert!(self.running.is_none(), "it is running");
        let mut shell = Command::new("sh")
            .args(["-c", r#""$0" "$@" </dev/null >/dev/null 2>&1 & echo $!; read -r _; kill -9 $!"#, &binary()])
            .args(&self.settings)
            .args(["--port", &self.port.to_string(), "--bind", "127.0.0.1"])
            .args(["--dir", &self.dir.path().display().to_string()])
            .args(self.mode)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("sh starts");
        let mut pid = String::new();
        BufReader::new(shell.stdout.take().unwrap()).read_line(&mut pid).unwrap();
        self.running = Some(Running { shell, pid: pid.trim().to_owned() });
        let end = Instant::now() + PATIENCE;
        while !self.answers() {
            assert!(Instant::now() < end, "redis-server came up on port {}", self.port);
            thread::sleep(Duration::from_millis(20));
        }
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

    /// Ends it as a crash would.
    pub fn kill(&mut self) {
        if let Some(mut running) = self.running.take() {
            drop(running.shell.stdin.take());
            running.shell.wait().unwrap();
        }
    }

    /// Stops it from doing anything, without closing a connection.
    pub fn freeze(&self) {
        self.signal("-STOP");
    }

    /// Lets it go on.
    pub fn thaw(&self) {
        self.signal("-CONT");
    }

    fn signal(&self, signal: &str) {
        let pid = &self.running.as_ref().expect("it is running").pid;
        assert!(Command::new("kill").args([signal, pid]).status().unwrap().success());
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// What `redis-cli` prints for a command.
    pub fn cli(&self, args: &[&str]) -> String {
        let out = Command::new("redis-cli").args(["-p", &self.port.to_string()]).args(args).output().unwrap();
        String::from_utf8(out.stdout).unwrap()
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A port that nobody listens on now. Not one of those that the system gives to whoever connects: a client that comes again and
/// again to a server which is down would be given the server's own port, reach itself, and the server could not come back.
pub fn free_port() -> u16 {
    loop {
        // A cluster node listens on port + 10000 as well.
        let port = rand::random_range(12_000..22_000);
        if [port, port + 10_000].iter().all(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok()) {
            return port;
        }
    }
}
