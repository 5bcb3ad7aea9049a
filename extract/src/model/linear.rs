//! A linear model of a sentence: weights for the words of the sentence and of its neighbours (one a role, side by side,
//! so that one look-up serves all), and weights for place and structure.

use crate::feature::{ROLES, Scene, SentenceRole};

/// Weights of one byte each.
#[derive(Clone, Debug, PartialEq)]
pub struct Linear {
    bias: f32,
    scale: f32,
    /// How many bits of a word feature number its row.
    word_bits: u32,
    /// How many bits of a place feature number its weight.
    place_bits: u32,
    words: Vec<i8>,
    places: Vec<i8>,
}

/// What stands at the head of a file of weights.
const MAGIC: [u8; 4] = *b"GLN1";
const HEAD: usize = 16;

/// How many bytes can be summed in sixteen bits.
pub(super) const BLOCK: usize = 256;
/// What is added to a weight to make it a byte without sign.
pub(super) const BIAS: i32 = 128;
/// What makes eight weights bytes without sign.
const SIGNS: u64 = 0x8080_8080_8080_8080;
/// The even bytes of a word: sums of sixteen bits have room beside one another.
pub(super) const EVEN: u64 = 0x00ff_00ff_00ff_00ff;

/// Why a file of weights could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed;

impl std::fmt::Display for Malformed {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("not a file of weights, or cut short: train it again")
    }
}

impl std::error::Error for Malformed {}

impl Linear {
    /// Quantises weights: `weights` holds the rows of the words, then those of the places.
    #[must_use]
    pub fn quantise(weights: &[f32], bias: f32, word_bits: u32, place_bits: u32) -> Self {
        let largest = weights.iter().fold(1e-6_f32, |most, weight| most.max(weight.abs()));
        let scale = largest / 127.0;
        let bytes = |part: &[f32]| part.iter().map(|weight| (weight / scale).round() as i8).collect();
        let (words, places) = weights.split_at(ROLES << word_bits);
        Self { bias, scale, word_bits, place_bits, words: bytes(words), places: bytes(places) }
    }

    /// Reads a file of weights.
    ///
    /// # Errors
    /// Where it is none.
    pub fn read(file: &[u8]) -> Result<Self, Malformed> {
        let (head, rest) = file.split_at_checked(HEAD).ok_or(Malformed)?;
        let number = |at: usize| f32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let (word_bits, place_bits) = (u32::from(head[12]), u32::from(head[13]));
        if head[..4] != MAGIC || word_bits > 20 || place_bits > 20 {
            return Err(Malformed);
        }
        let (words, places) = rest.split_at_checked(ROLES << word_bits).ok_or(Malformed)?;
        if places.len() != 1 << place_bits {
            return Err(Malformed);
        }
        let signed = |part: &[u8]| part.iter().map(|byte| i8::from_le_bytes([*byte])).collect();
        Ok(Self {
            bias: number(4),
            scale: number(8),
            word_bits,
            place_bits,
            words: signed(words),
            places: signed(places),
        })
    }

    /// The file of these weights.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut file = MAGIC.to_vec();
        file.extend(self.bias.to_le_bytes());
        file.extend(self.scale.to_le_bytes());
        file.extend([self.word_bits as u8, self.place_bits as u8, 0, 0]);
        file.extend(self.words.iter().chain(&self.places).map(|weight| weight.to_le_bytes()[0]));
        file
    }

    /// How many bits of a word feature number its row.
    #[must_use]
    pub fn word_bits(&self) -> u32 {
        self.word_bits
    }

    /// Whether any word has a weight other than zero in a [role](SentenceRole).
    #[must_use]
    pub fn speaks(&self, role: usize) -> bool {
        self.words.iter().skip(role).step_by(ROLES).any(|weight| *weight != 0)
    }

    /// The weights of a word feature: one a role.
    #[must_use]
    pub fn row(&self, feature: u32) -> &[i8] {
        let row = (feature >> (32 - self.word_bits)) as usize * ROLES;
        &self.words[row..row + ROLES]
    }

    /// The weight of a place feature.
    #[must_use]
    pub fn place(&self, feature: u32) -> i8 {
        self.places[(feature >> (32 - self.place_bits)) as usize]
    }

    /// The logit of a sum of quantised weights: scaled back, with the bias.
    #[must_use]
    pub fn scaled(&self, sum: i32) -> f32 {
        self.bias + self.scale * sum as f32
    }

    /// Sums the rows of some word features: one sum a role.
    #[must_use]
    pub fn roles(&self, features: &[u32]) -> [i32; ROLES] {
        let mut sums = [0; ROLES];
        for block in features.chunks(BLOCK) {
            let (mut even, mut odd) = (0, 0);
            for &feature in block {
                let row = self.row(feature);
                let row = u64::from_le_bytes(std::array::from_fn(|role| row[role] as u8)) ^ SIGNS;
                even += row & EVEN;
                odd += (row >> 8) & EVEN;
            }
            for (role, sum) in sums.iter_mut().enumerate() {
                let part = if role % 2 == 0 { even } else { odd };
                *sum += i32::from((part >> (role / 2 * 16)) as u16) - BIAS * block.len() as i32;
            }
        }
        sums
    }

    /// Sums the weights of some place features.
    #[must_use]
    pub fn places(&self, features: &[u32]) -> i32 {
        features.iter().map(|&feature| i32::from(self.place(feature))).sum()
    }

    /// The sums of the words of every sentence, one a role.
    #[must_use]
    pub fn sums(&self, scene: &Scene<'_>) -> Vec<[i32; ROLES]> {
        (0..scene.seen.len()).map(|index| self.roles(scene.hashed_features_of(index))).collect()
    }

    /// The logit of a sentence, given the sums of all and its place features.
    #[must_use]
    pub fn logit(&self, scene: &Scene<'_>, sums: &[[i32; ROLES]], index: usize, places: &[u32]) -> f32 {
        let near = index.saturating_sub(2)..(index + 3).min(sums.len());
        let words: i32 = near.filter_map(|other| Some(sums[other][scene.role(index, other)? as usize])).sum();
        self.scaled(words + self.places(places))
    }

    /// Where the weight of a word feature in a role stands among all.
    #[must_use]
    pub fn word_at(feature: u32, role: SentenceRole, word_bits: u32) -> u32 {
        (feature >> (32 - word_bits)) * ROLES as u32 + role as u32
    }

    /// Where the weight of a place feature stands among all.
    #[must_use]
    pub fn place_at(feature: u32, word_bits: u32, place_bits: u32) -> u32 {
        ((ROLES as u32) << word_bits) + (feature >> (32 - place_bits))
    }
}
