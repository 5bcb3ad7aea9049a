//! Who wrote what to whom in a mail and in the mails that it quotes.

use super::samples::MAIL;
use super::{lines, reading};
use gleaner_extract::reader::Kind;

#[test]
fn a_mail_and_what_it_quotes_have_each_their_sender_and_addressee() {
    let transcript = reading("email", MAIL);
    let said = [
        "Samir Toumi: Hi Gretchen,",
        "Samir Toumi: please book the room for the panel on Thursday, the big one if it is still free.",
        "Samir Toumi: Best wishes",
        "Samir Toumi: Samir",
        "Samir Toumi: --",
        "Samir Toumi: Samir Toumi | Engineering",
        "Gretchen Vail: Hi Samir,",
        "Gretchen Vail: I'll hold both rooms until you tell me which.",
    ];
    assert_eq!(lines(&transcript), said);
    let last = transcript.utterances.last().unwrap();
    assert_eq!((last.kind, last.quoted), (Kind::Mail, 1));
    let envelope = &transcript.envelopes[0];
    assert_eq!(envelope.to[0].email, Some("g@n.example"));
    assert_eq!(envelope.cc[0].name.as_deref(), Some("Minh Vo"));
    assert_eq!(envelope.greeted, ["Gretchen"]);
    assert_eq!(transcript.envelopes[1].greeted, ["Samir"]);
}

#[test]
fn heads_and_quotes_are_known_in_german_french_and_behind_dividers() {
    let german = "Von: Frauke Detjen <f@h.example>\nAn: Torsten Kühnel <t@n.example>\nGesendet: Mittwoch\nBetreff: AW: Angebot\n\n\
        Hallo Herr Kühnel,\n\nbitte schicken Sie mir die Liste.\n\nFreundliche Grüße\nFrauke Detjen\n\n\
        Am 04.05.2026 um 16:02 schrieb Torsten Kühnel:\n> Hallo Frau Detjen,\n> anbei das Angebot.\n";
    let said = lines(&reading("email", german));
    assert_eq!(said[1], "Frauke Detjen: bitte schicken Sie mir die Liste.");
    assert_eq!(said.last().unwrap(), "Torsten Kühnel: anbei das Angebot.");

    let french = "De : Apolline W <a@c.example>\nÀ : Thibault N <t@f.example>\nObjet : RE: Devis\n\nBonjour Thibault,\n\nmerci.\n\n\
        -----Message d'origine-----\nDe : Thibault N\nÀ : Apolline W\nObjet : Devis\n\nBonjour,\nje vous envoie le plan.\n";
    let transcript = reading("email", french);
    let last = transcript.utterances.last().unwrap();
    assert_eq!((last.speaker.as_deref(), last.quoted), (Some("Thibault N"), 1));
}

#[test]
fn a_postscript_after_the_signature_belongs_to_the_mail() {
    let mail = "From: A Bee <a@b.example>\nTo: C Dee <c@d.example>\nSubject: x\n\nHi C,\n\nsee below.\n\nThanks,\nA\n\nPS: please call Sam.\n";
    let transcript = reading("email", mail);
    let last = transcript.utterances.last().unwrap();
    assert_eq!((last.kind, last.text.as_str()), (Kind::Mail, "PS: please call Sam."));
}

#[test]
fn a_letter_without_a_head_is_from_whom_it_is_signed_by() {
    let letter = "Emrys,\n\nthe balancer fell over. Please get the certificate issued by Wednesday.\n\nPhilippa\n";
    let transcript = reading("email", letter);
    assert_eq!(transcript.utterances[1].speaker.as_deref(), Some("Philippa"));
    assert_eq!(transcript.envelopes[0].greeted, ["Emrys"]);
}

#[test]
fn a_letter_is_from_whom_its_own_signature_names_and_not_what_it_quotes() {
    let letter = "Hi Hannah,\n\nI'll bring the tables.\n\nBest,\nAnna Berg\nPresident\n\nSent from my iPhone\n\n\
        On Mon, 9 Mar 2026 at 16:20, Hannah Weiss <h@x.example> wrote:\n> Hi Anna, could you bring the tables?\n> Hannah\n";
    let said = [
        "Anna Berg: Hi Hannah,",
        "Anna Berg: I'll bring the tables.",
        "Anna Berg: Best,",
        "Anna Berg: Anna Berg",
        "Anna Berg: President",
        "Hannah Weiss: Hi Anna,",
        "Hannah Weiss: could you bring the tables?",
        "Hannah Weiss: Hannah",
    ];
    assert_eq!(lines(&reading("email", letter)), said);
}

#[test]
fn a_short_letter_may_forward_a_mail_with_its_head() {
    let forward =
        "FYI\n\nFrom: Eileen Prowse <e@x.example>\nSent: Wednesday\nTo: Lea Roth\nSubject: Lamp\n\nPlease refund me.\n";
    let transcript = reading("email", forward);
    assert_eq!(lines(&transcript), ["-: FYI", "Eileen Prowse: Please refund me."]);
    assert_eq!(transcript.envelopes[1].to[0].name.as_deref(), Some("Lea Roth"));
}

#[test]
fn what_is_answered_line_by_line_was_said_by_the_other() {
    let mail = "From: Nora W <n@x.example>\nTo: Tobias F <t@x.example>\nSubject: Re: list\n\n> Please check the list.\nDone.\n";
    assert_eq!(lines(&reading("email", mail)), ["Tobias F: Please check the list.", "Nora W: Done."]);
    let quoted = mail.replace("Done.\n", "");
    assert_eq!(lines(&reading("email", &quoted)), ["Nora W: Please check the list."]);
}

#[test]
fn what_a_mail_says_of_itself_is_not_part_of_it() {
    let mail = "Please send the list.\n\nThanks & Regards,\nSunita Krishnan\n\n\
        This message may be confidential. Please delete it if you are not the recipient.\n";
    let said = ["Please send the list.", "Thanks & Regards,", "Sunita Krishnan"]
        .map(|line| format!("Sunita Krishnan: {line}"));
    assert_eq!(lines(&reading("email", mail))[..3], said);
    let away = "I am out of the office until Monday.\nIn urgent cases please call Tom.\n\nBest,\nAmelie\n";
    assert_eq!(lines(&reading("email", away)), ["Amelie: Best,", "Amelie: Amelie"]);
}

#[test]
fn what_a_heading_says_ends_with_its_mail() {
    let text = "From: Ines Roth <i@n.example>\nTo: Pavel Sobol <p@n.example>\nSubject: Re: fair\n\nHi Pavel,\n\nDone:\n\
        - stand booked\n- badges printed\n\nOn 4 May 2026, Pavel Sobol wrote:\n> - order the lamps\n> - call the carrier\n";
    let transcript = reading("email", text);
    let entries: Vec<_> = transcript
        .utterances
        .iter()
        .filter(|one| matches!(one.kind, Kind::Bullet | Kind::CheckBox { .. }))
        .map(|one| (one.kind == Kind::CheckBox { done: true }, one.text.as_str(), one.section.is_some()))
        .collect();
    let expected = [
        (true, "stand booked", true),
        (true, "badges printed", true),
        (false, "order the lamps", false),
        (false, "call the carrier", false),
    ];
    assert_eq!(entries, expected);
}
