//! Owner: who is to do what a few stretches of a document speak of. Nobody rather than the wrong one.
//!
//! Each stretch makes claims ("I'll do it" for its speaker, "Sam, can you" for Sam, "somebody should" for nobody), each
//! with a weight; the claims for one person add up. Trees weigh these sums with what else is known of everybody who may own the
//! task (`view`), and the likeliest owns it (`fields::owned`).

mod claim;
mod clause;
mod first;
mod list;
mod lower;
mod mentioned;
mod nearness;
mod participants;
mod phrase;
mod relation;
mod scene;
mod second;
mod third;
mod view;

use std::ops::Range;

use crate::people::{PersonId, Roster};
use crate::reader::Transcript;
use crate::title::Strength;

use claim::{CLAIM_KINDS, ClaimKind, OwnerClaim};
pub use participants::Participants;
pub(crate) use phrase::{is_common, is_team};
pub use relation::Place;
use view::OwnerView;

/// A stretch of an utterance's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Index of the utterance.
    pub utterance: usize,
    /// Bytes of its words.
    pub range: Range<usize>,
}

/// An owner: a name, and whether it is me.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnerName {
    /// The name, as full as the document gives it.
    pub name: String,
    /// Whether it is "me".
    pub is_me: bool,
}

/// Somebody who may be the owner, or nobody, with what speaks for it.
#[derive(Clone, Debug)]
pub struct Claimant {
    /// Who; none where it is nobody.
    pub owner: Option<OwnerName>,
    /// The dense features of its being the owner.
    pub features: [f32; FEATURE_COUNT],
    who: Who,
}

impl Claimant {
    /// Emits the hashed features of one stretch: see [`Place`].
    pub fn hashed_features(
        &self,
        participants: &Participants<'_>,
        place: &Place,
        part: u64,
        words: &[u32],
        out: &mut Vec<u32>,
    ) {
        place.hashed_features(participants, &self.who, part, words, out);
    }

    /// Whether some stretches name them as whom it is done to, nobody gives it to them there, and they do not say them: "Email
    /// Tom the figures".
    #[must_use]
    pub fn is_object(&self, participants: &Participants<'_>, stretches: &[Stretch]) -> bool {
        const GIVEN: [ClaimKind; 8] = [
            ClaimKind::Promise,
            ClaimKind::Addressed,
            ClaimKind::Labelled,
            ClaimKind::Tagged,
            ClaimKind::Arrow,
            ClaimKind::Bracketed,
            ClaimKind::Column,
            ClaimKind::Caused,
        ];
        let named = named(participants, stretches, third::is_done_to);
        let mut own = named.iter().filter(|(who, _)| *who == self.who).peekable();
        let says = |stretch: &Stretch| {
            participants.speaker(stretch.utterance).is_some_and(|speaker| self.who == Who::Person(speaker))
        };
        let given = GIVEN.iter().any(|kind| self.features[*kind as usize] > 0.0);
        own.peek().is_some() && own.all(|(_, object)| *object) && !given && !stretches.iter().any(says)
    }

    /// A number for what they are, whatever is said.
    #[must_use]
    pub fn kind(&self, participants: &Participants<'_>) -> u64 {
        match &self.who {
            Who::Nobody => 1,
            Who::Other(_) => 2,
            Who::Person(id) => {
                let person = participants.roster.person(*id);
                3 + u64::from(person.is_me) * 2 + u64::from(person.speaks)
            }
        }
    }
}

/// Whom a claim is for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Who {
    /// Somebody of the roster.
    Person(PersonId),
    /// Somebody whom only the words name.
    Other(String),
    /// Nobody in particular.
    Nobody,
}

/// How many dense features a claimant has.
pub const FEATURE_COUNT: usize = CLAIM_KINDS + 30;
/// How many utterances to each side of a stretch may be those of its owner.
const NEAR: usize = 8;
/// Of so many people or fewer, everybody may be the owner of anything.
const FEW: usize = 12;
/// Share of their weight with which claims beside the strongest count.
const OTHERS: f32 = 0.3;

/// Who may be the owner of what the stretches speak of, nobody last; each stretch with how strongly it speaks.
#[must_use]
pub fn claimants(
    participants: &Participants<'_>,
    evidence: &[(Stretch, Strength)],
    around: &[&Place],
) -> Vec<Claimant> {
    let evidence = participants.in_order(evidence);
    let stretches: Vec<Stretch> = evidence.iter().map(|(stretch, _)| stretch.clone()).collect();
    let mut claims: Vec<OwnerClaim> = Vec::new();
    for (place, stretch) in stretches.iter().enumerate() {
        claims.extend(list::claims(participants, stretch));
        claims.extend(claim::claims(participants, &stretches, place));
    }
    let mut all: Vec<Who> = Vec::new();
    let near = stretches.iter().flat_map(|stretch| {
        let around = stretch.utterance.saturating_sub(NEAR)..stretch.utterance + NEAR + 1;
        around.filter_map(|at| participants.speaker(at)).chain(participants.addressee(stretch.utterance))
    });
    let around_named = around.iter().flat_map(|place| place.who().cloned());
    let roster = participants.roster;
    let few = roster.ids().map(Who::Person).take(if roster.ids().count() <= FEW { FEW } else { 1 });
    let claimed = claims.iter().map(|claim| claim.who.clone());
    let reader = participants.reader();
    // Whom an item of a list names as its object is not whose it is: "Call Dave", "a present for Lotte".
    let listed = stretches.iter().all(|stretch| participants.is_unsaid(stretch.utterance));
    let named_here = if listed { named(participants, &stretches, third::is_object) } else { Vec::new() };
    let acts = |who: &Who| named_here.iter().any(|(named, object)| named == who && !object);
    let offered = |who: &Who| match who {
        Who::Person(id) if Some(*id) == reader => false,
        Who::Person(id) => {
            let only_named = roster.person(*id).is_only_named && named_here.iter().any(|(named, _)| named == who);
            !only_named || acts(who)
        }
        Who::Other(_) => !listed || acts(who),
        Who::Nobody => false,
    };
    let others = near.map(Who::Person).chain(around_named).chain(few).filter(offered);
    for who in claimed.chain(others) {
        if who != Who::Nobody && !all.contains(&who) {
            all.push(who);
        }
    }
    all.push(Who::Nobody);
    let scores: Vec<f32> = all.iter().map(|who| score(&claims, who)).collect();
    let view = OwnerView::at(participants, &evidence, &claims, &scores);
    let claimant = |(at, who): (usize, &Who)| Claimant {
        owner: owner_name(participants, who),
        features: view.features(at, who),
        who: who.clone(),
    };
    all.iter().enumerate().map(claimant).collect()
}

/// Whom the form of an entry gives it to: `Some(None)` where it leaves that open.
#[must_use]
pub fn assigned(participants: &Participants<'_>, utterance: usize) -> Option<Option<OwnerName>> {
    let who = list::assigned(participants, participants.utterance(utterance)?)?;
    Some(owner_name(participants, &who))
}

/// Who is named in some stretches, and whether as whom it is done to, or as a team.
fn named(
    participants: &Participants<'_>,
    stretches: &[Stretch],
    is_object: fn(&[clause::Word<'_>], &clause::PersonMention) -> bool,
) -> Vec<(Who, bool)> {
    let named = |stretch: &Stretch| {
        let words = clause::words(participants.words(stretch));
        let mentions = clause::mentions(participants.roster, &words);
        mentions.iter().map(|one| (one.who.clone(), one.team || is_object(&words, one))).collect::<Vec<_>>()
    };
    stretches.iter().flat_map(named).collect()
}

/// For whom the claims speak most.
#[must_use]
pub fn strongest(claimants: &[Claimant]) -> Option<&Claimant> {
    let score = |claimant: &Claimant| claimant.features[CLAIM_KINDS];
    claimants.iter().reduce(|best, next| if score(next) > score(best) { next } else { best })
}

fn owner_name(participants: &Participants<'_>, who: &Who) -> Option<OwnerName> {
    match who {
        Who::Person(id) => {
            let person = participants.roster.person(*id);
            Some(OwnerName { name: person.name.clone(), is_me: person.is_me })
        }
        Who::Other(name) => Some(OwnerName { name: name.clone(), is_me: false }),
        Who::Nobody => None,
    }
}

/// How much the claims speak for somebody: by the strongest, and a little by all others.
fn score(claims: &[OwnerClaim], who: &Who) -> f32 {
    let own = claims.iter().filter(|claim| claim.who == *who).map(|claim| claim.weight);
    let (most, sum) = own.fold((0.0_f32, 0.0), |(most, sum), weight| (most.max(weight), sum + weight));
    most + OTHERS * (sum - most)
}

impl<'t> Participants<'t> {
    /// The words of a stretch.
    fn words(&self, stretch: &Stretch) -> &'t str {
        let text = self.transcript.utterances.get(stretch.utterance).map(|utterance| utterance.text.as_str());
        text.and_then(|text| text.get(stretch.range.clone())).unwrap_or_default()
    }
}

/// The parts that owners are found with: a document and its people.
#[must_use]
pub fn participants<'t>(transcript: &'t Transcript<'t>, roster: &'t Roster) -> Participants<'t> {
    Participants::of(transcript, roster)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::read;
    use crate::{Context, Document};
    use gleaner_model::Subject;

    /// The owner of the stretches that these words make, in a text that "Melis Ito" submitted.
    fn owner(source_type: &str, text: &str, evidence: &[&str]) -> Option<String> {
        let me = Subject { aliases: vec!["Mel".into()], ..Subject::named("Melis Ito") };
        let transcript = read(&Document { source_type, title: None, text });
        let roster = Roster::of(&transcript, &Context::new(me, Default::default()));
        let stretch = |words: &&str| {
            let find = |(utterance, one): (usize, &crate::reader::Utterance<'_>)| {
                one.text.as_str().find(words).map(|at| Stretch { utterance, range: at..at + words.len() })
            };
            transcript.utterances.iter().enumerate().find_map(find).unwrap()
        };
        let stretches: Vec<_> = evidence.iter().map(|words| (stretch(words), Strength::default())).collect();
        let claimants = claimants(&participants(&transcript, &roster), &stretches, &[]);
        strongest(&claimants).and_then(|claimant| claimant.owner.as_ref()).map(|owner| owner.name.clone())
    }

    const ROUND: &str = "Sam Keller: I'll send the plan on Friday.\nMelis Ito: Priya, can you book the room?\n\
        Priya Nair: Sure, will do.\nSam Keller: Somebody should water the plants.\nPriya Nair: Tom said he'd call the vendor.\n";

    #[test]
    fn a_promise_is_its_speakers_and_a_request_is_theirs_who_are_named() {
        assert_eq!(owner("meeting", ROUND, &["I'll send the plan"]).as_deref(), Some("Sam Keller"));
        assert_eq!(owner("meeting", ROUND, &["Priya, can you book the room?"]).as_deref(), Some("Priya Nair"));
        assert_eq!(
            owner("meeting", ROUND, &["can you book the room?", "Sure, will do."]).as_deref(),
            Some("Priya Nair")
        );
    }

    #[test]
    fn whoever_is_said_to_act_owns_it_and_no_ordinary_word_does() {
        let round = "Melis Ito: Bogdan runs the final import on Monday.\n\
                     Bogdan Petrescu: ok\n\
                     Melis Ito: Bogdan's submitting the workshop too.\n\
                     Melis Ito: Dernier point, le bilan, c'est Bogdan qui le fait.\n\
                     Melis Ito: Can you get Bogdan to mail it? And do that, it's Bogdan.\n\
                     Bogdan Petrescu: Bogdan thinks the room is too small.\n\
                     Melis Ito: um will somebody look? Um, that will be done.\n";
        for words in [
            "Bogdan runs the final import on Monday.",
            "Bogdan's submitting the workshop too.",
            "c'est Bogdan qui le fait",
            "Can you get Bogdan to mail it?",
            "And do that, it's Bogdan.",
        ] {
            assert_eq!(owner("meeting", round, &[words]).as_deref(), Some("Bogdan Petrescu"), "{words}");
        }
        for words in ["um will somebody look", "Um, that will be done"] {
            assert!(!matches!(owner("meeting", round, &[words]).as_deref(), Some("Um" | "um")), "{words}");
        }
    }

    #[test]
    fn what_somebody_should_do_is_nobodys_and_a_relayed_promise_theirs_who_gave_it() {
        assert_eq!(owner("meeting", ROUND, &["Somebody should water the plants."]), None);
        assert_eq!(owner("meeting", ROUND, &["Tom said he'd call the vendor."]).as_deref(), Some("Tom"));
    }

    #[test]
    fn whose_role_stands_before_their_name_is_who_is_named() {
        let mail = "From: Sam Keller <sam@k.example>\nTo: Priya Nair <priya@k.example>\nSubject: Keys\n\n\
                    Our caretaker Tom Brill will bring the keys.\nThe treasurer Ana Ruiz will pay the bill.\n\
                    The caretaker will sweep the yard.\n";
        for (words, name) in [
            ("Our caretaker Tom Brill will bring the keys.", "Tom Brill"),
            ("The treasurer Ana Ruiz will pay the bill.", "Ana Ruiz"),
            ("The caretaker will sweep the yard.", "The caretaker"),
        ] {
            assert_eq!(owner("email", mail, &[words]).as_deref(), Some(name), "{words}");
        }
    }

    #[test]
    fn you_is_the_other_one_of_two_and_the_addressee_of_a_mail() {
        let call =
            "Sam Keller: could you send me the form?\nMelis Ito: what form\nSam Keller: the tax one\nMelis Ito: ah\n";
        assert_eq!(owner("call", call, &["could you send me the form?"]).as_deref(), Some("Melis Ito"));
        let mail = "From: Sam Keller <sam@k.example>\nTo: Priya Nair <priya@k.example>\nSubject: Form\n\nHi Priya,\n\nplease send me the form.\n\nSam\n";
        assert_eq!(owner("email", mail, &["please send me the form."]).as_deref(), Some("Priya Nair"));
    }

    #[test]
    fn a_promise_without_its_subject_is_its_speakers_and_a_handle_its_bearers() {
        let minutes = "Gregg Kellogg: Will send out a poll.\nIvan Herman: gkellogg, please merge it\n\
            Jonathan Holt: ok\nIvan Herman: jonathan_holt, please open an issue.\n";
        for (words, name) in [
            ("Will send out a poll.", "Gregg Kellogg"),
            ("gkellogg, please merge it", "Gregg Kellogg"),
            ("jonathan_holt, please open an issue.", "Jonathan Holt"),
        ] {
            assert_eq!(owner("meeting", minutes, &[words]).as_deref(), Some(name), "{words}");
        }
    }

    #[test]
    fn initials_name_the_one_person_whom_they_fit() {
        let lines = "- FT orders it\n- LM draws it → AK by thu\n- gate: LM to ask the council\n";
        for present in [
            "Present: Lena Marsh (LM), Femi Taylor (FT), Ana Kovac (AK)",
            "Present: Lena Marsh, Femi Taylor, Ana Kovac",
            "Lena Marsh and Femi Taylor came, Ana Kovac did not.",
        ] {
            let notes = format!("# Site meeting\n{present}\n\n{lines}");
            for (words, name) in [
                ("FT orders it", "Femi Taylor"),
                ("LM draws it → AK by thu", "Lena Marsh"),
                ("gate: LM to ask the council", "Lena Marsh"),
            ] {
                assert_eq!(owner("note", &notes, &[words]).as_deref(), Some(name), "{present}: {words}");
            }
        }
        let two = format!("Present: Lena Marsh, Liam Moss, Femi Taylor\n\n{lines}");
        let unsure = owner("note", &two, &["LM draws it → AK by thu"]);
        assert!(!matches!(unsure.as_deref(), Some("Lena Marsh" | "Liam Moss")), "{unsure:?}");
    }

    #[test]
    fn items_of_notes_name_their_owners_in_many_styles() {
        let notes = "# Weekly\nPresent: Sam Keller, Priya Nair (PN)\n\n## Actions\n- [ ] Sam: plan\n- [ ] (Priya) room\n- @sam form\n\
            - PN to call\n- write minutes → me\n- AI: Sam → budget\n- somebody to clean up\n\n| what | who |\n|---|---|\n| lease | Priya |\n";
        for (words, name) in [
            ("Sam: plan", Some("Sam Keller")),
            ("(Priya) room", Some("Priya Nair")),
            ("@sam form", Some("Sam Keller")),
            ("PN to call", Some("Priya Nair")),
            ("write minutes → me", Some("Melis Ito")),
            ("AI: Sam → budget", Some("Sam Keller")),
            ("somebody to clean up", None),
            ("lease", Some("Priya Nair")),
        ] {
            assert_eq!(owner("note", notes, &[words]).as_deref(), name, "{words}");
        }
    }
}
