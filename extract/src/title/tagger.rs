//! The tagger: a small transformer that reads the lines around a task of an English text and says of each telling word how
//! likely the title that a person gives the task holds it.

use std::collections::HashMap;

use super::context::TitleContext;
use super::people::same;
use super::word::{Word, stem};
use super::{TitleLine, TitleRequest};
use crate::encoder::transformer::Transformer;
use crate::encoder::window::{ENDS, mark};
use crate::encoder::wordpiece::{Piece, pieces};
use crate::model::linear::Malformed;
use crate::model::math::sigmoid;

/// Most pieces of a window, of a line and of a word.
const WINDOW: usize = 180;
const LINE: usize = 48;
const WORD: usize = 6;
/// What stands before the title of the text itself.
const DOCUMENT_TITLE: Piece = 9;
/// How far behind the [mark] of a line that of one stands on which the task rests, and of one that speaks strongly for it.
const EVIDENCE: Piece = 20;
const STRONG: Piece = 40;
/// What follows where the one who speaks is to do it.
const OWNER: Piece = 70;
/// The logit from which on a line speaks strongly.
const SPEAKS: f32 = 0.0;

/// The lines around a task as the tagger reads them.
#[derive(Clone, Debug, Default)]
pub struct TaggerWindow {
    /// What is read.
    pub pieces: Vec<Piece>,
    /// Where each telling word begins.
    pub places: Vec<usize>,
    /// The words themselves.
    pub words: Vec<String>,
    /// The line of each and its stem.
    stems: Vec<WordPlace>,
}

/// A telling word of a window: its line, none for the title of the text, and its stem.
type WordPlace = (Option<usize>, u64);

impl TaggerWindow {
    /// The lines nearest to what the task rests on, as many as there is room for.
    pub(super) fn of(context: &TitleContext<'_>, asked: &TitleRequest<'_>) -> Self {
        let evidence: Vec<usize> = asked.lines.iter().filter(|line| line.1.is_some()).map(|line| line.0).collect();
        let distance = |line: &TitleLine| evidence.iter().map(|own| own.abs_diff(line.0)).min().unwrap_or_default();
        let mut nearest: Vec<&TitleLine> = asked.lines.iter().collect();
        nearest.sort_by_key(|line| distance(line));
        let document_title = LinePieces::of(&context.document_title.words);
        let mut room = WINDOW - 2 - document_title.pieces.len();
        let mut read: Vec<(&TitleLine, LinePieces<'_, '_>)> = Vec::new();
        for title_line in nearest {
            let Some(words) = context.line(title_line.0).map(|read| &read.words) else { continue };
            let line = LinePieces::of(words);
            if line.pieces.len() + 2 > room {
                break;
            }
            room -= line.pieces.len() + 2;
            read.push((title_line, line));
        }
        read.sort_by_key(|(title_line, _)| title_line.0);
        let mut window = Self { pieces: vec![ENDS[0]], ..Self::default() };
        window.add(None, &[DOCUMENT_TITLE], document_title);
        let mut speakers: Vec<&str> = Vec::new();
        for (title_line, line) in read {
            let speaker = context.line(title_line.0).and_then(|read| read.speaker);
            let kind = title_line.1.map_or(0, |strength| if strength.part > SPEAKS { STRONG } else { EVIDENCE });
            let owns = matches!((speaker, asked.owner), (Some(speaker), Some(owner)) if same(speaker, owner));
            let marks = [kind + mark(speaker, &mut speakers), OWNER];
            window.add(Some(title_line.0), &marks[..if owns { 2 } else { 1 }], line);
        }
        window.pieces.push(ENDS[1]);
        window
    }

    fn add(&mut self, line: Option<usize>, marks: &[Piece], of: LinePieces<'_, '_>) {
        self.pieces.extend(marks);
        let start = self.pieces.len();
        self.pieces.extend(of.pieces);
        for (at, word) in of.words {
            self.places.push(start + at);
            self.stems.push((line, stem(&word.lower)));
            self.words.push(word.text.to_string());
        }
    }
}

/// A line in pieces.
struct LinePieces<'w, 'a> {
    pieces: Vec<Piece>,
    /// Its telling words, and the first piece of each.
    words: Vec<(usize, &'w Word<'a>)>,
}

impl<'w, 'a> LinePieces<'w, 'a> {
    fn of(words: &'w [Word<'a>]) -> Self {
        let mut line = Self { pieces: Vec::new(), words: Vec::new() };
        for word in words {
            let start = line.pieces.len();
            line.pieces.extend(pieces(&word.text, WORD));
            if line.pieces.len() > LINE {
                line.pieces.truncate(start);
                break;
            }
            if word.tells() && line.pieces.len() > start {
                line.words.push((start, word));
            }
        }
        line
    }
}

/// The tagger.
#[derive(Clone, Debug)]
pub struct Tagger {
    model: Transformer,
}

impl Tagger {
    /// Reads a file of weights that has no embeddings of pieces and takes those of another model.
    ///
    /// # Errors
    /// Where it is none.
    pub fn read(file: &[u8], embeddings: &Transformer) -> Result<Self, Malformed> {
        let model = Transformer::sharing(file, embeddings)?;
        if model.outputs() == 1 { Ok(Self { model }) } else { Err(Malformed) }
    }

    /// How likely each telling word of a window stands in the title.
    #[must_use]
    pub fn tags(&self, window: &TaggerWindow) -> Tags {
        let mut tags = Tags::default();
        if window.places.is_empty() {
            return tags;
        }
        let found = self.model.outputs_at(&window.pieces, &window.places);
        for (&(line, stem), logit) in window.stems.iter().zip(found.iter()) {
            let likely = sigmoid(f64::from(*logit)) as f32;
            let here = tags.here.entry((line, stem)).or_default();
            *here = here.max(likely);
            let most = tags.most.entry(stem).or_default();
            *most = most.max(likely);
        }
        tags.all = {
            let mut all: Vec<f32> = tags.most.values().copied().collect();
            all.sort_unstable_by(f32::total_cmp);
            all.into_iter().sum()
        };
        tags
    }
}

/// What the tagger says of a task's words, each by its stem.
#[derive(Clone, Debug, Default)]
pub struct Tags {
    here: HashMap<WordPlace, f32>,
    most: HashMap<u64, f32>,
    /// How many words of the title are expected among all.
    pub(super) all: f32,
}

impl Tags {
    /// How likely the title holds a word of a line, or else of any.
    pub(super) fn of(&self, line: Option<usize>, stem: u64) -> f32 {
        self.here.get(&(line, stem)).or_else(|| self.most.get(&stem)).copied().unwrap_or_default()
    }

    /// How likely it holds the likeliest word that is none of these.
    pub(super) fn missing(&self, known: &[u64]) -> f32 {
        self.most.iter().filter(|(stem, _)| !known.contains(stem)).map(|(_, likely)| *likely).fold(0.0, f32::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoder::window::NOBODY;
    use crate::title::{Said, Strength, window};
    use crate::weights::weights;

    fn context(lines: &[(&'static str, &'static str)]) -> TitleContext<'static> {
        let said = lines.iter().map(|&(speaker, text)| Said { text, speaker: Some(speaker) }).collect();
        TitleContext::new(said, &["Sam Ortiz", "Dana Reyes"], "", "en")
    }

    #[test]
    fn the_lines_nearest_to_the_task_are_read() {
        let lines = vec![("Sam Ortiz", "the printer on the second floor is out of paper again today"); 60];
        let title_lines: Vec<TitleLine> = (0..60).map(|line| (line, (line == 30).then(Strength::default))).collect();
        let asked = TitleRequest { lines: &title_lines, owner: Some("Sam Ortiz"), others: &[] };
        let Some(window) = window(&mut context(&lines), &asked) else { panic!("English is read") };
        assert!(window.pieces.len() <= WINDOW);
        let mark = NOBODY + EVIDENCE + 1;
        assert_eq!(
            window.pieces.iter().filter(|piece| **piece == mark).count(),
            1,
            "the task's own line is among them"
        );
    }

    #[test]
    fn other_languages_are_not_read() {
        let said = vec![Said { text: "ich schicke den Bericht bis Freitag", speaker: None }];
        let mut context = TitleContext::new(said, &[], "", "de");
        assert!(
            window(&mut context, &TitleRequest { lines: &[(0, Some(Strength::default()))], owner: None, others: &[] })
                .is_none()
        );
    }

    #[test]
    fn what_is_to_be_done_is_likelier_than_what_is_said_beside_it() {
        let lines =
            [("Dana Reyes", "the traffic was awful"), ("Sam Ortiz", "I'll send the revised contract to Northwind")];
        let asked = TitleRequest {
            lines: &[(0, None), (1, Some(Strength { part: 3.0, opening: 3.0, continuation: -3.0 }))],
            owner: None,
            others: &[],
        };
        let Some(window) = window(&mut context(&lines), &asked) else { panic!("English is read") };
        let Some(weights) = weights() else { panic!("the weights are damaged") };
        let tags = weights.title.tagger.tags(&window);
        assert!(tags.of(Some(1), stem("contract")) > tags.of(Some(0), stem("traffic")));
        assert_eq!(tags.of(Some(0), stem("nowhere")), 0.0);
    }
}
