//! What feedback teaches, as it is kept.

use crate::{notes::*, world::*};
use chrono::{TimeDelta, Utc};
use futures::future::join_all;
use gleaner_model::{FeedbackId, FeedbackReason, FeedbackRequest, Mention, MissedReport, Rating, TaskId, TenantId};
use gleaner_store::{Store, StoreConfig};
use gleaner_testkit::redis::RedisServer;

const TITLES: [&str; 4] = ["send report 0", "send report 1", "send report 2", "send report 3"];

fn rating(rating: Rating) -> FeedbackRequest {
    FeedbackRequest { rating, reason: None, comment: None, correction: None }
}

/// Revision, ups and downs.
async fn learnt(store: &Store, tenant: &TenantId) -> (u64, u32, u32) {
    let learnt = store.learnt(tenant).await.unwrap();
    (learnt.revision, learnt.up, learnt.down)
}

async fn task(store: &Store, tenant: &TenantId, title: &str) -> TaskId {
    store.add_missed(tenant, mention("1", title, 1)).await.unwrap().id
}

#[tokio::test]
async fn a_rating_counts_once_and_its_replacement_and_removal_take_its_effect_back() {
    let store = store().await;
    let a = tenant("a");
    let id = task(&store, &a, "send the report").await;
    assert_eq!(learnt(&store, &a).await, (0, 0, 0));
    store.rate_task(&a, id, "dana", &rating(Rating::Down)).await.unwrap();
    assert_eq!(learnt(&store, &a).await, (1, 0, 1));
    store.rate_task(&a, id, "dana", &rating(Rating::Up)).await.unwrap();
    assert_eq!(learnt(&store, &a).await, (2, 1, 0));
    store.unrate_task(&a, id, "dana").await.unwrap();
    assert_eq!(learnt(&store, &a).await, (3, 0, 0));
    assert_eq!(learnt(&store, &tenant("b")).await, (0, 0, 0));
}

#[tokio::test]
async fn ratings_of_many_at_once_through_two_processes_count_once_each() {
    let server = RedisServer::start(&[]);
    let connect = async || Store::connect(&StoreConfig::at(server.url())).await.unwrap();
    let (one, other) = (connect().await, connect().await);
    let a = tenant("a");
    let ids = join_all(TITLES.map(|title| task(&one, &a, title))).await;
    let rate = |n: usize| {
        let store = if n.is_multiple_of(2) { &one } else { &other };
        let (a, id) = (&a, ids[n % 4]);
        async move { store.rate_task(a, id, &format!("subject {n}"), &rating(Rating::Up)).await.unwrap() }
    };
    join_all((0..24).map(rate)).await;
    assert_eq!(learnt(&one, &a).await, (24, 24, 0));
    assert_eq!(one.learnt(&a).await.unwrap(), other.learnt(&a).await.unwrap());
}

#[tokio::test]
async fn what_an_erased_item_taught_goes_with_it_words_and_all() {
    let store = store().await;
    let a = tenant("a");
    for number in 0..6 {
        let id = task(&store, &a, &format!("feed the quagga {number}")).await;
        store.rate_task(&a, id, "dana", &rating(Rating::Down)).await.unwrap();
    }
    let words = |learnt: gleaner_model::learning::Learnt| learnt.weights.keys().any(|name| name.contains("quagga"));
    assert!(words(store.learnt(&a).await.unwrap()));
    store.erase_item(&a, &item("1", "").key).await.unwrap();
    assert!(!words(store.learnt(&a).await.unwrap()));
    assert_eq!(store.learnt(&a).await.unwrap().down, 0);
}

#[tokio::test]
async fn nobody_s_flood_pushes_the_lessons_of_others_out() {
    let store = store().await;
    let a = tenant("a");
    let rate = async |title: String, subject: &str, given: Rating| {
        let id = task(&store, &a, &title).await;
        store.rate_task(&a, id, subject, &rating(given)).await.unwrap();
    };
    for number in 0..30 {
        rate(format!("feed the quagga {number}"), "dana", Rating::Down).await;
    }
    for number in 0..1_300 {
        rate(format!("file letter {number}"), "mallory", Rating::Up).await;
    }
    let (_, up, down) = learnt(&store, &a).await;
    assert_eq!(down, 30);
    assert!((970..=1_170).contains(&up), "{up}");
}

#[tokio::test]
async fn forgetting_ends_what_was_taught_and_later_ratings_teach_again() {
    let store = store().await;
    let a = tenant("a");
    let id = task(&store, &a, "send the report").await;
    store.rate_task(&a, id, "dana", &rating(Rating::Down)).await.unwrap();
    store.forget_learning(&a).await.unwrap();
    assert_eq!(learnt(&store, &a).await, (2, 0, 0));
    store.rate_task(&a, id, "lee", &rating(Rating::Up)).await.unwrap();
    assert_eq!(learnt(&store, &a).await, (3, 1, 0), "the older rating of the same task stays forgotten");
}

/// As where the server's clock was set back, or another server with a slower one has taken over.
#[tokio::test]
async fn what_is_said_after_forgetting_counts_also_where_the_clock_goes_back() {
    let config = config();
    let store = Store::connect(&config).await.unwrap();
    let a = tenant("a");
    let id = task(&store, &a, "send the report").await;
    store.forget_learning(&a).await.unwrap();
    let ahead = (Utc::now() + TimeDelta::hours(1)).timestamp_millis().to_string();
    let key = cli(&["--scan", "--pattern", &format!("{}:*:learning", config.prefix)]);
    cli(&["HSET", key.trim(), "forgotten", &ahead]);
    store.rate_task(&a, id, "dana", &rating(Rating::Down)).await.unwrap();
    assert_eq!(learnt(&store, &a).await, (2, 0, 1));
    cli(&["HSET", key.trim(), "forgotten", "0"]);
    store.forget_learning(&a).await.unwrap();
    store.rate_task(&a, id, "lee", &rating(Rating::Up)).await.unwrap();
    assert_eq!(learnt(&store, &a).await, (4, 1, 0));
}

#[tokio::test]
async fn a_report_bears_the_stores_time() {
    let store = store().await;
    let slow = Utc::now() - TimeDelta::days(1);
    let report = MissedReport { feedback_id: FeedbackId::new(), subject: "dana".to_owned(), at: slow };
    let overlooked = Mention { reported: Some(report), ..mention("1", "water the plants", 1) };
    let record = store.add_missed(&tenant("a"), overlooked).await.unwrap();
    assert_eq!(record.mentions[0].reported.as_ref().unwrap().at, record.created_at);
}

#[tokio::test]
async fn tasks_like_those_called_important_rise_in_the_list() {
    let store = store().await;
    let a = tenant("a");
    let important = FeedbackRequest { reason: Some(FeedbackReason::Important), ..rating(Rating::Up) };
    for number in 0..4 {
        let id = task(&store, &a, &format!("pay the invoice {number}")).await;
        store.rate_task(&a, id, "dana", &important).await.unwrap();
    }
    let like = task(&store, &a, "pay another invoice").await;
    assert!(store.rank_anew(&a).await.unwrap() >= 1);
    assert!(store.task(&a, like).await.unwrap().unwrap().importance_offset > 0.2);
    assert_eq!(store.rank_anew(&a).await.unwrap(), 0, "nothing is written again");
}
