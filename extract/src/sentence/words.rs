//! Words that decide where a sentence ends: abbreviations, months, and how a clause with a new actor begins.

use crate::word_list::WordList;
use std::sync::OnceLock;

/// Abbreviations, without their last full stop, in lower case.
static ABBREVIATIONS: WordList = WordList::of(
    "mr mrs ms dr prof st jr sr supt rev hon gen col capt lt sgt e.g i.e vs approx no nos fig vol pp ca cf al incl \
    excl dept ext est esp resp bzw z.b d.h u.a inkl ggf evtl zzgl nr hr fr str tel sog vgl ca mme mlle sra srta dott \
    sig ing dhr mevr bijv o.a tzv např atd tzn np m.in jan feb mar apr jun jul aug sept sep oct nov dec mon tue tues \
    wed thu thur thurs fri sat sun min max hrs mins w tbd ave rd blvd co inc ltd inv ref acct qty attn para w.e.f",
);

/// Months that follow an ordinal such as `15.`, in lower case, by how they begin.
static MONTHS: WordList = WordList::of(
    "januar februar märz april mai juni juli august september oktober november dezember jänner led únor břez dub květ \
    červ srp září říj listopad prosin desember",
);

/// Whether words end in an abbreviation or an initial whose full stop follows, before the words that follow that: "U.S. team",
/// where a capital may begin the next sentence.
pub fn ends_in_abbreviation(before: &str, following: &str) -> bool {
    let word = before.rsplit([' ', '\n', '(', '/', '\u{a0}']).next().unwrap_or_default();
    let mut characters = word.chars();
    let initial = characters.next().is_some_and(char::is_uppercase) && characters.next().is_none() && word != "I";
    let short = word.len() <= 6 && word.len() > 1;
    let dotted = word.contains('.') && word.split('.').all(|letter| letter.chars().count() == 1);
    initial || (short && is_abbreviation(word)) || (dotted && following.starts_with(char::is_lowercase))
}

/// Whether a word is an abbreviation, in capitals or not.
fn is_abbreviation(word: &str) -> bool {
    let plain = word.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    if plain { ABBREVIATIONS.has(word) } else { ABBREVIATIONS.has(&word.to_lowercase()) }
}

/// Whether a text begins with a month of the languages that write `15. Mai`.
pub fn is_month(text: &str) -> bool {
    let word: String =
        text.chars().take_while(|character| character.is_alphabetic()).take(10).flat_map(char::to_lowercase).collect();
    MONTHS.all().iter().any(|month| word.starts_with(month))
}

/// How an actor starts to act, or is asked to: after a comma, or after a joint.
static OPENINGS: WordList = WordList::of_phrases(
    "i'll | i will | i'm going to | i'm gonna | i can | i could | i need to | i have to | i've to | i should | i must | \
    i'd | i want | we'll | we will | we need | we should | we have to | we can | he'll | she'll | they'll | you'll | \
    he will | she will | they will | he's going to | she's going to | they're going to | can you | could you | \
    would you | will you | please | pls | let's | let me | someone should | somebody should | someone needs | \
    you can | you could | you need | you send | you get | you take | you do | i send | i get | i take | i do | \
    i read | i sign | i check | i write | i bring | i ask | i call | i countersign | ich | wir | kannst du | \
    könntest du | können sie | könnten sie | bitte | je vais | je te | je vous | je | j'envoie | nous allons | \
    tu peux | vous pouvez | pouvez-vous | puedes | podrías | puede | yo | te | le mando | io | puoi | potresti | \
    ti mando | eu | você pode | podes | ik | kun je | kunt u | wil je",
);

/// Whether a text begins a clause with an actor of its own. `joined`: only after a joint, as no comma stands before it.
pub fn opens_clause(text: &str, joined: bool) -> bool {
    let mut rest = text;
    let mut joints = 0;
    while let Some(joint) = (joints < 2).then(|| joint(rest)).flatten() {
        rest = rest[joint..].trim_start_matches([',', ' ']);
        joints += 1;
    }
    let first = rest.bytes().next().unwrap_or_default();
    (joints > 0 || !joined) && openings(first).iter().any(|opening| begins(rest, opening))
}

/// Bytes of the joint that a text begins with.
fn joint(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let whole = |joint: &&&str| {
        let behind = bytes.get(joint.len()).is_some_and(|next| matches!(next, b' ' | b','));
        behind && bytes[..joint.len()].eq_ignore_ascii_case(joint.as_bytes())
    };
    joints(*bytes.first()?).iter().find(whole).map(|joint| joint.len())
}

/// Words that may stand before the actor of a new clause, by their first letter.
fn joints(first: u8) -> &'static [&'static str] {
    match first.to_ascii_lowercase() {
        b'a' => &["and", "also", "aber"],
        b'b' => &["but"],
        b'd' => &["dann"],
        b'e' => &["et", "e", "en"],
        b'm' => &["mais", "ma", "mas", "maar"],
        b'o' => &["or"],
        b'p' => &["plus", "pero"],
        b's' => &["so"],
        b't' => &["then"],
        b'u' => &["und"],
        b'y' => &["y"],
        _ => &[],
    }
}

/// How an actor starts to act, by the first letter.
fn openings(first: u8) -> &'static [&'static str] {
    static SORTED: OnceLock<Vec<Vec<&str>>> = OnceLock::new();
    let sorted = SORTED.get_or_init(|| {
        let mut sorted = vec![Vec::new(); 128];
        for opening in OPENINGS.all() {
            let first = opening.bytes().next().unwrap_or_default();
            sorted.get_mut(usize::from(first)).into_iter().for_each(|list: &mut Vec<&str>| list.push(opening));
        }
        sorted
    });
    sorted.get(usize::from(first.to_ascii_lowercase())).map_or(&[], Vec::as_slice)
}

/// Whether a text begins with a phrase, in capitals or not, with either apostrophe, as whole words.
fn begins(text: &str, phrase: &str) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    for wanted in phrase.bytes() {
        let Some(&byte) = bytes.get(at) else { return false };
        if wanted == b'\'' && bytes[at..].starts_with("’".as_bytes()) {
            at += 3;
        } else if byte.eq_ignore_ascii_case(&wanted) {
            at += 1;
        } else {
            return false;
        }
    }
    bytes.get(at).is_none_or(|next| matches!(next, b' ' | b',' | b'.' | b':' | b'?' | b'!' | b'\n'))
}

/// Whether a speaker sets in anew here, as speech without punctuation does.
pub fn sets_in(text: &str) -> bool {
    static ANEW: WordList = WordList::of_phrases(
        "okay | ok | so | and then | anyway | alright | right so | yeah | yes | no no | well | now | also | oh | um | \
        uh | but | and i | and i'm | and we | because | next item | next on | next one | next point | next question | \
        next slide | next thing | next topic | next up | then | allora | però | also gut | dann | bueno | entonces | \
        vale | alors | donc | então | dus",
    );
    let head = text.as_bytes();
    if !head.first().is_some_and(|first| b"abdenostuvwyp".contains(&first.to_ascii_lowercase())) {
        return false;
    }
    let starts = |phrase: &&str| {
        let behind = head.get(phrase.len()) == Some(&b' ') && head.len() > phrase.len() + 1;
        behind && head[..phrase.len()].eq_ignore_ascii_case(phrase.as_bytes())
    };
    ANEW.all().iter().any(starts)
}
