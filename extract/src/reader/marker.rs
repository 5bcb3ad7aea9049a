//! What a line of notes opens with: a heading, a bullet, a check box, a row of a table.

use super::entries::TITLE;

/// What opens a line that is a block of its own; `body` is where its words begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// `## Title`, `**Title**`
    Heading {
        /// 1 is the highest.
        level: u8,
        /// First byte of the words.
        body: usize,
    },
    /// `- item`, `2. item`, `(a) item`
    Bullet {
        /// First byte of the words.
        body: usize,
    },
    /// `- [ ] item`, `☑ item`
    Box {
        /// Whether it is ticked.
        done: bool,
        /// First byte of the words.
        body: usize,
    },
    /// `| a | b |`
    Row,
}

/// What opens a line without white space around it.
pub fn marker(line: &str) -> Option<Marker> {
    let first = line.chars().next()?;
    match first {
        '#' => heading(line),
        '|' if line.len() > 1 && line.ends_with('|') => Some(Marker::Row),
        _ if is_box(first).is_some() => sign(line, 0),
        '[' => tick(line, 0),
        '*' | '_' if is_bold(line) => Some(Marker::Heading { level: 7, body: 0 }),
        '-' | '*' | '+' | '•' | '–' | '—' | '◦' | '▪' | '●' | '○' | '‣' | '·' => {
            bullet(line, first.len_utf8())
        }
        '0'..='9' | '(' | 'a'..='z' | 'A'..='H' => numbered(line),
        _ => None,
    }
}

fn heading(line: &str) -> Option<Marker> {
    let level = line.bytes().take(7).take_while(|byte| *byte == b'#').count();
    let body = body_after(line, level).filter(|_| level < 7)?;
    Some(Marker::Heading { level: level as u8, body })
}

/// Whether a whole line is set in bold, as titles are where there are no headings.
fn is_bold(line: &str) -> bool {
    let inner = line.strip_prefix("**").and_then(|rest| rest.trim_end_matches(':').strip_suffix("**"));
    inner.is_some_and(|inner| inner.len() <= TITLE && !inner.contains("**") && !inner.ends_with(['.', ',']))
}

fn bullet(line: &str, after: usize) -> Option<Marker> {
    let body = body_after(line, after)?;
    tick(&line[body..], body).or_else(|| sign(&line[body..], body)).or(Some(Marker::Bullet { body }))
}

/// `[ ] item`, `[x] item`; `before` bytes stand before it.
fn tick(text: &str, before: usize) -> Option<Marker> {
    let rest = text.strip_prefix('[')?;
    let state = rest.chars().next()?;
    let done = match state {
        'x' | 'X' | '✓' | '✔' | '✅' => true,
        ' ' | '-' | '/' | '~' | '_' | '>' => false,
        ']' => return body_after(text, 2).map(|body| Marker::Box { done: false, body: before + body }),
        _ => return None,
    };
    let close = 1 + state.len_utf8();
    let body = text[close..].starts_with(']').then(|| body_after(text, close + 1)).flatten()?;
    Some(Marker::Box { done, body: before + body })
}

/// Where words begin after a mark or a box: space must part them.
fn body_after(text: &str, at: usize) -> Option<usize> {
    let body = at + spaces(text.get(at..)?);
    (body > at && body < text.len()).then_some(body)
}

/// `☑ item`; `before` bytes stand before it.
fn sign(text: &str, before: usize) -> Option<Marker> {
    let first = text.chars().next()?;
    let done = is_box(first)?;
    let body = first.len_utf8() + spaces(&text[first.len_utf8()..]);
    (body < text.len()).then_some(Marker::Box { done, body: before + body })
}

/// Whether a sign is a box, and a ticked one.
fn is_box(sign: char) -> Option<bool> {
    match sign {
        '☑' | '✅' | '☒' | '✔' | '✓' | '🗹' => Some(true),
        '☐' | '⬜' | '🔲' | '🔳' | '◻' | '◽' | '□' | '▢' => Some(false),
        _ => None,
    }
}

/// `2. item`, `2) item`, `(a) item`, `a) item`
fn numbered(line: &str) -> Option<Marker> {
    if line.starts_with("( )") {
        return body_after(line, 3).map(|body| Marker::Box { done: false, body });
    }
    let bytes = line.as_bytes();
    let open = usize::from(bytes[0] == b'(');
    let digits = bytes[open..].iter().take(3).take_while(|byte| byte.is_ascii_digit()).count();
    let letter = usize::from(digits == 0 && bytes.get(open).is_some_and(u8::is_ascii_alphabetic));
    let after = open + digits + letter;
    let closes = match bytes.get(after)? {
        b')' => after > open,
        b'.' => digits > 0 && open == 0,
        _ => false,
    };
    if closes { bullet(line, after + 1) } else { None }
}

fn spaces(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t', '\u{a0}', '\u{fe0f}']).len()
}
