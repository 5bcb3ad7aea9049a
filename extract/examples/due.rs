//! Resolves date expressions: a line `{id?, text, occurred_at, time_zone?, language?}` in, a line
//! `{id?, date, time, text, start, end}` out, nulls where there is none. Offsets count characters. With `--deadline` a
//! text is the evidence of a task, and the answer the day by which it is due.

use std::io::{BufRead, Write};

use chrono::{DateTime, NaiveDateTime, TimeDelta};
use gleaner_extract::due;
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let deadline = std::env::args().any(|arg| arg == "--deadline");
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let ask: Value = serde_json::from_str(&line?)?;
        writeln!(out, "{}", answer(&ask, deadline)?)?;
    }
    Ok(())
}

fn answer(ask: &Value, deadline: bool) -> Result<Value, Box<dyn std::error::Error>> {
    let text = ask["text"].as_str().unwrap_or_default();
    let language = ask["language"].as_str();
    let (said_at, offset) = local(ask)?;
    let found = match deadline {
        true => due::deadline(text, said_at, language),
        false => due::find_in(text, said_at, offset, language).into_iter().next(),
    };
    let mut line = match &found {
        Some(found) => json!({
            "date": found.date, "time": found.time.map(|time| time.format("%H:%M").to_string()),
            "text": &text[found.start..found.end],
            "start": text[..found.start].chars().count(), "end": text[..found.end].chars().count(),
        }),
        None => json!({"date": null, "time": null, "text": null, "start": null, "end": null}),
    };
    if !ask["id"].is_null() {
        line["id"] = ask["id"].clone();
    }
    Ok(line)
}

/// The local time at which it was said, and how much later that is than Greenwich's.
fn local(ask: &Value) -> Result<(NaiveDateTime, TimeDelta), Box<dyn std::error::Error>> {
    let occurred_at = DateTime::parse_from_rfc3339(ask["occurred_at"].as_str().unwrap_or_default())?;
    let local = match ask["time_zone"].as_str() {
        Some(zone) => occurred_at.with_timezone(&zone.parse::<chrono_tz::Tz>()?).naive_local(),
        None => occurred_at.naive_local(),
    };
    Ok((local, local - occurred_at.naive_utc()))
}
