//! Exponentials from plain arithmetic, so that training gives the same bits on every machine, whatever its C library.

/// `e` to the power of `x`.
#[must_use]
pub fn exp(x: f64) -> f64 {
    let x = x.clamp(-700.0, 700.0);
    let power = (x * std::f64::consts::LOG2_E).round();
    let rest = x - power * std::f64::consts::LN_2;
    let mut sum = 1.0;
    for term in (1..=13).rev() {
        sum = 1.0 + sum * rest / f64::from(term);
    }
    sum * f64::from_bits(((power as i64 + 1023) as u64) << 52)
}

/// The probability that a logit stands for.
#[must_use]
pub fn sigmoid(logit: f64) -> f64 {
    1.0 / (1.0 + exp(-logit))
}

/// The natural logarithm of a positive number.
#[must_use]
pub fn ln(x: f64) -> f64 {
    let x = x.max(f64::MIN_POSITIVE);
    let power = ((x.to_bits() >> 52) as i64 - 1023) as f64;
    let part = f64::from_bits((x.to_bits() & ((1 << 52) - 1)) | (1023 << 52));
    let ratio = (part - 1.0) / (part + 1.0);
    let square = ratio * ratio;
    let series = (0..20).rev().fold(0.0, |sum, term| sum * square + 1.0 / f64::from(2 * term + 1));
    power * std::f64::consts::LN_2 + 2.0 * ratio * series
}

/// The logit of a probability, kept within bounds.
#[must_use]
pub fn logit(probability: f64) -> f64 {
    let p = probability.clamp(1e-6, 1.0 - 1e-6);
    ln(p / (1.0 - p))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_agree_with_the_library_to_ten_digits() {
        for step in -200..=200 {
            let x = f64::from(step) / 10.0;
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-10, "exp {x}");
            let y = x.exp();
            assert!((ln(y) - x).abs() < 1e-8, "ln {y}");
        }
        assert!((sigmoid(logit(0.3)) - 0.3).abs() < 1e-9);
    }
}
