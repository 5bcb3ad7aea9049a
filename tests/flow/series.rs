//! Series of items that speak of the same commitments, through a worker that asks a model, one after the other: what a person
//! sees in the end. The answers are recorded, each to a question that holds what the ones before made known.

use super::recordings::{documents, recorded, submission};
use gleaner_eval::{
    data::GoldDocument,
    series::{Series, of},
    story,
};
use gleaner_model::{Item, Subject, TaskId, TaskRecord};
use gleaner_store::{Store, StoreConfig};
use gleaner_testkit::{
    gleaner::GleanerProcess,
    queue::{ended_within, submit_as},
    redis::RedisServer,
};
use serde_json::Value;
use std::{collections::BTreeSet, path::Path, time::Duration};

/// Least F1 of tasks that a person sees with the right status.
const WORTH: f64 = 0.85;
/// Longest wait for one item; whoever answers in the model's stead may need it.
const TIMEOUT: Duration = Duration::from_secs(3600);

#[tokio::test(flavor = "multi_thread")]
async fn one_commitment_is_one_task_with_the_right_status_by_a_large_models_answers() {
    let redis = RedisServer::in_memory();
    let store = Store::connect(&StoreConfig::at(redis.url())).await.unwrap();
    let model = recorded().await;
    // Another endpoint may be asked anew: GLEANER_TEST_LLM_URL names it.
    let url = std::env::var("GLEANER_TEST_LLM_URL").unwrap_or_else(|_| model.url());
    let _worker = worker(&redis, &url);
    let documents = documents();
    let own = story::read_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../extract/eval/series")).unwrap();
    let own: Vec<Vec<&GoldDocument>> = own.iter().map(|story| story.iter().collect()).collect();
    for (name, all) in [("development documents", of(&documents)), ("our own", own)] {
        let records = futures::future::join_all(all.iter().map(|series| take_in(&store, series))).await;
        let mut score = Series::default();
        for (series, records) in all.iter().zip(&records) {
            score.judge(series, records, &mut |error| println!("{error}")).unwrap();
        }
        println!("{name}: {score}");
        assert!(score.f1().1 >= WORTH, "{name}: {score}");
    }
}

fn worker(redis: &RedisServer, url: &str) -> GleanerProcess {
    let limits = ["--llm-concurrency", "8", "--llm-timeout-s", "3600"];
    let model = ["--extractor", "llm", "--llm-model", "recorded", "--llm-url", url];
    GleanerProcess::worker_with(&redis.url(), &[&limits[..], &model].concat())
}

/// Submits the items of a series one after the other; the tasks that there are then.
async fn take_in(store: &Store, series: &[&GoldDocument]) -> Vec<TaskRecord> {
    let tenant = series[0].series.clone().unwrap();
    let mut tasks: BTreeSet<TaskId> = BTreeSet::new();
    for document in series {
        let (subject, item) = submitted(document);
        let id = submit_as(store, &tenant, subject, item).await;
        let job = ended_within(store, &tenant, id, TIMEOUT).await;
        assert_eq!(job.extractor.as_deref(), Some("llm/recorded"), "{}: its question has changed", document.id);
        tasks.extend(job.task_ids);
    }
    let tenant = tenant.parse().unwrap();
    let mut records = Vec::new();
    for task in tasks {
        records.extend(store.task(&tenant, task).await.unwrap());
    }
    records
}

fn submitted(document: &GoldDocument) -> (Subject, Item) {
    let Value::Object(mut body) = submission(document) else { unreachable!() };
    let subject = serde_json::from_value(body.remove("subject").unwrap()).unwrap();
    (subject, Item::from_json(body, chrono::Utc::now(), 0).unwrap().0)
}
