use gleaner_testkit::job_cost::{JobCost, JobCostBench};

/// Neither commands nor bytes of a job grow with what the tenant holds.
fn assert_flat(first: JobCost, last: JobCost) {
    assert!(last.commands <= 1.5 * first.commands, "{first:?}, then {last:?}");
    assert!(last.bytes <= 1.5 * first.bytes, "{first:?}, then {last:?}");
}

#[tokio::test]
async fn a_job_costs_the_same_however_many_tasks_the_tenant_has() {
    let mut world = JobCostBench::new().await;
    world.fill(300).await;
    let first = world.two_tasks().await;
    world.fill(2_500).await;
    assert_flat(first, world.two_tasks().await);
}

#[tokio::test]
async fn a_further_mention_costs_the_same_however_many_there_are() {
    let mut world = JobCostBench::new().await;
    world.fill(100).await;
    let first = world.mentions(0, 20).await;
    world.mentions(20, 150).await;
    assert_flat(first, world.mentions(150, 250).await);
}
