//! Tokens: who may do what. A token can make another one, never a stronger one.

pub mod create;
pub mod issuer;
pub mod list;
pub mod me;
pub mod revoke;

use chrono::{DateTime, SubsecRound as _, Utc};
use gleaner_model::{ScopeSet, Subject, TenantId, TokenId};
use gleaner_store::{Credential, Origin};
use schemars::JsonSchema;
use serde::Serialize;

/// A token without the token: what may be shown of it.
#[derive(Serialize, JsonSchema)]
pub struct TokenInfo {
    /// Its public part.
    token_id: TokenId,
    /// What people call it.
    name: Option<String>,
    /// Whose data it opens.
    tenant: TenantId,
    /// Who it speaks for.
    subject: Subject,
    /// What it allows.
    scopes: ScopeSet,
    /// When it was made.
    created_at: DateTime<Utc>,
    /// When it ends; null: never.
    expires_at: Option<DateTime<Utc>>,
    /// When it was last used, to the hour.
    last_used_at: Option<DateTime<Utc>>,
    /// Whether it is refused for the time being.
    suspended: bool,
    /// What made it over HTTP, and takes it along when it is revoked: a token's id, or the uid of an ApiToken.
    made_by: Option<String>,
    /// The ApiToken resource that it belongs to; null outside Kubernetes.
    api_token: Option<String>,
}

impl From<Credential> for TokenInfo {
    fn from(credential: Credential) -> Self {
        let shown = |time: DateTime<Utc>| time.trunc_subsecs(3);
        Self {
            token_id: credential.token_id,
            name: credential.name,
            tenant: credential.tenant,
            subject: credential.subject,
            scopes: credential.scopes,
            created_at: shown(credential.created_at),
            expires_at: credential.expires_at.map(shown),
            last_used_at: credential.last_used_at.map(shown),
            suspended: credential.suspended,
            made_by: credential.made_by,
            api_token: match credential.origin {
                Origin::Store => None,
                Origin::Resource { name, .. } => Some(name),
            },
        }
    }
}
