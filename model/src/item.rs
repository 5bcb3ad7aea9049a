//! Items: one piece of content, known by its kind and its id in the client's own system.

use crate::{InvalidSubmission, InvalidText, Subject, Submission, text::ruled_text};
use chrono::{DateTime, FixedOffset, SecondsFormat, SubsecRound as _, Utc};
use chrono_tz::Tz;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use std::{borrow::Cow, collections::BTreeMap, fmt, str::FromStr};

/// Most names in the metadata `participants` that are used. An installation may lower or lift it.
pub const MAX_PARTICIPANTS: usize = 500;
/// Longest external id, in characters.
const MAX_EXTERNAL_ID: usize = 256;

macro_rules! source_type_pattern {
    () => {
        "^[a-z][a-z0-9_.-]{0,31}$"
    };
}

ruled_text!(
    /// Kind of source. `meeting call email chat note document` have readers of their own; any other is read as a document.
    SourceType("source_type"): concat!("must match ", source_type_pattern!()),
    { "pattern" = (source_type_pattern!()) },
    |text| {
        let inner = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit() || b"_.-".contains(&c);
        text.len() <= 32 && text.starts_with(|c: char| c.is_ascii_lowercase()) && text.bytes().all(inner)
    }
);

ruled_text!(
    /// An item's id in the client's own system.
    ExternalId("external_id"): "must have 1 to 256 characters and no control character",
    { "minLength" = 1, "maxLength" = MAX_EXTERNAL_ID, "pattern" = r"^[^\u0000-\u001f\u007f-\u009f]+$" },
    |text| (1..=MAX_EXTERNAL_ID).contains(&text.chars().count()) && !text.chars().any(char::is_control)
);

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

impl TryFrom<String> for OccurredAt {
    type Error = InvalidText;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl JsonSchema for OccurredAt {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "OccurredAt".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "format": "date-time",
            "pattern": r"^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}",
        })
    }
}

impl FromStr for OccurredAt {
    type Err = InvalidText;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let invalid =
            InvalidText { what: "occurred_at", rule: "must be an RFC 3339 time such as 2026-03-03T15:00:00Z" };
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

/// Longest part of an unknown member's name that a warning repeats, in characters.
const NAME_SHOWN: usize = 100;

impl Item {
    /// Reads and checks a submission; `received_at` stands in where `occurred_at` is absent, and `max_transcript` is in
    /// characters (0: no limit). Returns a warning for each member that nobody knows as well.
    ///
    /// # Errors
    /// [`InvalidSubmission`] names every member that breaks a rule, not only the first.
    pub fn from_json(
        body: Map<String, Value>,
        received_at: DateTime<Utc>,
        max_transcript: usize,
    ) -> Result<(Self, Vec<String>), InvalidSubmission> {
        let (submission, unknown) = Submission::read(body, max_transcript)?;
        let shown = |name: &String| name.chars().take(NAME_SHOWN).collect::<String>();
        let warnings = unknown.iter().map(|name| format!("unknown member ignored: {}", shown(name))).collect();
        Ok((Self::new(submission, received_at), warnings))
    }

    /// The item that was submitted. A blank title is none.
    #[must_use]
    pub fn new(submission: Submission, received_at: DateTime<Utc>) -> Self {
        let title = submission.title.map(String::from).filter(|title| !title.trim().is_empty());
        Self {
            key: ItemKey { source_type: submission.source_type, external_id: submission.external_id },
            transcript: submission.transcript.into(),
            occurred_at: submission.occurred_at.unwrap_or_else(|| OccurredAt::utc(received_at)),
            title,
            metadata: submission.metadata.unwrap_or_default().into(),
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
        format!("{:x}", Sha256::digest(self.transcript.as_bytes()))
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(body: Value) -> Result<(Item, Vec<String>), InvalidSubmission> {
        let Value::Object(body) = body else { panic!("an object") };
        Item::from_json(body, "2026-03-03T15:00:00Z".parse().unwrap(), 0)
    }

    #[test]
    fn the_least_submission_takes_the_time_of_receipt() {
        let (item, warnings) =
            read(json!({"source_type": "meeting", "external_id": "m", "transcript": "x", "extra": 1})).unwrap();
        assert_eq!(item.occurred_at.to_string(), "2026-03-03T15:00:00Z");
        assert_eq!(warnings, ["unknown member ignored: extra"]);
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
