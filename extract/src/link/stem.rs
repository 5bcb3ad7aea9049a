//! Stems: the form in which "sent", "sends" and "sending" are one word, for comparing tasks across texts.

use crate::feature::token::{Shape, tokens};
use crate::feature::word::{Class, known};
use crate::word_list::{PairList, WordList};
use std::collections::HashMap;
use std::sync::OnceLock;

/// A content word without its endings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stem {
    /// The stem.
    pub text: String,
    /// What kind of word it is.
    pub kind: StemKind,
}

/// What kind of word a stem is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StemKind {
    /// Most words: what a task is about.
    Thing,
    /// A verb that is hardly ever a thing.
    Verb,
    /// A number.
    Number,
    /// A time, a courtesy, a word that goes with anything.
    Weak,
}

impl Stem {
    /// Whether it is a verb that is hardly ever a thing.
    #[must_use]
    pub fn is_verb(&self) -> bool {
        self.kind == StemKind::Verb
    }
}

/// Past forms of verbs that change more than their ending.
static IRREGULAR: PairList = PairList::of(
    "sent=send wrote=write written=write made=make got=get gotten=get gave=give given=give took=take taken=take \
    brought=bring bought=buy built=build paid=pay spoke=speak spoken=speak told=tell found=find held=hold \
    chose=choose chosen=choose drew=draw drawn=draw rang=ring rung=ring ran=run did=do done=do came=come went=go \
    gone=go met=meet sold=sell kept=keep left=leave led=lead drove=drive driven=drive redrew=redraw rewrote=rewrite \
    rewritten=rewrite redid=redo redone=redo taught=teach swept=sweep swore=swear laid=lay lent=lend hung=hang \
    dealt=deal",
);

/// Verbs that are hardly ever things.
static VERBS: WordList = WordList::of(
    "send write make get give take bring buy build pay speak tell find hold choose go do come meet sell keep leave \
    ask confirm share prepare finish complete provide arrange organise organize add remove fix try look need want \
    set forward chase put let",
);

/// Words that go with anything: times, courtesies, measures.
static WEAK: WordList = WordList::of(
    "monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun january february march \
    april may june july august september october november december jan feb mar apr jun jul aug sep oct nov dec day \
    week month year weekend morning afternoon evening night noon hour minute time date end eod soon later next last \
    yesterday early late first second new old good great fine nice perfect lovely sorry hello cheer deadline thing \
    stuff bit way lot half people person today two three four five six seven eight nine ten dozen hundred thousand \
    guy team side part place point quick short small big long whole asap final ready btw already finally instead \
    third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth \
    seventeenth eighteenth nineteenth twentieth thirtieth twenty thirty",
);

/// The stems of the content words of a text, in order.
#[must_use]
pub fn stems(text: &str) -> Vec<Stem> {
    let mut found = Vec::new();
    tokens(text, |token| {
        let word = text.get(token.start as usize..token.end as usize).unwrap_or_default();
        let content = match token.shape {
            Shape::Word => word.chars().nth(1).is_some() && known(token.hash) != Some(Class::Function),
            Shape::Number | Shape::Glyph => true,
            Shape::Mention | Shape::Link | Shape::Question => false,
        };
        if content {
            found.push(stem(word));
        }
    });
    found
}

/// The stem of a word.
#[must_use]
pub fn stem(word: &str) -> Stem {
    let lower = word.to_lowercase().replace('\u{2019}', "'");
    let bare = lower.strip_suffix("'s").unwrap_or(&lower);
    let base = irregular(bare);
    let text = cut(base.unwrap_or(bare));
    let number = text.starts_with(|c: char| c.is_ascii_digit());
    let kind = match kinds().get(text.as_str()) {
        _ if number => StemKind::Number,
        _ if base.is_some() => StemKind::Verb,
        Some(kind) => *kind,
        None => StemKind::Thing,
    };
    Stem { text, kind }
}

/// The base form of a past that changes more than its ending.
#[must_use]
pub fn irregular(word: &str) -> Option<&'static str> {
    IRREGULAR.get(word)
}

/// Every irregular past, in lower case.
pub fn irregulars() -> impl Iterator<Item = &'static str> {
    IRREGULAR.all().iter().map(|(form, _)| *form)
}

/// Stems whose kind is known.
fn kinds() -> &'static HashMap<String, StemKind> {
    static KINDS: OnceLock<HashMap<String, StemKind>> = OnceLock::new();
    KINDS.get_or_init(|| {
        let weak = WEAK.all().iter().map(|word| (cut(word), StemKind::Weak));
        weak.chain(VERBS.all().iter().map(|word| (cut(word), StemKind::Verb))).collect()
    })
}

/// A word without the endings of plurals, third persons, participles and pasts, and without a final e or double letter.
fn cut(word: &str) -> String {
    let long = |rest: &str| rest.chars().count() >= 3;
    let endings =
        [("ies", "y"), ("ied", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""), ("e", "")];
    for (ending, instead) in endings {
        if word.ends_with("ss") && ending == "s" {
            continue;
        }
        if let Some(rest) = word.strip_suffix(ending).filter(|rest| long(rest)) {
            return undouble(&format!("{rest}{instead}"));
        }
    }
    undouble(word)
}

/// "shipp" is "ship", and "cancell" is "cancel".
fn undouble(word: &str) -> String {
    let mut letters = word.chars().rev();
    match (letters.next(), letters.next()) {
        (Some(last), Some(before)) if last == before && last.is_ascii_alphabetic() && !"aeiou".contains(last) => {
            word[..word.len() - 1].to_owned()
        }
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_share_a_stem() {
        for (one, other) in [
            ("sent", "send"),
            ("Sending", "sends"),
            ("shipped", "ship"),
            ("invoices", "invoice"),
            ("copies", "copy"),
            ("Dana's", "Dana"),
            ("cancelled", "cancel"),
            ("called", "calls"),
            ("applied", "apply"),
        ] {
            assert_eq!(stem(one).text, stem(other).text, "{one} {other}");
        }
        assert!(stem("written").is_verb() && !stem("invoices").is_verb() && stem("sends").is_verb());
        assert_eq!((stem("Fridays").kind, stem("42").kind), (StemKind::Weak, StemKind::Number));
    }
}
