//! The Webhook as tenants write it and the controller answers it. The doc comments here are what `kubectl explain` says.

use crate::api_token::some_of;
use gleaner_model::{EventKind, PayloadForm};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kube::{CustomResource, KubeSchema};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// The key of the Secret where none is named.
const SECRET_KEY: &str = "secret";

/// An endpoint that is told what happens in this namespace, as Standard Webhooks has it.
#[derive(CustomResource, KubeSchema, Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[allow(clippy::duplicated_attributes, reason = "columns have members of the same name")]
#[kube(
    group = "gleaner.dev",
    version = "v1alpha1",
    kind = "Webhook",
    plural = "webhooks",
    singular = "webhook",
    shortname = "gwh",
    category = "gleaner",
    namespaced,
    status = "WebhookStatus",
    derive = "PartialEq",
    doc = "An endpoint that is told what happens in this namespace, as Standard Webhooks has it. Messages are signed with the secret that spec.secretRef names; when that Secret changes, the one before still signs for 24 hours. Deleting the Webhook ends it.",
    printcolumn(
        name = "Ready",
        type_ = "string",
        json_path = r#".status.conditions[?(@.type=="Ready")].status"#,
        description = "Whether the endpoint is told what happens."
    ),
    printcolumn(name = "URL", type_ = "string", json_path = ".spec.url", description = "Where messages go."),
    printcolumn(
        name = "Age",
        type_ = "date",
        json_path = ".metadata.creationTimestamp",
        description = "How long ago the Webhook was created."
    ),
    printcolumn(
        name = "Reason",
        type_ = "string",
        json_path = r#".status.conditions[?(@.type=="Ready")].reason"#,
        priority = 1,
        description = "Why Ready is what it is."
    )
)]
#[serde(rename_all = "camelCase")]
pub struct WebhookSpec {
    /// Where messages go: `https://`, at a public address unless the admin allows others.
    #[schemars(length(min = 8, max = 2048), regex(pattern = r"^https?://[^\s/@]+(/\S*)?$"))]
    pub url: String,

    /// What to send; everything when left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "events")]
    pub events: Vec<String>,

    /// `full`: a message holds the whole job or task. `thin`: its id alone.
    #[serde(default)]
    #[schemars(schema_with = "payload")]
    pub payload: PayloadForm,

    /// What messages are signed with: `whsec_` and the Base64 of 24 to 64 bytes, or `whsk_` and that of an Ed25519 key.
    pub secret_ref: SecretRef,

    /// Sends nothing while true; what happens waits.
    #[serde(default)]
    pub suspend: bool,
}

/// A key of a Secret in this namespace.
#[derive(JsonSchema, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SecretRef {
    /// The Secret.
    #[schemars(length(min = 1, max = 253))]
    pub name: String,

    /// The key; `secret` when left out.
    #[serde(default = "secret_key")]
    #[schemars(length(min = 1, max = 253), regex(pattern = r"^[-._a-zA-Z0-9]+$"))]
    pub key: String,
}

fn secret_key() -> String {
    SECRET_KEY.to_owned()
}

/// What the controller has made of the spec.
#[derive(JsonSchema, Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct WebhookStatus {
    /// `Ready`: the endpoint is told what happens.
    #[schemars(schema_with = "crate::api_token::conditions")]
    pub conditions: Vec<Condition>,

    /// The generation of the spec that this status answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
}

fn events(_: &mut SchemaGenerator) -> Schema {
    some_of(&EventKind::ALL.map(EventKind::as_str))
}

fn payload(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "enum": ["full", "thin"], "default": "full"})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_webhook_reads_with_its_defaults() {
        let text = "{url: 'https://example.com/', secretRef: {name: hooks}}";
        let spec: WebhookSpec = serde_yaml_ng::from_str(text).unwrap();
        assert_eq!((spec.secret_ref.key.as_str(), spec.payload, spec.suspend), ("secret", PayloadForm::Full, false));
        assert!(spec.events.is_empty());
    }
}
