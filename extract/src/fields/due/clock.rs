//! When each sentence was said: in a thread of mails, when its mail was sent; otherwise when the text took place.

use chrono::{NaiveDateTime, NaiveTime, TimeDelta};

use crate::due::{self, Unit};
use crate::reader::Transcript;
use crate::script::Script;

/// Longest time that a mail is quoted after it was sent. What seems older was rather misread.
const QUOTED: TimeDelta = TimeDelta::days(60);

/// When each sentence was said, given when the text took place.
pub(super) fn said_at(
    script: &Script<'_>,
    transcript: &Transcript<'_>,
    took_place: NaiveDateTime,
    language: &str,
) -> Vec<NaiveDateTime> {
    let sent = transcript.envelopes.iter().map(|envelope| sent(envelope.sent?, took_place, language));
    let sent: Vec<Option<NaiveDateTime>> = sent.collect();
    let of = |utterance: u32| {
        let envelope = transcript.utterances.get(utterance as usize)?.envelope?;
        sent.get(envelope).copied().flatten()
    };
    script.sentences.iter().map(|sentence| of(sentence.utterance).unwrap_or(took_place)).collect()
}

/// The moment that the date of a mail names, where it is one shortly before the thread was submitted.
fn sent(words: &str, took_place: NaiveDateTime, language: &str) -> Option<NaiveDateTime> {
    let named = due::find(words, took_place, Some(language)).into_iter().find(|found| found.grain <= Unit::Day)?;
    let moment = named.date.and_time(named.time.unwrap_or(NaiveTime::from_hms_opt(12, 0, 0)?));
    let age = took_place.date().signed_duration_since(moment.date());
    (age >= TimeDelta::zero() && age <= QUOTED).then_some(moment)
}

#[cfg(test)]
mod tests {
    use super::sent;

    #[test]
    fn a_mail_was_sent_when_its_header_or_the_words_above_it_say() {
        let took_place = "2026-03-05T16:00:00".parse().unwrap();
        let on = |words, language| sent(words, took_place, language).map(|moment| moment.to_string());
        assert_eq!(on("Tue, 3 Mar 2026 09:12:11 +0000", "en").as_deref(), Some("2026-03-03 09:12:11"));
        assert_eq!(
            on("On Mon, 2 Mar 2026 at 18:20, Ida Holm <ida@h.example> wrote:", "en").as_deref(),
            Some("2026-03-02 18:20:00")
        );
        assert_eq!(on("Am 03.03.2026 um 11:08 schrieb Ida Holm:", "de").as_deref(), Some("2026-03-03 11:08:00"));
        assert_eq!(on("On Mon, 2 Mar 2020, Ida Holm wrote:", "en"), None);
        assert_eq!(on("Ida Holm wrote:", "en"), None);
    }
}
