//! The sentence encoder: a small transformer that reads English text in windows and says of each sentence whether it is part of
//! a task, whether one begins with it, and whether it belongs to one that began before. One more view for the second pass: it
//! errs elsewhere than the linear models do.

pub mod transformer;
pub mod window;
pub mod wordpiece;

use crate::feature::Sentence;
use crate::model::linear::Malformed;
use transformer::Transformer;
use window::{Window, windows};

/// What the encoder says of a sentence: part of a task, its first part, a later part.
pub const OUTPUTS: usize = 3;
/// What it says of a sentence that it was not asked about.
pub const UNREAD: f32 = -8.0;
/// Most windows of a text that are read: to read one takes some 70 ms of a processor, an hour of talk has thirty, and check
/// lists of 200,000 characters a thousand.
const MOST: usize = 22;

/// The windows of a text that are worth reading, the `MOST` likeliest of them.
#[must_use]
pub fn likeliest(sentences: &[Sentence<'_>], encoder_priority: impl Fn(usize) -> Option<f32>) -> Vec<Window> {
    if !(0..sentences.len()).any(|index| encoder_priority(index).is_some()) {
        return Vec::new();
    }
    let best = |window: &Window| window.judged.clone().filter_map(&encoder_priority).max_by(f32::total_cmp);
    let mut found: Vec<_> =
        windows(sentences).into_iter().filter_map(|window| Some((best(&window)?, window))).collect();
    found.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    found.into_iter().take(MOST).map(|(_, window)| window).collect()
}

/// The sentence encoder with its weights.
#[derive(Clone, Debug)]
pub struct Encoder {
    model: Transformer,
}

impl Encoder {
    /// Reads a file of weights.
    ///
    /// # Errors
    /// Where it is none.
    pub fn read(file: &[u8]) -> Result<Self, Malformed> {
        let model = Transformer::read(file)?;
        if model.outputs() == OUTPUTS { Ok(Self { model }) } else { Err(Malformed) }
    }

    /// The transformer itself, whose embeddings others share.
    #[must_use]
    pub fn transformer(&self) -> &Transformer {
        &self.model
    }

    /// Logits of every sentence, [`UNREAD`] where its window is none of those that are [read](likeliest).
    /// `encoder_priority` says how likely a sentence is to be worth reading, `None` for one that needs no reading.
    #[must_use]
    pub fn logits(
        &self,
        sentences: &[Sentence<'_>],
        encoder_priority: impl Fn(usize) -> Option<f32>,
    ) -> [Vec<f32>; OUTPUTS] {
        let mut logits = std::array::from_fn(|_| vec![UNREAD; sentences.len()]);
        for window in likeliest(sentences, encoder_priority) {
            let found = self.model.outputs_at(&window.pieces, &window.marks);
            for (index, row) in window.judged.zip(found.rows()) {
                logits.iter_mut().zip(row).for_each(|(logits, logit)| logits[index] = *logit);
            }
        }
        logits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(count: u32) -> Vec<Sentence<'static>> {
        let text = "can you send the offer to the customer by Friday";
        let sentence = |at| Sentence { text, utterance: at, speaker: Some(at % 2), ..Sentence::default() };
        (0..count).map(sentence).collect()
    }

    #[test]
    fn the_likeliest_windows_are_read_and_no_more_than_may_be() {
        let sentences = said(5_000);
        let found = likeliest(&sentences, |index| (index >= 100).then_some(-(index as f32)));
        assert_eq!(found.len(), MOST);
        assert!(found[0].judged.contains(&100));
        assert_eq!(likeliest(&sentences, |_| None), []);
    }

    #[test]
    fn what_is_read_gets_logits_and_what_is_not_gets_none() {
        let Ok(encoder) = crate::weights::encoder() else { panic!("the weights are damaged") };
        let sentences = said(60);
        let logits = encoder.logits(&sentences, |index| (index == 0).then_some(0.0));
        assert!(logits[0][0] > UNREAD && logits[0][59] == UNREAD);
        assert_eq!(logits, encoder.logits(&sentences, |index| (index == 0).then_some(0.0)));
    }
}
