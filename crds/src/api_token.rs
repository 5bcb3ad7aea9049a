//! The ApiToken as tenants write it and the controller answers it. The doc comments here are what `kubectl explain` says.
//!
//! The spec keeps the text that the tenant wrote: one object that cannot be read must not stop the watch of all others.
//! [`crate::DesiredToken`] is what the text means.

use chrono::{DateTime, Utc};
use gleaner_model::{Scope, TokenHash, TokenId};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kube::{CustomResource, KubeSchema};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// A token for Gleaner's API that speaks for this namespace.
///
/// Apply one, and the controller mints a token, writes it once into the Secret that `spec.secretName` names, and tells
/// the API what it allows. The Secret may be deleted once it has been read: the token goes on working. Deleting the
/// ApiToken revokes the token.
#[derive(CustomResource, KubeSchema, Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[kube(
    group = "gleaner.dev",
    version = "v1alpha1",
    kind = "ApiToken",
    plural = "apitokens",
    singular = "apitoken",
    shortname = "gat",
    category = "gleaner",
    namespaced,
    status = "ApiTokenStatus",
    derive = "PartialEq",
    doc = "A token for Gleaner's API that speaks for this namespace. Apply one, and the controller mints a token, writes it once into the Secret that spec.secretName names, and tells the API what it allows. The Secret may be deleted once it has been read: the token goes on working. `kubectl annotate apitoken NAME gleaner.dev/rotate=$(date +%s) --overwrite` mints a new one. Deleting the ApiToken revokes the token.",
    validation = Rule::new("has(self.spec.secretName) || !has(self.metadata.name) || size(self.metadata.name) <= 247")
        .message("the name is too long for the default secretName, which is <name>-token: set spec.secretName")
        .field_path(".spec.secretName"),
    validation = Rule::new("(has(self.spec.secretName) ? self.spec.secretName : self.metadata.name + '-token') == (has(oldSelf.spec.secretName) ? oldSelf.spec.secretName : oldSelf.metadata.name + '-token')")
        .message("secretName cannot be changed: make another ApiToken")
        .field_path(".spec.secretName"),
    printcolumn(name = "Ready", type_ = "string", json_path = r#".status.conditions[?(@.type=="Ready")].status"#, description = "Whether the API accepts the token."),
    printcolumn(name = "Scopes", type_ = "string", json_path = ".spec.scopes", description = "What the token allows."),
    printcolumn(name = "Token ID", type_ = "string", json_path = ".status.tokenId", description = "The public part of the token."),
    printcolumn(name = "Expires", type_ = "string", json_path = ".status.expiresAt", description = "When the token stops working; empty means never."),
    printcolumn(name = "Age", type_ = "date", json_path = ".metadata.creationTimestamp", description = "How long ago the ApiToken was created."),
    printcolumn(name = "Reason", type_ = "string", json_path = r#".status.conditions[?(@.type=="Ready")].reason"#, priority = 1, description = "Why Ready is what it is."),
    printcolumn(name = "Secret", type_ = "string", json_path = ".status.secretName", priority = 1, description = "The Secret that the token was written to."),
    printcolumn(name = "Last used", type_ = "date", json_path = ".status.lastUsedAt", priority = 1, description = "Roughly when the token was last used.")
)]
#[cfg_attr(test, kube(cel))]
#[serde(rename_all = "camelCase")]
#[x_kube(
    validation = Rule::new("!(has(self.expiresAt) && has(self.ttl))").message("set expiresAt or ttl, not both"),
    validation = Rule::new("!(has(self.tokenHash) && has(self.rotation))")
        .message("rotation is for minted tokens: an imported token is rotated by changing tokenHash")
        .field_path(".rotation"),
    validation = Rule::new("has(self.tokenHash) == has(oldSelf.tokenHash)")
        .message("tokenHash can be changed, but not added or taken away later: make another ApiToken")
        .field_path(".tokenHash")
)]
pub struct ApiTokenSpec {
    /// What the token allows: at least one of `ingest:write` (submit items, read jobs), `ingest:read` (read jobs), `tasks:read`
    /// (list tasks, follow events, subscribe to calendars), `tasks:write` (edit tasks, erase items, forget what was learnt),
    /// `feedback:write` (rate tasks, report missed ones, see what was learnt), `tokens:write` (list, create and revoke tokens)
    /// and `webhooks:write` (say who is sent what happens, tasks with it). An edit acts on the same token within two seconds.
    #[schemars(schema_with = "scopes")]
    pub scopes: Vec<String>,

    /// The person or program that the token speaks for. It decides whose tasks are "mine".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<SubjectSpec>,

    /// The Secret that the token is written to, in this namespace; `<name>-token` when left out. It holds the keys
    /// `token` and `tokenId`. A Secret of this name that another owner made is never overwritten. Cannot be changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 253), regex(pattern = DNS_NAME))]
    pub secret_name: Option<String>,

    /// When the token stops working, as RFC 3339 (`2027-01-01T00:00:00Z`). Leave out both this and `ttl` for never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 40), regex(pattern = TIMESTAMP), extend("format" = "date-time"))]
    pub expires_at: Option<String>,

    /// How long a token works from when it was issued, in hours, minutes and seconds (`720h`, `1h30m`). A rotated token
    /// has this long again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 2, max = 32), regex(pattern = DURATION))]
    #[x_kube(validation = Rule::new("duration(self) > duration('0s')").message("ttl must be longer than nothing"))]
    pub ttl: Option<String>,

    /// How the token is replaced by a new one, in the same Secret. Left out: only when the annotation
    /// `gleaner.dev/rotate` changes, and then the old token stops at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<RotationSpec>,

    /// Refuses the token while true, without losing it.
    #[serde(default)]
    pub suspend: bool,

    /// Import your own token: `sha256:` and the 64 lower-case hex digits of its SHA-256. No token is minted then, and no
    /// Secret is written. Use a token of at least 128 random bits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 71), regex(pattern = TOKEN_HASH))]
    pub token_hash: Option<String>,
}

/// The person or program that a token speaks for.
#[derive(JsonSchema, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SubjectSpec {
    /// Full name, as it stands in transcripts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 200))]
    pub name: Option<String>,

    /// E-mail address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 3, max = 320), regex(pattern = r"^[^\s@]+@[^\s@]+$"))]
    pub email: Option<String>,

    /// Other names that the person goes by in conversation, such as `Dana` or `dreyes`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "aliases")]
    pub aliases: Vec<String>,

    /// IANA time zone in which dates are meant when the item does not say, e.g. `America/Chicago`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 64), regex(pattern = r"^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*$"))]
    pub time_zone: Option<String>,
}

/// How a token is replaced by a new one.
#[derive(KubeSchema, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[x_kube(
    validation = Rule::new("has(self.every) || has(self.overlap)").message("rotation needs every, overlap or both"),
    validation = Rule::new("!has(self.every) || !has(self.overlap) || duration(self.overlap) <= duration(self.every)")
        .message("overlap must not be longer than every")
        .field_path(".overlap")
)]
pub struct RotationSpec {
    /// Mints a new token this long after the last was issued (`720h`). Left out: only when the annotation
    /// `gleaner.dev/rotate` changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 2, max = 32), regex(pattern = DURATION))]
    #[x_kube(validation = Rule::new("duration(self) > duration('0s')").message("every must be longer than nothing"))]
    pub every: Option<String>,

    /// How long the old token works beside the new one (`24h`); not at all when left out. One old token is kept: a
    /// second rotation within the overlap ends the oldest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 2, max = 32), regex(pattern = DURATION))]
    pub overlap: Option<String>,
}

/// What the controller has made of the spec.
#[derive(JsonSchema, Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ApiTokenStatus {
    /// `Ready`: the API accepts the token. `SecretDelivered`: the token was written to its Secret, which its reader may
    /// have deleted since. `Expired`: the token's time is over.
    #[schemars(schema_with = "conditions")]
    pub conditions: Vec<Condition>,

    /// The generation of the spec that this status answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,

    /// The public part of the token, as it stands in the API's answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_id: Option<TokenId>,

    /// SHA-256 of the token: all that Gleaner keeps of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_hash: Option<TokenHash>,

    /// The Secret that the token was written to; empty for an imported token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret_name: Option<String>,

    /// When the token was issued.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issued_at: Option<DateTime<Utc>>,

    /// When the token stops working; empty means never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<DateTime<Utc>>,

    /// Roughly when the token was last used: it changes at most once an hour.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<DateTime<Utc>>,

    /// The value of the annotation `gleaner.dev/rotate` that was last acted upon.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotated_for: Option<String>,

    /// The token before the last rotation, while it still works.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous: Option<PreviousToken>,
}

/// A token that was rotated out and still works for a while.
#[derive(JsonSchema, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PreviousToken {
    /// The public part of the old token.
    pub token_id: TokenId,
    /// SHA-256 of the old token.
    pub token_hash: TokenHash,
    /// When the old token was issued.
    pub issued_at: DateTime<Utc>,
    /// When the old token stops working.
    pub valid_until: DateTime<Utc>,
}

const DNS_NAME: &str = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";
const DURATION: &str = r"^([0-9]{1,6}h)?([0-9]{1,6}m)?([0-9]{1,6}s)?$";
const TIMESTAMP: &str =
    r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?(Z|[+-][0-2][0-9]:[0-5][0-9])$";
const TOKEN_HASH: &str = "^sha256:[0-9a-f]{64}$";

fn scopes(_: &mut SchemaGenerator) -> Schema {
    some_of(&Scope::ALL.map(Scope::as_str))
}

/// A set of at least one of these words.
pub(crate) fn some_of(words: &[&str]) -> Schema {
    json_schema!({
        "type": "array",
        "minItems": 1,
        "maxItems": words.len(),
        "items": {"type": "string", "enum": words},
        "x-kubernetes-list-type": "set",
    })
}

fn aliases(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "array",
        "maxItems": 32,
        "items": {"type": "string", "minLength": 1, "maxLength": 200},
        "x-kubernetes-list-type": "set",
    })
}

pub(crate) fn conditions(generator: &mut SchemaGenerator) -> Schema {
    let item = generator.subschema_for::<Condition>();
    json_schema!({
        "type": "array",
        "maxItems": 16,
        "items": item,
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["type"],
    })
}
