//! One page of a list.
//!
//! A walk shows each task at the place where it stood when the walk began: what has moved since is known from the log
//! of moves. So a task that is mentioned anew while somebody pages is neither lost nor shown twice.

use super::{
    TaskQuery,
    cursor::{Cursor, ListPlace, LogEnd},
    filter::Filter,
    hits::Hits,
    order::{Order, day_of, is_forgotten},
    reads::Findings,
    walk::{Limits, Walk},
};
use crate::{Error, Store, StoredPage, index};
use chrono::{DateTime, NaiveDate, Utc};
use gleaner_model::{TaskRecord, TenantId};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// Most records that are compared with the query for one page: it ends short then, with a cursor.
const MOST_COMPARED: usize = 2000;

/// A page in the making: places from high to low, each with its record.
struct Making<'a> {
    store: &'a Store,
    tenant: &'a TenantId,
    filter: Filter,
    now: DateTime<Utc>,
    limit: usize,
    limits: Limits,
    found: BTreeMap<ListPlace, TaskRecord>,
    compared: usize,
    /// The last place that was looked at.
    last: ListPlace,
}

impl Store {
    /// One page of the tenant's tasks. Walking along the cursors shows each task that exists throughout exactly once.
    /// A page may be shorter than asked for, even empty, though others follow.
    ///
    /// # Errors
    /// [`Error::InvalidCursor`] when the cursor is not one of this list or more than a day old; else as
    /// [`Store::task`].
    pub async fn list_tasks(&self, tenant: &TenantId, query: &TaskQuery) -> Result<StoredPage<TaskRecord>, Error> {
        self.list_within(tenant, query, Limits::default()).await
    }

    pub(crate) async fn list_within(
        &self,
        tenant: &TenantId,
        query: &TaskQuery,
        limits: Limits,
    ) -> Result<StoredPage<TaskRecord>, Error> {
        let filter = Filter::of(query);
        let list = filter.digest(query.sort);
        let cursor = query.cursor.as_deref().map(|text| Cursor::read(text, list)).transpose()?;
        if filter.matches_nothing() {
            return Ok(StoredPage { items: Vec::new(), next_cursor: None });
        }
        let found = self.find(tenant, query.status, cursor.map(|cursor| cursor.since), &filter.conditions()).await?;
        if cursor.is_some_and(|cursor| is_forgotten(cursor.since, found.log_end)) {
            return Err(Error::InvalidCursor);
        }
        let start = cursor.unwrap_or_else(|| first(list, &found));
        let order = Order::of(query.sort, day_of(start.today).ok_or(Error::InvalidCursor)?);
        let making = Making {
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
        making.page(order, start, found).await
    }
}

/// Where a new walk begins.
fn first(list: [u8; 8], found: &Findings) -> Cursor {
    // Days from 1970 on fit for the next five million years.
    let today = found.now.date_naive().signed_duration_since(NaiveDate::default()).num_days() as i32;
    Cursor { list, today, since: found.log_end, last: ListPlace::TOP }
}

impl Making<'_> {
    async fn page(mut self, order: Order, start: Cursor, found: Findings) -> Result<StoredPage<TaskRecord>, Error> {
        let mut moved = HashMap::new();
        order.moved(&found.log, &mut moved)?;
        let hits = self.due(found.hits).await?;
        let mut elsewhere = self.behind(&moved, hits.as_ref());
        let scope = ((self.store, self.tenant), (order, self.filter.status));
        let sizes = (found.listed, self.limit + 1);
        let mut walk = Walk::begin(scope.0, scope.1, hits, moved.clone(), start.last, sizes, self.limits).await?;
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

    /// Tasks that have moved since the walk began, at the places where they stood, behind the last page.
    fn behind(&self, moved: &HashMap<u32, ListPlace>, hits: Option<&Hits>) -> VecDeque<ListPlace> {
        let fits = |place: &ListPlace| *place < self.last && hits.is_none_or(|hits| hits.contains(place.ordinal));
        let mut places: Vec<_> = moved.values().copied().filter(fits).collect();
        places.sort_unstable_by(|a, b| b.cmp(a));
        places.into()
    }

    /// Takes places in order until the page has one task more than asked for, or until as many records as allowed
    /// were compared. Returns whether the list came to its end.
    async fn collect(&mut self, walk: &mut Walk<'_>, elsewhere: &mut VecDeque<ListPlace>) -> Result<bool, Error> {
        let mut ahead = VecDeque::new();
        while self.found.len() <= self.limit && self.compared < MOST_COMPARED {
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

    /// Reads the records of some places and keeps those that fit.
    async fn compare(&mut self, places: &[ListPlace]) -> Result<(), Error> {
        let ordinals: Vec<_> = places.iter().map(|place| place.ordinal).collect();
        let records = self.store.tasks_of(self.tenant).records(&ordinals, None).await?;
        self.compared += places.len();
        for (place, record) in places.iter().zip(records) {
            self.last = self.last.min(*place);
            if let Some(record) = record.filter(|record| self.accepts(record)) {
                self.found.insert(*place, record);
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
        known: HashMap<u32, ListPlace>,
        start: ListPlace,
        ended: bool,
    ) -> Result<(), Error> {
        let log = self.store.moves(self.tenant, since).await?;
        if log.is_empty() {
            return Ok(());
        }
        let mut moved = HashMap::new();
        order.moved(&log, &mut moved)?;
        moved.retain(|ordinal, _| !known.contains_key(ordinal));
        self.found.retain(|place, _| moved.get(&place.ordinal).is_none_or(|stood| stood == place));
        let last = self.last;
        let on_page = |place: &&ListPlace| **place < start && (ended || **place >= last);
        let places: Vec<_> =
            moved.values().filter(on_page).filter(|place| !self.found.contains_key(place)).copied().collect();
        self.compare(&places).await
    }

    fn finish(self, start: Cursor, ended: bool) -> StoredPage<TaskRecord> {
        let more = self.found.len() > self.limit;
        let shown: Vec<_> = self.found.into_iter().rev().take(self.limit).collect();
        let last = if more { shown.last().map(|(place, _)| *place) } else { Some(self.last).filter(|_| !ended) };
        StoredPage {
            next_cursor: last.map(|last| Cursor { last, ..start }.write()),
            items: shown.into_iter().map(|(_, record)| record).collect(),
        }
    }
}

/// The first places of two rows that are in order.
fn merge(left: &mut VecDeque<ListPlace>, right: &mut VecDeque<ListPlace>, most: usize) -> Vec<ListPlace> {
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
