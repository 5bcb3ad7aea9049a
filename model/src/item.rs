//! Items: one piece of content, known by its kind and its id in the client's own system.

use crate::{InvalidName, Subject};
use chrono::{DateTime, FixedOffset, SecondsFormat, SubsecRound as _, Utc};
use chrono_tz::Tz;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use std::{collections::BTreeMap, fmt, str::FromStr};

/// Longest transcript, in characters. An installation may lower or lift it.
pub const MAX_TRANSCRIPT: usize = 200_000;
/// Most names in the metadata `participants` that are used. An installation may lower or lift it.
pub const MAX_PARTICIPANTS: usize = 500;
/// Longest title, in characters.
pub const MAX_TITLE: usize = 500;
/// Most metadata keys.
pub const MAX_METADATA_KEYS: usize = 64;
/// Longest metadata value, in bytes.
pub const MAX_METADATA_VALUE: usize = 64 * 1024;
/// Longest metadata key, in bytes.
const MAX_METADATA_KEY: usize = 128;
/// Longest external id, in characters.
const MAX_EXTERNAL_ID: usize = 256;

macro_rules! text_name {
    ($name:ident) => {
        impl $name {
            /// The name itself.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidName;
            fn try_from(text: String) -> Result<Self, Self::Error> {
                Self::new(text)
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> Self {
                name.0
            }
        }

        impl FromStr for $name {
            type Err = InvalidName;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::new(text)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

/// Kind of source. `meeting call email chat note document` have readers of their own; any other is read as a document.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(extend("pattern" = "^[a-z][a-z0-9_.-]{0,31}$"))]
pub struct SourceType(String);

impl SourceType {
    /// # Errors
    /// When the text does not match `^[a-z][a-z0-9_.-]{0,31}$`.
    pub fn new(text: impl Into<String>) -> Result<Self, InvalidName> {
        let text = text.into();
        let inner = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit() || b"_.-".contains(&c);
        if text.len() <= 32 && text.starts_with(|c: char| c.is_ascii_lowercase()) && text.bytes().all(inner) {
            Ok(Self(text))
        } else {
            Err(InvalidName { what: "source_type", rule: "must match ^[a-z][a-z0-9_.-]{0,31}$" })
        }
    }
}

text_name!(SourceType);

/// An item's id in the client's own system.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(extend("minLength" = 1, "maxLength" = 256, "pattern" = r"^[^\u0000-\u001f\u007f-\u009f]+$"))]
pub struct ExternalId(String);

impl ExternalId {
    /// # Errors
    /// When the text is empty, longer than 256 characters, or holds a control character.
    pub fn new(text: impl Into<String>) -> Result<Self, InvalidName> {
        let text = text.into();
        if (1..=MAX_EXTERNAL_ID).contains(&text.chars().count()) && !text.chars().any(char::is_control) {
            Ok(Self(text))
        } else {
            Err(InvalidName { what: "external_id", rule: "must have 1 to 256 characters and no control character" })
        }
    }
}

text_name!(ExternalId);

/// What an item is known by within a tenant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct ItemKey {
    /// Kind of source.
    pub source_type: SourceType,
    /// The item's id in the client's own system.
    pub external_id: ExternalId,
}

/// When an item took place: a moment, and whether its writer named an offset to read dates in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OccurredAt {
    /// The moment, with the offset it was written in.
    pub time: DateTime<FixedOffset>,
    /// False where it was written with `Z`, which says nothing of where the people were.
    pub has_offset: bool,
}

impl OccurredAt {
    /// A moment in UTC, to the millisecond, that says nothing of a zone.
    #[must_use]
    pub fn utc(time: DateTime<Utc>) -> Self {
        Self { time: time.trunc_subsecs(3).fixed_offset(), has_offset: false }
    }
}

impl FromStr for OccurredAt {
    type Err = InvalidName;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let invalid =
            InvalidName { what: "occurred_at", rule: "must be an RFC 3339 time such as 2026-03-03T15:00:00Z" };
        let time = DateTime::parse_from_rfc3339(text).map_err(|_| invalid.clone())?;
        // The year 0 and five-digit years parse but cannot be written back everywhere.
        if !(1..=9999).contains(&chrono::Datelike::year(&time.to_utc())) {
            return Err(invalid);
        }
        Ok(Self { time, has_offset: !text.ends_with(['Z', 'z']) })
    }
}

impl fmt::Display for OccurredAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.time.to_rfc3339_opts(SecondsFormat::AutoSi, !self.has_offset))
    }
}

impl Serialize for OccurredAt {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for OccurredAt {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The body of `POST /ingest/items` as a client writes it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Submission {
    /// Kind of source.
    pub source_type: SourceType,
    /// The item's id in the client's own system.
    pub external_id: ExternalId,
    /// The text that tasks are found in: at most 200,000 characters, not blank.
    #[schemars(extend("minLength" = 1, "maxLength" = MAX_TRANSCRIPT, "pattern" = r"\S"))]
    pub transcript: String,
    /// When it took place, RFC 3339; an offset is kept for resolving dates. Absent: the time of receipt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<DateTime<Utc>>", extend("pattern" = r"^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}"))]
    pub occurred_at: Option<OccurredAt>,
    /// What people call it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = MAX_TITLE))]
    pub title: Option<String>,
    /// Anything else, as strings. Known keys: `participant` (who "me" is in this item), `participants` (comma
    /// separated), `channel`, `time_zone` (IANA), `language` (BCP 47).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(with = "Option<BTreeMap<String, String>>")]
    pub metadata: BTreeMap<String, String>,
}

/// One piece of content, checked.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Item {
    /// What it is known by.
    #[serde(flatten)]
    pub key: ItemKey,
    /// The text that tasks are found in.
    pub transcript: String,
    /// When it took place.
    pub occurred_at: OccurredAt,
    /// What people call it.
    pub title: Option<String>,
    /// The client's own words about it.
    pub metadata: BTreeMap<String, String>,
}

/// One member of a submission that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemField {
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
pub struct InvalidItem(pub Vec<ItemField>);

impl Item {
    /// Checks the members of a submission; `received_at` stands in where `occurred_at` is absent, and
    /// `max_transcript` is in characters (0: no limit). Returns the names of members that nobody knows as well.
    ///
    /// # Errors
    /// [`InvalidItem`] names every member that breaks a rule, not only the first.
    pub fn from_json(
        mut body: Map<String, Value>,
        received_at: DateTime<Utc>,
        max_transcript: usize,
    ) -> Result<(Self, Vec<String>), InvalidItem> {
        let mut check = Check::default();
        let source_type = check.name(&mut body, "source_type", SourceType::new);
        let external_id = check.name(&mut body, "external_id", ExternalId::new);
        let transcript = check.required(&mut body, "transcript");
        if let Some(text) = &transcript {
            if text.trim().is_empty() {
                check.fail("/transcript", "must not be blank");
            } else if max_transcript > 0 && text.len() > max_transcript && text.chars().count() > max_transcript {
                check.too_large("/transcript", format!("must have at most {max_transcript} characters"));
            }
        }
        let occurred_at = check.optional(&mut body, "occurred_at").and_then(|text| match text.parse() {
            Ok(time) => Some(time),
            Err(InvalidName { rule, .. }) => {
                check.fail("/occurred_at", rule);
                None
            }
        });
        let title = check.optional(&mut body, "title");
        if title.as_ref().is_some_and(|title| title.chars().count() > MAX_TITLE) {
            check.fail("/title", format!("must have at most {MAX_TITLE} characters"));
        }
        let metadata = check.metadata(&mut body);
        let unknown = body.into_iter().map(|(name, _)| name).collect();
        match (source_type, external_id, transcript) {
            (Some(source_type), Some(external_id), Some(transcript)) if check.failed.is_empty() => Ok((
                Self {
                    key: ItemKey { source_type, external_id },
                    transcript,
                    occurred_at: occurred_at.unwrap_or_else(|| OccurredAt::utc(received_at)),
                    title: title.filter(|title| !title.trim().is_empty()),
                    metadata,
                },
                unknown,
            )),
            _ => Err(InvalidItem(check.failed)),
        }
    }

    /// Leaves out the names behind the first `max` in the metadata `participants` (0: none). Whether there were any.
    pub fn keep_participants(&mut self, max: usize) -> bool {
        let Some(names) = self.metadata.get_mut("participants").filter(|_| max > 0) else { return false };
        let end = names.match_indices(',').nth(max - 1).map(|(at, _)| at);
        end.inspect(|at| names.truncate(*at)).is_some()
    }

    /// The zone in which the item's dates are meant: metadata `time_zone`, else the offset of `occurred_at` where it
    /// is not `Z`, else the subject's zone, else UTC.
    #[must_use]
    pub fn zone(&self, subject: &Subject) -> Zone {
        let named = self.metadata.get("time_zone").and_then(|name| name.trim().parse::<Tz>().ok());
        if let Some(zone) = named {
            return Zone::Named(zone);
        }
        if self.occurred_at.has_offset {
            return Zone::Offset(*self.occurred_at.time.offset());
        }
        subject.zone().map_or(Zone::Named(Tz::UTC), Zone::Named)
    }

    /// Who "me" is in this item: metadata `participant`, else the token's subject. A participant whose name is one
    /// of the subject's keeps the subject's other names.
    #[must_use]
    pub fn me(&self, subject: &Subject) -> Subject {
        let Some(name) = self.metadata.get("participant").map(|name| name.trim()).filter(|name| !name.is_empty())
        else {
            return subject.clone();
        };
        let same =
            subject.names().chain(subject.email.as_deref()).any(|known| known.to_lowercase() == name.to_lowercase());
        if same { subject.clone() } else { Subject { time_zone: subject.time_zone.clone(), ..Subject::named(name) } }
    }

    /// SHA-256 (hex) of the transcript's UTF-8.
    #[must_use]
    pub fn content_sha256(&self) -> String {
        hex(&Sha256::digest(self.transcript.as_bytes()))
    }
}

/// The zone in which an item's dates are meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Zone {
    /// A place's zone, with its summer time.
    Named(Tz),
    /// A fixed distance from UTC.
    Offset(FixedOffset),
}

impl Zone {
    /// The time on that zone's clocks.
    #[must_use]
    pub fn local(&self, time: DateTime<FixedOffset>) -> chrono::NaiveDateTime {
        match self {
            Self::Named(zone) => time.with_timezone(zone).naive_local(),
            Self::Offset(offset) => time.with_timezone(offset).naive_local(),
        }
    }
}

/// Lower-case hex digits.
fn hex(bytes: &[u8]) -> String {
    use fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut out, byte| {
        // Writing into a String cannot fail.
        let _ = write!(out, "{byte:02x}");
        out
    })
}

/// Collects what is wrong while members are taken out of the body.
#[derive(Default)]
struct Check {
    failed: Vec<ItemField>,
}

impl Check {
    fn fail(&mut self, pointer: impl Into<String>, detail: impl Into<String>) {
        self.failed.push(ItemField { pointer: pointer.into(), detail: detail.into(), too_large: false });
    }

    fn too_large(&mut self, pointer: impl Into<String>, detail: impl Into<String>) {
        self.failed.push(ItemField { pointer: pointer.into(), detail: detail.into(), too_large: true });
    }

    fn required(&mut self, body: &mut Map<String, Value>, member: &str) -> Option<String> {
        match body.remove(member) {
            Some(Value::String(text)) => Some(text),
            Some(_) => {
                self.fail(format!("/{member}"), "must be a string");
                None
            }
            None => {
                self.fail(format!("/{member}"), "is required");
                None
            }
        }
    }

    fn optional(&mut self, body: &mut Map<String, Value>, member: &str) -> Option<String> {
        match body.remove(member) {
            Some(Value::String(text)) => Some(text),
            None | Some(Value::Null) => None,
            Some(_) => {
                self.fail(format!("/{member}"), "must be a string");
                None
            }
        }
    }

    fn name<T>(
        &mut self,
        body: &mut Map<String, Value>,
        member: &str,
        new: impl Fn(String) -> Result<T, InvalidName>,
    ) -> Option<T> {
        let text = self.required(body, member)?;
        new(text).map_err(|error| self.fail(format!("/{member}"), error.rule)).ok()
    }

    fn metadata(&mut self, body: &mut Map<String, Value>) -> BTreeMap<String, String> {
        let members = match body.remove("metadata") {
            None | Some(Value::Null) => return BTreeMap::new(),
            Some(Value::Object(members)) => members,
            Some(_) => {
                self.fail("/metadata", "must be an object of strings");
                return BTreeMap::new();
            }
        };
        if members.len() > MAX_METADATA_KEYS {
            self.fail("/metadata", format!("must have at most {MAX_METADATA_KEYS} keys"));
            // What is wrong with each of thousands helps nobody.
            return BTreeMap::new();
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
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(body: Value) -> Result<(Item, Vec<String>), InvalidItem> {
        let Value::Object(body) = body else { panic!("an object") };
        Item::from_json(body, "2026-03-03T15:00:00Z".parse().unwrap(), MAX_TRANSCRIPT)
    }

    fn refused(body: Value) -> Vec<String> {
        read(body).unwrap_err().0.into_iter().map(|field| field.pointer).collect()
    }

    #[test]
    fn the_least_submission_takes_the_time_of_receipt() {
        let (item, unknown) =
            read(json!({"source_type": "meeting", "external_id": "m", "transcript": "x", "extra": 1})).unwrap();
        assert_eq!(item.occurred_at.to_string(), "2026-03-03T15:00:00Z");
        assert_eq!(unknown, ["extra"]);
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
        let error = read(json!({"source_type": "note", "external_id": "n", "transcript": long})).unwrap_err();
        assert!(error.0[0].too_large);
        let wide = "ä".repeat(MAX_TRANSCRIPT);
        assert!(
            read(json!({"source_type": "note", "external_id": "n", "transcript": wide})).is_ok(),
            "characters, not bytes"
        );
    }

    #[test]
    fn the_zone_is_metadata_then_offset_then_subject_then_utc() {
        let at = |occurred_at: &str, zone: Option<&str>| {
            let mut metadata = json!({});
            if let Some(zone) = zone {
                metadata["time_zone"] = zone.into();
            }
            read(json!({"source_type": "note", "external_id": "n", "transcript": "x", "occurred_at": occurred_at, "metadata": metadata}))
                .unwrap()
                .0
        };
        let chicago = Subject { time_zone: Some("America/Chicago".into()), ..Subject::default() };
        assert_eq!(at("2026-03-03T15:00:00+09:00", Some("Europe/Rome")).zone(&chicago), Zone::Named(Tz::Europe__Rome));
        assert!(matches!(at("2026-03-03T15:00:00+09:00", None).zone(&chicago), Zone::Offset(_)));
        assert_eq!(at("2026-03-03T15:00:00Z", None).zone(&chicago), Zone::Named(Tz::America__Chicago));
        assert_eq!(at("2026-03-03T15:00:00Z", None).zone(&Subject::default()), Zone::Named(Tz::UTC));
    }

    #[test]
    fn an_offset_survives_the_way_through_the_store() {
        for text in ["2026-03-03T15:00:00Z", "2026-03-03T15:00:00.250+09:00", "2026-03-03T15:00:00+00:00"] {
            let time: OccurredAt = text.parse().unwrap();
            assert_eq!(serde_json::from_value::<OccurredAt>(json!(time)).unwrap(), time);
        }
    }

    #[test]
    fn a_participant_stands_over_the_subject() {
        let (mut item, _) = read(json!({"source_type": "note", "external_id": "n", "transcript": "x"})).unwrap();
        let dana = Subject { aliases: vec!["Dee".into()], ..Subject::named("Dana Reyes") };
        assert_eq!(item.me(&dana), dana);
        item.metadata.insert("participant".into(), "dana reyes".into());
        assert_eq!(item.me(&dana), dana);
        item.metadata.insert("participant".into(), "Sam Lee".into());
        assert_eq!(item.me(&dana).name.as_deref(), Some("Sam Lee"));
    }
}
