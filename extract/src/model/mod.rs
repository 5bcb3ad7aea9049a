//! Linear models over hashed features: one byte a weight, loaded from the binary, summed in integers.

pub mod calibrate;
pub mod dense;
pub mod linear;
pub mod math;
pub mod panel;
pub mod table;
