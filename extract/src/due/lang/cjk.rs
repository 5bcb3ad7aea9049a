//! Chinese, Japanese and Korean: words that stand in the text without spaces around them.

use chrono::Weekday::{Fri, Mon, Sat, Sun, Thu, Tue, Wed};

use crate::due::lexicon::{Edge, Lex, Part, Table, Unit};
use Lex::{Ago, Clock, Day, DayPart, EndOf, EndOfDay, Half, Later, Noon, Now, Number, Of, Weekday};

/// Words of dates, found wherever they stand; the longest wins.
#[rustfmt::skip]
pub(in crate::due) const WORDS: Table = &[
    ("周一", Weekday(Mon)), ("周二", Weekday(Tue)), ("周三", Weekday(Wed)), ("周四", Weekday(Thu)), ("周五", Weekday(Fri)),
    ("周六", Weekday(Sat)), ("周日", Weekday(Sun)), ("週一", Weekday(Mon)), ("週二", Weekday(Tue)), ("週三", Weekday(Wed)),
    ("週四", Weekday(Thu)), ("週五", Weekday(Fri)), ("週六", Weekday(Sat)), ("週日", Weekday(Sun)), ("星期一", Weekday(Mon)),
    ("星期二", Weekday(Tue)), ("星期三", Weekday(Wed)), ("星期四", Weekday(Thu)), ("星期五", Weekday(Fri)), ("星期六", Weekday(Sat)),
    ("星期天", Weekday(Sun)), ("星期日", Weekday(Sun)), ("礼拜一", Weekday(Mon)), ("礼拜二", Weekday(Tue)), ("礼拜三", Weekday(Wed)),
    ("礼拜四", Weekday(Thu)), ("礼拜五", Weekday(Fri)), ("礼拜六", Weekday(Sat)), ("礼拜天", Weekday(Sun)), ("月曜日", Weekday(Mon)),
    ("火曜日", Weekday(Tue)), ("水曜日", Weekday(Wed)), ("木曜日", Weekday(Thu)), ("金曜日", Weekday(Fri)), ("土曜日", Weekday(Sat)),
    ("日曜日", Weekday(Sun)), ("月曜", Weekday(Mon)), ("火曜", Weekday(Tue)), ("水曜", Weekday(Wed)), ("木曜", Weekday(Thu)),
    ("金曜", Weekday(Fri)), ("土曜", Weekday(Sat)), ("日曜", Weekday(Sun)), ("월요일", Weekday(Mon)), ("화요일", Weekday(Tue)),
    ("수요일", Weekday(Wed)), ("목요일", Weekday(Thu)), ("금요일", Weekday(Fri)), ("토요일", Weekday(Sat)), ("일요일", Weekday(Sun)),
    ("今天", Day(0)), ("明天", Day(1)), ("后天", Day(2)), ("後天", Day(2)), ("大后天", Day(3)), ("昨天", Day(-1)), ("前天", Day(-2)),
    ("今日", Day(0)), ("明日", Day(1)), ("明後日", Day(2)), ("昨日", Day(-1)), ("本日", Day(0)), ("あした", Day(1)), ("あす", Day(1)),
    ("あさって", Day(2)), ("きょう", Day(0)), ("오늘", Day(0)), ("내일", Day(1)), ("모레", Day(2)), ("어제", Day(-1)),
    ("今晚", DayPart(0, Part::Evening)), ("今夜", DayPart(0, Part::Night)), ("明晚", DayPart(1, Part::Evening)),
    ("明早", DayPart(1, Part::Morning)), ("今早", DayPart(0, Part::Morning)), ("今朝", DayPart(0, Part::Morning)),
    ("明朝", DayPart(1, Part::Morning)), ("今晩", DayPart(0, Part::Evening)), ("早上", Lex::Part(Part::Morning)),
    ("上午", Lex::Part(Part::Morning)), ("下午", Lex::Part(Part::Afternoon)), ("晚上", Lex::Part(Part::Evening)),
    ("午前", Lex::Part(Part::Morning)), ("午後", Lex::Part(Part::Afternoon)), ("夕方", Lex::Part(Part::Evening)),
    ("오전", Lex::Part(Part::Morning)), ("오후", Lex::Part(Part::Afternoon)), ("저녁", Lex::Part(Part::Evening)),
    ("中午", Noon), ("正午", Noon), ("下班前", EndOfDay), ("本日中", EndOfDay), ("今日中", EndOfDay), ("现在", Now), ("立刻", Now),
    ("今すぐ", Now), ("지금", Now), ("本周", Lex::WeekFromNow(0)), ("这周", Lex::WeekFromNow(0)), ("这个星期", Lex::WeekFromNow(0)),
    ("下周", Lex::WeekFromNow(1)), ("下星期", Lex::WeekFromNow(1)), ("下个星期", Lex::WeekFromNow(1)), ("下週", Lex::WeekFromNow(1)),
    ("下下周", Lex::WeekFromNow(2)), ("今週", Lex::WeekFromNow(0)), ("来週", Lex::WeekFromNow(1)), ("再来週", Lex::WeekFromNow(2)),
    ("이번 주", Lex::WeekFromNow(0)), ("이번주", Lex::WeekFromNow(0)), ("다음 주", Lex::WeekFromNow(1)), ("다음주", Lex::WeekFromNow(1)),
    ("周末", Lex::Unit(Unit::Weekend)), ("週末", Lex::Unit(Unit::Weekend)), ("주말", Lex::Unit(Unit::Weekend)),
    ("月底", EndOf(Unit::Month)), ("月末", EndOf(Unit::Month)), ("年底", EndOf(Unit::Year)), ("年末", EndOf(Unit::Year)),
    ("월말", EndOf(Unit::Month)), ("季度末", EndOf(Unit::Quarter)), ("本月底", EndOf(Unit::Month)), ("今月末", EndOf(Unit::Month)),
    ("下个月", Lex::NextMonth), ("来月", Lex::NextMonth), ("다음 달", Lex::NextMonth),
    ("天", Lex::Unit(Unit::Day)), ("日間", Lex::Unit(Unit::Day)),
    ("个星期", Lex::Unit(Unit::Week)), ("星期", Lex::Unit(Unit::Week)), ("周", Lex::Unit(Unit::Week)),
    ("週間", Lex::Unit(Unit::Week)), ("个月", Lex::Unit(Unit::Month)), ("ヶ月", Lex::Unit(Unit::Month)),
    ("か月", Lex::Unit(Unit::Month)), ("小时", Lex::Unit(Unit::Hour)), ("時間", Lex::Unit(Unit::Hour)),
    ("分钟", Lex::Unit(Unit::Minute)), ("后", Later), ("之后", Later), ("以后", Later), ("後", Later), ("内", Later),
    ("以内", Later), ("之内", Later), ("前", Ago), ("年", Lex::YearMark), ("月", Lex::MonthMark), ("日", Lex::DayMark),
    ("号", Lex::DayMark), ("년", Lex::YearMark), ("월", Lex::MonthMark), ("일", Lex::DayMark), ("点", Clock), ("點", Clock),
    ("時", Clock), ("时", Clock), ("시", Clock), ("半", Half), ("末", Lex::Edge(Edge::End)), ("底", Lex::Edge(Edge::End)), ("の", Of), ("的", Of), ("一", Number(1)), ("二", Number(2)),
    ("两", Number(2)), ("三", Number(3)), ("四", Number(4)), ("五", Number(5)), ("六", Number(6)), ("七", Number(7)),
    ("八", Number(8)), ("九", Number(9)), ("十", Number(10)),
];
