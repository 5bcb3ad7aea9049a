//! Verbs: which words are verbs that a task may begin with, and their plain forms.

use super::kind::{self, Lexicon};
use crate::hash;
use crate::word_list::PairList;

/// The plain form of "orders", "tries", "fetches", where it is a verb.
pub(super) fn from_third(word: &str) -> Option<String> {
    let stems = [
        word.strip_suffix('s').map(Into::into),
        word.strip_suffix("es").map(Into::into),
        word.strip_suffix("ies").map(|stem| format!("{stem}y")),
    ];
    match word {
        "has" => Some("have".into()),
        "does" => Some("do".into()),
        _ => stems.into_iter().flatten().find(|stem: &String| is_verb(stem)),
    }
}

/// The plain form of "checking", "running", "taking".
pub(super) fn from_ing(word: &str) -> Option<String> {
    let stem = word.strip_suffix("ing").filter(|stem| stem.len() > 1)?;
    plain(stem)
}

/// The plain form of "checked", "stopped", "moved", "sent".
pub(super) fn from_past(word: &str) -> Option<String> {
    static ODD: PairList = PairList::of(
        "sent=send done=do written=write made=make put=put found=find told=tell taken=take brought=bring bought=buy \
        given=give set=set kept=keep cut=cut paid=pay read=read drawn=draw built=build rebuilt=rebuild hung=hang \
        chosen=choose fed=feed thrown=throw rewritten=rewrite redone=redo reset=reset shown=show swept=sweep \
        held=hold got=get sold=sell lent=lend spent=spend taught=teach split=split shut=shut dug=dig spread=spread \
        driven=drive withdrawn=withdraw overseen=oversee proofread=proofread sewn=sew",
    );
    if let Some(base) = ODD.get(word) {
        return Some(base.into());
    }
    if let Some(stem) = word.strip_suffix("ied") {
        return Some(format!("{stem}y")).filter(|verb| is_verb(verb));
    }
    plain(word.strip_suffix("ed")?)
}

/// A stem as a verb: as it stands, with "e", or with its doubled end undone.
fn plain(stem: &str) -> Option<String> {
    let single = stem.len() > 2 && stem.as_bytes()[stem.len() - 1] == stem.as_bytes()[stem.len() - 2];
    let candidates =
        [Some(stem.to_owned()), Some(format!("{stem}e")), single.then(|| stem[..stem.len() - 1].to_owned())];
    candidates.into_iter().flatten().find(|verb| is_verb(verb))
}

/// Whether a lower-case word is the plain form of a verb that people do.
pub(crate) fn is_verb(word: &str) -> bool {
    Lexicon::of("en").kinds(hash::text(word)) & kind::VERB != 0
}
