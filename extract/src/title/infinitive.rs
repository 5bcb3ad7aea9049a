//! The infinitive of a verb as its speaker says it, "ik bel" and "j'envoie", by the grammar of its language and its most
//! common strong verbs. English is in [`super::verb`].

use crate::word_list::{PairList, WordList};

/// The infinitive of a verb in the first person of the present, lower case; `language` is BCP 47.
pub(super) fn of_first(verb: &str, language: &str) -> Option<String> {
    let table = match language.get(..2)? {
        "de" => return german_first(verb),
        "nl" => return Some(dutch(verb)),
        "fr" => &FRENCH,
        "es" => &SPANISH,
        "it" => &ITALIAN,
        "pt" => &PORTUGUESE,
        _ => return None,
    };
    let strong =
        table.all().iter().find_map(|(form, infinitive)| Some([verb.strip_suffix(form)?, *infinitive].concat()));
    strong.or_else(|| {
        let (ending, plain) = match language.get(..2)? {
            "fr" => return french(verb),
            "it" => ("o", "are"),
            _ => ("o", "ar"),
        };
        Some([verb.strip_suffix(ending)?, plain].concat())
    })
}

/// The infinitive of a verb in the first person of the future: "enverrai", "mandaré", "manderò", "mandarei".
pub(super) fn of_future(verb: &str, language: &str) -> Option<String> {
    let (table, ending) = match language.get(..2)? {
        "fr" => (&FRENCH_FUTURE, "rai"),
        "es" => (&SPANISH_FUTURE, "ré"),
        "it" => (&ITALIAN_FUTURE, "erò"),
        "pt" => (&PORTUGUESE_FUTURE, "rei"),
        _ => return None,
    };
    if let Some(infinitive) = table.get(verb) {
        return Some(infinitive.to_owned());
    }
    let stem = verb.strip_suffix(ending).filter(|stem| stem.chars().count() > 2)?;
    Some(match language.get(..2)? {
        "it" => format!("{stem}are"),
        "fr" if !stem.ends_with(['e', 'i']) => format!("{stem}re"),
        _ => format!("{stem}r"),
    })
}

/// Whether a word in -o is rather a participle or an adjective made of one: "listo", "scoperto".
pub(super) fn is_participle(word: &str) -> bool {
    ["ado", "ido", "ato", "ito", "uto", "erto", "esto", "isto", "anco"].iter().any(|ending| word.ends_with(ending))
}

/// The infinitive of a German or Dutch verb in the third person of the present: "prüft", "liest", "belt".
pub(super) fn of_third(verb: &str, language: &str) -> Option<String> {
    if language.starts_with("nl") {
        return Some(dutch(verb.strip_suffix('t')?));
    }
    // Who is ill does nothing.
    if matches!(verb, "ist" | "hat") {
        return None;
    }
    let strong = GERMAN_THIRD.get(verb).map(str::to_owned);
    // "gesagt", "gemacht": what was done, not what somebody does.
    let done = verb.starts_with("ge") && verb.chars().count() > 5;
    strong.or_else(|| {
        if done {
            return None;
        }
        let stem = verb.strip_suffix("et").filter(|stem| stem.ends_with(['t', 'd', 'n', 'm']));
        Some(german(stem.or_else(|| verb.strip_suffix('t'))?))
    })
}

/// Forms, or the ends of forms, and what their infinitives end in.
static FRENCH: PairList = PairList::of(
    "fais=faire prends=prendre mets=mettre dis=dire vois=voir écris=écrire inscris=inscrire lis=lire ponds=pondre \
    rends=rendre tends=tendre perds=perdre viens=venir tiens=tenir ouvre=ouvrir offre=offrir crois=croire \
    reçois=recevoir conduis=conduire produis=produire construis=construire pars=partir sors=sortir sers=servir \
    suis=suivre finis=finir choisis=choisir fournis=fournir remplis=remplir réunis=réunir nis=nir",
);
static SPANISH: PairList = PairList::of(
    "hago=hacer pongo=poner traigo=traer digo=decir salgo=salir vengo=venir tengo=tener escribo=escribir subo=subir \
    leo=leer veo=ver imprimo=imprimir cojo=coger vendo=vender respondo=responder suelvo=solver vuelvo=volver \
    consigo=conseguir pido=pedir sigo=seguir cierro=cerrar pruebo=probar cuento=contar muevo=mover muestro=mostrar \
    meto=meter como=comer abro=abrir parto=partir recibo=recibir decido=decidir añado=añadir traduzco=traducir \
    conduzco=conducir ofrezco=ofrecer agradezco=agradecer corrijo=corregir elijo=elegir atiendo=atender \
    hiervo=hervir coso=coser prometo=prometer acuerdo=acordar recuerdo=recordar cubro=cubrir defino=definir \
    reparto=repartir",
);
static ITALIAN: PairList = PairList::of(
    "faccio=fare vado=andare do=dare dico=dire scrivo=scrivere leggo=leggere prendo=prendere metto=mettere \
    chiedo=chiedere vedo=vedere rispondo=rispondere isco=ire vengo=venire tengo=tenere sento=sentire apro=aprire \
    chiudo=chiudere colgo=cogliere giungo=giungere vendo=vendere decido=decidere offro=offrire iscrivo=iscrivere \
    risolvo=risolvere muovo=muovere rompo=rompere perdo=perdere discuto=discutere traduco=tradurre pongo=porre \
    propongo=proporre scelgo=scegliere",
);
static PORTUGUESE: PairList = PairList::of(
    "faço=fazer digo=dizer trago=trazer ponho=pôr peço=pedir vejo=ver escrevo=escrever leio=ler respondo=responder \
    venho=vir tenho=ter saio=sair abro=abrir imprimo=imprimir subo=subir recebo=receber vendo=vender \
    resolvo=resolver consigo=conseguir meto=meter como=comer ofereço=oferecer agradeço=agradecer devolvo=devolver \
    corrijo=corrigir traduzo=traduzir reúno=reunir decido=decidir prometo=prometer defino=definir parto=partir \
    acolho=acolher recolho=recolher escolho=escolher",
);
static GERMAN_THIRD: PairList = PairList::of(
    "gibt=geben nimmt=nehmen liest=lesen spricht=sprechen trifft=treffen hält=halten lässt=lassen fährt=fahren \
    trägt=tragen schlägt=schlagen lädt=laden wirft=werfen hilft=helfen sieht=sehen vergisst=vergessen \
    übernimmt=übernehmen bespricht=besprechen verspricht=versprechen erhält=erhalten",
);

/// Whole forms of the future.
static FRENCH_FUTURE: PairList =
    PairList::of("enverrai=envoyer ferai=faire irai=aller verrai=voir viendrai=venir tiendrai=tenir recevrai=recevoir");
static SPANISH_FUTURE: PairList =
    PairList::of("haré=hacer diré=decir pondré=poner vendré=venir tendré=tener saldré=salir");
static ITALIAN_FUTURE: PairList =
    PairList::of("farò=fare darò=dare andrò=andare verrò=venire dirò=dire terrò=tenere vedrò=vedere");
static PORTUGUESE_FUTURE: PairList = PairList::of("farei=fazer direi=dizer trarei=trazer porei=pôr");

/// "demande", "envoie", "appelle", "achète": the verbs in -er.
fn french(verb: &str) -> Option<String> {
    let ends = |ending: &str, infinitive: &str| Some([verb.strip_suffix(ending)?, infinitive].concat());
    let grave = || {
        let letters: Vec<char> = verb.chars().collect();
        let at = letters.len().checked_sub(3).filter(|at| letters[*at] == 'è')?;
        // "achète", "amène", "lève", against "gère" and "complète".
        let mute = ["ach", "am", "m", "l", "enl", "rel", "p", "g"].iter().any(|head| {
            let before: String = letters[..at].iter().collect();
            before == *head && verb != "gère"
        });
        let vowel = if mute { 'e' } else { 'é' };
        let mut infinitive: String = letters[..at].iter().collect();
        infinitive.extend([vowel, letters[at + 1], 'e', 'r']);
        Some(infinitive)
    };
    ends("elle", "eler")
        .or_else(|| ends("jette", "jeter"))
        .or_else(|| ends("oie", "oyer"))
        .or_else(|| ends("uie", "uyer"))
        .or_else(grave)
        .or_else(|| ends("e", "er"))
}

/// The infinitive of a German first person, which ends in -e where its speaker does not swallow that. What ends otherwise is a
/// verb only if it is one that people do swallow: else "ich notfalls" would give a verb that nobody ever said.
fn german_first(verb: &str) -> Option<String> {
    static SWALLOWED: WordList = WordList::of(
        "bau bestell bezahl bring druck fahr frag geb guck hol kauf klär koch kopier kümmer lad lass leg lös mach \
        meld nehm pack prüf putz red reich ruf räum schau schaff schick schieb schreib setz sprech stell stopf such \
        tausch teil trag treff wasch zahl zieh",
    );
    let known = verb.ends_with('e') || verb.ends_with("ier") || SWALLOWED.all().iter().any(|stem| verb.ends_with(stem));
    (known && verb.chars().count() > 3 || verb == "tu")
        .then(|| if verb == "tu" { "tun".to_owned() } else { german(verb) })
}

/// "schicke", "schick", "kümmere", "sammle".
fn german(verb: &str) -> String {
    let liquid = |ending: &str| {
        verb.strip_suffix(ending).filter(|stem| !stem.ends_with(['a', 'e', 'i', 'o', 'u', 'l', 'ü', 'ä', 'ö']))
    };
    match verb {
        _ if verb.ends_with("ere") && verb.len() > 5 => format!("{}n", verb.trim_end_matches('e')),
        _ if liquid("le").is_some_and(|stem| !stem.ends_with('h')) => {
            format!("{}eln", liquid("le").unwrap_or_default())
        }
        _ if verb.ends_with("er") || verb.ends_with("el") => format!("{verb}n"),
        _ if verb.ends_with('e') => format!("{verb}n"),
        _ => format!("{verb}en"),
    }
}

/// "bel" of "bellen", "maak" of "maken", "schrijf" of "schrijven".
fn dutch(verb: &str) -> String {
    let vowel = |letter: char| matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u' | 'y');
    let letters: Vec<char> = verb.chars().collect();
    let [head @ .., before, last] = letters.as_slice() else { return verb.to_owned() };
    if vowel(*last) {
        // "doe", "zie"; "ga" and "sta" have two vowels.
        return if vowel(*before) { format!("{verb}n") } else { format!("{verb}{last}n") };
    }
    let stem: String = head.iter().collect();
    let long = vowel(*before) && head.last().is_some_and(|letter| vowel(*letter));
    let double = long && head.last() == Some(before);
    let soft = match last {
        'f' if long || *before == 'j' || matches!(*before, 'r' | 'l') => 'v',
        's' if long || *before == 'j' => 'z',
        other => *other,
    };
    let syllables = letters.windows(2).filter(|pair| vowel(pair[1]) && !vowel(pair[0])).count()
        + usize::from(letters.first().is_some_and(|first| vowel(*first)));
    let unstressed = syllables > 1 && *before == 'e';
    match () {
        () if double => format!("{stem}{soft}en"),
        () if long => format!("{stem}{before}{soft}en"),
        () if vowel(*before) && !unstressed => format!("{verb}{last}en"),
        () => format!("{stem}{before}{soft}en"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(language: &str, verbs: &[(&str, &str)]) {
        for (verb, infinitive) in verbs {
            assert_eq!(of_first(verb, language).as_deref(), Some(*infinitive), "{language} {verb}");
        }
    }

    #[test]
    fn verbs_are_put_into_the_infinitive() {
        let german = [("schicke", "schicken"), ("mach", "machen"), ("kümmere", "kümmern"), ("sammle", "sammeln")];
        check("de", &german);
        check("de", &[("stelle", "stellen"), ("hole", "holen"), ("erledige", "erledigen"), ("kläre", "klären")]);
        let dutch = [("bel", "bellen"), ("maak", "maken"), ("stuur", "sturen"), ("schrijf", "schrijven")];
        check("nl", &dutch);
        check("nl", &[("boek", "boeken"), ("regel", "regelen"), ("doe", "doen"), ("ga", "gaan"), ("lees", "lezen")]);
        check("nl", &[("haal", "halen"), ("zet", "zetten"), ("vraag", "vragen"), ("print", "printen")]);
        check("fr", &[("appelle", "appeler"), ("envoie", "envoyer"), ("demande", "demander"), ("achète", "acheter")]);
        check("fr", &[("fais", "faire"), ("réponds", "répondre"), ("gère", "gérer"), ("transmets", "transmettre")]);
        check("es", &[("llamo", "llamar"), ("imprimo", "imprimir"), ("hago", "hacer"), ("mando", "mandar")]);
        check("it", &[("mando", "mandare"), ("spedisco", "spedire"), ("scrivo", "scrivere")]);
        check("pt", &[("levo", "levar"), ("peço", "pedir"), ("faço", "fazer")]);
        let future = [("fr", "enverrai", "envoyer"), ("fr", "demanderai", "demander"), ("fr", "prendrai", "prendre")];
        let more = [("es", "mandaré", "mandar"), ("it", "manderò", "mandare"), ("pt", "mandarei", "mandar")];
        for (language, verb, infinitive) in future.into_iter().chain(more) {
            assert_eq!(of_future(verb, language).as_deref(), Some(infinitive), "{verb}");
        }
        let third = [("prüft", "prüfen"), ("erneuert", "erneuern"), ("liest", "lesen"), ("arbeitet", "arbeiten")];
        for (verb, infinitive) in third {
            assert_eq!(of_third(verb, "de").as_deref(), Some(infinitive), "{verb}");
        }
        assert_eq!(of_third("belt", "nl").as_deref(), Some("bellen"));
        for word in ["notfalls", "nich", "hinweisen", "hab"] {
            assert_eq!(of_first(word, "de"), None, "{word} is no first person");
        }
        assert_eq!(of_third("gesagt", "de"), None);
        assert_eq!(of_third("ist", "de"), None);
    }
}
