//! A stretch of words as the rules for owners see it: lower-case words, what follows each, and the people it mentions.

use crate::feature::token::hash_word;
use crate::feature::word::{self as class, Class};
use crate::people::name::{fold, is_particle, is_title};
use crate::people::{PersonId, Roster};
use crate::word_list::WordList;

use super::Who;
use super::phrase::{ACTS, is_common, is_team};
use super::second::calls_all;

/// One word.
#[derive(Clone, Debug)]
pub struct Word<'a> {
    /// As written.
    pub written: &'a str,
    /// In lower case, with a straight apostrophe.
    pub lower: String,
    /// The marks between it and the next word.
    pub after: &'a str,
    /// The marks before it, where it is the first or follows a space.
    pub before: &'a str,
}

impl Word<'_> {
    /// Whether it begins with a capital.
    pub fn is_capital(&self) -> bool {
        self.written.starts_with(char::is_uppercase)
    }

    /// Whether it belongs to a script without capitals.
    pub fn is_caseless(&self) -> bool {
        self.written.starts_with(|first: char| first.is_alphabetic() && !first.is_lowercase() && !first.is_uppercase())
    }

    /// Whether somebody does something with it: "runs", "pushes", but not "thinks" or "likes".
    pub fn does(&self) -> bool {
        static IDLE: WordList = WordList::of(
            "thinks says likes knows sees hopes means feels hears agrees asks wants loves hates looks seems sounds \
            works lives remembers understands needs uses",
        );
        let ends = |tail| self.lower.strip_suffix(tail);
        !IDLE.has(&self.lower) && (ends("s").is_some_and(is_verb) || ends("es").is_some_and(is_verb))
    }

    /// Whether it is a verb that ends in -ing: "sending".
    pub fn is_doing(&self) -> bool {
        self.lower.strip_suffix("ing").is_some_and(|stem| is_verb(stem) || is_verb(&format!("{stem}e")))
    }

    /// Whether it is a verb in its base form.
    pub fn is_verb(&self) -> bool {
        is_verb(&self.lower)
    }

    /// Whether it lacks such an ending as [`Self::stem`] leaves out.
    pub fn is_bare(&self) -> bool {
        self.written == self.stem()
    }

    /// Whether another word begins behind an apostrophe in it: "J'ai".
    fn is_elided(&self) -> bool {
        let rest = self.stem().split_once(['\'', '’']).map(|(_, rest)| rest);
        rest.is_some_and(|rest| rest.starts_with(char::is_lowercase))
    }

    /// The word without the ending of "Sam'll", "Sam's", "Sam'd".
    pub fn stem(&self) -> &str {
        let end = ["'ll", "’ll", "'s", "’s", "'d", "’d", "'ve", "’ve"].iter().find(|end| self.written.ends_with(**end));
        end.map_or(self.written, |end| &self.written[..self.written.len() - end.len()])
    }
}

/// Somebody mentioned: first word, one past the last, who.
#[derive(Clone, Debug)]
pub struct PersonMention {
    /// Index of the first word.
    pub start: usize,
    /// One past the index of the last word.
    pub end: usize,
    /// Who it is.
    pub who: Who,
    /// Whether an `@` stands before it.
    pub at: bool,
    /// Whether the roster knows the name.
    pub known: bool,
    /// Whether it is a team or a role.
    pub team: bool,
}

/// The words of a text.
pub fn words(text: &str) -> Vec<Word<'_>> {
    let inner = |one: char| {
        one.is_alphanumeric() || matches!(one, '\'' | '’' | '_' | '@') || matches!(one, '\u{300}'..='\u{36f}')
    };
    let mut found: Vec<Word<'_>> = Vec::new();
    let mut rest = text;
    let mut marks = 0;
    while !rest.is_empty() && found.len() < 400 {
        let length = word_length(rest, inner);
        if length == 0 {
            let one = rest.chars().next().map_or(1, char::len_utf8);
            marks += one;
            rest = &rest[one..];
            continue;
        }
        let start = text.len() - rest.len();
        let between = &text[start - marks..start];
        if let Some(last) = found.last_mut() {
            last.after = between;
        }
        let written = rest[..length].trim_start_matches('@').trim_matches(['\'', '’']);
        let before = if rest.starts_with('@') { "@" } else { between };
        found.push(Word { written, lower: lower(written), after: "", before });
        rest = &rest[length..];
        marks = 0;
    }
    if let Some(last) = found.last_mut() {
        last.after = &text[text.len() - marks..];
    }
    found.retain(|word| !word.written.is_empty());
    for at in 0..found.len() {
        if let Some(full) = spelt_out(&found, at) {
            found[at].lower = full.to_owned();
        }
    }
    found
}

/// What hasty fingers meant: "ill send it", "im gonna", "imma".
fn spelt_out(words: &[Word<'_>], at: usize) -> Option<&'static str> {
    let act = || {
        words
            .get(at + 1)
            .is_some_and(|next| next.is_verb() || matches!(next.lower.as_str(), "be" | "get" | "also" | "just"))
    };
    let ends = at.checked_sub(1).is_none_or(|before| {
        !matches!(
            words[before].lower.as_str(),
            "is" | "am" | "are" | "was" | "be" | "feel" | "feeling" | "fell" | "so" | "very"
        )
    });
    match words[at].lower.as_str() {
        "ill" if act() && ends => Some("i'll"),
        "imma" | "ima" if act() => Some("i'll"),
        "im" => Some("i'm"),
        _ => None,
    }
}

/// A word in lower case, with a straight apostrophe.
fn lower(written: &str) -> String {
    if written.is_ascii() { written.to_ascii_lowercase() } else { written.to_lowercase().replace('’', "'") }
}

/// Bytes of the word at the start of a text; hyphens and dots within it belong to it.
fn word_length(text: &str, inner: impl Fn(char) -> bool) -> usize {
    let mut end = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((at, one)) = characters.next() {
        let next = characters.peek().map(|next| next.1);
        let joins = matches!(one, '-' | '.') && at > 0 && next.is_some_and(|next| next.is_alphanumeric());
        if !inner(one) && !joins {
            break;
        }
        end = at + one.len_utf8();
    }
    end
}

/// The people that words mention: those of the roster, and names that only stand here.
pub fn mentions(roster: &Roster, words: &[Word<'_>]) -> Vec<PersonMention> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        if calls_all(&words[at]) {
            at += 1;
            continue;
        }
        let mention = known(roster, words, at).or_else(|| unknown(roster, words, at));
        at = mention.as_ref().map_or(at + 1, |mention| mention.end);
        found.extend(mention);
    }
    found
}

/// A person of the roster: up to five words that fit one.
fn known(roster: &Roster, words: &[Word<'_>], at: usize) -> Option<PersonMention> {
    let tagged = words[at].before.ends_with('@');
    for length in (1..=5.min(words.len() - at)).rev() {
        let run = &words[at..at + length];
        if run[..length - 1].iter().any(|word| !word.after.trim_matches(['.', ' ', '-']).is_empty()) {
            continue;
        }
        let titled = usize::from(length > 1 && is_title(&run[0].lower));
        let name = &run[titled..];
        let plausible = name.iter().enumerate().all(|(at, word)| {
            let within = at > 0 && at + 1 < name.len() && is_particle(&word.lower);
            let plain = is_common(&word.lower) || is_plain(&word.lower, true) || word.lower.len() <= 2;
            word.is_capital() || word.is_caseless() || within || !plain
        });
        if !(tagged || plausible) || (length == 1 && !tagged && is_word(words, at)) {
            continue;
        }
        let letter = length == 1 && words[at].written.len() == 1;
        let acts = words.get(at + 1).is_some_and(|next| ACTS.has(&next.lower));
        if letter && (words[at].written == "I" || (words[at].written == "A" && !acts)) {
            continue;
        }
        let written = name.iter().map(Word::stem).collect::<Vec<_>>().join(" ");
        if let Some(id) = person(roster, &written, tagged, name.len()) {
            return Some(PersonMention {
                start: at,
                end: at + length,
                who: Who::Person(id),
                at: tagged,
                known: true,
                team: false,
            });
        }
    }
    None
}

/// Whether a name that is a word besides stands as the word: "Will you …", "Mark the …", "Bill him".
fn is_word(words: &[Word<'_>], at: usize) -> bool {
    static OBJECTS: WordList = WordList::of(
        "a an the i you he she it we they me him her us them my your his its our their this that these those",
    );
    let asks = |word: &Word<'_>| matches!(word.lower.as_str(), "will" | "may" | "can");
    let next = words.get(at + 1).filter(|_| words[at].after == " ");
    next.is_some_and(|next| {
        let ordinary = words[at].is_verb() || asks(&words[at]);
        (ordinary && OBJECTS.has(&next.lower)) || (asks(&words[at]) && next.is_capital())
    })
}

/// Letters that a handle has more of.
const HANDLE: usize = 4;

fn person(roster: &Roster, written: &str, tagged: bool, length: usize) -> Option<PersonId> {
    let all =
        written.split(['-', ' ', '.', '_']).all(|word| word.chars().count() == 1 || roster.knows_word(&fold(word)));
    let initials = length == 1
        && (2..=3).contains(&written.len())
        && written.chars().all(char::is_uppercase)
        && !matches!(
            written,
            "OK" | "AM"
                | "PM"
                | "IT"
                | "UK"
                | "US"
                | "EU"
                | "TV"
                | "HR"
                | "QA"
                | "PR"
                | "AI"
                | "NO"
                | "SO"
                | "TO"
                | "WE"
                | "MY"
                | "DO"
        );
    let short = length == 1
        && written.starts_with(char::is_uppercase)
        && written.chars().count() > 2
        && !is_common(&written.to_lowercase());
    let handle = length == 1 && written.len() > HANDLE && roster.knows_handle(&fold(written));
    if !(tagged || all || initials || short || handle) {
        return None;
    }
    roster.resolve(written)
}

/// A name or a team that the roster does not know.
fn unknown(roster: &Roster, words: &[Word<'_>], at: usize) -> Option<PersonMention> {
    let word = &words[at];
    let tagged = word.before.ends_with('@');
    let mut end = at + 1;
    let titled = is_title(&word.lower);
    for next in at + 1..words.len().min(at + 4) {
        let close = words[next - 1].after.trim_matches(['.', ' ']).is_empty() && words[next - 1].is_bare();
        let part = words[next].is_capital() && (!is_common(&words[next].lower) || is_particle(&words[next].lower));
        if !close || words[next].before.ends_with('@') || !(part || is_particle(&words[next].lower)) {
            break;
        }
        end = if part { next + 1 } else { end };
    }
    let opens = at == 0 || words[at - 1].after.contains(['.', '?', '!', '\n', ':']);
    let name = word.is_capital()
        && word.written.chars().count() > 1
        && !is_common(&word.lower)
        && !is_acronym(word.written)
        && !word.is_elided()
        && !is_plain(&word.lower, opens);
    // "Invite Sophie": a verb that is not known as one.
    if opens
        && !titled
        && !tagged
        && at + 1 < words.len()
        && known(roster, words, at + 1).is_some()
        && word.after == " "
    {
        return None;
    }
    let team = is_team(&fold(word.stem())) || word.written == "IT";
    // "Our caretaker Tom Brill": the role of whoever is named behind it.
    if team && !tagged && !word.is_capital() && end > at + 1 {
        return None;
    }
    // "due @2026-03-20".
    let dated = !word.written.starts_with(char::is_alphabetic);
    if dated || (titled && end == at + 1) || !(titled || tagged || name || team) {
        return None;
    }
    static UNITS: WordList = WordList::of("team department desk people guys office");
    if team && words.get(end).is_some_and(|word| UNITS.has(&word.lower)) {
        end += 1;
    }
    let mut written: Vec<&str> = words[at..end].iter().map(Word::stem).collect();
    if team && at > 0 && matches!(words[at - 1].lower.as_str(), "the" | "our") && !word.is_capital() {
        written.insert(0, words[at - 1].written);
    }
    // "Marketing will …", where a Marketing Expert speaks.
    if let Some(id) = team.then(|| roster.resolve(word.stem())).flatten().filter(|id| roster.person(*id).speaks) {
        return Some(PersonMention { start: at, end, who: Who::Person(id), at: tagged, known: true, team: false });
    }
    Some(PersonMention { start: at, end, who: Who::Other(written.join(" ")), at: tagged, known: false, team })
}

fn is_verb(word: &str) -> bool {
    class::known(hash_word(word)) == Some(Class::Verb)
}

/// Whether a word in lower case is an ordinary one: a function word, a sound of hesitation, or, where a sentence opens and its
/// capital says nothing, a verb.
pub fn is_plain(word: &str, opens: bool) -> bool {
    let stem = word.split('\'').next().unwrap_or_default();
    let sound = matches!(stem, "um" | "uh" | "er" | "erm" | "hm" | "hmm" | "mm" | "mhm" | "eh" | "ähm" | "äh" | "euh");
    sound
        || match class::known(hash_word(stem)) {
            Some(Class::Function) => true,
            Some(Class::Verb) => opens,
            _ => false,
        }
}

fn is_acronym(word: &str) -> bool {
    word.chars().count() > 1
        && word.chars().all(|one| one.is_uppercase() || one.is_numeric() || one == '-')
        && !is_team(&fold(word))
}
