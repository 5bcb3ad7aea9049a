//! The form that adds content, read into items: one for each file, and one for the pasted text.

use super::guess::{guess, stem};
use crate::{ingest::word, pdf::PdfReader, web::PageError};
use axum::extract::Multipart;
use bytes::Bytes;
use chrono::{DateTime, NaiveDateTime};
use gleaner_runtime::shares::Holder;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Most files of one form.
const MAX_FILES: usize = 50;
/// Longest part of a file's name that an item is known by, in characters.
const MAX_NAME: usize = 200;

/// What was filled in.
#[derive(Default)]
pub struct AddForm {
    pub transcript: String,
    pub title: String,
    pub source_type: String,
    pub occurred_at: String,
    pub participant: String,
    offset: String,
    files: Vec<UploadedFile>,
    /// What was said of the files, in their order; nothing without script.
    titles: Vec<String>,
    kinds: Vec<String>,
    times: Vec<String>,
}

struct UploadedFile {
    name: String,
    bytes: Bytes,
}

/// One thing to submit, or why it cannot be.
pub struct ItemDraft {
    /// What people know it by.
    pub name: String,
    /// The submission, or what is wrong with the file.
    pub item: Result<Value, &'static str>,
}

/// What the form says of one text.
struct TextInfo<'a> {
    file: &'a str,
    title: &'a str,
    kind: &'a str,
    when: &'a str,
}

impl AddForm {
    /// Reads the form.
    ///
    /// # Errors
    /// When it is no form, or too large.
    pub async fn read(mut form: Multipart) -> Result<Self, PageError> {
        let mut fields = Self::default();
        let unreadable =
            |_| PageError::form("The form could not be read: together its files are too large, or it broke off.");
        while let Some(field) = form.next_field().await.map_err(unreadable)? {
            let (name, file) = (field.name().unwrap_or_default().to_owned(), field.file_name().map(str::to_owned));
            let bytes = field.bytes().await.map_err(unreadable)?;
            fields.take(&name, file, bytes)?;
        }
        Ok(fields)
    }

    fn take(&mut self, name: &str, file: Option<String>, bytes: Bytes) -> Result<(), PageError> {
        if let Some(name) = file {
            if self.files.len() >= MAX_FILES {
                return Err(PageError::form(format!("At most {MAX_FILES} files at once.")));
            }
            // A browser sends a nameless file where none was chosen.
            if !name.is_empty() {
                self.files.push(UploadedFile { name, bytes });
            }
            return Ok(());
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        match name {
            "transcript" => self.transcript = text,
            "title" => self.title = text,
            "source_type" => self.source_type = text,
            "occurred_at" => self.occurred_at = text,
            "offset" => self.offset = text,
            "participant" => self.participant = text,
            "file_title" => self.titles.push(text),
            "file_kind" => self.kinds.push(text),
            "file_when" => self.times.push(text),
            _ => {}
        }
        Ok(())
    }

    /// What is to be submitted.
    pub async fn drafts(&self, pdf: (&PdfReader, &Holder)) -> Vec<ItemDraft> {
        let mut drafts = Vec::new();
        for (at, file) in self.files.iter().enumerate() {
            drafts.push(self.of_file(at, file, pdf).await);
        }
        if !self.transcript.trim().is_empty() {
            let said = TextInfo { file: "", title: &self.title, kind: &self.source_type, when: &self.occurred_at };
            drafts.push(ItemDraft { name: "The text".to_owned(), item: Ok(self.item(&said, &self.transcript)) });
        }
        drafts
    }

    async fn of_file(&self, at: usize, file: &UploadedFile, (pdf, holder): (&PdfReader, &Holder)) -> ItemDraft {
        let said = |all: &'_ [String]| all.get(at).cloned().unwrap_or_default();
        let (title, kind, when) = (said(&self.titles), said(&self.kinds), said(&self.times));
        let said = TextInfo { file: &file.name, title: &title, kind: &kind, when: &when };
        let extension = file.name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
        let text = match extension.as_deref() {
            Some("docx") => word::transcript(&file.bytes)
                .map_err(|_| "This is no Word document, or too large a one. Save it as plain text, and add it again."),
            Some("pdf") => pdf
                .transcript(holder, &file.bytes)
                .await
                .map_err(|_| "No text can be read of this PDF. Save it as plain text, and add it again."),
            _ => String::from_utf8(file.bytes.to_vec())
                .map_err(|_| "This is no text in UTF-8. Save it as plain text, and add it again."),
        };
        ItemDraft { name: file.name.clone(), item: text.map(|text| self.item(&said, &text)) }
    }

    fn item(&self, said: &TextInfo<'_>, text: &str) -> Value {
        let guess = guess(said.file, text);
        // The same file again is the same item; a pasted text is known by its words.
        let name = if said.file.is_empty() { fingerprint(text) } else { plain(said.file) };
        let mut item = json!({
            "source_type": if said.kind.is_empty() { guess.kind } else { said.kind },
            "external_id": format!("web:{name}"),
            "transcript": text,
            "metadata": {},
        });
        let title = if said.title.trim().is_empty() { stem(said.file) } else { said.title.trim() };
        if !title.is_empty() {
            item["title"] = title.into();
        }
        if let Some(time) = self.moment(said.when).or_else(|| self.moment(guess.when.as_deref()?)) {
            item["occurred_at"] = time.into();
        }
        if !self.participant.trim().is_empty() {
            item["metadata"]["participant"] = self.participant.trim().into();
        }
        item
    }

    /// A field's date and time in RFC 3339: it says its zone, or it is the reader's.
    fn moment(&self, text: &str) -> Option<String> {
        if DateTime::parse_from_rfc3339(text).is_ok() {
            return Some(text.to_owned());
        }
        let time = NaiveDateTime::parse_from_str(text.trim(), "%Y-%m-%dT%H:%M").ok()?;
        Some(format!("{}{}", time.format("%Y-%m-%dT%H:%M:%S"), offset(&self.offset)))
    }
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

fn plain(file: &str) -> String {
    file.chars().filter(|c| !c.is_control()).take(MAX_NAME).collect()
}

fn fingerprint(text: &str) -> String {
    format!("{:x}", Sha256::digest(text))[..16].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt as _;

    fn items(fields: &[(&str, &str)], files: &[(&str, &[u8])]) -> Vec<Result<Value, &'static str>> {
        let mut form = AddForm::default();
        for (name, bytes) in files {
            form.take("files", Some((*name).to_owned()), Bytes::copy_from_slice(bytes)).unwrap();
        }
        for (name, text) in fields {
            form.take(name, None, Bytes::copy_from_slice(text.as_bytes())).unwrap();
        }
        let holder = Holder { tenant: "a".to_owned(), token: "a".to_owned() };
        let drafts = form.drafts((&PdfReader::new(None), &holder)).now_or_never().unwrap();
        drafts.into_iter().map(|draft| draft.item).collect()
    }

    #[test]
    fn several_files_become_an_item_each_with_a_kind_of_their_own() {
        let items = items(&[], &[("a.vtt", b"x"), ("b.md", b"y"), ("2026-03-04 c.txt", b"Dana: I'll go.")]);
        let items: Vec<Value> = items.into_iter().map(Result::unwrap).collect();
        let kinds: Vec<_> = items.iter().map(|item| item["source_type"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["meeting", "note", "meeting"]);
        assert_eq!(items[0]["title"], "a");
        assert_eq!(items[2]["occurred_at"], "2026-03-04T12:00:00Z");
    }

    #[test]
    fn what_a_person_said_of_a_file_holds_over_what_was_guessed() {
        let said =
            [("file_title", "Weekly"), ("file_kind", "call"), ("file_when", "2026-03-05T09:30"), ("offset", "-360")];
        let item = items(&said, &[("a.vtt", b"x")]).remove(0).unwrap();
        assert_eq!((&item["title"], &item["source_type"]), (&json!("Weekly"), &json!("call")));
        assert_eq!(item["occurred_at"], "2026-03-05T09:30:00-06:00");
    }

    #[test]
    fn a_file_that_is_no_text_leaves_the_others_alone() {
        let items = items(&[("transcript", "Dana: I'll go.")], &[("a.docx", b"\xff\xfe\x00")]);
        assert!(items[0].is_err() && items[1].is_ok());
    }

    #[test]
    fn nothing_filled_in_is_nothing_to_submit() {
        assert!(items(&[("transcript", " \n")], &[("", b"")]).is_empty());
    }

    #[test]
    fn the_readers_distance_from_utc_is_written_as_rfc_3339_has_it() {
        assert_eq!((offset("-360"), offset("330"), offset("")), ("-06:00".into(), "+05:30".into(), "Z".into()));
    }
}
