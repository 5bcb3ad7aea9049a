//! People: who is in a document, and whom a name as written means.
//!
//! The roster knows the speakers, the parties of mails, those listed as present, those the client names, and "me".
//! A name is resolved to the one person it fits; where it fits two ("Sam" in a room with two Sams), to nobody.

pub mod given;
pub(crate) mod initials;
pub mod name;
mod place;
mod unnamed;

use std::collections::HashMap;

use crate::reader::{Address, Format, Kind, Transcript};
use crate::word_list::WordList;
use crate::{Context, language};
use name::Name;
pub(crate) use place::is_name as is_first_name;

/// A person of a roster, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PersonId(usize);

/// Somebody in a document.
#[derive(Clone, Debug, Default)]
pub struct Person {
    /// The fullest name that the document gives.
    pub name: String,
    /// Whether it is "me".
    pub is_me: bool,
    /// Whether they speak or write in the document.
    pub speaks: bool,
    /// Whether the text only speaks of them.
    pub is_only_named: bool,
    /// Whether they are listed as present, or write or get a mail.
    is_listed: bool,
    /// Every name that they go by.
    names: Vec<Name>,
    /// The part of their address before the `@`, and the address.
    emails: Vec<String>,
}

impl Person {
    /// Whether all that is known of who they are is a number.
    #[must_use]
    pub fn is_unnamed(&self) -> bool {
        self.names.is_empty()
    }
}

/// The people of a document.
#[derive(Clone, Debug, Default)]
pub struct Roster {
    people: Vec<Person>,
    labels: HashMap<String, PersonId>,
    me: Option<PersonId>,
    /// Whether one capital letter means somebody, as in notes that people take for themselves.
    letters: bool,
    /// The language of the document, BCP 47.
    language: String,
}

/// Most people that are told apart.
const MOST: usize = 400;

impl Roster {
    /// The people of a transcript.
    #[must_use]
    pub fn of(transcript: &Transcript<'_>, context: &Context) -> Self {
        let mut roster = Self::default();
        roster.add_me(context);
        let mut envelopes: Vec<&Address<'_>> = Vec::new();
        for envelope in &transcript.envelopes {
            let to = envelope.to.iter().chain(&envelope.cc).filter(|address| !address.is_group());
            envelopes.extend(envelope.from.iter().chain(to));
        }
        let mut listed: Vec<&str> = transcript.attendees.clone();
        listed.extend(context.participants.iter().map(String::as_str));
        let mut speakers: Vec<&str> = Vec::new();
        for speaker in
            transcript.utterances.iter().filter(|one| one.kind != Kind::Header).filter_map(|one| one.speaker.as_deref())
        {
            if !speakers.contains(&speaker) && speakers.len() < MOST {
                speakers.push(speaker);
            }
        }
        // Full names first, so that short ones find them.
        speakers.sort_by_key(|speaker| std::cmp::Reverse(speaker.split(' ').count()));
        envelopes.into_iter().for_each(|address| roster.add_address(address));
        listed.into_iter().for_each(|entry| roster.add_listed(entry));
        roster.language = language::of(context.language.as_deref(), transcript).to_owned();
        let given = given::names(transcript, roster.has_capital_nouns());
        if transcript.format == Format::Notes {
            roster.letters = true;
            titled(transcript).into_iter().for_each(|name| {
                roster.add(name);
            });
            for initials in initials::of(transcript) {
                roster.add_full(initials, &given);
                roster.add(initials);
            }
        }
        let (unnamed, named): (Vec<&str>, Vec<&str>) =
            speakers.into_iter().partition(|label| unnamed::is_generic(label) && aside(label).is_none());
        named.into_iter().for_each(|speaker| roster.add_speaker(speaker));
        let assigned = transcript.utterances.iter().filter_map(|one| one.assigned).filter(|name| is_name(name));
        for name in given.into_iter().chain(assigned.map(str::to_owned)) {
            roster.add_named(&name);
        }
        roster.add_unnamed(transcript, &unnamed);
        roster
    }

    /// Somebody of the document, by an id of this roster.
    #[must_use]
    pub fn person(&self, id: PersonId) -> &Person {
        &self.people[id.0]
    }

    /// "Me", where the subject has a name.
    #[must_use]
    pub fn me(&self) -> Option<PersonId> {
        self.me
    }

    /// The language of the document, BCP 47 without a region.
    #[must_use]
    pub fn language(&self) -> &str {
        &self.language
    }

    /// The names of those of whom the text only speaks.
    pub fn only_named(&self) -> impl Iterator<Item = &str> {
        self.people.iter().filter(|person| person.is_only_named).map(|person| person.name.as_str())
    }

    /// Whether nouns have capitals, so that a capital says little of names.
    #[must_use]
    pub fn has_capital_nouns(&self) -> bool {
        self.language == "de"
    }

    /// Whether the text is English.
    #[must_use]
    pub fn is_english(&self) -> bool {
        self.language == "en"
    }

    /// Whether "me" neither speaks nor is listed, where everybody who speaks has a name of their own.
    #[must_use]
    pub fn is_reader(&self, me: &Person) -> bool {
        me.is_me && !me.speaks && !me.is_listed && !self.people.iter().any(|one| one.speaks && one.is_unnamed())
    }

    /// Whether somebody's first name is one, so that a label such as "Kitchen" is told apart.
    #[must_use]
    pub fn has_given_name(&self, id: PersonId) -> bool {
        self.people[id.0].names.iter().any(|name| name.words.first().is_some_and(|word| place::is_name(word)))
    }

    /// The words of all names that somebody goes by, folded.
    pub fn words_of(&self, id: PersonId) -> impl Iterator<Item = &str> {
        self.people[id.0].names.iter().flat_map(|name| name.words.iter().map(String::as_str))
    }

    /// Everybody, in the order in which the document names them; "me" first.
    pub fn ids(&self) -> impl Iterator<Item = PersonId> + use<> {
        (0..self.people.len()).map(PersonId)
    }

    /// The person that a speaker's label means.
    #[must_use]
    pub fn speaker(&self, label: &str) -> Option<PersonId> {
        self.labels.get(label).copied()
    }

    /// The one person whom a name as written fits: a name, part of one, initials, a handle or an address.
    #[must_use]
    pub fn resolve(&self, written: &str) -> Option<PersonId> {
        let bare = written.trim().trim_start_matches('@');
        if bare.contains('@') {
            return self.by_email(bare);
        }
        let name = Name::of(bare);
        if name.is_empty() {
            return None;
        }
        let ways: [&dyn Fn(&Name) -> bool; 5] = [
            &|known| known.words == name.words,
            &|known| known.holds(&name),
            &|known| known.has_initials(&name),
            &|known| known.begins(&name),
            &|known| self.letters && known.has_letter(&name),
        ];
        ways.iter()
            .find_map(|fits| self.only(|person| person.names.iter().any(fits)))
            .or_else(|| self.only(|person| person.emails.iter().any(|email| email == &bare.to_lowercase())))
    }

    /// Whether a name as written fits more than one person.
    #[must_use]
    pub fn is_ambiguous(&self, written: &str) -> bool {
        let name = Name::of(written.trim().trim_start_matches('@'));
        !name.is_empty()
            && self.people.iter().filter(|person| person.names.iter().any(|known| known.holds(&name))).count() > 1
    }

    /// Whether a single word, folded, is part of anybody's name.
    #[must_use]
    pub fn knows_word(&self, word: &str) -> bool {
        self.people.iter().any(|person| person.names.iter().any(|name| name.words.iter().any(|known| known == word)))
    }

    /// Whether a single word, folded, is a handle made from anybody's name.
    #[must_use]
    pub fn knows_handle(&self, word: &str) -> bool {
        self.people.iter().any(|person| person.names.iter().any(|name| name.words.len() > 1 && name.has_handle(word)))
    }

    /// The only person that something holds of.
    fn only(&self, holds: impl Fn(&Person) -> bool) -> Option<PersonId> {
        let mut found = self.people.iter().enumerate().filter(|(_, person)| holds(person));
        let first = found.next()?;
        found.next().is_none().then_some(PersonId(first.0))
    }

    fn by_email(&self, email: &str) -> Option<PersonId> {
        let email = email.trim_end_matches(['.', ',', ';', '>']).to_lowercase();
        self.only(|person| person.emails.contains(&email))
    }

    fn add_me(&mut self, context: &Context) {
        let names: Vec<Name> = context.me.names().map(Name::of).filter(|name| !name.is_empty()).collect();
        let emails = context.me.email.as_deref().map(spellings).unwrap_or_default();
        let Some(name) = context.me.name.clone().or_else(|| context.me.names().next().map(str::to_owned)) else {
            return;
        };
        self.people.push(Person { name, is_me: true, names, emails, ..Person::default() });
        self.me = Some(PersonId(0));
    }

    fn add_address(&mut self, address: &Address<'_>) {
        let known = address.email.and_then(|email| self.by_email(email));
        let id = match (known, address.name.as_deref()) {
            (Some(id), Some(name)) => self.also(id, name),
            (Some(id), None) => Some(id),
            (None, Some(name)) => self.add(name),
            (None, None) => address.email.and_then(|email| self.add(email)),
        };
        if let Some(id) = id {
            self.people[id.0].is_listed = true;
            self.people[id.0].emails.extend(address.email.map(spellings).unwrap_or_default());
        }
    }

    /// Adds `Jovana Petrušić (JP)`, `Leo (me)`, `Mr. Achterberg (payments)`.
    fn add_listed(&mut self, entry: &str) {
        let (name, aside) =
            entry.split_once('(').map_or((entry, ""), |(name, aside)| (name, aside.trim_end_matches(')')));
        let aside = aside.trim().trim_matches(['"', '“', '”', '\'']);
        if matches!(name.trim().to_lowercase().as_str(), "me" | "moi" | "ich" | "yo" | "io" | "já" | "us") {
            return;
        }
        let mine = aside.split([',', ' ']).any(|word| matches!(word, "me" | "moi" | "ich" | "yo" | "io"));
        let id = match self.me.filter(|_| mine) {
            Some(me) => self.also(me, name),
            None => self.add(turned(name).as_deref().unwrap_or(name)),
        };
        id.into_iter().for_each(|id| self.people[id.0].is_listed = true);
        let short =
            !aside.is_empty() && !aside.contains(' ') && aside.starts_with(char::is_uppercase) && aside.len() <= 8;
        if let (Some(id), true) = (id, short) {
            self.people[id.0].names.push(Name::of(aside));
        }
    }

    fn add_speaker(&mut self, label: &str) {
        // Apps mark whom they have no entry of: "~ Meenakshi".
        let name =
            aside(label).unwrap_or_else(|| label.trim_start_matches(|one: char| one == '~' || one.is_whitespace()));
        let me = self.me.filter(|_| is_first_person(label));
        let turned = turned(name);
        if let Some(id) = me.or_else(|| self.add(turned.as_deref().unwrap_or(name))) {
            self.people[id.0].speaks = true;
            self.labels.insert(label.to_owned(), id);
        } else {
            self.add_number(label);
        }
    }

    /// Adds somebody of whom all that is known is a number: "Speaker 2", "+49 170 1234567".
    fn add_number(&mut self, label: &str) {
        if self.people.len() < MOST {
            self.labels.insert(label.to_owned(), PersonId(self.people.len()));
            self.people.push(Person { name: label.to_owned(), speaks: true, ..Person::default() });
        }
    }

    /// Adds those who speak under labels that name nobody, each label's one person; under some of them several people speak.
    fn add_unnamed(&mut self, transcript: &Transcript<'_>, labels: &[&str]) {
        let labels: Vec<&str> = labels.iter().copied().filter(|label| !unnamed::is_anybody(label)).collect();
        for (label, id) in unnamed::identify(self, transcript, &labels) {
            self.people[id.0].speaks = true;
            self.people[id.0].is_only_named = false;
            self.labels.insert(label.to_owned(), id);
        }
        for label in labels {
            if self.labels.contains_key(label) {
                continue;
            }
            if unnamed::is_numbered(label) {
                self.add_number(label);
            } else {
                self.add_speaker(label);
            }
        }
    }

    /// Adds somebody whom the text speaks of, unless they are known or may be one of several.
    fn add_named(&mut self, name: &str) {
        let before = self.people.len();
        if !self.is_ambiguous(name)
            && let Some(id) = self.add(name).filter(|id| id.0 == before)
        {
            self.people[id.0].is_only_named = true;
        }
    }

    /// Adds the one of these names whose initials stand in the text, so that they name that person and nobody new.
    fn add_full(&mut self, initials: &str, names: &[String]) {
        let fits = |name: &&String| Name::of(name).has_initials(&Name::of(initials));
        let mut fitting = names.iter().filter(fits);
        if let (Some(name), None) = (fitting.next(), fitting.next())
            && self.resolve(initials).is_none()
        {
            self.add_named(name);
        }
    }

    /// Adds a name: to the one person whom it fits, or as somebody new.
    fn add(&mut self, written: &str) -> Option<PersonId> {
        let name = Name::of(written);
        if name.is_empty() {
            return None;
        }
        let same = self.only(|person| person.names.iter().any(|known| known.holds(&name) || name.holds(known)));
        if let Some(id) = same.or_else(|| self.resolve(written)) {
            return self.also(id, written);
        }
        if self.people.len() >= MOST {
            return None;
        }
        let name_as_written = written.split('(').next().unwrap_or(written).trim().trim_start_matches('@').to_owned();
        self.people.push(Person { name: name_as_written, names: vec![name], ..Person::default() });
        Some(PersonId(self.people.len() - 1))
    }

    /// One more name of a person; the fullest one is theirs.
    fn also(&mut self, id: PersonId, written: &str) -> Option<PersonId> {
        let name = Name::of(written);
        let person = &mut self.people[id.0];
        let fuller = person.names.iter().all(|known| name.holds(known) && name.words.len() > known.words.len());
        if fuller && !person.is_me {
            person.name = written.split('(').next().unwrap_or(written).trim().to_owned();
        }
        if !name.is_empty() && !person.names.contains(&name) {
            person.names.push(name);
        }
        Some(id)
    }
}

/// Whether a program or a person calls by this label the one whose record it is: "Me", "You", "Me (Bruno Keller)", "Ida Holm (you)".
fn is_first_person(label: &str) -> bool {
    static OWN: WordList = WordList::of("me you i myself ich du moi yo tú io tu eu ik jij já");
    let (name, aside) = label.split_once('(').unwrap_or((label, ""));
    OWN.has(&name.trim().to_lowercase()) || matches!(aside.trim_end_matches(')').to_lowercase().as_str(), "you" | "me")
}

/// "Aoife Brennan" of "Brennan, Aoife (Dr)", as directories write it.
fn turned(label: &str) -> Option<String> {
    let (last, first) = label.split('(').next()?.split_once(',')?;
    // "Tom Abara, Acme" has a firm behind the comma.
    let plain = |part: &str, most: usize| is_name(part.trim()) && part.trim().split(' ').count() <= most;
    (plain(last, 1) && plain(first, 2)).then(|| format!("{} {}", first.trim(), last.trim()))
}

/// A name as people read it: where a transcript shouts it ("MARTA LINDQVIST"), with capitals only at the beginnings. A single
/// word may be an abbreviation.
#[must_use]
pub fn quiet(name: &str) -> String {
    let shouted = name.contains(' ') && !name.chars().any(|one| one.is_lowercase() || one.is_numeric());
    let mut begins = true;
    let quieter = |letter: char| {
        let keeps = std::mem::replace(&mut begins, !letter.is_alphabetic());
        if keeps { vec![letter] } else { letter.to_lowercase().collect() }
    };
    if shouted { name.chars().flat_map(quieter).collect() } else { name.to_owned() }
}

/// The name behind a role, or behind "me": "Agent (Grace Mbeki)".
fn aside(label: &str) -> Option<&str> {
    let (role, name) = label.split_once('(')?;
    let name = name.trim_end().strip_suffix(')')?.trim();
    ((unnamed::is_generic(role.trim()) || is_first_person(role)) && is_name(name)).then_some(name)
}

/// The names in the title of notes about a talk with somebody: "1:1 Aigerim Satova / Llewelyn".
fn titled<'t>(transcript: &'t Transcript<'_>) -> Vec<&'t str> {
    let heading = transcript.utterances.iter().take(4).find(|one| matches!(one.kind, Kind::Heading(_)));
    let title = heading.map(|heading| heading.text.as_str()).unwrap_or_default();
    let talk = ["1:1", "1-1", "1on1", "one on one"].iter().any(|word| title.contains(word));
    let parts = title.split(['/', '—', '–', ',', '(', '&', '|']).map(str::trim).filter(|_| talk);
    let without = |part: &'t str| {
        ["1:1", "1-1", "1on1", "with"].iter().fold(part, |rest, word| rest.strip_prefix(word).unwrap_or(rest).trim())
    };
    parts.map(without).filter(|name| name.split(' ').count() <= 3 && is_name(name)).collect()
}

/// Whether every word begins with a capital and has no digit.
fn is_name(text: &str) -> bool {
    let plain = |one: char| one.is_alphabetic() || matches!(one, ' ' | '-' | '.' | '\'' | '’');
    !text.is_empty()
        && text.split([' ', '-']).all(|word| word.starts_with(char::is_uppercase))
        && text.chars().all(plain)
}

/// An address, and the part of it before the `@`.
fn spellings(email: &str) -> Vec<String> {
    let lower = email.to_lowercase();
    let local = lower.split('@').next().unwrap_or_default().to_owned();
    vec![lower, local]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Document;
    use crate::reader::read;
    use gleaner_model::Subject;

    fn roster(text: &str) -> Roster {
        let me = Subject {
            aliases: vec!["Mel".into()],
            email: Some("m.ito@x.example".into()),
            ..Subject::named("Melis Ito")
        };
        let context = Context { participants: vec!["Samira Okafor".into()], ..Context::new(me, Default::default()) };
        Roster::of(&read(&Document { source_type: "meeting", title: None, text }), &context)
    }

    fn name(roster: &Roster, written: &str) -> Option<String> {
        roster.resolve(written).map(|id| roster.person(id).name.clone())
    }

    #[test]
    fn whoever_speaks_is_known_beside_any_number_of_participants() {
        let participants = (0..MOST).map(|number| format!("Guest{number} Okafor")).chain(["Sam Keller".to_owned()]);
        let context = Context {
            participants: participants.collect(),
            ..Context::new(Subject::named("Melis Ito"), Default::default())
        };
        let text = "Guest7 Okafor: hi\nMelis: hello\n";
        let roster = Roster::of(&read(&Document { source_type: "meeting", title: None, text }), &context);
        assert!(roster.speaker("Guest7 Okafor").is_some());
    }

    #[test]
    fn names_resolve_to_the_fullest_that_the_document_gives() {
        let roster = roster("Sam Keller: hi\nMelis: hello\nTjaša H.: hi\nRurik Halvorsen: yes\n");
        for (written, full) in [
            ("Sam", "Sam Keller"),
            ("@sam.k", "Sam Keller"),
            ("S. Okafor", "Samira Okafor"),
            ("SO", "Samira Okafor"),
            ("tjasa", "Tjaša H."),
            ("Mel", "Melis Ito"),
            ("m.ito@x.example", "Melis Ito"),
            ("Mr. Halvorsen", "Rurik Halvorsen"),
        ] {
            assert_eq!(name(&roster, written).as_deref(), Some(full), "{written}");
        }
        assert_eq!(name(&roster, "Priya"), None);
    }

    #[test]
    fn a_shouted_name_is_shown_as_people_write_it() {
        for (written, shown) in [
            ("MARTA LINDQVIST", "Marta Lindqvist"),
            ("ANNE-LISE O'NEILL", "Anne-Lise O'Neill"),
            ("PM", "PM"),
            ("佐藤 花", "佐藤 花"),
        ] {
            assert_eq!(quiet(written), shown);
        }
    }

    #[test]
    fn a_name_that_fits_two_people_is_nobodys() {
        let roster = roster("Daniel Cho: hi\nDaniel Ferreira: hello\n");
        assert_eq!(name(&roster, "Daniel"), None);
        assert!(roster.is_ambiguous("Daniel"));
        assert_eq!(name(&roster, "Daniel F."), Some("Daniel Ferreira".into()));
    }

    #[test]
    fn who_is_called_me_or_you_is_the_one_who_reads() {
        for label in ["Me", "You", "Me (Mel)", "Ich", "M. Ito (you)"] {
            let roster = roster(&format!("{label}: I'll do it\nSam: thanks\n{label}: sure\n"));
            assert_eq!(roster.speaker(label), roster.me(), "{label}");
        }
        let roster = roster("Ito, Melis (Dr): hi\nKeller, Sam: hello\n");
        assert_eq!(roster.speaker("Ito, Melis (Dr)"), roster.me());
        assert_eq!(name(&roster, "Sam"), Some("Sam Keller".into()));
    }
}
