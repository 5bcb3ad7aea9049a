use crate::world::*;
use gleaner_model::JobStatus;
use gleaner_store::{Error, Store, StoreConfig};
use gleaner_testkit::{redis::RedisServer, wait::until};

/// A master with one replica, and the Sentinel that watches them.
pub struct Watched {
    pub master: RedisServer,
    pub replica: RedisServer,
    pub url: String,
    sentinel: RedisServer,
}

impl Watched {
    pub async fn start() -> Self {
        let settings = ["--appendfsync", "always"];
        let master = RedisServer::start(&settings);
        let port = master.port().to_string();
        let replica = RedisServer::start(&[&settings[..], &["--replicaof", "127.0.0.1", &port]].concat());
        let sentinel = RedisServer::sentinel(&format!(
            "sentinel monitor main 127.0.0.1 {port} 1\n\
             sentinel down-after-milliseconds main 1000\n\
             sentinel failover-timeout main 5000\n"
        ));
        until("the replica", || async {
            replica.cli(&["INFO", "replication"]).contains("master_link_status:up").then_some(())
        })
        .await;
        until("the Sentinel to know the replica", || async {
            sentinel.cli(&["SENTINEL", "REPLICAS", "main"]).contains(&replica.port().to_string()).then_some(())
        })
        .await;
        Self { url: format!("redis+sentinel://127.0.0.1:{}/main", sentinel.port()), master, replica, sentinel }
    }

    /// Until the Sentinels name the replica.
    pub async fn switched(&self) {
        let named = || self.sentinel.cli(&["SENTINEL", "GET-MASTER-ADDR-BY-NAME", "main"]);
        until("the Sentinel to name the replica", || async {
            named().lines().any(|line| line == self.replica.port().to_string()).then_some(())
        })
        .await;
    }
}

#[tokio::test]
async fn the_store_follows_the_master_that_sentinels_name() {
    let mut servers = Watched::start().await;
    let store = Store::connect(&StoreConfig::at(&servers.url)).await.unwrap();
    queue(&store, "a", "1", "text").await;
    until("the first writes at the replica", || async {
        (servers.replica.cli(&["EXISTS", "gleaner:{meta}"]).trim() == "1").then_some(())
    })
    .await;

    servers.master.kill();
    let mut tries = 0;
    while store.accept(&admission("a", "2", "text")).await.is_err() {
        tries += 1;
        assert!(tries < 60, "the replica is promoted");
    }
    assert_eq!(read(&mut store.consumer("w", NEVER).await.unwrap()).await.len(), 2);
    assert!(servers.replica.cli(&["ROLE"]).starts_with("master"));
}

#[tokio::test]
async fn what_is_accepted_survives_its_master_where_a_replica_is_waited_for() {
    for replicas in [0, 1] {
        let mut servers = Watched::start().await;
        let mut config = StoreConfig::at(&servers.url);
        config.wait_replicas = replicas;
        let store = Store::connect(&config).await.unwrap();
        queue(&store, "a", "1", "text").await;
        servers.master.cli(&["WAIT", "1", "60000"]);
        // The replica hears of nothing any more.
        servers.replica.freeze();
        servers.master.cli(&["CLIENT", "KILL", "TYPE", "replica"]);
        let next = admission("a", "2", "text");
        let told = store.accept(&next).await;
        servers.master.kill();
        servers.replica.thaw();
        servers.switched().await;
        let survived = || store.job(&next.tenant, next.job_id);
        if replicas == 0 {
            queued(told.unwrap().outcome);
            assert_eq!(survived().await.unwrap(), None, "without it an answer comes before a replica has anything");
            continue;
        }
        assert!(matches!(told, Err(Error::Unavailable(_))), "{told:?}");
        // The new master has no replica until the old one is back.
        servers.master.run();
        let mut tries = 0;
        while store.accept(&next).await.is_err() {
            tries += 1;
            assert!(tries < 60, "the old master is a replica");
        }
        assert_eq!(survived().await.unwrap().unwrap().status, JobStatus::Accepted);
    }
}
