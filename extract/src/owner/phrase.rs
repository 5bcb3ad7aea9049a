//! What words say about who acts: tables of words and phrases, in lower case.

use std::sync::OnceLock;

use crate::word_list::{WordList, phrases};

/// Phrases that bars part, in groups, each with the weight of its phrases.
pub struct Weighed {
    groups: &'static [(f32, &'static str)],
    list: OnceLock<Vec<(f32, &'static str)>>,
}

impl Weighed {
    const fn of(groups: &'static [(f32, &'static str)]) -> Self {
        Self { groups, list: OnceLock::new() }
    }

    /// One after the other, each with its weight.
    pub fn all(&self) -> &[(f32, &'static str)] {
        self.list.get_or_init(|| {
            let parted = |(weight, group): &(f32, &'static str)| {
                let weight = *weight;
                phrases(group).map(move |phrase| (weight, phrase))
            };
            self.groups.iter().flat_map(parted).collect()
        })
    }
}

/// Whether a word, in lower case, names nobody even with a capital.
pub fn is_common(word: &str) -> bool {
    COMMON.has(word)
}

/// Whether a folded word is a team or a role.
pub fn is_team(word: &str) -> bool {
    TEAMS.has(word)
}

/// Words that open a sentence or stand with a capital and name nobody.
static COMMON: WordList = WordList::of(
    "a about absolutely action actually additional address after again agreed ah ai all alright also always am an and \
    another answers any anybody anyone anyway april are as at attached august back bank because before best better \
    both bring but by call can check clinic close come contact could customer data date day dear december decision \
    deck definitely did do does done don't draft each easter email end english eod even every everyone everything \
    fair february fine first follow-up for friday from fyi get give go good got great had happy has have he he'd \
    he'll he's hello her here hey hi him his how however i i'd i'll i'm i've if in is isn't it it'd it'll it's \
    january july june just keep last let let's look lovely make march may maybe me monday morning most my need next \
    no nobody not note nothing november now october of off oh ok okay on once one open or order other others \
    otherwise our out owner page perfect please pls plus put question quick re really remember reminder report right \
    ring saturday say see send september set she she'd she'll she's should since slide so some somebody someone \
    something sorry sort still sunday sure take talk tell thank thanks that that'd that'll that's the their them \
    then there there's these they they'd they'll they're this those three thursday till to today todo tomorrow \
    tonight too tuesday two under until up update urgent us use very wait want was we we'd we'll we're we've \
    wednesday week well were what what's when where which while who who's why will with would write yeah yep yes yet \
    you you'd you'll you're your yours zoom slack teams asap tbc tbd eow cob ooo am pm pdf csv api url faq vat mon tue tues wed weds thu thur thurs fri sat \
    sun jan feb mar apr jun jul aug sep sept oct nov dec mark pat art rose bill sue rob drew grace hope joy faith \
    dean christmas q1 q2 q3 q4 der die das und ich wir sie er es ja nein bitte bis den dem ein eine dann aber montag \
    dienstag mittwoch donnerstag freitag le la les je nous vous il elle oui non et mais el los yo sí que pero si io \
    sì ma eu sim não mas ik wij nee het een de en un une una uno du vale bueno allora bon alors donc goed dus então \
    hasta pour para per por con avec mit lets im ill dont cant wont yup nope cool nice ideally same type part point \
    item items topic task tasks name ha tu te whenever missing budget training team group long only everybody \
    whoever poster handbook intercom padlock column marketplace fuel cause hall broker goalie",
);

/// Teams and roles that act as one.
static TEAMS: WordList = WordList::of(
    "marketing legal finance sales engineering operations ops support product design hr accounting accounts \
    procurement facilities estates purchasing logistics payroll compliance security helpdesk comms vendor agency \
    supplier contractor client customer landlord caterer electrician plumber joiner builder architect engineer \
    manufacturer housekeeping maintenance reception pharmacy physio registrar consultant bank insurer broker lawyer \
    solicitor accountant auditor auditors treasurer secretary caretaker janitor warehouse dispatch council publisher \
    editor translator photographer qa devops platform infra backend frontend analytics research vertrieb einkauf \
    buchhaltung technik haustechnik driver conservator developer foreman neighbour neighbor painters printer team \
    goalie",
);

/// What follows "I" where it promises nothing.
pub static NO_PROMISE: WordList = WordList::of(
    "not can't cannot won't don't didn't never think thought guess mean know knew see saw was hope believe suppose \
    wonder remember heard hear said told asked like love wish agree haven't wouldn't couldn't shouldn't imagine \
    expect understand wasn't feel",
);

/// Words that begin a request when they begin a sentence.
pub static IMPERATIVES: WordList = WordList::of(
    "send get put make take write call ring email mail check tell ask give bring book order set add fix keep leave \
    print update review share forward push drop post talk chase find try do move pull sign draft prepare upload \
    schedule cut pick text ping remove change rename reply confirm finish test run show invite go have",
);

/// Words between a subject and what it is to do.
pub static ACTS: WordList = WordList::of(
    "will would is are to said says promised promises offered has have needs need should must can could wants agreed \
    told was gets does takes sends writes checks asks brings calls rings makes prepares books drafts reads looks \
    owes orders offers reviews signs posts fixes updates owns drives confirms schedules cuts gives puts goes might \
    swore swears volunteered just already still also wird soll macht schickt kümmert hat muss kann stellt doit \
    envoie fait peut debe manda tiene puede hace deve fa può vai gaat zal moet ska sa má pošle domluví regelt \
    appelle dijo dice dit har lovade sade zei had disse enviar mandar bringt bei ist wollte meinte sagt sagte phones \
    promise finishes scans fetches collects picks tells helps did ordered sent announces mejlar obiecał penserà \
    manderà va rerunning repair initial",
);

/// Words that an answer which takes on begins with.
pub static ANSWERS: WordList = WordList::of(
    "yes yep yeah yup sure ok okay fine absolutely deal done right good happy can will fair of no got doing on great \
    perfect definitely certainly aye by tonight tomorrow today already ja klar gerne mach bin oui d'accord bien sí \
    claro vale sì certo va sim beleza pode tak jasne jo jasně tamam olur はい 了解 好 可以 行 네 넵 haan theek",
);

/// Words that report what somebody else has promised.
pub static REPORTS: WordList = WordList::of(
    "said says promised promises offered told swore swears messaged volunteered sagt sagte meinte versprochen dit \
    promis dijo dice detto disse zei beloofd lovat sa obiecał nabídl",
);

/// Subjects that are nobody in particular where a duty follows, or "please" stands before them.
pub static ANYBODY: WordList =
    WordList::of("someone somebody anybody everyone everybody someone's somebody's all volunteers anyone who");

/// Words around [`ANYBODY`] that make it the subject of what is to be done.
pub static DUTIES: WordList = WordList::of(
    "should could can must needs need has have ought might would please pls to got with else sending picked look pick \
    will taking do needing",
);

/// Subjects that are nobody in particular, wherever they stand.
pub static NOBODY: WordList = WordList::of_phrases(
    "no owner | owner open | please all | every store | all managers | has anyone | needs someone | jemand \
    | irgendwer | irgendjemand | wer kann | alle bitte | bitte alle | quelqu'un | qui peut | alguien | quién puede | \
    qualcuno | chi può | alguém | iemand | wie kan | någon | nån | ktoś | někdo | birisi | birisinin | koi | 誰か | 谁能 \
    | 谁可以 | 有人 | 누가 | 누군가 | one of us should | one of you could | all of you please | each of you please | all of us \
    please | of them need",
);

/// Words that grant what somebody offered.
pub static GRANTS: WordList = WordList::of_phrases(
    "please do | do that | do it | yes please | go ahead | that'd be nice | that'd be great | that would be great | \
    please | that'd be wonderful | that would be nice | that'd be lovely | great | perfect | lovely | good | works \
    for me | sounds good | brilliant | go for it | deal | thank you | thanks | yes do | do please | super | genial | \
    perfecto | parfait | prima | perfetto | ótimo | is perfect | is good | is great | is fine",
);

/// Words of one who has got what another one was to give.
pub static RECEIPTS: WordList = WordList::of_phrases(
    "i got the | i got your | i've got your | i have your | i received | i've received | came back | has arrived | it \
    came | they arrived | thanks for the | thank you for the | thank you for sending | thanks for sending | your \
    accounts | came through",
);

/// How somebody takes something on, by weight.
pub static PROMISES: Weighed = Weighed::of(&[
    (10.0, "i'll | i will | i shall | will be with you"),
    (
        9.0,
        "i'm going to | i am going to | i'm gonna | leave it with me | leave that with me | you'll have | you'll get | \
        you will have | you will get | mach ich | ich kümmere | je vais | je m'en | me encargo | ci penso io | deixa \
        comigo | ik zal | 私が | 僕が | 我来 | 제가 | i only have to | i said i'd | i still owe | le restituisco | isso trato eu \
        | mando-te",
    ),
    (
        8.0,
        "ill do | i need to | i have to | i've to | i've got to | i gotta | i must | i promised | i owe | consider it \
        done | it's on me | my action | i volunteer | i'm taking | i'm sending | bin dran | je dois | te mando | os \
        mando | le mando | lo hago | lo subo | voy a | tengo que | los subo | las subo | lo faccio | ti mando | vi mando \
        | vou | eu faço | doe ik | ik ga | zrobię | wyślę | naprawię | pošlu | udělám | zařídím | yaparım | 我会 | 할게요 | \
        드릴게요 | give me until | be with you | quote's with you | i said ok | i'd need to | i countersign",
    ),
    (
        7.0,
        "i can | lemme | je peux | ich kann | puedo | posso | ik kan | i should | i offered | i'd do | i'd send | i'm on | let me | on me | will do | that's me | that's mine | \
        it's mine | put me down | i take | on my list | devo | やります | from me | is with you | i'd chase | i write | i \
        sign | i check | i read | i cover | i send",
    ),
    (
        6.0,
        "on it | you'd get | you'd have | you get it | remind me | ich | je | yo | io | eu | preciso | ik | jag | ja to | \
        겠습니다 | i ask | i promise | i said i",
    ),
    (
        5.0,
        "i could | i want to | you have it | my job | can do | i do | count me in | you'll see | i was going to | in my \
        diary | bei mir | j' | ben | main | maine",
    ),
    (4.0, "i'd like to | i'd rather | me to | happy to | we'll | we will | 我 | i'd"),
    (3.0, "mine | back to you | my end | deal"),
    (2.0, "wir | nous | i'm | i've"),
]);

/// How the one spoken to is asked, by weight.
pub static REQUESTS: Weighed = Weighed::of(&[
    (10.0, "you will have to | you'll have to"),
    (
        9.0,
        "you'll need to | need you to | want you to | like you to | ask you to | asking you to | i need to know | what i \
        still need | i'd ask you",
    ),
    (
        8.0,
        "can you | could you | would you | will you | get you to | let me have | kannst du | könntest du | können sie | \
        könnten sie | machst du | würdest du | würden sie | schicken sie | tu peux | peux-tu | pourrais-tu | vous pouvez \
        | pouvez-vous | pourriez-vous | tu m'envoies | tu t'en | il faudrait que vous | envoyez-moi | puedes | podrías | \
        puede usted | me mandas | puoi | potresti | mi mandi | você pode | podes | kun je | kan je | kunt u | wil je | \
        kan du | kunde du | możesz | mógłbyś | můžeš | yapabilir misin | もらえますか | いただけますか | 你能 | le chiedo | mi gira | \
        tell me by",
    ),
    (
        7.0,
        "you need to | you have to | you must | you take | you send | are you able | do you mind | i need your | i'd be \
        grateful | i'd appreciate | that's you | that's yours | over to you | du musst | sie müssen | tu dois | podría | \
        tienes que | mándame | mándamelas | necesito que | me pasas | mi manda | devi | potrebbe | me manda | můžete | \
        お願い | してください | 你可以 | 주실 | mi dovrebbe | send it to me",
    ),
    (
        6.0,
        "you should | you could | you will | let me know | send me | you mind | i'd need | i'd like a | i'd like the | \
        i'd like it | i want it | i want the | i need to have | i still need | you? | from you | can i get | can i have \
        | could i get | could i have | schick mir | merci de | s'il te plaît | s'il vous plaît | il me faut | tu me | \
        può | consegue | stuur me | możecie | mısın | misin | 麻烦 | 주세요 | 해줄 | 부탁 | you each",
    ),
    (
        5.0,
        "can't you | you can | you'll | you might | you do | for you to | please | pls | let us know | get me | give me | \
        bring me | i need the | i need it | i'd want | i want a | is you | don't forget | bitte | gib mir | por favor | \
        per favore | pode | lütfen | 请 | puede | to me by",
    ),
    (4.0, "tell me | i need a | you as | your side | make sure | remember to | haz | prosím"),
    (3.0, "with you | yours"),
    (2.0, "so you | can we get | you both | du | tu"),
]);
