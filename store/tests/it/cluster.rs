use crate::{notes::*, world::*};
use gleaner_model::JobStatus;
use gleaner_store::{Error, Store, StoreConfig, TaskQuery};
use gleaner_testkit::{cluster::RedisCluster, redis::RedisServer};
use std::time::{Duration, Instant};

#[tokio::test]
async fn the_whole_route_works_on_a_cluster() {
    let cluster = RedisCluster::start(0);
    // One URL names the cluster, the other a server that turns out to be part of one.
    for (prefix, url) in [("one", cluster.url.clone()), ("two", cluster.nodes[1].url())] {
        let mut config = StoreConfig::at(url);
        config.prefix = prefix.to_owned();
        let store = Store::connect(&config).await.unwrap();
        store.ping().await.unwrap();
        let mut consumer = store.consumer("w", AT_ONCE).await.unwrap();
        let tenants: Vec<_> = (0..12).map(|n| format!("tenant-{n}")).collect();
        for name in &tenants {
            queue(&store, name, "1", "text").await;
        }
        let mut deliveries = Vec::new();
        while deliveries.len() < tenants.len() {
            deliveries.append(&mut read(&mut consumer).await);
            consumer.wait(Duration::from_millis(200)).await.unwrap();
        }
        assert!(store.heartbeat(&deliveries.iter().collect::<Vec<_>>()).await.unwrap().is_empty());
        for delivery in &deliveries {
            fail(&store, delivery).await;
            let job = store.job(&delivery.tenant, delivery.job_id).await.unwrap().unwrap();
            assert_eq!(job.status, JobStatus::Failed);
            store.requeue(&delivery.tenant, delivery.job_id).await.unwrap();
            assert!(store.erase_item(&delivery.tenant, &item("1", "").key).await.unwrap());
        }
        assert_eq!(consumer.reclaim(ROOM).await.unwrap().deliveries.len(), 0);
        assert_eq!(store.sweep().await.unwrap(), 0);
        assert_eq!(store.depth().await.unwrap().iter().map(|d| d.waiting + d.pending + d.dead).sum::<u64>(), 0);
    }
}

#[tokio::test]
async fn a_worker_on_a_cluster_is_woken_from_any_node() {
    let cluster = RedisCluster::start(0);
    let store = Store::connect(&StoreConfig::at(cluster.nodes[0].url())).await.unwrap();
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    for n in 0..8 {
        while !read(&mut consumer).await.is_empty() {}
        queue(&store, &format!("tenant-{n}"), "1", "text").await;
        let woken = tokio::time::timeout(Duration::from_secs(60), consumer.wait(Duration::from_secs(300))).await;
        woken.expect("it wakes").unwrap();
        assert_eq!(read(&mut consumer).await.len(), 1);
    }
}

#[tokio::test]
async fn a_replica_takes_the_place_of_a_master_that_was_killed() {
    let RedisCluster { mut nodes, url } = RedisCluster::start(1);
    let store = Store::connect(&StoreConfig::at(url)).await.unwrap();
    let tenants: Vec<_> = (0..12).map(|n| format!("tenant-{n}")).collect();
    let mut jobs = Vec::new();
    for name in &tenants {
        jobs.push((tenant(name), queue(&store, name, "1", "text").await.job_id));
    }
    // What was accepted a moment ago may not have reached a replica: that is the risk of a RedisCluster, and not tried here.
    let end = Instant::now() + Duration::from_secs(60);
    let waits = |node: &&RedisServer| node.cli(&["WAIT", "1", "1000"]).trim() == "1";
    while nodes.iter().filter(|node| node.cli(&["ROLE"]).starts_with("master")).filter(waits).count() < 3 {
        assert!(Instant::now() < end, "replicas follow");
    }
    let master = nodes.iter().position(|node| node.cli(&["ROLE"]).starts_with("master")).unwrap();
    nodes[master].kill();
    for name in &tenants {
        let (next, end) = (admission(name, "2", "text"), Instant::now() + Duration::from_secs(90));
        let accepted = loop {
            match store.accept(&next).await {
                Ok(admitted) => break queued(admitted.outcome),
                Err(error) => assert!(error.is_transient() && Instant::now() < end, "{error}"),
            }
        };
        jobs.push((tenant(name), accepted.job_id));
    }
    for (tenant, id) in jobs {
        assert_eq!(store.job(&tenant, id).await.unwrap().unwrap().status, JobStatus::Accepted);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn while_its_slot_is_moved_a_partition_waits_and_nothing_is_seen_or_done_by_halves() {
    let cluster = RedisCluster::start(0);
    let mut config = StoreConfig::at(&cluster.url);
    (config.partitions, config.timeout_ms) = (1, 1000);
    let store = Store::connect(&config).await.unwrap();
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    let a = tenant("a");
    record(&store, &mut consumer, mention("done", "send the report", 1)).await;
    let mut jobs = Vec::new();
    for n in 0..8 {
        jobs.push(queue(&store, "a", &n.to_string(), "text").await);
    }
    let list = async || store.list_tasks(&a, &TaskQuery { limit: 9, ..TaskQuery::default() }).await;
    let accept = async |name: &str| store.accept(&admission("a", name, "text")).await;

    let (slot, from) = cluster.slot_of("gleaner:{p00}");
    let to = (from + 1) % 3;
    cluster.open(slot, from, to);
    let keys = cluster.keys(slot, from);
    for part in keys.chunks(keys.len() / 3 + 1) {
        // One key is one question: it is found wherever it is.
        for job in &jobs {
            assert_eq!(store.job(&a, job.job_id).await.unwrap().as_ref(), Some(job));
        }
        let refused = accept("refused").await.unwrap_err();
        assert!(matches!(refused, Error::Unavailable(_)), "{refused}");
        assert!(matches!(list().await, Err(Error::Unavailable(_))));
        assert!(matches!(consumer.reclaim(ROOM).await, Err(Error::Unavailable(_))));
        cluster.migrate(from, to, part);
    }
    let end = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        cluster.close(slot, to);
    };
    let (accepted, listed, ()) = tokio::join!(accept("late"), list(), end);
    queued(accepted.unwrap().outcome);
    assert_eq!(listed.unwrap().items.len(), 1);
    assert_eq!(cluster.slot_of("gleaner:{p00}"), (slot, to));
    let read: Vec<_> = read(&mut consumer).await.into_iter().map(|delivery| delivery.job_id).collect();
    assert_eq!(read[..8], jobs.iter().map(|job| job.job_id).collect::<Vec<_>>());
    assert_eq!(read.len(), 9);
}
