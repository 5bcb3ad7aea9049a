//! Signing in with a token, and out again.

use super::{
    PageError, Web, address, frame,
    frame::PageFrame,
    session::{HOURS, Session, SignedIn},
    visit::OwnToken,
};
use crate::app::App;
use askama::Template;
use axum::{
    extract::{Form, Query, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Redirect, Response},
};
use axum_extra::extract::PrivateCookieJar;
use chrono::Utc;
use gleaner_store::RateLimit;
use serde::Deserialize;

/// How many minutes' worth of sign-ins may come at once.
const BURST: u32 = 4;

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignInPage {
    frame: PageFrame,
    back: String,
    hours: i64,
    problem: Option<String>,
}

#[derive(Deserialize)]
pub struct SignInQuery {
    #[serde(default)]
    back: String,
}

#[derive(Deserialize)]
pub struct SignInForm {
    token: String,
    #[serde(default)]
    back: String,
}

/// `GET /app/sign-in`
pub async fn page(
    State(web): State<Web>,
    headers: HeaderMap,
    Query(wanted): Query<SignInQuery>,
) -> Result<Response, PageError> {
    show(&web, &headers, wanted.back, None)
}

/// `POST /app/sign-in`
pub async fn sign_in(
    State(web): State<Web>,
    jar: PrivateCookieJar,
    headers: HeaderMap,
    Form(form): Form<SignInForm>,
) -> Result<Response, PageError> {
    let token = form.token.trim();
    match web.client().get::<OwnToken>(&Session::of(token), "/tokens/me").await {
        Ok(me) => {
            within_rate(web.app(), &me).await?;
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

/// Refuses a token that is signed in with too often: each session that is ended is remembered for hours.
async fn within_rate(app: &App, me: &OwnToken) -> Result<(), PageError> {
    let per_minute = app.config.sign_in_limit_per_minute;
    let limit = RateLimit { per_minute, burst: per_minute.saturating_mul(BURST) };
    let (Ok(tenant), Ok(token)) = (me.tenant.parse(), me.token_id.parse()) else { return Err(PageError::SignIn) };
    let state = app.ask(app.store.charge_sign_in(&tenant, &token, limit)).await?;
    match state.map_or(0, |state| state.retry_after_s) {
        0 => Ok(()),
        wait => {
            let detail = format!("Somebody signs in with this token too often. Try again in {wait} seconds.");
            Err(PageError::Refused(StatusCode::TOO_MANY_REQUESTS, detail))
        }
    }
}

/// `POST /app/sign-out`: the session is over on every process, whoever kept its cookie.
pub async fn sign_out(State(web): State<Web>, jar: PrivateCookieJar) -> Result<Response, PageError> {
    if let Some(SignedIn { id, ends }) = Session::open(&jar, Utc::now()).and_then(|session| session.signed_in) {
        web.app().ask(web.app().store.end_session(id, ends)).await?;
    }
    let jar = jar.remove(Session::gone(web.prefix()));
    Ok((jar, Redirect::to(&format!("{}/app/sign-in", web.prefix()))).into_response())
}

fn show(web: &Web, headers: &HeaderMap, back: String, problem: Option<String>) -> Result<Response, PageError> {
    let here = format!("{}/app/sign-in", web.prefix());
    frame::html(&SignInPage {
        frame: PageFrame::bare(web.prefix(), frame::theme(headers), &here),
        back,
        hours: HOURS,
        problem,
    })
}
