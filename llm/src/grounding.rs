//! What the text bears out of an answer. The words must stand there; the owner must be me, somebody of the item or named
//! in it; a day must follow from words of the text. What else a model says is left out.

use crate::{
    answer::ProposedTask,
    days::Days,
    find::folded,
    injection,
    numbered::{NumberedText, QuoteSpan, quotes},
    prompt_context::PromptContext,
    title,
};
use gleaner_extract::{Context, Found, Quote, Reason};
use gleaner_model::{
    TaskId,
    learning::{Signals, log_odds},
};

/// Most tasks that are taken from one answer.
pub const TASKS: usize = 200;
/// Most quotes of a task.
const MAX_QUOTES: usize = 8;

/// A task that the text bears out.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundedTask {
    /// The task.
    pub found: Found,
    /// The known task that it is.
    pub means: Option<Means>,
}

/// That a finding means a known task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Means {
    /// The task.
    pub task: TaskId,
    /// Whether the text makes it somebody else's.
    pub handed_over: bool,
}

/// What is asked of a text about an answer's tasks.
#[derive(Debug)]
pub struct Grounding<'p> {
    page: &'p NumberedText<'p>,
    context: &'p Context,
    prompt_context: &'p PromptContext,
    item_title: &'p str,
    days: Days,
}

impl<'p> Grounding<'p> {
    /// Grounds the tasks of one text: its numbered lines, and the dates that it may name.
    #[must_use]
    pub fn of(
        page: &'p NumberedText<'p>,
        title: Option<&'p str>,
        context: &'p Context,
        prompt_context: &'p PromptContext,
    ) -> Self {
        let item_title = title.unwrap_or_default();
        Self { page, context, prompt_context, item_title, days: Days::of(page, item_title, context) }
    }

    /// The task that the text bears out of what was said, if any.
    #[must_use]
    pub fn task(&self, said: ProposedTask) -> Option<GroundedTask> {
        let places = self.places(&said.evidence);
        let lines: Vec<usize> = places.iter().map(|place| place.line).collect();
        if places.iter().all(|place| injection::addresses_a_model(self.page.source_line(place))) {
            return None;
        }
        let means = said.same_as.and_then(|number| self.prompt_context.known.get(number.checked_sub(1)?));
        let title = title::borne_out(&said.title, self.page, &lines, self.item_title, means)?;
        let evidence = quotes(self.page.transcript().source, places);
        if evidence.is_empty() {
            return None;
        }
        let (owner, is_me) = self.owner(&said).map_or((None, false), |(name, is_me)| (Some(name), is_me));
        let found = Found {
            title,
            owner,
            is_me,
            due: self.days.due(self.page, said.due_words.as_deref(), said.due.as_deref()),
            status: said.status,
            urgency: said.urgency,
            confidence: said.confidence,
            explicit: false,
            signals: Signals { log_odds: log_odds(said.confidence), feature_names: Vec::new() },
            shift: 0.0,
            moved_days: 0,
            reasons: vec![Reason::new(reason(&evidence), said.confidence)],
            evidence,
        };
        let handed_over = said.handed_over;
        Some(GroundedTask { found, means: means.map(|known| Means { task: known.id, handed_over }) })
    }

    fn places(&self, evidence: &[(Option<usize>, String)]) -> Vec<QuoteSpan> {
        let one = |(line, words): &(Option<usize>, String)| {
            let line = line.and_then(|line| line.checked_sub(1)).unwrap_or(usize::MAX);
            self.page.find(line, words)
        };
        let mut places: Vec<QuoteSpan> = evidence.iter().flat_map(one).collect();
        places.truncate(MAX_QUOTES);
        places
    }

    /// Who is to do it and whether that is me. A name that nobody said is invented, and a wrong owner is worse than none.
    fn owner(&self, said: &ProposedTask) -> Option<(String, bool)> {
        let name = said.owner.as_deref()?.trim();
        let own_name = || self.context.me.names().next().map(str::to_owned);
        let is_mine = |name: &str| {
            let known = self.context.me.names().chain(self.context.me.email.as_deref());
            let name = folded(name);
            known.into_iter().any(|known| folded(known) == name)
        };
        if is_mine(name) || matches!(folded(name).as_str(), "me" | "i") {
            return own_name().map(|name| (name, true));
        }
        let roster = self.page.people();
        if let Some(person) = roster.resolve(name).map(|id| roster.person(id)) {
            return Some((person.name.clone(), person.is_me));
        }
        let words = folded(name);
        let spoken = |word: &str| self.page.speaks_of(word) || folded(self.item_title).contains(word);
        let named = spoken(&words) || words.split(' ').all(spoken);
        named.then(|| (name.to_owned(), false))
    }
}

fn reason(evidence: &[Quote]) -> String {
    let first = evidence.first().map(|quote| quote.text.as_str()).unwrap_or_default();
    format!("the language model says so of \u{201c}{first}\u{201d}")
}
