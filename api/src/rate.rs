//! How much a token may submit and say, as `RateLimit-Policy` and `RateLimit` tell it (draft-ietf-httpapi-ratelimit-headers).

use crate::{
    app::App,
    auth::Caller,
    config::ApiConfig,
    problem::{Code, Problem, TRY_AGAIN_S},
};
use axum::{
    http::{HeaderMap, HeaderName, HeaderValue},
    response::{IntoResponse, Response},
};
use gleaner_store::{RateLimit, RateState};

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const STATE: HeaderName = HeaderName::from_static("ratelimit");

/// What is counted together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RateKind {
    /// Content that comes in; the store counts it in the step that accepts it.
    Submissions,
    /// What people say of tasks, and take back; counted before anything else is looked at.
    Feedback,
}

impl RateKind {
    /// What a token does whose rate is used up.
    pub const fn exceeded_words(self) -> &'static str {
        match self {
            Self::Submissions => "The token submits too fast.",
            Self::Feedback => "The token rates too fast.",
        }
    }

    /// 429 for a token whose rate is used up.
    pub fn exceeded(self, retry_after_s: u32) -> Problem {
        let detail = match self {
            Self::Submissions => "this token, or its tenant, submits too fast; try again after Retry-After",
            Self::Feedback => "this token, or its tenant, rates too fast; try again after Retry-After",
        };
        Problem::new(Code::RateLimited, detail).retry_after(retry_after_s.into())
    }
}

/// What one token may do.
pub struct Rates {
    submissions: TokenRate,
    feedback: TokenRate,
}

impl Rates {
    /// The limits as they are set.
    pub fn new(config: &ApiConfig) -> Self {
        Self {
            submissions: TokenRate::new(
                config.rate_limit_per_minute,
                config.rate_limit_burst,
                RateLimit {
                    per_minute: config.tenant_rate_limit_per_minute.unwrap_or(tenfold(config.rate_limit_per_minute)),
                    burst: config.tenant_rate_limit_burst.unwrap_or(tenfold(config.rate_limit_burst)),
                },
            ),
            feedback: TokenRate::new(
                config.feedback_limit_per_minute,
                config.feedback_limit_burst,
                RateLimit {
                    per_minute: tenfold(config.feedback_limit_per_minute),
                    burst: tenfold(config.feedback_limit_burst),
                },
            ),
        }
    }

    /// The limit of a kind.
    pub const fn of(&self, kind: RateKind) -> &TokenRate {
        match kind {
            RateKind::Submissions => &self.submissions,
            RateKind::Feedback => &self.feedback,
        }
    }
}

/// What a tenant may do where nothing else is said, by what one of its tokens may.
const fn tenfold(limit: u32) -> u32 {
    limit.saturating_mul(10)
}

/// What one token may do of one kind.
pub struct TokenRate {
    /// The limit as the store takes it.
    pub limit: RateLimit,
    /// That of all the tenant's tokens together, so that making tokens buys nothing.
    pub tenant: RateLimit,
    /// What the policy's header says; none where there is no limit.
    policy: Option<HeaderValue>,
}

impl TokenRate {
    fn new(per_minute: u32, burst: u32, tenant: RateLimit) -> Self {
        let limit = RateLimit { per_minute, burst };
        let policy = format!(r#""default";q={};w={}"#, limit.burst, limit.window_s());
        // Digits and punctuation always make a header.
        let policy = (!limit.is_off()).then(|| HeaderValue::from_str(&policy).ok()).flatten();
        Self { limit, tenant, policy }
    }

    /// Writes where a token stands.
    pub fn write(&self, headers: &mut HeaderMap, remaining: u32, reset_s: u64) {
        let state = HeaderValue::from_str(&format!(r#""default";r={remaining};t={reset_s}"#));
        if let (Some(policy), Ok(state)) = (&self.policy, state) {
            headers.insert(POLICY, policy.clone());
            headers.insert(STATE, state);
        }
    }
}

/// Counts a call before anything else of it is looked at, so that a wrong request costs as much as a right one; `counted`
/// is how the caller stands then. Submissions are counted in the step that accepts them.
///
/// # Errors
/// 429 where the rate is used up, 503 where the store cannot be asked.
pub async fn charge(
    kind: Option<RateKind>,
    app: &App,
    caller: &Caller,
    counted: &mut Option<RateState>,
) -> Result<(), Problem> {
    let Some(RateKind::Feedback) = kind else { return Ok(()) };
    *counted = charged(RateKind::Feedback, app, caller).await?;
    match counted {
        Some(state) if state.retry_after_s > 0 => Err(RateKind::Feedback.exceeded(state.retry_after_s)),
        _ => Ok(()),
    }
}

/// Gives an answer of a rated route its headers. A submission that was refused before the store counted it is counted here.
pub async fn complete(
    kind: Option<RateKind>,
    app: &App,
    caller: Option<&Caller>,
    counted: Option<RateState>,
    mut response: Response,
) -> Response {
    let Some(kind) = kind else { return response };
    let rate = app.rates.of(kind);
    if rate.policy.is_none() || response.headers().contains_key(STATE) {
        return response;
    }
    if let Some(state) = counted {
        rate.write(response.headers_mut(), state.remaining, state.reset_s.into());
        return response;
    }
    let Some(caller) = caller else {
        // Nobody's bucket: what a token that has not come yet would have.
        rate.write(response.headers_mut(), rate.limit.burst, 0);
        return response;
    };
    let away = response.status().is_server_error();
    let state = if away { Err(None) } else { charged(kind, app, caller).await.map_err(Some) };
    match state {
        Ok(Some(state)) => {
            if state.retry_after_s > 0 {
                response = kind.exceeded(state.retry_after_s).into_response();
            }
            rate.write(response.headers_mut(), state.remaining, state.reset_s.into());
        }
        Ok(None) => {}
        Err(problem) => {
            response = problem.map_or(response, IntoResponse::into_response);
            // Where nothing can be accepted nothing is left; the time is that of Retry-After.
            rate.write(response.headers_mut(), 0, TRY_AGAIN_S);
        }
    }
    response
}

async fn charged(kind: RateKind, app: &App, caller: &Caller) -> Result<Option<RateState>, Problem> {
    let (credential, TokenRate { limit, tenant: ours, .. }) = (&caller.credential, app.rates.of(kind));
    let (tenant, token) = (&credential.tenant, &credential.token_id);
    let state = match kind {
        RateKind::Submissions => app.ask(app.store.charge(tenant, token, *limit, *ours)).await?,
        RateKind::Feedback => app.ask(app.store.charge_feedback(tenant, token, *limit, *ours)).await?,
    };
    if state.is_some_and(|state| state.retry_after_s > 0) {
        app.metrics.rate_limited.inc();
    }
    Ok(state)
}
