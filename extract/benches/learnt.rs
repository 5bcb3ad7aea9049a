//! What it costs to look at texts in the light of what feedback has taught, beside the same texts without it.
//! `cargo bench -p gleaner-extract --bench learnt`.
//!
//! Two tenants: one with 200 lessons and one with as many as count. Both disliked one part of what was found, liked the
//! rest, corrected names and dates, and reported lines of these very texts as overlooked, so that more has to be weighed.
//! With and without take turns, and the median of their ratios counts. Printed too: how many bytes the model takes where
//! it is kept, and how long it takes to work it out.

mod texts;

use chrono::{DateTime, TimeDelta, Utc};
use gleaner_extract::{Context, Document, Found, extract, extract_with, learn};
use gleaner_model::learning::{Alias, FeatureSource, Learnt, Lesson, Signals, TaskFeatures, Vote, VoteKind, fit};
use gleaner_model::{FeedbackId, Subject, TaskId};
use std::hint::black_box;
use std::time::{Duration, Instant};
use texts::{meeting, processor, talk};

/// Lessons of the tenants.
const LESSONS: [usize; 2] = [200, 1_000];
/// Of so many lessons one is a task that was overlooked, and one a name that was corrected.
const RARE: usize = 20;
/// Pairs of measurements, with and without what was learnt.
const PAIRS: usize = 21;
/// Least time of one measurement.
const LEAST: Duration = Duration::from_millis(60);

const VERBS: [&str; 10] =
    ["send", "review", "update", "prepare", "finish", "book", "order", "check", "draft", "translate"];
/// What people want to be reminded of, and what they don't.
const LIKED: [&str; 8] =
    ["contract", "invoice", "budget", "forecast", "proposal", "budget", "release notes", "hiring plan"];
const DISLIKED: [&str; 8] =
    ["coffee", "lunch", "playlist", "birthday card", "umbrella", "parking spot", "snacks", "selfie"];
/// Who speaks.
const PEOPLE: [&str; 6] = ["Dana Reyes", "Priya Nair", "Tomás Whitlock", "Sam Lee", "Omar Haddad", "Lena Fischer"];

fn main() {
    let context = Context::new(Subject::named("Dana Reyes"), Default::default());
    let texts = [
        ("long talk, 5 KB", "meeting", talk(5_000)),
        ("long talk, 60 KB", "meeting", talk(60_000)),
        ("a task in every third sentence, 5 KB", "meeting", meeting(5_000)),
        ("a task in every third sentence, 60 KB", "meeting", meeting(60_000)),
        ("minutes", "document", include_str!("../../samples/minutes.txt").repeat(4)),
        ("mails", "email", include_str!("../../samples/pilot.eml").to_owned()),
        ("chat", "chat", include_str!("../../samples/incident-chat.txt").repeat(4)),
    ];
    let overlooked: Vec<&str> =
        texts.iter().flat_map(|(_, _, text)| text.lines()).filter(|line| line.len() > 60).collect();
    for count in LESSONS {
        let now = Utc::now();
        let lessons = lessons(&context, count, &overlooked, now);
        let begun = Instant::now();
        let start = processor(begun);
        let learnt = fit(&lessons, 1, now);
        let took = (processor(begun) - start) * 1e3;
        let bytes = serde_json::to_vec(&learnt).map_or(0, |json| json.len());
        let (weights, raising, importance) = (learnt.weights.len(), learnt.raising.len(), learnt.importance.len());
        println!(
            "{} lessons: a model of {bytes} bytes ({weights} weights, {raising} of them raise, {importance} of importance, \
             {} names), worked out in {took:.1} ms",
            lessons.len(),
            learnt.aliases.len()
        );
        for (name, source_type, text) in &texts {
            let document = Document { source_type, title: None, text };
            println!("  {name}: {}", compared(&document, &context, &learnt));
        }
    }
}

/// Both ways of looking at a text, in turns.
fn compared(document: &Document<'_>, context: &Context, learnt: &Learnt) -> String {
    let without = || drop(black_box(extract(document, context)));
    let with = || drop(black_box(extract_with(document, context, learnt)));
    let rounds = rounds(&without);
    let mut pairs: Vec<(f64, f64)> = Vec::new();
    for pair in 0..PAIRS {
        pairs.push(if pair % 2 == 0 {
            let without = time(rounds, &without);
            (without, time(rounds, &with))
        } else {
            let with = time(rounds, &with);
            (time(rounds, &without), with)
        });
    }
    let (before, after) = (extract(document, context), extract_with(document, context, learnt));
    format!(
        "{:.2} ms without, {:.2} ms with, x{:.3} (tasks {} and {}, {} suppressed)",
        median(pairs.iter().map(|pair| pair.0)),
        median(pairs.iter().map(|pair| pair.1)),
        median(pairs.iter().map(|pair| pair.1 / pair.0)),
        before.tasks.len(),
        after.tasks.len(),
        after.suppressed.len()
    )
}

/// How often something is done within the least time.
fn rounds(work: &impl Fn()) -> usize {
    let (begun, mut rounds) = (Instant::now(), 0);
    while begun.elapsed() < LEAST {
        work();
        rounds += 1;
    }
    rounds
}

/// Milliseconds of processor time that something takes.
fn time(rounds: usize, work: &impl Fn()) -> f64 {
    let begun = Instant::now();
    let start = processor(begun);
    (0..rounds).for_each(|_| work());
    (processor(begun) - start) * 1e3 / rounds as f64
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// What a tenant said of what was found in its meetings, one lesson a day apart from the next.
fn lessons(context: &Context, count: usize, overlooked: &[&str], now: DateTime<Utc>) -> Vec<Lesson> {
    let mut lessons = Vec::new();
    for number in 0.. {
        let left = count - lessons.len();
        if left == 0 {
            break;
        }
        let at = now - TimeDelta::hours(lessons.len() as i64 * 12);
        if lessons.len() % RARE == RARE - 1 {
            let line = overlooked[number * 7 % overlooked.len()];
            lessons.push(lesson(missed(line), VoteKind::Missed, at));
            continue;
        }
        let disliked = number % 3 == 0;
        let things = if disliked { DISLIKED } else { LIKED };
        let said = |line: usize| promise(number * 4 + line, things[(number + line) % things.len()]);
        let text: String = (0..4).map(said).collect();
        let document = Document { source_type: "meeting", title: None, text: &text };
        for task in extract(&document, context).tasks.into_iter().take(left.min(RARE - 1 - lessons.len() % RARE)) {
            lessons.push(of_task(&task, number, disliked, at));
        }
    }
    lessons
}

/// A line of a meeting: no two name the same client.
fn promise(number: usize, thing: &str) -> String {
    let (who, verb) = (PEOPLE[number % PEOPLE.len()], VERBS[number * 3 % VERBS.len()]);
    format!("{who}: I'll {verb} the {thing} for {} by next Friday.\n", client(number))
}

/// Pronounceable, and no other number's.
fn client(mut number: usize) -> String {
    let mut name = String::from("K");
    number += 1;
    while number > 0 {
        name.push(char::from(b"aeiou"[number % 5]));
        name.push(char::from(b"bdfgklmnprst"[number / 5 % 12]));
        number /= 60;
    }
    name
}

/// Where lessons come from.
const MEETING: Document<'_> = Document { source_type: "meeting", title: None, text: "" };

fn of_task(task: &Found, number: usize, disliked: bool, at: DateTime<Utc>) -> Lesson {
    let kind = match (disliked, number % 5) {
        (true, _) => VoteKind::Down,
        (_, 0) => VoteKind::Important,
        (_, 1) => VoteKind::NotImportant,
        (_, 2) => VoteKind::Completed,
        _ => VoteKind::Up,
    };
    let mut lesson = lesson(learn::features(task, &MEETING), kind, at);
    if number % RARE == 1 {
        let from = client(number);
        lesson.aliases.push(Alias { to: format!("{from} Limited"), from, owner: false, at });
    }
    lesson
}

/// A line that the engine is said to have overlooked.
fn missed(line: &str) -> TaskFeatures {
    let (who, words) = line.split_once(": ").unwrap_or(("", line));
    let (signals, quotes) = (Signals { log_odds: -1.0, feature_names: Vec::new() }, [(words, Some(who))]);
    TaskFeatures::of(&FeatureSource {
        source_type: "meeting",
        title: None,
        quotes: &quotes,
        owner: None,
        has_due: false,
        signals: &signals,
    })
}

fn lesson(features: TaskFeatures, kind: VoteKind, at: DateTime<Utc>) -> Lesson {
    let vote = Vote {
        kind,
        subject: Some("Dana Reyes".to_owned()),
        feedback_id: Some(FeedbackId::new()),
        at,
        earlier: Vec::new(),
    };
    Lesson { task_id: TaskId::new(), features, votes: vec![vote], aliases: Vec::new(), convention: None }
}
