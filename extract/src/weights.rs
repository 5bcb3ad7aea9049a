//! The trained weights, part of the binary. `weights/README.md` says what they were trained on.

use crate::encoder::Encoder;
use crate::fields::{owned, status};
use crate::link::pair;
use crate::model::calibrate::Calibration;
use crate::model::forest::Forest;
use crate::model::fused_linear::FusedLinear;
use crate::model::hashed_linear::HashedLinear;
use crate::model::linear::{Linear, Malformed};
use crate::score::{self, LINEAR};
use crate::title::TitleModel;
use crate::title::tagger::Tagger;
use crate::verdict;
use std::array;
use std::sync::OnceLock;

/// Every weight of the engine.
#[derive(Clone, Debug)]
pub struct Weights {
    /// First pass: see [`FIRST`].
    pub first: FusedLinear,
    /// First pass: the sentence encoder.
    pub encoder: Encoder,
    /// Links between sentences.
    pub link: Forest,
    /// Which of the days named near a task it is due by.
    pub due: HashedLinear,
    /// Whether a task is done.
    pub status: Forest,
    /// Which title is best, and which are true.
    pub title: TitleModel,
    /// Second pass.
    pub second: Forest,
    /// Verdicts on tasks.
    pub verdict: Forest,
    /// Who owns a task.
    pub owner: owned::OwnerModel,
    /// From verdicts to probabilities.
    pub scale: Scale,
}

/// From logits to probabilities, and where to cut.
#[derive(Clone, Debug)]
pub struct Scale {
    /// From logits to probabilities.
    pub calibration: Calibration,
    /// Least probability of a task that is shown.
    pub threshold: f64,
}

/// The names of the first-pass models, in their order.
pub const FIRST: [&str; LINEAR] = ["documents", "talk", "icsi", "mail", "openings", "continuations"];

macro_rules! built_in {
    ($($name:literal),*) => {
        /// A file of weights that is part of the binary.
        fn built_in(name: &str) -> &'static [u8] {
            match name {
                $($name => include_bytes!(concat!("../weights/", $name, ".bin")),)*
                _ => &[],
            }
        }
    };
}

built_in!(
    "documents",
    "talk",
    "icsi",
    "mail",
    "openings",
    "continuations",
    "encoder",
    "link",
    "due",
    "status",
    "title.worth",
    "title.truth",
    "title.wording",
    "title.tagger",
    "title.readers",
    "second",
    "verdict",
    "owner.words",
    "owner.trees",
    "calibration"
);

impl Weights {
    /// Reads weights from files by name.
    ///
    /// # Errors
    /// Where a file is malformed.
    pub fn parse<'f>(file: impl Fn(&str) -> &'f [u8]) -> Result<Self, Malformed> {
        let models: Vec<Linear> = FIRST.iter().map(|name| Linear::read(file(name))).collect::<Result<_, _>>()?;
        let mut models = models.into_iter();
        let first = array::from_fn(|_| models.next());
        let [Some(a), Some(b), Some(c), Some(d), Some(e), Some(f)] = first else { return Err(Malformed) };
        let encoder = Encoder::read(file("encoder"))?;
        let title = TitleModel::parse(|part| file(&format!("title.{part}")), &encoder)?;
        Ok(Self {
            first: FusedLinear::of([a, b, c, d, e, f]),
            encoder,
            link: Forest::read(file("link"), pair::FEATURE_COUNT)?,
            due: HashedLinear::read(file("due"))?,
            status: Forest::read(file("status"), status::FEATURE_COUNT)?,
            title,
            second: Forest::read(file("second"), score::FEATURE_COUNT)?,
            verdict: Forest::read(file("verdict"), verdict::FEATURE_COUNT)?,
            owner: owned::OwnerModel::parse(|part| file(&format!("owner.{part}")))?,
            scale: Scale::parse(file("calibration"))?,
        })
    }

    /// The files of these weights, but for the encoder's and the tagger's, which are trained apart: name and content.
    #[must_use]
    pub fn files(&self) -> Vec<(String, Vec<u8>)> {
        let models = FIRST.iter().zip(&self.first.models).map(|(name, model)| ((*name).to_owned(), model.write()));
        let mut files: Vec<_> = models.collect();
        files.push(("link".to_owned(), self.link.write()));
        files.push(("due".to_owned(), self.due.write()));
        files.push(("status".to_owned(), self.status.write()));
        files.extend(self.title.trees.files());
        files.push(("second".to_owned(), self.second.write()));
        files.push(("verdict".to_owned(), self.verdict.write()));
        files.extend(self.owner.files());
        files.push(("calibration".to_owned(), self.scale.write()));
        files
    }
}

impl Scale {
    fn parse(file: &[u8]) -> Result<Self, Malformed> {
        let (threshold, points) = file.split_at_checked(4).ok_or(Malformed)?;
        Ok(Self {
            calibration: Calibration::read(points).ok_or(Malformed)?,
            threshold: f64::from(f32::from_le_bytes(threshold.try_into().map_err(|_| Malformed)?)),
        })
    }

    fn write(&self) -> Vec<u8> {
        let mut file = (self.threshold as f32).to_le_bytes().to_vec();
        file.extend(self.calibration.write());
        file
    }
}

/// The encoder that is built in, also where the other weights are none of today's features.
///
/// # Errors
/// Where its file was damaged.
pub fn encoder() -> Result<Encoder, Malformed> {
    Encoder::read(built_in("encoder"))
}

/// The tagger that is built in, which has the embeddings of `encoder`.
///
/// # Errors
/// Where its file was damaged.
pub fn tagger(encoder: &Encoder) -> Result<Tagger, Malformed> {
    Tagger::read(built_in("title.tagger"), encoder.transformer())
}

/// The weights, read once. `None` where a file was damaged before it was built in, which a test rules out.
#[must_use]
pub fn weights() -> Option<&'static Weights> {
    static WEIGHTS: OnceLock<Option<Weights>> = OnceLock::new();
    WEIGHTS.get_or_init(|| Weights::parse(built_in).ok()).as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_weights_can_be_read_and_written_back() {
        let read = weights();
        assert!(read.is_some());
        for (name, file) in read.map(Weights::files).unwrap_or_default() {
            assert!(file == built_in(&name), "{name}");
        }
    }

    #[test]
    fn all_weights_together_stay_small() {
        let files = weights().map(Weights::files).unwrap_or_default();
        let trained: usize = files.iter().map(|(_, file)| file.len()).sum();
        assert!(trained < 8_000_000 && built_in("encoder").len() < 24_000_000);
    }
}
