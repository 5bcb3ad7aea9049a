//! A PDF, as word processors and meeting services write transcripts: its text, read by a process of its own.
//!
//! Readers of PDF bound neither memory nor time, and files come from strangers. So the binary starts itself once more for each
//! file ([`read`]), with little of both, and whatever goes wrong there is an answer here.

use crate::problem::{Code, Problem};
use gleaner_runtime::shares::{Holder, ShareLimits, Shares};
use pdf_extract::{Document, Object, OutputError, PlainTextOutput, output_doc};
use rlimit::{Resource, setrlimit};
use std::{
    io::{Read as _, Write as _},
    path::PathBuf,
    process::{ExitCode, Stdio},
    sync::Arc,
    time::Duration,
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    process::Command,
    sync::Semaphore,
    time::timeout,
};

/// The command line under which the binary reads one PDF from stdin, for nobody to type.
pub const COMMAND: &str = "read-pdf";
/// Files that are read at once.
const MAX_CONCURRENT: usize = 2;
/// Files that are read or wait for it, of all tenants and of one.
const SHARES: ShareLimits = ShareLimits { total: 8, per_tenant: 2, per_token: 2 };
/// How long a file waits for its turn, and how long reading it may take.
const TIMEOUT: Duration = Duration::from_secs(20);
/// Seconds of a processor for one.
const CPU_S: u64 = 10;
/// Bytes of memory for one, besides the program.
const MEMORY: u64 = 128 << 20;
/// Most bytes of text; more than any transcript may have.
const MAX_TEXT: u64 = 4 << 20;
/// Most letters of a font.
const LETTERS: usize = 1 << 16;
/// How the process ends where a password is needed.
const LOCKED: u8 = 3;

/// Reads PDFs, a few at a time.
#[derive(Debug)]
pub struct PdfReader {
    program: Option<PathBuf>,
    shares: Arc<Shares>,
    turns: Semaphore,
}

impl PdfReader {
    /// With the binary to start; `None`: PDFs are not taken.
    pub fn new(program: Option<PathBuf>) -> Self {
        Self { program, shares: Shares::new(SHARES), turns: Semaphore::new(MAX_CONCURRENT) }
    }

    /// The text of a PDF.
    ///
    /// # Errors
    /// 415 where none are taken; 422 where it is none, needs a password, holds no text, or takes too much; 503 where none
    /// can be read now.
    pub async fn transcript(&self, holder: &Holder, bytes: &[u8]) -> Result<String, Problem> {
        let Some(program) = &self.program else {
            return Err(Problem::new(
                Code::UnsupportedMediaType,
                "this server reads no PDF; send the text as text/plain",
            ));
        };
        let invalid = |detail: &'static str| Problem::invalid("/transcript", detail);
        let busy = || Problem::overloaded("too many PDFs are being read; try again later, or send the text");
        let _share = self.shares.take(holder).map_err(|_| busy())?;
        let Ok(Ok(_turn)) = timeout(TIMEOUT, self.turns.acquire()).await else { return Err(busy()) };
        let read = async {
            let mut command = Command::new(program);
            command.arg(COMMAND).env_clear().stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
            let mut child = command.kill_on_drop(true).spawn().ok()?;
            let (mut to, from) = (child.stdin.take()?, child.stdout.take()?);
            // It may end before it has taken all: then its answer says why.
            _ = to.write_all(bytes).await;
            drop(to);
            let mut text = Vec::new();
            from.take(MAX_TEXT).read_to_end(&mut text).await.ok()?;
            Some((child.wait().await.ok()?, text))
        };
        let (status, text) = match timeout(TIMEOUT, read).await {
            Ok(Some(read)) => read,
            Ok(None) => return Err(busy()),
            Err(_) => return Err(invalid("takes too long to read: send its text as text/plain")),
        };
        match status.code() {
            Some(0) => match String::from_utf8(text) {
                Ok(text) if text.chars().any(char::is_alphanumeric) => Ok(text),
                _ => Err(invalid("is a PDF without text, such as a scan: send the text as text/plain")),
            },
            Some(code) if code == i32::from(LOCKED) => Err(invalid("is a PDF that needs a password: send one without")),
            _ => Err(invalid("is not a PDF, or one that takes too much to read: send its text as text/plain")),
        }
    }
}

/// Reads a PDF from stdin and writes its text to stdout, within limits that this process sets itself.
#[must_use]
pub fn read() -> ExitCode {
    // Where a system knows a limit not, the others and the time hold.
    for (resource, most) in [
        (Resource::CPU, CPU_S),
        (Resource::DATA, MEMORY),
        (Resource::FSIZE, 0),
        (Resource::NOFILE, 8),
        (Resource::CORE, 0),
    ] {
        _ = setrlimit(resource, most, most);
    }
    // Where memory is short all the same, this process goes first, not the one that serves.
    _ = std::fs::write("/proc/self/oom_score_adj", "1000");
    let mut bytes = Vec::new();
    if std::io::stdin().lock().read_to_end(&mut bytes).is_err() {
        return ExitCode::FAILURE;
    }
    match text_of(&bytes) {
        Ok(text) => match std::io::stdout().lock().write_all(tidy(&text).as_bytes()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        },
        Err(OutputError::PdfError(pdf_extract::Error::Decryption(_))) => ExitCode::from(LOCKED),
        Err(_) => ExitCode::FAILURE,
    }
}

fn text_of(bytes: &[u8]) -> Result<String, OutputError> {
    let mut document = Document::load_mem(bytes)?;
    if document.is_encrypted() {
        // Many that are locked against changes open without a password.
        document.decrypt("")?;
    }
    spell_out_widths(&mut document);
    let mut text = String::new();
    output_doc(&document, &mut PlainTextOutput::new(&mut text))?;
    Ok(text)
}

/// Gives each letter of a font a width of its own. The reader passes over widths that are given for a range of letters at once,
/// and would take each of them for the end of a word.
fn spell_out_widths(document: &mut Document) {
    let mut elsewhere = Vec::new();
    for object in document.objects.values_mut() {
        match object.as_dict_mut().and_then(|font| font.get_mut(b"W")) {
            Ok(Object::Array(widths)) => spell_out(widths),
            Ok(Object::Reference(id)) => elsewhere.push(*id),
            _ => {}
        }
    }
    for id in elsewhere {
        if let Some(Object::Array(widths)) = document.objects.get_mut(&id) {
            spell_out(widths);
        }
    }
}

/// `first [width, …]` stays, `first last width` becomes that. What is neither is left for the reader to judge.
fn spell_out(widths: &mut Vec<Object>) {
    let (mut out, mut rest) = (Vec::new(), widths.as_slice());
    loop {
        rest = match rest {
            [] => break,
            [first, Object::Array(each), rest @ ..] => {
                out.extend([first.clone(), Object::Array(each.clone())]);
                rest
            }
            [first, last, width, rest @ ..] => {
                let (Ok(from), Ok(to)) = (first.as_i64(), last.as_i64()) else { return };
                let count = usize::try_from(to - from + 1).unwrap_or(0).min(LETTERS);
                out.extend([first.clone(), Object::Array(vec![width.clone(); count])]);
                rest
            }
            _ => return,
        };
    }
    *widths = out;
}

/// Without the blanks that pages are laid out with: a line for each line, one empty one between paragraphs.
fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines().map(str::trim) {
        if !line.is_empty() || !(out.is_empty() || out.ends_with("\n\n")) {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_of_ranges_are_spelt_out_and_others_stay() {
        let list = |widths: &[i64]| Object::Array(widths.iter().map(|width| Object::Integer(*width)).collect());
        let number = Object::Integer;
        let mut widths = vec![number(3), list(&[250, 300]), number(68), number(70), number(556), number(9), list(&[1])];
        spell_out(&mut widths);
        assert_eq!(widths, [number(3), list(&[250, 300]), number(68), list(&[556; 3]), number(9), list(&[1])]);
        let mut odd = vec![number(1), number(2)];
        spell_out(&mut odd);
        assert_eq!(odd.len(), 2);
    }

    #[test]
    fn lines_lose_the_blanks_around_them_and_paragraphs_stay_apart() {
        assert_eq!(tidy("\n\n  Dana: hi \n\n\n\nSam: ho\nho\n"), "Dana: hi\n\nSam: ho\nho\n");
    }
}
