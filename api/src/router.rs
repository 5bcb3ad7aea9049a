//! Every route on one screen: method, path, who may call, what it takes, who answers, what is said of it.

use crate::{
    app::App,
    body, envelope, events, feeds,
    in_process::InProcessClient,
    ingest::{erase, file, get_job, list_jobs, missed, requeue, submit},
    learning::{forget, show},
    mcp,
    problem::Problem,
    rate::RateKind::{Feedback, Submissions},
    route::{self, Access, Handler, PathRoutes, Route, RouteTable},
    service_docs,
    tasks::{explain, feedback, get, list, patch, unrate},
    tokens::{create, list as list_tokens, me, revoke},
    webhooks,
};
use axum::{
    Extension, Router,
    extract::Request,
    middleware,
    response::{IntoResponse, Response},
    routing::any,
};
use gleaner_model::Scope::{
    self, FeedbackWrite, IngestRead, IngestWrite, TasksRead, TasksWrite, TokensWrite, WebhooksWrite,
};
use std::{collections::BTreeMap, sync::Arc};

/// Who may listen to what happens: pages ask before they do.
pub const EVENTS: Access = Access::AnyScope(&[TasksRead]);

const JOBS: &[Scope] = &[IngestRead, IngestWrite];
const WEBHOOKS: &[Scope] = &[WebhooksWrite];
const LEARNING: &[Scope] = &[TasksRead, FeedbackWrite];

macro_rules! run {
    ($handler:path) => {
        Handler::Caller(|call| Box::pin($handler(call)))
    };
}

/// The routes, in the order of the API's description.
#[rustfmt::skip]
pub const ROUTES: &[Route] = &[
    // Content in.
    Route::post("/ingest/items", Access::AnyScope(&[IngestWrite]), run!(submit::handle), submit::docs).taking(file::QUERY).within(Submissions),
    Route::delete("/ingest/items/{source_type}/{external_id}", Access::AnyScope(&[TasksWrite]), run!(erase::handle), erase::docs),
    Route::post("/ingest/items/{source_type}/{external_id}/missed", Access::AnyScope(&[FeedbackWrite]), run!(missed::handle), missed::docs).within(Feedback),
    Route::get("/ingest/jobs", Access::AnyScope(JOBS), run!(list_jobs::handle), list_jobs::docs).taking(list_jobs::QUERY),
    Route::get("/ingest/jobs/{job_id}", Access::AnyScope(JOBS), run!(get_job::handle), get_job::docs).taking(get_job::QUERY),
    Route::post("/ingest/jobs/{job_id}/requeue", Access::AnyScope(&[IngestWrite]), run!(requeue::handle), requeue::docs),
    // Tasks out.
    Route::get("/tasks", Access::AnyScope(&[TasksRead]), run!(list::handle), list::docs).taking(list::QUERY),
    Route::get("/tasks/{task_id}", Access::AnyScope(&[TasksRead]), run!(get::handle), get::docs),
    Route::patch("/tasks/{task_id}", Access::AnyScope(&[TasksWrite]), run!(patch::handle), patch::docs),
    Route::get("/tasks/{task_id}/explain", Access::AnyScope(&[TasksRead]), run!(explain::handle), explain::docs),
    Route::post("/tasks/{task_id}/feedback", Access::AnyScope(&[FeedbackWrite]), run!(feedback::handle), feedback::docs).within(Feedback),
    Route::delete("/tasks/{task_id}/feedback", Access::AnyScope(&[FeedbackWrite]), run!(unrate::handle), unrate::docs).within(Feedback),
    Route::get("/learning", Access::AnyScope(LEARNING), run!(show::handle), show::docs),
    Route::delete("/learning", Access::AnyScope(&[TasksWrite]), run!(forget::handle), forget::docs),
    Route::get("/events", EVENTS, run!(events::handle), events::docs),
    // Calendars.
    Route::get("/tasks.ics", Access::FeedOrScope(&[TasksRead]), run!(feeds::calendar::handle), feeds::calendar::docs).taking(feeds::calendar::QUERY),
    Route::get("/feeds", Access::AnyScope(&[TasksRead]), run!(feeds::list::handle), feeds::list::docs),
    Route::post("/feeds", Access::AnyScope(&[TasksRead]), run!(feeds::create::handle), feeds::create::docs),
    Route::delete("/feeds/{feed_id}", Access::AnyScope(&[TasksRead]), run!(feeds::revoke::handle), feeds::revoke::docs),
    // Who may do what.
    Route::get("/tokens/me", Access::Token, run!(me::handle), me::docs),
    Route::get("/tokens", Access::AnyScope(&[TokensWrite]), run!(list_tokens::handle), list_tokens::docs).taking(list_tokens::QUERY),
    Route::post("/tokens", Access::AnyScope(&[TokensWrite]), run!(create::handle), create::docs),
    Route::delete("/tokens/{token_id}", Access::AnyScope(&[TokensWrite]), run!(revoke::handle), revoke::docs),
    // Who is told what happens.
    Route::get("/webhooks", Access::AnyScope(WEBHOOKS), run!(webhooks::list::handle), webhooks::list::docs),
    Route::post("/webhooks", Access::AnyScope(WEBHOOKS), run!(webhooks::create::handle), webhooks::create::docs),
    Route::get("/webhooks/{webhook_id}", Access::AnyScope(WEBHOOKS), run!(webhooks::list::one), webhooks::list::one_docs),
    Route::patch("/webhooks/{webhook_id}", Access::AnyScope(WEBHOOKS), run!(webhooks::patch::handle), webhooks::patch::docs),
    Route::delete("/webhooks/{webhook_id}", Access::AnyScope(WEBHOOKS), run!(webhooks::remove::handle), webhooks::remove::docs),
    Route::post("/webhooks/{webhook_id}/rotate", Access::AnyScope(WEBHOOKS), run!(webhooks::rotate::handle), webhooks::rotate::docs),
    Route::post("/webhooks/{webhook_id}/test", Access::AnyScope(WEBHOOKS), run!(webhooks::send::test), webhooks::send::test_docs),
    Route::post("/webhooks/{webhook_id}/redeliver", Access::AnyScope(WEBHOOKS), run!(webhooks::send::replay), webhooks::send::replay_docs),
    Route::get("/webhooks/{webhook_id}/deliveries", Access::AnyScope(WEBHOOKS), run!(webhooks::deliveries::handle), webhooks::deliveries::docs).taking(webhooks::deliveries::QUERY),
    Route::post("/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver", Access::AnyScope(WEBHOOKS), run!(webhooks::send::redeliver), webhooks::send::redeliver_docs),
    // About the service.
    Route::post("/mcp", Access::Token, run!(mcp::handle), mcp::docs),
    Route::get("/docs", Access::Open, Handler::Open(service_docs::get_docs), service_docs::docs_docs),
    Route::get("/openapi.json", Access::Open, Handler::Open(service_docs::get_openapi), service_docs::openapi_docs),
];

/// Serves the table: any path that is in no route is 404, any other method 405.
pub fn router(app: Arc<App>) -> Router {
    let mut endpoints: BTreeMap<&str, Vec<&'static Route>> = BTreeMap::new();
    for route in ROUTES {
        endpoints.entry(route.path).or_default().push(route);
    }
    let mut router = Router::new();
    for (path, routes) in endpoints {
        router = router.route(path, serve(&app, PathRoutes::from(routes)));
    }
    let api = router.fallback(not_found).layer(middleware::from_fn_with_state(app, envelope::envelope));
    // The tools for agents ask the other routes.
    let in_process = InProcessClient::new(api.clone());
    api.layer(Extension(in_process)).layer(Extension(RouteTable(ROUTES)))
}

fn serve(app: &Arc<App>, endpoint: PathRoutes) -> axum::routing::MethodRouter {
    let app = Arc::clone(app);
    any(move |request: Request| {
        let (parts, body) = request.into_parts();
        route::dispatch(app, endpoint, parts, body)
    })
}

async fn not_found(request: Request) -> Response {
    let (parts, mut body) = request.into_parts();
    body::drain(&parts.headers, &mut body).await;
    Problem::not_found().into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_routes_share_method_and_path_or_name() {
        let mut seen: Vec<_> = ROUTES.iter().map(|route| (route.method.as_str(), route.path)).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), ROUTES.len());
    }
}
