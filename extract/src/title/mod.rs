//! Titles: a short imperative phrase that stands alone, from the sentences that a task rests on.
//!
//! A title is what was said: a contiguous `clause` of a sentence, from its verb (`head`) to where something else begins,
//! without dates and fillers, with names for "me" and "you" (`people`). Where it lacks its object ("send it"), a noun
//! phrase (`noun_phrase`) of the lines around may stand in (`candidate`). Of all titles that could be made, trees take
//! the one that they expect to be best (`view`); one with a word from elsewhere only where other trees hold it true.

mod candidate;
mod cjk;
mod clause;
mod context;
mod foreign;
mod head;
mod infinitive;
mod kind;
mod noun_phrase;
mod people;
mod qualifier;
pub mod tagger;
mod verb;
mod view;
mod visible;
mod word;
mod wording;

use crate::encoder::Encoder;
use crate::model::forest::Forest;
use crate::model::hashed_linear::HashedLinear;
use crate::model::linear::Malformed;
use crate::word_list::WordList;
use candidate::{Candidate, Joint};
use head::Form;
use std::collections::HashSet;
use tagger::{Tagger, TaggerWindow, Tags};
use view::TitleView;

pub use context::{Said, TitleContext};
pub(crate) use verb::is_verb;
pub use view::FEATURE_COUNT;
pub use visible::visible;
use word::Word;

/// What is learnt of titles.
#[derive(Clone, Debug)]
pub struct TitleModel {
    /// What is learnt together.
    pub trees: Trees,
    /// Which words of the lines around a title holds; trained apart, as the sentence encoder is.
    pub tagger: Tagger,
}

/// What is learnt of titles beside the tagger.
#[derive(Clone, Debug)]
pub struct Trees {
    /// How good a title is beside the others of its task, by its dense features and what `truth` says of it.
    pub worth: Forest,
    /// Whether what is put into it from elsewhere is right.
    pub truth: Forest,
    /// How titles are worded.
    pub wording: HashedLinear,
    /// What readers would make of a title, by the same features as `worth`: true and clear, true alone, or wrong.
    pub readers: Forest,
}

impl TitleModel {
    /// Reads a model from its files; the tagger has the embeddings of the sentence encoder.
    ///
    /// # Errors
    /// Where one is malformed.
    pub fn parse<'f>(file: impl Fn(&str) -> &'f [u8], encoder: &Encoder) -> Result<Self, Malformed> {
        Ok(Self {
            trees: Trees {
                worth: Forest::read(file("worth"), FEATURE_COUNT + 2)?,
                truth: Forest::read(file("truth"), FEATURE_COUNT + 1)?,
                wording: HashedLinear::read(file("wording"))?,
                readers: Forest::read(file("readers"), FEATURE_COUNT + 2)?,
            },
            tagger: Tagger::read(file("tagger"), encoder.transformer())?,
        })
    }
}

impl Trees {
    /// Their files: name and content.
    #[must_use]
    pub fn files(&self) -> [(String, Vec<u8>); 4] {
        [
            ("title.worth".to_owned(), self.worth.write()),
            ("title.truth".to_owned(), self.truth.write()),
            ("title.wording".to_owned(), self.wording.write()),
            ("title.readers".to_owned(), self.readers.write()),
        ]
    }
}

/// How strongly a sentence speaks for the task that rests on it, as logits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Strength {
    /// That it is part of a task.
    pub part: f32,
    /// That it opens one.
    pub opening: f32,
    /// That it is a later sentence of one.
    pub continuation: f32,
}

/// A line that a title may draw on: its number, and how strongly it speaks for the task if the task rests on it.
pub type TitleLine = (usize, Option<Strength>);

/// A task whose title is asked for.
#[derive(Clone, Copy, Debug)]
pub struct TitleRequest<'a> {
    /// The lines that its title may draw on, in order.
    pub lines: &'a [TitleLine],
    /// Who is to do it.
    pub owner: Option<&'a str>,
    /// Which of the lines another task rests on: what they say is to be done is not this one.
    pub others: &'a [usize],
}

/// Truth logit of a title with nothing inserted.
pub const SURE: f32 = 10.0;
/// How many of the titles that are worth most are weighed by what readers would make of them, and how much that counts.
pub const CHOICES: usize = 8;
const READERS_WEIGHT: f32 = 2.0;
/// Minimum truth logit for an insertion that stands for a pronoun: a likelihood of a third.
pub const MIN_TRUTH: f32 = -0.6;
/// Truth logit of even odds: from there on a qualifier is put in, and above it an insertion makes one of the same words needless.
const PLAIN: f32 = 0.0;
/// Minimum truth logit for an insertion that the clause does not need (about 90 % precision).
const SURPLUS: f32 = 1.6;

/// A title, with the lines that it takes its words from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Title {
    /// As it is shown.
    pub text: String,
    /// The numbers of the lines, in no order.
    pub lines: Vec<usize>,
}

/// The title of a task; empty only where its sentences hold no word.
#[must_use]
pub fn title(context: &mut TitleContext<'_>, asked: &TitleRequest<'_>, model: &TitleModel) -> Title {
    context.read(asked.lines);
    let window = if context.windows > 0 { window(context, asked) } else { None };
    context.windows -= usize::from(window.is_some());
    let view = TitleView::at(context, asked, window.map(|window| model.tagger.tags(&window)));
    let candidates = view.candidates();
    let drafts = drafts(&view, &candidates, &model.trees);
    let readers = |at: usize| if view.is_english() { model.trees.readers.logit(&drafts[at].features) } else { 0.0 };
    let worths = drafts.iter().map(|draft| (draft.worth, draft.text.as_str()));
    best(worths, readers).map(|at| drafts[at].candidate.title()).unwrap_or_default()
}

/// A title that could be chosen, with what the trees know of it.
struct TitleDraft<'c, 'p, 'a> {
    candidate: &'c Candidate<'p, 'a>,
    /// In lower case.
    text: String,
    features: Vec<f32>,
    /// The logit that what is put in from elsewhere is right.
    truth: f32,
    worth: f32,
}

/// The titles of a task that are true enough; none with a noun phrase in brackets that most likely is what the
/// pronoun means, so that "Send the survey" is said and not "Send it (survey)".
fn drafts<'c, 'p, 'a>(
    view: &TitleView<'p, 'a>,
    candidates: &'c [Candidate<'p, 'a>],
    trees: &Trees,
) -> Vec<TitleDraft<'c, 'p, 'a>> {
    let texts: Vec<String> = candidates.iter().map(|candidate| written(&candidate.words).to_lowercase()).collect();
    let draft = |(candidate, text): (&'c Candidate<'p, 'a>, &String)| {
        let less =
            if view.is_english() { acts_less(candidate, text, candidates, &texts) } else { says_less(text, &texts) };
        if less {
            return None;
        }
        let mut features = Vec::with_capacity(FEATURE_COUNT + 2);
        view.features(candidate, &mut features);
        features.push(trees.wording.logit(&wording::hashed_features(candidate)));
        let truth = if candidate.joined.is_some() { trees.truth.logit(&features) } else { SURE };
        features.push(truth);
        (truth >= least(candidate)).then(|| TitleDraft {
            candidate,
            text: text.clone(),
            truth,
            worth: trees.worth.logit(&features),
            features,
        })
    };
    let mut drafts: Vec<TitleDraft<'c, 'p, 'a>> = candidates.iter().zip(&texts).filter_map(draft).collect();
    let told: HashSet<Joining> =
        drafts.iter().filter(|draft| draft.truth > PLAIN).filter_map(TitleDraft::stands).collect();
    drafts.retain(|draft| draft.brackets().is_none_or(|joining| !told.contains(&joining)));
    drafts
}

/// A clause, by its line and its first and last word there, and a noun phrase, by its line and first word.
type Joining = (usize, usize, usize, Option<usize>, usize);

impl TitleDraft<'_, '_, '_> {
    fn joining(&self, is: impl Fn(Joint) -> bool) -> Option<Joining> {
        let Candidate { clause, line, joined, .. } = self.candidate;
        let joined = joined.filter(|joined| is(joined.joint))?;
        Some((*line, clause.at, clause.left, joined.line, joined.phrase.at))
    }

    /// What stands in it for a pronoun, or behind a verb that has no object.
    fn stands(&self) -> Option<Joining> {
        self.joining(|joint| matches!(joint, Joint::Pronoun | Joint::Object))
    }

    /// What stands in it in brackets.
    fn brackets(&self) -> Option<Joining> {
        self.joining(|joint| joint == Joint::Qualifier)
    }
}

/// The best of some titles, each its worth and its text: of the [`CHOICES`] that are worth most, the one that `readers`, the
/// logit of what readers would make of it, speaks for most as well.
pub fn best<'t>(titles: impl Iterator<Item = (f32, &'t str)>, readers: impl Fn(usize) -> f32) -> Option<usize> {
    let mut ranked: Vec<(usize, f32, &str)> = titles.enumerate().map(|(at, (worth, text))| (at, worth, text)).collect();
    ranked.sort_by(|one, other| other.1.total_cmp(&one.1));
    let mut seen = HashSet::new();
    let choices = ranked.into_iter().filter(|(_, _, text)| seen.insert(*text)).take(CHOICES);
    let all = choices.map(|(at, worth, _)| (at, worth + READERS_WEIGHT * readers(at)));
    all.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(at, _)| at)
}

/// Whether another title of the task says the same and what it is done to: "会場の予約を確認する" beside "確認する". Where the verb
/// stands last, as in no English title.
fn says_less(text: &str, others: &[String]) -> bool {
    others.iter().any(|other| other.len() > text.len() && other.ends_with(text))
}

/// Verbs that say of a thing no more than that somebody sees to it.
static SEES_TO: WordList = WordList::of("do get have take");

/// Whether another title of the task says what is done to the same thing: "Order the badges" beside "Take the badges", where
/// somebody takes on what was asked for.
fn acts_less(candidate: &Candidate<'_, '_>, text: &str, all: &[Candidate<'_, '_>], texts: &[String]) -> bool {
    let Some((verb, thing)) = text.split_once(' ').filter(|(verb, _)| SEES_TO.has(verb)) else { return false };
    // "I can't pick up the kids. Could you do it?" is no "Do the kids".
    let done = verb == "do" && candidate.joined.is_some_and(|joined| joined.joint == Joint::Pronoun);
    let acts = |other: &Candidate<'_, '_>| {
        other.words.first().is_some_and(|word| word.is(kind::VERB) && !SEES_TO.has(&word.lower))
    };
    let same = |other: &str| {
        other.split_once(' ').is_some_and(|(_, other)| match other.strip_suffix(thing) {
            Some("") => true,
            Some(particle) => done && particle.ends_with(' '),
            None => false,
        })
    };
    (done || candidate.joined.is_none())
        && all.iter().zip(texts).any(|(other, text)| other.joined.is_none() && acts(other) && same(text))
}

/// The least truth logit of a title.
fn least(candidate: &Candidate<'_, '_>) -> f32 {
    match candidate.joined.map(|joined| joined.joint) {
        Some(Joint::For) => SURPLUS,
        // What stands in brackets claims more than a pronoun that stays.
        Some(Joint::Qualifier) => PLAIN,
        Some(_) | None => MIN_TRUTH,
    }
}

impl Candidate<'_, '_> {
    fn title(&self) -> Title {
        let joined = self.joined.and_then(|joined| joined.line);
        Title { text: written(&self.words), lines: joined.into_iter().chain([self.line]).collect() }
    }
}

/// A title that could be chosen.
#[derive(Clone, Debug)]
pub struct Offered {
    /// The title.
    pub title: Title,
    /// What is put into it from elsewhere.
    pub phrase: Option<String>,
    /// Whether a verb leads it.
    pub acts: bool,
    /// Its dense features, [`FEATURE_COUNT`] of them.
    pub features: Vec<f32>,
    /// How it is worded.
    pub hashed_features: Vec<u32>,
}

/// What the tagger reads of a task, where it reads the language.
#[must_use]
pub fn window(context: &mut TitleContext<'_>, asked: &TitleRequest<'_>) -> Option<TaggerWindow> {
    context.read(asked.lines);
    context.language.starts_with("en").then(|| TaggerWindow::of(context, asked))
}

/// What [`title`] chooses from.
#[must_use]
pub fn candidates(context: &mut TitleContext<'_>, asked: &TitleRequest<'_>, tags: Option<Tags>) -> Vec<Offered> {
    context.read(asked.lines);
    let view = TitleView::at(context, asked, tags);
    let with = |candidate: Candidate<'_, '_>| {
        let mut features = Vec::with_capacity(FEATURE_COUNT);
        view.features(&candidate, &mut features);
        Offered {
            title: candidate.title(),
            phrase: candidate.joined.as_ref().map(|joined| written(&joined.phrase.words)),
            acts: candidate.clause.form != Form::Bare
                || candidate.words.first().is_some_and(|word| word.is(kind::VERB)),
            hashed_features: wording::hashed_features(&candidate),
            features,
        }
    };
    view.candidates().into_iter().map(with).collect()
}

/// Words as a title: with a capital, without a space before a mark.
fn written(words: &[Word<'_>]) -> String {
    let mut title = String::new();
    for word in words {
        let tight = word.is(kind::MARK) && word.is(kind::JOINED) || word.lower == ")" || title.ends_with('(');
        if !title.is_empty() && !tight {
            title.push(' ');
        }
        title.push_str(&word.text);
    }
    let first = title.chars().next().map(|first| first.to_uppercase().collect::<String>());
    match first {
        Some(first) => first + &title[title.chars().next().map_or(0, char::len_utf8)..],
        None => title,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::weights;

    fn title(owner: Option<&str>, lines: &[(&str, &str)]) -> String {
        let said = lines.iter().map(|(speaker, text)| Said { text, speaker: Some(speaker) }).collect();
        let title_lines: Vec<TitleLine> = (0..lines.len()).map(|line| (line, Some(Strength::default()))).collect();
        let mut context = TitleContext::new(said, &["Sam Ortiz", "Dana Reyes"], "", "en");
        let asked = TitleRequest { lines: &title_lines, owner, others: &[] };
        weights().map(|weights| super::title(&mut context, &asked, &weights.title).text).unwrap_or_default()
    }

    fn promise(text: &str) -> String {
        title(Some("Dana Reyes"), &[("Dana Reyes", text)])
    }

    #[test]
    fn readers_choose_among_the_titles_that_are_worth_most() {
        let titles = || [(1.0, "send it to dana"), (0.8, "send the file"), (0.9, "send it to dana")].into_iter();
        let readers = |at: usize| [-2.0, 1.0, 9.0][at];
        assert_eq!(best(titles(), |_| 0.0), Some(0));
        assert_eq!(best(titles(), readers), Some(1), "a text counts once, as where it is worth most");
        let texts: Vec<String> = (0..=CHOICES).map(|at| format!("title {at}")).collect();
        let many = || texts.iter().enumerate().map(|(at, text)| (-(at as f32), text.as_str()));
        assert_eq!(best(many(), |at| if at == CHOICES { 99.0 } else { 0.0 }), Some(0), "the ninth is not weighed");
        assert_eq!(best(many(), |at| if at == CHOICES - 1 { 99.0 } else { 0.0 }), Some(CHOICES - 1));
        assert_eq!(best([].into_iter(), readers), None);
    }

    #[test]
    fn a_promise_loses_its_lead_and_its_date() {
        let title = promise("I'll get the revised SOW over to Northwind by Friday");
        assert_eq!(title, "Get the revised SOW over to Northwind");
        assert_eq!(promise("I'll do the dishes after dinner"), "Do the dishes");
    }

    #[test]
    fn stumbles_of_speech_are_left_out() {
        let lines = [("Dana Reyes", "Sam, can you, uh, check the the proto- prototype of the remote?")];
        assert_eq!(title(Some("Sam Ortiz"), &lines), "Check the prototype of the remote");
    }

    #[test]
    fn a_request_loses_the_one_who_is_asked() {
        assert_eq!(title(Some("Sam Ortiz"), &[("Dana Reyes", "Sam, can you check the logs?")]), "Check the logs");
    }

    #[test]
    fn who_is_spoken_to_is_no_part_of_it_and_what_it_is_stands_a_line_above() {
        assert_eq!(promise("I'll send the parking map tonight, Sam"), "Send the parking map");
        let lines = [
            ("Dana Reyes", "okay, the boathouse."),
            ("Dana Reyes", "Sam, would you book it?"),
            ("Sam Ortiz", "yes, I'll book it this week before somebody has a wedding"),
        ];
        assert_eq!(title(Some("Sam Ortiz"), &lines), "Book the boathouse");
    }

    #[test]
    fn what_a_clause_does_not_say_may_stand_in_brackets() {
        let lines =
            [("Dana Reyes", "what about the speeches?"), ("Sam Ortiz", "I'll ring the minister's office tonight")];
        let said = lines.iter().map(|&(speaker, text)| Said { text, speaker: Some(speaker) }).collect();
        let title_lines = [(0, Some(Strength::default())), (1, Some(Strength::default()))];
        let mut context = TitleContext::new(said, &["Sam Ortiz", "Dana Reyes"], "", "en");
        let asked = TitleRequest { lines: &title_lines, owner: Some("Sam Ortiz"), others: &[] };
        let window = window(&mut context, &asked);
        let (Some(window), Some(weights)) = (window, weights()) else { panic!("English is read") };
        let offered = candidates(&mut context, &asked, Some(weights.title.tagger.tags(&window)));
        let title = offered.iter().find(|offered| offered.title.text == "Ring the minister's office (speeches)");
        assert_eq!(title.map(|offered| &offered.title.lines[..]), Some(&[0, 1][..]));
        assert!(!offered.iter().any(|offered| offered.title.text.ends_with("office (minister's office)")));
    }

    #[test]
    fn her_is_no_thing() {
        let lines =
            [("Dana Reyes", "I've got my intro call with Odette tomorrow so I'll ask her for the one-month sample.")];
        let asked = title(Some("Dana Reyes"), &lines);
        assert!(["Ask her for", "Ask Odette for"].iter().any(|ask| asked.starts_with(ask)), "{asked}");
    }

    #[test]
    fn what_there_is_is_no_action() {
        let acts = |said: &str| !head::heads(&word::split(said, "en")).is_empty();
        assert!(!acts("we have some new microphones"));
        assert!(acts("we order some new microphones"));
    }

    #[test]
    fn a_note_loses_box_owner_and_bracket() {
        assert_eq!(title(Some("Sam Ortiz"), &[("", "- [ ] @sam: update docs (due 3/14)")]), "Update docs");
        let other = [("Sam Ortiz", "ACTION: Maria Lopez to circulate the minutes by Wednesday")];
        assert_eq!(title(Some("Maria Lopez"), &other), "Circulate the minutes");
        assert_eq!(title(None, &[("", "TODO: Access to repo")]), "Access to repo");
    }

    #[test]
    fn what_needs_doing_becomes_an_order() {
        assert_eq!(title(None, &[("Dana Reyes", "the first aid kits need checking")]), "Check the first aid kits");
    }

    /// The titles that a line of Dana's may have, of a task of somebody's.
    fn offered_to(owner: &str, text: &str) -> Vec<String> {
        let mut context =
            TitleContext::new(vec![Said { text, speaker: Some("Dana Reyes") }], &["Dana Reyes"], "", "en");
        let lines = [(0, Some(Strength::default()))];
        let asked = TitleRequest { lines: &lines, owner: Some(owner), others: &[] };
        candidates(&mut context, &asked, None).into_iter().map(|offered| offered.title.text).collect()
    }

    fn offered(text: &str) -> Vec<String> {
        offered_to("Sam Ortiz", text)
    }

    /// Whether a title is offered for each line, and none that begins otherwise.
    fn check(lines: &[(&str, &str)]) {
        for (said, title) in lines {
            let offered = offered(said);
            assert!(offered.iter().any(|other| other == title), "{said}: {offered:?}");
            let verb = title.split(' ').next().unwrap_or_default();
            assert!(offered.iter().all(|other| other.starts_with(verb)), "{said}: {offered:?}");
        }
    }

    #[test]
    fn what_is_to_be_done_to_a_thing_becomes_an_order() {
        check(&[
            ("The slides need to be sent to the board by Thursday", "Send the slides to the board"),
            ("The letter still has to be signed by Friday", "Sign the letter"),
            ("The contract must be countersigned and scanned", "Countersign and scan the contract"),
            ("Labels to be printed by Sam", "Print labels"),
            ("The tiles haven't been ordered yet", "Order the tiles"),
            ("I think the NDA should be checked", "Check the NDA"),
            ("it has to be signed", "Sign it"),
        ]);
    }

    #[test]
    fn a_polite_request_is_what_it_asks_for() {
        check(&[
            ("Would you mind calling the vet tomorrow?", "Call the vet"),
            ("Do you mind checking the gate?", "Check the gate"),
            ("How about calling the vet tomorrow?", "Call the vet"),
            ("I'd appreciate it if you checked the gate", "Check the gate"),
            ("Please make sure you lodge the return by Friday", "Lodge the return"),
            ("can u order the dishes :pray:", "Order the dishes"),
            ("I'll mind the shop tomorrow", "Mind the shop"),
        ]);
    }

    #[test]
    fn what_somebody_wants_to_have_is_to_be_given() {
        check(&[
            ("I need the keys by Friday", "Get Dana the keys"),
            ("I need a quote from you by Friday", "Get Dana a quote"),
            ("We still need two photos", "Get two photos"),
            ("you owe me the list", "Give Dana the list"),
            ("Can I have the keys by Friday?", "Give Dana the keys"),
            ("I need to ring the bank", "Ring the bank"),
        ]);
        let comments = offered("let me have your comments");
        assert!(comments.contains(&"Give Dana the comments".to_owned()), "{comments:?}");
        assert!(comments.iter().all(|title| !title.starts_with("Have")), "{comments:?}");
    }

    #[test]
    fn who_is_to_act_is_no_part_of_it_whoever_that_is() {
        let lines = [
            "Mrs Teale to order the gravel by Friday",
            "Piet van Dijk to order the gravel",
            "Mark to order the gravel",
            "@Kelly Tran please order the gravel",
            "Kostas / Dimitra: order the gravel",
            "Dr Patel agreed to order the gravel",
        ];
        check(&lines.map(|said| (said, "Order the gravel")));
        let stands = |owner: &str, said: &str| offered_to(owner, said).iter().any(|title| title == said);
        assert!(!stands("Finance", "Finance to order the gravel"));
        assert!(stands("Sam Ortiz", "Link to test environment"));
        assert!(stands("Sam Ortiz", "Reply to email from Tom"));
    }

    #[test]
    fn a_title_keeps_what_belongs_to_its_verb_and_no_date() {
        check(&[
            ("I'll reply by Friday", "Reply"),
            ("I'll ring the gas man first thing tomorrow", "Ring the gas man"),
            ("I'll submit the report by COP Friday", "Submit the report"),
            ("I'll fill it in by Friday", "Fill it in"),
            ("I'll look into this tomorrow", "Look into this"),
            ("I'll call the service guys tomorrow", "Call the service guys"),
            ("I'll be there on Friday", "Be there"),
            ("I'll cover the 12th", "Cover the 12th"),
            ("I'll inform supplier A tomorrow", "Inform supplier A"),
            ("I'll pay inv. 4471 tomorrow", "Pay inv. 4471"),
            ("I'll send it to the U.S. team tomorrow", "Send it to the U.S. team"),
            ("please visit my mum by Friday", "Visit Dana's mum"),
            ("please send me the list you made by Friday", "Send Dana the list you made"),
        ]);
        let invoice = offered("Invoice 4471: please pay by Friday.");
        assert!(invoice.contains(&"Pay Invoice 4471".to_owned()), "{invoice:?}");
    }

    #[test]
    fn it_may_be_what_another_cannot_do() {
        let lines = [
            ("Dana Reyes", "I can't pick up the kids today."),
            ("Dana Reyes", "Could you do it?"),
            ("Sam Ortiz", "ok"),
        ];
        assert_eq!(title(Some("Sam Ortiz"), &lines), "Pick up the kids");
        assert!(!offered("I can't come on Friday").contains(&"Come".to_owned()));
    }

    #[test]
    fn me_is_the_one_who_asks() {
        let lines = [("Dana Reyes", "Sam, could you send me the cost centre today please?")];
        let title = title(Some("Sam Ortiz"), &lines);
        assert!(["Send Dana the cost centre", "Send the cost centre"].contains(&title.as_str()), "{title}");
    }

    #[test]
    fn who_goes_somewhere_goes_and_who_goes_and_asks_asks() {
        assert_eq!(promise("I'll go to the bank tomorrow"), "Go to the bank");
        assert_eq!(promise("I'll go and ask the bank tomorrow"), "Ask the bank");
        assert_eq!(promise("I am going to ask the bank tomorrow"), "Ask the bank");
        assert_eq!(promise("I'll try to reach the bank tomorrow"), "Reach the bank");
    }

    #[test]
    fn a_verb_of_no_list_is_known_by_what_stands_before_it() {
        assert_eq!(promise("I'll re-run the tests tonight"), "Re-run the tests");
        assert_eq!(promise("I'll Slack Sam the link tomorrow"), "Slack Sam the link");
        assert_eq!(promise("I'll be at the venue by nine on Monday"), "Be at the venue");
        assert_eq!(promise("I'll be sending the invoice tomorrow"), "Send the invoice");
        assert_eq!(promise("I'll make sure the door is locked tonight"), "Make sure the door is locked");
    }

    #[test]
    fn whose_day_it_is_says_which_thing_is_meant() {
        let lines = [("Dana Reyes", "Sam, could you please send me last year's answers today?")];
        assert!(title(Some("Sam Ortiz"), &lines).ends_with("last year's answers"));
        assert_eq!(promise("I'll check the numbers before Friday's call"), "Check the numbers");
    }

    #[test]
    fn who_takes_on_what_was_asked_for_does_that() {
        let lines = [
            ("Dana Reyes", "Somebody also has to order the badges."),
            ("Sam Ortiz", "I'll take the badges, I know the shop."),
        ];
        assert_eq!(title(Some("Sam Ortiz"), &lines), "Order the badges");
        assert_eq!(promise("I'll take the badges to the front desk"), "Take the badges to the front desk");
    }

    #[test]
    fn an_acceptance_takes_its_action_from_the_ask() {
        let lines =
            [("Dana Reyes", "could you forward that reply to legal?"), ("Sam Ortiz", "yep, I'll do it tonight")];
        assert_eq!(title(Some("Sam Ortiz"), &lines), "Forward that reply to legal");
    }
}
