//! The languages' words.

pub(super) mod cjk;
mod cs;
mod de;
pub(super) mod en;
mod es;
mod fr;
mod hi;
mod it;
mod nl;
mod pl;
mod pt;
mod sv;
mod tr;

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
    Language { tag: "fr", words: fr::WORDS, short: fr::SHORT, day_first: true },
    Language { tag: "es", words: es::WORDS, short: es::SHORT, day_first: true },
    Language { tag: "it", words: it::WORDS, short: it::SHORT, day_first: true },
    Language { tag: "pt", words: pt::WORDS, short: pt::SHORT, day_first: true },
    Language { tag: "nl", words: nl::WORDS, short: nl::SHORT, day_first: true },
    Language { tag: "sv", words: sv::WORDS, short: sv::SHORT, day_first: true },
    Language { tag: "pl", words: pl::WORDS, short: pl::SHORT, day_first: true },
    Language { tag: "cs", words: cs::WORDS, short: cs::SHORT, day_first: true },
    Language { tag: "tr", words: tr::WORDS, short: tr::SHORT, day_first: true },
    Language { tag: "hi", words: hi::WORDS, short: hi::SHORT, day_first: true },
];
