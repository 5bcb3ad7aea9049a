use crate::{notes::*, world::*};
use gleaner_model::{
    Correction, EventKind, FeedbackRequest, JobStatus, MENTIONS_KEPT, Mention, Rating, Task, TaskId, TaskPatch,
    TaskRecord, TaskStatus,
};
use gleaner_store::{Completion, Patched, Plan, Sort, Store, StoreConfig, TaskChange, TaskQuery};
use gleaner_testkit::redis::RedisServer;

fn titled(title: &str) -> TaskPatch {
    TaskPatch { title: Some(title.to_owned()), ..TaskPatch::default() }
}

fn rating(rating: Rating) -> FeedbackRequest {
    FeedbackRequest { rating, reason: None, comment: None, correction: None }
}

fn text(q: &str) -> TaskQuery {
    TaskQuery { q: Some(q.to_owned()), ..TaskQuery::default() }
}

#[tokio::test]
async fn a_job_ends_with_its_tasks_in_one_step() {
    let store = store().await;
    let (a, mut consumer) = (tenant("a"), store.consumer("w", NEVER).await.unwrap());
    let task = record(&store, &mut consumer, mention("1", "send the report", 1)).await;
    let jobs = store.jobs(&a, Some(JobStatus::Succeeded), 10, None).await.unwrap().items;
    assert_eq!((jobs[0].tasks_extracted, jobs[0].task_ids.as_slice()), (Some(1), [task.id].as_slice()));
    assert_eq!(jobs[0].extractor.as_deref(), Some("test/1"));
    let events = store.events_after(&a, None, 10).await.unwrap();
    let kinds: Vec<_> = events.iter().map(|event| event.kind).collect();
    assert_eq!(kinds, [EventKind::TaskCreated, EventKind::JobSucceeded]);
    let told: Task = serde_json::from_str(&events[0].data).unwrap();
    assert_eq!((told.id, told.title.as_str()), (task.id, "send the report"));
    assert!(store.depth().await.unwrap().iter().all(|d| (d.waiting, d.pending) == (0, 0)));
}

#[tokio::test]
async fn a_completion_whose_answer_was_lost_is_repeated_without_effect() {
    let store = store().await;
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    let claim = running(&store, &mut consumer, "1").await;
    let found = store.candidates(&tenant("a"), &item("1", "").key, &[]).await.unwrap();
    let plan = plan(&found, vec![create(mention("1", "send the report", 1))]);
    for _ in 0..2 {
        assert_eq!(store.complete(&claim, &plan).await.unwrap(), Completion::Applied);
    }
    assert_eq!(store.list_tasks(&tenant("a"), &TaskQuery::default()).await.unwrap().items.len(), 1);
    assert_eq!(store.events_after(&tenant("a"), None, 10).await.unwrap().len(), 2);
}

#[tokio::test]
async fn of_two_jobs_of_one_item_the_later_accepted_wins() {
    let store = store().await;
    let (a, key) = (tenant("a"), item("1", "").key);
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    let first = running(&store, &mut consumer, "1").await;
    let second = running(&store, &mut consumer, "1").await;
    let found = store.candidates(&a, &key, &[]).await.unwrap();
    let later = plan(&found, vec![create(mention("1", "later", 1))]);
    assert_eq!(store.complete(&second, &later).await.unwrap(), Completion::Applied);
    let earlier = plan(&found, vec![create(mention("1", "earlier", 1))]);
    assert_eq!(store.complete(&first, &earlier).await.unwrap(), Completion::Superseded);
    let job = store.job(&a, first.job_id).await.unwrap().unwrap();
    assert_eq!((job.status, job.tasks_extracted), (JobStatus::Succeeded, Some(0)));
    let titles: Vec<_> = store.tasks_of_item(&a, &key).await.unwrap().iter().map(|t| t.title().to_owned()).collect();
    assert_eq!(titles, ["later"]);
}

#[tokio::test]
async fn two_items_that_record_the_same_commitment_at_once_notice_each_other() {
    let store = store().await;
    let a = tenant("a");
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    let linked = |item: &str| Mention { links: vec!["send report".to_owned()], ..mention(item, "send the report", 1) };
    let (first, second) = (linked("1"), linked("2"));
    let claims = [running(&store, &mut consumer, "1").await, running(&store, &mut consumer, "2").await];
    let before = store.candidates(&a, &second.item, &second.links).await.unwrap();
    let found = store.candidates(&a, &first.item, &first.links).await.unwrap();
    assert_eq!(store.complete(&claims[0], &plan(&found, vec![create(first)])).await.unwrap(), Completion::Applied);
    let blind = plan(&before, vec![create(second.clone())]);
    assert_eq!(store.complete(&claims[1], &blind).await.unwrap(), Completion::Conflict);
    let found = store.candidates(&a, &second.item, &second.links).await.unwrap();
    assert_eq!((found.of_item.len(), found.related.len()), (0, 1));
    let mut after = found.related[0].clone();
    after.put_mention(second);
    let change = TaskChange::Update { before: found.related[0].clone(), after };
    assert_eq!(store.complete(&claims[1], &plan(&found, vec![change])).await.unwrap(), Completion::Applied);
    assert_eq!(store.list_tasks(&a, &TaskQuery::default()).await.unwrap().items[0].mentions.len(), 2);
}

#[tokio::test]
async fn a_plan_that_touches_an_edited_task_is_refused() {
    let store = store().await;
    let a = tenant("a");
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    let task = record(&store, &mut consumer, mention("1", "send the report", 1)).await;
    let claim = running(&store, &mut consumer, "1").await;
    let found = store.candidates(&a, &item("1", "").key, &[]).await.unwrap();
    store.patch_task(&a, task.id, None, &titled("By hand")).await.unwrap();
    let mut after = task.clone();
    after.put_mention(mention("1", "send it", 2));
    let stale = plan(&found, vec![TaskChange::Update { before: task, after }, create(mention("1", "other", 2))]);
    assert_eq!(store.complete(&claim, &stale).await.unwrap(), Completion::Conflict);
    assert_eq!(store.list_tasks(&a, &TaskQuery::default()).await.unwrap().items.len(), 1, "all or nothing");
}

#[tokio::test]
async fn many_who_complete_and_edit_at_once_lose_nothing() {
    let store = store().await;
    let a = tenant("a");
    let task = store.add_missed(&a, mention("1", "send the report", 1)).await.unwrap();
    let work = (0..8).map(|number| {
        let (store, a) = (store.clone(), a.clone());
        tokio::spawn(async move {
            let subject = format!("person {number}");
            store.rate_task(&a, task.id, &subject, &rating(Rating::Up)).await.unwrap().unwrap();
        })
    });
    futures::future::try_join_all(work).await.unwrap();
    let task = store.task(&a, task.id).await.unwrap().unwrap();
    assert_eq!((task.feedback_counts().up, task.rev), (8, 9));
}

#[tokio::test]
async fn an_edit_asks_for_the_revision_that_it_was_made_from() {
    let store = store().await;
    let a = tenant("a");
    let task = store.add_missed(&a, mention("1", "send the report", 1)).await.unwrap();
    let Patched::Done(edited) = store.patch_task(&a, task.id, Some(1), &titled("Ship it")).await.unwrap() else {
        panic!("it had revision 1")
    };
    assert_eq!((edited.title(), edited.rev), ("Ship it", 2));
    assert_eq!(store.patch_task(&a, task.id, Some(1), &titled("No")).await.unwrap(), Patched::Conflict);
    assert_eq!(store.patch_task(&a, TaskId::new(), None, &titled("No")).await.unwrap(), Patched::NotFound);
    assert_eq!(store.patch_task(&tenant("b"), task.id, None, &titled("No")).await.unwrap(), Patched::NotFound);
    let kinds: Vec<_> = store.events_after(&a, None, 10).await.unwrap().iter().map(|event| event.kind).collect();
    assert_eq!(kinds, [EventKind::TaskCreated, EventKind::TaskUpdated]);
}

#[tokio::test]
async fn a_new_title_is_found_and_the_old_one_is_forgotten() {
    let (store, keys) = store_with_keys().await;
    let a = tenant("a");
    let mut said = mention("1", "send zeppelin", 1);
    said.quotes[0].text = "of course".to_owned();
    let task = store.add_missed(&a, said).await.unwrap();
    let count = async |q: &str| store.list_tasks(&a, &text(q)).await.unwrap().items.len();
    assert_eq!((count("zepp").await, count("airship").await), (1, 0));
    store.patch_task(&a, task.id, None, &titled("send airship")).await.unwrap();
    assert_eq!((count("zepp").await, count("AIRSHIP").await, count("air course").await), (0, 1, 1));
    index(&store).await;
    assert_eq!((count("zepp").await, count("AIRSHIP").await, count("air course").await), (0, 1, 1));
    let posted = |word: &str| keys().iter().any(|key| key.ends_with(&format!(":post:0:w{word}")));
    assert!(posted("airship") && !posted("zeppelin"));
}

#[tokio::test]
async fn a_down_dismisses_and_taking_it_back_reopens() {
    let store = store().await;
    let a = tenant("a");
    let task = store.add_missed(&a, mention("1", "send the report", 1)).await.unwrap();
    let open = async || store.list_tasks(&a, &TaskQuery::default()).await.unwrap().items.len();
    store.rate_task(&a, task.id, "dana", &rating(Rating::Down)).await.unwrap().unwrap();
    assert_eq!(open().await, 0);
    let dismissed = TaskQuery { status: TaskStatus::Dismissed, ..TaskQuery::default() };
    assert_eq!(store.list_tasks(&a, &dismissed).await.unwrap().items.len(), 1);
    assert!(store.unrate_task(&a, task.id, "dana").await.unwrap().is_some());
    assert!(store.unrate_task(&a, task.id, "dana").await.unwrap().is_none());
    assert_eq!(open().await, 1);
    let kinds: Vec<_> = store.events_after(&a, None, 10).await.unwrap().iter().map(|event| event.kind).collect();
    assert_eq!(kinds, [EventKind::TaskCreated, EventKind::TaskDismissed, EventKind::TaskUpdated]);
    assert!(store.rate_task(&tenant("b"), task.id, "dana", &rating(Rating::Up)).await.unwrap().is_none());
}

#[tokio::test]
async fn a_correction_changes_what_the_task_is_found_by() {
    let store = store().await;
    let a = tenant("a");
    let task = store.add_missed(&a, mention("1", "send the report", 1)).await.unwrap();
    let correction = Correction { owner: Some("Dana Reyes".to_owned()), ..Correction::default() };
    let request = FeedbackRequest { correction: Some(correction), ..rating(Rating::Up) };
    store.rate_task(&a, task.id, "lee", &request).await.unwrap().unwrap();
    let owned = |owner: &str| TaskQuery { owner: Some(owner.to_owned()), ..TaskQuery::default() };
    assert_eq!(store.list_tasks(&a, &owned("dana")).await.unwrap().items.len(), 1);
    store.unrate_task(&a, task.id, "lee").await.unwrap();
    assert_eq!(store.list_tasks(&a, &owned("dana")).await.unwrap().items.len(), 0);
}

#[tokio::test]
async fn erasing_an_item_takes_its_evidence_and_its_words() {
    let (store, keys) = store_with_keys().await;
    let a = tenant("a");
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    let shared = record(&store, &mut consumer, mention("1", "send the report", 1)).await;
    let alone = record(&store, &mut consumer, mention("2", "call the zookeeper", 1)).await;
    let claim = running(&store, &mut consumer, "2").await;
    let found = store.candidates(&a, &item("2", "").key, &[]).await.unwrap();
    let mut after = shared.clone();
    after.put_mention(mention("2", "send the quagga", 2));
    let update = TaskChange::Update { before: shared.clone(), after };
    store.complete(&claim, &plan(&found, vec![update])).await.unwrap();
    assert_eq!(store.list_tasks(&a, &text("quagga")).await.unwrap().items.len(), 1);

    assert!(store.erase_item(&a, &item("2", "").key).await.unwrap());
    assert_eq!(store.task(&a, alone.id).await.unwrap(), None);
    let left = store.task(&a, shared.id).await.unwrap().unwrap();
    assert_eq!(left.mentions, shared.mentions);
    for word in ["quagga", "zookeeper"] {
        assert_eq!(store.list_tasks(&a, &text(word)).await.unwrap().items.len(), 0, "{word}");
    }
    assert!(store.erase_item(&a, &item("1", "").key).await.unwrap());
    assert_eq!(store.tasks_of_item(&a, &item("1", "").key).await.unwrap(), []);
    assert_eq!(keys_of_tasks(&keys()), Vec::<&String>::new());
}

#[tokio::test]
async fn the_latest_mention_comes_first_by_when_its_item_took_place() {
    let store = store().await;
    let a = tenant("a");
    for (item, on) in [("1", 5), ("2", 9), ("3", 7)] {
        store.add_missed(&a, mention(item, item, on)).await.unwrap();
    }
    let titles = async |sort| {
        let page = store.list_tasks(&a, &TaskQuery { sort, ..TaskQuery::default() }).await.unwrap();
        page.items.iter().map(|task| task.title().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(titles(Sort::Recent).await, ["2", "3", "1"]);
    assert_eq!(titles(Sort::Priority).await, ["3", "2", "1"], "of equals the one recorded last");
}

#[tokio::test]
async fn what_comes_under_links_that_are_not_watched_is_no_conflict() {
    let store = store().await;
    let a = tenant("a");
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    let links = || vec!["report+send".to_owned(), "report".to_owned()];
    let linked = |item: &str| Mention { links: links(), ..mention(item, "send the report", 1) };
    let claims = [running(&store, &mut consumer, "1").await, running(&store, &mut consumer, "2").await];
    let some = store.candidates(&a, &linked("2").item, &links()[1..]).await.unwrap();
    let found = store.candidates(&a, &linked("1").item, &links()).await.unwrap();
    assert_eq!(
        store.complete(&claims[0], &plan(&found, vec![create(linked("1"))])).await.unwrap(),
        Completion::Applied
    );
    assert_eq!(store.complete(&claims[1], &plan(&some, Vec::new())).await.unwrap(), Completion::Conflict);
    let unwatched = Plan { look: some.look.clone().watching(&[]), ..plan(&some, Vec::new()) };
    assert_eq!(store.complete(&claims[1], &unwatched).await.unwrap(), Completion::Applied);
}

#[tokio::test]
async fn what_few_tasks_share_tells_more_than_what_many_do() {
    let store = store().await;
    let (a, common) = (tenant("a"), ["send", "report"].map(str::to_owned));
    let said = |item: String, links: &[String]| Mention { links: links.to_vec(), ..mention(&item, &item, 1) };
    let rare = store.add_missed(&a, said("first".to_owned(), &["quagga".to_owned()])).await.unwrap();
    for number in 0..40 {
        store.add_missed(&a, said(format!("later-{number}"), &common)).await.unwrap();
    }
    let links = [&common[..], &rare.mentions[0].links[..]].concat();
    let related = store.candidates(&a, &item("new", "").key, &links).await.unwrap().related;
    let titles: Vec<_> = related.iter().map(|task| task.title().to_owned()).collect();
    assert_eq!(titles[..2], ["first", "later-39"], "then the newest among equals");
    assert_eq!(titles.len(), 32);
}

#[tokio::test]
async fn of_many_mentions_some_are_kept_and_all_are_counted_erased_and_submitted_again() {
    let (store, keys) = store_with_keys().await;
    let a = tenant("a");
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    let told =
        |n: i64| Mention { links: vec!["report+send".to_owned()], ..mention(&n.to_string(), "send the report", n) };
    let task = record(&store, &mut consumer, told(0)).await;
    for n in 1..70 {
        add(&store, &mut consumer, told(n)).await;
    }
    let now = store.task(&a, task.id).await.unwrap().unwrap();
    assert_eq!((now.mentions.len(), now.mention_count()), (MENTIONS_KEPT, 70));
    assert_eq!(now.mentions[0].item.external_id.as_str(), "0");
    assert_eq!(now.view(day(99)).unwrap().mentions, 70);
    // The text of the tenth is gone, and submitting it again counts it no second time.
    add(&store, &mut consumer, told(10)).await;
    assert_eq!(store.task(&a, task.id).await.unwrap().unwrap().mention_count(), 70);
    let of_item = |n: &str| TaskQuery { external_id: Some(n.parse().unwrap()), ..TaskQuery::default() };
    assert_eq!(store.list_tasks(&a, &of_item("10")).await.unwrap().items.len(), 1);
    assert!(store.erase_item(&a, &item("10", "").key).await.unwrap());
    assert_eq!(store.task(&a, task.id).await.unwrap().unwrap().mention_count(), 69);
    assert_eq!(store.tasks_of_item(&a, &item("10", "").key).await.unwrap(), []);
    for n in (0..70).filter(|n| *n != 10) {
        assert!(store.erase_item(&a, &item(&n.to_string(), "").key).await.unwrap());
    }
    assert_eq!(store.task(&a, task.id).await.unwrap(), None);
    assert_eq!(keys_of_tasks(&keys()), Vec::<&String>::new());
}

/// Processes an item that says one thing more of a task that is found by its links.
async fn add(store: &gleaner_store::Store, consumer: &mut gleaner_store::Consumer, said: Mention) {
    let claim = running(store, consumer, said.item.external_id.as_str()).await;
    let found = store.candidates(&tenant("a"), &said.item, &said.links).await.unwrap();
    let before = found.of_item.first().or(found.related.first()).expect("it is found").clone();
    let mut after = before.clone();
    after.put_mention(said);
    let update = TaskChange::Update { before, after };
    assert_eq!(store.complete(&claim, &plan(&found, vec![update])).await.unwrap(), Completion::Applied);
}

/// A user that may not bring in what a job ended with, as a worker that ends between the two.
const NO_LANDING: [&str; 9] = ["ACL", "SETUSER", "hasty", "on", ">pw", "~*", "&*", "+@all", "-get"];

#[tokio::test]
async fn many_tasks_whose_worker_ended_before_they_landed_are_brought_in_by_whoever_looks() {
    let server = RedisServer::in_memory();
    server.cli(&NO_LANDING);
    let (url, a) = (server.url(), tenant("a"));
    let store = Store::connect(&StoreConfig::at(url.clone())).await.unwrap();
    let hasty = Store::connect(&StoreConfig::at(url.replace("redis://", "redis://hasty:pw@"))).await.unwrap();
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    for (item_id, is_erased) in [("1", false), ("2", true)] {
        let claim = running(&store, &mut consumer, item_id).await;
        let (key, title) = (item(item_id, "").key, |n: usize| format!("call number{n} of {item_id}"));
        let found = store.candidates(&a, &key, &[]).await.unwrap();
        let plan = plan(&found, (0..50).map(|n| create(mention(item_id, &title(n), 1))).collect());
        assert_eq!(hasty.complete(&claim, &plan).await.unwrap(), Completion::Applied);
        let keys = server.cli(&["--scan"]);
        let staged = keys.lines().find(|key| key.contains(":staged:")).expect("it waits there");
        assert_eq!(server.cli(&["HLEN", staged]), "4");
        assert_eq!(server.cli(&["TTL", staged]), "-1");
        if is_erased {
            assert!(store.erase_item(&a, &key).await.unwrap());
        }
        let job = store.job(&a, claim.job_id).await.unwrap();
        let status = job.map(|job| job.status);
        assert_eq!(status, Some(JobStatus::Succeeded));
        let events = store.events_after(&a, None, 1000).await.unwrap();
        let tasks = store.tasks_of_item(&a, &key).await.unwrap();
        let told = events.iter().filter(|event| event.data.contains(&format!(" of {item_id}\"")));
        if is_erased {
            assert_eq!((tasks.len(), told.count()), (0, 0));
        } else {
            let titles: Vec<_> = tasks.iter().map(TaskRecord::title).collect();
            assert_eq!(titles, (0..50).map(title).collect::<Vec<_>>());
            assert!(told.count() >= 50);
            assert_eq!(events.last().map(|event| event.kind.as_str()), Some("job.succeeded"));
        }
        assert!(!server.cli(&["--scan"]).contains(":staged:"));
        assert!(!server.cli(&["--scan"]).contains(":landing"));
    }
}

#[tokio::test]
async fn what_was_staged_for_a_job_that_is_somebody_elses_by_now_is_never_seen() {
    let (store, keys) = store_with_keys().await;
    let a = tenant("a");
    let mut consumer = store.consumer("w", AT_ONCE).await.unwrap();
    let claim = running(&store, &mut consumer, "1").await;
    let found = store.candidates(&a, &item("1", "").key, &[]).await.unwrap();
    let many = || (0..50).map(|n| create(mention("1", &format!("call number{n}"), 1))).collect();
    let other = begin(&store, consumer.reclaim(ROOM).await.unwrap().deliveries.first().unwrap()).await;
    assert_eq!(store.complete(&claim, &plan(&found, many())).await.unwrap(), Completion::Stale);
    assert_eq!(store.list_tasks(&a, &TaskQuery::default()).await.unwrap().items, []);
    let staged = keys().into_iter().find(|key| key.contains(":staged:")).unwrap();
    assert!(cli(&["PTTL", &staged]).parse::<i64>().unwrap() > 0);
    assert_eq!(store.complete(&other, &plan(&found, many())).await.unwrap(), Completion::Applied);
    assert_eq!(store.tasks_of_item(&a, &item("1", "").key).await.unwrap().len(), 50);
}

#[tokio::test]
async fn an_item_of_many_tasks_is_recorded_and_erased_in_pieces_that_are_one_step() {
    let (store, keys) = store_with_keys().await;
    let a = tenant("a");
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    let words =
        |n: usize| format!("call customer number{n} about offer{} and contract{} with details{}", n / 3, n / 5, n / 7);
    let create_all = || (0..200).map(|n| create(mention("1", &words(n), 1))).collect::<Vec<_>>();
    let claim = running(&store, &mut consumer, "1").await;
    let found = store.candidates(&a, &item("1", "").key, &[]).await.unwrap();
    // Somebody reports a task of the same item meanwhile: nothing of the plan is to be seen.
    let missed = store.add_missed(&a, mention("1", "something else", 1)).await.unwrap();
    assert_eq!(store.complete(&claim, &plan(&found, create_all())).await.unwrap(), Completion::Conflict);
    assert_eq!(store.list_tasks(&a, &text("customer")).await.unwrap().items.len(), 0);
    let found = store.candidates(&a, &item("1", "").key, &[]).await.unwrap();
    assert_eq!(found.of_item.iter().map(|task| task.id).collect::<Vec<_>>(), [missed.id]);
    assert_eq!(store.complete(&claim, &plan(&found, create_all())).await.unwrap(), Completion::Applied);
    let all = TaskQuery { limit: 200, ..text("customer") };
    assert_eq!(store.list_tasks(&a, &all).await.unwrap().items.len(), 200);
    assert_eq!(store.list_tasks(&a, &text("number117")).await.unwrap().items.len(), 1);

    assert!(store.erase_item(&a, &item("1", "").key).await.unwrap());
    assert_eq!(store.list_tasks(&a, &TaskQuery::default()).await.unwrap().items, []);
    assert!(store.events_after(&a, None, 1000).await.unwrap().iter().all(|event| !event.data.contains("customer")));
    for _ in 0..100 {
        store.sweep().await.unwrap();
        if keys_of_tasks(&keys()).is_empty() {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    panic!("left behind: {:?}", keys_of_tasks(&keys()));
}
