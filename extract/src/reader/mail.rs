//! Mails: heads in several languages, greetings, signatures, and what they quote, answer or forward.

mod envelope;
mod mark;
mod notice;
mod signature;

use std::borrow::Cow;

use super::attendees::listed_attendees;
use super::blocks::Blocks;
use super::lines::{TextLine, lines};
use super::{Format, Kind, Transcript};
pub use envelope::{Address, Envelope};
use envelope::{Field, field};

/// Lines within which the fields of a head stand.
const HEAD: usize = 6;
/// Lines that a signature has at most, the closing included.
const SIGNATURE: usize = 8;

/// Deepest quoting that is told apart.
const DEEPEST: u8 = 16;

/// Whether a text begins with the head of a mail.
pub fn begins(source: &str) -> bool {
    let seen = lines(source, 0).map(|line| line.trimmed()).filter(|line| !line.text.is_empty());
    let mut top: Vec<_> = seen.take(HEAD + 1).collect();
    if top.first().is_some_and(|line| mark::is_divider(line.text)) {
        top.remove(0);
    }
    is_head(&top)
}

/// Whether lines begin with a head: a field at once, and another kind of field soon.
fn is_head(lines: &[TextLine<'_>]) -> bool {
    let mut fields = lines.iter().take(HEAD).map_while(|line| field(line.text).map(|found| found.0));
    let first = fields.next();
    let sender = lines.iter().take(HEAD).any(|line| field(line.text).is_some_and(|found| found.0 == Field::From));
    first.is_some_and(|first| fields.any(|other| other != first))
        && (sender || lines.len() < 3 || first == Some(Field::To))
}

/// Which of these lines are fields of heads, also of heads that are quoted: fields one below the other, among them the sender's and
/// one that says when or about what.
pub fn fields(lines: &[&str]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut run: Vec<Field> = Vec::new();
    for at in 0..=lines.len() {
        let line = lines.get(at).map(|line| line.trim_start_matches(['>', ' ']));
        if let Some((kind, _)) = line.and_then(field) {
            run.push(kind);
            continue;
        }
        if run.contains(&Field::From) && (run.contains(&Field::Date) || run.contains(&Field::Subject)) {
            found.extend(at - run.len()..at);
        }
        run.clear();
    }
    found
}

/// The lines down to the next blank one, as many as a head may take.
fn near<'a>(lines: impl Iterator<Item = TextLine<'a>>) -> Vec<TextLine<'a>> {
    lines.take(HEAD).map(|line| line.trimmed()).take_while(|line| !line.text.is_empty()).collect()
}

/// Reads a mail and the mails that it quotes.
pub fn read(source: &str) -> Transcript<'_> {
    let mut reader = MailReader::new(source);
    reader.all(&lines(source, 0).map(Quoted::of).collect::<Vec<_>>());
    reader.finish(source, Format::Mail, Vec::new())
}

/// Reads a letter: a mail without a head. Its greeting says to whom it is, its signature from whom.
pub fn letter(source: &str) -> Transcript<'_> {
    let lines: Vec<_> = lines(source, 0).map(Quoted::of).collect();
    let signer = signature::signer(&own_lines(&lines));
    let from = signer.map(|name| Address { name: Some(Cow::Borrowed(name)), email: None });
    let mut reader = MailReader::new(source);
    reader.enter(Envelope { from, ..Envelope::default() }, 0);
    reader.all(&lines);
    let listed = lines.iter().map(|line| listed_attendees(line.words.trimmed().text));
    reader.finish(source, Format::Prose, listed.into_iter().find(|names| !names.is_empty()).unwrap_or_default())
}

/// The lines of a letter itself, without white space around them: none of what it quotes, answers or forwards.
fn own_lines<'a>(lines: &[Quoted<'a>]) -> Vec<&'a str> {
    let words: Vec<_> = lines.iter().map(|line| line.words.trimmed()).collect();
    let mut own = Vec::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        if line.marks > 0 {
            own.push("");
        } else if mark::is_divider(words[at].text) || is_head(&near(words[at..].iter().copied())) {
            break;
        } else if let Some((_, taken)) = mark::wrote(&words[at..]) {
            at += taken;
            let quoted = lines[at..].iter().find(|line| !line.words.is_blank() || line.marks > 0);
            if quoted.is_none_or(|line| line.marks == 0) {
                break;
            }
            continue;
        } else {
            own.push(words[at].text);
        }
        at += 1;
    }
    own
}

/// A line and the number of `>` before it.
#[derive(Clone, Copy)]
struct Quoted<'a> {
    marks: u8,
    words: TextLine<'a>,
}

impl<'a> Quoted<'a> {
    fn of(line: TextLine<'a>) -> Self {
        let mut words = line;
        let mut marks = 0_u8;
        while words.trimmed().text.starts_with('>') && marks < DEEPEST {
            words = words.from(words.indent() + 1);
            marks += 1;
        }
        Self { marks, words }
    }
}

struct MailReader<'a> {
    blocks: Blocks<'a>,
    envelopes: Vec<Envelope<'a>>,
    /// The mail that stands at each depth.
    depths: Vec<usize>,
    /// How deep the mail is that lines with a number of `>` belong to.
    bases: Vec<u8>,
    /// Number of `>` before the line that is being read.
    marks: u8,
    /// Whether nothing but its head was read of the mail so far.
    top: bool,
    /// Whether a signature is open.
    signing: bool,
    /// Sender and time that "X wrote:" announced for what is quoted next.
    announced: Option<Envelope<'a>>,
}

impl<'a> MailReader<'a> {
    fn new(source: &'a str) -> Self {
        Self {
            blocks: Blocks::new(source, Kind::Mail),
            envelopes: Vec::new(),
            depths: Vec::new(),
            bases: vec![0],
            marks: 0,
            top: true,
            signing: false,
            announced: None,
        }
    }

    fn finish(self, source: &'a str, format: Format, attendees: Vec<&'a str>) -> Transcript<'a> {
        let mut utterances = self.blocks.finish();
        let mut bodies: Vec<Vec<usize>> = vec![Vec::new(); self.envelopes.len()];
        for (index, one) in utterances.iter().enumerate().filter(|(_, one)| one.kind == Kind::Mail) {
            if let Some(body) = one.envelope.and_then(|envelope| bodies.get_mut(envelope)) {
                body.push(index);
            }
        }
        for (envelope, body) in self.envelopes.iter().zip(bodies) {
            let said = body.iter().map(|&index| utterances[index].text.as_str());
            let automatic = notice::is_automatic(envelope.subject, said);
            for index in body {
                if automatic || notice::is_notice(utterances[index].text.as_str()) {
                    utterances[index].kind = Kind::Header;
                }
            }
        }
        Transcript { source, format, utterances, envelopes: self.envelopes, attendees, unread: false }
    }

    fn all(&mut self, lines: &[Quoted<'a>]) {
        let words: Vec<_> = lines.iter().map(|line| line.words).collect();
        let ends = lines.iter().rposition(|line| line.marks == 0 && !line.words.is_blank()).unwrap_or_default();
        let mut at = 0;
        let mut end = 0;
        while let Some(line) = lines.get(at) {
            if at >= end {
                end = at + lines[at..].iter().take_while(|other| other.marks == line.marks).count();
            }
            self.turn_to(line.marks, self.marks == 0 && at < ends);
            at += self.step(&words[at..end], lines.get(end));
        }
    }

    /// Makes the next lines belong to the mail that so many `>` mean; `answered` says whether lines without any come after.
    fn turn_to(&mut self, marks: u8, answered: bool) {
        if marks == self.marks {
            return;
        }
        self.signing = false;
        let deeper = marks > self.marks;
        let headed = deeper && !answered && self.top && !self.envelopes.is_empty() && self.announced.is_none();
        let first = self.base() + u8::from(!headed);
        self.bases.truncate(usize::from(marks) + 1);
        self.bases.extend((self.marks..marks).map(|mark| (first + mark - self.marks).min(DEEPEST)));
        self.marks = marks;
        self.open_quote(deeper);
    }

    fn open_quote(&mut self, deeper: bool) {
        let depth = self.base();
        let known = self.depths.get(usize::from(depth)).is_some();
        match self.announced.take() {
            Some(envelope) => self.enter(Envelope { to: self.sender(), ..envelope }, depth),
            None if known => {
                self.select(depth);
                self.top &= deeper;
            }
            None => self.enter(self.answered(), depth),
        }
    }

    /// How deep the mail is that is being read.
    fn base(&self) -> u8 {
        self.bases.last().copied().unwrap_or_default()
    }

    /// Takes what stands at the first of these lines, which have the same number of `>`; says how many lines that were.
    fn step(&mut self, lines: &[TextLine<'a>], after: Option<&Quoted<'a>>) -> usize {
        if let Some(taken) = self.head(lines) {
            return taken;
        }
        if let Some((address, taken)) = mark::wrote(lines) {
            let rest = lines[taken..].iter().take(SIGNATURE).any(|line| !line.is_blank());
            let quotes = !rest && after.is_some_and(|next| next.marks > self.marks);
            self.announce(&lines[..taken], address, quotes);
            return taken;
        }
        self.own(lines);
        1
    }

    /// A divider such as "Forwarded message", or the head of another mail.
    fn head(&mut self, lines: &[TextLine<'a>]) -> Option<usize> {
        let divider = usize::from(mark::is_divider(lines[0].text));
        let blank = lines[divider..].iter().take(2).take_while(|line| line.is_blank()).count();
        let skipped = if divider > 0 { divider + blank } else { 0 };
        let rest = &lines[skipped..];
        if !is_head(&near(rest.iter().copied())) {
            (divider > 0).then(|| self.blocks.lone(Kind::Header, lines[0].trimmed()));
            return (divider > 0).then_some(1);
        }
        let (envelope, taken) = Envelope::read(rest);
        let fresh = self.forget_guess();
        let older = !self.envelopes.is_empty() && !fresh && (divider > 0 || !self.answers_later(&envelope));
        self.deepen(older);
        self.enter(envelope, self.base());
        for line in lines[..skipped + taken].iter().filter(|line| !line.is_blank()) {
            self.blocks.lone(Kind::Header, line.trimmed());
        }
        Some(skipped + taken)
    }

    /// Whether a mail further down answers the one above: a thread written out from its first mail on.
    fn answers_later(&self, envelope: &Envelope<'a>) -> bool {
        self.marks == 0 && envelope.answers() > self.envelopes.first().map_or(0, Envelope::answers)
    }

    /// Drops what was guessed about a quoted mail of which nothing was read yet; says whether there was such a guess.
    fn forget_guess(&mut self) -> bool {
        let fresh = self.top && self.marks > 0;
        if fresh {
            self.envelopes.pop();
        }
        fresh
    }

    /// Makes lines with this number of `>` belong to the mail that the one above answers.
    fn deepen(&mut self, older: bool) {
        if let Some(base) = self.bases.last_mut() {
            *base = base.saturating_add(u8::from(older)).min(DEEPEST);
        }
    }

    /// Goes on in another mail.
    fn enter(&mut self, envelope: Envelope<'a>, depth: u8) {
        self.envelopes.push(envelope);
        self.depths.truncate(usize::from(depth));
        self.depths.resize(usize::from(depth) + 1, self.envelopes.len() - 1);
        self.select(depth);
        self.top = true;
        self.signing = false;
    }

    /// Makes what follows belong to the mail at a depth.
    fn select(&mut self, depth: u8) {
        self.blocks.leave();
        let index = self.depths.get(usize::from(depth)).copied();
        let sender = index.and_then(|index| self.envelopes.get(index)).and_then(|envelope| envelope.from.as_ref());
        self.blocks.model.speaker = sender.and_then(Address::label);
        self.blocks.model.envelope = index;
        self.blocks.model.quoted = depth;
    }

    /// "X wrote:" before lines with one `>` more, or before the rest of the lines as they are.
    fn announce(&mut self, lines: &[TextLine<'a>], address: Address<'a>, quotes: bool) {
        for line in lines {
            self.blocks.lone(Kind::Header, line.trimmed());
        }
        let sent = lines.first().map(|line| line.trimmed().text);
        let envelope = Envelope { from: Some(address), sent, ..Envelope::default() };
        if quotes {
            self.announced = Some(envelope);
            return;
        }
        let fresh = self.forget_guess();
        let to = if fresh { Vec::new() } else { self.sender() };
        self.deepen(!fresh);
        self.enter(Envelope { to, ..envelope }, self.base());
    }

    fn envelope(&self) -> Option<&Envelope<'a>> {
        self.blocks.model.envelope.and_then(|index| self.envelopes.get(index))
    }

    /// Who wrote what is being read, as the addressee of what it quotes.
    fn sender(&self) -> Vec<Address<'a>> {
        self.envelope().and_then(|envelope| envelope.from.clone()).into_iter().collect()
    }

    /// What is being quoted without a word: a mail to one person answers that person.
    fn answered(&self) -> Envelope<'a> {
        let only = self.envelope().filter(|envelope| envelope.to.len() == 1).and_then(|envelope| envelope.to.first());
        Envelope { from: only.cloned(), to: self.sender(), ..Envelope::default() }
    }

    /// A line of the mail itself.
    fn own(&mut self, lines: &[TextLine<'a>]) {
        let line = lines[0].trimmed();
        if self.signing && mark::is_postscript(line.text) {
            self.signing = false;
        } else if !self.signing && (mark::is_rule(lines[0].text) || (!self.top && self.closes(lines))) {
            self.blocks.close();
            self.signing = true;
        }
        if mark::is_device(line.text) {
            self.blocks.lone(Kind::Header, line);
            self.signing |= !self.top;
        } else if !self.signing {
            self.paragraph(lines[0]);
        } else if !line.text.is_empty() {
            self.blocks.lone(Kind::Signature, line);
        }
    }

    fn paragraph(&mut self, whole: TextLine<'a>) {
        let line = whole.trimmed();
        if self.top && notice::is_notice(line.text) {
            self.blocks.lone(Kind::Header, line);
            return;
        }
        if self.top && !line.text.is_empty() {
            self.top = false;
            if let Some(names) = mark::greeting(line.text).or_else(|| self.bare_greeting(line.text)) {
                self.greeting(line, names);
                return;
            }
            if let Some(end) = mark::greeting_before(line.text) {
                let names = mark::greeting(&line.text[..end]).unwrap_or_default();
                self.greeting(TextLine { start: line.start, text: &line.text[..end] }, names);
                self.blocks.line(line.from(end));
                return;
            }
        }
        self.blocks.line(whole);
    }

    /// A first line that is only the name of an addressee.
    fn bare_greeting(&self, line: &'a str) -> Option<Vec<&'a str>> {
        let to = self.envelope().map(|envelope| envelope.to.as_slice()).unwrap_or_default();
        let addressed =
            to.iter().filter_map(|address| address.name.as_deref()).any(|name| mark::shares_word(name, line));
        (addressed && mark::is_name(line)).then(|| vec![line])
    }

    fn greeting(&mut self, line: TextLine<'a>, names: Vec<&'a str>) {
        let index = self.blocks.model.envelope;
        if let Some(envelope) = index.and_then(|index| self.envelopes.get_mut(index)) {
            envelope.greeted = names;
        }
        self.blocks.lone(Kind::Greeting, line);
    }

    /// Whether a closing ("Best wishes") or the sender's name begins the signature: little follows in this mail.
    fn closes(&self, lines: &[TextLine<'a>]) -> bool {
        let line = lines[0].trimmed().text;
        let sender = self.blocks.model.speaker.as_deref();
        let named =
            sender.is_some_and(|sender| signature::name_in(line).is_some_and(|name| mark::shares_word(sender, name)));
        let salutes = || {
            let next = lines[1..].iter().take(2).map(|line| line.trimmed().text).find(|line| !line.is_empty());
            mark::is_salute(line) && next.is_some_and(|next| signature::name_in(next).is_some())
        };
        if !mark::is_closing(line) && !named && !salutes() {
            return false;
        }
        let after = lines[1..].iter().take(2 * SIGNATURE).map(TextLine::trimmed).filter(|line| !line.text.is_empty());
        let rest: Vec<_> =
            after.take_while(|line| !mark::ends_mail(line.text) && !mark::is_postscript(line.text)).collect();
        let long = rest.iter().take(2).any(|line| line.text.len() > 90);
        rest.len() < SIGNATURE && (named || !long)
    }
}
