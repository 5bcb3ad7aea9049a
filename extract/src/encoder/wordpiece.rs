//! The tokenizer of the encoder: WordPiece as BERT has it, lower-cased and without accents (Devlin et al. 2019).

use std::collections::HashMap;
use std::sync::LazyLock;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// The number of a piece in the vocabulary, and the row of its embedding.
pub type Piece = u16;

/// What stands for a word without pieces.
const UNKNOWN: Piece = 100;
/// Longest word that is looked up, in bytes.
const LONGEST: usize = 100;

/// The pieces, one a line; those that continue a word begin with `##`.
static VOCABULARY: &str = include_str!("../../weights/vocabulary.txt");

struct Pieces {
    starts: HashMap<&'static str, Piece>,
    continues: HashMap<&'static str, Piece>,
}

static PIECES: LazyLock<Pieces> = LazyLock::new(|| {
    let (mut starts, mut continues) = (HashMap::new(), HashMap::new());
    for (piece, number) in VOCABULARY.lines().zip(0..) {
        match piece.strip_prefix("##") {
            Some(rest) => continues.insert(rest, number),
            None => starts.insert(piece, number),
        };
    }
    Pieces { starts, continues }
});

/// The first pieces of a text, at most `most`.
#[must_use]
pub fn pieces(text: &str, most: usize) -> Vec<Piece> {
    let mut found = Vec::new();
    let mut word = String::new();
    for letter in text.nfd().filter(|letter| !is_combining_mark(*letter)).flat_map(char::to_lowercase) {
        if letter.is_alphanumeric() && !is_ideograph(letter) {
            word.push(letter);
            continue;
        }
        add(&word, &mut found);
        word.clear();
        if !letter.is_whitespace() && !letter.is_control() {
            add(letter.encode_utf8(&mut [0; 4]), &mut found);
        }
        if found.len() >= most {
            break;
        }
    }
    add(&word, &mut found);
    found.truncate(most);
    found
}

/// Adds the pieces of a word: always the longest that fits next, or one unknown where none does.
fn add(word: &str, found: &mut Vec<Piece>) {
    if word.is_empty() {
        return;
    }
    let start = found.len();
    let mut rest = word;
    while !rest.is_empty() && word.len() <= LONGEST {
        let table = if rest.len() == word.len() { &PIECES.starts } else { &PIECES.continues };
        let ends = (1..=rest.len()).rev().filter(|&end| rest.is_char_boundary(end));
        let fits = ends.into_iter().find_map(|end| Some((end, *table.get(&rest[..end])?)));
        let Some((end, piece)) = fits else { break };
        found.push(piece);
        rest = &rest[end..];
    }
    if !rest.is_empty() {
        found.truncate(start);
        found.push(UNKNOWN);
    }
}

/// Whether a letter is a word by itself.
fn is_ideograph(letter: char) -> bool {
    matches!(letter, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<&'static str> {
        let lines: Vec<&str> = VOCABULARY.lines().collect();
        pieces(text, 60).into_iter().map(|piece| lines[piece as usize]).collect()
    }

    #[test]
    fn words_become_the_longest_pieces_that_fit() {
        assert_eq!(
            read("I'll re-run Zoë's embeddings!"),
            ["i", "'", "ll", "re", "-", "run", "zoe", "'", "s", "em", "##bed", "##ding", "##s", "!"]
        );
        assert_eq!(read("  \u{7}"), [""; 0]);
        assert_eq!(read(&"x".repeat(200)), ["[UNK]"]);
    }

    #[test]
    fn a_long_text_is_cut() {
        assert_eq!(pieces(&"word ".repeat(1_000_000), 60).len(), 60);
    }
}
