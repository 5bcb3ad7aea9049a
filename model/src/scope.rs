//! What a token allows.

use schemars::JsonSchema;
use serde::{
    Deserialize, Serialize,
    de::{IntoDeserializer, value},
};
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
    /// List and read tasks; follow events; subscribe to calendars.
    #[serde(rename = "tasks:read")]
    TasksRead,
    /// Edit tasks; erase items; forget what was learnt.
    #[serde(rename = "tasks:write")]
    TasksWrite,
    /// Rate tasks; report missed ones; see what was learnt.
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
///
/// It keeps those that only another version knows: such a scope grants nothing here, and is not lost either.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct ScopeSet(#[schemars(with = "BTreeSet<Scope>")] BTreeSet<NamedScope>);

/// A scope as it is written down, known to this version or not.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum NamedScope {
    Known(Scope),
    Unknown(String),
}

impl ScopeSet {
    /// Every scope that this version knows.
    #[must_use]
    pub fn all() -> Self {
        Scope::ALL.into_iter().collect()
    }

    /// The scopes of these names, whether this version knows them or not.
    #[must_use]
    pub fn named<'a>(names: impl IntoIterator<Item = &'a String>) -> Self {
        let known = |name: &str| Scope::deserialize(IntoDeserializer::<value::Error>::into_deserializer(name));
        let named = |name: &String| known(name).map_or_else(|_| NamedScope::Unknown(name.clone()), NamedScope::Known);
        Self(names.into_iter().map(named).collect())
    }

    /// Whether the scope is in the set.
    #[must_use]
    pub fn allows(&self, scope: Scope) -> bool {
        self.0.contains(&NamedScope::Known(scope))
    }

    /// Whether one of these scopes is in the set.
    #[must_use]
    pub fn allows_any(&self, scopes: &[Scope]) -> bool {
        scopes.iter().any(|scope| self.allows(*scope))
    }

    /// The scopes of `self` that `granter` lacks: what it may not hand on.
    #[must_use]
    pub fn beyond(&self, granter: &Self) -> Self {
        Self(self.0.difference(&granter.0).cloned().collect())
    }

    /// Whether there is no scope in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The scopes that this version knows, in order.
    pub fn iter(&self) -> impl Iterator<Item = Scope> + '_ {
        self.0.iter().filter_map(|scope| match scope {
            NamedScope::Known(scope) => Some(*scope),
            NamedScope::Unknown(_) => None,
        })
    }

    /// The scopes that this version does not know: they grant nothing here.
    #[must_use]
    pub fn unknown(&self) -> Self {
        Self(self.0.iter().filter(|scope| matches!(scope, NamedScope::Unknown(_))).cloned().collect())
    }
}

impl FromIterator<Scope> for ScopeSet {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        Self(scopes.into_iter().map(NamedScope::Known).collect())
    }
}

impl fmt::Display for ScopeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, scope) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(" ")?;
            }
            match scope {
                NamedScope::Known(scope) => f.write_str(scope.as_str()),
                NamedScope::Unknown(name) => f.write_str(name),
            }?;
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
        assert_eq!(wanted.beyond(&granter), [Scope::IngestWrite].into_iter().collect());
    }

    #[test]
    fn a_scope_of_another_version_is_kept_and_grants_nothing() {
        let written = r#"["tasks:read","x-unknown:read"]"#;
        let set: ScopeSet = serde_json::from_str(written).unwrap();
        assert_eq!(set, ScopeSet::named(&["x-unknown:read".to_owned(), "tasks:read".to_owned()]));
        assert_eq!(set.iter().collect::<Vec<_>>(), [Scope::TasksRead]);
        assert_eq!(
            (serde_json::to_string(&set).unwrap().as_str(), set.to_string()),
            (written, "tasks:read x-unknown:read".to_owned())
        );
        assert_eq!(set.beyond(&ScopeSet::all()).to_string(), "x-unknown:read", "nobody hands it on");
    }
}
