//! An owner or a due date as people give them back: as a task shows it, or the name or day alone.

use crate::day;
use chrono::NaiveDate;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};

/// Who is to do it: a name, or an object with it.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged, expecting = "must be a name, or an object with the member `name`")]
pub enum OwnerInput {
    /// The name.
    Name(#[schemars(length(min = 1, max = 200), extend("pattern" = r"\S"))] String),
    /// An owner as a task shows one.
    Shown {
        /// The name.
        #[schemars(length(min = 1, max = 200), extend("pattern" = r"\S"))]
        name: String,
    },
}

/// By when: a day, or an object with it.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged, expecting = "must be a date such as 2026-03-06, or an object with the member `date`")]
pub enum DueInput {
    /// The day.
    Day(
        #[serde(deserialize_with = "day::deserialize")]
        #[schemars(with = "String", extend("format" = "date"))]
        NaiveDate,
    ),
    /// A due date as a task shows one.
    Shown {
        /// The day.
        #[serde(deserialize_with = "day::deserialize")]
        #[schemars(with = "String", extend("format" = "date"))]
        date: NaiveDate,
    },
}

/// Reads the name of an owner.
///
/// # Errors
/// For what is neither a name nor an object with one.
pub fn owner<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let given = Option::<OwnerInput>::deserialize(deserializer)?;
    Ok(given.map(|given| match given {
        OwnerInput::Name(name) | OwnerInput::Shown { name } => name,
    }))
}

/// Reads the day of a due date.
///
/// # Errors
/// For what is neither a day nor an object with one.
pub fn due<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<NaiveDate>, D::Error> {
    let given = Option::<DueInput>::deserialize(deserializer)?;
    Ok(given.map(|given| match given {
        DueInput::Day(date) | DueInput::Shown { date } => date,
    }))
}
