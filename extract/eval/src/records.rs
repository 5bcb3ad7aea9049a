//! Scores extracted tasks against documents with gold tasks.

use crate::data::{Gold, GoldDocument, GoldEvidence};
use crate::mark::{self, Span};
use crate::words::{content, rouge_l, same_person};
use gleaner_extract::Found;
use gleaner_model::TaskStatus;
use std::fmt;

/// What was counted.
#[derive(Clone, Debug, Default)]
pub struct Records {
    gold: usize,
    predicted: usize,
    matched: usize,
    owner: usize,
    due: usize,
    waiting_on: usize,
    status: usize,
    urgency: usize,
    whole: usize,
    title: f64,
    /// Titles without a word of content that neither the gold title nor the evidence holds, and those of them that hold half of
    /// the gold title's.
    truths: usize,
    good: usize,
    traps: usize,
    trapped: usize,
    /// Confidence of each task, and whether it was right.
    pub confidence: Vec<(f64, bool)>,
}

/// A predicted task with its evidence in bytes.
#[must_use]
pub fn spans(text: &str, task: &Found) -> Vec<Span> {
    let byte = |scalar: usize| text.char_indices().nth(scalar).map_or(text.len(), |(byte, _)| byte);
    task.evidence.iter().map(|quote| byte(quote.start)..byte(quote.end)).collect()
}

impl Records {
    /// Counts the tasks of one document; `tell` hears of each error.
    pub fn add(&mut self, document: &GoldDocument, found: &[Found], tell: &mut dyn FnMut(String)) {
        let text = &document.transcript;
        let predicted: Vec<Vec<Span>> = found.iter().map(|task| spans(text, task)).collect();
        let all = |task: &Gold| task.evidence.iter().flat_map(|quote| mark::stands(text, quote)).collect();
        let gold: Vec<Vec<Span>> = document.tasks.iter().map(all).collect();
        let partner = mark::pair(&predicted, &gold, |p, g| rouge_l(&document.tasks[g].title, &found[p].title));
        let optional = |g: usize| document.tasks[g].optional;
        let spare = |p: usize| match partner[p] {
            Some(g) => optional(g),
            None => (0..gold.len()).any(|g| optional(g) && mark::touches(&predicted[p], &gold[g])),
        };
        self.gold += (0..gold.len()).filter(|&g| !optional(g)).count();
        self.predicted += (0..found.len()).filter(|&p| !spare(p)).count();
        for (p, (task, partner)) in found.iter().zip(&partner).enumerate() {
            if spare(p) {
                continue;
            }
            self.confidence.push((task.confidence, partner.is_some()));
            match partner {
                Some(g) => self.compare(document, &document.tasks[*g], task, tell),
                None => tell(format!("{} WRONG  {:?} {:?}", document.id, task.title, quotes(task))),
            }
        }
        let missed = |g: &usize| !optional(*g) && !partner.contains(&Some(*g));
        for (g, task) in document.tasks.iter().enumerate().filter(|(g, _)| missed(g)) {
            tell(format!("{} MISSED {:?} {:?}", document.id, task.title, document.tasks[g].evidence));
        }
        for negative in mark::hard_negatives(document) {
            self.traps += 1;
            let wrong = (0..found.len()).filter(|&p| partner[p].is_none() && !spare(p));
            self.trapped += usize::from(wrong.into_iter().any(|p| mark::touches(&predicted[p], &negative)));
        }
    }

    fn compare(&mut self, document: &GoldDocument, gold: &Gold, found: &Found, tell: &mut dyn FnMut(String)) {
        // Every member of both is named, so that none that is new can be forgotten.
        let Gold { title: _, owner, waiting_on, due, status, urgency, evidence: _, optional: _, owners, dues } = gold;
        let Found {
            title: _,
            owner: named,
            is_me,
            due: day,
            status: stands,
            urgency: urges,
            confidence: _,
            explicit: _,
            evidence: _,
            reasons: _,
            signals: _,
            shift: _,
            moved_days: _,
        } = found;
        let date = day.as_ref().map(|due| due.date.to_string());
        let owner = is_one(owner, owners, |owner| same_person(owner, named.as_deref(), &document.me));
        let due = is_one(due, dues, |due| due == date.as_deref());
        let waiting_on = *waiting_on == (named.is_some() && !is_me);
        let status = status == if *stands == TaskStatus::Completed { "completed" } else { "open" };
        let urgency = *urgency == format!("{urges:?}").to_lowercase();
        self.matched += 1;
        self.owner += usize::from(owner);
        self.due += usize::from(due);
        self.waiting_on += usize::from(waiting_on);
        self.status += usize::from(status);
        self.urgency += usize::from(urgency);
        self.whole += usize::from(owner && due && waiting_on && status);
        self.title += rouge_l(&gold.title, &found.title);
        let owner_named = gold.owner.clone().unwrap_or_default();
        let quoted =
            gold.evidence.iter().map(GoldEvidence::quote).chain(found.evidence.iter().map(|quote| quote.text.as_str()));
        let said = [gold.title.as_str(), &owner_named].into_iter().chain(quoted).collect::<Vec<_>>().join(" ");
        let (has, wants) = (content(&found.title), content(&gold.title));
        let truth = has.is_subset(&content(&said));
        self.truths += usize::from(truth);
        self.good += usize::from(truth && has.intersection(&wants).count() * 2 >= wants.len());
        for (name, right) in [("OWNER", owner), ("DUE", due), ("STATUS", status), ("WAITING", waiting_on || !owner)] {
            if !right {
                tell(format!(
                    "{} {name} gold {:?}/{:?}/{:?}/{} found {:?}/{:?}/{:?} gold {:?} found {:?}",
                    document.id,
                    gold.title,
                    gold.owner,
                    gold.due,
                    gold.status,
                    found.title,
                    found.owner,
                    date,
                    gold.evidence,
                    quotes(found)
                ));
            }
        }
    }

    /// F1 of finding tasks, and of finding them with every field right.
    #[must_use]
    pub fn f1(&self) -> (f64, f64) {
        let sum = (self.predicted + self.gold).max(1) as f64;
        (2.0 * self.matched as f64 / sum, 2.0 * self.whole as f64 / sum)
    }

    /// Share of the traps that a wrong task rests on.
    #[must_use]
    pub fn trap_rate(&self) -> f64 {
        self.trapped as f64 / self.traps.max(1) as f64
    }
}

/// Whether what the gold says, or anything else that readers held to be right, will do; "" is nothing.
pub(crate) fn is_one(gold: &Option<String>, others: &[Option<String>], will_do: impl Fn(Option<&str>) -> bool) -> bool {
    let said = |one: &Option<String>| will_do(one.as_deref().filter(|said| !said.is_empty()));
    if others.is_empty() { said(gold) } else { others.iter().any(said) }
}

fn quotes(task: &Found) -> Vec<&str> {
    task.evidence.iter().map(|quote| quote.text.as_str()).collect()
}

impl fmt::Display for Records {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |part: usize, of: usize| part as f64 / of.max(1) as f64;
        let pairs = |part: usize| share(part, self.matched);
        let (detection, record) = self.f1();
        writeln!(to, "gold {}  predicted {}", self.gold, self.predicted)?;
        writeln!(
            to,
            "detection  P {:.3}  R {:.3}  F1 {detection:.3}   trap rate {:.3}",
            share(self.matched, self.predicted),
            share(self.matched, self.gold),
            share(self.trapped, self.traps)
        )?;
        writeln!(
            to,
            "of pairs   owner {:.3}  due {:.3}  waiting_on {:.3}  status {:.3}  urgency {:.3}  title ROUGE-L {:.3}  true {:.3}  good {:.3}",
            pairs(self.owner),
            pairs(self.due),
            pairs(self.waiting_on),
            pairs(self.status),
            pairs(self.urgency),
            self.title / self.matched.max(1) as f64,
            pairs(self.truths),
            pairs(self.good)
        )?;
        writeln!(to, "record F1  {record:.3}")?;
        writeln!(to, "confidence  said / right / tasks")?;
        for tenth in 0..10 {
            let within = |said: f64| ((said * 10.0) as usize).min(9) == tenth;
            let tasks: Vec<_> = self.confidence.iter().filter(|(said, _)| within(*said)).collect();
            if tasks.is_empty() {
                continue;
            }
            let said = tasks.iter().map(|(said, _)| said).sum::<f64>() / tasks.len() as f64;
            let right = tasks.iter().filter(|(_, right)| *right).count();
            writeln!(to, "  {said:.2}  {:.2}  {}", share(right, tasks.len()), tasks.len())?;
        }
        Ok(())
    }
}
