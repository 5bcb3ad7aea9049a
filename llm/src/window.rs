//! Texts that are longer than a model's context, in windows that overlap.

use crate::numbered::NumberedText;
use std::ops::Range;

/// Overlap of consecutive windows, at most: 1/7 of a window.
const OVERLAP_DIVISOR: usize = 7;
/// Longest overlap, in tokens.
const MAX_OVERLAP_TOKENS: usize = 600;
/// Tokens that a line costs beside its words: number, bar and line end.
const LINE_TOKENS: usize = 4;

/// How many tokens a text costs at most with the usual tokenizers, roughly.
#[must_use]
pub fn tokens(text: &str) -> usize {
    let plain = text.bytes().filter(u8::is_ascii).count();
    // Three letters of English to a token is cautious; one letter of any other script.
    plain.div_ceil(3) + text.chars().filter(|one| !one.is_ascii()).count()
}

/// Lines of a text in windows of at most so many tokens; a line longer than that is a window of its own.
#[must_use]
pub fn windows(page: &NumberedText<'_>, lines: Range<usize>, most: usize) -> Vec<Range<usize>> {
    let cost: Vec<usize> = lines.clone().map(|line| tokens(page.line(line)) + LINE_TOKENS).collect();
    let all: usize = cost.iter().sum();
    if all <= most {
        return vec![lines];
    }
    // Windows of like size rather than full ones and a rest.
    let count = all.div_ceil(most.saturating_sub(most / OVERLAP_DIVISOR).max(1));
    let size = (all.div_ceil(count) + most / OVERLAP_DIVISOR).min(most);
    let overlap = (size / OVERLAP_DIVISOR).min(MAX_OVERLAP_TOKENS);
    let (mut windows, mut start) = (Vec::new(), 0);
    loop {
        let (mut end, mut used) = (start, 0);
        while end < cost.len() && (end == start || used + cost[end] <= size) {
            used += cost[end];
            end += 1;
        }
        windows.push(lines.start + start..lines.start + end);
        if end == cost.len() {
            return windows;
        }
        let (mut back, mut shared) = (end, 0);
        while back > start + 1 && shared + cost[back - 1] <= overlap {
            back -= 1;
            shared += cost[back];
        }
        start = back;
    }
}
