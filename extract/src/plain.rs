//! Plain words in a short text: "I'll call the plumber." The models learnt from long texts, in which what stands around a
//! sentence says much; a note of a few lines gives them too little to go by.

use crate::cue::{Cue, Cues};
use crate::feature::{Line, Scene, Seen};
use crate::judge::{self, Gathered, LEAST};
use crate::score::First;

/// Most sentences of a short text.
const SHORT: usize = 12;
/// Fewest words that say what is promised: "I'll do it" says nothing alone.
const WORDS: u32 = 5;
/// Least confidence of a task in plain words: the share of such sentences that are one, in longer texts.
pub const CONFIDENCE: f64 = 0.8;

/// Cues that make a sentence something else than a plain promise or request.
const OTHERWISE: [Cue; 16] = [
    Cue::Refuse,
    Cue::Hypothetical,
    Cue::Past,
    Cue::Intended,
    Cue::General,
    Cue::Mechanics,
    Cue::Polite,
    Cue::Joke,
    Cue::System,
    Cue::Reported,
    Cue::Postpone,
    Cue::Now,
    Cue::Done,
    Cue::Fyi,
    Cue::Wh,
    Cue::Offer,
];

/// The sentences of a short text that say plainly that somebody will or shall do something; none of a longer one.
#[must_use]
pub fn sentences(scene: &Scene<'_>) -> Vec<usize> {
    if scene.seen.len() > SHORT {
        return Vec::new();
    }
    (0..scene.seen.len()).filter(|&index| is_plain(scene, index)).collect()
}

/// Makes a task of each plain sentence that none rests on yet.
pub fn add(scene: &Scene<'_>, first: &First, plain: &[usize], tasks: &mut Vec<Gathered>) {
    if plain.is_empty() {
        return;
    }
    let bare = vec![LEAST; scene.seen.len()];
    for &sentence in plain {
        if !tasks.iter().flat_map(|task| &task.members).any(|member| member.sentence == sentence) {
            tasks.push(Gathered { members: vec![judge::candidate(scene, first, &bare, sentence)], logit: LEAST });
        }
    }
}

fn is_plain(scene: &Scene<'_>, index: usize) -> bool {
    let (seen, line) = (&scene.seen[index], scene.sentences[index].line);
    let own = matches!(line, Line::Speech | Line::Item | Line::Action);
    own && seen.words >= WORDS && OTHERWISE.iter().all(|cue| !cue.of(seen.cues)) && binds(seen)
}

/// Somebody promises, or says whom something falls to; or a request names a day.
fn binds(seen: &Seen) -> bool {
    let any = |cues: &[Cue], of: Cues| cues.iter().any(|cue| cue.of(of));
    let limited = any(&[Cue::Deadline, Cue::Date], seen.cues);
    let promised = !seen.question && any(&[Cue::Promise, Cue::WillDo], seen.head);
    let assigned = !seen.question && Cue::Assign.of(seen.cues) && seen.names != 0;
    promised || assigned || (Cue::Request.of(seen.cues) && limited)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feature::{Names, Sentence};

    fn plain(text: &str, others: usize) -> bool {
        let mut texts = vec!["The weather was fine."; others];
        texts.push(text);
        let sentence =
            |(at, text): (u32, &&'static str)| Sentence { text, utterance: at, speaker: None, line: Line::Speech };
        let texts: Vec<&'static str> = texts.iter().map(|text| &*text.to_string().leak()).collect();
        let sentences: Vec<Sentence<'_>> = (0..).zip(&texts).map(sentence).collect();
        let mut names = Names::default();
        names.add("Bob", None);
        super::sentences(&Scene::look(&sentences, &names)).contains(&others)
    }

    #[test]
    fn a_plain_promise_or_request_in_a_short_text_is_a_task() {
        for text in [
            "I'll follow up with the vendor.",
            "I will call the plumber.",
            "I'm going to email the client tonight.",
            "Bob will prepare the slides for the demo.",
            "Please submit your timesheets by Friday.",
        ] {
            assert!(plain(text, 3), "{text}");
        }
    }

    #[test]
    fn what_is_less_than_a_promise_is_none() {
        for text in [
            "I won't follow up with the vendor.",
            "I'll do it.",
            "Maybe I'll call the plumber one day.",
            "I'll share my screen with you now.",
            "Did you call the plumber last week?",
        ] {
            assert!(!plain(text, 3), "{text}");
        }
    }

    #[test]
    fn in_a_longer_text_the_models_decide() {
        assert!(!plain("I will call the plumber.", SHORT));
    }
}
