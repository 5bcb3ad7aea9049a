//! The guides do what they say: their commands, pasted as they stand on the page.

use crate::{
    client::ClusterClient,
    installation::{HelmRelease, NAMESPACE, clear},
    tenant,
    tools::{Helm, apply, field, kubectl, paste, try_kubectl},
};
use gleaner_testkit::wait::until;
use reqwest::StatusCode;
use serde_json::{Deserializer, Value};

const ADMINS: &str = include_str!("../../docs/admins.md");
const CLIENTS: &str = include_str!("../../docs/clients.md");
const TENANTS: &str = include_str!("../../docs/tenants.md");

#[tokio::test(flavor = "multi_thread")]
async fn the_page_for_tenants() {
    let installation = HelmRelease::fresh(Helm::Four).await;
    tenant::namespace("team-a").await;
    let url = installation.url().await;
    // The endpoint of the page's webhook is nobody's: the suite of the controller applies one.
    let [issue, read, import, rotate, _webhook, look, suspend, revoke] = &scripts(TENANTS)[..] else {
        panic!("other steps")
    };

    pasted(issue).await;
    let token = pasted(read).await;
    assert_eq!(ClusterClient::new(&url, &token).me().await, Some(StatusCode::OK), "the token that was read");
    let own = pasted(&format!("{import}printf %s \"$MY_TOKEN\"")).await;
    let own = own.lines().last().unwrap();
    answers(&url, own, StatusCode::OK).await;

    pasted(rotate).await;
    answers(&url, &token, StatusCode::UNAUTHORIZED).await;
    let token = pasted(read).await;
    answers(&url, &token, StatusCode::OK).await;
    let seen = pasted(look).await;
    assert!(seen.contains("ci-bot") && seen.contains("Rotated"), "{seen}");

    pasted(suspend).await;
    answers(&url, &token, StatusCode::UNAUTHORIZED).await;
    pasted(&suspend.replace("true", "false")).await;
    answers(&url, &token, StatusCode::OK).await;
    pasted(revoke).await;
    answers(&url, &token, StatusCode::UNAUTHORIZED).await;
    installation.uninstall().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_for_clients() {
    let installation = HelmRelease::fresh(Helm::Four).await;
    tenant::namespace("team-a").await;
    let scopes = r#"["ingest:write", "ingest:read", "tasks:read", "tasks:write", "feedback:write"]"#;
    let token = tenant::issue_with("team-a", "client", scopes).await;
    let given = format!("export GLEANER_URL={} GLEANER_TOKEN={token}\n", installation.url().await);
    // Files, lists, feeds and webhooks are tried by the suite of the API: here nobody has such files and endpoints.
    let [submit, _files, wait, settle, _lists, _feed, _webhook] = &scripts(CLIENTS)[..] else { panic!("other steps") };

    let job = answer(&pasted(&format!("{given}{submit}")).await);
    let job = job[0]["job_id"].as_str().unwrap();
    let ended = answer(&pasted(&format!("{given}export JOB={job}\n{wait}")).await);
    assert_eq!(ended[0]["status"], "succeeded", "{ended:?}");
    let task = ended[0]["task_ids"][0].as_str().unwrap_or_else(|| panic!("no task: {ended:?}"));
    let said = answer(&pasted(&format!("{given}export TASK={task}\n{settle}")).await);
    let [listed, waiting, patched, rated] = &said[..] else { panic!("{said:?}") };
    assert_eq!(listed["items"][0]["id"], task, "{listed}");
    assert!(waiting["items"].is_array(), "{waiting}");
    assert_eq!(patched["status"], "completed", "{patched}");
    assert!(rated["code"].is_null(), "{rated}");
    installation.uninstall().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_for_admins() {
    clear().await;
    let all = scripts(ADMINS);
    let step = |words: &str| all.iter().find(|script| script.contains(words)).unwrap_or_else(|| panic!("no {words}"));

    let tested = pasted(step("helm test")).await;
    assert!(tested.contains("Succeeded"), "{tested}");
    tenant::namespace("team-a").await;
    let token = tenant::issue("team-a", "client").await;
    pasted(step("--reset-then-reuse-values")).await;

    // Another Redis, under a user who may do no more than the page says.
    tenant::namespace("store").await;
    apply(include_str!("store.yaml")).await;
    kubectl(&["wait", "-n", "store", "--for=condition=Ready", "pod/redis", "--timeout=120s"]).await;
    pasted(&format!("redis-cli() {{ kubectl exec -n store redis -- redis-cli \"$@\"; }}\n{}", step("ACL SETUSER")))
        .await;
    let address = "redis://gleaner:PASSWORD@redis.store.svc.cluster.local:6379";
    let other_redis = step("redis.external").replace("rediss://gleaner:PASSWORD@redis.example:6380", address);
    assert!(other_redis.contains(address), "the address that is replaced stands on the page");
    pasted(&other_redis.replace("helm upgrade", "helm upgrade --wait")).await;
    let url = format!("http://{}", field(&["service", "gleaner-api", "-n", NAMESPACE], ".spec.clusterIP").await);
    answers(&url, &token, StatusCode::OK).await;
    let client = ClusterClient::new(&url, &token);
    // Programs that end still answer for a moment, and their store is gone.
    let job = until("an item to be taken in", || async { client.try_submit("moved-0").await.ok() }).await;
    client.until_done_once(&[job]).await;

    pasted(step("limits.tokenMaxLifetime")).await;
    until("the token to be held to the new limits", || async {
        let path = r#".status.conditions[?(@.type=="Ready")].reason"#;
        (field(&["apitoken", "client", "-n", "team-a"], path).await == "LimitsExceeded").then_some(())
    })
    .await;
    let listed = pasted(step("custom-columns")).await;
    assert!(listed.contains("ingest:write"), "{listed}");

    pasted(step("helm uninstall")).await;
    assert!(!tenant::has_secret("team-a", "client").await);
    pasted(&line("kubectl delete pvc")).await;
    pasted(&line("kubectl delete crd")).await;
    assert!(try_kubectl(&["get", "apitokens", "-A"]).await.is_err(), "the definition is gone");
}

/// What stands in shell blocks of a page.
fn scripts(page: &str) -> Vec<String> {
    let blocks = page.split("```sh\n").skip(1);
    blocks.map(|block| block.split("```").next().unwrap().to_owned()).collect()
}

/// A command of the admins' page that stands within a sentence.
fn line(command: &str) -> String {
    let page = ADMINS.replace('\n', " ");
    let from = page.find(command).unwrap_or_else(|| panic!("no {command}"));
    page[from..].split('`').next().unwrap().to_owned()
}

/// Pastes a script, with the images of this node in place of a registry's.
async fn pasted(script: &str) -> String {
    let helm =
        "helm() { case $1 in install | upgrade) set -- \"$@\" -f tests/cluster/images.yaml ;; esac; helm4 \"$@\"; }";
    paste(&format!("{helm}\n{script}")).await.unwrap_or_else(|error| panic!("{script}\n{error}"))
}

/// JSON answers, one after the other.
fn answer(text: &str) -> Vec<Value> {
    Deserializer::from_str(text).into_iter().collect::<Result<_, _>>().unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Waits until a token is answered so.
async fn answers(url: &str, token: &str, status: StatusCode) {
    let client = ClusterClient::new(url, token);
    until(&format!("{status}"), || async { (client.me().await == Some(status)).then_some(()) }).await;
}
