//! The ApiToken and Webhook resources: their types, the admission rules, what a spec means, what an admin allows of it, and
//! the YAML made from them.

mod api_token;
mod client;
mod desired;
mod duration;
mod imported;
mod limits;
mod webhook;

pub use api_token::{ApiToken, ApiTokenSpec, ApiTokenStatus, PreviousToken, RotationSpec, SubjectSpec};
pub use client::{choose_cryptography, client};
pub use desired::{DesiredToken, Expiry, InvalidSpec, Rotation};
pub use imported::ImportedToken;
pub use limits::TokenLimits;
pub use webhook::{SecretRef, Webhook, WebhookSpec, WebhookStatus};

use kube::CustomResourceExt;

/// The annotation whose change mints a new token.
pub const ROTATE_ANNOTATION: &str = "gleaner.dev/rotate";
/// The annotation that keeps the name which a person gave to a token made through the API.
pub const NAME_ANNOTATION: &str = "gleaner.dev/name";
/// The label that finds the resource of a token made through the API, by the token's public id.
pub const TOKEN_ID_LABEL: &str = "gleaner.dev/token-id";
/// What holds a resource back from going until its token is revoked, or its endpoint is told nothing any more.
pub const FINALIZER: &str = "gleaner.dev/revoke";

/// The definition of the ApiToken, as `kubectl apply` takes it and `crds/apitokens.yaml` holds it.
///
/// # Errors
/// None that the types allow: YAML can say all that the definition says.
pub fn yaml() -> Result<String, serde_yaml_ng::Error> {
    serde_yaml_ng::to_string(&ApiToken::crd())
}

/// The definition of the Webhook, as `crds/webhooks.yaml` holds it.
///
/// # Errors
/// As [`yaml`].
pub fn webhook_yaml() -> Result<String, serde_yaml_ng::Error> {
    serde_yaml_ng::to_string(&Webhook::crd())
}

#[cfg(test)]
mod tests;
