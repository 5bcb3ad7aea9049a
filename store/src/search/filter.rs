//! Filters: what a list shows, as conditions on postings and as the exact test of one record.

use super::{Sort, TaskQuery, words::FoldedWords};
use crate::index;
use chrono::NaiveDate;
use gleaner_model::{ExternalId, SourceType, Task, TaskRecord, TaskStatus};
use sha2::{Digest, Sha256};

/// The word that stands for the subject in `owner`.
const ME: &str = "me";

/// A query, made ready.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    pub(crate) status: TaskStatus,
    pub(crate) due_before: Option<NaiveDate>,
    waiting_on: Option<bool>,
    text: Option<FoldedWords>,
    owner: Option<OwnerFilter>,
    source_type: Option<SourceType>,
    external_id: Option<ExternalId>,
}

#[derive(Clone, Debug)]
enum OwnerFilter {
    Me,
    Named(FoldedWords),
}

/// A condition that every hit meets: one term, or one of the words that begin so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Condition {
    Term(Vec<u8>),
    Prefix { beginning: String, fallback: Vec<u8> },
}

impl Filter {
    // Here and below every member is named, so that none that is new can be forgotten.
    pub(crate) fn of(query: &TaskQuery) -> Self {
        let TaskQuery {
            status,
            waiting_on,
            q,
            owner,
            due_before,
            source_type,
            external_id,
            sort: _,
            limit: _,
            cursor: _,
        } = query;
        Self {
            status: *status,
            due_before: *due_before,
            waiting_on: *waiting_on,
            text: q.as_deref().filter(|q| !q.trim().is_empty()).map(FoldedWords::of),
            owner: owner.as_deref().map(|name| {
                if name.trim().eq_ignore_ascii_case(ME) {
                    OwnerFilter::Me
                } else {
                    OwnerFilter::Named(FoldedWords::of(name))
                }
            }),
            source_type: source_type.clone(),
            external_id: external_id.clone(),
        }
    }

    /// Whether it is clear without looking that nothing fits: words were asked for, and there is not one in them.
    pub(crate) fn matches_nothing(&self) -> bool {
        let Self { status: _, due_before: _, waiting_on: _, text, owner, source_type: _, external_id: _ } = self;
        let named = match owner {
            Some(OwnerFilter::Named(name)) => Some(name),
            Some(OwnerFilter::Me) | None => None,
        };
        text.iter().chain(named).any(FoldedWords::is_empty)
    }

    /// The conditions besides the status; empty where every task of the status fits.
    pub(crate) fn conditions(&self) -> Vec<Condition> {
        // Due dates have a sorted list instead of terms.
        let Self { status, due_before: _, waiting_on, text, owner, source_type, external_id } = self;
        let mut conditions: Vec<_> = text.iter().flat_map(text_conditions).collect();
        let mut terms = Vec::new();
        terms.extend(waiting_on.map(index::waiting));
        match owner {
            Some(OwnerFilter::Me) => terms.push(index::owner_me()),
            Some(OwnerFilter::Named(name)) => {
                terms.extend(name.words.iter().map(|word| index::owner_word(word)));
                conditions.extend(name.runs.iter().flat_map(|run| run_conditions(run)));
            }
            None => {}
        }
        terms.extend(source_type.as_ref().map(|kind| index::source(kind.as_str())));
        terms.extend(external_id.as_ref().map(index::external_id));
        conditions.extend(terms.into_iter().map(Condition::Term));
        if !conditions.is_empty() {
            conditions.push(Condition::Term(index::status(*status)));
        }
        conditions
    }

    /// Whether the task is one that the list shows.
    pub(crate) fn accepts(&self, record: &TaskRecord, task: &Task) -> bool {
        let Self { status, due_before, waiting_on, text, owner, source_type: _, external_id: _ } = self;
        task.status == *status
            && waiting_on.is_none_or(|waits| waits == task.waiting_on.is_some())
            && due_before.is_none_or(|day| task.due.as_ref().is_some_and(|due| due.date < day))
            && owner.as_ref().is_none_or(|wanted| wanted.fits(task))
            && self.fits_item(record)
            && text.as_ref().is_none_or(|text| index::words_of(task).contain(text))
    }

    /// Source type and external id must be those of one and the same item.
    fn fits_item(&self, record: &TaskRecord) -> bool {
        let kind = |kind: &SourceType| self.source_type.as_ref().is_none_or(|wanted| wanted == kind);
        let id = |id: &ExternalId| self.external_id.as_ref().is_none_or(|wanted| wanted == id);
        // Of items whose words are no longer kept the index alone knows.
        record.others > 0
            || record.mentions.iter().any(|mention| kind(&mention.item.source_type) && id(&mention.item.external_id))
    }

    /// Stands for the list in its cursors.
    pub(crate) fn digest(&self, sort: Sort) -> [u8; 8] {
        let hash = Sha256::digest(format!("{self:?} {sort:?}").as_bytes());
        let mut digest = [0; 8];
        digest.copy_from_slice(&hash[..8]);
        digest
    }
}

impl OwnerFilter {
    fn fits(&self, task: &Task) -> bool {
        let Some(owner) = &task.owner else { return false };
        match self {
            Self::Me => owner.is_me,
            Self::Named(name) => FoldedWords::of(&owner.name).contain_whole(name),
        }
    }
}

fn text_conditions(text: &FoldedWords) -> Vec<Condition> {
    let words = text.words.iter().map(|word| word_condition(word));
    words.chain(text.runs.iter().flat_map(|run| run_conditions(run))).collect()
}

fn word_condition(word: &str) -> Condition {
    let fallback = index::prefix(word, index::PREFIX_LETTERS);
    if word.chars().nth(index::PREFIX_LETTERS).is_none() {
        return Condition::Term(fallback);
    }
    Condition::Prefix { beginning: index::clip(word).to_owned(), fallback }
}

fn run_conditions(run: &str) -> impl Iterator<Item = Condition> {
    let length = if run.chars().nth(1).is_some() { 2 } else { 1 };
    index::grams(run, length).map(Condition::Term)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conditions(q: &str) -> Vec<Condition> {
        let mut all = Filter::of(&TaskQuery { q: Some(q.to_owned()), ..TaskQuery::default() }).conditions();
        assert_eq!(all.pop(), Some(Condition::Term(b"=open".to_vec())));
        all
    }

    #[test]
    fn short_words_have_a_posting_and_long_ones_ask_the_vocabulary() {
        let term = |text: &str| Condition::Term(text.into());
        let prefix = Condition::Prefix { beginning: "north".to_owned(), fallback: b"pnor".to_vec() };
        assert_eq!(conditions("SOW North"), [term("psow"), prefix]);
        assert_eq!(conditions("会議室"), [term("g会議"), term("g議室")]);
        assert_eq!(conditions("会"), [term("g会")]);
    }

    #[test]
    fn a_query_without_a_word_finds_nothing() {
        let filter = |q: &str| Filter::of(&TaskQuery { q: Some(q.to_owned()), ..TaskQuery::default() });
        assert!(
            filter("!?! ...").matches_nothing() && !filter("a!!").matches_nothing() && !filter("  ").matches_nothing()
        );
    }

    #[test]
    fn filters_and_order_make_different_lists() {
        let query = TaskQuery::default();
        let other = TaskQuery { waiting_on: Some(true), ..TaskQuery::default() };
        let digest = |query: &TaskQuery, sort| Filter::of(query).digest(sort);
        assert_ne!(digest(&query, Sort::Recent), digest(&query, Sort::Priority));
        assert_ne!(digest(&query, Sort::Recent), digest(&other, Sort::Recent));
        assert_eq!(digest(&query, Sort::Recent), digest(&TaskQuery { limit: 7, ..query.clone() }, Sort::Recent));
    }
}
