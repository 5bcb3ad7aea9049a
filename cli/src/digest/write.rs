//! A digest in words: lines for a terminal, Markdown, or a page for a mail.

use super::Digest;
use gleaner_model::{Task, TaskStatus, in_one_line};

/// Said where there is nothing to tell.
const NOTHING: &str = "Nothing to do, nothing to wait for.";

/// The digest as lines for a terminal or a mail, at most so many tasks under each heading.
pub fn text(digest: &Digest, most: usize) -> String {
    let mut out = String::new();
    for (heading, tasks) in digest.parts() {
        out.push_str(&format!("{heading} ({})\n", tasks.len()));
        for task in tasks.iter().take(most) {
            out.push_str(&format!("  {}\n", line(task)));
        }
        out.push_str(&more(tasks.len(), most).map(|more| format!("  {more}\n")).unwrap_or_default());
        out.push('\n');
    }
    if out.is_empty() { NOTHING.to_owned() } else { out.trim_end().to_owned() }
}

/// For a mail or a chat.
pub fn markdown(digest: &Digest, most: usize) -> String {
    let mut out = format!("# Tasks on {}\n", digest.today);
    for (heading, tasks) in digest.parts() {
        out.push_str(&format!("\n## {heading}\n\n"));
        for task in tasks.iter().take(most) {
            let mark = if task.status == TaskStatus::Completed { "[x]" } else { "[ ]" };
            out.push_str(&format!("- {mark} {}\n", line(task).replace('<', "\\<").replace("](", "]\\(")));
        }
        out.push_str(&more(tasks.len(), most).map(|more| format!("\n{more}\n")).unwrap_or_default());
    }
    if digest.parts().next().is_none() {
        out.push_str(&format!("\n{NOTHING}\n"));
    }
    out.trim_end().to_owned()
}

/// A page that stands alone.
pub fn html(digest: &Digest, most: usize) -> String {
    let mut body = format!("<h1>Tasks on {}</h1>\n", digest.today);
    for (heading, tasks) in digest.parts() {
        let items: String =
            tasks.iter().take(most).map(|task| format!("<li dir=\"auto\">{}</li>\n", escaped(&line(task)))).collect();
        let more = more(tasks.len(), most).map(|more| format!("<p>{more}</p>\n")).unwrap_or_default();
        body.push_str(&format!("<h2>{heading}</h2>\n<ul>\n{items}</ul>\n{more}"));
    }
    if digest.parts().next().is_none() {
        body.push_str(&format!("<p>{NOTHING}</p>\n"));
    }
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Tasks on {}</title></head>\n<body>\n{body}\
         </body></html>",
        digest.today
    )
}

fn more(count: usize, most: usize) -> Option<String> {
    count.checked_sub(most).filter(|more| *more > 0).map(|more| format!("and {more} more"))
}

/// `Priya: Review the draft (due 2026-03-01)`
fn line(task: &Task) -> String {
    let who = task.waiting_on.as_deref().map(|name| format!("{}: ", in_one_line(name))).unwrap_or_default();
    let due = task.due.as_ref().filter(|_| task.status == TaskStatus::Open);
    let due = due.map(|due| format!(" (due {})", due.date)).unwrap_or_default();
    format!("{who}{}{due}", in_one_line(&task.title))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::{super::tests::digest, *};

    #[test]
    fn a_digest_tells_the_same_in_every_form() {
        let digest = digest();
        assert_eq!(
            text(&digest, 1),
            "Late (2)\n  Priya: Review the draft (due 2026-03-01)\n  and 1 more\n\nDue (1)\n  Call Sam (due 2026-03-04)\n\n\
             Mine (1)\n  Book the room\n\nDone (1)\n  Fresh"
        );
        let page = html(&digest, 9);
        assert!(page.contains("<li dir=\"auto\">Send &lt;b&gt;SOW&lt;/b&gt; (due 2026-03-02)</li>"), "{page}");
        assert!(markdown(&digest, 9).contains("- [ ] Send \\<b>SOW\\</b> (due 2026-03-02)\n"));
        assert!(markdown(&digest, 9).contains("- [x] Fresh"));
    }
}
