//! A mail as it travels (RFC 5322, MIME): its head and its text parts become the transcript, in the form in which people
//! paste mails.

use crate::problem::Problem;
use chrono::{DateTime, FixedOffset};
use gleaner_model::{MAX_TITLE, in_one_line};
use mail_parser::{
    Address, Encoding, Message, MessageParser, MimeHeaders as _, PartType, decoders::html::html_to_text,
};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Adds the transcript to what was told of a mail, and what else was not told and stands in its head.
///
/// # Errors
/// 422 where the bytes are no mail.
pub fn fill(members: &mut Map<String, Value>, bytes: &[u8]) -> Result<(), Problem> {
    let no_mail = || Problem::invalid("/transcript", "is not a message: it must begin with fields such as From");
    let mail = MessageParser::default().parse(bytes).ok_or_else(no_mail)?;
    let is_field = |name: &str| !name.is_empty() && name.bytes().all(|letter| letter.is_ascii_graphic());
    if !mail.headers().iter().any(|field| is_field(field.name())) {
        return Err(no_mail());
    }
    let subject = mail.subject().map(in_one_line).filter(|subject| !subject.is_empty());
    let known = [
        ("source_type", Some("email".to_owned())),
        ("external_id", mail.message_id().map(in_one_line).filter(|id| !id.is_empty())),
        ("title", subject.as_deref().map(|subject| subject.chars().take(MAX_TITLE).collect())),
        ("occurred_at", sent(&mail).map(occurred_at)),
    ];
    for (name, value) in known {
        if let Some(value) = value {
            members.entry(name).or_insert_with(|| value.into());
        }
    }
    members.insert("transcript".to_owned(), transcript(&mail, subject.as_deref()).into());
    Ok(())
}

/// Head and text; nothing where there is no text.
fn transcript(mail: &Message<'_>, subject: Option<&str>) -> String {
    let plain = (0..mail.text_body_count()).filter_map(|at| text(mail, at));
    let mut text: Vec<String> = plain.filter(|body| !body.is_empty()).collect();
    if text.is_empty() {
        // Some programs leave the text empty beside the HTML that says all.
        let pages = (0..mail.html_body_count()).filter_map(|at| mail.body_html(at));
        text = pages.map(|page| html(&page)).filter(|body| !body.is_empty()).collect();
    }
    if text.is_empty() {
        return String::new();
    }
    let head = [
        ("From", mail.from().map(people)),
        ("To", mail.to().map(people)),
        ("Cc", mail.cc().map(people)),
        ("Date", sent(mail).map(|date| date.to_rfc2822())),
        ("Subject", subject.map(str::to_owned)),
    ];
    let fields = head.into_iter().filter_map(|(name, value)| Some((name, value.filter(|value| !value.is_empty())?)));
    let mut out: String = fields.map(|(name, value)| format!("{name}: {value}\n")).collect();
    out.push('\n');
    out.push_str(&text.join("\n\n"));
    out.push('\n');
    out
}

/// When it was sent. The parser has no years of two digits and no minutes without seconds, which stand in old mails.
fn sent(mail: &Message<'_>) -> Option<DateTime<FixedOffset>> {
    let read = mail.date().filter(|date| date.is_valid()).and_then(|date| date.to_rfc3339().parse().ok());
    read.or_else(|| DateTime::parse_from_rfc2822(mail.header_raw("Date")?.trim()).ok())
}

/// One of its bodies, as a person reads it.
fn text(mail: &Message<'_>, at: usize) -> Option<String> {
    let part = mail.text_part(u32::try_from(at).ok()?)?;
    let PartType::Text(decoded) = &part.body else { return mail.body_html(at).map(|page| html(&page)) };
    let kind = part.content_type();
    let told = |name: &str| kind.and_then(|kind| kind.attribute(name)).unwrap_or_default();
    let mut text = Cow::from(decoded.as_ref());
    // Eight bits of nobody knows what: UTF-8, or else what most programs in the West wrote.
    if told("charset").is_empty() && text.contains(char::REPLACEMENT_CHARACTER) {
        let raw = mail.raw_message.get(part.offset_body as usize..part.offset_end as usize).unwrap_or_default();
        if matches!(part.encoding, Encoding::None) {
            text = encoding_rs::WINDOWS_1252.decode(raw).0;
        }
    }
    if told("format").eq_ignore_ascii_case("flowed") {
        text = unflowed(&text, told("delsp").eq_ignore_ascii_case("yes")).into();
    }
    Some(text.trim_start_matches('\u{feff}').trim().to_owned())
}

/// Lines that end in a space go on in the next one of the same depth of quotes (RFC 3676).
fn unflowed(text: &str, without_space: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut open = None;
    for (at, line) in text.lines().enumerate() {
        let quoted = line.trim_start_matches('>');
        let depth = line.len() - quoted.len();
        let rest = quoted.strip_prefix(' ').unwrap_or(quoted);
        if open != Some(depth) {
            if at > 0 {
                out.push('\n');
            }
            out.push_str(&line[..depth]);
            if depth > 0 && !rest.is_empty() {
                out.push(' ');
            }
        }
        let flows = rest.ends_with(' ') && rest != "-- ";
        out.push_str(if flows && without_space { &rest[..rest.len() - 1] } else { rest });
        open = flows.then_some(depth);
    }
    out
}

/// The text of a page, each cell of a table in a line of its own: the parser would write them as one word.
fn html(page: &str) -> String {
    let mut apart = String::with_capacity(page.len() + page.len() / 16);
    for (at, piece) in page.split('<').enumerate() {
        let mut name = piece.bytes().map(|letter| letter.to_ascii_lowercase());
        if let (Some(b't'), Some(b'd' | b'h'), Some(b'>' | b' ' | b'\t' | b'\r' | b'\n')) =
            (name.next(), name.next(), name.next())
        {
            apart.push_str("<br>");
        }
        if at > 0 {
            apart.push('<');
        }
        apart.push_str(piece);
    }
    html_to_text(&apart).trim().to_owned()
}

/// `Name <address>`, one after another.
fn people(field: &Address<'_>) -> String {
    let written =
        field.iter().filter_map(|person| match (person.name().map(in_one_line), person.address().map(in_one_line)) {
            (Some(name), Some(address)) if !name.is_empty() => Some(format!("{name} <{address}>")),
            (_, Some(one)) | (Some(one), None) => Some(one),
            (None, None) => None,
        });
    written.collect::<Vec<_>>().join(", ")
}

/// RFC 3339. Many systems write every date in UTC, which says nothing of where the people were: that is `Z`.
fn occurred_at(date: DateTime<FixedOffset>) -> String {
    date.to_rfc3339_opts(chrono::SecondsFormat::Secs, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(mail: &[u8]) -> Map<String, Value> {
        let mut members = Map::new();
        fill(&mut members, mail).unwrap();
        members
    }

    #[test]
    fn a_mail_says_when_it_was_sent_what_it_is_about_and_who_it_is() {
        let members = read(
            b"From: =?utf-8?q?J=C3=BCrgen_Gro=C3=9F?= <jg@example.com>\r\nTo: \"Reyes, Dana\" <dana@example.com>\r\n\
              Subject: =?iso-8859-1?Q?Gr=FC=DFe?=\r\n aus Berlin\r\nDate: Tue, 3 Mar 2026 09:00:00 -0600\r\n\
              Message-ID: <a1@example.com>\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\
              Content-Transfer-Encoding: quoted-printable\r\n\r\nBitte schick das Angebot bis Freitag zur=FCck.\r\n",
        );
        assert_eq!(members["source_type"], "email");
        assert_eq!(members["external_id"], "a1@example.com");
        assert_eq!(members["title"], "Grüße aus Berlin");
        assert_eq!(members["occurred_at"], "2026-03-03T09:00:00-06:00");
        let transcript = members["transcript"].as_str().unwrap();
        assert!(
            transcript.starts_with("From: Jürgen Groß <jg@example.com>\nTo: Reyes, Dana <dana@example.com>\nDate: ")
        );
        assert!(transcript.ends_with("\nSubject: Grüße aus Berlin\n\nBitte schick das Angebot bis Freitag zurück.\n"));
    }

    /// What stands in `tests/mails/*.json` was written by somebody who read the mail, and not taken from here.
    #[test]
    fn mails_of_many_programs_are_read_as_a_person_reads_them() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/mails");
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let (mut count, mut wrong) = (0, Vec::new());
        for path in files.filter(|path| path.extension().is_some_and(|extension| extension == "eml")) {
            let members = read(&std::fs::read(&path).unwrap());
            let expected: Value = serde_json::from_slice(&std::fs::read(path.with_extension("json")).unwrap()).unwrap();
            let name = path.file_stem().unwrap().to_string_lossy();
            let mut check = |right: bool, what: &str, expected: &Value, found: &str| {
                if !right {
                    wrong.push(format!("{name}: {what} {expected}, found {found}"));
                }
            };
            for (member, key) in [("title", "subject"), ("external_id", "message_id")] {
                let found = members.get(member).unwrap_or(&Value::Null);
                check(*found == expected[key], key, &expected[key], &found.to_string());
            }
            let time = |value: Option<&Value>| {
                value.and_then(Value::as_str).map(|text| text.parse::<chrono::DateTime<chrono::Utc>>().unwrap())
            };
            let (found, wanted) = (time(members.get("occurred_at")), time(expected.get("occurred_at")));
            check(found == wanted, "occurred_at", &expected["occurred_at"], &format!("{found:?}"));
            let text = members["transcript"].as_str().unwrap();
            let blank = expected["blank"] == true;
            check(text.is_empty() == blank, "blank", &expected["blank"], text);
            if !blank {
                let from = text.lines().find_map(|line| line.strip_prefix("From: ")).unwrap_or_default();
                check(expected["from"] == from, "from", &expected["from"], from);
            }
            let all = |key: &str| expected[key].as_array().cloned().unwrap_or_default();
            for phrase in all("holds") {
                check(text.contains(phrase.as_str().unwrap()), "holds", &phrase, text);
            }
            for phrase in all("lacks") {
                check(!text.contains(phrase.as_str().unwrap()), "lacks", &phrase, text);
            }
            count += 1;
        }
        assert!(wrong.is_empty() && count == 50, "{count} mails\n{}", wrong.join("\n\n"));
    }

    #[test]
    fn what_was_told_stays() {
        let mut members = Map::from_iter([("title".to_owned(), "Mine".into())]);
        fill(&mut members, b"Subject: Theirs\r\nDate: Tue, 3 Mar 2026 09:00:00 +0000\r\n\r\nHi.\r\n").unwrap();
        assert_eq!(members["title"], "Mine");
        assert_eq!(members["occurred_at"], "2026-03-03T09:00:00Z");
        assert!(!members.contains_key("external_id"));
    }

    #[test]
    fn an_html_part_is_read_where_there_is_no_text_and_an_attachment_is_not() {
        let members = read(
            b"From: a@example.com\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\
              Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n\
              PHA+UGxlYXNlIHNlbmQgdGhlIDxiPnJlcG9ydDwvYj4uPC9wPjxwPlRoYW5rcyE8L3A+\r\n--x\r\n\
              Content-Type: text/plain\r\nContent-Disposition: attachment; filename=log.txt\r\n\r\nsecret log\r\n--x--\r\n",
        );
        let transcript = members["transcript"].as_str().unwrap();
        assert!(transcript.contains("Please send the report.") && transcript.contains("Thanks!"), "{transcript}");
        assert!(!transcript.contains('<') && !transcript.contains("secret"), "{transcript}");
    }

    #[test]
    fn a_mail_without_text_is_blank_and_what_is_no_mail_is_refused() {
        let members = read(b"From: a@example.com\r\nSubject: x\r\n\r\n");
        assert_eq!(members["transcript"], "");
        for bad in [b"".as_slice(), b"\r\n\r\nHello", b"\0\0\0"] {
            assert!(fill(&mut Map::new(), bad).is_err(), "{bad:?}");
        }
    }
}
