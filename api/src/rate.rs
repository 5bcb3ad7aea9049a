//! The rate of submissions as `RateLimit-Policy` and `RateLimit` tell it (draft-ietf-httpapi-ratelimit-headers).

use crate::{
    app::App,
    auth::Caller,
    config::Config,
    problem::{Code, Problem, TRY_AGAIN_S},
};
use axum::{
    http::{HeaderMap, HeaderName, HeaderValue},
    response::{IntoResponse, Response},
};
use gleaner_store::{RateLimit, RateState};

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const STATE: HeaderName = HeaderName::from_static("ratelimit");

/// What one token may submit.
pub struct Rate {
    /// The limit as the store takes it.
    pub limit: RateLimit,
    /// What the policy's header says; none where there is no limit.
    policy: Option<HeaderValue>,
}

impl Rate {
    /// The limit as it is set.
    pub fn new(config: &Config) -> Self {
        let limit = RateLimit { per_minute: config.rate_limit_per_minute, burst: config.rate_limit_burst };
        let policy = format!(r#""default";q={};w={}"#, limit.burst, limit.window_s());
        // Digits and punctuation always make a header.
        let policy = (!limit.is_off()).then(|| HeaderValue::from_str(&policy).ok()).flatten();
        Self { limit, policy }
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

/// 429 for a token whose rate is used up.
pub fn limited(retry_after_s: u32) -> Problem {
    Problem::new(Code::RateLimited, "this token submits too fast; try again after Retry-After")
        .retry_after(retry_after_s.into())
}

/// Gives an answer of a rated route its headers. What was refused before the store counted it is counted here: a
/// wrong request costs as much as a right one.
pub async fn complete(app: &App, caller: Option<&Caller>, mut response: Response) -> Response {
    if app.rate.policy.is_none() || response.headers().contains_key(STATE) {
        return response;
    }
    let Some(caller) = caller else {
        // Nobody's bucket: what a token that has not submitted yet would have.
        app.rate.write(response.headers_mut(), app.rate.limit.burst, 0);
        return response;
    };
    let away = response.status().is_server_error();
    let state = if away { Err(None) } else { charged(app, caller).await.map_err(Some) };
    match state {
        Ok(Some(state)) => {
            if state.retry_after_s > 0 {
                app.metrics.rate_limited.inc();
                response = limited(state.retry_after_s).into_response();
            }
            app.rate.write(response.headers_mut(), state.remaining, state.reset_s.into());
        }
        Ok(None) => {}
        Err(problem) => {
            response = problem.map_or(response, IntoResponse::into_response);
            // Where nothing can be accepted nothing is left; the time is that of Retry-After.
            app.rate.write(response.headers_mut(), 0, TRY_AGAIN_S);
        }
    }
    response
}

async fn charged(app: &App, caller: &Caller) -> Result<Option<RateState>, Problem> {
    let credential = &caller.credential;
    app.ask(app.store.charge(&credential.tenant, &credential.token_id, app.rate.limit)).await
}
