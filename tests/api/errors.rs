//! Errors: problem documents, and nothing of the inside in them.

use gleaner_testkit::{
    api::{Api, item},
    http::HttpResponse,
};

#[tokio::test]
async fn an_error_says_nothing_of_the_inside_the_token_or_the_transcript() {
    let mut api = Api::start().await;
    let secret = "TheSecretOfTheTranscript";
    let mut body = item("m");
    body["transcript"] = format!("{secret} \u{0}").into();
    body["title"] = serde_json::json!([secret]);
    let mut answers = vec![api.submit(&body).await];
    for text in [format!(r#"{{"transcript":"{secret}" x}}"#), format!(r#"{{"transcript":"{secret}\ud800"}}"#)] {
        answers.push(api.call("POST", "/ingest/items").body("application/json", text).send().await);
    }
    api.redis.kill();
    answers.push(api.submit(&item("m")).await);
    let token = api.token.clone();
    let leaks = |answer: &HttpResponse| {
        let text = answer.text();
        [secret, token.as_str(), "redis", "127.0.0.1", "gleaner:", ".rs:", "panicked"]
            .iter()
            .any(|word| text.contains(word))
    };
    for answer in &answers {
        assert!(answer.status >= 400 && !leaks(answer), "{}", answer.text());
    }
}
