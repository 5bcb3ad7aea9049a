//! Words and clauses, as far as they help to see what a day is said of.

use crate::word_list::WordList;

/// What joins clauses besides marks.
const JOINTS: [&str; 9] = [" - ", " and ", " so ", " but ", " then ", " because ", " und ", " et ", " y "];

/// The words of a text in lower case.
pub(super) fn words(text: &str) -> Vec<String> {
    let apart = |letter: char| !letter.is_alphanumeric() && !matches!(letter, '\'' | '’' | '_');
    let lower = |word: &str| match word.is_ascii() {
        true => word.to_ascii_lowercase(),
        false => word.to_lowercase().replace('’', "'"),
    };
    text.split(apart).filter(|word| !word.is_empty()).map(lower).collect()
}

/// The number of the list that holds a word.
pub(super) fn class(lists: &[WordList], word: &str) -> Option<u64> {
    lists.iter().position(|list| list.has(word)).map(|at| at as u64)
}

/// The words of the clause that a text ends in; with the one before it, where that is a word or none.
pub(super) fn clause(text: &str) -> Vec<String> {
    let mut end = text.len();
    while let Some((start, from)) = last_joint(&text[..end]) {
        let found = words(&text[from..]);
        if found.len() > 1 {
            return found;
        }
        end = start;
    }
    words(text)
}

/// Where the last joint of a text begins and ends.
fn last_joint(text: &str) -> Option<(usize, usize)> {
    let marks = |letter: char| matches!(letter, ',' | ';' | ':' | '.' | '?' | '!' | '–' | '—' | '(' | ')');
    let mark = text.rfind(marks).map(|at| (at, at + text[at..].chars().next().map_or(1, char::len_utf8)));
    let joints = JOINTS.iter().filter_map(|joint| text.rfind(joint).map(|at| (at, at + joint.len())));
    joints.chain(mark).max()
}

#[cfg(test)]
mod tests {
    use super::clause;

    #[test]
    fn a_clause_begins_behind_the_last_joint_and_has_two_words() {
        assert_eq!(clause("I'll send it tonight, and you look at it"), ["you", "look", "at", "it"]);
        assert_eq!(clause("you look at it and, um,"), ["you", "look", "at", "it", "and", "um"]);
        assert_eq!(clause("er – on"), ["er", "on"]);
    }
}
