//! Settings → Calendars: addresses that a calendar subscribes to, each shown once.

use super::{
    PageError, address, date_words,
    flash::Flash,
    frame::{self, NavLink, PageFrame},
    visit::Visit,
};
use askama::Template;
use axum::{
    Form,
    extract::Path,
    http::Method,
    response::{IntoResponse, Response},
};
use chrono::{DateTime, Utc};
use gleaner_model::Page;
use serde::Deserialize;
use serde_json::json;

/// Where this page stands.
const PATH: &str = "/app/settings/calendars";

#[derive(Deserialize)]
struct ListedFeed {
    feed_id: String,
    name: String,
    created_at: DateTime<Utc>,
    last_used_at: Option<DateTime<Utc>>,
}

struct FeedView {
    id: String,
    name: String,
    made: String,
    last_used: String,
}

#[derive(Template)]
#[template(path = "feeds.html")]
struct FeedsPage {
    frame: PageFrame,
    /// The address of a feed that was just made.
    made: Option<String>,
    problem: Option<String>,
    tabs: Vec<NavLink>,
    feeds: Vec<FeedView>,
}

/// `GET /app/settings/calendars`
pub async fn list(visit: Visit) -> Result<Response, PageError> {
    show(visit, None, None).await
}

async fn show(visit: Visit, made: Option<String>, problem: Option<String>) -> Result<Response, PageError> {
    let list: Page<ListedFeed> = visit.get("/feeds").await?;
    let page = FeedsPage {
        frame: visit.frame(),
        made,
        problem,
        tabs: frame::settings(&visit.me.scopes, PATH),
        feeds: list.items.into_iter().map(view).collect(),
    };
    visit.show(&page)
}

fn view(feed: ListedFeed) -> FeedView {
    let now = Utc::now();
    FeedView {
        id: feed.feed_id,
        name: feed.name,
        made: date_words::ago(feed.created_at, now),
        last_used: feed.last_used_at.map_or_else(|| "never".to_owned(), |time| date_words::ago(time, now)),
    }
}

/// What the form says.
#[derive(Deserialize)]
pub struct FeedForm {
    #[serde(default)]
    name: String,
}

/// `POST /app/settings/calendars`. The page with the address answers the form itself: it is shown this once.
pub async fn create(visit: Visit, Form(wanted): Form<FeedForm>) -> Result<Response, PageError> {
    match visit.send(Method::POST, "/feeds", Some(json!({"name": wanted.name.trim()}))).await {
        Ok(made) => show(visit, made["url"].as_str().map(str::to_owned), None).await,
        Err(refusal) => match PageError::from(refusal) {
            PageError::Refused(status, detail) => Ok((status, show(visit, None, Some(detail)).await?).into_response()),
            error => Err(error),
        },
    }
}

/// `POST /app/settings/calendars/{id}/revoke`
pub async fn revoke(visit: Visit, Path(id): Path<String>) -> Result<Response, PageError> {
    visit.send(Method::DELETE, &format!("/feeds/{}", address::segment(&id)), None).await?;
    let to = visit.address(PATH, &[]);
    Ok(visit.back(&to, Flash::said("Revoked. The calendar that reads it gets nothing from now on.")))
}
