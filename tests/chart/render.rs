//! Runs the parts that a chart is rendered and judged with.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::LazyLock,
};

/// The chart's folder.
pub const CHART: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../charts/gleaner");

/// The folder that holds Helm, kubectl and promtool.
static PARTS: LazyLock<PathBuf> = LazyLock::new(|| {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/cluster/parts.sh");
    let made = Command::new(script).args(["helm3", "kubectl", "promtool"]).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    PathBuf::from(String::from_utf8(made.stdout).unwrap().trim())
});

/// Runs a part with this input: what it wrote to stdout and stderr, or the latter where it failed.
pub fn run(part: &str, args: &[&str], input: &str) -> Result<(String, String), String> {
    let known = PARTS.join(part);
    let mut child = Command::new(if known.exists() { known } else { PathBuf::from(part) })
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{part} cannot run: {error}"));
    // Whoever refuses its arguments does not read.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() { Ok((text(&output.stdout), text(&output.stderr))) } else { Err(text(&output.stderr)) }
}

/// `helm template` in the namespace `gleaner`, with these values over the defaults.
pub fn render(values: &str) -> Result<String, String> {
    let version = ["--kube-version", "1.36.2", "--namespace", "gleaner", "--values", "-"];
    run("helm3", &[&["template", "gleaner", CHART][..], &version].concat(), values).map(|(text, _)| text)
}

/// The name and the text of each combination of values that the chart is tried with.
pub fn combinations() -> Vec<(String, String)> {
    let files = std::fs::read_dir(Path::new(CHART).join("ci")).unwrap().map(|entry| entry.unwrap().path());
    let mut all: Vec<_> = files
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().strip_suffix(".values.yaml").unwrap().to_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    all.sort();
    all
}
