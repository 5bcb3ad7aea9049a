//! Who speaks under a label that names nobody ("Speaker 2", "Agent"): whoever they say they are ("it's Tadeas from finance"), or
//! whom others call by name just before they speak.

use super::name::fold;
use super::{PersonId, Roster, given, is_name};
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

/// Words before a name by which somebody is called.
static GREETINGS: WordList = WordList::of(
    "hi hey hello thanks thank cheers morning afternoon okay ok right yes yeah no sorry bye so well oh and but look \
    listen you please hallo danke hola gracias ciao grazie bonjour merci salut obrigado obrigada oi hoi dank moin um \
    uh now great perfect good fine sure then",
);
/// Words after a name by which somebody is called.
static CALLS: WordList = WordList::of(
    "i i'll i'm i've i'd we we'll we're you you'll you're your can could would will do did are have please what when \
    where how why it's that's this that there's thanks thank just let's kannst könntest du bitte puedes tú tu puoi \
    peux você pode kun je",
);
/// Words before a name at the end of what is said that speak of somebody.
static SPEAKS: WordList = WordList::of(
    "to with for from of and or by at on is ask tell call ring email see about than like not was the a this it's mit \
    von für an bei und avec de à con di da per e y met van voor en com para",
);
/// What an introduction, a call and a mention say of who speaks.
const INTRODUCED: f32 = 3.0;
const CALLED: f32 = 1.0;
const CALLED_BACK: f32 = 0.7;
const CALLS_OTHER: f32 = -2.0;
const SPEAKS_OF: f32 = -1.0;
const HEARS_OF: f32 = -0.3;
/// What has to speak for a name, and how far ahead of any other.
const ENOUGH: f32 = 1.5;
const MARGIN: f32 = 0.7;

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
    if labels.is_empty() {
        return Vec::new();
    }
    let mut scores = introductions(roster, transcript, labels);
    calls(roster, transcript, labels, &mut scores);
    let mut named: Vec<(&str, PersonId)> = Vec::new();
    // Who submits a call took part in it: the last one without a name is theirs.
    let me = roster.me.filter(|me| !roster.people[me.0].speaks);
    while let Some((label, id)) = last_is_mine(labels, &named, me, &scores).or_else(|| likeliest(&scores)) {
        named.push((labels[label], id));
        scores.retain(|(other, whose), _| *other != label && *whose != id);
    }
    named
}

fn last_is_mine(
    labels: &[&str],
    named: &[(&str, PersonId)],
    me: Option<PersonId>,
    scores: &Scores,
) -> Option<(usize, PersonId)> {
    let me = me.filter(|me| !named.is_empty() && named.iter().all(|(_, id)| id != me))?;
    let mut rest = (0..labels.len()).filter(|&at| named.iter().all(|(label, _)| *label != labels[at]));
    let label = rest.next().filter(|_| rest.next().is_none())?;
    scores.get(&(label, me)).is_none_or(|score| *score > SPEAKS_OF).then_some((label, me))
}

type Scores = BTreeMap<(usize, PersonId), f32>;

/// Who introduces themselves.
fn introductions(roster: &mut Roster, transcript: &Transcript<'_>, labels: &[&str]) -> Scores {
    let mut scores = Scores::new();
    for (at, label) in labels.iter().enumerate() {
        let own = transcript.utterances.iter().filter(|one| one.speaker.as_deref() == Some(*label)).take(FIRST);
        let name = own.filter_map(|one| introduced(one.text.as_str())).next().map(str::to_owned);
        if let Some(id) = name.and_then(|name| roster.add(&name)).filter(|id| !roster.people[id.0].speaks) {
            *scores.entry((at, id)).or_default() += INTRODUCED;
        }
    }
    scores
}

/// Who is called by name before they speak, and who is spoken of.
fn calls(roster: &Roster, transcript: &Transcript<'_>, labels: &[&str], scores: &mut Scores) {
    let said: Vec<&Utterance<'_>> = transcript.utterances.iter().filter(|one| one.kind != Kind::Header).collect();
    let place = |label: Option<&str>| labels.iter().position(|known| Some(*known) == label);
    let named = named(roster);
    for (at, utterance) in said.iter().enumerate() {
        let speaker = utterance.speaker.as_deref();
        let others = said[at + 1..].iter().map(|one| one.speaker.as_deref());
        let next = others.take(2).find(|other| *other != speaker).and_then(place);
        let others = said[..at].iter().rev().map(|one| one.speaker.as_deref());
        let last = others.take(2).find(|other| *other != speaker).and_then(place);
        let own = place(speaker);
        let words: Vec<(&str, &str)> = given::words(utterance.text.as_str()).collect();
        for (index, (word, after)) in words.iter().enumerate() {
            let Some(&Some(id)) = named.get(fold(word).as_str()) else { continue };
            let is_called = is_called(&words, index, after);
            let mut add = |label: Option<usize>, by: f32| {
                if let Some(label) = label {
                    *scores.entry((label, id)).or_default() += by;
                }
            };
            add(own, if is_called { CALLS_OTHER } else { SPEAKS_OF });
            add(next, if is_called { CALLED } else { HEARS_OF });
            add(last, if is_called { CALLED_BACK } else { HEARS_OF });
        }
    }
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

/// Whether a name is said to whom it means, and not of them: at the beginning of what is said, set off, or at its end.
fn is_called(words: &[(&str, &str)], at: usize, after: &str) -> bool {
    let word = |at: Option<usize>| at.and_then(|at| words.get(at)).map(|(word, _)| word.to_lowercase());
    let is = |word: &Option<String>, list: &WordList| word.as_deref().is_some_and(|word| list.has(word));
    let titled = usize::from(matches!(word(Some(at + 1)).as_deref(), Some("ji" | "sir" | "san")));
    let (before, next) = (word(at.checked_sub(1)), word(Some(at + 1 + titled)));
    let ends = next.is_none() || matches!(next.as_deref(), Some("bye" | "thanks"));
    let pauses = after.trim_start().starts_with([',', '?', '.', '!']);
    let set_off =
        at.checked_sub(1).is_some_and(|before| words[before].1.trim_start().starts_with([',', '.', '?', '!']));
    let leads = before.is_none() || set_off || is(&before, &GREETINGS);
    (leads && (ends || pauses || is(&next, &CALLS) || is(&next, &GREETINGS))) || (ends && !is(&before, &SPEAKS))
}

/// The label and the name that fit best, where they fit well and better than any other.
fn likeliest(scores: &Scores) -> Option<(usize, PersonId)> {
    let ahead = |label: usize, id: PersonId, score: f32| {
        let rival = |(other, whose): &(usize, PersonId)| (*other == label) != (*whose == id);
        scores.iter().filter(|(key, _)| rival(key)).all(|(_, other)| score - other >= MARGIN)
    };
    let fits = scores.iter().filter(|((label, id), score)| **score >= ENOUGH && ahead(*label, *id, **score));
    fits.max_by(|one, other| one.1.total_cmp(other.1)).map(|(key, _)| *key)
}

/// The name by which a speaker introduces themselves in these words.
fn introduced(words: &str) -> Option<&str> {
    let lower = words.to_lowercase();
    if lower.len() != words.len() {
        return None;
    }
    let before = AFTER.all().iter().filter_map(|phrase| {
        let last = words.get(..lower.find(&format!(" {phrase}"))?)?.rsplit([' ', ',', '.']).next()?;
        (is_name(last) && last.len() > 2 && !last.starts_with("I'")).then_some(last)
    });
    let after = BEFORE
        .all()
        .iter()
        .filter_map(|phrase| capitals(words.get(lower.find(&format!("{phrase} "))? + phrase.len() + 1..)?));
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
        assert_eq!(introduced("hi yes it's Tadeas from finance um the VPN thing again"), Some("Tadeas"));
        assert_eq!(introduced("Tenancy services, Matvei speaking."), Some("Matvei"));
        assert_eq!(introduced("Hello, this is Ruth Castellane, about the windows"), Some("Ruth Castellane"));
        assert_eq!(introduced("it's fine, thanks"), None);
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
    fn under_unknown_speaker_anybody_speaks() {
        let text = "Unknown Speaker: I'll book it.\nAlma: fine\nUnknown Speaker: not me\n";
        assert_eq!(speakers(text, &["Unknown Speaker", "Alma"]), ["nobody", "Alma Reyes"]);
    }
}
