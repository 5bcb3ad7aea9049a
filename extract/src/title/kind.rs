//! Kinds of words, one bit each: which lists of its language hold a word, and how it stands in its sentence.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::OnceLock;

use crate::hash::{self, HashedMap};

/// A set of kinds.
pub(super) type Kinds = u32;

/// Words that say nothing: hesitation, softening, haste.
pub(super) const FILLER: Kinds = 1;
/// Words that are no part of a noun phrase.
pub(super) const FUNCTION: Kinds = 1 << 1;
/// Plain forms of verbs that people do.
pub(super) const VERB: Kinds = 1 << 2;
/// Pronouns that stand for a thing.
pub(super) const PRONOUN: Kinds = 1 << 3;
/// Pronouns that stand for somebody.
pub(super) const PERSON: Kinds = 1 << 5;
/// Words that open a noun phrase.
pub(super) const ARTICLE: Kinds = 1 << 6;
/// Words that link a noun phrase to what stands before it.
pub(super) const LINK: Kinds = 1 << 7;
/// Who acts in a sentence.
pub(super) const SUBJECT: Kinds = 1 << 8;
/// Words behind which a verb stands in its plain form.
pub(super) const MODAL: Kinds = 1 << 9;
/// Words that may stand between those and the verb.
pub(super) const BETWEEN: Kinds = 1 << 10;
/// Words at which an action ends: reasons, conditions, times.
pub(super) const BREAK: Kinds = 1 << 11;
/// Words that cannot end a title.
pub(super) const DANGLING: Kinds = 1 << 12;
/// Words that add nothing at the end of a title.
pub(super) const TAIL: Kinds = 1 << 13;
/// Nouns that name nothing: times, amounts, manners.
pub(super) const VAGUE: Kinds = 1 << 14;
/// Verbs that are said to somebody about something.
pub(super) const TALK: Kinds = 1 << 15;
/// Verbs that say little of what is done.
pub(super) const LIGHT: Kinds = 1 << 16;
/// Verbs of thought and of being, which name no action.
pub(super) const STATE: Kinds = 1 << 17;
/// Words that deny or doubt.
pub(super) const DOUBT: Kinds = 1 << 18;
/// Words behind which "to" leads to a verb.
pub(super) const LEADS_TO: Kinds = 1 << 19;
/// Words that a clause may begin behind.
pub(super) const OPENS: Kinds = 1 << 20;

/// A comma, a dash, a bracket …
pub(super) const MARK: Kinds = 1 << 24;
/// Part of a date expression.
pub(super) const DATE: Kinds = 1 << 25;
/// With a capital, and not only because it begins its sentence.
pub(super) const CAPITAL: Kinds = 1 << 26;
/// Part of the name of somebody who speaks.
pub(super) const NAME: Kinds = 1 << 27;
/// Right behind the word before it.
pub(super) const JOINED: Kinds = 1 << 28;
/// With a digit.
pub(super) const DIGIT: Kinds = 1 << 29;

/// Words of English.
const ENGLISH: [(Kinds, &str); 21] = [
    (
        FILLER,
        "um uh uhm er erm ehm hmm mm eh ah oh well just actually basically maybe probably definitely really please \
        pls plz kindly anyway okay ok yeah yes yep sure right asap quickly myself yourself himself herself themselves \
        simply perhaps possibly obviously already like alright",
    ),
    (
        FUNCTION,
        "is are was were has had have will would can could should must does did do and but or so to of for on in at \
        from with by about that this it i you he she we they me us him them her who which what where when how if \
        because as then not no there says said still into onto be been being go going gone just whether than too also \
        yet again already here out off up down over before after until while those these think know mean want need \
        everybody somebody someone anyone nobody everyone anybody same later soon back i'll i'm i've i'd you'll you're \
        you've you'd he's she's he'll she'll it's that's there's we'll we're we've we'd they'll they're they've they'd \
        let's lets don't doesn't didn't isn't aren't wasn't won't can't couldn't wouldn't shouldn't haven't hasn't hadn't \
        through between without within against around per via got gonna gotta let am may might shall why yours mine \
        it'll that'll what's who's how's where's",
    ),
    (VERB, include_str!("../feature/verbs.txt")),
    (PRONOUN, "it that this them those these one ones"),
    (PERSON, "him her them"),
    (ARTICLE, "the a an your my our his her their its some another any each every both all this that these those"),
    (LINK, "of for on in from about with to at"),
    (
        SUBJECT,
        "i you we he she they it somebody someone everybody everyone anybody anyone who there that this which i'm i've ive im \
        i'll i'd we're we've we'll we'd you're you've you'll you'd he's she's he'll she'll they're they've they'll it's \
        that's there's let's they'd it'll that'll don't",
    ),
    (
        MODAL,
        "will can could would should must shall may might gonna gotta lemme imma please pls plz i'll we'll you'll he'll \
        she'll they'll i'd we'd you'd they'd kindly wanna let's it'll that'll",
    ),
    (
        BETWEEN,
        "i you we he she they somebody someone everybody everyone anybody anyone also then either still now first directly personally \
        both all gladly happily again therefore just please maybe probably definitely always quickly actually perhaps \
        really simply at least um uh only always hopefully certainly",
    ),
    (
        BREAK,
        "because so but when before after unless although since while once until till otherwise which who then cause \
        cos as by though if whereas whenever without",
    ),
    (
        DANGLING,
        "the a an of to in on at for with and or by approx until from i as before after latest no later than now then over due this \
        end every some time my your our their his about that if so but very more between into is are was be will would \
        you'll we'll i'll it's that's we they he she not into like which who what when where because its say says including within same next till how why whether than we're \
        they're you're i'm i've we've you've they've he's she's there's what's who's where's when's how's its every \
        whose shall gonna gotta am would",
    ),
    (
        TAIL,
        "too also then now today tomorrow tonight soon later already anyway first well here there please thanks btw \
        thank you guys everybody everyone though yet right okay ok yes yeah sure maybe actually really me us somehow ideally earliest convenience",
    ),
    (
        VAGUE,
        "minute minutes moment morning afternoon evening night week weeks days day month months year hour hours lot bit time \
        way thing things question idea end start case fact point while problem rest other others first last next second \
        number kind sort one two three stuff something anything nothing everything guy guys people yeah okay monday \
        tuesday wednesday thursday friday saturday sunday today tomorrow",
    ),
    (
        TALK,
        "ask tell write call ring email talk chase remind phone message speak text contact inform mail reply answer chat \
        check brief warn consult respond nudge ping",
    ),
    (LIGHT, "do get have take give go make put be let see come keep need try start bring look find use"),
    (
        STATE,
        "think know guess mean suppose hope feel believe wonder want need like love hate wish understand remember forget \
        assume doubt say said saw thought see was were am got had imagine expect",
    ),
    (
        DOUBT,
        "not if never no why unless don't can't won't didn't doesn't couldn't wouldn't shouldn't isn't wasn't when",
    ),
    (
        LEADS_TO,
        "have has need needs going want wants got ought supposed like able try happy glad promised agreed offered forget \
        remember me you him her them plan plans planning going hoping hope love willing ready going used asked told \
        everyone everybody someone somebody trying",
    ),
    (OPENS, "and then so but or okay ok yes yeah well right sure please also now alright just"),
    (LEADS_TO, "had having needed wanted"),
];

/// Words of other languages that end a noun phrase or an action, or add nothing.
const OTHERS: [(&str, Kinds, &str); 18] = [
    (
        "de",
        FILLER,
        "bitte mal noch doch ja also eben halt eigentlich vielleicht okay gut äh ähm gleich schon dann auch so",
    ),
    ("de", BREAK, "weil dass damit wenn sonst ob bevor nachdem sobald und aber"),
    (
        "de",
        DANGLING,
        "bis am im um vor für mit und oder von zu zur zum der die das den dem ein eine bei nach spätestens",
    ),
    ("fr", FILLER, "donc alors bon euh ben d'accord oui bien voilà ok aussi encore"),
    ("fr", BREAK, "parce car si quand puisque avant pour mais et dès elle il elles ils tu on ça"),
    ("fr", DANGLING, "avant pour de du des la le les à au aux et ou avec en sur d'ici un une dans"),
    ("es", FILLER, "bueno pues vale entonces eh sí también luego por favor"),
    ("es", BREAK, "porque si cuando antes pero y que él ella ellos ellas usted"),
    ("es", DANGLING, "antes del de la el los las para por con en a al y o un una como hasta"),
    ("it", FILLER, "allora beh ok sì va bene quindi anche ancora poi per favore"),
    ("it", BREAK, "perché se quando prima ma e così lui lei loro"),
    ("it", DANGLING, "entro per di il la lo i gli le con e o a da in del della al alla un una prima"),
    ("pt", FILLER, "então bom pois ok sim também ainda depois por favor"),
    ("pt", BREAK, "porque se quando antes mas e ele ela eles você"),
    ("pt", DANGLING, "até para de do da o a os as com em e ou no na ao à um uma antes"),
    ("nl", FILLER, "dus nou oké ja even nog ook dan maar wel eens graag trouwens"),
    ("nl", BREAK, "omdat dat als zodat want en maar voordat"),
    ("nl", DANGLING, "voor van de het een met en of op in aan te om uiterlijk tot bij"),
];

/// The words of a language with their kinds.
#[derive(Debug)]
pub(super) struct Lexicon(HashedMap<Kinds>);

impl Lexicon {
    /// Of a language, BCP 47; English where nothing is known.
    pub fn of(language: &str) -> &'static Self {
        static KNOWN: OnceLock<HashMap<&str, Lexicon>> = OnceLock::new();
        static EMPTY: Lexicon = Lexicon(HashedMap::with_hasher(BuildHasherDefault::new()));
        let known = KNOWN.get_or_init(|| {
            let mut known: HashMap<&str, Self> = HashMap::new();
            let lists = ENGLISH.iter().map(|(kind, list)| ("en", *kind, *list)).chain(OTHERS);
            for (language, kind, list) in lists {
                let words = &mut known.entry(language).or_insert_with(|| Self(HashedMap::default())).0;
                list.split_whitespace().for_each(|word| *words.entry(hash::text(word)).or_default() |= kind);
            }
            known
        });
        let language = language.split('-').next().unwrap_or_default();
        let language = if language.is_empty() { "en" } else { language };
        known.get(language).unwrap_or(&EMPTY)
    }

    /// The kinds of a word, by its hash.
    pub fn kinds(&self, hash: u64) -> Kinds {
        self.0.get(&hash).copied().unwrap_or_default()
    }
}
