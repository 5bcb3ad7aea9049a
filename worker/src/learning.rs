//! What tenants' feedback has taught, as this process knows it: asked for again when a job says that it has changed.

use crate::{Worker, retry::retry_transient};
use gleaner_extract::{Document, Found};
use gleaner_model::{
    Reason, TenantId,
    learning::{Learnt, TaskFeatures},
};
use gleaner_runtime::lock;
use gleaner_store::{Claim, Error, LearningState, TaskChange};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

/// Most tenants that are remembered; beyond that all are asked for again.
const MAX_TENANTS: usize = 256;
/// How long what was learnt is used though nothing was said: lessons fade by the day.
const FADES: Duration = Duration::from_secs(3600);

/// What is known of each tenant, and since when.
pub type LearningCache = Mutex<HashMap<TenantId, (Arc<LearningState>, Instant)>>;

/// What the tenant's feedback had taught when the job began, or later.
///
/// # Errors
/// When the store cannot be asked.
pub async fn state(worker: &Worker, claim: &Claim) -> Result<Arc<LearningState>, Error> {
    if claim.learning == 0 {
        return Ok(Arc::default());
    }
    if let Some(taught) = known(worker, claim) {
        return Ok(taught);
    }
    let taught = match retry_transient(&worker.metrics, || worker.store.learning_state(&claim.tenant)).await {
        Ok(taught) => Arc::new(taught),
        Err(error) if error.is_transient() => return Err(error),
        Err(error) => {
            // A text can be read without what was learnt.
            tracing::error!(error = %error, tenant = %claim.tenant, "Cannot read what feedback has taught");
            Arc::default()
        }
    };
    let mut all = lock(&worker.learning);
    if all.len() >= MAX_TENANTS {
        all.clear();
    }
    all.insert(claim.tenant.clone(), (taught.clone(), Instant::now()));
    Ok(taught)
}

fn known(worker: &Worker, claim: &Claim) -> Option<Arc<LearningState>> {
    let all = lock(&worker.learning);
    let (taught, since) = all.get(&claim.tenant)?;
    (taught.learnt.revision >= claim.learning && since.elapsed() < FADES).then(|| taught.clone())
}

/// Why feedback moved a candidate, with the ratings that did.
#[must_use]
pub fn because(found: &Found, document: &Document<'_>, taught: &LearningState) -> Vec<Reason> {
    if found.shift == 0.0 {
        return Vec::new();
    }
    taught.sources.of_log_odds(&gleaner_extract::learn::features(found, document), found.shift)
}

/// Gives tasks the importance that feedback on others like them has taught.
pub fn rank(changes: &mut [TaskChange], learnt: &Learnt) {
    for change in changes {
        if let TaskChange::Create(record) | TaskChange::Update { after: record, .. } = change
            && let Some(seen) = record.mentions.first()
        {
            record.importance_offset = learnt.shift(&TaskFeatures::of_mention(seen)).importance;
        }
    }
}
