//! Boosted trees, learnt with the same bits each time: logistic loss, Newton's steps, histograms of at most 64 bins a
//! feature, each tree from a part of the rows and of the features.

use crate::fit::{Xorshift, fold_of};
use gleaner_extract::model::forest::{Forest, Tree};
use gleaner_extract::model::math::{exp, logit, sigmoid};
use std::ops::Range;

/// Hyperparameters of boosting.
#[derive(Clone, Copy, Debug)]
pub struct BoostParams {
    /// How many trees.
    pub trees: usize,
    /// Leaves of each.
    pub leaves: usize,
    /// Learning rate: how much of a step each takes.
    pub rate: f64,
    /// Share of the rows and of the features that a tree sees, in tenths.
    pub rows: u64,
    /// See `rows`.
    pub features: u64,
    /// Least rows of a leaf.
    pub least: u32,
    /// L2 penalty of the answers.
    pub l2: f64,
}

/// Examples: dense features with what is true of each, how much it counts, and its group, through which no fold cuts.
#[derive(Clone, Debug, Default)]
pub struct Dataset {
    /// The feature vectors, row after row.
    pub features: Vec<f32>,
    rows: Vec<LabelledRow>,
    /// Where lists of rows end of which one is to be chosen; none where each row is judged by itself.
    ends: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
struct LabelledRow {
    label: f64,
    importance: f64,
    group: u32,
}

/// The features, binned.
struct Bins {
    width: usize,
    /// The upper bound of each bin but the last, feature by feature.
    bounds: Vec<Vec<f32>>,
    /// The bin of each feature, row after row.
    bins: Vec<u8>,
}

/// Temperature of the softmax over a list: how much better one row must be to be e times as likely.
const TEMPERATURE: f64 = 0.1;
/// Most bins of a feature.
const MAX_BINS: usize = 64;

/// Slopes, curvatures and rows that fall into a bin.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    slope: f64,
    curve: f64,
    rows: u32,
}

/// A split and what it gains.
#[derive(Clone, Copy, Debug)]
struct Split {
    gain: f64,
    feature: usize,
    bin: usize,
}

/// A leaf that may still be split.
struct Leaf {
    rows: Vec<u32>,
    split: Option<Split>,
}

impl Dataset {
    /// A dataset of these features, whose rows are yet to be pushed.
    #[must_use]
    pub fn of(features: Vec<f32>) -> Self {
        Self { features, ..Self::default() }
    }

    /// Adds the row whose feature vector was just added to `features`.
    pub fn push(&mut self, label: bool, importance: f32, group: u32) {
        self.rows.push(LabelledRow { label: f64::from(u8::from(label)), importance: f64::from(importance), group });
    }

    /// The same for a row that is right in part.
    pub fn push_share(&mut self, right: f32, importance: f32, group: u32) {
        self.rows.push(LabelledRow { label: f64::from(right), importance: f64::from(importance), group });
    }

    /// Ends a list of which one row is to be chosen: how right they are becomes how likely each should be chosen.
    pub fn end(&mut self) {
        let start = self.ends.last().copied().unwrap_or_default();
        let sum: f64 = self.rows[start..].iter().map(|case| exp(case.label / TEMPERATURE)).sum();
        self.rows[start..].iter_mut().for_each(|case| case.label = exp(case.label / TEMPERATURE) / sum);
        self.ends.push(self.rows.len());
    }

    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn row(&self, row: usize) -> &[f32] {
        let width = self.features.len() / self.len().max(1);
        &self.features[row * width..(row + 1) * width]
    }

    /// The trees learnt from all rows, and the logit of each row by trees that were learnt without its group.
    #[must_use]
    pub fn grow(&self, params: BoostParams, folds: u32) -> (Vec<f32>, Forest) {
        let bins = Bins::of(&self.features, self.len());
        let fit = |fold: Option<u32>| {
            let kept = |row: &u32| {
                let case = self.rows[*row as usize];
                case.importance > 0.0 && fold.is_none_or(|fold| fold_of(case.group, folds) != fold)
            };
            self.fit(&bins, params, (0..self.len() as u32).filter(kept).collect())
        };
        let mut logits = vec![0.0; self.len()];
        let mut whole = Forest::default();
        std::thread::scope(|scope| {
            let parts: Vec<_> = (0..folds).map(|fold| scope.spawn(move || (fold, fit(Some(fold))))).collect();
            whole = fit(None);
            for part in parts {
                // A fold that fails must not pass for one whose logits are nought.
                let (fold, forest) = part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                for row in (0..self.len()).filter(|&row| fold_of(self.rows[row].group, folds) == fold) {
                    logits[row] = forest.logit(self.row(row));
                }
            }
        });
        (logits, whole)
    }

    /// The lists whose rows are kept: those of one list are all kept or none.
    fn lists(&self, kept: &[u32]) -> Vec<Range<usize>> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let all = starts.zip(&self.ends).map(|(start, end)| start..*end);
        all.filter(|list| !list.is_empty() && kept.binary_search(&(list.start as u32)).is_ok()).collect()
    }

    fn fit(&self, bins: &Bins, params: BoostParams, kept: Vec<u32>) -> Forest {
        let counted: f64 = kept.iter().map(|&row| self.rows[row as usize].importance).sum();
        let right: f64 = kept.iter().map(|&row| self.rows[row as usize]).map(|case| case.label * case.importance).sum();
        let bias = if self.ends.is_empty() { logit((right + 0.5) / (counted + 1.0)) } else { 0.0 };
        let kept_lists: Vec<Range<usize>> = self.lists(&kept);
        let mut chance = Xorshift::new();
        let mut logits = vec![bias; self.len()];
        let mut slopes = vec![(0.0, 0.0); self.len()];
        let mut trees = Vec::with_capacity(params.trees);
        for _ in 0..params.trees {
            for list in &kept_lists {
                let most = logits[list.clone()].iter().copied().fold(f64::MIN, f64::max);
                let sum: f64 = logits[list.clone()].iter().map(|logit| exp(logit - most)).sum();
                for row in list.clone() {
                    let case = self.rows[row];
                    let likely = exp(logits[row] - most) / sum;
                    let curve = (likely * (1.0 - likely)).max(1e-6) * case.importance;
                    slopes[row] = ((likely - case.label) * case.importance, curve);
                }
            }
            for &row in kept.iter().filter(|_| self.ends.is_empty()) {
                let case = self.rows[row as usize];
                let likely = sigmoid(logits[row as usize]);
                let curve = (likely * (1.0 - likely)).max(1e-6) * case.importance;
                slopes[row as usize] = ((likely - case.label) * case.importance, curve);
            }
            let rows: Vec<u32> = kept.iter().copied().filter(|_| chance.below(10) < params.rows).collect();
            let features: Vec<usize> = (0..bins.width).filter(|_| chance.below(10) < params.features).collect();
            let tree = Growing { bins, params, features: &features, slopes: &slopes }.tree(rows);
            for &row in &kept {
                logits[row as usize] += f64::from(tree.value(self.row(row as usize)));
            }
            trees.push(tree);
        }
        Forest::of(bias as f32, bins.width as u16, trees)
    }
}

impl Bins {
    fn of(features: &[f32], rows: usize) -> Self {
        let width = features.len() / rows.max(1);
        let bounds: Vec<Vec<f32>> = (0..width).map(|feature| bounds(features, width, feature)).collect();
        let bin = |(at, value): (usize, &f32)| bounds[at % width].partition_point(|bound| bound < value) as u8;
        let bins = features.iter().enumerate().map(bin).collect();
        Self { width, bounds, bins }
    }
}

/// Where the bins of a feature end: between neighbouring values where there are few, at even shares of the rows else.
fn bounds(features: &[f32], width: usize, feature: usize) -> Vec<f32> {
    let mut values: Vec<f32> = features.iter().skip(feature).step_by(width).copied().collect();
    values.sort_by(f32::total_cmp);
    let mut unlike = values.clone();
    unlike.dedup();
    if unlike.len() <= MAX_BINS {
        return unlike.windows(2).map(|pair| f32::midpoint(pair[0], pair[1])).collect();
    }
    let mut bounds: Vec<f32> = (1..MAX_BINS).map(|part| values[part * values.len() / MAX_BINS]).collect();
    bounds.dedup();
    bounds
}

/// A tree that is being grown.
struct Growing<'g> {
    bins: &'g Bins,
    params: BoostParams,
    features: &'g [usize],
    slopes: &'g [(f64, f64)],
}

impl Growing<'_> {
    /// Splits the leaf that gains most until there are enough.
    fn tree(&self, rows: Vec<u32>) -> Tree {
        let mut tree = Tree::leaf(0.0);
        let mut leaves = vec![self.leaf(rows)];
        while leaves.len() < self.params.leaves {
            let gain = |leaf: &Leaf| leaf.split.map_or(0.0, |split| split.gain);
            let best = (0..leaves.len())
                .reduce(|best, next| if gain(&leaves[next]) > gain(&leaves[best]) { next } else { best });
            let Some((best, split)) = best.and_then(|best| Some((best, leaves[best].split?))) else { break };
            let bound = self.bins.bounds[split.feature][split.bin];
            if tree.split(best, split.feature as u16, bound).is_none() {
                break;
            }
            let rows = std::mem::take(&mut leaves[best].rows);
            let (more, less) = rows.into_iter().partition(|&row| self.bin(row, split.feature) > split.bin);
            leaves[best] = self.leaf(less);
            leaves.push(self.leaf(more));
        }
        for (number, leaf) in leaves.iter().enumerate() {
            let all = self.sum(&leaf.rows);
            tree.answer(number, (-self.params.rate * all.slope / (all.curve + self.params.l2)) as f32);
        }
        tree
    }

    fn bin(&self, row: u32, feature: usize) -> usize {
        usize::from(self.bins.bins[row as usize * self.bins.width + feature])
    }

    fn sum(&self, rows: &[u32]) -> Sum {
        rows.iter().fold(Sum::default(), |sum, &row| {
            let (slope, curve) = self.slopes[row as usize];
            Sum { slope: sum.slope + slope, curve: sum.curve + curve, rows: sum.rows + 1 }
        })
    }

    fn leaf(&self, rows: Vec<u32>) -> Leaf {
        let split = self.best(&rows);
        Leaf { rows, split }
    }

    /// The split that gains most.
    fn best(&self, rows: &[u32]) -> Option<Split> {
        let mut sums = vec![[Sum::default(); MAX_BINS]; self.features.len()];
        for &row in rows {
            let (slope, curve) = self.slopes[row as usize];
            let bins = &self.bins.bins[row as usize * self.bins.width..];
            for (&feature, sums) in self.features.iter().zip(&mut sums) {
                let sum = &mut sums[usize::from(bins[feature])];
                sum.slope += slope;
                sum.curve += curve;
                sum.rows += 1;
            }
        }
        let all = self.sum(rows);
        let worth = |slope: f64, curve: f64| slope * slope / (curve + self.params.l2);
        let mut best: Option<Split> = None;
        for (&feature, sums) in self.features.iter().zip(&sums) {
            let mut less = Sum::default();
            for (bin, sum) in sums.iter().enumerate().take(self.bins.bounds[feature].len()) {
                less.slope += sum.slope;
                less.curve += sum.curve;
                less.rows += sum.rows;
                if less.rows < self.params.least || all.rows - less.rows < self.params.least {
                    continue;
                }
                let gain = worth(less.slope, less.curve) + worth(all.slope - less.slope, all.curve - less.curve)
                    - worth(all.slope, all.curve);
                if gain > best.map_or(1e-9, |best| best.gain) {
                    best = Some(Split { gain, feature, bin });
                }
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMS: BoostParams =
        BoostParams { trees: 60, leaves: 4, rate: 0.2, rows: 8, features: 10, least: 5, l2: 1.0 };

    /// Rows that are right where exactly one of two features is high: no sum of the two says so.
    fn either() -> Dataset {
        let mut dataset = Dataset::default();
        for row in 0..400_u32 {
            let (one, other) = (row % 2, row / 2 % 2);
            dataset.features.extend([one as f32, other as f32, (row * 7 % 13) as f32]);
            dataset.push(one != other, 1.0, row);
        }
        dataset
    }

    #[test]
    fn what_two_features_say_together_is_learnt_and_held_for_unseen_rows() {
        let (logits, forest) = either().grow(PARAMS, 5);
        let wrong =
            logits.iter().zip(&either().rows).filter(|(logit, case)| (**logit > 0.0) != (case.label > 0.5)).count();
        assert_eq!(wrong, 0);
        assert!(forest.logit(&[1.0, 0.0, 3.0]) > 1.0 && forest.logit(&[1.0, 1.0, 3.0]) < -1.0);
    }

    #[test]
    fn the_same_rows_give_the_same_trees() {
        assert!(either().grow(PARAMS, 3) == either().grow(PARAMS, 3));
    }
}
