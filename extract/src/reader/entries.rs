//! What the form of a list or a table says of an entry besides its words: that it is done, whose it is, when it is due.

use std::ops::Range;

use super::lines::TextLine;
use crate::feature::token::is_glyph;
use crate::owner::is_common;
use crate::people::given::is_given;
use crate::script::names_actions;
use crate::title::is_verb;
use crate::word_list::WordList;

/// Words that mark an entry as done.
static DONE: WordList = WordList::of(
    "done completed complete closed finished erledigt fertig abgeschlossen fait faite terminé terminée hecho hecha listo \
    terminado fatto fatta finito feito feita concluído gedaan klaar afgerond zrobione hotovo 完了 済 済み 完成 已完成 완료",
);
/// Those of them that a heading may begin with and mean something else.
static ALSO_ELSE: WordList = WordList::of("complete closed finished fertig listo klaar 完成");
/// Signs that mark an entry as done.
const TICKS: [char; 4] = ['✅', '✔', '✓', '☑'];
/// What parts an entry from a word at its end.
const PARTS: [&str; 10] = [" - ", " – ", " — ", " -- ", ": ", ". ", "; ", ", ", " → ", " -> "];
/// What parts a task, a name and a day on one line.
const DASHES: [&str; 6] = [" – ", " — ", " - ", " -- ", " | ", " / "];
/// Longest line that may be a heading, in bytes.
pub const TITLE: usize = 60;
/// Least length in characters of a line that was wrapped.
pub const WRAPPED: usize = 52;

/// What is left of the words of an entry without the mark that it is done; none where there is no such mark. Where `shouted`,
/// a word counts in capitals or brackets alone.
pub fn settled(text: &str, shouted: bool) -> Option<Range<usize>> {
    let range = struck(text).or_else(|| led(text, shouted)).or_else(|| closed(text, shouted))?;
    let words = text.get(range.clone())?;
    let left = words.trim_end_matches([' ', ',', ';', ':', '-', '–', '—']);
    let range = range.start..range.start + left.len();
    left.contains(char::is_alphanumeric).then_some(range)
}

/// `~~entry~~`
fn struck(text: &str) -> Option<Range<usize>> {
    let inner = text.trim_end_matches(['.', ' ']).strip_prefix("~~")?.strip_suffix("~~")?;
    (!inner.contains("~~")).then_some(2..2 + inner.len())
}

/// `DONE: entry`, `[done] entry`, `DONE entry`
fn led(text: &str, shouted: bool) -> Option<Range<usize>> {
    let inner = text.trim_start_matches(['*', '_', '[', '(']);
    let word = inner.split(|letter: char| !letter.is_alphanumeric()).next()?;
    if !is_done(word) || ALSO_ELSE.has(&word.to_lowercase()) {
        return None;
    }
    let behind = inner.get(word.len()..)?;
    let capitals = !word.contains(char::is_lowercase);
    let bracketed = text.starts_with(['[', '(']) && behind.starts_with([']', ')']);
    let labels = [":", "：", " - ", " – ", " — ", "**"].iter().any(|mark| behind.starts_with(mark));
    let rest = behind.trim_start_matches([']', ')', ':', '：', '*', '_', '-', '–', '—', ' ']);
    (bracketed || (labels && (capitals || !shouted)) || (capitals && word.is_ascii() && behind.starts_with(' ')))
        .then(|| text.len() - rest.len()..text.len())
}

/// `entry ✅`, `entry – done`, `entry (done 9/3)`, `entry. Done.`
fn closed(text: &str, shouted: bool) -> Option<Range<usize>> {
    let bare = text.trim_end_matches([' ', '.', '!', '*', '_', '\u{fe0f}']);
    if let Some(rest) =
        bare.strip_suffix(TICKS).or_else(|| bare.strip_suffix("[x]")).or_else(|| bare.strip_suffix("[X]"))
    {
        return Some(0..rest.len());
    }
    let bracket = bare.strip_suffix([')', ']']).and_then(|inner| Some((inner.rfind(['(', '['])?, inner)));
    if let Some((open, inner)) = bracket {
        return marks(&inner[open + 1..], false).then_some(0..open);
    }
    let (at, part) = PARTS.iter().filter_map(|part| bare.rfind(part).map(|at| (at, part))).max()?;
    marks(&bare[at + part.len()..], shouted).then_some(0..at)
}

/// Whether words only say that something is done, and perhaps when.
fn marks(words: &str, shouted: bool) -> bool {
    let mut words = words.split_whitespace();
    let is_mark = words.next().is_some_and(|word| is_done(word) && !(shouted && word.contains(char::is_lowercase)));
    let when: Vec<&str> = words.collect();
    is_mark
        && (when.is_empty()
            || (when.len() <= 3 && when.iter().any(|word| word.contains(|one: char| one.is_ascii_digit()))))
}

fn is_done(word: &str) -> bool {
    DONE.has(&word.to_lowercase())
}

/// Whether a heading says that what stands under it is done.
pub fn settles(heading: &str) -> bool {
    let heading = heading.to_lowercase();
    let mut words = heading.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).peekable();
    let _already =
        words.next_if(|word| matches!(*word, "already" | "bereits" | "schon" | "déjà" | "ya" | "già" | "já" | "al"));
    let first = words.next().unwrap_or_default();
    let rest = words.count();
    DONE.has(first) && rest <= 3 && (rest == 0 || !ALSO_ELSE.has(first))
}

/// The words of an entry behind `TODO`, which programs write before what is open as they write `DONE` before the rest.
pub fn pending(text: &str) -> Option<usize> {
    let words = text.strip_prefix("TODO ")?.trim_start();
    words.starts_with(char::is_alphabetic).then(|| text.len() - words.len())
}

/// The person whose entries stand under a heading: "Jonas", "**Jonas Tan**:", "Tasks for Jonas".
pub fn person(heading: &str) -> Option<&str> {
    let bare = heading.trim_matches(['*', '_', ':', '#', ' ']);
    let name = bare.rsplit_once(" for ").or_else(|| bare.rsplit_once(" für ")).map_or(bare, |(_, name)| name);
    let name = name.trim_start_matches('@');
    is_name(name).then_some(name)
}

/// Whether words are a name whose first is a given one.
fn is_name(words: &str) -> bool {
    let capital = |word: &str| word.starts_with(char::is_uppercase) && !word.contains(|one: char| one.is_ascii_digit());
    words.split(' ').count() <= 3
        && words.split(' ').all(capital)
        && is_given(words.split(' ').next().unwrap_or_default())
}

/// Whether a line is the heading of a list by what it says: of tasks, of what is done, or of a person's.
pub fn is_title(line: &str, people: bool) -> bool {
    let words = line.split_whitespace().count();
    let actions = names_actions(line) && (words <= 3 || (words <= 6 && line.ends_with(':')));
    line.len() <= TITLE
        && !line.ends_with(['.', '?'])
        && (actions || settles(line) || (people && person(line).is_some()))
}

/// Which of the lines of a paragraph is the first entry of a list without bullets: behind a heading, or where all are of one
/// build. `actions`: it stands under a heading of actions; `people`: a name may be a heading.
pub fn listed(lines: &[TextLine<'_>], actions: bool, people: bool) -> Option<usize> {
    let wraps = |pair: &[TextLine<'_>]| {
        pair[0].text.chars().nth(WRAPPED).is_some() && pair[1].text.starts_with(char::is_lowercase)
    };
    if lines.len() < 2 || lines.windows(2).any(wraps) {
        return None;
    }
    let built = |lines: &[TextLine<'_>]| {
        lines.len() > 1
            && (lines.iter().all(|line| leads(line.text)) || lines.iter().all(|line| parts(line.text).is_some()))
    };
    let first = lines[0].text;
    match () {
        () if is_title(first, people) => Some(1),
        () if actions || built(lines) => Some(0),
        () if first.len() <= TITLE && !first.ends_with(['.', ',']) && built(&lines[1..]) => Some(1),
        () => None,
    }
}

/// Whether a line begins with somebody's name and goes on with what they do.
pub fn leads(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().take(6).collect();
    let particle =
        |word: &str| matches!(word, "de" | "del" | "der" | "den" | "van" | "von" | "la" | "el" | "da" | "di");
    let part = |word: &&&str| particle(word) || word.starts_with(char::is_uppercase);
    let name = words.iter().take_while(part).count().min(4);
    let Some(first) = words.first().filter(|first| name > 0 && !is_common(&first.to_lowercase())) else { return false };
    let speaks = line.contains('?') || words.iter().any(|word| matches!(*word, "I" | "I'll" | "I’ll" | "I'm" | "I've"));
    let acts = matches!(words.get(name).copied(), Some("to" | "will" | "must" | "should"));
    let labelled = words[..name].iter().any(|word| word.ends_with(':'));
    let given = is_given(first.trim_end_matches([':', ','])) && words.len() > 1;
    let initials = matches!(first.len(), 2 | 3) && first.bytes().all(|one| one.is_ascii_uppercase());
    let initialled = initials && name == 1 && words.get(1).is_some_and(|act| does(act));
    !speaks && (acts || labelled || given || initialled)
}

/// Whether a word is the verb of somebody else: "orders", "fetches".
fn does(word: &str) -> bool {
    let stems = [word.strip_suffix('s'), word.strip_suffix("es")];
    stems.into_iter().flatten().any(is_verb)
}

/// A task, a name and a day that dashes part: "Book the hall – Pedro – 20 March".
pub fn parts(line: &str) -> Option<[Range<usize>; 3]> {
    let dash = DASHES.iter().find(|dash| line.matches(**dash).count() == 2)?;
    let (first, last) = (line.find(dash)?, line.rfind(dash)?);
    let name = line.get(first + dash.len()..last)?;
    is_name(name).then(|| [0..first, first + dash.len()..last, last + dash.len()..line.len()])
}

/// The name before a full-width colon, and where the words behind it begin: "李：鍵を返却する".
pub fn wide_label(line: &str) -> Option<(&str, usize)> {
    let (name, _) = line.split_once('：')?;
    let is_name = (1..=5).contains(&name.chars().count()) && name.chars().all(is_glyph);
    is_name.then(|| (name, name.len() + '：'.len_utf8()))
}

/// What a column of a table or a line with a label says of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryField {
    /// What is to be done.
    Task,
    /// Who is to do it.
    Owner,
    /// By when.
    Due,
    /// How far it is.
    Status,
}

impl EntryField {
    /// That of a column or a label.
    fn of(label: &str) -> Option<Self> {
        static TASK: WordList = WordList::of_phrases(
            "action | actions | action item | action items | task | tasks | todo | to do | to-do | item | what | deliverable | \
            aufgabe | maßnahme | was | todos | tâche | action à mener | quoi | tarea | acción | qué | attività | azione | cosa | \
            tarefa | ação | o que | taak | actie | actiepunt | wat | zadanie | úkol | タスク | 作業 | 任务 | 事项 | 할 일",
        );
        static OWNER: WordList = WordList::of_phrases(
            "who | owner | responsible | assignee | assigned to | assigned | lead | person | by whom | wer | verantwortlich | \
            zuständig | qui | responsable | quién | quien | chi | responsabile | quem | responsável | wie | verantwoordelijke | \
            vem | kto | kdo | 担当 | 担当者 | 负责人 | 담당 | 담당자",
        );
        static DUE: WordList = WordList::of_phrases(
            "due | due date | due by | deadline | by when | when | by | target date | bis | bis wann | wann | frist | termin | \
            fällig | échéance | date limite | pour quand | quand | fecha límite | plazo | para cuándo | cuándo | scadenza | entro | \
            entro quando | quando | prazo | até quando | tegen | wanneer | termijn | 期限 | 締切 | 截止 | 截止日期 | 기한",
        );
        static STATUS: WordList = WordList::of_phrases(
            "status | state | done | done? | progress | stand | erledigt | erledigt? | statut | état | estado | stato | situação | \
            状態 | 状态 | 상태",
        );
        let label = label.trim_matches(['*', '_', ' ', '"']).to_lowercase();
        let lists = [(&TASK, Self::Task), (&OWNER, Self::Owner), (&DUE, Self::Due), (&STATUS, Self::Status)];
        lists.into_iter().find(|(list, _)| list.has(&label)).map(|(_, field)| field)
    }
}

/// The field that a line names before a colon, and where what it says of it begins.
pub fn labelled(line: &str) -> Option<(EntryField, usize)> {
    let colon = line.char_indices().take(24).find(|(_, letter)| matches!(letter, ':' | '：'))?;
    let field = EntryField::of(&line[..colon.0])?;
    let said = line[colon.0 + colon.1.len_utf8()..].trim_start_matches(['*', '_', ' ']);
    (!said.is_empty()).then(|| (field, line.len() - said.len()))
}

/// Whether a label before a colon says what a line is about, and is nobody who speaks: "Owner", "Due", "ACTION (Jonas)".
pub fn is_field(label: &str) -> bool {
    let first = label.split([' ', '(']).next().unwrap_or_default();
    EntryField::of(label).is_some() || is_done(label) || matches!(first, "action" | "todo" | "task")
}

/// A task as the fields of a row, or of lines with labels, say it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Record<'a> {
    /// What is to be done.
    pub task: Option<TextLine<'a>>,
    /// Who is to do it; empty where that is left open.
    pub owner: Option<&'a str>,
    /// By when.
    pub due: Option<TextLine<'a>>,
    /// Whether it is done.
    pub done: bool,
    /// Whether anything is said of how far it is.
    pub status: bool,
}

impl<'a> Record<'a> {
    /// Whether a field has been said already.
    pub fn has(&self, field: EntryField) -> bool {
        match field {
            EntryField::Task => self.task.is_some(),
            EntryField::Owner => self.owner.is_some(),
            EntryField::Due => self.due.is_some(),
            EntryField::Status => self.status,
        }
    }

    /// Takes in what is said of a field, in place of what was said before.
    pub fn add(&mut self, field: EntryField, said: TextLine<'a>) {
        let open = !said.text.contains(char::is_alphanumeric);
        match field {
            EntryField::Task => self.task = Some(said),
            EntryField::Owner => self.owner = Some(if open { "" } else { said.text }),
            EntryField::Due if open || is_unsettled(said.text) => {}
            EntryField::Due => self.due = Some(said),
            EntryField::Status => (self.done, self.status) = (is_finished(said.text), true),
        }
    }

    /// Whether its lines tell of an event, as invitations do, and of nothing to do: "What: Team lunch", "When: Thursday", or
    /// "What: Budget review" with "Where: Room 4" in the line below.
    pub fn is_event(&self, lines: &[&str], next: &str) -> bool {
        static WHAT: WordList = WordList::of_phrases("what | was | quoi | qué | cosa | o que | wat");
        static WHEN: WordList = WordList::of("when wann quand cuándo quando wanneer");
        static WHERE: WordList = WordList::of(
            "where wo où dónde dove onde waar location place venue ort lieu lugar luogo local locatie plaats",
        );
        let label = |line: &str| {
            let bare = line.trim_start_matches(['-', '*', '•', '_', ' ']);
            bare.split([':', '：']).next().unwrap_or_default().trim_matches(['*', '_', ' ']).to_lowercase()
        };
        let has = |list: &WordList| lines.iter().any(|line| list.has(&label(line)));
        let several = self.owner.is_none_or(|owner| owner.is_empty() || owner.contains([',', '&', ';']));
        let words: Vec<&str> = self.task.map(|task| task.text.split_whitespace().collect()).unwrap_or_default();
        // In English the verb of what is to be done leads; "Board meeting" is none.
        let english = lines.iter().any(|line| label(line) == "when");
        let acts = english && words.first().is_some_and(|first| is_verb(&first.to_lowercase()));
        let somewhere = next.contains(':') && WHERE.has(&label(next));
        let place = somewhere && !(acts && words.len() > 2);
        several && !self.status && has(&WHAT) && has(&WHEN) && (place || english && !acts)
    }

    /// Whether it says more than what is to be done.
    pub fn is_whole(&self) -> bool {
        self.task.is_some() && (self.owner.is_some() || self.due.is_some() || self.status)
    }
}

/// Whether words say that something is not known yet.
pub fn is_unsettled(words: &str) -> bool {
    matches!(
        words.to_lowercase().as_str(),
        "tbd" | "tbc" | "tba" | "n/a" | "n.n." | "none" | "offen" | "open" | "à définir" | "pendiente"
    )
}

/// Whether a status says that all is done.
fn is_finished(status: &str) -> bool {
    let word = status.split([' ', ',', '.']).next().unwrap_or_default();
    let ticked = status.starts_with(TICKS)
        || matches!(word.to_lowercase().as_str(), "x" | "[x]" | "yes" | "ja" | "oui" | "sí" | "100%");
    ticked || is_done(word) || status.starts_with("100 %")
}

/// The columns of a table of tasks.
#[derive(Clone, Debug)]
pub struct Columns {
    mark: char,
    fields: Vec<Option<EntryField>>,
}

impl Columns {
    /// Those that a row names which is the head of such a table.
    pub fn of(row: &str) -> Option<Self> {
        ['|', '\t', ';', ','].into_iter().find_map(|mark| {
            let cells = cells(row, mark);
            if cells.len() < 2 || (mark == ',' && cells.len() < 3) {
                return None;
            }
            let mut fields: Vec<_> = cells.into_iter().map(|cell| EntryField::of(&row[cell])).collect();
            let has = |fields: &[Option<EntryField>], field| fields.contains(&Some(field));
            // What has no name of its own is what is to be done: "Topic | Who | By when".
            if !has(&fields, EntryField::Task) && has(&fields, EntryField::Owner) && has(&fields, EntryField::Due) {
                let other = fields.iter().position(Option::is_none)?;
                fields[other] = Some(EntryField::Task);
            }
            let task = has(&fields, EntryField::Task);
            (task && fields.iter().flatten().count() > 1).then_some(Self { mark, fields })
        })
    }

    /// What a row says.
    pub fn record<'a>(&self, row: TextLine<'a>) -> Option<Record<'a>> {
        let cells = cells(row.text, self.mark);
        if cells.len() < 2 {
            return None;
        }
        let mut record = Record::default();
        for (cell, field) in cells.into_iter().zip(&self.fields) {
            if let Some(field) = field {
                let said = TextLine { start: row.start + cell.start, text: &row.text[cell] };
                record.add(*field, said);
            }
        }
        Some(record)
    }
}

/// Whether a row is the head of a table of people or addresses.
pub fn lists_contacts(row: &str) -> bool {
    static CONTACT: WordList = WordList::of(
        "phone mobile tel email e-mail mail address telefon handy adresse téléphone courriel teléfono correo telefono indirizzo \
        telefone morada telefoon adres 電話 电话",
    );
    cells(row, '|').into_iter().any(|cell| CONTACT.has(&row[cell].trim_matches(['*', '_', ' ']).to_lowercase()))
}

/// The cells of a row, without white space or quotation marks around them, as byte ranges of the row.
pub fn cells(row: &str, mark: char) -> Vec<Range<usize>> {
    let inner = if mark == '|' { row.strip_prefix('|').unwrap_or(row) } else { row };
    let mut start = row.len() - inner.len();
    let whole = if mark == '|' { inner.strip_suffix('|').unwrap_or(inner) } else { inner };
    let mut quoted = false;
    let ends = move |letter: char| {
        quoted ^= letter == '"' && matches!(mark, ',' | ';');
        letter == mark && !quoted
    };
    let cell = |text: &str| {
        let line = TextLine { start, text }.trimmed();
        start += text.len() + 1;
        let bare = line.text.trim_matches('"');
        let offset = line.text.find(bare).unwrap_or_default();
        line.start + offset..line.start + offset + bare.len()
    };
    whole.split(ends).map(cell).collect()
}

/// The parts of an entry's words without the marks of links, tags and days: `[[Mum|my mother]]`, `[the manual](address)`,
/// `#family`, `due:2026-03-20`, `@2026-03-20`.
pub fn unmarked(text: &str) -> Vec<Range<usize>> {
    // Where nothing ends a link any more, none is looked for, else every bracket would be a search to the end.
    let ends = [text.rfind("]]"), text.rfind(')')].map(Option::unwrap_or_default);
    let mut kept = Vec::new();
    let (mut start, mut at) = (0, 0);
    while let Some(letter) = text[at..].chars().next() {
        let (skip, keep) = mark(text, at, ends).unwrap_or_default();
        if skip > 0 {
            kept.extend([start..at, keep]);
            start = at + skip;
        }
        at += skip.max(letter.len_utf8());
    }
    kept.push(start..text.len());
    kept.retain(|range| !range.is_empty());
    kept
}

/// The bytes of a mark that begins at a byte, and what of it is kept; `ends` says where the last link of either kind ends.
fn mark(text: &str, at: usize, ends: [usize; 2]) -> Option<(usize, Range<usize>)> {
    let rest = &text[at..];
    let begins = !text[..at].ends_with(char::is_alphanumeric);
    let is_day = |word: &str| word.len() >= 8 && word.starts_with(|one: char| one.is_ascii_digit());
    if let Some(inner) = rest.strip_prefix("[[").filter(|_| at < ends[0]) {
        let end = inner.find("]]")?;
        let shown = inner[..end].find('|').map_or(0, |bar| bar + 1);
        return Some((end + 4, at + 2 + shown..at + 2 + end));
    }
    if let Some(inner) = rest.strip_prefix('[') {
        let close = inner[..inner.find('[').unwrap_or(inner.len())].find("](")?;
        let end = inner.get(close..).filter(|_| at + close < ends[1])?.find(')')? + close;
        return Some((end + 2, at + 1..at + 1 + close));
    }
    if let Some(tag) = rest.strip_prefix('#').filter(|tag| begins && tag.starts_with(char::is_alphabetic)) {
        let length =
            1 + tag.find(|one: char| !(one.is_alphanumeric() || matches!(one, '-' | '_' | '/'))).unwrap_or(tag.len());
        return Some((length, at..at));
    }
    let sign = ["due:", "@", "📅 "].into_iter().find(|sign| begins && rest.starts_with(sign))?;
    is_day(&rest[sign.len()..]).then_some((sign.len(), at..at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_at_either_end_says_that_an_entry_is_done() {
        for entry in [
            "~~book the coach~~",
            "book the coach ✅",
            "book the coach – DONE",
            "book the coach (done)",
            "book the coach [DONE]",
            "book the coach. Done.",
            "book the coach - done 9/3",
            "DONE: book the coach",
            "[done] book the coach",
            "DONE book the coach",
            "book the coach – erledigt",
        ] {
            assert_eq!(settled(entry, false).map(|range| &entry[range]), Some("book the coach"), "{entry}");
        }
        for entry in
            ["get it done", "Done.", "done, it is on the disk", "finished goods: count them", "send ~~two~~ three"]
        {
            assert_eq!(settled(entry, false), None, "{entry}");
        }
        assert_eq!(settled("Fence: done", true), None);
    }

    #[test]
    fn lines_of_one_build_are_a_list_and_a_paragraph_is_none() {
        let first = |text: &str| listed(&super::super::lines::lines(text, 0).collect::<Vec<_>>(), false, true);
        assert_eq!(first("Pedro to book the hall\nHalima to call the bank"), Some(0));
        assert_eq!(first("Petra Lehmann bestellt Getränke\nJonas Demir mietet das Zelt"), Some(0));
        assert_eq!(first("To do:\ndescale kettle\nring school"), Some(1));
        assert_eq!(first("Jonas Tan\nOpen a trust account"), Some(1));
        assert_eq!(first("We met on Monday.\nThe fence is up."), None);
        assert_eq!(first("Tom, can you ring them?\nAnn: I'll do it"), None);
    }

    #[test]
    fn heads_of_tables_of_tasks_are_told_from_others() {
        for head in [
            "Task\tOwner\tDue",
            "| what | who |",
            "Owner | Task | By when",
            "task,owner,due,status",
            "| Topic | Who | Due |",
        ] {
            assert!(Columns::of(head).is_some(), "{head}");
        }
        for head in ["| Name | Role | Phone |", "| Item | Price |", "we met, we talked, we left", "When | Where"] {
            assert!(Columns::of(head).is_none(), "{head}");
        }
    }

    #[test]
    fn links_tags_and_days_lose_their_marks() {
        for (entry, plain) in [
            ("Call [[Mum]] #family", "Call Mum "),
            ("Call [[Mum|my mother]] about it", "Call my mother about it"),
            ("Read [the manual](https://x.example/m)", "Read the manual"),
            ("Pay rent due:2026-03-20", "Pay rent 2026-03-20"),
            ("Pay rent (@2026-03-20)", "Pay rent (2026-03-20)"),
            ("Ask @sam for room #4", "Ask @sam for room #4"),
        ] {
            assert_eq!(unmarked(entry).into_iter().map(|range| &entry[range]).collect::<String>(), plain);
        }
    }
}
