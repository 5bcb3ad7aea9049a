//! One page of a list.
//!
//! A walk shows each task at the place where it stood when the walk began: what has moved since is known from the log
//! of moves. So a task that is mentioned anew while somebody pages is neither lost nor shown twice.

use super::{
    TaskQuery,
    cursor::{Cursor, LogEnd, SortKey},
    filter::Filter,
    hits::Hits,
    order::{Order, day_of, is_forgotten},
    reads::QuerySnapshot,
    walk::{Limits, Walk, WalkStart},
};
use crate::{Error, Store, index};
use chrono::{DateTime, NaiveDate, Utc};
use gleaner_model::{Page, TaskRecord, TenantId};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// Most records that are compared with the query for one page: it ends short then, with a cursor.
const MAX_COMPARED: usize = 2000;

/// Builds a page: sort keys from high to low, each with its record.
struct PageBuilder<'a> {
    store: &'a Store,
    tenant: &'a TenantId,
    filter: Filter,
    now: DateTime<Utc>,
    limit: usize,
    limits: Limits,
    found: BTreeMap<SortKey, TaskRecord>,
    compared: usize,
    /// The last sort key that was looked at.
    last: SortKey,
}

impl Store {
    /// One page of the tenant's tasks. Walking along the cursors shows each task that exists throughout exactly once.
    /// A page may be shorter than asked for, even empty, though others follow.
    ///
    /// # Errors
    /// [`Error::InvalidCursor`] when the cursor is not one of this list or more than a day old; else as
    /// [`Store::task`].
    pub async fn list_tasks(&self, tenant: &TenantId, query: &TaskQuery) -> Result<Page<TaskRecord>, Error> {
        self.list_within(tenant, query, Limits::default()).await
    }

    pub(crate) async fn list_within(
        &self,
        tenant: &TenantId,
        query: &TaskQuery,
        limits: Limits,
    ) -> Result<Page<TaskRecord>, Error> {
        let filter = Filter::of(query);
        let list = filter.digest(query.sort);
        let cursor = query.cursor.as_deref().map(|text| Cursor::read(text, list)).transpose()?;
        if filter.matches_nothing() {
            return Ok(Page { items: Vec::new(), next_cursor: None });
        }
        let found = self.find(tenant, query.status, cursor.map(|cursor| cursor.since), &filter.conditions()).await?;
        if cursor.is_some_and(|cursor| is_forgotten(cursor.since, found.log_end)) {
            return Err(Error::InvalidCursor);
        }
        let start = cursor.unwrap_or_else(|| first(list, &found));
        let order = Order::of(query.sort, day_of(start.today).ok_or(Error::InvalidCursor)?);
        let builder = PageBuilder {
            store: self,
            tenant,
            now: found.now,
            limit: query.limit,
            limits,
            found: BTreeMap::new(),
            compared: 0,
            last: start.last,
            filter,
        };
        builder.page(order, start, found).await
    }
}

/// Where a new walk begins.
fn first(list: [u8; 8], found: &QuerySnapshot) -> Cursor {
    // Days from 1970 on fit for the next five million years.
    let today = found.now.date_naive().signed_duration_since(NaiveDate::default()).num_days() as i32;
    Cursor { list, today, since: found.log_end, last: SortKey::TOP }
}

impl PageBuilder<'_> {
    async fn page(mut self, order: Order, start: Cursor, found: QuerySnapshot) -> Result<Page<TaskRecord>, Error> {
        let mut moved = HashMap::new();
        order.moved(&found.log, &mut moved)?;
        let hits = self.due(found.hits).await?;
        let mut elsewhere = self.moved_behind(&moved, hits.as_ref());
        let mut walk = Walk::begin(WalkStart {
            store: self.store,
            tenant: self.tenant,
            order,
            status: self.filter.status,
            hits,
            moved: moved.clone(),
            last: start.last,
            listed: found.listed,
            page: self.limit + 1,
            limits: self.limits,
        })
        .await?;
        let ended = self.collect(&mut walk, &mut elsewhere).await?;
        self.restore_moved(order, found.log_end, moved, start.last, ended).await?;
        Ok(self.finish(start, ended))
    }

    /// The hits that are due in time.
    async fn due(&self, hits: Option<Hits>) -> Result<Option<Hits>, Error> {
        let Some(before) = self.filter.due_before else { return Ok(hits) };
        // The number is clamped, so the day itself is taken in; records are compared exactly.
        let due = self.store.due_until(self.tenant, self.filter.status, index::day_number(before)).await?;
        Ok(Some(match hits {
            Some(mut hits) => {
                hits.and(&due);
                hits
            }
            None => due,
        }))
    }

    /// Tasks that have moved since the walk began, by what they were sorted by then, behind the last page.
    fn moved_behind(&self, moved: &HashMap<u32, SortKey>, hits: Option<&Hits>) -> VecDeque<SortKey> {
        let fits = |key: &SortKey| *key < self.last && hits.is_none_or(|hits| hits.contains(key.ordinal));
        let mut sort_keys: Vec<_> = moved.values().copied().filter(fits).collect();
        sort_keys.sort_unstable_by(|a, b| b.cmp(a));
        sort_keys.into()
    }

    /// Takes tasks in order until the page has one task more than asked for, or until as many records as allowed
    /// were compared. Returns whether the list came to its end.
    async fn collect(&mut self, walk: &mut Walk<'_>, elsewhere: &mut VecDeque<SortKey>) -> Result<bool, Error> {
        let mut ahead = VecDeque::new();
        while self.found.len() <= self.limit && self.compared < MAX_COMPARED {
            let wanted = self.limit + 1 - self.found.len();
            if ahead.len() < wanted {
                ahead.extend(walk.next(wanted - ahead.len()).await?);
            }
            let batch = merge(&mut ahead, elsewhere, wanted);
            if batch.is_empty() {
                return Ok(true);
            }
            self.compare(&batch).await?;
        }
        Ok(false)
    }

    /// Reads the records of some sort keys and keeps those that fit.
    async fn compare(&mut self, sort_keys: &[SortKey]) -> Result<(), Error> {
        let ordinals: Vec<_> = sort_keys.iter().map(|sort_key| sort_key.ordinal).collect();
        let records = self.store.tasks_of(self.tenant).records(&ordinals, None).await?;
        self.compared += sort_keys.len();
        for (sort_key, record) in sort_keys.iter().zip(records) {
            self.last = self.last.min(*sort_key);
            if let Some(record) = record.filter(|record| self.accepts(record)) {
                self.found.insert(*sort_key, record);
            }
        }
        Ok(())
    }

    fn accepts(&self, record: &TaskRecord) -> bool {
        record.view(self.now).is_some_and(|task| self.filter.accepts(record, &task))
    }

    /// Puts what moved while the page was made back to where it stood.
    async fn restore_moved(
        &mut self,
        order: Order,
        since: LogEnd,
        known: HashMap<u32, SortKey>,
        start: SortKey,
        ended: bool,
    ) -> Result<(), Error> {
        let log = self.store.moves(self.tenant, since).await?;
        if log.is_empty() {
            return Ok(());
        }
        let mut moved = HashMap::new();
        order.moved(&log, &mut moved)?;
        moved.retain(|ordinal, _| !known.contains_key(ordinal));
        self.found.retain(|sort_key, _| moved.get(&sort_key.ordinal).is_none_or(|stood| stood == sort_key));
        let last = self.last;
        let on_page = |sort_key: &&SortKey| **sort_key < start && (ended || **sort_key >= last);
        let sort_keys: Vec<_> =
            moved.values().filter(on_page).filter(|sort_key| !self.found.contains_key(sort_key)).copied().collect();
        self.compare(&sort_keys).await
    }

    fn finish(self, start: Cursor, ended: bool) -> Page<TaskRecord> {
        let more = self.found.len() > self.limit;
        let shown: Vec<_> = self.found.into_iter().rev().take(self.limit).collect();
        let last = if more { shown.last().map(|(sort_key, _)| *sort_key) } else { Some(self.last).filter(|_| !ended) };
        Page {
            next_cursor: last.map(|last| Cursor { last, ..start }.write()),
            items: shown.into_iter().map(|(_, record)| record).collect(),
        }
    }
}

/// The first sort keys of two rows that are in order.
fn merge(left: &mut VecDeque<SortKey>, right: &mut VecDeque<SortKey>, most: usize) -> Vec<SortKey> {
    let mut merged = Vec::new();
    while merged.len() < most {
        let from_left = match (left.front(), right.front()) {
            (Some(a), Some(b)) => a > b,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => break,
        };
        merged.extend(if from_left { left.pop_front() } else { right.pop_front() });
    }
    merged
}
