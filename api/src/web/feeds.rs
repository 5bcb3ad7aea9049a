//! Settings → Calendars: addresses that a calendar subscribes to, each shown once.

use super::{
    Stop, address,
    done::Done,
    frame::{self, Frame, Link},
    visit::Visit,
    words,
};
use askama::Template;
use axum::{
    Form,
    extract::Path,
    http::{Method, StatusCode},
    response::{IntoResponse, Response},
};
use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::json;

/// Where this page stands.
const PATH: &str = "/app/settings/calendars";

#[derive(Deserialize)]
struct FeedList {
    items: Vec<FeedInfo>,
}

#[derive(Deserialize)]
struct FeedInfo {
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
struct Page {
    frame: Frame,
    /// The address of a feed that was just made.
    made: Option<String>,
    problem: Option<String>,
    tabs: Vec<Link>,
    feeds: Vec<FeedView>,
}

/// `GET /app/settings/calendars`
pub async fn list(visit: Visit) -> Result<Response, Stop> {
    show(visit, None, None).await
}

async fn show(visit: Visit, made: Option<String>, problem: Option<String>) -> Result<Response, Stop> {
    let list: FeedList = visit.get("/feeds").await?;
    let page = Page {
        frame: visit.frame(),
        made,
        problem,
        tabs: frame::settings(&visit.me.scopes, PATH),
        feeds: list.items.into_iter().map(view).collect(),
    };
    visit.show(&page)
}

fn view(feed: FeedInfo) -> FeedView {
    let now = Utc::now();
    FeedView {
        id: feed.feed_id,
        name: feed.name,
        made: words::ago(feed.created_at, now),
        last_used: feed.last_used_at.map_or_else(|| "never".to_owned(), |time| words::ago(time, now)),
    }
}

/// What the form says.
#[derive(Deserialize)]
pub struct Wanted {
    #[serde(default)]
    name: String,
}

/// `POST /app/settings/calendars`. The page with the address answers the form itself: it is shown this once.
pub async fn create(visit: Visit, Form(wanted): Form<Wanted>) -> Result<Response, Stop> {
    match visit.send(Method::POST, "/feeds", Some(json!({"name": wanted.name.trim()}))).await {
        Ok(made) => show(visit, made["url"].as_str().map(str::to_owned), None).await,
        Err(refusal) if refusal.status == StatusCode::UNAUTHORIZED => Err(Stop::SignIn),
        Err(refusal) => {
            let status = refusal.status;
            Ok((status, show(visit, None, Some(refusal.detail)).await?).into_response())
        }
    }
}

/// `POST /app/settings/calendars/{id}/revoke`
pub async fn revoke(visit: Visit, Path(id): Path<String>) -> Result<Response, Stop> {
    visit.send(Method::DELETE, &format!("/feeds/{}", address::segment(&id)), None).await?;
    let to = visit.address(PATH, &[]);
    Ok(visit.back(&to, Done::said("Revoked. The calendar that reads it gets nothing from now on.")))
}
