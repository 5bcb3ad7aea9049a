//! Other forms of the list of tasks: a table, check boxes, a calendar. They hold all pages, and are written page by page as
//! the client reads, so that they take no more memory however many tasks there are.

pub mod calendar;
mod csv;
mod markdown;
mod walk;

use crate::{problem::Problem, route::HandlerResult};
use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, header},
    response::Response,
};
use bytes::Bytes;
use calendar::Component;
use gleaner_model::{Task, TaskRecord};
use std::io;
pub use walk::ListWalk;

/// Tasks of one page, each with the record that it is a view of.
pub type ExportPage = Vec<(TaskRecord, Task)>;

/// A form of the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExportFormat {
    /// Comma-separated values (RFC 4180).
    Csv,
    /// Check boxes, as notes have them.
    Markdown,
    /// An iCalendar object (RFC 5545).
    Calendar(Component),
}

impl ExportFormat {
    /// Those that `GET /tasks` has beside JSON.
    pub const OF_LIST: [Self; 2] = [Self::Csv, Self::Markdown];

    /// The media type by which a client asks for the format.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv",
            Self::Markdown => "text/markdown",
            Self::Calendar(_) => "text/calendar",
        }
    }

    /// The form that a client likes better than JSON; `None` where it likes JSON as much, or names none of them.
    pub fn accepted(headers: &HeaderMap) -> Option<Self> {
        let values = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
        let ranges: Vec<_> = values.flat_map(|value| value.split(',')).filter_map(range).collect();
        let weight = |media_type: &str| {
            let whole = media_type.split('/').next().map(|kind| format!("{kind}/*")).unwrap_or_default();
            let of = |wanted: &str| ranges.iter().find(|(range, _)| range.eq_ignore_ascii_case(wanted));
            of(media_type).or_else(|| of(&whole)).or_else(|| of("*/*")).map_or(0, |(_, weight)| *weight)
        };
        let best = Self::OF_LIST.into_iter().rev().max_by_key(|form| weight(form.media_type()))?;
        (weight(best.media_type()) > weight("application/json")).then_some(best)
    }

    /// What stands before the first task.
    fn begin(self) -> String {
        match self {
            Self::Csv => csv::HEAD.to_owned(),
            Self::Markdown => markdown::HEAD.to_owned(),
            Self::Calendar(_) => calendar::HEAD.to_owned(),
        }
    }

    fn write(self, page: &ExportPage) -> Result<String, Problem> {
        match self {
            Self::Csv => csv::rows(page),
            Self::Markdown => Ok(page.iter().map(|(_, task)| markdown::line(task)).collect()),
            Self::Calendar(component) => Ok(page.iter().map(|(record, task)| component.write(record, task)).collect()),
        }
    }

    /// What stands behind the last task.
    const fn end(self) -> &'static str {
        match self {
            Self::Csv | Self::Markdown => "",
            Self::Calendar(_) => calendar::FOOT,
        }
    }
}

/// One range of `Accept` and its weight in thousandths.
fn range(text: &str) -> Option<(&str, u32)> {
    let mut parts = text.split(';').map(str::trim);
    let range = parts.next().filter(|range| !range.is_empty())?;
    let weight = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
    let weight = weight.map_or(Some(1.0), |text| text.parse::<f32>().ok())?;
    // From 0 to 1000 whatever was written.
    Some((range, (weight.clamp(0.0, 1.0) * 1000.0) as u32))
}

/// Answers all tasks of a walk in a form.
///
/// # Errors
/// What the first page comes to; later ones break the answer off.
pub async fn answer(mut walk: ListWalk, form: ExportFormat) -> HandlerResult {
    let first = walk.next().await?;
    let writing = ExportWriter { form, walk, first, begun: false, ended: false };
    let pieces = futures::stream::try_unfold(writing, |mut writing| async {
        let piece = writing.next().await.map_err(|problem| io::Error::other(problem.detail.into_owned()))?;
        Ok::<_, io::Error>(piece.map(|piece| (Bytes::from(piece), writing)))
    });
    let mut response = Response::new(Body::from_stream(pieces));
    let content_type = match form {
        ExportFormat::Csv => "text/csv; charset=utf-8; header=present",
        ExportFormat::Markdown => "text/markdown; charset=utf-8",
        ExportFormat::Calendar(_) => "text/calendar; charset=utf-8",
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert(header::VARY, HeaderValue::from_static("accept"));
    Ok(response)
}

/// A form on its way out, a piece for each page.
struct ExportWriter {
    form: ExportFormat,
    walk: ListWalk,
    /// The page that was read before the answer began.
    first: Option<ExportPage>,
    begun: bool,
    ended: bool,
}

impl ExportWriter {
    /// The next piece; `None` at the end.
    ///
    /// # Errors
    /// What the page came to.
    async fn next(&mut self) -> Result<Option<String>, Problem> {
        if !std::mem::replace(&mut self.begun, true) {
            return Ok(Some(self.form.begin()));
        }
        while !self.ended {
            let page = match self.first.take() {
                Some(page) => Some(page),
                None => self.walk.next().await?,
            };
            let piece = match page {
                Some(page) => self.form.write(&page)?,
                None => {
                    self.ended = true;
                    self.form.end().to_owned()
                }
            };
            if !piece.is_empty() {
                return Ok(Some(piece));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_chosen_where_the_client_likes_it_better_than_json() {
        let chosen =
            |accept: &str| ExportFormat::accepted(&HeaderMap::from_iter([(header::ACCEPT, accept.parse().unwrap())]));
        assert_eq!(chosen("text/csv"), Some(ExportFormat::Csv));
        assert_eq!(chosen("Text/Markdown; charset=utf-8, */*;q=0.1"), Some(ExportFormat::Markdown));
        assert_eq!(chosen("text/*"), Some(ExportFormat::Csv));
        assert_eq!(chosen("text/csv;q=0.5, text/markdown;q=0.9, application/json;q=0.1"), Some(ExportFormat::Markdown));
        for json in ["*/*", "application/json", "application/json, text/csv", "text/html, */*;q=0.8", "text/html", ""] {
            assert_eq!(chosen(json), None, "{json}");
        }
        assert_eq!(ExportFormat::accepted(&HeaderMap::new()), None);
    }
}
