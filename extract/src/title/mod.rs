//! Titles: a short imperative phrase that stands alone, from the sentences that a task rests on.
//!
//! The sentences around a task are a [`scene`]: each is read for the actions that it names ([`action`]: what follows
//! "I'll", "can you", "Sam to", a label, or an imperative, up to a reason, a condition or a date), for the things that it
//! speaks of ([`thing`]), and for what may be said behind an action ([`phrase`]). A small linear model says of each word
//! there how likely it is to stand in the title ([`vocabulary`]). Titles are made of actions whose pronouns are replaced
//! by things ([`candidate`]), and made fuller ([`widen`]); the ones with the likeliest words are kept, and of these another
//! small linear model takes the one that it expects to be best ([`rank`]).

mod action;
mod candidate;
mod draft;
mod foreign;
mod kind;
mod label;
mod lead;
mod page;
mod people;
mod phrase;
mod piece;
mod rank;
mod read;
mod scene;
mod thing;
mod trim;
mod verb;
mod visible;
mod vocabulary;
mod widen;
mod word;

use crate::model::math::sigmoid;
use crate::model::table::Table;
use draft::{Draft, Joint, finish, reads_well};
pub use page::{Page, Said};
pub use rank::Features;
use rank::Worth;
pub use scene::Asked;
use scene::Scene;
pub use visible::visible;
use vocabulary::Vocabulary;

/// What is learnt of titles.
#[derive(Clone, Debug)]
pub struct Model {
    /// Which words a title holds.
    pub keep: Table,
    /// Which of many titles is best.
    pub rank: Table,
}

/// A sentence that a title may draw on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Line<'a> {
    /// Its words.
    pub text: &'a str,
    /// Who says it.
    pub speaker: Option<&'a str>,
    /// Whether the task rests on it; if not, it only stands before one that does.
    pub evidence: bool,
}

/// What a title is made of.
#[derive(Clone, Copy, Debug)]
pub struct TitleInput<'a> {
    /// The sentences of the task, and a few before each, in the order of the text.
    pub lines: &'a [Line<'a>],
    /// Who is to do it.
    pub owner: Option<&'a str>,
    /// Everybody who takes part.
    pub names: &'a [&'a str],
    /// The title of the text.
    pub topic: &'a str,
    /// BCP 47.
    pub language: &'a str,
}

/// Most words of a title.
const LONGEST: usize = 12;
/// What a draft loses for each tail of another place, and for a thing that is put in; what it gains for being said so.
const TAIL: f32 = 2.0;
const JOINED: f32 = 1.0;
const OWN: f32 = 0.5;
/// What it loses for a verb that nobody said of it.
const UNSAID: f32 = 1.0;

impl TitleInput<'_> {
    /// The lines as a page of their own, and their numbers.
    fn page(&self) -> (Page<'_>, Vec<(usize, bool)>) {
        let said = self.lines.iter().map(|line| Said { text: line.text, speaker: line.speaker });
        let numbers = self.lines.iter().enumerate().map(|(number, line)| (number, line.evidence));
        let names: Vec<&str> =
            self.names.iter().copied().chain(self.lines.iter().filter_map(|line| line.speaker)).collect();
        (Page::new(said.collect(), &names, self.topic, self.language), numbers.collect())
    }
}

/// The title of a task; empty only where its sentences hold no word. One that does not read well is taken only where
/// none does.
#[must_use]
pub fn compose(input: &TitleInput<'_>, model: &Model) -> String {
    let (mut page, lines) = input.page();
    title(&mut page, &Asked { lines: &lines, owner: input.owner }, model)
}

/// The title of a task of a page, as [`compose`] makes it.
#[must_use]
pub fn title(page: &mut Page<'_>, asked: &Asked<'_>, model: &Model) -> String {
    let scene = Scene::of(page, asked);
    let mut vocabulary = Vocabulary::of(&scene);
    vocabulary.weigh(&likelihood(&|features| model.keep.logit(features)));
    let mut drafts = drafts(&scene, &vocabulary);
    if drafts.iter().any(|draft| reads_well(&draft.words)) {
        drafts.retain(|draft| reads_well(&draft.words));
    }
    let scored = drafts.into_iter().map(|draft| {
        let mut worth = Worth { table: &model.rank, sum: -0.0 };
        rank::features(&draft, &scene, &vocabulary, &mut worth);
        (worth.sum - strayed(&draft), draft)
    });
    let best = scored.reduce(|best, next| if next.0.total_cmp(&best.0).is_gt() { next } else { best });
    best.map(|(_, draft)| finish(&draft.words, &scene)).unwrap_or_default()
}

/// What a draft loses for what nobody said in one breath: what is put together from several places costs more trust where
/// it is wrong than it gains where it is right.
fn strayed(draft: &Draft) -> f32 {
    let tails = [draft::edit::TAIL, draft::edit::TWICE].iter().filter(|edit| draft.edits & *edit != 0).count();
    let joined = draft.joint != Joint::None;
    let own = draft.edits & !draft::edit::CUT == 0 && !joined;
    let unsaid = draft.edits & (draft::edit::LED | draft::edit::VERB) != 0;
    let price = |applies: bool, price: f32| if applies { price } else { 0.0 };
    TAIL * tails as f32 + price(joined, JOINED) + price(unsaid, UNSAID) - price(own, OWN)
}

/// The words that a title may hold, in lower case, each with what speaks for it, hashed.
#[must_use]
pub fn words(input: &TitleInput<'_>) -> Vec<(String, Vec<u32>)> {
    let (mut page, lines) = input.page();
    let scene = Scene::of(&mut page, &Asked { lines: &lines, owner: input.owner });
    let word = |number| scene.page.lexicon.entry(number).word.to_string();
    let entries = Vocabulary::of(&scene).in_order().entries.into_iter();
    entries.map(|entry| (word(entry.number), entry.features)).collect()
}

/// What [`compose`] chooses from: each title with what speaks for it. `keep` is the logit of a word of [`words`].
#[must_use]
pub fn candidates(input: &TitleInput<'_>, keep: &dyn Fn(&[u32]) -> f32) -> Vec<(String, Features)> {
    let (mut page, lines) = input.page();
    let scene = Scene::of(&mut page, &Asked { lines: &lines, owner: input.owner });
    let mut vocabulary = Vocabulary::of(&scene).in_order();
    vocabulary.weigh(&likelihood(keep));
    let with = |draft: Draft| {
        let mut features = Features::new();
        rank::features(&draft, &scene, &vocabulary, &mut features);
        (finish(&draft.words, &scene), features)
    };
    drafts(&scene, &vocabulary).into_iter().map(with).collect()
}

/// How likely a word of these features is, by its logit.
fn likelihood(keep: &dyn Fn(&[u32]) -> f32) -> impl Fn(&[u32]) -> f32 {
    |features| sigmoid(f64::from(keep(features))) as f32
}

/// The drafts of a task; in English, those that begin with a verb, where any does.
fn drafts(scene: &Scene<'_, '_>, vocabulary: &Vocabulary) -> Vec<Draft> {
    let mut drafts = candidate::all(scene, vocabulary);
    let orders = |draft: &Draft| draft.words.first().is_some_and(|word| word.is(kind::VERB));
    if scene.page.is_english() && drafts.iter().any(orders) {
        drafts.retain(orders);
    }
    drafts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::weights;

    fn title(owner: Option<&str>, lines: &[(&str, &str)]) -> String {
        let lines: Vec<Line<'_>> =
            lines.iter().map(|(speaker, text)| Line { text, speaker: Some(speaker), evidence: true }).collect();
        let names = &["Sam Ortiz", "Dana Reyes"];
        let input = TitleInput { lines: &lines, owner, names, topic: "", language: "en" };
        weights().map(|weights| compose(&input, &weights.title)).unwrap_or_default()
    }

    fn promise(text: &str) -> String {
        title(Some("Dana Reyes"), &[("Dana Reyes", text)])
    }

    #[test]
    fn a_promise_loses_its_lead_and_its_date() {
        let title = promise("I'll get the revised SOW over to Northwind by Friday");
        assert_eq!(title, "Get the revised SOW over to Northwind");
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
    fn a_note_loses_box_owner_and_bracket() {
        assert_eq!(title(Some("Sam Ortiz"), &[("", "- [ ] @sam: update docs (due 3/14)")]), "Update docs");
    }

    #[test]
    fn what_needs_doing_becomes_an_order() {
        assert_eq!(title(None, &[("Dana Reyes", "the first aid kits need checking")]), "Check the first aid kits");
    }

    #[test]
    fn me_is_the_one_who_asks() {
        let lines = [("Dana Reyes", "Sam, could you send me the cost centre today please?")];
        assert_eq!(title(Some("Sam Ortiz"), &lines), "Send Dana the cost centre");
    }

    #[test]
    fn the_other_two_say_what_two() {
        let lines = [
            ("Sam Ortiz", "How far are the floor plans?"),
            ("Dana Reyes", "One of the floor plans is done. I'll finish the other two by Friday"),
        ];
        assert_eq!(title(Some("Dana Reyes"), &lines), "Finish the other two floor plans");
    }

    #[test]
    fn no_title_says_i_or_says_a_thing_twice() {
        let lines = [
            ("Dana Reyes", "could you order the raffle tickets"),
            ("Sam Ortiz", "yes, I'll order raffle tickets, thanks"),
        ];
        let title = title(Some("Sam Ortiz"), &lines).to_lowercase();
        assert!(title.starts_with("order") && !title.contains("i'll") && !title.contains("thanks"), "{title}");
        assert_eq!(title.matches("raffle").count(), 1, "{title}");
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
        assert_eq!(title(Some("Sam Ortiz"), &lines), "Send Dana last year's answers");
        assert_eq!(promise("I'll check the numbers before Friday's call"), "Check the numbers");
    }

    #[test]
    fn an_acceptance_takes_its_action_from_the_ask() {
        let lines =
            [("Dana Reyes", "could you forward that reply to legal?"), ("Sam Ortiz", "yep, I'll do it tonight")];
        assert_eq!(title(Some("Sam Ortiz"), &lines), "Forward that reply to legal");
    }
}
