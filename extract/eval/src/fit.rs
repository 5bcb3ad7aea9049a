//! The trainer: logistic regression by AdaGrad, in a fixed order from a fixed seed, so that it gives the same bits each time.

use gleaner_extract::feature::{ROLES, SentenceRole};
use gleaner_extract::model::math::sigmoid;

/// Examples: lists of features with what is true of them.
#[derive(Clone, Debug, Default)]
pub struct Examples {
    features: Vec<u32>,
    ends: Vec<usize>,
    labels: Vec<(f32, f32)>,
    /// The group of each example: a document. Folds never cut through one.
    pub groups: Vec<u32>,
    /// How many weights, from the first on, are those of words: one a role.
    words: u32,
}

/// How a linear model is trained.
#[derive(Clone, Copy, Debug)]
pub struct Hyperparameters {
    /// Passes over the examples.
    pub passes: usize,
    /// Learning rate.
    pub rate: f32,
    /// L2 penalty of the weights.
    pub decay: f32,
    /// How much the words of a neighbour count beside a sentence's own.
    pub near: f32,
    /// Trainings whose mean is taken, each in another order.
    pub orders: u64,
}

/// Weights as they come from training.
#[derive(Clone, Debug)]
pub struct LinearWeights {
    /// One for each feature.
    pub values: Vec<f32>,
    /// What stands before any feature.
    pub bias: f32,
}

impl Examples {
    /// None yet, of which the first `words` weights are those of words.
    #[must_use]
    pub fn of_words(words: u32) -> Self {
        Self { words, ..Self::default() }
    }

    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// Adds one: whether it is true, how much it counts, the group it belongs to.
    pub fn push(&mut self, features: impl IntoIterator<Item = u32>, label: bool, weight: f32, group: u32) {
        self.features.extend(features);
        self.ends.push(self.features.len());
        self.labels.push((f32::from(u8::from(label)), weight));
        self.groups.push(group);
    }

    /// Gives each, in order, another label and importance.
    pub fn relabel(&mut self, labels: impl Iterator<Item = (bool, f32)>) {
        self.labels = labels.map(|(label, weight)| (f32::from(u8::from(label)), weight)).collect();
    }

    /// The features of one.
    #[must_use]
    pub fn features(&self, index: usize) -> &[u32] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.features[start..self.ends[index]]
    }

    /// Whether one is true.
    #[must_use]
    pub fn label(&self, index: usize) -> bool {
        self.labels[index].0 > 0.5
    }

    /// How much one counts.
    #[must_use]
    pub fn importance(&self, index: usize) -> f32 {
        self.labels[index].1
    }

    /// Trains on the examples of all groups that `keep`.
    #[must_use]
    pub fn fit(&self, size: usize, hyperparameters: Hyperparameters, keep: impl Fn(u32) -> bool) -> LinearWeights {
        let mut mean = LinearWeights { values: vec![0.0; size], bias: 0.0 };
        for number in 0..hyperparameters.orders {
            let part = self.fit_in_order(size, hyperparameters, &keep, Xorshift::numbered(number));
            let share = 1.0 / hyperparameters.orders as f32;
            mean.bias += share * part.bias;
            for (at, (kept, now)) in mean.values.iter_mut().zip(&part.values).enumerate() {
                *kept += share * self.value(at as u32, hyperparameters) * now;
            }
        }
        mean
    }

    /// What a feature counts: less than one where it is a neighbour's word.
    fn value(&self, feature: u32, hyperparameters: Hyperparameters) -> f32 {
        let own = feature >= self.words || feature % ROLES as u32 == SentenceRole::Own as u32;
        if own { 1.0 } else { hyperparameters.near }
    }

    fn fit_in_order(
        &self,
        size: usize,
        hyperparameters: Hyperparameters,
        keep: impl Fn(u32) -> bool,
        mut chance: Xorshift,
    ) -> LinearWeights {
        let counts = |&index: &u32| keep(self.groups[index as usize]) && self.labels[index as usize].1 > 0.0;
        let mut order: Vec<u32> = (0..self.len() as u32).filter(counts).collect();
        let mut weights = LinearWeights { values: vec![0.0; size], bias: 0.0 };
        let mut squares = vec![1e-4_f32; size];
        let mut bias_square = 1e-4_f32;
        let mut mean = weights.clone();
        let mut seen = 0.0_f32;
        for pass in 0..hyperparameters.passes {
            chance.shuffle(&mut order);
            for &index in &order {
                let features = self.features(index as usize);
                let (label, importance) = self.labels[index as usize];
                let terms = features.iter().map(|&at| self.value(at, hyperparameters) * weights.values[at as usize]);
                let logit = weights.bias + terms.sum::<f32>();
                let error = (sigmoid(f64::from(logit)) as f32 - label) * importance;
                if error.abs() < 1e-4 {
                    continue;
                }
                bias_square += error * error;
                weights.bias -= hyperparameters.rate * error / bias_square.sqrt();
                for &feature in features {
                    let at = feature as usize;
                    let decay = hyperparameters.decay * weights.values[at];
                    let slope = error * self.value(feature, hyperparameters) + decay;
                    squares[at] += slope * slope;
                    weights.values[at] -= hyperparameters.rate * slope / squares[at].sqrt();
                }
            }
            if pass * 2 >= hyperparameters.passes {
                seen += 1.0;
                mean.bias += (weights.bias - mean.bias) / seen;
                for (kept, now) in mean.values.iter_mut().zip(&weights.values) {
                    *kept += (now - *kept) / seen;
                }
            }
        }
        mean
    }

    /// The logit of every example by weights that were trained without its group: `folds` trainings.
    #[must_use]
    pub fn cross_fit(&self, size: usize, hyperparameters: Hyperparameters, folds: u32) -> Vec<f32> {
        let mut logits = vec![0.0; self.len()];
        let fit = |fold| self.fit(size, hyperparameters, |group| fold_of(group, folds) != fold);
        std::thread::scope(|scope| {
            let parts: Vec<_> = (0..folds).map(|fold| scope.spawn(move || (fold, fit(fold)))).collect();
            for part in parts {
                // A fold that fails must not pass for one whose logits are nought.
                let (fold, weights) = part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                for index in (0..self.len()).filter(|&index| fold_of(self.groups[index], folds) == fold) {
                    logits[index] = weights.logit(self.features(index));
                }
            }
        });
        logits
    }
}

/// The fold of a group: scattered, not in order of writing.
#[must_use]
pub fn fold_of(group: u32, folds: u32) -> u32 {
    (group.wrapping_mul(0x9e37_79b1) >> 8) % folds
}

impl LinearWeights {
    /// The sum of the weights of some features.
    #[must_use]
    pub fn logit(&self, features: &[u32]) -> f32 {
        self.bias + features.iter().map(|&feature| self.values[feature as usize]).sum::<f32>()
    }
}

/// A small generator of even numbers (xorshift).
pub(crate) struct Xorshift(u64);

impl Xorshift {
    /// A generator from the one seed.
    pub(crate) fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    /// One of several generators; the first is the one of [`Self::new`].
    pub(crate) const fn numbered(number: u64) -> Self {
        Self(0x9e37_79b9_7f4a_7c15 ^ (number * 7919))
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below another.
    pub(crate) fn below(&mut self, most: u64) -> u64 {
        self.next() % most
    }

    /// Puts numbers into another order.
    pub(crate) fn shuffle(&mut self, order: &mut [u32]) {
        for at in (1..order.len()).rev() {
            order.swap(at, (self.next() % (at as u64 + 1)) as usize);
        }
    }
}
