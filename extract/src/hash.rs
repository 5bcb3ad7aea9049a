//! Hashes: words as numbers, runs of words as numbers, and these as features of a model. The keys are the engine's own, so that
//! nobody gains by two that meet.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Where FNV-1a begins.
pub const SEED: u64 = 0xcbf2_9ce4_8422_2325;

/// One byte more (FNV-1a).
#[must_use]
pub const fn step(hash: u64, byte: u8) -> u64 {
    (hash ^ byte as u64).wrapping_mul(0x0000_0100_0000_01b3)
}

/// The hash of a text (FNV-1a).
#[must_use]
pub fn text(text: &str) -> u64 {
    text.bytes().fold(SEED, step)
}

/// Extends an n-gram hash by one word hash.
#[must_use]
pub const fn join(run: u64, word: u64) -> u64 {
    (run.rotate_left(7) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// A run's hash as a feature, of which a model takes as many bits as its table has.
#[must_use]
pub const fn feature(run: u64) -> u32 {
    (run.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 32) as u32
}

/// A map whose keys are hashes already.
pub type HashedMap<V> = HashMap<u64, V, BuildHasherDefault<Fnv>>;

/// FNV-1a for maps of short words, several times faster than the standard library's hasher; a `u64` is a hash already.
#[derive(Clone, Copy, Debug)]
pub struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(SEED)
    }
}

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, byte| step(hash, *byte));
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}
