//! An API with a store of its own, and tokens for it.

use crate::{
    fixture::new_token,
    http::{HttpRequest, HttpResponse},
    redis::RedisServer,
};
use gleaner_model::{Mention, Scope, TaskRecord, TenantId};
use gleaner_runtime::Shutdown;
use gleaner_store::{Credential, Store, StoreConfig};
use serde_json::{Value, json};
use std::net::SocketAddr;

/// A running API. `Drop` ends it, and its redis-server.
pub struct Api {
    /// Where it serves.
    pub address: SocketAddr,
    /// Its store, as a command line would reach it.
    pub store: Store,
    /// The server of its store.
    pub redis: RedisServer,
    /// What ends it.
    pub shutdown: Shutdown,
    /// A token of the tenant `default` that allows everything.
    pub token: String,
}

#[derive(clap::Parser)]
struct ParsedSettings<C: clap::Args> {
    #[command(flatten)]
    settings: C,
}

/// Settings as the command line reads them.
pub fn parse_settings<C: clap::Args>(arguments: &[&str]) -> C {
    <ParsedSettings<C> as clap::Parser>::parse_from([&["test"], arguments].concat()).settings
}

/// Settings of an API at a free port.
pub fn settings(arguments: &[&str]) -> gleaner_api::ApiConfig {
    parse_settings(&[&["--listen", "127.0.0.1:0"], arguments].concat())
}

impl Api {
    /// An API with the settings as they come.
    pub async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// An API with some flags of its own.
    pub async fn start_with(arguments: &[&str]) -> Self {
        let redis = RedisServer::in_memory();
        let store = Store::connect(&StoreConfig::at(redis.url())).await.unwrap();
        let shutdown = Shutdown::new();
        let metrics = gleaner_api::ApiMetrics::default();
        let address = gleaner_api::start(settings(arguments), store.clone(), metrics, &shutdown).await.unwrap();
        let mut api = Self { address, store, redis, shutdown, token: String::new() };
        api.token = api.new_token("default", &Scope::ALL).await;
        api
    }

    /// A second API process on the same store.
    pub async fn beside(&self) -> SocketAddr {
        self.beside_with(&[]).await
    }

    /// A second API process on the same store, with some flags of its own.
    pub async fn beside_with(&self, arguments: &[&str]) -> SocketAddr {
        let store = Store::connect(&StoreConfig::at(self.redis.url())).await.unwrap();
        gleaner_api::start(settings(arguments), store, gleaner_api::ApiMetrics::default(), &self.shutdown)
            .await
            .unwrap()
    }

    /// A token with these scopes.
    pub async fn new_token(&self, tenant: &str, scopes: &[Scope]) -> String {
        new_token(&self.store, tenant, scopes).await.expose().to_owned()
    }

    /// Writes a credential as a controller or a command line would.
    pub async fn put(&self, credential: Credential) {
        self.store.put_credential(&credential).await.unwrap();
    }

    /// A request without a token.
    pub fn request(&self, method: &str, path: &str) -> HttpRequest {
        HttpRequest::new(self.address, method, path)
    }

    /// A request with the token that allows everything.
    pub fn call(&self, method: &str, path: &str) -> HttpRequest {
        self.request(method, path).token(&self.token)
    }

    /// The cookie of somebody who signed in to the web app with that token.
    pub async fn signed_in(&self) -> String {
        self.signed_in_with(&self.token).await
    }

    /// The cookie of somebody who signed in to the web app with another token.
    pub async fn signed_in_with(&self, token: &str) -> String {
        let form = HttpRequest::form(self.address, "/app/sign-in").body("", format!("token={token}"));
        let cookie = form.send().await.expect(303).header("set-cookie").unwrap().to_owned();
        cookie.split(';').next().unwrap().to_owned()
    }

    /// What is at a path.
    pub async fn get(&self, path: &str) -> HttpResponse {
        self.call("GET", path).send().await
    }

    /// Records a task in the tenant `default`.
    pub async fn task(&self, mention: Mention) -> TaskRecord {
        self.task_of("default", mention).await
    }

    /// Records a task in a tenant.
    pub async fn task_of(&self, tenant: &str, mention: Mention) -> TaskRecord {
        self.store.add_missed(&TenantId::new(tenant).unwrap(), mention).await.unwrap()
    }

    /// The titles of a list of tasks.
    pub async fn titles(&self, query: &str) -> Vec<String> {
        titles(&self.get(&format!("/tasks?{query}")).await.expect(200).json())
    }

    /// Submits a body.
    pub async fn submit(&self, body: &Value) -> HttpResponse {
        self.call("POST", "/ingest/items").json(body).send().await
    }
}

impl Drop for Api {
    fn drop(&mut self) {
        self.shutdown.abort();
    }
}

/// The titles on a page of tasks.
pub fn titles(page: &Value) -> Vec<String> {
    let tasks = page["items"].as_array().unwrap();
    tasks.iter().map(|task| task["title"].as_str().unwrap().to_owned()).collect()
}

/// The least body of an item.
pub fn item(external_id: &str) -> Value {
    json!({
        "source_type": "meeting",
        "external_id": external_id,
        "occurred_at": "2026-03-03T15:00:00Z",
        "title": "Weekly",
        "transcript": "Dana: I'll send the revised SOW to Northwind by Friday.\nSam: Great, thanks.\n",
    })
}
