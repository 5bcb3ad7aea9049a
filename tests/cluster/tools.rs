//! Runs kubectl, Helm and shell commands against the cluster that KUBECONFIG names.

use std::{path::PathBuf, process::Stdio, sync::LazyLock, time::Duration};
use tokio::{io::AsyncWriteExt as _, process::Command, time::timeout};

/// Longest wait for one command: only what hangs takes as long.
const TIMEOUT: Duration = Duration::from_secs(300);

/// The project's folder.
pub const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The folder that holds kubectl and both Helms.
static PARTS: LazyLock<PathBuf> = LazyLock::new(|| {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/cluster/parts.sh");
    let made = std::process::Command::new(script).args(["kubectl", "helm3", "helm4"]).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    PathBuf::from(String::from_utf8(made.stdout).unwrap().trim())
});

/// Which Helm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Helm {
    Three,
    Four,
}

/// Runs Helm, which must succeed.
pub async fn helm(helm: Helm, args: &[&str]) -> String {
    let program = match helm {
        Helm::Three => "helm3",
        Helm::Four => "helm4",
    };
    run(program, args, "").await.unwrap_or_else(|error| panic!("{program} {args:?}: {error}"))
}

/// Runs kubectl, which must succeed.
pub async fn kubectl(args: &[&str]) -> String {
    try_kubectl(args).await.unwrap_or_else(|error| panic!("kubectl {args:?}: {error}"))
}

/// Runs kubectl; what it wrote to stderr when it fails.
pub async fn try_kubectl(args: &[&str]) -> Result<String, String> {
    run("kubectl", args, "").await
}

/// `kubectl apply` of a manifest.
pub async fn apply(manifest: &str) {
    try_apply(manifest).await.unwrap_or_else(|error| panic!("kubectl apply: {error}\n{manifest}"));
}

/// `kubectl apply` of a manifest; what the server said when it refuses.
pub async fn try_apply(manifest: &str) -> Result<String, String> {
    run("kubectl", &["apply", "-f", "-"], manifest).await
}

/// One field of one object, by JSONPath.
pub async fn field(args: &[&str], path: &str) -> String {
    let output = format!("-ojsonpath={{{path}}}");
    kubectl(&[&["get"], args, &[&output]].concat()).await
}

/// Runs a script as somebody would paste it, with `kubectl` and `helm` at hand, and ends what it left in the background.
pub async fn paste(script: &str) -> Result<String, String> {
    run("bash", &["-c", &format!("trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\nset -e\n{script}")], "").await
}

async fn run(program: &str, args: &[&str], input: &str) -> Result<String, String> {
    let known = PARTS.join(program);
    let mut child = Command::new(if known.exists() { known } else { PathBuf::from(program) })
        .args(args)
        .current_dir(ROOT)
        .env("PATH", format!("{}:{}", PARTS.display(), std::env::var("PATH").unwrap()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| format!("{program} cannot run: {error}"))?;
    child.stdin.take().unwrap().write_all(input.as_bytes()).await.map_err(|error| error.to_string())?;
    let ended = timeout(TIMEOUT, child.wait_with_output()).await.map_err(|_| format!("{program} hangs"))?;
    let output = ended.map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() { Ok(text) } else { Err(text + &String::from_utf8_lossy(&output.stderr)) }
}
