//! The same tasks in PostgreSQL, where words are found by their trigrams (`pg_trgm`).

use super::{CALLS, mention};
use rand::{SeedableRng, rngs::StdRng};
use std::{
    io::Write,
    process::{Command, Stdio},
};

const TABLE: &str = "
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    DROP TABLE IF EXISTS tasks;
    CREATE TABLE tasks (at timestamptz, status text, words text);";
const INDEX: &str = "
    CREATE INDEX ON tasks USING gin (words gin_trgm_ops);
    CREATE INDEX ON tasks (status, at);
    VACUUM ANALYZE tasks;
    SELECT 'bytes a task: table ' || pg_table_size('tasks') / count(*) || ', index ' || pg_indexes_size('tasks') / count(*) FROM tasks;";

/// Feeds `psql`, and returns what it prints.
fn psql(url: &str, input: impl FnOnce(&mut dyn Write)) -> String {
    let mut psql = Command::new("psql");
    psql.args([url, "-qAtX", "-v", "ON_ERROR_STOP=1"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut psql = psql.spawn().unwrap();
    input(&mut std::io::BufWriter::new(psql.stdin.take().unwrap()));
    let output = psql.wait_with_output().unwrap();
    assert!(output.status.success(), "psql did not run");
    String::from_utf8(output.stdout).unwrap()
}

/// Fills a table of the database at `url`, and prints how long pages of it take that `psql` asks for.
pub fn run(url: &str, tasks: usize) {
    let mut random = StdRng::seed_from_u64(11);
    let vocabulary = super::Vocabulary::new(&mut random);
    let weights = psql(url, |out| {
        writeln!(out, "{TABLE}\nCOPY tasks FROM STDIN;").unwrap();
        for number in 0..tasks {
            let said = mention(&vocabulary, &mut random, number, tasks);
            let (at, status) = (said.occurred_at.to_rfc3339(), said.status.as_str());
            let owner = said.owner.map(|owner| owner.name).unwrap_or_default();
            writeln!(out, "{at}\t{status}\t{} {} {owner}", said.title, said.quotes[0].text).unwrap();
        }
        writeln!(out, "\\.\n{INDEX}").unwrap();
    });
    println!("PostgreSQL: {}", weights.trim());
    for (name, word) in [("rare word", "zanzibar"), ("1 % word", "quarterly"), ("20 % word", "review")] {
        let query = format!(
            "SELECT * FROM tasks WHERE status = 'open' AND words ILIKE '%{word}%' ORDER BY at DESC LIMIT 50;\n"
        );
        let printed = psql(url, |out| write!(out, "\\timing on\n{}", query.repeat(CALLS)).unwrap());
        let mut times: Vec<f64> =
            printed.lines().filter_map(|line| line.strip_prefix("Time: ")?.split_once(' ')?.0.parse().ok()).collect();
        times.sort_by(f64::total_cmp);
        println!("{name:30} recent   {:>14.2} {:8.2}", times[CALLS / 2], times[CALLS * 99 / 100]);
    }
}
