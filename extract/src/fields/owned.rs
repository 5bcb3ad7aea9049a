//! Who owns a task: of all who may, and nobody, the one that trees hold likeliest. A linear model of the words around, crossed
//! with how each stands to them, is what they mostly go by.

use crate::cue::Cue;
use crate::hash::{feature, join};
use crate::judge::TaskCluster;
use crate::model::forest::Forest;
use crate::model::hashed_linear::HashedLinear;
use crate::model::linear::Malformed;
use crate::owner::{self, Claimant, Participants, Place, Stretch};
use crate::score::{FirstPass, MODELS, NO_LOGIT, TEXT, cues, flag};
use crate::script::Script;
use crate::word_list::WordList;
use std::cmp::Ordering;

/// How many dense features a task has with one who may own it.
pub const FEATURE_COUNT: usize = 3 + owner::FEATURE_COUNT + 2 * Cue::ALL.len() + WORDS.len() + 5 + MODELS + TEXT;
/// Words that say for whom something is said, in the languages that say them: each list is one feature.
static WORDS: [WordList; 8] = [
    WordList::of("i i'll i'm i'd i've ich je j'ai yo io eu ik me my mich moi"),
    WordList::of("we we'll we're we'd we've wir nous nosotros noi nós wij we us our"),
    WordList::of("you you'll you're your du sie tu vous usted lei você jij je"),
    WordList::of("let's lets"),
    WordList::of("someone somebody anyone anybody jemand man quelqu'un on alguien qualcuno alguém"),
    WordList::of("everyone everybody all both alle tous todos tutti"),
    WordList::of("should could would might sollte könnte devrait debería dovremmo deveria"),
    WordList::of("need needs must has muss faut hay bisogna precisa moet"),
];

/// What is learnt of owners.
#[derive(Clone, Debug)]
pub struct OwnerModel {
    /// What the words say of each claimant, by how they stand to what is said.
    pub words: HashedLinear,
    /// Whether a claimant is the owner, by their dense features and what the words say.
    pub trees: Forest,
}

impl OwnerModel {
    /// Reads a model from its two files.
    ///
    /// # Errors
    /// Where one is malformed.
    pub fn parse<'f>(file: impl Fn(&str) -> &'f [u8]) -> Result<Self, Malformed> {
        Ok(Self { words: HashedLinear::read(file("words"))?, trees: Forest::read(file("trees"), FEATURE_COUNT)? })
    }

    /// Its files: name and content.
    #[must_use]
    pub fn files(&self) -> [(String, Vec<u8>); 2] {
        [("owner.words".to_owned(), self.words.write()), ("owner.trees".to_owned(), self.trees.write())]
    }
}

/// The sentences that say whose a task is, each with its part in it: the best, the others, those around.
pub struct Around {
    places: Vec<(u64, usize, Place)>,
}

/// How many sentences before and after count.
const BEFORE: usize = 2;
const AFTER: usize = 2;
/// The parts of sentences: the most telling one, those of the task before and after it, and from here on those around.
const BEST: u64 = 1;
const EARLIER: u64 = 2;
const LATER: u64 = 3;
/// Namespaces (salts) of hashed features.
const KIND: u64 = 0x101;
const KIND_BY_SOURCE: u64 = 0x102;
const LINE: u64 = 0x103;

impl Around {
    /// Of a task read off these sentences.
    #[must_use]
    pub fn of(script: &Script<'_>, participants: &Participants<'_>, task: &TaskCluster, sentences: &[usize]) -> Self {
        let best = task.best().map_or(0, |member| member.sentence);
        let (first, last) = (sentences.first().copied().unwrap_or(best), sentences.last().copied().unwrap_or(best));
        let part = |at: usize| match at.cmp(&best) {
            Ordering::Equal => BEST,
            Ordering::Less => EARLIER,
            Ordering::Greater => LATER,
        };
        let mut parts: Vec<(u64, usize)> = sentences.iter().map(|&at| (part(at), at)).collect();
        parts.extend((1..=BEFORE).filter_map(|away| Some((LATER + away as u64, first.checked_sub(away)?))));
        let after = (1..=AFTER).map(|away| (LATER + (BEFORE + away) as u64, last + away));
        parts.extend(after.filter(|(_, at)| *at < script.sentences.len()));
        let place = |(part, at): (u64, usize)| {
            let stretch =
                Stretch { utterance: script.sentences[at].utterance as usize, range: script.ranges[at].clone() };
            (part, at, Place::of(participants, &stretch))
        };
        Self { places: parts.into_iter().map(place).collect() }
    }

    /// All of them.
    pub fn places(&self) -> Vec<&Place> {
        self.places.iter().map(|(_, _, place)| place).collect()
    }

    /// The hashed features of somebody: what they are, and how they stand to the words of each sentence.
    pub fn hashed_features(
        &self,
        known: &FirstPass<'_>,
        participants: &Participants<'_>,
        claimant: &Claimant,
    ) -> Vec<u32> {
        let kind = claimant.kind(participants);
        let source = known.source() as u64;
        let mut out = vec![feature(join(KIND, kind)), feature(join(join(KIND_BY_SOURCE, kind), source))];
        for (part, at, place) in &self.places {
            claimant.hashed_features(participants, place, *part, known.scene.hashed_features_of(*at), &mut out);
            if *part == BEST {
                let line = known.scene.sentences[*at].line as u64;
                for setting in [join(LINE, line), join(join(LINE, line), source + 1), join(KIND, kind)] {
                    claimant.hashed_features(participants, place, setting, &[], &mut out);
                }
            }
        }
        out
    }
}

/// Emits the [`FEATURE_COUNT`] dense features of a task, read off these sentences, with each claimant, into `out`.
pub fn features(
    known: &FirstPass<'_>,
    script: &Script<'_>,
    task: &TaskCluster,
    sentences: &[usize],
    claimants: &[Claimant],
    logits: &[f32],
    out: &mut Vec<f32>,
) {
    let mut shared = Vec::with_capacity(FEATURE_COUNT - owner::FEATURE_COUNT);
    let best = task.best().map_or(0, |member| member.sentence);
    cues(sentences.iter().fold(0, |all, &at| all | known.scene.seen[at].cues), &mut shared);
    cues(known.scene.seen[best].cues, &mut shared);
    let words: Vec<String> = sentences
        .iter()
        .flat_map(|&at| script.sentences[at].text.split_whitespace())
        .map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase().replace('\u{2019}', "'"))
        .collect();
    shared.extend(WORDS.iter().map(|list| words.iter().filter(|word| list.has(word)).count() as f32));
    let speaker = |at: usize| script.sentences[at].speaker;
    let others = sentences.iter().filter(|&&at| speaker(at) != sentences.first().and_then(|&at| speaker(at))).count();
    shared.extend([
        sentences.len() as f32,
        others as f32,
        script.speakers.len() as f32,
        task.logit,
        flag(task.explicit()),
    ]);
    shared.extend(known.first.iter().map(|logits| logits[best]));
    shared.extend(known.text);
    for (at, claimant) in claimants.iter().enumerate() {
        let rest = logits.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, logit)| *logit);
        let (most, better) =
            rest.fold((NO_LOGIT, 0.0), |(most, better), other| (other.max(most), better + flag(other > logits[at])));
        out.extend([logits[at], logits[at] - most, better]);
        out.extend(claimant.features);
        out.extend(&shared);
    }
}
