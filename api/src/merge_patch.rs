//! JSON Merge Patch (RFC 7396): what the bodies of all `PATCH` routes have in common.

use serde::{Deserialize, Deserializer};

/// The media types that the body may have.
pub const MEDIA_TYPES: [&str; 2] = ["application/merge-patch+json", "application/json"];

/// A member that is there, null or not.
///
/// # Errors
/// When its value is not a `T`.
pub fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}
