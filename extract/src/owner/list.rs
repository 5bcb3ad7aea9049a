//! Claims from items of notes and rows of tables: "Sam: …", "(Sam) …", "@sam", "Sam to …", "→ me", a column "who".

use super::claim::{ClaimKind, OwnerClaim};
use super::clause::{mentions, words};
use super::participants::Participants;
use super::phrase::{is_common, is_team};
use super::{Stretch, Who};
use crate::explicit::is_order;
use crate::people::initials;
use crate::people::name::{fold, is_title};
use crate::reader::{Kind, Utterance, is_unsettled};
use crate::word_list::WordList;

/// Words before the name of an owner.
static LABELS: WordList = WordList::of_phrases(
    "ai | action | action item | owner | assigned to | assignee | todo | to do | responsible | task | a | who | resp",
);

/// The claims that an item makes; none for what is said.
pub fn claims(participants: &Participants<'_>, stretch: &Stretch) -> Vec<OwnerClaim> {
    let Some(utterance) = participants.utterance(stretch.utterance) else { return Vec::new() };
    if let Some(who) = assigned(participants, utterance) {
        return vec![OwnerClaim::new(who, 20.0, ClaimKind::Column)];
    }
    if utterance.kind == Kind::TableRow || !participants.is_item(utterance) {
        return Vec::new();
    }
    let whole = utterance.text.as_str();
    let text =
        if matches!(utterance.kind, Kind::Prose) { participants.words(stretch) } else { line_of(whole, stretch) };
    let mail = utterance.envelope.is_some();
    let mut found: Vec<OwnerClaim> = Vec::new();
    let known = |who: &Who| matches!(who, Who::Person(_));
    let is_task = || is_task(participants, utterance);
    let lead = lead(participants, text).filter(|(who, sure)| known(who) || (!mail && (*sure || is_task())));
    let lead = lead.or_else(|| initialled(participants, text).filter(|_| !mail).map(|who| (who, true)));
    let after = arrow(participants, text).filter(|who| !mail || known(who));
    let named = lead.as_ref().is_some_and(|lead| known(&lead.0));
    found.extend(
        lead.map(|(who, sure)| OwnerClaim::new(who, if sure || named { 14.0 } else { 10.0 }, ClaimKind::Labelled)),
    );
    found.extend(tagged(participants, text).map(|who| OwnerClaim::new(who, 10.0, ClaimKind::Tagged)));
    if !named {
        found.extend(after.map(|who| OwnerClaim::new(who, 11.0, ClaimKind::Arrow)));
    }
    if found.is_empty() && !mail {
        found.extend(bracketed(participants, text).map(|who| OwnerClaim::new(who, 8.0, ClaimKind::Bracketed)));
    }
    if found.is_empty() {
        found.extend(headed(participants, utterance).map(|who| OwnerClaim::new(who, 9.0, ClaimKind::Labelled)));
    }
    found
}

/// "FT orders it", "LM draws it → AK": whoever the initials are of acts, and whoever stands behind an arrow gets it.
fn initialled(participants: &Participants<'_>, text: &str) -> Option<Who> {
    let words = words(text);
    let [first, act, ..] = words.as_slice() else { return None };
    let acts = initials::may_be(first.written) && first.after == " " && act.does();
    let id = participants.roster.resolve(first.written).filter(|_| acts)?;
    Some(Who::Person(id))
}

/// Whose name the heading of an item is.
fn headed(participants: &Participants<'_>, utterance: &Utterance<'_>) -> Option<Who> {
    let heading = participants.utterance(utterance.section?)?.text.as_str();
    let name = heading.trim_matches(['*', '_', '#', ':', '@', ' ']);
    let whole = name.split(' ').count() <= 3 && name.starts_with(char::is_uppercase);
    let id = participants.roster.resolve(name).filter(|_| whole)?;
    let known = name.split(' ').all(|word| participants.roster.knows_word(&fold(word)));
    known.then_some(Who::Person(id))
}

/// Longest line that is looked through for each stretch of it, in bytes: a list may have thousands of entries on one.
const LINE: usize = 2_000;

/// The line of an item on which a stretch begins; of an endless one the stretch alone.
fn line_of<'t>(whole: &'t str, stretch: &Stretch) -> &'t str {
    let own = || whole.get(stretch.range.clone()).unwrap_or_default();
    let (before, after) = whole.split_at_checked(stretch.range.start).unwrap_or((whole, ""));
    let breaks = |byte: &u8| *byte == b'\n';
    let back = before.bytes().rev().take(LINE).position(|byte| breaks(&byte));
    let ahead = after.bytes().take(LINE).position(|byte| breaks(&byte));
    let (Some(start), Some(end)) = (
        back.map(|at| before.len() - at).or((before.len() <= LINE).then_some(0)),
        ahead.map(|at| before.len() + at).or((after.len() <= LINE).then_some(whole.len())),
    ) else {
        return own();
    };
    whole.get(start..end).filter(|line| line.len() <= LINE).unwrap_or_else(own)
}

/// Whether an item is one of tasks: it has a box, or stands under a heading of actions.
fn is_task(participants: &Participants<'_>, utterance: &Utterance<'_>) -> bool {
    let heading = utterance.section.and_then(|section| participants.utterance(section));
    matches!(utterance.kind, Kind::CheckBox { .. })
        || heading.is_some_and(|heading| crate::script::names_actions(heading.text.as_str()))
}

/// Whom the form of an entry gives it to, which may be nobody.
pub fn assigned(participants: &Participants<'_>, utterance: &Utterance<'_>) -> Option<Who> {
    let written = utterance.assigned?.trim_matches(['*', '_', ' ', '.', '@']);
    if !written.contains(char::is_alphanumeric) || is_unsettled(written) {
        return Some(Who::Nobody);
    }
    let acting = written.split(" - ").find_map(|part| part.split_once(" to ")).map(|(name, _)| name);
    let name = first(acting.unwrap_or(written));
    let plain = name.split(' ').count() <= 4 && !is_common(&name.to_lowercase());
    named(participants, name).or_else(|| plain.then(|| Who::Other(name.to_owned())))
}

/// The first of several names.
fn first(names: &str) -> &str {
    names.split([',', '+', '/', '&']).next().unwrap_or(names).split(" and ").next().unwrap_or(names).trim()
}

/// "Sam: …", "Sam – …", "Sam -> …", "(Sam) …", "AI: Sam → …", "owner: Sam", "Sam to …"; and whether the form leaves no doubt.
fn lead(participants: &Participants<'_>, text: &str) -> Option<(Who, bool)> {
    let mut rest = text.trim_start_matches(['*', '_', '~', ' ', '→', '-', '>', '❗', '!']);
    if let Some(close) = rest.strip_prefix(['(', '[']).and_then(|inner| inner.find([')', ']'])) {
        return named(participants, first(&rest[1..=close])).map(|who| (who, true));
    }
    let mut labelled = false;
    for _ in 0..2 {
        let Some(colon) = rest.bytes().take(24).position(|byte| byte == b':') else { break };
        let label = rest[..colon].trim_matches(['*', '_', ' ']);
        if !LABELS.has(&label.to_lowercase()) {
            if let Some(who) = addressed(participants, label) {
                return Some((who, true));
            }
            break;
        }
        labelled = true;
        rest = rest[colon + 1..].trim_start_matches(['*', '_', ' ']);
    }
    let (end, mark) =
        separator(rest).filter(|(end, mark)| *mark != " to " || !is_order(&rest[..*end], &rest[end + mark.len()..]))?;
    let label = rest[..end].trim_matches(['*', '_', ' ', '@', '-']);
    let sure = labelled || matches!(mark, " to " | "->" | " -> " | "→");
    named(participants, first(label)).map(|who| (who, sure))
}

/// Whom a label itself names: "Action item for Sam", "TODO (Sam)".
fn addressed(participants: &Participants<'_>, label: &str) -> Option<Who> {
    let lower = label.to_lowercase();
    let begins = |known: &&&str| lower.len() == label.len() && lower.starts_with(&format!("{known} "));
    let longest = LABELS.all().iter().filter(begins).max_by_key(|known| known.len())?;
    let name = label.get(longest.len()..)?.trim_matches([' ', '(', ')', '-', '–']);
    let name = ["on ", "for "].iter().find_map(|word| name.strip_prefix(word)).unwrap_or(name);
    named(participants, name).filter(|who| matches!(who, Who::Person(_)))
}

/// Where the label at the start of an item ends, and with what.
fn separator(text: &str) -> Option<(usize, &'static str)> {
    let ends = [":", "：", " – ", " — ", " - ", " -> ", "->", "→", " to ", " => ", "** "];
    let found = ends.iter().filter_map(|end| text.find(end).map(|at| (at, *end))).min_by_key(|end| end.0)?;
    (found.0 > 0 && found.0 <= 40).then_some(found)
}

/// `@sam` anywhere.
fn tagged(participants: &Participants<'_>, text: &str) -> Option<Who> {
    let words = words(text);
    let mention = mentions(participants.roster, &words).into_iter().find(|mention| mention.at)?;
    Some(mention.who)
}

/// "… → me, dig it out", "… -> O drafts the reply", "… – Sarika, by Tuesday", "… – Sarika – Tuesday".
fn arrow(participants: &Participants<'_>, text: &str) -> Option<Who> {
    let known = |written: &str| named(participants, written).filter(|who| matches!(who, Who::Person(_)));
    let marks = ["→", "←", "->", "=>", "<-", " – ", " — ", " - ", ": "];
    let after = marks.iter().filter_map(|mark| text.rfind(mark).map(|at| (at + mark.len(), *mark)));
    let mut last = after.filter_map(|(at, mark)| {
        let part = text.get(at..)?.trim_start();
        let name = part.split([',', ' ', ':', '.', ';', ')', '(']).next()?;
        let two = part.split([',', ':', '.', ';', '(', '/']).next().unwrap_or(name).trim();
        known(two)
            .or_else(|| known(name))
            .or_else(|| if mark.contains(['>', '<', '→', '←']) { named(participants, two) } else { None })
    });
    let between = || {
        [" – ", " — ", " - ", " | ", " / ", ", "].iter().find_map(|dash| {
            let mut parts: Vec<&str> = text.split(dash).skip(1).collect();
            parts.pop();
            parts.into_iter().rev().find_map(known)
        })
    };
    last.next().or_else(between)
}

/// "… (LA)", "… (Sam, by Monday)".
fn bracketed(participants: &Participants<'_>, text: &str) -> Option<Who> {
    let open = text.rfind('(')?;
    let inner = text[open + 1..].split(')').next()?;
    let name = inner.split([',', ';', '–', '-']).next()?.trim();
    named(participants, name).filter(|who| matches!(who, Who::Person(_)))
}

/// Whom a label names: "me", somebody of the roster, or somebody whose name has a capital.
fn named(participants: &Participants<'_>, written: &str) -> Option<Who> {
    let written = written.trim().trim_matches(['*', '_', '@', '?', '(', ')', ' ', '!']);
    let lower = written.to_lowercase();
    if matches!(lower.as_str(), "me" | "moi" | "ich" | "yo" | "io" | "eu" | "ik" | "myself" | "ja" | "já" | "i") {
        return participants.roster.me().map(Who::Person);
    }
    let words: Vec<&str> = written.split(' ').collect();
    if written.is_empty() || words.len() > 4 || written.len() > 40 {
        return None;
    }
    if let Some(id) = participants.roster.resolve(written) {
        return Some(Who::Person(id));
    }
    let bare = written.split('(').next().unwrap_or(written).trim();
    // "Invite Sophie": a verb that is not known as one.
    let known = |word: &&str| participants.roster.knows_word(&fold(word));
    if !is_title(words[0]) && !known(&words[0]) && words.len() > 1 && words[1..].iter().all(known) {
        return None;
    }
    let capital = bare.split(' ').all(|word| word.starts_with(char::is_uppercase))
        && bare.chars().all(|one| one.is_alphabetic() || matches!(one, ' ' | '.' | '-' | '\'' | '’'));
    let team = words.len() <= 2 && is_team(&fold(words.last().unwrap_or(&"")));
    let plausible = (capital
        && words.len() <= 3
        && !words.iter().any(|word| is_common(&word.to_lowercase()))
        && words.iter().all(|word| participants.is_name(word)))
        || team;
    plausible.then(|| Who::Other(bare.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(whole: &str, range: std::ops::Range<usize>) -> &str {
        line_of(whole, &Stretch { utterance: 0, range })
    }

    #[test]
    fn a_stretch_is_seen_with_its_line() {
        let whole = "Sam: book it\nring the bank. And the shop → Priya\nlast";
        assert_eq!(seen(whole, 13..27), "ring the bank. And the shop → Priya");
        assert_eq!(seen(whole, 0..3), "Sam: book it");
        assert_eq!(seen(whole, 51..55), "last");
    }

    #[test]
    fn what_is_looked_through_does_not_grow_with_a_line_of_thousands_of_entries() {
        let entry = "[ ] ring ";
        let whole = entry.repeat(13_000);
        let stretches = (0..13_000).map(|at| at * entry.len()..(at + 1) * entry.len());
        let all: usize = stretches.map(|range| seen(&whole, range).len()).sum();
        assert!(all <= 4 * whole.len(), "{all} bytes for {}", whole.len());
    }
}
