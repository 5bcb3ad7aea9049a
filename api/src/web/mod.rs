//! The web app: pages rendered here, made quicker by four small scripts, and working without them.
//!
//! It is a client of the API in the same process: every page asks the API's own router with the token of the session, so
//! it can do nothing that the token could not do over HTTP, and no rule is written twice. It keeps no state: the session
//! is sealed into a cookie, and what is told after a step travels in another.

mod add;
pub mod assets;
mod client;
mod date_words;
mod download;
mod feeds;
mod flash;
mod forms;
mod frame;
mod items;
mod learning;
mod page_error;
mod people;
mod proxy;
pub mod reference;
pub mod session;
mod sign_in;
mod task_view;
mod tasks;
mod tokens;
mod visit;
mod webhooks;
mod week;

use crate::{address, app::App, envelope, in_process::InProcessClient, route::MatchedRoute};
use axum::{
    Router,
    extract::{DefaultBodyLimit, FromRef, Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use axum_extra::extract::cookie::Key;
use client::PageClient;
use page_error::PageError;
use proxy::Proxy;
use std::sync::Arc;
use tower_http::{CompressionLevel, compression::CompressionLayer};

/// Nothing but what this server sends, no script or style in a page, no page of ours inside another.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// What all pages share.
#[derive(Clone)]
pub struct Web(Arc<WebState>);

struct WebState {
    app: Arc<App>,
    client: PageClient,
    key: Key,
    proxy: Option<Proxy>,
    prefix: String,
}

impl FromRef<Web> for Key {
    fn from_ref(web: &Web) -> Self {
        web.0.key.clone()
    }
}

impl Web {
    fn app(&self) -> &App {
        &self.0.app
    }

    fn client(&self) -> &PageClient {
        &self.0.client
    }

    fn proxy(&self) -> Option<&Proxy> {
        self.0.proxy.as_ref()
    }

    fn prefix(&self) -> &str {
        &self.0.prefix
    }
}

/// The whole site: the pages, and the API for everything else.
pub fn site(app: &Arc<App>, api: Router) -> Router {
    let prefix = app.config.path_prefix.clone();
    let key = session::key(app.config.session_key.as_ref());
    let web = Web(Arc::new(WebState {
        app: Arc::clone(app),
        client: PageClient::new(InProcessClient::new(api.clone())),
        key,
        proxy: Proxy::new(&app.config),
        prefix: prefix.clone(),
    }));
    let pages = Router::new()
        .route("/", get(tasks::list))
        .route("/app/sign-in", get(sign_in::page).post(sign_in::sign_in))
        .route("/app/sign-out", post(sign_in::sign_out))
        .route("/app/theme", post(frame::set_theme))
        .route("/app/people", get(people::show))
        .route("/app/week", get(week::show))
        .route("/app/tasks/several", post(tasks::bulk::apply))
        .route("/app/tasks/several/undo", post(tasks::bulk::undo))
        .route("/app/tasks/{id}", get(tasks::detail::show))
        .route("/app/tasks/{id}/status", post(tasks::actions::set_status))
        .route("/app/tasks/{id}/edit", post(tasks::actions::edit))
        .route("/app/tasks/{id}/rate", post(tasks::actions::rate))
        .route("/app/tasks/{id}/unrate", post(tasks::actions::unrate))
        .route("/app/tasks.csv", get(download::csv))
        .route("/app/tasks.md", get(download::markdown))
        .route("/app/add", get(add::page).post(add::submit))
        .route("/app/add/guess", post(add::guess::answer))
        .route("/app/items", get(items::list))
        .route("/app/items/erase", post(items::erase))
        .route("/app/jobs/{id}/requeue", post(items::requeue))
        .route("/app/settings/tokens", get(tokens::list).post(tokens::create))
        .route("/app/settings/tokens/{id}/revoke", post(tokens::revoke))
        .route("/app/settings/webhooks", get(webhooks::list).post(webhooks::create))
        .route("/app/settings/webhooks/{id}/rotate", post(webhooks::rotate))
        .route("/app/settings/webhooks/{id}/enable", post(webhooks::enable))
        .route("/app/settings/webhooks/{id}/delete", post(webhooks::delete))
        .route("/app/settings/webhooks/{id}/test", post(webhooks::test))
        .route("/app/settings/webhooks/{id}/redeliver", post(webhooks::deliveries::redeliver))
        .route("/app/settings/webhooks/{id}/deliveries", get(webhooks::deliveries::list))
        .route("/app/settings/calendars", get(feeds::list).post(feeds::create))
        .route("/app/settings/calendars/{id}/revoke", post(feeds::revoke))
        .route("/app/settings/learning", get(learning::show))
        .route("/app/settings/learning/forget", post(learning::forget))
        .route("/app/events", get(items::events))
        .route("/app/assets/{version}/{name}", get(assets::serve))
        .layer(DefaultBodyLimit::disable())
        .layer(middleware::from_fn_with_state(web.clone(), forms::take_in))
        .layer(middleware::from_fn_with_state(web.clone(), guard))
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
        .layer(middleware::from_fn_with_state(Arc::clone(app), envelope::envelope))
        .with_state(web);
    let site = Router::new().merge(pages.clone()).fallback_service(api.clone());
    if prefix.is_empty() {
        return site;
    }
    // A proxy may take the prefix off or leave it on.
    site.nest_service(&prefix, pages.fallback_service(api))
}

/// Refuses what another site makes a browser send, and tells the browser what a page of ours may do.
async fn guard(State(web): State<Web>, request: Request, next: Next) -> Response {
    let theme = frame::theme(request.headers());
    let here = frame::here(request.extensions(), request.uri(), web.prefix());
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let mut response = if changes && !same_origin(request.headers(), request.uri()) {
        (StatusCode::FORBIDDEN, "This form was sent from another site.").into_response()
    } else {
        next.run(request).await
    };
    if let Some(stop) = response.extensions_mut().remove::<PageError>() {
        let closes = response.headers_mut().remove(header::CONNECTION);
        response = stop.page(&web, theme, &here);
        response.headers_mut().extend(closes.map(|closes| (header::CONNECTION, closes)));
    }
    response.extensions_mut().insert(MatchedRoute("pages"));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Whether a browser says that the page which sent the form is ours. Browsers too old to say either are refused too.
fn same_origin(headers: &HeaderMap, uri: &Uri) -> bool {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    if let Some(site) = text(header::HeaderName::from_static("sec-fetch-site")) {
        return matches!(site, "same-origin" | "none");
    }
    let host = text(header::HOST).or_else(|| uri.authority().map(axum::http::uri::Authority::as_str));
    let origin = text(header::ORIGIN).and_then(|origin| origin.split_once("://"));
    host.zip(origin).is_some_and(|(host, (_, origin))| host.eq_ignore_ascii_case(origin))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(pairs: &[(&'static str, &'static str)]) -> bool {
        let headers =
            pairs.iter().map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value))).collect();
        same_origin(&headers, &Uri::from_static("/app/theme"))
    }

    #[test]
    fn a_form_from_another_site_is_refused() {
        assert!(sent(&[("sec-fetch-site", "same-origin"), ("host", "a")]));
        assert!(sent(&[("host", "a.example"), ("origin", "https://a.example")]));
        assert!(!sent(&[("sec-fetch-site", "cross-site"), ("host", "a"), ("origin", "https://a")]));
        assert!(!sent(&[("sec-fetch-site", "same-site")]));
        assert!(!sent(&[("host", "a.example"), ("origin", "https://b.example")]));
        assert!(!sent(&[("host", "a.example"), ("origin", "null")]));
        assert!(!sent(&[("host", "a.example")]));
    }
}
