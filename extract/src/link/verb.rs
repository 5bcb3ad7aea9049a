//! Verbs that do the same to a thing: who "handed in" a report has "sent" it.

use super::stem::stem;
use crate::feature::token::hash_word;
use crate::feature::word::{Class, known};
use crate::word_list::WordList;

/// Groups of stems; a stem may be in several.
static GROUPS: [WordList; 11] = [
    WordList::of(
        "send forward hand give pas mail email post deliver submit upload share get go come arriv receiv provid put \
        return ship bring let attach transfer",
    ),
    WordList::of(
        "write draft prepar make do finish build creat design complet cut compil redo rewrite draw redraw set produc \
        edit fill record develop",
    ),
    WordList::of(
        "ask cal ring phon write contact chas tel answer repli reply say remind invit email mail speak talk confirm \
        inform kick check let text messag clarify know",
    ),
    WordList::of("book reserv order buy get arrang organis organiz rent hir pay purchas pick"),
    WordList::of("fix repair correct chang updat patch resolv solv mend adjust clean replac"),
    WordList::of("check review look read test verify go inspect try examin proofread see"),
    WordList::of("publish launch releas deploy merg put set go ship instal do rol"),
    WordList::of("find hir get choos pick decid mark select look"),
    WordList::of("fetch collect pick get bring take drop"),
    WordList::of("pay transfer settl remit reimburs"),
    WordList::of("renew get order rotat replac updat extend arriv"),
];

/// Whether two stems of verbs may tell of one and the same act.
#[must_use]
pub fn alike(one: &str, other: &str) -> bool {
    one == other || GROUPS.iter().any(|group| group.has(one) && group.has(other))
}

/// Whether a word is known as a verb.
#[must_use]
pub fn is_known(word: &str) -> bool {
    let stem = stem(word).text;
    known(hash_word(&word.to_lowercase())) == Some(Class::Verb) || GROUPS.iter().any(|group| group.has(&stem))
}
