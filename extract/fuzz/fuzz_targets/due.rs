//! Dates: every expression stands in the text, in order and on character boundaries, and means the same twice.
#![no_main]

use chrono::{NaiveDate, NaiveDateTime};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u16, &str)| {
    let (day, text) = input;
    let said_at = NaiveDate::from_num_days_from_ce_opt(730_000 + i32::from(day)).unwrap_or_default();
    let said_at: NaiveDateTime = said_at.and_hms_opt(u32::from(day) % 24, 30, 0).unwrap_or_default();
    for language in [None, Some("en"), Some("de"), Some("fr"), Some("ja")] {
        let mut from = 0;
        for found in gleaner_extract::due::find(text, said_at, language) {
            assert!(from <= found.start && found.start < found.end, "in order, and never empty");
            assert!(text.get(found.start..found.end).is_some(), "a piece of the text");
            assert!(found.date <= found.last);
            from = found.end;
        }
        let due = gleaner_extract::due::deadline(text, said_at, language);
        assert_eq!(due, gleaner_extract::due::deadline(text, said_at, language));
        assert!(due.is_none_or(|due| due.date >= said_at.date()), "nothing is due in the past");
    }
});
