//! From utterances to sentences: what the engine judges one by one, each with its speaker, kind of line and place.

use crate::feature::token::is_glyph;
use crate::feature::{Line, Sentence};
use crate::reader::{Kind, Transcript, Utterance, trim};
use crate::sentence;
use crate::word_list::WordList;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// The sentences of a text.
#[derive(Debug, Default)]
pub struct Script<'t> {
    /// The sentences, in order.
    pub sentences: Vec<Sentence<'t>>,
    /// Where each stands in its utterance's words, in bytes.
    pub ranges: Vec<Range<usize>>,
    /// The names of the speakers, by number.
    pub speakers: Vec<&'t str>,
}

/// Longest stretch that counts as one sentence, in bytes; longer ones are cut at a pause.
const LONGEST: usize = 300;

impl<'t> Script<'t> {
    /// Cuts a transcript into sentences.
    #[must_use]
    pub fn of(transcript: &'t Transcript<'_>) -> Self {
        let mut script = Self::default();
        let mut numbers: HashMap<&'t str, u32> = HashMap::new();
        let mut mute = 0;
        for (index, utterance) in transcript.utterances.iter().enumerate() {
            if utterance.kind == Kind::Header {
                continue;
            }
            let name = utterance.speaker.as_ref().map(Cow::as_ref);
            let speaker = name.map(|name| {
                *numbers.entry(name).or_insert_with(|| {
                    script.speakers.push(name);
                    script.speakers.len() as u32 - 1
                })
            });
            let line = line_of(transcript, utterance);
            let words = utterance.text.as_str();
            for range in pieces(words, line) {
                let text = &words[range.clone()];
                mute = if text.contains(char::is_alphanumeric) { 0 } else { mute + 1 };
                if mute > MUTE {
                    continue;
                }
                script.sentences.push(Sentence { text, utterance: index as u32, speaker, line });
                script.ranges.push(range);
            }
        }
        script
    }

    /// Where a sentence stands in the text as submitted, in bytes: one stretch for each line.
    #[must_use]
    pub fn lines(&self, transcript: &Transcript<'_>, index: usize) -> Vec<Range<usize>> {
        let utterance = &transcript.utterances[self.sentences[index].utterance as usize];
        utterance.text.lines(self.ranges[index].clone())
    }
}

/// Most sentences in a row without a letter or a digit, such as empty lines of a quote.
const MUTE: usize = 2;

/// The sentences of an utterance. An entry of a list or table is one, unless it is long; an endless word is none.
fn pieces(words: &str, line: Line) -> Vec<Range<usize>> {
    let whole = matches!(line, Line::Item | Line::Action | Line::Open | Line::Ticked | Line::Frame);
    let mut found = Vec::new();
    if whole && words.len() <= LONGEST {
        found.push(0..words.len());
    } else {
        sentence::split(words).into_iter().for_each(|range| cut(words, range, &mut found));
    }
    found.retain_mut(|range| trim(words, range) && !is_endless(&words[range.clone()]));
    found
}

/// Longest word that somebody may say, in bytes.
const ENDLESS: usize = 100;

/// Whether a text is one word that nobody says.
fn is_endless(text: &str) -> bool {
    text.len() > ENDLESS && text.chars().all(|letter| letter.is_alphanumeric() && !is_glyph(letter))
}

/// Cuts a stretch that is too long at its pauses, or else at any space. Of a word without an end, what stands on its first
/// piece with other words is kept.
fn cut(words: &str, mut range: Range<usize>, found: &mut Vec<Range<usize>>) {
    while range.len() > LONGEST {
        let mut limit = range.start + LONGEST;
        while !words.is_char_boundary(limit) {
            limit -= 1;
        }
        let window = &words[range.start..limit];
        let least = LONGEST / 3;
        let pause = [", ", "; ", " and ", " so ", " then ", " but ", "，", "、", " "];
        let at = pause.iter().find_map(|mark| window.rfind(mark).filter(|at| *at > least).map(|at| at + 1));
        let mut end = range.start + at.unwrap_or(window.len());
        while !words.is_char_boundary(end) {
            end += 1;
        }
        let rest = &words[end..range.end];
        let word = if at.is_some() || window.chars().any(is_glyph) {
            0
        } else {
            rest.find(char::is_whitespace).unwrap_or(rest.len())
        };
        let endless = word > LONGEST;
        if !endless || window.contains(char::is_whitespace) {
            found.push(range.start..end);
        }
        range.start = end + if endless { word } else { 0 };
    }
    found.push(range);
}

/// The kind of line that an utterance stands on.
fn line_of(transcript: &Transcript<'_>, utterance: &Utterance<'_>) -> Line {
    let actions = || {
        let heading = utterance.section.and_then(|section| transcript.utterances.get(section));
        heading.is_some_and(|heading| names_actions(heading.text.as_str()))
    };
    match utterance.kind {
        _ if utterance.quoted > 0 => Line::Quoted,
        Kind::CheckBox { done: true } => Line::Ticked,
        Kind::CheckBox { done: false } => Line::Open,
        Kind::Bullet | Kind::TableRow if actions() => Line::Action,
        Kind::Bullet | Kind::TableRow => Line::Item,
        Kind::Heading(_) | Kind::TableHead | Kind::Header => Line::Frame,
        Kind::Greeting | Kind::Signature => Line::Boilerplate,
        Kind::Speech | Kind::Chat | Kind::Mail | Kind::Prose => Line::Speech,
    }
}

/// Whether a heading announces a list of actions.
#[must_use]
pub fn names_actions(heading: &str) -> bool {
    static ACTIONS: WordList = WordList::of_phrases(
        "action | todo | to do | to-do | next step | follow-up | follow up | followup | task | who does what | \
        aufgaben | nächste schritte | à faire | tâches | prochaines étapes | tareas | pendientes | próximos pasos | \
        da fare | prossimi passi | tarefas | acties | actiepunten | taken | 宿題 | アクション | 待办 | 行动 | 할 일",
    );
    let heading = heading.to_lowercase();
    ACTIONS.all().iter().any(|action| heading.contains(action))
}
