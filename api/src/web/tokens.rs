//! Settings → API tokens: who may do what, a new one shown once.

use super::{
    PageError, address, date_words,
    flash::Flash,
    forms::FormFields,
    frame::{self, NavLink, PageFrame},
    visit::Visit,
};
use askama::Template;
use axum::{
    extract::{Path, Query},
    http::Method,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use gleaner_model::{Page, Scope, ScopeSet};
use serde::Deserialize;
use serde_json::json;

#[derive(Default, Deserialize)]
pub struct TokensQuery {
    #[serde(default)]
    cursor: String,
}

#[derive(Deserialize)]
struct ListedToken {
    token_id: String,
    name: Option<String>,
    scopes: ScopeSet,
    expires_at: Option<DateTime<Utc>>,
    last_used_at: Option<DateTime<Utc>>,
    #[serde(default)]
    suspended: bool,
    #[serde(default)]
    api_token: Option<String>,
}

/// Where this page stands.
const PATH: &str = "/app/settings/tokens";

struct TokenView {
    id: String,
    name: String,
    scopes: String,
    last_used: String,
    expires: String,
    resource: Option<String>,
    mine: bool,
}

/// A token that was just made.
pub struct MadeToken {
    token: String,
    resource: Option<String>,
}

#[derive(Template)]
#[template(path = "tokens.html")]
struct TokensPage {
    frame: PageFrame,
    made: Option<MadeToken>,
    problem: Option<String>,
    tabs: Vec<NavLink>,
    tokens: Vec<TokenView>,
    /// Where the next page is.
    next: Option<String>,
    scopes: Vec<(&'static str, &'static str)>,
}

/// `GET /app/settings/tokens`
pub async fn list(visit: Visit, Query(asked): Query<TokensQuery>) -> Result<Response, PageError> {
    show(visit, &asked.cursor, None, None).await
}

async fn show(
    visit: Visit,
    cursor: &str,
    made: Option<MadeToken>,
    problem: Option<String>,
) -> Result<Response, PageError> {
    let list: Page<ListedToken> = visit.get(&address::with_query("/tokens", &[("cursor", cursor)])).await?;
    let page = TokensPage {
        frame: visit.frame(),
        made,
        problem,
        tabs: frame::settings(&visit.me.scopes, PATH),
        tokens: list.items.into_iter().map(|token| view(token, &visit.me.token_id)).collect(),
        next: list.next_cursor.map(|cursor| visit.address(PATH, &[("cursor", &cursor)])),
        scopes: visit.me.scopes.iter().map(|scope| (scope.as_str(), meaning(scope))).collect(),
    };
    visit.show(&page)
}

fn view(token: ListedToken, mine: &str) -> TokenView {
    let now = Utc::now();
    let expires = match token.expires_at {
        _ if token.suspended => "suspended".to_owned(),
        Some(end) if end <= now => "expired".to_owned(),
        Some(end) => date_words::day(end.date_naive(), now.date_naive()),
        None => "never".to_owned(),
    };
    TokenView {
        mine: token.token_id == mine,
        id: token.token_id,
        name: token.name.or_else(|| token.api_token.clone()).unwrap_or_else(|| "(no name)".to_owned()),
        scopes: token.scopes.to_string(),
        last_used: token.last_used_at.map_or_else(|| "never".to_owned(), |time| date_words::ago(time, now)),
        resource: token.api_token,
        expires,
    }
}

fn meaning(scope: Scope) -> &'static str {
    match scope {
        Scope::IngestWrite => "submit content, see what became of it",
        Scope::IngestRead => "see what became of submissions",
        Scope::TasksRead => "list and read tasks, follow events, subscribe to calendars",
        Scope::TasksWrite => "edit tasks, erase items, forget what was learnt",
        Scope::FeedbackWrite => "rate tasks, report missed ones, see what was learnt",
        Scope::TokensWrite => "list, create and revoke tokens",
        Scope::WebhooksWrite => "say who is sent what happens, see what was delivered",
        Scope::FeedRead => "read tasks as a calendar",
    }
}

/// `POST /app/settings/tokens`. The page with the token answers the form itself: no address leads to it again.
pub async fn create(visit: Visit, body: Bytes) -> Result<Response, PageError> {
    let fields = FormFields::read(&body);
    let scopes: Vec<_> = fields.all("scopes").collect();
    let mut wanted = json!({"name": fields.one("name").trim(), "scopes": scopes});
    if let Ok(days) = fields.one("expires").parse::<u16>() {
        wanted["expires_at"] = json!(Utc::now() + TimeDelta::days(days.into()));
    }
    match visit.send(Method::POST, "/tokens", Some(wanted)).await {
        Ok(made) => {
            let text = |name: &str| made[name].as_str().map(str::to_owned);
            let made = MadeToken { token: text("token").unwrap_or_default(), resource: text("api_token") };
            show(visit, "", Some(made), None).await
        }
        Err(refusal) => match PageError::from(refusal) {
            PageError::Refused(status, detail) => {
                Ok((status, show(visit, "", None, Some(detail)).await?).into_response())
            }
            error => Err(error),
        },
    }
}

/// `POST /app/settings/tokens/{id}/revoke`
pub async fn revoke(visit: Visit, Path(id): Path<String>) -> Result<Response, PageError> {
    visit.send(Method::DELETE, &format!("/tokens/{}", address::segment(&id)), None).await?;
    let to = visit.address(PATH, &[]);
    Ok(visit.back(&to, Flash::said("Revoked. Whatever used it is refused from now on.")))
}
