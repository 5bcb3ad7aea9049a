//! Portuguese.

use chrono::Weekday::{Fri, Mon, Sat, Sun, Thu, Tue, Wed};

use crate::due::holiday::Holiday as H;
use crate::due::lexicon::{Edge, Lex, Part, Rel, Table, Unit};

/// Words of dates.
#[rustfmt::skip]
pub(in crate::due) const WORDS: Table = &[
    ("segunda feira", Lex::Weekday(Mon)), ("terça feira", Lex::Weekday(Tue)), ("terca feira", Lex::Weekday(Tue)),
    ("quarta feira", Lex::Weekday(Wed)), ("quinta feira", Lex::Weekday(Thu)), ("sexta feira", Lex::Weekday(Fri)),
    ("sábado", Lex::Weekday(Sat)), ("sabado", Lex::Weekday(Sat)), ("domingo", Lex::Weekday(Sun)),
    ("janeiro", Lex::Month(1)), ("fevereiro", Lex::Month(2)), ("março", Lex::Month(3)), ("abril", Lex::Month(4)),
    ("maio", Lex::Month(5)), ("junho", Lex::Month(6)), ("julho", Lex::Month(7)), ("agosto", Lex::Month(8)),
    ("setembro", Lex::Month(9)), ("outubro", Lex::Month(10)), ("novembro", Lex::Month(11)),
    ("dezembro", Lex::Month(12)), ("hora", Lex::Unit(Unit::Hour)), ("horas", Lex::Unit(Unit::Hour)),
    ("minutos", Lex::Unit(Unit::Minute)), ("minuto", Lex::Unit(Unit::Minute)), ("dia", Lex::Unit(Unit::Day)),
    ("dias", Lex::Unit(Unit::Day)), ("dias úteis", Lex::Unit(Unit::Workday)), ("semana", Lex::Unit(Unit::Week)),
    ("semanas", Lex::Unit(Unit::Week)), ("fim de semana", Lex::Unit(Unit::Weekend)),
    ("fim semana", Lex::Unit(Unit::Weekend)), ("mês", Lex::Unit(Unit::Month)), ("meses", Lex::Unit(Unit::Month)),
    ("trimestre", Lex::Quarter), ("ano", Lex::Unit(Unit::Year)), ("anos", Lex::Unit(Unit::Year)),
    ("próximo", Lex::Rel(Rel::Next)), ("próxima", Lex::Rel(Rel::Next)), ("que vem", Lex::Rel(Rel::Next)),
    ("seguinte", Lex::Rel(Rel::Next)), ("passado", Lex::Rel(Rel::Last)), ("passada", Lex::Rel(Rel::Last)),
    ("hoje", Lex::Day(0)), ("amanhã", Lex::Day(1)), ("depois de amanhã", Lex::Day(2)), ("ontem", Lex::Day(-1)),
    ("amanhã de manhã", Lex::DayPart(1, Part::Morning)), ("amanhã à tarde", Lex::DayPart(1, Part::Afternoon)),
    ("hoje à tarde", Lex::DayPart(0, Part::Afternoon)), ("esta tarde", Lex::DayPart(0, Part::Afternoon)),
    ("hoje à noite", Lex::DayPart(0, Part::Night)), ("esta noite", Lex::DayPart(0, Part::Night)),
    ("manhã", Lex::Part(Part::Morning)), ("tarde", Lex::Part(Part::Afternoon)), ("noite", Lex::Part(Part::Night)),
    ("agora", Lex::Now), ("fim", Lex::Edge(Edge::End)), ("final", Lex::Edge(Edge::End)),
    ("início", Lex::Edge(Edge::Start)), ("meados", Lex::Edge(Edge::Middle)), ("fim do dia", Lex::EndOfDay),
    ("final do dia", Lex::EndOfDay), ("meio dia", Lex::Noon), ("meia noite", Lex::Midnight), ("cada", Lex::Every),
    ("todas", Lex::Every), ("até", Lex::To), ("antes", Lex::Before), ("dois", Lex::Number(2)), ("duas", Lex::Number(2)),
    ("três", Lex::Number(3)), ("cinco", Lex::Number(5)), ("dez", Lex::Number(10)),
    ("natal", Lex::Holiday(H::Christmas)), ("páscoa", Lex::Holiday(H::Easter)),
];

/// Words that other languages read otherwise.
#[rustfmt::skip]
pub(in crate::due) const SHORT: Table = &[
    ("segunda", Lex::Weekday(Mon)), ("terça", Lex::Weekday(Tue)), ("quarta", Lex::Weekday(Wed)),
    ("quinta", Lex::Weekday(Thu)), ("sexta", Lex::Weekday(Fri)), ("um", Lex::A), ("uma", Lex::A), ("em", Lex::In),
    ("dentro de", Lex::In), ("daqui a", Lex::In), ("o", Lex::The), ("a", Lex::The), ("os", Lex::The), ("as", Lex::The),
    ("de", Lex::Of), ("do", Lex::Of), ("da", Lex::Of), ("na", Lex::On), ("no", Lex::On), ("às", Lex::At),
    ("as", Lex::At), ("para", Lex::By), ("antes de", Lex::Before), ("antes do", Lex::Before), ("depois de", Lex::After),
    ("e", Lex::And), ("quatro", Lex::Number(4)), ("seis", Lex::Number(6)), ("sete", Lex::Number(7)),
    ("oito", Lex::Number(8)), ("nove", Lex::Number(9)), ("doze", Lex::Number(12)), ("este", Lex::Rel(Rel::This)),
    ("esta", Lex::Rel(Rel::This)), ("neste", Lex::Rel(Rel::This)), ("nesta", Lex::Rel(Rel::This)),
    ("essa", Lex::Rel(Rel::This)), ("esse", Lex::Rel(Rel::This)), ("desta", Lex::Rel(Rel::This)),
    ("deste", Lex::Rel(Rel::This)), ("mar", Lex::Other), ("sun", Lex::Other), ("may", Lex::Other), ("mon", Lex::Other),
    ("do", Lex::Other), ("sat", Lex::Other), ("set", Lex::Other),
];
