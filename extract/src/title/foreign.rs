//! Actions in other languages than English, with their verb in the infinitive as titles have it: what stands behind a lead
//! such as "peux-tu" or "tengo que", what somebody promises in the present, and German and Dutch clauses with their verb at
//! the end.

use super::boundary::is_dated;
use super::cjk;
use super::clause::{Clause, End, LONGEST};
use super::head::Form;
use super::infinitive;
use super::kind::{self, Lexicon};
use super::tidy::tidy;
use super::word::Word;
use crate::word_list::WordList;

/// Words behind which an infinitive begins an action.
static LEADS: WordList = WordList::of_phrases(
    "je vais | je dois | je peux | il faut | tu peux | peux-tu | pouvez-vous | vous pouvez | pourrais-tu | \
    pourriez-vous | merci de | doit | doivent | devrait | on doit | va | tu pourrais | vous pourriez | voy a | \
    tengo que | puedes | puede | podrías | podría | hay que | tiene que | debe | debería | vas a | va a | vou | \
    tenho de | tenho que | podes | pode | poderia | é preciso | devo | deve | dovrei | puoi | può | potresti | \
    potrebbe | bisogna | posso | deverá | precisa de | preciso de | quer | quieres | vais | vai | dovrebbe | devi | \
    deva | podemos | possiamo",
);

/// German and Dutch verbs that stand for the mood of another.
static MOODS: WordList = WordList::of(
    "kann kannst können könnt könnte könntest könnten muss musst müssen müsste müsstest soll sollst sollen sollte \
    sollten will willst wollen werde wirst wird werden würde würdest würden möchte mag darf machst kan kun kunt moet \
    moeten zal zou ga gaat wil wilt kunnen mach zullen",
);

/// German and Dutch words that say nothing of the thing: who acts, whom it is told, and fillers.
static SMALL: WordList = WordList::of(
    "ich du er sie wir ihr man jemand irgendjemand dann also bitte mal noch doch auch selber selbst schon ja gut okay \
    und aber so da gleich direkt eben bis spätestens gegen es das ik jij je hij zij we wij iemand dan dus nog even \
    ook wel oké maar en graag eens trouwens straks dat nou mir uns dir euch ihnen ihm mij me ons jou jullie u",
);

/// Those of them that a preposition may lead to.
static LED: WordList = WordList::of("mir uns dir euch ihnen ihm mich dich sie ihn ons jou jullie hem haar hen");

/// Words of the first person that are no promise, or no verb at all.
static NO_PROMISE: WordList = WordList::of(
    "perfecto claro bueno todo nuevo solo luego cuando como pronto espero creo pienso puedo debo quiero supongo pero \
    entro listo certo perfetto tutto quando dopo presto subito credo penso posso devo voglio spero acho quero \
    preciso suis ai dois peux veux vais pense crois sais espère",
);

/// Who speaks, and what may stand between that and the verb: pronouns that are articles too, and those that are none.
static SUBJECTS: WordList = WordList::of("je moi yo io eu");
static ARTICLES: WordList = WordList::of("le les lo la los las li gli o a os as");
static CLITICS: WordList = WordList::of("me te se nos mi ti vi ci ce glielo gliela glieli gliele ne lhe lhes já ya");
static FRENCH_CLITICS: WordList = WordList::of("me te vous nous lui leur y en");

/// Whether a word is a pronoun that may stand before a verb.
fn is_clitic(word: &str, french: bool) -> bool {
    ARTICLES.has(word) || if french { FRENCH_CLITICS.has(word) } else { CLITICS.has(word) }
}

/// The action of a sentence.
pub(super) fn clause<'a>(words: &[Word<'a>], language: &str) -> Option<Clause<'a>> {
    match language.get(..2) {
        Some("de" | "nl") => verb_last(words, language),
        Some("ja" | "zh") => Some(clause_of(vec![cjk::clause(words, language)?], 0, 0)),
        _ => verb_first(words, language),
    }
}

/// An action whose verb stands first.
fn verb_first<'a>(words: &[Word<'a>], language: &str) -> Option<Clause<'a>> {
    let (first, at) = led(words, language).or_else(|| own(words, language))?;
    let end = (at + 1..words.len())
        .find(|to| words[*to].is(kind::BREAK) || matches!(words[*to].lower.as_ref(), "." | "," | "?" | "!" | "(" | ";"))
        .unwrap_or(words.len());
    let lexicon = Lexicon::of(language);
    let mut kept: Vec<Word<'a>> = first.split(' ').map(|word| Word::new(word.to_owned(), lexicon)).collect();
    let says = |at: &usize| !is_dated(words, *at) && !SUBJECTS.has(&words[*at].lower);
    kept.extend((at + 1..end).filter(says).map(|at| words[at].clone()));
    Some(clause_of(kept, at, words.len() - end))
}

fn clause_of(mut words: Vec<Word<'_>>, at: usize, left: usize) -> Clause<'_> {
    words.truncate(LONGEST);
    tidy(&mut words);
    Clause { words, form: Form::First, at, left, end: End::Break, doubtful: false }
}

/// What somebody says to do, in the infinitive, and where: "j'envoie", "je les envoie", "te la mando", "mandaré".
fn own(words: &[Word<'_>], language: &str) -> Option<(String, usize)> {
    let french = language.starts_with("fr");
    (0..words.len()).find_map(|at| {
        let word = words[at].lower.as_ref();
        let elided = ["j'", "t'", "l'", "m'"].iter().find_map(|elided| word.strip_prefix(elided));
        let verb = if french { elided.unwrap_or(word) } else { word };
        let none = NO_PROMISE.has(verb) || SUBJECTS.has(verb) || is_clitic(verb, french);
        if none || words[at].is(kind::DATE | kind::CAPITAL | kind::MARK) {
            return None;
        }
        let (infinitive, future) = match infinitive::of_future(verb, language) {
            Some(infinitive) => (infinitive, true),
            None => (infinitive::of_first(verb, language)?, false),
        };
        let before = words[..at].iter().rposition(|word| !is_clitic(&word.lower, french)).map_or(0, |other| other + 1);
        let clitics = &words[before..at];
        let subject = before.checked_sub(1).map(|at| words[at].lower.as_ref());
        let said = subject.is_some_and(|subject| SUBJECTS.has(subject) || subject.starts_with("j'"))
            || french && word.starts_with("j'");
        let after = words.get(at + 1).is_some_and(|next| SUBJECTS.has(&next.lower));
        let given = clitics.iter().any(|clitic| !ARTICLES.has(&clitic.lower));
        let goes_on = words.get(at + 1).is_some_and(|next| !next.is(kind::MARK | kind::BREAK));
        let begins = clitics.is_empty() && before.checked_sub(1).is_none_or(|at| words[at].is(kind::MARK));
        let alone = !french && (given || begins && goes_on && !infinitive::is_participle(verb));
        (said || after || future || alone).then(|| (with(&infinitive, clitics, language), at))
    })
}

/// An infinitive with the pronouns that stand for its thing, as its language puts them.
fn with(infinitive: &str, clitics: &[Word<'_>], language: &str) -> String {
    let thing = clitics
        .iter()
        .map(|word| word.lower.as_ref())
        .find(|word| matches!(*word, "lo" | "la" | "los" | "las" | "li" | "le" | "les"));
    match (thing, language.get(..2)) {
        (Some(thing @ ("lo" | "la" | "los" | "las")), Some("es")) => format!("{infinitive}{thing}"),
        (Some(thing @ ("lo" | "la" | "li" | "le")), Some("it")) => {
            format!("{}{thing}", infinitive.trim_end_matches('e'))
        }
        (Some(thing @ ("le" | "la" | "les")), Some("fr")) => format!("{thing} {infinitive}"),
        _ => infinitive.to_owned(),
    }
}

/// The infinitive behind a lead, and where it stands.
fn led(words: &[Word<'_>], language: &str) -> Option<(String, usize)> {
    let behind = |at: usize, lead: &str| {
        let mut next = at;
        lead.split(' ')
            .all(|wanted| {
                next += 1;
                words.get(next - 1).is_some_and(|word| word.lower == wanted)
            })
            .then_some(next)
    };
    (0..words.len()).find_map(|at| {
        let next = LEADS.all().iter().filter_map(|lead| behind(at, lead)).max()?;
        (next..next + 3).find_map(|at| Some((plain(&words.get(at)?.lower, language)?, at)))
    })
}

/// An infinitive without the pronoun for whoever speaks: "mandarme", "inviarmi", "mandar-me", "m'envoyer".
fn plain(word: &str, language: &str) -> Option<String> {
    let bare = match language.get(..2) {
        Some("es") => ["me", "nos"].iter().find_map(|to| word.strip_suffix(to)).filter(|bare| bare.ends_with('r')),
        Some("pt") => ["-me", "-nos"].iter().find_map(|to| word.strip_suffix(to)),
        Some("fr") => ["m'", "t'"].iter().find_map(|to| word.strip_prefix(to)),
        Some("it") => {
            let bare = ["mi", "ci"].iter().find_map(|to| word.strip_suffix(to)).filter(|bare| bare.ends_with('r'));
            return bare.map(|bare| format!("{bare}e")).or_else(|| infinitive(word));
        }
        _ => None,
    };
    infinitive(bare.unwrap_or(word))
}

fn infinitive(word: &str) -> Option<String> {
    let enclitic = ["lo", "la", "los", "las", "li", "le", "les"].iter().find_map(|thing| word.strip_suffix(thing));
    let bare = enclitic.filter(|bare| bare.ends_with('r')).unwrap_or(word);
    (bare.len() > 3 && (bare.ends_with('r') || bare.ends_with("re"))).then(|| word.to_owned())
}

/// A German or Dutch clause as a title: no subject, no mood, no date, the verb at the end.
fn verb_last<'a>(words: &[Word<'a>], language: &str) -> Option<Clause<'a>> {
    static PARTICLES: WordList = WordList::of(
        "ein aus an auf ab zu mit vor nach um durch weg zurück raus terug op aan uit af mee door over na in bij toe",
    );
    static NO_VERBS: WordList = WordList::of(
        "dich ihn nicht mich hab habe bin war glaub glaube denk denke weiß hätte dachte wollte hatte heb ben weet had \
        was heeft hebt is niet het de een der die den dem ein eine awel zelf",
    );
    let named = |at: &usize| words[*at].is(kind::NAME | kind::CAPITAL) || *at == 0;
    // Whoever is called is no part of it: "Jana, kannst du".
    let start = (1..words.len().min(4)).find(|at| words[*at].lower == "," && (0..*at).all(|at| named(&at)));
    let start = start.map_or(0, |comma| comma + 1);
    let end = (start + 3..words.len())
        .find(|at| words[*at].is(kind::BREAK) || matches!(words[*at].lower.as_ref(), "," | "." | "?" | "!"))
        .unwrap_or(words.len());
    let is = |list: &WordList, at: usize| list.has(&words[at].lower);
    let verb_at = |at: &usize| {
        words.get(*at).filter(|_| *at >= start && *at < end).is_some_and(|word| {
            let plain = word.lower.chars().count() > 1 && word.text.chars().all(char::is_alphabetic);
            let small = is(&MOODS, *at) || is(&SMALL, *at) || is(&NO_VERBS, *at);
            plain && !small && (*at == start || !word.is(kind::CAPITAL)) && !word.is(kind::DATE)
        })
    };
    let subject = (start..end).find(|at| matches!(words[*at].lower.as_ref(), "ich" | "ik"));
    let promised = subject.and_then(|at| [at + 1, at.wrapping_sub(1)].into_iter().find(verb_at));
    let first = promised.and_then(|at| Some((at, infinitive::of_first(&words[at].lower, language)?)));
    let polite = || {
        let next = words.get(start + 1)?;
        let asked = next.lower == "sie" && words[start].lower.ends_with("en") && verb_at(&start);
        asked.then(|| (start, words[start].lower.clone().into_owned()))
    };
    let third = || {
        let titled =
            |at: usize| at > start && matches!(words[at - 1].lower.as_ref(), "herr" | "frau" | "meneer" | "mevrouw");
        let acts = |at: &usize| (words[at - 1].is(kind::NAME) || titled(at - 1)) && verb_at(at);
        let at = (start + 1..end).find(acts)?;
        Some((at, infinitive::of_third(&words[at].lower, language)?))
    };
    let verb = if subject.is_some() { first } else { polite().or_else(third) };
    if verb.is_none() && !(start..end).any(|at| is(&MOODS, at)) {
        return None;
    }
    let place = verb.as_ref().map_or(start, |(at, _)| *at);
    // Whoever acts stands right before the verb.
    let acts = |at: usize| {
        let name = |at: usize| words[at].is(kind::NAME | kind::CAPITAL) || at == start;
        subject.is_none() && at < place && (at..place).all(name)
    };
    let says = |at: &usize| {
        // "Bei uns": whom a preposition leads to stands with it.
        let led = at.checked_sub(1).is_some_and(|before| before >= start && words[before].is(kind::DANGLING));
        let small = is(&SMALL, *at) && !(led && is(&LED, *at)) || is(&MOODS, *at) || words[*at].is(kind::MARK);
        !small && !is_dated(words, *at) && !acts(*at) && (*at != place || verb.is_none())
    };
    let mut title: Vec<Word<'a>> = (start..end).filter(says).map(|at| words[at].clone()).collect();
    // "Die Agenda für" lacks what it is for.
    while title.pop_if(|word| word.is(kind::DANGLING) && !PARTICLES.has(&word.lower)).is_some() {}
    if let Some((_, infinitive)) = verb {
        let particle = title.pop_if(|word| PARTICLES.has(&word.lower)).map(|word| word.lower.into_owned());
        title.push(Word::new(particle.unwrap_or_default() + &infinitive, Lexicon::of(language)));
    }
    (title.len() > 1).then(|| clause_of(title, 0, words.len() - end))
}
