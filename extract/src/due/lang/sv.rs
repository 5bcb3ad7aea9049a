//! Swedish.

use chrono::Weekday::{Fri, Mon, Sat, Sun, Thu, Tue, Wed};

use crate::due::holiday::Holiday as H;
use crate::due::lexicon::{Edge, Lex, Part, Rel, Table, Unit};

/// Words of dates.
#[rustfmt::skip]
pub(in crate::due) const WORDS: Table = &[
    ("måndag", Lex::Weekday(Mon)), ("måndagen", Lex::Weekday(Mon)), ("tisdag", Lex::Weekday(Tue)),
    ("tisdagen", Lex::Weekday(Tue)), ("onsdag", Lex::Weekday(Wed)), ("onsdagen", Lex::Weekday(Wed)),
    ("torsdag", Lex::Weekday(Thu)), ("torsdagen", Lex::Weekday(Thu)), ("fredag", Lex::Weekday(Fri)),
    ("fredagen", Lex::Weekday(Fri)), ("lördag", Lex::Weekday(Sat)), ("lördagen", Lex::Weekday(Sat)),
    ("söndag", Lex::Weekday(Sun)), ("söndagen", Lex::Weekday(Sun)), ("januari", Lex::Month(1)),
    ("februari", Lex::Month(2)), ("mars", Lex::Month(3)), ("april", Lex::Month(4)), ("maj", Lex::Month(5)),
    ("juni", Lex::Month(6)), ("juli", Lex::Month(7)), ("augusti", Lex::Month(8)), ("september", Lex::Month(9)),
    ("oktober", Lex::Month(10)), ("november", Lex::Month(11)), ("december", Lex::Month(12)),
    ("timme", Lex::Unit(Unit::Hour)), ("timmar", Lex::Unit(Unit::Hour)), ("dagar", Lex::Unit(Unit::Day)),
    ("vecka", Lex::Unit(Unit::Week)), ("veckan", Lex::Unit(Unit::Week)), ("veckor", Lex::Unit(Unit::Week)),
    ("helgen", Lex::Unit(Unit::Weekend)), ("helg", Lex::Unit(Unit::Weekend)), ("månad", Lex::Unit(Unit::Month)),
    ("månaden", Lex::Unit(Unit::Month)), ("månader", Lex::Unit(Unit::Month)), ("kvartalet", Lex::Quarter),
    ("året", Lex::Unit(Unit::Year)), ("nästa", Lex::Rel(Rel::Next)), ("idag", Lex::Day(0)), ("i dag", Lex::Day(0)),
    ("imorgon", Lex::Day(1)), ("i morgon", Lex::Day(1)), ("imorron", Lex::Day(1)), ("övermorgon", Lex::Day(2)),
    ("i övermorgon", Lex::Day(2)), ("igår", Lex::Day(-1)), ("i går", Lex::Day(-1)),
    ("ikväll", Lex::DayPart(0, Part::Evening)), ("i kväll", Lex::DayPart(0, Part::Evening)),
    ("i eftermiddag", Lex::DayPart(0, Part::Afternoon)), ("imorgon bitti", Lex::DayPart(1, Part::Morning)),
    ("i morgon bitti", Lex::DayPart(1, Part::Morning)), ("morgon", Lex::Part(Part::Morning)),
    ("förmiddag", Lex::Part(Part::Morning)), ("eftermiddag", Lex::Part(Part::Afternoon)),
    ("kväll", Lex::Part(Part::Evening)), ("månadsskiftet", Lex::EndOf(Unit::Month)),
    ("årsskiftet", Lex::EndOf(Unit::Year)), ("slutet", Lex::Edge(Edge::End)), ("början", Lex::Edge(Edge::Start)),
    ("varje", Lex::Every), ("före", Lex::Before), ("innan", Lex::Before), ("två", Lex::Number(2)),
    ("fyra", Lex::Number(4)), ("jul", Lex::Holiday(H::Christmas)), ("julafton", Lex::Holiday(H::Christmas)),
    ("påsk", Lex::Holiday(H::Easter)),
];

/// Words that other languages read otherwise.
#[rustfmt::skip]
pub(in crate::due) const SHORT: Table = &[
    ("den här", Lex::Rel(Rel::This)), ("denna", Lex::Rel(Rel::This)), ("om", Lex::In), ("inom", Lex::In),
    ("på", Lex::On), ("den", Lex::The), ("det", Lex::The), ("av", Lex::Of), ("klockan", Lex::At), ("kl", Lex::At),
    ("tre", Lex::Number(3)), ("en", Lex::A), ("ett", Lex::A), ("mar", Lex::Other), ("sun", Lex::Other),
    ("may", Lex::Other), ("mon", Lex::Other), ("do", Lex::Other), ("sat", Lex::Other),
];
