//! Resolves date expressions: a line `{id?, text, occurred_at, time_zone?, language?}` in, a line
//! `{id?, date, time, text, start, end}` out, nulls where there is none. Offsets count characters. With `--deadline` a
//! text is the evidence of a task, and the answer the day by which it is due.

use std::io::{BufRead, Write};

use chrono::{DateTime, NaiveDateTime};
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
    let read = if deadline { due::deadline } else { due::first };
    let found = read(text, local(ask)?, language);
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

fn local(ask: &Value) -> Result<NaiveDateTime, Box<dyn std::error::Error>> {
    let occurred_at = DateTime::parse_from_rfc3339(ask["occurred_at"].as_str().unwrap_or_default())?;
    Ok(match ask["time_zone"].as_str() {
        Some(zone) => occurred_at.with_timezone(&zone.parse::<chrono_tz::Tz>()?).naive_local(),
        None => occurred_at.naive_local(),
    })
}
