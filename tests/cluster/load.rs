//! A steady stream of submissions and lists, while something is done to the installation.

use crate::client::ClusterClient;
use std::{
    future::Future,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::{
    task::JoinSet,
    time::{MissedTickBehavior, interval},
};

/// What the clients saw.
pub struct LoadReport {
    /// How many requests were answered as they should be.
    pub answered: usize,
    /// Why the others were not.
    pub failures: Vec<String>,
    /// The jobs that were accepted.
    pub jobs: Vec<String>,
}

/// Sends `per_second` requests, every other one a submission, until `work` is done.
///
/// Half of them come on connections that are kept, half on new ones: both must outlive a pod that goes.
pub async fn during<T>(
    client: &ClusterClient,
    name: &str,
    per_second: u32,
    work: impl Future<Output = T>,
) -> (T, LoadReport) {
    let ended = Arc::new(AtomicBool::new(false));
    let stream = tokio::spawn(send(client.clone(), name.to_owned(), per_second, Arc::clone(&ended)));
    let done = work.await;
    ended.store(true, Ordering::Relaxed);
    (done, stream.await.unwrap())
}

async fn send(client: ClusterClient, name: String, per_second: u32, ended: Arc<AtomicBool>) -> LoadReport {
    let (kept, fresh) = (client.clone(), client.reconnecting());
    let (answered, failures, jobs) =
        (Arc::<AtomicUsize>::default(), Arc::<Mutex<Vec<_>>>::default(), Arc::<Mutex<Vec<_>>>::default());
    let mut ticks = interval(Duration::from_secs(1) / per_second);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let mut requests = JoinSet::new();
    for number in 0_u32.. {
        if ended.load(Ordering::Relaxed) {
            break;
        }
        ticks.tick().await;
        let client = if number % 4 < 2 { kept.clone() } else { fresh.clone() };
        let (answered, failures, jobs) = (Arc::clone(&answered), Arc::clone(&failures), Arc::clone(&jobs));
        let external_id = format!("{name}-{number}");
        requests.spawn(async move {
            let outcome = if number % 2 == 0 {
                client.try_submit(&external_id).await.map(|job| jobs.lock().unwrap().push(job))
            } else {
                client.try_list().await.map(drop)
            };
            match outcome {
                Ok(()) => drop(answered.fetch_add(1, Ordering::Relaxed)),
                Err(why) => failures.lock().unwrap().push(why),
            }
        });
    }
    while requests.join_next().await.is_some() {}
    let failures = std::mem::take(&mut *failures.lock().unwrap());
    let jobs = std::mem::take(&mut *jobs.lock().unwrap());
    LoadReport { answered: answered.load(Ordering::Relaxed), failures, jobs }
}
