//! An ApiToken for a token that somebody else minted: it carries the hash, never the token.

use crate::{ApiToken, ApiTokenSpec, SubjectSpec, TOKEN_ID_LABEL};
use chrono::{DateTime, SecondsFormat, Utc};
use gleaner_model::{PlainToken, ScopeSet, Subject};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use kube::{Resource as _, api::ObjectMeta};
use std::collections::BTreeMap;

/// Longest part of a resource's name that comes from the name which a person gave.
const READABLE: usize = 40;

/// What the API knows of a token that it has just minted.
#[derive(Clone, Debug)]
pub struct ImportedToken<'a> {
    /// The namespace, which is the tenant.
    pub namespace: &'a str,
    /// What people call the token; any text.
    pub name: &'a str,
    /// The token; only its hash and its public id are taken.
    pub token: &'a PlainToken,
    /// The scopes that it has.
    pub scopes: &'a ScopeSet,
    /// Whom it speaks for.
    pub subject: &'a Subject,
    /// When it stops working.
    pub expires_at: Option<DateTime<Utc>>,
    /// Name and uid of the ApiToken whose token asked for it.
    pub maker: Option<(&'a str, &'a str)>,
}

impl ImportedToken<'_> {
    /// The resource that registers the token. The label [`TOKEN_ID_LABEL`] finds it again by the token's id, and the
    /// annotation [`crate::NAME_ANNOTATION`] keeps the name as it was given.
    #[must_use]
    pub fn resource(&self) -> ApiToken {
        let id = self.token.id();
        let spec = ApiTokenSpec {
            scopes: self.scopes.iter().map(|scope| scope.as_str().to_owned()).collect(),
            subject: subject(self.subject),
            expires_at: self.expires_at.map(|moment| moment.to_rfc3339_opts(SecondsFormat::AutoSi, true)),
            token_hash: Some(self.token.hash().to_string()),
            ..ApiTokenSpec::default()
        };
        let metadata = ObjectMeta {
            namespace: Some(self.namespace.to_owned()),
            generate_name: Some(format!("{}-", readable(self.name))),
            labels: Some(BTreeMap::from([(TOKEN_ID_LABEL.to_owned(), id.to_string())])),
            owner_references: self.maker.map(|(name, uid)| vec![owned_by(name, uid)]),
            annotations: Some(BTreeMap::from([(crate::NAME_ANNOTATION.to_owned(), self.name.to_owned())])),
            ..ObjectMeta::default()
        };
        ApiToken { metadata, spec, status: None }
    }
}

/// What a token made goes with it: Kubernetes removes what is owned by something that is gone.
fn owned_by(name: &str, uid: &str) -> OwnerReference {
    OwnerReference {
        api_version: ApiToken::api_version(&()).into_owned(),
        kind: ApiToken::kind(&()).into_owned(),
        name: name.to_owned(),
        uid: uid.to_owned(),
        ..OwnerReference::default()
    }
}

impl ApiToken {
    /// The ApiToken whose token made this one.
    #[must_use]
    pub fn maker(&self) -> Option<&OwnerReference> {
        let owners = self.metadata.owner_references.as_deref().unwrap_or_default();
        owners.iter().find(|owner| owner.kind == Self::kind(&()) && owner.api_version == Self::api_version(&()))
    }
}

fn subject(subject: &Subject) -> Option<SubjectSpec> {
    let Subject { name, email, aliases, time_zone } = subject.clone();
    let spec = SubjectSpec { name, email, aliases, time_zone };
    (spec != SubjectSpec::default()).then_some(spec)
}

/// What of a name may stand in a resource's name; `token` where nothing may.
fn readable(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let text = name.chars().map(plain).collect::<String>();
    let words = text.split('-').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-");
    let cut = words[..words.len().min(READABLE)].trim_end_matches('-');
    if cut.is_empty() { "token".to_owned() } else { cut.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DesiredToken;

    #[test]
    fn the_resource_carries_the_hash_and_not_the_token() {
        let (token, scopes) = (PlainToken::mint().unwrap(), ScopeSet::all());
        let subject = Subject::named("Dana Reyes");
        let made = ImportedToken {
            namespace: "team-a",
            name: "Dana's laptop",
            token: &token,
            scopes: &scopes,
            subject: &subject,
            expires_at: Some("2027-01-01T00:00:00Z".parse().unwrap()),
            maker: Some(("admin", "u-1")),
        };
        let resource = made.resource();
        let wanted = DesiredToken::read(&resource.spec).unwrap();
        assert_eq!((wanted.imported, &wanted.scopes, &wanted.subject), (Some(token.hash()), &scopes, &subject));
        assert!(!serde_json::to_string(&resource).unwrap().contains(token.expose()));
        assert_eq!(resource.metadata.generate_name.as_deref(), Some("dana-s-laptop-"));
        assert_eq!(resource.maker().map(|maker| (maker.name.as_str(), maker.uid.as_str())), Some(("admin", "u-1")));
        assert!(resource.validate_cel().is_ok());
    }

    #[test]
    fn any_name_yields_one_that_kubernetes_takes() {
        for (name, expected) in
            [("", "token"), ("日本語", "token"), ("--CI  Bot--", "ci-bot"), (&"x".repeat(90), &"x".repeat(40))]
        {
            assert_eq!(readable(name), expected);
        }
    }
}
