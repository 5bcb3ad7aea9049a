//! Where answers go: tables with colours for people on a terminal, JSON for whatever reads a pipe.

use crate::{
    failure::{CliError, CliResult},
    visible::visible,
};
use comfy_table::{Cell, CellAlignment, Color, ColumnConstraint, ContentArrangement, Table, presets::NOTHING};
use serde::Serialize;
use std::io::{self, IsTerminal as _, Write as _};

/// Columns that hold ids.
const IDS: [&str; 5] = ["ID", "JOB", "TOKEN ID", "WEBHOOK ID", "DELIVERY ID"];
/// A terminal that says that it is narrower than this does not know its size.
const NARROWEST: u16 = 20;

/// How to write answers.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    json: bool,
    colour: bool,
}

impl Output {
    /// JSON where it is asked for or where nobody looks on; colours on a terminal unless `NO_COLOR` says otherwise.
    pub fn new(json: bool) -> Self {
        let terminal = io::stdout().is_terminal();
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self { json: json || !terminal, colour: terminal && !plain }
    }

    /// For a person, even where nobody looks on: `gleaner dev` writes its greeting into any log.
    pub fn for_people() -> Self {
        Self { json: false, ..Self::new(false) }
    }

    /// Whether a program reads on.
    pub fn is_json(self) -> bool {
        self.json
    }

    /// Writes a record as one line of JSON.
    pub fn json(self, record: &impl Serialize) -> CliResult {
        line(&serde_json::to_string(record)?)
    }

    /// Writes a line for a person.
    pub fn text(self, text: impl AsRef<str>) -> CliResult {
        line(&visible(text.as_ref()))
    }

    /// Writes a line for a person, and nothing for a program.
    pub fn note(self, text: impl AsRef<str>) -> CliResult {
        if self.json { Ok(()) } else { self.text(text) }
    }

    /// Writes rows under headings.
    pub fn table(self, headings: &[&str], rows: Vec<Vec<Cell>>) -> CliResult {
        let mut table = Table::new();
        table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
        if !self.colour {
            table.force_no_tty();
        }
        if self.colour && table.width().is_none_or(|width| width < NARROWEST) {
            table.set_width(100);
        }
        table.set_header(headings.iter().map(|heading| Cell::new(heading).fg(Color::DarkGrey)));
        for row in rows {
            table.add_row(row);
        }
        // An id is there to be copied.
        for (column, _) in table.column_iter_mut().zip(headings).filter(|(_, heading)| IDS.contains(heading)) {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
        for text in table.lines() {
            line(text.trim_end())?;
        }
        Ok(())
    }
}

/// A cell. All are made here, so that no text reaches the terminal as it came.
pub fn plain(text: impl ToString) -> Cell {
    Cell::new(visible(&text.to_string()))
}

/// A cell that stands out.
pub fn warm(text: impl ToString) -> Cell {
    plain(text).fg(Color::Yellow)
}

/// A cell that stands back.
pub fn faint(text: impl ToString) -> Cell {
    plain(text).fg(Color::DarkGrey)
}

/// A cell that is aligned to the right.
pub fn number(text: impl ToString) -> Cell {
    plain(text).set_alignment(CellAlignment::Right)
}

/// Writes to stdout. Whoever reads may stop reading (`| head`): then there is nothing left to do, and no error.
fn line(text: &str) -> CliResult {
    match writeln!(io::stdout(), "{text}") {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => Err(CliError::failed(format!("cannot write the answer: {error}"))),
    }
}
