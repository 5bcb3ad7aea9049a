//! The list as check boxes, in the words in which people write them: submitted as a note they are the same tasks again.

use gleaner_model::{Task, TaskStatus, in_one_line};

/// What the document begins with.
pub const HEAD: &str = "# Tasks\n\n";

/// `- [ ] Dana Reyes: Send the offer (due 2026-03-06)`
pub fn line(task: &Task) -> String {
    let title = harmless(&task.title);
    let mark = match task.status {
        TaskStatus::Open => "[ ]",
        TaskStatus::Completed => "[x]",
        // No box: it is nothing to do.
        TaskStatus::Dismissed => return format!("- ~~{title}~~\n"),
    };
    let name = task.owner.as_ref().map(|owner| owner.name.as_str()).or(task.waiting_on.as_deref());
    let who = name.map(|name| format!("{}: ", harmless(name).replace(':', ""))).unwrap_or_default();
    let due = task.due.as_ref().map(|due| format!(" (due {})", due.date)).unwrap_or_default();
    format!("- {mark} {who}{title}{due}\n")
}

/// Words that make no element and no link.
fn harmless(text: &str) -> String {
    in_one_line(text).replace('<', "\\<").replace("](", "]\\(")
}
