//! Open tasks from more than one page of the API: for pages that sort them otherwise than the API does.

use crate::web::{address, client::ApiRefusal, visit::Visit};
use gleaner_model::{Page, Task};

/// Most tasks that one page of ours looks at: the most important ones.
pub const MAX_GATHERED: usize = 1_000;
/// Tasks of one page of the API.
const PAGE_SIZE: &str = "200";

/// What `keep` makes of the open tasks that pass the filters, the most important first; and whether there are more tasks
/// than were looked at.
///
/// # Errors
/// What the API refused.
pub async fn gather<T>(
    visit: &Visit,
    filters: &[(&str, &str)],
    mut keep: impl FnMut(Task) -> Option<T>,
) -> Result<(Vec<T>, bool), ApiRefusal> {
    let (mut kept, mut seen, mut cursor) = (Vec::new(), 0, String::new());
    while seen < MAX_GATHERED {
        let walk = [("status", "open"), ("sort", "priority"), ("limit", PAGE_SIZE), ("cursor", cursor.as_str())];
        let page: Page<Task> = visit.get(&address::with_query("/tasks", &[&walk[..], filters].concat())).await?;
        seen += page.items.len();
        kept.extend(page.items.into_iter().filter_map(&mut keep));
        match page.next_cursor {
            Some(next) => cursor = next,
            None => return Ok((kept, false)),
        }
    }
    Ok((kept, true))
}
