//! What the API server refuses before the controller sees it, and what it shows of what it took.

use crate::world::ControllerWorld;
use gleaner_testkit::kubernetes;
use serde_json::{Value, json};
use std::process::Command;

const HASH: &str = "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

#[tokio::test]
async fn a_spec_that_makes_no_sense_is_refused_with_clear_words() {
    let world = ControllerWorld::without_controller().await;
    for (spec, why) in [
        (json!({}), "spec.scopes: Required value"),
        (json!({"scopes": []}), "at least 1 items"),
        (json!({"scopes": ["tasks:*"]}), "supported values"),
        (json!({"scopes": ["tasks:read", "tasks:read"]}), "Duplicate value"),
        (with(json!({"secretName": "Not A Name"})), "spec.secretName"),
        (with(json!({"ttl": "1h", "expiresAt": "2027-01-01T00:00:00Z"})), "not both"),
        (with(json!({"ttl": "1 day"})), "spec.ttl"),
        (with(json!({"ttl": "0s"})), "longer than nothing"),
        (with(json!({"expiresAt": "tomorrow"})), "spec.expiresAt"),
        (with(json!({"expiresAt": "2027-02-30T00:00:00Z"})), "spec.expiresAt"),
        (with(json!({"rotation": {}})), "every, overlap or both"),
        (with(json!({"rotation": {"every": "1h", "overlap": "2h"}})), "must not be longer"),
        (with(json!({"rotation": {"every": "1h"}, "tokenHash": HASH})), "for minted tokens"),
        (with(json!({"tokenHash": "sha256:xyz"})), "spec.tokenHash"),
        (with(json!({"subject": {"email": "nobody"}})), "spec.subject.email"),
        (with(json!({"subject": {"name": "x".repeat(201)}})), "spec.subject.name"),
    ] {
        let refused = world.try_create("bot", spec.clone()).await.expect_err(&spec.to_string());
        assert!(refused.to_string().contains(why), "{spec}: {refused}");
    }
}

fn with(more: Value) -> Value {
    let mut spec = json!({"scopes": ["tasks:read"]});
    spec.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    spec
}

#[tokio::test]
async fn the_secrets_name_cannot_be_changed() {
    let world = ControllerWorld::without_controller().await;
    world.create("bot", with(json!({}))).await;
    let refused = world.patch("bot", json!({"spec": {"secretName": "other"}})).await.unwrap_err();
    assert!(refused.to_string().contains("cannot be changed"), "{refused}");
    world.patch("bot", json!({"spec": {"secretName": "bot-token"}})).await.unwrap();
    let refused = world.patch("bot", json!({"spec": {"tokenHash": HASH}})).await.unwrap_err();
    assert!(refused.to_string().contains("make another ApiToken"), "{refused}");
}

/// What kubectl prints.
async fn kubectl(arguments: &[&str]) -> String {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/cluster/parts.sh");
    let folder = Command::new(script).arg("kubectl").output().unwrap();
    let made = std::path::Path::new(String::from_utf8(folder.stdout).unwrap().trim()).join("kubectl");
    let given = std::env::var("KUBEBUILDER_ASSETS").map(|folder| std::path::Path::new(&folder).join("kubectl"));
    let program = given.ok().filter(|path| path.exists()).unwrap_or(made);
    let kubeconfig = kubernetes::shared().await.kubeconfig("admin");
    // The API server tells of a new resource a moment after it takes the first object, and kubectl keeps what it was told.
    for _ in 0..120 {
        let cache = tempfile::tempdir().unwrap();
        let output = Command::new(&program)
            .arg("--kubeconfig")
            .arg(&kubeconfig)
            .arg("--cache-dir")
            .arg(cache.path())
            .args(arguments)
            .output()
            .unwrap();
        if output.status.success() {
            return String::from_utf8(output.stdout).unwrap();
        }
        let complaint = String::from_utf8_lossy(&output.stderr);
        let unknown = complaint.contains("find resource") || complaint.contains("resource type");
        assert!(unknown, "{complaint}");
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    }
    panic!("kubectl never heard of apitokens");
}

#[tokio::test]
async fn kubectl_prints_ready_scopes_token_id_expires_and_age() {
    let world = ControllerWorld::start().await;
    world.create("bot", with(json!({"expiresAt": "2099-01-01T00:00:00Z"}))).await;
    let (token, _) = world.until_issued("bot").await;
    let printed = kubectl(&["get", "apitokens", "-n", &world.namespace]).await;
    let mut lines = printed.lines();
    let head = lines.next().unwrap().split("  ").map(str::trim).filter(|word| !word.is_empty()).collect::<Vec<_>>();
    assert_eq!(head, ["NAME", "READY", "SCOPES", "TOKEN ID", "EXPIRES", "AGE"]);
    let row = lines.next().unwrap();
    for part in ["bot", "True", "tasks:read", token.status.unwrap().token_id.unwrap().as_str(), "2099-01-01T00:00:00Z"]
    {
        assert!(row.contains(part), "{part} in {row}");
    }
    assert_eq!(kubectl(&["get", "gat", "-n", &world.namespace, "-o", "name"]).await.trim(), "apitoken.gleaner.dev/bot");
}

#[tokio::test]
async fn kubectl_explain_helps_with_each_field() {
    let _world = ControllerWorld::without_controller().await;
    for (field, says) in [
        ("apitoken", "gleaner.dev/rotate"),
        ("apitoken.spec.scopes", "at least one of"),
        ("apitoken.spec.rotation.overlap", "old token works"),
        ("apitoken.spec.tokenHash", "Import your own"),
        ("apitoken.status.previous", "still works"),
    ] {
        let text = kubectl(&["explain", field]).await.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(says), "{field}: {text}");
    }
}
