//! Scores the reading of date expressions against the suites of three parsers: is the day right, and is nothing read where
//! there is nothing?

use crate::data;
use anyhow::{Context as _, Result};
use chrono::{FixedOffset, NaiveDate, NaiveDateTime};
use gleaner_extract::due::find_in;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// An expression, and what it means by its suite.
#[derive(Debug, Deserialize)]
struct DateCase {
    source: String,
    text: String,
    /// When it was said; without it the day cannot be known.
    reference_time: Option<NaiveDateTime>,
    /// Offset of the time: `-02:00`.
    tz: Option<String>,
    due: Option<Day>,
    #[serde(default)]
    negative: bool,
    mode: Option<String>,
    entities: Option<Vec<Value>>,
}

#[derive(Debug, Deserialize)]
struct Day {
    date: NaiveDate,
}

/// What came out of a suite.
#[derive(Clone, Copy, Debug, Default)]
struct Suite {
    days: usize,
    right: usize,
    negatives: usize,
    empty: usize,
}

/// What came out of all suites, by name.
#[derive(Debug, Default)]
pub struct Suites(BTreeMap<String, Suite>);

impl DateCase {
    /// Whether nothing must be found in it; `None` where the suite says neither.
    fn is_negative(&self) -> Option<bool> {
        let none = self.source == "recognizers-text" && self.entities.as_ref().is_none_or(Vec::is_empty);
        if self.negative || none {
            // One suite has negatives of its stricter modes, which we do not stand for.
            let casual = self.mode.as_deref().is_none_or(|mode| matches!(mode, "chrono" | "chrono.casual"));
            return casual.then_some(true);
        }
        self.due.is_some().then_some(false)
    }

    /// The day that is read in it.
    fn read(&self, said_at: NaiveDateTime) -> Result<Option<NaiveDate>> {
        let offset: FixedOffset = self.tz.as_deref().unwrap_or("+00:00").parse().context("malformed offset")?;
        let offset = chrono::TimeDelta::seconds(i64::from(offset.local_minus_utc()));
        Ok(find_in(&self.text, said_at, offset, None).into_iter().next().map(|found| found.date))
    }
}

/// Scores every expression of `dates.jsonl.gz`.
///
/// # Errors
/// Where the file cannot be read.
pub fn score(folder: &Path) -> Result<Suites> {
    let mut suites = Suites::default();
    for case in data::read::<DateCase>(folder, "dates.jsonl.gz")? {
        let (Some(negative), Some(said_at)) = (case.is_negative(), case.reference_time) else { continue };
        let (read, day) = (case.read(said_at)?, case.due.as_ref().map(|day| day.date));
        let suite = suites.0.entry(case.source).or_default();
        if negative {
            suite.negatives += 1;
            suite.empty += usize::from(read.is_none());
        } else {
            suite.days += 1;
            suite.right += usize::from(read == day);
        }
    }
    Ok(suites)
}

fn share(some: usize, all: usize) -> f64 {
    some as f64 / all.max(1) as f64
}

impl fmt::Display for Suites {
    fn fmt(&self, form: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sum = |of: fn(&Suite) -> usize| self.0.values().map(of).sum::<usize>();
        let worst = self.0.values().map(|suite| share(suite.right, suite.days)).fold(1.0, f64::min);
        let (days, negatives) = (sum(|suite| suite.days), sum(|suite| suite.negatives));
        let all = share(sum(|suite| suite.right), days);
        write!(form, "right day, worst suite {worst:.3}, all {all:.3} of {days}")?;
        for (name, suite) in &self.0 {
            write!(form, ", {name} {:.3}", share(suite.right, suite.days))?;
        }
        write!(
            form,
            "; nothing read where there is nothing: {:.3} of {negatives}",
            share(sum(|suite| suite.empty), negatives)
        )
    }
}
