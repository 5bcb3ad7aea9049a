//! The memory of processes, beside what the chart gives them.

use gleaner_testkit::child::memory_mib;
use std::{
    collections::BTreeMap,
    fmt, fs,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

/// Looks at processes until it is ended.
pub struct MemoryWatch {
    ended: Arc<AtomicBool>,
    thread: JoinHandle<MemoryReport>,
}

/// The most memory that each process had, and may have, in MiB.
#[derive(Default)]
pub struct MemoryReport(BTreeMap<String, (u64, u64)>);

impl MemoryWatch {
    /// Begins to look at processes: what they are in the chart, and their ids.
    pub fn begin(processes: &[(&str, u32)]) -> Self {
        let ended = Arc::new(AtomicBool::new(false));
        let (over, processes) = (Arc::clone(&ended), processes.iter().map(|(part, id)| ((*part).to_owned(), *id)));
        let processes: Vec<(String, u32)> = processes.collect();
        let thread = thread::spawn(move || {
            let mut report = MemoryReport::default();
            while !over.load(Ordering::Relaxed) {
                for (part, id) in &processes {
                    let most = report.0.entry(format!("{part} {id}")).or_insert((0, limit(part)));
                    most.0 = most.0.max(resident(*id));
                }
                thread::sleep(Duration::from_millis(200));
            }
            report
        });
        Self { ended, thread }
    }

    /// What was seen.
    pub fn end(self) -> MemoryReport {
        self.ended.store(true, Ordering::Relaxed);
        self.thread.join().expect("somebody looked")
    }
}

impl MemoryReport {
    /// Whether every process stayed below its limit.
    pub fn is_within(&self) -> bool {
        self.0.values().all(|(most, limit)| most < limit)
    }
}

impl fmt::Display for MemoryReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = self.0.iter().map(|(process, (most, limit))| format!("{process}: {most} of {limit} MiB"));
        write!(f, "memory: {}", said.collect::<Vec<_>>().join(", "))
    }
}

/// Memory that a process holds, in MiB; 0 where the system does not tell.
pub fn resident(id: u32) -> u64 {
    memory_mib(id, "VmRSS:").unwrap_or(0)
}

/// Files and connections that a process holds open; 0 where the system does not tell.
pub fn files(id: u32) -> usize {
    fs::read_dir(format!("/proc/{id}/fd")).map_or(0, Iterator::count)
}

/// What the chart gives a part, in MiB.
fn limit(part: &str) -> u64 {
    let values = include_str!("../../charts/gleaner/values.yaml");
    let values: serde_yaml_ng::Value = serde_yaml_ng::from_str(values).unwrap();
    let limit = values[part]["resources"]["limits"]["memory"].as_str().unwrap();
    limit.trim_end_matches("Mi").parse().unwrap()
}
