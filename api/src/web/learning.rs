//! Settings → Learning: what feedback has taught, and forgetting it.

use super::{
    PageError,
    flash::Flash,
    frame::{self, NavLink, PageFrame},
    visit::Visit,
};
use askama::Template;
use axum::{http::Method, response::Response};
use gleaner_model::Scope;
use serde::Deserialize;

/// Where this page stands.
const PATH: &str = "/app/settings/learning";

#[derive(Deserialize)]
struct LearningAnswer {
    revision: u64,
    up: u32,
    down: u32,
    effects: Vec<EffectAnswer>,
}

#[derive(Deserialize)]
struct EffectAnswer {
    description: String,
    weight: f64,
    #[serde(default)]
    about: String,
}

/// Effects of one sort, under a heading.
struct EffectGroup {
    heading: &'static str,
    lines: Vec<EffectRow>,
}

struct EffectRow {
    description: String,
    weight: String,
    /// Whether its weight is above 0.
    raises: bool,
}

#[derive(Template)]
#[template(path = "learning.html")]
struct LearningPage {
    frame: PageFrame,
    tabs: Vec<NavLink>,
    revision: u64,
    ratings: String,
    effects: Vec<EffectGroup>,
    may_forget: bool,
}

/// Sorts of effects, as the API names them, and what people call them; the last takes what is not known here.
const SORTS: [(&str, &str); 4] = [
    ("extraction", "What is found"),
    ("ranking", "What matters"),
    ("wording", "What is called otherwise"),
    ("dates", "When words mean another day"),
];

/// `GET /app/settings/learning`
pub async fn show(visit: Visit) -> Result<Response, PageError> {
    let learning: LearningAnswer = visit.get("/learning").await?;
    let page = LearningPage {
        frame: visit.frame(),
        tabs: frame::settings(&visit.me.scopes, PATH),
        revision: learning.revision,
        ratings: ratings(learning.up, learning.down),
        effects: grouped(&learning.effects),
        may_forget: visit.may(Scope::TasksWrite),
    };
    visit.show(&page)
}

/// `POST /app/settings/learning/forget`
pub async fn forget(visit: Visit) -> Result<Response, PageError> {
    visit.send(Method::DELETE, "/learning", None).await?;
    let to = visit.address(PATH, &[]);
    Ok(visit.back(&to, Flash::said("Forgotten. What you say of tasks from now on teaches again.")))
}

fn ratings(up: u32, down: u32) -> String {
    match up + down {
        0 => "no rating yet".to_owned(),
        1 => "one rating".to_owned(),
        all => format!("{all} ratings: {up} up, {down} down"),
    }
}

fn grouped(effects: &[EffectAnswer]) -> Vec<EffectGroup> {
    let sort = |effect: &EffectAnswer| SORTS.iter().position(|(about, _)| *about == effect.about).unwrap_or(0);
    let of = |(at, (_, heading)): (usize, &(&str, &'static str))| {
        let lines = effects.iter().filter(|effect| sort(effect) == at).map(line).collect();
        EffectGroup { heading, lines }
    };
    SORTS.iter().enumerate().map(of).filter(|group| !group.lines.is_empty()).collect()
}

fn line(effect: &EffectAnswer) -> EffectRow {
    EffectRow {
        description: effect.description.clone(),
        weight: format!("{:+.2}", effect.weight),
        raises: effect.weight >= 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects_stand_under_what_they_change_and_none_is_lost() {
        let effect = |about: &str| EffectAnswer { description: about.into(), weight: -0.5, about: about.into() };
        let groups = grouped(&[effect("dates"), effect("something new"), effect("extraction")]);
        let told: Vec<_> = groups.iter().map(|group| (group.heading, group.lines.len())).collect();
        assert_eq!(told, [("What is found", 2), ("When words mean another day", 1)]);
    }
}
