//! Words: how text is cut and folded so that `Müller`, `muller` and `MULLER` are one.
//!
//! Scripts that put no spaces between words (Han, Kana, Thai, …) and Hangul, whose words carry their particles, are
//! kept as whole runs and matched by substring; every other word is matched by its beginning.

use gleaner_model::is_spaceless;
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Words and runs of a text, folded.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct FoldedWords {
    /// Words that are matched by prefix.
    pub(crate) words: Vec<String>,
    /// Runs that are matched by substring.
    pub(crate) runs: Vec<String>,
}

impl FoldedWords {
    pub(crate) fn of(text: &str) -> Self {
        let mut words = Self::default();
        words.add(text);
        words
    }

    /// Appends the words of another text.
    pub(crate) fn add(&mut self, text: &str) {
        let mut word = String::new();
        let mut in_run = false;
        for c in fold(text).chars().chain([' ']) {
            let inside = c.is_alphanumeric() || is_combining_mark(c);
            let of_run = inside && is_spaceless(c);
            if !word.is_empty() && (!inside || of_run != in_run) {
                let done = std::mem::take(&mut word);
                if in_run { self.runs.push(done) } else { self.words.push(done) }
            }
            if inside {
                word.push(c);
                in_run = of_run;
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty() && self.runs.is_empty()
    }

    /// Whether each word of `query` begins one of these, and each run stands in one of these.
    pub(crate) fn contain(&self, query: &Self) -> bool {
        query.words.iter().all(|wanted| self.words.iter().any(|word| word.starts_with(wanted.as_str())))
            && query.runs.iter().all(|wanted| self.runs.iter().any(|run| run.contains(wanted.as_str())))
    }

    /// Whether each word of `query` is one of these: for names.
    pub(crate) fn contain_whole(&self, query: &Self) -> bool {
        query.words.iter().all(|wanted| self.words.contains(wanted))
            && query.runs.iter().all(|wanted| self.runs.iter().any(|run| run.contains(wanted.as_str())))
    }
}

/// Compatibility forms, case and accents taken away. Marks that make another letter (the dots of が, the vowels of
/// Indic scripts) stay.
fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.nfkd().filter(|c| !is_accent(*c) && !is_ignorable(*c)) {
        for upper in c.to_uppercase() {
            for lower in upper.to_lowercase() {
                match plain(lower) {
                    Some(plain) => folded.push_str(plain),
                    None => folded.push(lower),
                }
            }
        }
    }
    folded.nfc().collect()
}

/// Letters that people write without their stroke or as two, and that Unicode does not take apart.
const fn plain(c: char) -> Option<&'static str> {
    Some(match c {
        'ø' => "o",
        'ł' => "l",
        'đ' | 'ð' => "d",
        'ħ' => "h",
        'ŧ' => "t",
        'æ' => "ae",
        'œ' => "oe",
        'þ' => "th",
        _ => return None,
    })
}

/// Accents of Latin, Greek and Cyrillic, points of Hebrew, vowel marks of Arabic.
const fn is_accent(c: char) -> bool {
    matches!(
        c,
        '\u{300}'..='\u{36f}'
            | '\u{483}'..='\u{489}'
            | '\u{591}'..='\u{5bd}'
            | '\u{5bf}'..='\u{5c7}'
            | '\u{610}'..='\u{61a}'
            | '\u{64b}'..='\u{65f}'
            | '\u{670}'
            | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}'
            | '\u{20d0}'..='\u{20ff}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{fe20}'..='\u{fe2f}'
    )
}

/// Characters that cannot be seen: they cut no word in two.
const fn is_ignorable(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds(text: &str, query: &str) -> bool {
        FoldedWords::of(text).contain(&FoldedWords::of(query))
    }

    #[test]
    fn case_and_accents_do_not_matter() {
        for (text, query) in [
            ("Ask Müller about the café", "muller CAFE"),
            ("Straße", "STRASSE"),
            ("İstanbul ısı", "istanbul isi"),
            ("ΟΔΟΣ", "οδος"),
            ("Łódź, Ærø", "lodz aero"),
            ("ﬁnance Ｆｕｌｌ", "finance full"),
            ("Zażółć", "zazolc"),
            ("ёлка", "елка"),
        ] {
            assert!(finds(text, query), "{query} in {text}");
        }
    }

    #[test]
    fn each_word_matches_by_its_beginning_in_any_order() {
        let text = "Send the revised SOW to Northwind";
        assert!(finds(text, "north send") && finds(text, "sow"));
        assert!(!finds(text, "wind") && !finds(text, "send contract"));
    }

    #[test]
    fn scripts_without_spaces_match_by_substring() {
        for (text, query) in [
            ("来週の会議を準備する", "会議"),
            ("보고서를 보내기", "고서"),
            ("ส่งรายงานให้ลูกค้า", "รายงาน"),
            ("iPhone手机壳", "手机"),
        ] {
            assert!(finds(text, query), "{query} in {text}");
        }
        assert!(!finds("来週の会議", "議会") && !finds("かき", "がき"));
    }

    #[test]
    fn invisible_characters_do_not_cut_words() {
        assert!(finds("North\u{200b}wind and co\u{ad}operate", "northwind cooperate"));
        assert!(finds("नमस्ते हिन्दी", "हिन्दी"));
    }

    #[test]
    fn a_name_is_asked_for_by_whole_words() {
        let name = FoldedWords::of("Dana Reyes");
        assert!(name.contain_whole(&FoldedWords::of("dana")) && name.contain_whole(&FoldedWords::of("REYES Dana")));
        assert!(!name.contain_whole(&FoldedWords::of("dan")));
    }
}
