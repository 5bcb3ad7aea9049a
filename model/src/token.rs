//! Tokens: `gln_<id: 12><secret: 32><checksum: 6>`, all of `0-9A-Za-z` behind the prefix.
//!
//! A [`PlainToken`] is what a client holds; a [`TokenHash`] is what everyone else keeps. Neither turns into the other
//! by accident, and only the hash can be printed.

use crate::TokenId;
use rand::{TryRngCore, rngs::OsRng};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::{fmt, str::FromStr};

const PREFIX: &str = "gln_";
const ID: usize = 12;
const SECRET: usize = 32;
const CHECKSUM: usize = 6;
const LENGTH: usize = PREFIX.len() + ID + SECRET + CHECKSUM;
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A token in clear. It is shown once, and never printed by `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub struct PlainToken(String);

/// The text is not a token of ours, or one that was mistyped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a token: expected gln_ and 50 letters or digits whose last 6 are the checksum of the rest")]
pub struct InvalidToken;

impl PlainToken {
    /// Mints a token from the operating system's random numbers.
    ///
    /// # Errors
    /// When the operating system has none to give.
    pub fn mint() -> Result<Self, std::io::Error> {
        let mut text = String::with_capacity(LENGTH);
        text.push_str(PREFIX);
        let mut pool = [0_u8; 64];
        while text.len() < PREFIX.len() + ID + SECRET {
            OsRng.try_fill_bytes(&mut pool).map_err(|error| std::io::Error::other(error.to_string()))?;
            for byte in pool {
                // 248 is the largest multiple of 62 in a byte: above it, the first digits would come up more often.
                if byte < 248 && text.len() < PREFIX.len() + ID + SECRET {
                    text.push(char::from(BASE62[usize::from(byte % 62)]));
                }
            }
        }
        let checksum = checksum(&text);
        text.push_str(&checksum);
        Ok(Self(text))
    }

    /// Reads a token and checks its checksum, so that a typo is told apart without asking the store.
    ///
    /// # Errors
    /// [`InvalidToken`] when the form or the checksum is wrong.
    pub fn parse(text: &str) -> Result<Self, InvalidToken> {
        let (body, sum) = text.split_at_checked(LENGTH - CHECKSUM).ok_or(InvalidToken)?;
        let digits = body.strip_prefix(PREFIX).ok_or(InvalidToken)?;
        let formed = text.len() == LENGTH && digits.bytes().chain(sum.bytes()).all(|c| c.is_ascii_alphanumeric());
        if formed && checksum(body) == sum { Ok(Self(text.to_owned())) } else { Err(InvalidToken) }
    }

    /// The part of a token that may be shown and logged.
    #[must_use]
    pub fn id(&self) -> TokenId {
        // The form was checked when the token was made, so the slice is there and is a valid id.
        TokenId::new(&self.0[PREFIX.len()..PREFIX.len() + ID]).unwrap_or_else(|_| unreachable!("an id is base62"))
    }

    /// SHA-256 of the whole token.
    #[must_use]
    pub fn hash(&self) -> TokenHash {
        TokenHash::of(&self.0)
    }

    /// The token in clear: for the one answer, Secret or file that hands it over.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PlainToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlainToken({}…)", self.id())
    }
}

fn checksum(text: &str) -> String {
    let mut rest = crc32fast::hash(text.as_bytes());
    let mut digits = [b'0'; CHECKSUM];
    for digit in digits.iter_mut().rev() {
        *digit = BASE62[(rest % 62) as usize];
        rest /= 62;
    }
    digits.map(char::from).iter().collect()
}

/// SHA-256 of a token, written `sha256:<64 hex digits>`. 190 random bits need no slow hash.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String", extend("pattern" = "^sha256:[0-9a-f]{64}$"))]
pub struct TokenHash([u8; 32]);

impl TokenHash {
    /// The hash of any text: an imported token may have another form than a minted one.
    #[must_use]
    pub fn of(token: &str) -> Self {
        Self(Sha256::digest(token.as_bytes()).into())
    }

    /// The 64 hex digits alone.
    #[must_use]
    pub fn hex(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl fmt::Display for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sha256:{}", self.hex())
    }
}

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for TokenHash {
    type Err = crate::InvalidText;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let invalid = crate::InvalidText { what: "token hash", rule: "must be 'sha256:' and 64 lower-case hex digits" };
        let hex = text.strip_prefix("sha256:").filter(|hex| hex.len() == 64).ok_or_else(|| invalid.clone())?;
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(hex.as_bytes().chunks(2)) {
            let digit = |c: u8| match c {
                b'0'..=b'9' => Some(c - b'0'),
                b'a'..=b'f' => Some(c - b'a' + 10),
                _ => None,
            };
            *byte =
                digit(pair[0]).zip(digit(pair[1])).map(|(high, low)| high << 4 | low).ok_or_else(|| invalid.clone())?;
        }
        Ok(Self(bytes))
    }
}

impl TryFrom<String> for TokenHash {
    type Error = crate::InvalidText;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<TokenHash> for String {
    fn from(hash: TokenHash) -> Self {
        hash.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minted_token_reads_back_and_shows_only_its_id() {
        let token = PlainToken::mint().unwrap();
        assert_eq!(token.expose().len(), 54);
        assert_eq!(PlainToken::parse(token.expose()), Ok(token.clone()));
        let shown = format!("{token:?}");
        assert!(shown.contains(token.id().as_str()) && !shown.contains(&token.expose()[16..]));
    }

    #[test]
    fn any_changed_character_is_noticed_without_the_store() {
        let token = PlainToken::mint().unwrap();
        for at in 4..54 {
            let mut typo = token.expose().to_owned().into_bytes();
            typo[at] = if typo[at] == b'x' { b'y' } else { b'x' };
            assert_eq!(PlainToken::parse(std::str::from_utf8(&typo).unwrap()), Err(InvalidToken), "at {at}");
        }
        for other in ["", "gln_", "glm_", &"ä".repeat(27)] {
            assert_eq!(PlainToken::parse(other), Err(InvalidToken));
        }
    }

    #[test]
    fn the_checksum_is_the_contracts() {
        // CRC-32/IEEE of "123456789" is 0xCBF43926 = 3421780262, in base 62: 3·62^5 + 45·62^4 + …
        assert_eq!(crc32fast::hash(b"123456789"), 0xCBF4_3926);
        let digits = checksum("123456789");
        let value = digits.bytes().fold(0_u64, |v, c| v * 62 + BASE62.iter().position(|b| *b == c).unwrap() as u64);
        assert_eq!((digits.len(), value), (6, 0xCBF4_3926));
    }

    #[test]
    fn a_hash_reads_back() {
        let hash = TokenHash::of("anything");
        assert_eq!(hash.to_string().parse(), Ok(hash));
        assert!("sha256:ABC".parse::<TokenHash>().is_err());
    }
}
