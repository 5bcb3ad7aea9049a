//! Czech.

use chrono::Weekday::{Fri, Mon, Sat, Sun, Thu, Tue, Wed};

use crate::due::holiday::Holiday as H;
use crate::due::lexicon::{Edge, Lex, Part, Rel, Table, Unit};

/// Words of dates.
#[rustfmt::skip]
pub(in crate::due) const WORDS: Table = &[
    ("pondělí", Lex::Weekday(Mon)), ("úterý", Lex::Weekday(Tue)), ("středa", Lex::Weekday(Wed)),
    ("středu", Lex::Weekday(Wed)), ("středy", Lex::Weekday(Wed)), ("čtvrtek", Lex::Weekday(Thu)),
    ("čtvrtka", Lex::Weekday(Thu)), ("pátek", Lex::Weekday(Fri)), ("pátku", Lex::Weekday(Fri)),
    ("sobota", Lex::Weekday(Sat)), ("sobotu", Lex::Weekday(Sat)), ("soboty", Lex::Weekday(Sat)),
    ("neděle", Lex::Weekday(Sun)), ("neděli", Lex::Weekday(Sun)), ("ledna", Lex::Month(1)), ("února", Lex::Month(2)),
    ("března", Lex::Month(3)), ("dubna", Lex::Month(4)), ("května", Lex::Month(5)), ("června", Lex::Month(6)),
    ("července", Lex::Month(7)), ("srpna", Lex::Month(8)), ("září", Lex::Month(9)), ("října", Lex::Month(10)),
    ("listopadu", Lex::Month(11)), ("prosince", Lex::Month(12)), ("dnů", Lex::Unit(Unit::Day)),
    ("dny", Lex::Unit(Unit::Day)), ("dní", Lex::Unit(Unit::Day)), ("týden", Lex::Unit(Unit::Week)),
    ("týdne", Lex::Unit(Unit::Week)), ("týdny", Lex::Unit(Unit::Week)), ("týdnu", Lex::Unit(Unit::Week)),
    ("víkend", Lex::Unit(Unit::Weekend)), ("víkendu", Lex::Unit(Unit::Weekend)), ("měsíc", Lex::Unit(Unit::Month)),
    ("měsíce", Lex::Unit(Unit::Month)), ("roku", Lex::Unit(Unit::Year)), ("příští", Lex::Rel(Rel::Next)),
    ("příštího", Lex::Rel(Rel::Next)), ("tento", Lex::Rel(Rel::This)), ("tohoto", Lex::Rel(Rel::This)),
    ("dnes", Lex::Day(0)), ("zítra", Lex::Day(1)), ("zítřka", Lex::Day(1)), ("pozítří", Lex::Day(2)),
    ("včera", Lex::Day(-1)), ("ráno", Lex::Part(Part::Morning)), ("večer", Lex::Part(Part::Evening)),
    ("odpoledne", Lex::Part(Part::Afternoon)), ("konec", Lex::Edge(Edge::End)), ("konce", Lex::Edge(Edge::End)),
    ("dva", Lex::Number(2)), ("tři", Lex::Number(3)), ("vánoce", Lex::Holiday(H::Christmas)),
];

/// Words that other languages read otherwise.
#[rustfmt::skip]
pub(in crate::due) const SHORT: Table = &[
    ("za", Lex::In), ("v", Lex::On), ("ve", Lex::On), ("do", Lex::By), ("před", Lex::Before), ("mar", Lex::Other),
    ("sun", Lex::Other), ("may", Lex::Other), ("mon", Lex::Other), ("sat", Lex::Other),
];
