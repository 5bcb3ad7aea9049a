//! Links within a text: is this sentence the answer, the repetition or the correction of that one's task, or a task of
//! its own? A small linear model over what stands between them, who speaks, and what they share.

use crate::cue::{Cue, join};
use crate::feature::word::{Class, known};
use crate::feature::{Scene, bits, fold, token::Shape, token::tokens};
use crate::score::coarse;

/// How many earlier candidates a sentence is compared with.
pub const REACH: usize = 10;
/// How many sentences back a link may go.
pub const SPAN: usize = 60;

/// A sentence that may be part of a task.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Number of the sentence.
    pub sentence: usize,
    /// Its second-pass logit.
    pub logit: f32,
    /// How much it looks like the first sentence of several that make up a task.
    pub opening: f32,
    /// How much it looks like a later one.
    pub answer: f32,
    /// Whether it declares a task by its form.
    pub explicit: bool,
    /// Stems of its content words, sorted, without repetition.
    pub stems: Vec<u64>,
}

/// Whether a candidate rather opens or answers, in steps.
fn kind(candidate: &Candidate) -> u64 {
    let lean = ((candidate.answer - candidate.opening) * 1.5).clamp(-4.0, 4.0) as i64;
    lean as u64
}

/// The stem of a word's hash material: its first five letters, lower case.
fn stem(word: &str) -> u64 {
    let letters = word.chars().filter(|letter| letter.is_alphanumeric()).take(5).flat_map(char::to_lowercase);
    letters.fold(5, |hash, letter| join(hash, u64::from(letter)))
}

/// The stems of the content words of a text, sorted, without repetition.
#[must_use]
pub fn stems(text: &str) -> Vec<u64> {
    let mut found = Vec::new();
    tokens(text, |token| {
        let word = text.get(token.start as usize..token.end as usize).unwrap_or_default();
        let content = match token.shape {
            Shape::Word => word.len() > 2 && known(token.hash) != Some(Class::Function),
            Shape::Mention | Shape::Glyph => true,
            _ => false,
        };
        if content {
            found.push(stem(word));
        }
    });
    found.sort_unstable();
    found.dedup();
    found
}

/// How many members two sorted lists share.
#[must_use]
pub fn shared(one: &[u64], other: &[u64]) -> usize {
    one.iter().filter(|stem| other.binary_search(stem).is_ok()).count()
}

/// Two candidates by place, the later first, and the logit of their link.
pub type Link = ((usize, usize), f32);

/// Pairs of candidates that a link is considered for: the later one's place and the earlier one's.
#[must_use]
pub fn pairs(candidates: &[Candidate]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for later in 0..candidates.len() {
        for earlier in later.saturating_sub(REACH)..later {
            if candidates[later].sentence - candidates[earlier].sentence <= SPAN {
                found.push((later, earlier));
            }
        }
    }
    found
}

/// Whether two candidates may be linked at all: what declares a task is one of its own, with the rest of its utterance.
#[must_use]
pub fn may_link(scene: &Scene<'_>, candidates: &[Candidate], (later, earlier): (usize, usize)) -> bool {
    let (now, then) = (&candidates[later], &candidates[earlier]);
    let near = now.sentence - then.sentence <= 2;
    let together = near && scene.sentences[now.sentence].utterance == scene.sentences[then.sentence].utterance;
    !now.explicit && (!then.explicit || together) && !turns_to_another(scene, now, then)
}

/// Whether somebody, having promised something, turns to another person by name with something else: two tasks.
fn turns_to_another(scene: &Scene<'_>, now: &Candidate, then: &Candidate) -> bool {
    let same = scene.sentences[now.sentence].speaker == scene.sentences[then.sentence].speaker;
    let promises = |said: &Candidate| Cue::Promise.of(scene.seen[said.sentence].cues);
    let addresses = scene.seen[now.sentence].names & AT_BEGINNING != 0;
    same && promises(then) && addresses && !promises(now) && shared(&now.stems, &then.stems) == 0
}

/// The bit of [`crate::feature::Seen::names`] that says that a sentence begins with the name of another person.
const AT_BEGINNING: u8 = 2;

/// Emits the features of a link between two candidates into `out`.
pub fn features(scene: &Scene<'_>, candidates: &[Candidate], (later, earlier): (usize, usize), out: &mut Vec<u32>) {
    let (now, then) = (&candidates[later], &candidates[earlier]);
    let (a, b) = (&scene.sentences[then.sentence], &scene.sentences[now.sentence]);
    let (seen_a, seen_b) = (&scene.seen[then.sentence], &scene.seen[now.sentence]);
    let mut put = |kind: u64, value: u64| out.push(fold(join(join(31, kind), value)));
    let distance = match now.sentence - then.sentence {
        near @ 0..=4 => near as u64,
        5..=6 => 5,
        7..=10 => 6,
        11..=20 => 7,
        _ => 8,
    };
    let between = (later - earlier).min(4) as u64;
    let turns = (b.utterance - a.utterance).min(4);
    let same = u64::from(a.speaker == b.speaker);
    let side = join(u64::from(turns), same);
    let overlap = shared(&then.stems, &now.stems).min(3) as u64;
    let lines = join(a.line as u64, b.line as u64);
    put(0, distance);
    put(1, join(distance, same));
    put(2, between);
    put(3, join(between, distance));
    put(4, side);
    put(5, overlap);
    put(6, join(overlap, distance));
    put(7, join(overlap, side));
    put(8, join(lines, distance));
    put(9, lines);
    put(10, join(coarse(then.logit), coarse(now.logit)));
    put(11, join(side, join(coarse(then.logit), coarse(now.logit))));
    put(12, join(side, u64::from(seen_b.words.min(12))));
    put(13, join(side, u64::from(seen_a.words.min(12))));
    put(14, join(side, join(u64::from(seen_a.question), u64::from(seen_b.question))));
    put(15, join(side, join(u64::from(seen_a.names), u64::from(seen_b.names))));
    put(16, join(side, seen_b.first as u64));
    put(17, join(between, side));
    put(18, join(overlap, join(between, u64::from(Cue::Thing.of(seen_b.cues)))));
    let new_verb = join(u64::from(Cue::Promise.of(seen_a.cues)), u64::from(Cue::Promise.of(seen_b.cues)));
    put(19, join(new_verb, join(same, overlap)));
    let (opens, answers) = (kind(then), kind(now));
    put(25, join(opens, answers));
    put(26, join(join(opens, answers), side));
    put(27, join(join(opens, answers), between));
    put(28, join(coarse(now.answer), join(side, between)));
    put(29, join(coarse(then.opening), join(side, between)));
    put(30, join(coarse(now.opening), coarse(then.answer)));
    for cue in bits(seen_a.cues) {
        put(20, join(side, cue));
    }
    for cue in bits(seen_b.cues) {
        put(21, join(side, cue));
        put(22, join(distance, cue));
        for met in bits(seen_a.cues) {
            put(23, join(same, join(cue, met)));
        }
    }
    for cue in bits(seen_b.head) {
        put(24, join(side, cue));
    }
}

/// Gathers candidates into tasks. Strong candidates come first: each joins the earlier strong one that it is linked to
/// best, where that link is above the threshold, or begins a task of its own. Then each weak one joins the candidate,
/// earlier or later, that it is linked to best. So two tasks are never joined through a weak sentence between them.
/// Gives for each candidate the number of its task, in order of first appearance.
#[must_use]
pub fn gather(candidates: &[Candidate], links: &[Link], threshold: f32, strong: f32) -> Vec<usize> {
    let is_strong = |at: usize| candidates[at].logit > strong;
    let mut best: Vec<Option<(f32, usize)>> = vec![None; candidates.len()];
    let mut offer = |to: usize, from: usize, logit: f32| {
        if best[to].is_none_or(|(most, _)| logit > most) {
            best[to] = Some((logit, from));
        }
    };
    for &((later, earlier), logit) in links.iter().filter(|(_, logit)| *logit > threshold) {
        match (is_strong(later), is_strong(earlier)) {
            (true, true) | (false, _) => offer(later, earlier, logit),
            (true, false) => offer(earlier, later, logit),
        }
    }
    number(&best)
}

/// Numbers the groups that these choices make: whoever chose one another, however indirectly, are one.
fn number(choices: &[Option<(f32, usize)>]) -> Vec<usize> {
    let mut parent: Vec<usize> = (0..choices.len()).collect();
    for (at, choice) in choices.iter().enumerate() {
        if let Some((_, other)) = choice {
            let (one, two) = (root(&mut parent, at), root(&mut parent, *other));
            parent[one.max(two)] = one.min(two);
        }
    }
    let mut numbers = vec![usize::MAX; choices.len()];
    let mut next = 0;
    for at in 0..choices.len() {
        let first = root(&mut parent, at);
        if numbers[first] == usize::MAX {
            numbers[first] = next;
            next += 1;
        }
        numbers[at] = numbers[first];
    }
    numbers
}

/// The first member of a group, shortening the way there.
fn root(parent: &mut [usize], mut at: usize) -> usize {
    while parent[at] != at {
        parent[at] = parent[parent[at]];
        at = parent[at];
    }
    at
}
