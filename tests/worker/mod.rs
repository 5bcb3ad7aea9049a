//! What users rely on of workers, with real processes.

mod drain;
mod fairness;
mod odd;
mod sweep;
mod takeover;
