//! Explicit forms: lines that call themselves an action. "ACTION: Gregg to …", "ACTION-123", "AI: …", "AP: …", "TODO …",
//! "- [ ] …". They are tasks whatever the models think.

use crate::feature::{Line, Sentence};
use crate::people::given::is_given;
use crate::people::{is_first_name, name::is_title};
use crate::title::{is_verb, takes_to};
use crate::word_list::WordList;

/// Least confidence of a task that an explicit form declares.
pub const CONFIDENCE: f64 = 0.97;

/// Labels that announce an action, lower case, longest first.
static LABELS: WordList = WordList::of_phrases(
    "action required | action item | action point | actionable | aktionspunkt | next action | new action | follow-up | \
    actiepunt | to-do | to do | todo | action | azione | acción | tarea | tarefa | aufgabe | actie | task | ai | ap",
);
/// The letters that labels begin with, so that other words need no closer look.
const BEGINNINGS: [char; 8] = ['a', 'A', 'f', 'F', 'n', 'N', 't', 'T'];
/// Labels that are words of their own in other places: they count in capitals, or as written here with a capital.
const SHORT: [&str; 2] = ["AI", "AP"];

/// Whether a sentence declares a task.
#[must_use]
pub fn declares(sentence: &Sentence<'_>) -> bool {
    match sentence.line {
        Line::Open | Line::Ticked => sentence.text.split_whitespace().nth(1).is_some(),
        Line::Frame | Line::Boilerplate => false,
        _ => is_labelled(sentence.text),
    }
}

/// Whether words begin with a label and say something after it.
fn is_labelled(text: &str) -> bool {
    static NOTHING: WordList =
        WordList::of("none nothing keine keiner nichts aucune rien ninguna nada nessuna nenhuma geen なし 无");
    let says = |said: &str| {
        let words = said.trim_matches(|letter: char| !letter.is_alphanumeric());
        words.chars().filter(|letter| letter.is_alphanumeric()).count() > 1 && !NOTHING.has(&words.to_lowercase())
    };
    labelled(text).is_some_and(says)
}

/// What is said after a label.
fn labelled(text: &str) -> Option<&str> {
    let bare = text.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    bare.starts_with(BEGINNINGS).then_some(())?;
    let first = bare.bytes().next()?.to_ascii_lowercase();
    let mut likely = LABELS.all().iter().filter(|label| label.as_bytes().first() == Some(&first));
    let rest = addressed(numbered(likely.find_map(|label| after(bare, label))?));
    rest.trim_start().strip_prefix([':', '：', '–', '—', ']']).or_else(|| rest.strip_prefix(" - "))
}

/// The name that a labelled line gives the action to: "ACTION: Gregg to merge", or in brackets at its end.
#[must_use]
pub fn named(text: &str) -> Option<&str> {
    let said = labelled(text)?;
    addressee(text, said).or_else(|| heading(said)).or_else(|| bracketed(text))
}

/// The name between a label and the mark behind it: "ACTION (Jonas): …", "Action for Jonas: …", "TODO Jonas: …".
fn addressee<'t>(text: &'t str, said: &str) -> Option<&'t str> {
    let marked = text.get(..text.len() - said.len())?.trim_end_matches([':', '：', ' ', '*', '_']);
    let bracketed = marked.strip_suffix(')').and_then(|inner| Some(inner.rsplit_once('(')?.1));
    let after = || [" on ", " for ", " by "].iter().find_map(|word| Some(marked.rsplit_once(word)?.1));
    let bare = || marked.rsplit_once(' ').map(|(_, name)| name).filter(|name| is_given(name));
    let name = bracketed.or_else(after).or_else(bare)?.trim();
    let is_name = name.split(' ').count() <= 3 && name.split(' ').all(|word| word.starts_with(char::is_uppercase));
    is_name.then_some(name)
}

/// The name that words begin with, before "to" or "will".
fn heading(said: &str) -> Option<&str> {
    let said = said.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    let marks = [" to ", " will ", ": to ", " should "];
    let (end, mark) = marks.iter().filter_map(|mark| Some((said.find(mark)?, mark))).min()?;
    let name = said[..end].trim_end_matches([':', ',']);
    if is_order(name, &said[end + mark.len()..]) {
        return None;
    }
    let is_part = |word: &str| word.chars().any(char::is_uppercase);
    let count = name.split_whitespace().count();
    ((1..=4).contains(&count) && name.split_whitespace().all(is_part)).then_some(name)
}

/// Whether words before "to" or "will" order something rather than name somebody: "Reply to Priya", "Email Tom to confirm it",
/// "Try to reach Sam", but not "Mark to send the list".
#[must_use]
pub fn is_order(name: &str, behind: &str) -> bool {
    let acts = |word: Option<&str>| word.is_some_and(|word| is_verb(&word.to_lowercase()));
    let mut words = name.split_whitespace();
    let (Some(first), second) = (words.next(), words.next()) else { return false };
    // "Email Tom", but not "Hope", "Mark Dawson" or "Design Team".
    let other = !is_first_name(first);
    let object = other && second.is_some_and(|word| is_first_name(word) || is_title(word));
    let leads = other && takes_to(&first.to_lowercase());
    acts(Some(first)) && (object || leads || !acts(behind.split_whitespace().next()))
}

/// What follows a label.
fn after<'a>(text: &'a str, label: &str) -> Option<&'a str> {
    let head = text.get(..label.len())?;
    let rest = &text[label.len()..];
    let short = SHORT.iter().find(|short| short.eq_ignore_ascii_case(label));
    let written = short.map_or(is_alike(head, label), |short| head == *short);
    let ends = !rest.chars().next().is_some_and(char::is_alphabetic);
    (written && ends).then_some(rest)
}

/// Whether a text is a label, in capitals or not.
fn is_alike(text: &str, label: &str) -> bool {
    text.eq_ignore_ascii_case(label) || (!text.is_ascii() && text.to_lowercase() == *label)
}

/// What follows a number: `-123`, ` #4`, `s`, `*` marks.
fn numbered(rest: &str) -> &str {
    let marks = |letter: char| matches!(letter, '-' | '#' | '*' | '_') || letter.is_ascii_digit();
    let trimmed = rest.trim_start_matches([' ', '\t']);
    let number = trimmed.trim_start_matches(marks);
    let has_number =
        trimmed.len() > number.len() && trimmed[..trimmed.len() - number.len()].contains(|c: char| c.is_ascii_digit());
    if has_number { number } else { rest.trim_start_matches(['*', '_']) }
}

/// What follows the one it is for: ` on Sam`, ` (Sam)`, ` for Sam`, ` WT**` up to three words before the mark.
fn addressed(rest: &str) -> &str {
    let Some(mark) = rest.find([':', '：']).filter(|&mark| mark <= 40) else { return rest };
    let between = &rest[..mark];
    let named = |word: &str| matches!(word, "on" | "for" | "to" | "by") || word.contains(char::is_uppercase);
    let few = between.split_whitespace().count() <= 4 && !between.contains(['.', '?', '!', ',']);
    let plain = few && between.split_whitespace().all(named);
    if plain { &rest[mark..] } else { rest }
}

/// The name in brackets at the end of a labelled line: "ACTION: review the draft (Rob Sanderson)".
fn bracketed(text: &str) -> Option<&str> {
    let inner = text.trim_end().trim_end_matches('.').strip_suffix(')')?;
    let name = inner.rsplit_once('(')?.1.trim();
    let words = name.split_whitespace().count();
    let is_name = name.split_whitespace().all(|word| word.chars().next().is_some_and(char::is_uppercase));
    ((1..=4).contains(&words) && is_name).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declares(text: &str) -> bool {
        super::declares(&Sentence { text, ..Sentence::default() })
    }

    #[test]
    fn labelled_lines_declare_a_task() {
        for text in [
            "ACTION: Gregg to merge the PR",
            "ACTION-123: review the draft",
            "ACTION: SC",
            "**Action: WT** instruct stamp valuer",
            "AI: Sam sends the deck",
            "AP: book the room",
            "TODO: rotate the keys",
            "[ACTION] Ana – call the vendor",
            "Action item: update the wiki",
            "Action on Rob: alert security",
            "Action (Dana): send the SOW",
        ] {
            assert!(declares(text), "{text}");
        }
    }

    #[test]
    fn a_name_in_brackets_closes_a_line() {
        assert_eq!(bracketed("ACTION: review the draft (Rob Sanderson)"), Some("Rob Sanderson"));
        assert_eq!(bracketed("ACTION: review the draft (not the old one)"), None);
        assert_eq!(bracketed("ACTION: review (Rob) the draft"), None);
    }

    #[test]
    fn a_labelled_line_names_its_owner_first_or_last() {
        assert_eq!(named("ACTION: Gregg Kellogg to merge the PR"), Some("Gregg Kellogg"));
        assert_eq!(named("ACTION: eP: to share a link"), Some("eP"));
        assert_eq!(named("ACTION: put it up (Rob Sanderson)"), Some("Rob Sanderson"));
        assert_eq!(named("ACTION: Add a link to the page"), None);
        assert_eq!(named("ACTION: Reply to Priya by Friday"), None);
        assert_eq!(named("TODO: Talk to Sam"), None);
        assert_eq!(named("TODO: Mark to send the list"), Some("Mark"));
        assert_eq!(named("TODO: Mark Dawson to send the list"), Some("Mark Dawson"));
        assert_eq!(named("TODO: Chair to write to the bank"), Some("Chair"));
        assert_eq!(named("TODO: Design Team to send the mock-ups"), Some("Design Team"));
        assert_eq!(named("TODO: Hope to send the list"), Some("Hope"));
        for line in ["AI: Email Tom to confirm it", "TODO: Try to reach Sam", "ACTION: Ask Bob to send the keys"] {
            assert_eq!(named(line), None, "{line}");
        }
        for line in
            ["ACTION (Jonas): book it", "Action on Jonas: book it", "TODO Jonas: book it", "AP for Jonas: book it"]
        {
            assert_eq!(named(line), Some("Jonas"), "{line}");
        }
        assert_eq!(named("Action required: book it"), None);
        assert_eq!(named("Gregg to merge (Rob)"), None);
    }

    #[test]
    fn talk_of_actions_does_not() {
        for text in [
            "AI is changing everything",
            "ai: what do you mean",
            "Action films are fun",
            "Task forces: none",
            "To do that we'd need money",
            "Actions:",
            "ACTION:",
            "Action: none.",
            "I have an action: none really",
        ] {
            assert!(!declares(text), "{text}");
        }
    }
}
