//! `GET /tokens`: the tenant's tokens, oldest first.

use super::TokenInfo;
use crate::{
    json,
    openapi::{Doc, Operation},
    route::{Call, Outcome},
};
use schemars::JsonSchema;
use serde::Serialize;

/// The tenant's tokens.
#[derive(Serialize, JsonSchema)]
pub struct Tokens {
    /// Oldest first.
    items: Vec<TokenInfo>,
}

/// What is said of it.
pub fn docs(doc: &mut Doc) -> Operation {
    Operation::new("listTokens", "Tokens", "List tokens").answers::<Tokens>(doc, 200, "The tenant's tokens.")
}

/// `GET /tokens`
pub async fn handle(call: &mut Call) -> Outcome {
    let found = call.app.ask(call.app.store.list_credentials(&call.caller.credential.tenant)).await?;
    json::answer(&Tokens { items: found.into_iter().map(TokenInfo::from).collect() })
}
