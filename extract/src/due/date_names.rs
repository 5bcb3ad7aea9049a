//! Days by the name of their month: "March 14th", "14. März", "the 12th", "in June", "Christmas".

use super::lexicon::{Lex, Rel, Unit};
use super::numeric::{date, full_year};
use super::parser::{Parsed, Parser};
use super::partial_date::PartialDate;

/// A day, or month, of the calendar.
pub(super) fn rule(p: &Parser<'_>, at: usize, so_far: &PartialDate) -> Parsed {
    year(p, at, so_far)
        // "Ende April den ersten Entwurf": what follows is no day of that month.
        .or_else(|| month_first(p, at).filter(|_| so_far.edge.is_none()))
        .or_else(|| day_first(p, at))
        .or_else(|| month_alone(p, at, so_far))
        .or_else(|| day_alone(p, at, so_far))
        .or_else(|| holiday(p, at))
}

/// A year: before its month ("2018 March 18"), or behind what it is the year of, also with a time between
/// ("Oct 26 11:00:09 2023").
fn year(p: &Parser<'_>, at: usize, so_far: &PartialDate) -> Parsed {
    let (year, end) = year_number(p, at)?;
    let partial = PartialDate { year: Some(year), ..PartialDate::default() };
    if so_far.month.is_some() || so_far.holiday.is_some() {
        return Some((partial, end));
    }
    let next = p.skip(end, |lex| matches!(lex, Lex::Mark('/' | '-' | ',')));
    let (named, end) =
        month_first(p, next).or_else(|| day_first(p, next)).or_else(|| month_alone(p, next, &partial))?;
    named.month?;
    Some((named.join(&partial)?, end))
}

/// "2026", "'26", "two thousand and twenty-six", where no clock or unit takes it.
fn year_number(p: &Parser<'_>, at: usize) -> Option<(i32, usize)> {
    match p.lex(at) {
        Lex::Digits { value, len: 4 } if p.free(at) || matches!(p.before(at), Lex::Mark('/' | '-')) => {
            let taken = matches!(p.lex(at + 1), Lex::Mark(':') | Lex::Clock | Lex::Unit(_)) && p.glued(at + 1);
            full_year((value, 4)).filter(|_| !taken).map(|year| (year, at + 1))
        }
        Lex::Mark('\'' | '’') if !elides(p, at) => match p.lex(at + 1) {
            Lex::Digits { value, len: 2 } => Some((full_year((value, 2))?, at + 2)),
            _ => None,
        },
        Lex::Number(2) if p.words(at + 1).eq_ignore_ascii_case("thousand") => {
            let (years, end) = p.whole(p.skip(at + 2, |lex| lex == Lex::And)).filter(|(n, _)| *n < 100)?;
            Some((i32::try_from(2000 + years).ok()?, end))
        }
        Lex::Number(20) => {
            let (years, end) = p.whole(if p.hyphen(at + 1) { at + 2 } else { at + 1 })?;
            (10..100).contains(&years).then_some((i32::try_from(2000 + years).ok()?, end))
        }
        _ => None,
    }
}

/// Whether an apostrophe stands for the vowel of an article: "l'11 aprile", "dell'11".
fn elides(p: &Parser<'_>, at: usize) -> bool {
    matches!(p.lex(at), Lex::Mark('\'' | '’')) && p.glued(at) && matches!(p.before(at), Lex::The | Lex::Of)
}

/// A year right behind a day or month: ", 2026", "of 2026", "/15".
fn year_behind(p: &Parser<'_>, at: usize) -> (Option<i32>, usize) {
    let next = p.skip(at, |lex| matches!(lex, Lex::Mark(',' | '.' | '/' | '-') | Lex::Of | Lex::In | Lex::The));
    let short = || match p.lex(at + 1) {
        Lex::Digits { value, len: 2 } if p.hyphen(at) || p.lex(at) == Lex::Mark('/') && p.glued(at + 1) => {
            full_year((value, 2)).map(|year| (year, at + 2))
        }
        _ => None,
    };
    year_number(p, next).or_else(short).map_or((None, at), |(year, end)| (Some(year), end))
}

fn month(p: &Parser<'_>, at: usize) -> Option<(u32, bool)> {
    match p.lex(at) {
        Lex::Month(month) => Some((month.into(), true)),
        Lex::MaybeMonth(month) => Some((month.into(), false)),
        _ => None,
    }
}

/// A day of the month as a number or an ordinal, also "23rd day".
fn day_number(p: &Parser<'_>, at: usize) -> Option<(u32, usize)> {
    let (day, end) = match p.lex(at) {
        Lex::Digits { value, len: 1 | 2 } => (value, at + 1),
        Lex::Digits { .. } => return None,
        _ => p.ordinal(at).or_else(|| p.whole(at))?,
    };
    let end = end + usize::from(p.lex(end) == Lex::Unit(Unit::Day) && p.lex(end + 1) == Lex::Of);
    (1..=31).contains(&day).then_some((day, end))
}

/// Whether a number before a token is an hour or counts something, and so is no day of a month.
fn is_other(p: &Parser<'_>, at: usize) -> bool {
    let hour = matches!(p.lex(at), Lex::Am | Lex::Pm | Lex::Clock);
    let minutes = matches!(p.lex(at), Lex::Mark(':')) && p.glued(at);
    hour || minutes || matches!(p.lex(at), Lex::Unit(_))
}

/// "March 14", "Nov/2", "February twenty-second, 2027", "May 9 to 11".
fn month_first(p: &Parser<'_>, at: usize) -> Parsed {
    let (month, sure) = month(p, at)?;
    let next = p.skip(at + 1, |lex| matches!(lex, Lex::Mark('.' | ',' | '/' | '-') | Lex::The | Lex::On));
    let (day, end) = day_number(p, next)?;
    let verb =
        !sure && !p.words(at).starts_with(char::is_uppercase) && p.lex(end) == Lex::Other && p.ordinal(next).is_none();
    // "April, five-thirty"
    let hour = matches!(p.lex(next), Lex::Number(_))
        && p.ordinal(next).is_none()
        && (p.hyphen(end) || matches!(p.lex(end), Lex::Number(_)));
    if verb || hour || is_other(p, end) {
        return None;
    }
    // "March 9 and 3 copies" is no range.
    let range = until(p, end).filter(|(last, end)| *last > day && self::month(p, *end).is_none());
    let (until, end) = range.map_or((None, end), |(day, end)| (Some(day), end));
    let (year, end) = year_behind(p, end);
    Some((PartialDate { until, ..date(year, month, day) }, end))
}

/// The day that ends a range: "- 28", "to the 28th".
fn until(p: &Parser<'_>, at: usize) -> Option<(u32, usize)> {
    if !matches!(p.lex(at), Lex::To | Lex::And | Lex::Mark('-' | '–' | '—' | '/')) {
        return None;
    }
    let (day, end) = day_number(p, p.skip(at + 1, |lex| lex == Lex::The))?;
    let longer = matches!(p.lex(end), Lex::Mark('/' | '-')) && p.glued(end);
    (!longer && !is_other(p, end)).then_some((day, end))
}

/// "14 March", "the second of Aug.", "15Sep", "14. März 2026", "28 June in 2020", "9 to 12 of June".
fn day_first(p: &Parser<'_>, at: usize) -> Parsed {
    let start = p.skip(at, |lex| lex == Lex::The);
    let (day, end) = day_number(p, start).filter(|_| p.free(start))?;
    let joins = |lex| matches!(lex, Lex::Of | Lex::Mark('.' | '/' | '-' | ',') | Lex::The);
    // "phase 2 - March 9"
    let apart = |from: usize, to: usize| (from..to).any(|at| p.lex(at) == Lex::Mark('-') && !p.hyphen(at));
    let range = until(p, end).map(|(day, end)| (Some(day), p.skip(end, joins)));
    let (until, next) = range.filter(|(_, next)| month(p, *next).is_some()).unwrap_or((None, p.skip(end, joins)));
    let (month, sure) = month(p, next).filter(|_| until.is_some() || !apart(end, next))?;
    let counts = matches!(p.lex(start), Lex::Number(_)) && p.ordinal(start).is_none() && !sure;
    let dot = usize::from(p.lex(next + 1) == Lex::Mark('.') && p.words(next).len() <= 4 && !p.ends(next + 1));
    let (year, end) = year_behind(p, next + 1 + dot);
    // "one may ask"
    if counts && year.is_none() {
        return None;
    }
    Some((PartialDate { until, ..date(year, month, day) }, if year.is_some() { end } else { next + 1 }))
}

/// "in June", "March 2026", "next March".
fn month_alone(p: &Parser<'_>, at: usize, so_far: &PartialDate) -> Parsed {
    let (rel, at) = match p.lex(at) {
        Lex::Rel(rel) => (Some(rel), at + 1),
        _ => (None, at),
    };
    let (month, sure) = month(p, at)?;
    let (behind, next) = match p.lex(at + 1) {
        Lex::Rel(rel @ (Rel::Next | Rel::Last)) if rel_ends(p, at + 2) => (Some(rel), at + 2),
        Lex::After if p.lex(at + 2) == Lex::Rel(Rel::Next) => (Some(Rel::AfterNext), at + 3),
        _ => (None, at + 1),
    };
    let (year, end) = year_behind(p, next);
    // "this may take", but "this May"
    let led = rel.is_some_and(|rel| rel != Rel::This || p.words(at).starts_with(char::is_uppercase))
        || so_far.nth.is_some()
        || so_far.day_of_month.is_some()
        || so_far.edge.is_some()
        || matches!(p.before(at), Lex::In | Lex::By | Lex::Of | Lex::Before | Lex::Edge(_) | Lex::Between)
        || matches!((p.lex(at + 1), p.lex(at + 2)), (Lex::Rel(_), Lex::Unit(Unit::Year)));
    let sure = sure || year.is_some() || behind.is_some() || led;
    sure.then_some((PartialDate { month: Some(month), year, rel: rel.or(behind), ..PartialDate::default() }, end))
}

/// Whether "next" belongs to what stands before a token: "Friday next", but "Friday next week".
pub(super) fn rel_ends(p: &Parser<'_>, at: usize) -> bool {
    !matches!(
        p.lex(at),
        Lex::Unit(_)
            | Lex::Quarter
            | Lex::Weekday(_)
            | Lex::Month(_)
            | Lex::Number(_)
            | Lex::Digits { .. }
            | Lex::Holiday(_)
    )
}

/// "the 12th", "on the first", "Tuesday 19th", "Monday 21", "20 of next month", "Eleventh."
fn day_alone(p: &Parser<'_>, at: usize, so_far: &PartialDate) -> Parsed {
    let start = p.skip(at, |lex| lex == Lex::The);
    let (day, end) = day_number(p, start).filter(|_| p.free(start))?;
    let partial = PartialDate { day_of_month: Some(day), ..PartialDate::default() };
    let month = p.skip(end + 1, |lex| lex == Lex::The);
    let of_month = p.lex(end) == Lex::Of
        && match p.lex(month) {
            Lex::Rel(_) => p.lex(month + 1) == Lex::Unit(Unit::Month),
            lex => lex == Lex::Unit(Unit::Month) || lex == Lex::NextMonth,
        };
    if of_month {
        return Some((partial, end));
    }
    if let Lex::Digits { .. } = p.lex(start) {
        return digits_alone(p, start, end, so_far).map(|end| (partial, end));
    }
    if p.ordinal(start).is_none() {
        return (cardinal(p, start) && (p.ends(end) || p.goes_on(end))).then_some((partial, end));
    }
    let digits = p.words(start).starts_with(|c: char| c.is_ascii_digit());
    let counts = p.lex(end) == Lex::Other && !p.goes_on(end)
        || matches!(
            p.lex(end),
            Lex::Unit(_) | Lex::Quarter | Lex::Half | Lex::Part(_) | Lex::Weekday(_) | Lex::Rel(_) | Lex::Of
        );
    let settled = ["so", "say", "it's"].iter().any(|word| at > 0 && p.words(at - 1).ends_with(word));
    let leads = matches!(p.before(at), Lex::On | Lex::By | Lex::Before | Lex::To | Lex::Between | Lex::And);
    // "Tuesday morning, first the plan"
    let adverb = start == at && p.before(at) == Lex::Mark(',') && day <= 3;
    let plain = match digits {
        true => !counted_noun(p, end) && !p.words(start).ends_with('ª'),
        false if counts || adverb => false,
        false => {
            start > at && (leads || settled) || (day > 3 || so_far.weekday.is_some()) && p.lex(start) != Lex::Second
        }
    };
    plain.then_some((partial, end))
}

/// Whether a number in words is a day of a month as Romance languages say one: "le quinze", "antes del siete", "dia cinco".
pub(super) fn cardinal(p: &Parser<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return false };
    let article = p.words(before).rsplit(' ').next().unwrap_or_default().to_lowercase();
    let led = matches!(p.lex(before), Lex::The | Lex::By | Lex::Before)
        && matches!(article.as_str(), "el" | "del" | "le" | "il");
    p.lex(at) != Lex::Number(1) && (led || named_day(p, before))
}

/// Whether a token says that a number behind it is a day of a month: "dia 5", "el día siete".
fn named_day(p: &Parser<'_>, at: usize) -> bool {
    p.lex(at) == Lex::Unit(Unit::Day) && matches!(p.words(at).to_lowercase().as_str(), "dia" | "día" | "giorno")
}

/// Digits without an ordinal's ending: behind a weekday ("Monday 21"), or where the language puts them behind an article.
fn digits_alone(p: &Parser<'_>, at: usize, end: usize, so_far: &PartialDate) -> Option<usize> {
    let elided = at > 0 && elides(p, at - 1);
    let lead = if elided { Lex::The } else { p.before(at) };
    let timed = is_other(p, end) || matches!(p.lex(end), Lex::Part(_) | Lex::DayPart(..) | Lex::Quarter);
    let taken = timed
        || p.is_counted(end)
        || matches!(lead, Lex::At | Lex::For | Lex::By | Lex::About | Lex::Mark('@'))
        || p.lex(end) == Lex::Mark('-') && matches!(p.lex(end + 1), Lex::Digits { .. });
    let dotted = p.lex(end) == Lex::Mark('.') && p.glued(end);
    let closed = (matches!(p.lex(end), Lex::Break | Lex::Mark(_) | Lex::At | Lex::From) || p.goes_on(end)) && !timed;
    let led = closed
        && !p.is_counted(end)
        && match lead {
            Lex::On => !matches!(p.lex(end), Lex::Mark(')' | ':' | '-' | '/')),
            Lex::The if matches!(p.words(at - 1).to_lowercase().as_str(), "las" | "los" | "les" | "i") => false,
            Lex::Unit(_) => named_day(p, at - 1),
            Lex::The => p.pointed || matches!(p.before(at - 1), Lex::On | Lex::By | Lex::Before | Lex::To),
            Lex::By | Lex::To => p.pointed,
            _ => false,
        };
    let behind = so_far.weekday.is_some() && so_far.rel.is_none() && !taken;
    ((!p.glued(at) || elided) && (led || behind)).then_some(end + usize::from(dotted && led))
}

/// "12th floor": a noun that ordinals count.
fn counted_noun(p: &Parser<'_>, at: usize) -> bool {
    const NOUNS: &str = "floor century street st avenue ave grade graders time anniversary edition version attempt line row page \
        chapter percentile person place birthday";
    match p.lex(at) {
        Lex::Other => {
            let first = p.words(at).split([' ', '\n']).next().unwrap_or_default();
            NOUNS.split_whitespace().any(|noun| noun == first)
        }
        // "the 12th, half past five"
        Lex::Quarter | Lex::Half => !matches!(p.lex(at + 1), Lex::Past | Lex::To | Lex::After | Lex::Number(_)),
        Lex::Later | Lex::Unit(_) | Lex::Rel(Rel::Last) => true,
        _ => false,
    }
}

/// "Christmas", "Easter 2018", "next Thanksgiving".
fn holiday(p: &Parser<'_>, at: usize) -> Parsed {
    let (rel, at) = match p.lex(at) {
        Lex::Rel(rel) => (Some(rel), at + 1),
        _ => (None, at),
    };
    let Lex::Holiday(holiday) = p.lex(at) else { return None };
    let (year, end) = year_behind(p, at + 1);
    Some((PartialDate { holiday: Some(holiday), rel, year, ..PartialDate::default() }, end))
}

#[cfg(test)]
mod tests {
    use crate::due::table::{TUESDAY, means};

    /// Said on Tuesday, 3 March 2026, at ten.
    #[test]
    fn months_are_named_before_and_behind_the_day() {
        means(
            TUESDAY,
            "en",
            &[
                ("March 14th", "2026-03-14"),
                ("14 March 2027", "2027-03-14"),
                ("the second of Aug.", "2026-08-02"),
                ("february twenty second", "2027-02-22"),
                ("Sunday, March, 6th 2016", "2016-03-06"),
                ("2012/Aug/10", "2012-08-10"),
                ("15Sep", "2026-09-15"),
                ("28 june in 2020", "2020-06-28"),
                ("12-Mar-27", "2027-03-12"),
                ("Thu Oct 26 11:00:09 2023", "2023-10-26"),
                ("next April", "2026-04-01"),
                ("5 June next year", "2027-06-05"),
                ("it cost $12 December 27", "2026-12-27"),
            ],
        );
    }

    #[test]
    fn a_day_of_the_month_is_the_next_one() {
        means(
            TUESDAY,
            "en",
            &[
                ("by the 12th", "2026-03-12"),
                ("on the first", "2026-04-01"),
                ("the twenty-sixth", "2026-03-26"),
                ("Eleventh. Ugly.", "2026-03-11"),
                ("by the twenty eighth no problem", "2026-03-28"),
                ("20th of the next month", "2026-04-20"),
                ("20 of next month", "2026-04-20"),
                ("on the 15th day of next month", "2026-04-15"),
            ],
        );
    }

    #[test]
    fn romance_languages_count_the_days_of_a_month() {
        means(
            TUESDAY,
            "es",
            &[("antes del siete", "2026-03-07"), ("vale, el doce", "2026-03-12"), ("el día 20", "2026-03-20")],
        );
        means(TUESDAY, "fr", &[("pour le quinze.", "2026-03-15"), ("le vingt au plus tard", "2026-03-20")]);
        means(TUESDAY, "fr", &[("le 20 au plus tard", "2026-03-20"), ("le deux pièces", ""), ("les 12", "")]);
        means(TUESDAY, "it", &[("entro il trenta", "2026-03-30"), ("le tre bozze", "")]);
        means(TUESDAY, "it", &[("entro l'11 aprile", "2026-04-11"), ("per l’8", "2026-03-08")]);
        means(TUESDAY, "pt", &[("até dia cinco", "2026-03-05"), ("até dia 30", "2026-03-30")]);
    }

    #[test]
    fn a_weekday_beside_a_day_says_nothing_more_of_it() {
        let thursday = "2026-10-01T10:00";
        for said in ["Friday week, 9 October", "next Friday, 9 October", "Friday the ninth of October"] {
            means(thursday, "en", &[(said, "2026-10-09")]);
        }
    }

    #[test]
    fn an_ordinal_that_says_in_which_order_is_no_day() {
        means(TUESDAY, "en", &[("on Friday, first the plan", "2026-03-06"), ("Friday, the tenth", "2026-04-10")]);
        means(TUESDAY, "de", &[("bis Mitte September den ersten Entwurf", "2026-09-15")]);
    }

    #[test]
    fn a_range_is_its_last_day() {
        means(
            TUESDAY,
            "en",
            &[
                ("March 9 - 11", "2026-03-11"),
                ("10-12 March", "2026-03-12"),
                ("Oct 26 - 28, 2026", "2026-10-28"),
                ("between the 9th and the 11th", "2026-03-11"),
                ("Monday to Friday", "2026-03-13"),
            ],
        );
    }

    #[test]
    fn days_that_no_calendar_has_are_none() {
        means(TUESDAY, "en", &[("June 31, 2022", ""), ("February 20 - 29, 2022", ""), ("31 April", "")]);
    }

    #[test]
    fn words_that_only_look_like_dates_are_none() {
        means(
            TUESDAY,
            "en",
            &[("the 12th floor", ""), ("the first thing", ""), ("You may get it", ""), ("they march on", "")],
        );
    }
}
