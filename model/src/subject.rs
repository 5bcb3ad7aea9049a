//! Who a token speaks for.

use chrono::{DateTime, NaiveDate, Utc};
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

    /// Which day it is for the subject: in its time zone, or else in UTC.
    #[must_use]
    pub fn today(&self, now: DateTime<Utc>) -> NaiveDate {
        self.zone().map_or_else(|| now.date_naive(), |zone| now.with_timezone(&zone).date_naive())
    }

    /// What stands for the subject where one vote per subject counts: its address, its name, or nothing.
    #[must_use]
    pub fn key(&self) -> Option<String> {
        self.email.as_ref().or(self.name.as_ref()).map(|text| text.to_lowercase())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn today_is_that_of_the_zone() {
        let now = "2026-03-04T03:00:00Z".parse().unwrap();
        let there = Subject { time_zone: Some("America/Chicago".to_owned()), ..Subject::default() };
        assert_eq!(there.today(now).to_string(), "2026-03-03");
        assert_eq!(Subject::default().today(now).to_string(), "2026-03-04");
    }
}
