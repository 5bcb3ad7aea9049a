//! Where a word must be somebody's name, whatever lists of given names say of it: "Peter, please call", "Mark to order it",
//! "could Tom bring it", "Dr Osei", "@Lena", "Julie and Sam, can you"; and how far a name goes.

use super::given::is_given;
use super::name::{is_particle, is_title, without_ending};
use crate::feature::token::hash_word;
use crate::feature::word::{Class, known};
use crate::owner::is_common;
use crate::word_list::WordList;
use std::ops::Range;

/// Given names of many people that are words besides, in some language: they count where a name stands.
static WORDS_TOO: WordList = WordList::of(
    "al amber april art austin bas bea bill billy bo bob bobby buck carol chad charity chase chen chip chuck clay \
    cliff coral crystal daisy dale dawn dean dele drew duke earl eve faith felicity florence frank gene glen grace grant \
    guy hank harmony harry hazel heather holly honor hope hunter ida iris ivy jack jade jay jerry jewel jo john jordan \
    josh joy june ken kit kostas lance lane larry lea lee lew li lily lin liz mac mark martin matt max may melody mercy \
    miles nat ned nell nick nikos norm olive olu opal oz pat patience pearl peg penny peter phil phoebe piet poppy \
    prudence raj randy ray reed rich rob robin rocky rod roger rose ruby rusty sage sandy sem sky skip sonny stone sue \
    tate terry tom ute verity victor viola violet virginia wade walt wang ward will willow wolf woody yaw an",
);
/// Words that nobody is called by, though they are called so.
static NOBODY: WordList = WordList::of(
    "however otherwise moreover meanwhile besides finally also again hello hallo bonjour hola ciao olá morning thanks \
    merci gracias grazie danke sorry super genau bueno bene guys folks people colleagues ladies gentlemen here channel \
    everyone everybody team all alle staff reminder letter time failure attempt request decision agreement permission \
    reason option thing nothing money place further ready able unable free due subject welcome pleased keen whether \
    aim aims goal goals idea way ways list intention",
);
/// Words before a name at which a sentence begins.
static OPENERS: WordList = WordList::of(
    "hi hey hello ok okay so and then also yes yeah right well great now thanks cool perfect but oh alright sure und et y",
);
/// Words by which somebody who was called is asked.
static ASKS: WordList = WordList::of(
    "please pls plz kindly bitte kannst könntest könnten würdest würden peux pourrais pouvez pourriez puedes podrías \
    podría puoi potresti pode poderia podes podias kun kunt",
);
/// Words that begin a question and may be followed by whoever is to act.
static MODALS: WordList = WordList::of("can could would will should shall");
/// Words between two names.
static JOINTS: WordList = WordList::of("and und et y");
/// Most people in a row: "Julie, Sam and Tom, can you".
const ROW: usize = 4;

/// Whether a given name is a word besides.
pub fn is_word_too(word: &str) -> bool {
    WORDS_TOO.has(&word.to_lowercase())
}

/// Whether a word is a given name.
pub fn is_name(word: &str) -> bool {
    is_word_too(word) || is_given(word)
}

/// The words of a text by their places.
pub struct Places<'t> {
    text: &'t str,
    words: Vec<Range<usize>>,
    /// Whether nouns have capitals, too.
    nouns: bool,
}

impl<'t> Places<'t> {
    /// Takes a text apart.
    pub fn of(text: &'t str, nouns: bool) -> Self {
        let apart = |one: char| !(one.is_alphanumeric() || matches!(one, '\'' | '’' | '-'));
        let mut end = 0;
        let pieces = text.split_inclusive(apart).map(|piece| {
            let start = end;
            end += piece.len();
            let word = piece.trim_end_matches(apart).trim_end_matches('-');
            start..start + word.len()
        });
        let words = pieces.filter(|place| text[place.clone()].starts_with(char::is_alphabetic)).collect();
        Self { text, words, nouns }
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// A word without the ending of "Sam's", "Sam'll".
    pub fn word(&self, at: usize) -> &'t str {
        let Some(place) = self.words.get(at) else { return "" };
        without_ending(&self.text[place.clone()])
    }

    /// The name from one word to before another, as written.
    pub fn name(&self, start: usize, end: usize) -> &'t str {
        let (Some(first), Some(last)) = (self.words.get(start), self.words.get(end - 1)) else { return "" };
        without_ending(&self.text[first.start..last.end])
    }

    fn lower(&self, at: usize) -> String {
        self.word(at).to_lowercase()
    }

    /// What stands between a word and the next.
    fn after(&self, at: usize) -> &'t str {
        let start = self.words.get(at).map_or(self.text.len(), |place| place.end);
        let end = self.words.get(at + 1).map_or(self.text.len(), |place| place.start);
        &self.text[start..end]
    }

    fn before(&self, at: usize) -> &'t str {
        let start = at.checked_sub(1).map_or(0, |last| self.words[last].end);
        &self.text[start..self.words[at].start]
    }

    fn is_capital(&self, at: usize) -> bool {
        self.word(at).starts_with(char::is_uppercase)
    }

    /// Whether a word ends as it stands, and not in "'s".
    fn is_whole(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|place| self.word(at).len() == place.len())
    }

    /// Where a name that begins here ends: behind the other names, initials and particles that stand directly after its first word.
    pub fn end(&self, at: usize) -> usize {
        const LONGEST: usize = 5;
        let titled = usize::from(is_title(self.word(at)));
        let mut end = at + 1;
        for next in at + 1..self.words.len().min(at + LONGEST) {
            let gap = self.after(next - 1);
            let dotted = gap == ". " && (next == at + titled || self.word(next - 1).chars().count() == 1);
            let common = next > at + titled && is_common(&self.lower(next));
            let part = self.is_capital(next) && !common && !matches!(self.word(next), "I" | "A");
            let abbreviation = self.is_shouted(next) && !self.is_shouted(at);
            if !self.is_whole(next - 1) || !(gap == " " || dotted) || abbreviation {
                break;
            }
            // "Anneke Visser Tomasz Wrona" are two: a surname is the last word.
            let last = self.word(next - 1);
            let whole = next > at + titled + 1 && last.chars().count() > 1 && !is_name(last) && !is_particle(last);
            if whole || (!part && !is_particle(self.word(next))) {
                break;
            }
            end = if self.is_capital(next) { next + 1 } else { end };
        }
        let first = at + 1 + titled;
        if self.nouns && end > first && !self.closes(end) { first } else { end }
    }

    /// Whether a word has several letters and all are capitals.
    fn is_shouted(&self, at: usize) -> bool {
        let word = self.word(at);
        word.chars().filter(|one| one.is_alphabetic()).count() > 1 && !word.contains(char::is_lowercase)
    }

    /// Whether what stands before a word is a whole name where nouns have capitals: a mark follows, or a verb.
    fn closes(&self, end: usize) -> bool {
        let next = self.word(end);
        let verb =
            next.starts_with(char::is_lowercase) && (next.ends_with('t') || matches!(next, "muss" | "kann" | "soll"));
        self.after(end - 1) != " " || verb
    }

    /// Whether a word with a capital stands where only a name can.
    pub fn stands(&self, at: usize) -> bool {
        let (word, end) = (self.lower(at), self.end(at));
        if is_title(&word) {
            return end > at + 1;
        }
        let own = is_word_too(&word);
        let class = known(hash_word(&word));
        let ordinary = is_common(&word) || matches!(class, Some(Class::Verb | Class::Function));
        // "J'ai", "L'équipe".
        let elided =
            self.word(at).split_once(['\'', '’']).is_some_and(|(_, rest)| rest.starts_with(char::is_lowercase));
        let nobody = NOBODY.has(&word) || word.chars().count() < 2 || self.is_shouted(at) || elided;
        // "Invite Sophie to join": a verb that is not known as one.
        let leads = !own && end > at + 1 && is_name(self.word(at + 1));
        if nobody || leads || (ordinary && !own) {
            return false;
        }
        let acts = self.row(at).any(|first| self.opens(first) && self.acts(first, 0));
        acts || self.is_tagged(at) || self.is_asked(at, end) || (own && self.is_set_off(at, end))
    }

    /// Where the row of names may begin that a word stands in: at the word itself, or before "Julie and".
    fn row(&self, at: usize) -> impl Iterator<Item = usize> {
        const LONGEST: usize = 8;
        let part = |at: &usize| self.is_capital(*at) || is_particle(self.word(*at)) || JOINTS.has(self.word(*at));
        let whole = (at.saturating_sub(LONGEST)..at).rev().take_while(part).last().unwrap_or(at);
        (whole..=at).filter(|first| self.is_capital(*first))
    }

    /// "@Lena", and no address.
    fn is_tagged(&self, at: usize) -> bool {
        let start = self.words[at].start;
        self.before(at).ends_with('@') && !self.text[..start - 1].ends_with(char::is_alphanumeric)
    }

    /// "Could Tom order it?"
    fn is_asked(&self, at: usize, end: usize) -> bool {
        let modal = at.checked_sub(1).filter(|before| self.before(at) == " " && MODALS.has(&self.lower(*before)));
        modal.is_some_and(|modal| self.opens(modal)) && self.after(end - 1) == " " && self.is_act(end)
    }

    /// "(Tom)", "– Tom", "Tom: …" where a line begins.
    fn is_set_off(&self, at: usize, end: usize) -> bool {
        let (before, after) = (self.before(at), self.after(end - 1));
        let month = matches!(self.word(at), "April" | "May" | "June");
        let bracketed = before.ends_with('(') && after.starts_with([')', ',']);
        let behind = ["– ", "— ", " - ", "→ ", "> "].iter().any(|mark| before.ends_with(mark));
        let ends =
            end == self.words.len() || after.starts_with(['\n', ',']) || after.trim().starts_with(['–', '—', '-']);
        let labels = (before.is_empty() || before.contains('\n')) && after.starts_with(':');
        !month && (bracketed || (behind && ends) || labels)
    }

    /// Whether a sentence begins at a word, but for what leads in.
    fn opens(&self, at: usize) -> bool {
        const LEAD: usize = 3;
        let begins =
            |at: usize| at == 0 || self.before(at).contains(['.', '?', '!', ':', '\n', '–', '—', '•', '[', ']']);
        let mut first = at;
        while at - first < LEAD && !begins(first) && OPENERS.has(&self.lower(first - 1)) {
            first -= 1;
        }
        begins(first)
    }

    /// Whether the one whose name begins a sentence here is asked, or is to act; so are those named beside them.
    fn acts(&self, at: usize, row: usize) -> bool {
        let end = self.end(at);
        let (after, next) = (self.after(end - 1), self.lower(end));
        let sure = is_word_too(self.word(at)) || end > at + 1;
        let is = |at: usize, words: &[&str]| words.contains(&self.lower(at).as_str());
        let asks = ASKS.has(&next) || (is(end, &["can", "could", "would", "will"]) && is(end + 1, &["you"]));
        let calls = after.starts_with(',')
            || (after == " " && (sure || !ASKS.has(&next)))
            || (sure && (after.starts_with(':') || after.starts_with(" –") || after == " - "));
        let beside = match after {
            " " if JOINTS.has(&next) && self.after(end) == " " => end + 1,
            " & " | ", " | " / " => end,
            _ => self.words.len(),
        };
        let others =
            row < ROW && self.is_capital(beside) && !is_common(&self.lower(beside)) && self.acts(beside, row + 1);
        let duty = &["needs", "has", "agreed", "offered", "promised", "volunteered"];
        let obliged = (is(end, &["will", "must", "shall", "should"]) && self.is_act(end + 1))
            || (is(end, duty) && is(end + 1, &["to"]) && self.is_act(end + 2));
        let thing = ["s", "ing", "ion", "ment", "ness"].iter().any(|ending| self.word(at).ends_with(ending));
        let told = next == "to" && self.is_act(end + 1) && (sure || !thing) && self.word(at) != "Hope";
        (asks && calls && self.words.len() > end + 1) || others || (after == " " && (told || (sure && obliged)))
    }

    /// Whether a word is a verb of doing in its base form.
    fn is_act(&self, at: usize) -> bool {
        let word = self.word(at);
        word.starts_with(char::is_lowercase) && known(hash_word(word)) == Some(Class::Verb)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(text: &str) -> Vec<&str> {
        let places = Places::of(text, false);
        let starts = (0..places.len()).filter(|at| places.stands(*at) && (*at == 0 || !places.stands(at - 1)));
        starts.map(|at| places.name(at, places.end(at))).collect()
    }

    #[test]
    fn a_word_is_a_name_where_it_stands_as_one() {
        for (text, name) in [
            ("Hi all.\nOkay Mark, please call the client.", "Mark"),
            ("Zsolt, can you call the client?", "Zsolt"),
            ("Grace to order the gravel", "Grace"),
            ("Could Will order the nails?", "Will"),
            ("Committee to order the gravel", "Committee"),
            ("ask Mrs. Okafor about it", "Mrs. Okafor"),
            ("Cllr Osei agreed", "Cllr Osei"),
            ("Buy cake (Tom)", "Tom"),
            ("book it @Lena by Friday", "Lena"),
            ("Piet van Dijk to order it", "Piet van Dijk"),
            ("Mark Dawson will send it", "Mark Dawson"),
        ] {
            assert_eq!(standing(text), [name], "{text}");
        }
        assert_eq!(standing("Grace and Tom, can you order it?"), ["Grace", "Tom"]);
    }

    #[test]
    fn and_an_ordinary_word_elsewhere() {
        for text in [
            "Will you mark the pages? May I? Mark the trees.",
            "Hope to send it soon. Ready to send",
            "However, can you send it?",
            "J'ai, please, sam@Lena.example",
            "Denk bitte an den Plan",
            "Kitchen: order the tiles (Monday)",
            "Further to our call, send it",
        ] {
            assert_eq!(standing(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_name_goes_on_over_particles_and_initials_and_ends_before_another_word() {
        let end = |text: &'static str, nouns: bool| {
            let places = Places::of(text, nouns);
            places.name(0, places.end(0))
        };
        for (text, name) in [
            ("Bouchra El Amrani will go", "Bouchra El Amrani"),
            ("Anneke Visser Tomasz Wrona", "Anneke Visser"),
            ("Anna de la Cruz's plan", "Anna de la Cruz"),
            ("Ana Lucía Pérez to go", "Ana Lucía Pérez"),
            ("Jago W to go", "Jago W"),
            ("Anna Monday is fine", "Anna"),
            ("Anna. Tom said", "Anna"),
            ("Anna de novo", "Anna"),
        ] {
            assert_eq!(end(text, false), name);
        }
        assert_eq!(end("Petra Kuchen backen", true), "Petra");
        assert_eq!(end("Petra Lehmann bestellt", true), "Petra Lehmann");
    }
}
