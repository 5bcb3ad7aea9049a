//! Walks: the hits of a list in its order, from a sort key on, in batches.
//!
//! Few hits, or hits that are likely to stand far down: their columns are read and sorted. Else the sorted lists are
//! walked and compared with the hits; after as many steps as the columns would cost, the columns are read nevertheless.
//! So the cost of a page has a bound that grows with the tenant's chunks.

use super::{
    cursor::SortKey,
    hits::Hits,
    order::{Order, RangeScan},
};
use crate::{Error, Store, index::CHUNK};
use futures::future::try_join_all;
use gleaner_model::{TaskStatus, TenantId};
use std::collections::{HashMap, VecDeque};

/// Thresholds at which the walk switches from sorted lists to columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Up to so many hits are read and sorted without walking.
    pub(crate) few: usize,
    /// Most steps along sorted lists for one page, for each chunk with hits.
    pub(crate) steps: usize,
}

impl Default for Limits {
    /// Where both strategies take the server about equally long: a column of a chunk costs as much as 250 steps.
    fn default() -> Self {
        Self { few: 3000, steps: 250 }
    }
}

/// Most tasks of one range to read at once.
const MAX_BATCH: usize = 8192;
/// Ranges to read at once: those that can be highest, since the next tasks are likely there too.
const SCANS_AT_ONCE: usize = 32;
/// From so many hits in a chunk on, the whole column is read.
const MAX_ROWS: usize = 400;
/// Sort keys that are put in order at once.
const SORTED_AT_ONCE: usize = 1024;

/// A list from a sort key on.
pub(crate) struct Walk<'a> {
    store: &'a Store,
    tenant: &'a TenantId,
    order: Order,
    status: TaskStatus,
    /// `None`: every task of the status.
    hits: Option<Hits>,
    /// Tasks that stood elsewhere when the walk began; they are no part of it.
    moved: HashMap<u32, SortKey>,
    last: SortKey,
    strategy: Strategy,
}

/// How a walk finds what comes next.
enum Strategy {
    /// All that is left is known.
    Known(KnownKeys),
    /// Along sorted lists, for so many steps more.
    Lists { inputs: Vec<MergeInput>, steps: usize },
}

/// Sort keys that are known: the next ones in order, the rest as it comes.
#[derive(Default)]
struct KnownKeys {
    next: VecDeque<SortKey>,
    rest: Vec<SortKey>,
}

struct MergeInput {
    /// What is not yet read; `None` when all is.
    rest: Option<RangeScan>,
    batch: usize,
    read: VecDeque<SortKey>,
}

/// Where a walk begins, and what is known of its list.
pub(crate) struct WalkStart<'a> {
    pub(crate) store: &'a Store,
    pub(crate) tenant: &'a TenantId,
    pub(crate) order: Order,
    pub(crate) status: TaskStatus,
    /// `None`: every task of the status.
    pub(crate) hits: Option<Hits>,
    /// Tasks that stood elsewhere when the walk began.
    pub(crate) moved: HashMap<u32, SortKey>,
    /// The sort key after which it goes on.
    pub(crate) last: SortKey,
    /// How many tasks of the status there are.
    pub(crate) listed: usize,
    /// How many hits are likely wanted.
    pub(crate) page: usize,
    pub(crate) limits: Limits,
}

impl<'a> Walk<'a> {
    pub(crate) async fn begin(start: WalkStart<'a>) -> Result<Self, Error> {
        let WalkStart { store, tenant, order, status, hits, moved, last, listed, page, limits } = start;
        let count = hits.as_ref().map_or(listed, Hits::len);
        // Without conditions every step brings a task, and a page is full soon.
        let steps = hits.as_ref().map_or(usize::MAX, |hits| limits.steps.saturating_mul(hits.chunk_count()));
        let known = Strategy::Known(KnownKeys::default());
        let mut walk = Self { store, tenant, order, status, hits, moved, last, strategy: known };
        // How far down the list a page of hits likely reaches.
        let likely = page * (listed / count.max(1) + 1);
        walk.strategy = if walk.hits.is_some() && (count <= limits.few || likely > steps) {
            Strategy::Known(walk.known().await?)
        } else {
            let days = match order {
                Order::Recent => Vec::new(),
                Order::Priority { .. } => store.due_days(tenant, status).await?,
            };
            let share = if order == Order::Recent { likely } else { likely / SCANS_AT_ONCE };
            let batch = share.clamp(4, MAX_BATCH);
            let input = |rest| MergeInput { rest: Some(rest), batch, read: VecDeque::new() };
            Strategy::Lists { inputs: order.range_scans(&days, last).into_iter().map(input).collect(), steps }
        };
        Ok(walk)
    }

    /// The next sort keys, at most `most`; empty at the end.
    pub(crate) async fn next(&mut self, most: usize) -> Result<Vec<SortKey>, Error> {
        let mut sort_keys = Vec::new();
        while sort_keys.len() < most {
            if self.is_out_of_steps() {
                self.strategy = Strategy::Known(self.known().await?);
            }
            self.fill().await?;
            if self.is_out_of_steps() {
                continue;
            }
            let Some(sort_key) = self.pop() else { break };
            self.last = sort_key;
            sort_keys.push(sort_key);
        }
        Ok(sort_keys)
    }

    fn is_out_of_steps(&self) -> bool {
        matches!(&self.strategy, Strategy::Lists { steps: 0, .. })
    }

    fn pop(&mut self) -> Option<SortKey> {
        match &mut self.strategy {
            Strategy::Known(known) => known.pop(),
            Strategy::Lists { inputs, .. } => {
                inputs.iter_mut().max_by_key(|input| input.read.front().copied())?.read.pop_front()
            }
        }
    }

    /// Reads on in every input that could hold the next task, until that is certain.
    async fn fill(&mut self) -> Result<(), Error> {
        while let Strategy::Lists { inputs, .. } = &self.strategy {
            let best = inputs.iter().filter_map(|input| input.read.front()).max().map(|sort_key| sort_key.key);
            if self.is_out_of_steps() || !inputs.iter().any(|input| input.could_exceed(best)) {
                break;
            }
            let mut wanted: Vec<_> = (0..inputs.len()).filter(|at| inputs[*at].could_exceed(None)).collect();
            wanted.sort_by_key(|at| std::cmp::Reverse(inputs[*at].bound()));
            wanted.truncate(SCANS_AT_ONCE);
            self.read_on(&wanted).await?;
        }
        Ok(())
    }

    async fn read_on(&mut self, wanted: &[usize]) -> Result<(), Error> {
        let Strategy::Lists { inputs, steps } = &mut self.strategy else { return Ok(()) };
        let range_scans: Vec<_> =
            wanted.iter().filter_map(|at| inputs[*at].rest.as_ref().map(|rest| (rest, inputs[*at].batch))).collect();
        let (_, list, _) = self.order.names();
        let batches = self.store.walk_lists(self.tenant, list, self.status, &range_scans).await?;
        for (at, batch) in wanted.iter().zip(batches) {
            *steps = steps.saturating_sub(batch.len());
            inputs[*at].take_in(self.order, &batch, |sort_key| {
                self.hits.as_ref().is_none_or(|hits| hits.contains(sort_key.ordinal))
                    && !self.moved.contains_key(&sort_key.ordinal)
            });
        }
        Ok(())
    }

    /// The sort keys of all hits that are left, from columns.
    async fn known(&self) -> Result<KnownKeys, Error> {
        let chunks = self.hits.iter().flat_map(Hits::chunks).map(|(chunk, hits)| self.sort_keys(chunk, hits));
        let sort_keys: Vec<Vec<SortKey>> = try_join_all(chunks).await?;
        let left = |sort_key: &SortKey| *sort_key < self.last && !self.moved.contains_key(&sort_key.ordinal);
        Ok(KnownKeys { next: VecDeque::new(), rest: sort_keys.into_iter().flatten().filter(left).collect() })
    }

    async fn sort_keys(&self, chunk: u32, hits: Vec<u32>) -> Result<Vec<SortKey>, Error> {
        let (name, _, width) = self.order.names();
        let sort_key = |at: u32, key| SortKey { key, ordinal: chunk * CHUNK + at };
        if hits.len() < MAX_ROWS {
            let rows = self.store.rows(self.tenant, (name, width), chunk, &hits).await?;
            return Ok(hits.iter().zip(rows).map(|(at, row)| sort_key(*at, self.order.key(row))).collect());
        }
        let column = self.store.column(self.tenant, name, chunk).await?;
        let row = |at: &u32| column.get(*at as usize * width..)?.get(..width);
        Ok(hits.iter().filter_map(|at| Some(sort_key(*at, self.order.key_of(row(at)?)))).collect())
    }
}

impl KnownKeys {
    /// The next sort key. Only as many as a page may want are put in order: there may be hundreds of thousands.
    fn pop(&mut self) -> Option<SortKey> {
        if self.next.is_empty() && !self.rest.is_empty() {
            let most = SORTED_AT_ONCE.min(self.rest.len());
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
    fn take_in(&mut self, order: Order, batch: &[(u32, u64)], fits: impl Fn(&SortKey) -> bool) {
        let Some(rest) = self.rest.take() else { return };
        let sort_key = |(ordinal, score): &(u32, u64)| SortKey { key: order.key(*score), ordinal: *ordinal };
        if let (Some(end), true) = (batch.last(), batch.len() >= self.batch) {
            let (ordinal, score) = *end;
            let member = ordinal.to_be_bytes().to_vec();
            self.rest = Some(RangeScan { score, member, bound: order.key(score), floor: rest.floor });
        }
        self.read.extend(batch.iter().map(sort_key).filter(fits));
        self.batch = (self.batch * 4).min(MAX_BATCH);
    }
}
