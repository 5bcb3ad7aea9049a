//! Which known tasks an item may speak of: its own, and those that share what it says.

use crate::{Error, Store, index, reply::next_value, search::hits::Hits, tasks::Tasks};
use chrono::{DateTime, Utc};
use futures::try_join;
use gleaner_model::{ItemKey, TaskRecord, TenantId};
use std::collections::{BTreeSet, HashMap};

/// Most records that [`Store::candidates`] answers besides the item's own.
const MAX_CANDIDATES: usize = 32;
/// Most links that tasks are looked for under.
const MAX_LINKS: usize = 4000;

/// Where an item's tasks may be found.
pub(crate) struct Looked {
    pub(crate) now: DateTime<Utc>,
    /// The item's term.
    term: Vec<u8>,
    /// The tenant's chunks.
    chunks: Vec<u32>,
    /// The latest under each link, and behind them those under the item.
    rows: Vec<Vec<u8>>,
}

/// The tasks that an item may speak of.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidates {
    /// Those that the item speaks of already, in words that are kept.
    pub of_item: Vec<TaskRecord>,
    /// Those that count the item among the ones whose words are no longer kept, then others that share a link key, those
    /// that share most first.
    pub related: Vec<TaskRecord>,
    /// When they were looked for, by the store's clock.
    pub now: DateTime<Utc>,
    /// What [`Store::complete`] needs to notice that somebody recorded the same task meanwhile.
    pub look: WatchedLinks,
}

/// What was looked for, and when.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WatchedLinks {
    /// Links and the item, each with the latest task under it.
    pub(crate) watched: Vec<[Vec<u8>; 2]>,
    pub(crate) now: DateTime<Utc>,
}

impl WatchedLinks {
    /// Restricts conflict detection to these keys, and the item's own tasks.
    #[must_use]
    pub fn watching(mut self, links: &[String]) -> Self {
        let watched: BTreeSet<Vec<u8>> = links.iter().map(|key| index::link(key).to_vec()).collect();
        self.watched.retain(|[term, _]| term.len() != index::LINK || watched.contains(term));
        self
    }
}

impl Tasks<'_> {
    pub(crate) async fn look(self, item: &ItemKey, links: &[index::Link]) -> Result<Looked, Error> {
        let term = index::external_id(&item.external_id);
        let mut chunks = redis::cmd("HKEYS");
        chunks.arg(self.key("counts"));
        let mut rows = redis::cmd("HMGET");
        rows.arg(self.key("linked"));
        links.iter().map(|link| link.as_slice()).chain([term.as_slice()]).for_each(|term| {
            rows.arg(term);
        });
        let (now, mut answers) = self.read(&[chunks, rows]).await?;
        let chunks = next_value(&mut answers)?;
        let rows: Vec<Option<Vec<u8>>> = next_value(&mut answers)?;
        Ok(Looked { now, term, chunks, rows: rows.into_iter().map(Option::unwrap_or_default).collect() })
    }

    /// The tasks under the item's term.
    pub(crate) async fn own(self, looked: &Looked) -> Result<Vec<u32>, Error> {
        let term = String::from_utf8_lossy(&looked.term);
        let posting = |chunk| redis::cmd("GET").arg(self.key(&format!("post:{chunk}:{term}"))).to_owned();
        let reads = looked.chunks.iter().map(posting).collect();
        let mut answers = self.store.0.connection.read_all(reads).await?.into_iter();
        let mut own = Hits::default();
        for chunk in &looked.chunks {
            if let Some(posting) = next_value::<Option<Vec<u8>>>(&mut answers)? {
                own.add(*chunk, &posting)?;
            }
        }
        Ok(own.ordinals())
    }
}

impl Store {
    /// The tasks that an item speaks of, and others that share a link key with what it says.
    ///
    /// # Errors
    /// As [`Store::task`].
    pub async fn candidates(&self, tenant: &TenantId, item: &ItemKey, links: &[String]) -> Result<Candidates, Error> {
        let links: Vec<_> = links.iter().take(MAX_LINKS).map(|key| index::link(key)).collect();
        let tasks = self.tasks_of(tenant);
        let looked = tasks.look(item, &links).await?;
        let of_term = async { tasks.records(&tasks.own(&looked).await?, Some(item)).await };
        let likely = likeliest(&looked);
        let (own, likely) = try_join!(of_term, tasks.records(&likely, None))?;
        let known: BTreeSet<_> = own.iter().flatten().map(|record| record.id).collect();
        let (of_item, others): (Vec<_>, Vec<_>) =
            own.into_iter().flatten().partition(|record| record.mention_of(item).is_some());
        let (mut related, namesakes): (Vec<_>, Vec<_>) = others.into_iter().partition(|record| record.is_of(item));
        related.extend(likely.into_iter().flatten().filter(|record| !known.contains(&record.id)));
        // Items of another kind with the same id share the item's term.
        related.extend(namesakes.into_iter().filter(|record| shares(record, &links)));
        let terms = links.iter().map(|link| link.to_vec()).chain([looked.term]);
        let latest = looked.rows.iter().map(|row| row[row.len().saturating_sub(4)..].to_vec());
        let look =
            WatchedLinks { watched: terms.zip(latest).map(|(term, last)| [term, last]).collect(), now: looked.now };
        Ok(Candidates { of_item, related, now: looked.now, look })
    }

    /// The tasks that an item speaks of.
    ///
    /// # Errors
    /// As [`Store::task`].
    pub async fn tasks_of_item(&self, tenant: &TenantId, item: &ItemKey) -> Result<Vec<TaskRecord>, Error> {
        let tasks = self.tasks_of(tenant);
        let looked = tasks.look(item, &[]).await?;
        let records = tasks.records(&tasks.own(&looked).await?, Some(item)).await?;
        Ok(records.into_iter().flatten().filter(|record| record.is_of(item)).collect())
    }
}

/// Those that share most links with what is looked for, newest first among equals. A link counts for the less the more tasks
/// are under it.
fn likeliest(looked: &Looked) -> Vec<u32> {
    let mut shared: HashMap<u32, f64> = HashMap::new();
    let entries = |row: &[u8]| -> Vec<u32> {
        row.chunks_exact(4).map(|entry| u32::from_be_bytes([entry[0], entry[1], entry[2], entry[3]])).collect()
    };
    let Some((own, rows)) = looked.rows.split_last() else { return Vec::new() };
    for row in rows {
        let weight = 4.0 / row.len() as f64;
        entries(row).into_iter().for_each(|ordinal| *shared.entry(ordinal).or_default() += weight);
    }
    let own = entries(own);
    shared.retain(|ordinal, _| !own.contains(ordinal));
    let mut order: Vec<_> = shared.into_iter().collect();
    order.sort_unstable_by(|one, other| other.1.total_cmp(&one.1).then(other.0.cmp(&one.0)));
    order.truncate(MAX_CANDIDATES);
    order.into_iter().map(|(ordinal, _)| ordinal).collect()
}

fn shares(record: &TaskRecord, links: &[index::Link]) -> bool {
    record.mentions.iter().flat_map(|mention| &mention.links).any(|key| links.contains(&index::link(key)))
}
