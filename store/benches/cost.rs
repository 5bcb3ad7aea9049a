//! What a job costs the server as the tenant grows, and as one commitment is spoken of again and again.
//!
//! `cargo bench -p gleaner-store --bench cost -- 1000000` (the most tasks and mentions). One job: an item of 5 KB is accepted,
//! read, begun, looked up and recorded with two new tasks, or with a further mention of one. Prints commands, bytes of the
//! append-only file and the server's processor time for a job, and how many times that of the first row it is.

#![allow(clippy::unwrap_used, reason = "a bench that cannot go on panics")]

use gleaner_testkit::job_cost::{JobCost, JobCostBench};

fn print(what: &str, count: usize, cost: JobCost, first: JobCost) {
    println!(
        "{count:>8} {what:10} {:8.0} {:8.0} {:8.0} {:8.2} {:6.2} {:6.2}",
        cost.commands,
        cost.bytes,
        cost.busy,
        cost.commands / first.commands,
        cost.bytes / first.bytes,
        cost.busy / first.busy,
    );
}

async fn run(most: usize) {
    println!("                    commands    bytes       µs    of the first row's");
    let sizes = || [1_000, 10_000, 100_000, 1_000_000].into_iter().filter(|size| *size <= most);
    let (mut world, mut first, mut there) = (JobCostBench::new().await, None, 0);
    for size in sizes() {
        world.fill(size - there).await;
        let cost = world.two_tasks().await;
        there = size + 200;
        print("tasks", size, cost, *first.get_or_insert(cost));
    }
    println!(
        "items of 200 tasks, recorded and erased; percentiles of all scripts in µs: {}",
        world.two_hundred_tasks().await
    );
    let (mut world, mut first, mut there) = (JobCostBench::new().await, None, 0);
    world.fill(1_000).await;
    for size in [1, 100, 10_000, 100_000].into_iter().filter(|size| *size <= most) {
        if size - 1 > there {
            world.mentions(there, size - 1).await;
        }
        let cost = world.mentions(size - 1, size + 99).await;
        there = size + 99;
        print("mentions", size, cost, *first.get_or_insert(cost));
    }
}

fn main() {
    let most = std::env::args().filter_map(|arg| arg.parse().ok()).next_back().unwrap_or(10_000);
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(run(most));
}
