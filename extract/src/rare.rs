//! Texts in which tasks are rare: long natural talk, and minutes whose actions nobody marked. One sentence in some hundred
//! counts, so each is judged by numbers: what every model thinks of it, of its neighbours and of the text as a whole.

use crate::explicit;
use crate::feature::{Scene, place::Whole};
use crate::judge::{self, Gathered};
use crate::link::pair::Candidate;
use crate::model::dense::Dense;
use crate::model::math::sigmoid;
use crate::score::{First, MODELS};
use crate::weights::Scale;

/// How one kind of such texts is judged.
#[derive(Clone, Debug)]
pub struct Rare {
    /// The second pass.
    pub model: Dense,
    /// Least logit of a sentence in a task, where F1 was best.
    pub cut: f32,
    /// From logits to probabilities.
    pub scale: Scale,
}

/// How many numbers are known of a sentence.
pub const NUMBERS: usize = 58;
/// How far below the cut a sentence may be and still be a doubtful task.
const MARGIN: f32 = 1.0;
/// How many sentences apart two parts of a task may be.
const APART: usize = 2;
/// Most sentences of a task.
const PARTS: usize = 3;
/// How fast the weight of a neighbour falls: to 1/e in so many sentences.
const NEAR: f64 = 4.0;
const FAR: f64 = 20.0;

/// A logit within bounds.
fn bound(logit: f32) -> f32 {
    logit.clamp(-8.0, 4.0)
}

/// The part of a logit above a bend, so that a line may rise more steeply there.
fn above(logit: f32, bend: f32) -> f32 {
    (logit - bend).max(0.0)
}

/// What is known of a text before its sentences are judged one by one.
struct Known<'k> {
    scene: &'k Scene<'k>,
    first: &'k First,
    whole: &'k Whole,
    /// The logits of the model that knows this kind of text best.
    own: &'k [f32],
    /// Place of each sentence when sorted by them, the likeliest first.
    rank: Vec<u32>,
    /// Sum of the neighbours' probabilities, near and far.
    around: [Vec<f32>; 2],
    /// Sum of all probabilities.
    total: f32,
}

impl<'k> Known<'k> {
    fn of(scene: &'k Scene<'k>, first: &'k First, whole: &'k Whole, own: usize) -> Self {
        let own = first[own].as_slice();
        let likely: Vec<f32> = own.iter().map(|&logit| sigmoid(f64::from(logit)) as f32).collect();
        let mut order: Vec<u32> = (0..own.len() as u32).collect();
        order.sort_by(|&one, &other| own[other as usize].total_cmp(&own[one as usize]));
        let mut rank = vec![0; own.len()];
        order.iter().zip(0..).for_each(|(&sentence, place)| rank[sentence as usize] = place);
        let around = [NEAR, FAR].map(|reach| around(&likely, reach));
        let total = likely.iter().sum();
        Self { scene, first, whole, own, rank, around, total }
    }

    /// Emits the [`NUMBERS`] of a sentence into `out`.
    fn numbers(&self, index: usize, out: &mut Vec<f32>) {
        self.scores(index, out);
        self.neighbours(index, out);
        for sums in &self.around {
            out.extend([logarithm(sums[index] + 0.01), sums[index].min(3.0)]);
        }
        let rank = self.rank[index];
        out.extend([logarithm(self.total + 0.1), logarithm(rank as f32 + 1.0), flag(rank < 3), flag(rank < 10)]);
        self.place(index, out);
    }

    fn scores(&self, index: usize, out: &mut Vec<f32>) {
        for model in 0..MODELS {
            let logit = bound(self.first[model][index]);
            out.extend([logit, above(logit, -2.5)]);
        }
        let own = bound(self.own[index]);
        out.extend([-5.0, -3.0, -1.5].map(|bend| above(own, bend)));
    }

    fn neighbours(&self, index: usize, out: &mut Vec<f32>) {
        let at = |logits: &[f32], away: isize| {
            let other = index.checked_add_signed(away).and_then(|other| logits.get(other));
            other.map_or(-6.0, |&logit| bound(logit))
        };
        for away in [-3, -2, -1, 1, 2, 3] {
            let logit = at(self.own, away);
            out.extend([logit, above(logit, -4.0)]);
        }
        for model in [0, 2, judge::MAIL] {
            out.extend([-2, -1, 1, 2].map(|away| at(&self.first[model], away)));
        }
    }

    fn place(&self, index: usize, out: &mut Vec<f32>) {
        let (seen, all) = (&self.scene.seen[index], self.own.len());
        let own = above(bound(self.own[index]), -5.0);
        let (place, words) = (index as f32 / all as f32, seen.words as f32);
        let last = flag(place > 0.9);
        let leads = flag(self.whole.leads(self.scene.sentences[index].speaker));
        out.extend([place, last, flag(place < 0.1), logarithm((all - index) as f32), last * own]);
        out.extend([logarithm(words + 1.0), flag(words < 3.0), flag(seen.question)]);
        out.extend([leads, leads * last, leads * own]);
    }
}

fn flag(is: bool) -> f32 {
    f32::from(u8::from(is))
}

fn logarithm(number: f32) -> f32 {
    crate::model::math::ln(f64::from(number)) as f32
}

/// For each place the sum of all others, each the less the farther it is.
fn around(likely: &[f32], reach: f64) -> Vec<f32> {
    let keeps = crate::model::math::exp(-1.0 / reach) as f32;
    let mut sums = vec![0.0; likely.len()];
    let mut run = 0.0;
    for (sum, &here) in sums.iter_mut().zip(likely) {
        *sum += run;
        run = (run + here) * keeps;
    }
    run = 0.0;
    for (sum, &here) in sums.iter_mut().zip(likely).rev() {
        *sum += run;
        run = (run + here) * keeps;
    }
    sums
}

/// The numbers of every sentence, one after the other; `own` is the first-pass model that knows this kind of text best.
#[must_use]
pub fn numbers(scene: &Scene<'_>, first: &First, whole: &Whole, own: usize) -> Vec<f32> {
    let known = Known::of(scene, first, whole, own);
    let mut found = Vec::with_capacity(scene.seen.len() * NUMBERS);
    (0..scene.seen.len()).for_each(|index| known.numbers(index, &mut found));
    found
}

/// The tasks of a text: likely sentences that stand together.
#[must_use]
pub fn tasks(scene: &Scene<'_>, first: &First, whole: &Whole, rare: &Rare) -> Vec<Gathered> {
    let own = if whole.talk { judge::AMI } else { judge::MAIL };
    let known = Known::of(scene, first, whole, own);
    let mut numbers = Vec::with_capacity(NUMBERS);
    let logit = |index| {
        numbers.clear();
        known.numbers(index, &mut numbers);
        rare.model.logit(&numbers)
    };
    let logits: Vec<f32> = (0..scene.seen.len()).map(logit).collect();
    gather(scene, first, &logits, rare.cut)
}

/// Gathers sentences into tasks: those above the cut that stand together, each doubtful one alone, each that declares a
/// task by its form alone.
#[must_use]
pub fn gather(scene: &Scene<'_>, first: &First, logits: &[f32], cut: f32) -> Vec<Gathered> {
    let mut tasks: Vec<Gathered> = Vec::new();
    for sentence in 0..logits.len() {
        let explicit = explicit::declares(&scene.sentences[sentence]);
        if !explicit && logits[sentence] < cut - MARGIN {
            continue;
        }
        let part = judge::candidate(scene, first, logits, sentence);
        match tasks.last_mut().filter(|task| joins(task, &part, cut)) {
            Some(task) => {
                task.logit = task.logit.max(part.logit);
                task.members.push(part);
            }
            None => tasks.push(Gathered { logit: part.logit, members: vec![part] }),
        }
    }
    tasks
}

/// Whether a sentence belongs to the task before it.
fn joins(task: &Gathered, part: &Candidate, cut: f32) -> bool {
    let near = task.members.last().is_some_and(|last| part.sentence - last.sentence <= APART);
    let sure = task.logit >= cut && part.logit >= cut;
    near && sure && !part.explicit && !task.explicit() && task.members.len() < PARTS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feature::{Line, Names, Sentence};

    fn gathered(logits: &[f32], cut: f32) -> Vec<Vec<usize>> {
        let sentence =
            |at: usize| Sentence { text: "we talk", utterance: at as u32, speaker: Some(0), line: Line::Speech };
        let sentences: Vec<Sentence<'_>> = (0..logits.len()).map(sentence).collect();
        let scene = Scene::look(&sentences, &Names::default());
        let first: First = std::array::from_fn(|_| logits.to_vec());
        let members = |task: Gathered| task.members.iter().map(|member| member.sentence).collect();
        gather(&scene, &first, logits, cut).into_iter().map(members).collect()
    }

    #[test]
    fn sure_sentences_that_stand_together_are_one_task_and_doubtful_ones_stand_alone() {
        assert_eq!(gathered(&[0.5, -9.0, 0.1, -0.5, -9.0, -9.0, 2.0], 0.0), [vec![0, 2], vec![3], vec![6]]);
    }

    #[test]
    fn a_task_has_no_more_sentences_than_it_can_quote() {
        assert_eq!(gathered(&[1.0; 4], 0.0), [vec![0, 1, 2], vec![3]]);
    }

    #[test]
    fn neighbours_count_less_the_farther_they_are() {
        let sums = around(&[1.0, 0.0, 0.0, 0.0], NEAR);
        assert!(sums[0] == 0.0 && sums[1] > sums[2] && sums[2] > sums[3] && sums[3] > 0.0);
    }
}
