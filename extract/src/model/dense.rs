//! A linear model over a fixed list of numbers: what long talk and minutes are judged by, where examples are too few for
//! hashed features.

use super::linear::Malformed;

/// One weight a number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dense {
    /// What stands before any number.
    pub bias: f32,
    /// A weight for each.
    pub weights: Vec<f32>,
}

const MAGIC: [u8; 4] = *b"GLD1";

impl Dense {
    /// Reads a file of weights.
    ///
    /// # Errors
    /// Where it is none, or has not `count` weights.
    pub fn read(file: &[u8], count: usize) -> Result<Self, Malformed> {
        let numbers = file.strip_prefix(&MAGIC).ok_or(Malformed)?.chunks_exact(4);
        let mut read = numbers.map(|at| f32::from_le_bytes([at[0], at[1], at[2], at[3]]));
        let bias = read.next().ok_or(Malformed)?;
        let weights: Vec<f32> = read.collect();
        if weights.len() == count { Ok(Self { bias, weights }) } else { Err(Malformed) }
    }

    /// The file of these weights.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let numbers = std::iter::once(&self.bias).chain(&self.weights);
        MAGIC.into_iter().chain(numbers.flat_map(|number| number.to_le_bytes())).collect()
    }

    /// The logit of a list of numbers.
    #[must_use]
    pub fn logit(&self, numbers: &[f32]) -> f32 {
        self.bias + self.weights.iter().zip(numbers).map(|(weight, number)| weight * number).sum::<f32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_another_length_is_refused() {
        let model = Dense { bias: -1.0, weights: vec![0.5, 2.0] };
        assert_eq!(Dense::read(&model.write(), 2), Ok(model.clone()));
        assert_eq!(Dense::read(&model.write(), 3), Err(Malformed));
        assert!((model.logit(&[2.0, 1.0]) - 2.0).abs() < 1e-6);
    }
}
