use super::*;
use crate::{
    FeedbackId, TaskId,
    learning::{FeatureSource, Signals, Sources, TaskFeatures, Vote, effects},
};
use chrono::TimeDelta;

fn now() -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::days(20_000)
}

fn features(words: &str) -> TaskFeatures {
    let signals = Signals { log_odds: 1.2, feature_names: vec!["first person promise".to_owned()] };
    let quotes = [(words, None)];
    TaskFeatures::of(&FeatureSource {
        source_type: "meeting",
        title: None,
        quotes: &quotes,
        owner: Some(true),
        has_due: false,
        signals: &signals,
    })
}

fn lesson(words: &str, kind: VoteKind, subject: &str) -> Lesson {
    let vote = Vote {
        kind,
        subject: Some(subject.to_owned()),
        feedback_id: Some(FeedbackId::new()),
        at: now(),
        earlier: Vec::new(),
    };
    Lesson {
        task_id: TaskId::new(),
        features: features(words),
        votes: vec![vote],
        aliases: Vec::new(),
        convention: None,
    }
}

fn small_talk(kind: VoteKind) -> Vec<Lesson> {
    [
        "grab a coffee after this",
        "get coffee together soon",
        "grab lunch together",
        "have coffee together",
        "grab a coffee",
    ]
    .iter()
    .map(|words| lesson(words, kind, "dana"))
    .collect()
}

/// How far what was learnt moves a task of these words.
fn shift(lessons: &[Lesson], words: &str) -> f64 {
    fit(lessons, 1, now()).shift(&features(words)).log_odds
}

#[test]
fn five_rejections_of_a_kind_lower_what_is_like_it_and_little_else() {
    let lessons = small_talk(VoteKind::Down);
    let (like, other) = (shift(&lessons, "grab some coffee together"), shift(&lessons, "send the revised contract"));
    assert!(like < -1.8, "{like}");
    assert!(other >= -0.8 && like < other * 2.0, "{other}");
}

#[test]
fn fewer_than_five_rejections_lower_nothing() {
    let lessons = small_talk(VoteKind::Down);
    assert_eq!(shift(&lessons[..1], "grab a coffee after this"), 0.0);
    assert_eq!(shift(&lessons[..4], "grab a coffee after this"), 0.0);
}

#[test]
fn a_word_that_kept_tasks_share_with_rejected_ones_speaks_against_none() {
    let mut lessons = small_talk(VoteKind::Down);
    lessons.extend(small_talk(VoteKind::Up));
    let moved = shift(&lessons, "grab some coffee together");
    assert!((-0.2..=0.0).contains(&moved), "{moved}");
}

#[test]
fn what_people_like_raises_nothing_and_what_they_report_as_overlooked_raises_what_is_like_it() {
    assert_eq!(shift(&small_talk(VoteKind::Up), "grab some coffee together"), 0.0);
    let mut lessons = small_talk(VoteKind::Missed);
    lessons.iter_mut().for_each(|lesson| lesson.features.log_odds = -1.0);
    let raised = shift(&lessons, "grab some coffee together");
    assert!((0.5..=2.0).contains(&raised), "{raised}");
    assert!(fit(&lessons, 1, now()).furthest_up() >= raised);
}

#[test]
fn importance_is_learnt_where_four_agree_and_not_of_what_all_tasks_share() {
    let calls = |count: u32, kind| -> Vec<Lesson> {
        (0..count).map(|n| lesson(&format!("pay the invoice number {n}"), kind, "dana")).collect()
    };
    let importance = |lessons: &[Lesson], words| fit(lessons, 1, now()).shift(&features(words)).importance;
    assert_eq!(importance(&calls(3, VoteKind::Important), "pay another invoice"), 0.0);
    assert!(importance(&calls(5, VoteKind::Important), "pay another invoice") > 0.3);
    assert_eq!(importance(&calls(5, VoteKind::Important), "water the plants"), 0.0);
    let mixed = [calls(10, VoteKind::Important), calls(8, VoteKind::NotImportant)].concat();
    assert_eq!(importance(&mixed, "pay another invoice"), 0.0);
}

#[test]
fn the_way_a_task_was_moved_is_shared_out_among_the_ratings() {
    let lessons = small_talk(VoteKind::Down);
    let learnt = fit(&lessons, 1, now());
    let asked = features("grab some coffee together");
    let said = Sources::of(&learnt, &lessons, now()).of_log_odds(&asked, learnt.shift(&asked).log_odds);
    let sum: f64 = said.iter().map(|reason| reason.weight).sum();
    assert_eq!(said.len(), 5);
    assert!((sum - learnt.shift(&asked).log_odds).abs() < 1e-9);
    assert!(said.iter().all(|reason| reason.feedback_id.is_some()));
    assert!(said[0].text.contains("rated down"), "{}", said[0].text);
    assert!(effects(&learnt).iter().any(|effect| effect.description.contains("coffee") && effect.weight < 0.0));
}

/// Lessons of as many tasks with nothing in common, of which the engine was so sure.
fn unlike(count: u32, log_odds: f64, kind: impl Fn(u32) -> VoteKind) -> Vec<Lesson> {
    let task = |n| {
        let mut lesson = lesson(&format!("alpha{n} beta{n} gamma{n}"), kind(n), "dana");
        lesson.features.log_odds = log_odds;
        lesson
    };
    (0..count).map(task).collect()
}

#[test]
fn what_is_told_of_it_begins_with_what_changes() {
    let kept = unlike(30, 1.2, |_| VoteKind::Up);
    assert_eq!(effects(&fit(&kept, 1, now())), []);
    let told = effects(&fit(&[small_talk(VoteKind::Down), kept].concat(), 1, now()));
    let fewer = told.iter().take_while(|effect| effect.description.starts_with("fewer tasks")).count();
    assert!(fewer > 0 && told[fewer..].len() <= 5, "{told:?}");
}

#[test]
fn label_noise_among_tasks_that_the_engine_is_sure_of_lowers_nothing() {
    let rated = |kinds: [VoteKind; 2]| {
        let lessons = unlike(60, 3.0, |n| kinds[usize::from(n % 5 == 0)]);
        let sure = TaskFeatures { log_odds: 3.0, ..features("send the revised contract") };
        fit(&lessons, 1, now()).shift(&sure).log_odds
    };
    assert_eq!(rated([VoteKind::Up, VoteKind::Down]), 0.0);
    let meant = rated([VoteKind::Down, VoteKind::Up]);
    assert!(meant < -0.3, "{meant}");
}

#[test]
fn what_the_engine_held_for_unlikely_is_lowered_where_people_reject_it_and_nothing_else() {
    let doubtful = unlike(20, -1.0, |_| VoteKind::Down);
    let lessons = [doubtful.clone(), unlike(20, 2.0, |_| VoteKind::Up)].concat();
    let learnt = fit(&lessons, 1, now());
    let of = |log_odds| learnt.shift(&TaskFeatures { log_odds, ..features("send the revised contract") }).log_odds;
    assert!((-0.6..-0.3).contains(&of(-1.0)), "{}", of(-1.0));
    assert!(of(2.0) > -0.1, "{}", of(2.0));
}

#[test]
fn the_title_of_items_whose_tasks_are_rejected_speaks_against_others_of_that_title_within_bounds() {
    let named = |words: &str, title: &str| TaskFeatures {
        feature_names: [features(words).feature_names, vec![format!("t:{title}")]].concat(),
        ..features(words)
    };
    let mut lessons = unlike(8, 1.2, |_| VoteKind::Down);
    lessons.iter_mut().for_each(|lesson| lesson.features.feature_names.push("t:standu".to_owned()));
    let learnt = fit(&lessons, 1, now());
    let of = |title| learnt.shift(&named("send the revised contract", title)).log_odds;
    assert!((-0.5..-0.2).contains(&of("standu")), "{}", of("standu"));
    assert_eq!(of("board"), 0.0);
}

#[test]
fn one_task_that_is_rejected_for_five_items_counts_as_five() {
    let mut coffee = lesson("grab a coffee", VoteKind::Down, "dana");
    assert_eq!(shift(std::slice::from_ref(&coffee), "grab a coffee"), 0.0);
    coffee.votes[0].earlier = vec![now(); 4];
    let moved = shift(&[coffee], "grab a coffee");
    assert!(moved < -1.8, "{moved}");
}

#[test]
fn the_same_lessons_in_any_order_of_time_give_the_same_weights_and_old_ones_fade() {
    let lessons = small_talk(VoteKind::Down);
    assert_eq!(fit(&lessons, 7, now()), fit(&lessons.clone(), 7, now()));
    let later = fit(&lessons, 7, now() + TimeDelta::days(720)).shift(&features("grab some coffee together")).log_odds;
    assert!(later > shift(&lessons, "grab some coffee together") / 2.0 && later < 0.0, "{later}");
}

#[test]
fn a_flood_of_one_voice_moves_others_little_and_nothing_beyond_the_bounds() {
    let flood: Vec<Lesson> =
        (0..1000).map(|n| lesson(&format!("item{n} thing{n}"), VoteKind::Down, "mallory")).collect();
    let moved = shift(&flood, "send the revised contract");
    assert!(moved >= -0.8 - 1e-9, "{moved}");
    let worst = shift(&flood, "item1 thing1");
    assert!(worst >= -4.3 - 1e-9, "{worst}");
}

#[test]
fn what_matters_to_people_is_learnt_apart_from_what_is_a_task() {
    let mut lessons: Vec<Lesson> =
        (0..4).map(|n| lesson(&format!("pay the invoice number {n}"), VoteKind::Important, "dana")).collect();
    lessons.extend((0..4).map(|n| lesson(&format!("water the plants round {n}"), VoteKind::NotImportant, "dana")));
    let learnt = fit(&lessons, 1, now());
    assert!(learnt.shift(&features("pay another invoice")).importance > 0.3);
    assert!(learnt.shift(&features("water all plants")).importance < -0.3);
}

#[test]
fn a_thousand_lessons_make_a_model_of_a_few_kilobytes() {
    let lessons: Vec<Lesson> = (0..1000_u32)
        .map(|n| {
            let kind = if n % 3 == 0 { VoteKind::Down } else { VoteKind::Up };
            lesson(&format!("alpha{} beta{} gamma{} delta{}", n % 97, n % 89, n % 83, n % 79), kind, "dana")
        })
        .collect();
    let json = serde_json::to_vec(&fit(&lessons, 1, now())).unwrap();
    assert!(json.len() < 16_000, "{} bytes", json.len());
}

#[test]
fn what_was_learnt_of_importance_is_stored_under_its_first_name() {
    let stored = r#"{"revision":1,"day":2,"up":1,"down":0,"worth":{"w:pay":0.25}}"#;
    let learnt: Learnt = serde_json::from_str(stored).unwrap();
    assert_eq!(learnt.importance, BTreeMap::from([("w:pay".to_owned(), 0.25)]));
    assert_eq!(serde_json::to_string(&learnt).unwrap(), stored);
}
