//! Lines of a mail that mean something by convention: greetings, closings, dividers, "X wrote:".

use std::borrow::Cow;

use super::envelope::{Address, field};
use crate::due::is_month;
use crate::reader::lines::TextLine;
use crate::word_list::WordList;

/// Words that open a greeting.
static GREETINGS: WordList = WordList::of_phrases(
    "hi | hello | hey | dear | good morning | good afternoon | good evening | morning | afternoon | evening | hiya | \
    greetings | hallo | guten morgen | guten tag | liebe | lieber | sehr geehrte | sehr geehrter | servus | moin | \
    bonjour | bonsoir | salut | cher | chère | chers | chères | hola | buenos días | buenas | buenas tardes | \
    estimado | estimada | querido | querida | ciao | buongiorno | salve | gentile | caro | cara | olá | oi | bom dia | \
    boa tarde | prezado | prezada | caros | beste | goedemorgen | goedendag | dag | hej | hei | kära | cześć | \
    dzień dobry | szanowny | szanowna | ahoj | dobrý den | merhaba | sayın | selam",
);
/// Greetings that name everybody.
static EVERYBODY: WordList = WordList::of_phrases(
    "all | everyone | everybody | team | folks | both | there | together | colleagues | you two | zusammen | alle | \
    à tous | tous | todos | a todos | tutti | allemaal | alla | friends | guys | you all | hi all | sir | madam | \
    sir or madam | sirs | damen und herren | morning | again | beide | ihr lieben",
);
/// Words that close a mail, alone on their line.
static CLOSINGS: WordList = WordList::of_phrases(
    "best | best wishes | best regards | kind regards | regards | warm regards | warmly | cheers | thanks | thank you | \
    many thanks | thanks again | thanks a lot | thanks so much | thx | ty | cordially | sincerely | yours sincerely | \
    yours faithfully | yours | all the best | talk soon | take care | love | xx | br | rgds | with best wishes | \
    with kind regards | have a good weekend | have a nice weekend | see you | speak soon | viele grüße | \
    freundliche grüße | mit freundlichen grüßen | beste grüße | liebe grüße | herzliche grüße | schöne grüße | mfg | \
    lg | vg | gruß | grüße | danke | vielen dank | cordialement | bien cordialement | bien à vous | merci | \
    merci d'avance | à bientôt | amitiés | bonne journée | saludos | un saludo | saludos cordiales | atentamente | \
    gracias | muchas gracias | un abrazo | abrazos | cordiali saluti | distinti saluti | saluti | un saluto | grazie | \
    a presto | atenciosamente | abraços | abraço | obrigado | obrigada | cumprimentos | melhores cumprimentos | \
    met vriendelijke groet | vriendelijke groet | groet | groeten | groetjes | mvg | med vänliga hälsningar | \
    vänliga hälsningar | hälsningar | mvh | pozdrawiam | z poważaniem | dziękuję | s pozdravem | díky | děkuji | \
    saygılarımla | iyi çalışmalar | teşekkürler",
);
/// What stands between two mails.
static DIVIDERS: WordList = WordList::of_phrases(
    "original message | forwarded message | begin forwarded message | original appointment | ursprüngliche nachricht | \
    originalnachricht | weitergeleitete nachricht | anfang der weitergeleiteten nachricht | message d'origine | \
    message original | message transféré | mensaje original | mensaje reenviado | messaggio originale | \
    messaggio inoltrato | mensagem original | mensagem encaminhada | oorspronkelijk bericht | doorgestuurd bericht | \
    ursprungligt meddelande | oryginalna wiadomość | wiadomość oryginalna | původní zpráva | orijinal mesaj | \
    opprinnelig melding",
);
/// Words that end a line which says who wrote what is quoted below.
static WROTE: WordList = WordList::of_phrases(
    "wrote | writes | schrieb | a écrit | escribió | ha scritto | escreveu | schreef | skrev | napisał | napisała | \
    napisał(a) | napsal | napsala | napsal(a) | yazdı | kirjoitti | написал | 写道 | 님이 작성",
);
/// Words that begin such a line after which a time follows.
static ON: WordList = WordList::of_phrases("on | am | le | el | il | il giorno | em | op | den | w dniu | dne | dnia");

/// The names in a greeting; empty where it greets everybody. `None` where the line is no greeting.
pub fn greeting(line: &str) -> Option<Vec<&str>> {
    let bare = line.trim_end_matches([',', '!', '.', ':', '-', '–', ' ', '，', '、', '：']);
    if line.len() > 90 || bare.is_empty() {
        return None;
    }
    let punctuated = bare.len() < line.len() && !line.ends_with('.');
    let (word, rest) = opening(bare);
    let names = names(rest);
    match word {
        Some(_) if names.iter().all(|name| is_name(name)) && rest.split(' ').count() <= 8 => Some(names),
        None if punctuated && !names.is_empty() && names.iter().all(|name| is_name(name)) => Some(names),
        _ => None,
    }
}

/// How many bytes a greeting takes that the line goes on after: "Hi Sam, can you send me the plan?"
pub fn greeting_before(line: &str) -> Option<usize> {
    opening(line).0?;
    let ends = line.char_indices().take(60).filter(|(_, mark)| matches!(mark, ',' | '!' | ':' | '，'));
    let mut ends =
        ends.map(|(at, mark)| at + mark.len_utf8()).filter(|end| line[*end..].starts_with(char::is_whitespace));
    let first = ends.next()?;
    let names = |end: &usize| greeting(&line[..*end]).is_some();
    ends.filter(names).last().or(Some(first).filter(names))
}

/// The longest greeting word at the start of a line, and what follows it.
fn opening(line: &str) -> (Option<&'static str>, &str) {
    let begins = |word: &&&str| {
        let head = line.get(..word.len()).is_some_and(|head| head.to_lowercase() == **word);
        head && line[word.len()..].chars().next().is_none_or(|next| !next.is_alphanumeric())
    };
    let long = line.to_lowercase();
    let found = GREETINGS.all().iter().filter(begins).max_by_key(|word| word.len());
    match found {
        Some(word) if long.is_char_boundary(word.len()) => {
            (Some(word), line[word.len()..].trim_start_matches([' ', ',']))
        }
        _ => (None, line),
    }
}

/// The names that a greeting lists, without those that mean everybody.
fn names(text: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = vec![text];
    for separator in [", ", " / ", "/", " & ", " and ", " und ", " et ", " y ", " e ", " en ", "、"] {
        parts = parts.into_iter().flat_map(|part| part.split(separator)).collect();
    }
    let bare = parts.into_iter().map(|part| opening(part.trim()).1.trim_matches([',', '.', '!', ' ']));
    bare.filter(|part| !part.is_empty() && !EVERYBODY.has(&part.to_lowercase())).take(20).collect()
}

/// Whether a text looks like the name of a person: few words, each with a capital.
pub fn is_name(text: &str) -> bool {
    let words = || text.split([' ', '-']).filter(|word| !word.is_empty());
    let capital = |word: &str| {
        word.starts_with(|first: char| first.is_uppercase() || (first.is_alphabetic() && !first.is_lowercase()))
    };
    let particle = |word: &str| {
        matches!(
            word,
            "de" | "da" | "van" | "von" | "der" | "den" | "la" | "el" | "bin" | "al" | "ten" | "ter" | "di" | "du"
        )
    };
    (1..=5).contains(&words().count())
        && text.len() <= 60
        && words().all(|word| capital(word) || particle(word))
        && text.chars().all(|character| character.is_alphabetic() || matches!(character, ' ' | '-' | '.' | '\'' | '’'))
}

/// Whether two names share a word.
pub fn shares_word(one: &str, other: &str) -> bool {
    let mut words = other.split([' ', ',', '.', '|']).filter(|word| word.chars().count() > 1);
    words.any(|word| {
        one.split([' ', '@', '.'])
            .any(|part| part.eq_ignore_ascii_case(word) || (word.chars().count() > 2 && part.starts_with(word)))
    })
}

/// Whether a line closes a mail: "Best wishes", also with a name after it.
pub fn is_closing(line: &str) -> bool {
    if line.len() > 60 {
        return false;
    }
    let lower = line.to_lowercase();
    let bare = |text: &str| text.trim_matches([',', '.', '!', ' ', '-', '–', ':', ')', '，']).to_owned();
    let whole = bare(&lower);
    let whole = whole.split_once(" / ").map_or(whole.clone(), |(first, _)| first.to_owned());
    let before = lower.split_once([',', '!']).map(|(before, _)| bare(before));
    let name = line.split_once([',', '!']).map(|(_, name)| name.trim());
    CLOSINGS.has(&whole)
        || before.is_some_and(|before| CLOSINGS.has(&before) && name.is_some_and(is_name))
        || CLOSINGS.all().iter().any(|closing| {
            closing.contains(' ') && whole.len() < 45 && whole.starts_with(closing) && line.ends_with([',', '!'])
        })
}

/// Whether a line is the one that parts a signature from its mail.
pub fn is_rule(line: &str) -> bool {
    matches!(line.trim(), "--" | "—" | "---" | "___" | "– –")
}

/// Whether a line of a few words ends in a salute: "Gracias y un saludo", "Med vänlig hälsning". Above a name, it closes a mail.
pub fn is_salute(line: &str) -> bool {
    static SALUTES: WordList = WordList::of(
        "regards wishes greetings gruß gruss grüße grüsse grüßen grüssen groet groeten hälsning hälsningar hilsen saludo \
        saludos abrazo abrazos salutations saluti cumprimentos abraços pozdravem pozdrawiam saygılarımla",
    );
    let last = line.trim_end_matches([',', '.', '!', ' ']).rsplit(' ').next().unwrap_or_default().to_lowercase();
    line.split(' ').count() <= 6 && SALUTES.has(&last)
}

/// Whether a line says what the mail was sent from.
pub fn is_device(line: &str) -> bool {
    static SENT: WordList = WordList::of_phrases(
        "sent from | sent via | sent with | sent using | von meinem | gesendet von | gesendet mit | envoyé de | \
        envoyé depuis | envoyé à partir | enviado desde | enviado do | enviado de | enviado a partir | inviato da | \
        inviato dal | verstuurd vanaf | verzonden vanaf | verzonden met | skickat från | sendt fra | wysłane z | \
        odesláno z | get outlook for",
    );
    let lower = line.to_lowercase();
    let begins = |words: &&str| lower.strip_prefix(words).is_some_and(|rest| rest.starts_with(' '));
    let outlook = lower.contains("outlook") && (lower.contains("ios") || lower.contains("android"));
    line.len() < 90 && (SENT.all().iter().any(begins) || (outlook && line.split(' ').count() < 7))
}

/// Whether a line goes on after the signature.
pub fn is_postscript(line: &str) -> bool {
    let head: String = line.chars().take(5).filter(|character| !matches!(character, '.' | ' ')).collect();
    let head = head.to_lowercase();
    ["ps:", "ps-", "ps", "p/s", "pps:", "pps", "ps–", "ps,"]
        .iter()
        .any(|mark| head == *mark || (mark.len() > 2 && head.starts_with(mark)))
        || line.starts_with("P.S.")
        || line.starts_with("PS ")
}

/// Whether a line parts two mails.
pub fn is_divider(line: &str) -> bool {
    let bare = line.trim().trim_matches(['-', '_', '=', '*', '—', ' ', ':', '>']);
    let plain = if bare.contains('’') { Cow::Owned(bare.replace('’', "'")) } else { Cow::Borrowed(bare) };
    DIVIDERS.all().iter().any(|divider| divider.len() == plain.len() && divider.eq_ignore_ascii_case(&plain))
}

/// Whether a line ends a mail: something of another one begins.
pub fn ends_mail(line: &str) -> bool {
    is_divider(line) || field(line).is_some() || wrote_by(line).is_some()
}

/// "On Tue, 12 May 2026 at 07:58, Suresh Pillai wrote:": who, and on how many of these lines it stands.
pub fn wrote<'a>(lines: &[TextLine<'a>]) -> Option<(Address<'a>, usize)> {
    let first = lines[0].trimmed().text;
    if let Some(address) = wrote_by(first) {
        return Some((address, 1));
    }
    let second = lines.get(1)?.trimmed().text;
    let address = wrote_by(second)?;
    let opens = ON.all().iter().any(|word| first.get(..word.len()).is_some_and(|head| head.to_lowercase() == *word));
    let wrapped = opens && first.len() < 120 && second.len() < 120 && first.bytes().any(|byte| byte.is_ascii_digit());
    if !wrapped {
        return None;
    }
    let whole = address.name.is_some();
    let named = if whole { address } else { Address { name: sender(first).and_then(|one| one.name), ..address } };
    Some((named, 2))
}

fn wrote_by(line: &str) -> Option<Address<'_>> {
    if line.len() > 200 || !line.ends_with([':', '：']) {
        return None;
    }
    let bare = line.trim_end_matches([':', '：', ' ', '\u{a0}']);
    let verb = WROTE.all().iter().find(|verb| line_has(bare, verb))?;
    let lower = bare.to_lowercase();
    let at = lower.rfind(verb).filter(|at| bare.is_char_boundary(*at))?;
    let after = bare.get(at + verb.len()..).unwrap_or_default().trim();
    let short = after.len() < 80;
    let before = bare[..at].trim().trim_end_matches(',');
    let named = if after.is_empty() { sender(before) } else { sender(after) };
    named.or_else(|| sender(before)).filter(|_| short)
}

fn line_has(line: &str, verb: &str) -> bool {
    line.split([' ', '\u{a0}']).any(|word| verb.starts_with(&word.to_lowercase())) && line.to_lowercase().contains(verb)
}

/// The sender in "On Tue, 12 May 2026 at 07:58, Suresh Pillai <s@p.example>": what follows the last comma, time or year.
fn sender(text: &str) -> Option<Address<'_>> {
    let end = text.find('<').unwrap_or(text.len());
    let digit = text[..end].rfind(|character: char| character.is_ascii_digit()).map_or(0, |at| at + 1);
    let tail = text[digit..]
        .trim_start_matches(|character: char| !character.is_alphabetic() && character != '<' && character != '"');
    let tail =
        ["AM ", "PM ", "AM, ", "PM, ", "Uhr ", "h, "].iter().find_map(|word| tail.strip_prefix(word)).unwrap_or(tail);
    let tail = tail.trim_start_matches([',', ' ']);
    // "On 24 Feb Hugh Osei", but not "at 9:24 Jan Osei".
    let day =
        text[..digit].rsplit(' ').next().is_some_and(|day| day.parse().is_ok_and(|day: u8| (1..=31).contains(&day)));
    let dated = tail.split_once(' ').filter(|(month, _)| day && is_month(month));
    let mut address = Address::read(dated.map_or(tail, |(_, name)| name))?;
    let plausible = address.name.as_deref().is_none_or(|name| name.split(' ').count() <= 6);
    address.name = address.name.filter(|_| plausible);
    (address.name.is_some() || address.email.is_some()).then_some(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greetings_name_people_or_everybody() {
        assert_eq!(greeting("Hi Gretchen,"), Some(vec!["Gretchen"]));
        assert_eq!(greeting("Marguerite / Anil,"), Some(vec!["Marguerite", "Anil"]));
        assert_eq!(greeting("Liebe Sieglinde, liebe Mehtap,"), Some(vec!["Sieglinde", "Mehtap"]));
        assert_eq!(greeting("Hi all,"), Some(vec![]));
        assert_eq!(greeting("Good morning,"), Some(vec![]));
        assert_eq!(greeting("Answers below."), None);
        assert_eq!(greeting("Hi Sam, can you send me the plan by Friday?"), None);
        assert_eq!(greeting_before("Hi Sam, can you send me the plan by Friday?"), Some(7));
        assert_eq!(greeting_before("Liebe Sieglinde, liebe Mehtap, anbei der Plan."), Some(30));
        assert_eq!(greeting_before("Dear me, that is late."), None);
        assert_eq!(greeting_before("Sam, can you send me the plan?"), None);
    }

    #[test]
    fn attributions_name_the_sender() {
        let by = |line| wrote_by(line).and_then(|one| one.label().map(std::borrow::Cow::into_owned));
        assert_eq!(by("On Tue, 12 May 2026 at 07:58, Suresh Pillai wrote:"), Some("Suresh Pillai".into()));
        assert_eq!(
            by("On Wed, Apr 8, 2026 at 11:20 AM Pádraig Mac Aodha <p@s.example> wrote:"),
            Some("Pádraig Mac Aodha".into())
        );
        assert_eq!(by("Am 12.05.2026 um 07:58 schrieb Mehtap Örs <m@s.example>:"), Some("Mehtap Örs".into()));
        assert_eq!(by("Le mar. 3 nov. 2026 à 09:12, Thibault Nkemelu a écrit :"), Some("Thibault Nkemelu".into()));
        assert_eq!(by("On 24 Feb Hugh Penhaligon-Reed wrote:"), Some("Hugh Penhaligon-Reed".into()));
        assert_eq!(by("Op 24-02-2026 om 9:24 Jan de Vries schreef:"), Some("Jan de Vries".into()));
        assert_eq!(by("Am 3. März schrieb Mehtap Örs:"), Some("Mehtap Örs".into()));
        assert_eq!(by("Hyacinth wrote:"), Some("Hyacinth".into()));
        assert_eq!(by("Here is what we need:"), None);
    }

    #[test]
    fn closings_stand_alone() {
        assert!(is_closing("Best wishes,") && is_closing("Thanks, Sam") && is_closing("Freundliche Grüße"));
        assert!(!is_closing("Thanks, I will send it tomorrow"));
    }
}
