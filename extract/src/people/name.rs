//! Names taken apart: folded words, without titles and marks, and how one name fits another.

use crate::word_list::{PairList, WordList};
use unicode_normalization::UnicodeNormalization;

/// A name as its words: lower case, without accents, titles and marks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Name {
    /// The words, in order.
    pub words: Vec<String>,
    /// Whether it was written in capitals, as initials are.
    capitals: bool,
}

/// Words, folded, before a name that are no part of it, besides [`FORMS`].
static TITLES: WordList = WordList::of("sir hr fr sr seu dona don pan pani coach the");

/// Words, folded, that name nobody and yet say that the next one does.
static FORMS: WordList = WordList::of(
    "mr mrs ms miss mx dr prof cllr rev sgt capt supt herr frau mme mlle monsieur madame senor senora sra srta dra \
    sig signor signora dott avv mevr dhr",
);

/// Words within a name, folded: "Jan de Vries", "Bouchra El Amrani".
static PARTICLES: WordList =
    WordList::of("van von der den de da do dos das di del della du la le el al bin ibn ter ten zu af");

/// Whether a word is a title after which a name stands: "Mrs", "Cllr".
#[must_use]
pub fn is_title(word: &str) -> bool {
    FORMS.has(&fold(word))
}

/// Whether a word joins parts of a name.
#[must_use]
pub fn is_particle(word: &str) -> bool {
    PARTICLES.has(&fold(word))
}

impl Name {
    /// Takes a name apart; what stands in brackets is no part of it.
    #[must_use]
    pub fn of(written: &str) -> Self {
        let bare = written.split('(').next().unwrap_or_default().trim().trim_start_matches('@');
        let bare = without_ending(bare);
        let capitals = bare.chars().filter(|one| one.is_alphabetic()).all(char::is_uppercase);
        let separator = |one: char| !one.is_alphanumeric() && !matches!(one, '\'' | '’');
        let folded = bare.split(separator).map(fold).filter(|word| !word.is_empty() && !is_number(word));
        let mut words: Vec<String> = folded.take(12).collect();
        if words.len() > 1 {
            words.retain(|word| !TITLES.has(word) && !FORMS.has(word));
        }
        Self { words, capitals }
    }

    /// Whether nothing is left of it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Whether every word of another name is here in order, whole or as an initial; one whole word at least.
    #[must_use]
    pub fn holds(&self, other: &Self) -> bool {
        let mut rest = self.words.iter();
        let whole = other.words.iter().any(|word| word.chars().count() > 1);
        let fits = |word: &String, known: &String| {
            known == word || (word.chars().count() == 1 && known.starts_with(word.as_str()))
        };
        whole && other.words.iter().all(|word| rest.any(|known| fits(word, known)))
    }

    /// Whether another name is this one's initials.
    #[must_use]
    pub fn has_initials(&self, other: &Self) -> bool {
        let [letters] = other.words.as_slice() else { return false };
        let initials: String = self.words.iter().filter_map(|word| word.chars().next()).collect();
        let ends = || initials.chars().next().into_iter().chain(initials.chars().last()).collect::<String>();
        other.capitals
            && self.words.len() > 1
            && (*letters == initials || (letters.chars().count() == 2 && *letters == ends()))
    }

    /// Whether another name is one capital letter that this one begins with.
    #[must_use]
    pub fn has_letter(&self, other: &Self) -> bool {
        let [letter] = other.words.as_slice() else { return false };
        other.capitals
            && letter.chars().count() == 1
            && self.words.first().is_some_and(|first| first.starts_with(letter.as_str()))
    }

    /// Whether another name is short for the first word of this one, or a handle made from it.
    #[must_use]
    pub fn begins(&self, other: &Self) -> bool {
        let [short] = other.words.as_slice() else { return false };
        let Some(first) = self.words.first() else { return false };
        let long_enough = short.chars().count() >= 3;
        let handle = self.words.last().filter(|_| self.words.len() > 1).and_then(|last| last.chars().next());
        let with_initial = handle
            .is_some_and(|initial| short.strip_prefix(first.as_str()).is_some_and(|rest| rest == initial.to_string()));
        (long_enough && first.starts_with(short.as_str()) && first != short)
            || with_initial
            || is_nickname(short, first)
            || self.has_handle(short)
    }

    /// Whether a word, folded, is a handle that holds a whole part of this name: "jonathanholt", "jholt".
    #[must_use]
    pub fn has_handle(&self, word: &str) -> bool {
        let [first, .., last] = self.words.as_slice() else { return self.words.concat() == *word };
        let behind_initial = || {
            let initial = first.chars().next().map_or(0, char::len_utf8);
            word.strip_prefix(&first[..initial]).is_some_and(|rest| rest == last) && last.chars().count() > 2
        };
        behind_initial() || self.words.concat() == *word
    }
}

/// A word or name without the ending of "Sam's", "Sam'll".
#[must_use]
pub fn without_ending(written: &str) -> &str {
    let bare = ["'ll", "’ll", "'s", "’s", "'d", "’d"].iter().find_map(|end| written.strip_suffix(end));
    bare.unwrap_or(written)
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Lower case without accents.
#[must_use]
pub fn fold(word: &str) -> String {
    let bare = |one: char| !matches!(one, '\u{300}'..='\u{36f}' | '\'' | '’');
    if word.is_ascii() {
        return word.chars().filter(|one| bare(*one)).map(|one| one.to_ascii_lowercase()).collect();
    }
    let mut folded = String::with_capacity(word.len());
    for one in word.nfkd().filter(|one| bare(*one)).flat_map(char::to_lowercase) {
        match one {
            'ø' => folded.push('o'),
            'ł' => folded.push('l'),
            'ı' => folded.push('i'),
            'đ' | 'ð' => folded.push('d'),
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'þ' => folded.push_str("th"),
            '\u{300}'..='\u{36f}' => {}
            other => folded.push(other),
        }
    }
    folded
}

/// Short forms that don't begin like the name.
fn is_nickname(short: &str, first: &str) -> bool {
    static NICKNAMES: PairList = PairList::of(
        "bill=william will=william bob=robert rob=robert dick=richard rick=richard jim=james jack=john ted=edward \
        ned=edward peggy=margaret meg=margaret maggie=margaret liz=elizabeth beth=elizabeth betty=elizabeth \
        kate=katherine kate=catherine cathy=catherine tony=anthony hank=henry harry=henry mike=michael mick=michael \
        nick=nicholas sasha=alexander lex=alexander sandy=alexandra gus=augustus charlie=charles chuck=charles \
        tom=thomas nell=eleanor molly=mary polly=mary sally=sarah becky=rebecca abby=abigail andy=andrew drew=andrew \
        larry=lawrence steve=stephen steve=steven joey=joseph pepe=jose paco=francisco sepp=josef resi=therese \
        mina=wilhelmina",
    );
    NICKNAMES.all().contains(&(short, first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_titles_and_marks_are_no_part_of_a_name() {
        assert_eq!(Name::of("Dr. Łukasz Ørsted-Béla").words, ["lukasz", "orsted", "bela"]);
        assert_eq!(Name::of("@tjaša's").words, ["tjasa"]);
        assert_eq!(Name::of("Theo (venue)").words, ["theo"]);
    }

    #[test]
    fn parts_initials_and_short_forms_fit_a_name() {
        let full = Name::of("Jovana Petrušić");
        assert!(
            full.holds(&Name::of("Jovana"))
                && full.holds(&Name::of("J. Petrusic"))
                && full.holds(&Name::of("Jovana P."))
        );
        assert!(full.has_initials(&Name::of("JP")) && !full.has_initials(&Name::of("jp")));
        assert!(full.begins(&Name::of("Jov")) && full.begins(&Name::of("jovanap")) && !full.begins(&Name::of("Jo")));
        assert!(!full.holds(&Name::of("J.")));
        assert!(full.begins(&Name::of("jpetrusic")) && full.begins(&Name::of("jovanapetrusic")));
        assert!(full.holds(&Name::of("jovana_petrusic")) && !full.begins(&Name::of("petrusicj")));
    }
}
