//! Models: linear ones over hashed features, one byte a weight, summed in integers; boosted trees over dense features.

pub mod calibrate;
pub mod forest;
pub mod fused_linear;
pub mod hashed_linear;
pub mod linear;
pub mod math;
