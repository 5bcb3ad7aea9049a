//! Actions in other languages than English: what stands behind a lead such as "peux-tu" or "tengo que", and German
//! clauses with their verb at the end, as German titles have it.

use super::word::{Word, has};
use std::collections::HashMap;
use std::sync::OnceLock;

/// Words behind which an infinitive begins an action.
const LEADS: &str = "je vais|je dois|je peux|il faut|tu peux|peux-tu|pouvez-vous|vous pouvez|pourrais-tu|pourriez-vous|merci de|doit|doivent|devrait| \
    on doit|va|voy a|tengo que|puedes|puede|podrías|podría|hay que|tiene que|debe|debería|vas a|va a|vou|tenho de|tenho que|podes|pode|poderia| \
    é preciso|devo|deve|dovrei|puoi|può|potresti|potrebbe|bisogna|posso|deverá|precisa de|preciso de";

/// German verbs that stand for the mood of another, and those that say who acts.
const MOODS: &str = "kann kannst können könnt könnte könntest könnten muss musst müssen müsste müsstest soll sollst sollen sollte sollten will \
    willst wollen werde wirst wird werden würde würdest würden möchte mag darf machst mach";

/// German words that say nothing of the thing: who acts, to whom it is nothing new, and fillers.
const SMALL: &str = "ich du er sie wir ihr man jemand irgendjemand dann also bitte mal noch doch auch selber selbst schon ja gut okay und aber so da \
    gleich direkt eben bis am im zum vor spätestens gegen um es das";

/// Where an infinitive begins behind a lead.
pub(super) fn led(words: &[Word<'_>]) -> Option<usize> {
    let infinitive = |at: usize| {
        words
            .get(at)
            .is_some_and(|word| word.lower.len() > 3 && (word.lower.ends_with('r') || word.lower.ends_with("re")))
    };
    (0..words.len()).find_map(|at| {
        let next = led_by(&words[at].lower).iter().filter_map(|lead| behind(words, at, lead)).max()?;
        (next..next + 3).find(|at| infinitive(*at))
    })
}

/// The leads that begin with a word.
fn led_by(word: &str) -> &'static [&'static str] {
    static BEGINNINGS: OnceLock<HashMap<&str, Vec<&str>>> = OnceLock::new();
    let leads = BEGINNINGS.get_or_init(|| {
        let mut leads: HashMap<&str, Vec<&str>> = HashMap::new();
        for lead in LEADS.split('|').map(str::trim) {
            leads.entry(lead.split(' ').next().unwrap_or(lead)).or_default().push(lead);
        }
        leads
    });
    leads.get(word).map_or(&[], Vec::as_slice)
}

/// The word behind a lead that begins at a word.
fn behind(words: &[Word<'_>], at: usize, lead: &str) -> Option<usize> {
    let mut next = at;
    for wanted in lead.split(' ') {
        (words.get(next)?.lower == wanted).then_some(())?;
        next += 1;
    }
    Some(next)
}

/// A German clause as a title: no subject, no mood, no date, the verb at the end in its infinitive.
pub(super) fn german<'a>(words: &[Word<'a>]) -> Vec<Word<'a>> {
    let promise = words.iter().position(|word| word.lower == "ich");
    let said = |at: usize| {
        words.get(at).is_some_and(|word| {
            word.lower.ends_with('e') && !has(MOODS, &word.lower) && word.text.starts_with(char::is_lowercase)
        })
    };
    let verb = promise.and_then(|ich| [ich + 1, ich.wrapping_sub(1)].into_iter().find(|at| said(*at)));
    let end = (3..words.len())
        .find(|at| {
            words[*at].lower == "," || words[*at].lower == "." || has("weil dass damit wenn sonst", &words[*at].lower)
        })
        .unwrap_or(words.len());
    let kept = |at: &usize| {
        Some(*at) != verb
            && !words[*at].date
            && !has(SMALL, &words[*at].lower)
            && !has(MOODS, &words[*at].lower)
            && !words[*at].is_mark()
    };
    let mut title: Vec<Word<'a>> = (0..end).filter(kept).map(|at| words[at].clone()).collect();
    if let Some(at) = verb {
        let particle = title
            .last()
            .filter(|word| has("ein aus an auf ab zu mit vor nach um durch weg zurück", &word.lower))
            .map(|word| word.lower.clone());
        title.truncate(title.len() - usize::from(particle.is_some()));
        title.push(Word::new(format!("{}{}n", particle.unwrap_or_default(), words[at].lower)));
    }
    title
}
