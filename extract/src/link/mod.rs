//! Linking: which sentences speak of one and the same task, within a text ([`pair`]) and across texts ([`related`]).

pub mod pair;
pub mod related;
pub mod stem;
