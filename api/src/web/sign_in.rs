//! Signing in with a token, and out again.

use super::{
    Stop, Web, address, frame,
    frame::Frame,
    session::{HOURS, Session},
    visit::Me,
};
use askama::Template;
use axum::{
    extract::{Form, Query, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Redirect, Response},
};
use axum_extra::extract::PrivateCookieJar;
use chrono::Utc;
use serde::Deserialize;

#[derive(Template)]
#[template(path = "sign_in.html")]
struct Page {
    frame: Frame,
    back: String,
    hours: i64,
    problem: Option<String>,
}

#[derive(Deserialize)]
pub struct Wanted {
    #[serde(default)]
    back: String,
}

#[derive(Deserialize)]
pub struct SignIn {
    token: String,
    #[serde(default)]
    back: String,
}

/// `GET /app/sign-in`
pub async fn page(State(web): State<Web>, headers: HeaderMap, Query(wanted): Query<Wanted>) -> Result<Response, Stop> {
    show(&web, &headers, wanted.back, None)
}

/// `POST /app/sign-in`
pub async fn sign_in(
    State(web): State<Web>,
    jar: PrivateCookieJar,
    headers: HeaderMap,
    Form(form): Form<SignIn>,
) -> Result<Response, Stop> {
    let token = form.token.trim();
    match web.client().get::<Me>(&Session::of(token), "/tokens/me").await {
        Ok(_) => {
            let jar = jar.add(Session::cookie(token, web.prefix(), Utc::now()));
            Ok((jar, Redirect::to(&address::back(&form.back, web.prefix()))).into_response())
        }
        Err(refusal) if refusal.status == StatusCode::UNAUTHORIZED => {
            let problem = "This token is not valid: mistyped, expired or revoked.".to_owned();
            let page = show(&web, &headers, form.back, Some(problem))?;
            Ok((StatusCode::UNAUTHORIZED, page).into_response())
        }
        Err(refusal) => Err(refusal.into()),
    }
}

/// `POST /app/sign-out`
pub async fn sign_out(State(web): State<Web>, jar: PrivateCookieJar) -> Response {
    let jar = jar.remove(Session::gone(web.prefix()));
    (jar, Redirect::to(&format!("{}/app/sign-in", web.prefix()))).into_response()
}

fn show(web: &Web, headers: &HeaderMap, back: String, problem: Option<String>) -> Result<Response, Stop> {
    let here = format!("{}/app/sign-in", web.prefix());
    frame::html(&Page { frame: Frame::bare(web.prefix(), frame::theme(headers), &here), back, hours: HOURS, problem })
}
