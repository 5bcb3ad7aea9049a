//! Adding content: pasted, or as files, each of which becomes an item.

use super::{Stop, address, client::Refusal, done::Done, frame::Frame, visit::Visit};
use askama::Template;
use axum::{
    extract::Multipart,
    http::{Method, StatusCode},
    response::{IntoResponse, Response},
};
use chrono::NaiveDateTime;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Kinds that have readers of their own.
const KINDS: [&str; 6] = ["meeting", "call", "email", "chat", "note", "document"];
/// Most files of one form.
const MAX_FILES: usize = 50;

#[derive(Template)]
#[template(path = "add.html")]
struct Page {
    frame: Frame,
    form: Fields,
    kinds: Vec<(&'static str, bool)>,
    problem: Option<String>,
}

/// What was filled in.
#[derive(Default)]
struct Fields {
    transcript: String,
    title: String,
    source_type: String,
    occurred_at: String,
    offset: String,
    participant: String,
    files: Vec<(String, String)>,
}

/// `GET /app/add`
pub async fn page(visit: Visit) -> Result<Response, Stop> {
    show(visit, Fields::default(), None)
}

fn show(visit: Visit, mut form: Fields, problem: Option<String>) -> Result<Response, Stop> {
    if form.participant.is_empty() {
        form.participant = visit.me.subject.name.clone().unwrap_or_default();
    }
    let chosen = if form.source_type.is_empty() { "meeting" } else { &form.source_type };
    let kinds = KINDS.into_iter().map(|kind| (kind, kind == chosen)).collect();
    let page = Page { frame: visit.frame(), form, kinds, problem };
    visit.show(&page)
}

/// `POST /app/add`
pub async fn submit(visit: Visit, form: Multipart) -> Result<Response, Stop> {
    let fields = read(form).await?;
    let items = items(&fields);
    if items.is_empty() {
        return refused(visit, fields, "Paste a text or choose a file.".to_owned());
    }
    let mut accepted = 0_usize;
    for item in &items {
        match visit.send(Method::POST, "/ingest/items", Some(item.clone())).await {
            Ok(_) => accepted += 1,
            Err(Refusal { status: StatusCode::UNAUTHORIZED, .. }) => return Err(Stop::SignIn),
            Err(refusal) => {
                let name = item["title"].as_str().unwrap_or("the text").to_owned();
                let before = if accepted > 0 { format!("{accepted} submitted. ") } else { String::new() };
                return refused(visit, fields, format!("{before}{name}: {}", refusal.detail));
            }
        }
    }
    let text = if accepted == 1 {
        "Submitted: its tasks turn up here.".to_owned()
    } else {
        format!("{accepted} items submitted.")
    };
    let to = visit.address("/app/items", &[]);
    Ok(visit.back(&to, Done::said(text)))
}

fn refused(visit: Visit, fields: Fields, problem: String) -> Result<Response, Stop> {
    Ok((StatusCode::UNPROCESSABLE_ENTITY, show(visit, fields, Some(problem))?).into_response())
}

async fn read(mut form: Multipart) -> Result<Fields, Stop> {
    let mut fields = Fields::default();
    let unreadable = |_| Stop::form("The form could not be read. A file may be too large, or no text in UTF-8.");
    while let Some(field) = form.next_field().await.map_err(unreadable)? {
        let (name, file) = (field.name().unwrap_or_default().to_owned(), field.file_name().map(str::to_owned));
        let bytes = field.bytes().await.map_err(unreadable)?;
        let text = String::from_utf8(bytes.into()).map_err(|_| Stop::form("A file is no text in UTF-8."))?;
        match (name.as_str(), file) {
            ("files", Some(file)) if !file.is_empty() && fields.files.len() < MAX_FILES => {
                fields.files.push((file, text))
            }
            ("transcript", _) => fields.transcript = text,
            ("title", _) => fields.title = text,
            ("source_type", _) => fields.source_type = text,
            ("occurred_at", _) => fields.occurred_at = text,
            ("offset", _) => fields.offset = text,
            ("participant", _) => fields.participant = text,
            _ => {}
        }
    }
    Ok(fields)
}

/// A submission for each file; the pasted text too, unless it is the one file's, which the script shows there.
fn items(fields: &Fields) -> Vec<Value> {
    let mut items: Vec<Value> =
        fields.files.iter().map(|(name, text)| item(fields, name, text, fields.files.len() > 1)).collect();
    let shown = fields.files.len() == 1 && same_words(&fields.files[0].1, &fields.transcript);
    if fields.files.len() == 1 && !fields.transcript.trim().is_empty() {
        // What stands in the field may have been edited after the file was chosen.
        items.clear();
    }
    if !fields.transcript.trim().is_empty() && (items.is_empty() || !shown) {
        let name = fields.files.first().filter(|_| fields.files.len() == 1).map_or("", |(name, _)| name);
        items.push(item(fields, name, &fields.transcript, false));
    }
    items
}

fn same_words(a: &str, b: &str) -> bool {
    a.split_whitespace().eq(b.split_whitespace())
}

fn item(fields: &Fields, file: &str, text: &str, by_file: bool) -> Value {
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let title = if by_file || fields.title.trim().is_empty() { stem } else { fields.title.trim() };
    let kind = if by_file { kind_of(file).unwrap_or(&fields.source_type) } else { &fields.source_type };
    // The same file again is the same item; a pasted text is known by its words.
    let name =
        if file.is_empty() { fingerprint(text) } else { file.chars().filter(|c| !c.is_control()).take(200).collect() };
    let mut item = json!({
        "source_type": if kind.is_empty() { "document" } else { kind },
        "external_id": format!("web:{name}"),
        "transcript": text,
        "metadata": {},
    });
    if !title.is_empty() {
        item["title"] = title.into();
    }
    if let Ok(time) = NaiveDateTime::parse_from_str(fields.occurred_at.trim(), "%Y-%m-%dT%H:%M") {
        item["occurred_at"] = format!("{}{}", time.format("%Y-%m-%dT%H:%M:%S"), offset(&fields.offset)).into();
    }
    if !fields.participant.trim().is_empty() {
        item["metadata"]["participant"] = fields.participant.trim().into();
    }
    item
}

/// The reader's distance from UTC in minutes, as the script tells it; without script the time is taken for UTC.
fn offset(minutes: &str) -> String {
    match minutes.trim().parse::<i32>() {
        Ok(minutes) if minutes.abs() < 24 * 60 => {
            let sign = if minutes < 0 { '-' } else { '+' };
            format!("{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
        }
        _ => "Z".to_owned(),
    }
}

fn kind_of(file: &str) -> Option<&'static str> {
    match file.rsplit_once('.')?.1.to_ascii_lowercase().as_str() {
        "vtt" | "srt" => Some("meeting"),
        "eml" => Some("email"),
        "md" | "markdown" => Some("note"),
        _ => None,
    }
}

fn fingerprint(text: &str) -> String {
    Sha256::digest(text).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// The address that lists the tasks of an item.
pub fn tasks_of(visit: &Visit, external_id: &str) -> String {
    address::with_query(&visit.address("/", &[]), &[("external_id", external_id)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(transcript: &str, files: &[(&str, &str)]) -> Fields {
        let files = files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        Fields { transcript: transcript.into(), source_type: "call".into(), files, ..Fields::default() }
    }

    #[test]
    fn several_files_become_an_item_each_with_a_kind_of_their_own() {
        let items = items(&fields("", &[("a.vtt", "x"), ("b.md", "y"), ("c.txt", "z")]));
        let kinds: Vec<_> = items.iter().map(|item| item["source_type"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["meeting", "note", "call"]);
        assert_eq!(items[0]["title"], "a");
    }

    #[test]
    fn the_readers_distance_from_utc_is_written_as_rfc_3339_has_it() {
        assert_eq!((offset("-360"), offset("330"), offset("")), ("-06:00".into(), "+05:30".into(), "Z".into()));
    }

    #[test]
    fn one_file_that_the_field_shows_is_one_item() {
        assert_eq!(items(&fields("x y\r\n", &[("a.vtt", "x y\n")])).len(), 1);
        assert_eq!(items(&fields("", &[("a.vtt", "x y\n")])).len(), 1);
        assert_eq!(items(&fields("x", &[])).len(), 1);
        assert!(items(&fields(" ", &[])).is_empty());
    }
}
