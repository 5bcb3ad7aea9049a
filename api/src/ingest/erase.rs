//! `DELETE /ingest/items/{source_type}/{external_id}`: an item, its evidence and the tasks that rest on it alone.

use crate::{
    operation::{Doc, Operation},
    route::{ApiCall, HandlerResult, gone},
};
use gleaner_model::ItemKey;

/// Summary, tag, parameters and answers.
pub fn docs(_: &mut Doc) -> Operation {
    Operation::new("eraseItem", "Ingest", "Erase an item")
        .about(
            "Erases the item, its evidence, and the tasks that rest on it alone. A job of it that has not ended fails \
             with `item-erased`. Nothing of it is shown from the answer on, whatever its size; the rest is done behind it. \
             Percent-encode what is not a letter or digit in `external_id`.",
        )
        .answers_empty(204, "It is gone.")
}

/// `DELETE /ingest/items/{source_type}/{external_id}`
pub async fn handle(call: &mut ApiCall) -> HandlerResult {
    let key = ItemKey { source_type: call.id("source_type")?, external_id: call.id("external_id")? };
    gone(call.app.ask(call.app.store.erase_item(&call.caller.credential.tenant, &key)).await?)
}
