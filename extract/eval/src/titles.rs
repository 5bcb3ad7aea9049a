//! What labelled texts teach of titles: of all titles that could be made of a task's sentences, which comes nearest to what
//! a person called it, and which are true. The tasks are those that were found with held-out scores, and again the gold ones
//! with their own evidence, which count half.

use crate::boost::{Cases, Growth};
use crate::data::Gold;
use crate::dates::Source;
use crate::words::{content, rouge_l, words};
use anyhow::Result;
use gleaner_extract::fields::{self, Whose};
use gleaner_extract::judge::Gathered;
use gleaner_extract::language;
use gleaner_extract::people::Roster;
use gleaner_extract::title::{self, Asked, Model, Offered};
use std::collections::HashSet;

/// How the trees that tell the worth of a title grow, and those that tell whether it is true.
const WORTH: Growth = Growth { trees: 250, leaves: 12, rate: 0.08, rows: 7, numbers: 3, least: 40, pull: 5.0 };
const TRUTH: Growth = Growth { trees: 300, leaves: 20, rate: 0.06, rows: 7, numbers: 3, least: 40, pull: 5.0 };
/// How much a gold task with its own evidence counts.
const GOLD: f32 = 0.5;

/// What a person called a task, in words of content, and all that may be said of it.
struct Called<'g> {
    title: &'g str,
    wanted: HashSet<String>,
    said: HashSet<String>,
}

impl<'g> Called<'g> {
    fn of(source: &Source<'g>, number: usize, sentences: &[usize]) -> Self {
        let Gold { title, owner, .. } = &source.document.tasks[number];
        let quoted = source.text.gold[number].iter().map(|span| &source.document.transcript[span.clone()]);
        let found = sentences.iter().map(|&at| source.reading.script.sentences[at].text);
        let named = [title.as_str(), owner.as_deref().unwrap_or_default()];
        let said = named.into_iter().chain(quoted).chain(found).flat_map(content).collect();
        Self { title, wanted: content(title), said }
    }

    /// Whether it names a thing: its noun, and half of its words of content.
    fn names(&self, thing: &str) -> bool {
        let named = |word: &String| self.wanted.contains(word);
        let own = content(thing);
        let main = thing.split(" of ").next().unwrap_or_default().split(" for ").next().unwrap_or_default();
        let noun = words(main).into_iter().rev().map(|word| content(&word)).find(|word| !word.is_empty());
        noun.is_some_and(|noun| noun.iter().all(named))
            && own.iter().filter(|word| named(word)).count() * 2 >= own.len()
    }

    /// What another title is worth, up to one: for being true, for holding half of the words of content, for its likeness, for
    /// saying what is to be done rather than naming a thing, and for naming that thing.
    fn worth(&self, offered: &Offered) -> f32 {
        let own = content(&offered.title);
        let truth = own.is_subset(&self.said);
        let good = truth && own.intersection(&self.wanted).count() * 2 >= self.wanted.len();
        let share = |holds: bool, part: f32| if holds { part } else { 0.0 };
        let likeness = rouge_l(self.title, &offered.title) as f32;
        share(truth, 0.2) + share(good, 0.4) + share(offered.acts, 0.1) + share(offered.names, 0.15) + 0.15 * likeness
    }
}

/// Learns titles.
///
/// # Errors
/// Where a document's time is malformed.
pub fn learn(sources: &[Source<'_>]) -> Result<Model> {
    let (mut worths, mut truths) = (Cases::default(), Cases::default());
    for (group, source) in sources.iter().enumerate() {
        let context = crate::context(source.document)?;
        let roster = Roster::of(source.transcript, &context);
        let language = language::of(context.language.as_deref(), source.transcript);
        let script = &source.reading.script;
        let mut page = fields::page(script, &roster, &source.document.title, language);
        let gold: Vec<Gathered> = (0..source.text.gold.len()).map(|number| source.proven(number)).collect();
        let itself: Vec<Option<usize>> = (0..gold.len()).map(Some).collect();
        let weighed = [(source.tasks, source.partner, 1.0), (&gold, &itself, GOLD)];
        for (tasks, partner, weight) in weighed {
            let whose = Whose::of(tasks, script.sentences.len());
            let found = tasks.iter().zip(partner).enumerate();
            for (number, task, of) in found.filter_map(|(number, (task, of))| Some((number, task, (*of)?))) {
                let sentences = fields::speaking(task);
                let lines = fields::cited(task, &sentences, &whose, number);
                let called = Called::of(source, of, &sentences);
                let owner = source.document.tasks[of].owner.as_deref();
                let made = title::candidates(&mut page, &Asked { lines: &lines, owner });
                let each = weight / (made.len() as f32).sqrt();
                for offered in made {
                    let right = offered.thing.as_ref().map(|thing| called.names(thing));
                    // What a title is worth whose thing is wrong, nothing is to be learnt of.
                    worths.numbers.extend(&offered.numbers);
                    worths.push_share(
                        called.worth(&offered),
                        if right == Some(false) { 0.0 } else { each },
                        group as u32,
                    );
                    if let Some(right) = right {
                        truths.numbers.extend(&offered.numbers);
                        truths.push_share(f32::from(u8::from(right)), each, group as u32);
                    }
                }
            }
        }
    }
    Ok(Model { worth: worths.grow(WORTH, 0).1, truth: truths.grow(TRUTH, 0).1 })
}
