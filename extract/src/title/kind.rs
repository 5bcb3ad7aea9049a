//! Kinds of words, one bit each: which lists hold a word, and how it stands in its sentence. A word is looked up once.

use std::sync::OnceLock;

use super::word::hash;
use crate::feature::word::HashedMap;

/// A set of kinds.
pub(super) type Kinds = u64;

/// Words that say nothing: hesitation, softening, haste.
pub(super) const FILLER: Kinds = 1;
/// Words without content of their own.
pub(super) const LITTLE: Kinds = 1 << 1;
/// Words that end a noun phrase.
pub(super) const FUNCTION: Kinds = 1 << 2;
/// Plain forms of verbs that people do.
pub(super) const VERB: Kinds = 1 << 3;
/// Pronouns that need their thing.
pub(super) const PRONOUN: Kinds = 1 << 4;
/// Pronouns that mean somebody.
pub(super) const PERSON: Kinds = 1 << 5;
/// Words that open a noun phrase.
pub(super) const ARTICLE: Kinds = 1 << 6;
/// Words that link one noun phrase to another.
pub(super) const LINK: Kinds = 1 << 7;
/// Words with which somebody else than the one who is told acts, or gives thanks.
pub(super) const VOICE: Kinds = 1 << 8;
/// Words that no order has behind its verb.
pub(super) const LOOSE: Kinds = 1 << 9;
/// Words that lack a noun: "the other two".
pub(super) const LACKING: Kinds = 1 << 10;
/// Small words right behind a verb that go with it.
pub(super) const PARTICLE: Kinds = 1 << 11;
/// Words that change what a verb means.
pub(super) const TURN: Kinds = 1 << 12;
/// Words that make a sentence of what would name a thing.
pub(super) const SAYS: Kinds = 1 << 13;
/// Words that lead what may be said behind an action.
pub(super) const LEAD: Kinds = 1 << 14;
/// Words that may stand before the subject of a sentence.
pub(super) const SETS_IN: Kinds = 1 << 15;
/// Words behind the subject of a sentence.
pub(super) const TELLS: Kinds = 1 << 16;
/// Nouns that name nothing: times, amounts, manners.
pub(super) const VAGUE: Kinds = 1 << 17;
/// Words at which an action ends.
pub(super) const BREAK: Kinds = 1 << 18;
/// Words between a lead and its verb.
pub(super) const BETWEEN: Kinds = 1 << 19;
/// Words that make a clause, where a title should have none.
pub(super) const FINITE: Kinds = 1 << 20;
/// Words that deny.
pub(super) const NOT: Kinds = 1 << 21;
/// Those to whom something is done.
pub(super) const OBJECT: Kinds = 1 << 22;
/// Pronouns for many.
pub(super) const MANY: Kinds = 1 << 23;
/// Words that link what is done to what it is done with.
pub(super) const TO: Kinds = 1 << 24;
/// Words before which an action may be cut short.
pub(super) const CUT: Kinds = 1 << 25;
/// Verbs that are said to somebody about something.
pub(super) const TALK: Kinds = 1 << 26;
/// Words that may stand before the thing that a sentence begins with.
pub(super) const FRONT: Kinds = 1 << 27;
/// "One" and "ones".
pub(super) const ONE: Kinds = 1 << 28;
/// "The rest", "both": all of a thing.
pub(super) const ALL: Kinds = 1 << 29;
/// "Others".
pub(super) const OTHERS: Kinds = 1 << 30;
/// "Me".
pub(super) const ME: Kinds = 1 << 31;
/// "You".
pub(super) const YOU: Kinds = 1 << 32;

/// A comma, a dash, a bracket …
pub(super) const MARK: Kinds = 1 << 48;
/// Part of a date expression.
pub(super) const DATE: Kinds = 1 << 49;
/// The first word of its sentence.
pub(super) const STARTS: Kinds = 1 << 50;
/// Right behind the word before it.
pub(super) const JOINED: Kinds = 1 << 51;
/// With a capital.
pub(super) const CAPITAL: Kinds = 1 << 52;
/// Part of somebody's name.
pub(super) const NAME: Kinds = 1 << 53;
/// An address or a question.
pub(super) const ADDRESS: Kinds = 1 << 54;
/// Of more than one letter.
pub(super) const LONG: Kinds = 1 << 55;

const LISTS: [(Kinds, &str); 33] = [
    (
        FILLER,
        "um uh uhm er erm ehm hmm eh ah oh well just actually basically maybe probably definitely really please \
        pls plz kindly anyway okay ok yeah yes yep sure right asap quickly myself yourself himself herself \
        simply perhaps possibly obviously already bitte mal noch",
    ),
    (
        LITTLE,
        "the a an of to in on at for with and or it that this them those these you me us him her i we he she they \
        be is are do have get then so up out off one there your my our his their",
    ),
    (
        FUNCTION,
        "is are was were has have had will would can could should must do does did and or but so to of for on in \
        at from with by about that this it i you he she we they me us him them who which what where when how if \
        because as then not no there says said still the a an into onto be been being get got let go going gone just \
        whether than too also yet again already here out off up down over before after until while these those its \
        say think know mean want need needs all both each every everybody somebody someone anyone nobody \
        same later soon back",
    ),
    (VERB, include_str!("../feature/verbs.txt")),
    (PRONOUN, "it that this them those these one ones"),
    (PERSON, "him her them"),
    (ARTICLE, "the a an your my our his her their another"),
    (LINK, "of for on in from about at"),
    (VOICE, "i i'll i'm i've i'd we we'll we're we've he'll she'll they'll you'll you're thanks thank"),
    (LOOSE, "also then now still not and or but"),
    (LACKING, "two three four five six seven eight nine ten other others both rest remaining last second first third"),
    (PARTICLE, "over across out off up down back through into at in on round to together"),
    (TURN, "up out over back off in round down through on at into away"),
    (
        SAYS,
        "is are was were be am been i we you they he she it it's that's there's let's has have had do does did \
        should would could can will may might shall must not don't isn't won't sure okay",
    ),
    (
        LEAD,
        "for to about with from on in at of into before between onto without over under until during after against \
        including",
    ),
    (SETS_IN, "and so but then also now or okay next"),
    (TELLS, "is are was were has have had will would can could should must needs need"),
    (
        VAGUE,
        "minute minutes moment morning afternoon evening night week weeks day days month year hour hours lot bit time \
        way thing things question idea end start way case fact point moment while problem same rest other others first \
        last next second number kind sort one two three",
    ),
    (
        BREAK,
        "because so but when before after unless although since while once until till otherwise which who then \
        cause cos as by asap though too",
    ),
    (
        BETWEEN,
        "also then either still now first directly personally both all gladly happily try and to go you have \
        again therefore in fact at least",
    ),
    (FINITE, "is are was were has had does did i he she we they it's that's will would"),
    (NOT, "not no don't can't won't"),
    (OBJECT, "him her me you us them"),
    (MANY, "them those these ones"),
    (TO, "to for about with of from in on at"),
    (CUT, "of for on in from about at and , with to before so into or"),
    (TALK, "ask tell write call ring email talk chase remind phone message speak text contact inform mail reply"),
    (FRONT, "the a our your and so but then"),
    (ONE, "one ones"),
    (ALL, "rest both"),
    (OTHERS, "others"),
    (ME, "me"),
    (YOU, "you"),
];

/// The lists that hold a word, by its hash.
pub(super) fn of(hash: u64) -> Kinds {
    static KNOWN: OnceLock<HashedMap<Kinds>> = OnceLock::new();
    let known = KNOWN.get_or_init(|| {
        let mut known: HashedMap<Kinds> = HashedMap::default();
        for (kind, list) in LISTS {
            list.split_whitespace().for_each(|word| *known.entry(self::hash(word)).or_default() |= kind);
        }
        known
    });
    known.get(&hash).copied().unwrap_or_default()
}
