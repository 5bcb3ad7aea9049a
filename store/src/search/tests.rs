//! Whatever strategy a walk takes, the pages are the same.

use super::{Sort, TaskQuery, walk::Limits};
use crate::{Store, StoreConfig};
use chrono::{DateTime, TimeDelta, Utc};
use gleaner_model::{Due, Mention, TaskId, TenantId, Urgency};
use gleaner_testkit::{fixture, redis::RedisServer};
use rand::{Rng, SeedableRng, rngs::StdRng};

fn said(random: &mut StdRng, number: usize) -> Mention {
    // A rare word stands in old tasks only: a walk from the top comes to it late.
    let title = if number < 60 { "send rarely" } else { "send often" };
    let start: DateTime<Utc> = "2026-03-01T12:00:00Z".parse().unwrap();
    Mention {
        occurred_at: start + TimeDelta::minutes(number as i64 / 3),
        due: random
            .random_bool(0.7)
            .then(|| Due { date: (start + TimeDelta::days(random.random_range(-40..40))).date_naive(), text: None }),
        urgency: [Urgency::Low, Urgency::Normal, Urgency::High][random.random_range(0..3)],
        ..fixture::mention(&number.to_string(), title)
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
    let server = RedisServer::in_memory();
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
