//! Sentences that say that something is done, for tasks of earlier texts.

use crate::cue::Cue;
use crate::feature::{Line, Scene};
use crate::link::done::completion;
use crate::link::stem::{StemKind, stems};

/// Most sentences of a text that are read closely.
const READ: usize = 256;
/// Longest sentence, in words.
const LONGEST: u32 = 60;
/// How many sentences back one is looked for that says what a statement is about.
const BACK: usize = 3;

/// The sentences that say that something is done, each with the one before it that says what it is about, where it hardly
/// does so itself.
pub fn done_statements<'s>(scene: &'s Scene<'_>) -> impl Iterator<Item = (usize, Option<usize>)> + 's {
    let telling = (0..scene.seen.len()).filter(|&at| may_say_done(scene, at)).take(READ);
    let said = telling.filter(|&at| completion(scene.sentences[at].text).is_report());
    said.map(|at| (at, about(scene, at)))
}

/// Whether a sentence has the words with which people say so, and is speech of this text.
fn may_say_done(scene: &Scene<'_>, at: usize) -> bool {
    let seen = &scene.seen[at];
    let framed = matches!(scene.sentences[at].line, Line::Frame | Line::Boilerplate);
    (seen.past || Cue::Done.of(seen.cues)) && !seen.question && !framed && seen.words <= LONGEST
}

/// The nearest sentence before that names what a statement does not: "and the kitchen?", "measured."
fn about(scene: &Scene<'_>, at: usize) -> Option<usize> {
    let things = |sentence: usize| {
        let text = scene.sentences[sentence].text;
        let (words, said) = (stems(text), completion(text));
        words.iter().filter(|word| word.kind == StemKind::Thing && !said.verbs.contains(&word.text)).count()
    };
    let names_it = things(at) > 2;
    if names_it { None } else { (at.saturating_sub(BACK)..at).rev().find(|&before| things(before) > 0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feature::{Names, Sentence};

    fn found(texts: &[(&str, Line)]) -> Vec<(usize, Option<usize>)> {
        let sentence = |(at, (text, line)): (u32, &(&'static str, Line))| Sentence {
            text,
            utterance: at,
            line: *line,
            ..Sentence::default()
        };
        let texts: Vec<(&'static str, Line)> =
            texts.iter().map(|(text, line)| (&*text.to_string().leak(), *line)).collect();
        let sentences: Vec<_> = (0..).zip(&texts).map(sentence).collect();
        done_statements(&Scene::look(&sentences, &Names::default())).collect()
    }

    #[test]
    fn a_short_statement_is_about_what_was_asked_before_it() {
        let said = [("and the addendum", Line::Speech), ("signed!", Line::Speech), ("It came back.", Line::Speech)];
        assert_eq!(found(&said), [(1, Some(0)), (2, Some(0))]);
        assert_eq!(found(&[("ok", Line::Speech), ("I sent the patrons export last night", Line::Speech)]), [(1, None)]);
    }

    #[test]
    fn frames_state_nothing() {
        assert_eq!(found(&[("Sent from my phone by Ana Ruiz", Line::Boilerplate)]), []);
    }
}
