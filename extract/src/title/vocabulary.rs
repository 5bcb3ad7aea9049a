//! How likely each word of the neighbourhood is to stand in the title that a person would give: a small linear model over
//! where a word stands, what stands beside it, and what kind of word it is.

use super::action::{Action, Form};
use super::kind;
use super::piece::{Lexicon, Piece};
use super::scene::{Line, Scene};
use crate::cue::join;
use crate::feature::fold;

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
pub(super) const LINKS: [&str; 8] = ["the", "a", "for", "about", "to", "with", "of", "from"];

/// From how likely a word on it is expected to be one of a title.
const EXPECTED: f32 = 0.15;
/// How likely a word is that is not of the neighbourhood.
const STRANGE: f32 = 0.03;

/// The words that a title may hold.
pub(super) struct Vocabulary {
    /// The place of each word of the text among the entries, counted from one.
    places: Vec<u32>,
    /// How likely each word of the text is to stand in the title.
    likely: Vec<f32>,
    /// Each word of the neighbourhood with what speaks for it.
    pub entries: Vec<Entry>,
    /// What the evidence leaves unsaid.
    lack: u64,
    /// How many words of titles are to be expected of it.
    expected: f32,
}

/// A word that a title may hold.
pub(super) struct Entry {
    /// Its number in the text's lexicon.
    pub number: u32,
    /// What speaks for it, hashed.
    pub features: Vec<u32>,
    likely: f32,
    lines: u32,
    last: usize,
    proofs: u32,
    nearest: i32,
}

impl Vocabulary {
    /// The words of a neighbourhood with their features.
    pub fn of(scene: &Scene<'_, '_>) -> Self {
        let lexicon = &scene.page.lexicon;
        let (places, likely) = (vec![0; lexicon.len()], vec![STRANGE; lexicon.len()]);
        let mut all = Self { places, likely, entries: Vec::with_capacity(256), lack: lack(scene), expected: 0.0 };
        let voice = scene.lines.iter().rfind(|line| line.place.off == 0).and_then(|line| line.speaker);
        for (number, line) in scene.lines.iter().enumerate() {
            all.see(scene, number, line, line.speaker == voice);
        }
        for word in &scene.page.topic {
            all.entry(word).put(1, [word.class]);
        }
        if scene.page.is_english() {
            scene.page.unsaid.verbs.iter().for_each(|verb| all.verb(scene, verb));
            for link in &scene.page.unsaid.links {
                let said = u64::from(all.places[link.number as usize] > 0);
                all.entry(link).put(2, [said, link.hash]);
            }
        }
        all.entries.iter_mut().for_each(|entry| entry.whole(lexicon));
        all
    }

    /// What speaks for each word in a fixed order, as training adds it up.
    pub fn in_order(mut self) -> Self {
        self.entries.iter_mut().for_each(|entry| entry.features.sort_unstable());
        self
    }

    /// Asks the model.
    pub fn weigh(&mut self, keep: &dyn Fn(&[u32]) -> f32) {
        for entry in &mut self.entries {
            entry.likely = keep(&entry.features);
            self.likely[entry.number as usize] = entry.likely;
        }
        let all = self.entries.iter().map(|entry| entry.likely);
        self.expected = all.filter(|likely| *likely > EXPECTED).sum();
    }

    /// How likely a word is; of one that is not of the neighbourhood, hardly.
    pub fn likely(&self, word: &Piece) -> f32 {
        self.likely[word.number as usize]
    }

    /// How many lines hold a word.
    pub fn lines(&self, word: &Piece) -> u32 {
        let place = self.places[word.number as usize].checked_sub(1);
        place.map_or(0, |place| self.entries[place as usize].lines)
    }

    /// How many words of titles are to be expected of it: the sum over all that are likelier than not to matter.
    pub fn expected(&self) -> f32 {
        self.expected
    }

    fn entry(&mut self, word: &Piece) -> &mut Entry {
        let place = &mut self.places[word.number as usize];
        if *place == 0 {
            let (number, features) = (word.number, Vec::with_capacity(48));
            let new = Entry { number, features, likely: 0.0, lines: 0, last: usize::MAX, proofs: 0, nearest: 99 };
            self.entries.push(new);
            *place = self.entries.len() as u32;
        }
        &mut self.entries[*place as usize - 1]
    }

    /// What the words of a line say, each in its place; `voiced`: who says it says the last of the evidence.
    fn see(&mut self, scene: &Scene<'_, '_>, number: usize, line: &Line<'_, '_>, voiced: bool) {
        let (words, place) = (&line.read.pieces, line.place);
        let role = role(place.off) * 4 + u64::from(place.first) * 2 + u64::from(place.last);
        let near = coarse(place.off);
        let own = u64::from(line.speaker.is_some() && line.speaker == scene.owner);
        let spoken = u64::from(line.speaker.is_some());
        let lack = self.lack;
        let acts = line.view.actions.iter().map(|action| action.form as u64 + 1).max().unwrap_or(0);
        let (asks, voice) = (u64::from(line.read.asks), u64::from(voiced));
        for (at, word) in words.iter().enumerate().filter(|(_, word)| !word.is_mark()) {
            let kind = word.class;
            let (form, step) = line.view.acted[at];
            let before = at.checked_sub(1).map_or(1, |before| words[before].class);
            let after = words.get(at + 1).map_or(1, |next| next.class);
            let phrase = line.read.phrases[at];
            if let Some(name) = line.meant.by(word.kinds).and_then(|name| scene.page.person(name)) {
                let entry = self.entry(&name);
                entry.put(3, [near, word.hash, form]);
                entry.put(4, [near, before]);
            }
            let entry = self.entry(word);
            entry.put(10, [role, kind]);
            entry.put(11, [near, word.hash]);
            entry.put(12, [role]);
            entry.put(13, [near, form, step]);
            entry.put(14, [near, step, kind]);
            entry.put(15, [near, before, kind]);
            entry.put(16, [near, kind, after]);
            entry.put(18, [near, own, kind]);
            entry.put(19, [near, word.is(kind::DATE).into(), kind]);
            entry.put(21, [near, word.is(kind::NAME).into(), spoken]);
            entry.put(22, [near, form, step, kind]);
            entry.put(23, [near, lack, kind]);
            entry.put(24, [role, lack]);
            entry.put(25, [near, phrase]);
            entry.put(28, [role, asks, voice]);
            entry.put(29, [near, acts, step.min(20)]);
            if entry.last != number {
                entry.last = number;
                entry.lines += 1;
                entry.proofs += u32::from(place.off == 0);
            }
            if place.off.abs() < entry.nearest.abs() {
                entry.nearest = place.off;
            }
        }
    }

    /// What speaks for a verb, said or not.
    fn verb(&mut self, scene: &Scene<'_, '_>, verb: &Piece) {
        let own = verb.hash;
        let entry = self.entry(verb);
        entry.put(30, [own]);
        let mut spoken = 0;
        for action in scene.proven() {
            let first = action.words.first().map_or(0, |word| word.hash);
            let turn = action.words.iter().skip(1).take(4).find(|word| word.is(kind::TURN));
            spoken += u64::from(action.form != Form::Bare);
            entry.put(31, [own, first]);
            entry.put(32, [own, first, turn.map_or(0, |word| word.hash)]);
            entry.put(33, [own, action.form as u64]);
        }
        entry.put(35, [own, spoken.min(2)]);
    }
}

impl Entry {
    /// What a word is, wherever it stands.
    fn whole(&mut self, lexicon: &Lexicon<'_>) {
        let word = lexicon.entry(self.number);
        let (lines, proofs) = (u64::from(self.lines.min(5)), u64::from(self.proofs.min(3)));
        let (own, shape, nearest) = (word.hash, word.shape, role(self.nearest));
        self.put(40, [own]);
        self.put(41, [lines, proofs, shape]);
        self.put(42, [lines, nearest]);
        self.put(43, [nearest, shape]);
        self.put(44, [word.ending]);
        self.put(45, [word.word.len().min(14) as u64, nearest]);
        self.put(46, [proofs, own]);
        self.put(47, [lines, own]);
        self.again();
    }

    /// Leaves one of equal features. Of most words none are equal, and a bit for each in a small map says so.
    fn again(&mut self) {
        let mut map = [0_u64; 64];
        let seen = |feature: u32| {
            let (part, bit) = (&mut map[(feature >> 26) as usize], 1 << (feature >> 20 & 63));
            let before = *part & bit != 0;
            *part |= bit;
            before
        };
        if self.features.iter().copied().map(seen).fold(false, |any, seen| any | seen) {
            self.features.sort_unstable();
            self.features.dedup();
        }
    }

    fn put<const N: usize>(&mut self, kind: u64, parts: [u64; N]) {
        self.features.push(fold(parts.into_iter().fold(join(89, kind), join)));
    }
}

/// What the evidence leaves unsaid: how many words of content its fullest action has, and whether it has a pronoun.
fn lack(scene: &Scene<'_, '_>) -> u64 {
    let content =
        |action: &Action<Piece>| action.words.iter().skip(1).filter(|word| !word.is(kind::LITTLE | kind::MARK)).count();
    let fullest = scene.proven().max_by_key(|action| content(action));
    fullest.map_or(9, |action| {
        let pronoun = action.words.iter().skip(1).any(|word| word.is(kind::PRONOUN));
        content(action).min(4) as u64 * 2 + u64::from(pronoun)
    })
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
