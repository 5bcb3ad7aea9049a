//! Looks at the Secret of an ApiToken. It is read only when a token has to be issued: at no other time does the
//! controller need to see it, and a reader may delete it.

use crate::{Error, context::ControllerContext};
use gleaner_crds::ApiToken;
use gleaner_model::PlainToken;
use k8s_openapi::api::core::v1::Secret;
use kube::Api;

/// The key of the Secret that holds the token.
pub(crate) const TOKEN_KEY: &str = "token";
/// The key of the Secret that holds the token's public part.
pub(crate) const TOKEN_ID_KEY: &str = "tokenId";
/// The annotation of the Secret that says why its token was minted.
pub(crate) const MARK: &str = "gleaner.dev/issued-for";

/// The Secret that a token is, or is to be, written to.
#[derive(Debug)]
pub(crate) enum SecretState {
    /// There is none.
    Absent,
    /// There is one that the ApiToken does not own.
    Foreign,
    /// There is one that the ApiToken owns.
    Ours {
        /// The token in it, if it holds one.
        token: Option<PlainToken>,
        /// Why that token was minted.
        mark: Option<String>,
        /// The version that was read: only this one may be written over.
        version: Option<String>,
    },
}

/// Reads the Secret of a token, and whether it is ours.
pub(crate) async fn secret(
    context: &ControllerContext,
    namespace: &str,
    token: &ApiToken,
) -> Result<SecretState, Error> {
    let api = Api::<Secret>::namespaced(context.client.clone(), namespace);
    let found = api.get_opt(&token.secret_name()).await?;
    Ok(found.map_or(SecretState::Absent, |secret| state(secret, token)))
}

fn state(secret: Secret, token: &ApiToken) -> SecretState {
    let owners = secret.metadata.owner_references.unwrap_or_default();
    if !owners.iter().any(|owner| Some(&owner.uid) == token.metadata.uid.as_ref()) {
        return SecretState::Foreign;
    }
    let data = secret.data.unwrap_or_default();
    let text = data.get(TOKEN_KEY).and_then(|bytes| std::str::from_utf8(&bytes.0).ok());
    SecretState::Ours {
        token: text.and_then(|text| PlainToken::parse(text).ok()),
        mark: secret.metadata.annotations.unwrap_or_default().remove(MARK),
        version: secret.metadata.resource_version,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use k8s_openapi::{ByteString, apimachinery::pkg::apis::meta::v1::OwnerReference};

    fn owned_by(uid: &str, text: &str) -> Secret {
        let mut secret = Secret::default();
        let owner = OwnerReference { uid: uid.to_owned(), ..OwnerReference::default() };
        secret.metadata.owner_references = Some(vec![owner]);
        secret.data = Some([(TOKEN_KEY.to_owned(), ByteString(text.as_bytes().to_vec()))].into());
        secret
    }

    fn token() -> ApiToken {
        let mut token = ApiToken::new("bot", gleaner_crds::ApiTokenSpec::default());
        token.metadata.uid = Some("u-1".to_owned());
        token
    }

    #[test]
    fn only_the_owners_uid_makes_a_secret_ours() {
        assert!(matches!(state(Secret::default(), &token()), SecretState::Foreign));
        assert!(matches!(state(owned_by("u-2", ""), &token()), SecretState::Foreign));
        assert!(matches!(state(owned_by("u-1", ""), &token()), SecretState::Ours { token: None, .. }));
    }

    #[test]
    fn a_token_in_our_secret_is_read_back_and_never_shown() {
        let minted = PlainToken::mint().unwrap();
        let state = state(owned_by("u-1", minted.expose()), &token());
        assert!(!format!("{state:?}").contains(minted.expose()));
        let SecretState::Ours { token: Some(read), .. } = state else { panic!("no token was read") };
        assert_eq!(read, minted);
    }
}
