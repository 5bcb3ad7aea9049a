//! What a route is, and the way of a request through one: token, rate, scope, parameters, handler.

use crate::{
    app::App,
    auth::{self, ActsFor, Caller},
    body, charge,
    feeds::calendar::FEED,
    operation::{Doc, Operation},
    problem::Problem,
    query::{Param, Query},
    rate::RateKind,
    request_id::RequestId,
};
use axum::{
    body::Body,
    extract::{FromRequestParts as _, RawPathParams},
    http::{Extensions, HeaderMap, HeaderValue, Method, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use futures::future::BoxFuture;
use gleaner_model::{Scope, ScopeSet};
use gleaner_runtime::connections::ClientConnection;
use gleaner_store::RateState;
use std::{str::FromStr, sync::Arc};

/// Whose requests a route takes.
#[derive(Clone, Copy, Debug)]
pub enum Access {
    /// Anybody.
    Open,
    /// Any valid token.
    Token,
    /// A token with one of these scopes; the first is the one to ask for.
    AnyScope(&'static [Scope]),
    /// The token of a feed, as the parameter `feed`, or a token with one of these scopes.
    FeedOrScope(&'static [Scope]),
}

impl Access {
    /// Whether a token with these scopes may call.
    pub fn allows(self, scopes: &ScopeSet) -> bool {
        match self {
            Self::Open | Self::Token => true,
            Self::AnyScope(any) => scopes.allows_any(any),
            Self::FeedOrScope(any) => scopes.allows(Scope::FeedRead) || scopes.allows_any(any),
        }
    }

    /// Lets the caller in, or on: long answers ask again meanwhile.
    ///
    /// # Errors
    /// 403 where the token lacks the scope.
    pub fn admit(self, caller: &Caller) -> Result<(), Problem> {
        match self {
            Self::AnyScope(scopes) | Self::FeedOrScope(scopes) if !self.allows(&caller.credential.scopes) => {
                Err(auth::insufficient_scope(&scopes.iter().take(1).copied().collect()))
            }
            _ => Ok(()),
        }
    }
}

/// What a handler comes to.
pub type HandlerResult = Result<Response, Problem>;

/// The answer where something is gone now: 204, or 404 where it was not there.
pub fn gone(was_there: bool) -> HandlerResult {
    if was_there { Ok(StatusCode::NO_CONTENT.into_response()) } else { Err(Problem::not_found()) }
}

/// A handler of a route.
#[derive(Clone, Copy)]
pub enum Handler {
    /// Answers without asking who calls.
    Open(fn(&App, &HeaderMap) -> Response),
    /// Answers one caller.
    Caller(for<'a> fn(&'a mut ApiCall) -> BoxFuture<'a, HandlerResult>),
}

/// Makes a route's entry in the OpenAPI document: summary, tag, parameters and answers.
type Docs = fn(&mut Doc) -> Operation;

/// One endpoint: who may call it, what it takes, who answers, and what is said of it.
pub struct Route {
    /// The method; GET answers HEAD too.
    pub method: Method,
    /// The path, with its parameters in braces.
    pub path: &'static str,
    /// Whose requests it takes; checked before the handler runs.
    pub access: Access,
    /// The query parameters that it takes.
    pub query: &'static [Param],
    /// The token's rate that calls count against, if any.
    pub rate: Option<RateKind>,
    /// What answers a request that was let in.
    pub handler: Handler,
    /// Makes its entry in the OpenAPI document.
    pub docs: Docs,
}

impl Route {
    const fn new(method: Method, path: &'static str, access: Access, handler: Handler, docs: Docs) -> Self {
        Self { method, path, access, query: &[], rate: None, handler, docs }
    }

    /// A `GET` route, which changes nothing; it answers `HEAD` too.
    pub const fn get(path: &'static str, access: Access, handler: Handler, docs: Docs) -> Self {
        Self::new(Method::GET, path, access, handler, docs)
    }

    /// A `POST` route.
    pub const fn post(path: &'static str, access: Access, handler: Handler, docs: Docs) -> Self {
        Self::new(Method::POST, path, access, handler, docs)
    }

    /// A `PATCH` route.
    pub const fn patch(path: &'static str, access: Access, handler: Handler, docs: Docs) -> Self {
        Self::new(Method::PATCH, path, access, handler, docs)
    }

    /// A `DELETE` route.
    pub const fn delete(path: &'static str, access: Access, handler: Handler, docs: Docs) -> Self {
        Self::new(Method::DELETE, path, access, handler, docs)
    }

    /// The names of its path's parameters.
    pub fn path_parameters(&self) -> impl Iterator<Item = &'static str> {
        self.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
    }

    /// The same route with query parameters.
    pub const fn taking(mut self, query: &'static [Param]) -> Self {
        self.query = query;
        self
    }

    /// The same route, its calls counted against a rate of the token.
    pub const fn within(mut self, rate: RateKind) -> Self {
        self.rate = Some(rate);
        self
    }
}

/// One request of a known caller.
pub struct ApiCall {
    /// What all requests share.
    pub app: Arc<App>,
    /// The credential of the request, and the person it speaks for.
    pub caller: Caller,
    /// Whose requests the route takes: long answers ask again meanwhile.
    pub access: Access,
    /// The parameters of the query string, checked.
    pub query: Query,
    /// The request's headers.
    pub headers: HeaderMap,
    /// The id under which the log knows the request.
    pub request_id: RequestId,
    /// What the router gives each request.
    pub extensions: Extensions,
    path: Vec<(String, String)>,
    body: Body,
}

impl ApiCall {
    /// A parameter of the path in its own type.
    ///
    /// # Errors
    /// 404 when the text cannot name such a thing.
    pub fn id<T: FromStr>(&self, name: &str) -> Result<T, Problem> {
        let found = self.path.iter().find(|(known, _)| known == name);
        found.and_then(|(_, text)| text.parse().ok()).ok_or_else(Problem::not_found)
    }

    /// The body, of one of the media types.
    ///
    /// # Errors
    /// As [`body::BodyLimits::read`].
    pub async fn body(&mut self, media_types: &[&str]) -> Result<body::ReceivedBody, Problem> {
        self.app.body_limits.read(&self.headers, &mut self.body, media_types).await
    }

    /// The text of a header, if it is there and is text.
    pub fn header(&self, name: impl header::AsHeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

/// Every route, as an extension of requests.
#[derive(Clone, Copy)]
pub struct RouteTable(pub &'static [Route]);

/// The routes of one path.
pub type PathRoutes = Arc<[&'static Route]>;

/// Answers a request to a path: by its method's route, or with what else the path takes.
pub async fn dispatch(app: Arc<App>, endpoint: PathRoutes, parts: Parts, body: Body) -> Response {
    let method = if parts.method == Method::HEAD { &Method::GET } else { &parts.method };
    match endpoint.iter().find(|route| route.method == method) {
        Some(route) => {
            let mut response = answer(app, route, parts, body).await;
            response.extensions_mut().insert(MatchedRoute(route.path));
            response
        }
        None => other_method(&endpoint, &parts, body).await,
    }
}

/// The path of the route that answered, as an extension of the answer.
#[derive(Clone, Copy)]
pub struct MatchedRoute(pub &'static str);

async fn answer(app: Arc<App>, route: &'static Route, parts: Parts, body: Body) -> Response {
    let run = match route.handler {
        Handler::Open(run) => return run(&app, &parts.headers),
        Handler::Caller(run) => run,
    };
    let (mut seen, mut body) = (SeenRequest::default(), body);
    let response = match prepare(&app, route, parts, &mut body, &mut seen).await {
        Ok(mut call) => {
            let outcome = run(&mut call).await;
            if outcome.is_err() {
                body::drain(&call.headers, &mut call.body).await;
            }
            outcome.into_response()
        }
        Err(refused) => refused.into_response(),
    };
    charge::complete(route.rate, &app, seen.caller.as_ref(), seen.counted, response).await
}

/// What was found out of a request, also where it is refused then.
#[derive(Default)]
struct SeenRequest {
    caller: Option<Caller>,
    /// How the caller stands with the route's rate, where that was counted already.
    counted: Option<RateState>,
}

/// Everything before the handler: token, rate, scope, parameters.
async fn prepare(
    app: &Arc<App>,
    route: &'static Route,
    mut parts: Parts,
    body: &mut Body,
    seen: &mut SeenRequest,
) -> Result<ApiCall, Problem> {
    match checked(app, route, &mut parts, seen).await {
        Ok((caller, path, query)) => Ok(ApiCall {
            app: Arc::clone(app),
            caller,
            access: route.access,
            query,
            request_id: RequestId::of(&parts),
            headers: parts.headers,
            extensions: parts.extensions,
            path,
            body: std::mem::take(body),
        }),
        Err(refused) => {
            body::drain(&parts.headers, body).await;
            Err(refused)
        }
    }
}

type Checked = (Caller, Vec<(String, String)>, Query);

async fn checked(
    app: &App,
    route: &'static Route,
    parts: &mut Parts,
    seen: &mut SeenRequest,
) -> Result<Checked, Problem> {
    let caller = match feed_token(route, parts) {
        Some(token) => app.authenticator.feed(&token).await?,
        None => app.authenticator.authenticate(&parts.headers).await?,
    };
    let caller = match parts.extensions.get::<ActsFor>() {
        Some(person) => caller.for_subject(person),
        None => caller,
    };
    let caller = seen.caller.insert(caller).clone();
    charge::charge(route.rate, app, &caller, &mut seen.counted).await?;
    if let Some(connection) = parts.extensions.get::<ClientConnection>() {
        connection.belongs_to(&caller.holder()).map_err(|exceeded| {
            Problem::share_exceeded(exceeded, "connections")
                .with_header(header::CONNECTION, HeaderValue::from_static("close"))
        })?;
    }
    route.access.admit(&caller)?;
    let path = RawPathParams::from_request_parts(parts, &()).await.map_err(|_| Problem::not_found())?;
    let path = path.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let query = Query::read(parts.uri.query().unwrap_or_default(), route.query)?;
    Ok((caller, path, query))
}

/// The token in the address, where the route takes one there.
fn feed_token(route: &Route, parts: &Parts) -> Option<String> {
    let query = parts.uri.query().filter(|_| matches!(route.access, Access::FeedOrScope(_)))?;
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    pairs.find(|(name, value)| name == FEED && !value.trim().is_empty()).map(|(_, value)| value.trim().to_owned())
}

async fn other_method(endpoint: &PathRoutes, parts: &Parts, mut body: Body) -> Response {
    body::drain(&parts.headers, &mut body).await;
    let allow = allowed(endpoint);
    let mut response = if parts.method == Method::OPTIONS {
        StatusCode::NO_CONTENT.into_response()
    } else {
        let detail = format!("{} is not allowed here; allowed are: {allow}", parts.method);
        Problem::new(crate::problem::Code::MethodNotAllowed, detail).into_response()
    };
    if let Ok(allow) = HeaderValue::from_str(&allow) {
        response.headers_mut().insert(header::ALLOW, allow);
    }
    response
}

/// The methods of a path, as `Allow` lists them.
fn allowed(endpoint: &PathRoutes) -> String {
    let mut methods: Vec<&str> = endpoint.iter().map(|route| route.method.as_str()).collect();
    if methods.contains(&"GET") {
        methods.push("HEAD");
    }
    methods.push("OPTIONS");
    methods.join(", ")
}
