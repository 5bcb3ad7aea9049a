//! Hindi, in both scripts.

use chrono::Weekday::{Fri, Mon, Sat, Sun, Thu, Tue, Wed};

use crate::due::lexicon::{Lex, Part, Rel, Table, Unit};

/// Words of dates.
#[rustfmt::skip]
pub(in crate::due) const WORDS: Table = &[
    ("somvar", Lex::Weekday(Mon)), ("सोमवार", Lex::Weekday(Mon)), ("mangalvar", Lex::Weekday(Tue)),
    ("मंगलवार", Lex::Weekday(Tue)), ("budhvar", Lex::Weekday(Wed)), ("बुधवार", Lex::Weekday(Wed)),
    ("guruvar", Lex::Weekday(Thu)), ("गुरुवार", Lex::Weekday(Thu)), ("shukravar", Lex::Weekday(Fri)),
    ("शुक्रवार", Lex::Weekday(Fri)), ("shanivar", Lex::Weekday(Sat)), ("शनिवार", Lex::Weekday(Sat)),
    ("ravivar", Lex::Weekday(Sun)), ("रविवार", Lex::Weekday(Sun)), ("aaj", Lex::Day(0)), ("आज", Lex::Day(0)),
    ("कल", Lex::Day(1)), ("परसों", Lex::Day(2)), ("subah", Lex::Part(Part::Morning)),
    ("सुबह", Lex::Part(Part::Morning)), ("शाम", Lex::Part(Part::Evening)), ("हफ्ते", Lex::Unit(Unit::Week)),
    ("दिन", Lex::Unit(Unit::Day)), ("agle", Lex::Rel(Rel::Next)), ("अगले", Lex::Rel(Rel::Next)),
    ("इस", Lex::Rel(Rel::This)),
];

/// Words that other languages read otherwise.
#[rustfmt::skip]
pub(in crate::due) const SHORT: Table = &[
    ("kal", Lex::Day(1)), ("parso", Lex::Day(2)), ("parson", Lex::Day(2)), ("shaam", Lex::Part(Part::Evening)),
    ("hafte", Lex::Unit(Unit::Week)), ("hafta", Lex::Unit(Unit::Week)), ("din", Lex::Unit(Unit::Day)),
    ("is", Lex::Rel(Rel::This)), ("mar", Lex::Other), ("sun", Lex::Other), ("may", Lex::Other), ("mon", Lex::Other),
    ("sat", Lex::Other), ("main", Lex::Other), ("do", Lex::Other),
];
