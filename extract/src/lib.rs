//! Text in, tasks out. [`extract`] is a pure function: no I/O, no clock, no chance; the same input gives the same output.
//!
//! The way of a text: a [`reader`] recognises the format and yields utterances with speaker, time and place; sentences
//! are scored as parts of a commitment; those that belong together are linked; owner, date and title are read off.

// Public for training (`extract/eval`), tests, benchmarks and fuzz targets alone, hence not documented.
#[doc(hidden)]
pub mod cue;
#[doc(hidden)]
pub mod done_statements;
#[doc(hidden)]
pub mod encoder;
#[doc(hidden)]
pub mod engine;
#[doc(hidden)]
pub mod explicit;
#[doc(hidden)]
pub mod feature;
#[doc(hidden)]
pub mod fields;
#[doc(hidden)]
pub mod hash;
#[doc(hidden)]
pub mod judge;
#[doc(hidden)]
pub mod merge_done;
#[doc(hidden)]
pub mod model;
#[doc(hidden)]
pub mod owner;
#[doc(hidden)]
pub mod score;
#[doc(hidden)]
pub mod script;
#[doc(hidden)]
pub mod sentence;
#[doc(hidden)]
pub mod title;
#[doc(hidden)]
pub mod verdict;
#[doc(hidden)]
pub mod weights;

pub mod due;
pub mod language;
pub mod learn;
pub mod link;
pub mod people;
pub mod reader;

mod word_list;

use chrono::{DateTime, FixedOffset};
use gleaner_model::learning::{Learnt, Signals};
use gleaner_model::{Due, Item, Subject, TaskStatus, Urgency, Zone};
pub use gleaner_model::{Quote, Reason};

/// The engine's name and generation, as jobs report it; `+rN` follows where feedback has taught revision N.
pub const ENGINE: &str = "builtin/1";

/// A text as it was submitted.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    /// Kind of source: `meeting call email chat note document`, or any other word, read as `document`.
    pub source_type: &'a str,
    /// What people call it.
    pub title: Option<&'a str>,
    /// The text. Every offset in the answer counts its Unicode scalars.
    pub text: &'a str,
}

impl<'a> Document<'a> {
    /// The text of an item.
    #[must_use]
    pub fn of(item: &'a Item) -> Self {
        Self { source_type: item.key.source_type.as_str(), title: item.title.as_deref(), text: &item.transcript }
    }
}

/// What is known about a text besides the text.
#[derive(Clone, Debug)]
pub struct Context {
    /// Who "me" is.
    pub me: Subject,
    /// When it took place.
    pub occurred_at: DateTime<FixedOffset>,
    /// The zone in which its dates are meant.
    pub zone: Zone,
    /// Names of people who took part, where the client says so.
    pub participants: Vec<String>,
    /// BCP 47, where the client says so; otherwise it is recognised from the text.
    pub language: Option<String>,
    /// Least confidence of a task; `None` is that of the weights.
    pub threshold: Option<f64>,
}

impl Context {
    /// The context of a text of which only this is known: whom it is read for, and when it took place. Its dates are meant
    /// in UTC.
    #[must_use]
    pub fn new(me: Subject, occurred_at: DateTime<FixedOffset>) -> Self {
        let zone = Zone::Named(chrono_tz::UTC);
        Self { me, occurred_at, zone, participants: Vec::new(), language: None, threshold: None }
    }

    /// The context of an item submitted by a subject.
    #[must_use]
    pub fn of(item: &Item, subject: &Subject) -> Self {
        let names = item.metadata.get("participants").map(String::as_str).unwrap_or_default();
        Self {
            me: item.me(subject),
            occurred_at: item.occurred_at.time,
            zone: item.zone(subject),
            participants: names.split(',').map(str::trim).filter(|name| !name.is_empty()).map(Into::into).collect(),
            language: item.metadata.get("language").cloned(),
            threshold: None,
        }
    }
}

/// What was found in a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extraction {
    /// The tasks, in the order of their first evidence.
    pub tasks: Vec<Found>,
    /// What would be tasks if feedback had not spoken against others like them.
    pub suppressed: Vec<Found>,
    /// How many more tasks there are than an item is written down with; they are less likely than all in `tasks`.
    pub over: usize,
    /// Candidates that were below the threshold, or that a later sentence took back.
    pub rejected: usize,
    /// Sentences that say that something is done: they may complete a task that an earlier text gave (see
    /// [`link::done_profile::completed_by`]). At most 64.
    pub done_statements: Vec<DoneStatement>,
    /// The language that the text was read in, BCP 47.
    pub language: String,
}

/// One task as a text has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// A short imperative phrase that stands alone, without owner and due date.
    pub title: String,
    /// Name of who is to do it, as full as the text allows; `None` where it does not say.
    pub owner: Option<String>,
    /// Whether the owner is the subject.
    pub is_me: bool,
    /// By when.
    pub due: Option<Due>,
    /// Open, or completed where the text itself says that it is done.
    pub status: TaskStatus,
    /// How urgent the text says it is.
    pub urgency: Urgency,
    /// From 0 to 1.
    pub confidence: f64,
    /// Whether an explicit form ("ACTION: …", "- [ ] …") declares it: such a task is never suppressed by likeness.
    pub explicit: bool,
    /// The words it rests on, in the order of the text; never empty.
    pub evidence: Vec<Quote>,
    /// Why it was taken for a task, strongest first.
    pub reasons: Vec<Reason>,
    /// What the engine saw of it, before anything learnt.
    pub signals: Signals,
    /// How far feedback has moved the log-odds of its being a task.
    pub shift: f64,
    /// How many days later than the engine read it the due date is taken to be, because people mean it so.
    pub moved_days: i64,
}

/// A statement that something is done.
#[derive(Clone, Debug, PartialEq)]
pub struct DoneStatement {
    /// The question or heading before it that says what it is about, where it does not say so itself.
    pub about: Option<Quote>,
    /// The words that say that it is done.
    pub said: Quote,
}

impl DoneStatement {
    /// The words, in the order of the text.
    pub fn quotes(&self) -> impl Iterator<Item = &Quote> {
        self.about.iter().chain([&self.said])
    }
}

/// Finds the tasks of a text; an empty [`Extraction`] if the built-in weights cannot be parsed.
#[must_use]
pub fn extract(document: &Document<'_>, context: &Context) -> Extraction {
    extract_with(document, context, &Learnt::default())
}

/// Finds the tasks of a text in the light of what feedback has taught; an empty [`Extraction`] if the built-in weights
/// cannot be parsed.
#[must_use]
pub fn extract_with(document: &Document<'_>, context: &Context, learnt: &Learnt) -> Extraction {
    let transcript = reader::read(document);
    weights::weights()
        .map_or_else(Extraction::default, |weights| engine::extract(document, &transcript, context, weights, learnt))
}
