//! Cursors: where a page ended, and what the walk must know to show each task once. Opaque to clients; bound to the
//! filters by a digest, so that a cursor of one list is refused by another.

use crate::Error;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

const VERSION: u8 = 1;
const LENGTH: usize = 1 + 8 + 4 + 4 + 4 + 8 + 4;

/// What a task is sorted by in a list: highest first; of equal keys the task that was recorded last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct SortKey {
    pub(crate) key: u64,
    pub(crate) ordinal: u32,
}

impl SortKey {
    /// Above every task.
    pub(crate) const TOP: Self = Self { key: u64::MAX, ordinal: u32::MAX };
}

/// A place in the log of moves: the hour's segment, and bytes into it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct LogEnd {
    pub(crate) hour: u32,
    pub(crate) offset: u32,
}

/// Where a walk is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cursor {
    /// Digest of filters and order.
    pub(crate) list: [u8; 8],
    /// The day that priorities are meant for, since 1970.
    pub(crate) today: i32,
    /// Where the log of moves ended when the walk began.
    pub(crate) since: LogEnd,
    /// The sort key of the last task shown.
    pub(crate) last: SortKey,
}

impl Cursor {
    pub(crate) fn write(&self) -> String {
        let mut bytes = Vec::with_capacity(LENGTH);
        bytes.push(VERSION);
        bytes.extend(self.list);
        bytes.extend(self.today.to_be_bytes());
        bytes.extend(self.since.hour.to_be_bytes());
        bytes.extend(self.since.offset.to_be_bytes());
        bytes.extend(self.last.key.to_be_bytes());
        bytes.extend(self.last.ordinal.to_be_bytes());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Reads a cursor of the list with that digest.
    pub(crate) fn read(text: &str, list: [u8; 8]) -> Result<Self, Error> {
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| Error::InvalidCursor)?;
        let mut rest = bytes.as_slice();
        if take::<1>(&mut rest)? != [VERSION] || take(&mut rest)? != list || rest.len() != LENGTH - 9 {
            return Err(Error::InvalidCursor);
        }
        Ok(Self {
            list,
            today: i32::from_be_bytes(take(&mut rest)?),
            since: LogEnd { hour: u32::from_be_bytes(take(&mut rest)?), offset: u32::from_be_bytes(take(&mut rest)?) },
            last: SortKey { key: u64::from_be_bytes(take(&mut rest)?), ordinal: u32::from_be_bytes(take(&mut rest)?) },
        })
    }
}

fn take<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], Error> {
    let (head, tail) = rest.split_first_chunk().ok_or(Error::InvalidCursor)?;
    *rest = tail;
    Ok(*head)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng as _, SeedableRng as _, rngs::StdRng};

    #[test]
    fn a_cursor_reads_back_and_belongs_to_one_list() {
        let cursor = Cursor {
            list: [7; 8],
            today: 20_500,
            since: LogEnd { hour: 490_000, offset: 28 },
            last: SortKey { key: 1 << 47, ordinal: 70_000 },
        };
        let text = cursor.write();
        assert_eq!(Cursor::read(&text, [7; 8]).unwrap(), cursor);
        for (text, list) in
            [(text.as_str(), [8; 8]), ("", [7; 8]), ("zzz", [7; 8]), (&text[..40], [7; 8]), ("ä", [7; 8])]
        {
            assert!(matches!(Cursor::read(text, list), Err(Error::InvalidCursor)), "{text}");
        }
    }

    #[test]
    fn no_text_breaks_a_law() {
        let last = SortKey { key: 1 << 47, ordinal: 70_000 };
        let cursor = Cursor { list: [7; 8], today: 1, since: LogEnd { hour: 490_000, offset: 28 }, last };
        let seed = cursor.write().into_bytes();
        let mut chance = StdRng::seed_from_u64(1);
        let mut below = |limit: usize| chance.random_range(0..limit);
        for _ in 0..5_000 {
            let mut bytes = seed.clone();
            for _ in 0..=below(3) {
                let at = below(bytes.len());
                match below(3) {
                    0 => bytes.truncate(at.max(1)),
                    1 => bytes.insert(at, below(128) as u8),
                    _ => bytes[at] = below(128) as u8,
                }
            }
            let text = String::from_utf8_lossy(&bytes);
            if let Ok(read) = Cursor::read(&text, [7; 8]) {
                assert_eq!(Cursor::read(&read.write(), [7; 8]).unwrap(), read, "what is read can be written");
            }
        }
    }
}
