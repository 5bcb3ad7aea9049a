//! How likely each word of the neighbourhood is to stand in the title that a person would give: a small linear model over
//! where a word stands, what stands beside it, and what kind of word it is.

use std::borrow::Cow;

use super::action::{Action, Form, is_pronoun};
use super::people;
use super::scene::Scene;
use super::word::{Word, has, hash, lettered};
use crate::cue::join;
use crate::feature::fold;
use crate::feature::word::HashedMap;

/// Verbs that titles often begin with, said or not.
const COMMON: &str = "send write ask get ring tell put call make email book sign give check find chase bring draft set order \
    submit close deliver phone run fill review finish add open swap hand raise redo build upload ship \
    correct cut replace prepare take confirm text change complete forward scan rewrite return push circulate \
    fix issue pick update share schedule show clean test invite pay collect";

/// The verbs that titles often begin with.
pub(super) fn common() -> impl Iterator<Item = &'static str> {
    COMMON.split_whitespace()
}

/// Small words that a title may need though nobody says them.
const LINKS: [&str; 8] = ["the", "a", "for", "about", "to", "with", "of", "from"];

/// The words that a title may hold.
pub(super) struct Vocabulary<'a> {
    known: HashedMap<usize>,
    /// Each word with what speaks for it.
    pub entries: Vec<Entry<'a>>,
    /// What the evidence leaves unsaid.
    lack: u64,
    /// Who says the last of the evidence.
    voice: Option<&'a str>,
}

/// A word that a title may hold.
pub(super) struct Entry<'a> {
    /// In lower case.
    pub word: Cow<'a, str>,
    /// What speaks for it, hashed.
    pub features: Vec<u32>,
    /// How likely it is to stand in the title.
    pub likely: f32,
    lines: u32,
    last: usize,
    proofs: u32,
    nearest: i32,
}

impl<'a> Vocabulary<'a> {
    /// The words of a neighbourhood with their features.
    pub fn of(scene: &Scene<'_, '_, 'a>) -> Self {
        let voice = scene.places.iter().rposition(|place| place.off == 0).and_then(|at| scene.cast.lines[at].speaker);
        let mut all = Self { known: HashedMap::default(), entries: Vec::new(), lack: lack(scene), voice };
        for (line, words) in scene.words.iter().enumerate() {
            (0..words.len()).for_each(|at| all.see(scene, line, words, at));
        }
        for word in &scene.topic {
            all.entry(&word.lower, word.hash).put(1, [word.class]);
        }
        let english = scene.cast.is_english();
        common().filter(|_| english).for_each(|verb| all.verb(scene, verb));
        for link in LINKS.iter().filter(|_| english) {
            let own = hash(link);
            let said = u64::from(all.known.contains_key(&own));
            all.entry(&Cow::Borrowed(link), own).put(2, [said, own]);
        }
        all.wholes();
        all
    }

    /// Asks the model.
    pub fn weigh(&mut self, keep: &dyn Fn(&[u32]) -> f32) {
        for entry in &mut self.entries {
            entry.likely = keep(&entry.features);
        }
    }

    /// How likely a word is; of one that is not of the neighbourhood, hardly.
    pub fn likely(&self, word: &Word<'_>) -> f32 {
        self.known.get(&word.hash).map_or(0.03, |at| self.entries[*at].likely)
    }

    /// How many lines hold a word.
    pub fn lines(&self, word: &Word<'_>) -> u32 {
        self.known.get(&word.hash).map_or(0, |at| self.entries[*at].lines)
    }

    /// How many words of titles are to be expected of it: the sum over all that are likelier than not to matter.
    pub fn expected(&self) -> f32 {
        self.entries.iter().map(|entry| entry.likely).filter(|likely| *likely > 0.15).sum()
    }

    fn entry(&mut self, word: &Cow<'a, str>, hash: u64) -> &mut Entry<'a> {
        let entries = &mut self.entries;
        let at = *self.known.entry(hash).or_insert_with(|| {
            let (word, features) = (word.clone(), Vec::with_capacity(48));
            entries.push(Entry { word, features, likely: 0.0, lines: 0, last: usize::MAX, proofs: 0, nearest: 99 });
            entries.len() - 1
        });
        &mut self.entries[at]
    }

    /// What one place of a word says.
    fn see(&mut self, scene: &Scene<'_, '_, 'a>, line: usize, words: &[Word<'a>], at: usize) {
        let word = &words[at];
        if word.is_mark() {
            return;
        }
        let place = scene.places[line];
        let role = role(place.off) * 4 + u64::from(place.first) * 2 + u64::from(place.last);
        let near = coarse(place.off);
        let kind = word.class;
        let said = &scene.cast.lines[line];
        let own = u64::from(said.speaker.is_some() && said.speaker == scene.cast.owner);
        let (form, step) = acted(scene, line, at);
        let before = at.checked_sub(1).map_or(1, |before| words[before].class);
        let after = words.get(at + 1).map_or(1, |next| next.class);
        let person = scene.cast.lines[line].speaker;
        let lack = self.lack;
        let phrase = phrase_place(words, at);
        let asks = u64::from(said.text.trim_end().ends_with('?'));
        let acts = scene.actions[line].iter().map(|action| action.form as u64 + 1).max().unwrap_or(0);
        let voice = u64::from(said.speaker == self.voice);
        if matches!(word.lower.as_ref(), "me" | "you")
            && let Some(name) = people::meant(&word.lower, said, scene.cast)
        {
            let name = Word::new(name);
            let entry = self.entry(&name.lower, name.hash);
            entry.put(3, [near, word.hash, form]);
            entry.put(4, [near, before]);
        }
        let entry = self.entry(&word.lower, word.hash);
        entry.put(10, [role, kind]);
        entry.put(11, [near, word.hash]);
        entry.put(12, [role]);
        entry.put(13, [near, form, step]);
        entry.put(14, [near, step, kind]);
        entry.put(15, [near, before, kind]);
        entry.put(16, [near, kind, after]);
        entry.put(18, [near, own, kind]);
        entry.put(19, [near, word.date.into(), kind]);
        entry.put(21, [near, u64::from(people::is_name(&word.lower, scene.cast)), u64::from(person.is_some())]);
        entry.put(22, [near, form, step, kind]);
        entry.put(23, [near, lack, kind]);
        entry.put(24, [role, lack]);
        entry.put(25, [near, phrase]);
        entry.put(28, [role, asks, voice]);
        entry.put(29, [near, acts, step.min(20)]);
        if entry.last != line {
            entry.last = line;
            entry.lines += 1;
            entry.proofs += u32::from(place.off == 0);
        }
        if place.off.abs() < entry.nearest.abs() {
            entry.nearest = place.off;
        }
    }

    /// What speaks for a verb, said or not.
    fn verb(&mut self, scene: &Scene<'_, '_, 'a>, verb: &'static str) {
        let own = hash(verb);
        let entry = self.entry(&Cow::Borrowed(verb), own);
        entry.put(30, [own]);
        let mut spoken = 0;
        let proven = scene.actions.iter().zip(&scene.places).filter(|(_, place)| place.off == 0);
        for action in proven.flat_map(|(actions, _)| actions) {
            let first = action.words.first().map_or(0, |word| word.hash);
            let particle = action.words.iter().skip(1).take(4).find(|word| is_particle(&word.lower));
            spoken += u64::from(action.form != Form::Bare);
            entry.put(31, [own, first]);
            entry.put(32, [own, first, particle.map_or(0, |word| word.hash)]);
            entry.put(33, [own, action.form as u64]);
        }
        entry.put(35, [own, spoken.min(2)]);
    }

    /// What each word is, wherever it stands.
    fn wholes(&mut self) {
        for entry in &mut self.entries {
            let (lines, proofs) = (u64::from(entry.lines.min(5)), u64::from(entry.proofs.min(3)));
            let shape = lettered(&entry.word);
            let nearest = role(entry.nearest);
            let own = hash(&entry.word);
            entry.put(40, [own]);
            entry.put(41, [lines, proofs, shape]);
            entry.put(42, [lines, nearest]);
            entry.put(43, [nearest, shape]);
            entry.put(44, [ending(&entry.word)]);
            entry.put(45, [entry.word.len().min(14) as u64, nearest]);
            entry.put(46, [proofs, own]);
            entry.put(47, [lines, own]);
            entry.features.sort_unstable();
            entry.features.dedup();
        }
    }
}

impl Entry<'_> {
    fn put<const N: usize>(&mut self, kind: u64, parts: [u64; N]) {
        self.features.push(fold(parts.into_iter().fold(join(89, kind), join)));
    }
}

/// What the evidence leaves unsaid: how many words of content its fullest action has, and whether it has a pronoun.
fn lack(scene: &Scene<'_, '_, '_>) -> u64 {
    let proven = (0..scene.places.len()).filter(|line| scene.places[*line].off == 0);
    let actions = proven.flat_map(|line| &scene.actions[line]);
    let content =
        |action: &Action<'_>| action.words.iter().skip(1).filter(|word| !word.little && !word.is_mark()).count();
    let fullest = actions.max_by_key(|action| content(action));
    fullest.map_or(9, |action| {
        let pronoun = action.words.iter().skip(1).any(|word| is_pronoun(&word.lower));
        content(action).min(4) as u64 * 2 + u64::from(pronoun)
    })
}

/// Where a word stands in its phrase: how it is led, and whether it closes it.
fn phrase_place(words: &[Word<'_>], at: usize) -> u64 {
    let plain = |word: &Word<'_>| !word.is_mark() && !word.date && !word.function;
    if !plain(&words[at]) {
        return 0;
    }
    let start = (0..at).rev().find(|before| !plain(&words[*before]));
    let lead = start.map_or(1, |start| words[start].class);
    let before = start
        .and_then(|start| start.checked_sub(1))
        .map_or(1, |before| u64::from(super::phrase::is_link(&words[before].lower)));
    let closes = !words.get(at + 1).is_some_and(plain);
    let opens = at.checked_sub(1) == start;
    let fronted = start.is_none_or(|start| {
        words[..=start].iter().all(|word| word.is_mark() || has("the a our your and so but then", &word.lower))
    });
    let rest = (at + 1..words.len()).find(|next| !plain(&words[*next])).map_or(0, |next| words.len() - next);
    let told = u64::from(fronted) * 3 + u64::from(fronted && rest < 3) + u64::from(fronted && rest < 1);
    join(join(lead, before), told * 4 + u64::from(closes) * 2 + u64::from(opens))
}

/// Words that change what a verb means.
fn is_particle(word: &str) -> bool {
    matches!(
        word,
        "up" | "out" | "over" | "back" | "off" | "in" | "round" | "down" | "through" | "on" | "at" | "into" | "away"
    )
}

/// In which part of an action a word stands: its form, and how far behind the verb.
fn acted(scene: &Scene<'_, '_, '_>, line: usize, at: usize) -> (u64, u64) {
    let within = scene.actions[line].iter().filter(|action| action.span.contains(&at));
    let nearest = within.max_by_key(|action| action.span.start);
    nearest.map_or_else(
        || {
            let behind = scene.actions[line].iter().any(|action| action.span.end <= at);
            (20, 20 + u64::from(behind))
        },
        |action| (action.form as u64, (at - action.span.start).min(9) as u64),
    )
}

/// Where a line stands, finely.
fn role(off: i32) -> u64 {
    match off {
        0 => 0,
        1 => 1,
        2 | 3 => 2,
        4.. => 3,
        -1 => 4,
        -2 => 5,
        -3 => 6,
        -5..=-4 => 7,
        _ => 8,
    }
}

/// Where a line stands, roughly.
fn coarse(off: i32) -> u64 {
    match off {
        0 => 0,
        1.. => 1,
        -2..=-1 => 2,
        _ => 3,
    }
}

/// The last three letters of a word.
fn ending(word: &str) -> u64 {
    let start = word.char_indices().rev().nth(2).map_or(0, |(at, _)| at);
    hash(&word[start..])
}
