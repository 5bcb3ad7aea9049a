//! Takes submissions over HTTP and answers for them; holds no state of its own, so that any number of processes may
//! serve the same store.
//!
//! A request passes `envelope` (id, problems, counts), `route` (token, scope, parameters) and one handler. The
//! routes stand on one screen in `router`; the OpenAPI document is made from the same table. The pages of `web` are a
//! client of these routes.

mod address;
mod app;
mod auth;
mod body;
mod charge;
mod config;
mod envelope;
mod events;
mod examples;
mod export;
mod feeds;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzz;
mod in_process;
mod ingest;
mod json;
mod keyed_notify;
mod learning;
mod list_page;
mod mcp;
mod merge_patch;
mod metrics;
mod openapi;
mod operation;
pub mod pdf;
mod problem;
mod query;
mod rate;
mod request_id;
mod route;
mod router;
mod service_docs;
mod store_problem;
mod strict_value;
mod tasks;
mod tokens;
mod validation;
mod web;
mod webhooks;
mod week;

pub use config::ApiConfig;
pub use metrics::ApiMetrics;
pub use tokens::issuer::TokenIssuer;

use gleaner_runtime::{Shutdown, http};
use gleaner_store::Store;
use std::{io, net::SocketAddr, sync::Arc};
use tokens::issuer::Issuer;
use tokio::net::TcpListener;

/// Listens at once, so that a taken address is an error at start, and serves until the process ends.
///
/// # Errors
/// When the address cannot be listened on, or tokens are to be made in a Kubernetes that cannot be found.
pub async fn start(
    config: ApiConfig,
    store: Store,
    metrics: ApiMetrics,
    shutdown: &Shutdown,
) -> io::Result<SocketAddr> {
    let listener = TcpListener::bind(config.listen).await?;
    let address = listener.local_addr()?;
    let connections = config.connections();
    let limits = http::HttpLimits {
        header_timeout: config.header_timeout(),
        connections,
        ..http::HttpLimits::of(connections.total)
    };
    let issuer = Issuer::new(config.token_issuer).await.map_err(io::Error::other)?;
    let document = openapi::document(router::ROUTES, &config.path_prefix);
    let service_docs = service_docs::render(&document, &config.path_prefix);
    let parts = app::AppParts { config, store, issuer, service_docs, metrics, shutdown: shutdown.clone() };
    let app = app::App::new(parts);
    shutdown.spawn(app::follow_notices(app.clone()));
    let (site, this) = (web::site(&app, router::router(Arc::clone(&app))), shutdown.clone());
    shutdown.spawn(async move { http::serve(listener, site, limits, &this).await });
    Ok(address)
}

/// Serves until the process ends.
///
/// # Errors
/// When the address cannot be listened on.
pub async fn run(config: ApiConfig, store: Store, metrics: ApiMetrics, shutdown: Shutdown) -> io::Result<()> {
    let address = start(config, store, metrics, &shutdown).await?;
    tracing::info!(address = %address, "Serving HTTP");
    shutdown.finished().await;
    Ok(())
}

/// The OpenAPI document as it is checked in.
#[must_use]
pub fn openapi_json() -> String {
    let document = openapi::document(router::ROUTES, "");
    // A tree of strings and numbers: writing it cannot fail.
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}
