//! A file that is sent as it is: its text becomes the transcript, and the query says what is known about it.

use super::{mail, word};
use crate::{
    pdf::PdfReader,
    problem::{Code, Problem},
    query::{Param, ParamKind, Query},
};
use axum::http::{HeaderMap, header};
use encoding_rs::{Encoding, UTF_8};
use gleaner_runtime::shares::Holder;
use serde_json::{Map, Value};

/// The media type of a body that is no file.
pub const JSON: &str = "application/json";
/// A mail.
const MAIL: &str = "message/rfc822";
/// A Word document.
pub const WORD: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
/// A PDF.
pub const PDF: &str = "application/pdf";
/// What a body may be.
pub const MEDIA_TYPES: &[&str] =
    &[JSON, "text/plain", "text/markdown", "text/vtt", "application/x-subrip", MAIL, WORD, PDF];
/// What a file's body may be.
pub const FILES: &[&str] = MEDIA_TYPES.split_at(1).1;

/// Metadata keys that are parameters by their own name.
const KNOWN: [&str; 5] = ["participant", "participants", "channel", "time_zone", "language"];

/// What is known about a file.
pub const QUERY: &[Param] = &[
    Param {
        name: "source_type",
        description: "Of a file: kind of source. A mail is an `email` where it is absent.",
        kind: ParamKind::Member,
    },
    Param {
        name: "external_id",
        description: "Of a file: the item's id in your own system. A mail has its `Message-ID` where it is absent.",
        kind: ParamKind::Member,
    },
    Param {
        name: "title",
        description: "Of a file: what people call it. A mail has its subject where it is absent.",
        kind: ParamKind::Member,
    },
    Param {
        name: "occurred_at",
        description: "Of a file: when it took place, RFC 3339. A mail has its date where it is absent.",
        kind: ParamKind::Member,
    },
    Param { name: "participant", description: "Of a file: who \"me\" is in it.", kind: ParamKind::Member },
    Param { name: "participants", description: "Of a file: who took part, comma separated.", kind: ParamKind::Member },
    Param { name: "channel", description: "Of a file: where it was said.", kind: ParamKind::Member },
    Param {
        name: "time_zone",
        description: "Of a file: the zone in which its dates are meant.",
        kind: ParamKind::Member,
    },
    Param { name: "language", description: "Of a file: its language (BCP 47).", kind: ParamKind::Member },
    Param {
        name: "metadata",
        description: "Of a file: any other metadata, as `metadata[key]=value`.",
        kind: ParamKind::Metadata,
    },
];

/// The members that the body would have if it were JSON.
///
/// # Errors
/// 415 for a charset that nobody knows; 422 for a text that is not in its charset, a mail that is none, or a metadata key
/// that is given twice.
pub async fn members(
    pdf: (&PdfReader, &Holder),
    headers: &HeaderMap,
    query: &Query,
    body: &[u8],
) -> Result<Map<String, Value>, Problem> {
    let content_type = ContentType::of(headers);
    let mut members = query_members(query)?;
    if content_type.is(MAIL) {
        mail::fill(&mut members, body)?;
    } else {
        let text = match () {
            () if content_type.is(WORD) => word::transcript(body)?,
            () if content_type.is(PDF) => pdf.0.transcript(pdf.1, body).await?,
            () => decoded(&content_type, body)?,
        };
        members.insert("transcript".to_owned(), text.into());
    }
    Ok(members)
}

/// Whether the body is a file, not JSON.
pub fn is_sent(headers: &HeaderMap) -> bool {
    !ContentType::of(headers).is(JSON)
}

/// The members of a submission that the query names.
fn query_members(query: &Query) -> Result<Map<String, Value>, Problem> {
    let (mut members, mut metadata) = (Map::new(), Map::new());
    for (name, value) in query.pairs() {
        let key = key_of(name).or_else(|| KNOWN.contains(&name).then_some(name));
        let (into, name) = match key {
            Some(key) => (&mut metadata, key),
            None => (&mut members, name),
        };
        if into.insert(name.to_owned(), value.into()).is_some() {
            return Err(Problem::invalid(format!("/metadata/{name}"), "must be given once"));
        }
    }
    if !metadata.is_empty() {
        members.insert("metadata".to_owned(), metadata.into());
    }
    Ok(members)
}

/// The key of `metadata[key]`.
fn key_of(name: &str) -> Option<&str> {
    name.strip_prefix("metadata[")?.strip_suffix(']')
}

/// `Content-Type` in its parts: the media type and the charset.
struct ContentType<'h> {
    essence: &'h str,
    charset: Option<&'h str>,
}

impl<'h> ContentType<'h> {
    fn of(headers: &'h HeaderMap) -> Self {
        let given = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let mut parts = given.split(';').map(str::trim);
        let essence = parts.next().unwrap_or_default();
        let charset = parts.filter_map(|part| part.split_once('=')).find_map(|(name, value)| {
            name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches('"'))
        });
        Self { essence, charset }
    }

    fn is(&self, media_type: &str) -> bool {
        self.essence.eq_ignore_ascii_case(media_type)
    }
}

/// The text in the charset that was named, or that a byte order mark shows; else in UTF-8.
fn decoded(content_type: &ContentType<'_>, body: &[u8]) -> Result<String, Problem> {
    let named = content_type.charset.map(|label| {
        Encoding::for_label(label.as_bytes()).ok_or_else(|| {
            Problem::new(Code::UnsupportedMediaType, "the charset in Content-Type is not known; send the text in UTF-8")
        })
    });
    let (text, encoding, is_broken) = named.transpose()?.unwrap_or(UTF_8).decode(body);
    if is_broken {
        let detail = format!("is not in {}; name its charset in Content-Type, or send it in UTF-8", encoding.name());
        return Err(Problem::invalid("/transcript", detail));
    }
    Ok(text.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt as _;

    fn read(content_type: &str, query: &str, body: &[u8]) -> Result<Map<String, Value>, Problem> {
        let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, content_type.parse().unwrap())]);
        let (reader, query) = (PdfReader::new(None), Query::read(query, QUERY).unwrap());
        let holder = Holder { tenant: "a".to_owned(), token: "a".to_owned() };
        members((&reader, &holder), &headers, &query, body).now_or_never().unwrap()
    }

    fn text(content_type: &str, body: &[u8]) -> String {
        read(content_type, "", body).unwrap()["transcript"].as_str().unwrap().to_owned()
    }

    #[test]
    fn the_query_says_what_is_known() {
        let query = "source_type=meeting&external_id=m%201&time_zone=Europe/Berlin&metadata[ticket]=7";
        let members = read("text/vtt", query, b"Hi").unwrap();
        let expected = serde_json::json!({"source_type": "meeting", "external_id": "m 1", "transcript": "Hi",
            "metadata": {"time_zone": "Europe/Berlin", "ticket": "7"}});
        assert_eq!(Value::from(members), expected);
        let twice = read("text/vtt", "time_zone=UTC&metadata[time_zone]=UTC", b"Hi").unwrap_err();
        assert_eq!(twice.errors[0].pointer, "/metadata/time_zone");
    }

    #[test]
    fn a_text_is_read_in_its_charset() {
        assert_eq!(text("text/plain", "Grüße".as_bytes()), "Grüße");
        assert_eq!(text("text/plain; charset=ISO-8859-1", b"Gr\xfc\xdfe"), "Grüße");
        assert_eq!(text("text/plain; Charset=\"shift_jis\"", b"\x93\xfa\x96{"), "日本");
        assert_eq!(text("text/vtt", b"\xef\xbb\xbfWEBVTT"), "WEBVTT");
        assert_eq!(text("text/plain", b"\xff\xfeH\0i\0"), "Hi", "a byte order mark tells UTF-16");
        assert_eq!(read("text/plain", "", b"Gr\xfc\xdfe").unwrap_err().errors[0].pointer, "/transcript");
        assert_eq!(read("text/plain; charset=klingon", "", b"Hi").unwrap_err().code, Code::UnsupportedMediaType);
    }
}
