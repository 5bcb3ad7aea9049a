//! Speakers without a name ("Unknown Speaker", "Speaker 2", "Agent") who say it: "it's Tadeas from finance".

use super::name::Name;
use super::{PersonId, Roster, is_name};
use crate::reader::Transcript;

/// Utterances of a speaker within which they introduce themselves.
const FIRST: usize = 4;
/// Words of labels that name nobody.
const LABELS: &[&str] = &[
    "unknown",
    "speaker",
    "agent",
    "caller",
    "guest",
    "participant",
    "operator",
    "officer",
    "customer",
    "client",
    "host",
    "interviewer",
    "candidate",
    "support",
    "sprecher",
    "anrufer",
    "locuteur",
    "hablante",
    "resident",
    "attendee",
    "user",
    "rep",
    "advisor",
];
/// What stands before the name of one who introduces themselves, in lower case.
const BEFORE: &[&str] = &[
    "it's ",
    "it is ",
    "this is ",
    "my name is ",
    "my name's ",
    "i'm ",
    "i am ",
    "you're speaking to ",
    "name's ",
    "hier ist ",
    "c'est ",
    "soy ",
    "sono ",
];
/// What stands after it.
const AFTER: &[&str] = &[" speaking", " here", " am apparat", " à l'appareil", " calling"];

/// Gives speakers without a name the one that they introduce themselves by.
pub fn name_unknown(roster: &mut Roster, transcript: &Transcript<'_>) {
    let unnamed = |entry: &(&String, &PersonId)| is_generic(entry.0) && !roster.people[entry.1.0].is_me;
    let mut unknown: Vec<(String, PersonId)> =
        roster.labels.iter().filter(unnamed).map(|(label, id)| (label.clone(), *id)).collect();
    unknown.sort();
    for (label, id) in unknown {
        let own = transcript.utterances.iter().filter(|one| one.speaker.as_deref() == Some(label.as_str())).take(FIRST);
        let name = own.filter_map(|one| introduced(one.text.as_str())).next().map(str::to_owned);
        if let Some(name) = name {
            roster.people[id.0].names.push(Name::of(&name));
            roster.people[id.0].name = name;
        }
    }
}

fn is_generic(label: &str) -> bool {
    label.split([' ', '_', '-']).any(|word| LABELS.contains(&word.to_lowercase().as_str()))
}

/// The name by which a speaker introduces themselves in these words.
fn introduced(words: &str) -> Option<&str> {
    let lower = words.to_lowercase();
    if lower.len() != words.len() {
        return None;
    }
    let before = AFTER.iter().filter_map(|mark| {
        let last = words.get(..lower.find(mark)?)?.rsplit([' ', ',', '.']).next()?;
        (is_name(last) && last.len() > 2).then_some(last)
    });
    let after = BEFORE.iter().filter_map(|mark| capitals(words.get(lower.find(mark)? + mark.len()..)?));
    before.chain(after).next()
}

/// The one or two words with capitals at the start of a text.
fn capitals(text: &str) -> Option<&str> {
    let mut end = 0;
    for word in text.split_inclusive(' ').take(2) {
        let bare = word.trim_end_matches([' ', ',', '.', '!', '?']);
        if !is_name(bare) {
            break;
        }
        end += word.len();
        if word.len() != bare.len() + 1 || !word.ends_with(' ') {
            break;
        }
    }
    let name = text[..end].trim_end_matches([' ', ',', '.', '!', '?']);
    (name.len() > 2).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speakers_introduce_themselves_in_many_ways() {
        assert_eq!(introduced("hi yes it's Tadeas from finance um the VPN thing again"), Some("Tadeas"));
        assert_eq!(introduced("Tenancy services, Matvei speaking."), Some("Matvei"));
        assert_eq!(introduced("Hello, this is Ruth Castellane, about the windows"), Some("Ruth Castellane"));
        assert_eq!(introduced("it's fine, thanks"), None);
    }

    #[test]
    fn labels_without_a_name_are_known() {
        assert!(is_generic("Unknown Speaker") && is_generic("SPEAKER_01") && is_generic("Housing officer"));
        assert!(!is_generic("Sam Keller"));
    }
}
