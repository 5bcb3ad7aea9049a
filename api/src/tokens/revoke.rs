//! `DELETE /tokens/{token_id}`: the token is refused from now on, by every process within two seconds.

use crate::{
    openapi::{Doc, Operation},
    problem::Problem,
    route::{ApiCall, HandlerResult},
};
use axum::{http::StatusCode, response::IntoResponse};
use gleaner_model::TokenId;

/// The route in the OpenAPI document.
pub fn docs(_: &mut Doc) -> Operation {
    Operation::new("revokeToken", "Tokens", "Revoke a token")
        .about("Every process refuses it within two seconds, and the tokens that it made.")
        .answers_empty(204, "It is revoked.")
}

/// `DELETE /tokens/{token_id}`
pub async fn handle(call: &mut ApiCall) -> HandlerResult {
    let id: TokenId = call.id("token_id")?;
    if call.app.issuer.revoke(&call.app, &call.caller.credential.tenant, &id).await? {
        Ok(StatusCode::NO_CONTENT.into_response())
    } else {
        Err(Problem::not_found())
    }
}
