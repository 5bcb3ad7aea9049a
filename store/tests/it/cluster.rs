use crate::{redis::RedisServer, world::*};
use gleaner_model::JobStatus;
use gleaner_store::{Store, StoreConfig};
use std::{
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// Three masters, each with so many replicas.
fn cluster(replicas: usize) -> Vec<RedisServer> {
    let nodes: Vec<_> = (0..3 * (replicas + 1))
        .map(|_| RedisServer::start(&["--cluster-enabled", "yes", "--cluster-node-timeout", "5000"]))
        .collect();
    let addresses = nodes.iter().map(|node| format!("127.0.0.1:{}", node.port()));
    let made = Command::new("redis-cli")
        .args(["--cluster", "create"])
        .args(addresses)
        .args(["--cluster-replicas", &replicas.to_string(), "--cluster-yes"])
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert!(made.success());
    let end = Instant::now() + Duration::from_secs(60);
    let is_up = |node: &RedisServer| {
        let role = node.cli(&["ROLE"]);
        let follows = !role.starts_with("slave") || role.contains("connected");
        follows && node.cli(&["CLUSTER", "INFO"]).contains("cluster_state:ok")
    };
    while !nodes.iter().all(is_up) {
        assert!(Instant::now() < end, "the cluster forms");
        std::thread::sleep(Duration::from_millis(50));
    }
    nodes
}

#[tokio::test]
async fn the_whole_route_works_on_a_cluster() {
    let nodes = cluster(0);
    // One URL names the cluster, the other a server that turns out to be part of one.
    let all: Vec<_> = nodes.iter().map(|node| format!("127.0.0.1:{}", node.port())).collect();
    for (prefix, url) in [("one", format!("redis+cluster://{}", all.join(","))), ("two", nodes[1].url())] {
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
        assert!(store.keep(&deliveries.iter().collect::<Vec<_>>()).await.unwrap().is_empty());
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
    let nodes = cluster(0);
    let store = Store::connect(&StoreConfig::at(nodes[0].url())).await.unwrap();
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
    let mut nodes = cluster(1);
    let all: Vec<_> = nodes.iter().map(|node| format!("127.0.0.1:{}", node.port())).collect();
    let store = Store::connect(&StoreConfig::at(format!("redis+cluster://{}", all.join(",")))).await.unwrap();
    let tenants: Vec<_> = (0..12).map(|n| format!("tenant-{n}")).collect();
    let mut jobs = Vec::new();
    for name in &tenants {
        jobs.push((tenant(name), queue(&store, name, "1", "text").await.job_id));
    }
    // What was accepted a moment ago may not have reached a replica: that is the risk of a Cluster, and not tried here.
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
