//! The trained weights, part of the binary. `weights/README.md` says what they were trained on.

use crate::model::calibrate::Calibration;
use crate::model::linear::{Linear, Malformed};
use crate::model::table::Table;
use crate::score::MODELS;
use std::sync::OnceLock;

/// Every weight of the engine.
#[derive(Clone, Debug)]
pub struct Weights {
    /// First pass: documents, AMI, ICSI, mail, openings, answers.
    pub first: [Linear; MODELS],
    /// Second pass.
    pub second: Table,
    /// Links between sentences.
    pub link: Table,
    /// Verdicts on tasks.
    pub verdict: Table,
    /// From verdicts to probabilities.
    pub calibration: Calibration,
    /// Least probability of a task, where F1 was best.
    pub threshold: f64,
}

impl Weights {
    /// Reads the weights that are part of the binary.
    ///
    /// # Errors
    /// Where a file of them is malformed.
    pub fn read() -> Result<Self, Malformed> {
        Ok(Self {
            first: [
                Linear::read(include_bytes!("../weights/documents.bin"))?,
                Linear::read(include_bytes!("../weights/ami.bin"))?,
                Linear::read(include_bytes!("../weights/icsi.bin"))?,
                Linear::read(include_bytes!("../weights/mail.bin"))?,
                Linear::read(include_bytes!("../weights/openings.bin"))?,
                Linear::read(include_bytes!("../weights/answers.bin"))?,
            ],
            second: Table::read(include_bytes!("../weights/second.bin"))?,
            link: Table::read(include_bytes!("../weights/link.bin"))?,
            verdict: Table::read(include_bytes!("../weights/verdict.bin"))?,
            threshold: f64::from(f32::from_le_bytes(*include_bytes!("../weights/threshold.bin"))),
            calibration: Calibration::read(include_bytes!("../weights/calibration.bin")).ok_or(Malformed)?,
        })
    }
}

/// The weights, read once. `None` where a file was damaged before it was built in, which a test rules out.
#[must_use]
pub fn weights() -> Option<&'static Weights> {
    static WEIGHTS: OnceLock<Option<Weights>> = OnceLock::new();
    WEIGHTS.get_or_init(|| Weights::read().ok()).as_ref()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_built_in_weights_can_be_read() {
        assert!(super::Weights::read().is_ok());
    }
}
