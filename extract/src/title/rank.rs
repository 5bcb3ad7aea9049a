//! Which of many titles is best: a linear model of how near each would come to a title that a person gives.

use super::draft::{Draft, Joint};
use super::kind::{self, Kinds};
use super::piece::Piece;
use super::scene::Scene;
use super::vocabulary::Vocabulary;
use crate::cue::join;
use crate::feature::fold;
use crate::model::table::Table;

/// What speaks for and against a title: hashed features with how much each counts.
pub type Features = Vec<(u32, f32)>;

/// Takes features in, one after the other.
pub(super) trait Sink {
    /// Takes a feature with how much it counts.
    fn take(&mut self, feature: u32, value: f32);

    /// Takes a feature made of parts.
    fn put<const N: usize>(&mut self, kind: u64, parts: [u64; N]) {
        self.take(fold(parts.into_iter().fold(join(97, kind), join)), 1.0);
    }

    /// Takes a number.
    fn count(&mut self, kind: u64, value: f32) {
        if value != 0.0 {
            self.take(fold(join(101, kind)), value);
        }
    }
}

impl Sink for Features {
    fn take(&mut self, feature: u32, value: f32) {
        self.push((feature, value));
    }
}

/// Adds up what a model makes of features.
pub(super) struct Worth<'t> {
    pub table: &'t Table,
    pub sum: f32,
}

impl Sink for Worth<'_> {
    fn take(&mut self, feature: u32, value: f32) {
        self.sum += self.table.weight(feature) * value;
    }
}

/// The features of a draft.
pub(super) fn features(draft: &Draft, scene: &Scene<'_, '_>, vocabulary: &Vocabulary, sink: &mut impl Sink) {
    source(draft, scene, sink);
    words(draft, vocabulary, sink);
    thing(draft, scene, vocabulary, sink);
    tail(draft, scene, vocabulary, sink);
    pattern(draft, sink);
}

/// Where the action stands, and how it is said.
fn source(draft: &Draft, scene: &Scene<'_, '_>, sink: &mut impl Sink) {
    let line = &scene.lines[draft.line];
    let place = line.place;
    let action = &line.view.actions[draft.action];
    let form = action.form as u64;
    let own = line.speaker.is_some() && line.speaker == scene.owner;
    let question = line.read.asks;
    let verb = draft.words.first().map_or(0, |word| word.hash);
    let said = action.words.first().map_or(0, |word| word.hash);
    let off = place.off.clamp(-4, 4) as i64 as u64;
    sink.put(0, [off]);
    sink.put(1, [form]);
    sink.put(2, [form, (place.off == 0).into()]);
    sink.put(3, [place.first.into(), place.last.into(), (place.off == 0).into()]);
    sink.put(4, [action.doubtful.into()]);
    sink.put(5, [question.into(), form]);
    sink.put(6, [own.into(), form, line.speaker.is_some().into()]);
    sink.put(7, [u64::from(draft.edits)]);
    for bit in 0..7 {
        if draft.edits >> bit & 1 == 1 {
            sink.put(8, [bit]);
            sink.put(9, [bit, form]);
            sink.put(10, [bit, verb]);
        }
    }
    sink.put(11, [verb]);
    sink.put(12, [verb, said]);
    sink.put(13, [said, form]);
    sink.put(14, [draft.joint as u64, form]);
    sink.put(15, [draft.joint as u64, verb]);
}

/// The words: how many, how likely, how plain.
fn words(draft: &Draft, vocabulary: &Vocabulary, sink: &mut impl Sink) {
    let Told { size, total, first, content, least, low, high, kinds, behind, pronouns, verbs } =
        Told::of(&draft.words, vocabulary);
    let (count, length, expected) = (content.len, size as f32, vocabulary.expected());
    sink.count(0, 1.0);
    sink.count(1, draft.gain * 4.0);
    sink.count(2, draft.gain * draft.gain * 4.0);
    sink.count(3, content.mean() * 2.0);
    sink.count(4, least * 2.0);
    sink.count(5, total / (expected + 1.0));
    sink.count(6, 2.0 * total / (length + expected + 0.5));
    sink.count(7, first.map_or(0.0, |first| vocabulary.likely(&first)) * 2.0);
    sink.count(8, length / 8.0);
    sink.count(9, count as f32 / 5.0);
    sink.count(10, low as f32 / 2.0);
    sink.count(11, high as f32 / 4.0);
    let said = |at: usize| draft.words[..at].iter().any(|word| word.number == draft.words[at].number);
    let repeated = (1..draft.words.len()).any(|at| !draft.words[at].is(kind::LITTLE | kind::MARK) && said(at));
    let alone = count == usize::from(first.is_some_and(|first| first.is_content()));
    sink.put(20, [size.min(13) as u64]);
    sink.put(21, [(draft.words.len() - size).min(3) as u64]);
    sink.put(22, [repeated.into()]);
    sink.put(23, [pronouns.min(2)]);
    sink.put(24, [u64::from(kinds & kind::DATE != 0)]);
    sink.put(25, [u64::from(behind & kind::FINITE != 0)]);
    sink.put(26, [u64::from(kinds & kind::NOT != 0)]);
    sink.put(27, [u64::from(behind & kind::OBJECT != 0)]);
    sink.put(28, [alone.into()]);
    sink.put(29, [verbs.min(4)]);
    sink.put(30, [first.is_some_and(|first| first.is(kind::VERB)).into()]);
    sink.put(31, [count.min(8) as u64]);
}

/// What the words of a title come to, marks apart.
struct Told {
    /// How many there are.
    size: usize,
    /// How likely they are, added up.
    total: f32,
    first: Option<Piece>,
    content: Mean,
    /// How likely the least likely word of content is.
    least: f32,
    /// How many words of content are hardly likely, and how many likelier than not.
    low: usize,
    high: usize,
    /// The kinds of all, and of those behind the first.
    kinds: Kinds,
    behind: Kinds,
    /// How many pronouns and verbs stand behind the first.
    pronouns: u64,
    verbs: u64,
}

/// How likely words of content are, added up.
struct Mean {
    sum: f32,
    len: usize,
}

impl Mean {
    fn mean(&self) -> f32 {
        if self.len == 0 { 0.0 } else { self.sum / self.len as f32 }
    }
}

impl Told {
    fn of(words: &[Piece], vocabulary: &Vocabulary) -> Self {
        let mut told = Self {
            size: 0,
            total: -0.0,
            first: None,
            content: Mean { sum: -0.0, len: 0 },
            least: 1.0,
            low: 0,
            high: 0,
            kinds: 0,
            behind: 0,
            pronouns: 0,
            verbs: 0,
        };
        for word in words.iter().filter(|word| !word.is_mark()) {
            let likely = vocabulary.likely(word);
            told.size += 1;
            told.total += likely;
            told.kinds |= word.kinds;
            if word.is_content() {
                told.content.sum += likely;
                told.content.len += 1;
                told.least = told.least.min(likely);
                told.low += usize::from(likely < 0.1);
                told.high += usize::from(likely > 0.5);
            }
            if told.first.is_some() {
                told.behind |= word.kinds;
                told.pronouns += u64::from(word.is(kind::PRONOUN));
                told.verbs += u64::from(word.is(kind::VERB));
            }
            told.first = told.first.or(Some(*word));
        }
        told
    }
}

/// The thing put in.
fn thing(draft: &Draft, scene: &Scene<'_, '_>, vocabulary: &Vocabulary, sink: &mut impl Sink) {
    let edits = u64::from(draft.edits);
    let Some((place, thing)) = draft.thing.map(|number| scene.things[number]) else { return };
    let off = scene.off(place);
    let gap = scene.between(place, draft.line).min(9) as u64;
    let first = thing.words.first().map_or(0, |word| word.class);
    let joint = draft.joint as u64;
    sink.put(40, [gap, joint]);
    sink.put(41, [off.clamp(-9, 4) as i64 as u64]);
    sink.put(42, [(place > draft.line).into(), joint]);
    sink.put(43, [thing.words.len().min(6) as u64, joint]);
    sink.put(44, [thing.acted.into(), joint]);
    sink.put(45, [first]);
    sink.put(46, [thing.person.into()]);
    sink.put(47, [(off == 0).into(), joint]);
    if draft.joint == Joint::Pronoun {
        sink.put(48, [agreement(draft, scene)]);
    }
    let spot = thing.spot as u64;
    let held = thing.head.map_or(0, |head| vocabulary.lines(&head).min(5)) as u64;
    let named = thing.head.is_some_and(|head| scene.page.topic.iter().any(|word| word.number == head.number));
    let worth = thing.words.iter().filter(|word| word.is_content()).map(|word| vocabulary.likely(word));
    let (sum, least) = worth.fold((0.0, 1.0_f32), |(sum, least), likely| (sum + likely, least.min(likely)));
    let asked = scene.lines.get(place).is_some_and(|line| line.read.asks);
    sink.put(50, [spot, joint]);
    sink.put(51, [spot, gap, joint]);
    sink.put(52, [held, joint]);
    sink.put(53, [held, spot, gap.min(4)]);
    sink.put(54, [named.into(), joint]);
    sink.put(55, [asked.into(), spot, joint]);
    sink.put(56, [edits, spot]);
    sink.count(20 + joint, sum / thing.words.iter().filter(|word| word.is_content()).count().max(1) as f32 * 2.0);
    sink.count(30 + joint, least * 2.0);
    let speaker = |line: usize| scene.lines.get(line).and_then(|line| line.speaker);
    sink.put(49, [(speaker(place) == speaker(draft.line)).into(), gap.min(3)]);
}

/// The tail put behind.
fn tail(draft: &Draft, scene: &Scene<'_, '_>, vocabulary: &Vocabulary, sink: &mut impl Sink) {
    let Some((place, tail)) = draft.tail.map(|number| scene.tails[number]) else { return };
    let off = scene.off(place).clamp(-9, 4) as i64 as u64;
    let gap = (place as i64 - draft.line as i64).clamp(-5, 5) as u64;
    let lead = tail.words.first().map_or(0, |word| word.hash);
    let verb = draft.words.first().map_or(0, |word| word.hash);
    let content = || tail.words.iter().filter(|word| word.is_content()).map(|word| vocabulary.likely(word));
    let opens = u64::from(tail.opens);
    sink.put(70, [off]);
    sink.put(71, [gap, opens]);
    sink.put(72, [lead, off]);
    sink.put(73, [lead, gap]);
    sink.put(74, [lead, verb]);
    sink.put(75, [tail.words.len() as u64]);
    sink.put(76, [draft.thing.is_some_and(|thing| scene.things[thing].0 == place).into()]);
    sink.count(40, content().sum::<f32>() / content().count().max(1) as f32 * 2.0);
    sink.count(41, content().fold(1.0, f32::min) * 2.0);
}

/// Whether the thing put in for "it" or "them" is one or many as the pronoun says.
fn agreement(draft: &Draft, scene: &Scene<'_, '_>) -> u64 {
    let thing = draft.thing.map(|number| scene.things[number].1).filter(|thing| !thing.person);
    let said = &scene.lines[draft.line].view.actions[draft.action].words;
    let pronoun = said.iter().skip(1).find(|word| word.is(kind::PRONOUN));
    let (Some(pronoun), Some(head)) = (pronoun, thing.and_then(|thing| thing.head)) else { return 2 };
    let head = &scene.page.lexicon.entry(head.number).word;
    let many = head.ends_with('s') && !head.ends_with("ss");
    u64::from(many == pronoun.is(kind::MANY))
}

/// How its words follow each other.
fn pattern(draft: &Draft, sink: &mut impl Sink) {
    let size = draft.words.len();
    let at = |index: usize| draft.words.get(index).map_or(99, |word| word.class);
    for index in 1..=size {
        sink.put(60, [at(index - 1), at(index)]);
        if index > 1 {
            sink.put(61, [at(index - 2), at(index - 1), at(index)]);
        }
    }
    let verb = draft.words.first().map_or(0, |word| word.hash);
    sink.put(62, [verb, at(1)]);
    sink.put(63, [at(size.wrapping_sub(1))]);
    let links = draft.words.iter().skip(2).filter(|word| word.is(kind::TO));
    links.for_each(|word| sink.put(64, [verb, word.hash]));
}
