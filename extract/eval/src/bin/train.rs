//! Trains.
#![allow(clippy::needless_range_loop, reason = "stages share their numbering")]
use anyhow::Result;
use gleaner_eval::data::{self, Document, Mail, Meeting};
use gleaner_eval::fit::{Examples, Recipe, fold_of};
use gleaner_eval::mark::{self, Span};
use gleaner_extract::engine::Reading;
use gleaner_extract::feature::{Line, Names, Scene, Sentence, place, token};
use gleaner_extract::link::pair::{self, Candidate};
use gleaner_extract::model::calibrate::Calibration;
use gleaner_extract::model::linear::Linear;
use gleaner_extract::model::math::sigmoid;
use gleaner_extract::model::table::Table;
use gleaner_extract::score;
use gleaner_extract::script::Script;
use gleaner_extract::verdict;
use std::path::Path;

const WB: u32 = 16;
const PB: u32 = 16;
const SIZE: usize = (8 << WB) + (1 << PB);
const TB: u32 = 15;
const FOLDS: u32 = 5;

fn arg(n: &str, d: f32) -> f32 {
    std::env::args().find_map(|a| a.strip_prefix(n)?.strip_prefix('=')?.parse().ok()).unwrap_or(d)
}

fn full(scene: &Scene<'_>, i: usize, whole: &place::Whole) -> Vec<u32> {
    let mut f = vec![];
    for o in i.saturating_sub(2)..(i + 3).min(scene.seen.len()) {
        if let Some(role) = scene.role(i, o) {
            f.extend(scene.features_of(o).iter().map(|&x| Linear::word_at(x, role, WB)));
        }
    }
    let mut p = vec![];
    place::features(scene, i, whole, &mut p);
    f.extend(p.iter().map(|&x| Linear::place_at(x, WB, PB)));
    f
}

fn f1(name: &str, scored: &[(f32, bool)], missed: usize) -> f32 {
    let mut s: Vec<_> = scored.to_vec();
    s.sort_by(|a, b| b.0.total_cmp(&a.0));
    let total = s.iter().filter(|x| x.1).count() + missed;
    let (mut tp, mut best) = (0, (0.0, 0.0, 0, 0));
    for (n, x) in s.iter().enumerate() {
        tp += usize::from(x.1);
        let f = 2.0 * tp as f64 / (n + 1 + total) as f64;
        if f > best.0 {
            best = (f, x.0, tp, n + 1);
        }
    }
    eprintln!(
        "{name}: F1 {:.4}  P {:.3} R {:.3} at {:.2} ({} of {} predicted, {total} gold)",
        best.0,
        best.2 as f64 / best.3 as f64,
        best.2 as f64 / total as f64,
        best.1,
        best.2,
        best.3
    );
    best.1
}

fn main() -> Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_default();
    let folder = Path::new(&folder);
    let docs: Vec<Document> = data::read(folder, "documents-train.jsonl")?;
    // external models
    let clock = std::time::Instant::now();
    let sent_whole = place::Whole { source: token::hash_word("meeting"), me: None, single: false };
    let mut external = vec![];
    for name in ["ami.jsonl.gz", "icsi.jsonl.gz"] {
        let meetings: Vec<Meeting> = data::read(folder, name)?;
        let mut ex = Examples::default();
        for (g, m) in meetings.iter().enumerate() {
            let mut speakers: Vec<&str> = vec![];
            let sentences: Vec<Sentence<'_>> = m
                .utterances
                .iter()
                .enumerate()
                .map(|(n, u)| {
                    let id = speakers.iter().position(|s| *s == u.speaker).unwrap_or_else(|| {
                        speakers.push(&u.speaker);
                        speakers.len() - 1
                    });
                    Sentence { text: &u.text, utterance: n as u32, speaker: Some(id as u32), line: Line::Speech }
                })
                .collect();
            let names = Names::default();
            let scene = Scene::look(&sentences, &names);
            for i in 0..sentences.len() {
                let u = &m.utterances[i];
                let y = if name.starts_with("ami") { u.action > 0 } else { u.commit + u.command > 0 };
                ex.push(full(&scene, i, &sent_whole), y, if y { 3.0 } else { 1.0 }, g as u32);
            }
        }
        let r = Recipe { passes: 3, rate: 0.02, decay: 0.0 };
        if std::env::args().any(|a| a == "ext") {
            let cv = ex.cross_fit(SIZE, r, FOLDS);
            f1(name, &cv.iter().enumerate().map(|(i, &l)| (l, ex.label(i))).collect::<Vec<_>>(), 0);
        }
        let w = ex.fit(SIZE, r, |_| true);
        external.push(Linear::quantise(&w.values, w.bias, WB, PB));
        eprintln!("{name} {} {:?}", ex.len(), clock.elapsed());
    }
    {
        let mails: Vec<Mail> = data::read(folder, "email.jsonl.gz")?;
        let mut ex = Examples::default();
        let names = Names::default();
        let whole = place::Whole { source: token::hash_word("email"), me: None, single: true };
        for (g, m) in mails.iter().enumerate() {
            let s = [Sentence { text: &m.text, utterance: 0, speaker: None, line: Line::Speech }];
            let scene = Scene::look(&s, &names);
            ex.push(full(&scene, 0, &whole), m.intent > 0, 1.0, g as u32);
        }
        let r = Recipe { passes: 8, rate: 0.01, decay: 0.0 };
        let cv = ex.cross_fit(SIZE, r, FOLDS);
        f1("email", &cv.iter().enumerate().map(|(i, &l)| (l, ex.label(i))).collect::<Vec<_>>(), 0);
        let w = ex.fit(SIZE, r, |_| true);
        external.push(Linear::quantise(&w.values, w.bias, WB, PB));
    }
    eprintln!("external {:?}", clock.elapsed());

    let transcripts: Vec<_> = docs
        .iter()
        .map(|d| {
            gleaner_extract::reader::read(&gleaner_extract::Document {
                source_type: &d.source_type,
                title: Some(&d.title),
                text: &d.transcript,
            })
        })
        .collect();
    let contexts: Vec<gleaner_extract::Context> = docs.iter().map(gleaner_eval::context).collect::<Result<_>>()?;
    let readings: Vec<Reading<'_>> =
        transcripts.iter().zip(&docs).zip(&contexts).map(|((t, d), c)| Reading::of(t, &d.source_type, c)).collect();
    let scripts: Vec<&Script<'_>> = readings.iter().map(|r| &r.script).collect();
    let spans: Vec<Vec<Vec<Span>>> = (0..docs.len())
        .map(|g| (0..scripts[g].sentences.len()).map(|i| scripts[g].lines(&transcripts[g], i)).collect())
        .collect();
    let scenes: Vec<Scene<'_>> = readings.iter().map(|r| Scene::look(&r.script.sentences, &r.names)).collect();
    let wholes: Vec<place::Whole> = readings.iter().map(|r| r.whole).collect();
    let golds: Vec<Vec<Vec<Span>>> =
        docs.iter().map(|d| d.tasks.iter().map(|t| mark::evidence(&d.transcript, t)).collect()).collect();
    let held = |g: u32| fold_of(g.wrapping_mul(77), 7) == 3;

    // stage 1
    let mut ex = Examples::default();
    let mut starts = vec![];
    let mut traps = vec![];
    for g in 0..docs.len() {
        starts.push(ex.len());
        let hard: Vec<Span> = mark::traps(&docs[g]).concat();
        let gold: Vec<Span> = golds[g].concat();
        for i in 0..scenes[g].seen.len() {
            let span = &spans[g][i];
            let y = mark::touches(span, &gold);
            let h = !y && mark::touches(span, &hard);
            traps.push(h);
            ex.push(full(&scenes[g], i, &wholes[g]), y, if h { arg("tw", 2.0) } else { 1.0 }, g as u32);
        }
    }
    let recipe = Recipe { passes: arg("p", 6.0) as usize, rate: arg("r", 0.02), decay: arg("d", 0.0) };

    let logits1 = ex.cross_fit(SIZE, recipe, FOLDS);
    let sent =
        |l: &[f32]| (0..ex.len()).filter(|&i| !held(ex.groups[i])).map(|i| (l[i], ex.label(i))).collect::<Vec<_>>();
    f1("first ", &sent(&logits1), 0);
    let mut kinds = vec![];
    for kind in 0..2 {
        let mut ex = Examples::default();
        for g in 0..docs.len() {
            let wanted: Vec<Span> = golds[g]
                .iter()
                .filter(|s| s.len() > 1)
                .flat_map(|s| {
                    let mut s = s.clone();
                    s.sort_by_key(|s| s.start);
                    if kind == 0 { s[..1].to_vec() } else { s[1..].to_vec() }
                })
                .collect();
            for i in 0..scenes[g].seen.len() {
                ex.push(full(&scenes[g], i, &wholes[g]), mark::touches(&spans[g][i], &wanted), 1.0, g as u32);
            }
        }
        let l = ex.cross_fit(SIZE, recipe, FOLDS);
        f1("  kind", &(0..ex.len()).map(|i| (l[i], ex.label(i))).collect::<Vec<_>>(), 0);
        let w = ex.fit(SIZE, recipe, |_| true);
        std::fs::write(
            format!("extract/weights/{}.bin", ["openings", "answers"][kind]),
            Linear::quantise(&w.values, w.bias, WB, PB).write(),
        )?;
        kinds.push(l);
    }
    eprintln!("{:?}", clock.elapsed());

    // stage 2
    let firsts: Vec<score::First> = (0..docs.len())
        .map(|g| {
            let n = scenes[g].seen.len();
            let mut buf = vec![];
            let places: Vec<Vec<u32>> = (0..n)
                .map(|i| {
                    buf.clear();
                    place::features(&scenes[g], i, &wholes[g], &mut buf);
                    buf.clone()
                })
                .collect();
            let e = |m: usize| {
                let sums = external[m].sums(&scenes[g]);
                (0..n).map(|i| external[m].logit(&scenes[g], &sums, i, &places[i])).collect::<Vec<f32>>()
            };
            [
                logits1[starts[g]..starts[g] + n].to_vec(),
                e(0),
                e(1),
                e(2),
                kinds[0][starts[g]..starts[g] + n].to_vec(),
                kinds[1][starts[g]..starts[g] + n].to_vec(),
            ]
        })
        .collect();
    let mut ex2 = Examples::default();
    for g in 0..docs.len() {
        for i in 0..scenes[g].seen.len() {
            let mut f = vec![];
            score::features(&scenes[g], i, &firsts[g], &wholes[g], &mut f);
            let k = starts[g] + i;
            ex2.push(f.iter().map(|&x| Table::at(x, TB)), ex.label(k), if traps[k] { 2.0 } else { 1.0 }, g as u32);
        }
    }
    let logits2 = ex2.cross_fit(1 << TB, Recipe { passes: 6, rate: 0.02, decay: 0.0 }, FOLDS);
    f1("second", &sent(&logits2), 0);
    eprintln!("{:?}", clock.elapsed());

    let junk = arg("junk", 0.0);
    let least = arg("least", -2.5);
    // stage 3
    let mut ex3 = Examples::default();
    let mut all: Vec<Vec<Candidate>> = vec![];
    let mut links: Vec<Vec<(usize, usize)>> = vec![];
    for g in 0..docs.len() {
        let candidates: Vec<Candidate> = (0..scenes[g].seen.len())
            .filter(|&i| logits2[starts[g] + i] > least)
            .map(|i| Candidate {
                sentence: i,
                logit: logits2[starts[g] + i],
                opening: kinds[0][starts[g] + i],
                answer: kinds[1][starts[g] + i],
                stems: pair::stems(scenes[g].sentences[i].text),
            })
            .collect();
        let tasks_of = |c: &Candidate| {
            golds[g]
                .iter()
                .enumerate()
                .filter(|(_, gold)| mark::touches(&spans[g][c.sentence], gold))
                .map(|(t, _)| t)
                .collect::<Vec<_>>()
        };
        let of: Vec<Vec<usize>> = candidates.iter().map(tasks_of).collect();
        let pairs = pair::pairs(&candidates);
        for &(l, e) in &pairs {
            let mut f = vec![];
            pair::features(&scenes[g], &candidates, (l, e), &mut f);
            let both = !of[l].is_empty() && !of[e].is_empty();
            let y = of[l].iter().any(|t| of[e].contains(t));
            ex3.push(f.iter().map(|&x| Table::at(x, TB)), y, if both { 1.0 } else { junk }, g as u32);
        }
        all.push(candidates);
        links.push(pairs);
    }
    let logits3 = ex3.cross_fit(1 << TB, Recipe { passes: 8, rate: 0.02, decay: 0.0 }, FOLDS);
    f1(
        "links ",
        &(0..ex3.len()).filter(|&i| ex3.importance(i) > 0.0).map(|i| (logits3[i], ex3.label(i))).collect::<Vec<_>>(),
        0,
    );

    // stage 4
    for threshold in [arg("join", -0.4)] {
        let mut ex4 = Examples::default();
        let mut at = 0;
        let mut spans4 = vec![];
        let mut found4 = vec![];
        for g in 0..docs.len() {
            let scored: Vec<_> = links[g].iter().enumerate().map(|(n, &p)| (p, logits3[at + n])).collect();
            at += scored.len();
            let tasks = pair::gather(&all[g], &scored, threshold, arg("strong", 0.0));
            let count = tasks.iter().max().map_or(0, |m| m + 1);
            let members: Vec<Vec<&Candidate>> = (0..count)
                .map(|t| all[g].iter().zip(&tasks).filter(|(_, of)| **of == t).map(|(c, _)| c).collect())
                .collect();
            let spans: Vec<Vec<Span>> =
                members.iter().map(|m| m.iter().flat_map(|c| spans[g][c.sentence].clone()).collect()).collect();
            let found = mark::pair(&spans, &golds[g], |p, _| {
                f64::from(members[p].iter().map(|c| c.logit).fold(-9.0, f32::max)) * 0.01
            });
            for (t, m) in members.iter().enumerate() {
                let mut f = vec![];
                verdict::features(&scenes[g], m, &wholes[g], &mut f);
                ex4.push(f.iter().map(|&x| Table::at(x, TB)), found[t].is_some(), 1.0, g as u32);
                spans4.push((g, spans[t].clone()));
                found4.push(found[t]);
            }
        }
        let logits4 = ex4.cross_fit(1 << TB, Recipe { passes: 6, rate: 0.02, decay: 0.0 }, FOLDS);
        let kept: Vec<usize> = (0..ex4.len()).filter(|&i| !held(ex4.groups[i])).collect();
        let gold: usize = (0..docs.len()).filter(|&g| !held(g as u32)).map(|g| golds[g].len()).sum();
        let found = kept.iter().filter(|&&i| ex4.label(i)).count();
        let cut = f1(
            &format!("tasks {threshold}"),
            &kept.iter().map(|&i| (logits4[i], ex4.label(i))).collect::<Vec<_>>(),
            gold - found,
        );
        let (mut n, mut hit) = (0, 0);
        for g in 0..docs.len() {
            if held(g as u32) {
                continue;
            }
            for trap in mark::traps(&docs[g]) {
                n += 1;
                hit += usize::from(kept.iter().any(|&i| {
                    spans4[i].0 == g && logits4[i] >= cut && !ex4.label(i) && mark::touches(&spans4[i].1, &trap)
                }));
            }
        }
        if std::env::args().any(|a| a == "errors") {
            for g in 0..docs.len() {
                if held(g as u32) {
                    continue;
                }
                let mine: Vec<usize> = kept.iter().copied().filter(|&i| spans4[i].0 == g).collect();
                let good: Vec<usize> = mine.iter().copied().filter(|&i| logits4[i] >= cut).collect();
                let txt = |i: usize| spans4[i].1.iter().map(|s| &docs[g].transcript[s.clone()]).collect::<Vec<_>>();
                for &i in &good {
                    if !ex4.label(i) {
                        let dup = golds[g].iter().position(|q| mark::touches(&spans4[i].1, q));
                        println!(
                            "{} {} {:.1} {:?}",
                            docs[g].id,
                            dup.map_or("WRONG".into(), |d| format!("SPLIT of {:?}", docs[g].tasks[d].title)),
                            logits4[i],
                            txt(i)
                        );
                    }
                }
                for (t, gold) in golds[g].iter().enumerate() {
                    let hit = good.iter().any(|&i| ex4.label(i) && found4[i] == Some(t));
                    if !hit {
                        let near = mine.iter().copied().find(|&i| mark::touches(&spans4[i].1, gold));
                        let merged = near.is_some_and(|i| logits4[i] >= cut);
                        let l: Vec<f32> = (0..spans[g].len())
                            .filter(|&i| mark::touches(&spans[g][i], gold))
                            .map(|i| (logits2[starts[g] + i] * 10.0).round() / 10.0)
                            .collect();
                        println!(
                            "{} {} {l:?} {:?} {:?}",
                            docs[g].id,
                            if merged { "MERGED" } else { "MISSED" },
                            docs[g].tasks[t].title,
                            docs[g].tasks[t].evidence
                        );
                    }
                }
            }
        }
        eprintln!("   trap rate {:.3}", hit as f64 / n as f64);
        let calibration = Calibration::fit(&(0..ex4.len()).map(|i| (logits4[i], ex4.label(i))).collect::<Vec<_>>(), 25);
        let least = calibration.probability(cut);
        eprintln!("   threshold {least:.3}");
        let w = Path::new("extract/weights");
        let save = |name: &str, bytes: Vec<u8>| std::fs::write(w.join(name), bytes);
        let all = |_: u32| true;
        let f = ex.fit(SIZE, recipe, all);
        save("documents.bin", Linear::quantise(&f.values, f.bias, WB, PB).write())?;
        for (n, name) in ["ami.bin", "icsi.bin", "mail.bin"].iter().enumerate() {
            save(name, external[n].write())?;
        }
        let f = ex2.fit(1 << TB, Recipe { passes: 6, rate: 0.02, decay: 0.0 }, all);
        save("second.bin", Table::quantise(&f.values, f.bias, TB).write())?;
        let f = ex3.fit(1 << TB, Recipe { passes: 8, rate: 0.02, decay: 0.0 }, all);
        save("link.bin", Table::quantise(&f.values, f.bias, TB).write())?;
        let f = ex4.fit(1 << TB, Recipe { passes: 6, rate: 0.02, decay: 0.0 }, all);
        save("verdict.bin", Table::quantise(&f.values, f.bias, TB).write())?;
        save("calibration.bin", calibration.write())?;
        save("threshold.bin", (least as f32).to_le_bytes().to_vec())?;
        let _ = sigmoid(0.0);
    }
    eprintln!("{:?}", clock.elapsed());
    Ok(())
}
