//! The admission rules, run here as the API server runs them, and the YAML that is checked in.

use crate::webhook_yaml;
use crate::{ApiToken, yaml};
use gleaner_model::Scope;
use serde_json::{Value, json};

fn token(spec: Value) -> ApiToken {
    serde_json::from_value(json!({
        "apiVersion": "gleaner.dev/v1alpha1", "kind": "ApiToken", "metadata": {"name": "ci-bot"}, "spec": spec,
    }))
    .unwrap()
}

fn with(more: Value) -> Value {
    let mut spec = json!({"scopes": ["tasks:read"]});
    spec.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    spec
}

const HASH: &str = "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

#[test]
fn the_rules_let_in_what_makes_sense() {
    for more in [
        json!({}),
        json!({"ttl": "720h", "rotation": {"every": "24h", "overlap": "1h"}}),
        json!({"expiresAt": "2027-01-01T00:00:00Z", "secretName": "mine"}),
        json!({"rotation": {"overlap": "5m"}}),
        json!({"tokenHash": HASH, "ttl": "1h"}),
    ] {
        assert!(token(with(more.clone())).validate_cel().is_ok(), "{more}");
    }
}

#[test]
fn the_rules_refuse_what_contradicts_itself() {
    for (more, why) in [
        (json!({"ttl": "1h", "expiresAt": "2027-01-01T00:00:00Z"}), "not both"),
        (json!({"ttl": "0s"}), "longer than nothing"),
        (json!({"rotation": {}}), "rotation needs"),
        (json!({"rotation": {"every": "1h", "overlap": "2h"}}), "must not be longer"),
        (json!({"rotation": {"every": "1h"}, "tokenHash": HASH}), "for minted tokens"),
    ] {
        let refused = token(with(more.clone())).validate_cel().unwrap_err();
        assert!(refused.to_string().contains(why), "{more}: {refused}");
    }
}

#[test]
fn the_default_secret_name_must_fit() {
    let mut long = token(with(json!({})));
    long.metadata.name = Some("x".repeat(248));
    assert!(long.validate_cel().is_err());
    long.spec.secret_name = Some("short".to_owned());
    assert!(long.validate_cel().is_ok());
}

#[test]
fn what_was_fixed_at_birth_stays() {
    let plain = token(with(json!({})));
    let named = token(with(json!({"secretName": "a"})));
    let imported = token(with(json!({"tokenHash": HASH})));
    for (new, old) in
        [(&named, &plain), (&plain, &named), (&token(with(json!({"secretName": "b"}))), &named), (&imported, &plain)]
    {
        assert!(new.validate_cel_update(old).is_err(), "{:?} from {:?}", new.spec, old.spec);
    }
    let spelled_out = token(with(json!({"secretName": "ci-bot-token"})));
    assert!(spelled_out.validate_cel_update(&plain).is_ok());
    let other = token(with(json!({"tokenHash": HASH.replace('9', "8")})));
    assert!(other.validate_cel_update(&imported).is_ok());
}

#[test]
fn every_field_explains_itself() {
    fn walk(path: &str, schema: &Value, bare: &mut Vec<String>) {
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            let path = format!("{path}.{name}");
            if field["description"].as_str().is_none_or(|text| text.len() < 10) {
                bare.push(path.clone());
            }
            walk(&path, field, bare);
            walk(&path, &field["items"], bare);
        }
    }
    let mut bare = Vec::new();
    for yaml in [yaml().unwrap(), webhook_yaml().unwrap()] {
        let crd: Value = serde_yaml_ng::from_str(&yaml).unwrap();
        let root = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
        walk("spec", &root["properties"]["spec"], &mut bare);
        walk("status", &root["properties"]["status"], &mut bare);
    }
    assert_eq!(bare, Vec::<String>::new());
}

#[test]
fn the_words_about_scopes_name_each() {
    let crd: Value = serde_yaml_ng::from_str(&yaml().unwrap()).unwrap();
    let spec = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"];
    let words = spec["properties"]["scopes"]["description"].as_str().unwrap();
    let lacking: Vec<_> = Scope::ALL.into_iter().filter(|scope| !words.contains(&format!("`{scope}`"))).collect();
    assert!(lacking.is_empty(), "{lacking:?}: {words}");
}

#[test]
fn the_yaml_checked_in_is_the_one_generated() {
    for (name, generated) in [("apitokens", yaml().unwrap()), ("webhooks", webhook_yaml().unwrap())] {
        let path = format!("{}/{name}.yaml", env!("CARGO_MANIFEST_DIR"));
        let kept = std::fs::read_to_string(path).unwrap_or_default();
        assert!(kept == generated, "crds/{name}.yaml is out of date: run `make generate`");
    }
}

#[test]
fn the_chart_holds_the_same_yaml() {
    assert_eq!(include_str!("../../charts/gleaner/files/apitokens.yaml"), include_str!("../apitokens.yaml"));
    assert_eq!(include_str!("../../charts/gleaner/files/webhooks.yaml"), include_str!("../webhooks.yaml"));
}
