use crate::{redis::RedisServer, world::*};
use gleaner_store::{Store, StoreConfig};
use std::time::Duration;

#[tokio::test]
async fn the_store_follows_the_master_that_sentinels_name() {
    let mut master = RedisServer::start(&[]);
    let port = master.port().to_string();
    let replica = RedisServer::start(&["--replicaof", "127.0.0.1", &port]);
    let sentinel = RedisServer::sentinel(&format!(
        "sentinel monitor main 127.0.0.1 {port} 1\n\
         sentinel down-after-milliseconds main 1000\n\
         sentinel failover-timeout main 5000\n"
    ));
    let config = StoreConfig::at(format!("redis+sentinel://127.0.0.1:{}/main", sentinel.port()));
    let store = Store::connect(&config).await.unwrap();
    queue(&store, "a", "1", "text").await;
    until(|| replica.cli(&["INFO", "replication"]).contains("master_link_status:up")).await;
    until(|| sentinel.cli(&["SENTINEL", "REPLICAS", "main"]).contains(&replica.port().to_string())).await;
    until(|| replica.cli(&["EXISTS", "gleaner:{meta}"]).trim() == "1").await;

    master.kill();
    let mut tries = 0;
    while store.accept(&admission("a", "2", "text")).await.is_err() {
        tries += 1;
        assert!(tries < 60, "the replica is promoted");
    }
    assert_eq!(read(&mut store.consumer("w", NEVER).await.unwrap()).await.len(), 2);
    assert!(replica.cli(&["ROLE"]).starts_with("master"));
}

async fn until(mut holds: impl FnMut() -> bool) {
    for _ in 0..600 {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("it never came true");
}
