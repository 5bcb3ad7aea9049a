//! Where actions begin in an English sentence: behind "I'll", "can you", "Sam to", at an imperative, at the verb of a person.

use super::kind;
use super::verb;
use super::word::Word;
use crate::word_list::WordList;

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
        "to" if begun(words, at).is_some_and(|from| assigned(&words[from..]) == Some(at - from)) => Form::Third,
        "to" if words.get(at + 1).is_some_and(|next| next.is(kind::VERB)) && before != "to" => Form::Purpose,
        // As speech recognition and hasty fingers write "I'll".
        "ill" if words.get(at + 1).is_some_and(|next| next.is(kind::VERB)) => Form::First,
        "let" if next == "me" => return verb_behind(words, at + 2, Form::First),
        // "I'd be grateful if you sent it".
        _ if CANNOT.has(&word.lower) => Form::Purpose,
        "if" if next == "you" && words[..at].iter().rev().take(NEAR).any(|word| WELCOME.has(&word.lower)) => {
            let at = at + 2;
            return verb::from_past(lower(words, at)).map(|_| Head { at, form: Form::Second });
        }
        "how" | "what" if next == "about" && verb::from_ing(lower(words, at + 2)).is_some() => {
            return Some(Head { at: at + 2, form: Form::Second });
        }
        _ if word.is(kind::MODAL) => who(words, at, next),
        _ => return None,
    };
    verb_behind(words, at + 1, form)
}

/// Where what stands before a word began: behind the last mark, but for that of an abbreviation.
fn begun(words: &[Word<'_>], at: usize) -> Option<usize> {
    let begun =
        words[..at].iter().rposition(|word| word.is(kind::MARK) && word.lower != ".").map_or(0, |mark| mark + 1);
    (at - begun <= NAMES).then_some(begun)
}

/// Most words of a name, with its title and what stands between.
const NAMES: usize = 5;
/// Words within names, and between two.
static WITHIN_NAMES: WordList = WordList::of("van von de der den del della di da du la le el al bin y of and & / .");

/// How many words name who is to act, whoever that is: "Maria Lopez to circulate the minutes", "Chair to write to the bank".
pub(super) fn assigned(words: &[Word<'_>]) -> Option<usize> {
    let name = |(at, word): (usize, &Word<'_>)| {
        // "Mark to order the gravel", "Will to ring the bank", but no "reply to email from Tom".
        let called = at == 0
            && lower(words, 1) == "to"
            && words.get(3).is_some_and(|thing| thing.is(kind::ARTICLE))
            && (word.is(kind::VERB) || matches!(word.lower.as_ref(), "will" | "may"));
        let common = word.is(kind::VERB | kind::FUNCTION | kind::ARTICLE) && (!called || TAKES_TO.has(&word.lower));
        let capital = word.text.starts_with(char::is_uppercase) && !common;
        capital || word.is(kind::NAME) || at > 0 && WITHIN_NAMES.has(&word.lower)
    };
    let names = words.iter().enumerate().take(NAMES).take_while(|word| name(*word)).count();
    let [to, verb, ..] = words.get(names..)? else { return None };
    (names > 0 && to.lower == "to" && verb.is(kind::VERB)).then_some(names)
}

/// Whether another verb may stand behind one with "to", in lower case: "try to reach".
pub(crate) fn takes_to(verb: &str) -> bool {
    TAKES_TO.has(verb)
}

/// Verbs behind which another stands with "to".
static TAKES_TO: WordList = WordList::of(
    "try need want go come plan agree decide promise remember forget hope prefer like love offer aim ask start begin \
    continue prepare arrange wait commit volunteer learn help use do have get work meet stay return travel",
);

/// Whether words with capitals are surely somebody's name: of more than one word, or initials.
pub(super) fn is_name(words: &[Word<'_>]) -> bool {
    const INITIALS: usize = 3;
    let verb = |word: &Word<'_>| word.is(kind::VERB | kind::MODAL);
    words.len() > 1
        || words
            .iter()
            .all(|word| verb(word) || word.text.len() <= INITIALS && word.text.chars().all(char::is_uppercase))
}

/// Words by which somebody says that it is another who must act.
pub(super) static CANNOT: WordList = WordList::of("can't cannot couldn't");

/// Words by which somebody says how welcome it is if another acts, and how near they stand.
static WELCOME: WordList = WordList::of("appreciate grateful great good nice kind lovely helpful glad happy");
const NEAR: usize = 4;

/// Who is to act, by the words around a modal.
fn who(words: &[Word<'_>], at: usize, next: &str) -> Form {
    match (words[at].lower.as_ref(), next) {
        ("please" | "pls" | "plz" | "kindly", _) | (_, "you") | ("you'll" | "you'd", _) => return Form::Second,
        ("i'll" | "i'd" | "we'll" | "we'd" | "gonna" | "wanna" | "lemme" | "imma" | "let's", _) | (_, "i" | "we") => {
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
        None if matches!(words[at].lower.as_ref(), "gonna" | "wanna") => Form::First,
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
            // "Could Mark order it?"
            || (word.is(kind::NAME) && word.is(kind::CAPITAL) && next.is_some_and(|next| next.is(kind::VERB)))
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
    // "Would you mind sending it", "I'd appreciate you calling": whose verb that is, and none of "mind" and "appreciate".
    if matches!(lower(words, at), "mind" | "appreciate") {
        let doing = at + 1 + usize::from(matches!(lower(words, at + 1), "you" | "your"));
        if verb::from_ing(lower(words, doing)).is_some() {
            return Some(Head { at: doing, form: Form::Second });
        } else if lower(words, at) == "appreciate" || lower(words, doing) == "if" {
            return None;
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
    // "The slides need to be sent": nobody is to be that, see [`super::clause`].
    let passive = word.lower == "be" && words.get(at + 1).is_some_and(|next| verb::from_past(&next.lower).is_some());
    if passive && matches!(form, Form::Third | Form::Purpose) {
        return None;
    }
    let thinks = word.lower == "think" && matches!(lower(words, at + 1), "about" | "of" | "through" | "over");
    ((acts && !word.is(kind::STATE)) || strange || thinks).then_some(Head { at, form })
}

/// An action without a lead: an imperative, or the verb of a person.
fn plain(words: &[Word<'_>], at: usize) -> Option<Head> {
    let word = &words[at];
    let opens = at == 0 || words[at - 1].is(kind::MARK | kind::OPENS);
    let named = || {
        words.get(at + 1).is_some_and(|next| {
            // "Bill would you", "Invoice 4471: please pay", "do you".
            let called = word.is(kind::NAME)
                && (next.is(kind::VERB | kind::MODAL | kind::SUBJECT | kind::MARK) || next.lower == "to");
            let numbered = next.is(kind::DIGIT) && lower(words, at + 2) == ":";
            let asks = word.lower == "do" && next.is(kind::SUBJECT) && !next.is(kind::PRONOUN);
            called
                || numbered
                || asks
                || matches!(next.lower.as_ref(), "is" | "are" | "was" | "will" | "has" | "of" | "says" | "were")
        })
    };
    if opens && word.is(kind::VERB) && !named() && assigned(&words[at..]).is_none() {
        if word.lower == "mind" {
            return verb_behind(words, at, Form::Imperative);
        }
        return Some(Head { at, form: Form::Imperative });
    }
    // "Done, thanks" says of nothing that it was done.
    let goes_on = words.get(at + 1).is_some_and(|next| !next.is(kind::MARK));
    if opens && verb::from_past(&word.lower).is_some() && goes_on && at == 0 {
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
        "you" if word.lower == "mind" => verb_behind(words, at, Form::Second),
        "you" if acts => Some(Head { at, form: Form::Second }),
        "i'm" | "we're" | "is" | "are" | "am" | "who's" | "he's" | "she's" | "they're" | "you're"
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
        // "Who waters the plants?"
        "haven't" | "hasn't" if verb::from_past(&word.lower).is_some() => Some(Head { at, form: Form::Need }),
        "who" if at == 1 && verb::from_third(&word.lower).is_some() => Some(Head { at, form: Form::Third }),
        _ if person && (verb::from_third(&word.lower).is_some() || acts) && word.lower != "has" => {
            Some(Head { at, form: Form::Present })
        }
        _ => None,
    }
}
