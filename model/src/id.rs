//! Names and numbers that identify things. Each is its own type, so that one cannot be passed for another.

use crate::text::ruled_text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use uuid::Uuid;

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

ruled_text!(
    /// Whose data it is: in Kubernetes the namespace of the ApiToken, elsewhere a name of the same form.
    TenantId("tenant"): "must be 1 to 63 of a-z, 0-9 and '-', with no '-' at either end",
    { "pattern" = "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$" },
    |text| {
        let inner = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'-';
        (1..=63).contains(&text.len()) && text.bytes().all(inner) && !text.starts_with('-') && !text.ends_with('-')
    }
);

impl Default for TenantId {
    fn default() -> Self {
        Self("default".to_owned())
    }
}

ruled_text!(
    /// The public part of a token: safe to show and to log.
    TokenId("token id"): "must be 1 to 64 of 0-9, A-Z and a-z",
    { "pattern" = "^[0-9A-Za-z]{1,64}$" },
    |text| (1..=64).contains(&text.len()) && text.bytes().all(|c| c.is_ascii_alphanumeric())
);

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
