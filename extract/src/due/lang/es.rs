//! Spanish.

use chrono::Weekday::{Fri, Mon, Sat, Sun, Thu, Tue, Wed};

use crate::due::holiday::Holiday as H;
use crate::due::lexicon::{Edge, Lex, Part, Rel, Table, Unit};

/// Words of dates.
#[rustfmt::skip]
pub(in crate::due) const WORDS: Table = &[
    ("lunes", Lex::Weekday(Mon)), ("martes", Lex::Weekday(Tue)), ("miércoles", Lex::Weekday(Wed)),
    ("miercoles", Lex::Weekday(Wed)), ("jueves", Lex::Weekday(Thu)), ("viernes", Lex::Weekday(Fri)),
    ("sábado", Lex::Weekday(Sat)), ("sabado", Lex::Weekday(Sat)), ("domingo", Lex::Weekday(Sun)),
    ("enero", Lex::Month(1)), ("febrero", Lex::Month(2)), ("marzo", Lex::Month(3)), ("abril", Lex::Month(4)),
    ("mayo", Lex::Month(5)), ("junio", Lex::Month(6)), ("julio", Lex::Month(7)), ("agosto", Lex::Month(8)),
    ("septiembre", Lex::Month(9)), ("setiembre", Lex::Month(9)), ("octubre", Lex::Month(10)),
    ("noviembre", Lex::Month(11)), ("diciembre", Lex::Month(12)), ("hora", Lex::Unit(Unit::Hour)),
    ("horas", Lex::Unit(Unit::Hour)), ("minuto", Lex::Unit(Unit::Minute)), ("minutos", Lex::Unit(Unit::Minute)),
    ("día", Lex::Unit(Unit::Day)), ("días", Lex::Unit(Unit::Day)), ("dias", Lex::Unit(Unit::Day)),
    ("días hábiles", Lex::Unit(Unit::Workday)), ("días laborables", Lex::Unit(Unit::Workday)),
    ("semana", Lex::Unit(Unit::Week)), ("semanas", Lex::Unit(Unit::Week)), ("fin de semana", Lex::Unit(Unit::Weekend)),
    ("finde", Lex::Unit(Unit::Weekend)), ("quincena", Lex::Unit(Unit::Fortnight)), ("meses", Lex::Unit(Unit::Month)),
    ("trimestre", Lex::Quarter), ("año", Lex::Unit(Unit::Year)), ("años", Lex::Unit(Unit::Year)),
    ("próximo", Lex::Rel(Rel::Next)), ("próxima", Lex::Rel(Rel::Next)), ("proximo", Lex::Rel(Rel::Next)),
    ("proxima", Lex::Rel(Rel::Next)), ("que viene", Lex::Rel(Rel::Next)), ("siguiente", Lex::Rel(Rel::Next)),
    ("que entra", Lex::Rel(Rel::Next)), ("pasado", Lex::Rel(Rel::Last)), ("pasada", Lex::Rel(Rel::Last)),
    ("hoy", Lex::Day(0)), ("hoy mismo", Lex::Day(0)), ("mañana", Lex::Day(1)), ("pasado mañana", Lex::Day(2)),
    ("ayer", Lex::Day(-1)), ("anteayer", Lex::Day(-2)), ("mañana por la mañana", Lex::DayPart(1, Part::Morning)),
    ("mañana a primera hora", Lex::DayPart(1, Part::Morning)),
    ("mañana por la tarde", Lex::DayPart(1, Part::Afternoon)), ("esta noche", Lex::DayPart(0, Part::Night)),
    ("esta tarde", Lex::DayPart(0, Part::Afternoon)), ("esta mañana", Lex::DayPart(0, Part::Morning)),
    ("tarde", Lex::Part(Part::Afternoon)), ("por la tarde", Lex::Part(Part::Afternoon)),
    ("noche", Lex::Part(Part::Night)), ("ahora mismo", Lex::Now), ("finales", Lex::Edge(Edge::End)),
    ("principios", Lex::Edge(Edge::Start)), ("mediados", Lex::Edge(Edge::Middle)), ("fin del día", Lex::EndOfDay),
    ("final del día", Lex::EndOfDay), ("mediodía", Lex::Noon), ("medianoche", Lex::Midnight), ("cada", Lex::Every),
    ("todos", Lex::Every), ("todas", Lex::Every), ("hasta", Lex::To), ("antes", Lex::Before), ("dos", Lex::Number(2)),
    ("tres", Lex::Number(3)), ("cuatro", Lex::Number(4)), ("cinco", Lex::Number(5)), ("seis", Lex::Number(6)),
    ("siete", Lex::Number(7)), ("ocho", Lex::Number(8)), ("nueve", Lex::Number(9)), ("diez", Lex::Number(10)),
    ("quince", Lex::Number(15)), ("primero", Lex::Ordinal(1)), ("navidad", Lex::Holiday(H::Christmas)),
    ("nochebuena", Lex::Holiday(H::ChristmasEve)), ("nochevieja", Lex::Holiday(H::NewYearsEve)),
    ("viernes santo", Lex::Holiday(H::GoodFriday)), ("pascua", Lex::Holiday(H::Easter)),
    ("todos los santos", Lex::Holiday(H::AllSaints)),
];

/// Words that other languages read otherwise.
#[rustfmt::skip]
pub(in crate::due) const SHORT: Table = &[
    ("un", Lex::A), ("una", Lex::A), ("en", Lex::In), ("dentro de", Lex::In), ("el", Lex::The), ("la", Lex::The),
    ("los", Lex::The), ("las", Lex::The), ("de", Lex::Of), ("del", Lex::Of), ("al", Lex::On), ("a las", Lex::At),
    ("a la", Lex::At), ("para", Lex::By), ("para el", Lex::By), ("antes del", Lex::Before), ("antes de", Lex::Before),
    ("después de", Lex::After), ("tras", Lex::After), ("y", Lex::And), ("h", Lex::Unit(Unit::Hour)),
    ("mes", Lex::Unit(Unit::Month)), ("once", Lex::Number(11)), ("doce", Lex::Number(12)), ("unos", Lex::Number(3)),
    ("unas", Lex::Number(3)), ("este", Lex::Rel(Rel::This)), ("esta", Lex::Rel(Rel::This)),
    ("final", Lex::Edge(Edge::End)), ("fin", Lex::Edge(Edge::End)), ("dentro", Lex::Within), ("mar", Lex::Other),
    ("sun", Lex::Other), ("may", Lex::Other), ("mon", Lex::Other), ("do", Lex::Other), ("sat", Lex::Other),
    ("past", Lex::Other), ("son", Lex::Other), ("comer", Lex::Part(Part::Lunch)), ("comida", Lex::Part(Part::Lunch)),
];
