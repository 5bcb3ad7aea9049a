//! What each format is read as.

use super::samples::*;
use super::{lines, reading};
use gleaner_extract::reader::Kind;

#[test]
fn every_format_is_recognised_by_its_content_whatever_the_source_is_called() {
    for (format, _, text) in SAMPLES {
        for source_type in ["meeting", "document"] {
            assert_eq!(format!("{:?}", reading(source_type, text).format), *format, "{text}");
        }
    }
}

#[test]
fn a_line_without_a_name_goes_on_with_the_turn() {
    let turns = ["Priya Nair: I'll send the plan.", "Sam Keller: Thanks.\nAnd the budget?", "Priya Nair: Friday."];
    assert_eq!(lines(&reading("meeting", PLAIN)), turns);
}

#[test]
fn time_codes_before_names_are_times() {
    let transcript = reading("call", TIMED);
    assert_eq!(lines(&transcript), ["Patrick: Hello, Odalys?", "Odalys: Hi, hi.", "Patrick: Ha, no problem."]);
    assert_eq!(
        transcript.utterances.iter().map(|one| one.at_s).collect::<Vec<_>>(),
        [Some(0.0), Some(4.0), Some(71.0)]
    );
}

#[test]
fn cues_of_one_sentence_are_one_utterance_that_knows_both_times() {
    let transcript = reading("meeting", WEBVTT);
    assert_eq!(
        lines(&transcript),
        ["Rob Hastings: I'll put the numbers into the deck tonight.", "Carla Mendes: Great."]
    );
    let first = &transcript.utterances[0];
    assert_eq!((first.time_at(0), first.time_at(25)), (Some(2.0), Some(6.021)));
    let words = first.text.lines(5..35).into_iter().map(|range| &WEBVTT[range]).collect::<Vec<_>>();
    assert_eq!(words, ["put the numbers", "into the deck"]);
}

#[test]
fn voice_tags_name_the_speaker() {
    assert_eq!(
        lines(&reading("meeting", TEAMS)),
        ["Helen Prowse: Morning all, shall we start.", "Tobias Nkemelu: Yes."]
    );
    assert_eq!(lines(&reading("meeting", SRT)), ["Aisha: hi there", "Graham: it is yes hello"]);
}

#[test]
fn zoom_counts_from_its_first_line_and_its_chat_is_a_chat() {
    let spoken = reading("meeting", ZOOM);
    assert_eq!(lines(&spoken), ["Halina Kowalczyk: okay welcome everyone", "Adaeze Umeh: he's on nights"]);
    assert_eq!(spoken.utterances[1].at_s, Some(7.0));
    let chat = reading("meeting", ZOOM_CHAT);
    assert_eq!(lines(&chat), ["Priscilla Anand: Welcome everybody!", "Tom H.: can't hear anything?"]);
    assert!(chat.utterances.iter().all(|one| one.kind == Kind::Chat));
}

#[test]
fn otter_and_meet_documents_lose_their_frames() {
    assert_eq!(
        lines(&reading("meeting", OTTER)),
        ["Maren Falk: Hi Ezra can you hear me okay?", "Ezra Lindqvist: I hear you."]
    );
    let meet = reading("meeting", MEET);
    assert_eq!(lines(&meet), ["Ben Quist: Okay, hello.", "Farida Nasser: Hello.", "Ben Quist: So."]);
    assert_eq!(meet.attendees, ["Ben Quist", "Farida Nasser"]);
    assert_eq!(meet.utterances.last().and_then(|one| one.at_s), Some(300.0));
}

#[test]
fn json_is_read_through_its_escapes_and_quotes_lead_back_into_it() {
    let transcript = reading("meeting", JSON);
    assert_eq!(lines(&transcript), ["Zoë \"Zo\" K: I’ll send 🙏 the\nplan", "Sam: fine"]);
    let first = &transcript.utterances[0];
    let send = first.text.as_str().find("send").unwrap();
    assert_eq!(first.text.quote(send..send + 4), "send");
    assert_eq!(first.text.quote(0..send + 9), r"I\u2019ll send \ud83d\ude4f");
    assert_eq!(transcript.utterances[1].at_s, Some(61.0));
    assert_eq!(lines(&reading("chat", JSON_LINES)), ["Bea: who's in?", "Moses: me"]);
}

#[test]
fn what_json_says_above_its_replies_is_said() {
    let replies = r#"[{"author":"Ann","text":"Can you book the hall?","replies":[{"author":"Bob","text":"ok"}]}]"#;
    assert_eq!(lines(&reading("chat", replies)), ["Ann: Can you book the hall?", "Bob: ok"]);
}

#[test]
fn json_of_single_words_and_of_segments_below_a_whole_is_read_once() {
    let words = reading("meeting", JSON_WORDS);
    assert_eq!(lines(&words), ["Sam: send it", "Priya: yes"]);
    assert_eq!(words.utterances[0].text.quote(5..7), "it");
    let summary = reading("meeting", JSON_SUMMARY);
    assert_eq!(lines(&summary), ["-: hello there", "-: I'll go"]);
    assert_eq!(summary.utterances[1].at_s, Some(2.0), "times in thousandths are seconds");
}

#[test]
fn chats_know_lower_case_names_system_lines_and_times_of_the_international_kind() {
    let slack = "sam  9:15 AM\nhello\n\npriya  9:16 AM\nI'll send it\n2 replies\n";
    assert_eq!(lines(&reading("chat", slack)), ["sam: hello", "priya: I'll send it"]);
    let android =
        "05/12/2026, 17:58 - Ilze: did it come?\n05/12/2026, 18:02 - Sione added Tim\n05/12/2026, 18:03 - Tim: yes\n";
    assert_eq!(lines(&reading("chat", android)), ["Ilze: did it come?", "Tim: yes"]);
    let log = "2026-03-03T15:00:04Z Sam: hello\n2026-03-03T15:00:09Z Priya: hi\n";
    assert_eq!(lines(&reading("chat", log)), ["Sam: hello", "Priya: hi"]);
}

#[test]
fn chats_lose_days_reactions_and_badges() {
    let slack = ["Noor Haddad: ack, I'm IC", "PagerBot: resolved", "Noor Haddad: morning\nwrite-up is due"];
    assert_eq!(lines(&reading("chat", SLACK)), slack);
    assert_eq!(lines(&reading("chat", WHATSAPP)), ["Ilze: did it come?", "Sione: yes"]);
    assert_eq!(lines(&reading("chat", TELEGRAM)), ["Aroha L: Morning family", "Noam: norwegians?"]);
    assert_eq!(lines(&reading("chat", IRC)), ["hanneke: anyone around?", "lautaro_b: yes"]);
}

#[test]
fn notes_are_headings_items_boxes_and_tables() {
    let transcript = reading("note", NOTES);
    let kinds: Vec<_> = transcript.utterances.iter().map(|one| (one.kind, one.text.as_str())).collect();
    let expected = [
        (Kind::Heading(1), "Weekly"),
        (Kind::Header, "Present: Sam Keller, Priya Nair (PN)"),
        (Kind::Heading(2), "Actions"),
        (Kind::CheckBox { done: false }, "Sam: plan"),
        (Kind::CheckBox { done: true }, "budget (PN)"),
        (Kind::Bullet, "**Priya** to call"),
        (Kind::Heading(8), "ideas for later"),
        (Kind::Bullet, "a second site"),
        (Kind::Header, "| what | who |"),
        (Kind::CheckBox { done: false }, "lease"),
    ];
    assert_eq!(kinds, expected);
    assert_eq!(transcript.utterances[3].section, Some(2));
    assert_eq!(transcript.utterances[9].assigned, Some("Priya"));
    assert_eq!(transcript.attendees, ["Sam Keller", "Priya Nair (PN)"]);
}

/// The entries of a list: whether each is done, its words, and whose it is.
fn entries(text: &str) -> Vec<(bool, String, Option<&str>)> {
    let utterances = reading("note", text).utterances.into_iter();
    let is_done = |kind| kind == Kind::CheckBox { done: true };
    let entries = utterances.filter(|one| matches!(one.kind, Kind::CheckBox { .. } | Kind::Bullet));
    entries.map(|one| (is_done(one.kind), one.text.as_str().to_owned(), one.assigned)).collect()
}

#[test]
fn rows_of_a_table_of_tasks_and_lines_with_labels_are_entries_with_owner_and_status() {
    let marked = "| Action | Owner | Due | Status |\n|---|---|---|---|\n| Order bunting | Ines | 27 Mar | Open |\n| Ask them | Tobias | | Done |";
    let tabbed = "Owner\tTask\tBy when\nInes\torder bunting\t27 Mar\nTobias\task them\t";
    let labelled = "Task: Order bunting\nOwner: Ines\nDue: 27 Mar\n\nAsk them\nOwner: Tobias\nStatus: done";
    for (text, done) in [(marked, true), (tabbed, false), (labelled, true)] {
        let found = entries(text);
        let lower: Vec<_> = found.iter().map(|(done, words, owner)| (*done, words.to_lowercase(), *owner)).collect();
        let expected =
            [(false, "order bunting, 27 mar".to_owned(), Some("Ines")), (done, "ask them".to_owned(), Some("Tobias"))];
        assert_eq!(lower, expected, "{text}");
    }
    let follows = "Task: Order bunting\nOwner: Ines\nTask: Ask them\nOwner: Tobias";
    assert_eq!(
        entries(follows),
        [(false, "Order bunting".to_owned(), Some("Ines")), (false, "Ask them".to_owned(), Some("Tobias"))]
    );
    let open = "- Order bunting\nDue: tbd\n- Ask them";
    assert_eq!(
        entries(open),
        [(false, "Order bunting".to_owned(), None), (false, "Ask them".to_owned(), None)],
        "an open date takes no entry with it"
    );
    let contacts = reading("note", "- [ ] call them\n\n| Name | Phone |\n|---|---|\n| Ines | 0151 |");
    assert!(contacts.utterances[1..].iter().all(|one| one.kind == Kind::Header));
}

#[test]
fn a_heading_says_of_its_list_whose_it_is_and_that_it_is_done() {
    let text = "**Jonas**\n- book the hall\n\nDone:\n- print flyers\n\n## To do\n- ring school";
    let expected =
        [(false, "book the hall", Some("Jonas")), (true, "print flyers", None), (false, "ring school", None)];
    let found = entries(text);
    assert_eq!(found.iter().map(|(done, words, owner)| (*done, words.as_str(), *owner)).collect::<Vec<_>>(), expected);
}

#[test]
fn a_plain_line_below_an_item_is_none_of_it() {
    let text = "- [ ] paint the stairs\nShop closed on Friday\n- [ ] ring school\n  about the trip";
    assert_eq!(
        lines(&reading("note", text)),
        ["-: paint the stairs", "-: Shop closed on Friday", "-: ring school about the trip"]
    );
}

#[test]
fn a_wrapped_paragraph_is_one_utterance() {
    let transcript = reading("note", PROSE);
    assert_eq!(transcript.utterances.len(), 2);
    assert!(transcript.utterances[0].text.as_str().contains("hours went into"));
}
