//! The `gleaner` binary as a child of a test: started, told to stop, killed.

use crate::child::ChildGuard;
use std::{
    env::consts::EXE_SUFFIX,
    io::{BufRead as _, BufReader, Write as _},
    path::{Path, PathBuf},
    process::{ChildStdout, Command, ExitStatus, Output, Stdio},
    sync::{OnceLock, mpsc},
    thread,
    time::{Duration, Instant},
};

/// Longest wait for anything: only a hanging process takes as long.
const TIMEOUT: Duration = Duration::from_secs(90);
/// How the variables begin by which Cargo tells a test of its package.
const PACKAGE: [&str; 2] = ["CARGO_MANIFEST_", "CARGO_PKG_"];

/// The binary, built once for all tests.
pub fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        let mut build = Command::new(env!("CARGO"));
        // Cargo tells a test of its package. A build that hears of it runs ring's build script again, which looks at these
        // variables, and builds all that stands on ring anew; so does the next build that does not hear of it.
        for (name, _) in std::env::vars().filter(|(name, _)| PACKAGE.iter().any(|prefix| name.starts_with(prefix))) {
            build.env_remove(name);
        }
        build.args(["build", "--quiet", "--package", "gleaner", "--bin", "gleaner"]);
        // The kind that lies beside this test.
        let built = build.args((!cfg!(debug_assertions)).then_some("--release")).status();
        assert!(built.expect("cargo runs").success(), "the gleaner binary must build");
        // This test's own binary lies in `deps`, beside ours.
        let here = std::env::current_exe().unwrap();
        here.parent().unwrap().parent().unwrap().join(format!("gleaner{EXE_SUFFIX}"))
    })
}

/// A command of the binary that no setting of this machine reaches.
pub fn gleaner(arguments: &[&str]) -> Command {
    let mut command = Command::new(binary());
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("GLEANER_")) {
        command.env_remove(name);
    }
    command.args(arguments);
    command
}

/// Runs a command to its end with something on stdin.
pub fn run(arguments: &[&str], stdin: &str) -> Output {
    let mut child = gleaner(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let (mut input, text) = (child.stdin.take().unwrap(), stdin.to_owned());
    // A command that fails early reads nothing.
    let writer = thread::spawn(move || drop(input.write_all(text.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// What a command wrote to stdout.
#[track_caller]
pub fn stdout(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "it succeeds: {errors}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// A running process of the binary. `Drop` kills it.
pub struct GleanerProcess {
    child: ChildGuard,
    stdout: BufReader<ChildStdout>,
}

impl GleanerProcess {
    /// Starts a process that runs until it is ended.
    pub fn start(mut command: Command) -> Self {
        let mut child = ChildGuard::spawn(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()));
        let stdout = BufReader::new(child.child().stdout.take().unwrap());
        Self { child, stdout }
    }

    /// A worker on that store that takes over quickly.
    pub fn worker(redis_url: &str) -> Self {
        Self::worker_with(redis_url, &["--takeover-s", "2"])
    }

    /// A worker on that store, with flags of its own.
    pub fn worker_with(redis_url: &str, flags: &[&str]) -> Self {
        let fixed = ["worker", "--admin-listen", "127.0.0.1:0", "--log", "off"];
        let mut command = gleaner(&[&fixed[..], flags].concat());
        command.env("GLEANER_REDIS_URL", redis_url);
        Self::start(command)
    }

    /// An API on that store, at that port, whose clients may come as fast as they like. Returns once it serves.
    pub fn api(redis_url: &str, port: u16) -> Self {
        let listen = format!("127.0.0.1:{port}");
        let mut command = gleaner(&["api", "--listen", &listen, "--admin-listen", "127.0.0.1:0"]);
        command.env("GLEANER_REDIS_URL", redis_url).env("GLEANER_RATE_LIMIT_PER_MINUTE", "0");
        Self::serving(command).0
    }

    /// Starts `gleaner api` and reads off its log where it serves.
    pub fn serving(mut command: Command) -> (Self, String) {
        command.env("GLEANER_LOG_FORMAT", "json").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = ChildGuard::spawn(&mut command);
        let stdout = BufReader::new(child.child().stdout.take().unwrap());
        let log = BufReader::new(child.child().stderr.take().unwrap()).lines().map_while(Result::ok);
        let process = Self { child, stdout };
        let (say, said) = mpsc::channel();
        // Somebody has to read all of it, or the process would wait for it.
        thread::spawn(move || log.filter(|line| line.contains("Serving HTTP")).for_each(|line| drop(say.send(line))));
        let line = said.recv_timeout(TIMEOUT).expect("it logs, as information, that it serves");
        let line: serde_json::Value = serde_json::from_str(&line).unwrap();
        (process, format!("http://{}", line["address"].as_str().unwrap()))
    }

    /// Its id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The next line of its stdout.
    pub fn line(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// Ends it at once, as a crash would.
    pub fn kill(&mut self) {
        self.child.kill();
    }

    /// Sends a signal, such as `-TERM`.
    pub fn signal(&self, signal: &str) {
        self.child.signal(signal);
    }

    /// Waits until it has ended.
    pub fn ended(&mut self) -> ExitStatus {
        let begun = Instant::now();
        while begun.elapsed() < TIMEOUT {
            if let Some(status) = self.child.ended() {
                return status;
            }
            thread::sleep(Duration::from_millis(20));
        }
        panic!("the process hangs");
    }
}
