//! Sets of tasks, by ordinal: one bitmap of 65,536 bits per chunk, in the order in which Redis numbers bits.

use crate::{Error, index::CHUNK};
use std::collections::BTreeMap;

/// Bytes of a posting up to which it is a row.
const MAX_ROW_BYTES: usize = 512;
const WORDS: usize = CHUNK as usize / 64;

/// A set of ordinals.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Hits(BTreeMap<u32, Box<[u64; WORDS]>>);

impl Hits {
    /// Adds one task.
    pub(crate) fn insert(&mut self, ordinal: u32) {
        let word = &mut self.chunk(ordinal / CHUNK)[word_of(ordinal)];
        *word |= bit_of(ordinal);
    }

    /// Adds a posting: a row, or, when it is longer than any row, a bitmap.
    pub(crate) fn add(&mut self, chunk: u32, posting: &[u8]) -> Result<(), Error> {
        if posting.len() > MAX_ROW_BYTES { self.add_bitmap(chunk, posting) } else { self.add_array(chunk, posting) }
    }

    /// All of them, ascending.
    pub(crate) fn ordinals(&self) -> Vec<u32> {
        let all = |(chunk, offsets): (u32, Vec<u32>)| offsets.into_iter().map(move |offset| chunk * CHUNK + offset);
        self.chunks().flat_map(all).collect()
    }

    /// Adds a row: big-endian u16 each.
    fn add_array(&mut self, chunk: u32, array: &[u8]) -> Result<(), Error> {
        if !array.len().is_multiple_of(2) {
            return Err(Error::corrupt("a posting of half an entry"));
        }
        let words = self.chunk(chunk);
        for pair in array.chunks_exact(2) {
            let ordinal = u32::from(u16::from_be_bytes([pair[0], pair[1]]));
            words[word_of(ordinal)] |= bit_of(ordinal);
        }
        Ok(())
    }

    /// Adds a bitmap: one bit each, as long as its last bit needs.
    fn add_bitmap(&mut self, chunk: u32, bitmap: &[u8]) -> Result<(), Error> {
        if bitmap.len() > WORDS * 8 {
            return Err(Error::corrupt("a posting longer than a chunk"));
        }
        for (word, bytes) in self.chunk(chunk).iter_mut().zip(bitmap.chunks(8)) {
            let mut eight = [0; 8];
            eight[..bytes.len()].copy_from_slice(bytes);
            *word |= u64::from_be_bytes(eight);
        }
        Ok(())
    }

    /// Keeps what is in both.
    pub(crate) fn and(&mut self, other: &Self) {
        self.0.retain(|chunk, words| {
            let Some(others) = other.0.get(chunk) else { return false };
            words.iter_mut().zip(others.iter()).for_each(|(word, other)| *word &= other);
            words.iter().any(|word| *word != 0)
        });
    }

    pub(crate) fn contains(&self, ordinal: u32) -> bool {
        self.0.get(&(ordinal / CHUNK)).is_some_and(|words| words[word_of(ordinal)] & bit_of(ordinal) != 0)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.values().flat_map(|words| words.iter()).map(|word| word.count_ones() as usize).sum()
    }

    /// How many chunks hold any.
    pub(crate) fn chunk_count(&self) -> usize {
        self.0.len()
    }

    /// The chunks that hold any, each with the offsets of its members in it, ascending.
    pub(crate) fn chunks(&self) -> impl Iterator<Item = (u32, Vec<u32>)> {
        self.0.iter().map(|(chunk, words)| {
            let offsets = words.iter().zip(0..).flat_map(|(word, at)| bits(*word).map(move |bit| at * 64 + bit));
            (*chunk, offsets.collect())
        })
    }

    fn chunk(&mut self, chunk: u32) -> &mut [u64; WORDS] {
        self.0.entry(chunk).or_insert_with(|| Box::new([0; WORDS]))
    }
}

impl FromIterator<u32> for Hits {
    fn from_iter<I: IntoIterator<Item = u32>>(ordinals: I) -> Self {
        let mut hits = Self::default();
        ordinals.into_iter().for_each(|ordinal| hits.insert(ordinal));
        hits
    }
}

const fn word_of(ordinal: u32) -> usize {
    (ordinal % CHUNK / 64) as usize
}

const fn bit_of(ordinal: u32) -> u64 {
    1 << (63 - ordinal % 64)
}

/// Offsets of the set bits, first is the most significant.
fn bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let offset = word.leading_zeros();
        (offset < 64).then(|| {
            word &= !(1 << (63 - offset));
            offset
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_and_bitmaps_mean_the_same() {
        let ordinals = [0_u32, 1, 7, 8, 63, 64, 500, 65_535];
        let (mut arrays, mut bitmaps) = (Hits::default(), Hits::default());
        let array: Vec<u8> = ordinals.iter().flat_map(|o| u16::try_from(*o).unwrap().to_be_bytes()).collect();
        let mut bitmap = vec![0_u8; 8192];
        // As SETBIT does it: bit 0 is the highest of the first byte.
        ordinals.iter().for_each(|o| bitmap[(*o / 8) as usize] |= 0x80 >> (o % 8));
        arrays.add_array(3, &array).unwrap();
        bitmaps.add_bitmap(3, &bitmap).unwrap();
        assert_eq!(arrays, bitmaps);
        assert!(arrays.chunks().eq([(3, ordinals.to_vec())]));
        assert_eq!((arrays.len(), arrays.contains(3 * CHUNK + 63), arrays.contains(63)), (8, true, false));
    }

    #[test]
    fn a_bitmap_may_end_early() {
        let mut hits = Hits::default();
        hits.add_bitmap(0, &[0b0100_0000, 0b0000_0001]).unwrap();
        assert!(hits.chunks().eq([(0, vec![1, 15])]));
        assert!(hits.add_bitmap(0, &[0; 8193]).is_err() && hits.add_array(0, &[1]).is_err());
    }

    #[test]
    fn and_keeps_what_is_in_both() {
        let mut left: Hits = [1, 2, CHUNK + 5, 3 * CHUNK].into_iter().collect();
        left.and(&[2, CHUNK + 6, 3 * CHUNK].into_iter().collect());
        assert!(left.chunks().eq([(0, vec![2]), (3, vec![0])]));
    }
}
