//! Decides what an ApiToken needs. Pure: what was observed and the time come in, what to do comes out.

use chrono::{DateTime, SubsecRound as _, TimeDelta, Utc};
use gleaner_crds::{
    ApiToken, ApiTokenStatus, DesiredToken, Expiry, NAME_ANNOTATION, PreviousToken, ROTATE_ANNOTATION, TOKEN_ID_LABEL,
};
use gleaner_model::{PlainToken, TenantId, TokenHash, TokenId};
use gleaner_store::{Credential, Origin};

use super::observe::SecretState;

/// A token that has to be issued before anything else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Issue {
    /// Mint one and write it to the Secret.
    Mint(Cause),
    /// Register the one that is imported by its hash.
    Import(TokenHash),
}

/// Why a token is minted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Cause {
    /// There is none yet.
    First,
    /// The annotation `gleaner.dev/rotate` has this new value.
    Asked(String),
    /// `rotation.every` is over for the token issued at this time.
    Due(DateTime<Utc>),
}

impl Cause {
    /// What the Secret remembers of it, so that a token written just before a crash is known for what it is.
    pub(crate) fn mark(&self) -> String {
        match self {
            Self::First => "first".to_owned(),
            Self::Asked(value) => format!("asked {value}"),
            Self::Due(issued) => format!("due {}", issued.timestamp()),
        }
    }
}

/// Whether a token has to be issued, and why.
pub(crate) fn required_issue(token: &ApiToken, wanted: &DesiredToken, now: DateTime<Utc>) -> Option<Issue> {
    let status = token.status.clone().unwrap_or_default();
    if let Some(hash) = wanted.imported {
        return (status.token_hash != Some(hash)).then_some(Issue::Import(hash));
    }
    if status.token_hash.is_none() {
        return Some(Issue::Mint(Cause::First));
    }
    match requested_rotation(token) {
        Some(value) if status.rotated_for.as_ref() != Some(&value) => Some(Issue::Mint(Cause::Asked(value))),
        _ => due(&status, wanted).filter(|(_, at)| *at <= now).map(|(issued, _)| Issue::Mint(Cause::Due(issued))),
    }
}

/// The value of the annotation that asks for a new token.
pub(crate) fn requested_rotation(token: &ApiToken) -> Option<String> {
    token.metadata.annotations.as_ref()?.get(ROTATE_ANNOTATION).cloned()
}

/// When the present token was issued, and when it is to be replaced. A token past its fixed end is not.
fn due(status: &ApiTokenStatus, wanted: &DesiredToken) -> Option<(DateTime<Utc>, DateTime<Utc>)> {
    let issued = status.issued_at?;
    let at = issued.checked_add_signed(wanted.rotation.every?)?;
    let too_late = matches!(wanted.expiry, Expiry::At(end) if end <= at);
    (!too_late && wanted.imported.is_none()).then_some((issued, at))
}

/// What to do with the Secret.
#[derive(Debug)]
pub(crate) enum SecretAction {
    /// It belongs to somebody else: leave it alone.
    Conflict,
    /// It holds a token that was written for the same cause before a crash: go on with that one.
    Adopt(PlainToken),
    /// Make it.
    Create,
    /// Write the new token over the old one.
    Replace,
}

/// What to do with the Secret in the state that it is in.
pub(crate) fn secret_action(cause: &Cause, secret: &SecretState) -> SecretAction {
    match secret {
        SecretState::Absent => SecretAction::Create,
        SecretState::Foreign => SecretAction::Conflict,
        SecretState::Ours { token: Some(token), mark, .. }
            if *cause == Cause::First || mark.as_deref() == Some(&cause.mark()) =>
        {
            SecretAction::Adopt(token.clone())
        }
        SecretState::Ours { .. } => SecretAction::Replace,
    }
}

/// A token that is about to be recorded.
pub(crate) struct Issued {
    pub(crate) id: TokenId,
    pub(crate) hash: TokenHash,
    /// Where it was delivered, if it was minted.
    pub(crate) secret: Option<String>,
}

impl Issued {
    /// A minted token, delivered to `secret`.
    pub(crate) fn minted(token: &PlainToken, secret: String) -> Self {
        Self { id: token.id(), hash: token.hash(), secret: Some(secret) }
    }

    /// An imported token. The API says its id in a label; else it is the beginning of its hash.
    pub(crate) fn imported(token: &ApiToken, hash: TokenHash) -> Option<Self> {
        let label = token.metadata.labels.as_ref().and_then(|labels| labels.get(TOKEN_ID_LABEL));
        let told = label.and_then(|id| TokenId::new(id.clone()).ok());
        let id = told.or_else(|| TokenId::new(&hash.hex()[..12]).ok())?;
        Some(Self { id, hash, secret: None })
    }
}

/// The status that records an issued token. What was the token so far becomes the previous one, also when it is to end
/// at once: so it is not forgotten until the store has forgotten it.
pub(crate) fn record(token: &ApiToken, wanted: &DesiredToken, issued: Issued, now: DateTime<Utc>) -> ApiTokenStatus {
    let status = token.status.clone().unwrap_or_default();
    let now = now.trunc_subsecs(0);
    let overlap = if wanted.imported.is_some() { TimeDelta::zero() } else { wanted.rotation.overlap };
    let old = status.token_id.clone().zip(status.token_hash).filter(|(_, hash)| *hash != issued.hash);
    let until = now.checked_add_signed(overlap).unwrap_or(now);
    ApiTokenStatus {
        token_id: Some(issued.id),
        token_hash: Some(issued.hash),
        secret_name: issued.secret,
        issued_at: Some(now),
        expires_at: wanted.expiry.of(now),
        rotated_for: requested_rotation(token).or_else(|| status.rotated_for.clone()),
        previous: old.map(|(token_id, token_hash)| PreviousToken {
            token_id,
            token_hash,
            issued_at: status.issued_at.unwrap_or(now),
            valid_until: status.expires_at.map_or(until, |end| end.min(until)),
        }),
        ..status
    }
}

/// What the store should hold for an ApiToken, and what it should not.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Registration {
    pub(crate) keep: Vec<Credential>,
    pub(crate) remove: Vec<TokenHash>,
}

/// Who asks for the credentials: what of an ApiToken goes into each of them.
pub(crate) struct CredentialSpec<'a> {
    pub(crate) tenant: &'a TenantId,
    pub(crate) token: &'a ApiToken,
    pub(crate) wanted: &'a DesiredToken,
    pub(crate) status: &'a ApiTokenStatus,
    pub(crate) origin: Origin,
}

impl CredentialSpec<'_> {
    /// The credentials that the recorded tokens amount to at this time. An imported hash that is not recorded was
    /// refused; whoever imported it may have registered it as well.
    pub(crate) fn registration(&self, now: DateTime<Utc>) -> Registration {
        let mut made = Registration::default();
        let status = self.status;
        if let (Some(id), Some(hash), Some(issued)) = (&status.token_id, status.token_hash, status.issued_at) {
            let end = self.wanted.expiry.of(issued);
            made.add(self.credential(id, hash, issued, end), now);
        }
        if let Some(old) = &status.previous {
            let end = self.wanted.expiry.of(old.issued_at).map_or(old.valid_until, |end| end.min(old.valid_until));
            made.add(self.credential(&old.token_id, old.token_hash, old.issued_at, Some(end)), now);
        }
        made.remove.extend(self.wanted.imported.filter(|hash| !made.names(*hash)));
        made
    }

    fn credential(
        &self,
        id: &TokenId,
        hash: TokenHash,
        issued: DateTime<Utc>,
        end: Option<DateTime<Utc>>,
    ) -> Credential {
        let given = self.token.metadata.annotations.as_ref().and_then(|all| all.get(NAME_ANNOTATION)).cloned();
        Credential {
            hash,
            token_id: id.clone(),
            tenant: self.tenant.clone(),
            name: given.or_else(|| self.token.metadata.name.clone()),
            subject: self.wanted.subject.clone(),
            scopes: self.wanted.scopes.clone(),
            created_at: issued,
            expires_at: end,
            suspended: self.wanted.suspend,
            last_used_at: None,
            made_by: self.token.maker().map(|maker| maker.uid.clone()),
            origin: self.origin.clone(),
        }
    }
}

impl Registration {
    fn names(&self, hash: TokenHash) -> bool {
        self.remove.contains(&hash) || self.keep.iter().any(|kept| kept.hash == hash)
    }

    fn add(&mut self, credential: Credential, now: DateTime<Utc>) {
        if credential.expires_at.is_some_and(|end| end <= now) {
            self.remove.push(credential.hash);
        } else {
            self.keep.push(credential);
        }
    }
}

/// The next moment at which time alone changes something.
pub(crate) fn next_deadline(
    status: &ApiTokenStatus,
    wanted: &DesiredToken,
    now: DateTime<Utc>,
) -> Option<DateTime<Utc>> {
    let replaced = due(status, wanted).map(|(_, at)| at);
    let ends = status.previous.as_ref().map(|old| old.valid_until);
    [status.expires_at, replaced, ends].into_iter().flatten().filter(|at| *at > now).min()
}

#[cfg(test)]
mod tests;
