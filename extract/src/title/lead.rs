//! Where actions begin in a sentence: behind "I'll", "can you", "Sam to", at an imperative, at the verb of a person. A word
//! that no list knows is a verb where only a verb can stand: "I'll Slack Ben".

use std::sync::OnceLock;

use super::action::Form;
use super::kind::{self, Kinds};
use super::verb;
use super::word::{Word, hash};
use crate::feature::word::HashedMap;

// A star: nothing but a verb stands behind it.

/// Words behind which the speaker's own action begins.
const FIRST: &str = "i'll*|i will*|i'm going to*|i am going to*|i'm gonna*|i can|i could|i'd|i would|i have to*| \
    i've to|i've got to*|i need to*|i must*|i want to|i should*|i'd like to*|i shall*|i promised to|i said i'd| \
    we'll*|we will*|we need to*|we have to*|we should*|we must*|we can|let me*|i might|i also need to|i'm to| \
    i am to|i was going to|i|we'd";

/// Words behind which the action of who is spoken to begins.
const SECOND: &str = "can you*|could you*|would you*|will you*|you can|you could|you need to*|you should*| \
    you have to*|you'll*|you will|i need you to|i'd like you to|want you to|you to|would you mind|if you could| \
    if you can|you might|you must*|you|you'd|are you going to|you're going to|remember to*";

/// Words behind which somebody's action begins.
const THIRD: &str = "need to|needs to*|has to*|have to|should|must|he'll|she'll|they'll|he'd|she'd|they'd|will| \
    would|can|could|is going to|are going to|promised to*|promised me to|is to|are to|offered to|wants to| \
    agreed to*|to|ought to";

/// Marks verbs of no list by what stands before them.
pub(super) fn mark_verbs(words: &mut [Word<'_>]) {
    for at in 0..words.len() {
        let sure = led_by(words[at].hash).iter().filter(|lead| lead.sure);
        let next = sure.filter_map(|lead| behind(words, at, lead.words)).max();
        let Some(next) = next.map(|next| skip_little(words, next)) else { continue };
        if words.get(next).is_some_and(|word| may_act(word, words.get(next + 1))) {
            words[next].make_verb();
        }
    }
}

/// Whether a word may be a verb by its form alone.
fn may_act(word: &Word<'_>, next: Option<&Word<'_>>) -> bool {
    const NO_ACTS: Kinds = kind::MARK | kind::LITTLE | kind::FUNCTION | kind::BETWEEN | kind::NAME;
    if word.lower == "be" {
        return next.is_some_and(|next| matches!(next.lower.as_ref(), "at" | "in" | "on" | "there" | "back"));
    }
    let spelt = word.lower.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-');
    spelt && !word.date && !word.function && !word.is(NO_ACTS) && !word.lower.ends_with("ly")
}

/// Where actions begin, and in what form.
pub(super) fn starts(words: &[Word<'_>]) -> Vec<(Form, usize)> {
    let mut found: Vec<(Form, usize)> = Vec::new();
    for at in 0..words.len() {
        let start = begins(words, at);
        if let Some((form, place)) = start
            && found.iter().all(|(_, known)| *known != place)
        {
            found.push((form, place));
        }
    }
    found
}

/// An action whose lead, or whose verb, stands at a word.
fn begins(words: &[Word<'_>], at: usize) -> Option<(Form, usize)> {
    let opens =
        at == 0 || words[at - 1].is_mark() || matches!(words[at - 1].lower.as_ref(), "and" | "then" | "so" | "but");
    let noun = words
        .get(at + 1)
        .is_some_and(|next| matches!(next.lower.as_ref(), "is" | "are" | "was" | "will" | "has" | "of" | "says"));
    let all = led_by(words[at].hash);
    // "Let me send" and "remember to send" are about sending.
    let leads_on = || all.iter().any(|lead| behind(words, at, lead.words).is_some());
    if opens && words[at].verb && !noun && !leads_on() {
        return Some((Form::Imperative, at));
    }
    if let Some(found) = present(words, at) {
        return Some(found);
    }
    let leads =
        |form: Form| all.iter().filter(|lead| lead.form == form).filter_map(|lead| behind(words, at, lead.words)).max();
    let named = at > 0 && words[at - 1].is(kind::NAME);
    let third = || leads(Form::Third).filter(|next| next - at > 1 || named || words[at].lower != "to");
    let first = leads(Form::First).map(|next| (Form::First, next));
    let lead = first.or_else(|| leads(Form::Second).map(|next| (Form::Second, next)));
    let (form, next) = lead.or_else(|| third().map(|next| (Form::Third, next)))?;
    let acts =
        |at: &usize| words.get(*at).is_some_and(|word| word.verb || matches!(word.lower.as_ref(), "do" | "have"));
    let far = skip_little(words, next);
    if is_in_course(words, far + 1) && words[far].lower == "be" {
        return Some((Form::Present, far + 1));
    }
    // "Go" leads in "I'll go and ask" and acts in "I'll go to the bank".
    let verb = Some(far).filter(acts).or_else(|| (next..far).find(|at| words[*at].verb))?;
    words[at..verb].iter().all(|word| word.lower != "not").then_some((form, verb))
}

/// Words behind which an action begins.
struct Lead {
    form: Form,
    words: &'static str,
    /// Whether nothing but a verb stands behind it.
    sure: bool,
}

/// All leads.
fn listed() -> impl Iterator<Item = Lead> {
    let lists = [(Form::First, FIRST), (Form::Second, SECOND), (Form::Third, THIRD)];
    lists.into_iter().flat_map(|(form, list)| {
        list.split('|').map(str::trim).map(move |lead| {
            let words = lead.trim_end_matches('*');
            Lead { form, words, sure: words.len() < lead.len() }
        })
    })
}

/// The leads that begin with a word, by its hash.
fn led_by(word: u64) -> &'static [Lead] {
    static LEADS: OnceLock<HashedMap<Vec<Lead>>> = OnceLock::new();
    let leads = LEADS.get_or_init(|| {
        let mut leads: HashedMap<Vec<Lead>> = HashedMap::default();
        for lead in listed() {
            leads.entry(hash(lead.words.split(' ').next().unwrap_or(lead.words))).or_default().push(lead);
        }
        leads
    });
    leads.get(&word).map_or(&[], Vec::as_slice)
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

/// Skips what may stand between the lead and the verb: "also", a name, "try and".
fn skip_little(words: &[Word<'_>], mut at: usize) -> usize {
    for _ in 0..4 {
        let Some(word) = words.get(at) else { break };
        let followed = words.get(at + 1).is_some_and(|next| next.verb || next.is(kind::BETWEEN));
        let small = word.is(kind::BETWEEN) || word.is_mark() || word.date;
        if small && (followed || word.is_mark() || word.date) {
            at += 1;
        } else {
            break;
        }
    }
    at
}

/// "Scanning", and not "going to": an action that is under way or agreed.
fn is_in_course(words: &[Word<'_>], at: usize) -> bool {
    let verb = words.get(at).map(|word| word.lower.as_ref()).unwrap_or_default();
    !matches!(verb, "going" | "trying" | "planning") && verb::from_ing(verb).is_some()
}

/// "Sam orders the tank", "Bronagh is scanning": the verb behind a name or pronoun.
fn present(words: &[Word<'_>], at: usize) -> Option<(Form, usize)> {
    let (who, named) = (words[at].lower.as_ref(), words[at].is(kind::NAME));
    let next = skip_little(words, at + 1);
    let verb = words.get(next)?.lower.as_ref();
    let acts =
        named || matches!(who, "i" | "i've" | "we" | "we've" | "he" | "she" | "they" | "have" | "has" | "was" | "were");
    let gone = acts
        && !words[next].verb
        && !matches!(verb, "got" | "told" | "asked" | "said" | "promised")
        && verb::from_past(verb).is_some();
    if gone {
        return Some((Form::Past, next));
    }
    let third = (named || matches!(who, "he" | "she")) && verb != "has" && verb::from_third(verb).is_some();
    let being = matches!(who, "i'm" | "we're" | "he's" | "she's" | "they're") && is_in_course(words, next);
    let be = matches!(verb, "is" | "are" | "am") && is_in_course(words, next + 1);
    if third || being {
        return Some((Form::Present, next));
    }
    be.then_some((Form::Present, next + 1))
}

#[cfg(test)]
mod tests {
    use super::super::word::split;
    use super::*;

    #[test]
    fn an_action_begins_behind_each_lead_and_behind_a_sure_one_whatever_its_verb() {
        let begins = |lead: &Lead, verb: &str| {
            let text = format!("{} {verb} the file", lead.words);
            let mut words = split(&text, "en");
            mark_verbs(&mut words);
            starts(&words).iter().any(|(_, at)| words[*at].lower == verb)
        };
        // "To" needs a name before it.
        let lost = listed().filter(|lead| lead.words != "to" && !begins(lead, "send"));
        assert_eq!(lost.map(|lead| lead.words).collect::<Vec<_>>(), [""; 0]);
        let lost = listed().filter(|lead| lead.sure && !begins(lead, "zorble"));
        assert_eq!(lost.map(|lead| lead.words).collect::<Vec<_>>(), [""; 0]);
    }
}
