//! Orders: how a task's columns become its key in a list. The higher key comes first.

use super::{
    Sort,
    cursor::{LogEnd, SortKey},
};
use crate::{Error, index};
use chrono::{NaiveDate, TimeDelta};
use gleaner_model::priority::priority;
use std::collections::HashMap;

/// Bytes of one entry in the log of moves: ordinal, and the two columns as they were.
const MOVE: usize = 4 + 6 + 4;
/// Static scores there are.
const RANKS: u64 = 1 << 16;
/// Below every score.
const FLOOR: u64 = 0;

/// A list's order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// Latest mention first.
    Recent,
    /// Highest priority on that day first.
    Priority { today: NaiveDate },
}

/// A scan of a range of a sorted list in which scores and keys have the same order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RangeScan {
    /// Begin at this score, behind this member of it; with all of the score where there is none.
    pub(crate) score: u64,
    pub(crate) member: Vec<u8>,
    /// The range's lowest score.
    pub(crate) floor: u64,
    /// No key in it is higher.
    pub(crate) bound: u64,
}

impl Order {
    pub(crate) fn of(sort: Sort, today: NaiveDate) -> Self {
        match sort {
            Sort::Recent => Self::Recent,
            Sort::Priority => Self::Priority { today },
        }
    }

    /// The column that decides, the sorted list that it makes, and the column's width in bytes.
    pub(crate) const fn names(self) -> (&'static str, &'static str, usize) {
        match self {
            Self::Recent => ("at", "recent", 6),
            Self::Priority { .. } => ("rank", "due", 4),
        }
    }

    /// The key of a score, which is also the column read as a number.
    pub(crate) fn key(self, score: u64) -> u64 {
        match self {
            Self::Recent => score,
            Self::Priority { today } => {
                // Two numbers of 16 bits each.
                let (day, rank) = ((score >> 16) as u16, score as u16);
                // The bits of numbers above zero sort as the numbers do.
                priority(rank, index::date_of(day), today).to_bits()
            }
        }
    }

    /// The key of a column's value.
    pub(crate) fn key_of(self, column: &[u8]) -> u64 {
        self.key(column.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    /// What of the list lies below `last`: one range, or one for each day that tasks are due on.
    /// `tops` are the days' highest scores.
    pub(crate) fn range_scans(self, tops: &[u64], last: SortKey) -> Vec<RangeScan> {
        match self {
            Self::Recent if last == SortKey::TOP => vec![RangeScan::whole(0, (1 << 48) - 1, u64::MAX)],
            Self::Recent => vec![RangeScan { floor: 0, ..self.at_or_below(last.key, last) }],
            Self::Priority { .. } => tops.iter().filter_map(|top| self.day_scan(*top, last)).collect(),
        }
    }

    fn day_scan(self, top: u64, last: SortKey) -> Option<RangeScan> {
        let floor = top & !0xffff;
        // How many of the day's scores have a key of at most the last one: keys grow with scores.
        let (mut low, mut high) = (0, RANKS);
        while low < high {
            let middle = (low + high) / 2;
            if self.key(floor + middle) <= last.key { low = middle + 1 } else { high = middle }
        }
        let begin = floor + low.checked_sub(1)?;
        Some(RangeScan { floor, ..self.at_or_below(begin.min(top), last) })
    }

    /// From a score on, or from behind `last` where that is its key.
    fn at_or_below(self, score: u64, last: SortKey) -> RangeScan {
        if self.key(score) == last.key {
            RangeScan { score, member: last.ordinal.to_be_bytes().to_vec(), floor: FLOOR, bound: last.key }
        } else {
            RangeScan::whole(FLOOR, score, self.key(score))
        }
    }

    /// Where tasks stood when the walk began that have moved since: the oldest entry of each counts.
    pub(crate) fn moved(self, log: &[u8], moved: &mut HashMap<u32, SortKey>) -> Result<(), Error> {
        if !log.len().is_multiple_of(MOVE) {
            return Err(Error::corrupt("a log of moves with half an entry"));
        }
        for entry in log.chunks_exact(MOVE) {
            let ordinal = u32::from_be_bytes([entry[0], entry[1], entry[2], entry[3]]);
            let column = if self == Self::Recent { &entry[4..10] } else { &entry[10..] };
            moved.entry(ordinal).or_insert_with(|| SortKey { key: self.key_of(column), ordinal });
        }
        Ok(())
    }
}

impl RangeScan {
    fn whole(floor: u64, score: u64, bound: u64) -> Self {
        Self { score, member: Vec::new(), floor, bound }
    }
}

/// The day of a number of days since 1970.
pub(crate) fn day_of(days: i32) -> Option<NaiveDate> {
    NaiveDate::default().checked_add_signed(TimeDelta::days(days.into()))
}

/// Whether so old a log may be gone.
pub(crate) const fn is_forgotten(since: LogEnd, now: LogEnd) -> bool {
    since.hour > now.hour || now.hour - since.hour >= 24
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{NEVER, day_number};

    fn order() -> Order {
        Order::Priority { today: NaiveDate::from_ymd_opt(2026, 3, 3).unwrap() }
    }

    #[test]
    fn a_days_range_begins_right_behind_the_last_key() {
        let day = day_number(NaiveDate::from_ymd_opt(2026, 3, 9).unwrap());
        let floor = u64::from(day) << 16;
        let last = SortKey { key: order().key(floor + 500), ordinal: 9 };
        let same = order().range_scans(&[floor + 900], last).remove(0);
        assert_eq!((same.score, same.member.as_slice()), (floor + 500, [0, 0, 0, 9].as_slice()));
        let between = order().range_scans(&[floor + 900], SortKey { key: last.key + 1, ordinal: 9 }).remove(0);
        assert_eq!((between.score, between.member.len(), between.bound), (floor + 500, 0, last.key));
        assert!(order().range_scans(&[floor + 900], SortKey { key: 0, ordinal: 9 }).is_empty());
        let fresh = order().range_scans(&[floor + 300, u64::from(NEVER) << 16], SortKey::TOP);
        assert_eq!((fresh.len(), fresh[0].bound), (2, order().key(floor + 300)), "no key is above the day's best");
    }

    #[test]
    fn the_oldest_move_says_where_a_task_stood() {
        let entry = |ordinal: u32, at: u8| [&ordinal.to_be_bytes()[..], &[0, 0, 0, 0, 0, at], &[0, 1, 0, at]].concat();
        let log = [entry(7, 1), entry(8, 2), entry(7, 3)].concat();
        let mut moved = HashMap::new();
        Order::Recent.moved(&log, &mut moved).unwrap();
        assert_eq!(moved[&7], SortKey { key: 1, ordinal: 7 });
        assert_eq!(moved[&8], SortKey { key: 2, ordinal: 8 });
        assert!(Order::Recent.moved(&log[1..], &mut moved).is_err());
    }

    #[test]
    fn a_log_is_kept_for_a_day() {
        let at = |hour| LogEnd { hour, offset: 0 };
        assert!(!is_forgotten(at(100), at(123)) && is_forgotten(at(100), at(124)) && is_forgotten(at(101), at(100)));
    }
}
