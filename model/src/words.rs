//! The words of a text, where nothing finer is asked: runs of letters and digits.

/// The words of a text as they stand there: "re-run it" has three. A run of a script without spaces is one.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|one: char| !one.is_alphanumeric()).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn what_is_no_letter_and_no_digit_parts_words() {
        let of = |text| words(text).collect::<Vec<_>>();
        assert_eq!(of(" Re-run it, Zoë’s 2nd\u{a0}try… "), ["Re", "run", "it", "Zoë", "s", "2nd", "try"]);
        assert_eq!(of("議事録を送る。"), ["議事録を送る"]);
        assert!(of("— !").is_empty());
    }
}
