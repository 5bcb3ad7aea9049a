//! A small linear model over hashed features: what due dates, owners and titles are chosen by.

use super::linear::Malformed;

/// Weights of one byte each, numbered by the top bits of a feature.
#[derive(Clone, Debug, PartialEq)]
pub struct HashedLinear {
    bias: f32,
    scale: f32,
    bits: u32,
    weights: Vec<i8>,
}

const MAGIC: [u8; 4] = *b"GLT1";
const HEAD: usize = 16;

impl HashedLinear {
    /// Quantises weights; there are two to the power of `bits`.
    #[must_use]
    pub fn quantise(weights: &[f32], bias: f32, bits: u32) -> Self {
        let largest = weights.iter().fold(1e-6_f32, |most, weight| most.max(weight.abs()));
        let scale = largest / 127.0;
        Self { bias, scale, bits, weights: weights.iter().map(|weight| (weight / scale).round() as i8).collect() }
    }

    /// Reads a file of weights.
    ///
    /// # Errors
    /// Where it is none.
    pub fn read(file: &[u8]) -> Result<Self, Malformed> {
        let (head, rest) = file.split_at_checked(HEAD).ok_or(Malformed)?;
        let number = |at: usize| f32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let bits = u32::from(head[12]);
        if head[..4] != MAGIC || bits > 20 || rest.len() != 1 << bits {
            return Err(Malformed);
        }
        let weights = rest.iter().map(|byte| i8::from_le_bytes([*byte])).collect();
        Ok(Self { bias: number(4), scale: number(8), bits, weights })
    }

    /// The file of these weights.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut file = MAGIC.to_vec();
        file.extend(self.bias.to_le_bytes());
        file.extend(self.scale.to_le_bytes());
        file.extend([self.bits as u8, 0, 0, 0]);
        file.extend(self.weights.iter().map(|weight| weight.to_le_bytes()[0]));
        file
    }

    /// The number of a feature's weight.
    #[must_use]
    pub fn at(feature: u32, bits: u32) -> u32 {
        feature >> (32 - bits)
    }

    /// The weight of one feature.
    #[must_use]
    pub fn weight(&self, feature: u32) -> f32 {
        self.scale * f32::from(self.weights[Self::at(feature, self.bits) as usize])
    }

    /// The logit of a list of features.
    #[must_use]
    pub fn logit(&self, features: &[u32]) -> f32 {
        let sum: i32 = features.iter().map(|&f| i32::from(self.weights[Self::at(f, self.bits) as usize])).sum();
        self.bias + self.scale * sum as f32
    }
}
