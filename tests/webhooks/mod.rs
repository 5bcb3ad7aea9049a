//! Webhooks: what is said of endpoints over HTTP, and what receivers get, also while workers are killed.

mod delivery;
mod endpoints;
mod failing;
mod lasting;

use gleaner_model::TaskRecord;
use gleaner_store::{Store, StoreConfig};
use gleaner_testkit::{api::Api, fixture::mention, receiver::Receiver, wait};
use serde_json::{Value, json};

/// What lets messages go to a receiver on this machine.
const LOCAL: [&str; 3] = ["--webhook-allow-cidrs", "127.0.0.0/8", "--webhook-allow-http"];

#[derive(clap::Parser)]
struct WorkerSettings {
    #[command(flatten)]
    worker: gleaner_worker::WorkerConfig,
    #[command(flatten)]
    targets: gleaner_runtime::target::TargetConfig,
}

/// Runs a worker in this process, on a connection of its own, until the API ends.
async fn work(api: &Api, arguments: &[&str]) {
    work_at(api, &[&LOCAL[..], arguments].concat()).await;
}

/// The same, with nothing allowed that is not said.
async fn work_at(api: &Api, arguments: &[&str]) {
    let fixed = ["worker", "--worker-threads", "1"];
    let retry: &[&str] =
        if arguments.contains(&"--webhook-retry-s") { &[] } else { &["--webhook-retry-s", "1,1,1,1,1"] };
    let settings = <WorkerSettings as clap::Parser>::parse_from(fixed.iter().chain(retry).chain(arguments));
    let mut config = settings.worker;
    config.targets = settings.targets;
    let store = Store::connect(&StoreConfig::at(api.redis.url())).await.unwrap();
    let metrics = gleaner_worker::WorkerMetrics::default();
    gleaner_worker::start(&config, store, metrics, &api.shutdown).await.unwrap();
}

/// An API, a worker and a receiver.
async fn all() -> (Api, Receiver) {
    let api = Api::start_with(&LOCAL).await;
    work(&api, &[]).await;
    (api, Receiver::start().await)
}

/// A new endpoint.
async fn webhook(api: &Api, url: &str, rest: Value) -> Value {
    let mut body = rest;
    body["url"] = json!(url);
    api.call("POST", "/webhooks").json(&body).send().await.expect(201).json()
}

/// Changes a task's title, which makes an event.
async fn retitle(api: &Api, task: &TaskRecord, title: &str) {
    let path = format!("/tasks/{}", task.id);
    api.call("PATCH", &path).json(&json!({"title": title})).send().await.expect(200);
}

/// The endpoint, once it is so.
async fn endpoint_that(api: &Api, id: &str, so: impl Fn(&Value) -> bool) -> Value {
    wait::until("the endpoint to become so", || async {
        Some(api.get(&format!("/webhooks/{id}")).await.expect(200).json()).filter(&so)
    })
    .await
}
