//! Links within a text: is this sentence the answer, the repetition or the correction of that one's task, or a task of
//! its own? Boosted trees say so by what stands between them, who speaks, and what they share.

use crate::cue::{Cue, Cues};
use crate::feature::word::{Class, known};
use crate::feature::{Line, NAMES_FIRST, Scene, Sentence, token::Shape, token::tokens};
use crate::fields;
use crate::hash::join;
use crate::score::{FirstPass, MODELS, NO_LOGIT, SENTENCE_FEATURES, TEXT, cues, flag};

/// How many earlier candidates a sentence is compared with.
pub const REACH: usize = 10;
/// How many sentences back a link may go.
pub const SPAN: usize = 60;

/// A sentence that may be part of a task.
#[derive(Clone, Debug)]
pub struct CandidateSentence {
    /// Number of the sentence.
    pub sentence: usize,
    /// Its second-pass logit.
    pub logit: f32,
    /// How much it looks like the first sentence of several that make up a task.
    pub opening: f32,
    /// How much it looks like a later one.
    pub continuation: f32,
    /// Whether it declares a task by its form.
    pub explicit: bool,
    /// Hashes of the beginnings of its content words, sorted, without repetition.
    pub prefixes: Vec<u64>,
}

/// The hash of a word's first five letters, in lower case.
fn prefix(word: &str) -> u64 {
    let letters = word.chars().filter(|letter| letter.is_alphanumeric()).take(5).flat_map(char::to_lowercase);
    letters.fold(5, |hash, letter| join(hash, u64::from(letter)))
}

/// The hashes of the beginnings of the content words of a text, sorted, without repetition.
#[must_use]
pub fn prefixes(text: &str) -> Vec<u64> {
    let mut found = Vec::new();
    tokens(text, |token| {
        let word = text.get(token.start as usize..token.end as usize).unwrap_or_default();
        let content = match token.shape {
            Shape::Word => word.len() > 2 && known(token.hash) != Some(Class::Function),
            Shape::Mention | Shape::Glyph => true,
            _ => false,
        };
        if content {
            found.push(prefix(word));
        }
    });
    found.sort_unstable();
    found.dedup();
    found
}

/// How many members two sorted lists share.
#[must_use]
pub fn shared(one: &[u64], other: &[u64]) -> usize {
    one.iter().filter(|prefix| other.binary_search(prefix).is_ok()).count()
}

/// Two candidates by place, the later first, and the logit of their link.
pub type ScoredPair = ((usize, usize), f32);

/// Pairs of candidates that a link is considered for: the later one's place and the earlier one's.
#[must_use]
pub fn pairs(candidates: &[CandidateSentence]) -> Vec<(usize, usize)> {
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
pub fn may_link(scene: &Scene<'_>, candidates: &[CandidateSentence], (later, earlier): (usize, usize)) -> bool {
    let (now, then) = (&candidates[later], &candidates[earlier]);
    let near = now.sentence - then.sentence <= 2;
    let together = near && scene.sentences[now.sentence].utterance == scene.sentences[then.sentence].utterance;
    let parted =
        are_entries(scene, then.sentence, now.sentence) || says_another_thing(scene, candidates, (later, earlier));
    !now.explicit && (!then.explicit || together) && !parted
}

/// Whether two sentences are entries of one list, or rows of one table: all lines from one to the other are.
fn are_entries(scene: &Scene<'_>, earlier: usize, later: usize) -> bool {
    let (one, other) = (&scene.sentences[earlier], &scene.sentences[later]);
    let is_entry =
        |sentence: &Sentence<'_>| matches!(sentence.line, Line::Item | Line::Action | Line::Open | Line::Ticked);
    one.utterance != other.utterance && scene.sentences[earlier..=later].iter().all(is_entry)
}

/// Pairs of candidates that speak of different things by their form, the later first.
#[must_use]
pub fn apart(scene: &Scene<'_>, candidates: &[CandidateSentence]) -> Vec<(usize, usize)> {
    let parted = |&(later, earlier): &(usize, usize)| {
        are_entries(scene, candidates[earlier].sentence, candidates[later].sentence)
            || says_another_thing(scene, candidates, (later, earlier))
    };
    pairs(candidates).into_iter().filter(parted).collect()
}

/// Stems of what says by itself what it is about: what is asked for or promised, a report, and what somebody else says to a promise.
const NAMED: usize = 2;
const REPORTED: usize = 4;
const REPLIED: usize = 3;

/// Whether a sentence speaks of other things than an earlier one, by its form: two people's promises are two tasks, and so
/// are what somebody asks of another and promises themselves, and what is asked of one person and then of another.
fn says_another_thing(scene: &Scene<'_>, candidates: &[CandidateSentence], (later, earlier): (usize, usize)) -> bool {
    let (now, then) = (&candidates[later], &candidates[earlier]);
    let cues = |said: &CandidateSentence| scene.seen[said.sentence].cues;
    let speaker = |said: &CandidateSentence| scene.sentences[said.sentence].speaker;
    let (same, promises, promised) =
        (speaker(now) == speaker(then), Cue::Promise.of(cues(now)), Cue::Promise.of(cues(then)));
    let goes_on = cues(now) & (Cue::Request.bit() | Cue::Revise.bit()) != 0;
    if same && cues(now) & OWN != 0 && Cue::Request.of(cues(then)) && !goes_on {
        return true;
    }
    if shared(&now.prefixes, &then.prefixes) > 0 {
        return false;
    }
    let asks_too = same && cues(then) & OWN != 0 && Cue::Request.of(cues(now));
    let asks_another = cues(then) & TASK != 0 && cues(now) & TASK != 0 && turns_to_another(scene, now);
    if (asks_too || asks_another)
        && [now, then].iter().all(|said| names_its_thing(scene, said))
        && !Cue::Revise.of(cues(now))
    {
        return true;
    }
    if promises {
        // "Can you run it? – Yes, I can do that. I'll share the numbers."
        let accepts = |said: &CandidateSentence| {
            speaker(said) == speaker(now) && Cue::Thing.of(cues(said)) && cues(said) & ACCEPTS != 0
        };
        let accepted = candidates[earlier + 1..later].iter().any(accepts) || (same && accepts(then));
        return (promised && !same) || (accepted && names_its_thing(scene, now));
    }
    let replies = now.prefixes.len() >= REPLIED && !Cue::Thing.of(cues(now));
    let reports = now.prefixes.len() >= REPORTED && fields::reports_done(scene, now.sentence);
    reports || (promised && if same { turns_to_another(scene, now) } else { replies })
}

/// What somebody says of their own part.
const OWN: Cues = Cue::Promise.bit() | Cue::WillDo.bit();

/// What says that something is to be done.
const TASK: Cues = OWN | Cue::Request.bit() | Cue::Assign.bit() | Cue::Need.bit() | Cue::Must.bit() | Cue::Relay.bit();

/// What takes on what was asked for.
const ACCEPTS: Cues = Cue::Promise.bit() | Cue::Accept.bit() | Cue::Take.bit() | Cue::WillDo.bit();

/// Whether a sentence says by itself what it is about.
fn names_its_thing(scene: &Scene<'_>, said: &CandidateSentence) -> bool {
    said.prefixes.len() >= NAMED && !Cue::Thing.of(scene.seen[said.sentence].cues)
}

/// Whether a sentence begins with the name of another person.
fn turns_to_another(scene: &Scene<'_>, now: &CandidateSentence) -> bool {
    scene.seen[now.sentence].names & NAMES_FIRST != 0
}

/// How many dense features a pair of candidates has.
pub const FEATURE_COUNT: usize = 22 + 2 * (3 + MODELS + SENTENCE_FEATURES + 2 * Cue::ALL.len()) + TEXT;

/// Emits the [`FEATURE_COUNT`] dense features of a pair of candidates into `out`.
pub fn features(
    known: &FirstPass<'_>,
    candidates: &[CandidateSentence],
    (later, earlier): (usize, usize),
    out: &mut Vec<f32>,
) {
    let scene = known.scene;
    let (now, then) = (&candidates[later], &candidates[earlier]);
    let (a, b) = (&scene.sentences[then.sentence], &scene.sentences[now.sentence]);
    let between = &candidates[earlier + 1..later];
    let most = |logit: &dyn Fn(&CandidateSentence) -> f32| between.iter().map(logit).fold(NO_LOGIT, f32::max);
    let common = |one: &CandidateSentence, other: &CandidateSentence| shared(&one.prefixes, &other.prefixes) as f32;
    let overlap = common(now, then);
    let rival = |of: &CandidateSentence, but: usize, near: std::ops::Range<usize>| {
        near.filter(|at| *at != but)
            .map(|at| &candidates[at])
            .filter(|other| other.sentence != of.sentence)
            .map(|other| common(of, other))
            .fold(0.0, f32::max)
    };
    let near = later.saturating_sub(REACH)..later;
    let onwards = earlier + 1..(earlier + 1 + REACH).min(candidates.len());
    let fewest = now.prefixes.len().min(then.prefixes.len()).max(1) as f32;
    let both = |says: &dyn Fn(&CandidateSentence) -> bool| flag(says(now) && says(then));
    let has = |cue: Cue| both(&|said| cue.of(scene.seen[said.sentence].cues));
    out.extend([
        (now.sentence - then.sentence) as f32,
        (later - earlier) as f32,
        (b.utterance - a.utterance).min(50) as f32,
        flag(a.speaker == b.speaker),
        overlap,
        overlap / fewest,
        rival(now, earlier, near),
        rival(then, later, onwards),
        now.prefixes.len() as f32,
        then.prefixes.len() as f32,
        most(&|other| other.logit),
        most(&|other| other.opening),
        between.iter().filter(|other| other.logit > 0.0).count() as f32,
        between.iter().filter(|other| scene.sentences[other.sentence].speaker == b.speaker).count() as f32,
        between.iter().filter(|other| scene.sentences[other.sentence].speaker == a.speaker).count() as f32,
        has(Cue::Promise),
        has(Cue::Request),
        has(Cue::Date),
        both(&|said| names_its_thing(scene, said)),
        now.logit - then.logit,
        candidates.get(later + 1).map_or(50.0, |next| (next.sentence - now.sentence).min(50) as f32),
        earlier.checked_sub(1).map_or(50.0, |before| (then.sentence - candidates[before].sentence).min(50) as f32),
    ]);
    for candidate in [now, then] {
        out.extend([candidate.logit, candidate.opening, candidate.continuation]);
        out.extend(known.first.iter().map(|logits| logits[candidate.sentence]));
        out.extend(known.sentence_features(candidate.sentence));
        cues(scene.seen[candidate.sentence].cues, out);
        cues(scene.seen[candidate.sentence].head, out);
    }
    out.extend(known.text);
}

/// Gathers candidates into tasks. Strong candidates come first: each joins the earlier strong one that it is linked to
/// best, where that link is above the threshold, or begins a task of its own. Then each weak one joins the candidate,
/// earlier or later, that it is linked to best. So two tasks are never joined through a weak sentence between them, nor those
/// that are `apart` by any way. Gives for each candidate the number of its task, in order of first appearance.
#[must_use]
pub fn gather(
    candidates: &[CandidateSentence],
    links: &[ScoredPair],
    apart: &[(usize, usize)],
    threshold: f32,
    strong: f32,
) -> Vec<usize> {
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
    number(&best, apart)
}

/// Numbers the groups that these choices make, the surest first: whoever chose one another, however indirectly, are one, but
/// for those that are to stay apart.
fn number(choices: &[Option<(f32, usize)>], apart: &[(usize, usize)]) -> Vec<usize> {
    let mut strangers = vec![Vec::new(); choices.len()];
    for &(one, other) in apart {
        strangers[one].push(other);
        strangers[other].push(one);
    }
    let mut chosen: Vec<(f32, usize, usize)> =
        choices.iter().enumerate().filter_map(|(at, choice)| choice.map(|(logit, other)| (logit, at, other))).collect();
    chosen.sort_by(|one, other| other.0.total_cmp(&one.0));
    let mut group_of: Vec<usize> = (0..choices.len()).collect();
    let mut members: Vec<Vec<usize>> = (0..choices.len()).map(|at| vec![at]).collect();
    for (_, at, other) in chosen {
        let (one, two) = (group_of[at], group_of[other]);
        // The smaller joins the larger, so that nobody moves often.
        let (small, large) = if members[one].len() < members[two].len() { (one, two) } else { (two, one) };
        let strange = |member: &usize| strangers[*member].iter().any(|stranger| group_of[*stranger] == large);
        if one == two || members[small].iter().any(strange) {
            continue;
        }
        let moved = std::mem::take(&mut members[small]);
        moved.iter().for_each(|member| group_of[*member] = large);
        members[large].extend(moved);
    }
    let mut numbers = vec![usize::MAX; choices.len()];
    let mut next = 0;
    for at in 0..choices.len() {
        let first = group_of[at];
        if numbers[first] == usize::MAX {
            numbers[first] = next;
            next += 1;
        }
        numbers[at] = numbers[first];
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feature::Names;

    #[test]
    fn entries_of_one_list_are_apart_and_those_of_two_need_not_be() {
        let lines = [Line::Item, Line::Item, Line::Frame, Line::Action];
        let sentence = |(at, line): (u32, Line)| Sentence { text: "call them", utterance: at, speaker: None, line };
        let sentences: Vec<Sentence<'_>> = (0..).zip(lines).map(sentence).collect();
        let scene = Scene::look(&sentences, &Names::default());
        assert!(are_entries(&scene, 0, 1));
        assert!(!are_entries(&scene, 1, 3));
    }
}
