//! The trainer of choices: which of a few options is right, if any. A conditional logit, by AdaGrad in a fixed order.

use crate::fit::{Hyperparameters, LinearWeights, Xorshift, fold_of};
use gleaner_extract::model::hashed_linear::HashedLinear;
use gleaner_extract::model::math::exp;

/// Options, of which some may be right; where none is, none is to be chosen.
#[derive(Clone, Debug)]
pub struct ChoiceSet {
    /// The features of each option.
    pub options: Vec<Vec<u32>>,
    /// Whether each is right.
    pub right: Vec<bool>,
    /// How much it counts.
    pub weight: f32,
    /// The document it comes from.
    pub group: u32,
}

impl ChoiceSet {
    /// The probability of each option by these weights, and of each where only the right ones are left: the last is "none".
    fn shares(&self, weights: &LinearWeights) -> (Vec<f32>, Vec<f32>) {
        let none = !self.right.iter().any(|right| *right);
        let logits: Vec<f32> = self.options.iter().map(|features| weights.logit(features)).chain([0.0]).collect();
        let kept = |at: usize| self.right.get(at).copied().unwrap_or(none);
        let all = logits.iter().enumerate();
        (softmax(&logits), softmax(&all.map(|(at, logit)| if kept(at) { *logit } else { -200.0 }).collect::<Vec<_>>()))
    }

    /// The option that these weights choose.
    #[must_use]
    pub fn choose(&self, weights: &LinearWeights) -> Option<usize> {
        let scored = self.options.iter().map(|features| weights.logit(features)).enumerate();
        scored
            .reduce(|best, next| if next.1 >= best.1 { next } else { best })
            .filter(|best| best.1 > 0.0)
            .map(|best| best.0)
    }

    /// Whether that is right.
    #[must_use]
    pub fn is_answered(&self, weights: &LinearWeights) -> bool {
        self.choose(weights).map_or(!self.right.iter().any(|right| *right), |at| self.right[at])
    }
}

fn softmax(logits: &[f32]) -> Vec<f32> {
    let most = logits.iter().copied().fold(f32::MIN, f32::max);
    let parts: Vec<f64> = logits.iter().map(|logit| exp(f64::from(logit - most))).collect();
    let sum: f64 = parts.iter().sum();
    parts.iter().map(|part| (part / sum) as f32).collect()
}

/// The model learnt from all choice sets, and the logits of each one's options by models learnt without its group.
#[must_use]
pub fn cross_fit(
    choice_sets: &[ChoiceSet],
    bits: u32,
    hyperparameters: Hyperparameters,
    folds: u32,
) -> (HashedLinear, Vec<Vec<f32>>) {
    let fit = |fold: Option<u32>| {
        fit(choice_sets, 1 << bits, hyperparameters, |group| fold.is_none_or(|fold| fold_of(group, folds) != fold))
    };
    let (models, whole) = std::thread::scope(|scope| {
        let parts: Vec<_> = (0..folds).map(|fold| scope.spawn(move || fit(Some(fold)))).collect();
        let whole = fit(None);
        // A fold that fails must not pass for one whose logits are nought.
        let models = parts.into_iter().map(|part| part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        (models.collect::<Vec<LinearWeights>>(), whole)
    });
    let logits = |choice_set: &ChoiceSet| {
        let model = &models[fold_of(choice_set.group, folds) as usize];
        choice_set.options.iter().map(|features| model.logit(features)).collect()
    };
    (HashedLinear::quantise(&whole.values, whole.bias, bits), choice_sets.iter().map(logits).collect())
}

/// Trains on the choice sets of all groups that `keep`; features are indices of weights, of which there are `size`.
#[must_use]
pub fn fit(
    choice_sets: &[ChoiceSet],
    size: usize,
    hyperparameters: Hyperparameters,
    keep: impl Fn(u32) -> bool,
) -> LinearWeights {
    let kept = |at: &u32| keep(choice_sets[*at as usize].group);
    let mut order: Vec<u32> = (0..choice_sets.len() as u32).filter(kept).collect();
    let mut chance = Xorshift::new();
    let mut weights = LinearWeights { values: vec![0.0; size], bias: 0.0 };
    let mut squares = vec![1e-2_f32; size];
    let mut bias_square = 1e-2_f32;
    for _ in 0..hyperparameters.passes {
        chance.shuffle(&mut order);
        for choice_set in order.iter().map(|&at| &choice_sets[at as usize]) {
            let (all, right) = choice_set.shares(&weights);
            let error = |at: usize| (all[at] - right[at]) * choice_set.weight;
            let mut slopes: Vec<(u32, f32)> = Vec::new();
            for (at, features) in choice_set.options.iter().enumerate() {
                slopes.extend(features.iter().map(|&feature| (feature, error(at))));
            }
            let bias: f32 = (0..choice_set.options.len()).map(error).sum();
            bias_square += bias * bias;
            weights.bias -= hyperparameters.rate * bias / bias_square.sqrt();
            slopes.sort_by_key(|slope| slope.0);
            for same in slopes.chunk_by(|one, other| one.0 == other.0) {
                let (at, slope) = (same[0].0 as usize, same.iter().map(|slope| slope.1).sum::<f32>());
                squares[at] += slope * slope;
                weights.values[at] -= hyperparameters.rate * slope / squares[at].sqrt();
            }
        }
    }
    weights
}
