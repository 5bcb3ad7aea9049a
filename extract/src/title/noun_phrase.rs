//! Noun phrases that a sentence names, which may stand for a pronoun of another.

use super::kind;
use super::word::Word;
use crate::word_list::WordList;

/// A noun phrase.
#[derive(Clone, Debug)]
pub(super) struct NounPhrase<'a> {
    /// The words, its article first.
    pub words: Vec<Word<'a>>,
    /// Which word of its sentence it begins at.
    pub at: usize,
    /// Whether it goes on behind an "of" or "for".
    pub long: bool,
}

/// Verbs that are no noun's name, beside those that people do.
static HAPPENS: WordList = WordList::of(
    "expire expires expired arrive arrives arrived happen happens occur occurs belong belongs exist exists remains owe owes appreciate",
);

/// Most words of a noun phrase.
const LONGEST: usize = 7;
/// Most noun phrases of one sentence.
const MOST: usize = 12;

/// The noun phrases of a sentence, in order.
pub(super) fn phrases<'a>(words: &[Word<'a>]) -> Vec<NounPhrase<'a>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() && found.len() < MOST {
        let Some(end) = phrase_end(words, at) else {
            at += 1;
            continue;
        };
        let phrase = |end: usize, long: bool| NounPhrase { words: words[at..end].to_vec(), at, long };
        found.push(phrase(end, false));
        let linked = words.get(end).is_some_and(|link| link.is(kind::LINK));
        if let Some(further) =
            linked.then(|| phrase_end(words, end + 1)).flatten().filter(|further| further - at <= LONGEST)
        {
            found.push(phrase(further, true));
        }
        at = end;
    }
    found
}

/// The end of the noun phrase that begins at a word.
fn phrase_end(words: &[Word<'_>], at: usize) -> Option<usize> {
    let first = words.get(at)?;
    let opened = first.is(kind::ARTICLE)
        && !words.get(at + 1).is_some_and(|next| next.is(kind::ARTICLE) && next.lower != "other");
    let from = at + usize::from(opened);
    // Without an article, a verb that people do is taken for one.
    let noun = |at: usize| {
        let word = &words[at];
        // "Invoice 4471" is one for all that people invoice.
        let numbered = words.get(at + 1).is_some_and(|next| next.is(kind::DIGIT) && !next.is(kind::DATE));
        let verb = word.is(kind::VERB | kind::STATE) && at == from && !opened && !word.is(kind::CAPITAL) && !numbered
            || HAPPENS.has(&word.lower);
        word.tells()
            && !word.is(kind::DATE | kind::BREAK)
            && !verb
            && (!word.lower.ends_with("ly") || word.is(kind::CAPITAL))
    };
    let count = (from..words.len()).take(LONGEST - 1).take_while(|at| noun(*at)).count();
    // "Can one of the nurses take it": there its verb ends.
    let acts = |at: usize| {
        words[at].is(kind::VERB) && words.get(at + 1).is_some_and(|next| next.is(kind::ARTICLE | kind::PRONOUN))
    };
    let count = if count > 1 && acts(from + count - 1) { count - 1 } else { count };
    // "A new one" names nothing.
    let stands_for = words.get(from + count).is_some_and(|next| matches!(next.lower.as_ref(), "one" | "ones"));
    (count > 0 && !stands_for).then_some(from + count)
}

impl<'a> NounPhrase<'a> {
    /// The word that says what it is: the last one of its first part.
    pub fn head(&self) -> Option<&Word<'a>> {
        let end = self.words.iter().skip(1).position(|word| word.is(kind::LINK)).map_or(self.words.len(), |at| at + 1);
        self.words.get(end.checked_sub(1)?)
    }

    /// The same in lower case.
    pub fn noun(&self) -> &str {
        self.head().map_or("", |word| word.lower.as_ref())
    }

    /// Whether it is of more than one.
    pub fn is_many(&self) -> bool {
        let noun = self.noun();
        noun.ends_with('s') && !noun.ends_with("ss") && !noun.ends_with("'s")
    }
}
