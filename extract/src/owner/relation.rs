//! How each who may own a task stands to what is said: whether they say it, hear it, answer it or are named in it. Crossed with
//! the words, that is what a linear model learns from whose a task is.

use super::clause::{PersonMention, mentions, words};
use super::participants::Participants;
use super::{Stretch, Who};
use crate::feature::token::hash_word;
use crate::hash::{feature, join};
use crate::people::PersonId;
use crate::word_list::WordList;
use gleaner_model::is_han;

/// Namespaces (salts) of hashed features.
const STANDS: u64 = 0x201;
const BESIDE_NAME: u64 = 0x202;
/// Words beside a name that tell what its bearer has to do with it.
const BESIDE: usize = 2;

/// Names of Japanese and Chinese people in a text, by what stands behind or before them there: "三崎さん", "老郑", "（芹沢）".
fn honoured(text: &str) -> Vec<String> {
    static BEHIND: WordList = WordList::of("さん 様 氏 くん 君 ちゃん 先生 部長 課長 总 工 姐 哥 老师 经理 主任");
    const LONGEST: usize = 6;
    if text.is_ascii() {
        return Vec::new();
    }
    let han = |one: &char| is_han(*one) || matches!(one, '\u{30a0}'..='\u{30ff}' | '々');
    let run = |part: &str| -> String {
        let back: Vec<char> = part.chars().rev().take_while(han).take(LONGEST).collect();
        back.into_iter().rev().collect()
    };
    let mut found: Vec<String> = Vec::new();
    for end in BEHIND.all() {
        found.extend(text.match_indices(end).map(|(at, _)| run(&text[..at])));
    }
    for (at, one) in text.char_indices() {
        let after = &text[at + one.len_utf8()..];
        match one {
            '小' | '老' | '阿' => {
                found.extend(after.chars().next().filter(han).map(|name| format!("{one}{name}")));
            }
            '（' | '(' | '@' | '＠' | '→' => {
                found.push(after.trim_start().chars().take_while(han).take(LONGEST).collect());
            }
            _ => {}
        }
    }
    found.retain(|name| !name.is_empty());
    found.dedup();
    found
}

/// A stretch of the text, ready to be asked how somebody stands to it.
#[derive(Debug)]
pub struct Place {
    speaker: Option<PersonId>,
    addressee: Option<PersonId>,
    next: Option<PersonId>,
    last: Option<PersonId>,
    named: Vec<Named>,
}

/// Somebody named in a stretch.
#[derive(Debug)]
struct Named {
    who: Who,
    /// At its beginning, at its end, or within.
    position: u64,
    /// The words beside the name, by their distance.
    beside: Vec<u64>,
    /// Whether more than a capital says that it is a name: every sentence begins with one, and German nouns do.
    sure: bool,
}

impl Place {
    /// Looks at a stretch.
    #[must_use]
    pub fn of(participants: &Participants<'_>, stretch: &Stretch) -> Self {
        let at = stretch.utterance;
        let words = words(participants.words(stretch));
        let is_name = |mention: &PersonMention| {
            mention.known || mention.team || participants.is_name(words[mention.end - 1].stem())
        };
        let named = mentions(participants.roster, &words).into_iter().filter(is_name).map(|mention| {
            let position = match (mention.start, mention.end) {
                (0, _) => 1,
                (_, end) if end == words.len() => 2,
                _ => 3,
            };
            let before = (1..=BESIDE).filter_map(|away| Some((away, mention.start.checked_sub(away)?)));
            let after = (1..=BESIDE).map(|away| (BESIDE + away, mention.end + away - 1));
            let beside = before
                .chain(after)
                .map(|(side, at)| join(side as u64, words.get(at).map_or(0, |word| hash_word(&word.lower))));
            let opens =
                mention.start.checked_sub(1).is_none_or(|last| words[last].after.contains(['.', '?', '!', '\n', ':']));
            let sure =
                mention.known || mention.team || mention.at || !(opens || participants.roster.has_capital_nouns());
            Named { who: mention.who, position, beside: beside.collect(), sure }
        });
        let mut named: Vec<Named> = named.collect();
        let honoured = honoured(participants.words(stretch)).into_iter().filter_map(|name| {
            let who = participants.roster.resolve(&name).map_or(Who::Other(name), Who::Person);
            let new = named.iter().all(|named| named.who != who);
            new.then_some(Named { who, position: 3, beside: Vec::new(), sure: true })
        });
        let honoured: Vec<Named> = honoured.collect();
        named.extend(honoured);
        Self {
            speaker: participants.speaker(at),
            addressee: participants.addressee(at),
            next: participants.next_speaker(at),
            last: participants.last_speaker(at),
            named,
        }
    }

    /// Everybody named, as far as capitals tell.
    pub(super) fn who(&self) -> impl Iterator<Item = &Who> {
        self.named.iter().filter(|named| named.sure).map(|named| &named.who)
    }

    /// How somebody stands to it, as a number.
    pub(super) fn relation(&self, participants: &Participants<'_>, who: &Who) -> u64 {
        let named = self.named.iter().find(|named| named.who == *who).map_or(0, |named| named.position);
        let stands = match who {
            Who::Nobody => 1,
            Who::Other(_) => 2,
            Who::Person(id) if self.speaker == Some(*id) => 3,
            Who::Person(id) if self.addressee == Some(*id) => 4,
            Who::Person(id) if self.next == Some(*id) => 5 + u64::from(self.last == Some(*id)),
            Who::Person(id) if self.last == Some(*id) => 7,
            Who::Person(id) if participants.roster.person(*id).speaks => 8,
            Who::Person(_) => 9,
        };
        stands * 4 + named
    }

    /// Emits the hashed features of somebody: every one of the words' features with how they stand to it; `part` says
    /// which stretch of the task it is.
    pub(super) fn hashed_features(
        &self,
        participants: &Participants<'_>,
        who: &Who,
        part: u64,
        words: &[u32],
        out: &mut Vec<u32>,
    ) {
        let relation = join(join(STANDS, part), self.relation(participants, who));
        out.push(feature(relation));
        out.extend(words.iter().map(|&word| feature(join(relation, u64::from(word)))));
        for named in self.named.iter().filter(|named| named.who == *who) {
            out.extend(named.beside.iter().map(|&word| feature(join(join(BESIDE_NAME, part), word))));
        }
    }
}
