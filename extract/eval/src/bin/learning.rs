//! Measures what feedback does: `learning DATA` prints the learning curve and what it does to the list by priority.

use anyhow::{Context as _, Result};
use chrono::TimeDelta;
use gleaner_eval::data::GoldDocument;
use gleaner_eval::learning::case::Case;
use gleaner_eval::learning::tenant::{Counts, RaterBehaviour, lessons, score};
use gleaner_eval::learning::{Mean, SplitMix, held_out, ranking};
use gleaner_extract::weights::Weights;
use gleaner_model::learning::{Learnt, fit};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Simulated tenants of each kind.
const TENANTS: Range<u64> = 500..524;
/// Texts of a tenant of one kind of text, and of each kind of one that has both.
const TEXTS: usize = 36;
const BESIDE: usize = 18;
/// Of 10 texts so many are rated; the later ones are scored.
const RATED: usize = 6;
/// Numbers of ratings at which the curve is read.
const CURVE: [usize; 4] = [10, 25, 50, 100];
/// Shares of tasks that are rated.
const SHARES: [f64; 3] = [0.1, 0.3, 1.0];
/// The share of ratings that are wrong, where some are.
const NOISE: f64 = 0.2;

fn main() -> Result<()> {
    let folder = std::env::args().nth(1).map(PathBuf::from).context("name the folder: learning DATA")?;
    let [documents, talk] = held_out::documents(&folder)?;
    let written: Vec<_> = TENANTS.map(|seed| cases(&picked(&documents, seed, TEXTS))).collect::<Result<_>>()?;
    told("documents", &written);
    let both = |seed| {
        let all = [picked(&documents, seed, BESIDE), picked(&talk, seed, BESIDE)].concat();
        SplitMix(seed).pick(all, 2 * BESIDE)
    };
    told("documents and natural meetings", &TENANTS.map(|seed| cases(&both(seed))).collect::<Result<Vec<_>>>()?);
    told("natural meetings", &TENANTS.map(|seed| cases(&picked(&talk, seed, TEXTS))).collect::<Result<Vec<_>>>()?);
    ranks(&written);
    Ok(())
}

/// The learning curve of some tenants, with ratings that are right and with ratings of which some are not.
fn told(name: &str, tenants: &[Vec<Case>]) {
    println!("\n{} tenants of {name}: change against the same engine without feedback, on later texts", tenants.len());
    println!("{:<34}rated     wrong tasks          recall       precision              F1", "mean of tenants, 95 %");
    let before: Vec<Counts> = tenants.iter().map(|cases| score(parted(cases).1, &Learnt::default())).collect();
    for noise in [0.0, NOISE] {
        let wrong = if noise > 0.0 { format!(", {:.0} % of them wrong", noise * 100.0) } else { String::new() };
        for most in CURVE {
            curve(tenants, &before, &format!("{most} ratings{wrong}"), RaterBehaviour { share: 1.0, noise }, most);
        }
        for share in SHARES {
            let name = format!("{:.0} % rated{wrong}", share * 100.0);
            curve(tenants, &before, &name, RaterBehaviour { share, noise }, usize::MAX);
        }
    }
}

/// The texts that are rated, and the later ones.
fn parted(cases: &[Case]) -> (&[Case], &[Case]) {
    cases.split_at(cases.len() * RATED / 10)
}

/// Some documents at random, in the order of time.
fn picked(documents: &[(GoldDocument, Arc<Weights>)], seed: u64, count: usize) -> Vec<&(GoldDocument, Arc<Weights>)> {
    let mut picked = SplitMix(seed).pick(documents.iter().collect(), count);
    picked.sort_by(|(one, _), (other, _)| one.occurred_at.cmp(&other.occurred_at));
    picked
}

fn cases(documents: &[&(GoldDocument, Arc<Weights>)]) -> Result<Vec<Case>> {
    documents.iter().map(|(document, weights)| Case::of_document(document, weights.clone())).collect()
}

/// One row: what so many ratings of that kind come to.
fn curve(tenants: &[Vec<Case>], before: &[Counts], name: &str, behaviour: RaterBehaviour, most: usize) {
    let (mut rated, mut rows, mut sums) = (Vec::new(), Vec::new(), [Counts::default(); 2]);
    let taught = |seed: usize| {
        let (first, later) = parted(&tenants[seed]);
        let said = lessons(first, behaviour, &mut SplitMix(1000 + seed as u64), most);
        let now = later.first().map_or_else(Default::default, |case| case.context.occurred_at.to_utc());
        (said.len(), score(later, &fit(&said, 1, now)))
    };
    for ((said, after), before) in in_parallel(tenants.len(), taught).into_iter().zip(before) {
        rated.push(said as f64);
        rows.push([
            change(before.wrong(), after.wrong()),
            change(before.right, after.right),
            after.precision() - before.precision(),
            after.f1() - before.f1(),
        ]);
        sums[0].add(*before);
        sums[1].add(after);
    }
    println!("{name:<34}{:>5.0}{}   {}", Mean::of(&rated).mean, means(&rows), totals(sums));
}

/// The results of so many pieces of work, worked out on all processors.
fn in_parallel<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(count)));
    let run = || {
        while let Some(number) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|number| *number < count) {
            let result = work(number);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((number, result));
        }
    };
    std::thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(run))));
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
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
