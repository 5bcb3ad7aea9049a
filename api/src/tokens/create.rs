//! `POST /tokens`: a new token, shown this once.

use super::TokenInfo;
use crate::{
    app::App,
    auth, json,
    operation::{Doc, Operation},
    problem::{Code, Problem},
    route::{ApiCall, HandlerResult},
    validation::{FieldErrors, MAX_NAME},
};
use axum::http::StatusCode;
use chrono::{DateTime, Utc};
use gleaner_crds::TokenLimits;
use gleaner_model::{PlainToken, Scope, ScopeSet, Subject, TenantId, day};
use gleaner_store::{Credential, Origin, RateLimit, WriteOutcome};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How many minutes' worth of tokens may be made at once.
const BURST: u32 = 5;
/// Most aliases of a subject.
const MAX_ALIASES: usize = 32;
/// Longest e-mail address, in characters.
const MAX_EMAIL: usize = 320;

/// The token that is wanted.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewToken {
    /// What people call it.
    #[schemars(length(min = 1, max = 200), extend("pattern" = r"\S"))]
    name: String,
    /// What it is to allow: nothing that the token in hand does not.
    #[schemars(length(min = 1), extend("uniqueItems" = true))]
    scopes: Vec<Scope>,
    /// Who it is to speak for; absent: who the token in hand speaks for.
    #[serde(default)]
    subject: Option<Subject>,
    /// When it is to end: not later than the token in hand. Absent: when that one does. The admin may set a latest end, and
    /// the scopes that a token may have.
    #[serde(default, deserialize_with = "day::optional_time")]
    expires_at: Option<DateTime<Utc>>,
}

/// The new token.
#[derive(Serialize, JsonSchema)]
pub struct CreatedToken {
    /// The token itself: shown now and never again.
    token: String,
    /// What may be shown of it later.
    #[serde(flatten)]
    info: TokenInfo,
}

/// Summary, tag, parameters and answers.
pub fn docs(doc: &mut Doc) -> Operation {
    Operation::new("createToken", "Tokens", "Create a token")
        .about(
            "The token is in this answer and nowhere else: only its hash is kept. In Kubernetes an ApiToken resource that \
             carries the hash is made in the tenant's namespace. A token goes with the one that made it. A tenant makes at most \
             100 tokens, and 30 a minute in the long run; both are settings.",
        )
        .takes::<NewToken>(doc, &["application/json"])
        .answers::<CreatedToken>(doc, 201, "The token, shown this once.")
        .with_header(201, "Location", "The token's address, for revoking it.")
}

/// `POST /tokens`
pub async fn handle(call: &mut ApiCall) -> HandlerResult {
    let taken = call.body(&["application/json"]).await?;
    let mut wanted: NewToken = json::typed(&taken.bytes)?;
    let scopes: ScopeSet = wanted.scopes.iter().copied().collect();
    let mine = &call.caller.credential;
    wanted.expires_at = wanted.expires_at.or(mine.expires_at);
    check(&wanted, &scopes, mine.expires_at, &call.app.config.token_limits)?;
    let lacking = scopes.beyond(&mine.scopes);
    if !lacking.is_empty() {
        return Err(auth::insufficient_scope(&lacking));
    }
    within_rate(&call.app, &mine.tenant).await?;
    let token = PlainToken::mint().map_err(Problem::internal)?;
    let credential = Credential {
        hash: token.hash(),
        token_id: token.id(),
        tenant: mine.tenant.clone(),
        name: Some(wanted.name.trim().to_owned()),
        subject: wanted.subject.unwrap_or_else(|| mine.subject.clone()),
        scopes,
        created_at: Utc::now(),
        expires_at: wanted.expires_at,
        suspended: false,
        last_used_at: None,
        made_by: Some(mine.maker().to_owned()),
        origin: Origin::Store,
    };
    let credential = register(&call.app, &token, credential, mine).await?;
    let location = call.app.location(&format!("/tokens/{}", credential.token_id))?;
    let created = CreatedToken { token: token.expose().to_owned(), info: credential.into() };
    let mut response = json::answer(&created)?;
    *response.status_mut() = StatusCode::CREATED;
    response.headers_mut().insert(axum::http::header::LOCATION, location);
    Ok(response)
}

/// Registers a token that was just minted with another, and says how the credential came out.
///
/// # Errors
/// 422 where the tenant has made as many as it may, 401 where the other token was revoked meanwhile, what Kubernetes refused,
/// or 503 where it or the store cannot be asked.
async fn register(
    app: &App,
    token: &PlainToken,
    mut credential: Credential,
    maker: &Credential,
) -> Result<Credential, Problem> {
    let most = app.config.max_tokens;
    if app.issuer.makes_resources() && most > 0 && app.ask(app.store.made_tokens(&credential.tenant)).await? >= most {
        return Err(full(most));
    }
    credential.origin = app.issuer.create(token, &credential, maker).await?;
    let is_resource = matches!(credential.origin, Origin::Resource { .. });
    // That a resource was made decides. Its maker may be gone by now: the controller sees to that.
    let most = if is_resource { 0 } else { most };
    match app.ask(app.store.make_credential(&credential, &maker.hash, most)).await? {
        WriteOutcome::Written | WriteOutcome::Unchanged => Ok(credential),
        // The controller was quicker, which is as good.
        WriteOutcome::Stale if is_resource => Ok(credential),
        WriteOutcome::Orphaned => Err(Problem::invalid_token()),
        WriteOutcome::Full => Err(full(most)),
        WriteOutcome::Stale | WriteOutcome::Taken => Err(Problem::internal("a fresh token was refused by the store")),
    }
}

/// The tenant has made as many tokens as it may.
fn full(most: u32) -> Problem {
    let detail = format!("this tenant has made {most} tokens, which is as many as it may have: revoke one first");
    Problem::new(Code::InvalidRequest, detail)
}

/// Charges the tenant, unless it has as many tokens as it may and gets to hear that.
async fn within_rate(app: &App, tenant: &TenantId) -> Result<(), Problem> {
    let (most, per_minute) = (app.config.max_tokens, app.config.token_limit_per_minute);
    if most > 0 && app.ask(app.store.made_tokens(tenant)).await? >= most {
        return Ok(());
    }
    let limit = RateLimit { per_minute, burst: per_minute.saturating_mul(BURST) };
    let state = app.ask(app.store.charge_token(tenant, limit)).await?;
    match state.map_or(0, |state| state.retry_after_s) {
        0 => Ok(()),
        wait => {
            app.metrics.rate_limited.inc();
            let detail = "this tenant makes tokens too fast; try again after Retry-After";
            Err(Problem::new(Code::RateLimited, detail).retry_after(wait.into()))
        }
    }
}

/// `latest` is when the token in hand ends.
fn check(
    wanted: &NewToken,
    scopes: &ScopeSet,
    latest: Option<DateTime<Utc>>,
    limits: &TokenLimits,
) -> Result<(), Problem> {
    let now = Utc::now();
    let mut faults = FieldErrors::default();
    faults.line("/name", Some(&wanted.name), MAX_NAME);
    if wanted.scopes.is_empty() {
        faults.add("/scopes", "must name at least one scope");
    }
    if wanted.scopes.iter().enumerate().any(|(at, scope)| wanted.scopes[..at].contains(scope)) {
        faults.add("/scopes", "must name each scope once");
    }
    if let Some(why) = limits.beyond_scopes(scopes) {
        faults.add("/scopes", why);
    }
    if wanted.expires_at.is_some_and(|time| time <= now) {
        faults.add("/expires_at", "must be in the future");
    }
    if latest.is_some_and(|latest| wanted.expires_at.is_none_or(|end| end > latest)) {
        faults.add("/expires_at", "must not be later than the end of the token in hand");
    }
    if let Some(why) = limits.beyond_end(wanted.expires_at, now) {
        faults.add("/expires_at", why);
    }
    if let Some(subject) = &wanted.subject {
        check_subject(subject, &mut faults);
    }
    faults.into_result()
}

fn check_subject(subject: &Subject, faults: &mut FieldErrors) {
    faults.line("/subject/name", subject.name.as_deref(), MAX_NAME);
    faults.line("/subject/email", subject.email.as_deref(), MAX_EMAIL);
    if subject.aliases.len() > MAX_ALIASES {
        faults.add("/subject/aliases", format!("must have at most {MAX_ALIASES} names"));
    }
    for (at, alias) in subject.aliases.iter().enumerate().take(MAX_ALIASES) {
        faults.line(&format!("/subject/aliases/{at}"), Some(alias), MAX_NAME);
    }
    if subject.time_zone.is_some() && subject.zone().is_none() {
        faults.add("/subject/time_zone", "must be an IANA time zone such as America/Chicago");
    }
}
