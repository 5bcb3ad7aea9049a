//! Finding words that a model claims to have copied: white space, case and typographic marks are forgiven, nothing else.

use std::ops::Range;

/// Lines before and after the named one that are looked at first.
const NEAR: usize = 3;
/// Fewest letters of words that may be looked for anywhere.
const TELLING: usize = 8;

/// All lines of a text, folded: lower case, one space for any white space, plain quote marks and dashes.
#[derive(Debug, Default)]
pub struct FoldedText {
    text: String,
    /// For each line, its first byte of the folded text.
    starts: Vec<usize>,
    /// For each byte of the folded text, the byte of its line that it comes from.
    origin: Vec<u32>,
    /// For each line, the length of its words.
    lengths: Vec<usize>,
}

impl FoldedText {
    /// Adds a line that quotes are looked for in.
    pub fn line(&mut self, words: &str) {
        if !self.text.is_empty() {
            self.text.push(' ');
            self.origin.push(0);
        }
        self.starts.push(self.text.len());
        self.lengths.push(words.len());
        let first = self.text.len();
        for (at, letter) in words.char_indices() {
            for folded in fold(letter) {
                if folded == ' ' && (self.text.len() == first || self.text.ends_with(' ')) {
                    continue;
                }
                self.text.push(folded);
                // A line is cut far below four gigabytes.
                self.origin.resize(self.text.len(), at as u32);
            }
        }
        while self.text.len() > first && self.text.ends_with(' ') {
            self.text.pop();
            self.origin.pop();
        }
    }

    /// Whether these words stand anywhere, as whole words.
    pub fn holds(&self, words: &str) -> bool {
        let wanted = folded(words);
        !wanted.is_empty() && self.whole(&wanted, 0..self.text.len()).is_some()
    }

    /// Where these words stand at or near a line, or else at their only place: the bytes of each line that they cover.
    pub fn near(&self, line: usize, words: &str) -> Option<Vec<(usize, Range<usize>)>> {
        let wanted = folded(words);
        let wanted = wanted.trim_matches(|one: char| matches!(one, '"' | '\'' | ' '));
        if !wanted.chars().any(char::is_alphanumeric) {
            return None;
        }
        let last = self.starts.len().saturating_sub(1);
        let here = line.min(last);
        let around = here.saturating_sub(NEAR)..(here + NEAR).min(last);
        let in_it = self.find(wanted, self.range(here..here));
        let nearby = || self.find(wanted, self.range(around.start..around.end));
        let only = || self.only(wanted);
        let found = in_it.or_else(nearby).or_else(only)?;
        Some(self.lines(found))
    }

    fn find(&self, wanted: &str, range: Range<usize>) -> Option<Range<usize>> {
        self.whole(wanted, range.clone()).or_else(|| {
            let at = range.start + self.text.get(range)?.find(wanted)?;
            Some(at..at + wanted.len())
        })
    }

    fn whole(&self, wanted: &str, range: Range<usize>) -> Option<Range<usize>> {
        let part = self.text.get(range.clone())?;
        let matches = part.match_indices(wanted).map(|(at, _)| range.start + at);
        let is_word = |one: Option<char>| one.is_some_and(|one| one.is_alphanumeric() && !is_written_together(one));
        let mut whole = matches.filter(|at| {
            let (before, after) = (&self.text[..*at], &self.text[at + wanted.len()..]);
            let glued = |inner: Option<char>, outer: Option<char>| is_word(inner) && is_word(outer);
            !glued(wanted.chars().next(), before.chars().next_back())
                && !glued(wanted.chars().next_back(), after.chars().next())
        });
        whole.next().map(|at| at..at + wanted.len())
    }

    /// The only place of words that are long enough to tell.
    fn only(&self, wanted: &str) -> Option<Range<usize>> {
        if wanted.chars().filter(|one| one.is_alphanumeric()).count() < TELLING {
            return None;
        }
        let mut found = self.text.match_indices(wanted);
        let (at, _) = found.next()?;
        found.next().is_none().then_some(at..at + wanted.len())
    }

    /// The folded bytes of lines, the last one included.
    fn range(&self, lines: Range<usize>) -> Range<usize> {
        let start = self.starts.get(lines.start).copied().unwrap_or(self.text.len());
        let end = self.starts.get(lines.end + 1).map_or(self.text.len(), |next| next - 1);
        start..end.max(start)
    }

    /// The bytes of each line under a range of the folded text.
    fn lines(&self, range: Range<usize>) -> Vec<(usize, Range<usize>)> {
        let first = self.starts.partition_point(|start| *start <= range.start).saturating_sub(1);
        let mut found = Vec::new();
        for line in first..self.starts.len() {
            let whole = self.range(line..line);
            let (start, end) = (range.start.max(whole.start), range.end.min(whole.end));
            if whole.start >= range.end {
                break;
            }
            if start < end {
                // Up to where the next letter comes from, so that a letter of several bytes is whole.
                let last = self.origin[end - 1];
                let next = (end..whole.end).map(|at| self.origin[at]).find(|origin| *origin != last);
                let end = next.map_or(self.lengths[line], |next| next as usize);
                found.push((line, self.origin[start] as usize..end));
            }
        }
        found
    }
}

/// Whether a letter is of a script that puts nothing between words.
fn is_written_together(letter: char) -> bool {
    matches!(letter, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{2e80}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Words as they are compared.
#[must_use]
pub fn folded(words: &str) -> String {
    let folded: String = words.chars().flat_map(fold).collect();
    folded.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A letter as it is compared; none where it cannot be seen.
fn fold(letter: char) -> impl Iterator<Item = char> {
    let plain = match letter {
        '\u{2018}' | '\u{2019}' | '\u{201b}' | '\u{2032}' | '`' | '\u{b4}' => Some('\''),
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{2033}' | '\u{ab}' | '\u{bb}' => Some('"'),
        '\u{2010}'..='\u{2015}' | '\u{2212}' => Some('-'),
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{ad}' => None,
        '\u{e0000}'..='\u{e007f}' | '\u{fe00}'..='\u{fe0f}' => None,
        blank if blank.is_whitespace() || blank.is_control() => Some(' '),
        other => Some(other),
    };
    plain.into_iter().flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(lines: &[&str]) -> FoldedText {
        let mut folded = FoldedText::default();
        lines.iter().for_each(|line| folded.line(line));
        folded
    }

    fn words<'l>(lines: &[&'l str], line: usize, wanted: &str) -> Vec<&'l str> {
        let found = of(lines).near(line, wanted).unwrap_or_default();
        found.into_iter().map(|(line, range)| &lines[line][range]).collect()
    }

    #[test]
    fn case_white_space_and_marks_are_forgiven_and_the_exact_words_are_kept() {
        let lines = ["well", "I\u{2019}ll  SEND the\tplan \u{2013} today", "ok"];
        assert_eq!(words(&lines, 1, "i'll send the plan - TODAY"), ["I\u{2019}ll  SEND the\tplan \u{2013} today"]);
        assert!(words(&lines, 1, "I will send the plan").is_empty());
    }

    #[test]
    fn the_named_line_comes_first_then_its_neighbours_then_the_only_place() {
        let lines = ["I'll do it", "no", "I'll do it", "a", "b", "c", "d", "e", "call the glazier"];
        assert_eq!(of(&lines).near(2, "I'll do it").unwrap()[0].0, 2);
        assert_eq!(of(&lines).near(1, "I'll do it").unwrap()[0].0, 0);
        assert_eq!(of(&lines).near(0, "call the glazier").unwrap()[0].0, 8);
        assert_eq!(of(&lines).near(8, "I'll do it"), None, "it stands twice, and not here");
        assert_eq!(of(&lines).near(99, "call the glazier").unwrap()[0].0, 8);
    }

    #[test]
    fn words_may_run_over_lines_and_end_in_letters_of_several_bytes() {
        let lines = ["Я пришлю", "отчёт", "x"];
        assert_eq!(words(&lines, 0, "пришлю отчёт"), ["пришлю", "отчёт"]);
        assert_eq!(words(&["İyi GÜN"], 0, "gün"), ["GÜN"]);
    }

    #[test]
    fn whole_words_are_preferred_and_needed_for_what_a_text_speaks_of() {
        assert_eq!(of(&["an ant", "ant"]).near(0, "an").unwrap(), [(0, 0..2)]);
        assert!(of(&["木曜日までに送ります"]).holds("木曜日"));
        assert!(of(&["Samuel comes"]).holds("samuel") && !of(&["Samuel comes"]).holds("Sam"));
    }
}
