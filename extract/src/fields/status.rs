//! Whether a task is done by the end of its text. A ticked box says so, and in a chat or a mail whoever then says that they did
//! it; else boosted trees weigh what its own sentences, and those said soon after, tell of how far something is.

use crate::cue::Cue;
use crate::feature::{Line, Scene};
use crate::fields;
use crate::judge::TaskCluster;
use crate::link::done::{CompletionCues, completion};
use crate::link::pair::{self, CandidateSentence};
use crate::link::stem::{Stem, stems};
use crate::model::forest::Forest;
use crate::score::{FirstPass, SOURCES, TEXT, cues, flag};
use gleaner_model::TaskStatus;
use std::array;
use std::cell::OnceCell;

/// How many sentences after a task's last are looked at.
const LATER: usize = 30;
/// Of these, how many count by being near, whatever they speak of.
const NEAR: usize = 4;
/// Shared words beyond so many say no more.
const SHARED: usize = 3;
/// Least logit of a task that is done. Held out, before its own sentences were compared with one another, as many tasks had the right
/// status as above 0, and a third more of those that are done were found.
pub const LEAST: f32 = -0.36;

/// How many dense features tell what a sentence says.
const SAID: usize = 10;
/// How many tell how a later sentence reports something done.
const REPORTS: usize = 11;
/// Which of these says that what was to be done is what was done.
const DID: usize = 1;
/// The kinds of line that are told apart.
const LINES: [Line; 4] = [Line::Open, Line::Action, Line::Item, Line::Quoted];
/// How many dense features a task has.
pub const FEATURE_COUNT: usize =
    TEXT + 1 + 3 * SAID + 4 + LINES.len() + 4 * Cue::ALL.len() + 4 * REPORTS + 3 * (Cue::ALL.len() + 1);

/// What the features of all tasks of a text are taken from.
#[derive(Debug)]
pub struct StatusFeatures<'k> {
    scene: &'k Scene<'k>,
    text: &'k [f32; TEXT],
    /// What each sentence tells, read when first wanted.
    told: Vec<OnceCell<ToldSentence>>,
}

/// What a sentence tells of how far something is, and of what.
#[derive(Clone, Debug)]
struct ToldSentence {
    said: CompletionCues,
    /// The prefixes of its words.
    prefixes: Vec<u64>,
    stems: Vec<Stem>,
}

impl<'k> StatusFeatures<'k> {
    /// Those of a text.
    #[must_use]
    pub fn of(known: &'k FirstPass<'k>) -> Self {
        Self { scene: known.scene, text: &known.text, told: vec![OnceCell::new(); known.scene.seen.len()] }
    }

    /// Whether a task is done.
    #[must_use]
    pub fn status(&self, task: &TaskCluster, trees: &Forest) -> TaskStatus {
        let is_ticked = task.members.iter().any(|member| self.scene.sentences[member.sentence].line == Line::Ticked);
        let is_likely = || {
            let mut features = Vec::with_capacity(FEATURE_COUNT);
            self.features(task, &mut features);
            trees.logit(&features) > LEAST
        };
        if is_ticked || self.is_answered(task) || is_likely() { TaskStatus::Completed } else { TaskStatus::Open }
    }

    /// Emits the [`FEATURE_COUNT`] dense features of a task into `out`.
    pub fn features(&self, task: &TaskCluster, out: &mut Vec<f32>) {
        let telling = fields::telling(task);
        let (Some(&best), Some(&first), Some(&last)) = (telling.first(), telling.iter().min(), telling.iter().max())
        else {
            out.extend([0.0; FEATURE_COUNT]);
            return;
        };
        let (count, scene) = (self.scene.seen.len(), self.scene);
        out.extend(self.text);
        out.push(flag(task.explicit()));
        let all = telling.iter().map(|&at| self.said(at)).fold([0.0; SAID], most);
        out.extend([all, self.said(best), self.said(last)].as_flattened());
        out.extend([first as f32 / count as f32, (count - last) as f32, (last - first) as f32, telling.len() as f32]);
        out.extend(LINES.map(|line| flag(telling.iter().any(|&at| scene.sentences[at].line == line))));
        cues(fields::cues(scene, task), out);
        cues(scene.seen[best].cues, out);
        cues(scene.seen[best].head, out);
        cues(scene.seen[last].head, out);
        self.own(task, best, out);
        self.later(task, &telling, last, out);
        for beside in [first.checked_sub(1), Some(last + 1), Some(last + 2)] {
            let beside = beside.filter(|&at| at < count);
            cues(beside.map_or(0, |at| scene.seen[at].head), out);
            out.push(flag(beside.is_some_and(|at| self.is_same_speaker(at, best))));
        }
    }

    /// Whether somebody says in a chat or a mail, after it was asked for or promised, that they have done just that.
    fn is_answered(&self, task: &TaskCluster) -> bool {
        let written = |(kind, is): (&&str, &f32)| matches!(*kind, "email" | "chat") && *is > 0.0;
        let did = |member: &CandidateSentence| self.own_reports(task, member.sentence, member.sentence).0[DID] > 0.0;
        SOURCES.iter().zip(self.text).any(written) && task.members.iter().skip(1).any(did)
    }

    /// What its own sentences report of what the others name, and whatever they report.
    fn own(&self, task: &TaskCluster, best: usize, out: &mut Vec<f32>) {
        let (mut shared, mut any) = ([0.0; REPORTS], [0.0; REPORTS]);
        for member in &task.members {
            let (reports, both) = self.own_reports(task, member.sentence, best);
            shared = most(shared, reports.map(|report| report * both));
            any = most(any, reports);
        }
        out.extend(shared.into_iter().chain(any));
    }

    /// What one of its sentences reports, beside the others, and how many words it shares with them.
    fn own_reports(&self, task: &TaskCluster, at: usize, best: usize) -> ([f32; REPORTS], f32) {
        let others: Vec<usize> = task.members.iter().map(|other| other.sentence).filter(|other| *other != at).collect();
        (self.reports(at, best, &others), self.shared(task, at, |other| other != at))
    }

    /// How many words a sentence shares with those of a task that are kept.
    fn shared(&self, task: &TaskCluster, at: usize, keep: impl Fn(usize) -> bool) -> f32 {
        let kept = task.members.iter().filter(|member| keep(member.sentence));
        let has = |prefix: &&u64| kept.clone().any(|member| member.prefixes.binary_search(prefix).is_ok());
        self.told(at).prefixes.iter().filter(has).count().min(SHARED) as f32
    }

    /// What is reported after a task: by words that both share, and nearby.
    fn later(&self, task: &TaskCluster, telling: &[usize], last: usize, out: &mut Vec<f32>) {
        let (mut shared, mut near) = ([0.0; REPORTS], [0.0; REPORTS]);
        for at in last + 1..(last + 1 + LATER).min(self.scene.seen.len()) {
            let reports = self.reports(at, telling[0], telling);
            let both = self.shared(task, at, |_| true);
            shared = most(shared, reports.map(|report| report * both));
            let nearness = (last + 1 + NEAR).saturating_sub(at) as f32;
            near = most(near, reports.map(|report| report * nearness));
        }
        out.extend(shared.into_iter().chain(near));
    }

    fn told(&self, at: usize) -> &ToldSentence {
        let text = self.scene.sentences[at].text;
        let read = || ToldSentence { said: completion(text), prefixes: pair::prefixes(text), stems: stems(text) };
        self.told[at].get_or_init(read)
    }

    fn is_same_speaker(&self, one: usize, other: usize) -> bool {
        self.scene.sentences[one].speaker == self.scene.sentences[other].speaker
    }

    /// How a sentence tells of how far something is.
    fn said(&self, at: usize) -> [f32; SAID] {
        let said = &self.told(at).said;
        let seen = &self.scene.seen[at];
        let flags = [
            said.ahead,
            said.to_do,
            said.open,
            said.finished,
            said.mine,
            said.received,
            !said.states.is_empty(),
            seen.question,
            seen.past,
        ];
        array::from_fn(|at| at.checked_sub(1).map_or(said.done as f32, |at| flag(flags[at])))
    }

    /// How a sentence reports something done, beside others of a task of which one is `best`.
    fn reports(&self, at: usize, best: usize, others: &[usize]) -> [f32; REPORTS] {
        let said = &self.told(at).said;
        let seen = &self.scene.seen[at];
        let any = Cue::Done.of(seen.cues);
        // A heading speaks of what stands under it, a ticked box of itself.
        if matches!(self.scene.sentences[at].line, Line::Frame | Line::Ticked) {
            return [0.0; REPORTS];
        }
        let says = (said.is_report() || any) && !seen.question && !said.ahead;
        let same = self.is_same_speaker(at, best);
        let names =
            |verb: &String| others.iter().any(|&other| self.told(other).stems.iter().any(|stem| stem.text == *verb));
        let act = said.verbs.iter().any(names);
        [
            says,
            says && act,
            says && same,
            says && !same,
            says && said.mine,
            says && said.finished,
            says && said.received,
            Cue::Done.of(seen.head),
            any,
            said.open,
            seen.past,
        ]
        .map(flag)
    }
}

/// The larger of each two.
fn most<const N: usize>(one: [f32; N], other: [f32; N]) -> [f32; N] {
    array::from_fn(|at| one[at].max(other[at]))
}

#[cfg(test)]
mod tests {
    use crate::{Context, Document, extract};
    use gleaner_model::{Subject, TaskStatus};

    /// The status of the first task of a chat.
    fn status(text: &str) -> TaskStatus {
        let document = Document { source_type: "chat", title: None, text };
        extract(&document, &Context::new(Subject::default(), Default::default())).tasks[0].status
    }

    #[test]
    fn what_is_said_later_in_a_chat_to_be_done_is_done() {
        let asked = "[09:00] Ana: @Ben can you restart the import job today?\n[09:02] Ben: sure, will do";
        assert_eq!(status(asked), TaskStatus::Open);
        for done in
            ["import job is restarted, all green", "restarted the import job just now", "I restarted it", "done"]
        {
            assert_eq!(status(&format!("{asked}\n[10:30] Ben: {done}")), TaskStatus::Completed, "{done}");
        }
    }

    #[test]
    fn a_heading_speaks_of_what_stands_under_it() {
        let text = "## Actions\n- [ ] Nora to ring school\n\n## Done\n- Jonas to post parcel";
        let document = Document { source_type: "note", title: None, text };
        let tasks = extract(&document, &Context::new(Subject::default(), Default::default())).tasks;
        let found: Vec<TaskStatus> = tasks.iter().map(|task| task.status).collect();
        assert_eq!(found, [TaskStatus::Open, TaskStatus::Completed]);
    }

    #[test]
    fn a_reason_for_a_request_is_no_report() {
        for text in [
            "Chris: could someone water the plants in reception this week? Joy is off",
            "don't forget to take the bread delivery in at 5 tomorrow, Sana is off",
            "Ellie: has anyone paid the water bill\nSam: I'll do it tonight, it's on my list",
        ] {
            assert_eq!(status(text), TaskStatus::Open, "{text}");
        }
    }
}
