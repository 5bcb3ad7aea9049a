//! `extractor.kind: llm`: what `helm test` asks the model, and who may reach it.

use crate::render::render;
use gleaner_testkit::{
    gleaner::gleaner,
    model::{FakeModel, ModelAnswer},
};
use serde_json::Value;
use std::process::Output;

/// What the chart renders with a model at that URL, and with more of `extractor.llm`.
fn with_model(url: &str, more: &str) -> Vec<Value> {
    objects(&format!("{{extractor: {{kind: llm, llm: {{url: '{url}', model: stand-in, {more}}}}}}}"))
}

fn objects(values: &str) -> Vec<Value> {
    let rendered = render(values).unwrap();
    // The first document is what stands in front of the first `---`.
    let documents = rendered.split("\n---").map(|text| serde_yaml_ng::from_str(text).unwrap());
    documents.filter(|object: &Value| !object.is_null()).collect()
}

fn named<'a>(objects: &'a [Value], kind: &str, name: &str) -> Option<&'a Value> {
    objects.iter().find(|object| object["kind"] == kind && object["metadata"]["name"] == name)
}

/// Runs the container of the test pod as the chart says, with a key from its Secret.
fn run_test(objects: &[Value]) -> Output {
    let pod = named(objects, "Pod", "gleaner-test-model").unwrap();
    assert_eq!(pod["metadata"]["annotations"]["helm.sh/hook"], "test");
    let container = &pod["spec"]["containers"][0];
    let arguments: Vec<_> = container["args"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    let mut command = gleaner(&arguments);
    for variable in container["env"].as_array().unwrap() {
        command.env(variable["name"].as_str().unwrap(), variable["value"].as_str().unwrap_or("from-the-secret"));
    }
    command.output().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn helm_test_asks_the_model_and_fails_where_it_does_not_answer() {
    let answers = FakeModel::start(|_, _| ModelAnswer::Says(r#"{"tasks": []}"#.to_owned())).await;
    let headers = "existingSecret: {name: gateway, key: token}, extraHeaders: {X-Team: gleaner}";
    let said = run_test(&with_model(&answers.url(), headers));
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    assert!(answers.asked() > 0);

    let fails = FakeModel::start(|_, _| ModelAnswer::Status(500)).await;
    assert!(!run_test(&with_model(&fails.url(), "")).status.success());
    assert!(fails.asked() > 0);
    assert!(named(&objects("{}"), "Pod", "gleaner-test-model").is_none(), "where there is no model nobody asks it");
}

/// The rules by which a component goes out.
fn egress(objects: &[Value], component: &str) -> Vec<Value> {
    let policy = named(objects, "NetworkPolicy", &format!("gleaner-{component}")).unwrap();
    let labels = &policy["spec"]["podSelector"]["matchLabels"];
    assert_eq!(labels["app.kubernetes.io/component"], component);
    assert!(policy["spec"]["policyTypes"].as_array().unwrap().contains(&"Egress".into()), "{component}");
    policy["spec"]["egress"].as_array().unwrap().clone()
}

#[test]
fn the_workers_and_helm_test_alone_reach_the_models_port_and_the_test_reaches_nothing_that_workers_do_not() {
    for (url, port) in [
        ("http://vllm.models:8000/v1", 8000),
        ("http://vllm.models/v1", 80),
        ("https://gateway.example/v1", 443),
        ("https://gateway.example:8443", 8443),
    ] {
        for (more, to) in [
            ("", Value::Null),
            ("to: [{ipBlock: {cidr: 10.1.0.0/16}}]", serde_json::json!([{"ipBlock": {"cidr": "10.1.0.0/16"}}])),
        ] {
            let objects = with_model(url, more);
            let opens = |rule: &Value| rule["ports"] == serde_json::json!([{"port": port}]) && rule["to"] == to;
            let (worker, test) = (egress(&objects, "worker"), egress(&objects, "test-model"));
            assert!(worker.iter().any(opens), "{url}: {worker:?}");
            assert!(test.iter().any(opens), "{url}: {test:?}");
            assert!(test.iter().all(|rule| worker.contains(rule)), "{url}: {test:?}");
            for other in ["api", "controller", "uninstall"] {
                assert!(!egress(&objects, other).iter().any(opens), "{other} reaches {url}");
            }
            let pod = named(&objects, "Pod", "gleaner-test-model").unwrap();
            assert_eq!(pod["metadata"]["labels"]["app.kubernetes.io/component"], "test-model");
        }
    }
    assert!(named(&objects("{}"), "NetworkPolicy", "gleaner-test-model").is_none());
}
