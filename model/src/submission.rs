//! Submissions: the body of `POST /ingest/items`. What a member must be stands at its type, for the intake and for the schema.

use crate::{ExternalId, InvalidText, OccurredAt, SourceType, text::ruled_text};
use chrono_tz::Tz;
use schemars::JsonSchema;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Longest transcript, in characters. An installation may lower or lift it.
pub const MAX_TRANSCRIPT: usize = 200_000;
/// Longest title, in characters.
pub const MAX_TITLE: usize = 500;
/// Most keys of the metadata.
pub const MAX_METADATA_KEYS: usize = 64;
/// Longest metadata value, in bytes.
pub const MAX_METADATA_VALUE: usize = 64 * 1024;
/// Longest metadata key, in bytes.
const MAX_METADATA_KEY: usize = 128;

ruled_text!(
    /// The text that tasks are found in.
    Transcript("transcript"): "must not be blank",
    { "minLength" = 1, "maxLength" = MAX_TRANSCRIPT, "pattern" = r"\S" },
    |text| !text.trim().is_empty()
);

ruled_text!(
    /// What people call an item.
    Title("title"): "must have at most 500 characters",
    { "maxLength" = MAX_TITLE },
    |text| text.chars().count() <= MAX_TITLE
);

/// The client's own words about an item.
#[derive(Clone, PartialEq, Eq, Default, Debug, JsonSchema)]
#[schemars(extend("maxProperties" = MAX_METADATA_KEYS))]
pub struct Metadata(BTreeMap<String, String>);

impl From<Metadata> for BTreeMap<String, String> {
    fn from(Metadata(members): Metadata) -> Self {
        members
    }
}

/// The body of `POST /ingest/items` as a client writes it.
#[derive(Clone, PartialEq, JsonSchema)]
pub struct Submission {
    /// Kind of source.
    pub source_type: SourceType,
    /// The item's id in the client's own system.
    pub external_id: ExternalId,
    /// The text that tasks are found in: at most 200,000 characters, not blank.
    pub transcript: Transcript,
    /// When it took place, RFC 3339; an offset is kept for resolving dates. Absent: the time of receipt.
    pub occurred_at: Option<OccurredAt>,
    /// What people call it.
    pub title: Option<Title>,
    /// Anything else, as strings. Known keys: `participant` (who "me" is in this item), `participants` (comma
    /// separated), `channel`, `time_zone` (IANA), `language` (BCP 47).
    pub metadata: Option<Metadata>,
}

/// One member of a submission that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubmissionFault {
    /// JSON pointer to the member.
    pub pointer: String,
    /// The rule, in a sentence.
    pub detail: String,
    /// Whether the content is well formed but too much of it.
    pub too_large: bool,
}

/// Why a submission was refused: every member that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.iter().map(|f| format!("{}: {}", f.pointer, f.detail)).collect::<Vec<_>>().join("; "))]
pub struct InvalidSubmission(pub Vec<SubmissionFault>);

impl Submission {
    /// Reads the members of a body; `max_transcript` is in characters (0: no limit). Returns the names of members that nobody
    /// knows as well.
    ///
    /// # Errors
    /// [`InvalidSubmission`] names every member that breaks a rule, not only the first.
    pub fn read(body: Map<String, Value>, max_transcript: usize) -> Result<(Self, Vec<String>), InvalidSubmission> {
        let mut members = MemberReader { body, failed: Vec::new() };
        let source_type = members.required("source_type");
        let external_id = members.required("external_id");
        let transcript = members.required("transcript");
        if let Some(Transcript(text)) = &transcript
            && max_transcript > 0
            && text.len() > max_transcript
            && text.chars().count() > max_transcript
        {
            members.too_large("/transcript", format!("must have at most {max_transcript} characters"));
        }
        let (occurred_at, title) = (members.optional("occurred_at"), members.optional("title"));
        let metadata = members.metadata();
        let MemberReader { body, failed } = members;
        match (source_type, external_id, transcript) {
            (Some(source_type), Some(external_id), Some(transcript)) if failed.is_empty() => {
                let read = Self { source_type, external_id, transcript, occurred_at, title, metadata };
                Ok((read, body.into_iter().map(|(name, _)| name).collect()))
            }
            _ => Err(InvalidSubmission(failed)),
        }
    }
}

/// Takes members out of a body, and collects what is wrong with them.
struct MemberReader {
    body: Map<String, Value>,
    failed: Vec<SubmissionFault>,
}

impl MemberReader {
    fn fail(&mut self, pointer: impl Into<String>, detail: impl Into<String>) {
        self.failed.push(SubmissionFault { pointer: pointer.into(), detail: detail.into(), too_large: false });
    }

    fn too_large(&mut self, pointer: impl Into<String>, detail: impl Into<String>) {
        self.failed.push(SubmissionFault { pointer: pointer.into(), detail: detail.into(), too_large: true });
    }

    fn required<T: TryFrom<String, Error = InvalidText>>(&mut self, member: &str) -> Option<T> {
        match self.body.remove(member) {
            Some(value) => self.text(member, value),
            None => {
                self.fail(format!("/{member}"), "is required");
                None
            }
        }
    }

    fn optional<T: TryFrom<String, Error = InvalidText>>(&mut self, member: &str) -> Option<T> {
        let value = self.body.remove(member).filter(|value| !value.is_null())?;
        self.text(member, value)
    }

    fn text<T: TryFrom<String, Error = InvalidText>>(&mut self, member: &str, value: Value) -> Option<T> {
        let read = match value {
            Value::String(text) => T::try_from(text).map_err(|error| error.rule),
            _ => Err("must be a string"),
        };
        read.map_err(|rule| self.fail(format!("/{member}"), rule)).ok()
    }

    fn metadata(&mut self) -> Option<Metadata> {
        let members = match self.body.remove("metadata") {
            None | Some(Value::Null) => return None,
            Some(Value::Object(members)) => members,
            Some(_) => {
                self.fail("/metadata", "must be an object of strings");
                return None;
            }
        };
        if members.len() > MAX_METADATA_KEYS {
            self.fail("/metadata", format!("must have at most {MAX_METADATA_KEYS} keys"));
            // What is wrong with each of thousands helps nobody.
            return None;
        }
        let mut out = BTreeMap::new();
        for (key, value) in members {
            let pointer = format!("/metadata/{}", key.replace('~', "~0").replace('/', "~1"));
            match value {
                _ if key.len() > MAX_METADATA_KEY => {
                    self.fail("/metadata", format!("keys must have at most {MAX_METADATA_KEY} bytes"));
                }
                Value::String(text) if text.len() > MAX_METADATA_VALUE => {
                    self.too_large(pointer, format!("must have at most {MAX_METADATA_VALUE} bytes"));
                }
                Value::String(text) if key == "time_zone" && text.trim().parse::<Tz>().is_err() => {
                    self.fail(pointer, "must be an IANA time zone such as America/Chicago");
                }
                Value::String(text) => {
                    out.insert(key, text);
                }
                _ => self.fail(pointer, "must be a string"),
            }
        }
        Some(Metadata(out))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(body: Value) -> Result<(Submission, Vec<String>), InvalidSubmission> {
        let Value::Object(body) = body else { panic!("an object") };
        Submission::read(body, MAX_TRANSCRIPT)
    }

    fn refused(body: Value) -> Vec<String> {
        read(body).map(drop).unwrap_err().0.into_iter().map(|field| field.pointer).collect()
    }

    #[test]
    fn every_broken_member_is_named() {
        assert_eq!(refused(json!({})), ["/source_type", "/external_id", "/transcript"]);
        assert_eq!(
            refused(
                json!({"source_type": "Meeting", "external_id": "a\nb", "transcript": " \n", "occurred_at": "today",
                "title": 3, "metadata": {"a/b": 1, "time_zone": "Mars/Base"}})
            ),
            [
                "/source_type",
                "/external_id",
                "/transcript",
                "/occurred_at",
                "/title",
                "/metadata/a~1b",
                "/metadata/time_zone"
            ]
        );
    }

    #[test]
    fn too_much_is_told_apart_from_wrong() {
        let long = "x".repeat(MAX_TRANSCRIPT + 1);
        let error = read(json!({"source_type": "note", "external_id": "n", "transcript": long})).map(drop).unwrap_err();
        assert!(error.0[0].too_large);
        let wide = "ä".repeat(MAX_TRANSCRIPT);
        assert!(
            read(json!({"source_type": "note", "external_id": "n", "transcript": wide})).is_ok(),
            "characters, not bytes"
        );
    }

    #[test]
    fn the_intake_reads_every_member_of_the_schema_and_no_other() {
        let schema = schemars::schema_for!(Submission).to_value();
        let members = schema["properties"].as_object().unwrap();
        let wrong: Map<_, _> = members.keys().map(|name| (name.clone(), json!([]))).collect();
        let mut named = refused(Value::Object(wrong));
        named.sort();
        assert_eq!(named, members.keys().map(|name| format!("/{name}")).collect::<Vec<_>>());
        assert_eq!(refused(json!({})), ["/source_type", "/external_id", "/transcript"], "as the schema requires");
        assert_eq!(schema["required"], json!(["source_type", "external_id", "transcript"]));
    }

    #[test]
    fn the_longest_title_is_what_its_rule_says() {
        let rule = Title::new("x".repeat(MAX_TITLE + 1)).unwrap_err().rule;
        assert!(rule.contains(&MAX_TITLE.to_string()) && Title::new("x".repeat(MAX_TITLE)).is_ok(), "{rule}");
    }
}
