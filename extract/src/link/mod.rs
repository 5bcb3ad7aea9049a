//! Linking: which sentences speak of one and the same task, within a text ([`pair`]) and across texts ([`related`],
//! [`coreference`], [`report`]).

pub mod coreference;
pub mod done;
pub mod pair;
pub mod profile;
pub mod related;
pub mod report;
pub mod stem;
pub mod verb;
