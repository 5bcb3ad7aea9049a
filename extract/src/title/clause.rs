//! Clauses: what a sentence says is to be done, from the verb to where something else begins, in the form of a title.

use std::ops::Range;

use super::candidate::SUBORDINATE;
use super::foreign;
use super::head::{Form, Head, assigned, heads, is_name};
use super::kind::{self, Lexicon};
use super::verb;
use super::word::Word;
use crate::sentence::ends_in_abbreviation;
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
        found.extend(need(words, lexicon));
        let needed = found.first().and_then(|_| (1..words.len()).find(|at| done_to(words, *at).is_some()));
        let wanted = wanted(words);
        if let Some(wanted) = &wanted {
            let order = wanted.order.iter().map(|word| Word::new(*word, lexicon));
            let mut said = words.to_vec();
            said.splice(wanted.words.clone(), order);
            shapes(&said, Head { at: wanted.words.start, form: wanted.form }, lexicon, &mut found);
        }
        let meant = |head: &Head| {
            needed != Some(head.at) && wanted.as_ref().is_none_or(|wanted| !wanted.words.contains(&head.at))
        };
        for head in heads(words).into_iter().filter(meant) {
            shapes(words, head, lexicon, &mut found);
        }
    } else {
        found.extend(foreign::clause(words, language));
    }
    let begins = words.iter().position(|word| !word.is(kind::MARK | kind::OPENS)).unwrap_or(0);
    // Whoever is called or told to act is no part of it: "Sam, the logs", "the designer to draw it".
    let names = words[begins..]
        .iter()
        .take_while(|word| word.is(kind::NAME) || word.lower == "the" || word.lower == ".")
        .count();
    let called = words[begins..][..names].iter().any(|word| word.is(kind::NAME))
        && words.get(begins + names).is_some_and(|word| matches!(word.lower.as_ref(), "," | ":" | "to"));
    let labelled = words.len() < all;
    let sure = |names: &usize| labelled || is_name(&words[begins..][..*names]);
    let named = if called { Some(names) } else { assigned(&words[begins..]).filter(sure) };
    let begins = named.map(|names| begins + names + 1).filter(|verb| *verb < words.len()).unwrap_or(begins);
    shapes(words, Head { at: begins, form: Form::Bare }, Lexicon::of(language), &mut found);
    found.iter_mut().for_each(|clause| clause.at += all - words.len());
    found
}

/// Words that stand for somebody or something.
const STANDS_FOR: kind::Kinds = kind::PRONOUN | kind::PERSON;
/// Verbs that say of another how it is meant.
static ABOUT_TO: WordList = WordList::of(
    "have need want try do going agree plan decide promise remember hope prefer like love offer intend mean aim \
    volunteer",
);

/// What somebody wants to have, as an order.
struct Wanted {
    /// The words that say that it is wanted.
    words: Range<usize>,
    /// What orders it.
    order: &'static [&'static str],
    form: Form,
}

/// "I need the keys", "you owe me the list", "let me have your comments", "can I have the keys".
fn wanted(words: &[Word<'_>]) -> Option<Wanted> {
    let said = |at: usize| words.get(at).map_or("", |word| word.lower.as_ref());
    let opens = |at: usize| at == 0 || words[at - 1].is(kind::MARK | kind::OPENS | kind::NAME);
    // The next word but for "still", "would" and "please".
    let next = |at: usize| {
        let between = |word: &Word<'_>| word.is(kind::BETWEEN | kind::MODAL) && !word.is(kind::SUBJECT | kind::ARTICLE);
        (at + 1..words.len()).find(|at| !between(&words[*at]))
    };
    let thing = |at: usize| {
        words.get(at).is_some_and(|word| {
            word.is(kind::ARTICLE | kind::PRONOUN | kind::DIGIT) || word.tells() && !word.is(kind::DATE)
        })
    };
    (0..words.len()).find_map(|at| {
        let verb = next(at)?;
        let (order, from, form): (&[_], _, _) = match (said(at), said(verb)) {
            ("i" | "i'd" | "i'll", "need") if opens(at) => (&["get", "me"], verb, Form::Need),
            ("we" | "we'd" | "we'll", "need") if opens(at) => (&["get"], verb, Form::Need),
            ("i" | "i'd", "appreciate") if words.get(verb + 1).is_some_and(|thing| thing.is(kind::ARTICLE)) => {
                (&["give", "me"], verb, Form::Second)
            }
            ("i'd", "like") if opens(at) && words.get(verb + 1).is_some_and(|thing| thing.is(kind::ARTICLE)) => {
                (&["give", "me"], verb, Form::Second)
            }
            ("you", "owe") if matches!(said(verb + 1), "me" | "us") => {
                return Some(Wanted { words: verb..verb + 1, order: &["give"], form: Form::Second });
            }
            // "Let me have a look" is no request.
            ("let", "me") if said(verb + 1) == "have" && !matches!(said(verb + 2), "a" | "an") => {
                return Some(Wanted { words: at..verb + 2, order: &["give", "me"], form: Form::Second })
                    .filter(|_| thing(verb + 2));
            }
            ("i", "have" | "get") if at > 0 && matches!(said(at - 1), "can" | "could" | "may") => {
                (&["give", "me"], at - 1, Form::Second)
            }
            ("we", "have" | "get") if at > 0 && matches!(said(at - 1), "can" | "could" | "may") => {
                (&["give", "us"], at - 1, Form::Second)
            }
            _ => return None,
        };
        thing(verb + 1).then_some(Wanted { words: from..verb + 1, order, form })
    })
}

/// Words that lead to when something is done, and to no thing.
static LED: WordList = WordList::of("by on before after until till at in for from around cop first w/c w/e");

/// The clauses that begin at a verb.
fn shapes<'a>(words: &[Word<'a>], head: Head, lexicon: &Lexicon, found: &mut Vec<Clause<'a>>) {
    let Head { mut at, form } = head;
    // "Make sure that you lock it".
    if let [make, sure, ..] = &words[at.min(words.len())..]
        && make.lower == "make"
        && sure.lower == "sure"
    {
        let that = usize::from(words.get(at + 2).is_some_and(|that| that.lower == "that"));
        let acts = words.get(at + 2 + that..at + 4 + that);
        if acts.is_some_and(|acts| {
            acts[0].lower == "you" && !acts[1].is(kind::DOUBT | kind::MODAL) && !FINITE.has(&acts[1].lower)
        }) {
            at += 3 + that;
        }
    }
    // "Agree to publish", "the thing to do is to ask", "do send".
    while let [first, next, ..] = &words[at.min(words.len())..] {
        let leads = ABOUT_TO.has(&first.lower);
        at += match next.lower.as_ref() {
            "is" if leads && words.get(at + 2).is_some_and(|word| word.lower == "to") => 3,
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
        let mut bare: Vec<Word<'a>> = (at..to)
            .filter(|at| !is_dated(words, *at) || is_spoken_of(words, *at))
            .map(|at| words[at].clone())
            .collect();
        bare.dedup_by(|next, before| next.lower == "," && before.lower == ",");
        // "Take the Thursday one", "cover the 12th": there the day is the thing; not so in "reply by the 12th".
        let lacks = bare.len() < said.len() && !bare.iter().skip(1).any(|word| word.tells() || word.is(STANDS_FOR));
        let day = (at..to).find(|day| is_dated(words, *day)).filter(|_| lacks);
        let lacks = day.is_some_and(|day| {
            !LED.has(&words[day].lower) && (day == at || !words[day - 1].is(STANDS_FOR | kind::TAIL))
        });
        for mut kept in lacks.then(|| said.to_vec()).into_iter().chain([bare]) {
            let cut = kept.len() > LONGEST;
            shorten(&mut kept);
            tidy(&mut kept);
            if let Some(first) = kept.first_mut().filter(|_| form != Form::Bare) {
                base(first, form, lexicon);
            }
            let end = if cut { End::Length } else { end };
            if is_broken(&kept) || to < words.len() && breaks_off(words, at, to) {
                continue;
            }
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

/// Takes words away until no more are left than a title may have, and a part of the sentence goes with them.
fn shorten(words: &mut Vec<Word<'_>>) {
    const LEAST: usize = 4;
    if words.len() <= LONGEST {
        return;
    }
    let begins = |word: &Word<'_>| {
        word.is(kind::MARK | kind::BREAK | kind::LINK) && word.lower != "of"
            || matches!(word.lower.as_ref(), "and" | "or")
    };
    let to = (LEAST..=LONGEST).rev().find(|at| begins(&words[*at])).unwrap_or(LONGEST);
    words.truncate(to);
}

/// Whether a part of a date is what something is said of: "ask whether the 12th is free".
fn is_spoken_of(words: &[Word<'_>], at: usize) -> bool {
    let date = |at: &usize| is_dated(words, *at);
    let from = (0..=at).rev().take_while(date).last().unwrap_or(at);
    let to = (at..words.len()).take_while(date).last().unwrap_or(at);
    let asked =
        from.checked_sub(1).is_some_and(|before| matches!(words[before].lower.as_ref(), "whether" | "if" | "that"));
    asked && words.get(to + 1).is_some_and(|next| FINITE.has(&next.lower))
}

/// Whether something else may begin at a word, and whether it surely does.
fn boundary(words: &[Word<'_>], from: usize, at: usize) -> Option<(End, bool)> {
    let (word, before) = (&words[at], &words[at - 1]);
    let next = words.get(at + 1);
    let starts = |word: Option<&Word<'_>>| {
        word.is_some_and(|word| word.is(kind::SUBJECT | kind::BREAK) || (word.is(kind::MODAL) && !word.is(kind::VERB)))
    };
    match word.lower.as_ref() {
        "." if word.is(kind::JOINED) && ends_in_abbreviation(&before.text, next.map_or("", |next| &next.text)) => None,
        "?" | "!" | "." | ";" | "|" | "→" | "—" | "–" | "…" | "(" | "[" => Some((End::Mark, true)),
        "-" if !word.is(kind::JOINED) => Some((End::Mark, true)),
        "," => Some((End::Mark, starts(next) || says(&words[at + 1..]) || asks(&words[at + 1..]))),
        ":" | "/" => Some((End::Mark, false)),
        "or" if before.lower == "yes" && next.is_some_and(|next| next.lower == "no") => None,
        "and" | "or" | "but" | "so" => Some((End::Break, starts(next) || acts(&words[at + 1..]))),
        _ if word.is(kind::DATE) && !before.is(kind::DATE) && at > from + 1 => Some((End::Date, false)),
        "before" | "after" | "until" | "by"
            if next.is_some_and(|next| next.is(kind::DATE) && next.lower.ends_with("'s")) =>
        {
            Some((End::Date, true))
        }
        // "As far as you can", "find out which one it is", "see if they came": there it goes on.
        "as" if at > from + 1 && words[at - 2].lower == "as" => None,
        _ if word.is(kind::BREAK) && QUESTIONS.has(&word.lower) && wonders(words, from, at) => None,
        _ if word.is(kind::BREAK) && at > from => Some((End::Break, false)),
        // "Find out what time they come".
        _ if word.is(kind::SUBJECT) && is_asked(words, from, at) => None,
        // Speech without marks: "ask for a copy freddie can you", "do it on Friday he knows".
        _ if word.is(kind::NAME) && at > from + 1 && asks_you(&words[at + 1..]) => Some((End::Break, false)),
        "he" | "she" | "they" | "we" | "you" if at > from + 1 && !SUBORDINATE.has(&before.lower) => {
            Some((End::Break, false))
        }
        "i" | "i'll" | "i'm" | "i've" | "i'd" | "we'll" | "you'll" | "we're" | "he's" | "she's" | "they're"
        | "there's" | "it's" | "that's" | "ive" | "im" | "ill"
            if at > from + 1 && !before.is(kind::BREAK) =>
        {
            Some((End::Break, false))
        }
        // "Our one to one".
        "to" if next.is_some_and(|next| next.lower == before.lower) || leads_on(words, from, at) => None,
        // "Have him send that this week": there it is the thing.
        "that" if next.is_none_or(|next| next.is(kind::MARK | kind::DATE)) => None,
        "to" | "for" | "with" | "that" | "whether" if at > from + 2 => Some((End::Break, false)),
        _ => None,
    }
}

/// Words that ask, behind a verb that wonders.
static QUESTIONS: WordList = WordList::of("what which who how whether if when where");
/// Verbs behind which somebody is named and then what they are to do: "ask the shop to send it".
static MOVES: WordList = WordList::of("ask tell remind persuade convince urge instruct invite");

/// Whether a verb that wonders stands right before a word: "find out", "see", "decide".
fn wonders(words: &[Word<'_>], from: usize, at: usize) -> bool {
    let said = |at: usize| words[at].lower.as_ref();
    let found = at > from + 1 && said(at - 1) == "out" && matches!(said(at - 2), "find" | "figure" | "work");
    let verb = at > from && OPEN.has(said(at - 1)) && !matches!(said(at - 1), "do" | "make" | "get" | "let");
    found || verb
}

/// Whether a word is the subject of what somebody wonders: of "what time they come".
fn is_asked(words: &[Word<'_>], from: usize, at: usize) -> bool {
    let Some(asks) = (from + 1..at).rev().find(|asks| QUESTIONS.has(&words[*asks].lower)) else { return false };
    wonders(words, from, asks) && !words[asks + 1..at].iter().any(|word| word.is(kind::SUBJECT | kind::MARK))
}

/// Whether "to" goes on with what stands before it: "going to", "ask the shop to send it", "get Mr Ito to sign it".
fn leads_on(words: &[Word<'_>], from: usize, at: usize) -> bool {
    const LEADS: [&str; 10] = ["going", "have", "has", "need", "needs", "want", "wants", "able", "ought", "how"];
    let acts = words.get(at + 1).is_some_and(|next| next.is(kind::VERB) || next.lower == "be");
    let first = words[from].lower.as_ref();
    let named = || words[from + 1..at].iter().any(|word| word.is(kind::NAME | kind::CAPITAL | kind::PERSON));
    acts && (LEADS.contains(&words[at - 1].lower.as_ref()) || MOVES.has(first) || first == "get" && named())
}

/// Whether words ask somebody: "can you".
fn asks_you(words: &[Word<'_>]) -> bool {
    matches!(words, [modal, you, ..] if modal.is(kind::MODAL) && you.lower == "you")
}

/// Whether words ask something of their own: "does he know", "when's the freeze".
fn asks(words: &[Word<'_>]) -> bool {
    let [first, second, ..] = words else { return false };
    let contracted = matches!(first.lower.as_ref(), "who's" | "what's" | "when's" | "where's" | "how's");
    contracted || FINITE.has(&first.lower) && second.is(kind::SUBJECT)
}

/// Whether what is left of a clause lacks what it is about: it ends in a verb that asks for more, or before the verb of what
/// somebody is told.
fn is_broken(kept: &[Word<'_>]) -> bool {
    let Some(told) = kept.iter().skip(1).position(|word| word.lower == "that").map(|at| at + 2) else { return false };
    let behind = &kept[told..];
    let thing = behind.first().is_some_and(|word| word.is(kind::ARTICLE));
    let acts = |word: &Word<'_>| {
        FINITE.has(&word.lower)
            || word.is(kind::VERB | kind::SUBJECT)
            || word.lower.contains('\'')
            || verb::from_third(&word.lower).is_some()
            || verb::from_past(&word.lower).is_some()
    };
    thing && kept[0].is(kind::TALK) && !behind[1..].iter().any(acts)
}

/// Whether a clause that ends before a word is cut within a phrase: behind an article or an auxiliary, or where a verb that
/// wonders has not said what about.
fn breaks_off(words: &[Word<'_>], from: usize, to: usize) -> bool {
    let (last, next) = (&words[to - 1], &words[to]);
    if next.is(kind::MARK | kind::DATE) || to <= from + 1 {
        return false;
    }
    let open = QUESTIONS.has(&next.lower) && wonders(words, from, to);
    let that = (last.lower == "that" || last.is(kind::BREAK)) && next.is(kind::SUBJECT);
    let inverted = last.is(kind::MODAL) && next.lower == "you" || last.is(kind::NAME) && asks_you(&words[to..]);
    open || that || inverted || matches!(last.lower.as_ref(), "going" | "able") && next.lower == "to"
}

/// Whether somebody acts in words by name: "Lea does the flyers".
fn acts(words: &[Word<'_>]) -> bool {
    matches!(words, [name, verb, ..] if name.is(kind::NAME)
        && (FINITE.has(&verb.lower) || verb::from_third(&verb.lower).is_some()))
}

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
    did needs says said wants has agreed offered volunteered undertook",
);

/// Words that lead to a date, and those that may stand between.
static TO_DATES: WordList = WordList::of(
    "by on before after until till at in for from the this end of latest around say um cop w/c w/e w.e.f wef week commencing am vor bis zum le el il op \
    voor avant d'ici pour para antes de del entro per até ,",
);
static BEFORE_DATES: WordList = WordList::of("the of end say cop commencing le el il la de del");

/// Whether a word is part of a date or leads to one.
pub(super) fn is_dated(words: &[Word<'_>], at: usize) -> bool {
    let mut next = words[at + 1..].iter().filter(|word| !word.is(kind::MARK) && !BEFORE_DATES.has(&word.lower));
    let said = |at: usize| words.get(at).map_or("", |word| word.lower.as_ref());
    let date = |at: usize| words.get(at).is_some_and(|word| word.is(kind::DATE));
    match said(at) {
        _ if date(at) => true,
        // "Log in tomorrow".
        "in" if matches!(said(at + 1), "today" | "tomorrow" | "tonight") => false,
        "first" => said(at + 1) == "thing",
        "thing" => at > 0 && said(at - 1) == "first",
        "am" | "pm" | "eve" if at > 0 && date(at - 1) => true,
        word => TO_DATES.has(word) && next.next().is_some_and(|word| word.is(kind::DATE)),
    }
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
        let asked = || words.iter().any(|word| QUESTIONS.has(&word.lower));
        let whole = before.lower == "going" && last.lower == "on"
            || matches!(last.lower.as_ref(), "is" | "are" | "was" | "be") && asked();
        let mention = last.lower.starts_with('@');
        let stands = stands_last(before, last, words.len());
        if whole || !open && !mention && (stands || !last.is(kind::MARK | kind::DANGLING | kind::TAIL | kind::FILLER)) {
            break;
        }
        words.pop();
    }
    let mark = words.iter().take_while(|word| word.is(kind::MARK)).count();
    words.drain(..mark);
}

/// Whether a word that mostly cannot end a title does so behind another: "look into this", "the service guys", "tell everyone".
fn stands_last(before: &Word<'_>, last: &Word<'_>, length: usize) -> bool {
    let verb = length == 2 && before.is(kind::VERB);
    let led = before.is(kind::LINK) || matches!(before.lower.as_ref(), "into" | "onto" | "over" | "through");
    match last.lower.as_ref() {
        "this" | "that" => before.is(kind::VERB) || led,
        // "A firm yes or no", "a nice thank you".
        "no" => before.lower == "or",
        "everybody" | "everyone" => verb || led,
        "guys" => before.is(kind::ARTICLE) || before.tells() && !before.is(kind::DATE) && !verb,
        "time" => before.lower == "more",
        "us" | "you" => before.is(kind::VERB) && before.lower != "thank",
        "there" | "here" => {
            length == 2 && before.is(kind::LIGHT)
                || matches!(before.lower.as_ref(), "in" | "on" | "up" | "down" | "over")
        }
        // "Supplier A".
        "a" => last.text == "A",
        _ => false,
    }
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
        _ if !first.is(kind::VERB) => verb::from_ing(&first.lower)
            .or_else(|| verb::from_third(&first.lower))
            .or_else(|| verb::from_past(&first.lower).filter(|_| matches!(form, Form::Second | Form::Need))),
        _ => None,
    };
    if let Some(plain) = plain {
        *first = Word::new(plain, lexicon);
    }
}

/// "the kits need checking", "it has to be sent", "labels to be printed", "it hasn't been sent": the verb in its plain form,
/// then its thing.
fn need<'a>(words: &[Word<'a>], lexicon: &Lexicon) -> Option<Clause<'a>> {
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

/// Where a word says that something is to be done to a thing: the word before the verb, the end of what stands before it, and
/// the verb.
fn done_to(words: &[Word<'_>], at: usize) -> Option<(usize, usize, String)> {
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
