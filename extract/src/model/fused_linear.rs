//! The linear models of the first pass, fused: their weights of a feature lie together, so that one look-up serves
//! all. Their sums are those of each model alone, to the bit.

use super::linear::{BIAS, BLOCK, EVEN, Linear};
use crate::feature::{ROLES, Scene};
use crate::score::LINEAR;

/// Weights of a row: two rows fill a line of the cache.
const LANES: usize = 32;
/// How many sentences' words are kept at once: those two before, two behind and between.
const NEAR: usize = 8;
/// How many bits number the shared rows of words, and the rows of places.
const SHARED: u32 = 17;

/// The models, and their weights laid out for the first pass.
#[derive(Clone, Debug)]
pub struct FusedLinear {
    /// The models by themselves.
    pub models: [Linear; LINEAR],
    /// What the models with few words say of each word, lane by lane.
    words: Vec<Row>,
    /// The model and the role of each lane: of those models all roles in which they say anything.
    lanes: Vec<(usize, usize)>,
    /// The numbers of all other models.
    large: Vec<usize>,
    /// What all models say of each place, a byte each.
    places: Vec<u64>,
}

/// A weight for each lane, eight to a word, so that plain sums of words add many at once.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Row([u64; LANES / 8]);

/// The sums of the words of a sentence, one a role for each model.
type Sums = [[i32; ROLES]; LINEAR];

impl FusedLinear {
    /// Lays out the weights of the models.
    #[must_use]
    pub fn of(models: [Linear; LINEAR]) -> Self {
        let (mut lanes, mut large) = (Vec::new(), Vec::new());
        for (number, model) in models.iter().enumerate() {
            let roles: Vec<usize> = (0..ROLES).filter(|&role| model.speaks(role)).collect();
            if model.word_bits() <= SHARED && lanes.len() + roles.len() <= LANES {
                lanes.extend(roles.into_iter().map(|role| (number, role)));
            } else {
                large.push(number);
            }
        }
        let mut words = vec![Row([0; LANES / 8]); 1 << SHARED];
        let mut places = vec![0; 1 << SHARED];
        for number in 0..1_u32 << SHARED {
            let feature = number << (32 - SHARED);
            let row = &mut words[number as usize].0;
            for (lane, &(model, role)) in lanes.iter().enumerate() {
                let weight = i32::from(models[model].row(feature)[role]) + BIAS;
                row[lane / 8] |= u64::from(weight as u8) << (lane % 8 * 8);
            }
            for (at, model) in models.iter().enumerate() {
                let weight = i32::from(model.place(feature)) + BIAS;
                places[number as usize] |= u64::from(weight as u8) << (at * 8);
            }
        }
        Self { models, words, lanes, large, places }
    }

    /// The logits of every sentence by each model.
    #[must_use]
    pub fn judge(&self, scene: &Scene<'_>, mut places_of: impl FnMut(usize, &mut Vec<u32>)) -> [Vec<f32>; LINEAR] {
        let count = scene.seen.len();
        let mut sums = [Sums::default(); NEAR];
        let mut summed = 0;
        let mut found: [Vec<f32>; LINEAR] = std::array::from_fn(|_| Vec::with_capacity(count));
        let mut places = Vec::new();
        for index in 0..count {
            while summed < (index + 3).min(count) {
                sums[summed % NEAR] = self.sums(scene.hashed_features_of(summed));
                summed += 1;
            }
            places.clear();
            places_of(index, &mut places);
            let mut total = self.place_sums(&places);
            for other in index.saturating_sub(2)..(index + 3).min(count) {
                let Some(role) = scene.role(index, other) else { continue };
                for (total, sums) in total.iter_mut().zip(&sums[other % NEAR]) {
                    *total += sums[role as usize];
                }
            }
            for ((logits, model), &total) in found.iter_mut().zip(&self.models).zip(&total) {
                logits.push(model.scaled(total));
            }
        }
        found
    }

    /// Sums what each model says of some words.
    fn sums(&self, features: &[u32]) -> Sums {
        let mut sums = Sums::default();
        for block in features.chunks(BLOCK) {
            let (mut even, mut odd) = ([0_u64; LANES / 8], [0_u64; LANES / 8]);
            for &feature in block {
                let row = &self.words[(feature >> (32 - SHARED)) as usize].0;
                for ((even, odd), word) in even.iter_mut().zip(&mut odd).zip(row) {
                    *even += word & EVEN;
                    *odd += (word >> 8) & EVEN;
                }
            }
            for (lane, &(model, role)) in self.lanes.iter().enumerate() {
                let sums_of = if lane % 2 == 0 { &even } else { &odd };
                let sum = (sums_of[lane / 8] >> (lane % 8 / 2 * 16)) as u16;
                sums[model][role] += i32::from(sum) - BIAS * block.len() as i32;
            }
        }
        for &model in &self.large {
            sums[model] = self.models[model].roles(features);
        }
        sums
    }

    /// Sums what each model says of some places.
    fn place_sums(&self, places: &[u32]) -> [i32; LINEAR] {
        let mut sums = [0; LINEAR];
        for block in places.chunks(BLOCK) {
            let (mut even, mut odd) = (0, 0);
            for &place in block {
                let weights = self.places[(place >> (32 - SHARED)) as usize];
                even += weights & EVEN;
                odd += (weights >> 8) & EVEN;
            }
            for (model, sum) in sums.iter_mut().enumerate() {
                let part = if model % 2 == 0 { even } else { odd };
                *sum += i32::from((part >> (model / 2 * 16)) as u16) - BIAS * block.len() as i32;
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feature::place::{self, DocumentStats};
    use crate::feature::{Names, Sentence};

    #[test]
    fn together_they_say_what_each_says_alone() {
        let lines =
            ["can you send the plan by Friday?", "yes, I'll do it", "let's move on, the next point is the lease"];
        let sentence = |(at, text): (u32, &&'static str)| Sentence {
            text,
            utterance: at,
            speaker: Some(at % 2),
            ..Sentence::default()
        };
        let sentences: Vec<Sentence<'_>> = (0..).zip(&lines).map(sentence).collect();
        let scene = Scene::look(&sentences, &Names::default());
        let stats = DocumentStats::of("meeting", &sentences, None);
        let Some(weights) = crate::weights::weights() else { panic!("the weights are damaged") };
        let together = weights.first.judge(&scene, |index, out| place::hashed_features(&scene, index, &stats, out));
        for (model, logits) in weights.first.models.iter().zip(&together) {
            let sums = model.sums(&scene);
            for (index, &logit) in logits.iter().enumerate() {
                let mut places = Vec::new();
                place::hashed_features(&scene, index, &stats, &mut places);
                assert_eq!(model.logit(&scene, &sums, index, &places), logit);
            }
        }
    }
}
