//! Scores what a person sees after a series of items: one task a commitment, with its latest date, completed when it was
//! reported done. A task is found by its title.

use crate::data::{Final, GoldDocument, GoldPerson};
use crate::memory::{Memory, item};
use crate::words::{rouge_l, same_person};
use anyhow::Result;
use gleaner_extract::weights::Weights;
use gleaner_model::{Task, TaskRecord, TaskStatus};
use std::collections::BTreeMap;
use std::fmt;

/// Least likeness (ROUGE-L) of the titles of a task and its gold.
const TITLE: f64 = 0.34;
/// What the same owner adds to it, to tell alike titles apart.
const OWNER: f64 = 0.1;

/// What was counted.
#[derive(Clone, Debug, Default)]
pub struct Series {
    number: usize,
    gold: usize,
    shown: usize,
    matched: usize,
    status: usize,
    owner: usize,
    due: usize,
    whole: usize,
}

/// The series among documents, each in order.
#[must_use]
pub fn of(documents: &[GoldDocument]) -> Vec<Vec<&GoldDocument>> {
    let mut series: BTreeMap<&str, Vec<&GoldDocument>> = BTreeMap::new();
    for document in documents.iter().filter(|document| document.kind == "series") {
        series.entry(document.series.as_deref().unwrap_or_default()).or_default().push(document);
    }
    let mut series: Vec<_> = series.into_values().collect();
    series.iter_mut().for_each(|documents| documents.sort_by_key(|document| document.order));
    series
}

impl Series {
    /// Takes the documents of a series in, one after the other, and counts what is there in the end; `tell` hears of each
    /// error.
    ///
    /// # Errors
    /// Where a document could not be submitted.
    pub fn add(&mut self, documents: &[&GoldDocument], weights: &Weights, tell: &mut dyn FnMut(String)) -> Result<()> {
        let mut memory = Memory::default();
        for document in documents {
            memory.take_in(&item(document)?, weights);
        }
        self.judge(documents, &memory.records, tell)
    }

    /// Counts what is there after the documents of a series, whoever took them in; `tell` hears of each error.
    ///
    /// # Errors
    /// Where the last document's time is malformed.
    pub fn judge(
        &mut self,
        documents: &[&GoldDocument],
        records: &[TaskRecord],
        tell: &mut dyn FnMut(String),
    ) -> Result<()> {
        let Some(last) = documents.last() else { return Ok(()) };
        let now = chrono::DateTime::parse_from_rfc3339(&last.occurred_at)?.to_utc();
        let shown = records.iter().filter_map(|record| Some((record, record.view(now)?)));
        let shown: Vec<_> = shown.filter(|(_, task)| task.status != TaskStatus::Dismissed).collect();
        self.count(last.series.as_deref().unwrap_or_default(), &last.final_tasks, &last.me, &shown, tell);
        Ok(())
    }

    fn count(
        &mut self,
        name: &str,
        gold: &[Final],
        me: &GoldPerson,
        shown: &[(&TaskRecord, Task)],
        tell: &mut dyn FnMut(String),
    ) {
        self.number += 1;
        self.gold += gold.len();
        self.shown += shown.len();
        let partner = pair(gold, me, shown);
        for ((record, task), partner) in shown.iter().zip(&partner) {
            match partner {
                Some(at) => self.compare(name, &gold[*at], me, (record, task), tell),
                None => tell(format!("{name} EXTRA  {}", told(record, task))),
            }
        }
        for (at, task) in gold.iter().enumerate().filter(|(at, _)| !partner.contains(&Some(*at))) {
            tell(format!("{name} MISSED {:?} {:?} {:?} {}", gold[at].title, task.owner, task.due, task.status));
        }
    }

    fn compare(
        &mut self,
        name: &str,
        gold: &Final,
        me: &GoldPerson,
        (record, task): (&TaskRecord, &Task),
        tell: &mut dyn FnMut(String),
    ) {
        let status = gold.status == task.status.as_str();
        let owner = same_person(gold.owner.as_deref(), name_of(task), me);
        let due = gold.due == task.due.as_ref().map(|due| due.date.to_string());
        self.matched += 1;
        self.status += usize::from(status);
        self.owner += usize::from(owner);
        self.due += usize::from(due);
        self.whole += usize::from(status && owner && due);
        let wrong = [("STATUS", status), ("OWNER", owner), ("DUE", due)].into_iter().filter(|(_, right)| !right);
        let wrong: Vec<_> = wrong.map(|(field, _)| field).collect();
        if wrong.is_empty() {
            tell(format!("{name} RIGHT  {}", told(record, task)));
        } else {
            let Final { title, owner, due, status, .. } = gold;
            let wanted = format!("{title:?} {owner:?} {due:?} {status}");
            tell(format!("{name} {}  {wanted}\n    {}", wrong.join("+"), told(record, task)));
        }
    }

    /// F1 of tasks, of those with the right status, and of those with status, owner and due date right.
    #[must_use]
    pub fn f1(&self) -> (f64, f64, f64) {
        let sum = (self.gold + self.shown).max(1) as f64;
        let f1 = |part: usize| 2.0 * part as f64 / sum;
        (f1(self.matched), f1(self.status), f1(self.whole))
    }
}

/// What is wrongly taken for one: documents that have nothing to do with each other, taken in one after the other as if
/// one person had submitted them all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Strangers {
    /// Documents.
    pub documents: usize,
    /// Tasks found in them.
    pub tasks: usize,
    /// Mentions that went to a task of another document.
    pub merged: usize,
    /// Those of them that completed it.
    pub completed: usize,
}

impl Strangers {
    /// Takes documents that belong to no series in, by time; `tell` hears of each task that several speak of.
    ///
    /// # Errors
    /// Where a document could not be submitted.
    pub fn of(documents: &[GoldDocument], weights: &Weights, tell: &mut dyn FnMut(String)) -> Result<Self> {
        let mut single: Vec<&GoldDocument> = documents.iter().filter(|document| document.kind != "series").collect();
        single.sort_by(|one, other| one.occurred_at.cmp(&other.occurred_at));
        let mut memory = Memory::default();
        for document in &single {
            memory.take_in(&item(document)?, weights);
        }
        let mut strangers = Self { documents: single.len(), tasks: memory.records.len(), ..Self::default() };
        for record in memory.records.iter().filter(|record| record.mentions.len() > 1) {
            let later = &record.mentions[1..];
            strangers.merged += later.len();
            strangers.completed += later.iter().filter(|mention| mention.status == TaskStatus::Completed).count();
            let now = record.last_mentioned_at();
            tell(record.view(now).map_or_else(String::new, |task| format!("ONE  {}", told(record, &task))));
        }
        Ok(strangers)
    }
}

/// The gold task of each shown one: the most alike titles first, none twice.
fn pair(gold: &[Final], me: &GoldPerson, shown: &[(&TaskRecord, Task)]) -> Vec<Option<usize>> {
    let mut pairs = Vec::new();
    for (g, wanted) in gold.iter().enumerate() {
        for (s, (_, task)) in shown.iter().enumerate() {
            let title = rouge_l(&wanted.title, &task.title);
            let same = same_person(wanted.owner.as_deref(), name_of(task), me);
            if title >= TITLE {
                pairs.push((title + if same { OWNER } else { 0.0 }, g, s));
            }
        }
    }
    pairs.sort_by(|one, other| other.0.total_cmp(&one.0).then((other.1, other.2).cmp(&(one.1, one.2))));
    let mut partner = vec![None; shown.len()];
    for (_, g, s) in pairs {
        if partner[s].is_none() && !partner.contains(&Some(g)) {
            partner[s] = Some(g);
        }
    }
    partner
}

fn name_of(task: &Task) -> Option<&str> {
    task.owner.as_ref().map(|owner| owner.name.as_str())
}

/// A task with what each item says of it.
fn told(record: &TaskRecord, task: &Task) -> String {
    let mentions = record.mentions.iter().map(|mention| {
        let quotes: Vec<_> = mention.quotes.iter().map(|quote| quote.text.as_str()).collect();
        let (item, status) = (mention.item.external_id.as_str(), mention.status.as_str());
        format!("\n        {item} {status} {:?} {quotes:?}", mention.title)
    });
    let due = task.due.as_ref().map(|due| due.date.to_string());
    format!("{:?} {:?} {due:?} {}{}", task.title, name_of(task), task.status.as_str(), mentions.collect::<String>())
}

impl fmt::Display for Series {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs = |part: usize| part as f64 / self.matched.max(1) as f64;
        let (found, status, whole) = self.f1();
        write!(to, "series {}  gold {}  shown {}  F1 {found:.3}  ", self.number, self.gold, self.shown)?;
        let (s, o, d) = (pairs(self.status), pairs(self.owner), pairs(self.due));
        write!(to, "status {s:.3}  owner {o:.3}  due {d:.3}  F1 with status {status:.3}  final F1 {whole:.3}")
    }
}
