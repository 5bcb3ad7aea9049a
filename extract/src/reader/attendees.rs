//! Those present, as a line of minutes lists them.

use crate::word_list::WordList;

/// Words that open a list of those present.
static PRESENT: WordList = WordList::of_phrases(
    "attendees | attending | present | participants | people | with | att | who | in the room | présents | présentes | \
    participantes | presentes | asistentes | anwesend | teilnehmer | teilnehmende | presenti | partecipanti | \
    aanwezig | deelnemers | obecni | přítomni | närvarande | deltagare | katılanlar | us",
);

/// Whether a label, in lower case, opens a list of those present.
pub fn lists_present(label: &str) -> bool {
    PRESENT.has(label) && label != "us"
}

/// The names on a line such as `Present: L. Abara (chair), Greg Sosa`, wherever on the line the word stands.
pub fn listed_attendees(line: &str) -> Vec<&str> {
    let Some(colon) = line.bytes().take(120).position(|byte| byte == b':') else { return Vec::new() };
    let label = line[..colon].trim_end().trim_end_matches(['*', '_']);
    let word = label.rsplit(['*', '_', ',', '—', '–', '(', '.', '-']).next().unwrap_or(label).trim().to_lowercase();
    if !PRESENT.has(&word) {
        return Vec::new();
    }
    let names = line[colon + 1..].trim_start_matches(['*', '_', ' ']).trim_end_matches(['.', ' ', '*', '_']);
    split_names(names)
}

/// Names in a list: parted by commas, semicolons, middle dots or plus signs outside of brackets.
pub fn split_names(list: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let parts = list.split(move |character| {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && matches!(character, ',' | ';' | '·' | '+' | '、' | '|')
    });
    parts.map(str::trim).filter(|name| !name.is_empty() && name.len() <= 80).take(64).collect()
}
