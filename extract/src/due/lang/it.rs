//! Italian.

use chrono::Weekday::{Fri, Mon, Sat, Sun, Thu, Tue, Wed};

use crate::due::holiday::Holiday as H;
use crate::due::lexicon::{Edge, Lex, Part, Rel, Table, Unit};

/// Words of dates.
#[rustfmt::skip]
pub(in crate::due) const WORDS: Table = &[
    ("lunedì", Lex::Weekday(Mon)), ("lunedi", Lex::Weekday(Mon)), ("martedì", Lex::Weekday(Tue)),
    ("martedi", Lex::Weekday(Tue)), ("mercoledì", Lex::Weekday(Wed)), ("mercoledi", Lex::Weekday(Wed)),
    ("giovedì", Lex::Weekday(Thu)), ("giovedi", Lex::Weekday(Thu)), ("venerdì", Lex::Weekday(Fri)),
    ("venerdi", Lex::Weekday(Fri)), ("sabato", Lex::Weekday(Sat)), ("domenica", Lex::Weekday(Sun)),
    ("gennaio", Lex::Month(1)), ("febbraio", Lex::Month(2)), ("marzo", Lex::Month(3)), ("aprile", Lex::Month(4)),
    ("maggio", Lex::Month(5)), ("giugno", Lex::Month(6)), ("luglio", Lex::Month(7)), ("agosto", Lex::Month(8)),
    ("settembre", Lex::Month(9)), ("ottobre", Lex::Month(10)), ("novembre", Lex::Month(11)),
    ("dicembre", Lex::Month(12)), ("ora", Lex::Unit(Unit::Hour)), ("ore", Lex::Unit(Unit::Hour)),
    ("minuti", Lex::Unit(Unit::Minute)), ("minuto", Lex::Unit(Unit::Minute)), ("giorno", Lex::Unit(Unit::Day)),
    ("giorni", Lex::Unit(Unit::Day)), ("giorni lavorativi", Lex::Unit(Unit::Workday)),
    ("settimana", Lex::Unit(Unit::Week)), ("settimane", Lex::Unit(Unit::Week)),
    ("fine settimana", Lex::Unit(Unit::Weekend)), ("mese", Lex::Unit(Unit::Month)), ("mesi", Lex::Unit(Unit::Month)),
    ("trimestre", Lex::Quarter), ("anno", Lex::Unit(Unit::Year)), ("anni", Lex::Unit(Unit::Year)),
    ("prossimo", Lex::Rel(Rel::Next)), ("prossima", Lex::Rel(Rel::Next)), ("seguente", Lex::Rel(Rel::Next)),
    ("che viene", Lex::Rel(Rel::Next)), ("questo", Lex::Rel(Rel::This)), ("questa", Lex::Rel(Rel::This)),
    ("quest", Lex::Rel(Rel::This)), ("scorso", Lex::Rel(Rel::Last)), ("scorsa", Lex::Rel(Rel::Last)),
    ("oggi", Lex::Day(0)), ("domani", Lex::Day(1)), ("dopodomani", Lex::Day(2)), ("ieri", Lex::Day(-1)),
    ("domani mattina", Lex::DayPart(1, Part::Morning)), ("domattina", Lex::DayPart(1, Part::Morning)),
    ("domani sera", Lex::DayPart(1, Part::Evening)), ("stasera", Lex::DayPart(0, Part::Evening)),
    ("stanotte", Lex::DayPart(0, Part::Night)), ("stamattina", Lex::DayPart(0, Part::Morning)),
    ("stamani", Lex::DayPart(0, Part::Morning)), ("mattina", Lex::Part(Part::Morning)),
    ("mattino", Lex::Part(Part::Morning)), ("pomeriggio", Lex::Part(Part::Afternoon)),
    ("sera", Lex::Part(Part::Evening)), ("adesso", Lex::Now), ("subito", Lex::Now), ("fine", Lex::Edge(Edge::End)),
    ("inizio", Lex::Edge(Edge::Start)), ("metà", Lex::Edge(Edge::Middle)), ("fine giornata", Lex::EndOfDay),
    ("fine della giornata", Lex::EndOfDay), ("mezzogiorno", Lex::Noon), ("mezzanotte", Lex::Midnight),
    ("ogni", Lex::Every), ("fino", Lex::To), ("prima", Lex::Before), ("entro", Lex::Within),
    ("quattro", Lex::Number(4)), ("cinque", Lex::Number(5)), ("sette", Lex::Number(7)), ("otto", Lex::Number(8)),
    ("dieci", Lex::Number(10)), ("natale", Lex::Holiday(H::Christmas)), ("pasqua", Lex::Holiday(H::Easter)),
    ("pasquetta", Lex::Holiday(H::EasterMonday)), ("ferragosto", Lex::Holiday(H::Assumption)),
    ("capodanno", Lex::Holiday(H::NewYear)), ("san silvestro", Lex::Holiday(H::NewYearsEve)),
];

/// Words that other languages read otherwise.
#[rustfmt::skip]
pub(in crate::due) const SHORT: Table = &[
    ("un", Lex::A), ("una", Lex::A), ("in", Lex::In), ("fra", Lex::In), ("tra", Lex::In), ("il", Lex::The),
    ("la", Lex::The), ("lo", Lex::The), ("le", Lex::The), ("i", Lex::The), ("l", Lex::The), ("di", Lex::Of),
    ("del", Lex::Of), ("della", Lex::Of), ("dell", Lex::Of), ("al", Lex::On), ("alle", Lex::At), ("all", Lex::At),
    ("per", Lex::By), ("prima di", Lex::Before), ("prima del", Lex::Before), ("dopo", Lex::After), ("e", Lex::And),
    ("due", Lex::Number(2)), ("tre", Lex::Number(3)), ("sei", Lex::Number(6)), ("nove", Lex::Number(9)),
    ("dodici", Lex::Number(12)), ("quindici", Lex::Number(15)), ("venti", Lex::Number(20)), ("trenta", Lex::Number(30)),
    ("primo", Lex::Ordinal(1)), ("mar", Lex::Other), ("sun", Lex::Other), ("may", Lex::Other), ("mon", Lex::Other),
    ("do", Lex::Other), ("sat", Lex::Other), ("ora", Lex::Other),
];
