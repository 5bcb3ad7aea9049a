//! What a task is about, in stems, and how much each stem tells among the tasks at hand: a word that many of them share
//! tells little, a time or a person's name less than a thing.

use super::done;
use super::related::{Owners, TaskMention, owners};
use super::stem::{Stem, StemKind, stem, stems};
use super::verb;
use chrono::{DateTime, NaiveDate, Utc};
use gleaner_model::TaskStatus;
use std::collections::{BTreeMap, BTreeSet};

/// What a task, or a finding, is about.
#[derive(Clone, Debug)]
pub struct Profile {
    /// What its titles name, but for the verb that they begin with.
    pub things: Vec<Stem>,
    /// What its quotes name besides.
    pub said: Vec<Stem>,
    /// The verbs that its titles begin with.
    pub verbs: BTreeSet<String>,
    /// Whether a title begins with a verb that is known as one.
    pub is_act: bool,
    /// The states in which it is to be: "up", "live".
    pub states: BTreeSet<String>,
    /// Who speaks of it.
    pub speakers: BTreeSet<String>,
    /// Who is to do it.
    pub owner: Option<String>,
    /// By when.
    pub due: Option<NaiveDate>,
    /// Whether it is done.
    pub status: TaskStatus,
    /// When it was last spoken of.
    pub at: DateTime<Utc>,
}

impl Profile {
    /// What one mention comes to.
    #[must_use]
    pub fn of_one(mention: &TaskMention<'_>) -> Self {
        Self::fold(std::slice::from_ref(mention), mention)
    }

    /// What mentions of one task come to; the last of them says owner, date, status and time. `None` of none.
    #[must_use]
    pub fn of(mentions: &[TaskMention<'_>]) -> Option<Self> {
        Some(Self::fold(mentions, mentions.last()?))
    }

    fn fold(mentions: &[TaskMention<'_>], last: &TaskMention<'_>) -> Self {
        let mut verbs = BTreeSet::new();
        let mut things = Vec::new();
        let mut is_act = false;
        for mention in mentions {
            let (first, rest) = mention.title.split_once(' ').unwrap_or((mention.title, ""));
            is_act |= verb::is_known(first);
            verbs.insert(stem(first).text);
            things.extend(stems(rest).into_iter().filter(|word| !word.is_verb()));
        }
        let quotes = || mentions.iter().flat_map(|mention| mention.quotes);
        let texts = quotes().copied().chain(mentions.iter().map(|mention| mention.title));
        let states = texts.flat_map(done::states).map(str::to_owned).collect();
        let things = unique(things);
        let mut said = unique(quotes().flat_map(|quote| stems(quote)).filter(|word| !word.is_verb()).collect());
        said.retain(|word| !holds(&things, word));
        Self {
            things,
            said,
            verbs,
            is_act,
            states,
            speakers: mentions.iter().flat_map(|mention| mention.speakers).map(|name| (*name).to_owned()).collect(),
            owner: last.owner.map(str::to_owned),
            due: last.due,
            status: last.status,
            at: last.occurred_at,
        }
    }

    /// Whether titles or quotes have a stem.
    #[must_use]
    pub fn has(&self, stem: &str) -> bool {
        let among = |words: &[Stem]| words.binary_search_by(|met| met.text.as_str().cmp(stem)).is_ok();
        self.verbs.contains(stem) || among(&self.things) || among(&self.said)
    }

    /// Whether both speak of anything in the same words.
    #[must_use]
    pub fn shares(&self, other: &Self) -> bool {
        self.verbs.iter().any(|verb| other.has(verb))
            || self.things.iter().chain(&self.said).any(|word| other.has(&word.text))
    }

    /// Whether it speaks of all that a [stated subject](stated_subject) names.
    #[must_use]
    pub fn covers(&self, subject: &str) -> bool {
        let mut named = stems(subject)
            .into_iter()
            .filter(|word| matches!(word.kind, StemKind::Thing | StemKind::Number))
            .peekable();
        named.peek().is_some() && named.all(|word| self.has(&word.text))
    }
}

/// Most words of a stated subject.
const SUBJECT_WORDS: usize = 5;

/// What a line says first that it is about: before a colon ("lease: I sent it"), or as a short question or heading
/// ("the kitchen?").
#[must_use]
pub fn stated_subject(quote: &str) -> Option<&str> {
    let lead = quote.split_once(": ").or_else(|| quote.split_once(" \u{2013} ")).map(|(lead, _)| lead);
    let short = |text: &&str| text.split_whitespace().count() <= SUBJECT_WORDS;
    lead.filter(short)
        .or_else(|| Some(quote).filter(short).filter(|text| text.ends_with(['?', '.']) || !text.contains(' ')))
}

/// Sorted, without repetition.
pub(super) fn unique(mut words: Vec<Stem>) -> Vec<Stem> {
    words.sort_by(|one, other| one.text.cmp(&other.text));
    words.dedup_by(|one, other| one.text == other.text);
    words
}

/// Whether a sorted list holds a stem.
pub(super) fn holds(words: &[Stem], word: &Stem) -> bool {
    words.binary_search_by(|met| met.text.cmp(&word.text)).is_ok()
}

/// The tasks among which something is looked for, and the people who know them.
#[derive(Clone, Debug, Default)]
pub struct KnownTasks {
    /// How many of them speak of a stem.
    counts: BTreeMap<String, usize>,
    /// Words of people's names.
    people: BTreeSet<String>,
    /// The people of the text whose findings are compared.
    present: Vec<String>,
}

impl KnownTasks {
    /// Builds stem document frequencies over the tasks at hand, and the people present.
    #[must_use]
    pub fn of<'p>(tasks: impl IntoIterator<Item = &'p Profile>, present: &[String]) -> Self {
        let mut known = Self::default();
        for task in tasks {
            for word in task.things.iter().chain(&task.said) {
                *known.counts.entry(word.text.clone()).or_default() += 1;
            }
            known.meet(task.owner.as_deref());
        }
        known.meet(present.iter().map(String::as_str));
        known.present = present.to_vec();
        known
    }

    /// Whether the people of the text and those of a task have somebody in common; `None` where either are unknown.
    #[must_use]
    pub fn shares_people(&self, task: &Profile) -> Option<bool> {
        let mut around = task.owner.iter().chain(&task.speakers).peekable();
        let known = around.peek().is_some() && !self.present.is_empty();
        let met = |name: &String| self.present.iter().any(|other| owners(Some(name), Some(other)) == Owners::Same);
        known.then(|| around.any(met))
    }

    fn meet<'p>(&mut self, people: impl IntoIterator<Item = &'p str>) {
        self.people.extend(people.into_iter().flat_map(stems).map(|word| word.text));
    }

    /// How much it tells that two texts share a stem, from 0 to 1.
    #[must_use]
    pub fn stem_weight(&self, word: &Stem) -> f64 {
        let kind = match word.kind {
            StemKind::Thing if self.people.contains(&word.text) => 0.3,
            StemKind::Thing => 1.0,
            StemKind::Number => 0.4,
            StemKind::Weak => 0.15,
            StemKind::Verb => 0.0,
        };
        let tasks = self.counts.get(&word.text).copied().unwrap_or_default().max(1);
        kind * 3.0 / (2.0 + tasks as f64)
    }

    /// The weight of these stems.
    #[must_use]
    pub fn total_weight<'s>(&self, words: impl IntoIterator<Item = &'s Stem>) -> f64 {
        words.into_iter().map(|word| self.stem_weight(word)).sum()
    }
}
