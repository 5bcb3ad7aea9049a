//! Names in what is said: whether they call somebody ("Tom, can you", "thanks Tom") or speak of them ("ask Tom"), and what that says
//! of who spoke before, speaks and speaks next.

use super::super::PersonId;
use super::super::given;
use super::super::name::without_ending;
use super::BEFORE;
use crate::word_list::WordList;

/// Words before a name by which somebody is called.
static GREETINGS: WordList = WordList::of(
    "hi hey hello thanks thank cheers morning afternoon okay ok right yes yeah no sorry bye so well oh and but look \
    listen you please hallo danke hola gracias ciao grazie bonjour merci salut obrigado obrigada oi hoi dank moin um \
    uh now great perfect good fine sure then",
);
/// Words before the name of whom one answers.
static REPLIES: WordList = WordList::of(
    "thanks thank cheers yes yeah no sorry bless yep nope true exactly agreed bye danke dank gracias grazie merci \
    obrigado obrigada ja nee nein oui non si sí sim não",
);
/// Words behind the name of whom one asks.
static CALLS: WordList = WordList::of(
    "we we'll we're you you'll you're your can could would will did do are have please what when where how why it's \
    that's this that there's thanks thank just let's kannst könntest du bitte puedes tú tu puoi peux você pode kun je",
);
/// Words before a name that speak of somebody.
static SPEAKS: WordList = WordList::of(
    "to with for from of and or by at on is ask tell call ring email see about than like not was the a this it's mit \
    von für an bei und avec de à con di da per e y met van voor en com para",
);
/// Words that make a question with whoever is asked behind them.
static MODALS: WordList = WordList::of(
    "can could will would are do did have shall should kannst könntest kun wil peux pourrais puedes puoi pode podes",
);
/// Whoever is asked.
static YOU: WordList = WordList::of("you your you're you've you'll ye ya du dich dir tu te je jij");
/// Words that make a question.
static ASKS: WordList = WordList::of(
    "where what who when how why which wo was wer wann wie où quand dónde cuándo wat wanneer hoe dove quando",
);
/// Words of what precedes a name, and of what follows it, that are looked at for a question.
const PRECEDING: usize = 60;
const FOLLOWING: usize = 12;

/// How a name stands in what is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameUse {
    /// By itself: "Tom?"
    Alone,
    /// First, before what is asked: "Tom, can you".
    LeadsAsk,
    /// First, in an answer: "thanks Tom".
    LeadsReply,
    /// First, before something else.
    Leads,
    /// Last, behind a question.
    EndsAsk,
    /// Last, behind what says "you": "you did, Tom".
    EndsYou,
    /// Last, behind something else.
    Ends,
    /// Last, but spoken of: "I'll ask Tom".
    EndsSpokenOf,
    /// Before a pause.
    Pauses,
    /// Spoken of: "with Tom on Monday".
    SpokenOf,
    /// Anywhere else.
    Within,
    /// As the speaker's own: "it's Tom".
    Introduces,
}

/// Where a label speaks, seen from a mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// It says it.
    Own,
    /// It is the first other one after it.
    Next,
    /// The second.
    Second,
    /// The last other one before it.
    Last,
    /// The one before that.
    LastButOne,
    /// None of these.
    Far,
}

/// Utterances to each side among which the neighbours of a mention are looked for.
const NEAR: usize = 6;
/// How often the same is counted.
const CAP: u8 = 3;
const USES: usize = 12;
const RELATIONS: usize = 6;
/// Log odds that a label is whom a use names, by how the name stands and where the label speaks. Fitted as a conditional
/// logistic regression, over the labels of each person and the people of each label, to 458 labelled transcripts whose speakers'
/// names were replaced by numbers, each with its marks and capitals and without, and to 44 recordings that had but numbers.
const WEIGHTS: [[f64; RELATIONS]; USES] = [
    [-0.32, 1.86, -0.43, 0.32, -0.44, -1.21],
    [-1.19, 2.8, -0.41, 0.26, -0.16, -0.72],
    [-0.81, 0.59, -0.22, 1.96, -0.17, -0.21],
    [-0.94, 1.39, -0.51, -0.4, -0.29, -0.29],
    [-1.07, 1.19, -0.32, 0.39, -0.13, -0.34],
    [-0.49, 1.48, -0.9, 0.39, 0.33, -0.34],
    [-0.83, 1.93, -0.88, 0.05, -0.42, -1.25],
    [-0.93, 0.22, -0.14, -0.33, -0.23, -0.8],
    [-0.75, 1.65, -0.06, -0.47, -0.95, -0.17],
    [-1.35, 1.02, -0.59, -1.37, -1.0, -0.09],
    [-1.82, 1.4, -0.42, -0.65, -0.81, -0.7],
    [1.69, -0.61, -0.42, -0.97, 0.7, -0.69],
];

/// How often somebody is mentioned in each way, seen from a label.
#[derive(Clone, Debug, Default)]
pub struct NameUseCounts([[u8; RELATIONS]; USES]);

impl NameUseCounts {
    /// Counts a use once for each relation of the label to it.
    pub fn add(&mut self, name_use: NameUse, relations: &[Relation]) {
        for relation in relations {
            let count = &mut self.0[name_use as usize][*relation as usize];
            *count = (*count + 1).min(CAP);
        }
    }

    /// What they say together, in log odds.
    pub fn score(&self) -> f64 {
        let products = self.0.iter().flatten().zip(WEIGHTS.iter().flatten());
        products.map(|(count, weight)| f64::from(*count) * weight).sum()
    }
}

/// How a label relates to what is said at a place among all speakers.
pub fn relations(speakers: &[Option<&str>], at: usize, label: &str) -> Vec<Relation> {
    let place = |others: &mut dyn Iterator<Item = Option<&str>>| {
        let mut found: Vec<&str> = Vec::new();
        for other in others.take(NEAR).flatten() {
            if Some(other) != speakers[at] && !found.contains(&other) {
                found.push(other);
            }
        }
        found.iter().take(2).position(|other| *other == label)
    };
    let after = place(&mut speakers[at + 1..].iter().copied());
    let before = place(&mut speakers[..at].iter().rev().copied());
    let mut relations: Vec<Relation> = (speakers[at] == Some(label)).then_some(Relation::Own).into_iter().collect();
    relations.extend(after.map(|place| [Relation::Next, Relation::Second][place]));
    relations.extend(before.map(|place| [Relation::Last, Relation::LastButOne][place]));
    if relations.is_empty() {
        relations.push(Relation::Far);
    }
    relations
}

/// The words of what is said, in lower case, each with what stands between it and the next.
pub struct SaidWords<'t> {
    lower: Vec<String>,
    gaps: Vec<&'t str>,
    /// For each word where its sentence begins.
    starts: Vec<usize>,
}

impl<'t> SaidWords<'t> {
    /// Takes it apart.
    pub fn of(text: &'t str) -> Self {
        let (mut lower, mut gaps, mut starts): (Vec<String>, Vec<&str>, Vec<usize>) = Default::default();
        let mut start = 0;
        for (word, gap) in given::words(text) {
            lower.push(word.to_lowercase());
            gaps.push(gap);
            starts.push(start);
            if gap.contains(['.', '!', '?']) {
                start = lower.len();
            }
        }
        Self { lower, gaps, starts }
    }

    /// Whom its words mean, as a function says, and how each stands.
    pub fn name_uses<'s>(
        &'s self,
        whose: impl Fn(&str) -> Option<PersonId>,
    ) -> impl Iterator<Item = (PersonId, NameUse)> + 's {
        let ids: Vec<Option<PersonId>> = self.lower.iter().map(|word| whose(without_ending(word))).collect();
        let begins = |at: &usize| ids[*at].is_some() && (*at == 0 || ids[at - 1] != ids[*at]);
        let starts: Vec<usize> = (0..ids.len()).filter(begins).collect();
        starts.into_iter().filter_map(move |first| {
            let id = ids[first]?;
            let last = first + ids[first..].iter().take_while(|other| **other == Some(id)).count() - 1;
            Some((id, self.name_use(first, last)))
        })
    }

    /// How the name from one word to another stands.
    fn name_use(&self, first: usize, last: usize) -> NameUse {
        let before = first.checked_sub(1).map(|at| self.lower[at].as_str());
        let after = self.lower.get(last + 1).map(String::as_str);
        let begins = |at: usize, marks: &[char]| self.gaps[at].trim_start().starts_with(marks);
        let leads = before.is_none_or(|word| GREETINGS.has(word) || begins(first - 1, &[',', '?', '.', '!']));
        let pauses = begins(last, &[',', '?', '.', '!']);
        let ends = begins(last, &['.', '!', '?']) || after.is_none_or(|word| matches!(word, "bye" | "thanks"));
        let replies = before.is_some_and(|word| REPLIES.has(word));
        let spoken_of = before.is_some_and(|word| SPEAKS.has(word));
        let introduces = (1..=3)
            .any(|many| first.checked_sub(many).is_some_and(|start| BEFORE.has(&self.lower[start..first].join(" "))));
        let start = self.starts[first].max(first.saturating_sub(PRECEDING));
        if introduces || after == Some("speaking") {
            NameUse::Introduces
        } else if leads && self.lower.len() <= 2 + last - first {
            if replies { NameUse::LeadsReply } else { NameUse::Alone }
        } else if leads && replies {
            NameUse::LeadsReply
        } else if leads && (pauses || after.is_some_and(|word| CALLS.has(word)) || self.asks_behind(last)) {
            NameUse::LeadsAsk
        } else if leads {
            NameUse::Leads
        } else if ends && spoken_of {
            NameUse::EndsSpokenOf
        } else if ends && self.asks(start, first) {
            NameUse::EndsAsk
        } else if ends && self.lower[start..first].iter().any(|word| YOU.has(word)) {
            NameUse::EndsYou
        } else if ends {
            NameUse::Ends
        } else if spoken_of {
            NameUse::SpokenOf
        } else if pauses {
            NameUse::Pauses
        } else {
            NameUse::Within
        }
    }

    fn asks(&self, start: usize, end: usize) -> bool {
        let words = &self.lower[start..end];
        words.iter().any(|word| ASKS.has(word))
            || words.windows(2).any(|pair| MODALS.has(&pair[0]) && YOU.has(&pair[1]))
    }

    /// Whether what follows a word, as far as its sentence goes, asks something.
    fn asks_behind(&self, last: usize) -> bool {
        let most = self.lower.len().min(last + 1 + FOLLOWING);
        let end = (last..most).find(|at| self.gaps[*at].contains(['.', '!'])).map_or(most, |at| at + 1);
        (last..end).any(|at| self.gaps[at].contains('?')) || self.asks(last + 1, end.max(last + 1))
    }
}
