//! The verdict on a cluster as a whole: is it really a task?

use crate::cue::Cue;
use crate::link::pair::CandidateSentence;
use crate::score::{FirstPass, MODELS, NO_LOGIT, SENTENCE_FEATURES, TEXT, cues, flag};

/// How many dense features a cluster of sentences has.
pub const FEATURE_COUNT: usize = 8 + MODELS + 2 + SENTENCE_FEATURES + 4 * Cue::ALL.len() + 4 + 2 * MODELS + 6 + TEXT;

/// What the features of all clusters of a text are taken from, before they are judged one by one.
pub struct ClusterScorer<'g> {
    known: &'g FirstPass<'g>,
    tasks: &'g [Vec<CandidateSentence>],
    /// The highest logit of each.
    best: Vec<f32>,
}

impl<'g> ClusterScorer<'g> {
    /// Looks at the tasks of a text, each of at least one candidate.
    #[must_use]
    pub fn of(known: &'g FirstPass<'g>, tasks: &'g [Vec<CandidateSentence>]) -> Self {
        let best =
            |members: &Vec<CandidateSentence>| members.iter().map(|member| member.logit).fold(NO_LOGIT, f32::max);
        Self { known, tasks, best: tasks.iter().map(best).collect() }
    }

    /// Emits the [`FEATURE_COUNT`] dense features of a task into `out`.
    pub fn features(&self, task: usize, out: &mut Vec<f32>) {
        let members = &self.tasks[task];
        let scene = self.known.scene;
        let (Some(best), Some(first), Some(last)) =
            (members.iter().max_by(|one, other| one.logit.total_cmp(&other.logit)), members.first(), members.last())
        else {
            out.extend([0.0; FEATURE_COUNT]);
            return;
        };
        let others = members.iter().filter(|member| member.sentence != best.sentence).map(|member| member.logit);
        let count = members.len() as f32;
        let speakers = |same: bool| {
            members
                .iter()
                .filter(|member| {
                    (scene.sentences[member.sentence].speaker == scene.sentences[best.sentence].speaker) == same
                })
                .count() as f32
        };
        out.extend([
            best.logit,
            others.fold(NO_LOGIT, f32::max),
            members.iter().map(|member| member.logit).sum::<f32>() / count,
            count,
            speakers(false),
            (last.sentence - first.sentence) as f32,
            (scene.sentences[last.sentence].utterance - scene.sentences[first.sentence].utterance) as f32,
            flag(members.iter().any(|member| member.explicit)),
        ]);
        let most = |logit: &dyn Fn(&CandidateSentence) -> f32| members.iter().map(logit).fold(NO_LOGIT, f32::max);
        for logits in self.known.first {
            out.push(most(&|member| logits[member.sentence]));
        }
        out.extend([best.opening, best.continuation]);
        out.extend(self.known.sentence_features(best.sentence));
        let all = members.iter().fold(0, |cues, member| cues | scene.seen[member.sentence].cues);
        cues(all, out);
        cues(scene.seen[best.sentence].cues, out);
        let (before, after) =
            (first.sentence.checked_sub(1), Some(last.sentence + 1).filter(|next| *next < scene.seen.len()));
        cues(before.map_or(0, |at| scene.seen[at].cues), out);
        cues(after.map_or(0, |at| scene.seen[at].head), out);
        let same = |other: Option<usize>, of: usize| {
            other.is_some_and(|other| scene.sentences[other].speaker == scene.sentences[of].speaker)
        };
        let asks = |other: Option<usize>| other.is_some_and(|other| scene.seen[other].question);
        out.extend([
            flag(same(before, first.sentence)),
            flag(same(after, last.sentence)),
            flag(asks(before)),
            flag(asks(after)),
        ]);
        for other in [before, after] {
            out.extend(self.known.first.iter().map(|logits| other.map_or(NO_LOGIT, |other| logits[other])));
        }
        self.others(task, out);
        out.extend(self.known.text);
    }

    /// What stands around it, and how it compares.
    fn others(&self, task: usize, out: &mut Vec<f32>) {
        let (first, last) = (self.tasks[task].first(), self.tasks[task].last());
        let end = |member: Option<&CandidateSentence>| member.map_or(0, |member| member.sentence);
        let gap = |other: Option<&Vec<CandidateSentence>>, far: &dyn Fn(&Vec<CandidateSentence>) -> usize| {
            other.map_or(50.0, |other| far(other).min(50) as f32)
        };
        let before = task.checked_sub(1).and_then(|at| self.tasks.get(at));
        let after = self.tasks.get(task + 1);
        let all = self.known.scene.seen.len();
        let strong = self.best.iter().filter(|logit| **logit > 0.0).count();
        out.extend([
            gap(before, &|other| end(first).abs_diff(end(other.last()))),
            gap(after, &|other| end(other.first()).abs_diff(end(last))),
            self.best.iter().filter(|logit| **logit > self.best[task]).count() as f32,
            strong as f32 / all.max(1) as f32,
            end(first) as f32 / all.max(1) as f32,
            self.tasks.len() as f32,
        ]);
    }
}
