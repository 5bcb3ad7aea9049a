//! A new installation: by each Helm, with defaults, in a namespace that admits restricted pods only.

use crate::{
    client::ClusterClient,
    installation::{HelmRelease, NAMESPACE},
    tenant,
    tools::{Helm, apply, field, kubectl, paste, try_apply},
};
use gleaner_testkit::wait::until;
use reqwest::StatusCode;
use std::time::Duration;

#[tokio::test(flavor = "multi_thread")]
async fn helm_3_installs_a_service_that_a_tenant_can_use() {
    an_installation_serves_a_tenant(Helm::Three).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn helm_4_installs_a_service_that_a_tenant_can_use() {
    an_installation_serves_a_tenant(Helm::Four).await;
}

async fn an_installation_serves_a_tenant(helm: Helm) {
    let installation = HelmRelease::fresh(helm).await;
    println!("Helm {helm:?}: every pod ready after {:.1} s", installation.took.as_secs_f64());
    assert!(installation.test().await.contains("Succeeded"), "helm test");
    the_notes_work_as_printed(&installation).await;

    let direct = tenant::client(&installation.url().await, "team-a").await;
    works_through("the Service", &direct).await;
    let proxied = ClusterClient::new(&proxy().await, &tenant::issue("team-a", "proxied").await);
    works_through("the proxy", &proxied).await;

    installation.uninstall().await;
    for name in ["client", "proxied"] {
        assert!(!tenant::has_secret("team-a", name).await, "the Secret of {name} goes with the installation");
    }
}

async fn the_notes_work_as_printed(installation: &HelmRelease) {
    let said = paste(&installation.notes().await).await.unwrap_or_else(|error| panic!("the notes: {error}"));
    assert!(said.contains(r#""quote":"I will send the revised offer by Friday"#), "the notes end with a task: {said}");
}

async fn works_through(way: &str, client: &ClusterClient) {
    let external_id = way.replace(' ', "-");
    client.ended(&client.submit(&external_id).await).await;
    let tasks = client.try_list().await.unwrap();
    let evidence = tasks["items"].as_array().unwrap().iter().flat_map(|task| task["evidence"].as_array().unwrap());
    let items: Vec<_> = evidence.map(|one| one["external_id"].as_str().unwrap()).collect();
    assert!(items.contains(&external_id.as_str()), "through {way}: {tasks}");
}

/// Where the proxy listens, with the path under which it passes requests on.
async fn proxy() -> String {
    tenant::namespace("edge").await;
    apply(include_str!("proxy.yaml")).await;
    kubectl(&["wait", "-n", "edge", "--for=condition=Ready", "pod/proxy", "--timeout=120s"]).await;
    let url = format!("http://{}/gleaner", field(&["service", "proxy", "-n", "edge"], ".spec.clusterIP").await);
    // A connection that is begun before the node knows the Service's pod never arrives, so each try is a new one.
    let hasty = reqwest::Client::builder().timeout(Duration::from_secs(2)).no_proxy().build().unwrap();
    until("an answer through the proxy", || async { hasty.get(format!("{url}/openapi.json")).send().await.ok() }).await;
    url
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_restricted_cannot_run_beside_the_installation() {
    let installation = HelmRelease::fresh(Helm::Four).await;
    let pod = format!(
        "{{apiVersion: v1, kind: Pod, metadata: {{name: loose, namespace: {NAMESPACE}}}, \
         spec: {{containers: [{{name: loose, image: 'gleaner:0.1.0'}}]}}}}"
    );
    let refused = try_apply(&pod).await.unwrap_err();
    assert!(refused.contains(r#"violates PodSecurity "restricted"#), "{refused}");
    installation.uninstall().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_without_a_token_is_refused() {
    let installation = HelmRelease::fresh(Helm::Four).await;
    let stranger = ClusterClient::new(&installation.url().await, "gln_nobody");
    assert_eq!(stranger.me().await, Some(StatusCode::UNAUTHORIZED));
    installation.uninstall().await;
}
