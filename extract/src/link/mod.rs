//! Linking: which sentences speak of one and the same task, within a text ([`pair`]) and across texts ([`related`],
//! [`coreference`], [`done_profile`]).

pub mod coreference;
pub mod done;
pub mod done_profile;
pub mod pair;
pub mod profile;
pub mod related;
pub mod stem;
pub mod verb;
