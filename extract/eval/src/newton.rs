//! Logistic regression over a fixed list of numbers by Newton's method, with the same bits each time.

use gleaner_extract::model::dense::Dense;
use gleaner_extract::model::math::{exp, ln, sigmoid};

/// Most steps.
const STEPS: usize = 40;
/// How often a step that does not help is halved.
const HALVES: usize = 12;
/// The largest step that still counts as one.
const ENOUGH: f64 = 1e-4;

/// Examples: rows of numbers with what is true of each.
#[derive(Clone, Debug)]
pub struct Rows<'r> {
    /// The numbers, row after row.
    pub numbers: &'r [f32],
    /// How many are in a row.
    pub width: usize,
    /// What is true.
    pub labels: &'r [bool],
}

/// Mean and spread of each number, to bring them to one scale.
struct Scale {
    mean: Vec<f64>,
    spread: Vec<f64>,
}

impl Rows<'_> {
    fn row(&self, index: usize) -> &[f32] {
        &self.numbers[index * self.width..(index + 1) * self.width]
    }

    fn scale(&self) -> Scale {
        let count = self.labels.len().max(1) as f64;
        let mut mean = vec![0.0; self.width];
        let mut spread = vec![0.0; self.width];
        for row in self.numbers.chunks(self.width) {
            mean.iter_mut().zip(row).for_each(|(sum, &number)| *sum += f64::from(number) / count);
        }
        for row in self.numbers.chunks(self.width) {
            let apart = row.iter().zip(&mean).map(|(&number, mean)| f64::from(number) - mean);
            spread.iter_mut().zip(apart).for_each(|(sum, apart)| *sum += apart * apart / count);
        }
        spread.iter_mut().for_each(|square| *square = square.sqrt().max(1e-6));
        Scale { mean, spread }
    }

    /// Trains on the rows that `keep`; `pull` draws the weights towards zero.
    #[must_use]
    pub fn fit(&self, pull: f64, keep: impl Fn(usize) -> bool) -> Dense {
        let scale = self.scale();
        let scaled = |index: usize| -> Vec<f64> {
            let numbers = self.row(index).iter().zip(&scale.mean).zip(&scale.spread);
            let all = numbers.map(|((&number, mean), spread)| (f64::from(number) - mean) / spread);
            std::iter::once(1.0).chain(all).collect()
        };
        let rows: Vec<(Vec<f64>, f64)> = (0..self.labels.len())
            .filter(|&index| keep(index))
            .map(|index| (scaled(index), f64::from(u8::from(self.labels[index]))))
            .collect();
        let weights = descend(&rows, self.width + 1, pull);
        let plain: Vec<f64> = weights[1..].iter().zip(&scale.spread).map(|(weight, spread)| weight / spread).collect();
        let shift: f64 = plain.iter().zip(&scale.mean).map(|(weight, mean)| weight * mean).sum();
        Dense { bias: (weights[0] - shift) as f32, weights: plain.iter().map(|&weight| weight as f32).collect() }
    }
}

/// Newton's steps, each halved until it helps.
fn descend(rows: &[(Vec<f64>, f64)], width: usize, pull: f64) -> Vec<f64> {
    let mut weights = vec![0.0; width];
    weights[0] = -5.0;
    let mut loss = cost(rows, &weights, pull);
    for _ in 0..STEPS {
        let (curve, slope) = slopes(rows, &weights, pull);
        let step = solve(curve, slope);
        let halves = (0..HALVES).map(|halves| 1.0 / f64::from(1_u32 << halves));
        let tried = halves.map(|part| weights.iter().zip(&step).map(|(w, s)| w - part * s).collect::<Vec<f64>>());
        let better = tried.map(|weights| (cost(rows, &weights, pull), weights)).find(|(cost, _)| *cost < loss);
        let Some((lower, found)) = better else { break };
        let moved = found.iter().zip(&weights).map(|(new, old)| (new - old).abs()).fold(0.0, f64::max);
        (loss, weights) = (lower, found);
        if moved < ENOUGH {
            break;
        }
    }
    weights
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

fn cost(rows: &[(Vec<f64>, f64)], weights: &[f64], pull: f64) -> f64 {
    let lost = |(row, label): &(Vec<f64>, f64)| {
        let logit = dot(row, weights) * (1.0 - 2.0 * label);
        if logit > 30.0 { logit } else { ln(1.0 + exp(logit)) }
    };
    rows.iter().map(lost).sum::<f64>() + 0.5 * pull * dot(&weights[1..], &weights[1..])
}

/// Second and first derivatives.
fn slopes(rows: &[(Vec<f64>, f64)], weights: &[f64], pull: f64) -> (Vec<Vec<f64>>, Vec<f64>) {
    let width = weights.len();
    let mut curve = vec![vec![0.0; width]; width];
    let mut slope = vec![0.0; width];
    for (row, label) in rows {
        let likely = sigmoid(dot(row, weights));
        let (error, bend) = (likely - label, likely * (1.0 - likely));
        for (at, &number) in row.iter().enumerate() {
            slope[at] += error * number;
            let part = bend * number;
            curve[at][..=at].iter_mut().zip(row).for_each(|(sum, other)| *sum += part * other);
        }
    }
    for at in 0..width {
        let drawn = if at == 0 { 0.0 } else { pull };
        slope[at] += drawn * weights[at];
        curve[at][at] += drawn + 1e-6;
        let (above, below) = curve.split_at_mut(at);
        above.iter_mut().zip(&below[0]).for_each(|(row, &mirrored)| row[at] = mirrored);
    }
    (curve, slope)
}

/// Solves linear equations by elimination.
fn solve(mut rows: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let width = right.len();
    for column in 0..width {
        let pivot = (column..width).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()));
        let pivot = pivot.unwrap_or(column);
        rows.swap(column, pivot);
        right.swap(column, pivot);
        let (done, rest) = rows.split_at_mut(column + 1);
        let top = &done[column];
        for (below, row) in rest.iter_mut().enumerate() {
            let share = row[column] / top[column];
            row.iter_mut().zip(top).skip(column).for_each(|(to, from)| *to -= share * from);
            right[column + 1 + below] -= share * right[column];
        }
    }
    for column in (0..width).rev() {
        let known: f64 = (column + 1..width).map(|at| rows[column][at] * right[at]).sum();
        right[column] = (right[column] - known) / rows[column][column];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_the_number_that_tells() {
        let numbers: Vec<f32> = (0..200).flat_map(|at| [(at % 7) as f32, at as f32 / 10.0]).collect();
        let labels: Vec<bool> = (0..200).map(|at| (at + at % 3 * 20) > 120).collect();
        let model = Rows { numbers: &numbers, width: 2, labels: &labels }.fit(0.1, |_| true);
        assert!(model.weights[1] > 0.3 && model.weights[0].abs() < 0.2);
        assert!(model.logit(&[3.0, 20.0]) > 1.0 && model.logit(&[3.0, 2.0]) < -1.0);
    }
}
