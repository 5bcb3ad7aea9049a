//! What speaks for a title: plain numbers, by which trees judge it.

use std::collections::HashMap;

use super::candidate::{Candidate, Joined, all, meant};
use super::clause::FINITE;
use super::head::Form;
use super::kind::{self, Lexicon};
use super::page::{Page, Read};
use super::people::same;
use super::tagger::Tags;
use super::topic::{self, Topic};
use super::verb;
use super::word::{Word, has, stem};
use super::{Cited, Strength, TitleRequest};

/// How many numbers there are.
pub const NUMBERS: usize = 101;
/// How many of them are of the title itself, the others of the thing that is put in.
const OWN: usize = 63;
/// What a line speaks with that the task does not rest on.
const SILENT: Strength = Strength { part: -6.0, opening: -6.0, continuation: -6.0 };

/// What is known of a task's lines, for all titles that could be made of them.
pub(super) struct TitleView<'p, 'a> {
    page: &'p Page<'a>,
    lines: &'p [Cited],
    owner: Option<&'p str>,
    others: &'p [usize],
    /// In how many lines each telling word stands, and in how many of the evidence.
    near: HashMap<u64, (u32, u32)>,
    /// The telling words of each line.
    stems: Vec<Vec<u64>>,
    evidence: Vec<(usize, Strength)>,
    /// What the tagger says of the words, where it reads the language.
    tags: Option<Tags>,
}

impl<'p, 'a> TitleView<'p, 'a> {
    /// At the lines of a task.
    pub fn at(page: &'p Page<'a>, asked: &TitleRequest<'p>, tags: Option<Tags>) -> Self {
        let &TitleRequest { lines, owner, others } = asked;
        let mut near: HashMap<u64, (u32, u32)> = HashMap::new();
        let mut said = Vec::with_capacity(lines.len());
        for &(line, cited) in lines {
            let mut stems: Vec<u64> = page.line(line).map(|read| telling(&read.words)).unwrap_or_default();
            stems.sort_unstable();
            stems.dedup();
            for stem in &stems {
                let seen = near.entry(*stem).or_default();
                *seen = (seen.0 + 1, seen.1 + u32::from(cited.is_some()));
            }
            said.push(stems);
        }
        let evidence = lines.iter().filter_map(|&(line, cited)| Some((line, cited?))).collect();
        Self { page, lines, owner, others, near, stems: said, evidence, tags }
    }

    /// Whether the text is English.
    pub fn is_english(&self) -> bool {
        self.page.language.starts_with("en")
    }

    /// The titles that could be made.
    pub fn candidates(&self) -> Vec<Candidate<'p, 'a>> {
        let mut found = all(self.page, &TitleRequest { lines: self.lines, owner: self.owner, others: self.others });
        let topics = self.topics();
        let with = |candidate: &Candidate<'p, 'a>| topic::all(candidate, &topics, Lexicon::of(self.page.language));
        let about: Vec<Candidate<'p, 'a>> =
            found.iter().filter(|candidate| candidate.joined.is_none()).flat_map(with).collect();
        found.extend(about);
        found
    }

    /// The things that a title most likely names, the likeliest first.
    fn topics(&self) -> Vec<Topic<'p, 'a>> {
        let Some(tags) = &self.tags else { return Vec::new() };
        let near = self.lines.iter().filter_map(|(line, _)| Some((Some(*line), self.page.line(*line)?)));
        let named = near.chain([(None, &self.page.topic)]);
        let things = named.flat_map(|(line, read)| read.things.iter().map(move |thing| Topic { thing, line }));
        let likely = |topic: &Topic<'p, 'a>| -> f32 {
            telling(&topic.thing.words).iter().map(|stem| tags.of(topic.line, *stem) - topic::UNLIKELY).sum()
        };
        topic::likeliest(things.map(|topic| (likely(&topic), topic)).collect())
    }

    /// The numbers of a title, as many as [`NUMBERS`].
    pub fn numbers(&self, candidate: &Candidate<'p, 'a>, numbers: &mut Vec<f32>) {
        let start = numbers.len();
        if let Some(read) = self.page.line(candidate.line) {
            self.of_clause(candidate, read, numbers);
        }
        self.of_words(candidate, numbers);
        self.of_tags(candidate, numbers);
        numbers.resize(start + OWN, 0.0);
        self.of_thing(candidate, numbers);
        numbers.resize(start + NUMBERS, 0.0);
    }

    fn of_clause(&self, candidate: &Candidate<'p, 'a>, read: &Read<'a>, numbers: &mut Vec<f32>) {
        let clause = candidate.clause;
        let place = self.evidence.iter().position(|(line, _)| *line == candidate.line);
        let distance = self.evidence.iter().map(|(line, _)| line.abs_diff(candidate.line)).min().unwrap_or_default();
        let heads: Vec<usize> = read.clauses.iter().map(|clause| clause.at).collect();
        let earlier = heads.iter().filter(|at| **at < clause.at).count();
        let own = telling(&clause.words);
        let all = telling(&read.words).len();
        let meant = meant(self.page, self.lines, candidate.line, self.owner);
        let owner = self.owner.unwrap_or_default();
        let named = !owner.is_empty() && read.words.iter().any(|word| word.text.len() > 1 && same(&word.text, owner));
        let shared = |least: &dyn Fn(&(u32, u32)) -> bool| {
            own.iter().filter(|stem| self.near.get(stem).is_some_and(least)).count() as f32 / own.len().max(1) as f32
        };
        let topic = telling(&self.page.topic.words);
        let strength = place.map_or(SILENT, |place| self.evidence[place].1);
        let stronger = self.evidence.iter().filter(|(_, other)| other.part > strength.part).count();
        numbers.extend([
            strength.part,
            strength.opening,
            strength.continuation,
            stronger as f32,
            clause.form as u8 as f32,
            flag(place.is_some()),
            place.map_or(-1.0, |place| (self.evidence.len() - 1 - place) as f32),
            place.map_or(-1.0, |place| place as f32),
            self.evidence.len() as f32,
            distance as f32,
            flag(read.asks),
            flag(clause.doubtful),
            clause.end as u8 as f32,
            clause.left as f32,
            clause.at as f32,
            flag(meant.own()),
            flag(named),
            flag(self.owner.is_none()),
            shared(&|seen| seen.0 > 1),
            shared(&|seen| seen.0 > 2),
            shared(&|seen| seen.1 > 1),
            own.iter().filter(|stem| topic.contains(stem)).count() as f32,
            earlier as f32,
            heads.len() as f32,
            read.words.len() as f32,
            all as f32 - own.len() as f32,
            flag(read.words.iter().any(|word| word.is(kind::DATE))),
            flag(read.words.first().is_some_and(|word| word.is(kind::MARK))),
            flag(read.words.iter().any(|word| word.lower == ":" || word.lower == "→" || word.lower == "|")),
        ]);
    }

    fn of_words(&self, candidate: &Candidate<'p, 'a>, numbers: &mut Vec<f32>) {
        let words = &candidate.words;
        let Some(first) = words.first() else { return };
        let body = &words[1..];
        let count = |is: &dyn Fn(&Word<'_>) -> bool| body.iter().filter(|word| is(word)).count() as f32;
        let pronouns = (1..words.len())
            .filter(|at| words[*at].is(kind::PRONOUN) && words.get(at + 1).is_none_or(|next| !next.tells()))
            .count();
        numbers.extend([
            words.len() as f32,
            count(&|word| word.tells()),
            flag(first.is(kind::VERB)),
            flag(first.is(kind::LIGHT)),
            flag(first.is(kind::TALK)),
            flag(first.is(kind::STATE)),
            flag(first.is(kind::FUNCTION) && !first.is(kind::VERB)),
            flag(first.is(kind::ARTICLE)),
            flag(first.lower == "do"),
            flag(first.lower == "send"),
            pronouns as f32,
            count(&|word| word.is(kind::PERSON)),
            count(&|word| word.is(kind::SUBJECT) && !word.is(kind::PRONOUN)),
            count(&|word| word.is(kind::DOUBT)),
            count(&|word| word.is(kind::CAPITAL | kind::NAME)),
            count(&|word| word.is(kind::DIGIT)),
            count(&|word| word.is(kind::MARK)),
            count(&|word| word.is(kind::VAGUE)),
            count(&|word| word.is(kind::VERB) && !word.is(kind::FUNCTION)),
            flag(self.is_english()),
            flag(verb::is_verb(&words[words.len() - 1].lower)),
            flag(candidate.names),
            flag(words[words.len() - 1].is(kind::FUNCTION)),
            flag(words[words.len() - 1].tells()),
            count(&|word| has(FINITE, &word.lower)),
            flag(matches!(first.lower.as_ref(), "have" | "be")),
        ]);
    }

    /// What the tagger says of a title: how many of its words people use, of what share of those that they use, and which are left out.
    fn of_tags(&self, candidate: &Candidate<'p, 'a>, numbers: &mut Vec<f32>) {
        let Some(tags) = &self.tags else { return };
        let mut own = telling(&candidate.words);
        own.sort_unstable();
        own.dedup();
        let likely: Vec<f32> = own.iter().map(|stem| tags.of(Some(candidate.line), *stem)).collect();
        let sum: f32 = likely.iter().sum();
        let least = likely.iter().copied().fold(1.0, f32::min);
        let leads = candidate.words.first().map_or(0.0, |word| tags.of(Some(candidate.line), stem(&word.lower)));
        let read = self.page.line(candidate.line).map(|read| telling(&read.words)).unwrap_or_default();
        let left = read.iter().filter(|stem| !own.contains(stem)).map(|stem| tags.of(Some(candidate.line), *stem));
        numbers.extend([
            sum,
            sum / own.len().max(1) as f32,
            least,
            leads,
            sum / tags.all.max(0.1),
            left.fold(0.0, f32::max),
            tags.missing(&own),
            tags.all,
        ]);
    }

    /// What the tagger says of a thing: how likely people name it, and how many others nearby are likelier.
    fn of_thing_tags(&self, joined: &Joined<'p, 'a>, numbers: &mut Vec<f32>) {
        let Some(tags) = &self.tags else { return };
        let mean = |words: &[Word<'a>], line: Option<usize>| {
            let stems = telling(words);
            stems.iter().map(|stem| tags.of(line, *stem)).sum::<f32>() / stems.len().max(1) as f32
        };
        let own = mean(&joined.thing.words, joined.line);
        let stems = telling(&joined.thing.words);
        let likely = || stems.iter().map(|stem| tags.of(joined.line, *stem));
        let things = self.lines.iter().filter_map(|(line, _)| Some((*line, &self.page.line(*line)?.things)));
        let better = things.flat_map(|(line, things)| things.iter().map(move |thing| mean(&thing.words, Some(line))));
        numbers.extend([
            own,
            likely().fold(0.0, f32::max),
            likely().fold(1.0, f32::min),
            tags.of(joined.line, stem(joined.thing.noun())),
            better.filter(|other| *other > own).count() as f32,
        ]);
    }

    /// How often another speaker set in between two lines.
    fn turns(&self, later: usize, earlier: Option<usize>) -> f32 {
        let Some(earlier) = earlier else { return -1.0 };
        let speakers = (earlier.min(later)..=earlier.max(later)).filter_map(|line| self.page.line(line)?.speaker);
        let (mut turns, mut last) = (0, None);
        for speaker in speakers {
            turns += u8::from(last.is_some_and(|last| last != speaker));
            last = Some(speaker);
        }
        f32::from(turns)
    }

    /// In how many lines the verb of a title stands beside a noun.
    fn together(&self, candidate: &Candidate<'p, 'a>, noun: Option<&Word<'a>>) -> f32 {
        let (Some(verb), Some(noun)) = (candidate.words.first(), noun) else { return 0.0 };
        let both = [stem(&verb.lower), stem(&noun.lower)];
        let holds = |line: &&Vec<u64>| both.iter().all(|stem| line.binary_search(stem).is_ok());
        self.stems.iter().filter(holds).count() as f32
    }

    fn of_thing(&self, candidate: &Candidate<'p, 'a>, numbers: &mut Vec<f32>) {
        let Some(joined) = candidate.joined else {
            numbers.push(-1.0);
            return;
        };
        let thing = joined.thing;
        let read = joined.line.and_then(|line| self.page.line(line)).unwrap_or(&self.page.topic);
        let own = self.page.line(candidate.line);
        let first = &thing.words[0];
        let article = match first.lower.as_ref() {
            _ if !first.is(kind::ARTICLE) => 0.0,
            "the" => 1.0,
            "a" | "an" => 2.0,
            "this" | "that" | "these" | "those" => 3.0,
            _ => 4.0,
        };
        let many = matches!(joined.pronoun, 4..=6);
        let noun = thing.words.iter().rev().find(|word| word.tells());
        let seen = noun.and_then(|noun| self.near.get(&stem(&noun.lower))).copied().unwrap_or_default();
        let before = thing.at.checked_sub(1).and_then(|at| read.words.get(at));
        let after = read.things.iter().filter(|other| other.at > thing.at && !other.long).count();
        let topic = telling(&self.page.topic.words);
        let led = read
            .clauses
            .iter()
            .filter(|clause| clause.at < thing.at && clause.form != Form::Bare)
            .max_by_key(|clause| clause.at);
        let evidence = joined.line.is_some_and(|line| self.evidence.iter().any(|(other, _)| *other == line));
        let distance = joined.line.map_or(20.0, |line| candidate.line as f32 - line as f32);
        numbers.extend([
            joined.joint as u8 as f32,
            distance,
            flag(evidence),
            flag(own.is_some_and(|own| own.speaker == read.speaker)),
            thing.words.len() as f32,
            article,
            flag(thing.words.iter().any(|word| word.is(kind::CAPITAL))),
            flag(thing.words.iter().any(|word| word.is(kind::NAME))),
            flag(thing.is_many()),
            flag(many),
            f32::from(joined.pronoun),
            seen.0 as f32,
            seen.1 as f32,
            joined.rank as f32,
            flag(thing.long),
            after as f32,
            thing.at as f32,
            flag(noun.is_some_and(|noun| noun.is(kind::VAGUE))),
            telling(&thing.words).iter().filter(|stem| topic.contains(stem)).count() as f32,
            before.map_or(0.0, |before| match () {
                () if before.is(kind::VERB) => 1.0,
                () if before.is(kind::LINK) => 2.0,
                () if before.is(kind::MARK) => 3.0,
                () if before.is(kind::FUNCTION) => 4.0,
                () => 5.0,
            }),
            flag(read.asks),
            flag(joined.line.is_none()),
            flag(thing.words.iter().any(|word| word.is(kind::VERB))),
            thing.words.iter().filter(|word| word.tells()).count() as f32,
            flag(thing.words.len() + 1 >= read.words.len()),
            led.map_or(-1.0, |led| led.form as u8 as f32),
            led.map_or(20.0, |led| thing.at as f32 - led.at as f32),
            flag(led.is_some_and(|led| same_verb(&led.words, &candidate.words))),
            self.turns(candidate.line, joined.line),
            flag(read.words.iter().any(|word| word.is(kind::DATE))),
            flag(thing.words.iter().any(|word| word.is(kind::DIGIT))),
            self.together(candidate, noun),
        ]);
        self.of_thing_tags(&joined, numbers);
    }
}

/// Whether two clauses have one verb.
fn same_verb(one: &[Word<'_>], other: &[Word<'_>]) -> bool {
    matches!((one.first(), other.first()), (Some(one), Some(other)) if stem(&one.lower) == stem(&other.lower))
}

fn flag(holds: bool) -> f32 {
    f32::from(u8::from(holds))
}

/// The telling words of some, as numbers by which forms of one word meet.
fn telling(words: &[Word<'_>]) -> Vec<u64> {
    words.iter().filter(|word| word.tells() && !word.is(kind::DATE)).map(|word| stem(&word.lower)).collect()
}
