//! From scores to probabilities that mean what they say: a monotone staircase fitted to held-out scores.

/// A monotone map from logits to probabilities: linear between its points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Calibration {
    /// Logit and probability, both rising.
    pub points: Vec<(f32, f32)>,
}

impl Calibration {
    /// Fits the staircase to logits and whether each was right (pool adjacent violators), with at least `least` in a step.
    #[must_use]
    pub fn fit(scored: &[(f32, bool)], least: usize) -> Self {
        let mut sorted = scored.to_vec();
        sorted.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut pools: Vec<(f64, f64, f64)> = Vec::new();
        for chunk in sorted.chunks(least.max(1)) {
            let right = chunk.iter().filter(|(_, right)| *right).count() as f64;
            let sum: f64 = chunk.iter().map(|(logit, _)| f64::from(*logit)).sum();
            pools.push((chunk.len() as f64, right, sum));
            while let [.., before, last] = pools[..] {
                if before.1 / before.0 < last.1 / last.0 {
                    break;
                }
                pools.truncate(pools.len() - 2);
                pools.push((before.0 + last.0, before.1 + last.1, before.2 + last.2));
            }
        }
        let points = pools.iter().map(|(count, right, sum)| {
            let smooth = (right + 0.5) / (count + 1.0);
            ((sum / count) as f32, smooth as f32)
        });
        Self { points: points.collect() }
    }

    /// Reads a file of points: pairs of little-endian numbers.
    #[must_use]
    pub fn read(file: &[u8]) -> Option<Self> {
        let number = |at: &[u8]| at.try_into().ok().map(f32::from_le_bytes);
        let points = file.chunks(8).map(|pair| Some((number(pair.get(..4)?)?, number(pair.get(4..)?)?)));
        points.collect::<Option<Vec<_>>>().map(|points| Self { points })
    }

    /// The file of these points.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        self.points
            .iter()
            .flat_map(|(logit, probability)| [logit.to_le_bytes(), probability.to_le_bytes()].concat())
            .collect()
    }

    /// The least logit of at least a probability.
    #[must_use]
    pub fn logit(&self, probability: f64) -> f32 {
        let above = self.points.iter().position(|point| f64::from(point.1) >= probability);
        let Some(above) = above else { return f32::INFINITY };
        let high = self.points[above];
        let Some(low) = above.checked_sub(1).map(|below| self.points[below]) else { return high.0 };
        let share = (probability as f32 - low.1) / (high.1 - low.1).max(1e-6);
        low.0 + share * (high.0 - low.0)
    }

    /// The probability of a logit.
    #[must_use]
    pub fn probability(&self, logit: f32) -> f64 {
        let after = self.points.partition_point(|point| point.0 < logit);
        match (after.checked_sub(1).map(|before| self.points[before]), self.points.get(after)) {
            (Some(low), Some(high)) => {
                let share = (logit - low.0) / (high.0 - low.0).max(1e-6);
                f64::from(low.1 + share * (high.1 - low.1))
            }
            (Some(end), None) => f64::from(end.1),
            (None, Some(end)) => f64::from(end.1),
            (None, None) => super::math::sigmoid(f64::from(logit)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_rise_with_the_logit_and_match_the_share_that_is_right() {
        let scored: Vec<_> = (0..1000).map(|at| (at as f32 / 100.0, at % 10 < at / 100)).collect();
        let fitted = Calibration::fit(&scored, 20);
        assert!(fitted.points.windows(2).all(|pair| pair[0].1 <= pair[1].1));
        assert!((fitted.probability(5.5) - 0.5).abs() < 0.12);
        assert!(fitted.probability(-3.0) < 0.1 && fitted.probability(20.0) > 0.85);
    }
}
