//! By when: which of the days named in and around a task's sentences it is due by, if any.
//!
//! Every day named nearby is an option. A small linear model (of `features`) weighs each by how its sentence speaks of
//! it, where it stands beside the task's sentences, and what other options there are; the best one wins if it is worth
//! more than none.

mod clause;
mod features;
mod reference_time;

use std::cell::OnceCell;

use chrono::{NaiveDate, NaiveDateTime};
use gleaner_model::Due;

use crate::Context;
use crate::due::{self, DayMention, Resolved, Stance};
use crate::feature::Scene;
use crate::fields::SentenceAssignment;
use crate::model::hashed_linear::HashedLinear;
use crate::reader::Transcript;
use crate::script::Script;
use features::Setting;

/// How many sentences before and after each of a task's a day may be named in.
const BEFORE: usize = 3;
const AFTER: usize = 4;
/// What "none of these" is worth.
const NONE: f32 = 0.0;
/// Words for a day that was named shortly before, whether they say that it is the last one, and in how many sentences before
/// it was named.
const THEN: [(&str, bool); 40] = [
    ("by then", true),
    ("before then", true),
    ("until then", true),
    ("till then", true),
    ("it then", false),
    ("that day", false),
    ("same day", false),
    ("same evening", false),
    ("same deadline", false),
    ("bis dahin", true),
    ("vorher noch", true),
    ("selben tag", false),
    ("selben abend", false),
    ("tegen die tijd", true),
    ("voor die tijd", true),
    ("tegen dan", true),
    ("dezelfde dag", false),
    ("diezelfde dag", false),
    ("d'ici là", true),
    ("d’ici là", true),
    ("ce jour-là", false),
    ("le jour même", false),
    ("le même jour", false),
    ("para entonces", true),
    ("antes de eso", true),
    ("ese día", false),
    ("ese mismo día", false),
    ("per allora", true),
    ("entro allora", true),
    ("quel giorno", false),
    ("lo stesso giorno", false),
    ("até lá", true),
    ("nesse dia", false),
    ("no mesmo dia", false),
    ("それまで", true),
    ("その日", false),
    ("在那之前", true),
    ("那之前", true),
    ("到时", false),
    ("那天", false),
];
const SHORTLY: usize = 3;
/// Words that may stand behind a day that replaces another: "Actually, Friday is early enough."
const MOST_BEHIND: usize = 4;

/// The days that a text names, sentence by sentence, and whose each sentence is.
#[derive(Debug)]
pub struct DueOptions<'c> {
    scene: &'c Scene<'c>,
    script: &'c Script<'c>,
    language: &'c str,
    /// When each sentence was said.
    said_at: Vec<NaiveDateTime>,
    /// What each sentence names, looked for when first wanted.
    named: Vec<OnceCell<Vec<NamedDay>>>,
    assignment: &'c SentenceAssignment,
}

/// A task as its due date is looked for.
#[derive(Clone, Copy, Debug)]
pub struct DueQuestion<'a> {
    /// Its number among the tasks of the text.
    pub number: usize,
    /// The sentences that its fields are read off, in order.
    pub speaking: &'a [usize],
    /// All its sentences, most telling first.
    pub telling: &'a [usize],
    /// Who is to do it.
    pub owner: Option<&'a str>,
}

/// A day that a task may be due by.
#[derive(Clone, Debug)]
pub struct DueOption {
    /// The day, with its words.
    pub due: Due,
    /// What speaks for and against it.
    pub hashed_features: Vec<u32>,
}

/// A day that a sentence names, and the words that stand around it.
#[derive(Clone, Debug)]
struct NamedDay {
    mention: DayMention,
    setting: Setting,
}

/// A day named near a task.
struct Near<'c> {
    sentence: usize,
    mention: &'c DayMention,
    setting: &'c Setting,
}

impl Near<'_> {
    fn day(&self) -> NaiveDate {
        self.mention.resolved.last
    }
}

impl<'c> DueOptions<'c> {
    /// Those of a text.
    #[must_use]
    pub fn of(
        scene: &'c Scene<'c>,
        script: &'c Script<'c>,
        transcript: &Transcript<'_>,
        context: &Context,
        language: &'c str,
        assignment: &'c SentenceAssignment,
    ) -> Self {
        let count = script.sentences.len();
        let said_at = context.zone.local(context.occurred_at);
        let language = if language == "en" { english(context, transcript.source, said_at) } else { language };
        let said_at = reference_time::said_at(script, transcript, said_at, language);
        Self { scene, script, language, said_at, named: vec![OnceCell::new(); count], assignment }
    }

    /// What a task is due by.
    #[must_use]
    pub fn due(&self, asked: &DueQuestion<'_>, weights: &HashedLinear) -> Option<Due> {
        let scored = self.options(asked).into_iter().map(|option| (weights.logit(&option.hashed_features), option.due));
        let best = scored.reduce(|best, next| if next.0 >= best.0 { next } else { best })?;
        Some(best.1).filter(|_| best.0 > NONE)
    }

    /// What a task may be due by.
    #[must_use]
    pub fn options(&self, asked: &DueQuestion<'_>) -> Vec<DueOption> {
        let near = self.near(asked.speaking);
        let ruled = if near.is_empty() { None } else { self.ruled(asked.speaking) };
        let option = |at: usize| {
            let found = &near[at].mention.resolved;
            let text = self.script.sentences[near[at].sentence].text.get(found.start..found.end);
            DueOption {
                due: Due { date: found.last, text: text.map(str::to_owned) },
                hashed_features: self.hashed_features(asked, &near, at, ruled),
            }
        };
        (0..near.len()).map(option).collect()
    }

    /// The days named around sentences, in the order of the text.
    fn near(&self, speaking: &[usize]) -> Vec<Near<'_>> {
        let around = |&at: &usize| at.saturating_sub(BEFORE)..(at + AFTER + 1).min(self.named.len());
        let mut sentences: Vec<usize> = speaking.iter().flat_map(around).collect();
        sentences.sort_unstable();
        sentences.dedup();
        let near = |sentence: usize| {
            let named = self.named(sentence);
            let kept = named.len() - usize::from(!named.is_empty() && self.is_taken_back(sentence));
            named[..kept].iter().map(move |NamedDay { mention, setting }| Near { sentence, mention, setting })
        };
        sentences.into_iter().flat_map(near).collect()
    }

    /// Whether the next sentence names another day in the place of a sentence's last: "By Thursday." "No, Friday."
    fn is_taken_back(&self, sentence: usize) -> bool {
        let Some(next) = self.script.sentences.get(sentence + 1) else { return false };
        let Some(NamedDay { mention, .. }) = self.named(sentence + 1).first() else { return false };
        let Resolved { start, end, .. } = mention.resolved;
        let goes_on = next.text[end..].split_whitespace().count() > MOST_BEHIND;
        mention.names_a_day && mention.stance != Stance::Refused && !goes_on && due::takes_back(&next.text[..start])
    }

    fn named(&self, sentence: usize) -> &[NamedDay] {
        let text = self.script.sentences[sentence].text;
        let named = |mention: DayMention| NamedDay { setting: Setting::of(text, &mention.resolved), mention };
        self.named[sentence].get_or_init(|| {
            let mut mentions = self.mentions(sentence);
            if mentions.is_empty() {
                mentions.extend(self.then(sentence));
            }
            mentions.into_iter().map(named).collect()
        })
    }

    fn mentions(&self, sentence: usize) -> Vec<DayMention> {
        due::mentions(self.script.sentences[sentence].text, self.said_at[sentence], Some(self.language))
    }

    /// The day that "by then" means in a sentence: the last one named shortly before.
    fn then(&self, sentence: usize) -> Option<DayMention> {
        let text = self.script.sentences[sentence].text.to_ascii_lowercase();
        // No "it then" in "edit then", but Japanese and Chinese set nothing between words.
        let goes_on = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphabetic());
        let stands_alone = |&(start, words): &(usize, &str)| {
            let (before, behind) = (&text[..start], &text[start + words.len()..]);
            !words.is_ascii() || !(goes_on(before.chars().next_back()) || goes_on(behind.chars().next()))
        };
        let (start, words, led) = THEN.iter().find_map(|&(words, led)| {
            text.match_indices(words).find(stands_alone).map(|(start, _)| (start, words, led))
        })?;
        let earlier = (sentence.saturating_sub(SHORTLY)..sentence).rev();
        let meant = earlier.filter_map(|at| self.mentions(at).pop()).find(|meant| meant.names_a_day)?;
        let resolved = Resolved { start, end: start + words.len(), ..meant.resolved };
        Some(DayMention { resolved, stance: Stance::Open, led, bare_weekday: false, ..meant })
    }

    /// What the rules for deadlines say of the task's sentences alone.
    fn ruled(&self, speaking: &[usize]) -> Option<NaiveDate> {
        let said_at = *self.said_at.get(*speaking.last()?)?;
        let words: Vec<&str> = speaking.iter().map(|&sentence| self.script.sentences[sentence].text).collect();
        due::deadline(&words.join("\n\n"), said_at, Some(self.language)).map(|found| found.last)
    }
}

/// The English in which a text's days are written, British where the day stands before the month: as its own dates show,
/// else as the client's language or the clock where it was written says. All west of Greenwich is taken for America.
fn english(context: &Context, text: &str, said_at: NaiveDateTime) -> &'static str {
    let hint = context.language.as_deref().and_then(|hint| hint.trim().split_once(['-', '_']));
    let region = hint.map(|(_, region)| !matches!(region.to_uppercase().as_str(), "US" | "CA" | "PH"));
    let east = (said_at - context.occurred_at.naive_utc()).num_hours();
    let east = (1..8).contains(&east) || east > 9;
    if due::writes_day_first(text, said_at).or(region).unwrap_or(east) { "en-GB" } else { "en" }
}

#[cfg(test)]
mod tests {
    use crate::{Context, Document, extract};
    use gleaner_model::Subject;

    #[test]
    fn by_then_means_the_day_that_was_named_before() {
        let context = Context::new(Subject::default(), "2026-01-26T10:00:00Z".parse().unwrap());
        let english =
            "Sam: They need the numbers by Friday.\nDana: Okay, I'll email the museum with the numbers by then.";
        let german =
            "Sam: Die brauchen die Zahlen bis Freitag.\nDana: Gut, ich schicke dem Museum die Zahlen bis dahin.";
        let leading = "Sam: They need the numbers by Friday.\nDana: By then I'll email the museum with the numbers.";
        for (text, words) in [(english, "by then"), (german, "bis dahin"), (leading, "By then")] {
            let found = extract(&Document { source_type: "meeting", title: None, text }, &context).tasks;
            let due = found[0].due.as_ref().map(|due| (due.date.to_string(), due.text.as_deref()));
            assert_eq!(due, Some(("2026-01-30".to_owned(), Some(words))), "{found:?}");
        }
    }
    /// The due dates of a meeting's tasks.
    fn dues(context: &Context, text: &str) -> Vec<String> {
        let found = extract(&Document { source_type: "meeting", title: None, text }, context).tasks;
        found.iter().map(|task| task.due.as_ref().map_or_else(String::new, |due| due.date.to_string())).collect()
    }

    #[test]
    fn numbers_are_read_as_the_text_or_its_zone_orders_them() {
        let text = "Sam: I'll send the lease to the landlord by 6/5.";
        let at = |time: &str| Context::new(Subject::default(), time.parse().unwrap());
        let utc = at("2026-04-21T10:00:00Z");
        let berlin = Context { zone: gleaner_model::Zone::Named(chrono_tz::Europe::Berlin), ..utc.clone() };
        assert_eq!(dues(&utc, text), ["2026-06-05"]);
        assert_eq!(dues(&berlin, text), ["2026-05-06"]);
        assert_eq!(dues(&Context { language: Some("en-GB".to_owned()), ..utc.clone() }, text), ["2026-05-06"]);
        assert_eq!(dues(&utc, &format!("Ida: The fair was on 13/3.\n{text}")), ["2026-05-06"]);
    }

    #[test]
    fn a_day_that_the_next_sentence_takes_back_is_no_option() {
        let context = Context::new(Subject::default(), "2026-01-26T10:00:00Z".parse().unwrap());
        let text = "Sam: I'll email the museum with the numbers by Thursday.\nDana: Okay.\n";
        assert_eq!(dues(&context, text), ["2026-01-29"]);
        let text = "Sam: I'll email the museum with the numbers by Thursday. No wait, Friday.\nDana: Okay.\n";
        assert_eq!(dues(&context, text), ["2026-01-30"]);
    }
}
