//! How much a token may submit and say, as `RateLimit-Policy` and `RateLimit` tell it
//! (draft-ietf-httpapi-ratelimit-headers).

use crate::{
    config::ApiConfig,
    problem::{Code, Problem},
};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use gleaner_store::RateLimit;

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
/// The `RateLimit` header: what is left to a token, and the seconds until it has all again.
pub const STATE: HeaderName = HeaderName::from_static("ratelimit");

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
    /// What the policy's header says; `None` where there is no limit.
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

    /// Whether there is no limit.
    pub const fn is_off(&self) -> bool {
        self.policy.is_none()
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
