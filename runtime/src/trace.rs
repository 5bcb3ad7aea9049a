//! The W3C `traceparent` that a request brings along and that its job carries to the worker.

use rand::RngCore as _;
use std::fmt;

/// Which trace something belongs to, and which span it follows from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TraceParent {
    /// The `trace-id` of W3C Trace Context, never 0.
    pub trace_id: u128,
    /// The `parent-id`: the span that comes before, never 0.
    pub span_id: u64,
    /// Whether somebody records the trace.
    pub sampled: bool,
}

impl TraceParent {
    /// The beginning of a new trace.
    #[must_use]
    pub fn start() -> Self {
        let mut random = rand::rng();
        let trace_id = u128::from(random.next_u64()) << 64 | u128::from(random.next_u64());
        Self { trace_id: trace_id.max(1), span_id: random.next_u64().max(1), sampled: false }
    }

    /// Reads the header; `None` when it breaks the rules of W3C Trace Context, which then count as if it were absent.
    #[must_use]
    pub fn parse(header: &str) -> Option<Self> {
        let mut parts = header.trim().split('-');
        let version = hex(parts.next()?, 2)?;
        let trace_id = hex(parts.next()?, 32)?;
        let span_id = u64::try_from(hex(parts.next()?, 16)?).ok()?;
        let flags = hex(parts.next()?, 2)?;
        // Version 0 has four parts and no more; a later version may add some.
        let formed = version != 0xff && (version != 0 || parts.next().is_none()) && trace_id != 0 && span_id != 0;
        formed.then_some(Self { trace_id, span_id, sampled: flags & 1 == 1 })
    }
}

impl fmt::Display for TraceParent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "00-{:032x}-{:016x}-{:02x}", self.trace_id, self.span_id, u8::from(self.sampled))
    }
}

fn hex(text: &str, digits: usize) -> Option<u128> {
    let formed = text.len() == digits && text.bytes().all(|c| c.is_ascii_digit() || (b'a'..=b'f').contains(&c));
    formed.then(|| u128::from_str_radix(text, 16).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_reads_back() {
        let header = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        let parent = TraceParent::parse(header).unwrap();
        assert!(parent.sampled);
        assert_eq!(parent.to_string(), header);
        let fresh = TraceParent::start();
        assert_eq!(TraceParent::parse(&fresh.to_string()), Some(fresh));
    }

    #[test]
    fn a_header_that_breaks_the_rules_counts_as_absent() {
        for bad in [
            "",
            "00",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
        ] {
            assert_eq!(TraceParent::parse(bad), None, "{bad}");
        }
    }
}
