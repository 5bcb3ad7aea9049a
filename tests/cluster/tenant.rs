//! A tenant: a namespace of its own, and tokens issued there by kubectl.

use crate::{
    client::ClusterClient,
    tools::{apply, kubectl, try_kubectl},
};

/// All scopes that clients of these tests use.
const SCOPES: &str = r#"["ingest:write", "ingest:read", "tasks:read", "tasks:write"]"#;

/// Makes a namespace for a tenant, unless it is there.
pub async fn namespace(name: &str) {
    let labelled =
        format!("{{apiVersion: v1, kind: Namespace, metadata: {{name: {name}, labels: {{gleaner-test: tenant}}}}}}");
    apply(&labelled).await;
}

/// The manifest of an ApiToken.
pub fn manifest(namespace: &str, name: &str) -> String {
    format!(
        "---\n{{apiVersion: gleaner.dev/v1alpha1, kind: ApiToken, metadata: {{name: {name}, namespace: {namespace}}}, \
         spec: {{scopes: {SCOPES}}}}}\n"
    )
}

/// Issues a token in a namespace, and reads it from its Secret.
pub async fn issue(namespace: &str, name: &str) -> String {
    issue_with(namespace, name, SCOPES).await
}

/// Issues a token with these scopes, as a list in JSON.
pub async fn issue_with(namespace: &str, name: &str, scopes: &str) -> String {
    apply(&manifest(namespace, name).replace(SCOPES, scopes)).await;
    until_issued(namespace, name).await;
    token(namespace, name).await
}

/// Waits until the ApiToken is Ready.
pub async fn until_issued(namespace: &str, name: &str) {
    let what = format!("apitoken/{name}");
    kubectl(&["wait", "-n", namespace, "--for=condition=Ready", &what, "--timeout=180s"]).await;
}

/// The token in the Secret of an ApiToken.
pub async fn token(namespace: &str, name: &str) -> String {
    let secret = format!("{name}-token");
    let template = "-ogo-template={{.data.token | base64decode}}";
    kubectl(&["get", "secret", "-n", namespace, &secret, template]).await
}

/// Whether the Secret of an ApiToken is there.
pub async fn has_secret(namespace: &str, name: &str) -> bool {
    try_kubectl(&["get", "secret", "-n", namespace, &format!("{name}-token")]).await.is_ok()
}

/// A new tenant with one token, as a client of the API at this address.
pub async fn client(url: &str, name: &str) -> ClusterClient {
    namespace(name).await;
    ClusterClient::new(url, &issue(name, "client").await)
}
