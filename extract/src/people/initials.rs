//! People whom notes name by their initials alone: "(PK)", "LV + MO split it", "PK's cat", "GW orders".

use std::collections::BTreeMap;

use crate::feature::token::hash_word;
use crate::feature::word::{Class, known};
use crate::owner::{is_common, is_team};
use crate::reader::{Kind, Transcript};

/// What speaks for a person before any are taken for one: an abbreviation of something else stands in one such place at times.
const FIRST: u32 = 2;
/// What does where the notes are known to name people so.
const FURTHER: u32 = 1;

/// The initials that stand for people in notes.
pub fn of<'t>(transcript: &'t Transcript<'_>) -> Vec<&'t str> {
    let mut found: BTreeMap<&str, u32> = BTreeMap::new();
    for utterance in transcript.utterances.iter().filter(|one| !matches!(one.kind, Kind::Header | Kind::Heading(_))) {
        for line in utterance.text.as_str().lines() {
            for (start, written) in capitals(line) {
                *found.entry(written).or_default() += stands(&line[..start], &line[start + written.len()..]);
            }
        }
    }
    for written in transcript.utterances.iter().filter_map(|one| one.assigned) {
        capitals(written)
            .filter(|(_, name)| *name == written)
            .for_each(|_| *found.entry(written).or_default() += FURTHER);
    }
    let least = if found.values().any(|stands| *stands >= FIRST) { FURTHER } else { FIRST };
    found.into_iter().filter(|(_, stands)| *stands >= least).map(|(written, _)| written).collect()
}

/// Words of two or three capitals, each with its place, that abbreviate nothing well known.
fn capitals(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut next = 0;
    let words = line.split(|letter: char| !letter.is_alphanumeric()).map(move |word| {
        let start = next;
        let mark = line[start + word.len()..].chars().next().map_or(0, char::len_utf8);
        next = start + word.len() + mark;
        (start, word)
    });
    words.filter(|(_, word)| may_be(word))
}

/// Whether a word may be somebody's initials: two or three capitals that abbreviate nothing well known.
pub fn may_be(word: &str) -> bool {
    let short = matches!(word.len(), 2 | 3) && word.bytes().all(|letter| letter.is_ascii_uppercase());
    let lower = word.to_lowercase();
    short && !is_common(&lower) && !is_team(&lower)
}

/// How much speaks for a person between these words.
fn stands(before: &str, after: &str) -> u32 {
    let (lead, rest) = (before.trim_end(), after.trim_start());
    let opens = lead.trim_matches(['*', '_', '-', '|', ' ']).is_empty();
    let joined = |text: Option<&str>, from_end: bool| {
        let text = text.unwrap_or_default().trim();
        let word = if from_end { text.rsplit(' ').next() } else { text.split([' ', ',', '|']).next() };
        word.is_some_and(|word| capitals(word).any(|(_, other)| other.len() == word.len()))
    };
    let ended = rest.is_empty() || rest.starts_with(['|', ',', '.']);
    let next = rest.split(' ').next().unwrap_or_default();
    let acts = next.len() > 3 && next.ends_with('s') && next.bytes().all(|letter| letter.is_ascii_lowercase());
    let verb = rest.split([' ', '.', ',']).nth(1).unwrap_or_default();
    let told = after.starts_with(' ') && next == "to" && known(hash_word(verb)) == Some(Class::Verb);
    // Behind a name they are what somebody is: "Tunde Afolabi (CFO)".
    let name = lead
        .trim_end_matches('(')
        .split_whitespace()
        .next_back()
        .is_some_and(|word| word.starts_with(char::is_uppercase));
    match () {
        () if lead.ends_with('(') && after.starts_with([')', ',']) => 2 * u32::from(!name),
        () if ended && [" -", " –", " —", "→", "->"].iter().any(|mark| lead.ends_with(mark)) => 2,
        () if joined(rest.strip_prefix(['+', '&']), false) || joined(lead.strip_suffix(['+', '&']), true) => 2,
        () if after.starts_with("'s ") || after.starts_with("’s ") => 1,
        () if opens && rest.starts_with([':', '→', '|']) => 1,
        () if opens && told => 2,
        () if after.starts_with(' ') && (acts || ["to", "can", "can't", "will", "does"].contains(&next)) => 1,
        () => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Document;
    use crate::reader::read;

    fn found(text: &str) -> Vec<String> {
        let transcript = read(&Document { source_type: "note", title: None, text });
        of(&transcript).into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn initials_are_known_by_where_they_stand() {
        let notes = "# Weekly\n\n- [x] lift repaired (PK)\n- GW orders the wristbands\n- LV + MO split the list\n\
            - the API limits, SQL dump (PDF)\n- sceptic: Mr. Afolabi (CFO)\n- QA to test\n\n| who | what |\n|---|---|\n| BA | audit |\n";
        assert_eq!(found(notes), ["BA", "GW", "LV", "MO", "PK"]);
    }

    #[test]
    fn one_abbreviation_that_acts_is_nobody() {
        assert_eq!(found("# Plan\n\n- CSP blocks the widget\n- the CDN to be renewed\n"), [""; 0]);
    }
}
