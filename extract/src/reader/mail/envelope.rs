//! The head of a mail: who wrote it to whom, about what.

use std::borrow::Cow;

use crate::reader::lines::TextLine;
use crate::word_list::WordList;

/// One party of a mail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Address<'a> {
    /// The name, first name first.
    pub name: Option<Cow<'a, str>>,
    /// The address.
    pub email: Option<&'a str>,
}

/// The head of a mail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Envelope<'a> {
    /// Who wrote it.
    pub from: Option<Address<'a>>,
    /// To whom.
    pub to: Vec<Address<'a>>,
    /// To whom for information.
    pub cc: Vec<Address<'a>>,
    /// Whom the greeting names, as written.
    pub greeted: Vec<&'a str>,
    /// What it is about.
    pub subject: Option<&'a str>,
    /// The words that say when it was sent, among others perhaps.
    pub sent: Option<&'a str>,
}

/// The fields that are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Who wrote it.
    From,
    /// To whom.
    To,
    /// To whom for information, openly or not.
    Cc,
    /// When.
    Date,
    /// What it is about.
    Subject,
    /// Any other that has to do with mail.
    Other,
}

/// What the fields of a head are called, in lower case.
static FROM: WordList = WordList::of_phrases(
    "from | von | de | da | van | od | fra | från | kimden | gönderen | lähettäjä | 差出人 | 发件人 | 寄件者 | \
    보낸 사람 | от | expéditeur | remitente | mittente | feladó",
);
static TO: WordList = WordList::of_phrases(
    "to | an | à | para | a | aan | do | komu | til | till | kime | alıcı | 宛先 | 收件人 | 收件者 | 받는 사람 | кому | \
    destinataire | destinatario | címzett",
);
static CC: WordList = WordList::of_phrases(
    "cc | bcc | kopie | copie | copia | cópia | kopia | kopi | bilgi | 참조 | 抄送 | копия | cci | dw",
);
static DATE: WordList = WordList::of_phrases(
    "date | sent | datum | gesendet | envoyé | fecha | enviado | enviado el | enviada em | data | inviato | verzonden | \
    dato | sendt | skickat | wysłano | odesláno | tarih | gönderildi | 日付 | 送信日時 | 发送时间 | 日期 | 보낸 날짜 | \
    дата | sent on",
);
static SUBJECT: WordList = WordList::of_phrases(
    "subject | betreff | objet | asunto | oggetto | assunto | onderwerp | emne | ämne | temat | předmět | konu | 件名 | \
    主题 | 主旨 | 제목 | тема",
);
static OTHER: WordList = WordList::of_phrases(
    "reply-to | message-id | in-reply-to | references | mime-version | content-type | importance | priority | \
    attachments | anlagen | list-id | x-mailer | return-path | received | delivered-to | wichtigkeit",
);
/// Prefixes of a subject that answers.
static ANSWERS: WordList = WordList::of("re aw rv r sv antw odp res ynt 回复 返信");

/// The field that a line gives, and where its value begins.
pub fn field(line: &str) -> Option<(Field, usize)> {
    let bare = line.trim_start_matches(['*', '_']);
    let colon = bare.char_indices().take(20).find(|(_, character)| matches!(character, ':' | '：'))?;
    let name = bare[..colon.0].trim_end_matches([' ', '\u{a0}', '*', '_']).to_lowercase();
    let kinds = [
        (&FROM, Field::From),
        (&TO, Field::To),
        (&CC, Field::Cc),
        (&DATE, Field::Date),
        (&SUBJECT, Field::Subject),
        (&OTHER, Field::Other),
    ];
    let found = kinds.into_iter().find(|(names, _)| names.has(&name))?;
    let value = line.len() - bare.len() + colon.0 + colon.1.len_utf8();
    let rest = &line[value..];
    Some((found.1, value + rest.len() - rest.trim_start_matches([' ', '\t', '*', '\u{a0}']).len()))
}

impl<'a> Envelope<'a> {
    /// Reads a head off the lines that begin with it; says how many lines it takes.
    pub fn read(lines: &[TextLine<'a>]) -> (Self, usize) {
        let mut envelope = Self::default();
        let mut last = Field::Other;
        let mut taken = 0;
        for whole in lines {
            let line = whole.trimmed();
            if line.text.is_empty() {
                break;
            }
            let folded = whole.indent() > 0 && taken > 0;
            match field(line.text).filter(|_| !folded) {
                Some((field, value)) => {
                    last = field;
                    envelope.take(field, &line.text[value..]);
                }
                None if folded => envelope.take(last, line.text),
                None => break,
            }
            taken += 1;
        }
        (envelope, taken)
    }

    fn take(&mut self, field: Field, value: &'a str) {
        match field {
            Field::From => self.from = self.from.take().or_else(|| Address::read(value)),
            Field::To => self.to.extend(addresses(value)),
            Field::Cc => self.cc.extend(addresses(value)),
            Field::Subject => self.subject = self.subject.or(Some(value)),
            Field::Date => self.sent = self.sent.or(Some(value)),
            Field::Other => {}
        }
    }

    /// How many times over the subject says that it answers.
    pub fn answers(&self) -> usize {
        let parts = self.subject.unwrap_or_default().split(':').map(|part| part.trim().to_lowercase());
        parts.take_while(|part| ANSWERS.has(part)).count()
    }
}

/// The parties of a list. Semicolons part them; commas do where no name is written last name first.
fn addresses(list: &str) -> impl Iterator<Item = Address<'_>> {
    let reversed = list.split(',').count() == 2
        && !list.contains(['@', ';'])
        && list.split(',').all(|part| !part.trim().contains(' '));
    let separator = if list.contains(';') || reversed { ';' } else { ',' };
    list.split(separator).filter_map(Address::read).take(100)
}

impl<'a> Address<'a> {
    /// Reads `Name <address>`, `address`, `Name`, `Last, First <address>`, `Name (Role)`.
    pub fn read(text: &'a str) -> Option<Self> {
        let text = text.trim().trim_end_matches(':').trim();
        let (name, email) = match text.split_once(['<', '[']) {
            Some((name, rest)) => {
                (name, Some(rest.trim_start_matches("mailto:").split(['>', ']']).next().unwrap_or(rest)))
            }
            None if text.contains('@') && !text.contains(' ') => ("", Some(text)),
            None => (text, None),
        };
        let name = name.split('(').next().unwrap_or(name).trim().trim_matches(['"', '\'', '*', ' ']);
        let email = email.map(str::trim).filter(|email| email.contains('@'));
        let name = (!name.is_empty() && name.len() <= 120).then(|| first_name_first(name));
        (name.is_some() || email.is_some()).then_some(Self { name, email })
    }

    /// Whether it is a list or an office that several people read.
    pub fn is_group(&self) -> bool {
        static GROUPS: WordList = WordList::of(
            "all team everyone staff group users alle undisclosed recipients parents members residents support info \
            office sales service helpdesk",
        );
        static MAILBOXES: WordList = WordList::of("list lists dev announce help contact hello");
        if let Some(name) = self.name.as_deref() {
            return name.split([' ', '-', ':', ';']).any(|word| GROUPS.has(&word.to_lowercase()));
        }
        let email = self.email.unwrap_or_default().to_lowercase();
        let mut words = email.split('@').next().unwrap_or_default().split(['-', '.', '_']);
        email.contains("@lists.") || words.any(|word| GROUPS.has(word) || MAILBOXES.has(word))
    }

    /// The name, or the address where there is none.
    pub fn label(&self) -> Option<Cow<'a, str>> {
        self.name.clone().or(self.email.map(Cow::Borrowed))
    }
}

fn first_name_first(name: &str) -> Cow<'_, str> {
    match name.split_once(", ") {
        Some((last, first)) if !first.contains(',') => Cow::Owned(format!("{first} {last}")),
        _ => Cow::Borrowed(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_known_in_many_languages() {
        assert_eq!(field("Von: Frauke"), Some((Field::From, 5)));
        assert_eq!(field("À : Thibault"), Some((Field::To, 5)));
        assert_eq!(field("**Subject:** plan"), Some((Field::Subject, 13)));
        assert_eq!(field("件名：計画"), Some((Field::Subject, 9)));
        assert_eq!(field("Note: plan"), None);
    }

    #[test]
    fn addresses_are_read_in_every_order() {
        let read = |text| addresses(text).map(|one| (one.name.map(Cow::into_owned), one.email)).collect::<Vec<_>>();
        assert_eq!(
            read("Sam K <s@k.example>; x@y.example"),
            [(Some("Sam K".into()), Some("s@k.example")), (None, Some("x@y.example"))]
        );
        assert_eq!(read("Yilmaz, Cem"), [(Some("Cem Yilmaz".into()), None)]);
        assert_eq!(
            read("Ikechukwu Nwosu, Annelies De"),
            [(Some("Ikechukwu Nwosu".into()), None), (Some("Annelies De".into()), None)]
        );
    }

    #[test]
    fn lists_and_offices_are_no_people() {
        let is_group = |text| Address::read(text).is_some_and(|one| one.is_group());
        for group in ["Undisclosed recipients", "undisclosed-recipients:;", "Parents 4B", "<support@b.example>"] {
            assert!(is_group(group), "{group}");
        }
        assert!(
            !is_group("Dev Patel <d@b.example>")
                && !is_group("Eileen Prowse <info@prowse.example>")
                && !is_group("e.prowse@b.example")
        );
    }
}
