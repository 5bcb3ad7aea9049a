//! Which of many titles is best: a linear model of how near each would come to a title that a person gives.

use super::action::is_pronoun;
use super::candidate::{Draft, Joint};
use super::scene::Scene;
use super::vocabulary::Vocabulary;
use super::word::{Word, has};
use crate::cue::join;
use crate::feature::fold;

/// What speaks for and against a title: hashed features with how much each counts.
pub type Features = Vec<(u32, f32)>;

/// Collects features.
struct Sink(Features);

impl Sink {
    fn put<const N: usize>(&mut self, kind: u64, parts: [u64; N]) {
        self.0.push((fold(parts.into_iter().fold(join(97, kind), join)), 1.0));
    }

    fn count(&mut self, kind: u64, value: f32) {
        if value != 0.0 {
            self.0.push((fold(join(101, kind)), value));
        }
    }
}

/// The features of a draft.
pub(super) fn features(draft: &Draft<'_>, scene: &Scene<'_, '_, '_>, vocabulary: &Vocabulary<'_>) -> Features {
    let mut sink = Sink(Vec::with_capacity(96));
    source(draft, scene, &mut sink);
    words(draft, vocabulary, &mut sink);
    thing(draft, scene, vocabulary, &mut sink);
    tail(draft, scene, vocabulary, &mut sink);
    pattern(draft, &mut sink);
    sink.0
}

/// Where the action stands, and how it is said.
fn source(draft: &Draft<'_>, scene: &Scene<'_, '_, '_>, sink: &mut Sink) {
    let line = &scene.cast.lines[draft.line];
    let place = scene.places[draft.line];
    let action = &scene.actions[draft.line][draft.action];
    let form = action.form as u64;
    let own = line.speaker.is_some() && line.speaker == scene.cast.owner;
    let question = line.text.trim_end().ends_with('?');
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
fn words(draft: &Draft<'_>, vocabulary: &Vocabulary<'_>, sink: &mut Sink) {
    let plain: Vec<&Word<'_>> = draft.words.iter().filter(|word| !word.is_mark()).collect();
    let size = plain.len() as f32;
    let likely: Vec<f32> = plain.iter().map(|word| vocabulary.likely(word)).collect();
    let content: Vec<f32> =
        plain.iter().zip(&likely).filter(|(word, _)| !word.little).map(|(_, likely)| *likely).collect();
    let mean = |list: &[f32]| if list.is_empty() { 0.0 } else { list.iter().sum::<f32>() / list.len() as f32 };
    let total: f32 = likely.iter().sum();
    let least = content.iter().copied().fold(1.0_f32, f32::min);
    let expected = vocabulary.expected();
    sink.count(0, 1.0);
    sink.count(1, draft.gain * 4.0);
    sink.count(2, draft.gain * draft.gain * 4.0);
    sink.count(3, mean(&content) * 2.0);
    sink.count(4, least * 2.0);
    sink.count(5, total / (expected + 1.0));
    sink.count(6, 2.0 * total / (size + expected + 0.5));
    sink.count(7, likely.first().copied().unwrap_or_default() * 2.0);
    sink.count(8, size / 8.0);
    sink.count(9, content.len() as f32 / 5.0);
    sink.count(10, content.iter().filter(|likely| **likely < 0.1).count() as f32 / 2.0);
    sink.count(11, content.iter().filter(|likely| **likely > 0.5).count() as f32 / 4.0);
    let marks = (draft.words.len() - plain.len()).min(3) as u64;
    let repeated =
        (1..plain.len()).any(|at| !plain[at].little && plain[..at].iter().any(|word| word.hash == plain[at].hash));
    sink.put(20, [plain.len().min(13) as u64]);
    sink.put(21, [marks]);
    sink.put(22, [repeated.into()]);
    sink.put(23, [plain.iter().skip(1).filter(|word| is_pronoun(&word.lower)).count().min(2) as u64]);
    sink.put(24, [plain.iter().any(|word| word.date).into()]);
    sink.put(25, [plain.iter().skip(1).any(|word| is_finite(&word.lower)).into()]);
    sink.put(26, [plain.iter().any(|word| has("not no don't can't won't", &word.lower)).into()]);
    sink.put(27, [plain.iter().skip(1).any(|word| has("him her me you us them", &word.lower)).into()]);
    sink.put(28, [plain.iter().skip(1).all(|word| word.little).into()]);
    sink.put(29, [plain.iter().skip(1).filter(|word| word.verb).count().min(4) as u64]);
    sink.put(30, [plain.first().is_some_and(|word| word.verb).into()]);
    sink.put(31, [content.len().min(8) as u64]);
}

/// The thing put in.
fn thing(draft: &Draft<'_>, scene: &Scene<'_, '_, '_>, vocabulary: &Vocabulary<'_>, sink: &mut Sink) {
    let edits = u64::from(draft.edits);
    let Some(thing) = draft.thing.map(|number| &scene.things[number]) else { return };
    let off = scene.off(thing.line);
    let gap = scene.between(thing.line, draft.line).min(9) as u64;
    let first = thing.words.first().map_or(0, |word| word.class);
    let joint = draft.joint as u64;
    sink.put(40, [gap, joint]);
    sink.put(41, [off.clamp(-9, 4) as i64 as u64]);
    sink.put(42, [(thing.line > draft.line).into(), joint]);
    sink.put(43, [thing.words.len().min(6) as u64, joint]);
    sink.put(44, [thing.acted.into(), joint]);
    sink.put(45, [first]);
    sink.put(46, [thing.person.into()]);
    sink.put(47, [(off == 0).into(), joint]);
    if draft.joint == Joint::Pronoun {
        sink.put(48, [agreement(draft, scene)]);
    }
    let spot = thing.spot as u64;
    let head = thing.words.iter().take_while(|word| !word.function || word.little).last();
    let held = head.map_or(0, |head| vocabulary.lines(head).min(5)) as u64;
    let named = head.is_some_and(|head| scene.topic.iter().any(|word| word.hash == head.hash));
    let worth = thing.words.iter().filter(|word| !word.little).map(|word| vocabulary.likely(word));
    let (sum, least) = worth.fold((0.0, 1.0_f32), |(sum, least), likely| (sum + likely, least.min(likely)));
    let asked = scene.cast.lines.get(thing.line).is_some_and(|line| line.text.trim_end().ends_with('?'));
    sink.put(50, [spot, joint]);
    sink.put(51, [spot, gap, joint]);
    sink.put(52, [held, joint]);
    sink.put(53, [held, spot, gap.min(4)]);
    sink.put(54, [named.into(), joint]);
    sink.put(55, [asked.into(), spot, joint]);
    sink.put(56, [edits, spot]);
    sink.count(20 + joint, sum / thing.words.iter().filter(|word| !word.little).count().max(1) as f32 * 2.0);
    sink.count(30 + joint, least * 2.0);
    let speaker = |line: usize| scene.cast.lines.get(line).and_then(|line| line.speaker);
    sink.put(49, [(speaker(thing.line) == speaker(draft.line)).into(), gap.min(3)]);
}

/// The tail put behind.
fn tail(draft: &Draft<'_>, scene: &Scene<'_, '_, '_>, vocabulary: &Vocabulary<'_>, sink: &mut Sink) {
    let Some(tail) = draft.tail.map(|number| &scene.tails[number]) else { return };
    let off = scene.off(tail.line).clamp(-9, 4) as i64 as u64;
    let gap = (tail.line as i64 - draft.line as i64).clamp(-5, 5) as u64;
    let lead = tail.words.first().map_or(0, |word| word.hash);
    let verb = draft.words.first().map_or(0, |word| word.hash);
    let content = || tail.words.iter().filter(|word| !word.little).map(|word| vocabulary.likely(word));
    let opens = u64::from(tail.opens);
    sink.put(70, [off]);
    sink.put(71, [gap, opens]);
    sink.put(72, [lead, off]);
    sink.put(73, [lead, gap]);
    sink.put(74, [lead, verb]);
    sink.put(75, [tail.words.len() as u64]);
    sink.put(76, [draft.thing.is_some_and(|thing| scene.things[thing].line == tail.line).into()]);
    sink.count(40, content().sum::<f32>() / content().count().max(1) as f32 * 2.0);
    sink.count(41, content().fold(1.0, f32::min) * 2.0);
}

/// Whether the thing put in for "it" or "them" is one or many as the pronoun says.
fn agreement(draft: &Draft<'_>, scene: &Scene<'_, '_, '_>) -> u64 {
    let thing = draft.thing.map(|number| &scene.things[number]).filter(|thing| !thing.person);
    let said = &scene.actions[draft.line][draft.action].words;
    let pronoun = said.iter().skip(1).find(|word| is_pronoun(&word.lower));
    let head = thing.and_then(|thing| thing.words.iter().take_while(|word| !word.function || word.little).last());
    let (Some(pronoun), Some(head)) = (pronoun, head) else { return 2 };
    let many = head.lower.ends_with('s') && !head.lower.ends_with("ss");
    u64::from(many == has("them those these ones", &pronoun.lower))
}

/// How its words follow each other.
fn pattern(draft: &Draft<'_>, sink: &mut Sink) {
    let classes: Vec<u64> = draft.words.iter().map(|word| word.class).collect();
    let at = |index: usize| classes.get(index).copied().unwrap_or(99);
    for index in 1..=classes.len() {
        sink.put(60, [at(index - 1), at(index)]);
        if index > 1 {
            sink.put(61, [at(index - 2), at(index - 1), at(index)]);
        }
    }
    let verb = draft.words.first().map_or(0, |word| word.hash);
    sink.put(62, [verb, at(1)]);
    sink.put(63, [at(classes.len().wrapping_sub(1))]);
    let links = draft.words.iter().skip(2).filter(|word| has("to for about with of from in on at", &word.lower));
    links.for_each(|word| sink.put(64, [verb, word.hash]));
}

/// Words that make a clause, where a title should have none.
fn is_finite(word: &str) -> bool {
    has("is are was were has had does did i he she we they it's that's will would", word)
}
