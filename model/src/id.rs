//! Names and numbers that identify things. Each is its own type, so that one cannot be passed for another.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use uuid::Uuid;

/// Why a name was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} {rule}")]
pub struct InvalidName {
    /// What was to be named.
    pub what: &'static str,
    /// The rule that the text breaks.
    pub rule: &'static str,
}

macro_rules! uuid_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl $name {
            /// A new identifier, in the order of time (UUIDv7).
            #[must_use]
            #[allow(clippy::new_without_default)]
            pub fn new() -> Self {
                Self(Uuid::now_v7())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }
    };
}

uuid_id!(
    /// One submission on its way through a worker.
    JobId
);
uuid_id!(
    /// Something somebody is to do.
    TaskId
);
uuid_id!(
    /// One person's rating of one task.
    FeedbackId
);
uuid_id!(
    /// An endpoint that a tenant's events are sent to.
    WebhookId
);

/// Whose data it is: in Kubernetes the namespace of the ApiToken, elsewhere a name of the same form.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(extend("pattern" = "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$"))]
pub struct TenantId(String);

impl TenantId {
    /// # Errors
    /// When the text is not a DNS label (1–63 of `a-z 0-9 -`, no hyphen at either end).
    pub fn new(text: impl Into<String>) -> Result<Self, InvalidName> {
        let text = text.into();
        let inner = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'-';
        let fits =
            (1..=63).contains(&text.len()) && text.bytes().all(inner) && !text.starts_with('-') && !text.ends_with('-');
        if fits {
            Ok(Self(text))
        } else {
            Err(InvalidName { what: "tenant", rule: "must be 1 to 63 of a-z, 0-9 and '-', with no '-' at either end" })
        }
    }

    /// The name itself.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for TenantId {
    fn default() -> Self {
        Self("default".to_owned())
    }
}

impl TryFrom<String> for TenantId {
    type Error = InvalidName;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::new(text)
    }
}

impl From<TenantId> for String {
    fn from(id: TenantId) -> Self {
        id.0
    }
}

impl FromStr for TenantId {
    type Err = InvalidName;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::new(text)
    }
}

impl fmt::Display for TenantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for TenantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The public part of a token: safe to show and to log.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(extend("pattern" = "^[0-9A-Za-z]{1,64}$"))]
pub struct TokenId(String);

impl TokenId {
    /// # Errors
    /// When the text is not 1–64 of `0-9 A-Z a-z`. A minted id has 12.
    pub fn new(text: impl Into<String>) -> Result<Self, InvalidName> {
        let text = text.into();
        if (1..=64).contains(&text.len()) && text.bytes().all(|c| c.is_ascii_alphanumeric()) {
            Ok(Self(text))
        } else {
            Err(InvalidName { what: "token id", rule: "must be 1 to 64 of 0-9, A-Z and a-z" })
        }
    }

    /// The id itself.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for TokenId {
    type Error = InvalidName;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::new(text)
    }
}

impl From<TokenId> for String {
    fn from(id: TokenId) -> Self {
        id.0
    }
}

impl FromStr for TokenId {
    type Err = InvalidName;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::new(text)
    }
}

impl fmt::Display for TokenId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for TokenId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenant_is_a_dns_label() {
        for good in ["default", "a", "team-a", "0", &"x".repeat(63)] {
            assert!(TenantId::new(good).is_ok(), "{good}");
        }
        for bad in ["", "-a", "a-", "A", "a.b", "a_b", "ä", &"x".repeat(64)] {
            assert!(TenantId::new(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn ids_are_in_the_order_of_time() {
        let (first, second) = (JobId::new(), JobId::new());
        assert!(first < second);
        assert_eq!(first.0.get_version_num(), 7);
    }
}
