//! A redis-server of a test's own, on a free loopback port, gone with the test.

use std::{
    net::{SocketAddr, TcpListener, TcpStream},
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};
use tempfile::TempDir;

/// A port that nobody listens at.
pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A running redis-server.
pub struct Redis {
    port: u16,
    folder: TempDir,
    child: Option<Child>,
}

impl Redis {
    /// Starts one that keeps nothing on disk.
    pub fn start() -> Self {
        let mut redis = Self { port: free_port(), folder: tempfile::tempdir().unwrap(), child: None };
        redis.launch(&[]);
        redis
    }

    /// Starts the server, again if it was killed, with more arguments.
    pub fn launch(&mut self, arguments: &[&str]) {
        // Another Redis, or a Valkey, is tried by its name. A write for which there is no room is an error, as on a full
        // disk, and no signal that ends the process.
        let binary = std::env::var("GLEANER_TEST_REDIS_SERVER").unwrap_or_else(|_| "redis-server".to_owned());
        let mut command = Command::new("sh");
        command.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\"", &binary]);
        command.args(["--port", &self.port.to_string(), "--bind", "127.0.0.1", "--save", ""]);
        command.arg("--dir").arg(self.folder.path()).args(arguments);
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        self.child = Some(child.expect("redis-server must be installed"));
        let address = SocketAddr::from(([127, 0, 0, 1], self.port));
        for _ in 0..600 {
            if TcpStream::connect(address).is_ok() {
                return;
            }
            thread::sleep(Duration::from_millis(50));
        }
        panic!("redis-server does not listen on {address}");
    }

    /// `redis://…`
    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// Ends the server at once, as a crash would.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    /// The id of its process.
    #[allow(dead_code, reason = "the siege looks at its memory")]
    pub fn id(&self) -> u32 {
        self.child.as_ref().expect("a running server").id()
    }

    /// Lets the server hang: connections stay open, nothing is answered.
    pub fn freeze(&self) {
        self.signal("-STOP");
    }

    /// Lets it go on.
    pub fn thaw(&self) {
        self.signal("-CONT");
    }

    /// Leaves no room on its disk, or as much as there is.
    #[allow(dead_code, reason = "the siege does without")]
    pub fn fill_disk(&self, full: bool) {
        let limit = if full { "--fsize=1:unlimited" } else { "--fsize=unlimited" };
        let done = Command::new("prlimit").args(["--pid", &self.id().to_string(), limit]).status();
        assert!(done.expect("prlimit").success());
    }

    /// Sends one command and returns what came back, as text.
    pub fn command(&self, words: &[&str]) -> String {
        let output = Command::new("redis-cli").args(["-p", &self.port.to_string()]).args(words).output().unwrap();
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    fn signal(&self, signal: &str) {
        let pid = self.child.as_ref().expect("a running server").id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        self.kill();
    }
}
