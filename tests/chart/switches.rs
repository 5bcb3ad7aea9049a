//! A snapshot for each switch: the defaults in full, and of every other combination what it changes about them.

use crate::{
    generated::same_or_written,
    render::{combinations, render},
};
use std::{
    io::Write as _,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::NamedTempFile;

#[test]
fn each_switch_changes_what_its_snapshot_says_and_no_more() {
    let defaults = without_chance(&render("{}").unwrap());
    same_or_written(&snapshot("default.yaml"), &defaults);
    for (name, values) in combinations().into_iter().filter(|(name, _)| name != "default") {
        let changed = without_chance(&render(&values).unwrap_or_else(|error| panic!("{name}: {error}")));
        assert_ne!(changed, defaults, "{name} changes nothing");
        same_or_written(&snapshot(&format!("{name}.diff")), &difference(&defaults, &changed));
    }
}

#[test]
fn the_former_name_of_the_pod_monitors_values_means_the_same() {
    let rendered = |monitoring: &str| without_chance(&render(&format!("{{monitoring: {{{monitoring}}}}}")).unwrap());
    for members in ["{enabled: true}", "{enabled: true, interval: 15s, labels: {team: a}}", "{interval: 15s}"] {
        let [former, now] = ["serviceMonitor", "podMonitor"].map(|name| rendered(&format!("{name}: {members}")));
        assert!(former == now, "{members}: {}", difference(&now, &former));
    }
    let both = rendered("podMonitor: {enabled: true}, serviceMonitor: {enabled: true, interval: 15s}");
    assert!(both == rendered("podMonitor: {enabled: true}"), "the former name counts beside the present one");
}

fn snapshot(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("chart/snapshots").join(name)
}

/// Without the passwords that are made anew each time.
fn without_chance(rendered: &str) -> String {
    let secret = |line: &str| ["  password: ", "  key: "].iter().any(|start| line.starts_with(start));
    let lines = rendered.lines().map(|line| match line.split_once(": ") {
        Some((key, _)) if secret(line) => format!("{key}: GENERATED\n"),
        _ => format!("{}\n", line.trim_end()),
    });
    lines.collect()
}

/// What `diff` says, without the names and times of the files.
fn difference(one: &str, other: &str) -> String {
    let files = [one, other].map(|text| {
        let mut file = NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file
    });
    let said = Command::new("diff").arg("-U3").args(files.iter().map(NamedTempFile::path)).output().unwrap();
    let text = String::from_utf8(said.stdout).unwrap();
    text.lines().skip(2).map(|line| format!("{}\n", line.trim_end())).collect()
}
