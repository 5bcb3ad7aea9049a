//! What speaks for a day as a task's due date, as hashed features.

use chrono::NaiveDate;

use super::clause::{class, clause, words};
use super::{DueOptions, DueQuestion, Near};
use crate::due::{NO_NOUN, Resolved};
use crate::feature::{Line, bits};
use crate::hash::{feature, join};
use crate::word_list::WordList;

/// Subjects of a clause, by whom they mean.
static SUBJECTS: [WordList; 6] = [
    WordList::of("i i'll i'd i've i'm ich je yo io eu ik"),
    WordList::of("you you'll you'd your du sie tu vous"),
    WordList::of("we we'll we'd we're wir nous"),
    WordList::of("he she they he'll she'll they'll he's she's they're"),
    WordList::of("it it's that that's this there it'll that'll"),
    WordList::of("who what when"),
];

/// Words behind a day that are no noun.
static NO_NOUNS: WordList = WordList::of(NO_NOUN);

/// Verbs by what they say of time and will.
static VERBS: [WordList; 8] = [
    WordList::of("will 'll i'll you'll we'll he'll she'll they'll gonna going shall"),
    WordList::of("would i'd you'd could might"),
    WordList::of("can"),
    WordList::of("need needs must has have should want wants"),
    WordList::of("please pls bitte let's"),
    WordList::of("was were went came sent did got had said told been"),
    WordList::of("is are it's that's"),
    WordList::of("starts comes opens closes"),
];

/// What the sentence of a day is to a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Its most telling sentence.
    Best,
    /// One that its fields are read off.
    Speaks,
    /// Another one of its sentences.
    Member,
    /// One of another task.
    Others,
    /// One of none.
    Free,
}

impl Role {
    /// Whether the task's fields are read off it.
    fn tells(self) -> u64 {
        matches!(self, Self::Best | Self::Speaks).into()
    }
}

/// Collects features.
struct Sink(Vec<u32>);

impl Sink {
    /// Adds a feature of a kind by the parts of its value.
    fn put<const N: usize>(&mut self, kind: u64, parts: [u64; N]) {
        self.0.push(feature(parts.into_iter().fold(join(83, kind), join)));
    }
}

impl DueOptions<'_> {
    /// What speaks for one of the days named near a task; `ruled` is what rules make of its sentences.
    pub(super) fn hashed_features(
        &self,
        asked: &DueQuestion<'_>,
        near: &[Near<'_>],
        at: usize,
        ruled: Option<NaiveDate>,
    ) -> Vec<u32> {
        let mut sink = Sink(Vec::with_capacity(80));
        let role = self.role(asked, near[at].sentence);
        self.place(asked, near[at].sentence, role, &mut sink);
        self.expression(&near[at], role, &mut sink);
        others(asked, near, at, &mut sink);
        self.around(asked, &near[at], role, &mut sink);
        self.sentence(asked, near[at].sentence, role, &mut sink);
        let agrees = u64::from(ruled == Some(near[at].day()));
        sink.put(60, [agrees, ruled.is_none().into()]);
        sink.put(61, [agrees, ruled.is_none().into(), role as u64]);
        sink.0
    }

    fn role(&self, asked: &DueQuestion<'_>, sentence: usize) -> Role {
        if asked.telling.first() == Some(&sentence) {
            Role::Best
        } else if asked.speaking.contains(&sentence) {
            Role::Speaks
        } else if asked.telling.contains(&sentence) {
            Role::Member
        } else if self.assignment.is_of_another(sentence, asked.number) {
            Role::Others
        } else {
            Role::Free
        }
    }

    /// Where the sentence stands beside the task's, and who says it.
    fn place(&self, asked: &DueQuestion<'_>, sentence: usize, role: Role, sink: &mut Sink) {
        let (one, other) = (&self.script.sentences[sentence], &self.script.sentences[nearest(asked, sentence)]);
        let distance = distance(asked, sentence);
        let best = asked.telling.first().map(|&best| self.script.sentences[best].speaker);
        let speaker = one.speaker.and_then(|number| self.script.speakers.get(number as usize));
        let owned = speaker.is_some() && speaker.copied() == asked.owner;
        sink.put(0, [role as u64]);
        sink.put(1, [distance, (one.speaker == other.speaker).into(), (one.utterance == other.utterance).into()]);
        sink.put(2, [distance, role as u64]);
        sink.put(3, [(best == Some(one.speaker)).into(), role as u64]);
        sink.put(4, [owned.into(), role.tells()]);
    }

    /// How the sentence speaks of the day, and how far off it is.
    fn expression(&self, near: &Near<'_>, role: Role, sink: &mut Sink) {
        let mention = near.mention;
        let (stance, led, grain) = (mention.stance as u64, u64::from(mention.led), mention.resolved.grain as u64);
        let names = u64::from(mention.names_a_day);
        let ahead = (near.day() - self.said_at[near.sentence].date()).num_days();
        sink.put(10, [stance]);
        sink.put(11, [stance, role.tells()]);
        sink.put(12, [led]);
        sink.put(13, [led, role as u64]);
        sink.put(14, [grain, led]);
        sink.put(15, [names]);
        sink.put(16, [mention.bare_weekday.into()]);
        sink.put(17, [step(ahead, &[0, 1, 7, 14, 31, 90, 250, 300])]);
        sink.put(18, [(ahead == 0).into(), names, role as u64]);
    }

    /// The words around the day and those that name it.
    fn around(&self, asked: &DueQuestion<'_>, near: &Near<'_>, role: Role, sink: &mut Sink) {
        let Setting { before, after, first, last, subject, verb, clause, long, the, noun, rest } = *near.setting;
        let alone = self.named(near.sentence).len() == 1;
        sink.put(30, [before]);
        sink.put(31, [after]);
        sink.put(32, [first]);
        sink.put(33, [last]);
        sink.put(34, [subject]);
        sink.put(35, [subject, role.tells()]);
        sink.put(36, [verb]);
        sink.put(37, [step(clause, &[0, 1, 2, 4, 8])]);
        sink.put(38, [long.into(), alone.into()]);
        sink.put(39, [the.into(), noun.into()]);
        sink.put(40, [step(rest, &[0, 1, 2, 4, 8, 16])]);
        sink.put(41, [step(rest, &[0, 2, 4]), role as u64, distance(asked, near.sentence)]);
    }

    /// What kind of sentence names the day.
    fn sentence(&self, asked: &DueQuestion<'_>, sentence: usize, role: Role, sink: &mut Sink) {
        let seen = &self.scene.seen[sentence];
        let line = |sentence: usize| self.script.sentences[sentence].line;
        sink.put(50, [seen.question.into()]);
        sink.put(51, [line(sentence) as u64]);
        bits(seen.cues).for_each(|cue| sink.put(52, [cue]));
        bits(seen.head).for_each(|cue| sink.put(53, [cue, role.tells()]));
        if let Some(next) = self.scene.seen.get(sentence + 1) {
            let speaker = |at: usize| self.script.sentences[at].speaker;
            let same = u64::from(speaker(sentence) == speaker(sentence + 1));
            bits(next.head).for_each(|cue| sink.put(54, [cue, same]));
        }
        let listed = asked.telling.first().map(|&best| line(best));
        let listed = matches!(listed, Some(Line::Open | Line::Ticked | Line::Action));
        sink.put(55, [listed.into(), role as u64]);
    }
}

/// The words around a day and those that name it, as far as they speak for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    /// The words before and behind it, hashed.
    before: u64,
    after: u64,
    /// Its own first and last, hashed.
    first: u64,
    last: u64,
    /// Whom the clause before it is about, and what its verb says.
    subject: u64,
    verb: u64,
    /// How many words the clause has, and whether others stand before it.
    clause: i64,
    long: bool,
    /// Whether an article leads it, and whether a noun seems to follow.
    the: bool,
    noun: bool,
    /// How many words of the sentence do not name it.
    rest: i64,
}

impl Setting {
    /// The words around a day of a sentence.
    pub fn of(text: &str, found: &Resolved) -> Self {
        let (ahead, behind) = (&text[..found.start], &text[found.end..]);
        let (before, after, own) = (words(ahead), words(behind), words(&text[found.start..found.end]));
        let clause = clause(ahead);
        let the = before.last().is_some_and(|word| matches!(word.as_str(), "the" | "a"))
            || own.first().is_some_and(|word| word == "the");
        Self {
            before: hash(before.last()),
            after: hash(after.first()),
            first: hash(own.first()),
            last: hash(own.last()),
            subject: clause.iter().find_map(|word| class(&SUBJECTS, word)).unwrap_or(9),
            verb: clause.iter().rev().find_map(|word| class(&VERBS, word)).unwrap_or(9),
            clause: clause.len() as i64,
            long: before.len() > clause.len(),
            the,
            noun: after.first().is_some_and(|word| !NO_NOUNS.has(word)),
            rest: (before.len() + after.len()) as i64,
        }
    }
}

/// What other days are named near the task.
fn others(asked: &DueQuestion<'_>, near: &[Near<'_>], at: usize, sink: &mut Sink) {
    let speaks = |one: &Near<'_>| asked.speaking.contains(&one.sentence);
    let (own, day) = (&near[at], near[at].day());
    let told = u64::from(speaks(own));
    let count = |part: &[Near<'_>]| part.iter().filter(|one| speaks(one)).count().min(2) as u64;
    let (earlier, later) = (&near[..at], &near[at + 1..]);
    let any = |wanted: &dyn Fn(&Near<'_>) -> bool| u64::from(earlier.iter().chain(later).any(wanted));
    let gap = |one: &Near<'_>| nearest(asked, one.sentence).abs_diff(one.sentence);
    let best = asked.telling.first();
    let with = |part: &[Near<'_>]| part.iter().any(|one| one.sentence == own.sentence);
    let (first, last) = (!with(earlier), !with(later));
    sink.put(20, [near.len().min(5) as u64]);
    sink.put(21, [any(&|one| speaks(one) && one.mention.names_a_day), own.mention.names_a_day.into()]);
    sink.put(22, [count(later), told]);
    sink.put(23, [count(earlier), told]);
    sink.put(24, [count(near), told]);
    sink.put(25, [any(&|one| one.day() == day), told]);
    sink.put(26, [any(&|one| speaks(one) && one.mention.led), own.mention.led.into()]);
    let beside = any(&|one| Some(&one.sentence) == best && one.mention.names_a_day);
    sink.put(27, [beside, (Some(&own.sentence) == best).into()]);
    sink.put(28, [any(&|one| gap(one) < gap(own))]);
    sink.put(29, [first.into(), last.into()]);
    // "I'll brief her today and she'd have them by the twenty sixth": of several days of a sentence, which one?
    let here = |part: &[Near<'_>]| part.iter().filter(|one| one.sentence == own.sentence).count().min(2) as u64;
    let place = join(here(earlier), here(later));
    let Setting { subject, verb, .. } = *own.setting;
    sink.put(70, [place, told]);
    sink.put(71, [place, subject]);
    sink.put(72, [place, verb]);
}

/// The sentence next to a place that a task's fields are read off.
fn nearest(asked: &DueQuestion<'_>, sentence: usize) -> usize {
    asked.speaking.iter().copied().min_by_key(|&one| (one.abs_diff(sentence), one)).unwrap_or(sentence)
}

/// How far behind that one a sentence stands, from -3 to 4, as a part of a feature.
fn distance(asked: &DueQuestion<'_>, sentence: usize) -> u64 {
    (sentence as i64 - nearest(asked, sentence) as i64).clamp(-3, 4) as u64
}

/// The least of some steps that a number does not go beyond.
fn step(number: i64, steps: &[i64]) -> u64 {
    steps.iter().position(|step| number <= *step).unwrap_or(steps.len()) as u64
}

fn hash(word: Option<&String>) -> u64 {
    word.map_or(1, |word| word.bytes().fold(7, |hash, byte| join(hash, u64::from(byte))))
}
