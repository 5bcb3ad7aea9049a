//! What a text or file probably is: its kind, when it took place, and a title, for a person to correct.

use crate::web::visit::Visit;
use axum::{Json, response::IntoResponse};
use chrono::{DateTime, NaiveDate};
use serde::{Deserialize, Serialize};

/// As many lines as a kind is told from.
const LINES: usize = 40;
/// Most texts that are looked at in one request.
const MAX_TEXTS: usize = 50;

/// The beginning of a text, and the name of its file if it has one.
#[derive(Deserialize)]
pub struct TextSample {
    name: String,
    head: String,
}

/// What it probably is.
#[derive(Debug, Default, PartialEq, Serialize)]
pub struct TextGuess {
    /// One of the kinds that have readers of their own.
    pub kind: &'static str,
    /// When it took place: RFC 3339 where the text says so, else a day and hour of the reader's zone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// The file's name without its ending.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// `POST /app/add/guess`: for the script, before anything is submitted.
pub async fn answer(_: Visit, Json(texts): Json<Vec<TextSample>>) -> impl IntoResponse {
    Json(texts.iter().take(MAX_TEXTS).map(|text| guess(&text.name, &text.head)).collect::<Vec<_>>())
}

/// Looks at a file's name and the beginning of its text.
pub fn guess(file: &str, head: &str) -> TextGuess {
    let kind = by_ending(file).unwrap_or_else(|| by_words(head));
    let title = if file.is_empty() { None } else { Some(stem(file).to_owned()) };
    TextGuess { kind, when: sent_at(kind, head).or_else(|| day_in(file)), title }
}

/// A file's name without its ending.
pub fn stem(file: &str) -> &str {
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

fn by_ending(file: &str) -> Option<&'static str> {
    match file.rsplit_once('.')?.1.to_ascii_lowercase().as_str() {
        "vtt" | "srt" => Some("meeting"),
        "eml" => Some("email"),
        "md" | "markdown" => Some("note"),
        _ => None,
    }
}

fn by_words(head: &str) -> &'static str {
    let lines: Vec<&str> = head.lines().map(str::trim).filter(|line| !line.is_empty()).take(LINES).collect();
    let many = |like: fn(&str) -> bool| lines.iter().filter(|line| like(line)).count() * 3 >= lines.len().max(3);
    let header = |name: &str| lines.iter().take(12).any(|line| line.starts_with(name));
    match lines.first() {
        None => "document",
        Some(first) if first.starts_with("WEBVTT") || lines.iter().any(|line| line.contains(" --> ")) => "meeting",
        Some(_) if header("From:") && (header("Subject:") || header("To:")) => "email",
        Some(_) if many(begins_with_clock) => "chat",
        Some(_) if many(begins_with_name) => "meeting",
        Some(_) if many(|line| line.starts_with(['#', '-', '*', '•'])) => "note",
        Some(_) => "document",
    }
}

/// `[10:32] …` or `10:32 …`, as chats are exported.
fn begins_with_clock(line: &str) -> bool {
    let line = line.trim_start_matches('[');
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line.get(digits..).unwrap_or_default();
    (1..=2).contains(&digits)
        && rest.strip_prefix(':').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// `Dana: …` or `Dana Reyes: …`
fn begins_with_name(line: &str) -> bool {
    line.split_once(": ").is_some_and(|(name, _)| {
        name.split_whitespace().count() <= 3 && name.starts_with(char::is_uppercase) && !name.contains(['.', ','])
    })
}

/// When a mail says that it was sent.
fn sent_at(kind: &str, head: &str) -> Option<String> {
    let date = head.lines().take(LINES).filter(|_| kind == "email").find_map(|line| line.strip_prefix("Date:"))?;
    DateTime::parse_from_rfc2822(date.trim()).ok().map(|time| time.to_rfc3339())
}

/// A day such as 2026-03-04 in a file's name, at noon.
fn day_in(file: &str) -> Option<String> {
    let at =
        |start: usize| file.get(start..start + 10).and_then(|text| NaiveDate::parse_from_str(text, "%Y-%m-%d").ok());
    (0..file.len().saturating_sub(9)).find_map(at).map(|day| format!("{day}T12:00"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(head: &str) -> &'static str {
        guess("", head).kind
    }

    #[test]
    fn the_kind_is_told_from_the_words() {
        assert_eq!(kind("WEBVTT\n\n00:01.000 --> 00:02.000\nHi"), "meeting");
        assert_eq!(kind("Dana: I'll send it.\nTomas Lindqvist: Thanks.\n"), "meeting");
        assert_eq!(kind("From: Dana <d@x.example>\nSubject: Plan\n\nHello"), "email");
        assert_eq!(kind("[10:32] dana: lunch?\n[10:33] tomas: sure"), "chat");
        assert_eq!(kind("# Plan\n- book a room\n- call Priya"), "note");
        assert_eq!(kind("The committee met on Tuesday. It agreed on the following."), "document");
        assert_eq!(kind(""), "document");
    }

    #[test]
    fn a_files_name_tells_more_than_its_words() {
        let told = guess("2026-03-04 Weekly.vtt", "From: x\nSubject: y");
        assert_eq!(
            told,
            TextGuess {
                kind: "meeting",
                when: Some("2026-03-04T12:00".into()),
                title: Some("2026-03-04 Weekly".into())
            }
        );
        assert_eq!(guess("ünï-2026-13-99.txt", "").when, None);
    }

    #[test]
    fn a_mail_says_when_it_was_sent() {
        let head = "From: a\nSubject: b\nDate: Tue, 3 Mar 2026 09:15:00 -0600\n";
        assert_eq!(guess("", head).when.as_deref(), Some("2026-03-03T09:15:00-06:00"));
    }
}
