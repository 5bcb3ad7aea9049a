//! Weights that make the best title of each task the likeliest choice.

use gleaner_extract::title::{FEATURES, Features};

/// A task's candidates, each with how near it comes to the wanted title.
pub type Task = Vec<(Features, f64)>;

/// Steps of the ascent.
const STEPS: usize = 400;
/// How sharply the choice follows the score.
const SHARPNESS: f64 = 40.0;
/// Pull of the weights toward nothing.
const DECAY: f64 = 0.02;

/// Weights under which the expected nearness, over a choice by softmax of the score, is greatest: steepest ascent with
/// running means of the slope (Adam), the features scaled to like size first.
pub fn weights(tasks: &[Task]) -> Vec<f64> {
    let scale = scale(tasks);
    let mut weights = vec![0.0; FEATURES.len()];
    let (mut mean, mut square) = (weights.clone(), weights.clone());
    for step in 1..=STEPS {
        let slope = slope(tasks, &weights, &scale);
        let rate = 0.01 * (1.0 - step as f64 / (STEPS + 1) as f64);
        for i in 0..weights.len() {
            let slope = slope[i] - DECAY * weights[i];
            mean[i] = 0.9 * mean[i] + 0.1 * slope;
            square[i] = 0.99 * square[i] + 0.01 * slope * slope;
            let (m, s) = (mean[i] / (1.0 - 0.9f64.powi(step as i32)), square[i] / (1.0 - 0.99f64.powi(step as i32)));
            weights[i] += rate * m / (s.sqrt() + 1e-9);
        }
    }
    weights.iter().zip(&scale).map(|(weight, scale)| weight * scale).collect()
}

/// What each feature is multiplied by, so that its spread is one.
fn scale(tasks: &[Task]) -> Vec<f64> {
    let count = tasks.iter().map(Vec::len).sum::<usize>().max(1) as f64;
    let rows = || tasks.iter().flatten();
    let mean: Vec<f64> = (0..FEATURES.len()).map(|i| rows().map(|(f, _)| f[i]).sum::<f64>() / count).collect();
    let spread = |i: usize| (rows().map(|(f, _)| (f[i] - mean[i]).powi(2)).sum::<f64>() / count).sqrt();
    (0..FEATURES.len()).map(|i| if spread(i) > 1e-6 { 1.0 / spread(i) } else { 0.0 }).collect()
}

/// The slope of the mean expected nearness.
fn slope(tasks: &[Task], weights: &[f64], scale: &[f64]) -> Vec<f64> {
    let factors: Vec<f64> = weights.iter().zip(scale).map(|(weight, scale)| weight * scale).collect();
    let mut slope = vec![0.0; weights.len()];
    for task in tasks {
        let scores: Vec<f64> =
            task.iter().map(|(f, _)| f.iter().zip(&factors).map(|(a, b)| a * b).sum::<f64>()).collect();
        let top = scores.iter().copied().fold(f64::MIN, f64::max);
        let shares: Vec<f64> = scores.iter().map(|score| (SHARPNESS * (score - top)).exp()).collect();
        let total: f64 = shares.iter().sum();
        let expected: f64 = task.iter().zip(&shares).map(|((_, near), share)| near * share / total).sum();
        for ((features, near), share) in task.iter().zip(&shares) {
            let pull = SHARPNESS * share / total * (near - expected) / tasks.len() as f64;
            slope
                .iter_mut()
                .zip(features)
                .zip(scale)
                .for_each(|((slope, feature), scale)| *slope += pull * feature * scale);
        }
    }
    slope
}
