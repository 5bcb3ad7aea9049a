//! What script a character is of, as far as words depend on it.

/// Whether a character is of a script that puts no spaces between words, such as Han, Kana and Thai, or of Hangul, whose
/// words carry their particles. The store's index holds words as this cuts them.
#[inline]
#[must_use]
pub const fn is_spaceless(letter: char) -> bool {
    // First what is true of hardly any letter, since this is asked of every one.
    letter >= '\u{e00}'
        && matches!(
            letter,
            '\u{e00}'..='\u{eff}'
                | '\u{1000}'..='\u{109f}'
                | '\u{1100}'..='\u{11ff}'
                | '\u{1780}'..='\u{17ff}'
                | '\u{2e80}'..='\u{2fdf}'
                | '\u{3005}'..='\u{3007}'
                | '\u{3021}'..='\u{3029}'
                | '\u{3040}'..='\u{318f}'
                | '\u{31a0}'..='\u{31ff}'
                | '\u{3400}'..='\u{4dbf}'
                | '\u{4e00}'..='\u{9fff}'
                | '\u{a960}'..='\u{a97f}'
                | '\u{ac00}'..='\u{d7ff}'
                | '\u{f900}'..='\u{faff}'
                | '\u{1b000}'..='\u{1b16f}'
                | '\u{20000}'..='\u{3ffff}'
        )
}

/// Whether a character is one of Han, the kanji of Japanese; 々, which repeats one, is not.
#[must_use]
pub const fn is_han(letter: char) -> bool {
    matches!(
        letter,
        '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_without_spaces_and_han_among_them_are_told_from_the_others() {
        assert!("会々かナ한ㅋไขลမខ𠮟".chars().all(is_spaceless));
        assert!(!"aéжшहא、。Ａ!".chars().any(is_spaceless));
        assert!("会㐂𠮟".chars().all(is_han) && !"々かナ한ไ".chars().any(is_han));
    }
}
