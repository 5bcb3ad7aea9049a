//! A real Cluster of three masters, whose slots can be moved.

use crate::redis::RedisServer;
use std::{
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// A running Cluster. `Drop` ends its nodes.
pub struct RedisCluster {
    /// Masters and replicas.
    pub nodes: Vec<RedisServer>,
    /// What a store connects to.
    pub url: String,
}

impl RedisCluster {
    /// Three masters, each with so many replicas.
    pub fn start(replicas: usize) -> Self {
        let nodes: Vec<_> = (0..3 * (replicas + 1))
            .map(|_| RedisServer::start(&["--cluster-enabled", "yes", "--cluster-node-timeout", "5000"]))
            .collect();
        let addresses: Vec<_> = nodes.iter().map(|node| format!("127.0.0.1:{}", node.port())).collect();
        let made = Command::new("redis-cli")
            .args(["--cluster", "create"])
            .args(&addresses)
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
            thread::sleep(Duration::from_millis(50));
        }
        Self { nodes, url: format!("redis+cluster://{}", addresses.join(",")) }
    }

    /// The nodes that are masters now and have slots.
    pub fn masters(&self) -> Vec<usize> {
        let known = self.nodes.iter().map(|node| node.cli(&["CLUSTER", "NODES"])).find(|known| !known.is_empty());
        let known = known.expect("a node is there");
        let serves = |node: &RedisServer| {
            let address = format!(" 127.0.0.1:{}@", node.port());
            let line = known.lines().find(|line| line.contains(&address)).unwrap_or_default();
            line.contains("master") && !line.contains("fail") && line.split(' ').count() > 8
        };
        (0..self.nodes.len()).filter(|at| serves(&self.nodes[*at])).collect()
    }

    /// The node that follows a master.
    pub fn replica_of(&self, master: usize) -> usize {
        let port = self.nodes[master].port().to_string();
        let follows = |role: String| role.starts_with("slave") && role.lines().any(|line| line == port);
        self.nodes.iter().position(|node| follows(node.cli(&["ROLE"]))).expect("it has a replica")
    }

    /// The slot of a key, and which node is its master now.
    pub fn slot_of(&self, key: &str) -> (u16, usize) {
        let slot = self.nodes[0].cli(&["CLUSTER", "KEYSLOT", key]).trim().parse().unwrap();
        let serves = |node: &RedisServer| matches!(node.cli(&["EXISTS", key]).trim(), "0" | "1");
        (slot, self.nodes.iter().position(serves).expect("a master has the slot"))
    }

    /// Begins to move a slot.
    pub fn open(&self, slot: u16, from: usize, to: usize) {
        self.set_slot(to, slot, "IMPORTING", from);
        self.set_slot(from, slot, "MIGRATING", to);
    }

    /// The keys of a slot at a node.
    pub fn keys(&self, slot: u16, at: usize) -> Vec<Vec<u8>> {
        let cmd = |count: usize| redis_cmd(&["CLUSTER", "GETKEYSINSLOT", &slot.to_string(), &count.to_string()]);
        cmd(1_000_000).query(&mut self.connection(at)).unwrap()
    }

    /// Moves keys of an open slot.
    pub fn migrate(&self, from: usize, to: usize, keys: &[Vec<u8>]) {
        let port = self.nodes[to].port().to_string();
        let mut cmd = redis_cmd(&["MIGRATE", "127.0.0.1", &port, "", "0", "60000", "KEYS"]);
        cmd.arg(keys).query::<()>(&mut self.connection(from)).unwrap();
    }

    /// The slot has moved.
    pub fn close(&self, slot: u16, to: usize) {
        self.set_slot(to, slot, "NODE", to);
        for at in self.masters() {
            self.set_slot(at, slot, "NODE", to);
        }
    }

    fn set_slot(&self, at: usize, slot: u16, state: &str, other: usize) {
        let id = self.nodes[other].cli(&["CLUSTER", "MYID"]);
        let answer = self.nodes[at].cli(&["CLUSTER", "SETSLOT", &slot.to_string(), state, id.trim()]);
        assert_eq!(answer.trim(), "OK");
    }

    fn connection(&self, at: usize) -> ::redis::Connection {
        ::redis::Client::open(self.nodes[at].url()).unwrap().get_connection().unwrap()
    }
}

fn redis_cmd(words: &[&str]) -> ::redis::Cmd {
    let mut cmd = ::redis::cmd(words[0]);
    cmd.arg(&words[1..]);
    cmd
}
