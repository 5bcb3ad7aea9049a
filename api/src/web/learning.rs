//! Settings → Learning: what ratings have taught, and how to take it back.

use super::{
    Stop,
    done::Done,
    frame::Frame,
    tokens::{Tab, tabs},
    visit::Visit,
};
use askama::Template;
use axum::{http::Method, response::Response};
use gleaner_model::Scope;
use serde::Deserialize;

#[derive(Deserialize)]
struct Learning {
    revision: u64,
    up: u64,
    down: u64,
    effects: Vec<Effect>,
}

#[derive(Deserialize)]
struct Effect {
    description: String,
    weight: f64,
}

struct View {
    revision: u64,
    up: u64,
    down: u64,
    effects: Vec<(String, String)>,
}

#[derive(Template)]
#[template(path = "learning.html")]
struct Page {
    frame: Frame,
    tabs: Vec<Tab>,
    learning: View,
    may_forget: bool,
}

/// `GET /app/settings/learning`
pub async fn page(visit: Visit) -> Result<Response, Stop> {
    let Learning { revision, up, down, effects } = visit.get("/learning").await?;
    let effects = effects.into_iter().map(|effect| (effect.description, format!("{:+.2}", effect.weight))).collect();
    let page = Page {
        frame: visit.frame(),
        tabs: tabs(&visit, "/app/settings/learning"),
        learning: View { revision, up, down, effects },
        may_forget: visit.may(Scope::TasksWrite),
    };
    visit.show(&page)
}

/// `POST /app/settings/learning/forget`
pub async fn forget(visit: Visit) -> Result<Response, Stop> {
    visit.send(Method::DELETE, "/learning", None).await?;
    let to = visit.address("/app/settings/learning", &[]);
    Ok(visit.back(&to, Done::said("Forgotten: the engine is as it came.")))
}
