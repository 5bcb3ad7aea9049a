//! Wrong values are refused before anything is installed, in words that name the value.

use crate::render::{CHART, combinations, render, run};

/// A wrong value, and the words of the refusal.
const REFUSED: [(&str, &[&str]); 30] = [
    ("replicas: 2", &["additional properties", "replicas"]),
    ("api: {replica: 3}", &["/api", "additional properties", "replica"]),
    ("api: {replicas: two}", &["/api/replicas", "got string, want integer"]),
    ("api: {replicas: -1}", &["/api/replicas", "minimum"]),
    ("api: {service: {port: 0}}", &["/api/service/port", "minimum"]),
    ("api: {service: {port: 70000}}", &["/api/service/port", "maximum"]),
    ("api: {service: {type: Internal}}", &["/api/service/type", "must be one of"]),
    ("api: {ingress: {enabled: 'yes'}}", &["/api/ingress/enabled", "want boolean"]),
    ("api: {ingress: {hosts: [a.example]}}", &["/api/ingress", "hosts"]),
    ("api: {ingress: {path: gleaner}}", &["/api/ingress/path", "does not match pattern"]),
    ("api: {httpRoute: {requestTimeout: 30}}", &["/api/httpRoute/requestTimeout", "want string"]),
    ("api: {httpRoute: {enabled: true}}", &["api.httpRoute.parentRefs is needed"]),
    ("api: {autoscaling: {targetCPUUtilizationPercentage: 0}}", &["targetCPUUtilizationPercentage", "minimum"]),
    ("worker: {autoscaling: {mode: cpu}}", &["/worker/autoscaling/mode", "must be one of"]),
    ("worker: {autoscaling: {mode: keda}}", &["worker.autoscaling.prometheusAddress is needed"]),
    ("worker: {terminationGracePeriodSeconds: soon}", &["terminationGracePeriodSeconds", "want integer"]),
    ("controller: {watchNamespaces: team-a}", &["/controller/watchNamespaces", "want array"]),
    ("image: {pullPolicy: Sometimes}", &["/image/pullPolicy", "must be one of"]),
    ("image: {digest: latest}", &["/image/digest", "does not match pattern"]),
    ("redis: {enabled: false}", &["redis.external.url or redis.external.existingSecret.name is needed"]),
    ("redis: {external: {url: 'http://redis'}}", &["/redis/external/url", "does not match pattern"]),
    ("redis: {maxmemory: lots}", &["/redis/maxmemory", "does not match pattern"]),
    ("networkPolicy: {kubernetesPorts: ['https']}", &["/networkPolicy/kubernetesPorts/0", "want integer"]),
    ("watch: {enabled: true}", &["watch.volume is needed"]),
    ("watch: {enabled: true, volume: {emptyDir: {}}}", &["watch.token.existingSecret is needed"]),
    ("extractor: {kind: model}", &["/extractor/kind", "must be one of"]),
    ("extractor: {kind: llm, llm: {model: large}}", &["/extractor/llm/url", "minLength"]),
    ("extractor: {kind: llm, llm: {url: 'http://vllm:8000/v1'}}", &["/extractor/llm/model", "minLength"]),
    (
        "extractor: {kind: llm, llm: {url: 'vllm:8000', model: large}}",
        &["/extractor/llm/url", "does not match pattern"],
    ),
    ("limits: {ratePerMinute: -5}", &["/limits/ratePerMinute", "minimum"]),
];

#[test]
fn wrong_values_are_refused_in_words_that_name_them() {
    let mut accepted = Vec::new();
    for (values, words) in REFUSED {
        match render(values) {
            Ok(_) => accepted.push(format!("{values}: accepted")),
            Err(said) if words.iter().all(|word| said.contains(word)) => {}
            Err(said) => accepted.push(format!("{values}: {said}")),
        }
    }
    assert!(accepted.is_empty(), "{}", accepted.join("\n"));
}

#[test]
fn every_combination_of_values_passes_the_strict_lint() {
    for (name, values) in combinations() {
        run("helm3", &["lint", "--strict", CHART, "--values", "-"], &values)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}
