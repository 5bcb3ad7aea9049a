//! A small conversation in each language: what one asks and the other promises is found with its owner and its day; a
//! musing beside it is not.

use crate::tasks_of;

/// Checks that all tasks of a text belong to an owner and a day, that there is one, and that none rests on the last line.
fn promised(language: &str, owner: &str, due: &str, text: &str) {
    let tasks = tasks_of("meeting", text).tasks;
    let told: Vec<_> =
        tasks.iter().map(|task| (task.owner.as_deref(), task.due.as_ref().map(|due| due.date))).collect();
    assert!(!tasks.is_empty(), "{language}: nothing found");
    let day = due.parse().unwrap();
    assert!(told.iter().all(|found| *found == (Some(owner), Some(day))), "{language}: {told:?}");
    let musing = text.lines().last().unwrap().split_once(": ").unwrap().1;
    let quotes: Vec<_> = tasks.iter().flat_map(|task| &task.evidence).map(|quote| quote.text.as_str()).collect();
    assert!(!quotes.iter().any(|quote| musing.contains(quote)), "{language}: {quotes:?}");
}

#[test]
fn a_promise_is_found_in_german() {
    promised(
        "de",
        "Ben Koch",
        "2026-03-06",
        "Anna Weber: Guten Morgen zusammen.\nAnna Weber: Ben, kannst du mir bitte bis Freitag den Vertrag schicken?\n\
         Ben Koch: Ja, mach ich, ich schicke dir den Vertrag bis Freitag.\n\
         Anna Weber: Man könnte irgendwann auch mal das Büro neu streichen.",
    );
}

#[test]
fn a_promise_is_found_in_french() {
    promised(
        "fr",
        "Paul Morel",
        "2026-03-06",
        "Claire Petit: Bonjour à tous.\nClaire Petit: Paul, tu peux m'envoyer le contrat avant vendredi ?\n\
         Paul Morel: Oui, je t'envoie le contrat vendredi.\n\
         Claire Petit: On pourrait aussi repeindre le bureau un jour, qui sait.",
    );
}

#[test]
fn a_promise_is_found_in_spanish() {
    promised(
        "es",
        "Luis Ortega",
        "2026-03-06",
        "Carmen Vidal: Buenos días a todos.\nCarmen Vidal: Luis, ¿puedes mandarme el contrato antes del viernes?\n\
         Luis Ortega: Sí, te mando el contrato el viernes.\n\
         Carmen Vidal: Algún día podríamos pintar la oficina, quién sabe.",
    );
}

#[test]
fn a_promise_is_found_in_italian() {
    promised(
        "it",
        "Marco Riva",
        "2026-03-06",
        "Giulia Conti: Buongiorno a tutti.\nGiulia Conti: Marco, puoi mandarmi il contratto entro venerdì?\n\
         Marco Riva: Sì, ti mando il contratto entro venerdì.\n\
         Giulia Conti: Un giorno si potrebbe anche ridipingere l'ufficio, chissà.",
    );
}

#[test]
fn a_promise_is_found_in_portuguese() {
    promised(
        "pt",
        "Rui Tavares",
        "2026-03-06",
        "Marta Nunes: Bom dia a todos.\nMarta Nunes: Rui, você pode me mandar o contrato até sexta-feira?\n\
         Rui Tavares: Sim, eu mando o contrato até sexta-feira.\n\
         Marta Nunes: Talvez um dia se possa pintar o escritório, se houver tempo.",
    );
}

#[test]
fn a_promise_is_found_in_dutch() {
    promised(
        "nl",
        "Bram Visser",
        "2026-03-06",
        "Sanne Dekker: Goedemorgen allemaal.\nSanne Dekker: Bram, kun je mij voor vrijdag het contract sturen?\n\
         Bram Visser: Ja, ik stuur je het contract voor vrijdag.\n\
         Sanne Dekker: We zouden ooit ook het kantoor eens kunnen schilderen.",
    );
}

#[test]
fn boxes_and_labels_are_found_in_japanese_and_chinese() {
    for text in ["# 定例\n\n- [ ] @佐藤 見積書を送る（3月6日まで）\n", "# 周会\n\n- [ ] @李娜 发送合同（3月6日之前）\n"]
    {
        let tasks = tasks_of("note", text).tasks;
        assert_eq!(tasks.len(), 1, "{text}");
        assert!(tasks[0].owner.is_some(), "{text}");
        assert_eq!(tasks[0].due.as_ref().map(|due| due.date.to_string()).as_deref(), Some("2026-03-06"), "{text}");
    }
}
