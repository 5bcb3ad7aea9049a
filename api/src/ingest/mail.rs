//! A mail as it travels (RFC 5322, MIME): its head and its text parts become the transcript, in the form in which people
//! paste mails.

use crate::problem::Problem;
use gleaner_model::MAX_TITLE;
use mail_parser::{Address, DateTime, Message, MessageParser};
use serde_json::{Map, Value};

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
    let subject = mail.subject().map(line).filter(|subject| !subject.is_empty());
    let known = [
        ("source_type", Some("email".to_owned())),
        ("external_id", mail.message_id().map(line).filter(|id| !id.is_empty())),
        ("title", subject.as_deref().map(|subject| subject.chars().take(MAX_TITLE).collect())),
        ("occurred_at", mail.date().filter(|date| date.is_valid()).map(occurred_at)),
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
    let bodies = (0..mail.text_body_count()).filter_map(|at| mail.body_text(at));
    let text = bodies.map(|body| body.trim().to_owned()).filter(|body| !body.is_empty()).collect::<Vec<_>>();
    if text.is_empty() {
        return String::new();
    }
    let head = [
        ("From", mail.from().map(people)),
        ("To", mail.to().map(people)),
        ("Cc", mail.cc().map(people)),
        ("Date", mail.date().filter(|date| date.is_valid()).map(DateTime::to_rfc822)),
        ("Subject", subject.map(str::to_owned)),
    ];
    let fields = head.into_iter().filter_map(|(name, value)| Some((name, value.filter(|value| !value.is_empty())?)));
    let mut out: String = fields.map(|(name, value)| format!("{name}: {value}\n")).collect();
    out.push('\n');
    out.push_str(&text.join("\n\n"));
    out.push('\n');
    out
}

/// `Name <address>`, one after another.
fn people(field: &Address<'_>) -> String {
    let written = field.iter().filter_map(|person| match (person.name().map(line), person.address().map(line)) {
        (Some(name), Some(address)) if !name.is_empty() => Some(format!("{name} <{address}>")),
        (_, Some(one)) | (Some(one), None) => Some(one),
        (None, None) => None,
    });
    written.collect::<Vec<_>>().join(", ")
}

/// A field's value in one line.
fn line(text: &str) -> String {
    text.split(|letter: char| letter.is_whitespace() || letter.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// RFC 3339. Many systems write every date in UTC, which says nothing of where the people were: that is `Z`.
fn occurred_at(date: &DateTime) -> String {
    let text = date.to_rfc3339();
    match text.strip_suffix("+00:00").or_else(|| text.strip_suffix("-00:00")) {
        Some(utc) => format!("{utc}Z"),
        None => text,
    }
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
