//! The words of a title as hashed features: a linear model learns from them how titles are worded.

use super::candidate::Candidate;
use super::kind;
use crate::hash::{self, feature, join};

/// The hashed features of a title.
pub(super) fn hashed_features(candidate: &Candidate<'_, '_>) -> Vec<u32> {
    let words: Vec<u64> =
        candidate.words.iter().filter(|word| !word.is(kind::MARK)).map(|word| hash::text(&word.lower)).collect();
    let at = |place: usize| words.get(place).copied().unwrap_or_default();
    let (lead, form) = (at(0), candidate.clause.form as u64);
    let last = words.last().copied().unwrap_or_default();
    let length = words.len().min(12) as u64;
    let mut found = vec![
        join(1, lead),
        join(join(2, lead), form),
        join(join(3, lead), at(1)),
        join(join(join(4, lead), at(1)), at(2)),
        join(5, last),
        join(join(6, at(words.len().wrapping_sub(2))), last),
        join(7, length),
        join(join(8, form), length),
    ];
    found.extend(words.iter().map(|&word| join(9, word)));
    found.extend(words.windows(2).map(|pair| join(join(10, pair[0]), pair[1])));
    if let Some(joined) = &candidate.joined {
        let noun = joined.phrase.words.last().map_or(0, |word| hash::text(&word.lower));
        let joint = joined.joint as u64;
        found.extend([
            join(11, joint),
            join(join(12, joint), lead),
            join(join(13, lead), noun),
            join(join(14, u64::from(joined.pronoun)), lead),
            join(15, noun),
        ]);
    }
    found.into_iter().map(feature).collect()
}
