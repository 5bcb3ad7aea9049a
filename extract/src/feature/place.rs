//! Where a sentence stands, and which cues meet in it and its neighbours.

use super::token::hash_word;
use super::{Scene, Sentence, bits};
use crate::hash::{feature, join};
use crate::word_list::WordList;

/// Statistics of a text as a whole.
#[derive(Clone, Debug, Default)]
pub struct DocumentStats {
    /// Hash of the kind of source.
    pub source: u64,
    /// Number of the subject among the speakers.
    pub me: Option<u32>,
    /// Whether there is one speaker at most.
    pub single: bool,
    /// Share of "um" and "uh" among the words.
    pub fillers: f32,
    /// Share of sentences with a link, the number of an issue or a vote.
    pub links: f32,
    /// For each speaker, how much of the talk is theirs: 0 little to 4 most, 5 the most of all.
    shares: Vec<u8>,
    /// For each speaker, whether the name says that they lead.
    leads: Vec<bool>,
}

/// How many sentences to each side make up the surroundings of one in long talk.
const AROUND: usize = 6;
/// Words of a speaker's name that say what they are to the others.
static LEADERS: WordList = WordList::of("manager chair chairman chairwoman leader lead moderator host facilitator pm");

impl DocumentStats {
    /// Those of the sentences of a text.
    #[must_use]
    pub fn of(source_type: &str, sentences: &[Sentence<'_>], me: Option<u32>) -> Self {
        let count = sentences.iter().filter_map(|sentence| sentence.speaker).max().map_or(0, |most| most as usize + 1);
        let mut spoken = vec![0_usize; count];
        for sentence in sentences {
            if let Some(speaker) = sentence.speaker {
                spoken[speaker as usize] += sentence.text.len();
            }
        }
        let all: usize = spoken.iter().sum::<usize>().max(1);
        let most = spoken.iter().copied().max().unwrap_or_default();
        let share = |&part: &usize| if part == most { 5 } else { (part * 10 / all).min(4) as u8 };
        Self {
            source: hash_word(source_type),
            me,
            single: count < 2,
            fillers: fillers(sentences),
            links: sentences.iter().filter(|sentence| has_link(sentence.text)).count() as f32
                / sentences.len().max(1) as f32,
            leads: Vec::new(),
            shares: spoken.iter().map(share).collect(),
        }
    }

    /// The same with the names of the speakers, by number.
    #[must_use]
    pub fn led_by(mut self, speakers: &[&str]) -> Self {
        let leads = |name: &&str| name.split_whitespace().any(|word| LEADERS.has(&word.to_ascii_lowercase()));
        self.leads = speakers.iter().map(leads).collect();
        self
    }

    /// Whether a speaker leads.
    #[must_use]
    pub fn leads(&self, speaker: Option<u32>) -> bool {
        speaker.and_then(|speaker| self.leads.get(speaker as usize)).is_some_and(|&leads| leads)
    }

    /// How much of the talk is a speaker's, in six steps; -1 where nobody is named.
    #[must_use]
    pub fn part(&self, speaker: Option<u32>) -> f32 {
        speaker.and_then(|speaker| self.shares.get(speaker as usize)).map_or(-1.0, |&share| f32::from(share))
    }

    fn share(&self, speaker: Option<u32>) -> u64 {
        speaker.and_then(|speaker| self.shares.get(speaker as usize)).map_or(9, |&share| u64::from(share))
    }
}

/// How much people talk as they do when nobody edits: the share of "um" and "uh" among their words.
fn fillers(sentences: &[Sentence<'_>]) -> f32 {
    let words = sentences.iter().flat_map(|sentence| sentence.text.as_bytes().split(|byte| *byte == b' '));
    let (fillers, all) = words.fold((0, 0), |(fillers, all), word| (fillers + usize::from(is_filler(word)), all + 1));
    fillers as f32 / all.max(1) as f32
}

/// Whether words hold a link or the number of an issue, or are a vote, as in minutes of groups that work over the net.
fn has_link(text: &str) -> bool {
    let bytes = text.as_bytes();
    let linked = |(at, byte): (usize, &u8)| match byte {
        b':' => bytes[at + 1..].starts_with(b"//"),
        b'#' => bytes.get(at + 1).is_some_and(u8::is_ascii_digit),
        _ => false,
    };
    let vote = ["+1", "-1", "q+", "present+"].iter().any(|vote| text.starts_with(vote));
    vote || bytes.iter().enumerate().any(linked)
}

/// "um" or "uh", perhaps with a capital, with full stops and commas.
fn is_filler(word: &[u8]) -> bool {
    matches!(word, [b'u' | b'U', b'm' | b'h', rest @ ..] if rest.iter().all(|mark| matches!(mark, b'.' | b',')))
}

/// Emits the hashed features of a sentence's place into `out`.
pub fn hashed_features(scene: &Scene<'_>, index: usize, stats: &DocumentStats, out: &mut Vec<u32>) {
    let sentence = &scene.sentences[index];
    let seen = &scene.seen[index];
    let mut put = |kind: u64, value: u64| out.push(feature(join(join(7, kind), value)));
    let total = scene.sentences.len().max(1);
    let line = sentence.line as u64;
    put(0, stats.source);
    put(1, line);
    put(2, join(line, stats.source));
    put(3, (index * 10 / total) as u64);
    put(4, u64::from((total - index).min(6) as u32));
    put(5, length_class(seen.words));
    put(6, u64::from(seen.names));
    put(7, u64::from(seen.question));
    put(8, seen.first as u64);
    put(9, join(seen.first as u64, line));
    put(10, u64::from(stats.me.is_some() && stats.me == sentence.speaker));
    let turn = turn(scene, index);
    put(11, turn);
    put(12, join(turn, length_class(seen.words)));
    put(13, u64::from(stats.single));
    put(14, join(u64::from(seen.names), u64::from(seen.question)));
    let (share, end) = (stats.share(sentence.speaker), place_class(index, total));
    put(21, share);
    put(22, end);
    put(23, join(share, end));
    for cue in bits(seen.cues) {
        put(24, join(cue, end));
        put(25, join(cue, share));
        put(16, join(cue, line));
        put(17, join(cue, u64::from(seen.names)));
        put(18, join(cue, u64::from(seen.question)));
        put(19, join(cue, stats.source));
        put(20, join(cue, seen.first as u64));
    }
    stage(scene, index, stats, out);
    meetings(scene, index, out);
}

/// Emits how near the end of long talk a sentence stands, and whether who leads says it.
fn stage(scene: &Scene<'_>, index: usize, stats: &DocumentStats, out: &mut Vec<u32>) {
    let mut put = |kind: u64, value: u64| out.push(feature(join(join(13, kind), value)));
    let total = scene.sentences.len();
    let (left, place) = (u64::from((total - index).ilog2()), (index * 20 / total) as u64);
    let leads = u64::from(stats.leads(scene.sentences[index].speaker));
    put(0, left);
    put(1, place);
    put(2, join(left, leads));
    put(3, join(place, leads));
    put(4, leads);
    for cue in bits(scene.seen[index].cues) {
        put(5, join(cue, leads));
    }
    put(6, join(leads, scene.seen[index].first as u64));
    let near = index.saturating_sub(AROUND)..(index + AROUND + 1).min(total);
    let around = near.filter(|&other| other != index).fold(0, |cues, other| cues | scene.seen[other].cues);
    for cue in bits(around) {
        put(7, cue);
        for own in bits(scene.seen[index].cues) {
            put(8, join(own, cue));
        }
    }
}

/// Emits each pair of a cue here and a cue in the sentence before or after.
fn meetings(scene: &Scene<'_>, index: usize, out: &mut Vec<u32>) {
    let here = scene.seen[index].cues;
    let neighbours = [index.checked_sub(1), (index + 1 < scene.seen.len()).then_some(index + 1)];
    for (side, other) in neighbours.into_iter().enumerate() {
        let Some(other) = other else { continue };
        let same = u64::from(scene.sentences[index].speaker == scene.sentences[other].speaker);
        let kind = 32 + 2 * side as u64 + same;
        let there = &scene.seen[other];
        let asks = u64::from(there.question);
        for cue in bits(here) {
            out.push(feature(join(join(8, kind), join(cue, asks + 2 * u64::from(there.names != 0)))));
            for met in bits(there.cues) {
                out.push(feature(join(join(9, kind), join(cue, met))));
            }
        }
        out.push(feature(join(join(10, kind), length_class(there.words))));
        out.push(feature(join(join(11, kind), join(u64::from(there.names), asks))));
        out.push(feature(join(join(12, kind), there.line_class(scene, other))));
    }
}

impl super::SentenceObservations {
    fn line_class(&self, scene: &Scene<'_>, index: usize) -> u64 {
        scene.sentences[index].line as u64
    }
}

fn length_class(words: u32) -> u64 {
    match words {
        0..=4 => u64::from(words),
        5..=6 => 5,
        7..=9 => 6,
        10..=14 => 7,
        15..=22 => 8,
        _ => 9,
    }
}

/// Place in the text: finer towards its end.
fn place_class(index: usize, total: usize) -> u64 {
    match index * 100 / total {
        percent @ 0..=79 => (percent / 20) as u64,
        percent => (percent - 80) as u64 / 4 + 4,
    }
}

/// Place in the turn: whether sentences of the same utterance stand before and after.
fn turn(scene: &Scene<'_>, index: usize) -> u64 {
    let here = scene.sentences[index].utterance;
    let before = index > 0 && scene.sentences[index - 1].utterance == here;
    let after = scene.sentences.get(index + 1).is_some_and(|next| next.utterance == here);
    u64::from(before) + 2 * u64::from(after)
}
