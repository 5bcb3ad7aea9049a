//! Days as a person who plans a week sees them.

use chrono::{Datelike as _, NaiveDate};

/// Where a due day lies, seen from today; weeks begin on Monday.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WeekPart {
    /// Before today, also of this week.
    Late,
    /// From today to Sunday.
    This,
    /// The seven days after that.
    Next,
    /// After those.
    Later,
    /// There is no day.
    Undated,
}

impl WeekPart {
    /// Every part, in the order of time.
    pub const ALL: [Self; 5] = [Self::Late, Self::This, Self::Next, Self::Later, Self::Undated];

    /// Its name in an address.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Late => "late",
            Self::This => "this",
            Self::Next => "next",
            Self::Later => "later",
            Self::Undated => "undated",
        }
    }

    /// Its name for people.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Late => "Late",
            Self::This => "This week",
            Self::Next => "Next week",
            Self::Later => "Later",
            Self::Undated => "Without a date",
        }
    }

    /// The part that a due day belongs to.
    pub fn of(due: Option<NaiveDate>, today: NaiveDate) -> Self {
        let Some(day) = due else { return Self::Undated };
        let since_monday = (day - today).num_days() + i64::from(today.weekday().num_days_from_monday());
        match since_monday {
            _ if day < today => Self::Late,
            ..7 => Self::This,
            7..14 => Self::Next,
            _ => Self::Later,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_week_begins_on_monday_and_what_is_past_is_late() {
        let date = |text: &str| text.parse::<NaiveDate>().unwrap();
        let wednesday = date("2026-03-04");
        let of = |text: &str| WeekPart::of(Some(date(text)), wednesday);
        assert_eq!(of("2026-03-03"), WeekPart::Late, "also of this week");
        assert_eq!((of("2026-03-04"), of("2026-03-08")), (WeekPart::This, WeekPart::This));
        assert_eq!((of("2026-03-09"), of("2026-03-15")), (WeekPart::Next, WeekPart::Next));
        assert_eq!((of("2026-03-16"), WeekPart::of(None, wednesday)), (WeekPart::Later, WeekPart::Undated));
        assert_eq!(WeekPart::of(Some(date("2026-03-09")), date("2026-03-08")), WeekPart::Next, "seen from a Sunday");
    }
}
