//! Models: linear ones over hashed features, one byte a weight, summed in integers; and boosted trees over plain numbers.

pub mod calibrate;
pub mod forest;
pub mod linear;
pub mod math;
pub mod panel;
pub mod table;
