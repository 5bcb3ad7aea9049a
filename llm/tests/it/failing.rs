//! Endpoints that fail in every way that they do.

use crate::support::{Answer, FakeEndpoint, SentRequest, ask, config, one, task, titles};
use gleaner_llm::{Failure, LanguageModel};
use serde_json::json;
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

const TEXT: &str = "Ada: I'll send the price list to Marlow.\nBo: great";

fn good() -> Answer {
    Answer::says(one("Send the price list to Marlow", 1, "I'll send the price list to Marlow."))
}

#[tokio::test]
async fn a_busy_endpoint_is_asked_again_when_it_says() {
    for status in [429, 503] {
        let busy = move |number, _: &SentRequest| {
            if number == 0 { Answer::status(status, "{}").header("retry-after", 1) } else { good() }
        };
        let endpoint = FakeEndpoint::start(busy).await;
        let asked = ask(&endpoint.model(), TEXT).await;
        assert_eq!(titles(&asked), ["Send the price list to Marlow"]);
        assert_eq!((endpoint.asked().len(), asked.usage.input_tokens, asked.usage.output_tokens), (2, 100, 10));
    }
}

#[tokio::test]
async fn one_that_fails_now_and_then_is_asked_again_and_one_that_always_does_is_given_up() {
    let endpoint = FakeEndpoint::start(|number, _| if number < 2 { Answer::status(500, "oops") } else { good() }).await;
    assert_eq!(titles(&ask(&endpoint.model(), TEXT).await).len(), 1);
    let endpoint = FakeEndpoint::start(|_, _| Answer::status(502, "oops")).await;
    assert!(matches!(ask(&endpoint.model(), TEXT).await.outcome, Err(Failure::Failed(_))));
    assert_eq!(endpoint.asked().len(), 4);
}

#[tokio::test]
async fn a_silent_endpoint_is_waited_for_twice_and_no_longer() {
    let endpoint = FakeEndpoint::start(|_, _| Answer::silent()).await;
    let model = endpoint.model_with(|config| config.llm_timeout_s = 1);
    assert_eq!(ask(&model, TEXT).await.outcome.unwrap_err(), Failure::TimedOut);
    assert_eq!(endpoint.asked().len(), 2);
}

#[tokio::test]
async fn an_answer_that_is_cut_off_is_asked_for_in_smaller_windows() {
    let text: String = (1..=8).map(|number| format!("Ada: I'll file report {number} for unit{number}.\n")).collect();
    for cut in [
        Answer::finished("length", "{\"tasks\":[{\"title\""),
        Answer::status(400, json!({"error": {"message": "This model's maximum context length is 100 tokens"}})),
    ] {
        let answer = move |_, request: &SentRequest| {
            let (_, lines) = request.question().split_once("\nText:\n").unwrap();
            if lines.lines().count() > 3 {
                return cut.clone();
            }
            let tasks: Vec<_> = lines
                .lines()
                .map(|line| {
                    let (number, words) = line.split_once("| ").unwrap();
                    let title = format!("File report {number} for unit{number}");
                    task(&title, number.parse().unwrap(), words.strip_prefix("Ada: ").unwrap())
                })
                .collect();
            Answer::says(json!({ "tasks": tasks }))
        };
        let endpoint = FakeEndpoint::start(answer).await;
        let wanted: Vec<_> = (1..=8).map(|number| format!("File report {number} for unit{number}")).collect();
        assert_eq!(titles(&ask(&endpoint.model(), &text).await), wanted);
    }
}

#[tokio::test]
async fn one_line_that_is_always_cut_off_is_given_up() {
    let endpoint = FakeEndpoint::start(|_, _| Answer::finished("length", "{")).await;
    assert_eq!(ask(&endpoint.model(), TEXT).await.outcome.unwrap_err(), Failure::CutOff);
    assert!(endpoint.asked().len() <= 4);
}

#[tokio::test]
async fn a_model_that_declines_is_not_asked_again() {
    let refusal =
        json!({ "choices": [{ "finish_reason": "stop", "message": { "content": null, "refusal": "I can't" } }] });
    for answer in [Answer::status(200, refusal), Answer::finished("content_filter", "")] {
        let endpoint = FakeEndpoint::start(move |_, _| answer.clone()).await;
        assert_eq!(ask(&endpoint.model(), TEXT).await.outcome.unwrap_err(), Failure::Declined);
        assert_eq!(endpoint.asked().len(), 1);
    }
}

#[tokio::test]
async fn an_answer_of_another_form_may_be_mended_once() {
    let endpoint =
        FakeEndpoint::start(|number, _| if number == 0 { Answer::says("Sure! Tasks: none") } else { good() }).await;
    assert_eq!(titles(&ask(&endpoint.model(), TEXT).await).len(), 1);
    let asked = endpoint.asked();
    assert_eq!(asked[1].body["messages"][2]["content"], "Sure! Tasks: none", "it sees what it said");
    let endpoint = FakeEndpoint::start(|_, _| Answer::says("Sure!")).await;
    assert_eq!(ask(&endpoint.model(), TEXT).await.outcome.unwrap_err(), Failure::Malformed);
    assert_eq!(endpoint.asked().len(), 2);
    let endpoint = FakeEndpoint::start(|_, _| Answer::status(200, "<html>")).await;
    assert_eq!(ask(&endpoint.model(), TEXT).await.outcome.unwrap_err(), Failure::Malformed);
}

#[tokio::test]
async fn an_endpoint_that_knows_no_schema_is_asked_in_plainer_forms_and_only_in_those_from_then_on() {
    let endpoint = FakeEndpoint::start(|_, request| {
        if request.body.get("response_format").is_some() {
            Answer::status(400, json!({"error": {"message": "response_format is not supported"}}))
        } else {
            good()
        }
    })
    .await;
    let model = endpoint.model();
    assert_eq!(titles(&ask(&model, TEXT).await).len(), 1);
    let kinds: Vec<_> =
        endpoint.asked().iter().map(|asked| asked.body.pointer("/response_format/type").cloned()).collect();
    let json = || Some(json!("json_object"));
    assert_eq!(kinds, [Some(json!("json_schema")), json(), json(), None]);
    let schemas =
        endpoint.asked().iter().filter(|asked| asked.body.pointer("/response_format/schema").is_some()).count();
    assert_eq!(schemas, 1, "in the way of others");
    ask(&model, TEXT).await.outcome.unwrap();
    assert_eq!(endpoint.asked().len(), 5);
}

#[tokio::test]
async fn newer_names_and_missing_knobs_are_understood() {
    let endpoint = FakeEndpoint::start(|_, request| {
        if request.body.get("max_tokens").is_some() {
            Answer::status(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
        } else if request.body.get("temperature").is_some() {
            Answer::status(400, "Unsupported value: 'temperature' does not support 0")
        } else {
            good()
        }
    })
    .await;
    assert_eq!(titles(&ask(&endpoint.model(), TEXT).await).len(), 1);
    assert!(endpoint.asked()[2].body["response_format"]["type"] == "json_schema");
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let reached = Arc::new(AtomicUsize::new(0));
    let count = reached.clone();
    let elsewhere = FakeEndpoint::start(move |_, _| {
        count.fetch_add(1, Relaxed);
        good()
    })
    .await;
    let there = format!("http://{}/v1/chat/completions", elsewhere.address);
    let endpoint = FakeEndpoint::start(move |_, _| Answer::status(307, "").header("location", &there)).await;
    assert_eq!(ask(&endpoint.model(), TEXT).await.outcome.unwrap_err(), Failure::Redirected);
    assert_eq!((endpoint.asked().len(), reached.load(Relaxed)), (1, 0));
}

#[tokio::test]
async fn a_model_that_is_gone_is_given_up_and_no_secret_is_told() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let model = LanguageModel::new(&config(&format!("http://user:pass-word@{address}/v1?api-key=k-17&x="))).unwrap();
    let failure = ask(&model, TEXT).await.outcome.unwrap_err();
    assert!(matches!(failure, Failure::Unreachable(_)));
    let told = format!("{failure} {failure:?} {model:?}");
    for secret in ["pass-word", "k-17", "secret-key"] {
        assert!(!told.contains(secret), "{told}");
    }
}

#[tokio::test]
async fn a_wrong_key_is_not_tried_again() {
    let endpoint = FakeEndpoint::start(|_, _| Answer::status(401, "no")).await;
    assert!(matches!(ask(&endpoint.model(), TEXT).await.outcome, Err(Failure::Rejected(_))));
    let asked = endpoint.asked();
    assert!(asked.len() == 1 && asked[0].head.contains("authorization: bearer secret-key"));
}
