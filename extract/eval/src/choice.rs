//! The trainer of choices: which of a few options is right, if any. A conditional logit, by AdaGrad in a fixed order.

use crate::fit::{LinearWeights, Recipe, Xorshift, fold_of};
use gleaner_extract::model::math::exp;
use gleaner_extract::model::table::Table;

/// Options, of which some may be right; where none is, none is to be chosen.
#[derive(Clone, Debug)]
pub struct Question {
    /// The features of each option.
    pub options: Vec<Vec<u32>>,
    /// Whether each is right.
    pub right: Vec<bool>,
    /// How much the question counts.
    pub weight: f32,
    /// The document it comes from.
    pub group: u32,
}

impl Question {
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

/// The model learnt from all questions, and the logits of each one's options by models that were learnt without its group.
#[must_use]
pub fn cross_fit(questions: &[Question], bits: u32, recipe: Recipe, folds: u32) -> (Table, Vec<Vec<f32>>) {
    let fit = |fold: Option<u32>| {
        fit(questions, 1 << bits, recipe, |group| fold.is_none_or(|fold| fold_of(group, folds) != fold))
    };
    let (models, whole) = std::thread::scope(|scope| {
        let parts: Vec<_> = (0..folds).map(|fold| scope.spawn(move || fit(Some(fold)))).collect();
        let whole = fit(None);
        // A fold that fails must not pass for one whose logits are nought.
        let models = parts.into_iter().map(|part| part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        (models.collect::<Vec<LinearWeights>>(), whole)
    });
    let logits = |question: &Question| {
        let model = &models[fold_of(question.group, folds) as usize];
        question.options.iter().map(|features| model.logit(features)).collect()
    };
    (Table::quantise(&whole.values, whole.bias, bits), questions.iter().map(logits).collect())
}

/// Trains on the questions of all groups that `keep`; features are numbers of weights, of which there are `size`.
#[must_use]
pub fn fit(questions: &[Question], size: usize, recipe: Recipe, keep: impl Fn(u32) -> bool) -> LinearWeights {
    let mut order: Vec<u32> = (0..questions.len() as u32).filter(|&at| keep(questions[at as usize].group)).collect();
    let mut chance = Xorshift::new();
    let mut weights = LinearWeights { values: vec![0.0; size], bias: 0.0 };
    let mut squares = vec![1e-2_f32; size];
    let mut bias_square = 1e-2_f32;
    for _ in 0..recipe.passes {
        chance.shuffle(&mut order);
        for question in order.iter().map(|&at| &questions[at as usize]) {
            let (all, right) = question.shares(&weights);
            let error = |at: usize| (all[at] - right[at]) * question.weight;
            let mut slopes: Vec<(u32, f32)> = Vec::new();
            for (at, features) in question.options.iter().enumerate() {
                slopes.extend(features.iter().map(|&feature| (feature, error(at))));
            }
            let bias: f32 = (0..question.options.len()).map(error).sum();
            bias_square += bias * bias;
            weights.bias -= recipe.rate * bias / bias_square.sqrt();
            slopes.sort_by_key(|slope| slope.0);
            for same in slopes.chunk_by(|one, other| one.0 == other.0) {
                let (at, slope) = (same[0].0 as usize, same.iter().map(|slope| slope.1).sum::<f32>());
                squares[at] += slope * slope;
                weights.values[at] -= recipe.rate * slope / squares[at].sqrt();
            }
        }
    }
    weights
}
