//! The end of an installation with many tenants: quick, complete, and what tenants wrote is taken up by the next one.

use crate::{
    client::ClusterClient,
    installation::{CHART, HelmRelease, NAMESPACE},
    tenant,
    tools::{Helm, apply, kubectl, paste},
};
use reqwest::StatusCode;
use std::time::Instant;

const TENANTS: [&str; 3] = ["team-a", "team-b", "team-c"];
const TOKENS: usize = 100;

#[tokio::test(flavor = "multi_thread")]
async fn helm_3_uninstalls_a_hundred_tokens_and_a_new_installation_takes_them_up() {
    uninstalls_and_takes_up(Helm::Three).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn helm_4_uninstalls_a_hundred_tokens_and_a_new_installation_takes_them_up() {
    uninstalls_and_takes_up(Helm::Four).await;
}

async fn uninstalls_and_takes_up(helm: Helm) {
    let installation = HelmRelease::fresh(helm).await;
    issue_all().await;
    let former = tenant::token("team-a", "token-0").await;

    let began = Instant::now();
    installation.uninstall().await;
    println!("Helm {helm:?}: {TOKENS} tokens uninstalled after {:.1} s", began.elapsed().as_secs_f64());
    assert_eq!(count("secrets").await, 0, "every Secret is gone");
    assert_eq!(count("apitokens").await, TOKENS, "every ApiToken stays, and with it the definition");
    let left = kubectl(&["get", "apitokens", "-A", "-ojsonpath={.items[*].metadata.finalizers}"]).await;
    assert_eq!(left, "", "nothing holds an ApiToken back");

    let began = Instant::now();
    let installation = HelmRelease::install(helm, CHART, &[]).await;
    until_all_issued().await;
    println!("Helm {helm:?}: taken up again after {:.1} s", began.elapsed().as_secs_f64());
    let url = installation.url().await;
    assert_eq!(
        ClusterClient::new(&url, &former).me().await,
        Some(StatusCode::UNAUTHORIZED),
        "the former token stays revoked"
    );
    let present = tenant::token("team-a", "token-0").await;
    assert_eq!(ClusterClient::new(&url, &present).me().await, Some(StatusCode::OK));
    installation.uninstall().await;
}

async fn issue_all() {
    for name in TENANTS {
        tenant::namespace(name).await;
    }
    let manifests =
        (0..TOKENS).map(|number| tenant::manifest(TENANTS[number % TENANTS.len()], &format!("token-{number}")));
    apply(&manifests.collect::<String>()).await;
    until_all_issued().await;
}

async fn until_all_issued() {
    for name in TENANTS {
        kubectl(&["wait", "apitokens", "--all", "-n", name, "--for=condition=Ready", "--timeout=240s"]).await;
    }
}

/// How many objects of a kind the tenants have.
async fn count(kind: &str) -> usize {
    let mut count = 0;
    for name in TENANTS {
        count += kubectl(&["get", kind, "-n", name, "--no-headers", "--ignore-not-found"]).await.lines().count();
    }
    count
}

#[tokio::test(flavor = "multi_thread")]
async fn an_installation_whose_controller_is_gone_can_be_removed_all_the_same() {
    let installation = HelmRelease::fresh(Helm::Four).await;
    tenant::namespace("team-a").await;
    tenant::issue("team-a", "kept").await;
    kubectl(&["delete", "deployment", "gleaner-controller", "-n", NAMESPACE, "--wait"]).await;
    installation.uninstall().await;
    assert!(!tenant::has_secret("team-a", "kept").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_documented_way_out_frees_a_token_that_no_controller_serves() {
    let installation = HelmRelease::fresh_with(Helm::Four, &["--set", "uninstall.revoke=false"]).await;
    tenant::namespace("team-a").await;
    tenant::issue("team-a", "stuck").await;
    installation.uninstall().await;
    kubectl(&["delete", "apitoken", "stuck", "-n", "team-a", "--wait=false"]).await;
    let guide = include_str!("../../docs/admins.md");
    let way_out = guide.lines().find(|line| line.starts_with("kubectl patch apitoken NAME")).unwrap();
    paste(&way_out.replace("NAMESPACE", "team-a").replace("NAME", "stuck")).await.unwrap();
    kubectl(&["wait", "apitoken/stuck", "-n", "team-a", "--for=delete", "--timeout=60s"]).await;
}
