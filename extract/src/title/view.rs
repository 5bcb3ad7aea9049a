//! What speaks for a title: dense features, by which trees judge it.

use std::collections::HashMap;

use super::boundary::FINITE;
use super::candidate::{Candidate, Joined, all, meant};
use super::context::{Read, TitleContext};
use super::head::Form;
use super::kind::{self, Lexicon};
use super::noun_phrase::NounPhrase;
use super::people::same;
use super::qualifier::{self, Qualifier};
use super::tagger::Tags;
use super::verb;
use super::word::{Word, stem};
use super::{Strength, TitleLine, TitleRequest};
use crate::score::flag;

/// How many features there are.
pub const FEATURE_COUNT: usize = 101;
/// How many of them are of the title itself, the others of the noun phrase that is put in.
const OWN: usize = 63;
/// What a line speaks with that the task does not rest on.
const SILENT: Strength = Strength { part: -6.0, opening: -6.0, continuation: -6.0 };

/// What is known of a task's lines, for all titles that could be made of them.
pub(super) struct TitleView<'p, 'a> {
    context: &'p TitleContext<'a>,
    lines: &'p [TitleLine],
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
    pub fn at(context: &'p TitleContext<'a>, asked: &TitleRequest<'p>, tags: Option<Tags>) -> Self {
        let &TitleRequest { lines, owner, others } = asked;
        let mut near: HashMap<u64, (u32, u32)> = HashMap::new();
        let mut said = Vec::with_capacity(lines.len());
        for &(line, strength) in lines {
            let mut stems: Vec<u64> = context.line(line).map(|read| telling(&read.words)).unwrap_or_default();
            stems.sort_unstable();
            stems.dedup();
            for stem in &stems {
                let seen = near.entry(*stem).or_default();
                *seen = (seen.0 + 1, seen.1 + u32::from(strength.is_some()));
            }
            said.push(stems);
        }
        let evidence = lines.iter().filter_map(|&(line, strength)| Some((line, strength?))).collect();
        Self { context, lines, owner, others, near, stems: said, evidence, tags }
    }

    /// Whether the text is English.
    pub fn is_english(&self) -> bool {
        self.context.language.starts_with("en")
    }

    /// The titles that could be made.
    pub fn candidates(&self) -> Vec<Candidate<'p, 'a>> {
        let mut found = all(self.context, &TitleRequest { lines: self.lines, owner: self.owner, others: self.others });
        let qualifiers = self.qualifiers();
        let lexicon = Lexicon::of(self.context.language);
        let with = |candidate: &Candidate<'p, 'a>| qualifier::all(candidate, &qualifiers, lexicon);
        let about: Vec<Candidate<'p, 'a>> =
            found.iter().filter(|candidate| candidate.joined.is_none()).flat_map(with).collect();
        found.extend(about);
        found
    }

    /// The noun phrases that a title most likely names, the likeliest first.
    fn qualifiers(&self) -> Vec<Qualifier<'p, 'a>> {
        let Some(tags) = &self.tags else { return Vec::new() };
        let near = self.lines.iter().filter_map(|(line, _)| Some((Some(*line), self.context.line(*line)?)));
        let named = near.chain([(None, &self.context.document_title)]);
        let phrases = named.flat_map(|(line, read)| read.phrases.iter().map(move |phrase| Qualifier { phrase, line }));
        // Whose it is says nothing of what it is about.
        let owned =
            |phrase: &NounPhrase<'a>| self.owner.is_some_and(|owner| same(&super::written(&phrase.words), owner));
        let phrases = phrases.filter(|qualifier| !owned(qualifier.phrase));
        let likely = |qualifier: &Qualifier<'p, 'a>| -> f32 {
            let stems = telling(&qualifier.phrase.words);
            stems.iter().map(|stem| tags.of(qualifier.line, *stem) - qualifier::UNLIKELY).sum()
        };
        qualifier::likeliest(phrases.map(|qualifier| (likely(&qualifier), qualifier)).collect())
    }

    /// Emits the [`FEATURE_COUNT`] dense features of a title into `features`.
    pub fn features(&self, candidate: &Candidate<'p, 'a>, features: &mut Vec<f32>) {
        let start = features.len();
        if let Some(read) = self.context.line(candidate.line) {
            self.of_clause(candidate, read, features);
        }
        self.of_words(candidate, features);
        self.of_tags(candidate, features);
        features.resize(start + OWN, 0.0);
        self.of_phrase(candidate, features);
        features.resize(start + FEATURE_COUNT, 0.0);
    }

    fn of_clause(&self, candidate: &Candidate<'p, 'a>, read: &Read<'a>, features: &mut Vec<f32>) {
        let clause = candidate.clause;
        let place = self.evidence.iter().position(|(line, _)| *line == candidate.line);
        let distance = self.evidence.iter().map(|(line, _)| line.abs_diff(candidate.line)).min().unwrap_or_default();
        let heads: Vec<usize> = read.clauses.iter().map(|clause| clause.at).collect();
        let earlier = heads.iter().filter(|at| **at < clause.at).count();
        let own = telling(&clause.words);
        let all = telling(&read.words).len();
        let meant = meant(self.context, self.lines, candidate.line, self.owner);
        let owner = self.owner.unwrap_or_default();
        let named = !owner.is_empty() && read.words.iter().any(|word| word.text.len() > 1 && same(&word.text, owner));
        let shared = |least: &dyn Fn(&(u32, u32)) -> bool| {
            own.iter().filter(|stem| self.near.get(stem).is_some_and(least)).count() as f32 / own.len().max(1) as f32
        };
        let document_title = telling(&self.context.document_title.words);
        let strength = place.map_or(SILENT, |place| self.evidence[place].1);
        let stronger = self.evidence.iter().filter(|(_, other)| other.part > strength.part).count();
        features.extend([
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
            own.iter().filter(|stem| document_title.contains(stem)).count() as f32,
            earlier as f32,
            heads.len() as f32,
            read.words.len() as f32,
            all as f32 - own.len() as f32,
            flag(read.words.iter().any(|word| word.is(kind::DATE))),
            flag(read.words.first().is_some_and(|word| word.is(kind::MARK))),
            flag(read.words.iter().any(|word| word.lower == ":" || word.lower == "→" || word.lower == "|")),
        ]);
    }

    fn of_words(&self, candidate: &Candidate<'p, 'a>, features: &mut Vec<f32>) {
        let words = &candidate.words;
        let Some(first) = words.first() else { return };
        let body = &words[1..];
        let count = |is: &dyn Fn(&Word<'_>) -> bool| body.iter().filter(|word| is(word)).count() as f32;
        let pronouns = (1..words.len())
            .filter(|at| words[*at].is(kind::PRONOUN) && words.get(at + 1).is_none_or(|next| !next.tells()))
            .count();
        features.extend([
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
            count(&|word| FINITE.has(&word.lower)),
            flag(matches!(first.lower.as_ref(), "have" | "be")),
        ]);
    }

    /// What the tagger says of a title: how many of its words people use, of what share of those that they use, and which are left out.
    fn of_tags(&self, candidate: &Candidate<'p, 'a>, features: &mut Vec<f32>) {
        let Some(tags) = &self.tags else { return };
        let mut own = telling(&candidate.words);
        own.sort_unstable();
        own.dedup();
        let likely: Vec<f32> = own.iter().map(|stem| tags.of(Some(candidate.line), *stem)).collect();
        let sum: f32 = likely.iter().sum();
        let least = likely.iter().copied().fold(1.0, f32::min);
        let leads = candidate.words.first().map_or(0.0, |word| tags.of(Some(candidate.line), stem(&word.lower)));
        let read = self.context.line(candidate.line).map(|read| telling(&read.words)).unwrap_or_default();
        let left = read.iter().filter(|stem| !own.contains(stem)).map(|stem| tags.of(Some(candidate.line), *stem));
        features.extend([
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

    /// What the tagger says of a noun phrase: how likely people name it, and how many others nearby are likelier.
    fn of_phrase_tags(&self, joined: &Joined<'p, 'a>, features: &mut Vec<f32>) {
        let Some(tags) = &self.tags else { return };
        let mean = |words: &[Word<'a>], line: Option<usize>| {
            let stems = telling(words);
            stems.iter().map(|stem| tags.of(line, *stem)).sum::<f32>() / stems.len().max(1) as f32
        };
        let own = mean(&joined.phrase.words, joined.line);
        let stems = telling(&joined.phrase.words);
        let likely = || stems.iter().map(|stem| tags.of(joined.line, *stem));
        let phrases = self.lines.iter().filter_map(|(line, _)| Some((*line, &self.context.line(*line)?.phrases)));
        let better =
            phrases.flat_map(|(line, phrases)| phrases.iter().map(move |phrase| mean(&phrase.words, Some(line))));
        features.extend([
            own,
            likely().fold(0.0, f32::max),
            likely().fold(1.0, f32::min),
            tags.of(joined.line, stem(joined.phrase.noun())),
            better.filter(|other| *other > own).count() as f32,
        ]);
    }

    /// How often another speaker set in between two lines.
    fn turns(&self, later: usize, earlier: Option<usize>) -> f32 {
        let Some(earlier) = earlier else { return -1.0 };
        let speakers = (earlier.min(later)..=earlier.max(later)).filter_map(|line| self.context.line(line)?.speaker);
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

    fn of_phrase(&self, candidate: &Candidate<'p, 'a>, features: &mut Vec<f32>) {
        let Some(joined) = candidate.joined else {
            features.push(-1.0);
            return;
        };
        let read = joined.line.and_then(|line| self.context.line(line)).unwrap_or(&self.context.document_title);
        self.of_phrase_source(candidate, &joined, read, features);
        of_phrase_form(&joined, features);
        self.of_phrase_place(&joined, read, features);
        self.of_phrase_words(&joined, read, features);
        of_governing_clause(candidate, joined.phrase, read, features);
        features.extend([
            self.turns(candidate.line, joined.line),
            flag(read.words.iter().any(|word| word.is(kind::DATE))),
            flag(joined.phrase.words.iter().any(|word| word.is(kind::DIGIT))),
            self.together(candidate, last_telling(joined.phrase)),
        ]);
        self.of_phrase_tags(&joined, features);
    }

    /// How a noun phrase is joined, and the line that it is taken from.
    fn of_phrase_source(
        &self,
        candidate: &Candidate<'p, 'a>,
        joined: &Joined<'p, 'a>,
        read: &Read<'a>,
        features: &mut Vec<f32>,
    ) {
        let own = self.context.line(candidate.line);
        let evidence = joined.line.is_some_and(|line| self.evidence.iter().any(|(other, _)| *other == line));
        features.extend([
            joined.joint as u8 as f32,
            joined.line.map_or(20.0, |line| candidate.line as f32 - line as f32),
            flag(evidence),
            flag(own.is_some_and(|own| own.speaker == read.speaker)),
        ]);
    }

    /// How often its noun is named nearby, and where it stands among the noun phrases of its line.
    fn of_phrase_place(&self, joined: &Joined<'p, 'a>, read: &Read<'a>, features: &mut Vec<f32>) {
        let phrase = joined.phrase;
        let seen = last_telling(phrase).and_then(|noun| self.near.get(&stem(&noun.lower))).copied().unwrap_or_default();
        let after = read.phrases.iter().filter(|other| other.at > phrase.at && !other.long).count();
        features.extend([
            seen.0 as f32,
            seen.1 as f32,
            joined.rank as f32,
            flag(phrase.long),
            after as f32,
            phrase.at as f32,
        ]);
    }

    /// What its words are, and what stands before them.
    fn of_phrase_words(&self, joined: &Joined<'p, 'a>, read: &Read<'a>, features: &mut Vec<f32>) {
        let phrase = joined.phrase;
        let before = phrase.at.checked_sub(1).and_then(|at| read.words.get(at));
        let document_title = telling(&self.context.document_title.words);
        features.extend([
            flag(last_telling(phrase).is_some_and(|noun| noun.is(kind::VAGUE))),
            telling(&phrase.words).iter().filter(|stem| document_title.contains(stem)).count() as f32,
            before.map_or(0.0, |before| match () {
                () if before.is(kind::VERB) => 1.0,
                () if before.is(kind::LINK) => 2.0,
                () if before.is(kind::MARK) => 3.0,
                () if before.is(kind::FUNCTION) => 4.0,
                () => 5.0,
            }),
            flag(read.asks),
            flag(joined.line.is_none()),
            flag(phrase.words.iter().any(|word| word.is(kind::VERB))),
            phrase.words.iter().filter(|word| word.tells()).count() as f32,
            flag(phrase.words.len() + 1 >= read.words.len()),
        ]);
    }
}

/// The last telling word of a noun phrase.
fn last_telling<'w, 'a>(phrase: &'w NounPhrase<'a>) -> Option<&'w Word<'a>> {
    phrase.words.iter().rev().find(|word| word.tells())
}

/// The form of a noun phrase, and whether it and the pronoun that it stands for are of more than one.
fn of_phrase_form(joined: &Joined<'_, '_>, features: &mut Vec<f32>) {
    let phrase = joined.phrase;
    let first = &phrase.words[0];
    let article = match first.lower.as_ref() {
        _ if !first.is(kind::ARTICLE) => 0.0,
        "the" => 1.0,
        "a" | "an" => 2.0,
        "this" | "that" | "these" | "those" => 3.0,
        _ => 4.0,
    };
    features.extend([
        phrase.words.len() as f32,
        article,
        flag(phrase.words.iter().any(|word| word.is(kind::CAPITAL))),
        flag(phrase.words.iter().any(|word| word.is(kind::NAME))),
        flag(phrase.is_many()),
        flag(matches!(joined.pronoun, 4..=6)),
        f32::from(joined.pronoun),
    ]);
}

/// The clause that a noun phrase stands in, where a verb leads that.
fn of_governing_clause(
    candidate: &Candidate<'_, '_>,
    phrase: &NounPhrase<'_>,
    read: &Read<'_>,
    features: &mut Vec<f32>,
) {
    let clauses = read.clauses.iter().filter(|clause| clause.at < phrase.at && clause.form != Form::Bare);
    let led = clauses.max_by_key(|clause| clause.at);
    features.extend([
        led.map_or(-1.0, |led| led.form as u8 as f32),
        led.map_or(20.0, |led| phrase.at as f32 - led.at as f32),
        flag(led.is_some_and(|led| same_verb(&led.words, &candidate.words))),
    ]);
}

/// Whether two clauses have one verb.
fn same_verb(one: &[Word<'_>], other: &[Word<'_>]) -> bool {
    matches!((one.first(), other.first()), (Some(one), Some(other)) if stem(&one.lower) == stem(&other.lower))
}

/// The telling words of some, as numbers by which forms of one word meet.
fn telling(words: &[Word<'_>]) -> Vec<u64> {
    words.iter().filter(|word| word.tells() && !word.is(kind::DATE)).map(|word| stem(&word.lower)).collect()
}
