//! All of Gleaner as processes that can be killed: a store on disk, two APIs, two workers.

use gleaner_model::PlainToken;
use gleaner_store::{Store, StoreConfig};
use gleaner_testkit::{
    gleaner::GleanerProcess,
    http::HttpRequest,
    redis::{FSYNC_ALWAYS, RedisServer, free_port},
};
use serde_json::Value;
use std::net::SocketAddr;

/// The processes. `Drop` kills them.
pub struct LocalInstallation {
    workers: [GleanerProcess; 2],
    apis: [GleanerProcess; 2],
    ports: [u16; 2],
    pub store: Store,
    pub redis: RedisServer,
}

impl LocalInstallation {
    /// Starts everything.
    pub async fn start() -> Self {
        let redis = RedisServer::start(&FSYNC_ALWAYS);
        let store = Store::connect(&StoreConfig::at(redis.url())).await.unwrap();
        let (url, ports) = (redis.url(), [free_port(), free_port()]);
        let apis = ports.map(|port| GleanerProcess::api(&url, port));
        Self { workers: [0, 1].map(|_| GleanerProcess::worker(&url)), apis, ports, store, redis }
    }

    pub fn kill_worker(&mut self, which: usize) {
        self.workers[which].kill();
    }

    /// Starts a worker anew, after having killed it if it runs.
    pub fn restart_worker(&mut self, which: usize) {
        self.kill_worker(which);
        self.workers[which] = GleanerProcess::worker(&self.redis.url());
    }

    pub fn restart_api(&mut self, which: usize) {
        self.apis[which].kill();
        self.apis[which] = GleanerProcess::api(&self.redis.url(), self.ports[which]);
    }

    pub fn restart_store(&mut self) {
        self.redis.kill();
        self.redis.run();
    }

    /// A request to one of the APIs.
    pub fn post(&self, api: usize, path: &str, token: &PlainToken) -> HttpRequest {
        self.request(api, "POST", path, token)
    }

    /// A request of any kind to one of the APIs.
    pub fn request(&self, api: usize, method: &str, path: &str, token: &PlainToken) -> HttpRequest {
        HttpRequest::new(SocketAddr::from(([127, 0, 0, 1], self.ports[api])), method, path).token(token.expose())
    }

    /// All tasks as the API tells them, without what differs between any two runs.
    pub async fn tasks(&self, token: &PlainToken) -> Vec<String> {
        let (mut told, mut cursor) = (Vec::new(), String::new());
        loop {
            let path = format!("/tasks?limit=200{cursor}");
            let page = self.request(0, "GET", &path, token).send().await.expect(200).json();
            told.extend(page["items"].as_array().unwrap().iter().map(without_run));
            let Some(next) = page["next_cursor"].as_str() else { break };
            cursor = format!("&cursor={next}");
        }
        told.sort();
        told
    }
}

fn without_run(task: &Value) -> String {
    let mut task = task.clone();
    for member in ["id", "created_at", "updated_at", "priority"] {
        assert!(task.as_object_mut().unwrap().remove(member).is_some(), "{member}");
    }
    assert!(task["source"].as_object_mut().unwrap().remove("job_id").is_some());
    task.to_string()
}
