//! The reader of json: the text as it is, and after a beginning that makes it one of them.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    gleaner_extract_fuzz::hold("meeting", text);
    gleaner_extract_fuzz::hold("meeting", &format!("{}{text}", "[{\"speaker\": \"Sam\", \"text\": \""));
});
