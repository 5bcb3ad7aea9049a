//! The rules, judged by promtool: they parse, alerts fire when they should and are silent when all is well.

use crate::render::{CHART, run};
use std::{fs, path::Path};

#[test]
fn every_alert_fires_when_it_should_and_not_before() {
    let folder = tempfile::tempdir().unwrap();
    let rules = fs::read_to_string(Path::new(CHART).join("files/rules.yaml")).unwrap();
    let named: Vec<_> = rules.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")).collect();
    let tests = include_str!("rules.test.yaml");
    for alert in &named {
        assert!(tests.contains(&format!("alertname: {alert}\n")), "{alert} is not tested");
    }
    fs::write(folder.path().join("rules.yaml"), rules.replace("NAMESPACE", "gleaner")).unwrap();
    let tests_file = folder.path().join("rules.test.yaml");
    fs::write(&tests_file, tests).unwrap();
    let said = run("promtool", &["test", "rules", tests_file.to_str().unwrap()], "");
    said.unwrap_or_else(|error| panic!("{error}"));
}
