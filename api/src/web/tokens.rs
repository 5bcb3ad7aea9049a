//! Settings → API tokens: who may do what, a new one shown once.

use super::{
    Stop, address,
    done::Done,
    frame::{self, Frame, Link},
    visit::Visit,
    words,
};
use askama::Template;
use axum::{
    extract::{Path, Query},
    http::{Method, StatusCode},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use gleaner_model::{Scope, ScopeSet};
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize)]
struct TokenList {
    items: Vec<TokenInfo>,
    next_cursor: Option<String>,
}

#[derive(Default, Deserialize)]
pub struct Asked {
    #[serde(default)]
    cursor: String,
}

#[derive(Deserialize)]
struct TokenInfo {
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
pub struct Made {
    token: String,
    resource: Option<String>,
}

#[derive(Template)]
#[template(path = "tokens.html")]
struct Page {
    frame: Frame,
    made: Option<Made>,
    problem: Option<String>,
    tabs: Vec<Link>,
    tokens: Vec<TokenView>,
    /// Where the next page is.
    next: Option<String>,
    scopes: Vec<(&'static str, &'static str)>,
}

/// `GET /app/settings/tokens`
pub async fn list(visit: Visit, Query(asked): Query<Asked>) -> Result<Response, Stop> {
    show(visit, &asked.cursor, None, None).await
}

async fn show(visit: Visit, cursor: &str, made: Option<Made>, problem: Option<String>) -> Result<Response, Stop> {
    let list: TokenList = visit.get(&address::with_query("/tokens", &[("cursor", cursor)])).await?;
    let page = Page {
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

fn view(token: TokenInfo, mine: &str) -> TokenView {
    let now = Utc::now();
    let expires = match token.expires_at {
        _ if token.suspended => "suspended".to_owned(),
        Some(end) if end <= now => "expired".to_owned(),
        Some(end) => words::day(end.date_naive(), now.date_naive()),
        None => "never".to_owned(),
    };
    TokenView {
        mine: token.token_id == mine,
        id: token.token_id,
        name: token.name.or_else(|| token.api_token.clone()).unwrap_or_else(|| "(no name)".to_owned()),
        scopes: token.scopes.to_string(),
        last_used: token.last_used_at.map_or_else(|| "never".to_owned(), |time| words::ago(time, now)),
        resource: token.api_token,
        expires,
    }
}

fn meaning(scope: Scope) -> &'static str {
    match scope {
        Scope::IngestWrite => "submit content, see what became of it",
        Scope::IngestRead => "see what became of submissions",
        Scope::TasksRead => "list and read tasks",
        Scope::TasksWrite => "edit tasks, erase items",
        Scope::FeedbackWrite => "rate tasks",
        Scope::TokensWrite => "make and revoke tokens",
        Scope::WebhooksWrite => "say who is told what happens",
        Scope::FeedRead => "read tasks as a calendar",
    }
}

/// `POST /app/settings/tokens`. The page with the token answers the form itself: no address leads to it again.
pub async fn create(visit: Visit, body: Bytes) -> Result<Response, Stop> {
    let fields: Vec<(String, String)> = form_urlencoded::parse(&body).into_owned().collect();
    let all = |name: &str| {
        fields.iter().filter(|(known, _)| known == name).map(|(_, value)| value.clone()).collect::<Vec<_>>()
    };
    let name = all("name").pop().unwrap_or_default();
    let mut wanted = json!({"name": name.trim(), "scopes": all("scopes")});
    if let Some(days) = all("expires").pop().and_then(|days| days.parse::<u16>().ok()) {
        wanted["expires_at"] = json!(Utc::now() + TimeDelta::days(days.into()));
    }
    match visit.send(Method::POST, "/tokens", Some(wanted)).await {
        Ok(made) => {
            let text = |name: &str| made[name].as_str().map(str::to_owned);
            let made = Made { token: text("token").unwrap_or_default(), resource: text("api_token") };
            show(visit, "", Some(made), None).await
        }
        Err(refusal) if refusal.status == StatusCode::UNAUTHORIZED => Err(Stop::SignIn),
        Err(refusal) => {
            let status = refusal.status;
            Ok((status, show(visit, "", None, Some(refusal.detail)).await?).into_response())
        }
    }
}

/// `POST /app/settings/tokens/{id}/revoke`
pub async fn revoke(visit: Visit, Path(id): Path<String>) -> Result<Response, Stop> {
    visit.send(Method::DELETE, &format!("/tokens/{}", address::segment(&id)), None).await?;
    let to = visit.address(PATH, &[]);
    Ok(visit.back(&to, Done::said("Revoked. Whatever used it is refused from now on.")))
}
