//! Tasks out: what was promised, with the words that prove it.

pub mod etag;
pub mod explain;
pub mod feedback;
pub mod get;
pub mod list;
pub mod patch;
pub mod unrate;

use gleaner_model::{Owner, Subject};

/// An owner whom a person named: "me" where the name is one of the subject's, or that of an owner known to be.
pub fn owner_named(name: &str, known: Option<&Owner>, subject: &Subject) -> Owner {
    let name = name.trim();
    let same = |other: &str| other.to_lowercase() == name.to_lowercase();
    let mine = subject.names().chain(subject.email.as_deref()).any(same);
    let known = known.filter(|owner| same(&owner.name)).is_some_and(|owner| owner.is_me);
    Owner { name: name.to_owned(), is_me: mine || known }
}
