//! What webhook messages are signed with, in one of the two ways of Standard Webhooks: a secret that both sides hold
//! (`whsec_`), or a private key whose public half the receiver holds (`whsk_`, `whpk_`). Unlike a token it is kept in clear,
//! because each message needs it.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use ed25519_dalek::{SECRET_KEY_LENGTH, Signer as _, SigningKey};
use hmac::{Hmac, Mac as _};
use rand::{TryRngCore, rngs::OsRng};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use std::fmt;

const SHARED: &str = "whsec_";
const PRIVATE: &str = "whsk_";
const PUBLIC: &str = "whpk_";
/// Bytes of a shared secret that is made here.
const LENGTH: usize = 32;

/// How messages are signed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SignatureVersion {
    /// HMAC-SHA256 with a secret that the receiver holds too.
    #[default]
    V1,
    /// Ed25519: the receiver holds the public key and can sign nothing itself.
    V1a,
}

/// What messages of one endpoint are signed with. Never printed by `Debug`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SigningSecret(Key);

#[derive(Clone, PartialEq, Eq)]
enum Key {
    Shared(Vec<u8>),
    // The key holds its public half and tables; boxed, for most endpoints have none.
    Private(Box<SigningKey>),
}

/// The text is no secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be whsec_ and the Base64 of 24 to 64 bytes, or whsk_ and that of an Ed25519 key")]
pub struct InvalidSecret;

impl SigningSecret {
    /// Makes one from the operating system's random numbers.
    ///
    /// # Errors
    /// When the operating system has none to give.
    pub fn mint(version: SignatureVersion) -> Result<Self, std::io::Error> {
        let mut bytes = [0; LENGTH];
        OsRng.try_fill_bytes(&mut bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
        Ok(Self(match version {
            SignatureVersion::V1 => Key::Shared(bytes.to_vec()),
            SignatureVersion::V1a => Key::Private(Box::new(SigningKey::from_bytes(&bytes))),
        }))
    }

    /// Reads what [`expose`](Self::expose) gives. A private key may also stand before its public half, as some tools write it.
    ///
    /// # Errors
    /// [`InvalidSecret`] where the form or the length is wrong, or the halves of a key do not belong together.
    pub fn parse(text: &str) -> Result<Self, InvalidSecret> {
        let decode = |base64: &str| STANDARD.decode(base64).map_err(|_| InvalidSecret);
        if let Some(base64) = text.strip_prefix(SHARED) {
            let bytes = decode(base64)?;
            return if (24..=64).contains(&bytes.len()) { Ok(Self(Key::Shared(bytes))) } else { Err(InvalidSecret) };
        }
        let bytes = decode(text.strip_prefix(PRIVATE).ok_or(InvalidSecret)?)?;
        let key = if bytes.len() == SECRET_KEY_LENGTH {
            SigningKey::try_from(bytes.as_slice())
        } else {
            bytes.as_slice().try_into().map_err(|_| InvalidSecret).map(SigningKey::from_keypair_bytes)?
        };
        key.map(|key| Self(Key::Private(Box::new(key)))).map_err(|_| InvalidSecret)
    }

    /// The signature scheme that the secret is for.
    #[must_use]
    pub const fn version(&self) -> SignatureVersion {
        match self.0 {
            Key::Shared(_) => SignatureVersion::V1,
            Key::Private(_) => SignatureVersion::V1a,
        }
    }

    /// The secret in clear: for the store, and where it is shared for the one answer that hands it over.
    #[must_use]
    pub fn expose(&self) -> String {
        match &self.0 {
            Key::Shared(bytes) => format!("{SHARED}{}", STANDARD.encode(bytes)),
            Key::Private(key) => format!("{PRIVATE}{}", STANDARD.encode(key.to_bytes())),
        }
    }

    /// What anybody may see and verify with: `whpk_` and Base64; `None` of a shared secret.
    #[must_use]
    pub fn public_key(&self) -> Option<String> {
        match &self.0 {
            Key::Shared(_) => None,
            Key::Private(key) => Some(format!("{PUBLIC}{}", STANDARD.encode(key.verifying_key().as_bytes()))),
        }
    }

    /// `v1,` or `v1a,` and Base64: the signature over `id.timestamp.body`, the time in seconds since 1970.
    #[must_use]
    pub fn sign(&self, message_id: &str, timestamp: i64, body: &[u8]) -> String {
        let head = format!("{message_id}.{timestamp}.");
        match &self.0 {
            Key::Shared(bytes) => {
                // HMAC takes a key of any length.
                let mut mac = Hmac::<Sha256>::new_from_slice(bytes).unwrap_or_else(|_| unreachable!("any key fits"));
                mac.update(head.as_bytes());
                mac.update(body);
                format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
            }
            Key::Private(key) => {
                let signed = [head.as_bytes(), body].concat();
                format!("v1a,{}", STANDARD.encode(key.sign(&signed).to_bytes()))
            }
        }
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
    use SignatureVersion::{V1, V1a};

    // The message that the specification's own libraries are tested with.
    const ID: &str = "msg_p5jXN8AQM9LWM0D4loKWxJek";
    const AT: i64 = 1_614_265_330;
    const BODY: &[u8] = br#"{"test": 2432232314}"#;

    #[test]
    fn a_message_is_signed_as_standard_webhooks_has_it() {
        let secret = SigningSecret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        assert_eq!(secret.sign(ID, AT, BODY), "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        let key = SigningSecret::parse("whsk_VEVTVFNJR05JTkdLRVlET05PVFVTRVRISVNGT1JBTlk=").unwrap();
        let signature = "v1a,tQ9V2XOqn7jL/DQenEFpqIugdBVtiMmER5mhSkXBNwM0mkATuDe6KYYUuxqtaiHeYGb7KaaBRdM5WqyeFiL8Ag==";
        assert_eq!((key.version(), key.sign(ID, AT, BODY).as_str()), (V1a, signature));
    }

    #[test]
    fn a_secret_has_24_to_64_bytes_and_reads_back() {
        let minted = SigningSecret::mint(V1).unwrap();
        assert_eq!(SigningSecret::parse(&minted.expose()), Ok(minted.clone()));
        assert!(!format!("{minted:?}").contains(&minted.expose()[6..]) && minted.public_key().is_none());
        let of = |bytes: usize| SigningSecret::parse(&format!("whsec_{}", STANDARD.encode(vec![7; bytes])));
        assert!(of(24).is_ok() && of(64).is_ok() && of(23).is_err() && of(65).is_err());
        assert!(SigningSecret::parse("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").is_err(), "without its prefix");
    }

    #[test]
    fn a_key_pair_reads_back_with_or_without_its_public_half_and_shows_that_alone() {
        let minted = SigningSecret::mint(V1a).unwrap();
        let public = minted.public_key().unwrap();
        assert_eq!(SigningSecret::parse(&minted.expose()), Ok(minted.clone()));
        let bytes = |text: &str| STANDARD.decode(text.split_once('_').unwrap().1).unwrap();
        let (private, other) = (bytes(&minted.expose()), SigningSecret::mint(V1a).unwrap().public_key().unwrap());
        let pair = |public: &str| format!("whsk_{}", STANDARD.encode([private.clone(), bytes(public)].concat()));
        assert_eq!(SigningSecret::parse(&pair(&public)), Ok(minted));
        for bad in [pair(&other), public, "whsk_AAAA".to_owned(), format!("whsk_{}", STANDARD.encode([1; 33]))] {
            assert_eq!(SigningSecret::parse(&bad), Err(InvalidSecret), "{bad}");
        }
    }
}
