//! The languages' words.

mod de;
pub(super) mod en;

use super::lexicon::Table;

/// A language: its words, and its habits with numbers.
pub(super) struct Language {
    /// BCP 47.
    pub tag: &'static str,
    /// Words that mean a date in any text.
    pub words: Table,
    /// Words that mean something else in other languages: only for texts known to be in this one.
    pub short: Table,
    /// In numeric dates the day stands before the month.
    pub day_first: bool,
}

/// Every language, English first.
pub(super) static ALL: &[Language] = &[
    Language { tag: "en", words: en::WORDS, short: en::SHORT, day_first: false },
    Language { tag: "en-GB", words: en::WORDS, short: en::SHORT, day_first: true },
    Language { tag: "de", words: de::WORDS, short: de::SHORT, day_first: true },
];
