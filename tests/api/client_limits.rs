//! What one client may take of the service without a token, or with one: bytes, time, memory, connections, streams, waits.

use gleaner_model::Scope;
use gleaner_testkit::{
    api::{Api, item},
    http::{HttpRequest, TIMEOUT, read_answer},
    wait::until,
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

/// Sends a request's head and some bytes of its body, and leaves it at that.
async fn begin(request: &HttpRequest, announced: usize, body: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(request.address()).await.unwrap();
    let head = request.clone().header("content-length", &announced.to_string()).head();
    stream.write_all(&[head.as_bytes(), body].concat()).await.unwrap();
    stream
}

/// Whatever the server still says until it closes the connection.
async fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    // A reset behind the answer is as good as an end.
    let _ = timeout(TIMEOUT, stream.read_to_end(&mut bytes)).await.expect("the server holds the connection");
    String::from_utf8_lossy(&bytes).into_owned()
}

#[tokio::test]
async fn a_form_that_never_arrives_is_408_when_its_time_is_over() {
    let api = Api::start_with(&["--body-timeout-s", "1"]).await;
    for path in ["/app/sign-in", "/app/theme"] {
        let mut stream = begin(&HttpRequest::form(api.address, path), 100, b"t").await;
        let said = rest(&mut stream).await;
        assert!(said.starts_with("HTTP/1.1 408"), "{path}: {said}");
    }
    let cookie = api.signed_in().await;
    for path in ["/app/items/erase", "/app/settings/tokens", "/app/add/guess"] {
        let mut request = HttpRequest::form(api.address, path).header("cookie", &cookie);
        if path.ends_with("guess") {
            request = api.request("POST", path).header("sec-fetch-site", "same-origin").header("cookie", &cookie);
            request = request.header("content-type", "application/json");
        }
        let said = rest(&mut begin(&request, 100, b"[").await).await;
        assert!(said.starts_with("HTTP/1.1 408"), "{path}: {said}");
    }
    let upload = api.request("POST", "/app/add").header("sec-fetch-site", "same-origin").header("cookie", &cookie);
    let upload = upload.header("content-type", "multipart/form-data; boundary=x");
    let said = rest(&mut begin(&upload, 100, b"--x\r\n").await).await;
    assert!(said.starts_with("HTTP/1.1 408"), "{said}");
}

#[tokio::test]
async fn a_form_that_takes_no_token_has_8_kb_and_another_what_a_body_has() {
    let api = Api::start().await;
    let cookie = api.signed_in().await;
    let forms = [("/app/sign-in", 8 << 10), ("/app/theme", 8 << 10), ("/app/items/erase", 1 << 20)];
    for (path, most) in forms {
        let long = format!("token={}", "x".repeat(most));
        let request = || HttpRequest::form(api.address, path).header("cookie", &cookie);
        request().body("", long.clone()).send().await.expect(413);
        let chunked = request().header("transfer-encoding", "chunked");
        let chunk = format!("{:x}\r\n{long}\r\n0\r\n\r\n", long.len());
        chunked.body("", chunk).send().await.expect(413);
    }
}

#[tokio::test]
async fn forms_take_their_memory_from_what_all_bodies_share() {
    let api = Api::start_with(&["--body-memory-mib", "1"]).await;
    let cookie = api.signed_in().await;
    let upload = api.request("POST", "/app/add").header("sec-fetch-site", "same-origin").header("cookie", &cookie);
    let upload = upload.header("content-type", "multipart/form-data; boundary=x");
    let part = "--x\r\ncontent-disposition: form-data; name=\"transcript\"\r\n\r\n";
    let mut held = Vec::new();
    for _ in 0..3 {
        let body = format!("{part}{}", "x".repeat(500 << 10));
        held.push(begin(&upload, 1 << 20, body.as_bytes()).await);
    }
    let mut refused = 0;
    for mut stream in held {
        let mut head = [0; 12];
        let read = timeout(std::time::Duration::from_secs(5), stream.read_exact(&mut head)).await;
        refused += usize::from(read.is_ok_and(|read| read.is_ok()) && &head == b"HTTP/1.1 503");
    }
    assert!((1..3).contains(&refused), "one has room, and not all: {refused}");
}

#[tokio::test]
async fn who_brings_no_token_gives_way_where_connections_are_short() {
    let api = Api::start_with(&["--max-connections", "50"]).await;
    let mut held = Vec::new();
    for _ in 0..50 {
        held.push(begin(&HttpRequest::form(api.address, "/app/sign-in"), 100, b"t").await);
    }
    for n in 0..20 {
        let answer = timeout(std::time::Duration::from_secs(15), api.submit(&item(&format!("m-{n}")))).await;
        answer.expect("somebody with a token is served").expect(202);
    }
}

#[tokio::test]
async fn who_brings_a_token_does_not_give_way_to_who_brings_none() {
    let api = Api::start_with(&["--max-connections", "10"]).await;
    let mut mine = listen(&api, &api.token).await.expect("a stream");
    let mut held = Vec::new();
    for _ in 0..40 {
        held.push(begin(&HttpRequest::form(api.address, "/app/sign-in"), 100, b"t").await);
    }
    api.submit(&item("m")).await.expect(202);
    assert!(timeout(std::time::Duration::from_millis(300), mine.read(&mut [0; 64])).await.is_err(), "it is open");
}

#[tokio::test]
async fn a_client_address_over_its_connections_gives_way_by_its_own() {
    let api = Api::start_with(&["--max-connections-per-client", "5"]).await;
    let mut held = Vec::new();
    for _ in 0..8 {
        held.push(begin(&HttpRequest::form(api.address, "/app/sign-in"), 100, b"t").await);
    }
    for stream in &mut held[..3] {
        rest(stream).await;
    }
    api.submit(&item("m")).await.expect(202);
}

/// An open event stream; `None` where it was refused.
async fn listen(api: &Api, token: &str) -> Option<TcpStream> {
    let mut stream = TcpStream::connect(api.address).await.unwrap();
    stream.write_all(api.request("GET", "/events").token(token).head().as_bytes()).await.unwrap();
    let mut head = [0; 2048];
    let read = timeout(TIMEOUT, stream.read(&mut head)).await.expect("an answer").unwrap();
    head[..read].starts_with(b"HTTP/1.1 200").then_some(stream)
}

#[tokio::test]
async fn one_token_and_one_tenant_have_a_share_of_the_event_streams() {
    let flags = ["--max-listeners", "20", "--max-listeners-per-token", "3", "--max-listeners-per-tenant", "5"];
    let api = Api::start_with(&flags).await;
    let mut open = Vec::new();
    for _ in 0..10 {
        open.extend(listen(&api, &api.token).await);
    }
    assert_eq!(open.len(), 3);
    let second = api.new_token("default", &[Scope::TasksRead]).await;
    for _ in 0..10 {
        open.extend(listen(&api, &second).await);
    }
    assert_eq!(open.len(), 5, "the tenant's share");
    let refused = api.get("/events").await;
    refused.problem(429, "rate-limited");
    assert!(refused.header("retry-after").is_some());
    let other = api.new_token("team-b", &[Scope::TasksRead]).await;
    listen(&api, &other).await.expect("another tenant's stream");
    drop(open);
    until("what is closed to be free again", || listen(&api, &second)).await;
}

#[tokio::test]
async fn a_default_share_of_the_streams_leaves_room_for_other_tenants() {
    let api = Api::start().await;
    let mut open = Vec::new();
    for _ in 0..300 {
        open.extend(listen(&api, &api.token).await);
    }
    assert_eq!(open.len(), 100);
    let other = api.new_token("team-b", &[Scope::TasksRead]).await;
    listen(&api, &other).await.expect("another tenant's stream");
}

#[tokio::test]
async fn a_wait_beyond_the_tokens_share_is_answered_at_once() {
    let api = Api::start_with(&["--max-waits-per-token", "2"]).await;
    let job = api.submit(&item("m")).await.expect(202).json()["job_id"].as_str().unwrap().to_owned();
    let wait = || api.call("GET", &format!("/ingest/jobs/{job}")).header("prefer", "wait=30");
    let mut held = Vec::new();
    for _ in 0..2 {
        let mut stream = TcpStream::connect(api.address).await.unwrap();
        stream.write_all(wait().head().as_bytes()).await.unwrap();
        held.push(stream);
    }
    let mut answered = false;
    for _ in 0..100 {
        // The two held ones may not have begun yet; from then on nobody waits any more.
        let asked = timeout(std::time::Duration::from_secs(1), wait().send()).await;
        if let Ok(answer) = asked {
            assert_eq!((answer.status, answer.header("preference-applied")), (200, None));
            assert!(answer.header("retry-after").is_some());
            answered = true;
            break;
        }
    }
    assert!(answered, "a third wait is held");
    let other = api.new_token("default", &[Scope::IngestRead]).await;
    let request = api.request("GET", &format!("/ingest/jobs/{job}")).token(&other).header("prefer", "wait=1");
    assert_eq!(request.send().await.header("preference-applied"), Some("wait=1"));
}

#[tokio::test]
async fn one_token_and_one_tenant_have_a_share_of_the_connections() {
    let flags = ["--max-connections-per-token", "4", "--max-connections-per-tenant", "6"];
    let api = Api::start_with(&flags).await;
    let second = api.new_token("default", &Scope::ALL).await;
    let mut held = Vec::new();
    for (token, most) in [(&api.token, 4), (&second, 2)] {
        for n in 0..most + 3 {
            let request = api.request("POST", "/ingest/items").token(token).header("content-type", "application/json");
            let mut stream = begin(&request, 100, b"{").await;
            let mut head = [0; 512];
            let wait = std::time::Duration::from_millis(if n < most { 200 } else { 15_000 });
            match timeout(wait, stream.read(&mut head)).await {
                Err(_) => assert!(n < most, "{n} is served"),
                Ok(read) => {
                    let said = String::from_utf8_lossy(&head[..read.unwrap()]).into_owned();
                    assert!(n >= most && said.starts_with("HTTP/1.1 429"), "{n}: {said}");
                    assert!(said.contains("connection: close") && said.contains("retry-after"), "{said}");
                }
            }
            held.push(stream);
        }
    }
    let other = api.new_token("team-b", &Scope::ALL).await;
    api.request("POST", "/ingest/items").token(&other).json(&item("m")).send().await.expect(202);
}

#[tokio::test]
async fn an_answer_names_at_most_20_faults_and_says_how_many_more() {
    let api = Api::start().await;
    let query = vec!["a"; 20_000].join("&");
    let answer = api.get(&format!("/tasks?{query}")).await;
    let problem = answer.problem(422, "invalid-request");
    assert_eq!(problem["errors"].as_array().unwrap().len(), 20);
    assert_eq!(problem["more_errors"], 19_980);
    assert!(answer.body.len() < 10_000, "{}", answer.body.len());

    let mut body = item("m");
    body["metadata"] = (0..60).map(|n| (format!("k{n}"), json!(1))).collect::<serde_json::Map<_, _>>().into();
    let problem = api.submit(&body).await.problem(422, "invalid-request");
    assert_eq!((problem["errors"].as_array().unwrap().len(), &problem["more_errors"]), (20, &json!(40)));
    assert!(problem["detail"].as_str().unwrap().ends_with("and 40 more"), "{problem}");

    body["metadata"] = (0..80_000).map(|n| (format!("{n}"), json!(1))).collect::<serde_json::Map<_, _>>().into();
    let answer = api.submit(&body).await;
    answer.problem(422, "invalid-request");
    assert!(answer.body.len() < 10_000, "{}", answer.body.len());
}

#[tokio::test]
async fn an_answer_names_at_most_20_members_that_were_ignored() {
    let api = Api::start().await;
    let mut body = item("m");
    for n in 0..50_000 {
        body[format!("{n}")] = 1.into();
    }
    let answer = api.submit(&body).await.expect(202);
    let receipt = answer.json();
    assert_eq!(receipt["warnings"].as_array().unwrap().len(), 20);
    assert_eq!(receipt["more_warnings"], 49_980);
    assert!(answer.body.len() < 10_000, "{}", answer.body.len());
    let said: Value = api.submit(&item("n")).await.json();
    assert!(said.get("warnings").is_none() && said.get("more_warnings").is_none());
}

#[tokio::test]
async fn names_behind_the_first_500_participants_are_left_out_with_a_warning() {
    let api = Api::start().await;
    let names = |count: usize| (0..count).map(|n| format!("P{n} Q{n}")).collect::<Vec<_>>().join(", ");
    let mut body = item("m");
    body["metadata"] = json!({"participants": names(500)});
    assert!(api.submit(&body).await.expect(202).json().get("warnings").is_none());
    body["metadata"] = json!({"participants": names(501)});
    let receipt = api.submit(&body).await.expect(202).json();
    assert!(receipt["warnings"][0].as_str().unwrap().contains("first 500 names"), "{receipt}");
}

#[tokio::test]
async fn a_session_ends_on_every_process_when_somebody_signs_out() {
    let key = ["--session-key", "a secret that all processes share, long enough"];
    let api = Api::start_with(&key).await;
    let beside = api.beside_with(&key).await;
    let cookie = api.signed_in().await;
    let page = |address| HttpRequest::new(address, "GET", "/").header("cookie", &cookie);
    for address in [api.address, beside] {
        page(address).send().await.expect(200);
    }
    let mut events = TcpStream::connect(beside).await.unwrap();
    let request = HttpRequest::new(beside, "GET", "/app/events").header("cookie", &cookie);
    events.write_all(request.head().as_bytes()).await.unwrap();
    HttpRequest::form(api.address, "/app/sign-out").header("cookie", &cookie).send().await.expect(303);
    for address in [api.address, beside] {
        let answer = page(address).send().await.expect(303);
        assert!(answer.header("location").unwrap().starts_with("/app/sign-in"));
    }
    assert!(rest(&mut events).await.starts_with("HTTP/1.1 200"), "its event stream ends too");
    // The token itself goes on, and opens a new session.
    let again = api.signed_in().await;
    HttpRequest::new(beside, "GET", "/").header("cookie", &again).send().await.expect(200);
    // Ended sessions are remembered for as long as they would have lasted, and no longer.
    let keys = api.redis.cli(&["KEYS", "*session*"]);
    assert_eq!(keys.lines().count(), 1, "{keys}");
    let left: i64 = api.redis.cli(&["TTL", keys.trim()]).trim().parse().unwrap();
    assert!((1..=12 * 3600).contains(&left), "{left}");
}

#[tokio::test]
async fn pages_are_503_where_nobody_can_say_whether_the_session_ended() {
    let mut api = Api::start().await;
    let cookie = api.signed_in().await;
    api.redis.kill();
    api.request("GET", "/").header("cookie", &cookie).send().await.expect(503);
}

#[tokio::test]
async fn a_token_signs_in_at_its_rate() {
    let api = Api::start_with(&["--sign-in-limit-per-minute", "1"]).await;
    let body = format!("token={}", api.token);
    for _ in 0..4 {
        HttpRequest::form(api.address, "/app/sign-in").body("", body.clone()).send().await.expect(303);
    }
    HttpRequest::form(api.address, "/app/sign-in").body("", body).send().await.expect(429);
}

#[tokio::test]
async fn an_unfinished_body_of_the_api_gets_its_408_too() {
    let api = Api::start_with(&["--body-timeout-s", "1"]).await;
    let request = api.call("POST", "/tokens").header("content-type", "application/json");
    let mut stream = begin(&request, 100, b"{").await;
    let answer = read_answer(&mut stream, false).await;
    assert_eq!(answer.status, 408);
}
