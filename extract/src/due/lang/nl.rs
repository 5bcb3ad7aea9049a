//! Dutch.

use chrono::Weekday::{Fri, Mon, Sat, Sun, Thu, Tue, Wed};

use crate::due::holiday::Holiday as H;
use crate::due::lexicon::{Edge, Lex, Part, Rel, Table, Unit};

/// Words of dates.
#[rustfmt::skip]
pub(in crate::due) const WORDS: Table = &[
    ("maandag", Lex::Weekday(Mon)), ("dinsdag", Lex::Weekday(Tue)), ("woensdag", Lex::Weekday(Wed)),
    ("donderdag", Lex::Weekday(Thu)), ("vrijdag", Lex::Weekday(Fri)), ("zaterdag", Lex::Weekday(Sat)),
    ("zondag", Lex::Weekday(Sun)), ("januari", Lex::Month(1)), ("februari", Lex::Month(2)), ("maart", Lex::Month(3)),
    ("april", Lex::Month(4)), ("mei", Lex::Month(5)), ("juni", Lex::Month(6)), ("juli", Lex::Month(7)),
    ("augustus", Lex::Month(8)), ("september", Lex::Month(9)), ("oktober", Lex::Month(10)),
    ("november", Lex::Month(11)), ("december", Lex::Month(12)), ("uur", Lex::Unit(Unit::Hour)),
    ("minuten", Lex::Unit(Unit::Minute)), ("minuut", Lex::Unit(Unit::Minute)), ("dag", Lex::Unit(Unit::Day)),
    ("dagen", Lex::Unit(Unit::Day)), ("werkdag", Lex::Unit(Unit::Workday)), ("werkdagen", Lex::Unit(Unit::Workday)),
    ("weken", Lex::Unit(Unit::Week)), ("weekend", Lex::Unit(Unit::Weekend)), ("maand", Lex::Unit(Unit::Month)),
    ("maanden", Lex::Unit(Unit::Month)), ("kwartaal", Lex::Quarter), ("jaar", Lex::Unit(Unit::Year)),
    ("volgende", Lex::Rel(Rel::Next)), ("volgend", Lex::Rel(Rel::Next)), ("aanstaande", Lex::Rel(Rel::Next)),
    ("komende", Lex::Rel(Rel::Next)), ("komend", Lex::Rel(Rel::Next)), ("deze", Lex::Rel(Rel::This)),
    ("dit", Lex::Rel(Rel::This)), ("vorige", Lex::Rel(Rel::Last)), ("afgelopen", Lex::Rel(Rel::Last)),
    ("vandaag", Lex::Day(0)), ("overmorgen", Lex::Day(2)), ("gisteren", Lex::Day(-1)),
    ("vanochtend", Lex::DayPart(0, Part::Morning)), ("vanmorgen", Lex::DayPart(0, Part::Morning)),
    ("vanmiddag", Lex::DayPart(0, Part::Afternoon)), ("vanavond", Lex::DayPart(0, Part::Evening)),
    ("vannacht", Lex::DayPart(0, Part::Night)), ("morgenochtend", Lex::DayPart(1, Part::Morning)),
    ("morgenmiddag", Lex::DayPart(1, Part::Afternoon)), ("morgenavond", Lex::DayPart(1, Part::Evening)),
    ("ochtend", Lex::Part(Part::Morning)), ("middag", Lex::Part(Part::Afternoon)), ("avond", Lex::Part(Part::Evening)),
    ("meteen", Lex::Now), ("eind", Lex::Edge(Edge::End)), ("einde", Lex::Edge(Edge::End)),
    ("midden", Lex::Edge(Edge::Middle)), ("halverwege", Lex::Edge(Edge::Middle)), ("einde van de dag", Lex::EndOfDay),
    ("eind van de dag", Lex::EndOfDay), ("einde dag", Lex::EndOfDay), ("maandeinde", Lex::EndOf(Unit::Month)),
    ("middernacht", Lex::Midnight), ("elke", Lex::Every), ("iedere", Lex::Every), ("binnen", Lex::Within),
    ("tot", Lex::To), ("vóór", Lex::Before), ("twee", Lex::Number(2)), ("drie", Lex::Number(3)),
    ("vier", Lex::Number(4)), ("vijf", Lex::Number(5)), ("zes", Lex::Number(6)), ("zeven", Lex::Number(7)),
    ("acht", Lex::Number(8)), ("negen", Lex::Number(9)), ("tien", Lex::Number(10)),
    ("kerst", Lex::Holiday(H::Christmas)), ("kerstmis", Lex::Holiday(H::Christmas)), ("pasen", Lex::Holiday(H::Easter)),
    ("pinksteren", Lex::Holiday(H::Pentecost)), ("hemelvaart", Lex::Holiday(H::Ascension)),
    ("oudejaarsavond", Lex::Holiday(H::NewYearsEve)), ("sinterklaas", Lex::Holiday(H::StNicholas)),
];

/// Words that other languages read otherwise.
#[rustfmt::skip]
pub(in crate::due) const SHORT: Table = &[
    ("ma", Lex::MaybeWeekday(Mon)), ("wo", Lex::MaybeWeekday(Wed)), ("week", Lex::Unit(Unit::Week)),
    ("morgen", Lex::Day(1)), ("morgen vroeg", Lex::DayPart(1, Part::Morning)), ("jan", Lex::MaybeMonth(1)),
    ("een", Lex::A), ("over", Lex::In), ("in", Lex::In), ("de", Lex::The), ("het", Lex::The), ("van", Lex::Of),
    ("op", Lex::On), ("om", Lex::At), ("voor", Lex::Before), ("na", Lex::After), ("en", Lex::And), ("tegen", Lex::By),
    ("uiterlijk", Lex::By), ("uur", Lex::Clock), ("begin", Lex::Edge(Edge::Start)), ("half", Lex::HalfTo),
    ("mar", Lex::Other), ("sun", Lex::Other), ("may", Lex::Other), ("mon", Lex::Other), ("do", Lex::Other),
    ("sat", Lex::Other), ("die", Lex::Other), ("was", Lex::Other), ("also", Lex::Other),
];
