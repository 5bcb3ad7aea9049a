//! Which language a text is in: by its script, then by the share of each language's commonest words.

use crate::reader::{Kind, Transcript};
use std::collections::HashMap;
use std::sync::OnceLock;

/// A language and its commonest words, none of which another language here shares unless it must.
type CommonWords = (&'static str, &'static str);

const PROFILES: &[CommonWords] = &[
    (
        "en",
        "the and to of by is it you that we for i'll can have this be with will not it's i'm what do so yeah on was",
    ),
    (
        "de",
        "der die das und ich ist nicht wir mit es ein auf auch noch bitte haben sie dem den zu für kannst mal ja bis \
        von",
    ),
    ("fr", "le la les des et est pas je vous pour que une dans avec sur c'est on oui qui au du nous ça il j'ai tu"),
    ("es", "el los las que de y en por para con una del se está pero hay lo mañana sí como muy ya me es al la"),
    ("it", "il che di è non per una sono gli della con ho come anche del allora ci mi ma lo se questo poi sì le da"),
    ("pt", "o que não de para um uma com os as em do da você está isso mas por ao até já é eu foi a tá"),
    ("nl", "de het een en van ik dat niet je is op te voor met zijn maar we dan nog ook er als wel kan naar ja"),
    ("sv", "och att det jag är som en på inte för med vi den till har du så men om ska kan av ett ja hej var"),
    ("da", "og at det jeg er som en på ikke til med vi den af har du så men om skal kan et hvad der fra også"),
    ("nb", "og at det jeg er som en på ikke til med vi den av har du så men om skal kan et hva fra også dere"),
    ("pl", "nie to się na jest w z że do i co ja tak jak ale dobra czy mam już będzie po tym od za dla jutro"),
    ("cs", "je se na to že v a do s jsem ale tak jak by bude už za pro jsou není co ho mi od jeho který"),
    (
        "tr",
        "bir ve bu da de için ne var mı mi ben çok evet ama tamam yok sen şey daha o ile gibi kadar olarak yarın \
        sonra",
    ),
    (
        "hi-Latn",
        "hai nahi ka ki ke main kya aur se ko haan bhi hum tha kar ho toh karna wala wale kal hoga mera apna ji tak",
    ),
];

/// Words that are looked at.
const SAMPLE: usize = 240;

/// The language of a text, in pieces, BCP 47 without a region; `en` where nothing speaks for another.
#[must_use]
pub fn recognise<'t>(pieces: impl Iterator<Item = &'t str> + Clone) -> &'static str {
    by_script(pieces.clone()).unwrap_or_else(|| by_words(pieces))
}

/// The language that the hint names, or that of what is said: marks of the format and names of speakers say nothing.
#[must_use]
pub fn of<'a>(hint: Option<&'a str>, transcript: &Transcript<'_>) -> &'a str {
    let primary =
        hint.and_then(|hint| hint.trim().split(['-', '_']).next()).filter(|hint| (2..=3).contains(&hint.len()));
    match primary {
        Some(primary) if primary.bytes().all(|byte| byte.is_ascii_lowercase()) => primary,
        _ => {
            let said = transcript.utterances.iter().filter(|utterance| utterance.kind != Kind::Header);
            recognise(said.map(|utterance| utterance.text.as_str()))
        }
    }
}

/// Languages whose letters are their own.
fn by_script<'t>(pieces: impl Iterator<Item = &'t str>) -> Option<&'static str> {
    let (mut kana, mut han, mut hangul, mut letters) = (0_usize, 0_usize, 0_usize, 0_usize);
    let mut others = [("ru", 0_usize), ("ar", 0), ("he", 0), ("hi", 0), ("el", 0), ("th", 0)];
    let alphabetic = |character: &char| !character.is_ascii() || character.is_ascii_alphabetic();
    for character in pieces.flat_map(str::chars).filter(alphabetic).take(600) {
        letters += 1;
        match character {
            '\u{3040}'..='\u{30ff}' => kana += 1,
            '\u{4e00}'..='\u{9fff}' => han += 1,
            '\u{ac00}'..='\u{d7a3}' => hangul += 1,
            '\u{400}'..='\u{4ff}' => others[0].1 += 1,
            '\u{600}'..='\u{6ff}' => others[1].1 += 1,
            '\u{590}'..='\u{5ff}' => others[2].1 += 1,
            '\u{900}'..='\u{97f}' => others[3].1 += 1,
            '\u{370}'..='\u{3ff}' => others[4].1 += 1,
            '\u{e00}'..='\u{e7f}' => others[5].1 += 1,
            _ => {}
        }
    }
    let many = |count: usize| count * 10 >= letters * 3 && count > 0;
    match () {
        () if many(hangul) => Some("ko"),
        () if kana * 10 >= letters && kana > 0 => Some("ja"),
        () if many(han) => Some("zh"),
        () => others.into_iter().find(|(_, count)| many(*count)).map(|(language, _)| language),
    }
}

/// The profiles that a word belongs to, one bit each.
fn table() -> &'static HashMap<&'static str, u16> {
    static TABLE: OnceLock<HashMap<&'static str, u16>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = HashMap::new();
        for (index, profile) in PROFILES.iter().enumerate() {
            for word in profile.1.split_whitespace() {
                *table.entry(word).or_default() |= 1 << index;
            }
        }
        table
    })
}

fn by_words<'t>(pieces: impl Iterator<Item = &'t str>) -> &'static str {
    let table = table();
    let mut counts = [0_u32; PROFILES.len()];
    let mut buffer = String::with_capacity(32);
    for word in pieces.flat_map(words).take(SAMPLE) {
        buffer.clear();
        buffer.extend(word.chars().flat_map(char::to_lowercase).map(|one| if one == '’' { '\'' } else { one }));
        let mut bits = table.get(buffer.as_str()).copied().unwrap_or_default();
        while bits != 0 {
            counts[bits.trailing_zeros() as usize] += 1;
            bits &= bits - 1;
        }
    }
    let best = (0..PROFILES.len()).max_by_key(|&index| (counts[index], PROFILES.len() - index)).unwrap_or_default();
    let language = PROFILES[best].0;
    language.split('-').next().filter(|_| counts[best] > 1).unwrap_or("en")
}

/// The short words of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let separator = |character: char| !character.is_alphabetic() && character != '\'' && character != '’';
    text.split(separator).filter(|word| !word.is_empty() && word.len() <= 12)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_known_by_script_or_by_their_commonest_words() {
        let texts = [
            ("en", "Can you send me the plan by Friday? I'll have a look at it then."),
            ("de", "Kannst du mir bitte bis Freitag den Plan schicken? Ich schaue ihn mir dann an."),
            ("fr", "Tu peux m'envoyer le plan avant vendredi ? Je le regarde dans la soirée."),
            ("es", "¿Me puedes mandar el plan antes del viernes? Lo miro por la tarde."),
            ("it", "Mi mandi il piano per venerdì? Poi lo guardo con calma, non c'è fretta."),
            ("pt", "Você pode me mandar o plano até sexta? Eu vejo isso com calma, não tem pressa."),
            ("nl", "Kun je mij het plan voor vrijdag sturen? Dan kijk ik er nog even naar."),
            ("sv", "Kan du skicka planen till mig på fredag? Jag ska titta på det och det är inte bråttom."),
            ("ja", "金曜日までに計画を送ってください。"),
            ("zh", "请在星期五之前把计划发给我。"),
            ("ko", "금요일까지 계획을 보내 주세요."),
            ("en", ""),
        ];
        for (language, text) in texts {
            assert_eq!(recognise(std::iter::once(text)), language, "{text}");
        }
    }

    /// The language of a document as it is read.
    fn read(hint: Option<&'static str>, text: &str) -> String {
        let transcript = crate::reader::read(&crate::Document { source_type: "meeting", title: None, text });
        of(hint, &transcript).to_owned()
    }

    #[test]
    fn a_hint_wins() {
        assert_eq!(read(Some("de-AT"), "Can you send me the plan?"), "de");
        assert_eq!(read(Some("???"), "Can you send me the plan?"), "en");
    }

    #[test]
    fn the_numbers_of_cues_are_no_words() {
        let cues: String = ["Wir fangen an mit dem Plan.", "Das ist gut.", "Ich schicke ihn."]
            .iter()
            .enumerate()
            .map(|(at, said)| {
                format!("a1e-b2a-v3s-c4a-a5a/{at}-0\n00:00:0{at}.100 --> 00:00:0{at}.900\n<v Jo A>{said}</v>\n\n")
            })
            .collect();
        assert_eq!(read(None, &format!("WEBVTT\n\n{cues}")), "de");
    }
}
