//! Stems: the form in which "sent", "sends" and "sending" are one word, for comparing tasks across texts.

use crate::feature::token::{Shape, tokens};
use crate::feature::word::{Class, known};

/// A content word without its endings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stem {
    /// The stem.
    pub text: String,
    /// Whether it is a verb that is hardly ever a thing.
    pub is_verb: bool,
}

/// Past forms of verbs that change more than their ending.
const IRREGULAR: [(&str, &str); 36] = [
    ("sent", "send"),
    ("wrote", "write"),
    ("written", "write"),
    ("made", "make"),
    ("got", "get"),
    ("gave", "give"),
    ("given", "give"),
    ("took", "take"),
    ("taken", "take"),
    ("brought", "bring"),
    ("bought", "buy"),
    ("built", "build"),
    ("paid", "pay"),
    ("spoke", "speak"),
    ("spoken", "speak"),
    ("told", "tell"),
    ("found", "find"),
    ("held", "hold"),
    ("chose", "choose"),
    ("chosen", "choose"),
    ("drew", "draw"),
    ("drawn", "draw"),
    ("rang", "ring"),
    ("ran", "run"),
    ("did", "do"),
    ("done", "do"),
    ("came", "come"),
    ("went", "go"),
    ("gone", "go"),
    ("met", "meet"),
    ("sold", "sell"),
    ("kept", "keep"),
    ("left", "leave"),
    ("led", "lead"),
    ("drove", "drive"),
    ("redrew", "redraw"),
];

/// Verbs that are hardly ever things.
const VERBS: [&str; 44] = [
    "send", "write", "make", "get", "give", "take", "bring", "buy", "build", "pay", "speak", "tell", "find", "hold",
    "choose", "go", "do", "come", "meet", "sell", "keep", "leave", "ask", "confirm", "share", "prepare", "finish",
    "complete", "provide", "arrange", "organise", "organize", "add", "remove", "fix", "try", "look", "need", "want",
    "set", "forward", "chase", "put", "let",
];

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

fn stem(word: &str) -> Stem {
    let lower = word.to_lowercase().replace('\u{2019}', "'");
    let bare = lower.strip_suffix("'s").unwrap_or(&lower);
    let irregular = IRREGULAR.iter().find(|(form, _)| *form == bare).map(|(_, base)| *base);
    let text = cut(irregular.unwrap_or(bare));
    let is_verb = irregular.is_some() || VERBS.iter().any(|verb| cut(verb) == text);
    Stem { text, is_verb }
}

/// A word without the endings of plurals, third persons, participles and pasts, and without a final e.
fn cut(word: &str) -> String {
    let long = |rest: &str| rest.chars().count() >= 3;
    let endings = [("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""), ("e", "")];
    for (ending, instead) in endings {
        if word.ends_with("ss") && ending == "s" {
            continue;
        }
        if let Some(rest) = word.strip_suffix(ending).filter(|rest| long(rest)) {
            return undouble(&format!("{rest}{instead}"));
        }
    }
    word.to_owned()
}

/// "shipp" is "ship".
fn undouble(word: &str) -> String {
    let mut letters = word.chars().rev();
    match (letters.next(), letters.next()) {
        (Some(last), Some(before)) if last == before && !"aeiouls".contains(last) => {
            word[..word.len() - last.len_utf8()].to_owned()
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
        ] {
            assert_eq!(stem(one).text, stem(other).text, "{one} {other}");
        }
        assert!(stem("written").is_verb && !stem("invoices").is_verb && stem("sends").is_verb);
    }
}
