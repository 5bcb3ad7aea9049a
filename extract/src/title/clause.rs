//! Clauses: what a sentence says is to be done, from the verb to where something else begins, in the form of a title.

use super::foreign;
use super::head::{Form, Head, heads};
use super::kind::{self, Lexicon};
use super::verb;
use super::word::Word;
use crate::word_list::WordList;

/// A stretch of a sentence that may be a title.
#[derive(Clone, Debug)]
pub(super) struct Clause<'a> {
    /// The words, the verb first.
    pub words: Vec<Word<'a>>,
    /// In what form it is said.
    pub form: Form,
    /// Which word of its sentence it begins at.
    pub at: usize,
    /// How many words of its sentence stand behind it.
    pub left: usize,
    /// What it ends at.
    pub end: End,
    /// Whether the sentence refuses, doubts or asks what is not meant as a request: "I don't send", "if I send".
    pub doubtful: bool,
}

/// What a clause ends at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The end of its sentence.
    Sentence,
    /// A comma or another mark.
    Mark,
    /// A reason, a condition, a second clause.
    Break,
    /// A day or hour.
    Date,
    /// As many words as a title may have.
    Length,
}

/// Most words of a title.
pub(super) const LONGEST: usize = 12;
/// Most places where a clause may end.
const ENDS: usize = 6;
/// Words before a verb that may deny it.
const NEAR: usize = 6;

/// The clauses of a sentence.
pub(super) fn clauses<'a>(words: &[Word<'a>], language: &str) -> Vec<Clause<'a>> {
    let all = words.len();
    let words = unlabelled(words);
    let mut found = Vec::new();
    if language.starts_with("en") {
        let lexicon = Lexicon::of(language);
        let heads = heads(words);
        found.extend(need(words, lexicon));
        for head in &heads {
            shapes(words, *head, lexicon, &mut found);
        }
    } else {
        found.extend(foreign::clause(words, language));
    }
    let begins = words.iter().position(|word| !word.is(kind::MARK | kind::OPENS)).unwrap_or(0);
    // Whoever is called or told to act is no part of it: "Sam, the logs", "the designer to draw it".
    let names = words[begins..].iter().take_while(|word| word.is(kind::NAME) || word.lower == "the").count();
    let called = words[begins..][..names].iter().any(|word| word.is(kind::NAME))
        && words.get(begins + names).is_some_and(|word| matches!(word.lower.as_ref(), "," | ":" | "to"));
    let named = if called { Some(names) } else { assigned(&words[begins..]).filter(|_| words.len() < all) };
    let begins = named.map(|names| begins + names + 1).filter(|verb| *verb < words.len()).unwrap_or(begins);
    shapes(words, Head { at: begins, form: Form::Bare }, Lexicon::of(language), &mut found);
    found.iter_mut().for_each(|clause| clause.at += all - words.len());
    found
}

/// How many words name whom the note behind a label is for, whoever that is: "ACTION: Maria Lopez to circulate the minutes".
fn assigned(words: &[Word<'_>]) -> Option<usize> {
    const NAMES: usize = 3;
    let name = |word: &&Word<'_>| {
        word.text.starts_with(char::is_uppercase) && !word.is(kind::VERB | kind::FUNCTION | kind::ARTICLE)
    };
    let names = words.iter().take(NAMES).take_while(name).count();
    let [to, verb, ..] = words.get(names..)? else { return None };
    (names > 0 && to.lower == "to" && verb.is(kind::VERB)).then_some(names)
}

/// Words that stand for somebody or something.
const STANDS_FOR: kind::Kinds = kind::PRONOUN | kind::PERSON;
/// Verbs that say of another how it is meant.
static ABOUT_TO: WordList = WordList::of(
    "have need want try do going agree plan decide promise remember hope prefer like love offer intend mean aim \
    volunteer",
);

/// The clauses that begin at a verb.
fn shapes<'a>(words: &[Word<'a>], head: Head, lexicon: &Lexicon, found: &mut Vec<Clause<'a>>) {
    let Head { mut at, form } = head;
    // "Agree to publish", "the thing to do is to ask", "do send".
    while let [first, next, ..] = &words[at.min(words.len())..] {
        let leads = ABOUT_TO.has(&first.lower);
        at += match next.lower.as_ref() {
            "to" | "is" if leads => 2,
            _ if first.lower == "do" && next.is(kind::VERB) => 1,
            _ => break,
        };
    }
    if at >= words.len() {
        return;
    }
    let doubtful = words[at.saturating_sub(NEAR)..at].iter().any(|word| word.is(kind::DOUBT));
    let mut push = |to: usize, end: End| {
        let said = &words[at..to];
        let bare: Vec<Word<'a>> = undated(said).cloned().collect();
        // "Take the Thursday one", "cover the 12th": there the day is the thing.
        let lacks = bare.len() < said.len() && !bare.iter().skip(1).any(|word| word.tells() || word.is(STANDS_FOR));
        for mut kept in lacks.then(|| said.to_vec()).into_iter().chain([bare]) {
            let cut = kept.len() > LONGEST;
            kept.truncate(LONGEST);
            tidy(&mut kept);
            if let Some(first) = kept.first_mut().filter(|_| form != Form::Bare) {
                base(first, form, lexicon);
            }
            let end = if cut { End::Length } else { end };
            let clause = Clause { words: kept, form, at, left: words.len() - to, end, doubtful };
            let new = found.iter().all(|known| known.at != at || known.words != clause.words);
            if !clause.words.is_empty() && new {
                found.push(clause);
            }
        }
    };
    let mut ends = 0;
    for to in at + 1..words.len() {
        let Some((end, hard)) = boundary(words, at, to) else { continue };
        push(to, end);
        ends += 1;
        if hard || ends == ENDS {
            return;
        }
    }
    push(words.len(), End::Sentence);
}

/// Whether something else may begin at a word, and whether it surely does.
fn boundary(words: &[Word<'_>], from: usize, at: usize) -> Option<(End, bool)> {
    let (word, before) = (&words[at], &words[at - 1]);
    let next = words.get(at + 1);
    let starts = |word: Option<&Word<'_>>| {
        word.is_some_and(|word| word.is(kind::SUBJECT | kind::BREAK) || (word.is(kind::MODAL) && !word.is(kind::VERB)))
    };
    match word.lower.as_ref() {
        "." if ABBREVIATED.has(&before.lower) && word.is(kind::JOINED) => None,
        "?" | "!" | "." | ";" | "|" | "→" | "—" | "–" | "…" | "(" | "[" => Some((End::Mark, true)),
        "-" if !word.is(kind::JOINED) => Some((End::Mark, true)),
        "," => Some((End::Mark, starts(next) || says(&words[at + 1..]))),
        ":" | "/" => Some((End::Mark, false)),
        "and" | "or" | "but" | "so" => Some((End::Break, starts(next))),
        _ if word.is(kind::DATE) && !before.is(kind::DATE) && at > from + 1 => Some((End::Date, false)),
        "before" | "after" | "until" | "by"
            if next.is_some_and(|next| next.is(kind::DATE) && next.lower.ends_with("'s")) =>
        {
            Some((End::Date, true))
        }
        _ if word.is(kind::BREAK) && at > from => Some((End::Break, false)),
        // Speech without marks: "do it on Friday he knows".
        "he" | "she" | "they" | "we" | "you" if at > from + 1 => Some((End::Break, false)),
        "i" | "i'll" | "i'm" | "i've" | "i'd" | "we'll" | "you'll" | "we're" | "he's" | "she's" | "they're"
        | "there's" | "it's" | "that's" | "ive" | "im" | "ill"
            if at > from + 1 && !before.is(kind::BREAK) =>
        {
            Some((End::Break, false))
        }
        "to" | "for" | "with" | "that" | "whether" if at > from + 2 => Some((End::Break, false)),
        _ => None,
    }
}

/// Words that a full stop behind does not end a sentence.
static ABBREVIATED: WordList = WordList::of("prof dr mr mrs ms st no nr vs e.g i.e approx");
/// Words within which a clause shows its verb.
const SOON: usize = 5;

/// Whether words begin a clause of their own: a verb that somebody does stands near.
fn says(words: &[Word<'_>]) -> bool {
    let near = words.iter().take(SOON).take_while(|word| !word.is(kind::MARK | kind::BREAK) && word.lower != "to");
    near.skip(1).any(|word| FINITE.has(&word.lower))
}

/// Words that make a sentence of what else would name a thing.
pub(super) static FINITE: WordList = WordList::of(
    "need told promised asked is are was were has had will would can could should must doesn't don't isn't gets does \
    did needs says said wants",
);

/// The words but for dates and what leads to them.
fn undated<'w, 'a>(words: &'w [Word<'a>]) -> impl Iterator<Item = &'w Word<'a>> {
    words.iter().enumerate().filter(move |(at, _)| !is_dated(words, *at)).map(|(_, word)| word)
}

/// Words that lead to a date, and those that may stand between.
static TO_DATES: WordList = WordList::of(
    "by on before after until till at in for from the this end of latest around say um am vor bis zum le el il op \
    voor avant d'ici pour para antes de del entro per até ,",
);
static BEFORE_DATES: WordList = WordList::of("the of end say le el il la de del");

/// Whether a word is part of a date or leads to one.
pub(super) fn is_dated(words: &[Word<'_>], at: usize) -> bool {
    let mut next = words[at + 1..].iter().filter(|word| !word.is(kind::MARK) && !BEFORE_DATES.has(&word.lower));
    words[at].is(kind::DATE) || (TO_DATES.has(&words[at].lower) && next.next().is_some_and(|word| word.is(kind::DATE)))
}

/// Verbs that something must follow.
static OPEN: WordList = WordList::of(
    "see say know find check ask tell do achieve determine decide make get think look figure reflect confirm let",
);

/// Takes away what cannot end or begin a title.
pub(super) fn tidy(words: &mut Vec<Word<'_>>) {
    if let Some(comma) = addressed(words) {
        words.truncate(comma);
    }
    while let [.., before, last] = words.as_slice() {
        // "… and see", "… to find", "…, give": what should follow was cut off.
        let open = words.len() > 3
            && (before.is(kind::MARK) && last.is(kind::VERB)
                || matches!(before.lower.as_ref(), "to" | "and") && OPEN.has(&last.lower));
        let whole = before.lower == "going" && last.lower == "on";
        let mention = last.lower.starts_with('@');
        if whole || !open && !mention && !last.is(kind::MARK | kind::DANGLING | kind::TAIL | kind::FILLER) {
            break;
        }
        words.pop();
    }
    let mark = words.iter().take_while(|word| word.is(kind::MARK)).count();
    words.drain(..mark);
}

/// The comma behind which nothing follows but who is spoken to: "send the parking map, Kofi".
fn addressed(words: &[Word<'_>]) -> Option<usize> {
    static TITLES: WordList = WordList::of("mr mrs ms dr prof herr frau mme");
    let comma = words.iter().rposition(|word| word.lower == ",").filter(|comma| *comma > 1)?;
    let called = |word: &Word<'_>| word.is(kind::NAME | kind::MARK) || TITLES.has(&word.lower);
    let name = words[comma + 1..].iter().any(|word| word.is(kind::NAME)) && words[comma + 1..].iter().all(called);
    (name && !words[comma - 1].is(kind::NAME)).then_some(comma)
}

/// Puts the first verb into its plain form.
fn base(first: &mut Word<'_>, form: Form, lexicon: &Lexicon) {
    let plain = match form {
        Form::Past => verb::from_past(&first.lower),
        _ if !first.is(kind::VERB) => verb::from_ing(&first.lower).or_else(|| verb::from_third(&first.lower)),
        _ => None,
    };
    if let Some(plain) = plain {
        *first = Word::new(plain, lexicon);
    }
}

/// "the kits need checking", "it has to be sent": the verb in its plain form, then its thing.
fn need<'a>(words: &[Word<'a>], lexicon: &Lexicon) -> Option<Clause<'a>> {
    let at = (1..words.len()).find(|at| matches!(words[*at].lower.as_ref(), "need" | "needs" | "be"))?;
    let next = words.get(at + 1)?;
    let verb = match words[at].lower.as_ref() {
        "be" if matches!(words[at - 1].lower.as_ref(), "to" | "must" | "should") => verb::from_past(&next.lower)?,
        "be" => return None,
        _ => verb::from_ing(&next.lower)?,
    };
    let subject = words[..at]
        .iter()
        .position(|word| matches!(word.lower.as_ref(), "need" | "needs" | "has" | "have" | "must" | "should"))
        .unwrap_or(at);
    let from = words[..subject]
        .iter()
        .rposition(|word| word.is(kind::MARK) || matches!(word.lower.as_ref(), "and" | "so" | "but" | "that"))
        .map_or(0, |mark| mark + 1);
    let thing = &words[from..subject];
    if !thing.iter().any(Word::tells) || thing.iter().any(|word| word.is(kind::SUBJECT)) {
        return None;
    }
    let to = (at + 2..words.len()).find(|to| boundary(words, at + 1, *to).is_some()).unwrap_or(words.len());
    let mut title = vec![Word::new(verb, lexicon)];
    title.extend(undated(thing).cloned());
    title.extend(undated(&words[at + 2..to]).cloned());
    title.truncate(LONGEST);
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

/// What stands behind the labels of a note: "- [ ]", "ACTION:", "@sam", "Sam:", "3.", "|".
fn unlabelled<'w, 'a>(mut words: &'w [Word<'a>]) -> &'w [Word<'a>] {
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
            _ if first.lower.starts_with('@') && words.len() > 2 => 1,
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

/// Whether words before a colon or dash name a person or a kind of note.
fn is_label(words: &[Word<'_>]) -> bool {
    static KINDS: WordList = WordList::of(
        "action todo ai task actions next follow-up me owner a.i decision we todos urgent fyi team item + and &",
    );
    let all = words.iter().filter(|word| !word.is(kind::MARK)).all(|word| {
        let capital = word.text.starts_with(char::is_uppercase);
        KINDS.has(&word.lower) || word.is(kind::NAME) || capital && word.text.len() <= 3
    });
    all || (words.len() == 1 && words[0].text.starts_with(char::is_uppercase) && !words[0].is(kind::VERB))
}
