//! Upgrades and rollbacks while clients go on: no request fails, no job is lost, and the CRD changes on the way.

use crate::{
    installation::{CHART, HelmRelease},
    load::{self, LoadReport},
    tenant,
    tools::{Helm, ROOT, field},
};
use std::{fs, path::Path, process::Command};
use tempfile::TempDir;

const PER_SECOND: u32 = 200;

#[tokio::test(flavor = "multi_thread")]
async fn helm_3_upgrades_and_rolls_back_without_a_failed_request() {
    upgrades_and_rolls_back(Helm::Three).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn helm_4_upgrades_and_rolls_back_without_a_failed_request() {
    upgrades_and_rolls_back(Helm::Four).await;
}

async fn upgrades_and_rolls_back(helm: Helm) {
    let installation = HelmRelease::fresh_with(helm, &["--set", "limits.ratePerMinute=0"]).await;
    let client = tenant::client(&installation.url().await, "team-a").await;
    let next = next_chart();
    let chart = next.path().to_str().unwrap();

    let (_, upgraded) = load::during(&client, "upgrade", PER_SECOND, installation.upgrade(chart, &[])).await;
    assert_eq!(purpose().await, "true", "the CRD is that of the next chart");
    let (_, rolled) = load::during(&client, "rollback", PER_SECOND, installation.roll_back("1")).await;
    assert_eq!(purpose().await, "", "the CRD is that of the first chart");

    let mut jobs = Vec::new();
    for (what, seen) in [("upgrade", upgraded), ("rollback", rolled)] {
        none_failed(what, &seen);
        jobs.extend(seen.jobs);
    }
    client.until_done_once(&jobs).await;
    installation.uninstall().await;
}

fn none_failed(what: &str, seen: &LoadReport) {
    println!("{what}: {} requests answered, {} failed", seen.answered, seen.failures.len());
    assert!(seen.failures.is_empty(), "{what}: {:#?}", &seen.failures[..seen.failures.len().min(5)]);
    assert!(seen.answered > 0, "{what} took no time");
}

/// What the CRD of the next chart has and that of this one has not.
async fn purpose() -> String {
    let crd = ["customresourcedefinition", "apitokens.gleaner.dev"];
    let path = ".spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.purpose.nullable";
    field(&crd, path).await
}

/// The chart as it could be in its next version: another version, and a CRD with a further field.
fn next_chart() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let source = Path::new(ROOT).join(CHART).join(".");
    assert!(Command::new("cp").arg("-r").args([&source, folder.path()]).status().unwrap().success());
    edit(&folder.path().join("Chart.yaml"), "\nversion: 0.1.0", "\nversion: 0.1.1");
    let field = "              purpose:\n                type: string\n                nullable: true\n              rotation:\n";
    edit(&folder.path().join("files/apitokens.yaml"), "              rotation:\n", field);
    folder
}

fn edit(file: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(file).unwrap();
    assert_eq!(text.matches(from).count(), 1, "{from} in {}", file.display());
    fs::write(file, text.replace(from, to)).unwrap();
}
