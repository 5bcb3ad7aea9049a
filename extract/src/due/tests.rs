//! What holds of every date expression: offsets and bounds, and that any two right parts make a right whole.

use chrono::{NaiveDateTime, NaiveTime};

use super::{deadline, find, first};

/// Pieces that expressions are made of, and that break them.
const PIECES: &str = "by |the |12th|Friday| next |week| of |March|3/14|2026|-|.|,| |\n|in |two| days|after |before |every |at |5|pm|:|30|\
    Q2|end |EOD|tomorrow|'s|’|(|)|th|99999999999|0|31|février|übermorgen|明天|来週|の|3月|금요일|까지|é|🦀|\u{301}|Ⅷ|ß|İ|a |half |\
    quarter |past |to |last |second |christmas |+|~|business |mid|T|Z|from |ago| noon| month|first |10:30|二十";

/// A text of random pieces; the same for the same seed.
fn text(mut seed: u64) -> String {
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize
    };
    let len = next() % 40;
    let pieces: Vec<&str> = PIECES.split('|').collect();
    (0..len).map(|_| pieces[next() % pieces.len()]).collect()
}

#[test]
fn offsets_are_in_range_in_order_and_on_character_boundaries() {
    let said: NaiveDateTime = "2026-03-03T10:00:00".parse().unwrap();
    for seed in 0..4_000 {
        let text = text(seed);
        for language in [None, Some("en"), Some("de"), Some("ja")] {
            let mut from = 0;
            for found in find(&text, said, language) {
                assert!(from <= found.start && found.start < found.end && found.end <= text.len(), "{text:?}");
                assert!(text.is_char_boundary(found.start) && text.is_char_boundary(found.end), "{text:?}");
                assert!(found.last >= found.date, "{text:?}");
                from = found.end;
            }
            assert_eq!(find(&text, said, language), find(&text, said, language), "{text:?}");
            let due = deadline(&text, said, language);
            assert!(due.is_none_or(|due| due.date >= said.date()), "{text:?}");
        }
    }
}

#[test]
fn the_ends_of_time_are_no_trouble() {
    for said in [
        "9999-12-31T23:59:59",
        "0001-01-01T00:00:00",
        "-0001-01-01T00:00:00",
        "+262142-12-31T23:59:59",
        "-262143-01-01T00:00:00",
    ] {
        let Ok(said) = said.parse::<NaiveDateTime>() else { continue };
        for seed in 0..1_000 {
            let _ = find(&text(seed), said, None);
        }
    }
}

#[test]
fn the_words_that_lead_a_day_are_not_part_of_it() {
    let text = "ok – by Friday the 6th, please";
    let found = first(text, "2026-03-03T10:00:00".parse().unwrap(), Some("en")).unwrap();
    assert_eq!(&text[found.start..found.end], "Friday the 6th");
}

/// Said on Tuesday, 3 March 2026, at ten.
const TUESDAY: &str = "2026-03-03T10:00:00";

/// Days, each as it is said in one way, none of them today.
const DAYS: &[(&str, &str)] = &[
    ("tomorrow", "2026-03-04"),
    ("the day after tomorrow", "2026-03-05"),
    ("Friday", "2026-03-06"),
    ("next Friday", "2026-03-13"),
    ("Friday next week", "2026-03-13"),
    ("Monday two weeks from now", "2026-03-16"),
    ("March 14th", "2026-03-14"),
    ("the 14th of March", "2026-03-14"),
    ("14 March 2027", "2027-03-14"),
    ("Saturday, March 14", "2026-03-14"),
    ("the 12th", "2026-03-12"),
    ("Thursday the 12th", "2026-03-12"),
    ("the 20th of next month", "2026-04-20"),
    ("the last day of the month", "2026-03-31"),
    ("the first Monday of April", "2026-04-06"),
    ("2026-03-14", "2026-03-14"),
    ("3/14", "2026-03-14"),
    ("3/14/2027", "2027-03-14"),
    ("14-Mar-2026", "2026-03-14"),
    ("Christmas", "2026-12-25"),
    ("the day before Easter", "2026-04-04"),
    ("in three days", "2026-03-06"),
    ("two weeks from Friday", "2026-03-20"),
];

/// Times of day, each as it is said in one way.
const TIMES: &[(&str, &str)] = &[
    ("5pm", "17:00"),
    ("5:30 pm", "17:30"),
    ("17:30", "17:30"),
    ("9 a.m.", "09:00"),
    ("five-thirty pm", "17:30"),
    ("half past five pm", "17:30"),
    ("a quarter to six pm", "17:45"),
    ("noon", "12:00"),
    ("12:30:15", "12:30"),
    ("17h30", "17:30"),
];

/// The first moment in a text, or nothing.
fn moment(text: &str) -> Option<(String, Option<NaiveTime>)> {
    let found = first(text, TUESDAY.parse().unwrap(), Some("en"))?;
    Some((found.date.to_string(), found.time))
}

/// Checks texts that compose a day and a time.
fn check(texts: impl Iterator<Item = (String, &'static str, &'static str)>) {
    let wrong: Vec<String> = texts
        .filter_map(|(text, day, time)| {
            let time = NaiveTime::parse_from_str(time, "%H:%M").unwrap();
            let minute = |time: NaiveTime| time.format("%H:%M").to_string();
            let found = moment(&text);
            let right = found.as_ref().is_some_and(|(found, at)| found == day && at.map(minute) == Some(minute(time)));
            (!right).then(|| format!("{text:?}: {found:?}, not {day} {time}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

fn pairs() -> impl Iterator<Item = (&'static (&'static str, &'static str), &'static (&'static str, &'static str))> {
    DAYS.iter().flat_map(|day| TIMES.iter().map(move |time| (day, time)))
}

#[test]
fn any_day_goes_with_any_time_behind_it() {
    for joint in [" at ", ", ", " ", " by ", " before "] {
        check(pairs().map(|((day, date), (time, clock))| (format!("send it {day}{joint}{time}, ok?"), *date, *clock)));
    }
}

#[test]
fn any_time_goes_with_any_day_behind_it() {
    for joint in [" ", ", ", " on "] {
        check(pairs().map(|((day, date), (time, clock))| (format!("at {time}{joint}{day}"), *date, *clock)));
    }
}

#[test]
fn a_part_of_the_day_decides_between_morning_and_afternoon() {
    for (day, date) in DAYS {
        let texts = [
            (format!("{day} in the evening at 7"), *date, "19:00"),
            (format!("at seven in the evening {day}"), *date, "19:00"),
            (format!("{day}, half past seven in the morning"), *date, "07:30"),
        ];
        check(texts.into_iter());
    }
}

#[test]
fn any_weekday_goes_with_any_week() {
    let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
    let weeks = [
        ("this week", 2),
        ("next week", 9),
        ("the week after next", 16),
        ("two weeks from now", 16),
        ("in three weeks", 23),
    ];
    for (number, weekday) in weekdays.iter().enumerate() {
        for (week, monday) in weeks {
            let day =
                chrono::NaiveDate::from_ymd_opt(2026, 3, 1).unwrap() + chrono::Days::new(monday - 1 + number as u64);
            for text in [format!("{weekday} {week}"), format!("{week} on {weekday}"), format!("{week}, {weekday}")] {
                assert_eq!(moment(&text).map(|found| found.0), Some(day.to_string()), "{text:?}");
            }
        }
    }
}

#[test]
fn any_span_leads_from_any_day() {
    for (day, date) in DAYS.iter().filter(|(day, _)| !day.starts_with("in ")) {
        let start: chrono::NaiveDate = date.parse().unwrap();
        for (count, days) in
            [("a day", 1), ("three days", 3), ("2 weeks", 14), ("a fortnight", 14), ("a week and two days", 9)]
        {
            let after = start + chrono::Days::new(days);
            let before = start - chrono::Days::new(days);
            assert_eq!(
                moment(&format!("{count} after {day}")).map(|f| f.0),
                Some(after.to_string()),
                "{count} after {day}"
            );
            assert_eq!(
                moment(&format!("{count} before {day}")).map(|f| f.0),
                Some(before.to_string()),
                "{count} before {day}"
            );
        }
    }
}

#[test]
fn any_range_of_days_is_its_last() {
    for (day, date) in DAYS.iter().filter(|(_, date)| *date > "2026-03-04") {
        for text in
            [format!("tomorrow to {day}"), format!("from tomorrow until {day}"), format!("between tomorrow and {day}")]
        {
            assert_eq!(moment(&text).map(|found| found.0).as_deref(), Some(*date), "{text:?}");
        }
    }
}

#[test]
fn time_stamps_of_logs_and_mails_are_read() {
    let stamps = [
        "2026-03-14T17:30:00Z",
        "2026-03-14 17:30:00,123 INFO started",
        "20260314T173000Z",
        "Sat Mar 14 17:30:00 2026",
        "Sat Mar 14 17:30:00 UTC 2026",
        "Date: Sat, 14 Mar 2026 17:30:00 +0000",
        "Sent: Saturday, March 14, 2026 5:30 PM",
        "On Mar 14, 2026, at 5:30 PM, Ida wrote:",
    ];
    check(stamps.iter().map(|stamp| ((*stamp).to_owned(), "2026-03-14", "17:30")));
}

#[test]
fn what_only_looks_like_a_date_is_none() {
    let texts = [
        "version 2.15",
        "v2.15.2026-rc1",
        "chapter 3.4",
        "$3.14",
        "price: 12-15 USD",
        "score 3-2",
        "they won 3-1",
        "call 555-1234",
        "call 555-12-3456",
        "1/2 cup of milk",
        "3/4 of the team",
        "192.168.1.12",
        "section 4.2.1",
        "pages 12-15",
        "2 to 3 people",
        "24/7",
        "the 2nd floor",
        "the second time",
        "10% more",
        "PR #1234",
        "ratio 3:2",
        "12:34:56:78",
        "may or may not",
        "we march on",
        "I sat down",
        "a second opinion",
        "top 10",
        "line 42",
        "step 3 of 5",
    ];
    for text in texts {
        assert_eq!(moment(text), None, "{text:?}");
    }
}

#[test]
fn a_weekday_with_its_part_of_the_day_is_one_word_in_dutch_and_german() {
    let said: NaiveDateTime = "2026-03-04T10:00:00".parse().unwrap();
    for (language, text, day) in [
        ("nl", "dan staan ze er dinsdagavond op", "2026-03-10"),
        ("nl", "Sam komt vrijdagvoormiddag langs", "2026-03-06"),
        ("nl", "voor de vergadering van 12 okt", "2026-10-12"),
        ("nl", "Goede Vrijdag leg ik ze in de bus", "2026-04-03"),
        ("nl", "komende vrijdag", "2026-03-06"),
        ("de", "bis Montagmittag", "2026-03-09"),
        ("de", "bis Freitagmorgen", "2026-03-06"),
        ("pt", "até 12 de abr", "2026-04-12"),
    ] {
        let found = first(text, said, Some(language)).map(|found| found.last.to_string());
        assert_eq!(found.as_deref(), Some(day), "{text}");
    }
}
