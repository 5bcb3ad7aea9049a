//! The first pass: linear models of words, each of another kind of text or of another question.

use crate::fit::{Examples, Recipe};
use crate::prepared::{self, Bits, Text};
use crate::train::{Data, FOLDS, TextGroup, best_f1, importance, pairs, told};
use gleaner_extract::feature::ROLES;
use gleaner_extract::model::linear::Linear;
use gleaner_extract::score::LINEAR;
use std::ops::Range;

/// How the models of documents, of talk, of meetings with speech acts and of mails learn.
const WORDS: Recipe = Recipe { passes: 6, rate: 0.01, decay: 0.0, near: 0.2, orders: 3 };
const TALK: Recipe = Recipe { passes: 6, rate: 0.01, decay: 0.0, near: 0.2, orders: 3 };
const SPOKEN: Recipe = Recipe { passes: 8, rate: 0.05, decay: 0.0, near: 0.2, orders: 3 };
const MAIL: Recipe = Recipe { passes: 8, rate: 0.01, decay: 0.0, near: 1.0, orders: 1 };
/// The size of the models of documents, of those that only help, and of the one that has most to learn from.
const USUAL: Bits = Bits { words: 17, places: 16 };
const SMALL: Bits = Bits { words: 15, places: 15 };
const LARGE: Bits = Bits { words: 18, places: 16 };
/// Of the sentences of talk that are far from any task, the first pass learns from one in so many.
const FAR: usize = 3;
/// How many sentences from a task are near it.
const NEAR: usize = 6;

/// One label for every sentence of some texts, and how much each counts.
struct Course<'l> {
    texts: &'l [Text<'l>],
    /// The group of each text: those of one group are never on both sides of a fold.
    groups: &'l [u32],
    bits: Bits,
    recipe: Recipe,
}

/// Held-out logits of one model for each text, and the model trained on all.
struct Fitted {
    logits: Vec<Vec<f32>>,
    model: Linear,
}

impl Course<'_> {
    /// The features of every sentence, each with its label and how much it counts.
    fn examples(&self, of: impl Fn(&Text<'_>, usize) -> (bool, f32)) -> Examples {
        let mut examples = Examples::of_words((ROLES as u32) << self.bits.words);
        for (text, group) in self.texts.iter().zip(self.groups) {
            for index in 0..text.scene.seen.len() {
                let (label, weight) = of(text, index);
                examples.push(text.features(index, self.bits), label, weight, *group);
            }
        }
        examples
    }

    /// The same sentences with other labels.
    fn relabel(&self, examples: &mut Examples, of: impl Fn(&Text<'_>, usize) -> (bool, f32)) {
        let sentences = self.texts.iter().flat_map(|text| (0..text.scene.seen.len()).map(move |index| (text, index)));
        examples.relabel(sentences.map(|(text, index)| of(text, index)));
    }

    fn model(&self, examples: &Examples) -> Linear {
        let weights = examples.fit(self.bits.weights(), self.recipe, |_| true);
        Linear::quantise(&weights.values, weights.bias, self.bits.words, self.bits.places)
    }

    fn fitted(&self, examples: &Examples) -> Fitted {
        let logits = split(self.texts, &examples.cross_fit(self.bits.weights(), self.recipe, FOLDS));
        Fitted { logits, model: self.model(examples) }
    }
}

/// Cuts logits of all sentences text by text.
fn split(texts: &[Text<'_>], logits: &[f32]) -> Vec<Vec<f32>> {
    let mut rest = logits;
    let cut = |text: &Text<'_>| {
        let (own, after) = rest.split_at(text.scene.seen.len());
        rest = after;
        own.to_vec()
    };
    texts.iter().map(cut).collect()
}

/// First-pass logits of another model for a text.
fn others(text: &Text<'_>, model: &Linear) -> Vec<f32> {
    let sums = model.sums(&text.scene);
    let mut places = Vec::new();
    let logit = |index| {
        places.clear();
        gleaner_extract::feature::place::features(&text.scene, index, &text.whole, &mut places);
        model.logit(&text.scene, &sums, index, &places)
    };
    (0..text.scene.seen.len()).map(logit).collect()
}

/// The models of the first pass, and what each says of every text when it was trained without it.
pub(crate) fn learn(
    data: &Data,
    texts: &[Text<'_>],
    groups: &[u32],
    kinds: &[TextGroup; 3],
    report: &mut Vec<String>,
) -> ([Linear; LINEAR], Vec<[Vec<f32>; LINEAR]>) {
    let [written, talk, mail] = kinds;
    let lesson = |texts_of: Range<usize>, bits, recipe| Course {
        texts: &texts[texts_of.clone()],
        groups: &groups[texts_of],
        bits,
        recipe,
    };
    let label = |text: &Text<'_>, index: usize| (text.labels[index], importance(text, index));
    let thinned = |text: &Text<'_>, index: usize| {
        (text.labels[index], if is_kept(text, index) { importance(text, index) } else { 0.0 })
    };
    let lessons = lesson(written.texts.clone(), USUAL, WORDS);
    let documents = lessons.fitted(&lessons.examples(label));
    let lessons = lesson(talk.texts.clone(), LARGE, TALK);
    let spoken = lessons.fitted(&lessons.examples(thinned));
    let lessons = lesson(mail.texts.clone(), SMALL, MAIL);
    let mails = lessons.fitted(&lessons.examples(label));
    for (kind, fitted) in kinds.iter().zip([&documents, &spoken, &mails]) {
        let scored = pairs(&fitted.logits, &texts[kind.texts.clone()]);
        report.push(told(&format!("{}, sentences, first pass", kind.name), best_f1(&scored, 0)));
    }
    let lessons = lesson(0..talk.texts.end, USUAL, WORDS);
    let opens = |first: bool| {
        move |text: &Text<'_>, index: usize| {
            (text.opens(index, first), if is_kept(text, index) { text.weight } else { 0.0 })
        }
    };
    let mut examples = lessons.examples(opens(true));
    let opening = lessons.fitted(&examples);
    lessons.relabel(&mut examples, opens(false));
    let continuation = lessons.fitted(&examples);
    let cut = prepared::utterances(&data.icsi);
    let acts = prepared::meetings(&data.icsi, &cut, |said| said.commit + said.command > 0);
    let acts_of: Vec<u32> = (0..acts.len() as u32).collect();
    let lessons = Course { texts: &acts, groups: &acts_of, bits: SMALL, recipe: SPOKEN };
    let icsi = lessons.model(&lessons.examples(label));
    let held = |fitted: &Fitted, own: &Range<usize>, at: usize| match own.contains(&at) {
        true => fitted.logits[at - own.start].clone(),
        false => others(&texts[at], &fitted.model),
    };
    let both = 0..talk.texts.end;
    let firsts = (0..texts.len()).map(|at| {
        [
            held(&documents, &written.texts, at),
            held(&spoken, &talk.texts, at),
            others(&texts[at], &icsi),
            held(&mails, &mail.texts, at),
            held(&opening, &both, at),
            held(&continuation, &both, at),
        ]
    });
    let firsts = firsts.collect();
    ([documents.model, spoken.model, icsi, mails.model, opening.model, continuation.model], firsts)
}

/// Whether the first pass learns from a sentence: all that are near a task or a trap, and some of the others.
fn is_kept(text: &Text<'_>, index: usize) -> bool {
    let near = index.saturating_sub(NEAR)..(index + NEAR + 1).min(text.labels.len());
    index.is_multiple_of(FAR) || text.labels[near].contains(&true) || text.is_trap(index)
}
