//! Who a token speaks for.

use chrono_tz::Tz;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The person or program that a token speaks for. It decides who "me" is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Subject {
    /// Full name, as it stands in transcripts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 200))]
    pub name: Option<String>,
    /// E-mail address.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 320))]
    pub email: Option<String>,
    /// Other names that the person goes by.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 32))]
    pub aliases: Vec<String>,
    /// IANA time zone in which dates are meant when the item does not say, e.g. `America/Chicago`.
    #[serde(skip_serializing_if = "Option::is_none", alias = "timeZone")]
    pub time_zone: Option<String>,
}

impl Subject {
    /// A subject of whom only the name is known.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), ..Self::default() }
    }

    /// Every name the subject goes by, the full one first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.name.iter().chain(&self.aliases).map(String::as_str)
    }

    /// The subject's time zone, if it names one that exists.
    #[must_use]
    pub fn zone(&self) -> Option<Tz> {
        self.time_zone.as_deref()?.parse().ok()
    }

    /// What stands for the subject where one vote per subject counts: its address, its name, or nothing.
    #[must_use]
    pub fn key(&self) -> Option<String> {
        self.email.as_ref().or(self.name.as_ref()).map(|text| text.to_lowercase())
    }
}
