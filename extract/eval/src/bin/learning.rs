//! Measures what feedback does: `learning DATA` prints the learning curve and what it does to the list by priority.

use anyhow::{Context as _, Result};
use chrono::TimeDelta;
use gleaner_eval::data::{self, Meeting};
use gleaner_eval::learning::case::Case;
use gleaner_eval::learning::tenant::{Counts, Habit, lessons, score};
use gleaner_eval::learning::{Chance, Mean, held_out, ranking};
use gleaner_model::learning::{Learnt, fit};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Tenants made of labelled documents.
const TENANTS: u64 = 24;
/// Documents of each.
const DOCUMENTS: usize = 48;
/// Of 10 texts so many are rated; the later ones are scored.
const RATED: usize = 6;
/// Numbers of ratings at which the curve is read.
const CURVE: [usize; 4] = [10, 25, 50, 100];
/// What is told of each.
const HEAD: &str = "     wrong tasks          recall       precision              F1";
/// Shares of tasks that are rated.
const SHARES: [f64; 3] = [0.1, 0.3, 1.0];
/// The share of ratings that are wrong, where some are.
const NOISE: f64 = 0.2;

fn main() -> Result<()> {
    let folder = std::env::args().nth(1).map(PathBuf::from).context("name the folder: learning DATA")?;
    let (written, minutes) = (written(&folder)?, minutes(&folder)?);
    println!("{} tenants of documents, {} of minutes", written.len(), minutes.len());
    told("documents", &written);
    told("W3C minutes", &minutes);
    ranks(&written);
    Ok(())
}

/// The learning curve of some tenants, with ratings that are right and with ratings of which some are not.
fn told(name: &str, tenants: &[Vec<Case>]) {
    println!("\n{name}: change against the same engine without feedback, on later texts; mean of tenants, 95 %");
    println!("Settings were chosen by every other tenant; “fresh” are the rest.");
    println!("{:<34} {:>5}{HEAD}   fresh:{HEAD}", "", "rated");
    let before: Vec<Counts> = tenants.iter().map(|cases| score(parted(cases).1, &Learnt::default())).collect();
    for noise in [0.0, NOISE] {
        let wrong = if noise > 0.0 { format!(", {:.0} % of them wrong", noise * 100.0) } else { String::new() };
        for most in CURVE {
            curve(tenants, &before, &format!("{most} ratings{wrong}"), Habit { share: 1.0, noise }, most);
        }
        for share in SHARES {
            let name = format!("{:.0} % rated{wrong}", share * 100.0);
            curve(tenants, &before, &name, Habit { share, noise }, usize::MAX);
        }
    }
}

/// The texts that are rated, and the later ones.
fn parted(cases: &[Case]) -> (&[Case], &[Case]) {
    cases.split_at(cases.len() * RATED / 10)
}

/// Tenants of documents: a random set each, in the order of time.
fn written(folder: &Path) -> Result<Vec<Vec<Case>>> {
    let documents = held_out::documents(folder)?;
    (0..TENANTS)
        .map(|seed| {
            let mut picked = Chance(seed).pick(documents.iter().collect(), DOCUMENTS);
            picked.sort_by(|(one, _), (other, _)| one.occurred_at.cmp(&other.occurred_at));
            picked.into_iter().map(|(document, weights)| Case::of_document(document, weights.clone())).collect()
        })
        .collect()
}

/// A tenant for each group whose minutes record actions.
fn minutes(folder: &Path) -> Result<Vec<Vec<Case>>> {
    let mut groups: BTreeMap<String, Vec<Meeting>> = BTreeMap::new();
    for meeting in data::read::<Meeting>(folder, "w3c.jsonl.gz")? {
        if !meeting.actions.is_empty() {
            groups.entry(meeting.corpus.clone()).or_default().push(meeting);
        }
    }
    let shipped = Arc::new(gleaner_eval::weights(None)?);
    let cases = groups.into_values().map(|mut meetings| {
        meetings.sort_by(|one, other| one.date.cmp(&other.date));
        meetings.iter().map(|meeting| Case::of_minutes(meeting, shipped.clone())).collect()
    });
    cases.collect()
}

/// One row: what so many ratings of that kind come to.
fn curve(tenants: &[Vec<Case>], before: &[Counts], name: &str, habit: Habit, most: usize) {
    let (mut rated, mut rows, mut sums) = (Vec::new(), Vec::new(), [Counts::default(); 2]);
    for (seed, (cases, before)) in (0..).zip(tenants.iter().zip(before)) {
        let (first, later) = parted(cases);
        let said = lessons(first, habit, &mut Chance(1000 + seed), most);
        let now = later.first().map_or_else(Default::default, |case| case.context.occurred_at.to_utc());
        let after = score(later, &fit(&said, 1, now));
        rated.push(said.len() as f64);
        rows.push([
            change(before.wrong(), after.wrong()),
            change(before.right, after.right),
            after.precision() - before.precision(),
            after.f1() - before.f1(),
        ]);
        sums[0].add(*before);
        sums[1].add(after);
    }
    let fresh: Vec<[f64; 4]> = rows.iter().skip(1).step_by(2).copied().collect();
    println!("{name:<34} {:>5.0}{}         {}   {}", Mean::of(&rated).mean, means(&rows), means(&fresh), totals(sums));
}

/// How much more there is than before, as a share; none where there was nothing.
fn change(before: usize, after: usize) -> f64 {
    if before == 0 { 0.0 } else { after as f64 / before as f64 - 1.0 }
}

fn means(rows: &[[f64; 4]]) -> String {
    let column = |number: usize| Mean::of(&rows.iter().map(|row| row[number]).collect::<Vec<_>>());
    (0..4).map(|number| format!("{:>16}", column(number).to_string())).collect()
}

fn totals([before, after]: [Counts; 2]) -> String {
    let [was, is] = [before.wrong(), after.wrong()];
    format!("all: wrong {was} → {is}, right {} → {} of {}", before.right, after.right, after.gold)
}

/// What the list by priority is worth.
fn ranks(tenants: &[Vec<Case>]) {
    let mut rows: [Vec<f64>; 4] = Default::default();
    for cases in tenants {
        let (first, later) = parted(cases);
        let Some(now) = later.last().map(|case| case.context.occurred_at.to_utc() + TimeDelta::days(1)) else {
            continue;
        };
        let learnt = fit(&ranking::lessons(first), 1, now);
        let (plain, recent) = ranking::ndcg(&ranking::list(later, now, &Learnt::default()), now);
        let (taught, _) = ranking::ndcg(&ranking::list(later, now, &learnt), now);
        rows[0].push(recent);
        rows[1].push(plain);
        rows[2].push(taught);
        rows[3].push(taught - plain);
    }
    let [recent, plain, taught, gained] = rows.map(|figures| Mean::of(&figures));
    println!("\nNDCG@10 by the gold's urgency and due dates, on later documents");
    println!("recent {recent}   priority {plain}   priority after important/not_important {taught} (change {gained})");
}
