//! An API with a store of its own, and tokens for it.

use super::{
    http::{Answer, Request},
    redis::Redis,
};
use chrono::{DateTime, Utc};
use gleaner_model::{PlainToken, Scope, ScopeSet, Subject, TenantId};
use gleaner_runtime::Shutdown;
use gleaner_store::{Credential, Origin, Store, StoreConfig};
use serde_json::{Value, json};
use std::net::SocketAddr;

/// A running API. `Drop` ends it, and its redis-server.
pub struct Api {
    pub address: SocketAddr,
    pub store: Store,
    pub redis: Redis,
    pub shutdown: Shutdown,
    /// A token of the tenant `default` that allows everything.
    pub token: String,
}

#[derive(clap::Parser)]
struct Settings {
    #[command(flatten)]
    api: gleaner_api::Config,
}

/// Settings as the command line reads them.
pub fn settings(arguments: &[&str]) -> gleaner_api::Config {
    let fixed = ["api", "--listen", "127.0.0.1:0"];
    <Settings as clap::Parser>::parse_from(fixed.iter().chain(arguments)).api
}

impl Api {
    /// An API with the settings as they come.
    pub async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// An API with some flags of its own.
    pub async fn start_with(arguments: &[&str]) -> Self {
        let redis = Redis::start();
        let store = Store::connect(&StoreConfig::at(redis.url())).await.unwrap();
        let shutdown = Shutdown::new();
        let metrics = gleaner_api::Metrics::default();
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
        gleaner_api::start(settings(arguments), store, gleaner_api::Metrics::default(), &self.shutdown).await.unwrap()
    }

    /// A token with these scopes.
    pub async fn new_token(&self, tenant: &str, scopes: &[Scope]) -> String {
        let token = PlainToken::mint().unwrap();
        self.put(credential(&token, tenant, scopes)).await;
        token.expose().to_owned()
    }

    /// Writes a credential as a controller or a command line would.
    pub async fn put(&self, credential: Credential) {
        self.store.put_credential(&credential).await.unwrap();
    }

    /// A request without a token.
    pub fn request(&self, method: &str, path: &str) -> Request {
        Request::new(self.address, method, path)
    }

    /// A request with the token that allows everything.
    pub fn call(&self, method: &str, path: &str) -> Request {
        self.request(method, path).token(&self.token)
    }

    /// The cookie of somebody who signed in to the web app with that token.
    pub async fn signed_in(&self) -> String {
        let form = self.request("POST", "/app/sign-in").header("sec-fetch-site", "same-origin");
        let form = form.body("application/x-www-form-urlencoded", format!("token={}", self.token));
        let cookie = form.send().await.expect(303).header("set-cookie").unwrap().to_owned();
        cookie.split(';').next().unwrap().to_owned()
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.call("GET", path).send().await
    }

    /// Submits a body.
    pub async fn submit(&self, body: &Value) -> Answer {
        self.call("POST", "/ingest/items").json(body).send().await
    }
}

impl Drop for Api {
    fn drop(&mut self) {
        self.shutdown.abort();
    }
}

/// A credential for a token.
pub fn credential(token: &PlainToken, tenant: &str, scopes: &[Scope]) -> Credential {
    Credential {
        hash: token.hash(),
        token_id: token.id(),
        tenant: TenantId::new(tenant).unwrap(),
        name: Some("test".to_owned()),
        subject: Subject { aliases: vec!["Dana".to_owned()], ..Subject::named("Dana Reyes") },
        scopes: scopes.iter().copied().collect::<ScopeSet>(),
        created_at: Utc::now(),
        expires_at: None,
        suspended: false,
        last_used_at: None,
        made_by: None,
        origin: Origin::Store,
    }
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

/// A time as the API writes it.
#[track_caller]
pub fn time(value: &Value) -> DateTime<Utc> {
    let text = value.as_str().unwrap_or_else(|| panic!("a time, not {value}"));
    assert!(text.ends_with('Z'), "{text} is in UTC with Z");
    assert!(text.len() <= "2026-03-03T15:00:00.000Z".len(), "{text} counts milliseconds");
    text.parse().unwrap()
}
