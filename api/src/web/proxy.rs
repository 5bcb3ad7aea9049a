//! Sign-in by a proxy that people pass before they come here, such as oauth2-proxy: it says who they are, and a secret
//! proves that it is the proxy that says so. Off unless set up.

use super::session::Session;
use crate::config::ApiConfig;
use axum::http::{HeaderMap, HeaderName};
use gleaner_model::Subject;
use secrecy::{ExposeSecret as _, SecretString};
use sha2::{Digest, Sha256};

/// Where the proxy proves itself.
const SECRET: HeaderName = HeaderName::from_static("x-gleaner-proxy-secret");
/// Longest name or address that is taken.
const MAX_NAME: usize = 200;

/// A proxy that is trusted.
pub struct Proxy {
    user_header: HeaderName,
    /// Compared by hash, so that the time it takes tells nothing of the secret.
    secret: [u8; 32],
    token: SecretString,
}

impl Proxy {
    /// The proxy that the settings name.
    pub fn new(config: &ApiConfig) -> Option<Self> {
        let (Some(user_header), Some(secret), Some(token)) =
            (&config.proxy_user_header, &config.proxy_secret, &config.proxy_token)
        else {
            return None;
        };
        Some(Self {
            user_header: user_header.clone(),
            secret: Sha256::digest(secret.expose_secret()).into(),
            token: token.clone(),
        })
    }

    /// The session of whom the proxy names, if it is the proxy.
    pub fn session(&self, headers: &HeaderMap) -> Option<Session> {
        let only = |name: &HeaderName| {
            let mut values = headers.get_all(name).iter();
            values.next().filter(|_| values.next().is_none())
        };
        let proof: [u8; 32] = Sha256::digest(only(&SECRET)?).into();
        let name = only(&self.user_header)?.to_str().ok()?.trim();
        let known = proof == self.secret && !name.is_empty() && name.len() <= MAX_NAME;
        known.then(|| Session { person: Some(subject(name)), ..Session::of(self.token.expose_secret()) })
    }
}

fn subject(name: &str) -> Subject {
    if name.contains('@') {
        Subject { email: Some(name.to_owned()), ..Subject::default() }
    } else {
        Subject::named(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signed_in(headers: &[(&'static str, &'static str)]) -> Option<Subject> {
        let proxy = Proxy {
            user_header: HeaderName::from_static("x-forwarded-email"),
            secret: Sha256::digest("the secret").into(),
            token: "gln_x".into(),
        };
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, value.parse().unwrap());
        }
        proxy.session(&map)?.person
    }

    const PROOF: (&str, &str) = ("x-gleaner-proxy-secret", "the secret");

    #[test]
    fn only_who_knows_the_secret_can_say_who_somebody_is() {
        let dana = ("x-forwarded-email", "dana@example.com");
        assert_eq!(signed_in(&[PROOF, dana]).unwrap().email.as_deref(), Some("dana@example.com"));
        assert!(signed_in(&[dana]).is_none());
        assert!(signed_in(&[("x-gleaner-proxy-secret", "another"), dana]).is_none());
        assert!(signed_in(&[PROOF]).is_none());
    }

    #[test]
    fn two_names_are_none() {
        // A visitor's own header that the proxy did not take out.
        let twice = [PROOF, ("x-forwarded-email", "eve@example.com"), ("x-forwarded-email", "dana@example.com")];
        assert!(signed_in(&twice).is_none());
    }
}
