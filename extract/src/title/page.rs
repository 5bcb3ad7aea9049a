//! A text as its titles see it. Each line is read once, however many tasks stand near it: what its words, actions and
//! things are depends on the task only where "me", "you" or a name means somebody else.

use std::collections::HashMap;

use super::kind;
use super::people::{self, Cast, Meant, Names};
use super::piece::{Lexicon, Piece};
use super::read::{Key, Read, Thing, View};
use super::thing;
use super::vocabulary;
use super::word::{self, Word, hash};

/// Who says what.
#[derive(Clone, Copy, Debug, Default)]
pub struct Said<'a> {
    /// The words of a sentence.
    pub text: &'a str,
    /// Who says it.
    pub speaker: Option<&'a str>,
}

/// The sentences of a text, and what has been read of them.
#[derive(Debug)]
pub struct Page<'a> {
    /// The sentences.
    pub(super) lines: Vec<Said<'a>>,
    /// All words that were read.
    pub(super) lexicon: Lexicon<'a>,
    /// The words of the text's own title.
    pub(super) topic: Vec<Piece>,
    /// What it names.
    pub(super) topics: Vec<Thing>,
    /// Words that titles hold though nobody says them.
    pub(super) unsaid: Unsaid,
    /// BCP 47.
    language: &'a str,
    /// The names of all who take part, each word apart.
    names: Names,
    /// Names of owners that are not among them, and the number of each.
    owners: Vec<Vec<String>>,
    numbers: HashMap<Vec<String>, usize>,
    /// The lines as they are read where these owners are known.
    read: HashMap<(usize, usize), Read<'a>>,
    /// First names put for "me" and "you".
    people: HashMap<&'a str, Piece>,
}

/// Words that titles hold though nobody says them.
#[derive(Debug)]
pub(super) struct Unsaid {
    /// Verbs that titles often begin with.
    pub verbs: Vec<Piece>,
    /// Small words that link.
    pub links: Vec<Piece>,
    pub the: Piece,
    pub of: Piece,
    pub about: Piece,
    pub with_for: Piece,
    pub other: Piece,
}

/// A line as a task sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look<'a> {
    /// Its number.
    line: usize,
    /// Which names of owners are known.
    owned: usize,
    /// Which of its views is taken.
    view: usize,
    /// Whom "me" and "you" mean in it.
    pub meant: Meant<'a>,
}

impl<'a> Page<'a> {
    /// A text in which people of these names take part; `topic` is its own title, `language` is BCP 47.
    #[must_use]
    pub fn new(lines: Vec<Said<'a>>, names: &[&str], topic: &'a str, language: &'a str) -> Self {
        let names = names.iter().copied().flat_map(people::parts).map(|part| (hash(&part), ())).collect();
        let mut lexicon = Lexicon::default();
        let topic = word::split(topic, language);
        let mut topics: Vec<Thing> = Vec::new();
        for (words, spot) in thing::named(&topic).into_iter().take(thing::MOST) {
            topics.push(Thing::of(&thing::Thing { words, acted: false, person: false, spot }, &mut lexicon));
        }
        Self {
            lines,
            topic: lexicon.pieces(&topic),
            topics,
            unsaid: Unsaid::of(&mut lexicon),
            lexicon,
            language,
            names,
            owners: Vec::new(),
            numbers: HashMap::new(),
            read: HashMap::new(),
            people: HashMap::new(),
        }
    }

    /// Whether it is said in English.
    pub(super) fn is_english(&self) -> bool {
        self.language.starts_with("en")
    }

    /// Reads the lines of a task, each with whether its actions may name the task.
    pub(super) fn look(&mut self, lines: &[(usize, bool)], owner: Option<&str>) -> Vec<Look<'a>> {
        let owned = self.owned(owner);
        (0..lines.len()).map(|at| self.view(owned, owner, lines[at], &lines[..at])).collect()
    }

    /// What a look saw.
    pub(super) fn seen(&self, look: &Look<'_>) -> Option<(&Said<'a>, &Read<'a>, &View)> {
        let read = self.read.get(&(look.owned, look.line))?;
        Some((&self.lines[look.line], read, read.view(look.view)?))
    }

    /// The piece that stands for somebody whom "me" or "you" means.
    pub(super) fn person(&self, name: &str) -> Option<Piece> {
        self.people.get(name).copied()
    }

    /// The number of an owner's names that nobody else has.
    fn owned(&mut self, owner: Option<&str>) -> usize {
        let own = owner.into_iter().flat_map(people::parts).filter(|part| !self.names.contains_key(&hash(part)));
        let own: Vec<String> = own.collect();
        if let Some(number) = self.numbers.get(&own) {
            return *number;
        }
        self.owners.push(own.clone());
        self.numbers.insert(own, self.owners.len() - 1);
        self.owners.len() - 1
    }

    /// Looks at a line for a task; `before` are those before it.
    fn view(
        &mut self,
        owned: usize,
        owner: Option<&str>,
        (line, acts): (usize, bool),
        before: &[(usize, bool)],
    ) -> Look<'a> {
        let (lines, lexicon) = (&self.lines, &mut self.lexicon);
        let cast = Cast { names: &self.names, own: &self.owners[owned], language: self.language };
        let read = self.read.entry((owned, line)).or_insert_with(|| Read::of(lines[line].text, &cast, lexicon));
        let mut meant = Meant::default();
        if read.pieces.iter().any(|piece| piece.is(kind::ME | kind::YOU)) {
            meant = Meant::of(lines[line].speaker, owner, before.iter().filter_map(|(line, _)| lines[*line].speaker));
        }
        for name in [meant.me, meant.you].into_iter().flatten() {
            self.people.entry(name).or_insert_with(|| lexicon.piece(&Word::new(name)));
        }
        let key = Key {
            acts,
            meant: if acts { meant } else { Meant::default() },
            mentioned: people::mentioned(&read.mentions, owner),
        };
        let view = read.number_of(key, self.language, lexicon);
        Look { line, owned, view, meant }
    }
}

impl Unsaid {
    fn of(lexicon: &mut Lexicon<'_>) -> Self {
        Self {
            verbs: vocabulary::common().map(|verb| lexicon.new_piece(verb)).collect(),
            links: vocabulary::LINKS.iter().map(|link| lexicon.new_piece(link)).collect(),
            the: lexicon.new_piece("the"),
            of: lexicon.new_piece("of"),
            about: lexicon.new_piece("about"),
            with_for: lexicon.new_piece("for"),
            other: lexicon.new_piece("other"),
        }
    }
}
