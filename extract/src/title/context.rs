//! A text as its titles see it. Each line is read once, however many tasks stand near it.

use super::TitleLine;
use super::clause::{Clause, clauses};
use super::kind;
use super::noun_phrase::{NounPhrase, phrases};
use super::word::{Word, split};
use crate::people::{initials, name::is_particle};

/// Most tasks of a text whose lines the tagger reads.
const WINDOWS: usize = 64;

/// Who says what.
#[derive(Clone, Copy, Debug, Default)]
pub struct Said<'a> {
    /// The words of a sentence.
    pub text: &'a str,
    /// Who says it.
    pub speaker: Option<&'a str>,
}

/// The sentences of a text, and what has been read of them.
#[derive(Clone, Debug)]
pub struct TitleContext<'a> {
    said: Vec<Said<'a>>,
    read: Vec<Option<Read<'a>>>,
    /// What the text itself is called.
    pub(super) document_title: Read<'a>,
    /// The words of the names of people, in lower case, and their initials in capitals.
    names: Vec<String>,
    pub(super) language: &'a str,
    /// How many tasks the tagger may still read the lines of: a check list of hundreds is plain enough.
    pub(super) windows: usize,
}

/// A line as it was read.
#[derive(Clone, Debug, Default)]
pub(super) struct Read<'a> {
    /// Its words.
    pub words: Vec<Word<'a>>,
    /// What it says is to be done.
    pub clauses: Vec<Clause<'a>>,
    /// What it names.
    pub phrases: Vec<NounPhrase<'a>>,
    /// Who says it.
    pub speaker: Option<&'a str>,
    /// Whether it asks.
    pub asks: bool,
}

impl<'a> TitleContext<'a> {
    /// A text of these sentences; `document_title` is its own title, `language` is BCP 47.
    #[must_use]
    pub fn new(said: Vec<Said<'a>>, names: &[&str], document_title: &'a str, language: &'a str) -> Self {
        let name = |name: &&str| {
            name.split_whitespace().map(|word| word.trim_end_matches('.').to_lowercase()).collect::<Vec<_>>()
        };
        let letters = |name: &&str| name.split_whitespace().filter_map(|word| word.chars().next()).collect::<String>();
        let initials: Vec<String> = names.iter().map(letters).filter(|all| initials::may_be(all)).collect();
        let mut names: Vec<String> = names.iter().flat_map(name).chain(initials).collect();
        names.retain(|word| word.chars().count() > 1 && !is_particle(word));
        let language = if language.is_empty() { "en" } else { language };
        let document_title = Read::of(Said { text: document_title, speaker: None }, &names, language);
        Self { read: vec![None; said.len()], said, document_title, names, language, windows: WINDOWS }
    }

    /// Reads some lines, where that is not done yet.
    pub(super) fn read(&mut self, lines: &[TitleLine]) {
        for &(line, _) in lines {
            if self.read[line].is_none() {
                self.read[line] = Some(Read::of(self.said[line], &self.names, self.language));
            }
        }
    }

    /// A line that was read.
    pub(super) fn line(&self, line: usize) -> Option<&Read<'a>> {
        self.read.get(line)?.as_ref()
    }
}

impl<'a> Read<'a> {
    fn of(said: Said<'a>, names: &[String], language: &str) -> Self {
        let mut words = split(said.text, language);
        for word in &mut words {
            let bare = word.lower.strip_suffix("'s").unwrap_or(&word.lower);
            // "Mark" is a name where it has its capital; "mark it" is none.
            let ordinary =
                word.is(kind::VERB | kind::MODAL | kind::FUNCTION) && word.text.starts_with(char::is_lowercase);
            if !ordinary && names.iter().any(|name| name == bare || initials::may_be(name) && *name == word.text) {
                word.kinds |= kind::NAME;
            }
        }
        // "Anna de la Cruz".
        for at in 1..words.len() {
            let run = words[at..].iter().take_while(|word| is_particle(&word.lower)).count();
            if words[at - 1].is(kind::NAME) && words.get(at + run).is_some_and(|next| next.is(kind::NAME)) {
                words[at..at + run].iter_mut().for_each(|word| word.kinds |= kind::NAME);
            }
        }
        let (clauses, phrases) = (clauses(&words, language), phrases(&words));
        Self { words, clauses, phrases, speaker: said.speaker, asks: said.text.trim_end().ends_with('?') }
    }
}
