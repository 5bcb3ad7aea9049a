//! See `gleaner_api::fuzz::last_event_id`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| gleaner_api::fuzz::last_event_id(bytes));
