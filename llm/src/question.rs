//! The question: a constant beginning that servers can cache, then the item, then what is known around it.

use crate::{
    numbered::{NumberedText, visible},
    prompt_context::PromptContext,
    window::tokens,
};
use chrono::{Datelike as _, NaiveDate, TimeDelta};
use gleaner_extract::{Context, language, people::Person};
use std::{fmt::Write as _, ops::Range};

/// What a model is told before any item: instructions, conventions and worked examples.
pub const INSTRUCTIONS: &str = include_str!("instructions.md");
/// Most people who are named.
const MAX_PEOPLE: usize = 40;
/// Longest name or title that is shown, in characters.
const MAX_NAME: usize = 120;

/// The head of an item and what follows its text: all of a question that is the same in each window.
#[derive(Clone, Debug, PartialEq)]
pub struct QuestionFrame {
    head: String,
    tail: String,
}

impl QuestionFrame {
    /// What is known of an item.
    #[must_use]
    pub fn of(
        kind: &str,
        title: Option<&str>,
        page: &NumberedText<'_>,
        context: &Context,
        prompt_context: &PromptContext,
    ) -> Self {
        Self { head: head(kind, title, page, context, prompt_context), tail: tail(prompt_context) }
    }

    /// What is asked of a window of the text.
    #[must_use]
    pub fn question(&self, page: &NumberedText<'_>, lines: Range<usize>) -> String {
        let mut text = self.head.clone();
        if lines.len() < page.len() {
            let (first, last, all) = (lines.start + 1, lines.end, page.len());
            _ = writeln!(text, "Part: lines {first} to {last} of {all}; other parts are read apart.");
        }
        text.push_str("\nText:\n");
        for line in lines {
            _ = writeln!(text, "{}| {}", line + 1, page.line(line));
        }
        text.push_str(&self.tail);
        text
    }

    /// What the question costs without the text.
    #[must_use]
    pub fn tokens(&self) -> usize {
        tokens(&self.head) + tokens(&self.tail)
    }
}

fn head(
    kind: &str,
    title: Option<&str>,
    page: &NumberedText<'_>,
    context: &Context,
    prompt_context: &PromptContext,
) -> String {
    let local = context.zone.local(context.occurred_at);
    let mut head = format!("Kind: {kind}\n");
    if let Some(title) = title {
        _ = writeln!(head, "Title: {}", short(title));
    }
    _ = writeln!(head, "Local date: {} ({})", local.format("%A %Y-%m-%d %H:%M"), zone(context));
    _ = writeln!(head, "Calendar: {}", calendar(local.date()));
    _ = writeln!(head, "Language: {}", language::of(context.language.as_deref(), page.transcript()));
    _ = writeln!(head, "Me: {}", me(context));
    let roster = page.people();
    // Whoever is only spoken of stands in the text.
    let told = |person: &&Person| !person.is_me && !person.is_only_named;
    let people = roster.ids().map(|id| roster.person(id)).filter(told);
    let people: Vec<String> = people.take(MAX_PEOPLE).map(|person| short(&person.name)).collect();
    if !people.is_empty() {
        _ = writeln!(head, "People: {}", people.join(", "));
    }
    if !prompt_context.known.is_empty() {
        head.push_str("Known tasks:\n");
        for (number, task) in prompt_context.known.iter().enumerate() {
            _ = writeln!(head, "{}. {}", number + 1, task.shown());
        }
    }
    head
}

fn tail(prompt_context: &PromptContext) -> String {
    if prompt_context.ratings.is_empty() {
        return String::new();
    }
    let mut tail = "\nRatings of earlier findings:\n".to_owned();
    for rating in &prompt_context.ratings {
        _ = writeln!(tail, "- {}", rating.shown());
    }
    tail
}

fn me(context: &Context) -> String {
    let mut names = context.me.names();
    let Some(name) = names.next() else {
        return context.me.email.as_deref().map_or_else(|| "not known".to_owned(), short);
    };
    let others: Vec<String> = names.chain(context.me.email.as_deref()).map(short).collect();
    if others.is_empty() { short(name) } else { format!("{} (also: {})", short(name), others.join(", ")) }
}

fn zone(context: &Context) -> String {
    match &context.zone {
        gleaner_model::Zone::Named(zone) => zone.name().to_owned(),
        gleaner_model::Zone::Offset(offset) => format!("UTC{offset}"),
    }
}

/// Three weeks from the day's Monday on, so that no weekday has to be reckoned.
fn calendar(today: NaiveDate) -> String {
    let back = TimeDelta::days(today.weekday().num_days_from_monday().into());
    let Some(monday) = today.checked_sub_signed(back) else { return today.to_string() };
    let day = |offset: i64| {
        let day = monday.checked_add_signed(TimeDelta::days(offset))?;
        let mark = if day == today { " (today)" } else { "" };
        Some(format!("{}{mark}", day.format("%a %m-%d")))
    };
    let week = |week: i64| (0..7).filter_map(|offset| day(week * 7 + offset)).collect::<Vec<_>>().join(", ");
    format!("this week {}; next week {}; then {}", week(0), week(1), week(2))
}

/// A name or title on one line and of bounded length.
pub(crate) fn short(text: &str) -> String {
    visible(text).chars().take(MAX_NAME).collect()
}
