//! Which version of a task an answer shows, and which one a request means (RFC 9110).
//!
//! A tag is `"<revision>.<priority>"`: the revision counts changes; the priority moves as days pass, so that a
//! remembered answer is not taken for today's.

use crate::problem::Problem;
use axum::http::{HeaderMap, HeaderValue, header};
use gleaner_model::{Task, TaskRecord};

/// The tag of what is shown now.
pub fn tag(record: &TaskRecord, shown: &Task) -> String {
    format!("\"{}.{:x}\"", record.rev, shown.priority.to_bits())
}

/// The tag as a header.
///
/// # Errors
/// None that a client could cause.
pub fn header(record: &TaskRecord, shown: &Task) -> Result<HeaderValue, Problem> {
    HeaderValue::from_str(&tag(record, shown)).map_err(Problem::internal)
}

/// Whether the client has this answer already.
pub fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    listed(headers, header::IF_NONE_MATCH).any(|known| known == "*" || known.trim_start_matches("W/") == tag)
}

/// The revisions that a client wants to change; `None` where it names no condition.
pub fn wanted(headers: &HeaderMap) -> Option<IfMatch> {
    headers.contains_key(header::IF_MATCH).then(|| {
        let mut tags = listed(headers, header::IF_MATCH).peekable();
        if tags.peek() == Some(&"*") { IfMatch::Any } else { IfMatch::Revisions(tags.filter_map(revision).collect()) }
    })
}

/// The condition under which an edit counts, as `If-Match` names it.
#[derive(Debug, PartialEq, Eq)]
pub enum IfMatch {
    /// `*`: whatever it is.
    Any,
    /// Only one of these. A weak tag matches nothing.
    Revisions(Vec<u64>),
}

impl IfMatch {
    /// Whether a task of that revision may be changed.
    pub fn allows(&self, revision: u64) -> bool {
        match self {
            Self::Any => true,
            Self::Revisions(wanted) => wanted.contains(&revision),
        }
    }
}

fn revision(tag: &str) -> Option<u64> {
    tag.strip_prefix('"')?.strip_suffix('"')?.split('.').next()?.parse().ok()
}

fn listed(headers: &HeaderMap, name: header::HeaderName) -> impl Iterator<Item = &str> {
    let values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(str::trim).filter(|tag| !tag.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wants(value: &str) -> Option<IfMatch> {
        wanted(&HeaderMap::from_iter([(header::IF_MATCH, value.parse().unwrap())]))
    }

    #[test]
    fn a_condition_names_revisions_by_strong_tags() {
        assert_eq!(wants(r#""3.3fe0", "4.1""#), Some(IfMatch::Revisions(vec![3, 4])));
        assert_eq!(wants("*"), Some(IfMatch::Any));
        assert_eq!(wants(r#"W/"3.1""#), Some(IfMatch::Revisions(vec![])));
        assert_eq!(wants("nonsense"), Some(IfMatch::Revisions(vec![])));
        assert_eq!(wanted(&HeaderMap::new()), None);
    }
}
