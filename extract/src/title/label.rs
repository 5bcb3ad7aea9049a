//! Labels before what a line of a note says is to be done.

use super::kind;
use super::word::Word;
use crate::word_list::WordList;

/// What stands behind the labels of a note: "- [ ]", "ACTION:", "@sam", "Sam:", "3.", "|".
pub(super) fn unlabelled<'w, 'a>(mut words: &'w [Word<'a>]) -> &'w [Word<'a>] {
    for _ in 0..6 {
        let Some(first) = words.first() else { break };
        let mark = words.iter().take(5).position(|word| {
            matches!(word.lower.as_ref(), ":" | "→" | "–" | "—" | "|" | "-")
                && !(word.is(kind::JOINED) && word.lower == "-")
        });
        let numbering = first.lower.chars().all(|c| c.is_ascii_digit())
            && words.get(1).is_some_and(|word| matches!(word.lower.as_ref(), "." | ")") && word.is(kind::JOINED));
        let drop = match mark {
            _ if first.is(kind::MARK) => 1,
            _ if numbering => 2,
            _ if first.lower.starts_with('@') && words.len() > 2 => 1 + surnames(&words[1..]),
            _ if first.text == "TODO" && words.get(1).is_some_and(|verb| verb.is(kind::VERB)) => 1,
            Some(at) if words.len() > at + 2 && is_label(&words[..at]) => at + 1,
            _ => 0,
        };
        if drop == 0 {
            break;
        }
        words = &words[drop..];
    }
    words
}

/// How many words behind "@wei" are of the same name.
fn surnames(words: &[Word<'_>]) -> usize {
    const SURNAMES: usize = 2;
    let begins = kind::SUBJECT | kind::FUNCTION | kind::VERB | kind::MODAL | kind::ARTICLE;
    let name = |word: &&Word<'_>| word.is(kind::NAME) || word.is(kind::CAPITAL) && !word.is(begins);
    words.iter().take(SURNAMES).take_while(name).count()
}

/// Whether words before a colon or dash name a person or a kind of note.
fn is_label(words: &[Word<'_>]) -> bool {
    static KINDS: WordList = WordList::of(
        "action todo ai task actions next follow-up me owner a.i decision we todos urgent fyi team item all both \
        everybody everyone + and & /",
    );
    // "Kostas / Dimitra": of two words so joined each is a name.
    let joined = words.iter().any(|word| matches!(word.lower.as_ref(), "/" | "&" | "+" | "and"));
    let all = words.iter().filter(|word| !word.is(kind::MARK)).all(|word| {
        let capital = word.text.starts_with(char::is_uppercase);
        KINDS.has(&word.lower) || word.is(kind::NAME) || capital && (word.text.len() <= 3 || joined)
    });
    all || (words.len() == 1 && words[0].text.starts_with(char::is_uppercase) && !words[0].is(kind::VERB))
}
