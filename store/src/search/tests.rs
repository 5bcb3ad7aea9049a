//! Whatever way a walk takes, the pages are the same.

use super::{Sort, TaskQuery, walk::Limits};
use crate::{Store, StoreConfig};
use chrono::{DateTime, TimeDelta, Utc};
use gleaner_model::{Due, ItemKey, JobId, Mention, Quote, TaskId, TaskStatus, TenantId, Urgency, learning::Looks};
use rand::{Rng, SeedableRng, rngs::StdRng};

#[allow(dead_code, clippy::missing_docs_in_private_items)]
#[path = "../../tests/support/redis.rs"]
mod redis;

fn said(random: &mut StdRng, number: usize) -> Mention {
    // A rare word stands in old tasks only: a walk from the top comes to it late.
    let title = if number < 60 { "send rarely" } else { "send often" };
    let start: DateTime<Utc> = "2026-03-01T12:00:00Z".parse().unwrap();
    Mention {
        item: ItemKey { source_type: "note".parse().unwrap(), external_id: number.to_string().parse().unwrap() },
        item_title: None,
        occurred_at: start + TimeDelta::minutes(number as i64 / 3),
        job_id: JobId::new(),
        content_sha256: String::new(),
        title: title.to_owned(),
        owner: None,
        waiting_on: None,
        due: random
            .random_bool(0.7)
            .then(|| Due { date: (start + TimeDelta::days(random.random_range(-40..40))).date_naive(), text: None }),
        status: TaskStatus::Open,
        urgency: [Urgency::Low, Urgency::Normal, Urgency::High][random.random_range(0..3)],
        confidence: 0.5,
        explicit: false,
        quotes: vec![Quote { text: "yes".to_owned(), start: 0, end: 3, speaker: None, at_s: None }],
        reasons: Vec::new(),
        links: Vec::new(),
        looks: Looks::default(),
        moved_days: 0,
        reported: None,
    }
}

async fn walk(store: &Store, query: &TaskQuery, limits: Limits) -> Vec<TaskId> {
    let (mut query, mut shown) = (query.clone(), Vec::new());
    loop {
        let page = store.list_within(&TenantId::default(), &query, limits).await.unwrap();
        shown.extend(page.items.iter().map(|task| task.id));
        query.cursor = page.next_cursor;
        if query.cursor.is_none() {
            return shown;
        }
    }
}

#[tokio::test]
async fn every_way_of_walking_shows_the_same() {
    let server = redis::RedisServer::start(&["--appendonly", "no"]);
    let store = Store::connect(&StoreConfig::at(server.url())).await.unwrap();
    let mut random = StdRng::seed_from_u64(5);
    for number in 0..600 {
        store.add_missed(&TenantId::default(), said(&mut random, number)).await.unwrap();
    }
    for sort in [Sort::Recent, Sort::Priority] {
        for (q, limit) in [("rarely", 7), ("often", 50), ("send", 3), ("send", 200)] {
            let query = TaskQuery { q: Some(q.to_owned()), sort, limit, ..TaskQuery::default() };
            let sorted = walk(&store, &query, Limits { few: usize::MAX, steps: 0 }).await;
            assert_eq!(
                sorted.len(),
                if q == "rarely" {
                    60
                } else if q == "often" {
                    540
                } else {
                    600
                }
            );
            assert_eq!(walk(&store, &query, Limits { few: 0, steps: usize::MAX }).await, sorted, "lists: {query:?}");
            assert_eq!(walk(&store, &query, Limits { few: 0, steps: 100 }).await, sorted, "both: {query:?}");
            assert_eq!(walk(&store, &query, Limits { few: 0, steps: 0 }).await, sorted, "columns: {query:?}");
        }
    }
}
