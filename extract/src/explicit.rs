//! Explicit forms: lines that call themselves an action. "ACTION: Gregg to …", "ACTION-123", "AI: …", "AP: …", "TODO …",
//! "- [ ] …". They are tasks whatever the models think.

use crate::feature::{Line, Sentence};

/// Least confidence of a task that an explicit form declares.
pub const CONFIDENCE: f64 = 0.97;

/// Labels that announce an action, lower case, longest first.
const LABELS: [&str; 22] = [
    "action required",
    "action item",
    "action point",
    "actionable",
    "aktionspunkt",
    "next action",
    "new action",
    "follow-up",
    "actiepunt",
    "to-do",
    "to do",
    "todo",
    "action",
    "azione",
    "acción",
    "tarea",
    "tarefa",
    "aufgabe",
    "actie",
    "task",
    "ai",
    "ap",
];
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
    let bare = text.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    let Some(rest) = LABELS.iter().find_map(|label| after(bare, label)) else { return false };
    let rest = numbered(rest);
    let rest = addressed(rest);
    let said = rest.trim_start().strip_prefix([':', '：', '–', '—', ']']).or_else(|| rest.strip_prefix(" - "));
    said.is_some_and(|said| said.chars().filter(|letter| letter.is_alphanumeric()).count() > 1)
}

/// What follows a label.
fn after<'a>(text: &'a str, label: &str) -> Option<&'a str> {
    let head = text.get(..label.len())?;
    let rest = &text[label.len()..];
    let short = SHORT.iter().find(|short| short.eq_ignore_ascii_case(label));
    let written = short.map_or(head.to_lowercase() == *label, |short| head == *short);
    let ends = !rest.chars().next().is_some_and(char::is_alphabetic);
    (written && ends).then_some(rest)
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
    let plain = between.split_whitespace().count() <= 4 && !between.contains(['.', '?', '!', ',']);
    if plain { &rest[mark..] } else { rest }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declares(text: &str) -> bool {
        super::declares(&Sentence { text, utterance: 0, speaker: None, line: Line::Speech })
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
    fn talk_of_actions_does_not() {
        for text in [
            "AI is changing everything",
            "ai: what do you mean",
            "Action films are fun",
            "Task forces: none",
            "To do that we'd need money",
            "Actions:",
            "ACTION:",
            "I have an action: none really",
        ] {
            assert!(!declares(text), "{text}");
        }
    }
}
