//! Reading answers of the server.

use crate::Error;
use chrono::{DateTime, Utc};
use redis::{FromRedisValue, Value};
use std::collections::HashMap;

/// Field and value of a HASH, as scripts answer.
pub(crate) type Fields = HashMap<String, String>;

/// The next value of a script's answer.
pub(crate) fn next_value<T: FromRedisValue>(values: &mut impl Iterator<Item = Value>) -> Result<T, Error> {
    let value = values.next().ok_or_else(|| Error::corrupt("a script's answer is too short"))?;
    T::from_redis_value(value).map_err(Error::corrupt)
}

/// A time of the server's clock, in milliseconds since 1970.
pub(crate) fn time(ms: i64) -> Result<DateTime<Utc>, Error> {
    DateTime::from_timestamp_millis(ms).ok_or_else(|| Error::corrupt("the store's time is out of range"))
}
