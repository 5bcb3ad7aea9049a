//! Lists against a naive model: every task in memory, compared one by one and sorted.

use crate::{notes::*, world::*};
use chrono::Utc;
use gleaner_model::{
    Due, FeedbackRequest, Mention, Owner, Rating, TaskId, TaskPatch, TaskRecord, TaskStatus, TenantId, Urgency,
    priority,
};
use gleaner_store::{Completion, Consumer, Error, Patched, Sort, Store, StoreConfig, TaskChange, TaskQuery};
use gleaner_testkit::redis::RedisServer;
use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A word as it is written, as it is folded, and whether it is matched by substring.
const WORDS: [(&str, &str, bool); 16] = [
    ("send", "send", false),
    ("Sender", "sender", false),
    ("the", "the", false),
    ("report", "report", false),
    ("Reporter", "reporter", false),
    ("Über", "uber", false),
    ("übernehmen", "ubernehmen", false),
    ("SOW", "sow", false),
    ("budget", "budget", false),
    ("Łódź", "lodz", false),
    ("会議室", "会議室", true),
    ("会話", "会話", true),
    ("보고서", "보고서", true),
    ("отчёт", "отчет", false),
    ("q4", "q4", false),
    ("northwind", "northwind", false),
];
const PEOPLE: [&str; 4] = ["Dana Reyes", "Lee", "Dana Öz", "Kim Lee"];
const SOURCES: [&str; 3] = ["meeting", "note", "chat"];

/// What the store should hold.
#[derive(Default)]
struct Model {
    tasks: BTreeMap<TaskId, TaskRecord>,
    /// The order in which tasks were recorded decides between equals.
    order: HashMap<TaskId, usize>,
}

struct World {
    store: Store,
    tenant: TenantId,
    consumer: Consumer,
    random: StdRng,
    model: Model,
}

impl Model {
    fn put(&mut self, record: TaskRecord) {
        let next = self.order.len();
        self.order.entry(record.id).or_insert(next);
        self.tasks.insert(record.id, record);
    }

    /// The list, naively.
    fn list(&self, query: &TaskQuery) -> Vec<TaskId> {
        let mut found: Vec<_> = self.tasks.values().filter(|record| fits(record, query)).collect();
        found.sort_by_key(|record| (sort_key(record, query.sort), self.order[&record.id]));
        found.iter().rev().map(|record| record.id).collect()
    }
}

fn sort_key(record: &TaskRecord, sort: Sort) -> u64 {
    match sort {
        Sort::Recent => record.last_mentioned_at().timestamp_millis() as u64,
        Sort::Priority => {
            let due = record.due().map(|due| due.date);
            priority::priority(priority::static_score(record), due, Utc::now().date_naive()).to_bits()
        }
    }
}

fn fits(record: &TaskRecord, query: &TaskQuery) -> bool {
    let owner = record.owner();
    let owned = |name: &str| {
        owner.as_ref().is_some_and(|owner| match name {
            "me" => owner.is_me,
            name => owner.name.to_lowercase().split(' ').any(|word| word == name.to_lowercase()),
        })
    };
    record.status() == query.status
        && query.waiting_on.is_none_or(|waits| waits == record.waiting_on().is_some())
        && query.owner.as_ref().is_none_or(|name| owned(name))
        && query.due_before.is_none_or(|day| record.due().is_some_and(|due| due.date < day))
        && record.mentions.iter().any(|mention| {
            query.source_type.as_ref().is_none_or(|kind| *kind == mention.item.source_type)
                && query.external_id.as_ref().is_none_or(|id| *id == mention.item.external_id)
        })
        && query.q.as_ref().is_none_or(|q| says(record, q))
}

/// Whether every word of the folded query begins one of the task's, or stands in one of its runs.
fn says(record: &TaskRecord, q: &str) -> bool {
    let owner = record.owner().map(|owner| owner.name.replace('Ö', "o").to_lowercase()).unwrap_or_default();
    let quotes = record.mentions.iter().flat_map(|mention| &mention.quotes).map(|quote| quote.text.as_str());
    let texts = [record.title()].into_iter().chain(quotes);
    let known: BTreeSet<(&str, bool)> = texts
        .flat_map(|text| text.split(' '))
        .filter_map(|word| WORDS.iter().find(|(written, ..)| *written == word))
        .map(|(_, folded, run)| (*folded, *run))
        .collect();
    q.split(' ').all(|wanted| {
        known.iter().any(|(word, run)| if *run { word.contains(wanted) } else { word.starts_with(wanted) })
            || owner.split(' ').any(|word| word.starts_with(wanted))
    })
}

impl World {
    fn words(&mut self, count: usize) -> String {
        let word = |_| WORDS.choose(&mut self.random).unwrap().0;
        (0..count).map(word).collect::<Vec<_>>().join(" ")
    }

    fn mention(&mut self) -> Mention {
        let title = self.words(2);
        let mut said = mention(&self.random.random_range(0..40).to_string(), &title, self.random.random_range(0..6));
        said.quotes[0].text = self.words(3);
        said.item.source_type = SOURCES.choose(&mut self.random).unwrap().parse().unwrap();
        if self.random.random_bool(0.5) {
            let name = (*PEOPLE.choose(&mut self.random).unwrap()).to_owned();
            let is_me = self.random.random_bool(0.4);
            said.waiting_on = (!is_me).then(|| name.clone());
            said.owner = Some(Owner { name, is_me });
        }
        if self.random.random_bool(0.5) {
            said.due = Some(Due { date: day(self.random.random_range(-20..20)).date_naive(), text: None });
        }
        said.urgency = *[Urgency::Low, Urgency::Normal, Urgency::High].choose(&mut self.random).unwrap();
        said.confidence = [0.5, 0.7, 0.9].choose(&mut self.random).copied().unwrap();
        said
    }

    async fn change(&mut self) {
        let known: Vec<_> = self.model.tasks.keys().copied().collect();
        let choice = self.random.random_range(0..100);
        match known.choose(&mut self.random) {
            Some(id) if choice < 25 => self.mention_again(*id).await,
            Some(id) if choice < 45 => self.edit(*id).await,
            Some(id) if choice < 55 => self.rate(*id).await,
            Some(_) if choice < 57 => self.erase().await,
            _ => {
                let said = self.mention();
                self.model.put(self.store.add_missed(&self.tenant, said).await.unwrap());
            }
        }
    }

    /// Another item speaks of the task, or the same one anew.
    async fn mention_again(&mut self, id: TaskId) {
        let said = self.mention();
        let claim = running(&self.store, &mut self.consumer, "any").await;
        let found = self.store.candidates(&self.tenant, &said.item, &[]).await.unwrap();
        let before = self.model.tasks[&id].clone();
        let mut after = before.clone();
        after.put_mention(said);
        let plan = plan(&found, vec![TaskChange::Update { before, after }]);
        assert_eq!(self.store.complete(&claim, &plan).await.unwrap(), Completion::Applied);
        self.model.put(self.store.task(&self.tenant, id).await.unwrap().unwrap());
    }

    async fn edit(&mut self, id: TaskId) {
        let status = [TaskStatus::Open, TaskStatus::Open, TaskStatus::Completed, TaskStatus::Dismissed];
        let mut patch = TaskPatch::default();
        match self.random.random_range(0..4) {
            0 => patch.status = status.choose(&mut self.random).copied(),
            1 => patch.title = Some(self.words(2)),
            2 => {
                let date = day(self.random.random_range(-20..20)).date_naive();
                patch.due = Some(Some(Due { date, text: None }));
            }
            _ => patch.owner = Some(None),
        }
        match self.store.patch_task(&self.tenant, id, None, &patch).await.unwrap() {
            Patched::Done(record) => self.model.put(record),
            other => panic!("{other:?}"),
        }
    }

    async fn rate(&mut self, id: TaskId) {
        let rating = if self.random.random_bool(0.5) { Rating::Up } else { Rating::Down };
        let request = FeedbackRequest { rating, reason: None, comment: None, correction: None };
        let (_, record) = self.store.rate_task(&self.tenant, id, "dana", &request).await.unwrap().unwrap();
        self.model.put(record);
    }

    async fn erase(&mut self) {
        let said = self.mention();
        self.store.erase_item(&self.tenant, &said.item).await.unwrap();
        self.model.tasks.retain(|_, record| record.drop_mention(&said.item));
        let ids: Vec<_> = self.model.tasks.keys().copied().collect();
        for id in ids {
            let record = self.store.task(&self.tenant, id).await.unwrap().unwrap();
            self.model.put(record);
        }
    }

    fn query(&mut self) -> TaskQuery {
        let status = [TaskStatus::Open, TaskStatus::Open, TaskStatus::Completed, TaskStatus::Dismissed];
        let mut query = TaskQuery {
            status: *status.choose(&mut self.random).unwrap(),
            sort: if self.random.random_bool(0.5) { Sort::Recent } else { Sort::Priority },
            limit: self.random.random_range(1..60),
            ..TaskQuery::default()
        };
        if self.random.random_bool(0.5) {
            query.q = Some(self.asked());
        }
        if self.random.random_bool(0.2) {
            query.waiting_on = Some(self.random.random_bool(0.5));
        }
        if self.random.random_bool(0.2) {
            query.owner = ["me", "dana", "LEE"].choose(&mut self.random).map(|name| (*name).to_owned());
        }
        if self.random.random_bool(0.2) {
            query.due_before = Some(day(self.random.random_range(-21..21)).date_naive());
        }
        if self.random.random_bool(0.2) {
            query.source_type = SOURCES.choose(&mut self.random).map(|kind| kind.parse().unwrap());
        }
        if self.random.random_bool(0.1) {
            query.external_id = Some(self.random.random_range(0..40).to_string().parse().unwrap());
        }
        query
    }

    /// One or two beginnings of words, or parts of runs.
    fn asked(&mut self) -> String {
        let mut parts = Vec::new();
        for _ in 0..self.random.random_range(1..3) {
            let (_, folded, run) = WORDS.choose(&mut self.random).unwrap();
            let letters: Vec<_> = folded.chars().collect();
            let from = if *run { self.random.random_range(0..letters.len()) } else { 0 };
            let to = self.random.random_range(from..letters.len()) + 1;
            parts.push(letters[from..to].iter().collect::<String>());
        }
        parts.join(" ")
    }

    /// All pages of a list, with changes between them.
    async fn walk(&mut self, query: &TaskQuery, changes: usize) -> (Vec<TaskId>, BTreeSet<TaskId>) {
        let mut query = query.clone();
        let mut shown = Vec::new();
        let mut throughout: BTreeSet<_> = self.model.list(&query).into_iter().collect();
        loop {
            let page = self.store.list_tasks(&self.tenant, &query).await.unwrap();
            assert!(page.items.len() <= query.limit);
            for record in &page.items {
                assert_eq!(Some(record), self.model.tasks.get(&record.id));
            }
            shown.extend(page.items.iter().map(|record| record.id));
            query.cursor = page.next_cursor;
            if query.cursor.is_none() {
                return (shown, throughout);
            }
            for _ in 0..changes {
                self.change().await;
                let now: BTreeSet<_> = self.model.list(&query).into_iter().collect();
                throughout.retain(|id| now.contains(id));
            }
        }
    }
}

/// A world whose tasks lie on both sides of the end of a chunk, and the names of its keys.
async fn world(seed: u64) -> (World, impl Fn() -> Vec<String>) {
    let (store, keys) = store_with_keys().await;
    let (tenant, said) = (tenant("a"), mention("0", "send", 0));
    store.add_missed(&tenant, said.clone()).await.unwrap();
    store.erase_item(&tenant, &said.item).await.unwrap();
    let ordinals = keys().into_iter().find(|key| key.ends_with(":ordinals")).unwrap();
    cli(&["SET", &ordinals, "64900"]);
    let consumer = store.consumer("w", NEVER).await.unwrap();
    (World { store, tenant, consumer, random: StdRng::seed_from_u64(seed), model: Model::default() }, keys)
}

#[tokio::test]
async fn lists_are_what_a_naive_filter_and_sort_would_make_them() {
    let (mut world, _) = world(1).await;
    let mut sizes = BTreeSet::new();
    for round in 0..2500 {
        world.change().await;
        if round % 10 == 0 {
            let query = world.query();
            let (shown, _) = world.walk(&query, 0).await;
            assert_eq!(shown, world.model.list(&query), "round {round}: {query:?}");
            sizes.insert(shown.len());
        }
    }
    assert!(sizes.len() > 30, "lists of many lengths were compared: {sizes:?}");
}

#[tokio::test]
async fn a_walk_shows_each_task_once_while_others_change() {
    let (mut world, _) = world(2).await;
    for _ in 0..400 {
        world.change().await;
    }
    for round in 0..60 {
        let query = TaskQuery { limit: world.random.random_range(5..40), ..world.query() };
        let (shown, throughout) = world.walk(&query, 7).await;
        let once: BTreeSet<_> = shown.iter().copied().collect();
        assert_eq!(once.len(), shown.len(), "round {round}: shown twice: {query:?}");
        let missed: Vec<_> = throughout.difference(&once).collect();
        assert!(missed.is_empty(), "round {round}: {missed:?} not shown: {query:?}");
    }
}

#[tokio::test]
async fn nothing_is_left_when_every_item_is_erased() {
    let (mut world, keys) = world(3).await;
    // Enough for bitmaps, and for the way back to rows.
    for _ in 0..1400 {
        let said = world.mention();
        world.store.add_missed(&world.tenant, said).await.unwrap();
    }
    assert!(keys().iter().any(|key| key.contains(":post:")));
    for kind in SOURCES {
        for id in 0..40 {
            let item = gleaner_model::ItemKey {
                source_type: kind.parse().unwrap(),
                external_id: id.to_string().parse().unwrap(),
            };
            world.store.erase_item(&world.tenant, &item).await.unwrap();
        }
    }
    world.store.list_tasks(&world.tenant, &TaskQuery::default()).await.unwrap();
    assert_eq!(keys_of_tasks(&keys()), Vec::<&String>::new());
}

#[tokio::test]
async fn a_cursor_is_refused_by_another_list() {
    let (mut world, _) = world(4).await;
    for _ in 0..30 {
        let said = world.mention();
        world.store.add_missed(&world.tenant, said).await.unwrap();
    }
    let query = TaskQuery { limit: 5, ..TaskQuery::default() };
    let cursor = world.store.list_tasks(&world.tenant, &query).await.unwrap().next_cursor;
    for other in [
        TaskQuery { sort: Sort::Priority, cursor: cursor.clone(), ..query.clone() },
        TaskQuery { q: Some("send".to_owned()), cursor: cursor.clone(), ..query.clone() },
        TaskQuery { cursor: Some("nonsense".to_owned()), ..query.clone() },
    ] {
        assert!(matches!(world.store.list_tasks(&world.tenant, &other).await, Err(Error::InvalidCursor)));
    }
    assert!(world.store.list_tasks(&world.tenant, &TaskQuery { limit: 9, cursor, ..query }).await.is_ok());
}

#[tokio::test]
async fn a_long_posting_that_an_upgrade_brought_is_found_to_be_one_when_a_task_comes_under_it() {
    let server = RedisServer::start(&["--appendonly", "no"]);
    let store = Store::connect(&StoreConfig::at(server.url())).await.unwrap();
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    let mut record = async |item_id: &str, tasks: i64| {
        let claim = running(&store, &mut consumer, item_id).await;
        let said = (0..tasks).map(|n| create(mention(item_id, "send the report", n))).collect();
        let found = store.candidates(&tenant("a"), &item(item_id, "").key, &[]).await.unwrap();
        assert_eq!(store.complete(&claim, &plan(&found, said)).await.unwrap(), Completion::Applied);
    };
    record("1", 300).await;
    index(&store).await;
    let keys = |pattern: &str| server.cli(&["--scan", "--pattern", pattern]).trim().to_owned();
    // An upgrade names none.
    server.cli(&["DEL", &keys("*:long:0")]);
    record("2", 1).await;
    index(&store).await;
    let posting = keys("*:post:0:wreport");
    assert_eq!(server.cli(&["BITCOUNT", &posting]).trim(), "301");
    assert_eq!(server.cli(&["GETBIT", &posting, "301"]).trim(), "1");
    assert!(store.erase_item(&tenant("a"), &item("1", "").key).await.unwrap());
    let query = TaskQuery { q: Some("report".to_owned()), limit: 9, ..TaskQuery::default() };
    assert_eq!(store.list_tasks(&tenant("a"), &query).await.unwrap().items.len(), 1);
    assert_eq!(keys("*:long:0"), "", "a short one is a row again");
}
