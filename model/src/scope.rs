//! What a token allows.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, fmt, str::FromStr};

/// One thing that a token may allow.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema)]
pub enum Scope {
    /// Submit items; also read the tenant's jobs.
    #[serde(rename = "ingest:write")]
    IngestWrite,
    /// Read jobs.
    #[serde(rename = "ingest:read")]
    IngestRead,
    /// List and read tasks and events.
    #[serde(rename = "tasks:read")]
    TasksRead,
    /// Edit tasks; erase items.
    #[serde(rename = "tasks:write")]
    TasksWrite,
    /// Rate tasks and report missed ones.
    #[serde(rename = "feedback:write")]
    FeedbackWrite,
    /// List, create and revoke tokens.
    #[serde(rename = "tokens:write")]
    TokensWrite,
    /// List, create and remove webhooks; see what was delivered.
    #[serde(rename = "webhooks:write")]
    WebhooksWrite,
    /// Read tasks as a calendar, and nothing else. No API token has it: it is that of feeds.
    #[serde(rename = "feed:read")]
    #[schemars(skip)]
    FeedRead,
}

/// The text names no scope.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown scope {0:?}; the scopes are {all}", all = Scope::ALL.map(Scope::as_str).join(", "))]
pub struct UnknownScope(pub String);

impl Scope {
    /// Every scope that a token may be given.
    pub const ALL: [Self; 7] = [
        Self::IngestWrite,
        Self::IngestRead,
        Self::TasksRead,
        Self::TasksWrite,
        Self::FeedbackWrite,
        Self::TokensWrite,
        Self::WebhooksWrite,
    ];

    /// The scope's name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::IngestWrite => "ingest:write",
            Self::IngestRead => "ingest:read",
            Self::TasksRead => "tasks:read",
            Self::TasksWrite => "tasks:write",
            Self::FeedbackWrite => "feedback:write",
            Self::TokensWrite => "tokens:write",
            Self::WebhooksWrite => "webhooks:write",
            Self::FeedRead => "feed:read",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Scope {
    type Err = UnknownScope;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|scope| scope.as_str() == text).ok_or_else(|| UnknownScope(text.to_owned()))
    }
}

/// A set of scopes, in a fixed order.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct ScopeSet(BTreeSet<Scope>);

impl ScopeSet {
    /// Every scope.
    #[must_use]
    pub fn all() -> Self {
        Scope::ALL.into_iter().collect()
    }

    /// Whether the scope is in the set.
    #[must_use]
    pub fn allows(&self, scope: Scope) -> bool {
        self.0.contains(&scope)
    }

    /// The scopes of `self` that `granter` lacks: what it may not hand on.
    pub fn beyond<'a>(&'a self, granter: &'a Self) -> impl Iterator<Item = Scope> + 'a {
        self.0.difference(&granter.0).copied()
    }

    /// Whether there is no scope in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The scopes, in order.
    pub fn iter(&self) -> impl Iterator<Item = Scope> + '_ {
        self.0.iter().copied()
    }
}

impl FromIterator<Scope> for ScopeSet {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        Self(scopes.into_iter().collect())
    }
}

impl fmt::Display for ScopeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, scope) in self.iter().enumerate() {
            if i > 0 {
                f.write_str(" ")?;
            }
            scope.fmt(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scope_reads_back_from_its_name() {
        for scope in Scope::ALL {
            assert_eq!(scope.as_str().parse::<Scope>(), Ok(scope));
            assert_eq!(serde_json::to_value(scope).unwrap(), scope.as_str());
        }
        assert!("tasks:*".parse::<Scope>().unwrap_err().to_string().contains("tasks:read"));
    }

    #[test]
    fn every_scope_of_the_type_is_listed_but_that_of_feeds() {
        let schema = serde_json::to_string(&schemars::schema_for!(Scope)).unwrap();
        let named = Scope::ALL.iter().filter(|scope| schema.contains(&format!("\"{scope}\""))).count();
        // The derived schema has an entry for each variant, whatever the list says.
        assert_eq!((named, schema.matches("\"const\"").count()), (Scope::ALL.len(), Scope::ALL.len()));
    }

    #[test]
    fn beyond_names_what_the_granter_lacks() {
        let granter: ScopeSet = [Scope::TasksRead, Scope::TokensWrite].into_iter().collect();
        let wanted: ScopeSet = [Scope::TasksRead, Scope::IngestWrite].into_iter().collect();
        assert_eq!(wanted.beyond(&granter).collect::<Vec<_>>(), [Scope::IngestWrite]);
    }
}
