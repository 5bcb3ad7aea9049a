//! Whether whoever seems to be a task's owner is: what is needed, wished or decided is often said by one whose task it is not.

use crate::cue::Cue;
use crate::feature::Scene;
use crate::judge::Gathered;
use crate::owner::Guess;
use crate::score::{Known, MODELS, TEXT, cues, flag};
use crate::script::Script;

/// How many numbers are known of a task and its seeming owner.
pub const NUMBERS: usize = 2 * Cue::ALL.len() + WORDS.len() + 9 + 2 + MODELS + TEXT;
/// Words that say for whom something is said, in the languages that say them: each list is one number.
const WORDS: [&[&str]; 8] = [
    &["i", "i'll", "i'm", "i'd", "i've", "ich", "je", "j'ai", "yo", "io", "eu", "ik", "me", "my", "mich", "moi"],
    &["we", "we'll", "we're", "we'd", "we've", "wir", "nous", "nosotros", "noi", "nós", "wij", "we", "us", "our"],
    &["you", "you'll", "you're", "your", "du", "sie", "tu", "vous", "usted", "lei", "você", "jij", "je"],
    &["let's", "lets"],
    &["someone", "somebody", "anyone", "anybody", "jemand", "man", "quelqu'un", "on", "alguien", "qualcuno", "alguém"],
    &["everyone", "everybody", "all", "both", "alle", "tous", "todos", "tutti"],
    &["should", "could", "would", "might", "sollte", "könnte", "devrait", "debería", "dovremmo", "deveria"],
    &["need", "needs", "must", "has", "muss", "faut", "hay", "bisogna", "precisa", "moet"],
];

/// Emits the [`NUMBERS`] of a task whose owner seems to be `guess`, read off these sentences, into `out`.
pub fn numbers(
    known: &Known<'_>,
    script: &Script<'_>,
    task: &Gathered,
    sentences: &[usize],
    guess: &Guess,
    out: &mut Vec<f32>,
) {
    let scene: &Scene<'_> = known.scene;
    let best = task.members.iter().max_by(|one, other| one.logit.total_cmp(&other.logit));
    let best = best.map_or(0, |member| member.sentence);
    cues(sentences.iter().fold(0, |all, &at| all | scene.seen[at].cues), out);
    cues(scene.seen[best].cues, out);
    let words: Vec<String> = sentences
        .iter()
        .flat_map(|&at| script.sentences[at].text.split_whitespace())
        .map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase().replace('\u{2019}', "'"))
        .collect();
    out.extend(WORDS.map(|list| words.iter().filter(|word| list.contains(&word.as_str())).count() as f32));
    let speaker = |at: usize| script.sentences[at].speaker.map(|number| script.speakers[number as usize]);
    let says = sentences.iter().any(|&at| speaker(at) == Some(guess.name.as_str()));
    let first = guess.name.split(' ').next().unwrap_or_default().to_lowercase();
    let others = sentences.iter().filter(|&&at| speaker(at) != sentences.first().and_then(|&at| speaker(at))).count();
    out.extend([
        flag(says),
        flag(speaker(best) == Some(guess.name.as_str())),
        flag(words.contains(&first)),
        flag(guess.is_me),
        flag(guess.name.contains(' ')),
        guess.weight,
        sentences.len() as f32,
        others as f32,
        script.speakers.len() as f32,
    ]);
    out.extend([task.logit, flag(task.explicit())]);
    out.extend(known.first.iter().map(|logits| logits[best]));
    out.extend(known.text);
}
