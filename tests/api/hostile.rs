//! Bad input and bad clients: a clear error or a right answer, and nobody else slowed down.

use gleaner_testkit::{
    api::{Api, item},
    http::read_answer,
};
use serde_json::json;
use std::time::Duration;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

#[tokio::test]
async fn a_mebibyte_of_nested_arrays_is_400() {
    let api = Api::start().await;
    for body in
        ["[".repeat(1 << 20), "{\"a\":".repeat(200_000), format!("{}{}", "[".repeat(1 << 19), "]".repeat(1 << 19))]
    {
        let answer = api.call("POST", "/ingest/items").body("application/json", body).send().await;
        answer.problem(400, "malformed-json");
    }
}

#[tokio::test]
async fn odd_transcripts_are_accepted() {
    let api = Api::start().await;
    let odd = [
        "x".repeat(200_000),
        format!("x{}", "\n".repeat(199_999)),
        "\u{202e}ltr\u{202c} \u{200b}\u{200d}\u{feff}I'll send it".to_owned(),
        "שלום, אשלח את זה מחר".to_owned(),
        "nul \0 and bell \u{7}".to_owned(),
    ];
    for (n, transcript) in odd.into_iter().enumerate() {
        let mut body = item(&format!("odd-{n}"));
        body["transcript"] = transcript.into();
        api.submit(&body).await.expect(202);
    }
}

#[tokio::test]
async fn lone_surrogates_in_escapes_are_400() {
    let api = Api::start().await;
    for escape in [r"\ud800", r"\udc00", r"\ud800A", r"\ud800\ud800"] {
        let body = format!(r#"{{"source_type":"note","external_id":"n","transcript":"{escape}"}}"#);
        let answer = api.call("POST", "/ingest/items").body("application/json", body).send().await;
        answer.problem(400, "malformed-json");
    }
    let pair = r#"{"source_type":"note","external_id":"n","transcript":"\ud83d\ude00"}"#;
    api.call("POST", "/ingest/items").body("application/json", pair).send().await.expect(202);
}

#[tokio::test]
async fn a_body_that_trickles_in_is_408_when_its_time_is_over() {
    let api = Api::start_with(&["--body-timeout-s", "1"]).await;
    let request = api.call("POST", "/ingest/items").header("content-type", "application/json");
    let head = request.header("content-length", "1000").head();
    let mut stream = TcpStream::connect(api.address).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    let (mut reading, mut writing) = stream.into_split();
    let trickle = tokio::spawn(async move {
        while writing.write_all(b" ").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
    let mut bytes = Vec::new();
    // A reset behind the answer is as good as an end.
    let _ = tokio::time::timeout(gleaner_testkit::http::TIMEOUT, reading.read_to_end(&mut bytes)).await.expect("hangs");
    assert!(String::from_utf8_lossy(&bytes).starts_with("HTTP/1.1 408"), "{}", String::from_utf8_lossy(&bytes));
    trickle.abort();
}

#[tokio::test]
async fn a_request_that_breaks_off_hurts_nobody() {
    let api = Api::start().await;
    let head = api
        .call("POST", "/ingest/items")
        .header("content-type", "application/json")
        .header("content-length", "10")
        .head();
    let mut stream = TcpStream::connect(api.address).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    drop(stream);
    api.submit(&item("m")).await.expect(202);
    assert_eq!(api.get("/ingest/jobs").await.json()["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_refused_upload_gets_to_see_why() {
    let api = Api::start().await;
    for request in [
        api.call("POST", "/ingest/items").body("text/plain", "x".repeat(3 << 20)),
        api.request("POST", "/ingest/items").body("application/json", "x".repeat(3 << 20)),
        api.call("PUT", "/ingest/items").body("application/json", "x".repeat(3 << 20)),
        api.call("POST", "/nowhere").body("application/json", "x".repeat(3 << 20)),
    ] {
        assert!((400..500).contains(&request.send().await.status));
    }
}

#[tokio::test]
async fn who_expects_to_be_told_to_go_on_is_refused_before_sending() {
    let api = Api::start().await;
    let request = api.call("POST", "/ingest/items").header("content-type", "application/json");
    let head = request.header("content-length", "2000000").header("expect", "100-continue").head();
    let mut stream = TcpStream::connect(api.address).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    read_answer(&mut stream, false).await.problem(413, "content-too-large");
}

#[tokio::test]
async fn five_thousand_idle_connections_slow_nobody_down() {
    let api = Api::start().await;
    let mut idle = Vec::new();
    for _ in 0..5_000 {
        idle.push(TcpStream::connect(api.address).await.unwrap());
    }
    for n in 0..20 {
        api.submit(&item(&format!("m-{n}"))).await.expect(202);
    }
    drop(idle);
}

#[tokio::test]
async fn the_connection_is_kept_for_more_requests_and_closed_when_asked() {
    let api = Api::start().await;
    let mut stream = TcpStream::connect(api.address).await.unwrap();
    let body = json!({}).to_string();
    let again = api.call("POST", "/ingest/items").body("application/json", body.clone()).head();
    let again = again.replace("connection: close\r\n", "");
    for _ in 0..3 {
        stream.write_all(format!("{again}{body}").as_bytes()).await.unwrap();
        let mut byte = [0; 4096];
        let read = stream.read(&mut byte).await.unwrap();
        assert!(byte[..read].starts_with(b"HTTP/1.1 422"));
    }
}
