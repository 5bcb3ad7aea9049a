//! `GET /tokens`: the tenant's tokens, oldest first.

use super::TokenInfo;
use crate::{
    feeds::is_feed,
    list_page,
    operation::{Doc, Operation},
    query::{CURSOR, LIMIT, Param},
    route::{ApiCall, HandlerResult},
};
use gleaner_model::Page;

/// Query parameters of this route.
pub const QUERY: &[Param] = &[LIMIT, CURSOR];

/// Summary, tag, parameters and answers.
pub fn docs(doc: &mut Doc) -> Operation {
    Operation::new("listTokens", "Tokens", "List tokens")
        .about("Oldest first. Expired tokens are listed for seven days.")
        .answers_page::<TokenInfo>(doc, "A page of the tenant's tokens.")
}

/// `GET /tokens`
pub async fn handle(call: &mut ApiCall) -> HandlerResult {
    let (limit, cursor) = (call.query.limit(), call.query.text("cursor"));
    let tenant = &call.caller.credential.tenant;
    let found = call.app.ask(call.app.store.credentials_page(tenant, limit, cursor)).await?;
    let items = found.items.into_iter().filter(|credential| !is_feed(credential)).map(TokenInfo::from).collect();
    list_page::answer(call, "/tokens", &Page { items, next_cursor: found.next_cursor })
}
