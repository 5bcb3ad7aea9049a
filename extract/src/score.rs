//! The second pass: a sentence in the light of what the first pass thinks of it and of its neighbours.
//!
//! The first pass is several models, trained apart on documents, meetings, natural talk and mail. Their scores are cut
//! into steps, and the steps and their meetings are features of a small linear model.

use crate::cue::join;
use crate::feature::{Scene, Seen, bits, fold, place::Whole};

/// How many models the first pass has: documents, AMI, ICSI, mail, openings, answers.
pub const MODELS: usize = 6;

/// First-pass logits of each model, for each sentence.
pub type First = [Vec<f32>; MODELS];

/// A logit as a step: 0 (surely not) to 15 (surely).
#[must_use]
pub fn step(logit: f32) -> u64 {
    ((logit + 6.0) * 1.6).clamp(0.0, 15.0) as u64
}

/// A logit as one of six steps.
#[must_use]
pub fn coarse(logit: f32) -> u64 {
    match logit {
        l if l < -4.0 => 0,
        l if l < -2.5 => 1,
        l if l < -1.5 => 2,
        l if l < -0.5 => 3,
        l if l < 1.0 => 4,
        _ => 5,
    }
}

/// Emits the second-pass features of a sentence into `out`.
pub fn features(scene: &Scene<'_>, index: usize, first: &First, whole: &Whole, out: &mut Vec<u32>) {
    let own = &first[0];
    let mut put = |kind: u64, value: u64| out.push(fold(join(join(21, kind), value)));
    let here = step(own[index]);
    put(0, here);
    for (model, logits) in first.iter().enumerate() {
        let model = model as u64;
        put(1, join(model, step(logits[index])));
        put(2, join(join(model, coarse(logits[index])), coarse(own[index])));
    }
    for away in [-3_isize, -2, -1, 1, 2, 3] {
        let Some(other) = index.checked_add_signed(away).filter(|&other| other < own.len()) else {
            put(3, away as u64);
            continue;
        };
        let same = u64::from(scene.sentences[other].speaker == scene.sentences[index].speaker);
        let side = join(away as u64, same);
        put(4, join(side, step(own[other])));
        put(5, join(side, join(coarse(own[other]), coarse(own[index]))));
        let louder = own[other] > own[index];
        put(6, join(side, join(u64::from(louder), coarse(own[index]))));
        if away.abs() == 1 {
            for (model, logits) in first.iter().enumerate().skip(1) {
                put(7, join(join(side, model as u64), coarse(logits[other])));
            }
        }
    }
    surroundings(scene, index, own, whole, out);
}

/// Emits what the turn, the neighbourhood and the text as a whole look like.
fn surroundings(scene: &Scene<'_>, index: usize, own: &[f32], whole: &Whole, out: &mut Vec<u32>) {
    let mut put = |kind: u64, value: u64| out.push(fold(join(join(22, kind), value)));
    let here = coarse(own[index]);
    let near = index.saturating_sub(6)..(index + 7).min(own.len());
    let most = |keep: &dyn Fn(usize) -> bool| {
        let others = near.clone().filter(|&other| other != index && keep(other));
        others.map(|other| own[other]).fold(-9.0_f32, f32::max)
    };
    let turn = scene.sentences[index].utterance;
    put(0, join(here, coarse(most(&|other| scene.sentences[other].utterance == turn))));
    put(1, join(here, coarse(most(&|other| scene.sentences[other].utterance != turn))));
    let high = near.clone().filter(|&other| own[other] > -1.5).count();
    put(2, join(here, high as u64));
    put(3, join(here, whole.source));
    put(4, join(here, scene.sentences[index].line as u64));
    put(5, join(here, u64::from(whole.single)));
    put(6, join(here, (index * 5 / own.len()) as u64));
    let Seen { cues, names, words, .. } = scene.seen[index];
    for cue in bits(cues) {
        put(7, join(here, cue));
    }
    put(8, join(here, u64::from(names)));
    put(9, join(here, u64::from(words.min(12))));
}
