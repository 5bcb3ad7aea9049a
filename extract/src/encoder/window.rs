//! Windows: the stretches of a text that the encoder reads at once. Each sentence is judged in one window, in which some of
//! the text to both sides stands too.

use super::wordpiece::{Piece, pieces};
use crate::feature::Sentence;
use std::ops::Range;

/// Most pieces of a sentence.
pub const SENTENCE: usize = 60;
/// Most pieces of the sentences that a window judges.
const CORE: usize = 160;
/// Most pieces that it reads on each side of them.
const SIDE: usize = 40;
/// Longest window, in word pieces.
pub const LONGEST: usize = CORE + 2 * SIDE + 2;
/// What stands before each window and behind it.
pub const ENDS: [Piece; 2] = [101, 102];
/// What stands before a sentence that nobody says; those after it stand for speakers, in the order in which they appear.
pub const NOBODY: Piece = 10;
/// How many speakers of a window are told apart.
const SPEAKERS: usize = 12;

/// A stretch of a text as the encoder reads it.
#[derive(Debug, PartialEq)]
pub struct Window {
    /// What is read.
    pub pieces: Vec<Piece>,
    /// The sentences that it judges.
    pub judged: Range<usize>,
    /// Where the mark of each of them stands in what is read.
    pub marks: Vec<usize>,
}

/// The windows of a text, in order.
#[must_use]
pub fn windows(sentences: &[Sentence<'_>]) -> Vec<Window> {
    let words: Vec<Vec<Piece>> = sentences.iter().map(|sentence| pieces(sentence.text, SENTENCE)).collect();
    let cost = |index: usize| words[index].len() + 1;
    let mut found = Vec::new();
    let mut start = 0;
    while start < sentences.len() {
        let end = start + fitting(start..sentences.len(), CORE, cost).max(1);
        let first = start - fitting((0..start).rev(), SIDE, cost);
        let last = end + fitting(end..sentences.len(), SIDE, cost);
        found.push(window(sentences, &words, first..last, start..end));
        start = end;
    }
    found
}

/// How many of these sentences fit into so many pieces.
fn fitting(sentences: impl Iterator<Item = usize>, most: usize, cost: impl Fn(usize) -> usize) -> usize {
    let sums = sentences.scan(0, |sum, index| {
        *sum += cost(index);
        Some(*sum)
    });
    sums.take_while(|sum| *sum <= most).count()
}

fn window(sentences: &[Sentence<'_>], words: &[Vec<Piece>], read: Range<usize>, judged: Range<usize>) -> Window {
    let mut pieces = vec![ENDS[0]];
    let mut marks = Vec::new();
    let mut speakers: Vec<u32> = Vec::new();
    for index in read {
        if judged.contains(&index) {
            marks.push(pieces.len());
        }
        pieces.push(mark(sentences[index].speaker, &mut speakers));
        pieces.extend(&words[index]);
    }
    pieces.push(ENDS[1]);
    Window { pieces, judged, marks }
}

/// What stands before a sentence of this speaker, who is one of `speakers` from now on.
pub fn mark<S: PartialEq>(speaker: Option<S>, speakers: &mut Vec<S>) -> Piece {
    let Some(speaker) = speaker else { return NOBODY };
    let number = speakers.iter().position(|other| *other == speaker).unwrap_or_else(|| {
        speakers.push(speaker);
        speakers.len() - 1
    });
    NOBODY + 1 + number.min(SPEAKERS - 1) as Piece
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(texts: &[&'static str]) -> Vec<Sentence<'static>> {
        let sentence = |(at, text): (u32, &&'static str)| Sentence {
            text,
            utterance: at,
            speaker: (at > 0).then_some(at % 2),
            ..Sentence::default()
        };
        (0..).zip(texts).map(sentence).collect()
    }

    #[test]
    fn every_sentence_is_judged_once_with_its_neighbours_in_sight() {
        let sentences = said(&["one two three four five six seven eight nine ten"; 200]);
        let found = windows(&sentences);
        let judged: Vec<usize> = found.iter().flat_map(|window| window.judged.clone()).collect();
        assert_eq!(judged, (0..200).collect::<Vec<_>>());
        assert!(found.iter().all(|window| window.pieces.len() <= LONGEST && window.marks.len() == window.judged.len()));
        assert!(found[1].marks[0] > 1, "what stands before is read too");
    }

    #[test]
    fn speakers_are_marked_in_the_order_in_which_they_appear() {
        let found = windows(&said(&["a", "b", "c", "d"]));
        let marks: Vec<Piece> = found[0].marks.iter().map(|&at| found[0].pieces[at]).collect();
        assert_eq!(marks, [10, 11, 12, 11]);
    }
}
