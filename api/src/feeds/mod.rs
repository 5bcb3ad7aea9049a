//! Calendar feeds: addresses that a calendar client can subscribe to, because they hold a token of their own. Such a token
//! reads tasks as a calendar and opens nothing else.

pub mod calendar;
pub mod create;
pub mod list;
pub mod revoke;

use chrono::{DateTime, SubsecRound as _, Utc};
use gleaner_model::{Scope, TokenId};
use gleaner_store::Credential;
use schemars::JsonSchema;
use serde::Serialize;

/// A feed without its address: what may be shown of it.
#[derive(Serialize, JsonSchema)]
pub struct Feed {
    /// Its id.
    feed_id: TokenId,
    /// What people call it.
    name: String,
    /// When it was made.
    created_at: DateTime<Utc>,
    /// When it ends, with the token that made it; null: never.
    expires_at: Option<DateTime<Utc>>,
    /// When a calendar last read it, to the hour.
    last_used_at: Option<DateTime<Utc>>,
}

impl From<Credential> for Feed {
    fn from(credential: Credential) -> Self {
        let shown = |time: DateTime<Utc>| time.trunc_subsecs(3);
        Self {
            feed_id: credential.token_id,
            name: credential.name.unwrap_or_default(),
            created_at: shown(credential.created_at),
            expires_at: credential.expires_at.map(shown),
            last_used_at: credential.last_used_at.map(shown),
        }
    }
}

/// Whether a credential is a feed's.
pub fn is_feed(credential: &Credential) -> bool {
    credential.scopes.allows(Scope::FeedRead)
}

/// Whether a feed is one for the caller to see and revoke: it is for the same person, or the caller sees to all tokens.
fn is_for(feed: &Credential, caller: &Credential) -> bool {
    is_feed(feed) && (caller.scopes.allows(Scope::TokensWrite) || feed.subject.key() == caller.subject.key())
}
