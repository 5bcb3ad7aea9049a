//! When each sentence was said: in a thread of mails, when its mail was sent; in a chat, on the day of its stamp; otherwise
//! when the text took place.

use chrono::{NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};

use crate::due::{self, Unit};
use crate::reader::{Transcript, Utterance};
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
    let stamps = Stamps::of(transcript, took_place.date());
    let of = |utterance: u32| match transcript.utterances.get(utterance as usize)?.envelope {
        Some(envelope) => sent.get(envelope).copied().flatten(),
        None => Some(stamps.day(transcript, utterance as usize)?.and_time(took_place.time())),
    };
    script.sentences.iter().map(|sentence| of(sentence.utterance).unwrap_or(took_place)).collect()
}

/// The moment that the date of a mail names, where it is one shortly before the thread was submitted. The program that wrote it
/// down may speak another language than the text.
fn sent(words: &str, took_place: NaiveDateTime, language: &str) -> Option<NaiveDateTime> {
    let day = |language| due::find(words, took_place, language).into_iter().find(|found| found.grain <= Unit::Day);
    let named = day(Some(language)).or_else(|| day(None))?;
    let moment = named.date.and_time(named.time.unwrap_or(NaiveTime::from_hms_opt(12, 0, 0)?));
    let age = took_place.date().signed_duration_since(moment.date());
    (age >= TimeDelta::zero() && age <= QUOTED).then_some(moment)
}

/// Longest time that a chat is submitted after it was written.
const KEPT: TimeDelta = TimeDelta::days(1100);
/// Longest date in a stamp, in bytes.
const LONGEST: usize = 10;

/// In which order the dates of a chat's stamps are written.
struct Stamps {
    month_first: bool,
    took_place: NaiveDate,
}

impl Stamps {
    /// The order that all stamps of a text agree with. Where both would do, of dates with strokes, it is the one whose last day
    /// is nearest to when the text took place, and not after it.
    fn of(transcript: &Transcript<'_>, took_place: NaiveDate) -> Self {
        let stamps = (0..transcript.utterances.len()).filter_map(|at| before(transcript, at));
        Self { month_first: month_first(stamps, took_place), took_place }
    }

    /// The day that stands before an utterance.
    fn day(&self, transcript: &Transcript<'_>, utterance: usize) -> Option<NaiveDate> {
        let day = day(date_of(before(transcript, utterance)?)?, self.month_first)?;
        let age = self.took_place.signed_duration_since(day);
        (age >= TimeDelta::days(-1) && age <= KEPT).then_some(day)
    }
}

/// Whether the dates of stamps have their month first.
fn month_first<'s>(stamps: impl Iterator<Item = &'s str>, took_place: NaiveDate) -> bool {
    let stroked: Vec<[i32; 3]> = stamps.filter(|head| head.contains('/')).filter_map(date_of).collect();
    let far = |month_first: bool| {
        let days: Option<Vec<NaiveDate>> = stroked.iter().map(|date| day(*date, month_first)).collect();
        let last = days.and_then(|days| days.into_iter().max());
        let age = last.map(|last| took_place.signed_duration_since(last).num_days());
        age.filter(|age| *age >= -1).unwrap_or(i64::MAX)
    };
    far(true) < far(false)
}

/// What stands on the line of an utterance before its words; where nothing does, the line above, if it is nobody's words.
fn before<'a>(transcript: &Transcript<'a>, utterance: usize) -> Option<&'a str> {
    let source_range = |utterance: &Utterance<'_>| utterance.text.source_range(0..utterance.text.as_str().len());
    let said = transcript.utterances.get(utterance)?;
    let head = transcript.source.get(..source_range(said).start)?;
    let line = head.rfind('\n').map_or(0, |end| end + 1);
    let own = head.get(line..)?;
    if said.speaker.is_none() || !own.trim().is_empty() {
        return Some(own).filter(|head| head.contains(':'));
    }
    let earlier = utterance.checked_sub(1).and_then(|earlier| transcript.utterances.get(earlier));
    let gap = head.get(earlier.map_or(0, |earlier| source_range(earlier).end)..)?;
    gap.trim_end().rsplit('\n').next().filter(|head| head.contains(':'))
}

/// The three numbers of the date in the head of a message: "[12.03.26, 18:02]", "2026-03-12 18:02", "3/12/26, 6:02 PM -",
/// "Inés, [12.03.2026 18:02]", "[18:02, 12.03.2026] Inés:".
fn date_of(head: &str) -> Option<[i32; 3]> {
    head.split([' ', '[', '(', ',', '\u{200e}']).find_map(numbers_of)
}

/// The three numbers of a date that words begin with.
fn numbers_of(head: &str) -> Option<[i32; 3]> {
    let other = |letter: char| !letter.is_ascii_digit() && !matches!(letter, '.' | '/' | '-');
    let end = head.find(other).unwrap_or(head.len());
    let mut numbers =
        head.get(..end).filter(|date| date.len() <= LONGEST)?.trim_end_matches(['.', '-']).split(['.', '/', '-']);
    let mut next = || numbers.next().filter(|number| matches!(number.len(), 1 | 2 | 4))?.parse().ok();
    let date = [next()?, next()?, next()?];
    numbers.next().is_none().then_some(date)
}

/// A day from its numbers, the year first or last.
fn day([first, second, third]: [i32; 3], month_first: bool) -> Option<NaiveDate> {
    let (year, month, day) = match (first > 99, month_first) {
        (true, _) => (first, second, third),
        (false, true) => (third, first, second),
        (false, false) => (third, second, first),
    };
    let year = if year < 100 { 2000 + year } else { year };
    NaiveDate::from_ymd_opt(year, u32::try_from(month).ok()?, u32::try_from(day).ok()?)
}

#[cfg(test)]
mod tests {
    use super::{date_of, day, month_first, sent};

    #[test]
    fn the_stamp_of_a_message_names_its_day() {
        let on = |head, month_first| date_of(head).and_then(|date| day(date, month_first)).map(|day| day.to_string());
        assert_eq!(on("[12.03.26, 18:02:11] Inés: ", false).as_deref(), Some("2026-03-12"));
        assert_eq!(on("3/12/26, 6:02 PM - Inés: ", true).as_deref(), Some("2026-03-12"));
        assert_eq!(on("2026-03-12 18:02 Inés: ", true).as_deref(), Some("2026-03-12"));
        assert_eq!(on("[10:02] Inés: ", false), None);
        assert_eq!(on("Inés, [12.03.2026 18:02]", false).as_deref(), Some("2026-03-12"));
        assert_eq!(on("inés — 03/12/2026 6:02 PM", true).as_deref(), Some("2026-03-12"));
        assert_eq!(on("[18:02, 12.03.2026] Inés: ", false).as_deref(), Some("2026-03-12"));
        assert_eq!(on("13/13/26, 6:02 PM - Inés: ", false), None);
        let first = |stamps: &[&'static str], took_place: &str| {
            month_first(stamps.iter().copied(), took_place.parse().unwrap())
        };
        assert!(!first(&["[12.03.26, 18:02] Inés: "], "2026-11-23"));
        assert!(first(&["3/12/26, 6:02 PM - Inés: "], "2026-03-12"));
        assert!(!first(&["3/12/26, 6:02 PM - Inés: ", "13/12/26, 7:00 PM - Inés: "], "2026-12-13"));
    }

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
        let spanish = "El lun, 2 mar 2026 a las 16:40, Ida Holm (<ida@h.example>) escribió:";
        assert_eq!(on(spanish, "en").map(|moment| moment[..10].to_owned()).as_deref(), Some("2026-03-02"));
        assert_eq!(on("On Mon, 2 Mar 2020, Ida Holm wrote:", "en"), None);
        assert_eq!(on("Ida Holm wrote:", "en"), None);
    }
}
