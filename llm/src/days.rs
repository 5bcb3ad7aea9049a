//! Which day a task is due, as far as words of the text say so.
//!
//! Where a large model and our resolver read other days from the same words, the model was right in eight of nine and the
//! resolver in none (272 days of the development documents): it sees what the words refer to. So its day stands, if the
//! words stand in the text and lead to a day at all.

use crate::numbered::NumberedText;
use chrono::{NaiveDate, NaiveDateTime};
use gleaner_extract::{Context, due, language};
use gleaner_model::Due;
use std::collections::BTreeSet;

/// Most lines that are searched for days.
const LINES: usize = 20_000;

/// The days that a text names.
#[derive(Debug)]
pub struct Days {
    said_at: NaiveDateTime,
    language: String,
    named: BTreeSet<NaiveDate>,
}

impl Days {
    /// Of a text and its title.
    #[must_use]
    pub fn of(page: &NumberedText<'_>, title: &str, context: &Context) -> Self {
        let said_at = context.zone.local(context.occurred_at);
        let language = language::of(context.language.as_deref(), page.transcript());
        let lines = (0..page.len().min(LINES)).map(|line| page.line(line)).chain([title]);
        let named =
            lines.flat_map(|line| due::find(line, said_at, Some(language))).flat_map(|day| [day.date, day.last]);
        let named = named.collect();
        Self { said_at, language: language.to_owned(), named }
    }

    /// The day that a model gives for words of the text. `None` where the words do not stand there, where the model fixes no
    /// day, and where nothing in the text leads to the one that it gives.
    #[must_use]
    pub fn due(&self, page: &NumberedText<'_>, words: Option<&str>, day: Option<&str>) -> Option<Due> {
        let words = words?;
        if !page.speaks_of(words) {
            return None;
        }
        let day: NaiveDate = day?.get(..10)?.parse().ok()?;
        let ours = due::find(words, self.said_at, Some(&self.language));
        let spoken_of = self.named.contains(&day) || day == self.said_at.date();
        // Our resolver knows little of some languages.
        let leads = !ours.is_empty() || spoken_of || !self.language.starts_with("en");
        leads.then(|| Due { date: day, text: Some(words.to_owned()) })
    }
}
