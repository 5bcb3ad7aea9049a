//! What webhook messages are signed with: `whsec_` and the Base64 of 24 to 64 bytes. Both sides hold it, so unlike a
//! token it is kept in clear.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use hmac::{Hmac, Mac as _};
use rand::{TryRngCore, rngs::OsRng};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use std::fmt;

const PREFIX: &str = "whsec_";
/// Bytes of a secret that is made here.
const LENGTH: usize = 32;

/// A secret that is shared with a receiver. Never printed by `Debug`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SigningSecret(Vec<u8>);

/// The text is no secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be whsec_ and the Base64 of 24 to 64 bytes")]
pub struct InvalidSecret;

impl SigningSecret {
    /// Makes one from the operating system's random numbers.
    ///
    /// # Errors
    /// When the operating system has none to give.
    pub fn mint() -> Result<Self, std::io::Error> {
        let mut bytes = vec![0; LENGTH];
        OsRng.try_fill_bytes(&mut bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
        Ok(Self(bytes))
    }

    /// # Errors
    /// [`InvalidSecret`] where the form or the length is wrong.
    pub fn parse(text: &str) -> Result<Self, InvalidSecret> {
        let bytes = STANDARD.decode(text.strip_prefix(PREFIX).ok_or(InvalidSecret)?).map_err(|_| InvalidSecret)?;
        if (24..=64).contains(&bytes.len()) { Ok(Self(bytes)) } else { Err(InvalidSecret) }
    }

    /// The secret in clear: for the one answer that hands it over, and for the store.
    #[must_use]
    pub fn expose(&self) -> String {
        format!("{PREFIX}{}", STANDARD.encode(&self.0))
    }

    /// `v1,<Base64>`: HMAC-SHA256 over `id.timestamp.body`, the time in seconds since 1970.
    #[must_use]
    pub fn sign(&self, message_id: &str, timestamp: i64, body: &[u8]) -> String {
        // HMAC takes a key of any length.
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).unwrap_or_else(|_| unreachable!("any key fits"));
        mac.update(format!("{message_id}.{timestamp}.").as_bytes());
        mac.update(body);
        format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
    }
}

impl fmt::Debug for SigningSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningSecret(…)")
    }
}

impl TryFrom<String> for SigningSecret {
    type Error = InvalidSecret;
    fn try_from(text: String) -> Result<Self, InvalidSecret> {
        Self::parse(&text)
    }
}

impl From<SigningSecret> for String {
    fn from(secret: SigningSecret) -> Self {
        secret.expose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_signed_as_standard_webhooks_has_it() {
        // The example that the specification's own libraries are tested with.
        let secret = SigningSecret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let signature = secret.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, br#"{"test": 2432232314}"#);
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn a_secret_has_24_to_64_bytes_and_reads_back() {
        let minted = SigningSecret::mint().unwrap();
        assert_eq!(SigningSecret::parse(&minted.expose()), Ok(minted.clone()));
        assert!(!format!("{minted:?}").contains(&minted.expose()[6..]));
        let of = |bytes: usize| SigningSecret::parse(&format!("whsec_{}", STANDARD.encode(vec![7; bytes])));
        assert!(of(24).is_ok() && of(64).is_ok() && of(23).is_err() && of(65).is_err());
        assert!(SigningSecret::parse("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").is_err(), "without its prefix");
    }
}
