//! Counts calls of rated routes: before anything else of them is looked at, so that a wrong request costs as much as a right
//! one. Submissions are counted in the step that accepts them, and here only where they do not come so far.

use crate::{
    app::App,
    auth::Caller,
    problem::{Problem, TRY_AGAIN_S},
    rate::{RateKind, STATE},
};
use axum::response::{IntoResponse, Response};
use gleaner_store::RateState;

/// Counts a call; `counted` is how the caller stands then.
///
/// # Errors
/// 429 where the rate is used up, 503 where the store cannot be asked.
pub async fn charge(
    kind: Option<RateKind>,
    app: &App,
    caller: &Caller,
    counted: &mut Option<RateState>,
) -> Result<(), Problem> {
    match kind {
        Some(kind @ RateKind::Feedback) => charge_now(kind, app, caller, counted).await,
        Some(RateKind::Submissions) | None => Ok(()),
    }
}

/// Gives an answer of a rated route its headers. A submission that was refused before the store counted it is counted here.
pub async fn complete(
    kind: Option<RateKind>,
    app: &App,
    caller: Option<&Caller>,
    mut counted: Option<RateState>,
    mut response: Response,
) -> Response {
    let Some(kind) = kind else { return response };
    let rate = app.rates.of(kind);
    if rate.is_off() || response.headers().contains_key(STATE) {
        return response;
    }
    if let (Some(caller), None, false) = (caller, counted, response.status().is_server_error())
        && let Err(refused) = charge_now(kind, app, caller, &mut counted).await
    {
        response = refused.into_response();
    }
    let (remaining, reset_s) = match (counted, caller) {
        (Some(state), _) => (state.remaining, state.reset_s.into()),
        // Nobody's bucket: what a token that has not come yet would have.
        (None, None) => (rate.limit.burst, 0),
        // Where nothing can be accepted nothing is left; the time is that of Retry-After.
        (None, Some(_)) => (0, TRY_AGAIN_S),
    };
    rate.write(response.headers_mut(), remaining, reset_s);
    response
}

async fn charge_now(
    kind: RateKind,
    app: &App,
    caller: &Caller,
    counted: &mut Option<RateState>,
) -> Result<(), Problem> {
    let (credential, rate) = (&caller.credential, app.rates.of(kind));
    let (tenant, token) = (&credential.tenant, &credential.token_id);
    *counted = match kind {
        RateKind::Submissions => app.ask(app.store.charge_submission(tenant, token, rate.limit, rate.tenant)).await?,
        RateKind::Feedback => app.ask(app.store.charge_feedback(tenant, token, rate.limit, rate.tenant)).await?,
    };
    match counted {
        Some(state) if state.retry_after_s > 0 => {
            app.metrics.rate_limited.inc();
            Err(kind.exceeded(state.retry_after_s))
        }
        _ => Ok(()),
    }
}
