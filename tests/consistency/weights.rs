//! Weights are as old as what they were learnt from.

use super::text;
use gleaner_eval::checksums;

#[test]
fn the_weights_were_learnt_from_words_and_texts_as_they_are() {
    let learnt_from = text(&format!("extract/weights/{}", checksums::NAME));
    let now = checksums::of_now().unwrap();
    let changed: Vec<&str> = now.lines().filter(|line| !learnt_from.lines().any(|known| known == *line)).collect();
    assert!(changed.is_empty(), "train again (CONTRIBUTING.md), these have changed since: {changed:#?}");
}
