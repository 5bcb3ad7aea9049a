//! The actions that a sentence names: where each begins, and where it ends.

use super::people;
use super::verb;
use super::word::{Word, split};
use super::{Line, TitleInput};

/// An action as a sentence has it.
#[derive(Clone, Debug)]
pub(super) struct Action<'a> {
    /// The words, the verb first.
    pub words: Vec<Word<'a>>,
    /// In what form it is said.
    pub form: Form,
    /// Whether the sentence refuses, doubts or asks what is not meant as a request: "I don't send", "if I send".
    pub doubtful: bool,
}

/// In what form an action is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    /// No form is seen; the sentence as it stands.
    Bare,
    /// "I sent it": of a task that is already done.
    Past,
    /// "it needs checking", "X has to be sent".
    Need,
    /// "Sam orders the tank".
    Present,
    /// "Send me the file".
    Imperative,
    /// "I'll", "let me".
    First,
    /// "can you", "you need to".
    Second,
    /// "Sam to", "she'll", "somebody should".
    Third,
}

/// A pronoun that needs its thing.
pub(super) fn is_pronoun(word: &str) -> bool {
    matches!(word, "it" | "that" | "this" | "them" | "those" | "these" | "one" | "ones")
}

/// A word without content of its own.
pub(super) fn is_little(word: &str) -> bool {
    const LITTLE: [&str; 46] = [
        "the", "a", "an", "of", "to", "in", "on", "at", "for", "with", "and", "or", "it", "that", "this", "them",
        "those", "these", "you", "me", "us", "him", "her", "i", "we", "he", "she", "they", "be", "is", "are", "do",
        "have", "get", "then", "so", "up", "out", "off", "one", "there", "your", "my", "our", "his", "their",
    ];
    LITTLE.contains(&word)
}

/// Most actions of one sentence.
const MOST: usize = 6;

/// Reads the actions of a sentence, in order; where none is seen, the sentence as it stands.
pub(super) fn all<'a>(line: &Line<'a>, input: &TitleInput<'a>) -> Vec<Action<'a>> {
    let words = unlabelled(split(line.text, input.language), input);
    let mut starts = starts(&words, input);
    starts.truncate(MOST);
    let mut actions: Vec<Action<'a>> = need(&words)
        .into_iter()
        .map(|words| (words, Form::Need, 0))
        .chain(starts.into_iter().map(|(form, at)| (words[at..].to_vec(), form, at)))
        .filter_map(|(tail, form, at)| shape(tail, &words[..at], form, line, input))
        .collect();
    if actions.is_empty() {
        actions.extend(shape(words.clone(), &[], Form::Bare, line, input));
    }
    actions
}

/// Trims an action, puts its verb into the plain form and names its people.
fn shape<'a>(
    mut tail: Vec<Word<'a>>,
    before: &[Word<'a>],
    form: Form,
    line: &Line<'a>,
    input: &TitleInput<'a>,
) -> Option<Action<'a>> {
    plain_verb(&mut tail, form);
    hand_over(&mut tail, before);
    let words = people::named(trim(tail), line, input);
    let near = &before[before.len().saturating_sub(6)..];
    let doubtful = near.iter().any(|word| {
        matches!(word.lower.as_str(), "not" | "if" | "when" | "never" | "no" | "why" | "until" | "unless")
            || word.lower.ends_with("n't")
    });
    (!words.is_empty()).then_some(Action { words, form, doubtful })
}

/// Takes away what stands before a note: "- [ ]", "ACTION:", "@sam", "Sam:", "3.", "| ", and a title of a table's cell.
fn unlabelled<'a>(mut words: Vec<Word<'a>>, input: &TitleInput<'_>) -> Vec<Word<'a>> {
    for _ in 0..6 {
        let mark = words.iter().take(5).position(|word| matches!(word.lower.as_str(), ":" | "→" | "–" | "—" | "|"));
        let first = words.first().map(|word| word.lower.clone()).unwrap_or_default();
        let numbering = first.chars().all(|c| c.is_ascii_digit())
            && words.get(1).is_some_and(|word| matches!(word.lower.as_str(), "." | ")") && word.joined);
        let drop = match mark {
            _ if first.is_empty() => 0,
            _ if words[0].is_mark() => 1,
            _ if numbering => 2,
            _ if first.starts_with('@') && words.len() > 2 => 1,
            Some(at) if at > 0 && words.len() > at + 2 && is_label(&words[..at], input) => at + 1,
            _ => 0,
        };
        if drop == 0 {
            break;
        }
        words.drain(..drop);
    }
    words
}

/// Whether words before a colon or dash name a person or a kind of note.
fn is_label(words: &[Word<'_>], input: &TitleInput<'_>) -> bool {
    const KINDS: [&str; 16] = [
        "action",
        "todo",
        "ai",
        "task",
        "actions",
        "next",
        "follow-up",
        "me",
        "owner",
        "a.i",
        "decision",
        "we",
        "todos",
        "urgent",
        "fyi",
        "team",
    ];
    let all = words.iter().filter(|word| !word.is_mark()).all(|word| {
        let capital = word.text.chars().next().is_some_and(char::is_uppercase);
        KINDS.contains(&word.lower.as_str())
            || people::is_name(&word.lower, input)
            || capital && word.text.len() <= 3
            || matches!(word.lower.as_str(), "+" | "and" | "&" | "item")
    });
    let one = words.len() == 1
        && words[0].text.chars().next().is_some_and(char::is_uppercase)
        && !verb::is_verb(&words[0].lower);
    all || one
}

/// Words behind which the speaker's own action begins.
const FIRST: [&str; 35] = [
    "i'll",
    "i will",
    "i'm going to",
    "i am going to",
    "i'm gonna",
    "i can",
    "i could",
    "i'd",
    "i would",
    "i have to",
    "i've to",
    "i've got to",
    "i need to",
    "i must",
    "i want to",
    "i should",
    "i'd like to",
    "i shall",
    "i promised to",
    "i said i'd",
    "we'll",
    "we will",
    "we need to",
    "we have to",
    "we should",
    "we must",
    "we can",
    "let me",
    "i might",
    "i also need to",
    "i'm to",
    "i am to",
    "i was going to",
    "i",
    "we'd",
];

/// Words behind which the action of who is spoken to begins.
const SECOND: [&str; 25] = [
    "can you",
    "could you",
    "would you",
    "will you",
    "you can",
    "you could",
    "you need to",
    "you should",
    "you have to",
    "you'll",
    "you will",
    "i need you to",
    "i'd like you to",
    "want you to",
    "you to",
    "would you mind",
    "if you could",
    "if you can",
    "you might",
    "you must",
    "you",
    "you'd",
    "are you going to",
    "you're going to",
    "remember to",
];

/// Words behind which somebody's action begins.
const THIRD: [&str; 27] = [
    "need to",
    "needs to",
    "has to",
    "have to",
    "should",
    "must",
    "he'll",
    "she'll",
    "they'll",
    "he'd",
    "she'd",
    "they'd",
    "will",
    "would",
    "can",
    "could",
    "is going to",
    "are going to",
    "promised to",
    "promised me to",
    "is to",
    "are to",
    "offered to",
    "wants to",
    "agreed to",
    "to",
    "ought to",
];

/// Where actions begin, and in what form.
fn starts(words: &[Word<'_>], input: &TitleInput<'_>) -> Vec<(Form, usize)> {
    let mut found: Vec<(Form, usize)> = Vec::new();
    for at in 0..words.len() {
        let start = begins(words, at, input);
        if let Some((form, place)) = start
            && found.iter().all(|(_, known)| *known != place)
        {
            found.push((form, place));
        }
    }
    found
}

/// An action whose lead, or whose verb, stands at a word.
fn begins(words: &[Word<'_>], at: usize, input: &TitleInput<'_>) -> Option<(Form, usize)> {
    let opens =
        at == 0 || words[at - 1].is_mark() || matches!(words[at - 1].lower.as_str(), "and" | "then" | "so" | "but");
    let noun = words
        .get(at + 1)
        .is_some_and(|next| matches!(next.lower.as_str(), "is" | "are" | "was" | "will" | "has" | "of" | "says"));
    if opens && verb::is_verb(&words[at].lower) && !noun {
        return Some((Form::Imperative, at));
    }
    let leads = |list: &[&str]| list.iter().filter_map(|lead| behind(words, at, lead)).max();
    let named = at > 0 && people::is_name(&words[at - 1].lower, input);
    let third = leads(&THIRD).filter(|next| next - at > 1 || named || words[at].lower != "to");
    if let Some(found) = present(words, at, input) {
        return Some(found);
    }
    let lead = [(Form::First, leads(&FIRST)), (Form::Second, leads(&SECOND)), (Form::Third, third)];
    let (form, next) = lead.into_iter().find_map(|(form, next)| Some((form, next?)))?;
    let next = skip_little(words, next);
    let verb = words.get(next)?.lower.as_str();
    (verb::is_verb(verb) || matches!(verb, "do" | "have"))
        .then_some((form, next))
        .filter(|(_, next)| words[at..*next].iter().all(|word| word.lower != "not"))
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
    const BETWEEN: [&str; 24] = [
        "also",
        "then",
        "either",
        "still",
        "now",
        "first",
        "directly",
        "personally",
        "both",
        "all",
        "gladly",
        "happily",
        "try",
        "and",
        "to",
        "go",
        "you",
        "have",
        "again",
        "therefore",
        "in",
        "fact",
        "at",
        "least",
    ];
    for _ in 0..4 {
        let Some(word) = words.get(at) else { break };
        let followed =
            words.get(at + 1).is_some_and(|next| verb::is_verb(&next.lower) || BETWEEN.contains(&next.lower.as_str()));
        let small = BETWEEN.contains(&word.lower.as_str()) || word.is_mark() || word.date;
        if small && (followed || word.is_mark() || word.date) {
            at += 1;
        } else {
            break;
        }
    }
    at
}

/// "the kits need checking", "it has to be sent": the verb in its plain form, then its thing.
fn need<'a>(words: &[Word<'a>]) -> Option<Vec<Word<'a>>> {
    let at = (1..words.len()).find(|at| matches!(words[*at].lower.as_str(), "need" | "needs" | "be"))?;
    let next = words.get(at + 1)?;
    let verb = match words[at].lower.as_str() {
        "be" if matches!(words[at - 1].lower.as_str(), "to" | "must" | "should") => verb::from_past(&next.lower)?,
        "be" => return None,
        _ => verb::from_ing(&next.lower)?,
    };
    let subject = words[..at]
        .iter()
        .position(|word| matches!(word.lower.as_str(), "need" | "needs" | "has" | "have" | "must" | "should"))
        .unwrap_or(at);
    let from = words[..subject]
        .iter()
        .rposition(|word| matches!(word.lower.as_str(), "," | "." | ":" | "and" | "so" | "but" | "that"))
        .map_or(0, |mark| mark + 1);
    let thing = &words[from..subject];
    if thing.is_empty() || thing.iter().all(|word| is_little(&word.lower)) {
        return None;
    }
    let mut action = vec![Word::new(verb)];
    action.extend(thing.iter().cloned());
    action.extend(words[at + 2..].iter().cloned());
    Some(action)
}

/// "Sam orders the tank", "Bronagh is scanning": the verb behind a name or pronoun.
fn present(words: &[Word<'_>], at: usize, input: &TitleInput<'_>) -> Option<(Form, usize)> {
    let who = words[at].lower.as_str();
    let next = skip_little(words, at + 1);
    let verb = words.get(next)?.lower.as_str();
    let gone = verb::from_past(verb).is_some()
        && !verb::is_verb(verb)
        && !matches!(verb, "got" | "told" | "asked" | "said" | "promised");
    if gone
        && (matches!(who, "i" | "i've" | "we" | "we've" | "he" | "she" | "they" | "have" | "has" | "was" | "were")
            || people::is_name(who, input))
    {
        return Some((Form::Past, next));
    }
    let third = (matches!(who, "he" | "she") || people::is_name(who, input))
        && verb::from_third(verb).is_some()
        && verb != "has";
    let going = matches!(verb, "going" | "trying" | "planning" | "happy");
    let being =
        !going && matches!(who, "i'm" | "we're" | "he's" | "she's" | "they're") && verb::from_ing(verb).is_some();
    let be = matches!(verb, "is" | "are" | "am")
        && words.get(next + 1).is_some_and(|word| verb::from_ing(&word.lower).is_some());
    if third || being {
        return Some((Form::Present, next));
    }
    be.then_some((Form::Present, next + 1))
}

/// What one who is to have, get or be owed something is to be done: it is sent.
fn hand_over(words: &mut Vec<Word<'_>>, led: &[Word<'_>]) {
    let Some(first) = words.first() else { return };
    let receives = led.iter().any(|word| matches!(word.lower.as_str(), "you'll" | "you"));
    let informs =
        first.lower == "let" && words.iter().take(6).position(|word| word.lower == "know").is_some_and(|at| at > 1);
    if informs {
        words.retain(|word| word.lower != "know");
        words[0] = Word::new("Tell");
        return;
    }
    let out = words.iter().any(|word| matches!(word.lower.as_str(), "ready" | "out" | "with" | "done" | "finished"));
    let said = match first.lower.as_str() {
        "owe" | "promise" => Some("Send"),
        "have" | "get" if receives => Some("Send"),
        "have" if out => Some("Finish"),
        _ => None,
    };
    if let Some(verb) = said {
        words[0] = Word::new(verb);
        words.retain(|word| !matches!(word.lower.as_str(), "ready" | "done" | "finished"));
    }
}

/// Puts the first verb into its plain form.
fn plain_verb(words: &mut [Word<'_>], form: Form) {
    let Some(first) = words.first_mut() else { return };
    let plain = match form {
        Form::Past => verb::from_past(&first.lower),
        Form::Present if !verb::is_verb(&first.lower) => {
            verb::from_third(&first.lower).or_else(|| verb::from_ing(&first.lower))
        }
        _ => None,
    };
    if let Some(plain) = plain {
        *first = Word::new(plain);
    }
}

/// Ends the action: at a date, a bracket, a reason, a condition, or a second clause.
pub(super) fn trim(words: Vec<Word<'_>>) -> Vec<Word<'_>> {
    let end = (1..words.len()).find(|at| ends(&words, *at)).unwrap_or(words.len());
    let mut words: Vec<Word<'_>> = words.into_iter().take(end).collect();
    while words.last().is_some_and(|word| word.is_mark() || is_dangling(&word.lower)) && words.len() > 1 {
        words.pop();
    }
    words
}

fn ends(words: &[Word<'_>], at: usize) -> bool {
    const BREAKS: [&str; 24] = [
        "because",
        "so",
        "but",
        "when",
        "before",
        "after",
        "unless",
        "although",
        "since",
        "while",
        "once",
        "until",
        "till",
        "otherwise",
        "which",
        "who",
        "then",
        "cause",
        "cos",
        "as",
        "by",
        "asap",
        "though",
        "too",
    ];
    let word = &words[at];
    let next = words.get(at + 1).map(|next| next.lower.as_str()).unwrap_or_default();
    let asks = matches!(
        words[0].lower.as_str(),
        "ask" | "check" | "see" | "find" | "know" | "confirm" | "tell" | "look" | "test" | "clarify" | "decide"
    );
    match word.lower.as_str() {
        "if" | "when" => !asks,
        "by" => words.get(at + 1).is_none_or(|next| next.date || next.is_mark()),
        "?" | "!" | "." | ";" | "(" | "[" | "–" | "—" | "-" | "→" | "…" | "|" => true,
        "," => {
            at >= 3
                && (matches!(
                    next,
                    "and"
                        | "so"
                        | "but"
                        | "because"
                        | "i"
                        | "you"
                        | "we"
                        | "he"
                        | "she"
                        | "it"
                        | "that"
                        | "which"
                        | "if"
                        | "the"
                        | "no"
                        | "or"
                ) || words.get(at + 1).is_none_or(|next| next.date || next.is_mark()))
        }
        "and" => {
            at >= 2
                && matches!(next, "i" | "i'll" | "you" | "we" | "then" | "he" | "she" | "they" | "it" | "that" | "see")
        }
        lower if at >= 2 && opens_clause(lower) && !keeps_clause(&words[at - 1].lower) => true,
        _ if word.date => {
            !words.get(at - 1).is_some_and(|before| matches!(before.lower.as_str(), "the" | "of"))
                || words[at..].iter().all(|word| word.date || word.is_mark())
        }
        lower => BREAKS.contains(&lower),
    }
}

/// "I'm", "she's", "we": somebody else starts to act.
fn opens_clause(word: &str) -> bool {
    const PRONOUNS: [&str; 8] = ["i", "he", "she", "we", "they", "there's", "that's", "don't"];
    let (who, tail) = word.split_once('\'').unwrap_or((word, ""));
    PRONOUNS.contains(&word)
        || (!tail.is_empty()
            && tail != "s"
            && matches!(who, "i" | "you" | "he" | "she" | "it" | "we" | "they" | "that"))
        || word == "it's"
        || word == "she's"
        || word == "he's"
}

/// Words behind which a clause still belongs to the action: "ask whether she's free".
fn keeps_clause(word: &str) -> bool {
    matches!(
        word,
        "that"
            | "whether"
            | "if"
            | "what"
            | "how"
            | "where"
            | "who"
            | "why"
            | "when"
            | "which"
            | "think"
            | "say"
            | "sure"
    )
}

/// A word that cannot end a title.
fn is_dangling(word: &str) -> bool {
    matches!(
        word,
        "the"
            | "a"
            | "an"
            | "of"
            | "to"
            | "in"
            | "on"
            | "at"
            | "for"
            | "with"
            | "and"
            | "or"
            | "by"
            | "until"
            | "from"
            | "i"
            | "as"
            | "before"
            | "latest"
            | "no"
            | "later"
            | "than"
            | "now"
            | "then"
            | "over"
            | "due"
            | "this"
            | "end"
    ) && word != "on"
        || matches!(word, "on" | "every" | "some" | "time")
}
