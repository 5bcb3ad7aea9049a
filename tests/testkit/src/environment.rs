//! What the environment says of how long tests and benches take.

/// The number that a variable gives.
pub fn number(variable: &str, default: usize) -> usize {
    std::env::var(variable).map_or(default, |text| text.parse().expect("a number"))
}

/// What benches divide their counts by, for a quick look: `GLEANER_BENCH_SHARE=10`.
pub fn bench_share() -> usize {
    number("GLEANER_BENCH_SHARE", 1)
}
