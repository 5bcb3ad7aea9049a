//! Texts of any length, and the time that they take.

use std::time::Instant;

/// A meeting of about this many bytes: the same talk over and over, with a number that changes.
pub fn meeting(bytes: usize) -> String {
    let talk = include_str!("../../tests/weekly.txt");
    let mut text = String::new();
    for number in 0.. {
        if text.len() >= bytes {
            break;
        }
        text.push_str(&talk.replace("Northwind", &format!("client {number}")));
    }
    text.truncate((0..=bytes).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default());
    text
}

/// Long talk of about this many bytes, in which tasks are rare: one round of the meeting in so many rounds of chatter.
#[allow(dead_code, reason = "not every bench reads talk")]
pub fn talk(bytes: usize) -> String {
    const CHATTER: [&str; 12] = [
        "Priya Nair: um, so the thing with the colours is that half of them look the same on a small screen.",
        "Dana Reyes: yeah, I saw that too, uh, on the train this morning actually.",
        "Tomás Whitlock: but it looked fine in the office, didn't it?",
        "Priya Nair: it did. The light is different there, I suppose.",
        "Dana Reyes: mm-hmm.",
        "Tomás Whitlock: and what did the others think of the second one, the one with the round corners?",
        "Dana Reyes: they liked it, mostly. Um, two people said it reminded them of a kettle.",
        "Priya Nair: a kettle? Okay. Well, kettles sell.",
        "Tomás Whitlock: the battery was what they asked about most, how long it lasts and whether it can be changed.",
        "Dana Reyes: and the price, of course, it's always the price in the end.",
        "Priya Nair: right, uh, twelve fifty was the number that came up again and again.",
        "Tomás Whitlock: which is less than it costs us to make at the moment, if I read the table right.",
    ];
    let mut text = String::new();
    for round in 0.. {
        if text.len() >= bytes {
            break;
        }
        for line in CHATTER.iter().cycle().skip(round % 12).take(11) {
            text.push_str(&line.replace("twelve", &format!("{round}")));
            text.push('\n');
        }
        if round % 20 == 10 {
            text.push_str(include_str!("../../tests/weekly.txt"));
        }
    }
    text.truncate((0..=bytes).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default());
    text
}

/// Processor time of this thread in seconds; where the system does not tell, time on the wall.
pub fn processor(begin: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| begin.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}
