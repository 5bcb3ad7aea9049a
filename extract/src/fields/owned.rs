//! Who owns a task: of all who may, and nobody, the one that trees hold likeliest.

use crate::cue::Cue;
use crate::judge::Gathered;
use crate::owner::{self, Claimant};
use crate::score::{Known, MODELS, TEXT, cues, flag};
use crate::script::Script;

/// How many numbers are known of a task and one who may own it.
pub const NUMBERS: usize = owner::NUMBERS + 2 * Cue::ALL.len() + WORDS.len() + 5 + MODELS + TEXT;
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

/// Emits the [`NUMBERS`] of a task, read off these sentences, and of each who may own it, into `out`.
pub fn numbers(
    known: &Known<'_>,
    script: &Script<'_>,
    task: &Gathered,
    sentences: &[usize],
    claimants: &[Claimant],
    out: &mut Vec<f32>,
) {
    let mut shared = Vec::with_capacity(NUMBERS - owner::NUMBERS);
    let best = task.members.iter().max_by(|one, other| one.logit.total_cmp(&other.logit));
    let best = best.map_or(0, |member| member.sentence);
    cues(sentences.iter().fold(0, |all, &at| all | known.scene.seen[at].cues), &mut shared);
    cues(known.scene.seen[best].cues, &mut shared);
    let words: Vec<String> = sentences
        .iter()
        .flat_map(|&at| script.sentences[at].text.split_whitespace())
        .map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase().replace('\u{2019}', "'"))
        .collect();
    shared.extend(WORDS.map(|list| words.iter().filter(|word| list.contains(&word.as_str())).count() as f32));
    let speaker = |at: usize| script.sentences[at].speaker;
    let others = sentences.iter().filter(|&&at| speaker(at) != sentences.first().and_then(|&at| speaker(at))).count();
    shared.extend([
        sentences.len() as f32,
        others as f32,
        script.speakers.len() as f32,
        task.logit,
        flag(task.explicit()),
    ]);
    shared.extend(known.first.iter().map(|logits| logits[best]));
    shared.extend(known.text);
    for claimant in claimants {
        out.extend(claimant.numbers);
        out.extend(&shared);
    }
}
