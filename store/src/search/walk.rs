//! Walks: the hits of a list in its order, from a place on, in batches.
//!
//! Few hits, or hits that are likely to stand far down: their columns are read and sorted. Else the sorted lists are
//! walked and compared with the hits; after as many steps as the columns would cost, the columns are read nevertheless.
//! So the cost of a page has a bound that grows with the tenant's chunks.

use super::{
    cursor::ListPlace,
    hits::{CHUNK, Hits},
    order::{Order, Stretch},
};
use crate::{Error, Store};
use futures::future::try_join_all;
use gleaner_model::{TaskStatus, TenantId};
use std::collections::{HashMap, VecDeque};

/// When a walk takes another way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Up to so many hits are read and sorted without walking.
    pub(crate) few: usize,
    /// Most steps along sorted lists for one page, for each chunk with hits.
    pub(crate) steps: usize,
}

impl Default for Limits {
    /// Where the ways take the server about equally long: a column of a chunk costs as much as 250 steps.
    fn default() -> Self {
        Self { few: 3000, steps: 250 }
    }
}

/// Most tasks of one stretch to read at once.
const LONGEST_BATCH: usize = 8192;
/// Stretches to read at once: those that can be highest, since the next places are likely there too.
const STRETCHES: usize = 32;
/// From so many hits in a chunk on, the whole column is read.
const MOST_ROWS: usize = 400;
/// Places that are put in order at once.
const SORTED: usize = 1024;

/// A list from a place on.
pub(crate) struct Walk<'a> {
    store: &'a Store,
    tenant: &'a TenantId,
    order: Order,
    status: TaskStatus,
    /// None: every task of the status.
    hits: Option<Hits>,
    /// Tasks that stood elsewhere when the walk began; they are no part of it.
    moved: HashMap<u32, ListPlace>,
    last: ListPlace,
    way: Way,
}

enum Way {
    /// All that is left is known.
    Known(KnownPlaces),
    /// Along sorted lists, for so many steps more.
    Lists { inputs: Vec<MergeInput>, steps: usize },
}

/// Places that are known: the next ones in order, the rest as it comes.
#[derive(Default)]
struct KnownPlaces {
    next: VecDeque<ListPlace>,
    rest: Vec<ListPlace>,
}

struct MergeInput {
    /// What is not yet read; none when all is.
    rest: Option<Stretch>,
    batch: usize,
    read: VecDeque<ListPlace>,
}

impl<'a> Walk<'a> {
    /// `listed` is the number of tasks of the status; `page` how many hits are likely wanted.
    pub(crate) async fn begin(
        (store, tenant): (&'a Store, &'a TenantId),
        (order, status): (Order, TaskStatus),
        hits: Option<Hits>,
        moved: HashMap<u32, ListPlace>,
        last: ListPlace,
        (listed, page): (usize, usize),
        limits: Limits,
    ) -> Result<Self, Error> {
        let count = hits.as_ref().map_or(listed, Hits::len);
        // Without conditions every step brings a task, and a page is full soon.
        let steps = hits.as_ref().map_or(usize::MAX, |hits| limits.steps.saturating_mul(hits.chunk_count()));
        let known = Way::Known(KnownPlaces::default());
        let mut walk = Self { store, tenant, order, status, hits, moved, last, way: known };
        // How far down the list a page of hits likely reaches.
        let likely = page * (listed / count.max(1) + 1);
        walk.way = if walk.hits.is_some() && (count <= limits.few || likely > steps) {
            Way::Known(walk.known().await?)
        } else {
            let days = match order {
                Order::Recent => Vec::new(),
                Order::Priority { .. } => store.due_days(tenant, status).await?,
            };
            let share = if order == Order::Recent { likely } else { likely / STRETCHES };
            let batch = share.clamp(4, LONGEST_BATCH);
            let input = |rest| MergeInput { rest: Some(rest), batch, read: VecDeque::new() };
            Way::Lists { inputs: order.stretches(&days, last).into_iter().map(input).collect(), steps }
        };
        Ok(walk)
    }

    /// The next places, at most `most`; empty at the end.
    pub(crate) async fn next(&mut self, most: usize) -> Result<Vec<ListPlace>, Error> {
        let mut places = Vec::new();
        while places.len() < most {
            if self.is_out_of_steps() {
                self.way = Way::Known(self.known().await?);
            }
            self.fill().await?;
            if self.is_out_of_steps() {
                continue;
            }
            let Some(place) = self.pop() else { break };
            self.last = place;
            places.push(place);
        }
        Ok(places)
    }

    fn is_out_of_steps(&self) -> bool {
        matches!(&self.way, Way::Lists { steps: 0, .. })
    }

    fn pop(&mut self) -> Option<ListPlace> {
        match &mut self.way {
            Way::Known(known) => known.pop(),
            Way::Lists { inputs, .. } => {
                inputs.iter_mut().max_by_key(|input| input.read.front().copied())?.read.pop_front()
            }
        }
    }

    /// Reads on in every input that could hold the next place, until the next place is certain.
    async fn fill(&mut self) -> Result<(), Error> {
        while let Way::Lists { inputs, .. } = &self.way {
            let best = inputs.iter().filter_map(|input| input.read.front()).max().map(|place| place.key);
            if self.is_out_of_steps() || !inputs.iter().any(|input| input.could_exceed(best)) {
                break;
            }
            let mut wanted: Vec<_> = (0..inputs.len()).filter(|at| inputs[*at].could_exceed(None)).collect();
            wanted.sort_by_key(|at| std::cmp::Reverse(inputs[*at].bound()));
            wanted.truncate(STRETCHES);
            self.read_on(&wanted).await?;
        }
        Ok(())
    }

    async fn read_on(&mut self, wanted: &[usize]) -> Result<(), Error> {
        let Way::Lists { inputs, steps } = &mut self.way else { return Ok(()) };
        let stretches: Vec<_> =
            wanted.iter().filter_map(|at| inputs[*at].rest.as_ref().map(|rest| (rest, inputs[*at].batch))).collect();
        let (_, list, _) = self.order.names();
        let batches = self.store.walk_lists(self.tenant, list, self.status, &stretches).await?;
        for (at, batch) in wanted.iter().zip(batches) {
            *steps = steps.saturating_sub(batch.len());
            inputs[*at].take_in(self.order, &batch, |place| {
                self.hits.as_ref().is_none_or(|hits| hits.contains(place.ordinal))
                    && !self.moved.contains_key(&place.ordinal)
            });
        }
        Ok(())
    }

    /// The places of all hits that are left, from columns.
    async fn known(&self) -> Result<KnownPlaces, Error> {
        let chunks = self.hits.iter().flat_map(Hits::chunks).map(|(chunk, hits)| self.places(chunk, hits));
        let places: Vec<Vec<ListPlace>> = try_join_all(chunks).await?;
        let left = |place: &ListPlace| *place < self.last && !self.moved.contains_key(&place.ordinal);
        Ok(KnownPlaces { next: VecDeque::new(), rest: places.into_iter().flatten().filter(left).collect() })
    }

    async fn places(&self, chunk: u32, hits: Vec<u32>) -> Result<Vec<ListPlace>, Error> {
        let (name, _, width) = self.order.names();
        let place = |at: u32, key| ListPlace { key, ordinal: chunk * CHUNK + at };
        if hits.len() < MOST_ROWS {
            let rows = self.store.rows(self.tenant, (name, width), chunk, &hits).await?;
            return Ok(hits.iter().zip(rows).map(|(at, row)| place(*at, self.order.key(row))).collect());
        }
        let column = self.store.column(self.tenant, name, chunk).await?;
        let row = |at: &u32| column.get(*at as usize * width..)?.get(..width);
        Ok(hits.iter().filter_map(|at| Some(place(*at, self.order.key_of(row(at)?)))).collect())
    }
}

impl KnownPlaces {
    /// The next place. Only as many as a page may want are put in order: there may be hundreds of thousands.
    fn pop(&mut self) -> Option<ListPlace> {
        if self.next.is_empty() && !self.rest.is_empty() {
            let most = SORTED.min(self.rest.len());
            self.rest.select_nth_unstable_by(most - 1, |a, b| b.cmp(a));
            let mut next: Vec<_> = self.rest.drain(..most).collect();
            next.sort_unstable_by(|a, b| b.cmp(a));
            self.next = next.into();
        }
        self.next.pop_front()
    }
}

impl MergeInput {
    fn bound(&self) -> Option<u64> {
        self.rest.as_ref().map(|rest| rest.bound)
    }

    /// Whether what is not yet read could come before a key, or before nothing.
    fn could_exceed(&self, best: Option<u64>) -> bool {
        self.read.is_empty() && self.rest.as_ref().is_some_and(|rest| best.is_none_or(|best| rest.bound >= best))
    }

    /// Keeps what fits of a batch, and moves on behind it.
    fn take_in(&mut self, order: Order, batch: &[(u32, u64)], fits: impl Fn(&ListPlace) -> bool) {
        let Some(rest) = self.rest.take() else { return };
        let place = |(ordinal, score): &(u32, u64)| ListPlace { key: order.key(*score), ordinal: *ordinal };
        if let (Some(end), true) = (batch.last(), batch.len() >= self.batch) {
            let (ordinal, score) = *end;
            let member = ordinal.to_be_bytes().to_vec();
            self.rest = Some(Stretch { score, member, bound: order.key(score), floor: rest.floor });
        }
        self.read.extend(batch.iter().map(place).filter(fits));
        self.batch = (self.batch * 4).min(LONGEST_BATCH);
    }
}
