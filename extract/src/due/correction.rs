//! A day that is taken back in the same breath: "by Thursday, sorry, Friday" means Friday.

use super::Expression;
use crate::word_list::WordList;

/// Words that take back what was just said, wherever they stand.
static TAKES_BACK: WordList =
    WordList::of("sorry actually rather mean scratch correction oops quatsch vielmehr plutôt anzi aliás liever bedoel");
/// Words that do so behind a mark.
static REFUSES: WordList = WordList::of(
    "no nope wait make nein nee moment doch lieber besser meine non pardon enfin perdón mejor digo scusa meglio não desculpa \
    melhor",
);
/// Words that may stand beside them.
static BESIDE: WordList = WordList::of(
    "i that it on by the or oh well uh um er ah let's we'd better say for ich den am bis zum oder äh je veux dire le pour ou \
    el para o io volevo dire il per em na ik of op de um",
);
/// Marks behind which a new start is made.
const MARKS: [char; 11] = [',', ';', '.', '!', '?', '…', '-', '–', '—', '(', ':'];

/// Whether words in front of a day say that it replaces the one named before them.
pub(crate) fn takes_back(words: &str) -> bool {
    let marked = words.contains(MARKS);
    let lower = words.to_lowercase().replace('’', "'");
    let mut words = lower.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty());
    let mut taken = false;
    words.all(|word| {
        let takes = TAKES_BACK.has(word) || marked && REFUSES.has(word);
        taken |= takes;
        takes || BESIDE.has(word)
    }) && taken
}

/// Adds an expression to those before it, in the place of one that it takes back.
pub(super) fn push(found: &mut Vec<Expression>, next: Expression, text: &str) {
    let replaced = found.last().filter(|last| last.partial.names_a_day() && next.partial.names_a_day());
    let start = replaced.filter(|last| takes_back(&text[last.resolved.end..next.resolved.start]));
    let Some(start) = start.map(|last| last.resolved.start) else { return found.push(next) };
    found.pop();
    found.push(Expression { resolved: super::Resolved { start, ..next.resolved }, ..next });
}

#[cfg(test)]
mod tests {
    use crate::due::find;

    #[test]
    fn of_a_day_and_its_correction_the_second_is_meant() {
        for (language, text, day, words) in [
            ("en", "by Thursday, sorry, Friday", "2026-03-06", "Thursday, sorry, Friday"),
            ("en", "by Friday, no wait, make that next Tuesday", "2026-03-10", ""),
            ("en", "on Thursday or rather on Friday", "2026-03-06", ""),
            ("de", "bis Donnerstag, nein, Freitag", "2026-03-06", ""),
            ("fr", "jeudi, enfin plutôt vendredi", "2026-03-06", ""),
        ] {
            let found = find(text, "2026-03-03T10:00:00".parse().unwrap(), Some(language));
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            assert_eq!(found[0].date.to_string(), day, "{text}");
            assert!(words.is_empty() || &text[found[0].start..found[0].end] == words, "{text}: {found:?}");
        }
        for text in ["on Thursday or Friday", "not Thursday, Friday", "on Thursday, and no later than Friday"] {
            assert_eq!(find(text, "2026-03-03T10:00:00".parse().unwrap(), Some("en")).len(), 2, "{text}");
        }
    }
}
