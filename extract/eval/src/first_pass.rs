//! The first pass: linear models of words, each of another kind of text or of another question.

use crate::fit::{Examples, Hyperparameters};
use crate::prepared::{self, Bits, PreparedText};
use crate::train::{Data, FOLDS, TextGroup, best_f1, importance, pairs, told};
use gleaner_extract::feature::ROLES;
use gleaner_extract::model::linear::Linear;
use gleaner_extract::score::LINEAR;
use std::ops::Range;

/// How the models of documents, of talk, of meetings with speech acts and of mails learn.
const WORDS: Hyperparameters = Hyperparameters { passes: 6, rate: 0.01, decay: 0.0, near: 0.2, orders: 3 };
const TALK: Hyperparameters = Hyperparameters { passes: 6, rate: 0.01, decay: 0.0, near: 0.2, orders: 3 };
const SPOKEN: Hyperparameters = Hyperparameters { passes: 8, rate: 0.05, decay: 0.0, near: 0.2, orders: 3 };
const MAIL: Hyperparameters = Hyperparameters { passes: 8, rate: 0.01, decay: 0.0, near: 1.0, orders: 1 };
/// The size of the models of documents, of those that only help, and of the one that has most to learn from.
const USUAL: Bits = Bits { words: 17, places: 16 };
const SMALL: Bits = Bits { words: 15, places: 15 };
const LARGE: Bits = Bits { words: 18, places: 16 };
/// Of the sentences of talk that are far from any task, the first pass learns from one in so many.
const FAR: usize = 3;
/// How many sentences from a task are near it.
const NEAR: usize = 6;

/// The texts that a model learns from, how large it is and how it is trained.
struct TrainingSet<'l> {
    texts: &'l [PreparedText<'l>],
    /// The group of each text: those of one group are never on both sides of a fold.
    groups: &'l [u32],
    bits: Bits,
    hyperparameters: Hyperparameters,
}

/// Held-out logits of one model for each text, and the model trained on all.
struct Fitted {
    logits: Vec<Vec<f32>>,
    model: Linear,
}

impl TrainingSet<'_> {
    /// The features of every sentence, each with its label and how much it counts.
    fn examples(&self, of: impl Fn(&PreparedText<'_>, usize) -> (bool, f32)) -> Examples {
        let mut examples = Examples::of_words((ROLES as u32) << self.bits.words);
        for (text, group) in self.texts.iter().zip(self.groups) {
            for index in 0..text.scene.seen.len() {
                let (label, weight) = of(text, index);
                examples.push(text.hashed_features(index, self.bits), label, weight, *group);
            }
        }
        examples
    }

    /// The same sentences with other labels.
    fn relabel(&self, examples: &mut Examples, of: impl Fn(&PreparedText<'_>, usize) -> (bool, f32)) {
        let sentences = self.texts.iter().flat_map(|text| (0..text.scene.seen.len()).map(move |index| (text, index)));
        examples.relabel(sentences.map(|(text, index)| of(text, index)));
    }

    fn model(&self, examples: &Examples) -> Linear {
        let weights = examples.fit(self.bits.weights(), self.hyperparameters, |_| true);
        Linear::quantise(&weights.values, weights.bias, self.bits.words, self.bits.places)
    }

    fn fitted(&self, examples: &Examples) -> Fitted {
        let logits = split(self.texts, &examples.cross_fit(self.bits.weights(), self.hyperparameters, FOLDS));
        Fitted { logits, model: self.model(examples) }
    }
}

impl Fitted {
    /// What the model says of a text, trained without it; `own` are the texts that it was trained on.
    fn held(&self, texts: &[PreparedText<'_>], own: &Range<usize>, at: usize) -> Vec<f32> {
        match own.contains(&at) {
            true => self.logits[at - own.start].clone(),
            false => others(&texts[at], &self.model),
        }
    }
}

/// Cuts logits of all sentences text by text.
fn split(texts: &[PreparedText<'_>], logits: &[f32]) -> Vec<Vec<f32>> {
    let mut rest = logits;
    let cut = |text: &PreparedText<'_>| {
        let (own, after) = rest.split_at(text.scene.seen.len());
        rest = after;
        own.to_vec()
    };
    texts.iter().map(cut).collect()
}

/// First-pass logits of another model for a text.
fn others(text: &PreparedText<'_>, model: &Linear) -> Vec<f32> {
    let sums = model.sums(&text.scene);
    let mut places = Vec::new();
    let logit = |index| {
        places.clear();
        gleaner_extract::feature::place::hashed_features(&text.scene, index, &text.stats, &mut places);
        model.logit(&text.scene, &sums, index, &places)
    };
    (0..text.scene.seen.len()).map(logit).collect()
}

/// The models of the first pass, and what each says of every text when it was trained without it.
pub(crate) fn learn(
    data: &Data,
    texts: &[PreparedText<'_>],
    groups: &[u32],
    kinds: &[TextGroup; 3],
    report: &mut Vec<String>,
) -> ([Linear; LINEAR], Vec<[Vec<f32>; LINEAR]>) {
    let [documents, talk, mail] = models_of_kinds(texts, groups, kinds);
    for (kind, fitted) in kinds.iter().zip([&documents, &talk, &mail]) {
        let scored = pairs(&fitted.logits, &texts[kind.texts.clone()]);
        report.push(told(&format!("{}, sentences, first pass", kind.name), best_f1(&scored, 0)));
    }
    let both = 0..kinds[1].texts.end;
    let [opening, continuation] = models_of_parts(&texts[both.clone()], &groups[both.clone()]);
    let acts = model_of_speech_acts(data);
    let firsts = (0..texts.len()).map(|at| {
        [
            documents.held(texts, &kinds[0].texts, at),
            talk.held(texts, &kinds[1].texts, at),
            others(&texts[at], &acts),
            mail.held(texts, &kinds[2].texts, at),
            opening.held(texts, &both, at),
            continuation.held(texts, &both, at),
        ]
    });
    let firsts = firsts.collect();
    ([documents.model, talk.model, acts, mail.model, opening.model, continuation.model], firsts)
}

/// The models of the sentences of tasks: that of documents, that of talk and that of mails.
fn models_of_kinds(texts: &[PreparedText<'_>], groups: &[u32], kinds: &[TextGroup; 3]) -> [Fitted; 3] {
    let [written, talk, mail] = kinds.each_ref().map(|kind| kind.texts.clone());
    let set = |texts_of: Range<usize>, bits, hyperparameters| TrainingSet {
        texts: &texts[texts_of.clone()],
        groups: &groups[texts_of],
        bits,
        hyperparameters,
    };
    let thinned = |text: &PreparedText<'_>, index: usize| {
        (text.labels[index], if is_kept(text, index) { importance(text, index) } else { 0.0 })
    };
    let (written, talk, mail) = (set(written, USUAL, WORDS), set(talk, LARGE, TALK), set(mail, SMALL, MAIL));
    [written.fitted(&written.examples(label)), talk.fitted(&talk.examples(thinned)), mail.fitted(&mail.examples(label))]
}

/// The models of the parts of a task: that of its first sentence, and that of its later ones.
fn models_of_parts(texts: &[PreparedText<'_>], groups: &[u32]) -> [Fitted; 2] {
    let set = TrainingSet { texts, groups, bits: USUAL, hyperparameters: WORDS };
    let opens = |first: bool| {
        move |text: &PreparedText<'_>, index: usize| {
            (text.opens(index, first), if is_kept(text, index) { text.weight } else { 0.0 })
        }
    };
    let mut examples = set.examples(opens(true));
    let opening = set.fitted(&examples);
    set.relabel(&mut examples, opens(false));
    [opening, set.fitted(&examples)]
}

/// The model of meetings with speech acts.
fn model_of_speech_acts(data: &Data) -> Linear {
    let cut = prepared::utterances(&data.icsi);
    let texts = prepared::meetings(&data.icsi, &cut, |said| said.commit + said.command > 0);
    let groups: Vec<u32> = (0..texts.len() as u32).collect();
    let set = TrainingSet { texts: &texts, groups: &groups, bits: SMALL, hyperparameters: SPOKEN };
    set.model(&set.examples(label))
}

/// Whether a sentence is part of a task, and how much it counts.
fn label(text: &PreparedText<'_>, index: usize) -> (bool, f32) {
    (text.labels[index], importance(text, index))
}

/// Whether the first pass learns from a sentence: all that are near a task or a trap, and some of the others.
fn is_kept(text: &PreparedText<'_>, index: usize) -> bool {
    let near = index.saturating_sub(NEAR)..(index + NEAR + 1).min(text.labels.len());
    index.is_multiple_of(FAR) || text.labels[near].contains(&true) || text.is_trap(index)
}
