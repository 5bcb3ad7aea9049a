//! QuickScorer (Lucchese and others, 2015): all trees at once, feature by feature instead of tree by tree.
//!
//! Each tree keeps a bit set of the leaves that are still possible. A feature above a threshold rules out the leaves below it;
//! the thresholds of a feature stand sorted, so that the first one that rules out nothing ends the feature. The first leaf that
//! is left is the tree's.

use super::Tree;

/// The trees of a forest, laid out by feature.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QuickScorer {
    /// The features that are asked about, each with the end of its splits.
    features: Vec<(u16, u32)>,
    splits: Vec<TreeSplit>,
    /// For each tree, where its leaves begin.
    begins: Vec<u32>,
    /// All leaves, those of a tree from its lowest way to its highest.
    leaves: Vec<f32>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct TreeSplit {
    threshold: f32,
    tree: u32,
    /// The leaves of the tree that stay possible above the threshold, a bit each.
    above: u64,
}

impl QuickScorer {
    /// Lays the trees out.
    pub fn through(trees: &[Tree]) -> Self {
        let mut scorer = Self::default();
        let mut splits = Vec::new();
        for (tree, number) in trees.iter().zip(0..) {
            scorer.begins.push(scorer.leaves.len() as u32);
            let first = if tree.nodes.is_empty() { -1 } else { 0 };
            let begin = scorer.leaves.len();
            SplitCollector { tree, number, begin, leaves: &mut scorer.leaves, splits: &mut splits }.descend(first);
        }
        splits.sort_by(|(one, a): &(u16, TreeSplit), (other, b)| {
            one.cmp(other).then(a.threshold.total_cmp(&b.threshold))
        });
        for (feature, split) in splits {
            scorer.splits.push(split);
            let end = scorer.splits.len() as u32;
            match scorer.features.last_mut() {
                Some((last, to)) if *last == feature => *to = end,
                _ => scorer.features.push((feature, end)),
            }
        }
        scorer
    }

    /// The sum of the leaves that the trees come to.
    pub fn sum(&self, features: &[f32]) -> f32 {
        let mut possible = vec![u64::MAX; self.begins.len()];
        let mut begin = 0;
        for &(feature, end) in &self.features {
            let value = features[usize::from(feature)];
            for split in &self.splits[begin as usize..end as usize] {
                if value > split.threshold {
                    possible[split.tree as usize] &= split.above;
                } else {
                    break;
                }
            }
            begin = end;
        }
        let leaf = |(possible, begin): (&u64, &u32)| self.leaves[(begin + possible.trailing_zeros()) as usize];
        possible.iter().zip(&self.begins).map(leaf).sum()
    }
}

/// Collects a tree's leaves and splits.
struct SplitCollector<'c> {
    tree: &'c Tree,
    number: u32,
    begin: usize,
    leaves: &'c mut Vec<f32>,
    splits: &'c mut Vec<(u16, TreeSplit)>,
}

impl SplitCollector<'_> {
    /// Follows a way to its end. No tree is deeper than it has leaves, which are [`super::LEAVES`] at most.
    fn descend(&mut self, way: i8) {
        let Ok(at) = usize::try_from(way) else {
            self.leaves.push(self.tree.leaves[(-1 - i32::from(way)) as usize]);
            return;
        };
        let node = self.tree.nodes[at];
        let from = self.leaves.len() - self.begin;
        self.descend(node.ways[0]);
        let below = (from..self.leaves.len() - self.begin).fold(0, |set, leaf| set | 1_u64 << leaf);
        self.splits.push((node.feature, TreeSplit { threshold: node.bound, tree: self.number, above: !below }));
        self.descend(node.ways[1]);
    }
}
