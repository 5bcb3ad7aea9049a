//! What documents teach of owners: whether whoever seems to be a task's owner is, or it is nobody's. The tasks are those that
//! were found with held-out scores.

use crate::boost::{Cases, Growth};
use crate::dates::Source;
use crate::train::FOLDS;
use crate::words::same_person;
use anyhow::Result;
use gleaner_extract::fields::{self, owned};
use gleaner_extract::model::forest::Forest;
use gleaner_extract::owner;
use gleaner_extract::people::Roster;
use gleaner_extract::score::{First, Known};

const OWNED: Growth = Growth { trees: 150, leaves: 6, rate: 0.05, rows: 7, numbers: 3, least: 12, pull: 5.0 };

/// The trees, learnt from the tasks whose seeming owner is the right one or that are nobody's.
///
/// # Errors
/// Where a document's time is malformed.
pub fn learn(sources: &[Source<'_>], firsts: &[First], groups: &[u32], report: &mut Vec<String>) -> Result<Forest> {
    let mut cases = Cases::default();
    let (mut rights, mut all) = (Vec::new(), 0_usize);
    for (at, source) in sources.iter().enumerate() {
        let roster = Roster::of(source.transcript, &crate::context(source.document)?);
        let cast = owner::cast(source.transcript, &roster);
        let known = Known::of(&source.text.scene, &firsts[at], &source.text.whole);
        for (task, partner) in source.tasks.iter().zip(source.partner) {
            let Some(gold) = partner.map(|number| &source.document.tasks[number]) else { continue };
            let sentences = fields::speaking(task);
            let guess = fields::owner(&source.reading.script, &cast, &sentences);
            all += 1;
            let Some(guess) = guess else {
                rights.push((None, gold.owner.is_none()));
                continue;
            };
            let right = same_person(gold.owner.as_deref(), Some(&guess.name), &source.document.me);
            owned::numbers(&known, &source.reading.script, task, &sentences, &guess, &mut cases.numbers);
            let counts = right || gold.owner.is_none();
            cases.push(right, if counts { 1.0 } else { 0.0 }, groups[at]);
            rights.push((Some(gold.owner.is_none()), right));
        }
    }
    let (logits, forest) = cases.grow(OWNED, FOLDS);
    let mut logits = logits.into_iter();
    let (mut before, mut after) = (0, 0);
    for (nobodys, right) in rights {
        before += usize::from(right);
        let kept = nobodys.is_none() || logits.next().is_some_and(|logit| logit > 0.0);
        after += usize::from(if kept { right } else { nobodys == Some(true) });
    }
    let share = |count: usize| count as f64 / all.max(1) as f64;
    report.push(format!("owners of tasks found: {:.3} as claimed, {:.3} as judged", share(before), share(after)));
    Ok(forest)
}
