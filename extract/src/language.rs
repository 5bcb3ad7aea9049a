//! Which language a text is in: by its script, then by each language's commonest words, its names of days and months, and
//! its letters. A word that several languages have speaks for each of them, but less.

use crate::due;
use crate::reader::{Kind, Transcript};
use gleaner_model::is_han;
use std::collections::HashMap;
use std::sync::LazyLock;

/// A language and its commonest words, elided ones with their apostrophe.
type CommonWords = (&'static str, &'static str);

const PROFILES: &[CommonWords] = &[
    (
        "en",
        "the and to of is it you that we for i i'll can have this be with will not it's i'm what do so yeah on was a \
        am an in at by from but are there they he she if my your our me us him her them his or as has had does did \
        don't can't i've i'd we'll we're that's let's he's she's you're could would should please who when how just \
        get got send call need needs then about all been were out up down into before after next no yes one some any \
        make must may said take give put back pay buy order book check ring ask tell bring find write meet done \
        still also only more much many other over off again think know want like good thanks thank ok okay sorry hi \
        dear best regards",
    ),
    (
        "de",
        "der die das und ich ist nicht wir mit es ein auf auch noch bitte haben sie dem den zu für kannst mal ja bis \
        von in im am an zum zur vom beim ins des er ihr du mir mich dir dich uns euch ihm ihn ihnen eine einen einem \
        einer kein keine niemand jemand nur so was wer wie wo wenn dann da dort aber oder weil wegen dass als wird \
        werden wurde wäre kann könnte könnten muss müssen soll sollte will hab habe hat hast sind war bin bist schon \
        doch jetzt nach bei aus vor um über unter durch gegen ohne ab sich mein meine dein deine sein seine ihre \
        ihren unser unsere diese diesen dieser dieses alle alles nichts immer wieder mehr sehr hier gut danke gerne \
        gern guten hallo grüße liebe lieber herr frau nein also zusammen",
    ),
    (
        "fr",
        "le la les des et est pas je vous pour que une dans avec sur c'est on oui qui au du nous ça il j' d' l' m' \
        n' s' t' c' qu' tu de un à en ne se ce cette ces mon ma mes ton ta votre vos notre nos leur leurs elle ils \
        elles lui moi toi y aux par mais ou où donc si plus très bien tout tous toute faut fait faire être suis sont \
        sera avez avons avant après chez quand comme encore merci bonjour veuillez pouvez peux peut pourriez dois \
        doit rien jamais aussi même sans puis",
    ),
    (
        "es",
        "el los las que de y en por para con una del se está pero hay lo mañana sí como muy ya me es al la un no su \
        sus mi tu te le les nos yo él ella ellos usted ustedes este esta esto ese esa eso cuando donde porque más \
        también antes después hasta desde sobre sin tengo tiene tienes tenemos puede puedes podría puedo hacer hace \
        he ha han ser están estoy son fue hola gracias favor buenos saludos quién qué cómo todos nada algo otro voy \
        va vamos si o ni entre",
    ),
    (
        "it",
        "il che di è non per una sono gli della con ho come anche del allora ci mi ma lo se questo poi sì le da la i \
        e un in a al alla alle agli ai dal dalla nel nella sul sulla dei delle degli l' d' m' t' s' c' dell' all' \
        nell' dall' sull' un' io tu lui lei noi voi loro si ti vi ne me te suo sua mio mia tuo tua questa quello \
        quella chi cosa quando dove perché più già prima dopo entro fra tra fino ha hai hanno abbiamo avete siamo \
        sei era può puoi posso potrebbe devo deve fare ciao grazie buongiorno saluti bene tutti tutto ancora quindi \
        però o",
    ),
    (
        "pt",
        "o que não de para um uma com os as em do da você está isso mas por ao até já é eu foi a tá e no na nos nas \
        dos das à às pelo pela pra pro se me te lhe ele ela eles elas nós vocês meu minha seu sua este esta isto \
        esse essa aquele quem quando onde como porque mais também antes depois tenho tem temos têm pode podem posso \
        podes fazer faz ser são estão estou vou vai vamos ficou olá oi bom obrigado obrigada abraços então só muito \
        tudo nada sem sim sobre ainda lá aí feira",
    ),
    (
        "nl",
        "de het een en van ik dat niet je is op te voor met zijn maar we dan nog ook er als wel kan naar ja in aan \
        bij uit over om door tot na tegen binnen zonder u hij zij ze wij jij jullie hem haar hun ons mij me mijn \
        jouw uw onze deze dit die daar hier wat wie waar hoe wanneer of want dus omdat al geen iets niets iemand \
        moet moeten kun kunnen kunt wil zou zal heb heeft hebben was waren wordt worden ben bent gaat ga doe doet \
        doen graag even nu straks weer toch nee bedankt dank groet groeten hallo beste",
    ),
    (
        "sv",
        "och att det jag är som en på inte för med vi den till har du så men om ska kan av ett ja hej var mig dig \
        oss hon han dom vill kommer måste skicka tack nu bara eller också vad när hur här där från",
    ),
    (
        "da",
        "og at det jeg er som en på ikke til med vi den af har du så men om skal kan et hvad der fra også dig mig os \
        hun han vil kommer tak nu bare eller når hvor her",
    ),
    (
        "nb",
        "og at det jeg er som en på ikke til med vi den av har du så men om skal kan et hva fra også dere deg meg \
        oss hun han vil kommer takk nå bare eller når hvor her",
    ),
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

/// Letters that few languages write, and which. They count in words that begin small: names are at home everywhere.
const LETTERS: [(&str, &str); 12] = [
    ("ß", "de"),
    ("ä", "de sv"),
    ("ö", "de sv tr"),
    ("ü", "de tr"),
    ("ñ", "es"),
    ("ãõ", "pt"),
    ("ê", "fr pt"),
    ("òì", "it"),
    ("łśżąę", "pl"),
    ("řěů", "cs"),
    ("ğşı", "tr"),
    ("øæ", "da nb"),
];

/// What a word tells that one language alone has; those that several have tell as much together.
const WORD: u32 = 60;
/// What such a letter tells.
const LETTER: u32 = 30;
/// Less than this tells nothing.
const LEAST: u32 = 30;

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
            _ if is_han(character) => han += 1,
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

/// The profiles that a word belongs to, one bit each: as a common one, or as the name of a day or month.
static KNOWN: LazyLock<HashMap<&'static str, u16>> = LazyLock::new(|| {
    let mut known = HashMap::new();
    for (index, (tag, common)) in PROFILES.iter().enumerate() {
        for word in common.split_whitespace().chain(due::names_of_days(code(tag))) {
            *known.entry(word).or_default() |= 1 << index;
        }
    }
    known
});

/// The profiles that write a letter which few others do, one bit each.
fn of_letter(letter: char) -> u16 {
    let languages = LETTERS.iter().find(|(letters, _)| letters.contains(letter)).map_or("", |(_, languages)| languages);
    let bit = |language| PROFILES.iter().position(|(tag, _)| *tag == language).map_or(0, |index| 1 << index);
    languages.split_whitespace().map(bit).sum()
}

fn code(tag: &'static str) -> &'static str {
    tag.split('-').next().unwrap_or(tag)
}

fn by_words<'t>(pieces: impl Iterator<Item = &'t str>) -> &'static str {
    let mut told = [0_u32; PROFILES.len()];
    let mut tell = |mut bits: u16, worth: u32| {
        let each = worth / bits.count_ones().max(1);
        while bits != 0 {
            told[bits.trailing_zeros() as usize] += each;
            bits &= bits - 1;
        }
    };
    let mut buffer = String::with_capacity(32);
    for word in pieces.flat_map(words).take(SAMPLE) {
        buffer.clear();
        buffer.extend(word.chars().flat_map(char::to_lowercase).map(|one| if one == '’' { '\'' } else { one }));
        let elided = || KNOWN.get(&buffer[..=buffer.find('\'')?]);
        match KNOWN.get(buffer.as_str()).or_else(elided) {
            Some(bits) => tell(*bits, WORD),
            None if word.starts_with(char::is_lowercase) => {
                tell(buffer.chars().map(of_letter).find(|bits| *bits != 0).unwrap_or_default(), LETTER);
            }
            None => {}
        }
    }
    let best = (0..PROFILES.len()).max_by_key(|&index| (told[index], PROFILES.len() - index)).unwrap_or_default();
    if told[best] < LEAST { "en" } else { code(PROFILES[best].0) }
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
            ("en", "Ines to order bunting by 27 Mar"),
            ("en", "Cancel gym membership"),
            ("de", "Ich rufe dich morgen an."),
            ("de", "muss noch beim zahnarzt absagen"),
            ("fr", "Veuillez retourner le formulaire avant lundi."),
            ("it", "Ti mando la fattura giovedì."),
            ("it", "Puoi chiamare la banca entro venerdì?"),
            ("pt", "Vou enviar a fatura na quinta-feira."),
            ("nl", "niet vergeten: oudpapier buiten zetten dinsdag"),
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
