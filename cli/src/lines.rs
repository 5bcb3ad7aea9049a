//! Files of lines, each turned into another, on all cores and in order.

use crate::failure::{CliError, CliResult};
use gleaner_runtime::lock;
use std::{
    fs::File,
    io::{self, BufRead, BufReader, Write},
    path::Path,
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
};

/// Lines that may be under way for each thread: enough that no core waits for the slowest one for long.
const AHEAD: usize = 16;
/// Longest line, in bytes: an item of the largest size, however it is escaped.
const MAX_LINE: u64 = 8 * 1024 * 1024;

/// What became of one line: another line, or why not.
type LineResult = Result<String, String>;
/// A line on its way to a thread, and where its answer goes.
type LineJob = (String, SyncSender<LineResult>);

/// How many lines are worked on at once where nothing but the cores bounds them.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Turns every line that is not blank into another one on stdout, so many at once. A line that cannot be turned is named on stderr; the
/// others are done all the same.
pub fn transform<F>(file: &Path, threads: usize, turn: F) -> CliResult
where
    F: Fn(&str) -> LineResult + Send + Sync + 'static,
{
    let input: Box<dyn BufRead + Send> = if file == Path::new("-") {
        Box::new(BufReader::new(io::stdin()))
    } else {
        let opened = File::open(file);
        Box::new(BufReader::new(opened.map_err(|error| unreadable(file, &error))?))
    };
    // The answers' queue is in the order of the lines, and its bound is the bound on what is under way.
    let (work, todo) = sync_channel::<LineJob>(threads);
    let (ordered, answers) = sync_channel(threads * AHEAD);
    let todo = Arc::new(Mutex::new(todo));
    let turn = Arc::new(turn);
    for _ in 0..threads {
        let (todo, turn) = (todo.clone(), turn.clone());
        thread::spawn(move || serve(&todo, turn.as_ref()));
    }
    let reader = thread::spawn(move || read(input, &work, &ordered));
    let failed = write(&answers)?;
    match reader.join() {
        Ok(Err(error)) => Err(unreadable(file, &error)),
        Ok(Ok(())) if failed == 0 => Ok(()),
        Ok(Ok(())) => Err(CliError::failed(format!("{failed} lines could not be read; the others are done"))),
        Err(_) => Err(CliError::failed("the reader of lines stopped; please report this")),
    }
}

fn unreadable(file: &Path, error: &io::Error) -> CliError {
    CliError::failed(format!("cannot read {}: {error}", file.display()))
}

fn serve(todo: &Mutex<Receiver<LineJob>>, turn: &impl Fn(&str) -> LineResult) {
    loop {
        let next = lock(todo).recv();
        let Ok((line, answer)) = next else { return };
        // The writer goes away only when nobody reads its output any more.
        let _ = answer.send(turn(&line));
    }
}

fn read(
    mut input: Box<dyn BufRead + Send>,
    work: &SyncSender<LineJob>,
    ordered: &SyncSender<(usize, Receiver<LineResult>)>,
) -> io::Result<()> {
    for number in 1.. {
        let mut bytes = Vec::new();
        if io::Read::take(&mut input, MAX_LINE).read_until(b'\n', &mut bytes)? == 0 {
            break;
        }
        if bytes.len() as u64 == MAX_LINE && bytes.last() != Some(&b'\n') {
            return Err(io::Error::other(format!("line {number} is longer than {MAX_LINE} bytes")));
        }
        if bytes.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let (answer, answered) = sync_channel(1);
        if ordered.send((number, answered)).is_err() {
            break;
        }
        let sent = match String::from_utf8(bytes) {
            Ok(line) => work.send((line, answer)).is_ok(),
            Err(_) => answer.send(Err("not UTF-8".to_owned())).is_ok(),
        };
        if !sent {
            break;
        }
    }
    Ok(())
}

/// Writes the answers in order; returns how many lines failed.
fn write(answers: &Receiver<(usize, Receiver<LineResult>)>) -> Result<usize, CliError> {
    let (mut failed, mut out) = (0, io::stdout().lock());
    for (number, answer) in answers {
        let written = match answer.recv() {
            Ok(Ok(line)) => writeln!(out, "{line}"),
            Ok(Err(reason)) => {
                failed += 1;
                writeln!(io::stderr(), "gleaner: line {number}: {reason}")
            }
            Err(_) => {
                failed += 1;
                writeln!(io::stderr(), "gleaner: line {number}: gave no answer")
            }
        };
        match written {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
            Err(error) => return Err(CliError::failed(format!("cannot write the answer: {error}"))),
        }
    }
    Ok(failed)
}
