//! `gleaner due`: the resolver of dates alone.

use super::extract;
use crate::{
    failure::{CliError, CliResult},
    lines,
    output::Output,
};
use chrono::{NaiveDate, NaiveDateTime, Utc};
use chrono_tz::Tz;
use gleaner_extract::due::{Resolved, find_in};
use gleaner_model::{OccurredAt, Zone, day};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;

/// What to resolve, and against when.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  gleaner due 'by Friday' --occurred-at 2026-03-03T15:00:00Z
  gleaner due 'in zwei Wochen' --time-zone Europe/Berlin
  gleaner due --jsonl lines.jsonl > dates.jsonl")]
pub struct DueArgs {
    /// The words; with --jsonl a file of lines {id?, text, occurred_at, time_zone?}, or `-` or nothing for stdin
    #[arg(required = false, required_unless_present = "jsonl", default_value_if("jsonl", "true", "-"))]
    text: String,
    /// When they were said, RFC 3339 [default: now]
    #[arg(long, value_name = "TIME")]
    occurred_at: Option<OccurredAt>,
    /// The zone in which they are meant, e.g. America/Chicago [default: the offset of --occurred-at, else UTC]
    #[arg(long, value_name = "ZONE")]
    time_zone: Option<Tz>,
    /// The language of the words, BCP 47 [default: any that is known]
    #[arg(long, value_name = "TAG")]
    language: Option<String>,
    /// Resolve each line of a file
    #[arg(long)]
    jsonl: bool,
}

/// A line of standard input: an expression, and when and in which language it was said.
#[derive(Deserialize)]
struct DueRequest {
    id: Option<Value>,
    text: String,
    occurred_at: OccurredAt,
    time_zone: Option<String>,
    language: Option<String>,
}

/// One line out; nulls where there is no date.
#[derive(Serialize)]
struct ResolvedDue {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
    date: Option<NaiveDate>,
    time: Option<String>,
    text: Option<String>,
    start: Option<usize>,
    end: Option<usize>,
}

pub fn run(args: &DueArgs, output: Output) -> CliResult {
    if args.jsonl {
        return lines::transform(Path::new(&args.text), lines::cores(), line);
    }
    let occurred_at = args.occurred_at.unwrap_or_else(|| OccurredAt::utc(Utc::now()));
    let text = if args.text == "-" { extract::text(Path::new("-"))? } else { args.text.clone() };
    let said_at = local(occurred_at, args.time_zone);
    let found =
        find_in(&text, said_at, said_at - occurred_at.time.naive_utc(), args.language.as_deref()).into_iter().next();
    let answer = answer(None, &text, found);
    if output.is_json() {
        return output.json(&answer);
    }
    match (answer.date, answer.time, answer.text) {
        (Some(date), time, Some(words)) => {
            let time = time.map(|time| format!(" {time}")).unwrap_or_default();
            output.text(format!("{}{time}  ({words})", date.format("%Y-%m-%d %a")))
        }
        _ => Err(CliError::failed("no date in these words; give more of them, such as \"by Friday\"")),
    }
}

fn line(text: &str) -> Result<String, String> {
    let line: DueRequest = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let zone = match line.time_zone.as_deref().map(str::parse::<Tz>) {
        None => None,
        Some(Ok(zone)) => Some(zone),
        Some(Err(_)) => return Err("time_zone is not an IANA time zone such as America/Chicago".to_owned()),
    };
    let said_at = local(line.occurred_at, zone);
    let offset = said_at - line.occurred_at.time.naive_utc();
    let found = find_in(&line.text, said_at, offset, line.language.as_deref()).into_iter().next();
    serde_json::to_string(&answer(line.id, &line.text, found)).map_err(|error| error.to_string())
}

/// What the clock showed where it was said.
fn local(occurred_at: OccurredAt, zone: Option<Tz>) -> NaiveDateTime {
    let offset = Zone::Offset(*occurred_at.time.offset());
    zone.map_or(offset, Zone::Named).local(occurred_at.time)
}

/// Places count characters, as everywhere outside the engine.
fn answer(id: Option<Value>, text: &str, found: Option<Resolved>) -> ResolvedDue {
    let Some(found) = found.filter(|found| day::fits(found.date)) else {
        return ResolvedDue { id, date: None, time: None, text: None, start: None, end: None };
    };
    let words = text.get(found.start..found.end).unwrap_or_default();
    let start = text.get(..found.start).unwrap_or_default().chars().count();
    ResolvedDue {
        id,
        date: Some(found.date),
        time: found.time.map(|time| time.format("%H:%M").to_string()),
        text: Some(words.to_owned()),
        start: Some(start),
        end: Some(start + words.chars().count()),
    }
}
