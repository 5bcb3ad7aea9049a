//! What strangers' bytes are read by, and the laws that hold whatever they are: for the fuzz targets in `api/fuzz`, and for a
//! short run over their corpora and mutations of them in the tests.
//!
//! A law that is broken panics.

use crate::{
    events, json,
    mcp::message::RpcMessage,
    problem::{MAX_NAMED, Problem},
    query::Query,
    tasks::list,
    web::session::{self, Session},
};
use axum::http::{HeaderMap, HeaderValue, header};
use axum_extra::extract::{
    PrivateCookieJar,
    cookie::{Cookie, Key},
};
use chrono::{DateTime, TimeDelta, Utc};
use gleaner_model::{Item, MAX_PARTICIPANTS, MAX_TRANSCRIPT};
use std::sync::LazyLock;

/// Longest answer that refuses anything, in bytes.
const LONGEST: usize = 64 * 1024;

static KEY: LazyLock<Key> = LazyLock::new(|| session::key(Some(&"a key that only these tests know, and long".into())));

/// A body of `POST /ingest/items`.
pub fn intake(bytes: &[u8]) {
    let members = match json::object(bytes) {
        Ok(members) => members,
        Err(refused) => return bounded(&refused),
    };
    match Item::from_json(members, DateTime::UNIX_EPOCH, MAX_TRANSCRIPT) {
        Ok((mut item, _)) => {
            item.keep_participants(MAX_PARTICIPANTS);
            let names = item.metadata.get("participants").map_or(0, |names| names.split(',').count());
            assert!(names <= MAX_PARTICIPANTS);
            let kept = serde_json::to_vec(&item).expect("an item can be written");
            assert_eq!(serde_json::from_slice::<Item>(&kept).expect("and read"), item);
        }
        Err(refused) => bounded(&crate::ingest::submit::refused(refused)),
    }
}

/// A query string of `GET /tasks`.
pub fn query(text: &str) {
    match Query::read(text, list::QUERY) {
        Ok(query) => {
            assert!((1..=200).contains(&query.limit()));
            let next = query.with_cursor("next");
            let again = Query::read(&next, list::QUERY).expect("the next page can be asked for");
            assert_eq!(again.text("cursor"), Some("next"));
        }
        Err(refused) => bounded(&refused),
    }
}

/// A `Cookie` header, as it came and with what is in it sealed by our own key.
pub fn cookie(bytes: &[u8]) {
    let now = DateTime::UNIX_EPOCH;
    let mut headers = HeaderMap::new();
    if let Ok(value) = HeaderValue::from_bytes(bytes) {
        headers.insert(header::COOKIE, value);
    }
    let open = |headers: &HeaderMap| Session::open(&PrivateCookieJar::from_headers(headers, KEY.clone()), now);
    assert!(open(&headers).is_none(), "nobody seals a session without the key");
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let jar = PrivateCookieJar::new(KEY.clone()).add(Cookie::new(session::NAME, text.to_owned()));
    if let Some(session) = Session::open(&jar, now) {
        let ends = session.signed_in.expect("a cookie says when it ends").ends;
        assert!(ends > now && text.ends_with(&session.token));
        assert!(Session::open(&jar, ends + TimeDelta::seconds(1)).is_none());
    }
}

/// A body of `POST /mcp`.
pub fn mcp(bytes: &[u8]) {
    if let Ok(message) = RpcMessage::read(bytes) {
        // Whatever it says of its revision, one is told or refused.
        let _ = message.era(&HeaderMap::new());
    }
}

/// A `Last-Event-ID`.
pub fn last_event_id(bytes: &[u8]) {
    let Ok(value) = HeaderValue::from_bytes(bytes) else { return };
    match events::resumable(&value) {
        Ok(id) => {
            let digits = |part: &str| part.parse::<u64>().is_ok() && part.len() <= 20;
            assert!(id.split('-').count() <= 2 && id.split('-').all(digits), "{id}");
        }
        Err(refused) => bounded(&refused),
    }
}

/// A refusal repeats little of what it refuses.
fn bounded(refused: &Problem) {
    assert!(refused.errors.len() <= MAX_NAMED);
    let body = refused.body("r");
    assert!(body.len() <= LONGEST, "{} bytes", body.len());
}

/// When a session of the tests begins.
#[must_use]
pub fn sealed_now(token: &str) -> String {
    Session::cookie(token, "", Utc::now()).value().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng as _, SeedableRng as _, rngs::StdRng};
    use std::{fs, path::Path};

    /// Mutations of each text of a corpus.
    const ROUNDS: usize = 400;
    /// Bits that mean something to one reader or another.
    const PIECES: [&[u8]; 24] = [
        b"\"",
        b"\\",
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b"&",
        b"=",
        b"%",
        b"%C3",
        b"\\ud800",
        b"-",
        b"0",
        b"99999999999",
        b"null",
        b"1e999",
        b"\x00",
        b"\xff",
        b" ",
        b"; ",
        b"a",
        "ä".as_bytes(),
    ];

    fn mutated(chance: &mut StdRng, seed: &[u8]) -> Vec<u8> {
        let mut below = |limit: usize| chance.random_range(0..limit);
        let mut bytes = seed.to_vec();
        for _ in 0..=below(4) {
            let at = below(bytes.len() + 1);
            match below(5) {
                0 => bytes.truncate(at),
                1 => drop(bytes.splice(at..at, PIECES[below(PIECES.len())].iter().copied())),
                2 => {
                    let end = (at + below(8)).min(bytes.len());
                    bytes.drain(at..end);
                }
                3 => {
                    let copy = bytes[at..(at + below(64)).min(bytes.len())].to_vec();
                    bytes.splice(at..at, copy);
                }
                _ => {
                    if let Some(byte) = bytes.get_mut(at) {
                        *byte ^= 1 << below(8);
                    }
                }
            }
        }
        bytes
    }

    #[track_caller]
    fn over_the_corpus(name: &str, hold: impl Fn(&[u8])) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
        let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect();
        files.sort();
        assert!(!files.is_empty());
        let mut chance = StdRng::seed_from_u64(1);
        for file in files {
            let seed = fs::read(file).unwrap();
            hold(&seed);
            for _ in 0..ROUNDS {
                hold(&mutated(&mut chance, &seed));
            }
        }
    }

    #[test]
    fn no_body_of_a_submission_breaks_a_law() {
        over_the_corpus("intake", intake);
    }

    #[test]
    fn no_query_breaks_a_law() {
        over_the_corpus("query", |bytes| query(&String::from_utf8_lossy(bytes)));
    }

    #[test]
    fn no_cookie_breaks_a_law() {
        over_the_corpus("cookie", cookie);
        cookie(sealed_now("gln_x").as_bytes());
    }

    #[test]
    fn no_message_of_an_agent_breaks_a_law() {
        over_the_corpus("mcp", mcp);
    }

    #[test]
    fn no_last_event_id_breaks_a_law() {
        over_the_corpus("last_event_id", last_event_id);
    }
}
