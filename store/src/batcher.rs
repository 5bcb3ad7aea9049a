//! Submissions on their way to the store, many in one call.
//!
//! A submission goes at once while few calls for its partition are under way. What comes meanwhile goes together with
//! the next call, so that under load many share the fixed cost of one, and alone nobody waits for a batch.

use crate::{Error, Store, accept::SubmissionArguments};
use redis::Value;
use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};
use tokio::{sync::oneshot, time::Instant};

/// Calls of one partition that may be under way.
const MAX_CALLS: usize = 2;
/// Most submissions of a call: the server does nothing else meanwhile.
const MAX_SUBMISSIONS: usize = 32;
/// Bytes from which on a call takes no more.
const FULL_BYTES: usize = 256 * 1024;

/// What waits to be sent to one partition.
#[derive(Default)]
pub(crate) struct Batcher(Mutex<Queue>);

#[derive(Default)]
struct Queue {
    /// Senders at work.
    senders: usize,
    waiting: VecDeque<Waiting>,
}

struct Waiting {
    submission: SubmissionArguments,
    answer: oneshot::Sender<Result<Vec<Value>, Error>>,
}

impl Batcher {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts one at the end. Returns whether another sender is wanted.
    fn put(&self, waiting: Waiting) -> bool {
        let mut queue = self.lock();
        queue.waiting.push_back(waiting);
        let wanted = queue.senders < MAX_CALLS;
        queue.senders += usize::from(wanted);
        wanted
    }

    /// The next ones that somebody still waits for; empty when the sender is to end.
    fn take(&self) -> Vec<Waiting> {
        let mut queue = self.lock();
        let (mut taken, mut bytes) = (Vec::new(), 0);
        while taken.len() < MAX_SUBMISSIONS && bytes < FULL_BYTES {
            let Some(next) = queue.waiting.pop_front() else { break };
            if !next.answer.is_closed() {
                bytes += next.submission.iter().map(Vec::len).sum::<usize>();
                taken.push(next);
            }
        }
        // Under the same lock: whoever comes next sees that nobody sends.
        queue.senders -= usize::from(taken.is_empty());
        taken
    }
}

/// Sends what waits, batch by batch. Makes room for another sender also where it ends before its time.
struct BatchSender {
    store: Store,
    partition: u16,
    /// Whether it was told to end, and is no longer counted.
    dismissed: bool,
}

impl BatchSender {
    fn batcher(&self) -> &Batcher {
        &self.store.0.batchers[usize::from(self.partition)]
    }

    async fn flush(mut self) {
        loop {
            let batch = self.batcher().take();
            if batch.is_empty() {
                self.dismissed = true;
                break;
            }
            let submissions = batch.iter().map(|waiting| &waiting.submission);
            let mut answers = self.store.accept_all(self.partition, submissions).await.map(Vec::into_iter);
            for waiting in batch {
                let answer = match &mut answers {
                    Ok(answers) => answers.next().unwrap_or_else(|| Err(Error::corrupt("an answer is missing"))),
                    Err(error) => Err(error.clone()),
                };
                // Who does not wait any more has been told that the store was too slow.
                let _ = waiting.answer.send(answer);
            }
        }
    }
}

impl Drop for BatchSender {
    fn drop(&mut self) {
        self.batcher().lock().senders -= usize::from(!self.dismissed);
    }
}

impl Store {
    /// Sends a submission with the next call for its partition.
    pub(crate) async fn submit_batched(
        &self,
        partition: u16,
        submission: SubmissionArguments,
    ) -> Result<Vec<Value>, Error> {
        let (answer, answered) = oneshot::channel();
        if self.0.batchers[usize::from(partition)].put(Waiting { submission, answer }) {
            tokio::spawn(BatchSender { store: self.clone(), partition, dismissed: false }.flush());
        }
        let ending = |_| Err(Error::Unavailable("the process is ending".to_owned()));
        // Those before it may be waiting for a store that answers nobody.
        match self.0.accepting.before_deadline(Instant::now(), answered).await {
            Some(answer) => answer.unwrap_or_else(ending),
            None => Err(Error::Unavailable("no answer in time".to_owned())),
        }
    }
}
