//! The reader of mail: the text as it is, and after a beginning that makes it one of them.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    gleaner_extract_fuzz::hold("email", text);
    gleaner_extract_fuzz::hold("email", &format!("{}{text}", "From: Sam <sam@x.example>\nTo: Priya\nSubject: Re: plan\n\n"));
});
