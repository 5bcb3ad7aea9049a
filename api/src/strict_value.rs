//! JSON values as types take them, to the letter: serde's own reader would take an array for an object (members in
//! order) and `{"up": null}` for `"up"`, which no reader of the description expects.

use serde::{
    Deserializer,
    de::{
        Error as _, IntoDeserializer, Unexpected, Visitor,
        value::{MapDeserializer, SeqDeserializer},
    },
    forward_to_deserialize_any,
};
use serde_json::{Error, Value};

/// A value that is read to the letter.
pub struct StrictValue(pub Value);

impl<'de> IntoDeserializer<'de, Error> for StrictValue {
    type Deserializer = Self;
    fn into_deserializer(self) -> Self {
        self
    }
}

impl StrictValue {
    fn kind(&self) -> Unexpected<'_> {
        match &self.0 {
            Value::Null => Unexpected::Unit,
            Value::Bool(value) => Unexpected::Bool(*value),
            Value::Number(_) => Unexpected::Other("number"),
            Value::String(_) => Unexpected::Other("string"),
            Value::Array(_) => Unexpected::Seq,
            Value::Object(_) => Unexpected::Map,
        }
    }
}

impl<'de> Deserializer<'de> for StrictValue {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Array(elements) => visitor.visit_seq(SeqDeserializer::new(elements.into_iter().map(StrictValue))),
            Value::Object(members) => {
                let members = members.into_iter().map(|(name, value)| (name, StrictValue(value)));
                visitor.visit_map(MapDeserializer::new(members))
            }
            // In JSON 7.0 is the number 7.
            Value::Number(number) => match number.as_f64().filter(|value| value.fract() == 0.0 && value.abs() < 9e15) {
                Some(whole) if whole >= 0.0 => visitor.visit_u64(whole as u64),
                Some(whole) => visitor.visit_i64(whole as i64),
                None => Value::Number(number).deserialize_any(visitor),
            },
            other => other.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.0 {
            Value::Object(_) => self.deserialize_any(visitor),
            _ => Err(Error::invalid_type(self.kind(), &"an object")),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        words: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match &self.0 {
            Value::String(word) if words.contains(&word.as_str()) => {
                visitor.visit_enum(word.clone().into_deserializer())
            }
            _ => Err(Error::custom(format_args!("expected one of: {}", words.join(", ")))),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
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
