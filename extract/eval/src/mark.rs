//! Where gold quotes stand in a text, and which sentences and tasks they make right.

use crate::data::{Gold, GoldDocument, GoldEvidence};
use std::ops::Range;

/// A stretch of a text, in bytes.
pub type Span = Range<usize>;

/// Every place where a quote stands.
#[must_use]
pub fn places(text: &str, quote: &str) -> Vec<Span> {
    if quote.is_empty() {
        return Vec::new();
    }
    text.match_indices(quote).map(|(start, found)| start..start + found.len()).collect()
}

/// A stretch given in Unicode scalars, in bytes.
fn bytes(text: &str, start: usize, end: usize) -> Span {
    let mut places = text.char_indices().map(|(byte, _)| byte).chain([text.len()]);
    let first = places.nth(start).unwrap_or(text.len());
    let last = if end > start { places.nth(end - start - 1).unwrap_or(text.len()) } else { first };
    first..last
}

/// Every place where evidence stands.
#[must_use]
pub fn stands(text: &str, evidence: &GoldEvidence) -> Vec<Span> {
    match evidence {
        GoldEvidence::Words(quote) => places(text, quote),
        GoldEvidence::Place { start, end, .. } => vec![bytes(text, *start, *end)],
    }
}

/// How much of the shorter one two stretches share.
#[must_use]
pub fn overlap(one: &Span, other: &Span) -> f64 {
    let shared = one.end.min(other.end).saturating_sub(one.start.max(other.start));
    if shared == 0 { 0.0 } else { shared as f64 / one.len().min(other.len()) as f64 }
}

/// The stretches that a gold task rests on: of a quote that stands several times, the place nearest to its others.
#[must_use]
pub fn evidence(text: &str, task: &Gold) -> Vec<Span> {
    let all: Vec<Vec<Span>> = task.evidence.iter().map(|quote| stands(text, quote)).collect();
    let anchor = all.iter().find(|found| found.len() == 1).map(|found| found[0].start);
    let nearest = |found: &Vec<Span>| {
        found.iter().min_by_key(|span| anchor.map_or(0, |anchor| anchor.abs_diff(span.start))).cloned()
    };
    all.iter().filter_map(nearest).collect()
}

/// The stretches of the hard negatives of a document.
#[must_use]
pub fn hard_negatives(document: &GoldDocument) -> Vec<Vec<Span>> {
    let text = &document.transcript;
    let stands = |negative: &crate::data::HardNegative| match (negative.start, negative.end) {
        (Some(start), Some(end)) => vec![bytes(text, start, end)],
        _ => places(text, &negative.quote),
    };
    document.hard_negatives.iter().map(stands).collect()
}

/// Whether any of these stretches shares at least half of the shorter with any of those.
#[must_use]
pub fn touches(these: &[Span], those: &[Span]) -> bool {
    these.iter().any(|this| those.iter().any(|that| overlap(this, that) >= 0.5))
}

/// Pairs predicted tasks with gold tasks one to one, best overlap first; gives for each predicted its gold.
#[must_use]
pub fn pair(predicted: &[Vec<Span>], gold: &[Vec<Span>], likeness: impl Fn(usize, usize) -> f64) -> Vec<Option<usize>> {
    let mut edges = Vec::new();
    for (g, wanted) in gold.iter().enumerate() {
        for (p, found) in predicted.iter().enumerate() {
            let most = found.iter().flat_map(|x| wanted.iter().map(|y| overlap(x, y))).fold(0.0, f64::max);
            if most >= 0.5 {
                edges.push((((likeness(p, g) + 0.3 * most) * 1e4).round() as i64, g, p));
            }
        }
    }
    edges.sort_unstable_by(|one, other| other.cmp(one));
    let mut partner = vec![None; predicted.len()];
    let mut taken = vec![false; gold.len()];
    for (_, g, p) in edges {
        if !taken[g] && partner[p].is_none() {
            taken[g] = true;
            partner[p] = Some(g);
        }
    }
    partner
}
