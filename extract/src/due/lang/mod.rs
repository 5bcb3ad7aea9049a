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

#[cfg(test)]
mod tests {
    use crate::due::table::means;

    /// Said on Tuesday, 3 March 2026, at ten.
    const TUESDAY: &str = "2026-03-03T10:00";

    #[test]
    fn german_is_read() {
        means(
            TUESDAY,
            "de",
            &[
                ("bis Freitag", "2026-03-06"),
                ("bis nächsten Mittwoch", "2026-03-11"),
                ("bis Ende nächster Woche", "2026-03-13"),
                ("in zwei Wochen", "2026-03-17"),
                ("übermorgen", "2026-03-05"),
                ("mach ich gleich morgen früh", "2026-03-04"),
                ("am zwanzigsten", "2026-03-20"),
                ("14. März", "2026-03-14"),
                ("Ende des Monats", "2026-03-31"),
                ("heute Nachmittag", "2026-03-03"),
            ],
        );
    }

    #[test]
    fn french_is_read() {
        means(
            TUESDAY,
            "fr",
            &[
                ("d'ici vendredi", "2026-03-06"),
                ("mardi prochain au plus tard", "2026-03-10"),
                ("dans deux semaines", "2026-03-17"),
                ("d'ici la fin du mois", "2026-03-31"),
                ("demain soir", "2026-03-04"),
                ("ce week-end", "2026-03-08"),
                ("le 14 mars", "2026-03-14"),
                ("la semaine prochaine", "2026-03-13"),
                ("après-demain", "2026-03-05"),
            ],
        );
    }

    #[test]
    fn spanish_italian_portuguese_and_dutch_are_read() {
        means(
            TUESDAY,
            "es",
            &[
                ("mañana a primera hora", "2026-03-04"),
                ("antes del viernes", "2026-03-06"),
                ("la próxima semana", "2026-03-13"),
                ("el 14 de marzo", "2026-03-14"),
            ],
        );
        means(
            TUESDAY,
            "it",
            &[
                ("entro venerdì", "2026-03-06"),
                ("domani mattina", "2026-03-04"),
                ("tra due settimane", "2026-03-17"),
                ("il 14 marzo", "2026-03-14"),
            ],
        );
        means(
            TUESDAY,
            "pt",
            &[
                ("até sexta-feira", "2026-03-06"),
                ("na quinta", "2026-03-05"),
                ("amanhã de manhã", "2026-03-04"),
                ("na próxima semana", "2026-03-13"),
            ],
        );
        means(
            TUESDAY,
            "nl",
            &[
                ("voor vrijdag", "2026-03-06"),
                ("vanmiddag", "2026-03-03"),
                ("volgende week", "2026-03-13"),
                ("over twee weken", "2026-03-17"),
            ],
        );
    }

    #[test]
    fn chinese_japanese_and_korean_are_read() {
        means(
            TUESDAY,
            "zh",
            &[
                ("我明天发给你", "2026-03-04"),
                ("周四之前更新好", "2026-03-05"),
                ("下周五", "2026-03-13"),
                ("3月14日", "2026-03-14"),
                ("三天后", "2026-03-06"),
            ],
        );
        means(
            TUESDAY,
            "ja",
            &[
                ("金曜日までに出します", "2026-03-06"),
                ("来週の金曜日", "2026-03-13"),
                ("今週中に", "2026-03-06"),
                ("月末まで", "2026-03-31"),
            ],
        );
        means(
            TUESDAY,
            "ko",
            &[("금요일까지 할게요", "2026-03-06"), ("이번 주 금요일까지", "2026-03-06"), ("내일", "2026-03-04")],
        );
    }

    #[test]
    fn an_unknown_language_is_read_by_the_words_of_all() {
        means(
            TUESDAY,
            "",
            &[
                ("bis Freitag", "2026-03-06"),
                ("by Friday", "2026-03-06"),
                ("d'ici vendredi", "2026-03-06"),
                ("明天", "2026-03-04"),
            ],
        );
    }
}
