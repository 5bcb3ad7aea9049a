//! Reads JSON strictly: one value and nothing behind it, UTF-8, no member twice, a bounded depth.
//!
//! An error says where in the document it struck, as a JSON pointer.

use crate::{
    problem::{Code, FieldProblem, Problem},
    strict_value::{StrictValue, ValueError},
};
use axum::{
    body::Body,
    http::{HeaderValue, header::CONTENT_TYPE},
    response::Response,
};
use serde::Serialize;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::{cell::RefCell, fmt};

/// Reads a body that must be one JSON object.
///
/// # Errors
/// `malformed-json` (400) when it is no JSON; `invalid-request` (422) when it is another kind of value.
pub fn object(bytes: &[u8]) -> Result<Map<String, Value>, Problem> {
    match value(bytes)? {
        Value::Object(members) => Ok(members),
        _ => Err(Problem::invalid("", "the body must be a JSON object")),
    }
}

/// Reads an object into a type that says what each member must be.
///
/// # Errors
/// As [`object`], and `invalid-request` with the type's own words where a member has the wrong type.
pub fn typed<T: for<'de> Deserialize<'de>>(bytes: &[u8]) -> Result<T, Problem> {
    as_type(object(bytes)?)
}

/// An object as a type that says what each member must be.
///
/// # Errors
/// `invalid-request` where a member has the wrong type, is missing, or is unknown to a type that knows all of its own.
pub fn as_type<T: for<'de> Deserialize<'de>>(members: Map<String, Value>) -> Result<T, Problem> {
    serde_path_to_error::deserialize(StrictValue(Value::Object(members))).map_err(|error| {
        let pointer = pointer_of(error.path());
        match error.into_inner() {
            ValueError::Missing(member) => Problem::invalid(format!("{pointer}/{member}"), "is required"),
            ValueError::Rule(rule) => Problem::invalid(pointer, rule),
        }
    })
}

/// Longest part of a member's name that a pointer repeats, in characters.
const MAX_STEP: usize = 100;

fn pointer_of(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment;
    path.iter().fold(String::new(), |out, step| match step {
        Segment::Seq { index } => format!("{out}/{index}"),
        Segment::Map { key } => key.chars().take(MAX_STEP).map(escaped).fold(out + "/", |out, c| out + &c),
        Segment::Enum { .. } | Segment::Unknown => out,
    })
}

/// An answer with a JSON body.
///
/// # Errors
/// A fault of ours when the value cannot be written.
pub fn answer<T: Serialize>(value: &T) -> Result<Response, Problem> {
    let mut response = Response::new(Body::from(serde_json::to_vec(value).map_err(Problem::internal)?));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(response)
}

/// Reads one JSON value.
///
/// # Errors
/// `malformed-json` (400) with the place.
pub fn value(bytes: &[u8]) -> Result<Value, Problem> {
    let path = JsonPath::default();
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let read = StrictJson { path: &path }.deserialize(&mut reader).and_then(|value| reader.end().map(|()| value));
    read.map_err(|error| {
        let detail = match error.classify() {
            serde_json::error::Category::Eof if bytes.is_empty() => "the body is empty".to_owned(),
            _ => error.to_string(),
        };
        let field = FieldProblem { pointer: path.pointer(), detail: detail.clone() };
        Problem::new(Code::MalformedJson, detail).at(vec![field])
    })
}

/// The way from the root to where the reader stands. After an error it still leads to the place of the error.
#[derive(Default)]
struct JsonPath(RefCell<Vec<PathStep>>);

enum PathStep {
    Member(String),
    Element(usize),
}

impl JsonPath {
    fn enter(&self, step: PathStep) {
        self.0.borrow_mut().push(step);
    }

    fn leave(&self) {
        self.0.borrow_mut().pop();
    }

    fn pointer(&self) -> String {
        let mut out = String::new();
        for step in self.0.borrow().iter() {
            out.push('/');
            match step {
                PathStep::Member(name) => out.extend(name.chars().take(MAX_STEP).map(escaped)),
                PathStep::Element(at) => out.push_str(&at.to_string()),
            }
        }
        out
    }
}

/// A character of a JSON pointer.
fn escaped(c: char) -> std::borrow::Cow<'static, str> {
    match c {
        '~' => "~0".into(),
        '/' => "~1".into(),
        c => c.to_string().into(),
    }
}

/// Builds a [`Value`] and refuses an object that has a member twice.
#[derive(Clone, Copy)]
struct StrictJson<'p> {
    path: &'p JsonPath,
}

impl<'de> DeserializeSeed<'de> for StrictJson<'_> {
    type Value = Value;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for StrictJson<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut out = Vec::new();
        loop {
            self.path.enter(PathStep::Element(out.len()));
            let next = elements.next_element_seed(self)?;
            self.path.leave();
            match next {
                Some(value) => out.push(value),
                None => return Ok(Value::Array(out)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut out = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            self.path.enter(PathStep::Member(name.clone()));
            if out.contains_key(&name) {
                return Err(A::Error::custom("the member stands there twice"));
            }
            let value = members.next_value_seed(self)?;
            self.path.leave();
            out.insert(name, value);
        }
        Ok(Value::Object(out))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &[u8]) -> (Code, String) {
        let problem = value(text).unwrap_err();
        (problem.code, problem.errors[0].pointer.clone())
    }

    #[test]
    fn a_document_reads_as_serde_reads_it() {
        let text = br#"{"a":[1,-2,3.5,true,null,"x\u00e4"],"b":{"c":{}}}"#;
        assert_eq!(value(text).unwrap(), serde_json::from_slice::<Value>(text).unwrap());
    }

    #[test]
    fn a_member_that_stands_twice_is_refused_wherever_it_stands() {
        assert_eq!(refused(br#"{"a":1,"a":1}"#), (Code::MalformedJson, "/a".to_owned()));
        assert_eq!(refused(br#"{"m":{"x/y":[0,{"k":1,"k":2}]}}"#).1, "/m/x~1y/1/k");
        assert_eq!(refused(br#"{"a":1,"\u0061":1}"#).1, "/a", "an escape spells the same name");
    }

    #[test]
    fn what_is_no_json_is_refused() {
        let deep = "[".repeat(1 << 20);
        let cases: [&[u8]; 9] =
            [b"", b"{", b"{} x", b"{}{}", b"\xff", b"\"\xc3\"", br#""\ud800""#, b"1e999", deep.as_bytes()];
        for text in cases {
            assert_eq!(refused(text).0, Code::MalformedJson);
        }
    }

    #[test]
    fn another_kind_of_value_is_a_broken_rule() {
        let problem = object(b"[]").unwrap_err();
        assert_eq!((problem.code, problem.detail.as_ref()), (Code::InvalidRequest, "the body must be a JSON object"));
    }

    #[test]
    fn a_member_of_the_wrong_type_is_told_what_it_must_be() {
        #[derive(serde::Deserialize, Debug)]
        #[expect(dead_code, reason = "only the errors count")]
        struct WrongTypes {
            #[serde(default)]
            list: Vec<u32>,
            #[serde(default, deserialize_with = "gleaner_model::input::due")]
            day: Option<chrono::NaiveDate>,
            #[serde(default, deserialize_with = "gleaner_model::day::optional_time")]
            time: Option<chrono::DateTime<chrono::Utc>>,
        }
        let said = |body: &str| typed::<WrongTypes>(body.as_bytes()).unwrap_err().detail.into_owned();
        assert_eq!(said(r#"{"list": "x"}"#), "/list must be a list");
        let day = "/day must be a date such as 2026-03-06, or an object with the member `date`";
        assert_eq!(said(r#"{"day": {}}"#), day);
        assert_eq!(said(r#"{"day": "2026-02-30"}"#), day);
        assert_eq!(said(r#"{"time": 7}"#), "/time must be a time such as 2026-03-03T15:00:00Z");
        assert_eq!(said(r#"{"time": "soon"}"#), "/time must be a time such as 2026-03-03T15:00:00Z");
    }
}
