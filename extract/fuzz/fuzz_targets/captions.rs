//! The reader of captions: the text as it is, and after a beginning that makes it one of them.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    gleaner_extract_fuzz::hold("meeting", text);
    gleaner_extract_fuzz::hold("meeting", &format!("{}{text}", "WEBVTT\n\n00:01.000 --> 00:02.000\n"));
});
