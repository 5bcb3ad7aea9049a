//! What can be seen of a sentence: its words, its pattern, its cues, who says it to whom, and what stands around it.
//!
//! Each sentence gives a run of hashed features (words, their beginnings and ends, word pairs and triples, patterns, cues)
//! that count in several [roles](SentenceRole): for itself, and for the sentences before and after it. Structure and the
//! meeting of two cues in neighbouring sentences are features of their own ([`place`]).

pub mod place;
pub mod token;
pub mod word;

use crate::cue::{self, Cues};
use crate::hash::{HashedMap, feature, join};
use token::{LINK, QUESTION, Shape, Token, tokens};
use word::{Class, class};

/// In which role a sentence's words speak: for itself or for a neighbour. A weight stands for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum SentenceRole {
    /// The sentence itself.
    Own,
    /// The one before, by the same speaker.
    BeforeSame,
    /// The one before, by somebody else.
    BeforeOther,
    /// The one after, by the same speaker.
    AfterSame,
    /// The one after, by somebody else.
    AfterOther,
    /// Two before.
    Before2,
    /// Two after.
    After2,
}

/// Weights that stand side by side for one feature, one a role; the eighth is unused.
pub const ROLES: usize = 8;

/// A sentence as the engine takes it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sentence<'a> {
    /// Its words.
    pub text: &'a str,
    /// Number of the utterance it stands in.
    pub utterance: u32,
    /// Who says it: a number for each speaker of the text.
    pub speaker: Option<u32>,
    /// What kind of line it stands on.
    pub line: Line,
}

/// What kind of line a sentence stands on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Line {
    /// Speech or prose.
    #[default]
    Speech,
    /// An entry of a list.
    Item,
    /// An entry of a list of actions.
    Action,
    /// An empty check box.
    Open,
    /// A ticked check box.
    Ticked,
    /// A heading, subject or other frame.
    Frame,
    /// Quoted from an earlier mail.
    Quoted,
    /// Greeting, signature or other boilerplate.
    Boilerplate,
}

/// Bit of [`SentenceObservations::names`]: another person is named, wherever.
pub const NAMES_OTHER: u8 = 1;
/// Bit of [`SentenceObservations::names`]: it begins with the name of another person.
pub const NAMES_FIRST: u8 = 1 << 1;
/// Bit of [`SentenceObservations::names`]: it ends with the name of another person.
pub const NAMES_LAST: u8 = 1 << 2;
/// Bit of [`SentenceObservations::names`]: another person is mentioned, as "@sam".
pub const NAMES_MENTION: u8 = 1 << 3;
/// Bit of [`SentenceObservations::names`]: it names its own speaker.
pub const NAMES_SELF: u8 = 1 << 4;

/// What was seen of a sentence.
#[derive(Clone, Debug)]
pub struct SentenceObservations {
    /// Its cues.
    pub cues: Cues,
    /// Cues among its first four words.
    pub head: Cues,
    /// Where its hashed features stand among those of the [`Scene`].
    pub hashed_range: std::ops::Range<u32>,
    /// How many words it has.
    pub words: u32,
    /// Whether it names somebody, and where: a set of [`NAMES_OTHER`], [`NAMES_FIRST`], [`NAMES_LAST`],
    /// [`NAMES_MENTION`] and [`NAMES_SELF`].
    pub names: u8,
    /// Whether it asks.
    pub question: bool,
    /// Class of its first word.
    pub first: Class,
    /// Whether it has a word with which people tell of something done.
    pub past: bool,
}

/// A text whose sentences have been looked at.
#[derive(Debug)]
pub struct Scene<'a> {
    /// The sentences.
    pub sentences: &'a [Sentence<'a>],
    /// What was seen of each.
    pub seen: Vec<SentenceObservations>,
    /// Hashed features of all sentences.
    pub hashed_features: Vec<u32>,
}

/// Names of the people in a text, word by word.
#[derive(Clone, Debug, Default)]
pub struct Names {
    words: HashedMap<Option<u32>>,
}

impl Names {
    /// Takes in a name; `speaker` is its number where the person speaks in the text.
    pub fn add(&mut self, name: &str, speaker: Option<u32>) {
        tokens(name, |token| {
            let long = token.end - token.start > 1;
            if long && matches!(token.shape, Shape::Word | Shape::Mention) && word::known(token.hash).is_none() {
                self.words.entry(token.hash).and_modify(|who| *who = who.or(speaker)).or_insert(speaker);
            }
        });
    }

    fn get(&self, hash: u64) -> Option<Option<u32>> {
        self.words.get(&hash).copied()
    }
}

impl<'a> Scene<'a> {
    /// Extracts the features of every sentence.
    #[must_use]
    pub fn look(sentences: &'a [Sentence<'a>], names: &Names) -> Self {
        let mut extractor = FeatureExtractor {
            names,
            tokens: Vec::new(),
            lower: String::new(),
            words: Vec::new(),
            pattern: Vec::new(),
            hashed_features: Vec::new(),
        };
        let seen = sentences.iter().map(|sentence| extractor.extract(sentence)).collect();
        Self { sentences, seen, hashed_features: extractor.hashed_features }
    }

    /// The hashed features of a sentence.
    #[must_use]
    pub fn hashed_features_of(&self, index: usize) -> &[u32] {
        let range = &self.seen[index].hashed_range;
        &self.hashed_features[range.start as usize..range.end as usize]
    }

    /// The role in which the words of `other` speak for sentence `index`, `None` where they are too far.
    #[must_use]
    pub fn role(&self, index: usize, other: usize) -> Option<SentenceRole> {
        let same = self.sentences[index].speaker == self.sentences[other].speaker;
        match other as isize - index as isize {
            0 => Some(SentenceRole::Own),
            -1 if same => Some(SentenceRole::BeforeSame),
            -1 => Some(SentenceRole::BeforeOther),
            1 if same => Some(SentenceRole::AfterSame),
            1 => Some(SentenceRole::AfterOther),
            -2 => Some(SentenceRole::Before2),
            2 => Some(SentenceRole::After2),
            _ => None,
        }
    }
}

/// Stand-ins for words that differ from text to text.
const NAME: u64 = 0x4e41_4d45;
const SELF: u64 = 0x5345_4c46;
const BEGIN: u64 = 0x5e5e_5e5e;
const END: u64 = 0x2424_2424;
/// How many letters of a word's beginning, and of its end, speak by themselves.
const PREFIXES: [usize; 2] = [4, 5];
const ENDINGS: [usize; 3] = [1, 2, 3];
/// Most tokens of a sentence that are looked at; the rest of a longer one adds little.
const MOST: usize = 120;

/// Extracts the features of sentences one by one, in buffers that it keeps.
struct FeatureExtractor<'n> {
    names: &'n Names,
    tokens: Vec<Token>,
    lower: String,
    words: Vec<u64>,
    pattern: Vec<u64>,
    hashed_features: Vec<u32>,
}

impl FeatureExtractor<'_> {
    fn extract(&mut self, sentence: &Sentence<'_>) -> SentenceObservations {
        self.tokens.clear();
        let found = &mut self.tokens;
        tokens(sentence.text, |token| {
            if found.len() < MOST {
                found.push(token);
            }
        });
        let start = self.hashed_features.len() as u32;
        let mut seen = SentenceObservations {
            cues: 0,
            head: 0,
            hashed_range: start..start,
            words: self.tokens.len() as u32,
            names: 0,
            question: false,
            first: Class::Other,
            past: false,
        };
        self.read(sentence, &mut seen);
        self.runs();
        self.cue_features(&seen);
        seen.hashed_range.end = self.hashed_features.len() as u32;
        seen
    }

    /// Reads the tokens into words and pattern, and notes cues and names.
    fn read(&mut self, sentence: &Sentence<'_>, seen: &mut SentenceObservations) {
        self.words.clear();
        self.pattern.clear();
        self.words.push(BEGIN);
        self.pattern.push(BEGIN);
        let count = self.tokens.len();
        for at in 0..count {
            let token = self.tokens[at];
            let cues = cue::cues_at(&self.tokens[at..]);
            seen.cues |= cues;
            if at < 4 {
                seen.head |= cues;
            }
            let who = if token.shape == Shape::Glyph { None } else { self.names.get(token.hash) };
            let word = &sentence.text[token.start as usize..token.end as usize];
            let class = class(&token, word, cues, who.is_some());
            if at == 0 {
                seen.first = class;
            }
            let own = class == Class::Name && who.flatten().is_some_and(|who| Some(who) == sentence.speaker);
            if class == Class::Name {
                seen.names |= name_bits(own, at, count, token.shape);
            }
            seen.question |= token.shape == Shape::Question;
            seen.past |= class == Class::Past || word::tells_done(token.hash);
            if token.shape == Shape::Word && matches!(class, Class::Other | Class::Ing | Class::Past | Class::Adverb) {
                self.parts(word);
            }
            let (word, mark) = forms(&token, class, own);
            self.words.push(word);
            let repeats = matches!(class, Class::Other | Class::Name) && self.pattern.last() == Some(&mark);
            if !repeats {
                self.pattern.push(mark);
            }
        }
        self.words.push(END);
        self.pattern.push(END);
    }

    /// Emits how a word begins and ends, by which forms of one word, and words of one form, meet.
    fn parts(&mut self, word: &str) {
        self.lower.clear();
        self.lower.extend(word.chars().flat_map(char::to_lowercase));
        let letters = self.lower.chars().count();
        let place = |letter: usize| self.lower.char_indices().nth(letter).map_or(self.lower.len(), |(at, _)| at);
        let part = |kind: u64, part: &str| feature(part.bytes().fold(kind, |hash, byte| join(hash, u64::from(byte))));
        let prefixes = PREFIXES.into_iter().filter(|&length| letters > length);
        let endings = ENDINGS.into_iter().filter(|&length| letters > length + 1);
        self.hashed_features.extend(prefixes.map(|length| part(5 + length as u64, &self.lower[..place(length)])));
        self.hashed_features.extend(endings.map(|length| part(5, &self.lower[place(letters - length)..])));
    }

    /// Emits runs of one to three words and of two to five marks.
    fn runs(&mut self) {
        for at in 0..self.words.len() {
            let mut run = 1;
            for &word in self.words[at..].iter().take(3) {
                run = join(run, word);
                self.hashed_features.push(feature(run));
            }
        }
        for at in 0..self.pattern.len() {
            let mut run = 2;
            for (length, &mark) in self.pattern[at..].iter().take(5).enumerate() {
                run = join(run, mark);
                if length > 0 {
                    self.hashed_features.push(feature(run));
                }
            }
        }
    }

    /// Emits each cue and each pair of cues, and the cues of the first words.
    fn cue_features(&mut self, seen: &SentenceObservations) {
        for first in bits(seen.cues) {
            for second in bits(seen.cues).filter(|&second| second >= first) {
                self.hashed_features.push(feature(join(join(3, first), second)));
            }
        }
        for first in bits(seen.head) {
            self.hashed_features.push(feature(join(4, first)));
        }
    }
}

fn name_bits(own: bool, at: usize, count: usize, shape: Shape) -> u8 {
    if own {
        return NAMES_SELF;
    }
    let begin = if at < 2 { NAMES_FIRST } else { 0 };
    let end = if at + 2 >= count { NAMES_LAST } else { 0 };
    let mention = if shape == Shape::Mention { NAMES_MENTION } else { 0 };
    NAMES_OTHER | begin | end | mention
}

/// How a token stands in the words and in the pattern.
fn forms(token: &Token, class: Class, own: bool) -> (u64, u64) {
    match class {
        Class::Name if own => (SELF, SELF),
        Class::Name => (NAME, NAME),
        Class::Link => (LINK, LINK),
        Class::Function if token.shape == Shape::Question => (QUESTION, QUESTION),
        Class::Function => (token.hash, token.hash),
        other => (token.hash, 0x100 + other as u64),
    }
}

/// The set bits of a cue set.
pub fn bits(mut cues: Cues) -> impl Iterator<Item = u64> + Clone {
    std::iter::from_fn(move || {
        let bit = u64::from(cues.trailing_zeros());
        (cues != 0).then(|| {
            cues &= cues - 1;
            bit
        })
    })
}
