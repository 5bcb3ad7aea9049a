//! Query parameters: each route declares its own, and anything else is refused with a list of what is allowed.

use crate::problem::{Code, FieldProblem, Problem};
use gleaner_model::{ExternalId, InvalidText, SourceType, day};
use std::borrow::Cow;

/// Shortest search, in characters.
const MIN_SEARCH: usize = 3;
/// Longest search or name, in characters.
const MAX_TEXT: usize = 200;
/// Longest cursor, in bytes.
const MAX_CURSOR: usize = 1024;

/// One parameter that a route takes.
#[derive(Debug)]
pub struct Param {
    /// Its name in the query string.
    pub name: &'static str,
    /// What it does, for the reader of the API's description.
    pub description: &'static str,
    /// Which values it takes.
    pub kind: ParamKind,
}

/// Which values a parameter takes.
#[derive(Clone, Copy, Debug)]
pub enum ParamKind {
    /// One of these words; the first is the default where `true` stands beside them.
    Choice(&'static [&'static str], bool),
    /// A whole number from 1, with its default.
    Integer {
        /// The largest value that is taken; a larger one is refused.
        max: u32,
        /// The value where none is given.
        default: u32,
    },
    /// Words to search for: at least three characters.
    Search,
    /// A name of at most 200 characters.
    Text,
    /// A day.
    Date,
    /// A kind of item.
    SourceType,
    /// An item's id in the client's own system.
    ExternalId,
    /// Where a list goes on: the `next_cursor` of a page, at most 1,024 bytes.
    Cursor,
    /// A member of the body for which there is no place in a file; whoever reads the body checks it.
    Member,
    /// Members of an object, each as `name[key]`; checked like [`ParamKind::Member`].
    Metadata,
}

impl Param {
    /// Whether it stands for what a JSON body says itself.
    pub fn is_member(&self) -> bool {
        matches!(self.kind, ParamKind::Member | ParamKind::Metadata)
    }

    fn is_named(&self, name: &str) -> bool {
        match self.kind {
            ParamKind::Metadata => {
                name.strip_prefix(self.name).is_some_and(|key| key.starts_with('[') && key.ends_with(']'))
            }
            _ => self.name == name,
        }
    }
}

/// How many items a page has.
pub const LIMIT: Param =
    Param { name: "limit", description: "Most items of a page.", kind: ParamKind::Integer { max: 200, default: 50 } };
/// Where a list goes on.
pub const CURSOR: Param =
    Param { name: "cursor", description: "`next_cursor` of the page before.", kind: ParamKind::Cursor };

/// The parameters of one request, each checked against its kind.
#[derive(Debug, Default)]
pub struct Query(Vec<(Cow<'static, str>, String)>);

impl Query {
    /// Reads a query string; a parameter without a value counts as absent where its kind is free text.
    ///
    /// # Errors
    /// `invalid-request` names every parameter at fault and what is allowed; `query-too-short` for a short search.
    pub fn read(raw: &str, params: &'static [Param]) -> Result<Self, Problem> {
        let (mut out, mut wrong) = (Self::default(), Vec::new());
        for (name, value) in form_urlencoded::parse(raw.as_bytes()) {
            match out.take(&name, &value, params) {
                Ok(()) => {}
                Err(ParamError::TooShort) => {
                    return Err(Problem::new(Code::QueryTooShort, "q must have at least 3 characters")
                        .at(vec![fault("q", "must have at least 3 characters".to_owned())]));
                }
                Err(ParamError::Rule(rule)) => wrong.push(fault(&name, rule)),
            }
        }
        match wrong.first() {
            None => Ok(out),
            Some(first) => {
                let detail = format!("{} {}", first.pointer.trim_start_matches('/'), first.detail);
                Err(Problem::new(Code::InvalidRequest, detail).at(wrong))
            }
        }
    }

    fn take(&mut self, name: &str, value: &str, params: &'static [Param]) -> Result<(), ParamError> {
        let Some(param) = params.iter().find(|param| param.is_named(name)) else {
            let names: Vec<_> = params.iter().map(|param| param.name).collect();
            return Err(ParamError::Rule(match names.as_slice() {
                [] => "is not a parameter: none is allowed here".to_owned(),
                names => format!("is not a parameter; allowed are: {}", names.join(", ")),
            }));
        };
        if self.text(name).is_some() {
            return Err(ParamError::Rule("must be given once".to_owned()));
        }
        if let Some(value) = param.kind.check(value)? {
            let name = if name == param.name { Cow::Borrowed(param.name) } else { Cow::Owned(name.to_owned()) };
            self.0.push((name, value.into_owned()));
        }
        Ok(())
    }

    /// The parameter's value, if it was given.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.pairs().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// Every parameter that was given, with its value.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_ref(), value.as_str()))
    }

    /// The parameter's value in another type; its kind has been checked before.
    pub fn parsed<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        self.text(name)?.parse().ok()
    }

    /// How many items a page has.
    pub fn limit(&self) -> usize {
        let default = match LIMIT.kind {
            ParamKind::Integer { default, .. } => default,
            _ => 1,
        };
        self.parsed(LIMIT.name).unwrap_or(default) as usize
    }

    /// The query string of the next page.
    pub fn with_cursor(&self, cursor: &str) -> String {
        let mut out = form_urlencoded::Serializer::new(String::new());
        for (name, value) in self.pairs().filter(|(name, _)| *name != CURSOR.name) {
            out.append_pair(name, value);
        }
        out.append_pair(CURSOR.name, cursor).finish()
    }
}

enum ParamError {
    TooShort,
    Rule(String),
}

fn fault(name: &str, detail: String) -> FieldProblem {
    FieldProblem { pointer: format!("/{}", name.chars().take(100).collect::<String>()), detail }
}

impl ParamKind {
    /// The value as it counts, or `None` where it counts as absent.
    fn check(self, value: &str) -> Result<Option<Cow<'_, str>>, ParamError> {
        let rule = |fits: bool, rule: &str| {
            if fits { Ok(Some(Cow::Borrowed(value))) } else { Err(ParamError::Rule(rule.to_owned())) }
        };
        let named = |read: Result<(), InvalidText>| rule(read.is_ok(), read.err().map_or("", |error| error.rule));
        match self {
            Self::Choice(words, _) => rule(words.contains(&value), &format!("must be one of: {}", words.join(", "))),
            Self::Integer { max, .. } => {
                let digits = value.bytes().all(|c| c.is_ascii_digit());
                let fits = digits && value.parse().is_ok_and(|number: u32| (1..=max).contains(&number));
                rule(fits, &format!("must be a whole number from 1 to {max}"))
            }
            Self::Search | Self::Text => free_text(value, matches!(self, Self::Search)),
            Self::Date => rule(is_date(value), "must be a date such as 2026-03-06"),
            Self::SourceType => named(SourceType::new(value).map(drop)),
            Self::ExternalId => named(ExternalId::new(value).map(drop)),
            Self::Cursor => rule((1..=MAX_CURSOR).contains(&value.len()), "must be the next_cursor of a page"),
            Self::Member | Self::Metadata => Ok(Some(Cow::Borrowed(value))),
        }
    }
}

fn free_text(value: &str, search: bool) -> Result<Option<Cow<'_, str>>, ParamError> {
    let text = value.trim();
    match text.chars().count() {
        0 => Ok(None),
        count if count > MAX_TEXT => Err(ParamError::Rule(format!("must have at most {MAX_TEXT} characters"))),
        count if search && count < MIN_SEARCH => Err(ParamError::TooShort),
        _ => Ok(Some(Cow::Borrowed(text))),
    }
}

fn is_date(text: &str) -> bool {
    day::read(text).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    static PARAMS: [Param; 4] = [
        Param { name: "status", description: "", kind: ParamKind::Choice(&["open", "completed"], true) },
        Param { name: "q", description: "", kind: ParamKind::Search },
        LIMIT,
        CURSOR,
    ];

    fn refused(raw: &str) -> Problem {
        Query::read(raw, &PARAMS).unwrap_err()
    }

    #[test]
    fn what_is_not_allowed_is_refused_with_what_is() {
        assert!(refused("colour=red").detail.contains("status, q, limit, cursor"));
        assert!(refused("status=done").detail.contains("open, completed"));
        assert!(refused("limit=201").detail.contains("1 to 200"));
        assert_eq!(refused("status=done&colour=red").errors.len(), 2);
        assert!(refused("status=open&status=open").detail.contains("once"));
        for bad in ["limit=0", "limit=-1", "limit=+5", "limit=", "status=", "cursor="] {
            assert_eq!(refused(bad).code, Code::InvalidRequest, "{bad}");
        }
    }

    #[test]
    fn a_search_is_trimmed_and_counted_in_characters() {
        assert_eq!(refused("q=%20ab%20").code, Code::QueryTooShort);
        assert_eq!(Query::read("q=%C3%A4%C3%B6%C3%BC", &PARAMS).unwrap().text("q"), Some("äöü"));
        assert_eq!(Query::read("q=++", &PARAMS).unwrap().text("q"), None);
        assert_eq!(refused(&format!("q={}", "a".repeat(201))).code, Code::InvalidRequest);
    }

    #[test]
    fn the_next_page_keeps_the_filters() {
        let query = Query::read("q=a%26bc&cursor=old&limit=5", &PARAMS).unwrap();
        assert_eq!(query.with_cursor("new"), "q=a%26bc&limit=5&cursor=new");
    }
}
