//! Who speaks under a label that names nobody ("Speaker 2", "Agent"): whoever they say they are ("it's Tadeas from finance"), or
//! whom others call by name just before they speak.

mod name_use;

use super::name::fold;
use super::{PersonId, Roster, given, is_name};
use crate::model::math::exp;
use crate::owner::is_common;
use crate::reader::{Kind, Transcript, Utterance};
use crate::word_list::WordList;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Words of labels that name nobody.
static LABELS: WordList = WordList::of(
    "unknown them speaker agent caller guest participant operator officer customer client host interviewer candidate \
    support sprecher sprecherin anrufer teilnehmer locuteur intervenant hablante orador participante falante \
    interlocutor parlante interlocutore relatore spreker deelnemer resident attendee user rep advisor 话者 話者 \
    发言人 说话人 發言人",
);
/// Utterances of a speaker within which they introduce themselves.
const FIRST: usize = 4;
/// What stands before the name of one who introduces themselves, in lower case.
static BEFORE: WordList = WordList::of_phrases(
    "it's | it is | this is | my name is | my name's | i'm | i am | you're speaking to | name's | hier ist | c'est | \
    soy | sono",
);
/// What stands after it.
static AFTER: WordList = WordList::of_phrases("speaking | here | am apparat | à l'appareil | calling");

/// What an introduction adds to the score of a name for a label.
const INTRODUCED: f64 = 3.0;
/// What the score of every name begins with, and that of who submits the call, who mostly took part in it.
const BIAS: f64 = -1.77;
const IS_ME: f64 = 1.82;
/// From which probability on a label is told to be somebody.
const ENOUGH: f64 = 0.45;
/// The score of a label that is somebody else's already.
const NO: f64 = -100.0;
/// Most labels that are told apart by what others call them.
const MOST_LABELS: usize = 40;

/// Whether a label names nobody.
pub fn is_generic(label: &str) -> bool {
    let plain = label.trim_end_matches(|one: char| one.is_ascii_digit());
    plain.split([' ', '_', '-']).any(|word| LABELS.has(&word.to_lowercase()))
}

/// Whether such a label has but a number or a letter for its speaker, and not a role.
pub fn is_numbered(label: &str) -> bool {
    let last = label.rsplit([' ', '_', '-']).next().unwrap_or(label);
    last.chars().count() == 1 || last.ends_with(|one: char| one.is_ascii_digit())
}

/// Whether several people speak under a label.
pub fn is_anybody(label: &str) -> bool {
    let label = label.to_lowercase();
    label.contains("unknown") || label == "them"
}

/// Says who of a roster speaks under each of some labels.
pub fn identify<'t>(roster: &mut Roster, transcript: &Transcript<'_>, labels: &[&'t str]) -> Vec<(&'t str, PersonId)> {
    let labels = &labels[..labels.len().min(MOST_LABELS)];
    if labels.is_empty() {
        return Vec::new();
    }
    let introduced = introductions(roster, transcript, labels);
    let mut scores = called(roster, transcript, labels);
    for (label, id) in introduced {
        scores.entry(id).or_insert_with(|| vec![BIAS; labels.len()])[label] += INTRODUCED;
    }
    let mut named: Vec<(usize, PersonId)> = Vec::new();
    assign(&mut scores, &mut named);
    // Who submits a call mostly took part in it: the last one without a name is theirs, though nobody names them.
    let me = roster.me.filter(|me| !roster.people[me.0].speaks && named.iter().all(|(_, id)| id != me));
    if let Some(me) = me.filter(|me| !named.is_empty() && !scores.contains_key(me)) {
        let free = |label: usize| named.iter().all(|(other, _)| *other != label);
        scores.insert(me, (0..labels.len()).map(|label| if free(label) { BIAS + IS_ME } else { NO }).collect());
        assign(&mut scores, &mut named);
    }
    named.into_iter().map(|(label, id)| (labels[label], id)).collect()
}

/// Gives labels to people as long as there is a likely pair.
fn assign(scores: &mut BTreeMap<PersonId, Vec<f64>>, named: &mut Vec<(usize, PersonId)>) {
    while let Some((label, id)) = likeliest(scores) {
        named.push((label, id));
        scores.remove(&id);
        scores.values_mut().for_each(|of| of[label] = NO);
    }
}

/// Who introduces themselves.
fn introductions(roster: &mut Roster, transcript: &Transcript<'_>, labels: &[&str]) -> Vec<(usize, PersonId)> {
    let mut found = Vec::new();
    for (at, label) in labels.iter().enumerate() {
        let own = transcript.utterances.iter().filter(|one| one.speaker.as_deref() == Some(*label)).take(FIRST);
        let name = own.filter_map(|one| introduced(one.text.as_str())).next();
        let id = name.and_then(|name| roster.add(&name)).filter(|id| !roster.people[id.0].speaks);
        found.extend(id.map(|id| (at, id)));
    }
    found
}

/// For each person who is called or spoken of, the score of each label: log odds against its being nobody's.
fn called(roster: &Roster, transcript: &Transcript<'_>, labels: &[&str]) -> BTreeMap<PersonId, Vec<f64>> {
    let said: Vec<&Utterance<'_>> = transcript.utterances.iter().filter(|one| one.kind != Kind::Header).collect();
    let speakers: Vec<Option<&str>> = said.iter().map(|one| one.speaker.as_deref()).collect();
    let named = named(roster);
    let mut counts: BTreeMap<PersonId, Vec<name_use::NameUseCounts>> = BTreeMap::new();
    for (at, utterance) in said.iter().enumerate() {
        let words = name_use::SaidWords::of(utterance.text.as_str());
        let mut uses = words.name_uses(|word| named.get(fold(word).as_str()).copied().flatten()).peekable();
        if uses.peek().is_none() {
            continue;
        }
        let relations: Vec<_> = labels.iter().map(|label| name_use::relations(&speakers, at, label)).collect();
        for (id, name_use) in uses {
            let counts = counts.entry(id).or_insert_with(|| vec![name_use::NameUseCounts::default(); labels.len()]);
            for (counts, relations) in counts.iter_mut().zip(&relations) {
                counts.add(name_use, relations);
            }
        }
    }
    let base = |id| BIAS + if Some(id) == roster.me { IS_ME } else { 0.0 };
    let scores = counts.into_iter().map(|(id, of)| (id, of.iter().map(|one| base(id) + one.score()).collect()));
    scores.collect()
}

/// Those who do not speak under a name of theirs, by its first and last word; `None` where it fits several.
fn named(roster: &Roster) -> HashMap<&str, Option<PersonId>> {
    let mut named: HashMap<&str, Option<PersonId>> = HashMap::new();
    for id in roster.ids() {
        let person = &roster.people[id.0];
        let ends = person.names.iter().flat_map(|name| name.words.first().into_iter().chain(name.words.last()));
        let words: BTreeSet<&str> = ends.map(String::as_str).filter(|word| word.chars().count() > 2).collect();
        let who = Some(id).filter(|_| !person.speaks);
        words.into_iter().for_each(|word| {
            named.entry(word).and_modify(|known| *known = None).or_insert(who);
        });
    }
    named
}

/// The label and the person that are likeliest each other's, where they are likely enough: the person among those of the label, and
/// the label among those of the person, nobody among both.
fn likeliest(scores: &BTreeMap<PersonId, Vec<f64>>) -> Option<(usize, PersonId)> {
    let mut of_label = vec![1.0; scores.values().next()?.len()];
    for of in scores.values() {
        of_label.iter_mut().zip(of).for_each(|(sum, score)| *sum += exp(*score));
    }
    let pairs = scores.iter().flat_map(|(id, of)| {
        let of_person: f64 = 1.0 + of.iter().map(|score| exp(*score)).sum::<f64>();
        let likely = move |(label, score): (usize, &f64)| (exp(*score) / of_person, label, *id);
        of.iter().enumerate().map(likely)
    });
    let both = pairs.map(|(likely, label, id)| (likely.min(exp(scores[&id][label]) / of_label[label]), label, id));
    let (likely, label, id) = both.max_by(|one, other| one.0.total_cmp(&other.0))?;
    (likely >= ENOUGH).then_some((label, id))
}

/// The name by which a speaker introduces themselves in these words; in lower case a given name alone.
fn introduced(words: &str) -> Option<String> {
    let lower = words.to_lowercase();
    if lower.len() != words.len() {
        return None;
    }
    let before = AFTER.all().iter().filter_map(|phrase| {
        let last = words.get(..lower.find(&format!(" {phrase}"))?)?.rsplit([' ', ',', '.']).next()?;
        (is_name(last) && last.len() > 2 && !last.starts_with("I'")).then(|| last.to_owned())
    });
    let after = BEFORE.all().iter().filter_map(|phrase| {
        let rest = words.get(lower.find(&format!("{phrase} "))? + phrase.len() + 1..)?;
        let word = rest.split([' ', ',', '.']).next().filter(|word| given::is_given(word));
        let named = capitals(rest).filter(|name| !is_common(&name.to_lowercase()));
        named.map(str::to_owned).or_else(|| word.map(given::capitalised))
    });
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
    use crate::reader::read;
    use crate::{Context, Document};
    use gleaner_model::Subject;

    /// Whom labels of a call mean that Alma Reyes submits, one after the other.
    fn speakers(text: &str, labels: &[&str]) -> Vec<String> {
        let context = Context::new(Subject::named("Alma Reyes"), Default::default());
        let roster = Roster::of(&read(&Document { source_type: "call", title: None, text }), &context);
        let name = |label: &&str| roster.speaker(label).map_or("nobody", |id| &roster.person(id).name).to_owned();
        labels.iter().map(name).collect()
    }

    #[test]
    fn speakers_introduce_themselves_in_many_ways() {
        assert_eq!(introduced("hi yes it's Tadeas from finance um the VPN thing again"), Some("Tadeas".into()));
        assert_eq!(introduced("Tenancy services, Matvei speaking."), Some("Matvei".into()));
        assert_eq!(introduced("Hello, this is Ruth Castellane, about the windows"), Some("Ruth Castellane".into()));
        assert_eq!(introduced("okay so this is maureen tighe for the tape"), Some("Maureen".into()));
        assert_eq!(introduced("it's fine, thanks"), None);
        assert_eq!(introduced("it's Tuesday already"), None);
        assert_eq!(introduced("I'm here"), None);
    }

    #[test]
    fn labels_without_a_name_are_known() {
        for label in ["Unknown Speaker", "SPEAKER_01", "Housing officer", "intervenant 1", "話者1", "Sprecher 2"] {
            assert!(is_generic(label), "{label}");
        }
        assert!(is_numbered("Speaker B") && is_numbered("話者1") && !is_numbered("Housing officer"));
        assert!(!is_generic("Sam Keller"));
    }

    #[test]
    fn each_numbered_speaker_is_somebody_else() {
        let text = "Speaker 1: could you send the plan?\nSpeaker 2: I'll send it tomorrow.\nSpeaker 1: great.\n";
        assert_eq!(speakers(text, &["Speaker 1", "Speaker 2"]), ["Speaker 1", "Speaker 2"]);
    }

    #[test]
    fn who_is_called_by_name_is_who_answers_and_the_other_one_is_me() {
        let text = "Speaker 1: Hi Tomas, thanks for ringing back.\nSpeaker 2: Sure. Is it about the roof?\n\
                    Speaker 1: Yes. Tomas, could you ask Karin for the second quote?\nSpeaker 2: I'll ask her today.\n";
        assert_eq!(speakers(text, &["Speaker 1", "Speaker 2"]), ["Alma Reyes", "Tomas"]);
    }

    #[test]
    fn names_that_are_called_tell_who_speaks_also_in_lower_case() {
        let text = "Speaker 1: morning can you hear me, I'm in the yard so it's loud and the dog is about\n\
                    Speaker 2: yeah we can, go on, it's only a bit of wind and we have all the time in the world\n\
                    Speaker 1: right so odile where are we with the lease\n\
                    Speaker 3: it's signed they sent it back on the monday and it looks fine to me\n\
                    Speaker 1: thanks odile, and fabian what did the roofer say\n\
                    Speaker 2: he wants two more days\nSpeaker 3: can you wait for that fabian\nSpeaker 2: I can\n";
        assert_eq!(speakers(text, &["Speaker 2", "Speaker 3"]), ["Fabian", "Odile"]);
    }

    #[test]
    fn who_is_only_spoken_of_is_nobody_who_speaks() {
        let text = "Speaker 1: I'll ask Odile about the lease.\nSpeaker 2: Good. And I'll write to Fabian.\n\
                    Speaker 1: With Odile we can wait until Monday.\nSpeaker 3: Fine.\n";
        assert_eq!(speakers(text, &["Speaker 2", "Speaker 3"]), ["Speaker 2", "Speaker 3"]);
    }

    #[test]
    fn one_label_of_whom_nobody_speaks_is_nobody() {
        let text = "Speaker 1: I'll send my passport.\nSpeaker 1: And the form.\n";
        assert_eq!(speakers(text, &["Speaker 1"]), ["Speaker 1"]);
    }

    #[test]
    fn any_number_of_names_without_a_mark_is_read() {
        let text = format!("Speaker 1: {}\nSpeaker 2: yes\n", "tom a ".repeat(30_000));
        assert_eq!(speakers(&text, &["Speaker 1"]), ["Speaker 1"]);
    }

    #[test]
    fn under_unknown_speaker_anybody_speaks() {
        let text = "Unknown Speaker: I'll book it.\nAlma: fine\nUnknown Speaker: not me\n";
        assert_eq!(speakers(text, &["Unknown Speaker", "Alma"]), ["nobody", "Alma Reyes"]);
    }
}
