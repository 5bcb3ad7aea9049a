//! What a spec means, read once: everything behind this file works with types instead of the tenant's text.

use crate::{ApiToken, ApiTokenSpec, SubjectSpec, duration};
use chrono::{DateTime, TimeDelta, Utc};
use gleaner_model::{Scope, ScopeSet, Subject, TokenHash};

/// What the tenant asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DesiredToken {
    /// What the token allows.
    pub scopes: ScopeSet,
    /// Whom it speaks for.
    pub subject: Subject,
    /// How long it works.
    pub expiry: Expiry,
    /// How it is replaced.
    pub rotation: Rotation,
    /// Whether it is refused for now.
    pub suspend: bool,
    /// The hash of a token that is imported; `None` asks for a minted one.
    pub imported: Option<TokenHash>,
}

/// How long a token works.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expiry {
    /// For as long as the ApiToken is there.
    Never,
    /// Until a moment, exclusively.
    At(DateTime<Utc>),
    /// For so long from when it was issued.
    After(TimeDelta),
}

impl Expiry {
    /// When a token that was issued at `issued` stops working.
    #[must_use]
    pub fn of(self, issued: DateTime<Utc>) -> Option<DateTime<Utc>> {
        match self {
            Self::Never => None,
            Self::At(moment) => Some(moment),
            Self::After(span) => issued.checked_add_signed(span),
        }
    }
}

/// How a token is replaced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rotation {
    /// How long after it was issued, if by itself.
    pub every: Option<TimeDelta>,
    /// How long the old one works beside the new one.
    pub overlap: TimeDelta,
}

/// A spec that says something impossible, where the admission rules could not see it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("spec.{field} {why}")]
pub struct InvalidSpec {
    /// The field, under `spec`.
    pub field: &'static str,
    /// What is wrong with it, and what would be right.
    pub why: String,
}

impl DesiredToken {
    /// Reads a spec.
    ///
    /// # Errors
    /// [`InvalidSpec`] names the first field that cannot be read.
    pub fn read(spec: &ApiTokenSpec) -> Result<Self, InvalidSpec> {
        Ok(Self {
            scopes: scopes(&spec.scopes)?,
            subject: subject(spec.subject.as_ref())?,
            expiry: expiry(spec)?,
            rotation: rotation(spec)?,
            suspend: spec.suspend,
            imported: imported(spec)?,
        })
    }
}

impl ApiToken {
    /// The Secret that a minted token is written to: the one named, or `<name>-token`.
    #[must_use]
    pub fn secret_name(&self) -> String {
        let name = self.metadata.name.as_deref().unwrap_or_default();
        self.spec.secret_name.clone().unwrap_or_else(|| format!("{name}-token"))
    }
}

fn invalid(field: &'static str, why: impl ToString) -> InvalidSpec {
    InvalidSpec { field, why: why.to_string() }
}

fn scopes(names: &[String]) -> Result<ScopeSet, InvalidSpec> {
    // Admission knows the names. One that this version does not know is of a newer one: it is kept, and grants nothing.
    let set = ScopeSet::named(names);
    if set.is_empty() {
        return Err(invalid("scopes", "must name at least one scope"));
    }
    if set.allows(Scope::FeedRead) {
        return Err(invalid("scopes", format_args!("must not name {}, which is for feeds alone", Scope::FeedRead)));
    }
    Ok(set)
}

fn subject(spec: Option<&SubjectSpec>) -> Result<Subject, InvalidSpec> {
    let SubjectSpec { name, email, aliases, time_zone } = spec.cloned().unwrap_or_default();
    let subject = Subject { name, email, aliases, time_zone };
    match &subject.time_zone {
        Some(zone) if subject.zone().is_none() => {
            Err(invalid("subject.timeZone", format_args!("is {zone:?}: expected an IANA name such as America/Chicago")))
        }
        _ => Ok(subject),
    }
}

fn expiry(spec: &ApiTokenSpec) -> Result<Expiry, InvalidSpec> {
    match (&spec.expires_at, &spec.ttl) {
        (None, None) => Ok(Expiry::Never),
        (None, Some(ttl)) => duration("ttl", ttl).map(Expiry::After),
        (Some(moment), None) => DateTime::parse_from_rfc3339(moment)
            .map(|moment| Expiry::At(moment.to_utc()))
            .map_err(|_| invalid("expiresAt", "must be a time such as 2027-01-01T00:00:00Z")),
        (Some(_), Some(_)) => Err(invalid("ttl", "excludes expiresAt: set one of them")),
    }
}

fn rotation(spec: &ApiTokenSpec) -> Result<Rotation, InvalidSpec> {
    let every = spec.rotation.as_ref().and_then(|rotation| rotation.every.as_deref());
    let overlap = spec.rotation.as_ref().and_then(|rotation| rotation.overlap.as_deref());
    Ok(Rotation {
        every: every.map(|text| duration("rotation.every", text)).transpose()?.filter(|span| !span.is_zero()),
        overlap: overlap.map_or(Ok(TimeDelta::zero()), |text| duration("rotation.overlap", text))?,
    })
}

fn imported(spec: &ApiTokenSpec) -> Result<Option<TokenHash>, InvalidSpec> {
    let read = |text: &String| text.parse().map_err(|_| invalid("tokenHash", "must be sha256: and 64 hex digits"));
    spec.token_hash.as_ref().map(read).transpose()
}

fn duration(field: &'static str, text: &str) -> Result<TimeDelta, InvalidSpec> {
    duration::parse(text).ok_or_else(|| invalid(field, "must be a duration such as 720h, 30m or 1h30m"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RotationSpec;

    fn spec() -> ApiTokenSpec {
        ApiTokenSpec { scopes: vec!["tasks:read".to_owned()], ..ApiTokenSpec::default() }
    }

    #[test]
    fn a_spec_of_scopes_alone_asks_for_a_token_for_ever() {
        let wanted = DesiredToken::read(&spec()).unwrap();
        assert_eq!(wanted.scopes, [Scope::TasksRead].into_iter().collect());
        assert_eq!((wanted.expiry, wanted.imported, wanted.suspend), (Expiry::Never, None, false));
        assert_eq!(wanted.rotation, Rotation { every: None, overlap: TimeDelta::zero() });
    }

    #[test]
    fn a_scope_of_a_newer_version_is_kept() {
        let scopes = ["x-unknown:read", "tasks:read"].map(str::to_owned).to_vec();
        let wanted = DesiredToken::read(&ApiTokenSpec { scopes, ..spec() }).unwrap();
        assert_eq!(wanted.scopes.to_string(), "tasks:read x-unknown:read");
    }

    #[test]
    fn a_ttl_counts_from_when_the_token_was_issued() {
        let wanted = DesiredToken::read(&ApiTokenSpec { ttl: Some("1h30m".to_owned()), ..spec() }).unwrap();
        let issued = "2027-01-01T00:00:00Z".parse().unwrap();
        assert_eq!(wanted.expiry.of(issued), Some("2027-01-01T01:30:00Z".parse().unwrap()));
    }

    #[test]
    fn what_the_admission_rules_cannot_see_is_named() {
        let bad = [
            ApiTokenSpec { scopes: vec!["feed:read".to_owned()], ..spec() },
            ApiTokenSpec { scopes: vec![], ..spec() },
            ApiTokenSpec { ttl: Some("1d".to_owned()), ..spec() },
            ApiTokenSpec { expires_at: Some("tomorrow".to_owned()), ..spec() },
            ApiTokenSpec { token_hash: Some("md5:0".to_owned()), ..spec() },
            ApiTokenSpec { rotation: Some(RotationSpec { every: Some("x".to_owned()), overlap: None }), ..spec() },
            ApiTokenSpec {
                subject: Some(SubjectSpec { time_zone: Some("Mars/Base".to_owned()), ..SubjectSpec::default() }),
                ..spec()
            },
        ];
        let fields = bad.iter().map(|spec| DesiredToken::read(spec).unwrap_err().field).collect::<Vec<_>>();
        assert_eq!(fields, ["scopes", "scopes", "ttl", "expiresAt", "tokenHash", "rotation.every", "subject.timeZone"]);
    }
}
