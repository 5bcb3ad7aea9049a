//! The loop: read ahead, take over what others lost, keep what is held, give back what was not begun.

use crate::{
    Worker,
    metrics::JobOutcome,
    prefetch::{QueueKind, ReadAhead},
    process::process,
};
use futures::FutureExt as _;
use gleaner_runtime::Shutdown;
use gleaner_store::{Consumer, Delivery, Error, Wake};
use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

/// Longest wait for something to read before asking whether the connection still lives.
const MAX_QUIET: Duration = Duration::from_secs(2);
/// Time between two looks for lost deliveries; each worker's own differs a little.
const TAKEOVER_EVERY: Duration = Duration::from_secs(4);
/// Heartbeats within the silence after which a delivery is taken over: one may come late, and one may get lost.
const HEARTBEATS: u32 = 4;
/// Delay after more was read for the model than waits here.
const OVERFULL_DELAY: Duration = Duration::from_millis(200);
/// Delay after the store could not be asked.
const RETRY_DELAY: Duration = Duration::from_millis(500);

/// Processes what the reader has put down, one delivery at a time; several of these run side by side.
pub async fn work(worker: Arc<Worker>, queue: QueueKind) {
    while let Some(delivery) = worker.prefetch.next(queue).await {
        // Whatever happens to one delivery, this one goes on to the next, and nobody sends heartbeats for a lost one.
        let outcome =
            AssertUnwindSafe(process(&worker, delivery.clone())).catch_unwind().await.unwrap_or(JobOutcome::Left);
        worker.prefetch.finish(&delivery);
        if outcome == JobOutcome::Left {
            tokio::time::sleep(RETRY_DELAY).await;
        }
    }
}

/// Reads until a graceful shutdown begins, then gives back what was not begun.
pub async fn fetch_loop(worker: Arc<Worker>, mut consumer: Consumer, shutdown: Shutdown) {
    let mut next_takeover = Instant::now();
    while !shutdown.is_stopping() {
        if let Err(error) = round(&worker, &mut consumer, &mut next_takeover, &shutdown).await {
            worker.metrics.store_errors.inc();
            tracing::warn!(error = %error, "Cannot read from the queue; trying again");
            tokio::time::sleep(RETRY_DELAY).await;
        }
    }
    give_back(&worker).await;
}

/// One round of the loop. The shutdown ends waiting, never reading: what has been read is given back.
async fn round(
    worker: &Worker,
    consumer: &mut Consumer,
    next_takeover: &mut Instant,
    shutdown: &Shutdown,
) -> Result<(), Error> {
    let Some(ReadAhead { room, passed_over }) = worker.prefetch.read_ahead() else {
        tokio::select! {
            () = worker.prefetch.room_freed() => {}
            () = shutdown.stopping() => {}
        }
        return Ok(());
    };
    consumer.pass_over(passed_over);
    let quiet = MAX_QUIET.min(next_takeover.saturating_duration_since(Instant::now()));
    let wake = if quiet.is_zero() {
        Wake::GivenBack
    } else {
        tokio::select! {
            wake = consumer.wait(quiet) => wake?,
            // Who was passed over may be read again.
            () = worker.prefetch.room_freed() => return Ok(()),
            () = shutdown.stopping() => return Ok(()),
        }
    };
    if wake == Wake::GivenBack {
        *next_takeover = Instant::now() + TAKEOVER_EVERY + jitter();
        let reclaimed = consumer.reclaim(room).await?;
        worker.metrics.dead_letters.inc_by(reclaimed.dead_lettered);
        worker.metrics.taken_over.inc_by(reclaimed.deliveries.len() as u64);
        if reclaimed.dead_lettered > 0 {
            tracing::warn!(queue.dead_lettered = reclaimed.dead_lettered, "Gave up jobs that no worker survived");
        }
        take(worker, reclaimed.deliveries).await?;
    }
    if let Some(ReadAhead { room, passed_over }) = worker.prefetch.read_ahead() {
        consumer.pass_over(passed_over);
        take(worker, consumer.read(room).await?).await?;
    }
    Ok(())
}

/// Holds what was read. What waits for the model beyond measure goes back, so that it takes no room from what does not.
async fn take(worker: &Worker, deliveries: Vec<Delivery>) -> Result<(), Error> {
    worker.metrics.deliveries.inc_by(deliveries.len() as u64);
    let beyond = worker.prefetch.put(deliveries, |tenant| worker.extractor.queue(tenant));
    if !beyond.is_empty() {
        worker.store.release(&beyond.iter().collect::<Vec<_>>()).await?;
        tokio::time::sleep(OVERFULL_DELAY).await;
    }
    Ok(())
}

/// Up to a second, so that workers that started together do not look together.
fn jitter() -> Duration {
    Duration::from_millis(u64::from(rand::random::<u16>()) % 1000)
}

/// Sends a heartbeat for everything held, until the process is to end and all of it is done.
pub async fn keep(worker: Arc<Worker>, shutdown: Shutdown) {
    let done = async {
        shutdown.stopping().await;
        worker.prefetch.emptied().await;
    };
    tokio::select! {
        () = done => {}
        () = heartbeat(&worker) => {}
    }
}

async fn heartbeat(worker: &Worker) {
    let mut ticks = interval(worker.takeover / HEARTBEATS);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let held = worker.prefetch.all();
        let deliveries: Vec<&Delivery> = held.iter().map(AsRef::as_ref).collect();
        // What is no longer ours needs no word: beginning or ending it changes nothing.
        if let Err(error) = worker.store.heartbeat(&deliveries).await {
            worker.metrics.store_errors.inc();
            tracing::warn!(error = %error, "Cannot send a heartbeat; another worker may take over what is held here");
        }
    }
}

async fn give_back(worker: &Worker) {
    let waiting = worker.prefetch.close();
    let deliveries: Vec<&Delivery> = waiting.iter().map(AsRef::as_ref).collect();
    match timeout(Duration::from_secs(5), worker.store.release(&deliveries)).await {
        Ok(Ok(count)) => tracing::info!(queue.released = count, "Gave back what was not begun"),
        Ok(Err(error)) => tracing::warn!(error = %error, "Cannot give back what was not begun; it is taken over later"),
        Err(_) => tracing::warn!("Cannot give back what was not begun in time; it is taken over later"),
    }
}
