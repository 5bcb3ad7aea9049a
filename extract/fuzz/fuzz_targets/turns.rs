//! The reader of turns: the text as it is, and after a beginning that makes it one of them.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    gleaner_extract_fuzz::hold("chat", text);
    gleaner_extract_fuzz::hold("chat", &format!("{}{text}", "Sam: hello\nPriya: hi\n"));
});
