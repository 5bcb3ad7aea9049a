//! GET /events.

use gleaner_model::{PlainToken, Scope};
use gleaner_testkit::{
    api::{Api, item},
    fixture::mention,
    http::TIMEOUT,
};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

/// An open stream, and what has come so far.
struct Stream {
    connection: TcpStream,
    text: String,
}

impl Stream {
    async fn open(api: &Api, token: &str, last: Option<&str>) -> Self {
        let mut request = api.request("GET", "/events").token(token);
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        let mut connection = TcpStream::connect(api.address).await.unwrap();
        connection.write_all(request.head().as_bytes()).await.unwrap();
        let mut stream = Self { connection, text: String::new() };
        stream.until(": listening").await;
        stream
    }

    /// Reads until the words have come.
    async fn until(&mut self, words: &str) -> String {
        while !self.text.contains(words) {
            assert!(self.more().await, "the stream ended: {}", self.text);
        }
        self.text.clone()
    }

    /// Reads to the end.
    async fn end(&mut self) {
        while self.more().await {}
    }

    async fn more(&mut self) -> bool {
        let mut bytes = [0; 65536];
        let read = timeout(TIMEOUT, self.connection.read(&mut bytes)).await.expect("nothing comes").unwrap_or(0);
        self.text.push_str(&String::from_utf8_lossy(&bytes[..read]));
        read > 0
    }
}

/// The last id in a stream's text.
fn last_id(text: &str) -> &str {
    text.lines().filter_map(|line| line.strip_prefix("id: ")).next_back().unwrap().trim()
}

#[tokio::test]
async fn the_stream_is_one_of_server_sent_events_that_no_proxy_buffers() {
    let api = Api::start().await;
    let head = Stream::open(&api, &api.token, None).await.text.to_lowercase();
    assert!(head.starts_with("http/1.1 200"));
    for header in
        ["content-type: text/event-stream", "cache-control: no-store", "x-accel-buffering: no", "x-request-id: "]
    {
        assert!(head.contains(header), "{header}: {head}");
    }
}

#[tokio::test]
async fn each_kind_of_event_comes_with_its_record() {
    let api = Api::start().await;
    let mut stream = Stream::open(&api, &api.token, None).await;
    let path = format!("/tasks/{}", api.task(mention("m", "Something")).await.id);
    stream.until("event: task.created").await;
    api.call("PATCH", &path).json(&json!({"title": "Other"})).send().await.expect(200);
    stream.until("event: task.updated").await;
    api.call("PATCH", &path).json(&json!({"status": "completed"})).send().await.expect(200);
    stream.until("event: task.completed").await;
    api.call("PATCH", &path).json(&json!({"status": "dismissed"})).send().await.expect(200);
    stream.until("event: task.dismissed").await;
    api.submit(&item("m-1")).await.expect(202);
    api.call("DELETE", "/ingest/items/meeting/m-1").send().await.expect(204);
    let text = stream.until("event: job.failed").await;
    for line in text.lines().filter_map(|line| line.strip_prefix("data: ")) {
        let record: serde_json::Value = serde_json::from_str(line.trim()).unwrap();
        assert!(record["id"].is_string() || record["job_id"].is_string(), "{record}");
    }
    assert!(!text.contains("revised SOW to Northwind"), "no transcript");
}

#[tokio::test]
async fn a_stream_goes_on_after_the_last_event_that_was_seen() {
    let api = Api::start().await;
    let mut first = Stream::open(&api, &api.token, None).await;
    api.task(mention("a", "Seen")).await;
    let seen = first.until("\"Seen\"").await;
    drop(first);
    api.task(mention("b", "Missed")).await;
    let mut again = Stream::open(&api, &api.token, Some(last_id(&seen))).await;
    let text = again.until("\"Missed\"").await;
    assert!(!text.contains("\"Seen\""));
}

#[tokio::test]
async fn what_is_erased_is_quoted_by_no_event_any_more() {
    let api = Api::start().await;
    let path = format!("/tasks/{}", api.task(mention("m-1", "Buy the secret island")).await.id);
    api.call("PATCH", &path).json(&json!({"waiting_on": "Kim"})).send().await.expect(200);
    api.task(mention("m-2", "Stays")).await;
    api.call("DELETE", "/ingest/items/meeting/m-1").send().await.expect(204);
    let text = Stream::open(&api, &api.token, Some("0-0")).await.until("event: task.dismissed").await;
    assert!(text.contains("\"Stays\"") && text.contains(&path["/tasks/".len()..]), "{text}");
    assert!(!text.contains("secret island") && !text.contains("Kim"), "{text}");
}

#[tokio::test]
async fn a_stream_goes_on_from_any_time_and_without_one_from_now() {
    let api = Api::start().await;
    api.task(mention("a", "Earlier")).await;
    Stream::open(&api, &api.token, Some("0")).await.until("\"Earlier\"").await;
    let mut now = Stream::open(&api, &api.token, Some("")).await;
    api.task(mention("b", "Later")).await;
    assert!(!now.until("\"Later\"").await.contains("\"Earlier\""));
}

#[tokio::test]
async fn a_stream_without_a_position_begins_now() {
    let api = Api::start().await;
    api.task(mention("a", "Before")).await;
    let mut stream = Stream::open(&api, &api.token, None).await;
    api.task(mention("b", "After")).await;
    assert!(!stream.until("\"After\"").await.contains("\"Before\""));
}

#[tokio::test]
async fn a_position_that_is_no_events_id_is_422() {
    let api = Api::start().await;
    let answer = api.call("GET", "/events").header("last-event-id", "nonsense").send().await;
    answer.problem(422, "invalid-request");
}

#[tokio::test]
async fn heartbeats_come_as_comments() {
    let api = Api::start_with(&["--heartbeat-s", "1"]).await;
    Stream::open(&api, &api.token, None).await.until(": heartbeat").await;
}

#[tokio::test]
async fn nothing_of_another_tenant_comes() {
    let api = Api::start().await;
    let other = api.new_token("team-b", &[Scope::TasksRead]).await;
    let mut stream = Stream::open(&api, &other, None).await;
    api.task(mention("a", "Secret")).await;
    api.task_of("team-b", mention("b", "Ours")).await;
    assert!(!stream.until("\"Ours\"").await.contains("Secret"));
}

#[tokio::test]
async fn the_stream_ends_when_its_token_is_revoked() {
    let api = Api::start().await;
    let token = api.new_token("default", &[Scope::TasksRead]).await;
    let mut stream = Stream::open(&api, &token, None).await;
    api.store.remove_credential(&PlainToken::parse(&token).unwrap().hash()).await.unwrap();
    stream.end().await;
}

#[tokio::test]
async fn the_stream_ends_when_the_api_does() {
    let api = Api::start().await;
    let mut stream = Stream::open(&api, &api.token, None).await;
    api.shutdown.stop();
    stream.end().await;
}

#[tokio::test]
async fn there_are_only_so_many_listeners() {
    let api = Api::start_with(&["--max-listeners", "1"]).await;
    let first = Stream::open(&api, &api.token, None).await;
    let refused = api.call("GET", "/events").send().await;
    refused.problem(503, "overloaded");
    assert!(refused.header("retry-after").is_some());
    drop(first);
}
