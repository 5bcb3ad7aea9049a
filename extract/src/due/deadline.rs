//! The deadline of a task, among the dates that its sentences name: what a plain rule makes of them, which is one number among those by
//! which the model of [`crate::fields::due`] chooses.
//!
//! [`super::find`] says what each expression means on the calendar; here it is asked which of them a task is due by. The
//! last one that can be a deadline wins, as people correct themselves and agree at the end. Out go days in the past, days
//! refused ("not Friday"), days of something that happened or that merely takes place ("I'm away on Monday"), and hours
//! or parts of a day where a day is named as well.

use chrono::{Days, NaiveDate, NaiveDateTime, Timelike};

use super::context::{ExpressionContext, Stance};
use super::lexicon::Unit;
use super::{Expression, Resolved, scan};

/// From this hour on, the name of today's weekday means the one in a week.
const LATE: u32 = 16;

/// Beyond this many days, a date without a year is one that has just passed.
const FAR: i64 = 300;

/// The day by which a task is due, from the sentences that are its evidence, in order, one blank line between them.
/// `None` where they name none. Of a range it is the end, of a week its Friday, of a month its last day.
#[must_use]
pub fn deadline(text: &str, said_at: NaiveDateTime, language: Option<&str>) -> Option<Resolved> {
    let candidates: Vec<_> =
        scan(text, said_at, None, language).into_iter().filter_map(|e| candidate(text, said_at, e)).collect();
    let best = candidates.iter().map(|(weight, _)| *weight).max()?;
    candidates.into_iter().rfind(|(weight, _)| *weight == best).map(|(_, resolved)| resolved)
}

/// A day that a sentence names, today or later, and how it speaks of it.
#[derive(Clone, Debug)]
pub(crate) struct DayMention {
    /// What is named; `last` is the day.
    pub resolved: Resolved,
    /// How the sentence speaks of it.
    pub stance: Stance,
    /// Whether a word of a deadline leads it: "by Friday".
    pub led: bool,
    /// Whether it names a day, not only an hour or a part of the day.
    pub names_a_day: bool,
    /// Whether it is a weekday and nothing else that says which.
    pub bare_weekday: bool,
}

/// Every day, today or later, that a text names.
pub(crate) fn mentions(text: &str, said_at: NaiveDateTime, language: Option<&str>) -> Vec<DayMention> {
    let mention = |expression: Expression| {
        let around = ExpressionContext::of(text, &expression.resolved);
        let last = meant(&expression, &around, said_at)?;
        Some(DayMention {
            stance: around.stance(),
            led: around.is_led(),
            names_a_day: expression.partial.names_a_day(),
            bare_weekday: expression.is_bare_weekday(),
            resolved: Resolved { last, ..expression.resolved },
        })
    };
    scan(text, said_at, None, language).into_iter().filter_map(mention).collect()
}

/// The last day that an expression means, unless it is past: late in the day, its own name alone means the next week, as it does
/// behind "before"; and what is to be done before a month, until its eve.
fn meant(expression: &Expression, around: &ExpressionContext<'_>, said_at: NaiveDateTime) -> Option<NaiveDate> {
    let (last, today) = (expression.resolved.last, said_at.date());
    // "By Tuesday 6pm" is still to come at half past four.
    let late = said_at.hour() >= LATE && !expression.partial.says_a_time();
    if expression.is_bare_weekday() && last == today && (late || expression.before) {
        return last.checked_add_days(Days::new(7));
    }
    let eve = || expression.partial.first_day(today)?.pred_opt();
    let last = if expression.before { eve().unwrap_or(last) } else { last };
    (last >= today && !around.is_since()).then_some(last)
}

/// How much an expression weighs as a deadline, and the day it then means; `None` where it can be none.
fn candidate(text: &str, said_at: NaiveDateTime, expression: Expression) -> Option<(Weight, Resolved)> {
    let today = said_at.date();
    let Expression { partial, resolved, .. } = &expression;
    let around = ExpressionContext::of(text, resolved);
    let stance = around.stance();
    let led = around.is_led();
    let last = meant(&expression, &around, said_at)?;
    let month = matches!(resolved.grain, Unit::Month | Unit::Quarter | Unit::Year);
    let far =
        partial.year.is_none() && resolved.grain <= Unit::Day && resolved.last - today > chrono::TimeDelta::days(FAR);
    if stance == Stance::Refused || far || (month && !led) {
        return None;
    }
    let weight = match stance {
        Stance::Past if !led => return None,
        Stance::Event => return None,
        Stance::Aside => Weight::Aside,
        _ if !expression.partial.names_a_day() => Weight::TimeOnly,
        _ => Weight::Day,
    };
    Some((weight, Resolved { date: last, last, ..expression.resolved }))
}

/// What an expression is worth beside others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    /// Said about something else in the same breath: "I've got the dentist tomorrow".
    Aside,
    /// An hour or a part of the day.
    TimeOnly,
    Day,
}

#[cfg(test)]
mod tests {
    use super::deadline;
    use chrono::NaiveDateTime;

    /// The deadline in sentences said on Tuesday, 3 March 2026, at ten; empty where there is none.
    fn due(text: &str) -> String {
        let said: NaiveDateTime = "2026-03-03T10:00:00".parse().unwrap();
        deadline(text, said, Some("en")).map_or_else(String::new, |found| found.date.to_string())
    }

    #[test]
    fn the_last_day_agreed_wins() {
        assert_eq!(due("could you get it in before thursday?\n\nyeah, tomorrow."), "2026-03-04");
        assert_eq!(due("I can do it but not this week, like realistically, the tenth?"), "2026-03-10");
        assert_eq!(due("I can't today, so tomorrow"), "2026-03-04");
    }

    #[test]
    fn a_range_is_due_at_its_end() {
        assert_eq!(due("we send it between the 9th and the 11th"), "2026-03-11");
        assert_eq!(due("some time next week"), "2026-03-13");
    }

    #[test]
    fn weeks_and_working_days_of_a_month_are_counted_from_its_ends() {
        assert_eq!(due("finish it by the first week of May"), "2026-05-08");
        assert_eq!(due("finish it by the second week of May"), "2026-05-15");
        assert_eq!(due("finish it by the last week of March"), "2026-03-27");
        assert_eq!(due("finish it by the last weekend of March"), "2026-03-29");
        assert_eq!(due("finish it by the last working day of May"), "2026-05-29");
    }

    #[test]
    fn a_time_of_today_is_still_to_come() {
        let due = |text: &str| {
            let said: NaiveDateTime = "2026-03-03T16:30:00".parse().unwrap();
            deadline(text, said, Some("en")).map(|found| found.date.to_string())
        };
        assert_eq!(due("send it by Tuesday 6pm").as_deref(), Some("2026-03-03"));
        assert_eq!(due("send it by Tuesday").as_deref(), Some("2026-03-10"));
    }

    #[test]
    fn a_number_of_things_ends_no_range() {
        assert_eq!(due("send the invoice by March 9 and 3 copies to Bob"), "2026-03-09");
    }

    #[test]
    fn an_hour_says_nothing_beside_a_day() {
        assert_eq!(due("Tuesday the 10th works, come at three"), "2026-03-10");
        assert_eq!(due("I'll ring them at nine when they open"), "2026-03-03");
    }

    #[test]
    fn what_has_happened_is_not_due() {
        assert_eq!(due("the letter was signed by both sides on the 9th"), "");
        assert_eq!(due("lease: I sent it Tuesday evening to Sabela"), "");
        assert_eq!(due("she promised it last Friday"), "");
    }

    #[test]
    fn a_day_of_something_else_is_not_due() {
        assert_eq!(due("someone needs to book the big room for the 24th"), "");
        assert_eq!(due("I'll do the survey. I've got the dentist tomorrow. Thursday?"), "2026-03-05");
        assert_eq!(due("ask him whether 14 June is free"), "");
    }

    #[test]
    fn before_a_month_is_until_its_eve() {
        assert_eq!(due("renew it before April"), "2026-03-31");
        assert_eq!(due("renew it before Tuesday"), "2026-03-10");
        assert_eq!(due("renew it before the end of April"), "2026-04-30");
    }

    #[test]
    fn a_day_since_or_a_month_for_which_something_is_are_not_due() {
        assert_eq!(due("the concrete is curing since Friday"), "");
        assert_eq!(due("update the rota for June"), "");
        assert_eq!(due("update the rota for June by Friday"), "2026-03-06");
    }

    #[test]
    fn what_recurs_has_no_deadline() {
        assert_eq!(due("please send the figures every Friday"), "");
    }

    #[test]
    fn late_in_the_day_its_own_name_means_the_next_week() {
        let said: NaiveDateTime = "2026-03-03T17:45:00".parse().unwrap();
        assert_eq!(deadline("by Tuesday", said, Some("en")).unwrap().date.to_string(), "2026-03-10");
    }
}
