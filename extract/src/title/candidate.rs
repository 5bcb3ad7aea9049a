//! Titles that could be made of a task's sentences: a clause as it was said, or one in which a noun phrase of a line
//! nearby stands for a pronoun or says what it is about.

use super::boundary::FINITE;
use super::clause::{Clause, LONGEST};
use super::context::TitleContext;
use super::head::{CANNOT, Form, assigned};
use super::kind::{self, Lexicon};
use super::need::inside;
use super::noun_phrase::NounPhrase;
use super::people::{Meant, same};
use super::tidy::tidy;
use super::verb;
use super::word::Word;
use super::{TitleLine, TitleRequest};
use crate::word_list::WordList;

/// How a noun phrase is joined to a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Joint {
    /// It stands for a pronoun.
    Pronoun,
    /// It stands behind a verb that has no object.
    Object,
    /// It stands behind "about".
    About,
    /// It stands for "him" or "her".
    Person,
    /// It stands behind "for", of a clause that lacks nothing.
    For,
    /// It stands behind "at": "take a look".
    At,
    /// It stands in brackets at the end and says what the clause is about.
    Qualifier,
}

/// A noun phrase put into a clause.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joined<'p, 'a> {
    /// What.
    pub phrase: &'p NounPhrase<'a>,
    /// Of which line; none for the title of the text.
    pub line: Option<usize>,
    /// How.
    pub joint: Joint,
    /// How many noun phrases were named between it and the clause.
    pub rank: usize,
    /// The pronoun that it stands for.
    pub slot: Option<usize>,
    /// Which pronoun that is, as a number.
    pub pronoun: u8,
}

/// A title that could be made.
#[derive(Clone, Debug)]
pub(super) struct Candidate<'p, 'a> {
    /// Its words.
    pub words: Vec<Word<'a>>,
    /// The clause it is made of, and of which line.
    pub clause: &'p Clause<'a>,
    /// See `clause`.
    pub line: usize,
    /// What is put into it.
    pub joined: Option<Joined<'p, 'a>>,
    /// Whether it names whoever "me" or "you" is, where it might leave them out.
    pub names: bool,
}

/// How many lines before a task's own an action may be asked for in.
const ASKED: usize = 6;
/// Most clauses, and most noun phrases, that are tried.
const CLAUSES: usize = 40;
const PHRASES: usize = 24;

/// The titles that could be made.
pub(super) fn all<'p, 'a>(context: &'p TitleContext<'a>, asked: &TitleRequest<'p>) -> Vec<Candidate<'p, 'a>> {
    let &TitleRequest { lines, owner, .. } = asked;
    let lexicon = Lexicon::of(context.language);
    let english = context.language.starts_with("en");
    let mut found = Vec::new();
    for (line, clause) in tried(context, asked) {
        let meant = meant(context, lines, line, owner);
        let named = meant.named(&clause.words, lexicon, false);
        let silent = meant.named(&clause.words, lexicon, true);
        let both = [(silent.clone(), false), (named.clone(), true)];
        for (words, names) in both.into_iter().take(if silent == named { 1 } else { 2 }) {
            let candidate = |words: Vec<Word<'a>>, joined| Candidate { words, clause, line, joined, names };
            if english {
                let whole = whole(clause, &words).then_some((Joint::For, None));
                for joint in slot(&words).into_iter().chain(whole) {
                    for joined in joints(context, lines, line, clause, &words, joint) {
                        let title = join(&words, &joined, lexicon);
                        if title.len() <= LONGEST {
                            found.push(candidate(title, Some(joined)));
                        }
                    }
                }
            }
            found.push(candidate(words, None));
        }
    }
    for candidate in &mut found {
        tidy(&mut candidate.words);
    }
    found.retain(|candidate| candidate.words.iter().any(|word| !word.is(kind::MARK)));
    if english {
        let whole = found.iter().any(|candidate| !is_fragment(candidate));
        // "Black Friday" on a line of a list has no other title.
        let dated = |candidate: &Candidate<'_, '_>| candidate.words.iter().any(|word| word.is(kind::DATE));
        found.retain(|candidate| !is_fragment(candidate) || !whole && dated(candidate));
    }
    let own = |line: usize| lines.iter().any(|(other, strength)| strength.is_some() && *other == line);
    // A verb alone says little: "leave", where nothing says more.
    for alone in [false, true] {
        let says =
            |candidate: &Candidate<'_, '_>| candidate.words.len() > 1 || alone && candidate.clause.form != Form::Bare;
        let well = |candidate: &Candidate<'_, '_>| match english {
            true => says(candidate) && reads_well(candidate) && !names_first(candidate, owner),
            false => candidate.clause.form != Form::Bare && own(candidate.line),
        };
        if found.iter().any(|candidate| candidate.joined.is_none() && well(candidate)) {
            found.retain(well);
            break;
        }
    }
    found
}

/// Whether a title neither does nor names anything: "I", "Thursday evening".
fn is_fragment(candidate: &Candidate<'_, '_>) -> bool {
    let says = |word: &Word<'_>| word.is(kind::VERB) || word.tells() && !word.is(kind::DATE);
    candidate.clause.form == Form::Bare && !candidate.words.iter().any(says)
}

/// Words by which the speaker, not the title, speaks.
static SPEAKS: WordList = WordList::of("i i'll i'm i've i'd we'll you'll we've you're thanks don't let's ive im");

/// Words by which a question begins that asks for more than yes or no.
static ASKS: WordList = WordList::of("who who's what how when where why which");

/// Words behind which somebody may act within a title: "ask whether it's open", "the list of what we've sent".
pub(super) static SUBORDINATE: WordList = WordList::of("what who which where how whether if that why when because so");

/// Whether a title does not tell a story: no "I" or "we", no second sentence behind the first, and no whole sentence where no
/// verb was seen to lead.
fn reads_well(candidate: &Candidate<'_, '_>) -> bool {
    let tells = |word: &Word<'_>| {
        let asks = word.is(kind::FILLER) && word.is(kind::MODAL);
        word.is(kind::SUBJECT) && !word.is(kind::PRONOUN) || FINITE.has(&word.lower) || asks
    };
    let speaks = |word: &Word<'_>| SPEAKS.has(&word.lower);
    let phrase = candidate.joined.is_none_or(|joined| !joined.phrase.words.iter().any(tells));
    let whole = phrase && !candidate.words.iter().any(speaks);
    let joined = |pair: &[Word<'_>]| {
        let [before, word] = pair else { return false };
        let contracted = word.is(kind::SUBJECT) && word.lower.contains('\'');
        contracted && !before.is(kind::BREAK) && !SUBORDINATE.has(&before.lower)
    };
    let names = |pair: &[Word<'_>]| matches!(pair, [name, verb] if name.is(kind::NAME) && verb::from_third(&verb.lower).is_some());
    let whole = whole && !candidate.words.windows(2).any(joined);
    // "How about calling", "the lease to be signed".
    let asks = candidate.words.first().is_some_and(|word| ASKS.has(&word.lower));
    let done = |pair: &[Word<'_>]| matches!(pair, [be, done] if matches!(be.lower.as_ref(), "be" | "been") && verb::from_past(&done.lower).is_some());
    whole
        && (candidate.clause.form != Form::Bare || !asks && !candidate.words.windows(2).any(done))
        && (candidate.clause.form != Form::Bare || !candidate.words.windows(2).take(2).any(names))
        && (candidate.clause.form != Form::Bare || !candidate.words.iter().any(tells))
}

/// Whether a sentence that is taken as it stands begins by saying that its owner is to act: "Chair to write to the bank".
fn names_first(candidate: &Candidate<'_, '_>, owner: Option<&str>) -> bool {
    let words = &candidate.words;
    let Some(owner) = owner.filter(|_| candidate.clause.form == Form::Bare) else { return false };
    assigned(words).is_some_and(|names| words[..names].iter().any(|word| word.tells() && same(&word.text, owner)))
}

/// Who is meant in a line.
pub(super) fn meant<'a, 'o>(
    context: &TitleContext<'a>,
    lines: &[TitleLine],
    line: usize,
    owner: Option<&'o str>,
) -> Meant<'a, 'o> {
    let speaker = context.line(line).and_then(|read| read.speaker);
    let earlier =
        lines.iter().rev().filter(|(other, _)| *other < line).filter_map(|(other, _)| context.line(*other)?.speaker);
    // Whoever answers was spoken to, where nobody spoke before.
    let later = lines
        .iter()
        .filter(|(other, own)| *other > line && own.is_some())
        .filter_map(|(other, _)| context.line(*other)?.speaker);
    let hearer = earlier.chain(later).find(|other| Some(*other) != speaker);
    Meant { speaker, hearer, owner }
}

/// The clauses of the task's own lines, and what is asked for shortly before them.
fn tried<'p, 'a>(context: &'p TitleContext<'a>, asked: &TitleRequest<'_>) -> Vec<(usize, &'p Clause<'a>)> {
    let lines = asked.lines;
    let own = |line: usize| lines.iter().any(|(other, strength)| strength.is_some() && *other == line);
    let before = |line: usize| !asked.others.contains(&line) && (1..=ASKED).any(|after| own(line + after));
    // What somebody asks of others before promising something is theirs to do.
    let of_others = |line: usize, clause: &Clause<'a>| {
        let speaker = context.line(line).and_then(|read| read.speaker);
        let same = |later: usize| own(later) && context.line(later).is_some_and(|read| read.speaker == speaker);
        speaker.is_some()
            && matches!(clause.form, Form::Second | Form::Third)
            && (line + 1..=line + ASKED).all(|later| !own(later) || same(later))
    };
    let mut tried = Vec::new();
    for &(line, strength) in lines {
        let evidence = strength.is_some();
        let Some(read) = context.line(line).filter(|_| evidence || before(line)) else { continue };
        // What somebody cannot do another is to do who then says "I'll do it".
        let refused = |clause: &Clause<'a>| {
            read.words[..clause.at].iter().rev().take(2).any(|word| CANNOT.has(&word.lower))
                && !does(context, lines, line)
        };
        let asks = |clause: &Clause<'a>| !matches!(clause.form, Form::Bare | Form::Past | Form::Purpose);
        let acts = |clause: &&Clause<'a>| !refused(clause) && (evidence || asks(clause) && !of_others(line, clause));
        tried.extend(read.clauses.iter().filter(acts).map(|clause| (line, clause)));
    }
    // What is nearest to the end of the evidence is dropped last.
    let surplus = tried.len().saturating_sub(CLAUSES);
    tried.drain(..surplus);
    tried
}

/// Whether a later line that the task rests on says no more than to "do it".
fn does(context: &TitleContext<'_>, lines: &[TitleLine], line: usize) -> bool {
    let it = |clause: &Clause<'_>| match clause.words.as_slice() {
        [verb] => verb.lower == "do",
        [verb, it] => verb.lower == "do" && it.is(kind::PRONOUN),
        _ => false,
    };
    let later = lines.iter().filter(|(other, own)| *other > line && own.is_some());
    later.filter_map(|(other, _)| context.line(*other)).any(|read| read.clauses.iter().any(it))
}

/// The noun phrases that may be put into a clause, nearest first, each with how.
fn joints<'p, 'a>(
    context: &'p TitleContext<'a>,
    lines: &[TitleLine],
    line: usize,
    clause: &Clause<'a>,
    words: &[Word<'a>],
    (joint, slot): (Joint, Option<usize>),
) -> Vec<Joined<'p, 'a>> {
    let pronoun = slot.map_or(0, |at| code(&words[at].lower));
    let before = lines.iter().rev().filter(|(other, strength)| *other <= line || strength.is_some());
    let mut found = Vec::new();
    let mut rank = 0;
    for &(other, _) in before {
        let Some(read) = context.line(other) else { continue };
        for phrase in read.phrases.iter().rev() {
            let inside = other == line && phrase.at + phrase.words.len() > clause.at;
            if inside || found.len() >= PHRASES {
                continue;
            }
            rank += usize::from(!phrase.long);
            found.push(Joined { phrase, line: Some(other), joint, rank, slot, pronoun });
        }
    }
    found.extend(context.document_title.phrases.iter().map(|phrase| Joined {
        phrase,
        line: None,
        joint,
        rank: PHRASES,
        slot,
        pronoun,
    }));
    let new = |joined: &Joined<'p, 'a>| {
        let telling = joined.phrase.words.iter().filter(|word| word.tells());
        let fits = match joint {
            // Of "my call with Odette" somebody may be meant by the name, not by the call.
            Joint::Person => joined.phrase.head().is_some_and(|word| word.is(kind::CAPITAL | kind::NAME)),
            // "Brilliant. Done. Tamsin": of people a phrase names its owner alone.
            Joint::Pronoun => telling.clone().all(|word| !word.is(kind::NAME) || word.lower.ends_with("'s")),
            Joint::Object | Joint::About | Joint::For | Joint::At | Joint::Qualifier => true,
        };
        fits && telling.clone().any(|word| words.iter().all(|known| known.lower != word.lower))
    };
    found.retain(new);
    // A clause that lacks nothing is for what the task itself names, if that is anything.
    let own = |joined: &Joined<'p, 'a>| {
        joined.line.is_some_and(|at| lines.iter().any(|(other, strength)| *other == at && strength.is_some()))
    };
    if joint == Joint::For && found.iter().any(own) {
        found.retain(own);
    }
    found
}

/// A pronoun as a number.
pub(super) fn code(pronoun: &str) -> u8 {
    match pronoun {
        "it" => 1,
        "that" => 2,
        "this" => 3,
        "them" => 4,
        "one" | "ones" => 5,
        "him" | "her" => 7,
        _ => 6,
    }
}

/// Most words of "take a good look".
const LOOK: usize = 4;

/// Where a clause lacks its object.
pub(super) fn slot(words: &[Word<'_>]) -> Option<(Joint, Option<usize>)> {
    let stands_alone = |at: usize| words.get(at + 1).is_none_or(|next| !next.tells());
    let pronoun = (1..words.len()).find(|at| words[*at].is(kind::PRONOUN) && stands_alone(*at));
    if pronoun.is_some() {
        return Some((Joint::Pronoun, pronoun));
    }
    let person = (1..words.len()).find(|at| words[*at].is(kind::PERSON) && stands_alone(*at));
    if person.is_some() {
        return Some((Joint::Person, person));
    }
    let telling = words.iter().skip(1).filter(|word| word.tells() && !word.is(kind::NAME)).count();
    let first = words.first()?;
    let looks = words.len() <= LOOK
        && matches!(first.lower.as_ref(), "take" | "have")
        && words.last().is_some_and(|last| last.lower == "look");
    if looks {
        return Some((Joint::At, None));
    }
    if first.is(kind::TALK)
        && words.len() <= 6
        && words.iter().all(|word| !matches!(word.lower.as_ref(), "about" | "whether" | "that"))
    {
        return Some((Joint::About, None));
    }
    (telling == 0 && words.len() <= 4).then_some((Joint::Object, None))
}

/// Most words of a clause that may be said to be for something.
const SHORT: usize = 7;

/// Whether a clause lacks nothing but is short enough to be said to be for something.
fn whole(clause: &Clause<'_>, words: &[Word<'_>]) -> bool {
    let telling = words.iter().skip(1).filter(|word| word.tells()).count();
    let linked = words.iter().any(|word| matches!(word.lower.as_ref(), "for" | "about"));
    clause.form != Form::Bare && slot(words).is_none() && words.len() <= SHORT && (1..4).contains(&telling) && !linked
}

/// A clause with a noun phrase put into it.
fn join<'a>(words: &[Word<'a>], joined: &Joined<'_, 'a>, lexicon: &Lexicon) -> Vec<Word<'a>> {
    let mut phrase: Vec<Word<'a>> = joined.phrase.words.clone();
    let article = phrase[0].is(kind::ARTICLE);
    let numbered = phrase.last().is_some_and(|last| last.is(kind::DIGIT));
    if joined.phrase.at == 0 && !numbered {
        inside(&mut phrase[0], lexicon);
    }
    if article && !matches!(phrase[0].lower.as_ref(), "the" | "all" | "both" | "every" | "each") {
        phrase[0] = Word::new("the", lexicon);
    } else if !article && !numbered && !phrase[0].is(kind::CAPITAL | kind::NAME) && !joined.phrase.is_many() {
        phrase.insert(0, Word::new("the", lexicon));
    } else if article && phrase[0].text.starts_with(char::is_uppercase) {
        phrase[0] = Word::new(phrase[0].lower.clone().into_owned(), lexicon);
    }
    let mut title = words.to_vec();
    match (joined.joint, joined.slot) {
        (Joint::Pronoun | Joint::Person, Some(at)) => {
            // "The rough ones": an article stands there already.
            let described = at > 1
                && matches!(words[at].lower.as_ref(), "one" | "ones")
                && (words[at - 1].tells() || words[at - 1].is(kind::ARTICLE));
            if described && phrase.len() > 1 && phrase[0].is(kind::ARTICLE) {
                phrase.remove(0);
            }
            title.splice(at..=at, phrase);
        }
        (joint @ (Joint::About | Joint::For | Joint::At), _) => {
            let link = match joint {
                Joint::For => "for",
                Joint::At => "at",
                _ => "about",
            };
            title.push(Word::new(link, lexicon));
            title.extend(phrase);
        }
        _ => title.extend(phrase),
    }
    title
}
