//! Linking: which sentences speak of one and the same task, within a text ([`pair`]) and across texts ([`related`],
//! [`again`], [`report`]).

pub mod again;
pub mod done;
pub mod pair;
pub mod profile;
pub mod related;
pub mod report;
pub mod stem;
pub mod verb;
