//! The list as a table (RFC 4180), of which no cell is a formula.

use super::ExportPage;
use crate::problem::Problem;
use chrono::{DateTime, SecondsFormat, Utc};
use csv::{Terminator, WriterBuilder};
use gleaner_model::{Task, in_one_line};

/// The names of the columns, in their order.
pub const HEAD: &str = "id,title,status,owner,is_me,waiting_on,due,urgency,priority,confidence,quote,speaker,source_type,\
                        external_id,source_title,occurred_at,created_at,updated_at,completed_at\r\n";

/// One row for each task.
///
/// # Errors
/// None that a client could cause.
pub fn rows(page: &ExportPage) -> Result<String, Problem> {
    let mut writer = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(Vec::new());
    for (_, task) in page {
        writer.write_record(cells(task)).map_err(Problem::internal)?;
    }
    let bytes = writer.into_inner().map_err(Problem::internal)?;
    String::from_utf8(bytes).map_err(Problem::internal)
}

fn cells(task: &Task) -> [String; 19] {
    let evidence = task.best_evidence();
    let text = |text: Option<&str>| text.map(defused).unwrap_or_default();
    [
        task.id.to_string(),
        defused(&task.title),
        task.status.as_str().to_owned(),
        text(task.owner.as_ref().map(|owner| owner.name.as_str())),
        task.owner.as_ref().map(|owner| owner.is_me.to_string()).unwrap_or_default(),
        text(task.waiting_on.as_deref()),
        task.due.as_ref().map(|due| due.date.to_string()).unwrap_or_default(),
        format!("{:?}", task.urgency).to_lowercase(),
        format!("{:.3}", task.priority),
        format!("{:.3}", task.confidence),
        text(evidence.map(|evidence| evidence.quote.as_str())),
        text(evidence.and_then(|evidence| evidence.speaker.as_deref())),
        task.source.source_type.to_string(),
        defused(task.source.external_id.as_str()),
        text(task.source.title.as_deref()),
        time(task.source.occurred_at),
        time(task.created_at),
        time(task.updated_at),
        task.completed_at.map(time).unwrap_or_default(),
    ]
}

fn time(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// A text that a spreadsheet takes for a text: what would begin a formula stands behind an apostrophe.
fn defused(text: &str) -> String {
    let text = in_one_line(text);
    let is_formula = text.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
    if is_formula { format!("'{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula() {
        for bad in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r\n=1", " =1", "＝1"] {
            assert!(defused(bad).starts_with('\''), "{bad:?}");
        }
        assert_eq!(defused("a=b\r\nc"), "a=b c");
    }
}
