//! From `Authorization: Bearer …` to a credential and its scopes (RFC 6750).
//!
//! Credentials are remembered for a moment, so that not every request asks the store; a notice from the store drops
//! one at once. What is remembered is as much "nobody has this token" as "somebody has": an unknown, a revoked, an
//! expired and a suspended token take the same way and get the same answer.

use crate::{
    problem::{Code, Problem},
    store_problem::within,
};
use axum::http::{HeaderMap, HeaderValue, header};
use chrono::{TimeDelta, Utc};
use gleaner_model::{Scope, ScopeSet, Subject, TokenHash};
use gleaner_runtime::{lock, shares::Holder};
use gleaner_store::{Credential, Store};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

/// For how long a credential is remembered, counted from before the store was asked.
const REMEMBERED: Duration = Duration::from_millis(1_200);
/// How many are remembered.
const CAPACITY: usize = 10_000;
/// How long a store that answers slowly may take to find one; one that answers nobody is given up sooner.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);
/// How exactly it is kept when a token was last used.
const TOUCH_EVERY: TimeDelta = TimeDelta::hours(1);
/// Longest token that is looked up.
const MAX_TOKEN: usize = 4_096;

/// Who calls: a token's credential, and the hash it was found by.
#[derive(Clone, Debug)]
pub struct Caller {
    /// What the token allows, whose data it is, whom it speaks for.
    pub credential: Arc<Credential>,
    /// The hash it was found by.
    pub hash: TokenHash,
}

/// Whom a request of the web app is for, where a trusted proxy signed them in: an extension of requests made in this
/// process, which none from outside can carry.
#[derive(Clone)]
pub struct ActsFor(pub Subject);

impl Caller {
    /// The caller, speaking for somebody else.
    pub fn for_subject(self, ActsFor(subject): &ActsFor) -> Self {
        let credential = Credential { subject: subject.clone(), ..(*self.credential).clone() };
        Self { credential: Arc::new(credential), ..self }
    }

    /// Who holds what there are shares of.
    pub fn holder(&self) -> Holder {
        Holder { tenant: self.credential.tenant.to_string(), token: self.credential.token_id.to_string() }
    }

    /// Who rates where one vote per subject counts: the subject, or the token of a subject without a name.
    pub fn rater(&self) -> String {
        self.credential.subject.key().unwrap_or_else(|| format!("token:{}", self.credential.token_id))
    }
}

/// Finds out who calls.
pub struct Authenticator {
    store: Store,
    known: Mutex<HashMap<TokenHash, CachedCredential>>,
}

#[derive(Clone)]
struct CachedCredential {
    asked_at: Instant,
    credential: Option<Arc<Credential>>,
}

impl Authenticator {
    /// An authenticator that remembers nothing yet.
    pub fn new(store: Store) -> Self {
        Self { store, known: Mutex::default() }
    }

    /// Finds the caller of a request.
    ///
    /// # Errors
    /// 401 where the token is missing, malformed or not valid now; 503 where the store cannot be asked.
    pub async fn authenticate(&self, headers: &HeaderMap) -> Result<Caller, Problem> {
        let hash = TokenHash::of(bearer(headers).ok_or_else(unauthenticated)?);
        // The token of a feed opens the feed alone.
        self.caller(hash)
            .await
            .and_then(|caller| if is_feed(&caller) { Err(Problem::invalid_token()) } else { Ok(caller) })
    }

    /// Finds the feed whose token stands in an address. No other token counts there: addresses are written down.
    ///
    /// # Errors
    /// As [`Self::authenticate`].
    pub async fn feed(&self, token: &str) -> Result<Caller, Problem> {
        let caller = self.caller(TokenHash::of(token)).await?;
        if is_feed(&caller) { Ok(caller) } else { Err(Problem::invalid_token()) }
    }

    /// The caller as its credential is now, if the token is still valid.
    ///
    /// # Errors
    /// As [`Self::authenticate`].
    pub async fn revalidate(&self, caller: &Caller) -> Result<Caller, Problem> {
        self.caller(caller.hash).await
    }

    async fn caller(&self, hash: TokenHash) -> Result<Caller, Problem> {
        let credential = match self.remembered(&hash) {
            Some(known) => known.credential,
            None => self.ask(hash).await?,
        };
        let valid = credential.filter(|credential| is_valid(credential));
        valid.map(|credential| Caller { credential, hash }).ok_or_else(Problem::invalid_token)
    }

    /// Forgets a credential: the store says that it changed, or this process took it away and does not wait for the store's notice.
    pub fn forget(&self, hash: &TokenHash) {
        lock(&self.known).remove(hash);
    }

    /// Forgets all: notices may have been missed.
    pub fn forget_all(&self) {
        lock(&self.known).clear();
    }

    fn remembered(&self, hash: &TokenHash) -> Option<CachedCredential> {
        let known = lock(&self.known);
        known.get(hash).filter(|known| known.asked_at.elapsed() < REMEMBERED).cloned()
    }

    async fn ask(&self, hash: TokenHash) -> Result<Option<Arc<Credential>>, Problem> {
        let asked_at = Instant::now();
        let credential = within(ANSWER_TIMEOUT, self.store.find_credential(&hash)).await?.map(Arc::new);
        if let Some(used) = credential.as_ref().filter(|credential| is_valid(credential)) {
            self.touch(used).await;
        }
        let mut known = lock(&self.known);
        if known.len() >= CAPACITY {
            // A flood of guesses must not push real tokens out.
            known.retain(|_, known| known.credential.is_some() && known.asked_at.elapsed() < REMEMBERED);
        }
        if known.len() < CAPACITY {
            known.insert(hash, CachedCredential { asked_at, credential: credential.clone() });
        }
        Ok(credential)
    }

    /// Writes down that a token is used, to the hour. A request does not fail for that.
    async fn touch(&self, credential: &Credential) {
        let due = credential.last_used_at.is_none_or(|last| Utc::now() - last > TOUCH_EVERY);
        if due && let Err(problem) = within(ANSWER_TIMEOUT, self.store.touch_credential(&credential.hash)).await {
            tracing::debug!(cause = problem.cause, "Could not write down that a token is used");
        }
    }
}

fn is_feed(caller: &Caller) -> bool {
    caller.credential.scopes.allows(Scope::FeedRead)
}

/// Whether a token may be used now.
fn is_valid(credential: &Credential) -> bool {
    !credential.suspended && credential.expires_at.is_none_or(|end| Utc::now() < end)
}

/// The token of the one `Authorization` header: any case of `Bearer`, one space or more, then the token.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let (value, None) = (values.next()?.to_str().ok()?, values.next()) else { return None };
    let (scheme, rest) = value.split_once(' ')?;
    let token = rest.trim_matches(' ');
    let formed = (1..=MAX_TOKEN).contains(&token.len()) && token.bytes().all(|c| c.is_ascii_graphic());
    (scheme.eq_ignore_ascii_case("bearer") && formed).then_some(token)
}

/// 403 for a caller who lacks these scopes.
pub fn insufficient_scope(lacking: &ScopeSet) -> Problem {
    let problem = Problem::new(Code::InsufficientScope, format!("this requires a token with the scope {lacking}"));
    challenge(problem, &format!(r#"Bearer realm="gleaner", error="insufficient_scope", scope="{lacking}""#))
}

fn unauthenticated() -> Problem {
    let problem = Problem::new(Code::Unauthenticated, "send the header Authorization: Bearer <token>");
    challenge(problem, r#"Bearer realm="gleaner""#)
}

fn challenge(problem: Problem, text: &str) -> Problem {
    match HeaderValue::from_str(text) {
        Ok(value) => problem.with_header(header::WWW_AUTHENTICATE, value),
        Err(_) => problem,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(value: &str) -> Option<String> {
        bearer(&HeaderMap::from_iter([(header::AUTHORIZATION, value.parse().unwrap())])).map(str::to_owned)
    }

    #[test]
    fn the_scheme_has_any_case_and_any_number_of_spaces() {
        for good in ["Bearer tok", "bearer tok", "BEARER    tok", "bEaReR tok "] {
            assert_eq!(read(good).as_deref(), Some("tok"), "{good}");
        }
        for bad in ["tok", "Basic tok", "Bearer", "Bearer ", "Bearer a b", "Bearertok"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }

    #[test]
    fn two_authorization_headers_are_none() {
        let mut headers = HeaderMap::new();
        headers.append(header::AUTHORIZATION, "Bearer a".parse().unwrap());
        headers.append(header::AUTHORIZATION, "Bearer b".parse().unwrap());
        assert_eq!(bearer(&headers), None);
    }
}
