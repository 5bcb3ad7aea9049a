//! Where actions begin in an English sentence: behind "I'll", "can you", "Sam to", at an imperative, at the verb of a person.

use super::kind;
use super::verb;
use super::word::Word;

/// In what form an action is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    /// No form is seen; the sentence as it stands.
    Bare,
    /// "I sent it": of a task that is already done.
    Past,
    /// "it needs checking", "X has to be sent".
    Need,
    /// "… to send the file", behind something else than a promise or request.
    Purpose,
    /// "Sam orders the tank", "I order the tank".
    Present,
    /// "Send me the file".
    Imperative,
    /// "I'll", "let me".
    First,
    /// "can you", "you need to".
    Second,
    /// "Sam to", "she'll", "somebody should".
    Third,
}

/// An action that begins at a word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    /// Where its verb stands.
    pub at: usize,
    /// In what form it is said.
    pub form: Form,
}

/// Most actions of one sentence.
const MOST: usize = 8;

/// The actions that a sentence names, in order.
pub(super) fn heads(words: &[Word<'_>]) -> Vec<Head> {
    let mut found: Vec<Head> = Vec::new();
    for at in 0..words.len() {
        if let Some(head) = led(words, at).or_else(|| plain(words, at))
            && found.iter().all(|known| known.at != head.at)
            && found.len() < MOST
        {
            found.push(head);
        }
    }
    found.sort_by_key(|head| head.at);
    found
}

fn lower<'w>(words: &'w [Word<'_>], at: usize) -> &'w str {
    words.get(at).map_or("", |word| word.lower.as_ref())
}

/// An action behind "will", "can you", "have to", "please".
fn led(words: &[Word<'_>], at: usize) -> Option<Head> {
    let word = &words[at];
    let before = at.checked_sub(1).map_or("", |at| lower(words, at));
    let next = lower(words, at + 1);
    let form = match word.lower.as_ref() {
        "to" if at > 0 && words[at - 1].is(kind::LEADS_TO | kind::NAME) => who(words, at - 1, ""),
        "to" if words.get(at + 1).is_some_and(|next| next.is(kind::VERB)) && before != "to" => Form::Purpose,
        // As speech recognition and hasty fingers write "I'll".
        "ill" if words.get(at + 1).is_some_and(|next| next.is(kind::VERB)) => Form::First,
        "let" if next == "me" => return verb_behind(words, at + 2, Form::First),
        _ if word.is(kind::MODAL) => who(words, at, next),
        _ => return None,
    };
    verb_behind(words, at + 1, form)
}

/// Who is to act, by the words around a modal.
fn who(words: &[Word<'_>], at: usize, next: &str) -> Form {
    match (words[at].lower.as_ref(), next) {
        ("please" | "pls" | "plz" | "kindly", _) | (_, "you") | ("you'll" | "you'd", _) => return Form::Second,
        ("i'll" | "i'd" | "we'll" | "we'd" | "gonna" | "wanna" | "lemme" | "let's", _) | (_, "i" | "we") => {
            return Form::First;
        }
        ("you", _) => return Form::Second,
        _ => {}
    }
    let subject =
        words[at.saturating_sub(4)..at].iter().rev().find(|word| word.is(kind::SUBJECT | kind::NAME | kind::MARK));
    match subject.map(|word| word.lower.as_ref()) {
        Some("i" | "i've" | "i'm" | "i'd" | "i'll" | "we" | "we've" | "we're" | "we'll" | "we'd") => Form::First,
        Some("you" | "you're" | "you'll" | "you'd" | "you've") => Form::Second,
        _ => Form::Third,
    }
}

/// The verb behind a lead: what is said in between, and "go and" and "try to", is skipped.
fn verb_behind(words: &[Word<'_>], from: usize, form: Form) -> Option<Head> {
    let mut at = from;
    for _ in 0..6 {
        let (word, next) = (words.get(at)?, words.get(at + 1));
        let goes_on = next.is_some_and(|next| next.is(kind::VERB | kind::BETWEEN | kind::STATE) || next.lower == "to");
        let light = matches!(
            word.lower.as_ref(),
            "try"
                | "go"
                | "want"
                | "need"
                | "have"
                | "like"
                | "love"
                | "able"
                | "be"
                | "going"
                | "hope"
                | "plan"
                | "promise"
        );
        let to = light
            && matches!(lower(words, at + 1), "to" | "and" | "able" | "going")
            && words.get(at + 2).is_some_and(|verb| {
                !verb.is(kind::ARTICLE | kind::MARK) && (word.lower != "go" || lower(words, at + 1) == "and")
            });
        let be_ing = word.lower == "be" && next.is_some_and(|next| verb::from_ing(&next.lower).is_some());
        if be_ing {
            return Some(Head { at: at + 1, form });
        } else if to {
            at += 2;
        } else if word.is(kind::DATE)
            || (word.is(kind::NAME | kind::BETWEEN | kind::MARK | kind::MODAL) && goes_on && !word.is(kind::VERB))
            || (word.lower == "not")
        {
            if word.lower == "not" {
                return None;
            }
            at += 1;
        } else {
            break;
        }
    }
    let word = words.get(at)?;
    let acts = word.is(kind::VERB) || matches!(word.lower.as_ref(), "do" | "have" | "get" | "go" | "let" | "be");
    let spelt = word.lower.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-');
    let strange = word.tells()
        && spelt
        && !word.is(kind::DATE | kind::NAME | kind::STATE)
        && !word.lower.ends_with("ly")
        && form != Form::Purpose;
    let thinks = word.lower == "think" && matches!(lower(words, at + 1), "about" | "of" | "through" | "over");
    ((acts && !word.is(kind::STATE)) || strange || thinks).then_some(Head { at, form })
}

/// An action without a lead: an imperative, or the verb of a person.
fn plain(words: &[Word<'_>], at: usize) -> Option<Head> {
    let word = &words[at];
    let opens = at == 0 || words[at - 1].is(kind::MARK | kind::OPENS);
    let named = || {
        words.get(at + 1).is_some_and(|next| {
            matches!(next.lower.as_ref(), "is" | "are" | "was" | "will" | "has" | "of" | "says" | "were")
        })
    };
    if opens && word.is(kind::VERB) && !named() {
        return Some(Head { at, form: Form::Imperative });
    }
    if opens && verb::from_past(&word.lower).is_some() && at + 1 < words.len() && at == 0 {
        return Some(Head { at, form: Form::Past });
    }
    if at == 0 {
        return None;
    }
    let (before, earlier) = (&words[at - 1], at.checked_sub(2).map_or("", |at| lower(words, at)));
    let (who, skipped) = if before.is(kind::BETWEEN) && !before.is(kind::SUBJECT) && at > 1 {
        (earlier, true)
    } else {
        (before.lower.as_ref(), false)
    };
    let person = before.is(kind::NAME) || (skipped && words[at - 2].is(kind::NAME));
    let acts = word.is(kind::VERB) && !word.is(kind::STATE);
    match who {
        // "We have new microphones" tells what is there.
        "i" | "we" | "they" if acts && word.lower != "have" => Some(Head { at, form: Form::Present }),
        "you" if acts => Some(Head { at, form: Form::Second }),
        "i'm" | "we're" | "is" | "are" | "am" | "he's" | "she's" | "they're" | "you're"
            if !matches!(word.lower.as_ref(), "going" | "trying" | "planning" | "looking" | "working")
                && verb::from_ing(&word.lower).is_some() =>
        {
            Some(Head { at, form: Form::Present })
        }
        "i" | "i've" | "we" | "we've" | "have" | "has" | "he" | "she" | "they"
            if verb::from_past(&word.lower).is_some() && !word.is(kind::STATE) =>
        {
            Some(Head { at, form: Form::Past })
        }
        "he" | "she" if verb::from_third(&word.lower).is_some() => Some(Head { at, form: Form::Present }),
        _ if person && (verb::from_third(&word.lower).is_some() || acts) && word.lower != "has" => {
            Some(Head { at, form: Form::Present })
        }
        _ => None,
    }
}
