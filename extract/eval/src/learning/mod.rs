//! Does feedback help? Simulated tenants rate what the engine finds in their first documents, right or wrong by the gold,
//! and what it finds in their later ones is compared with what it finds without having learnt.

pub mod case;
pub mod held_out;
pub mod ranking;
pub mod tenant;

/// A mean with half of its 95 % interval.
#[derive(Clone, Copy, Debug)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Half of the interval.
    pub half: f64,
}

impl Mean {
    /// The mean of figures that vary by chance.
    #[must_use]
    pub fn of(figures: &[f64]) -> Self {
        let count = figures.len().max(1) as f64;
        let mean = figures.iter().sum::<f64>() / count;
        let variance = figures.iter().map(|figure| (figure - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
        Self { mean, half: 1.96 * (variance / count).sqrt() }
    }
}

impl std::fmt::Display for Mean {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:+.3} ±{:.3}", self.mean, self.half)
    }
}

/// Numbers that look random and are the same every time (splitmix64).
#[derive(Clone, Debug)]
pub struct SplitMix(pub u64);

impl SplitMix {
    /// The next number from 0 to 1.
    pub fn draw(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Some of these, in a random order.
    pub fn pick<T>(&mut self, mut from: Vec<T>, count: usize) -> Vec<T> {
        let mut picked = Vec::with_capacity(count);
        while picked.len() < count && !from.is_empty() {
            let at = (self.draw() * from.len() as f64) as usize;
            picked.push(from.swap_remove(at));
        }
        picked
    }
}
