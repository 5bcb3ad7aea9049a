//! What is said of a thing instead of whoever acts: "the kits need checking", "labels to be printed".

use super::boundary::{FINITE, boundary, is_dated};
use super::clause::{Clause, End, shorten};
use super::head::Form;
use super::kind::{self, Lexicon};
use super::tidy::tidy;
use super::verb;
use super::word::Word;
use crate::word_list::WordList;

/// "the kits need checking", "it has to be sent", "labels to be printed", "it hasn't been sent": the verb in its plain form,
/// then its thing.
pub(super) fn need<'a>(words: &[Word<'a>], lexicon: &Lexicon) -> Option<Clause<'a>> {
    let (at, until, verb) = (1..words.len().saturating_sub(1)).find_map(|at| done_to(words, at))?;
    let from = words[..until]
        .iter()
        .rposition(|word| {
            word.is(kind::MARK | kind::STATE)
                || FINITE.has(&word.lower)
                || matches!(word.lower.as_ref(), "and" | "so" | "but" | "if" | "that")
        })
        // "That has to be sent": there it is the thing itself.
        .map_or(0, |mark| mark + usize::from(mark + 1 < until || words[mark].lower != "that"));
    let thing = thing(&words[from..until], lexicon)?;
    let mut verbs = vec![Word::new(verb, lexicon)];
    let mut behind = at + 2;
    // "Countersigned and scanned".
    while let Some([and, other]) = words.get(behind..behind + 2)
        && and.lower == "and"
        && let Some(other) = verb::from_past(&other.lower)
    {
        verbs.extend([and.clone(), Word::new(other, lexicon)]);
        behind += 2;
    }
    let to = (behind..words.len()).find(|to| boundary(words, behind - 1, *to).is_some()).unwrap_or(words.len());
    let mut title = verbs;
    title.extend(thing);
    title.extend((behind..to).filter(|at| !is_dated(words, *at)).map(|at| words[at].clone()));
    shorten(&mut title);
    tidy(&mut title);
    Some(Clause {
        words: title,
        form: Form::Need,
        at: from,
        left: words.len() - to,
        end: End::Sentence,
        doubtful: false,
    })
}

/// Where a word says that something is to be done to a thing: the word before the verb, the end of what stands before it, and
/// the verb.
pub(super) fn done_to(words: &[Word<'_>], at: usize) -> Option<(usize, usize, String)> {
    let said = |at: usize| words.get(at).map_or("", |word| word.lower.as_ref());
    // What stands before a word, but for "still" and "also".
    let before = |at: usize| (0..at).rev().find(|at| !words[*at].is(kind::BETWEEN) || words[*at].is(kind::SUBJECT));
    let next = said(at + 1);
    match said(at) {
        "need" | "needs" => Some((at, at, verb::from_ing(next)?)),
        "been" => {
            let not = before(at).filter(|not| matches!(said(*not), "haven't" | "hasn't" | "not"))?;
            let not =
                if said(not) == "not" { before(not).filter(|has| matches!(said(*has), "have" | "has"))? } else { not };
            Some((at, not, verb::from_past(next)?))
        }
        "be" => {
            let lead = before(at).filter(|lead| matches!(said(*lead), "to" | "must" | "should"))?;
            let modal = before(lead).filter(|modal| said(lead) == "to" && NEEDS.has(said(*modal)));
            Some((at, modal.unwrap_or(lead), verb::from_past(next)?))
        }
        _ => None,
    }
}

/// Words that stand before "to be done".
static NEEDS: WordList = WordList::of("need needs has have got ought is are");

/// What something is to be done to, without what leads to it.
fn thing<'a>(words: &[Word<'a>], lexicon: &Lexicon) -> Option<Vec<Word<'a>>> {
    let from =
        words.iter().position(|word| !word.is(kind::BETWEEN) || word.is(kind::ARTICLE) || word.lower == "they")?;
    let to = words.iter().rposition(|word| !word.is(kind::BETWEEN) || word.lower == "they")? + 1;
    let words = words.get(from..to)?;
    match words {
        [word] if word.lower == "they" => return Some(vec![Word::new("them", lexicon)]),
        [word] if word.is(kind::PRONOUN) => return Some(vec![Word::new(word.lower.clone(), lexicon)]),
        _ => {}
    }
    let acts = |word: &Word<'_>| word.is(kind::SUBJECT) && !word.is(kind::ARTICLE);
    if !words.iter().any(Word::tells) || words.iter().any(acts) {
        return None;
    }
    let mut thing: Vec<Word<'a>> =
        (0..words.len()).filter(|at| !is_dated(words, *at)).map(|at| words[at].clone()).collect();
    if let Some(first) = thing.first_mut() {
        inside(first, lexicon);
    }
    Some(thing)
}

/// Takes from a word that begins its sentence the capital that it has only for that, where its own kind shows it.
pub(super) fn inside(word: &mut Word<'_>, lexicon: &Lexicon) {
    let many = word.lower.ends_with('s') && !word.lower.ends_with("ss") && !word.lower.ends_with("'s");
    let common = many || word.is(kind::ARTICLE | kind::VERB);
    let spelt = word.text.chars().skip(1).all(|letter| !letter.is_uppercase());
    if common && spelt && !word.is(kind::NAME | kind::CAPITAL) {
        *word = Word { kinds: word.kinds, ..Word::new(word.lower.clone().into_owned(), lexicon) };
    }
}
