//! The heads of all lines of a text: also where a name and its time stand on lines of their own, or in fields of an export.

use std::collections::HashSet;

use super::head::{BADGES, HeadLayout, Style, TurnHead, head, is_name_line, without_badges, without_marks};
use super::mail;
use super::timecode::{Moment, moment};

/// The heads of lines that have words. A name may stand on a line of its own with the time on the next, or the other way round.
/// One line of this kind is like any short remark: most times of the text must have a name beside them, and some name must come
/// again, unless the text is `spoken` and each is followed by words.
pub fn heads<'a>(lines: &[&'a str], spoken: bool) -> Vec<Option<TurnHead<'a>>> {
    let mut found: Vec<Option<TurnHead<'a>>> = lines.iter().map(|line| head(line)).collect();
    // The fields of a mail's head name nobody.
    mail::fields(lines).into_iter().for_each(|at| found[at] = None);
    message_fields(lines, &mut found);
    let times: Vec<Option<Moment>> = lines.iter().map(|line| moment(without_badges(line))).collect();
    for (at, time) in times.iter().enumerate() {
        let Some((time, clock)) = time.and_then(|time| Some((time, time.clock?))) else { continue };
        if found[at].is_none_or(|head| head.style == Style::NameTime) {
            let day = Some(lines[at]).filter(|_| time.dated);
            found[at] = Some(TurnHead { day, ..TurnHead::new(Style::Time, "", Some(clock), lines[at].len()) });
        }
    }
    let beside = [names_above(lines, &found, &times), names_below(lines, &found, &times)];
    let agreed = beside.into_iter().find(|pairs| agree(lines, &found, &times, pairs, spoken));
    for (name, time) in agreed.unwrap_or_default() {
        let clock = times[time].and_then(|time| time.clock);
        let shape = HeadLayout { wide: true, ..HeadLayout::default() };
        let day = times[time].filter(|time| time.dated).map(|_| lines[time]);
        for at in name.min(time)..=name.max(time) {
            found[at] = Some(TurnHead::new(Style::TimeBelow, "", None, lines[at].len()));
        }
        let speaker = without_marks(lines[name]);
        let head = TurnHead::new(Style::NameTime, speaker, clock, lines[name].len());
        found[name] = Some(TurnHead { shape, day, ..head });
    }
    found
}

/// Lines with a name, each with the one below that has its time; a line of badges may stand between.
fn names_above(lines: &[&str], found: &[Option<TurnHead<'_>>], times: &[Option<Moment>]) -> Vec<(usize, usize)> {
    let timed = times.iter().flatten().any(|time| time.clock.is_some());
    let pair = |at: usize| {
        let time = times[at]?;
        let told = time.clock.is_some() || timed || lines[at].bytes().any(|byte| byte.is_ascii_digit());
        let name = if at > 1 && is_beside(lines[at - 1]) { at - 2 } else { at - 1 };
        // What stands right below a time are the words of its message.
        let free = name.checked_sub(1).is_none_or(|before| times[before].is_none_or(|time| time.clock.is_none()));
        let nick = name + 1 < at || without_badges(lines[at]).len() < lines[at].len();
        let named = found[name].is_none() && times[name].is_none() && is_name_line(lines[name], nick);
        (told && free && named).then_some((name, at))
    };
    (1..lines.len()).filter_map(pair).collect()
}

/// Lines with a name, each with the one above that has its time.
fn names_below(lines: &[&str], found: &[Option<TurnHead<'_>>], times: &[Option<Moment>]) -> Vec<(usize, usize)> {
    let timed = |at: usize| times[at].is_some_and(|time| time.clock.is_some());
    let named = |at: &usize| timed(at - 1) && found[*at].is_none() && is_name_line(lines[*at], false);
    (1..lines.len()).filter(named).map(|at| (at, at - 1)).collect()
}

/// Whether names beside times are those of speakers.
fn agree(
    lines: &[&str],
    found: &[Option<TurnHead<'_>>],
    times: &[Option<Moment>],
    pairs: &[(usize, usize)],
    spoken: bool,
) -> bool {
    let of_day = |at: usize| times[at].and_then(|time| time.clock).is_some_and(|clock| clock.of_day);
    let Some(first) = pairs.first().map(|pair| of_day(pair.1)) else { return false };
    let alike = |at: &usize| found[*at].is_some_and(|head| head.style == Style::Time) && of_day(*at) == first;
    let all = (0..lines.len()).filter(alike).count();
    let names: HashSet<&str> = pairs.iter().map(|&(name, _)| lines[name]).collect();
    let heard = |&(name, time): &(usize, usize)| {
        let headed = |head: TurnHead<'_>| !matches!(head.style, Style::Time | Style::NameTime);
        found.get(name.max(time) + 1).is_some_and(|next| !next.is_some_and(headed))
    };
    let again = names.len() < pairs.len();
    pairs.len() > 1 && pairs.len() * 10 >= all * 6 && (again || (spoken && pairs.iter().all(heard)))
}

/// The heads of an export that writes each message as fields: `From: Name`, `Type: incoming`, `Sent: …`, then its words.
fn message_fields<'a>(lines: &[&'a str], found: &mut [Option<TurnHead<'a>>]) {
    for at in 1..lines.len() {
        let Some(name) = lines[at - 1].strip_prefix("From: ").filter(|_| lines[at].starts_with("Type: ")) else {
            continue;
        };
        let is_field = |line: &&&str| ["Type: ", "Sent: ", "Received: "].iter().any(|field| line.starts_with(field));
        let fields = lines[at..].iter().take_while(is_field).count();
        let day = lines[at..at + fields].iter().find_map(|line| line.strip_prefix("Sent: "));
        let clock = day.and_then(moment).and_then(|sent| sent.clock);
        let shape = HeadLayout { wide: true, ..HeadLayout::default() };
        let head = TurnHead::new(Style::NameTime, name.trim(), clock, lines[at - 1].len());
        found[at - 1] = Some(TurnHead { shape, day, ..head });
        for (field, line) in found[at..].iter_mut().zip(&lines[at..at + fields]) {
            *field = Some(TurnHead::new(Style::TimeBelow, "", None, line.len()));
        }
    }
}

/// Whether a line between a name and its time says nothing of its own.
fn is_beside(line: &str) -> bool {
    let badge = BADGES.has(&line.to_lowercase()) || line.starts_with("replied to a thread");
    badge || !line.contains(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_above_its_time() {
        let lines =
            ["Anna Berg", "5:04 PM", "so the wifi", "Tom Weiss", "5:05 PM", "yes", "Anna Berg", "5:07 PM", "ok"];
        let found = heads(&lines, false);
        let speakers: Vec<_> = found.iter().map(|head| head.map_or("", |head| head.speaker)).collect();
        assert_eq!(speakers, ["Anna Berg", "", "", "Tom Weiss", "", "", "Anna Berg", "", ""]);
        let styles: Vec<_> = found.iter().flatten().map(|head| head.style).collect();
        assert_eq!(styles, [Style::NameTime, Style::TimeBelow].repeat(3));
        let remarks = heads(&["Okay", "5:04 PM", "Anna: yes", "Right", "5:05 PM", "Tom: no"], true);
        assert!(remarks[0].is_none() && remarks[3].is_none(), "remarks that come once are nobody's names");
    }

    #[test]
    fn the_fields_of_a_mail_name_nobody() {
        let lines = ["Anna: fyi", "From: Tom <t@x.example>", "Sent: Friday", "To: Anna", "Please pay.", "To: all"];
        let speakers: Vec<_> = heads(&lines, false).iter().map(|head| head.map_or("", |head| head.speaker)).collect();
        assert_eq!(speakers, ["Anna", "", "", "", "", "To"]);
    }

    #[test]
    fn names_that_come_once_speak_where_people_talk_and_words_follow() {
        let lines = ["Priya Raman", ":palm_tree:  9:14 AM", "hi", "9:15", "more", "Marco Bianchi", "9:17 AM", "ok"];
        let styles = |spoken| -> Vec<_> { heads(&lines, spoken).iter().flatten().map(|head| head.style).collect() };
        let turn = [Style::NameTime, Style::TimeBelow];
        assert_eq!(styles(true), [&turn[..], &[Style::Time], &turn].concat());
        assert_eq!(styles(false), [Style::Time; 3], "a programme of a day is written like that too");
        let below = heads(&["00:05", "Ann Lee", "so", "00:12", "Tom Abara", "yes"], true);
        assert_eq!(below.iter().flatten().filter(|head| head.style == Style::NameTime).count(), 2);
    }
}
