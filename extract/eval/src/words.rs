//! How alike two phrases are, and whether two names mean one person.

use crate::data::GoldPerson;
use std::collections::HashSet;

/// The words of a text: lower case, without accents and punctuation.
#[must_use]
pub fn words(text: &str) -> Vec<String> {
    let plain = text.chars().flat_map(char::to_lowercase).map(unaccented);
    let spaced: String =
        plain.map(|letter| if letter.is_alphanumeric() || letter == '_' { letter } else { ' ' }).collect();
    spaced.split_whitespace().map(str::to_owned).collect()
}

/// A letter without its accent, for the Latin letters that have one.
fn unaccented(letter: char) -> char {
    const PLAIN: [(char, &str); 15] = [
        ('a', "àáâãäåāăą"),
        ('c', "çćĉċč"),
        ('d', "ď"),
        ('e', "èéêëēĕėęě"),
        ('g', "ĝğġģ"),
        ('h', "ĥ"),
        ('i', "ìíîïĩīĭį"),
        ('j', "ĵ"),
        ('l', "ĺļľ"),
        ('n', "ñńņň"),
        ('o', "òóôõöōŏő"),
        ('r', "ŕŗř"),
        ('s', "śŝşš"),
        ('u', "ùúûüũūŭůűų"),
        ('z', "źżž"),
    ];
    PLAIN.iter().find(|(_, accented)| accented.contains(letter)).map_or(letter, |(plain, _)| *plain)
}

/// F1 of the longest common subsequence of words.
#[must_use]
pub fn rouge_l(one: &str, other: &str) -> f64 {
    let (one, other) = (words(one), words(other));
    if one.is_empty() || other.is_empty() {
        return 0.0;
    }
    let mut row = vec![0_usize; other.len() + 1];
    for word in &one {
        let mut before = 0;
        for (at, met) in other.iter().enumerate() {
            let current = row[at + 1];
            row[at + 1] = if word == met { before + 1 } else { current.max(row[at]) };
            before = current;
        }
    }
    2.0 * row[other.len()] as f64 / (one.len() + other.len()) as f64
}

/// Whether two names mean one person: one's words are among the other's, or both are names of `me`.
#[must_use]
pub fn same_person(one: Option<&str>, other: Option<&str>, me: &GoldPerson) -> bool {
    let (Some(one), Some(other)) = (one.filter(|name| !name.is_empty()), other.filter(|name| !name.is_empty())) else {
        return one.is_none_or(str::is_empty) && other.is_none_or(str::is_empty);
    };
    let (one, other) = (words(one), words(other));
    let mine =
        |name: &[String]| name == ["me"] || std::iter::once(&me.name).chain(&me.aliases).any(|own| words(own) == name);
    if mine(&one) && mine(&other) {
        return true;
    }
    let (a, b): (HashSet<_>, HashSet<_>) = (one.iter().collect(), other.iter().collect());
    !a.is_empty() && !b.is_empty() && (a.is_subset(&b) || b.is_subset(&a))
}

/// The words of content of a text, cut to five letters so that forms of one word meet.
#[must_use]
pub fn content(text: &str) -> HashSet<String> {
    const SMALL: &str = "the and for with from that this these those into over about onto than then them they their his \
        her its our your out off all any each have has had will would can could should shall may might must get got let \
        make sure put set some one two you she who what when where which why how not are was were been being just also \
        only back there here again more other very next last week today tomorrow";
    let tells = |word: &String| {
        let long = word.chars().count() > 2 || word.chars().all(char::is_numeric);
        long && !SMALL.split_whitespace().any(|small| small == word)
    };
    words(text).into_iter().filter(tells).map(|word| word.chars().take(5).collect()).collect()
}

/// Whether a title can be understood by itself, as far as its words show: no pronoun stands alone before the title itself has
/// named a thing, unless brackets say what it is, nothing is cut off at its end, and it has two words of content.
#[must_use]
pub fn is_clear(title: &str) -> bool {
    const POINTS: &str = "it them this that these those one ones there here him her he she they i we me us you both";
    const OPENS: &str = "this that these those one her both";
    const SPEAKS: &str = "i we me us you this there here";
    const LEADS: &str = "the a an to of in on at for with and or by from as about my your his their its our if so but into is are \
        what which who whether than not be will can";
    let has = |list: &str, word: &str| list.split_whitespace().any(|known| known == word);
    let explained = title.ends_with(')');
    let words = words(&title.replace(['\'', '\u{2019}'], ""));
    let tells = |word: &String| !content(word).is_empty();
    let named = |at: usize| words[..at].iter().filter(|word| tells(word)).count() > 1;
    let alone = |at: usize| {
        let word = words[at].as_str();
        let opens = has(OPENS, word) && words.get(at + 1).is_some_and(tells);
        has(POINTS, word) && !opens && (has(SPEAKS, word) || !named(at) && !explained)
    };
    words.len() < 16
        && !(0..words.len()).any(alone)
        && words.last().is_some_and(|last| !has(LEADS, last))
        && words.iter().filter(|word| tells(word)).count() > 1
}
