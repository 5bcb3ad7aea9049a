//! Measures what feedback does: `learning DATA` prints the learning curve and what it does to the list by priority.

use anyhow::{Context as _, Result};
use chrono::TimeDelta;
use gleaner_eval::data::{self, Document, Meeting};
use gleaner_eval::learning::case::Case;
use gleaner_eval::learning::tenant::{Counts, Habit, lessons, score};
use gleaner_eval::learning::{Chance, Mean, ranking};
use gleaner_model::learning::{Learnt, fit};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Tenants made of labelled documents.
const TENANTS: u64 = 24;
/// Documents of each.
const DOCUMENTS: usize = 48;
/// Of 10 texts so many are rated; the later ones are scored.
const RATED: usize = 6;
/// Numbers of ratings at which the curve is read.
const CURVE: [usize; 6] = [5, 10, 25, 50, 100, 1000];

fn main() -> Result<()> {
    let folder = std::env::args().nth(1).map(PathBuf::from).context("name the folder: learning DATA")?;
    let (written, minutes) = (written(&folder)?, minutes(&folder)?);
    println!("{} tenants of documents, {} of minutes", written.len(), minutes.len());
    for (name, tenants) in [("documents", &written), ("W3C minutes", &minutes)] {
        println!("\n{name}: change against the same engine without feedback, on later texts; mean of tenants, 95 %");
        println!("{:<34} {:>6} {:>16} {:>16} {:>16} {:>16}", "", "rated", "wrong tasks", "recall", "precision", "F1");
        for most in CURVE {
            curve(tenants, &format!("up to {most} ratings"), Habit { share: 1.0, noise: 0.0 }, most);
        }
        for share in [0.1, 0.3, 1.0] {
            curve(tenants, &format!("{:.0} % rated", share * 100.0), Habit { share, noise: 0.0 }, usize::MAX);
        }
        for most in [50, usize::MAX] {
            let name = if most == 50 { "50 ratings, 20 % of them wrong" } else { "100 % rated, 20 % wrong" };
            curve(tenants, name, Habit { share: 1.0, noise: 0.2 }, most);
        }
    }
    ranks(&written);
    Ok(())
}

/// Tenants of documents: a random set each, in the order of time.
fn written(folder: &Path) -> Result<Vec<Vec<Case>>> {
    let mut documents: Vec<Document> = data::read(folder, "documents-train.jsonl")?;
    documents.extend(data::read(folder, "documents-dev.jsonl")?);
    (0..TENANTS)
        .map(|seed| {
            let mut picked = Chance(seed).pick(documents.iter().collect(), DOCUMENTS);
            picked.sort_by(|one: &&Document, other| one.occurred_at.cmp(&other.occurred_at));
            picked.into_iter().map(Case::of_document).collect()
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
    let cases = groups.into_values().map(|mut meetings| {
        meetings.sort_by(|one, other| one.date.cmp(&other.date));
        meetings.iter().map(Case::of_minutes).collect()
    });
    cases.collect()
}

/// One row: what so many ratings of that kind come to.
fn curve(tenants: &[Vec<Case>], name: &str, habit: Habit, most: usize) {
    let mut rows: [Vec<f64>; 5] = Default::default();
    let mut sums = [Counts::default(); 2];
    for (seed, cases) in tenants.iter().enumerate() {
        let (first, later) = cases.split_at(cases.len() * RATED / 10);
        let said = lessons(first, habit, &mut Chance(1000 + seed as u64), most);
        let now = later.first().map_or_else(Default::default, |case| case.context.occurred_at.to_utc());
        let (before, after) = (score(later, &Learnt::default()), score(later, &fit(&said, 1, now)));
        rows[0].push(said.len() as f64);
        rows[1].push(after.wrong() as f64 / before.wrong().max(1) as f64 - 1.0);
        rows[2].push(after.recall() / before.recall().max(f64::MIN_POSITIVE) - 1.0);
        rows[3].push(after.precision() - before.precision());
        rows[4].push(after.f1() - before.f1());
        for (sum, counts) in sums.iter_mut().zip([before, after]) {
            sum.gold += counts.gold;
            sum.found += counts.found;
            sum.right += counts.right;
        }
    }
    let [rated, rest @ ..] = rows;
    let told: Vec<String> = rest.iter().map(|figures| format!("{:>16}", Mean::of(figures).to_string())).collect();
    let [before, after] = sums;
    println!(
        "{name:<34} {:>6.0} {}   all: wrong {} → {}, right {} → {} of {}",
        Mean::of(&rated).mean,
        told.join(" "),
        before.wrong(),
        after.wrong(),
        before.right,
        after.right,
        after.gold
    );
}

/// What the list by priority is worth.
fn ranks(tenants: &[Vec<Case>]) {
    let mut rows: [Vec<f64>; 4] = Default::default();
    for cases in tenants {
        let (first, later) = cases.split_at(cases.len() * RATED / 10);
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
