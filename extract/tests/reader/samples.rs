//! One short text in each format, as its program writes it.

/// Name of the format, kind of source, text.
pub const SAMPLES: &[(&str, &str, &str)] = &[
    ("Plain", "meeting", PLAIN),
    ("Plain", "call", TIMED),
    ("WebVtt", "meeting", WEBVTT),
    ("TeamsVtt", "meeting", TEAMS),
    ("Srt", "meeting", SRT),
    ("Zoom", "meeting", ZOOM),
    ("Zoom", "meeting", ZOOM_CHAT),
    ("Otter", "meeting", OTTER),
    ("Meet", "meeting", MEET),
    ("Json", "meeting", JSON),
    ("Json", "chat", JSON_LINES),
    ("Json", "meeting", JSON_WORDS),
    ("Json", "meeting", JSON_SUMMARY),
    ("Chat", "chat", SLACK),
    ("Chat", "chat", WHATSAPP),
    ("Chat", "chat", TELEGRAM),
    ("Chat", "chat", IRC),
    ("Mail", "email", MAIL),
    ("Notes", "note", NOTES),
    ("Prose", "note", PROSE),
];

pub const PLAIN: &str = "Priya Nair: I'll send the plan.\nSam Keller: Thanks.\nAnd the budget?\nPriya Nair: Friday.\n";

pub const TIMED: &str = "[00:00] Patrick: Hello, Odalys?\n[00:04] Odalys: Hi, hi.\n[01:11] Patrick: Ha, no problem.\n";

pub const WEBVTT: &str = "WEBVTT\n\n1\n00:00:02.000 --> 00:00:05.447\nRob Hastings: I'll put the numbers\n\n\
    2\n00:00:06.021 --> 00:00:09.121\ninto the deck tonight.\n\n3\n00:00:09.264 --> 00:00:12.000\nCarla Mendes: Great.\n";

pub const TEAMS: &str = "WEBVTT\n\n7f5e8e61-db0e-4423/10-0\n00:00:03.000 --> 00:00:06.847\n<v Helen Prowse>Morning all,</v>\n\n\
    7f5e8e61-db0e-4423/13-1\n00:00:07.023 --> 00:00:08.817\n<v Helen Prowse>shall we start.</v>\n\n\
    7f5e8e61-db0e-4423/14-1\n00:00:09.023 --> 00:00:10.817\n<v Tobias Nkemelu>Yes.</v>\n";

pub const SRT: &str = "1\r\n00:00:01,000 --> 00:00:02,549\r\nAisha: hi there\r\n\r\n2\r\n00:00:02,835 --> 00:00:03,942\r\nGraham: it is yes\r\nhello\r\n";

pub const ZOOM: &str = "[Halina Kowalczyk] 16:00:09\nokay welcome everyone\n\n[Adaeze Umeh] 16:00:16\nhe's on nights\n";

pub const ZOOM_CHAT: &str = "15:01:12 From Priscilla Anand to Everyone:\n\tWelcome everybody!\n15:03:40 From Tom H. to Everyone:\n\tcan't hear anything?\n";

pub const OTTER: &str = "Maren Falk  0:01  \nHi Ezra can you hear me okay?\n\nEzra Lindqvist  0:06  \nI hear you.\n";

pub const MEET: &str = "Mar 18, 2026\nRetro: grants - Transcript\n\nAttendees\nBen Quist, Farida Nasser\n\nTranscript\n\n00:00:05\n\n\
    Ben Quist: Okay, hello.\nFarida Nasser: Hello.\n\n00:05:00\n\nBen Quist: So.\n";

pub const JSON: &str = r#"{"meeting": "weekly", "segments": [
  {"speaker": {"name": "Zo\u00eb \"Zo\" K"}, "start": 2.5, "text": "I\u2019ll send \ud83d\ude4f the\nplan"},
  {"speaker": {"name": "Sam"}, "start": 61, "text": "fine"}]}"#;

pub const JSON_LINES: &str =
    "{\"from\": \"Bea\", \"message\": \"who's in?\"}\n{\"from\": \"Moses\", \"message\": \"me\"}\n";

pub const JSON_WORDS: &str = r#"[{"participant": {"name": "Sam"}, "words": [{"text": "send"}, {"text": "it"}]}, {"participant": {"name": "Priya"}, "words": [{"text": "yes"}]}]"#;

pub const JSON_SUMMARY: &str = r#"{"text": "hello there I'll go", "segments": [{"start": 0, "text": " hello there"}, {"start": 2000, "text": "I'll go"}]}"#;

pub const SLACK: &str = "#ops\n\nMonday, May 25th\n\nNoor Haddad  [2:04 PM]\nack, I'm IC\n:tada: 2  :eyes: 1\n\nPagerBot  APP  [2:05 PM]\nresolved\n\n\
    Tuesday, May 26th\n\nNoor Haddad  [9:00 AM]\nmorning\nwrite-up is due\n";

pub const WHATSAPP: &str = "[05/12/2026, 17:58] Ilze: did it come?\n[05/12/2026, 18:01] Sione: yes\n";

pub const TELEGRAM: &str = "Aroha L, [14 Jun 10:00]\nMorning family\n\nNoam, [14 Jun 10:04]\nnorwegians?\n";

pub const IRC: &str = "[18:41] <hanneke> anyone around?\n[18:43] <lautaro_b> yes\n";

pub const MAIL: &str = "From: Samir Toumi <samir@n.example>\nTo: Gretchen Vail <g@n.example>\nCc: Vo, Minh\nDate: Tue, 20 Jan 2026 10:12:00 +0000\n\
    Subject: Re: Onsite\n\nHi Gretchen,\n\nplease book the room for the panel on Thursday, the big one if it is\nstill free.\n\n\
    Best wishes\nSamir\n\n--\nSamir Toumi | Engineering\n\nOn Mon, 19 Jan 2026 at 17:40, Gretchen Vail wrote:\n> Hi Samir,\n>\n> I'll hold both rooms until you tell me\n> which.\n";

pub const NOTES: &str = "# Weekly\nPresent: Sam Keller, Priya Nair (PN)\n\n## Actions\n- [ ] Sam: plan\n- [x] budget (PN)\n1. **Priya** to call\n\n\
    ideas for later\n- a second site\n\n| what | who |\n|---|---|\n| lease | Priya |\n";

pub const PROSE: &str = "Long day. The new board arrived and the connector is mirrored, so the first two hours\nwent into making a cable.\n\nI need to redo the measurement.\n";
