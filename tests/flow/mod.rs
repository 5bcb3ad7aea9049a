//! Whole flows through everything, with parts killed on the way.

mod breaker;
mod clocks;
mod crash;
mod flood;
mod installation;
mod learning;
mod learning_lasts;
mod model;
mod model_trace;
mod outage;
mod recordings;
mod series;
