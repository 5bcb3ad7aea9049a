//! Who may do what, proved by use: the API and the tenants need each right that the chart grants them, and each
//! ServiceAccount is refused what it should not have. (That the controller needs each of its rights is the proof of the
//! controller's own suite.)

use crate::{
    client::ClusterClient,
    installation::{HelmRelease, NAMESPACE},
    tenant,
    tools::{Helm, apply, kubectl, try_kubectl},
};
use gleaner_testkit::wait::{until, within};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use std::time::Duration;

/// How long a thing that must not happen is waited for.
const WHILE: Duration = Duration::from_secs(3);

#[tokio::test(flavor = "multi_thread")]
async fn the_api_needs_each_right_that_it_is_granted() {
    let installation = HelmRelease::fresh(Helm::Four).await;
    tenant::namespace("team-a").await;
    let admin = tenant::issue_with("team-a", "admin", r#"["tokens:write", "tasks:read"]"#).await;
    let client = ClusterClient::new(&installation.url().await, &admin);
    for verb in verbs("gleaner-gleaner-api", 0).await {
        let kept = without("gleaner-gleaner-api", 0, &verb).await;
        until(&format!("tokens over HTTP to fail without {verb}"), || async {
            (!makes_and_revokes(&client).await).then_some(())
        })
        .await;
        grant("gleaner-gleaner-api", 0, &kept).await;
        until(&format!("tokens over HTTP to work with {verb}"), || async {
            makes_and_revokes(&client).await.then_some(())
        })
        .await;
        println!("without {verb} apitokens: no tokens over HTTP");
    }
    installation.uninstall().await;
}

/// Makes a token over HTTP and takes it back; whether both worked.
async fn makes_and_revokes(client: &ClusterClient) -> bool {
    let body = json!({"name": "laptop", "scopes": ["tasks:read"]});
    let (made, token) = client.ask(Method::POST, "/tokens", Some(body)).await.unwrap();
    if made != StatusCode::CREATED {
        return false;
    }
    let path = format!("/tokens/{}", token["token_id"].as_str().unwrap());
    client.ask(Method::DELETE, &path, None).await.unwrap().0 == StatusCode::NO_CONTENT
}

#[tokio::test(flavor = "multi_thread")]
async fn editors_of_a_namespace_write_its_tokens_and_viewers_see_them_by_the_charts_roles_alone() {
    let installation = HelmRelease::fresh(Helm::Four).await;
    tenant::namespace("team-a").await;
    tenant::issue("team-a", "known").await;
    for (who, role) in [("dana", "edit"), ("vera", "view")] {
        let binding = format!("--clusterrole={role}");
        kubectl(&["create", "rolebinding", who, &binding, &format!("--user={who}"), "-n", "team-a"]).await;
    }
    for (role, verb, who, command) in TENANTS_NEED {
        until(&format!("{who} to {verb}"), || async { may(who, command).await.then_some(()) }).await;
        let kept = without(role, 0, verb).await;
        until(&format!("{who} to be refused to {verb}"), || async { (!may(who, command).await).then_some(()) }).await;
        grant(role, 0, &kept).await;
        println!("without {verb} in {role}: {who} is refused `kubectl {}`", command.join(" "));
    }
    for command in VIEWERS_MAY_NOT {
        assert!(within(WHILE, || async { may("vera", command).await.then_some(()) }).await.is_none(), "{command:?}");
    }
    installation.uninstall().await;
}

/// A role of the chart, a verb in it, who has it, and what they cannot do without.
const TENANTS_NEED: [(&str, &str, &str, &[&str]); 8] = [
    ("gleaner-gleaner-view", "get", "vera", &["get", "apitoken", "known"]),
    ("gleaner-gleaner-view", "list", "vera", &["get", "apitokens"]),
    ("gleaner-gleaner-view", "watch", "vera", &["get", "apitokens", "--watch-only", "--request-timeout=1s"]),
    ("gleaner-gleaner-edit", "create", "dana", &["create", "-f", NEW, "--dry-run=server"]),
    ("gleaner-gleaner-edit", "update", "dana", &["replace", "-f", KNOWN, "--dry-run=server"]),
    (
        "gleaner-gleaner-edit",
        "patch",
        "dana",
        &["annotate", "apitoken", "known", "a=b", "--dry-run=server", "--overwrite"],
    ),
    ("gleaner-gleaner-edit", "delete", "dana", &["delete", "apitoken", "known", "--dry-run=server"]),
    ("gleaner-gleaner-edit", "deletecollection", "dana", &["delete", "--raw", COLLECTION]),
];

const NEW: &str = "tests/cluster/manifests/new-token.yaml";
const KNOWN: &str = "tests/cluster/manifests/known-token.yaml";
const COLLECTION: &str = "/apis/gleaner.dev/v1alpha1/namespaces/team-a/apitokens?dryRun=All";

const VIEWERS_MAY_NOT: [&[&str]; 3] = [
    &["get", "secret", "known-token"],
    &["create", "-f", NEW, "--dry-run=server"],
    &["delete", "apitoken", "known", "--dry-run=server"],
];

/// Whether somebody is let do something in the tenant's namespace.
async fn may(who: &str, command: &[&str]) -> bool {
    try_kubectl(&[command, &["-n", "team-a", "--as", who]].concat()).await.is_ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_service_account_is_refused_what_it_should_not_have() {
    let installation = HelmRelease::fresh(Helm::Four).await;
    tenant::namespace("team-a").await;
    tenant::issue("team-a", "known").await;
    apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: other, namespace: team-a}}").await;
    for (account, commands) in REFUSED {
        for command in commands {
            let whom = format!("system:serviceaccount:{NAMESPACE}:gleaner-{account}");
            let said = try_kubectl(&[&["--as", &whom], *command].concat()).await;
            assert!(said.as_ref().is_err_and(|said| said.contains("Forbidden")), "{account} {command:?}: {said:?}");
        }
    }
    let pods = kubectl(&["get", "pods", "-n", NAMESPACE, "-ojson"]).await;
    let pods: Value = serde_json::from_str(&pods).unwrap();
    for pod in pods["items"].as_array().unwrap() {
        let component = pod["metadata"]["labels"]["app.kubernetes.io/component"].as_str().unwrap();
        let mounted = pod.to_string().contains("/var/run/secrets/kubernetes.io/serviceaccount");
        assert_eq!(mounted, ["api", "controller"].contains(&component), "{component} holds a token of Kubernetes");
    }
    installation.uninstall().await;
}

/// What nobody of the installation may do.
const NOBODY: [&[&str]; 8] = [
    &["get", "secrets", "-A"],
    &["get", "secrets", "-n", "gleaner"],
    &["get", "pods", "-n", "gleaner"],
    &["get", "configmap", "other", "-n", "team-a"],
    &["get", "nodes"],
    &["get", "clusterroles"],
    &["create", "namespace", "other", "--dry-run=server"],
    &["delete", "pods", "--all", "-n", "gleaner", "--dry-run=server"],
];

/// What each ServiceAccount may not do.
const REFUSED: [(&str, &[&[&str]]); 6] = [
    ("api", &NOBODY),
    ("worker", &NOBODY),
    ("controller", &NOBODY),
    (
        "api",
        &[
            &["get", "secret", "known-token", "-n", "team-a"],
            &["get", "apitokens", "-A"],
            &["annotate", "apitoken", "known", "a=b", "-n", "team-a", "--dry-run=server"],
            &["get", "lease", "gleaner-controller", "-n", "gleaner"],
        ],
    ),
    (
        "worker",
        &[
            &["get", "secret", "known-token", "-n", "team-a"],
            &["get", "apitoken", "known", "-n", "team-a"],
            &["create", "-f", NEW, "-n", "team-a", "--dry-run=server"],
            &["get", "lease", "gleaner-controller", "-n", "gleaner"],
        ],
    ),
    (
        "controller",
        &[
            &["create", "-f", NEW, "-n", "team-a", "--dry-run=server"],
            &["delete", "apitoken", "known", "-n", "team-a", "--dry-run=server"],
            &["get", "lease", "another", "-n", "gleaner"],
            &["get", "lease", "gleaner-controller", "-n", "team-a"],
            &["get", "events", "-n", "team-a"],
        ],
    ),
];

/// The verbs of a rule of a ClusterRole.
async fn verbs(role: &str, rule: usize) -> Vec<String> {
    let path = format!("-ojsonpath={{.rules[{rule}].verbs}}");
    serde_json::from_str(&kubectl(&["get", "clusterrole", role, &path]).await).unwrap()
}

/// Takes one verb out of a rule, and returns what it was.
async fn without(role: &str, rule: usize, verb: &str) -> Vec<String> {
    let all = verbs(role, rule).await;
    let fewer: Vec<_> = all.iter().filter(|one| *one != verb).cloned().collect();
    assert_eq!(fewer.len() + 1, all.len(), "{role} has {verb}");
    grant(role, rule, &fewer).await;
    all
}

async fn grant(role: &str, rule: usize, verbs: &[String]) {
    // A rule without verbs is no rule to the API server.
    let verbs = if verbs.is_empty() { vec!["nothing".to_owned()] } else { verbs.to_vec() };
    let patch = json!([{"op": "replace", "path": format!("/rules/{rule}/verbs"), "value": verbs}]);
    kubectl(&["patch", "clusterrole", role, "--type=json", &format!("--patch={patch}")]).await;
}
