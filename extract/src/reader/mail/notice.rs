//! What a mail says of itself: notices under it, and answers that no person wrote.

use crate::word_list::WordList;

/// The mail itself, in its own words; "e-mail" and "email" count as "mail".
static THIS: WordList = WordList::of_phrases(
    "this mail | this message | diese mail | dieser mail | diese nachricht | ce message | ce mail | cet mail | \
    ce courriel | este mensaje | este correo | questo messaggio | questa mail | esta mensagem | este mail | \
    dit bericht | deze mail",
);
/// What notices say of it.
static ABOUT: WordList = WordList::of_phrases(
    "recipient | addressee | in error | confidential | privileged | virus | notify the sender | to add a comment | \
    to add additional comments | to add comments | outside of the organi | adressat | empfänger | irrtümlich | \
    vertraulich | destinataire | confidentiel | destinatari | confidencial | destinatário | riservat | geadresseerde | \
    vertrouwelijk",
);
/// Before one does something, prints, and what that harms.
static BEFORE: WordList = WordList::of("before bevor avant antes prima voordat");
static PRINTING: WordList = WordList::of("print ausdruck imprim stampa afdruk");
static HARMED: WordList = WordList::of_phrases(
    "mail | message | nachricht | mensaje | messaggio | mensagem | bericht | environment | umwelt | environnement | \
    ambiente | milieu",
);
/// How subjects of automatic answers begin.
static ANSWERS: WordList = WordList::of_phrases(
    "automatic reply | auto-reply | autoreply | auto reply | automatische antwort | abwesenheitsnotiz | \
    réponse automatique | respuesta automática | risposta automatica | resposta automática | automatisch antwoord",
);
/// What people say who are away.
static AWAY: WordList = WordList::of_phrases(
    "out of the office | out of office | on annual leave | on leave until | on holiday until | nicht im büro | \
    nicht im haus | außer haus | im urlaub | abwesend | du bureau | en congé | en vacances | absent | \
    fuera de la oficina | de vacaciones | ausente | fuori ufficio | in ferie | assente | fora do escritório | \
    de férias | niet op kantoor | afwezig | met vakantie | met verlof",
);
/// What else such an answer says: thanks, whom to turn to, when it will be answered.
static MEANWHILE: WordList = WordList::of_phrases(
    "urgen | dringend | spoed | immediate | absence | abwesenheit | ausencia | assenza | ausência | afwezigheid | \
    thank you for | thanks for | dank für | merci pour | gracias por | grazie per | obrigado pel | bedankt voor | \
    reply | respond | answer | i am back | i'm back | my return | antwort | zurück | forwarded | weitergeleitet | répond | retour | \
    responder | vuelta | rispond | rientro | regress | terug | beantwoord",
);

/// Whether a paragraph is about the mail that it stands under, and is not part of what that mail says.
pub fn is_notice(paragraph: &str) -> bool {
    let text = plain(sentences(paragraph).next().unwrap_or_default());
    (has(&text, &THIS) && has(&text, &ABOUT)) || (has(&text, &BEFORE) && has(&text, &PRINTING) && has(&text, &HARMED))
}

/// Whether a mail is the answer of a mailbox whose owner is away: its subject says so, or its sentences say nothing else.
pub fn is_automatic<'t>(subject: Option<&str>, paragraphs: impl Iterator<Item = &'t str>) -> bool {
    let subject = subject.unwrap_or_default().to_lowercase();
    if ANSWERS.all().iter().any(|answer| subject.starts_with(answer)) {
        return true;
    }
    let (mut away, mut others) = (false, 0);
    for paragraph in paragraphs {
        for sentence in sentences(paragraph) {
            let text = plain(sentence);
            let says_away = !away && has(&text, &AWAY);
            if !says_away && !has(&text, &MEANWHILE) {
                return false;
            }
            away |= says_away;
            others += usize::from(!says_away);
        }
    }
    away && others > 0
}

/// The sentences of a paragraph, roughly: a point behind a number ends none.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut last = [' '; 2];
    let parts = text.split(move |one: char| {
        let ends = one == '\n'
            || (one == ' ' && (matches!(last[1], '?' | '!') || (last[1] == '.' && !last[0].is_ascii_digit())));
        last = [last[1], one];
        ends
    });
    parts.filter(|part| part.contains(char::is_alphabetic))
}

fn plain(text: &str) -> String {
    text.to_lowercase().replace("e-mail", "mail").replace("email", "mail").replace('’', "'")
}

fn has(text: &str, phrases: &WordList) -> bool {
    phrases.all().iter().any(|phrase| text.contains(phrase))
}

#[cfg(test)]
mod tests {
    use super::{is_automatic, is_notice};

    #[test]
    fn notices_speak_of_their_mail_and_requests_do_not() {
        for notice in [
            "If you are not the intended recipient, please delete this email and notify the sender.",
            "Please consider the environment before printing.",
            "Please check this e-mail for viruses before opening attachments.",
            "Diese E-Mail enthält vertrauliche Informationen. Bitte löschen Sie sie.",
            "Ce message est confidentiel. Merci de le supprimer.",
            "Antes de imprimir este mensaje, piense si es necesario.",
        ] {
            assert!(is_notice(notice), "{notice}");
        }
        for request in [
            "Please print this e-mail and bring it on Monday.",
            "Please check the proofs before printing.",
            "Please reply to this email by Friday.",
            "Please keep this confidential.",
        ] {
            assert!(!is_notice(request), "{request}");
        }
    }

    #[test]
    fn answers_of_those_who_are_away_say_nothing_else() {
        let automatic = |text: &str| is_automatic(None, text.lines());
        assert!(automatic(
            "Thank you for your e-mail. I am out of the office until 16 March.\nIn urgent cases please contact \
             Beatrix Vogel.\nI will reply when I am back."
        ));
        assert!(automatic("Ich bin bis zum 20.03. nicht im Büro. In dringenden Fällen wenden Sie sich an Frau Vogel."));
        assert!(!automatic(
            "I am out of the office next week. Please send me the list before. In urgent cases call Tom."
        ));
        assert!(!automatic("I am out of the office."));
        assert!(is_automatic(Some("Automatic reply: Roof"), "Call Tom.".lines()));
    }
}
