//! Clauses: what a sentence says is to be done, from the verb to where something else begins, in the form of a title.

use std::ops::Range;

use super::boundary::{FINITE, LONGEST_DATE, boundary, breaks_off, is_broken, is_dated};
use super::foreign;
use super::head::{Form, Head, assigned, heads, is_name};
use super::kind::{self, Lexicon};
use super::label::unlabelled;
use super::need::{done_to, need};
use super::tidy::tidy;
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
            // A sentence that was not cut is as its speaker left it.
            if to < words.len() && (is_broken(&kept) || breaks_off(words, at, to)) {
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
pub(super) fn shorten(words: &mut Vec<Word<'_>>) {
    const LEAST: usize = 8;
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
    let from = (0..=at).rev().take(LONGEST_DATE).take_while(date).last().unwrap_or(at);
    let to = (at..words.len()).take(LONGEST_DATE).take_while(date).last().unwrap_or(at);
    let asked =
        from.checked_sub(1).is_some_and(|before| matches!(words[before].lower.as_ref(), "whether" | "if" | "that"));
    asked && words.get(to + 1).is_some_and(|next| FINITE.has(&next.lower))
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
