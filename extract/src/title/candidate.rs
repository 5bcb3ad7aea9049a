//! Titles that could be made of a task's sentences: an action, whole or cut short, its pronoun replaced by a thing.

use super::action::{Form, is_pronoun};
use super::phrase::{is_article, is_link};
use super::scene::Scene;
use super::thing::Thing;
use super::vocabulary::Vocabulary;
use super::word::{Word, has};
use super::{LONGEST, widen};

/// A title that could be.
#[derive(Clone)]
pub(super) struct Draft<'a> {
    /// Its words.
    pub words: Vec<Word<'a>>,
    /// The line whose action it is.
    pub line: usize,
    /// The number of the action in its line.
    pub action: usize,
    /// The number of the thing put in for a pronoun, or behind the action.
    pub thing: Option<usize>,
    /// How the thing is put in.
    pub joint: Joint,
    /// The number of the last tail put behind it.
    pub tail: Option<usize>,
    /// What else was changed, one bit each.
    pub edits: u32,
    /// How near it is expected to come to the title that a person would give, by its words alone.
    pub gain: f32,
}

/// How a thing is joined to an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joint {
    /// No thing.
    None,
    /// In the place of a pronoun.
    Pronoun,
    /// Behind a number or "other" that lacks it: "Finish the other two", then "chapters".
    Ellipsis,
    /// Behind the action: "Send", then "the file".
    Behind,
    /// Behind the action with "about" between.
    About,
    /// Behind the action with "for" between.
    For,
}

/// With what words a thing may be put behind an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Links {
    /// With none of another language.
    None,
    /// With "about".
    Topics,
    /// With "for" as well.
    All,
}

/// What was changed.
pub(super) mod edit {
    /// Cut short.
    pub const CUT: u32 = 1;
    /// A tail of another place put behind it.
    pub const TAIL: u32 = 2;
    /// A thing put in for a shorter name of it.
    pub const RICHER: u32 = 4;
    /// Another verb.
    pub const VERB: u32 = 8;
    /// A verb before what has none.
    pub const LED: u32 = 16;
    /// "the" put in behind the verb.
    pub const ARTICLE: u32 = 32;
    /// A second tail.
    pub const TWICE: u32 = 64;
}

/// Most drafts that are kept from one step to the next.
pub(super) const KEPT: usize = 40;
/// Most things that are tried with an action.
const THINGS: usize = 24;
/// Most lines between an action and a thing put behind it with "for".
const NEAR: usize = 3;
/// How many words a title has.
const USUAL: f32 = 8.2;

/// The drafts of a task, best first by their words alone.
pub(super) fn all<'a>(scene: &Scene<'_, '_, 'a>, vocabulary: &Vocabulary<'_>) -> Vec<Draft<'a>> {
    let things = worthy(scene, vocabulary);
    let mut drafts = Vec::new();
    for (line, actions) in scene.actions.iter().enumerate() {
        for (action, acts) in actions.iter().enumerate() {
            let new = |words: Vec<Word<'a>>, edits| Draft {
                gain: gain(&words, vocabulary),
                words,
                line,
                action,
                thing: None,
                joint: Joint::None,
                tail: None,
                edits,
            };
            let whole = new(acts.words.clone(), 0);
            let mut bases = vec![whole];
            bases.extend(cuts(&acts.words).map(|words| new(words, edit::CUT)));
            for base in bases {
                for (number, thing) in &things {
                    let near = scene.between(thing.line, line) <= NEAR;
                    let links = match (scene.cast.is_english(), near) {
                        (false, _) => Links::None,
                        (true, false) => Links::Topics,
                        (true, true) => Links::All,
                    };
                    drafts.extend(joined(&base.words, thing, links).map(|(words, joint)| Draft {
                        gain: gain(&words, vocabulary),
                        words,
                        thing: Some(*number),
                        joint,
                        ..base.clone()
                    }));
                }
                drafts.push(base);
            }
        }
    }
    prune(&mut drafts, scene);
    widen::widen(drafts, scene, vocabulary)
}

/// The things most worth naming, by the words they have.
fn worthy<'s, 'a>(scene: &'s Scene<'_, '_, 'a>, vocabulary: &Vocabulary<'_>) -> Vec<(usize, &'s Thing<'a>)> {
    let worth = |thing: &Thing<'_>| worth(&thing.words, vocabulary);
    let mut things: Vec<(usize, &Thing<'a>)> = scene.things.iter().enumerate().collect();
    things.sort_by(|one, other| worth(other.1).total_cmp(&worth(one.1)).then(one.0.cmp(&other.0)));
    things.truncate(THINGS);
    things
}

/// How much words add to a title.
pub(super) fn worth(words: &[Word<'_>], vocabulary: &Vocabulary<'_>) -> f32 {
    words.iter().filter(|word| !word.is_mark()).map(|word| vocabulary.likely(word) - 0.2).sum()
}

/// How near words are expected to come to the title that a person would give: twice the words they share with it, of all
/// words of both.
pub(super) fn gain(words: &[Word<'_>], vocabulary: &Vocabulary<'_>) -> f32 {
    let plain: Vec<&Word<'_>> = words.iter().filter(|word| !word.is_mark()).collect();
    let fresh = |at: &usize| plain[..*at].iter().all(|word| word.hash != plain[*at].hash);
    let shared: f32 = (0..plain.len()).filter(fresh).map(|at| vocabulary.likely(plain[at])).sum();
    2.0 * shared / (plain.len() as f32 + USUAL)
}

/// Keeps the best drafts, each once; the whole actions of the evidence are kept in any case.
pub(super) fn prune(drafts: &mut Vec<Draft<'_>>, scene: &Scene<'_, '_, '_>) {
    let whole = |draft: &Draft<'_>| {
        let proof = scene.places[draft.line].off == 0;
        proof && draft.edits == 0 && draft.joint == Joint::None && draft.words.len() > 2
    };
    drafts.sort_by(|one, other| whole(other).cmp(&whole(one)).then(other.gain.total_cmp(&one.gain)));
    let mut kept: Vec<Draft<'_>> = Vec::with_capacity(KEPT);
    for draft in drafts.drain(..) {
        let same = |known: &Draft<'_>| {
            known.words.len() == draft.words.len()
                && known.words.iter().zip(&draft.words).all(|(one, other)| one.hash == other.hash)
        };
        if kept.len() < KEPT && !kept.iter().any(same) {
            kept.push(draft);
        }
    }
    *drafts = kept;
}

/// An action cut short before what more is said: "draft the summary", of "draft the summary and send it round".
fn cuts<'w, 'a>(words: &'w [Word<'a>]) -> impl Iterator<Item = Vec<Word<'a>>> + 'w {
    let ends = |at: &usize| {
        let lower = words[*at].lower.as_ref();
        is_link(lower) || matches!(lower, "and" | "," | "with" | "to" | "before" | "so" | "into" | "or")
    };
    (2..words.len()).filter(ends).take(5).map(|at| words[..at].to_vec())
}

/// An action with a thing: for its pronoun, or behind it where it says little.
fn joined<'a>(
    words: &[Word<'a>],
    thing: &Thing<'a>,
    links: Links,
) -> impl Iterator<Item = (Vec<Word<'a>>, Joint)> + use<'a> {
    let wanted = |word: &Word<'_>| {
        if thing.person { matches!(word.lower.as_ref(), "him" | "her" | "them") } else { is_pronoun(&word.lower) }
    };
    let pronoun = words.iter().skip(1).position(wanted).map(|at| at + 1);
    let repeats = thing.words.iter().all(|word| word.little || words.iter().any(|known| known.hash == word.hash));
    if repeats || (thing.person && pronoun.is_none()) {
        return None.into_iter();
    }
    if let Some(place) = pronoun {
        let described = words[place - 1].text.len() > 1 && place > 1 && !words[place - 1].little;
        let owned = is_article(&words[place - 1].lower) || (words[place].lower.starts_with("one") && described);
        let mut with = words.to_vec();
        with.splice(place..=place, inner(thing, owned));
        with.truncate(LONGEST);
        return Some((with, Joint::Pronoun)).into_iter();
    }
    if words.len() > 6 || words.len() + thing.words.len() >= LONGEST {
        return None.into_iter();
    }
    if let Some(with) = completed(words, thing) {
        return Some((with, Joint::Ellipsis)).into_iter();
    }
    let bare = words.iter().skip(1).all(|word| word.little);
    let with = |link: Option<&'static str>| {
        let mut with = words.to_vec();
        with.extend(link.map(Word::new));
        with.extend(inner(thing, false));
        with
    };
    match (bare, talks(&words[0].lower)) {
        (true, false) => Some((with(None), Joint::Behind)),
        (_, true) if links >= Links::Topics => Some((with(Some("about")), Joint::About)),
        (false, false) if links == Links::All => Some((with(Some("for")), Joint::For)),
        _ => None,
    }
    .into_iter()
}

/// An action that ends in a number or "the other", with the noun of a thing behind it: "Finish the other two chapters".
fn completed<'a>(words: &[Word<'a>], thing: &Thing<'a>) -> Option<Vec<Word<'a>>> {
    const LACKING: &str =
        "two three four five six seven eight nine ten other others both rest remaining last second first third";
    let last = words.last().filter(|last| words.len() > 1 && has(LACKING, &last.lower))?;
    let from = thing.words.iter().take_while(|word| is_article(&word.lower) || has(LACKING, &word.lower)).count();
    let end = (from..thing.words.len()).find(|at| thing.words[*at].function).unwrap_or(thing.words.len());
    let noun = thing.words.get(from..end).filter(|noun| !noun.is_empty() && !noun[0].date)?;
    let mut with = words.to_vec();
    match last.lower.as_ref() {
        "others" => *with.last_mut()? = Word::new("other"),
        "rest" | "both" => with.extend(["of", "the"].map(Word::new)),
        _ => {}
    }
    with.extend(noun.iter().cloned());
    Some(with)
}

/// Verbs that are said to somebody about something.
fn talks(verb: &str) -> bool {
    matches!(
        verb,
        "ask"
            | "tell"
            | "write"
            | "call"
            | "ring"
            | "email"
            | "talk"
            | "chase"
            | "remind"
            | "phone"
            | "message"
            | "speak"
            | "text"
            | "contact"
            | "inform"
            | "mail"
            | "reply"
    )
}

/// A thing as it stands inside a title: its article small, or gone where another word stands for it.
pub(super) fn inner<'a>(thing: &Thing<'a>, owned: bool) -> Vec<Word<'a>> {
    let mut words = thing.words.clone();
    let article = words.first().is_some_and(|word| is_article(&word.lower));
    if article && owned {
        words.remove(0);
    } else if article {
        words[0] = match words[0].lower.as_ref() {
            "a" => Word::new("a"),
            "an" => Word::new("an"),
            _ => Word::new("the"),
        };
    } else if let Some(first) = words.first_mut().filter(|word| word.starts) {
        let lower = first.lower.clone();
        *first = Word::new(lower);
    }
    words
}

/// Whether an action has no form that is seen.
pub(super) fn is_bare(draft: &Draft<'_>, scene: &Scene<'_, '_, '_>) -> bool {
    scene.actions[draft.line][draft.action].form == Form::Bare
}
