//! Labels of notes: "- [ ]", "ACTION:", "@sam", "Sam:", "3.".

use super::kind;
use super::word::{Word, has};

/// Takes away what stands before a note: "- [ ]", "ACTION:", "@sam", "Sam:", "3.", "| ", and a title of a table's cell.
pub(super) fn unlabelled<'a>(mut words: Vec<Word<'a>>) -> Vec<Word<'a>> {
    for _ in 0..6 {
        let mark = words.iter().take(5).position(|word| matches!(word.lower.as_ref(), ":" | "→" | "–" | "—" | "|"));
        let first = words.first().map(|word| word.lower.clone()).unwrap_or_default();
        let numbering = first.chars().all(|c| c.is_ascii_digit())
            && words.get(1).is_some_and(|word| matches!(word.lower.as_ref(), "." | ")") && word.joined);
        let drop = match mark {
            _ if first.is_empty() => 0,
            _ if words[0].is_mark() => 1,
            _ if numbering => 2,
            _ if first.starts_with('@') && words.len() > 2 => 1,
            Some(at) if at > 0 && words.len() > at + 2 && is_label(&words[..at]) => at + 1,
            _ => 0,
        };
        if drop == 0 {
            break;
        }
        words.drain(..drop);
    }
    words
}

/// Whether words before a colon or dash name a person or a kind of note.
fn is_label(words: &[Word<'_>]) -> bool {
    const KINDS: &str = "action todo ai task actions next follow-up me owner a.i decision we todos urgent fyi team";
    let all = words.iter().filter(|word| !word.is_mark()).all(|word| {
        let capital = word.text.chars().next().is_some_and(char::is_uppercase);
        has(KINDS, &word.lower)
            || word.is(kind::NAME)
            || capital && word.text.len() <= 3
            || matches!(word.lower.as_ref(), "+" | "and" | "&" | "item")
    });
    let one = words.len() == 1 && words[0].text.chars().next().is_some_and(char::is_uppercase) && !words[0].verb;
    all || one
}
