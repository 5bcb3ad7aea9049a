//! JSON values as types take them, to the letter: serde's own reader would take an array for an object (members in
//! order) and `{"up": null}` for `"up"`, which no reader of the description expects.

use serde::{
    Deserializer,
    de::{
        Error as _, Expected, IntoDeserializer, Unexpected, Visitor,
        value::{MapDeserializer, SeqDeserializer},
    },
    forward_to_deserialize_any,
};
use serde_json::Value;
use std::fmt;

/// A value that is read to the letter.
pub struct StrictValue(pub Value);

/// Which rule a value breaks. It never repeats the value: that is content.
#[derive(Debug, PartialEq, Eq)]
pub enum ValueError {
    /// A member that must be there is not.
    Missing(&'static str),
    /// The rule, such as "must be a list".
    Rule(String),
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(member) => write!(f, "{member} is required"),
            Self::Rule(rule) => f.write_str(rule),
        }
    }
}

impl std::error::Error for ValueError {}

impl serde::de::Error for ValueError {
    /// The words of a type of ours that reads texts itself.
    fn custom<T: fmt::Display>(rule: T) -> Self {
        Self::Rule(rule.to_string().chars().take(200).collect())
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::Rule(format!("must be {expected}"))
    }

    fn invalid_value(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::Rule(format!("must be {expected}"))
    }

    fn invalid_length(_: usize, expected: &dyn Expected) -> Self {
        Self::Rule(format!("must be {expected}"))
    }

    fn unknown_variant(_: &str, known: &'static [&'static str]) -> Self {
        Self::Rule(format!("must be one of: {}", known.join(", ")))
    }

    fn unknown_field(_: &str, known: &'static [&'static str]) -> Self {
        let known: Vec<_> = known.iter().map(|name| format!("`{name}`")).collect();
        Self::Rule(format!("is not known here; known: {}", known.join(if known.len() == 2 { " or " } else { ", " })))
    }

    fn missing_field(member: &'static str) -> Self {
        Self::Missing(member)
    }
}

impl<'de> IntoDeserializer<'de, ValueError> for StrictValue {
    type Deserializer = Self;
    fn into_deserializer(self) -> Self {
        self
    }
}

impl StrictValue {
    fn whole<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        // In JSON 7.0 is the number 7.
        let number = self.0.as_f64().filter(|value| value.fract() == 0.0 && value.abs() < 9e15);
        let read = match number {
            Some(whole) if whole >= 0.0 => visitor.visit_u64(whole as u64),
            Some(whole) => visitor.visit_i64(whole as i64),
            None => return Err(not_whole()),
        };
        // Beyond what the type holds.
        read.map_err(|_: ValueError| not_whole())
    }
}

fn not_whole() -> ValueError {
    ValueError::Rule("must be a whole number, not negative".to_owned())
}

impl<'de> Deserializer<'de> for StrictValue {
    type Error = ValueError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(value),
            Value::Number(ref number) => match number.as_f64() {
                Some(value) if value.fract() == 0.0 && value.abs() < 9e15 => self.whole(visitor),
                Some(value) => visitor.visit_f64(value),
                None => Err(not_whole()),
            },
            Value::String(text) => visitor.visit_string(text),
            Value::Array(elements) => visitor.visit_seq(SeqDeserializer::new(elements.into_iter().map(StrictValue))),
            Value::Object(members) => {
                let members = members.into_iter().map(|(name, value)| (name, StrictValue(value)));
                visitor.visit_map(MapDeserializer::new(members))
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, ValueError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        match self.0 {
            Value::Array(_) => self.deserialize_any(visitor),
            _ => Err(ValueError::Rule("must be a list".to_owned())),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        match self.0 {
            Value::Object(_) => self.deserialize_any(visitor),
            _ => Err(ValueError::Rule("must be an object".to_owned())),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        words: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        match &self.0 {
            Value::String(word) if words.contains(&word.as_str()) => {
                visitor.visit_enum(word.clone().into_deserializer())
            }
            Value::String(word) => Err(ValueError::unknown_variant(word, words)),
            _ => Err(ValueError::unknown_variant("", words)),
        }
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        self.whole(visitor)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        self.whole(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u128 f32 f64 char str string bytes byte_buf unit unit_struct tuple
        tuple_struct map identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gleaner_model::{Rating, Subject};
    use serde::Deserialize;
    use serde_json::json;

    fn read<T: for<'de> Deserialize<'de>>(value: Value) -> Result<T, String> {
        T::deserialize(StrictValue(value)).map_err(|error| error.to_string())
    }

    #[test]
    fn only_an_object_is_an_object_and_only_a_word_is_a_word() {
        assert_eq!(read(json!({"name": "Dana"})), Ok(Subject::named("Dana")));
        assert!(read::<Subject>(json!(["Dana"])).is_err());
        assert_eq!(read(json!("up")), Ok(Rating::Up));
        assert!(read::<Rating>(json!({"up": null})).is_err());
    }

    #[test]
    fn a_whole_number_may_be_written_with_a_point() {
        assert_eq!(read(json!(7.0)), Ok(7_u32));
        assert!(read::<u32>(json!(7.5)).is_err() && read::<u32>(json!(-7)).is_err());
        assert_eq!(read(json!(0.5)), Ok(0.5_f64));
    }
}
