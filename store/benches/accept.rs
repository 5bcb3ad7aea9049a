//! How fast submissions are accepted, beside a bare `XADD` of the same bytes on the same kind of connection.
//!
//! `cargo bench -p gleaner-store --bench accept`. Both sides have 64 calls under way at a time; the append-only file is
//! on, as an installation should have it. Prints submissions a second and the server's processor time for each.

use futures::future::join_all;
use gleaner_model::TenantId;
use gleaner_store::{Store, StoreConfig};
use gleaner_testkit::{
    fixture::{admission, item},
    redis::RedisServer,
};
use std::time::Instant;

const AT_ONCE: usize = 64;

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        for (bytes, count) in [(5_000, 20_000), (60_000, 4_000)] {
            let reference = bare(bytes, count).await;
            let ours = accept(bytes, count).await;
            println!("{bytes:>6} bytes  ratio {:.2}", ours / reference);
        }
    });
}

async fn bare(bytes: usize, count: usize) -> f64 {
    let server = RedisServer::start(&[]);
    let client = redis::Client::open(server.url()).expect("a URL");
    let config = redis::AsyncConnectionConfig::new().set_response_timeout(None).set_pipeline_buffer_size(1024);
    let connection = client.get_multiplexed_async_connection_with_config(&config).await.expect("a connection");
    let body = text(bytes);
    let one = async |_| {
        let mut cmd = redis::cmd("XADD");
        cmd.arg(&["bare", "*", "body"]).arg(&body);
        cmd.query_async::<String>(&mut connection.clone()).await.expect("an answer");
    };
    measure("bare XADD", &server, bytes, count, one).await
}

async fn accept(bytes: usize, count: usize) -> f64 {
    let server = RedisServer::start(&[]);
    let store = Store::connect(&StoreConfig::at(server.url())).await.expect("a store");
    let transcript = text(bytes);
    let one = async |n: usize| {
        store.accept(&admission(&TenantId::default(), item(&format!("m-{n}"), &transcript))).await.expect("an answer");
    };
    measure("accept", &server, bytes, count, one).await
}

async fn measure(name: &str, server: &RedisServer, bytes: usize, count: usize, one: impl AsyncFn(usize)) -> f64 {
    let (busy, start) = (processor_s(server), Instant::now());
    let lane = async |lane: usize| {
        for n in (lane..count).step_by(AT_ONCE) {
            one(n).await;
        }
    };
    join_all((0..AT_ONCE).map(&lane)).await;
    let rate = count as f64 / start.elapsed().as_secs_f64();
    let each_us = (processor_s(server) - busy) * 1e6 / count as f64;
    println!("{bytes:>6} bytes  {name:<9}  {rate:>8.0}/s  server {each_us:>5.0} µs each");
    rate
}

/// Processor time that the server has used.
fn processor_s(server: &RedisServer) -> f64 {
    let info = server.cli(&["INFO", "cpu"]);
    let field = |name: &str| info.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<f64>().ok());
    field("used_cpu_sys:").unwrap_or(0.0) + field("used_cpu_user:").unwrap_or(0.0)
}

fn text(bytes: usize) -> String {
    "Dana: I will send the revised plan by Friday.\n".chars().cycle().take(bytes).collect()
}
