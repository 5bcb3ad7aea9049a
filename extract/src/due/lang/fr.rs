//! French.

use chrono::Weekday::{Fri, Mon, Sat, Sun, Thu, Tue, Wed};

use crate::due::holiday::Holiday as H;
use crate::due::lexicon::{Edge, Lex, Part, Rel, Table, Unit};

/// Words of dates.
#[rustfmt::skip]
pub(in crate::due) const WORDS: Table = &[
    ("lundi", Lex::Weekday(Mon)), ("mardi", Lex::Weekday(Tue)), ("mercredi", Lex::Weekday(Wed)),
    ("jeudi", Lex::Weekday(Thu)), ("vendredi", Lex::Weekday(Fri)), ("samedi", Lex::Weekday(Sat)),
    ("dimanche", Lex::Weekday(Sun)), ("lundis", Lex::Weekdays(Mon)), ("mardis", Lex::Weekdays(Tue)),
    ("mercredis", Lex::Weekdays(Wed)), ("jeudis", Lex::Weekdays(Thu)), ("vendredis", Lex::Weekdays(Fri)),
    ("samedis", Lex::Weekdays(Sat)), ("dimanches", Lex::Weekdays(Sun)), ("janvier", Lex::Month(1)),
    ("février", Lex::Month(2)), ("fevrier", Lex::Month(2)), ("mars", Lex::Month(3)), ("avril", Lex::Month(4)),
    ("mai", Lex::Month(5)), ("juin", Lex::Month(6)), ("juillet", Lex::Month(7)), ("août", Lex::Month(8)),
    ("aout", Lex::Month(8)), ("septembre", Lex::Month(9)), ("octobre", Lex::Month(10)), ("novembre", Lex::Month(11)),
    ("décembre", Lex::Month(12)), ("decembre", Lex::Month(12)), ("seconde", Lex::Unit(Unit::Second)),
    ("secondes", Lex::Unit(Unit::Second)), ("heure", Lex::Unit(Unit::Hour)), ("heures", Lex::Unit(Unit::Hour)),
    ("jour", Lex::Unit(Unit::Day)), ("jours", Lex::Unit(Unit::Day)), ("journée", Lex::Unit(Unit::Day)),
    ("jours ouvrés", Lex::Unit(Unit::Workday)), ("jour ouvré", Lex::Unit(Unit::Workday)),
    ("jours ouvrables", Lex::Unit(Unit::Workday)), ("semaine", Lex::Unit(Unit::Week)),
    ("semaines", Lex::Unit(Unit::Week)), ("week end", Lex::Unit(Unit::Weekend)), ("weekend", Lex::Unit(Unit::Weekend)),
    ("quinzaine", Lex::Unit(Unit::Fortnight)), ("mois", Lex::Unit(Unit::Month)), ("trimestre", Lex::Quarter),
    ("année", Lex::Unit(Unit::Year)), ("annee", Lex::Unit(Unit::Year)), ("ans", Lex::Unit(Unit::Year)),
    ("prochain", Lex::Rel(Rel::Next)), ("prochaine", Lex::Rel(Rel::Next)), ("suivant", Lex::Rel(Rel::Next)),
    ("suivante", Lex::Rel(Rel::Next)), ("ce", Lex::Rel(Rel::This)), ("cet", Lex::Rel(Rel::This)),
    ("cette", Lex::Rel(Rel::This)), ("dernier", Lex::Rel(Rel::Last)), ("dernière", Lex::Rel(Rel::Last)),
    ("aujourd hui", Lex::Day(0)), ("aujourdhui", Lex::Day(0)), ("demain", Lex::Day(1)), ("après demain", Lex::Day(2)),
    ("apres demain", Lex::Day(2)), ("hier", Lex::Day(-1)), ("avant hier", Lex::Day(-2)),
    ("matin", Lex::Part(Part::Morning)), ("matinée", Lex::Part(Part::Morning)),
    ("après midi", Lex::Part(Part::Afternoon)), ("apres midi", Lex::Part(Part::Afternoon)),
    ("soir", Lex::Part(Part::Evening)), ("soirée", Lex::Part(Part::Evening)),
    ("ce soir", Lex::DayPart(0, Part::Evening)), ("maintenant", Lex::Now), ("tout de suite", Lex::Now),
    ("immédiatement", Lex::Now), ("fin", Lex::Edge(Edge::End)), ("début", Lex::Edge(Edge::Start)),
    ("debut", Lex::Edge(Edge::Start)), ("mi", Lex::Edge(Edge::Middle)), ("milieu", Lex::Edge(Edge::Middle)),
    ("fin de journée", Lex::EndOfDay), ("fin de la journée", Lex::EndOfDay), ("fin de journee", Lex::EndOfDay),
    ("midi", Lex::Noon), ("minuit", Lex::Midnight), ("heures", Lex::Clock), ("chaque", Lex::Every),
    ("tous", Lex::Every), ("toutes", Lex::Every), ("d ici", Lex::Within), ("jusqu", Lex::To), ("avant", Lex::Before),
    ("après", Lex::After), ("et", Lex::And), ("deux", Lex::Number(2)), ("trois", Lex::Number(3)),
    ("quelques", Lex::Number(3)), ("quatre", Lex::Number(4)), ("cinq", Lex::Number(5)), ("huit", Lex::Number(8)),
    ("neuf", Lex::Number(9)), ("dix", Lex::Number(10)), ("quinze", Lex::Number(15)), ("sept", Lex::Number(7)),
    ("premier", Lex::Ordinal(1)), ("noël", Lex::Holiday(H::Christmas)),
    ("noel", Lex::Holiday(H::Christmas)), ("pâques", Lex::Holiday(H::Easter)),
    ("lundi de pâques", Lex::Holiday(H::EasterMonday)),
    ("toussaint", Lex::Holiday(H::AllSaints)), ("ascension", Lex::Holiday(H::Ascension)),
    ("pentecôte", Lex::Holiday(H::Pentecost)), ("assomption", Lex::Holiday(H::Assumption)),
    ("réveillon", Lex::Holiday(H::NewYearsEve)),
];

/// Words that other languages read otherwise.
#[rustfmt::skip]
pub(in crate::due) const SHORT: Table = &[
    ("mars", Lex::Month(3)), ("un", Lex::A), ("une", Lex::A), ("dans", Lex::In), ("en", Lex::In),
    ("sous", Lex::In), ("le", Lex::The), ("la", Lex::The), ("les", Lex::The), ("l", Lex::The), ("de", Lex::Of),
    ("du", Lex::Of), ("des", Lex::Of), ("d", Lex::Of), ("au", Lex::On), ("à", Lex::At), ("vers", Lex::At),
    ("pour", Lex::For), ("pour", Lex::By), ("jusqu à", Lex::To), ("jusqu au", Lex::To), ("jusque", Lex::To),
    ("de", Lex::From), ("an", Lex::Unit(Unit::Year)), ("h", Lex::Unit(Unit::Hour)), ("six", Lex::Number(6)),
    ("plus tard", Lex::Later), ("déjeuner", Lex::Part(Part::Lunch)), ("mar", Lex::Other), ("sam", Lex::Other),
    ("an", Lex::Other), ("sun", Lex::Other), ("mon", Lex::Other), ("on", Lex::Other), ("do", Lex::Other),
    ("second", Lex::Other), ("dim", Lex::Other), ("ven", Lex::Other), ("or", Lex::Other), ("tue", Lex::Other),
    ("sat", Lex::Other), ("out", Lex::Other), ("may", Lex::Other), ("time", Lex::Other), ("end", Lex::Other),
    ("past", Lex::Other), ("quart", Lex::Quarter),
];
