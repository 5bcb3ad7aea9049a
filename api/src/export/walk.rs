//! All tasks of a list, a page at a time.

use super::ExportPage;
use crate::{
    app::App,
    auth::Caller,
    problem::Problem,
    route::{Access, ApiCall},
};
use chrono::Utc;
use gleaner_store::TaskQuery;
use std::sync::Arc;

/// Tasks that are read at once.
const PAGE_SIZE: usize = 200;

/// A walk along a list, from its query's cursor on.
pub struct ListWalk {
    app: Arc<App>,
    caller: Caller,
    access: Access,
    query: TaskQuery,
    ended: bool,
}

impl ListWalk {
    /// A walk for the caller. How many tasks the query wants at once does not count.
    pub fn new(call: &ApiCall, query: TaskQuery) -> Self {
        let query = TaskQuery { limit: PAGE_SIZE, ..query };
        Self { app: Arc::clone(&call.app), caller: call.caller.clone(), access: call.access, query, ended: false }
    }

    /// The next page; `None` after the last. A token that was revoked meanwhile reads no further.
    ///
    /// # Errors
    /// 401 or 403 where the token allows it no more, 503 where the store cannot be asked.
    pub async fn next(&mut self) -> Result<Option<ExportPage>, Problem> {
        if self.ended {
            return Ok(None);
        }
        let caller = self.app.authenticator.revalidate(&self.caller).await?;
        self.access.admit(&caller)?;
        let found = self.app.ask(self.app.store.list_tasks(&caller.credential.tenant, &self.query)).await?;
        self.ended = found.next_cursor.is_none();
        self.query.cursor = found.next_cursor;
        let now = Utc::now();
        let views = found.items.into_iter().filter_map(|record| {
            let task = record.view(now)?;
            Some((record, task))
        });
        Ok(Some(views.collect()))
    }
}
