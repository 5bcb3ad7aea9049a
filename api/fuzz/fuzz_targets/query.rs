//! See `gleaner_api::fuzz::query`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| gleaner_api::fuzz::query(text));
