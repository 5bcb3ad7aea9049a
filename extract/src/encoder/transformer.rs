//! A BERT-like transformer: embeddings, layers of attention and feed-forward, a linear head
//! (Vaswani et al. 2017, Devlin et al. 2019). Matrices are kept as one byte a weight with a scale for each row.

use super::wordpiece::Piece;
use crate::model::linear::Malformed;
use ndarray::{Array1, Array2, ArrayViewMut1, Axis, Slice, Zip};
use std::sync::Arc;

/// What stands at the head of a file of weights.
const MAGIC: &[u8; 4] = b"GLE1";
/// Outputs are rounded to so many steps: processors differ in the last bits of long sums.
const STEPS: f32 = 64.0;
/// The layer-norm epsilon.
const EPSILON: f32 = 1e-12;

/// The sizes of a transformer, in the order in which the file has them.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    pieces: usize,
    positions: usize,
    width: usize,
    inner: usize,
    layers: usize,
    heads: usize,
    outputs: usize,
}

/// The transformer: embeddings of words and places, its layers, and the linear head that reads marks.
#[derive(Clone, Debug)]
pub struct Transformer {
    sizes: Sizes,
    words: Arc<Bytes>,
    positions: Array2<f32>,
    norm: Norm,
    layers: Vec<Layer>,
    head: Dense,
}

/// A matrix of one byte a weight, row by row.
#[derive(Clone, Debug)]
struct Bytes {
    scales: Vec<f32>,
    weights: Vec<i8>,
}

#[derive(Clone, Debug)]
struct Layer {
    query: Dense,
    key: Dense,
    value: Dense,
    output: Dense,
    attended: Norm,
    up: Dense,
    down: Dense,
    fed: Norm,
}

/// A linear map with its bias: `weights` has a row for each output.
#[derive(Clone, Debug)]
struct Dense {
    weights: Array2<f32>,
    bias: Array1<f32>,
}

/// A layer normalisation: scale and shift for each dimension.
#[derive(Clone, Debug)]
struct Norm {
    scale: Array1<f32>,
    bias: Array1<f32>,
}

impl Transformer {
    /// Reads a file of weights.
    ///
    /// # Errors
    /// Where it is none.
    pub fn read(file: &[u8]) -> Result<Self, Malformed> {
        Self::parse(file, None)
    }

    /// Reads a file of weights without embeddings of pieces, which are those of another: both are kept once.
    ///
    /// # Errors
    /// Where it is none, or of another width.
    pub fn sharing(file: &[u8], other: &Self) -> Result<Self, Malformed> {
        Self::parse(file, Some(other))
    }

    fn parse(file: &[u8], other: Option<&Self>) -> Result<Self, Malformed> {
        let mut rest = Rest(file.strip_prefix(MAGIC).ok_or(Malformed)?);
        let mut size = || rest.number().map(|number| number as usize);
        let sizes = Sizes {
            pieces: size()?,
            positions: size()?,
            width: size()?,
            inner: size()?,
            layers: size()?,
            heads: size()?,
            outputs: size()?,
        };
        let Sizes { pieces, positions, width, inner, layers, heads, outputs } = sizes;
        if heads == 0 || width % heads != 0 {
            return Err(Malformed);
        }
        let words = match other {
            None => Arc::new(rest.bytes(pieces, width)?),
            Some(other) if pieces == 0 && other.sizes.width == width => Arc::clone(&other.words),
            Some(_) => return Err(Malformed),
        };
        let sizes = Sizes { pieces: words.scales.len(), ..sizes };
        let positions = rest.matrix(positions, width)?;
        let norm = rest.norm(width)?;
        let mut layer = || {
            Ok(Layer {
                query: rest.dense(width, width)?,
                key: rest.dense(width, width)?,
                value: rest.dense(width, width)?,
                output: rest.dense(width, width)?,
                attended: rest.norm(width)?,
                up: rest.dense(inner, width)?,
                down: rest.dense(width, inner)?,
                fed: rest.norm(width)?,
            })
        };
        let layers = (0..layers).map(|_| layer()).collect::<Result<_, Malformed>>()?;
        let head = rest.dense(outputs, width)?;
        if rest.0.is_empty() { Ok(Self { sizes, words, positions, norm, layers, head }) } else { Err(Malformed) }
    }

    /// Width of the linear head: how many outputs each place has.
    #[must_use]
    pub fn outputs(&self) -> usize {
        self.sizes.outputs
    }

    /// The outputs at some places of a window, a row each, rounded.
    #[must_use]
    pub fn outputs_at(&self, pieces: &[Piece], places: &[usize]) -> Array2<f32> {
        let mut states = self.embed(pieces);
        for (number, layer) in self.layers.iter().enumerate() {
            // Of the last layer only the places asked for are wanted.
            let is_last = number + 1 == self.layers.len();
            let asking = if is_last { states.select(Axis(0), places) } else { states.clone() };
            states = layer.apply(asking, &states, self.sizes.heads);
        }
        self.head.apply(&states).mapv_into(|output| (output * STEPS).round() / STEPS)
    }

    fn embed(&self, pieces: &[Piece]) -> Array2<f32> {
        let width = self.sizes.width;
        let mut states = Array2::zeros((pieces.len().min(self.sizes.positions), width));
        for ((mut state, &piece), position) in states.rows_mut().into_iter().zip(pieces).zip(self.positions.rows()) {
            let row = usize::from(piece).min(self.sizes.pieces - 1);
            let (scale, weights) = (self.words.scales[row], &self.words.weights[row * width..][..width]);
            for ((state, &weight), &place) in state.iter_mut().zip(weights).zip(position) {
                *state = f32::from(weight) * scale + place;
            }
        }
        self.norm.apply(&mut states);
        states
    }
}

impl Layer {
    /// One block: attention from `asking` to `all`, then feed-forward, both residual.
    fn apply(&self, asking: Array2<f32>, all: &Array2<f32>, heads: usize) -> Array2<f32> {
        let (query, key, value) = (self.query.apply(&asking), self.key.apply(all), self.value.apply(all));
        let width = query.ncols() / heads;
        let scale = 1.0 / (width as f32).sqrt();
        let mut mixed = Array2::zeros(query.raw_dim());
        for head in 0..heads {
            let own = Slice::from(head * width..(head + 1) * width);
            let mut likeness = query.slice_axis(Axis(1), own).dot(&key.slice_axis(Axis(1), own).t());
            likeness.rows_mut().into_iter().for_each(|row| softmax(row, scale));
            mixed.slice_axis_mut(Axis(1), own).assign(&likeness.dot(&value.slice_axis(Axis(1), own)));
        }
        let mut states = asking + self.output.apply(&mixed);
        self.attended.apply(&mut states);
        let mut inner = self.up.apply(&states);
        inner.mapv_inplace(gelu);
        states += &self.down.apply(&inner);
        self.fed.apply(&mut states);
        states
    }
}

impl Dense {
    fn apply(&self, states: &Array2<f32>) -> Array2<f32> {
        let mut found = states.dot(&self.weights.t());
        found += &self.bias;
        found
    }
}

impl Norm {
    fn apply(&self, states: &mut Array2<f32>) {
        for mut row in states.rows_mut() {
            let count = row.len() as f32;
            let mean = row.sum() / count;
            let spread = row.iter().map(|state| (state - mean) * (state - mean)).sum::<f32>() / count;
            let by = 1.0 / (spread + EPSILON).sqrt();
            Zip::from(&mut row)
                .and(&self.scale)
                .and(&self.bias)
                .for_each(|state, scale, bias| *state = (*state - mean) * by * scale + bias);
        }
    }
}

/// Scaled softmax in place.
fn softmax(mut row: ArrayViewMut1<'_, f32>, scale: f32) {
    let most = row.fold(f32::NEG_INFINITY, |most, &one| most.max(one));
    row.mapv_inplace(|one| exp((one - most) * scale));
    let by = 1.0 / row.sum();
    row.mapv_inplace(|one| one * by);
}

/// The Gaussian error linear unit, by its hyperbolic tangent.
fn gelu(x: f32) -> f32 {
    x / (1.0 + exp(-1.595_769 * (x + 0.044_715 * x * x * x)))
}

/// `e` to the power of `x`, by plain arithmetic that compilers make vectors of; to six digits.
fn exp(x: f32) -> f32 {
    /// Adding it rounds to a whole number, which then stands in the last bits.
    const ROUND: f32 = 12_582_912.0;
    let x = x.clamp(-87.0, 87.0);
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let rest = x - (shifted - ROUND) * std::f32::consts::LN_2;
    let series = 1.0
        + rest * (1.0 + rest * (0.5 + rest * (1.0 / 6.0 + rest * (1.0 / 24.0 + rest * (1.0 / 120.0 + rest / 720.0)))));
    series * f32::from_bits(shifted.to_bits().wrapping_sub(ROUND.to_bits()).wrapping_add(127) << 23)
}

/// What is left of a file.
struct Rest<'f>(&'f [u8]);

impl Rest<'_> {
    fn take(&mut self, count: usize) -> Result<&[u8], Malformed> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(Malformed)?;
        self.0 = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u32, Malformed> {
        let bytes = self.take(4)?.try_into().map_err(|_| Malformed)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn floats(&mut self, count: usize) -> Result<Vec<f32>, Malformed> {
        let bytes = self.take(count.checked_mul(4).ok_or(Malformed)?)?;
        Ok(bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect())
    }

    fn bytes(&mut self, rows: usize, columns: usize) -> Result<Bytes, Malformed> {
        let scales = self.floats(rows)?;
        let weights = self.take(rows.checked_mul(columns).ok_or(Malformed)?)?;
        Ok(Bytes { scales, weights: weights.iter().map(|byte| i8::from_le_bytes([*byte])).collect() })
    }

    fn matrix(&mut self, rows: usize, columns: usize) -> Result<Array2<f32>, Malformed> {
        let Bytes { scales, weights } = self.bytes(rows, columns)?;
        let scaled = weights.chunks_exact(columns.max(1)).zip(scales);
        let values = scaled.flat_map(|(row, scale)| row.iter().map(move |&weight| f32::from(weight) * scale));
        Array2::from_shape_vec((rows, columns), values.collect()).map_err(|_| Malformed)
    }

    fn dense(&mut self, rows: usize, columns: usize) -> Result<Dense, Malformed> {
        Ok(Dense { weights: self.matrix(rows, columns)?, bias: self.floats(rows)?.into() })
    }

    fn norm(&mut self, width: usize) -> Result<Norm, Malformed> {
        Ok(Norm { scale: self.floats(width)?.into(), bias: self.floats(width)?.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials_agree_with_the_library() {
        for step in -800..=800 {
            let x = step as f32 / 10.0;
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-5, "{x}");
        }
    }

    #[test]
    fn a_damaged_file_is_refused() {
        assert!(Transformer::read(b"").is_err());
        assert!(Transformer::read(b"GLE1").is_err());
        let mut sizes = b"GLE1".to_vec();
        sizes.extend([u32::MAX; 7].into_iter().flat_map(u32::to_le_bytes));
        assert!(Transformer::read(&sizes).is_err());
    }
}
