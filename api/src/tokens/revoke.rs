//! `DELETE /tokens/{token_id}`: the token is refused from now on, by every process within two seconds.

use crate::{
    app::App,
    operation::{Doc, Operation},
    problem::Problem,
    route::{ApiCall, HandlerResult, gone},
};
use gleaner_model::{TenantId, TokenId};

/// Summary, tag, parameters and answers.
pub fn docs(_: &mut Doc) -> Operation {
    Operation::new("revokeToken", "Tokens", "Revoke a token")
        .about("Every process refuses it within two seconds, and the tokens that it made.")
        .answers_empty(204, "It is revoked.")
}

/// `DELETE /tokens/{token_id}`
pub async fn handle(call: &mut ApiCall) -> HandlerResult {
    let id: TokenId = call.id("token_id")?;
    gone(revoke(&call.app, &call.caller.credential.tenant, &id).await?)
}

/// Takes a token away with all that it made, and the resources that account for them; of one that was rotated out, the
/// token alone. False when the tenant has no such token.
///
/// # Errors
/// What Kubernetes refused, or 503 where it or the store cannot be asked.
async fn revoke(app: &App, tenant: &TenantId, id: &TokenId) -> Result<bool, Problem> {
    let Some(credential) = app.ask(app.store.find_token(tenant, id)).await? else { return Ok(false) };
    let all = app.ask(app.store.list_credentials(tenant)).await?;
    if all.iter().any(|other| credential.is_before(other)) {
        // Its ApiToken stands for the token that came after it, and for what either made.
        app.ask(app.store.remove_rotated_out(&credential.hash)).await?;
        app.authenticator.forget(&credential.hash);
        return Ok(true);
    }
    let made = app.ask(app.store.made_by(tenant, credential.maker())).await?;
    for one in std::iter::once(&credential).chain(&made) {
        app.issuer.delete(one).await?;
    }
    // Not there any more: the controller was quicker.
    app.ask(app.store.remove_token(tenant, id)).await?;
    std::iter::once(&credential).chain(&made).for_each(|one| app.authenticator.forget(&one.hash));
    Ok(true)
}
