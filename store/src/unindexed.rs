//! Terms on their way into postings. A change appends its terms to one string, `unindexed`, which lists read beside the
//! postings; once enough have come, they go into the postings together, a term of many tasks in one go. One process at
//! a time does so: it has the lease, and a call under a lease that another has taken over changes nothing. A crash
//! leaves the terms where they are.

use crate::{
    Error,
    index::CHUNK,
    script::{LuaScript, QUEUE, append_list},
    tasks::{MAX_TRIES, POSTINGS, TASKS, Tasks, contended},
};
use std::{collections::BTreeMap, sync::LazyLock, time::Duration};
use uuid::Uuid;

static TAKE: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::new(&[QUEUE, TASKS, include_str!("scripts/take_unindexed.lua")]));
static INDEX: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::new(&[QUEUE, TASKS, POSTINGS, include_str!("scripts/index_terms.lua")]));

/// How long a lease lasts without a call.
const LEASE: Duration = Duration::from_secs(5);
/// Terms that one script brings in: the server does nothing else meanwhile.
const TERMS_AT_ONCE: usize = 300;

/// How the lease to index is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TakeLease {
    /// Only if it is free: whoever holds it does the same work.
    IfFree,
    /// Even from its holder.
    EvenIfHeld,
}

/// What one change appended: a task, and the terms that it came under (`+`) or went from (`-`).
pub(crate) struct TermChanges<'a> {
    pub(crate) ordinal: u32,
    terms: &'a [u8],
}

impl<'a> TermChanges<'a> {
    fn terms(&self) -> impl Iterator<Item = (bool, &'a [u8])> {
        self.terms.split(|byte| *byte == b' ').filter_map(|term| {
            let (sign, term) = term.split_first()?;
            Some((*sign == b'+', term))
        })
    }

    /// The terms that the task came under.
    pub(crate) fn came(&self) -> impl Iterator<Item = &'a [u8]> {
        self.terms().filter(|(came, _)| *came).map(|(_, term)| term)
    }
}

/// What a change appends behind its task's ordinal, empty where no term comes or goes. Terms hold neither blanks nor line ends.
pub(crate) fn entry(came: &[Vec<u8>], went: &[Vec<u8>]) -> Vec<u8> {
    let mut text = Vec::new();
    for (sign, terms) in [(b" +", came), (b" -", went)] {
        terms.iter().for_each(|term| text.extend(sign.iter().chain(term)));
    }
    text.extend((!text.is_empty()).then_some(b'\n'));
    text
}

/// Takes apart what many changes appended.
pub(crate) fn entries(text: &[u8]) -> impl Iterator<Item = Result<TermChanges<'_>, Error>> {
    text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(|line| {
        let end = line.iter().position(|byte| *byte == b' ').unwrap_or(line.len());
        let ordinal = std::str::from_utf8(&line[..end]).ok().and_then(|number| number.parse().ok());
        let ordinal = ordinal.ok_or_else(|| Error::corrupt("terms of no task"))?;
        Ok(TermChanges { ordinal, terms: &line[end..] })
    })
}

/// Offsets in a chunk: true where the task came under a term, false where it went.
type TermOffsets = BTreeMap<u16, bool>;

/// Under each chunk and term, the tasks that came or went; the last word on each counts.
fn by_term(text: &[u8]) -> Result<BTreeMap<u32, BTreeMap<&[u8], TermOffsets>>, Error> {
    let mut chunks: BTreeMap<_, BTreeMap<_, TermOffsets>> = BTreeMap::new();
    for entry in entries(text) {
        let entry = entry?;
        let terms = chunks.entry(entry.ordinal / CHUNK).or_default();
        for (term, came) in entry.terms().map(|(came, term)| (term, came)) {
            // Below a chunk's size.
            terms.entry(term).or_default().insert((entry.ordinal % CHUNK) as u16, came);
        }
    }
    Ok(chunks)
}

/// A posting's row of those offsets that came, or went.
fn row(offsets: &TermOffsets, came: bool) -> Vec<u8> {
    offsets.iter().filter(|(_, is)| **is == came).flat_map(|(offset, _)| offset.to_be_bytes()).collect()
}

impl Tasks<'_> {
    /// Brings what waits into postings, behind the caller.
    pub(crate) fn index_soon(self) {
        let (store, tenant) = (self.store.clone(), self.tenant.clone());
        tokio::spawn(async move {
            if let Err(error) = store.tasks_of(&tenant).index(TakeLease::IfFree).await {
                tracing::warn!(error = %error, "Leaving terms to whoever indexes next");
            }
        });
    }

    /// Brings what waits into postings.
    pub(crate) async fn index(self, how: TakeLease) -> Result<(), Error> {
        let tasks = Tasks { settling: true, ..self };
        for _ in 0..MAX_TRIES {
            let lease = Uuid::new_v4().to_string();
            let even_if_held = u8::from(how == TakeLease::EvenIfHeld);
            let call = tasks.call(&TAKE).arg(&lease).show(LEASE.as_millis()).show(even_if_held);
            let Some(text) = tasks.run::<Option<Vec<u8>>>(&call).await? else { return Ok(()) };
            if text.is_empty() || tasks.bring_in(&lease, &text).await? || how == TakeLease::IfFree {
                return Ok(());
            }
        }
        Err(contended())
    }

    /// False where somebody else has taken the lease meanwhile.
    async fn bring_in(self, lease: &str, text: &[u8]) -> Result<bool, Error> {
        let chunks = by_term(text)?;
        let mut pieces = Vec::new();
        for (chunk, terms) in &chunks {
            let terms: Vec<[Vec<u8>; 3]> =
                terms.iter().map(|(term, offsets)| [term.to_vec(), row(offsets, true), row(offsets, false)]).collect();
            pieces.extend(terms.chunks(TERMS_AT_ONCE).map(|piece| (*chunk, piece.concat())));
        }
        let last = pieces.pop().unwrap_or_default();
        let ends = std::iter::repeat_n(0, pieces.len()).chain([text.len()]);
        for ((chunk, list), done) in pieces.iter().chain([&last]).zip(ends) {
            let call = self.call(&INDEX).arg(lease).show(LEASE.as_millis()).show(done).show(chunk);
            if !self.run::<bool>(&append_list(call, list)).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_on_a_term_counts() {
        let terms = |texts: &[&str]| texts.iter().map(|text| text.as_bytes().to_vec()).collect::<Vec<_>>();
        let mut text = Vec::new();
        for (ordinal, came, went) in
            [(3, ["wone", "wtwo"].as_slice(), [].as_slice()), (65_540, &["wone"], &[]), (3, &["wnew"], &["wone"])]
        {
            text.extend(format!("{ordinal}").into_bytes());
            text.extend(entry(&terms(came), &terms(went)));
        }
        let chunks = by_term(&text).unwrap();
        let of = |chunk: u32, term: &str| chunks[&chunk][term.as_bytes()].clone();
        assert_eq!(chunks.keys().copied().collect::<Vec<_>>(), [0, 1]);
        assert_eq!((row(&of(0, "wone"), true), row(&of(0, "wone"), false)), (vec![], vec![0, 3]));
        assert_eq!((row(&of(1, "wone"), true), row(&of(0, "wnew"), true)), (vec![0, 4], vec![0, 3]));
        assert_eq!(entries(&text).map(|entry| entry.unwrap().came().count()).collect::<Vec<_>>(), [2, 1, 1]);
        assert!(by_term(b"x +wone\n").is_err() && entry(&[], &[]).is_empty());
    }
}
