//! What an admin allows tokens to be at most: how long they work, and what they may do. The controller holds ApiTokens to
//! it, the API the tokens that are made over HTTP.

use crate::{DesiredToken, Expiry, duration};
use chrono::{DateTime, TimeDelta, Utc};
use clap::Args;
use gleaner_model::{Scope, ScopeSet};

/// What tokens may be at most.
#[derive(Args, Clone, PartialEq, Eq, Debug, Default)]
pub struct TokenLimits {
    /// Longest time that a token may work from when it is issued, such as 2160h; a token without an end is refused then
    /// (0: no limit)
    #[arg(long, env = "GLEANER_TOKEN_MAX_LIFETIME", default_value = "0", value_parser = lifetime, value_name = "DURATION")]
    pub token_max_lifetime: TimeDelta,

    /// Scopes that a token may have, separated by commas; all of them when left out
    #[arg(long, env = "GLEANER_TOKEN_ALLOWED_SCOPES", value_delimiter = ',', value_name = "SCOPES")]
    pub token_allowed_scopes: Vec<Scope>,
}

impl TokenLimits {
    /// What of a spec is beyond the limits, field by field, in words for the tenant; `None`: nothing is.
    ///
    /// `issued` is when the token was issued, or would be.
    #[must_use]
    pub fn excess(&self, wanted: &DesiredToken, issued: DateTime<Utc>) -> Option<String> {
        let field = match wanted.expiry {
            Expiry::At(_) => "spec.expiresAt",
            Expiry::Never | Expiry::After(_) => "spec.ttl",
        };
        let scopes = self.beyond_scopes(&wanted.scopes).map(|why| format!("spec.scopes {why}"));
        let end = self.beyond_end(wanted.expiry.of(issued), issued).map(|why| format!("{field} {why}"));
        let said = scopes.into_iter().chain(end).collect::<Vec<_>>();
        (!said.is_empty()).then(|| said.join("; "))
    }

    /// What is wrong with the scopes, as the rest of a sentence about them.
    #[must_use]
    pub fn beyond_scopes(&self, wanted: &ScopeSet) -> Option<String> {
        let allowed = self.token_allowed_scopes.iter().copied().collect::<ScopeSet>();
        let beyond = wanted.beyond(&allowed);
        let refused = !allowed.is_empty() && !beyond.is_empty();
        refused.then(|| format!("must not name {beyond}: the admin allows {allowed}"))
    }

    /// What is wrong with the end of a token that is issued at `issued`, as the rest of a sentence about it.
    #[must_use]
    pub fn beyond_end(&self, end: Option<DateTime<Utc>>, issued: DateTime<Utc>) -> Option<String> {
        let longest = self.longest()?;
        let most = duration::format(longest);
        match end {
            None => Some(format!("must be set: the admin allows a token to work for at most {most}")),
            Some(end) if end - issued > longest => {
                Some(format!("must end within {most} of when the token is issued: the admin allows no more"))
            }
            Some(_) => None,
        }
    }

    /// From when on a token that ends at a fixed time may be issued: the admin's longest time before it.
    #[must_use]
    pub fn allowed_from(&self, expiry: Expiry) -> Option<DateTime<Utc>> {
        match expiry {
            Expiry::At(end) => end.checked_sub_signed(self.longest()?),
            Expiry::Never | Expiry::After(_) => None,
        }
    }

    fn longest(&self) -> Option<TimeDelta> {
        (!self.token_max_lifetime.is_zero()).then_some(self.token_max_lifetime)
    }
}

fn lifetime(text: &str) -> Result<TimeDelta, String> {
    match text {
        "0" => Ok(TimeDelta::zero()),
        _ => duration::parse(text).ok_or_else(|| "expected a duration such as 2160h, 30m or 1h30m, or 0".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ApiTokenSpec;
    use clap::Parser;

    #[derive(Parser)]
    struct LimitArgs {
        #[command(flatten)]
        limits: TokenLimits,
    }

    fn limits(arguments: &[&str]) -> TokenLimits {
        LimitArgs::parse_from([&["x"], arguments].concat()).limits
    }

    fn now() -> DateTime<Utc> {
        "2027-01-01T00:00:00Z".parse().unwrap()
    }

    fn excess(limits: &TokenLimits, ttl: Option<&str>, end: Option<&str>) -> Option<String> {
        let spec = ApiTokenSpec {
            scopes: vec!["tasks:read".to_owned(), "tokens:write".to_owned()],
            ttl: ttl.map(str::to_owned),
            expires_at: end.map(str::to_owned),
            ..ApiTokenSpec::default()
        };
        limits.excess(&DesiredToken::read(&spec).unwrap(), now())
    }

    #[test]
    fn without_limits_everything_goes() {
        assert_eq!(excess(&limits(&[]), None, None), None);
        assert_eq!(excess(&limits(&["--token-max-lifetime", "0"]), Some("99999h"), None), None);
    }

    #[test]
    fn a_lifetime_at_the_limit_goes_and_one_beyond_it_is_named() {
        let limits = limits(&["--token-max-lifetime", "720h"]);
        assert_eq!(excess(&limits, Some("720h"), None), None);
        assert_eq!(excess(&limits, None, Some("2027-01-31T00:00:00Z")), None);
        for (ttl, end, field) in [
            (None, None, "spec.ttl must be set"),
            (Some("721h"), None, "spec.ttl must end within 720h"),
            (None, Some("2027-01-31T00:00:01Z"), "spec.expiresAt must end within 720h"),
        ] {
            let said = excess(&limits, ttl, end).unwrap();
            assert!(said.starts_with(field), "{said}");
        }
    }

    #[test]
    fn scopes_beyond_the_allowed_are_named_with_those_that_are_allowed() {
        let limits = limits(&["--token-allowed-scopes", "tasks:read,ingest:write"]);
        let said = excess(&limits, None, None).unwrap();
        assert_eq!(said, "spec.scopes must not name tokens:write: the admin allows ingest:write tasks:read");
    }

    #[test]
    fn a_scope_of_a_newer_version_is_beyond_any_list_of_scopes() {
        let wanted = ScopeSet::named(&["tasks:read".to_owned(), "x-unknown:read".to_owned()]);
        assert_eq!(limits(&[]).beyond_scopes(&wanted), None);
        let said = limits(&["--token-allowed-scopes", "tasks:read"]).beyond_scopes(&wanted).unwrap();
        assert!(said.starts_with("must not name x-unknown:read"), "{said}");
    }

    #[test]
    fn a_fixed_end_comes_within_the_limit_by_waiting() {
        let limits = limits(&["--token-max-lifetime", "24h"]);
        let end: DateTime<Utc> = "2027-01-31T00:00:00Z".parse().unwrap();
        assert_eq!(limits.allowed_from(Expiry::At(end)), Some("2027-01-30T00:00:00Z".parse().unwrap()));
        assert_eq!(limits.allowed_from(Expiry::Never), None);
    }

    #[test]
    fn a_setting_that_cannot_be_read_is_refused() {
        for bad in [["--token-max-lifetime", "30 days"], ["--token-allowed-scopes", "tasks:*"]] {
            assert!(LimitArgs::try_parse_from([&["x"], &bad[..]].concat()).is_err(), "{bad:?}");
        }
    }
}
