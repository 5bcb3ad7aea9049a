//! Turkish.

use chrono::Weekday::{Fri, Mon, Sat, Sun, Thu, Tue, Wed};

use crate::due::lexicon::{Lex, Part, Rel, Table, Unit};

/// Words of dates.
#[rustfmt::skip]
pub(in crate::due) const WORDS: Table = &[
    ("pazartesi", Lex::Weekday(Mon)), ("pazartesiye", Lex::Weekday(Mon)), ("salı", Lex::Weekday(Tue)),
    ("salıya", Lex::Weekday(Tue)), ("çarşamba", Lex::Weekday(Wed)), ("çarşambaya", Lex::Weekday(Wed)),
    ("perşembe", Lex::Weekday(Thu)), ("perşembeye", Lex::Weekday(Thu)), ("cuma", Lex::Weekday(Fri)),
    ("cumaya", Lex::Weekday(Fri)), ("cumartesi", Lex::Weekday(Sat)), ("cumartesiye", Lex::Weekday(Sat)),
    ("pazara", Lex::Weekday(Sun)), ("ocak", Lex::Month(1)), ("şubat", Lex::Month(2)), ("mart", Lex::Month(3)),
    ("nisan", Lex::Month(4)), ("mayıs", Lex::Month(5)), ("haziran", Lex::Month(6)), ("temmuz", Lex::Month(7)),
    ("ağustos", Lex::Month(8)), ("eylül", Lex::Month(9)), ("ekim", Lex::Month(10)), ("kasım", Lex::Month(11)),
    ("aralık", Lex::Month(12)), ("gün", Lex::Unit(Unit::Day)), ("hafta", Lex::Unit(Unit::Week)),
    ("haftaya", Lex::Unit(Unit::Week)), ("hafta sonu", Lex::Unit(Unit::Weekend)), ("yıl", Lex::Unit(Unit::Year)),
    ("gelecek", Lex::Rel(Rel::Next)), ("önümüzdeki", Lex::Rel(Rel::Next)), ("bugün", Lex::Day(0)),
    ("yarın", Lex::Day(1)), ("yarına", Lex::Day(1)), ("dün", Lex::Day(-1)), ("sabah", Lex::Part(Part::Morning)),
    ("öğleden sonra", Lex::Part(Part::Afternoon)), ("akşam", Lex::Part(Part::Evening)),
    ("bu akşam", Lex::DayPart(0, Part::Evening)), ("ay sonu", Lex::EndOf(Unit::Month)),
    ("ay sonuna", Lex::EndOf(Unit::Month)), ("ayın sonuna", Lex::EndOf(Unit::Month)),
    ("hafta sonuna", Lex::EndOf(Unit::Week)), ("iki", Lex::Number(2)), ("üç", Lex::Number(3)),
];

/// Words that other languages read otherwise.
#[rustfmt::skip]
pub(in crate::due) const SHORT: Table = &[
    ("bu", Lex::Rel(Rel::This)), ("içinde", Lex::Within), ("sonra", Lex::Later), ("pazar", Lex::Weekday(Sun)),
    ("ay", Lex::Unit(Unit::Month)), ("mar", Lex::Other), ("sun", Lex::Other), ("may", Lex::Other), ("mon", Lex::Other),
    ("sat", Lex::Other), ("on", Lex::Other),
];
