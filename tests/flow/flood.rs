//! A flood of ratings, from somebody who wants tasks to disappear.

use super::learning::Tenant;
use futures::{StreamExt as _, stream};
use gleaner_model::{Mention, PlainToken, Quote, Scope, Subject, TaskId, learning::Signals};
use gleaner_store::Credential;
use gleaner_testkit::{
    api::{Api, item},
    fixture::{credential, mention},
    gleaner::GleanerProcess,
};
use serde_json::json;

/// Tasks that are rated.
const TASKS: usize = 2_000;
/// Tokens that one subject has.
const TOKENS: usize = 20;
/// Requests at once.
const AT_ONCE: usize = 16;

/// What the flood is about.
const VERBS: [&str; 6] = ["juggle", "polish", "rehearse", "whistle", "tickle", "varnish"];
const THINGS: [&str; 7] = ["kettles", "giraffes", "trombones", "noodles", "lanterns", "marbles", "sandals"];
const PEOPLE: [&str; 4] = ["Mo", "Dana", "Sam", "Priya"];

fn words(number: usize) -> String {
    let (verb, thing) = (VERBS[number % VERBS.len()], THINGS[number % THINGS.len()]);
    format!("I'll {verb} the {thing} on {}", ["Monday", "Tuesday", "Friday"][number % 3])
}

fn small_talk(number: usize) -> Mention {
    let text = words(number);
    let speaker = Some(PEOPLE[number % PEOPLE.len()].to_owned());
    let quotes = vec![Quote { end: text.len(), text, start: 0, speaker, at_s: None }];
    let signals =
        Signals { log_odds: 2.0, feature_names: vec!["first person promise".to_owned(), "one sentence".to_owned()] };
    Mention { quotes, signals, ..mention(&format!("talk-{number}"), "Small talk") }
}

/// Rates tasks down, each by the next token. How many ratings were taken, and how many were too many.
async fn flood(api: &Api, tasks: &[TaskId], tokens: &[String]) -> (usize, usize) {
    let ratings = tasks.iter().zip(tokens.iter().cycle()).map(|(task, token)| {
        let request = api.request("POST", &format!("/tasks/{task}/feedback")).token(token);
        async move {
            let answer = request.json(&json!({"rating": "down"})).send().await;
            if answer.status == 429 {
                answer.problem(429, "rate-limited");
                assert!(answer.header("retry-after").is_some());
                return (0, 1);
            }
            answer.expect(201);
            (1, 0)
        }
    });
    let answers: Vec<(usize, usize)> = stream::iter(ratings).buffer_unordered(AT_ONCE).collect().await;
    answers.into_iter().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
}

/// A token of somebody, one of many.
async fn token_of(api: &Api, name: &str) -> String {
    let token = PlainToken::mint().unwrap();
    let subject = Subject::named(name);
    api.put(Credential { subject, ..credential(&token, "default", &[Scope::FeedbackWrite]) }).await;
    token.expose().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_ratings_is_cut_off_and_takes_no_unrelated_task_and_nothing_explicit_away() {
    let api = Api::start().await;
    let _worker = GleanerProcess::worker(&api.redis.url().to_string());
    let (mine, other) = (
        Tenant { api: &api, token: api.token.clone() },
        Tenant { api: &api, token: api.new_token("team-b", &Scope::ALL).await },
    );
    let seed = (0..TASKS).map(|number| api.task(small_talk(number)));
    let tasks: Vec<TaskId> = stream::iter(seed).buffered(AT_ONCE).map(|record| record.id).collect().await;

    let (taken, refused) = flood(&api, &tasks, &[token_of(&api, "Mallory").await]).await;
    assert!(taken >= 600 && refused > 0, "one token: {taken} taken, {refused} refused");
    let mut tokens = Vec::new();
    for _ in 0..TOKENS {
        tokens.push(token_of(&api, "Mallory").await);
    }
    assert_eq!(flood(&api, &tasks, &tokens).await, (TASKS, 0));

    // What they went for is gone, where nobody declared it a task.
    let like = mine.job("like", &format!("Mo: {}.\nSam: Lovely.\n", words(4))).await;
    assert_eq!(like["suppressed"], 1, "{like}");
    let declared = format!("ACTION: Mo: {}\n", words(4));
    let boxed = format!("- [ ] {}\n", words(5));
    let unrelated = item("m")["transcript"].as_str().unwrap().to_owned()
        + "Dana: Priya, could you book the venue for the offsite?\nPriya: Sure, will do it today.\n";
    for (external_id, text) in [("declared", declared), ("boxed", boxed), ("unrelated", unrelated)] {
        let (flooded, fresh) = (mine.job(external_id, &text).await, other.job(external_id, &text).await);
        assert_eq!(flooded["suppressed"], 0, "{flooded}");
        assert_ne!(fresh["tasks_extracted"], 0, "{fresh}");
        assert_eq!(flooded["tasks_extracted"], fresh["tasks_extracted"], "{flooded}");
    }
}
