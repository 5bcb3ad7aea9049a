//! A redis-server of our own: on this machine only, with a password, durable, and gone when we are, however we end.

use super::folder::private;
use crate::failure::CliError;
use std::{
    fs::read_to_string,
    io::{self, Write as _},
    net::{Ipv4Addr, TcpListener},
    path::{Path, PathBuf},
    process::{ExitStatus, Stdio},
    time::Duration,
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    process::{Child, ChildStdin, Command},
    time::{Instant, sleep, timeout},
};

/// Runs the server, and ends it when the other end of stdin closes: that happens even when this process is killed. The
/// server is in a process group of its own, so Ctrl-C reaches us alone, and we end it last.
const GUARD: &str = r#"
exec 3<&0
"$1" "$2" </dev/null &
server=$!
trap '' INT TERM HUP
( cat <&3 >/dev/null; kill "$server" 2>/dev/null ) &
exec 3<&-
wait "$server"
"#;
/// Longest time that a server may take to read its data.
const START: Duration = Duration::from_secs(120);
/// Longest time that it may take to end.
const END: Duration = Duration::from_secs(20);
/// Names under which the server is installed.
const NAMES: [&str; 2] = ["redis-server", "valkey-server"];

/// A redis-server that ends with this value.
pub struct DevRedis {
    guard: Child,
    /// Held apart from the guard, because waiting for a child closes the stdin that it has.
    leash: Option<ChildStdin>,
    login: Login,
    log: PathBuf,
}

/// How to reach it.
#[derive(Clone, PartialEq, Eq)]
struct Login {
    port: u16,
    password: String,
}

impl DevRedis {
    /// Starts a server on the data in a directory, with a new password on a free port.
    ///
    /// # Errors
    /// When none is installed, or it does not start.
    pub async fn start(program: Option<&Path>, folder: &Path) -> Result<Self, CliError> {
        let program = program.map(Path::to_owned).or_else(installed).ok_or_else(|| {
            CliError::failed(
                "redis-server is not installed: `apt-get install redis-server` on Debian or Ubuntu, `brew install redis` \
                 on macOS, or name the program with --redis-server",
            )
        })?;
        let settings = folder.join("redis.conf");
        end_leftover(&settings).await?;
        let failed = |error: io::Error| CliError::failed(format!("cannot start {}: {error}", program.display()));
        let login = Login { port: free_port().map_err(failed)?, password: password().map_err(failed)? };
        write_settings(&settings, folder, &login).map_err(failed)?;
        let mut guard = Command::new("sh")
            .args(["-c", GUARD, "sh"])
            .arg(&program)
            .arg(&settings)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .map_err(failed)?;
        let mut redis = Self { leash: guard.stdin.take(), guard, login, log: folder.join("redis.log") };
        redis.ready().await?;
        Ok(redis)
    }

    /// Where the store finds it.
    pub fn url(&self) -> String {
        format!("redis://:{}@127.0.0.1:{}", self.login.password, self.login.port)
    }

    /// Resolves when the server has ended on its own, with what to do.
    pub async fn lost(&mut self) -> CliError {
        let status = self.guard.wait().await;
        self.ended(status)
    }

    /// Ends the server; its data stay.
    ///
    /// # Errors
    /// When it does not end in time.
    pub async fn stop(mut self) -> Result<(), CliError> {
        drop(self.leash.take());
        match timeout(END, self.guard.wait()).await {
            Ok(_) => Ok(()),
            Err(_) => Err(CliError::failed(format!("the redis-server has not ended; see {}", self.log.display()))),
        }
    }

    async fn ready(&mut self) -> Result<(), CliError> {
        let begun = Instant::now();
        while begun.elapsed() < START {
            tokio::select! {
                status = self.guard.wait() => return Err(self.ended(status)),
                () = sleep(Duration::from_millis(20)) => {}
            }
            if ask(&self.login, "PING").await.is_ok_and(|answer| answer.contains("+PONG")) {
                return Ok(());
            }
        }
        Err(CliError::failed(format!("the redis-server does not answer; see {}", self.log.display())))
    }

    fn ended(&self, status: io::Result<ExitStatus>) -> CliError {
        let status = status.map_or_else(|error| error.to_string(), |status| status.to_string());
        CliError::failed(format!("the redis-server ended ({status}); see {}", self.log.display()))
    }
}

/// The server, where it is installed.
fn installed() -> Option<PathBuf> {
    let paths = std::env::var_os("PATH")?;
    let folders: Vec<_> = std::env::split_paths(&paths).collect();
    NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name))).find(|path| path.is_file())
}

fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

/// Other users of this machine reach the port, too.
fn password() -> io::Result<String> {
    Ok(gleaner_model::PlainToken::mint()?.hash().hex())
}

/// The settings hold the password, so they are a file and no arguments.
fn write_settings(settings: &Path, folder: &Path, login: &Login) -> io::Result<()> {
    let folder = folder.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
    let text = format!(
        "bind 127.0.0.1\nport {}\nrequirepass {}\ndir \"{folder}\"\nlogfile redis.log\nloglevel warning\n\
         daemonize no\nappendonly yes\nappendfsync everysec\nsave \"\"\nmaxmemory-policy noeviction\n",
        login.port, login.password
    );
    let mut file = private(settings)?;
    file.set_len(0)?;
    file.write_all(text.as_bytes())
}

fn read_settings(settings: &Path) -> Option<Login> {
    let text = read_to_string(settings).ok()?;
    let value = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    Some(Login { port: value("port")?.parse().ok()?, password: value("requirepass")?.to_owned() })
}

/// Two servers on the same data would ruin them. One is left over when both we and its guard were killed.
async fn end_leftover(settings: &Path) -> Result<(), CliError> {
    let Some(login) = read_settings(settings) else { return Ok(()) };
    let begun = Instant::now();
    while begun.elapsed() < END {
        // Only a server that takes our password is ours.
        match ask(&login, "SHUTDOWN NOSAVE").await {
            Ok(answer) if answer.starts_with("+OK") => sleep(Duration::from_millis(100)).await,
            _ => return Ok(()),
        }
    }
    Err(CliError::failed(format!("a redis-server from before still runs on port {}; end it", login.port)))
}

/// Says one thing to a server; the answer begins with `+OK` where it takes the password.
async fn ask(login: &Login, words: &str) -> io::Result<String> {
    let talk = async {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, login.port)).await?;
        stream.write_all(format!("AUTH {}\r\n{words}\r\nQUIT\r\n", login.password).as_bytes()).await?;
        let mut answer = String::new();
        // A server that goes away while it is asked to has answered.
        let _ = stream.read_to_string(&mut answer).await;
        Ok(answer)
    };
    timeout(Duration::from_secs(5), talk).await?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_read_back_and_are_their_owners_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let place = tempfile::tempdir().unwrap();
        let settings = place.path().join("redis.conf");
        let login = Login { port: 4711, password: "secret".to_owned() };
        write_settings(&settings, place.path(), &login).unwrap();
        assert!(read_settings(&settings).is_some_and(|read| read == login));
        assert_eq!(settings.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
}
