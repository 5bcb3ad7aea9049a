//! What a tenant reads: the conditions, and the status as a whole.

use chrono::{DateTime, SubsecRound as _, TimeDelta, Utc};
use gleaner_crds::{ApiTokenStatus, DesiredToken};
use k8s_openapi::{
    apimachinery::pkg::apis::meta::v1::{Condition, Time},
    jiff::Timestamp,
};

/// How often `lastUsedAt` may move.
const COARSE: TimeDelta = TimeDelta::hours(1);

/// What one pass came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TokenReadiness {
    /// The API accepts the token.
    Registered,
    /// The token is recorded; the store is yet to learn of it.
    Registering,
    /// The spec says that the token is to be refused.
    Suspended,
    /// The token's time is over.
    Expired,
    /// The Secret belongs to somebody else.
    SecretConflict(String),
    /// The Secret cannot be written.
    SecretRefused(String),
    /// Another ApiToken has imported the same hash.
    HashTaken,
    /// The spec cannot be read.
    InvalidSpec(String),
    /// The spec asks for more than the admin allows.
    LimitsExceeded(String),
    /// The ApiToken whose token made it is gone.
    MakerGone(String),
    /// The store cannot be asked.
    StoreUnavailable(String),
    /// The installation is gone.
    Uninstalled,
    /// The ApiToken was deleted, and its token cannot be revoked yet.
    RevocationWaits(String),
}

impl TokenReadiness {
    /// Status, reason and message of the condition `Ready`.
    pub(crate) fn ready(&self) -> (&'static str, &'static str, String) {
        match self {
            Self::Registered => ("True", "Registered", "the API accepts the token".to_owned()),
            Self::Registering => ("Unknown", "Registering", "the token is being registered".to_owned()),
            Self::Suspended => ("False", "Suspended", "the token is refused while spec.suspend is true".to_owned()),
            Self::Expired => ("False", "Expired", "the token's time is over: rotate it, or move its end".to_owned()),
            Self::SecretConflict(name) => (
                "False",
                "SecretConflict",
                format!("a Secret {name} exists that this ApiToken does not own: delete it, or use another secretName"),
            ),
            Self::SecretRefused(why) => ("False", "SecretNotWritten", format!("the Secret cannot be written: {why}")),
            Self::HashTaken => (
                "False",
                "TokenHashInUse",
                "another ApiToken has registered this tokenHash: import a token of your own".to_owned(),
            ),
            Self::InvalidSpec(why) => ("False", "InvalidSpec", why.clone()),
            Self::LimitsExceeded(why) => ("False", "LimitsExceeded", why.clone()),
            Self::MakerGone(name) => {
                ("False", "MakerGone", format!("it was made by the token of the ApiToken {name}, which is gone"))
            }
            Self::StoreUnavailable(why) => ("False", "StoreUnavailable", format!("nothing can be registered: {why}")),
            Self::Uninstalled => {
                ("False", "Uninstalled", "Gleaner was uninstalled: a new installation issues another token".to_owned())
            }
            Self::RevocationWaits(why) => {
                ("False", "RevocationWaits", format!("deletion waits until the token is revoked: {why}"))
            }
        }
    }

    /// Whether people should be warned.
    pub(crate) const fn is_trouble(&self) -> bool {
        !matches!(self, Self::Registered | Self::Registering | Self::Suspended | Self::Expired)
    }
}

/// The status after a pass: `status` as recorded, seen through `verdict`.
pub(crate) fn after(
    mut status: ApiTokenStatus,
    wanted: Option<&DesiredToken>,
    verdict: &TokenReadiness,
    generation: Option<i64>,
    now: DateTime<Utc>,
) -> ApiTokenStatus {
    if let Some((wanted, issued)) = wanted.zip(status.issued_at) {
        status.expires_at = wanted.expiry.of(issued);
    }
    let expired = status.expires_at.is_some_and(|end| end <= now);
    let mut ready = verdict.ready();
    if let Some(unknown) = wanted.map(|wanted| wanted.scopes.unknown()).filter(|unknown| !unknown.is_empty()) {
        ready.2 += &format!("; this version of Gleaner grants nothing for {unknown}");
    }
    let conditions = [
        ("Ready", ready),
        ("SecretDelivered", delivered(&status, wanted, verdict)),
        ("Expired", expiry(status.expires_at, expired)),
    ];
    status.conditions =
        conditions.into_iter().map(|(kind, said)| condition(&status.conditions, kind, said, generation, now)).collect();
    status.observed_generation = generation;
    status
}

fn delivered(
    status: &ApiTokenStatus,
    wanted: Option<&DesiredToken>,
    verdict: &TokenReadiness,
) -> (&'static str, &'static str, String) {
    let name = status.secret_name.as_deref();
    match (verdict, name) {
        (TokenReadiness::SecretConflict(_) | TokenReadiness::SecretRefused(_), _) => {
            let (_, reason, message) = verdict.ready();
            ("False", reason, message)
        }
        (_, Some(name)) => ("True", "Delivered", format!("the token was written to the Secret {name}, once")),
        _ if wanted.is_some_and(|wanted| wanted.imported.is_some()) => {
            ("False", "TokenHashGiven", "no Secret is written for an imported token".to_owned())
        }
        _ => ("False", "NotIssued", "no token has been issued yet".to_owned()),
    }
}

fn expiry(end: Option<DateTime<Utc>>, expired: bool) -> (&'static str, &'static str, String) {
    match end {
        None => ("False", "NoExpiry", "the token works for ever".to_owned()),
        Some(end) if expired => ("True", "Expired", format!("the token stopped working at {}", end.trunc_subsecs(0))),
        Some(end) => ("False", "NotExpired", format!("the token works until {}", end.trunc_subsecs(0))),
    }
}

/// A condition as it reads now; the time of its last transition stays while its status does.
pub(crate) fn condition(
    before: &[Condition],
    kind: &str,
    (status, reason, message): (&str, &str, String),
    generation: Option<i64>,
    now: DateTime<Utc>,
) -> Condition {
    let same = before.iter().find(|old| old.type_ == kind && old.status == status);
    Condition {
        type_: kind.to_owned(),
        status: status.to_owned(),
        reason: reason.to_owned(),
        message,
        observed_generation: generation,
        last_transition_time: same.map_or_else(|| moment(now), |old| old.last_transition_time.clone()),
    }
}

fn moment(at: DateTime<Utc>) -> Time {
    Time(Timestamp::from_second(at.timestamp()).unwrap_or_default())
}

/// `lastUsedAt` as it should read, given when the store saw the token last.
pub(crate) fn last_used(shown: Option<DateTime<Utc>>, seen: Option<DateTime<Utc>>) -> Option<DateTime<Utc>> {
    match (shown, seen.map(|at| at.trunc_subsecs(0))) {
        (Some(shown), Some(seen)) if seen - shown < COARSE => Some(shown),
        (shown, seen) => seen.or(shown),
    }
}

/// The condition `Ready` of a status.
pub(crate) fn ready(status: Option<&ApiTokenStatus>) -> Option<&Condition> {
    status?.conditions.iter().find(|condition| condition.type_ == "Ready")
}

#[cfg(test)]
mod tests {
    use super::*;
    use gleaner_crds::ApiTokenSpec;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    #[test]
    fn a_transition_time_moves_with_the_status_alone() {
        let (noon, later) = (at("2027-01-01T12:00:00Z"), at("2027-01-01T13:00:00Z"));
        let first = after(ApiTokenStatus::default(), None, &TokenReadiness::Suspended, Some(1), noon);
        let second = after(first.clone(), None, &TokenReadiness::Expired, Some(2), later);
        let third = after(second.clone(), None, &TokenReadiness::Registered, Some(3), later);
        let times = [&first, &second, &third].map(|s| s.conditions[0].last_transition_time.0.as_second());
        assert_eq!(times, [noon.timestamp(), noon.timestamp(), later.timestamp()]);
        assert_eq!(third.conditions[0].observed_generation, Some(3));
    }

    #[test]
    fn a_scope_of_a_newer_version_is_named_where_the_tenant_looks() {
        let spec =
            ApiTokenSpec { scopes: vec!["tasks:read".to_owned(), "x-unknown:read".to_owned()], ..Default::default() };
        let wanted = DesiredToken::read(&spec).unwrap();
        let now = at("2027-01-01T12:00:00Z");
        let status = after(ApiTokenStatus::default(), Some(&wanted), &TokenReadiness::Registered, Some(1), now);
        let said = "the API accepts the token; this version of Gleaner grants nothing for x-unknown:read";
        assert_eq!((status.conditions[0].status.as_str(), status.conditions[0].message.as_str()), ("True", said));
    }

    #[test]
    fn a_pass_that_finds_everything_right_changes_nothing() {
        let now = at("2027-01-01T12:00:00Z");
        let first = after(ApiTokenStatus::default(), None, &TokenReadiness::Registered, Some(1), now);
        assert_eq!(after(first.clone(), None, &TokenReadiness::Registered, Some(1), at("2027-02-01T00:00:00Z")), first);
    }

    #[test]
    fn the_last_use_moves_once_an_hour_at_most() {
        let (noon, soon, later) = (at("2027-01-01T12:00:00Z"), at("2027-01-01T12:59:59Z"), at("2027-01-01T13:00:00Z"));
        assert_eq!(last_used(None, Some(noon)), Some(noon));
        assert_eq!(last_used(Some(noon), Some(soon)), Some(noon));
        assert_eq!(last_used(Some(noon), Some(later)), Some(later));
        assert_eq!(last_used(Some(noon), None), Some(noon));
    }
}
