//! Polish.

use chrono::Weekday::{Fri, Mon, Sat, Sun, Thu, Tue, Wed};

use crate::due::holiday::Holiday as H;
use crate::due::lexicon::{Edge, Lex, Part, Rel, Table, Unit};

/// Words of dates.
#[rustfmt::skip]
pub(in crate::due) const WORDS: Table = &[
    ("poniedziałek", Lex::Weekday(Mon)), ("poniedziałku", Lex::Weekday(Mon)), ("wtorek", Lex::Weekday(Tue)),
    ("wtorku", Lex::Weekday(Tue)), ("środa", Lex::Weekday(Wed)), ("środę", Lex::Weekday(Wed)),
    ("środy", Lex::Weekday(Wed)), ("czwartek", Lex::Weekday(Thu)), ("czwartku", Lex::Weekday(Thu)),
    ("piątek", Lex::Weekday(Fri)), ("piątku", Lex::Weekday(Fri)), ("sobota", Lex::Weekday(Sat)),
    ("sobotę", Lex::Weekday(Sat)), ("soboty", Lex::Weekday(Sat)), ("niedziela", Lex::Weekday(Sun)),
    ("niedzielę", Lex::Weekday(Sun)), ("niedzieli", Lex::Weekday(Sun)), ("stycznia", Lex::Month(1)),
    ("styczeń", Lex::Month(1)), ("lutego", Lex::Month(2)), ("luty", Lex::Month(2)), ("marca", Lex::Month(3)),
    ("marzec", Lex::Month(3)), ("kwietnia", Lex::Month(4)), ("kwiecień", Lex::Month(4)), ("maja", Lex::Month(5)),
    ("czerwca", Lex::Month(6)), ("czerwiec", Lex::Month(6)), ("lipca", Lex::Month(7)), ("lipiec", Lex::Month(7)),
    ("sierpnia", Lex::Month(8)), ("sierpień", Lex::Month(8)), ("września", Lex::Month(9)), ("wrzesień", Lex::Month(9)),
    ("października", Lex::Month(10)), ("listopada", Lex::Month(11)), ("grudnia", Lex::Month(12)),
    ("grudzień", Lex::Month(12)), ("dni", Lex::Unit(Unit::Day)), ("dzień", Lex::Unit(Unit::Day)),
    ("tydzień", Lex::Unit(Unit::Week)), ("tygodnia", Lex::Unit(Unit::Week)), ("tygodnie", Lex::Unit(Unit::Week)),
    ("tygodniu", Lex::Unit(Unit::Week)), ("weekend", Lex::Unit(Unit::Weekend)), ("miesiąc", Lex::Unit(Unit::Month)),
    ("miesiąca", Lex::Unit(Unit::Month)), ("miesiące", Lex::Unit(Unit::Month)), ("kwartału", Lex::Quarter),
    ("roku", Lex::Unit(Unit::Year)), ("przyszły", Lex::Rel(Rel::Next)), ("przyszłym", Lex::Rel(Rel::Next)),
    ("przyszłego", Lex::Rel(Rel::Next)), ("następny", Lex::Rel(Rel::Next)), ("następnego", Lex::Rel(Rel::Next)),
    ("tym", Lex::Rel(Rel::This)), ("tego", Lex::Rel(Rel::This)), ("dziś", Lex::Day(0)), ("dzisiaj", Lex::Day(0)),
    ("jutro", Lex::Day(1)), ("jutra", Lex::Day(1)), ("pojutrze", Lex::Day(2)), ("wczoraj", Lex::Day(-1)),
    ("rano", Lex::Part(Part::Morning)), ("wieczorem", Lex::Part(Part::Evening)),
    ("dziś wieczorem", Lex::DayPart(0, Part::Evening)), ("koniec", Lex::Edge(Edge::End)),
    ("końca", Lex::Edge(Edge::End)), ("końcu", Lex::Edge(Edge::End)), ("dwa", Lex::Number(2)), ("trzy", Lex::Number(3)),
    ("pierwszego", Lex::Ordinal(1)), ("drugiego", Lex::Ordinal(2)), ("trzeciego", Lex::Ordinal(3)),
    ("boże narodzenie", Lex::Holiday(H::Christmas)), ("wielkanoc", Lex::Holiday(H::Easter)),
];

/// Words that other languages read otherwise.
#[rustfmt::skip]
pub(in crate::due) const SHORT: Table = &[
    ("za", Lex::In), ("w", Lex::On), ("we", Lex::On), ("do", Lex::By), ("przed", Lex::Before), ("dwa", Lex::Number(2)),
    ("dwie", Lex::Number(2)), ("mar", Lex::Other), ("sun", Lex::Other), ("may", Lex::Other), ("mon", Lex::Other),
     ("sat", Lex::Other),
];
