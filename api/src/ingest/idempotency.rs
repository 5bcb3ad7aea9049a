//! The `Idempotency-Key` of a request: 8 to 255 visible characters, quoted (as the draft has it) or bare.

use crate::problem::Problem;
use axum::http::{HeaderMap, HeaderName};

/// The header in which a client names its own key.
pub const KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// The answer's header, where nothing new was queued.
pub const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// The key that the client chose, if it chose one.
///
/// # Errors
/// 422 when the header is there and is no key.
pub fn key(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let refused = || Problem::invalid("/Idempotency-Key", "must be 8 to 255 visible ASCII characters, quoted or bare");
    let mut given = headers.get_all(KEY).iter();
    let Some(first) = given.next() else { return Ok(None) };
    if given.next().is_some() {
        return Err(Problem::invalid("/Idempotency-Key", "must be given once"));
    }
    let text = first.to_str().map_err(|_| refused())?.trim();
    let key = match text.strip_prefix('"') {
        Some(rest) => unquoted(rest).ok_or_else(refused)?,
        None => text.to_owned(),
    };
    let fits = (8..=255).contains(&key.len()) && key.bytes().all(|c| c.is_ascii_graphic());
    if fits { Ok(Some(key)) } else { Err(refused()) }
}

/// A structured-field string behind its first quote: a backslash stands before a quote or a backslash and nothing else.
fn unquoted(rest: &str) -> Option<String> {
    let mut out = String::new();
    let mut chars = rest.chars();
    loop {
        match chars.next()? {
            '"' => return chars.as_str().is_empty().then_some(out),
            '\\' => out.push(chars.next().filter(|c| matches!(c, '"' | '\\'))?),
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(value: &str) -> Result<Option<String>, ()> {
        key(&HeaderMap::from_iter([(KEY, value.parse().unwrap())])).map_err(drop)
    }

    #[test]
    fn a_key_is_the_same_quoted_and_bare() {
        assert_eq!(read("12345678"), Ok(Some("12345678".into())));
        assert_eq!(read("\"12345678\""), Ok(Some("12345678".into())));
        assert_eq!(read(r#""1234\"5678""#), Ok(Some("1234\"5678".into())));
        assert_eq!(key(&HeaderMap::new()).unwrap(), None);
    }

    #[test]
    fn what_is_too_short_too_long_or_unseen_is_no_key() {
        for bad in ["", "1234567", "\"1234567\"", "1234 5678", "\"12345678", "\"12345678\"x", &"x".repeat(256)] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
