//! The engine of this process, off the async threads.

use super::{ExtractError, Extracted};
use crate::cpu::CpuShares;
use gleaner_extract::{Context, Document, extract_with};
use gleaner_model::TenantId;
use gleaner_store::{LearningState, Payload};
use std::sync::Arc;

/// Finds the tasks of an item on a thread of its own, in the light of what feedback has taught.
///
/// # Errors
/// When the engine gave up, or there is no thread to be had.
pub async fn extract(
    cpu: &CpuShares,
    tenant: &TenantId,
    payload: Arc<Payload>,
    taught: Arc<LearningState>,
) -> Result<Extracted, ExtractError> {
    let search = cpu.work(tenant, payload.item.transcript.len(), move || {
        let Payload { item, subject } = payload.as_ref();
        extract_with(&Document::of(item), &Context::of(item, subject), &taught.learnt)
    });
    Ok(search.await?.into())
}
