//! Items flow while workers and servers are killed and slots are moved. What became of them is counted: each has one task that no other
//! has, so what was lost has none and what was done twice has two.
//!
//! `GLEANER_TEST_ITEMS=5000 cargo test -p gleaner-store chaos:: -- --nocapture --test-threads=1` is the long run.

use crate::{notes::*, sentinel::Watched, world::*};
use gleaner_store::{Claim, Completion, Delivery, Error, Room, Store, StoreConfig, Takeover, TaskQuery};
use gleaner_testkit::{cluster::RedisCluster, redis::RedisServer, wait::until};
use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};
use tokio::task::{JoinHandle, JoinSet};

const CLIENTS: usize = 8;
const WORKERS: usize = 3;
const TENANTS: usize = 12;
/// Life of a worker.
const LIFE: Duration = Duration::from_millis(400);
/// A worker that dies takes nothing with it for longer than this.
const TAKEOVER: Takeover = Takeover { idle: Duration::from_secs(2), attempts: 10_000 };

/// How many items flow.
fn items() -> usize {
    std::env::var("GLEANER_TEST_ITEMS").map_or(400, |text| text.parse().expect("a number"))
}

#[derive(Debug, PartialEq, Eq)]
struct Count {
    accepted: usize,
    once: usize,
    twice: usize,
    lost: usize,
}

/// Items on their way; workers that are killed one after another.
struct Flow {
    store: Store,
    accepted: Arc<AtomicUsize>,
    clients: JoinSet<()>,
    workers: JoinHandle<()>,
    fate: Arc<Fate>,
}

/// What workers came to.
#[derive(Default)]
struct Fate {
    killed: AtomicUsize,
    /// Those that hang with something that they have begun.
    hanging: AtomicUsize,
}

impl Flow {
    async fn start(config: &StoreConfig) -> Self {
        let store = Store::connect(config).await.unwrap();
        let (accepted, fate) = (Arc::<AtomicUsize>::default(), Arc::<Fate>::default());
        let mut clients = JoinSet::new();
        for client in 0..CLIENTS {
            clients.spawn(submit(store.clone(), client, accepted.clone()));
        }
        let workers = tokio::spawn(come_and_go(config.clone(), fate.clone()));
        Self { store, accepted, clients, workers, fate }
    }

    /// Until that share of the items is accepted.
    async fn reaches(&self, percent: usize) {
        let part = items() * percent / 100;
        until("that share of the items", || async { (self.accepted.load(SeqCst) >= part).then_some(()) }).await;
    }

    /// Waits until all is accepted and done, and counts.
    async fn end(self, what: &str) -> Count {
        self.clients.join_all().await;
        let waits = async || {
            let depths = self.store.depth().await;
            depths.map_or(1, |depths| depths.iter().map(|depth| depth.waiting + depth.pending).sum::<u64>())
        };
        while waits().await > 0 || self.fate.hanging.load(SeqCst) > 0 {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let mut done = BTreeMap::<_, usize>::new();
        for to in 0..TENANTS {
            let mut query = TaskQuery { limit: 200, ..TaskQuery::default() };
            loop {
                let page = self.store.list_tasks(&tenant(&format!("tenant-{to}")), &query).await.unwrap();
                for task in page.items {
                    *done.entry(task.mentions[0].item.external_id.to_string()).or_default() += 1;
                }
                query.cursor = page.next_cursor;
                if query.cursor.is_none() {
                    break;
                }
            }
        }
        self.workers.abort();
        let of = |times: fn(usize) -> bool| {
            (0..items()).filter(|n| times(done.get(&n.to_string()).copied().unwrap_or_default())).count()
        };
        let (once, twice, lost) = (of(|n| n == 1), of(|n| n > 1), of(|n| n == 0));
        let count = Count { accepted: self.accepted.load(SeqCst), once, twice, lost };
        println!("{what}: {count:?}, {} workers killed", self.fate.killed.load(SeqCst));
        count
    }
}

/// Every so many-th item, each until it is accepted.
async fn submit(store: Store, client: usize, accepted: Arc<AtomicUsize>) {
    for n in (client..items()).step_by(CLIENTS) {
        let next = admission(&format!("tenant-{}", n % TENANTS), &n.to_string(), "text");
        while let Err(error) = store.accept(&next).await {
            assert!(error.is_transient(), "{error}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        accepted.fetch_add(1, SeqCst);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Workers, of whom the oldest dies in the middle of what it does and is followed by another.
async fn come_and_go(config: StoreConfig, fate: Arc<Fate>) {
    let mut workers = JoinSet::new();
    let mut handles = std::collections::VecDeque::new();
    for number in 0.. {
        handles.push_back(workers.spawn(work(config.clone(), format!("w{number}"), fate.clone())));
        if handles.len() > WORKERS {
            handles.pop_front().unwrap().abort();
            fate.killed.fetch_add(1, SeqCst);
        }
        tokio::time::sleep(LIFE).await;
    }
}

async fn work(config: StoreConfig, name: String, fate: Arc<Fate>) {
    let mut turn = 0;
    loop {
        // What fails is tried again: the store may be away.
        let Err(error) = serve(&config, &format!("{name}-{turn}"), &fate).await;
        assert!(error.is_transient(), "{error}");
        tokio::time::sleep(Duration::from_millis(100)).await;
        turn += 1;
    }
}

async fn serve(config: &StoreConfig, name: &str, fate: &Arc<Fate>) -> Result<std::convert::Infallible, Error> {
    let store = Store::connect(config).await?;
    let mut consumer = store.consumer(name, TAKEOVER).await?;
    let room = Room { entries: 8, bytes: 1 << 20 };
    loop {
        let mut deliveries = consumer.read(room).await?;
        deliveries.append(&mut consumer.reclaim(room).await?.deliveries);
        for delivery in &deliveries {
            process(&store, delivery, fate).await?;
        }
        consumer.wait(Duration::from_millis(200)).await?;
    }
}

/// Begins a job and ends it. Every tenth is first begun by one that hangs until another has done it, and then goes on.
async fn process(store: &Store, delivery: &Delivery, fate: &Arc<Fate>) -> Result<(), Error> {
    let Some(claim) = store.begin(delivery).await? else { return Ok(()) };
    if claim.attempt > 1 || !delivery.seq.is_multiple_of(10) {
        return finish(store, delivery, &claim).await;
    }
    fate.hanging.fetch_add(1, SeqCst);
    let (store, delivery, fate) = (store.clone(), delivery.clone(), fate.clone());
    tokio::spawn(async move {
        let job = || store.job(&delivery.tenant, delivery.job_id);
        while job().await.map_or(true, |job| job.is_some_and(|job| !job.status.is_final())) {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        while finish(&store, &delivery, &claim).await.is_err() {}
        fate.hanging.fetch_sub(1, SeqCst);
    });
    Ok(())
}

/// Records a task anew whenever it is allowed to: if that happens twice, there are two.
async fn finish(store: &Store, delivery: &Delivery, claim: &Claim) -> Result<(), Error> {
    let key = delivery.payload()?.item.key;
    let said = mention(key.external_id.as_str(), "send the report", 1);
    loop {
        let found = store.candidates(&delivery.tenant, &key, &said.links).await?;
        let plan = plan(&found, vec![create(said.clone())]);
        if store.complete(claim, &plan).await? != Completion::Conflict {
            return Ok(());
        }
    }
}

/// Kills a master whose replica has heard nothing for a moment: what a fail-over may lose is lost.
async fn lose(master: &mut RedisServer, replica: &RedisServer) {
    replica.freeze();
    master.cli(&["CLIENT", "KILL", "TYPE", "replica"]);
    tokio::time::sleep(Duration::from_millis(500)).await;
    master.kill();
    replica.thaw();
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_single_server_that_is_killed_nothing_accepted_is_lost_and_nothing_is_done_twice() {
    let mut server = RedisServer::start(&["--appendfsync", "always"]);
    let flow = Flow::start(&StoreConfig::at(server.url())).await;
    for part in [25, 60] {
        flow.reaches(part).await;
        server.kill();
        server.run();
    }
    let all = Count { accepted: items(), once: items(), twice: 0, lost: 0 };
    assert_eq!(flow.end("single server").await, all);
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_cluster_slots_are_moved_and_a_master_is_killed_and_what_replicas_have_is_done_once() {
    for replicas in [0, 1] {
        let mut cluster = RedisCluster::start(1);
        let mut config = StoreConfig::at(&cluster.url);
        config.wait_replicas = replicas;
        let flow = Flow::start(&config).await;
        for partition in 0..4 {
            flow.reaches(10 + 10 * partition).await;
            let key = format!("gleaner:{{p{partition:02}}}");
            let (slot, from) = cluster.slot_of(&key);
            let to = cluster.masters().into_iter().find(|master| *master != from).unwrap();
            cluster.open(slot, from, to);
            let keys = cluster.keys(slot, from);
            for part in keys.chunks(keys.len() / 5 + 1) {
                cluster.migrate(from, to, part);
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            assert_eq!(cluster.keys(slot, from).len(), 0, "nothing is written where all is to go");
            cluster.close(slot, to);
        }
        flow.reaches(60).await;
        let size = |master: &usize| cluster.nodes[*master].cli(&["DBSIZE"]).trim().parse::<usize>().unwrap();
        let master = cluster.masters().into_iter().max_by_key(size).unwrap();
        let replica = cluster.replica_of(master);
        let [lost, heir] = cluster.nodes.get_disjoint_mut([master, replica]).unwrap();
        lose(lost, heir).await;
        until("the replica to be the master", || async {
            cluster.nodes[replica].cli(&["ROLE"]).starts_with("master").then_some(())
        })
        .await;
        cluster.nodes[master].run();
        let count = flow.end(&format!("cluster, {replicas} replicas waited for")).await;
        assert_eq!((count.accepted, count.twice), (items(), 0));
        assert!(replicas == 0 || count.lost == 0, "{count:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_sentinels_a_master_is_killed_and_what_replicas_have_is_done_once() {
    for replicas in [0, 1] {
        let mut servers = Watched::start().await;
        let mut config = StoreConfig::at(&servers.url);
        config.wait_replicas = replicas;
        let flow = Flow::start(&config).await;
        flow.reaches(40).await;
        lose(&mut servers.master, &servers.replica).await;
        // A master that is back before is one for those who ask meanwhile, until it is told otherwise.
        servers.switched().await;
        servers.master.run();
        let count = flow.end(&format!("Sentinel, {replicas} replicas waited for")).await;
        assert_eq!((count.accepted, count.twice), (items(), 0));
        assert!(replicas == 0 || count.lost == 0, "{count:?}");
    }
}
