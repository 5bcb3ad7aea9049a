//! When each sentence was said: in a thread of mails, when its mail was sent; in a chat, on the day of its stamp or of the line
//! that parts the days; otherwise when the text took place.

use chrono::{Datelike, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};

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
    let stamps = Stamps::of(transcript, took_place.date(), language);
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

/// How the days of a chat's stamps are written.
struct Stamps<'l> {
    month_first: bool,
    took_place: NaiveDate,
    language: &'l str,
}

impl<'l> Stamps<'l> {
    /// The order that all stamps of a text agree with. Where both would do, of dates with strokes, it is the one whose last day
    /// is nearest to when the text took place, and not after it.
    fn of(transcript: &Transcript<'_>, took_place: NaiveDate, language: &'l str) -> Self {
        let stamps = transcript.utterances.iter().filter_map(|utterance| utterance.day);
        Self { month_first: month_first(stamps, took_place), took_place, language }
    }

    /// The day that an utterance was said on, where its stamp says so.
    fn day(&self, transcript: &Transcript<'_>, utterance: usize) -> Option<NaiveDate> {
        let words = transcript.utterances.get(utterance)?.day?;
        let age = |day: NaiveDate| self.took_place.signed_duration_since(day);
        let fits = |day: &NaiveDate| age(*day) >= TimeDelta::days(-1) && age(*day) <= KEPT;
        match date_of(words, self.took_place) {
            Some(date) => day(date, self.month_first).filter(fits),
            // A stamp looks back: "Thursday" is the last one, "Mar 5" this year's or that of the year before.
            None => [0, 6, 364].iter().find_map(|back| {
                let seen_from = self.took_place.checked_sub_signed(TimeDelta::days(*back))?.and_time(NaiveTime::MIN);
                let read = |language| due::find(words, seen_from, language).into_iter().next();
                let found = read(Some(self.language)).filter(|found| found.grain <= Unit::Day && found.start == 0);
                let found = found.or_else(|| read(None))?;
                Some(found.date).filter(|day| found.grain <= Unit::Day && age(*day) >= TimeDelta::zero()).filter(fits)
            }),
        }
    }
}

/// Whether the dates of stamps have their month first.
fn month_first<'s>(stamps: impl Iterator<Item = &'s str>, took_place: NaiveDate) -> bool {
    let numbers = |stamp| date_of(stamp, took_place);
    let stroked: Vec<[i32; 3]> = stamps.filter(|stamp| stamp.contains('/')).filter_map(numbers).collect();
    let far = |month_first: bool| {
        let days: Option<Vec<NaiveDate>> = stroked.iter().map(|date| day(*date, month_first)).collect();
        let last = days.and_then(|days| days.into_iter().max());
        let age = last.map(|last| took_place.signed_duration_since(last).num_days());
        age.filter(|age| *age >= -1).unwrap_or(i64::MAX)
    };
    far(true) < far(false)
}

/// The numbers of a date within a stamp: "[12.03.26, 18:02]", "3/12/26, 6:02 PM", "9:14 AM, 3/10/2026"; of "05.03." the year is that
/// of the text.
fn date_of(stamp: &str, took_place: NaiveDate) -> Option<[i32; 3]> {
    let words = stamp.split(|one: char| !one.is_alphanumeric() && !matches!(one, '.' | '/' | '-' | ':'));
    words.take(6).find_map(|word| {
        let mut parts = word.split('T').next()?.trim_end_matches(['.', '-']).split(['.', '/', '-']);
        let mut next = || parts.next()?.parse::<i32>().ok().filter(|number| (1..=9999).contains(number));
        let (first, second) = (next()?, next()?);
        let third = parts.next().map_or(Some(took_place.year()), |year| year.parse().ok())?;
        parts.next().is_none().then_some([first, second, third])
    })
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
        let today = "2026-03-15".parse().unwrap();
        let on =
            |head, month_first| date_of(head, today).and_then(|date| day(date, month_first)).map(|day| day.to_string());
        assert_eq!(on("[18:02, 12.03.2026]", false).as_deref(), Some("2026-03-12"));
        assert_eq!(on("[12.03. 18:02]", false).as_deref(), Some("2026-03-12"));
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
