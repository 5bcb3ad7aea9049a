//! Boosted trees over dense features: what the later stages judge by, where scores and cues must be weighed against
//! each other.

mod quick_scorer;

use super::linear::Malformed;
use quick_scorer::QuickScorer;

/// A question to one feature: which way on.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    /// Which feature is asked.
    feature: u16,
    /// Where to go if it is at most the bound, and if it is more: a node of the tree, or below zero a leaf.
    ways: [i8; 2],
    bound: f32,
}

/// A tree: its questions, the first one first, and its answers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    nodes: Vec<Node>,
    leaves: Vec<f32>,
}

/// Trees whose answers add up to a logit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forest {
    /// What stands before any tree.
    pub bias: f32,
    /// How many features are asked about.
    width: u16,
    trees: Vec<Tree>,
    scorer: QuickScorer,
}

const MAGIC: [u8; 4] = *b"GLF1";
/// Bytes of a node in a file.
const NODE: usize = 8;
/// Most leaves of a tree.
pub const LEAVES: usize = 64;

impl Tree {
    /// A tree of one answer.
    #[must_use]
    pub fn leaf(answer: f32) -> Self {
        Self { nodes: Vec::new(), leaves: vec![answer] }
    }

    /// Puts a question in the place of an answer: what is more than the bound gets the new answer, whose number is returned.
    /// Refused where the tree is full.
    pub fn split(&mut self, leaf: usize, feature: u16, bound: f32) -> Option<usize> {
        let new = self.leaves.len();
        if new >= LEAVES {
            return None;
        }
        let place = |leaf: usize| -1 - leaf as i8;
        let node = self.nodes.len() as i8;
        let above = self.nodes.iter_mut().flat_map(|node| &mut node.ways).find(|way| **way == place(leaf));
        if let Some(way) = above {
            *way = node;
        }
        self.nodes.push(Node { feature, ways: [place(leaf), place(new)], bound });
        self.leaves.push(0.0);
        Some(new)
    }

    /// Sets the answer of a leaf.
    pub fn answer(&mut self, leaf: usize, answer: f32) {
        self.leaves[leaf] = answer;
    }

    /// The answer to some features.
    #[must_use]
    pub fn value(&self, features: &[f32]) -> f32 {
        let mut way = if self.nodes.is_empty() { -1 } else { 0 };
        while let Some(node) = usize::try_from(way).ok().map(|at| self.nodes[at]) {
            way = node.ways[usize::from(features[usize::from(node.feature)] > node.bound)];
        }
        self.leaves[(-1 - i32::from(way)) as usize]
    }

    fn write(&self, file: &mut Vec<u8>) {
        file.push(self.leaves.len() as u8);
        for node in &self.nodes {
            file.extend(node.feature.to_le_bytes());
            file.extend(node.ways.map(|way| way.to_le_bytes()[0]));
            file.extend(node.bound.to_le_bytes());
        }
        file.extend(self.leaves.iter().flat_map(|leaf| leaf.to_le_bytes()));
    }

    /// Reads a tree from the head of a file. Ways lead onwards only, and one way to each place, so that every walk down it ends.
    fn read(file: &mut &[u8], width: u16) -> Option<Self> {
        let leaves = usize::from(take(file, 1)?[0]);
        let count = leaves.checked_sub(1).filter(|_| leaves <= LEAVES)?;
        let node = |(at, bytes): (usize, &[u8])| {
            let node = Node {
                feature: u16::from_le_bytes([bytes[0], bytes[1]]),
                ways: [i8::from_le_bytes([bytes[2]]), i8::from_le_bytes([bytes[3]])],
                bound: f32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]),
            };
            let leads = |way: &i8| usize::try_from(*way).map_or(true, |next| next > at);
            (node.feature < width && node.ways.iter().all(leads)).then_some(node)
        };
        let nodes = take(file, count * NODE)?.chunks_exact(NODE).enumerate().map(node).collect::<Option<Vec<_>>>()?;
        let mut ways: Vec<i8> = nodes.iter().flat_map(|node: &Node| node.ways).collect();
        ways.sort_unstable();
        let once = (-(leaves as i8)..0).chain(1..count as i8);
        if count > 0 && !ways.into_iter().eq(once) {
            return None;
        }
        let answers = take(file, leaves * 4)?.chunks_exact(4);
        Some(Self { nodes, leaves: answers.map(|at| f32::from_le_bytes([at[0], at[1], at[2], at[3]])).collect() })
    }
}

/// The first bytes of a file, which then begins behind them.
fn take<'f>(file: &mut &'f [u8], count: usize) -> Option<&'f [u8]> {
    let (taken, rest) = file.split_at_checked(count)?;
    *file = rest;
    Some(taken)
}

impl Forest {
    /// Trees over `width` features.
    #[must_use]
    pub fn of(bias: f32, width: u16, trees: Vec<Tree>) -> Self {
        let scorer = QuickScorer::through(&trees);
        Self { bias, width, trees, scorer }
    }

    /// Reads a file of trees.
    ///
    /// # Errors
    /// Where it is none, or asks about other than `width` features.
    pub fn read(file: &[u8], width: usize) -> Result<Self, Malformed> {
        Self::parse(file).filter(|forest| usize::from(forest.width) == width).ok_or(Malformed)
    }

    fn parse(file: &[u8]) -> Option<Self> {
        let mut rest = file.strip_prefix(&MAGIC)?;
        let bias = f32::from_le_bytes(take(&mut rest, 4)?.try_into().ok()?);
        let width = u16::from_le_bytes(take(&mut rest, 2)?.try_into().ok()?);
        let count = u16::from_le_bytes(take(&mut rest, 2)?.try_into().ok()?);
        let trees = (0..count).map(|_| Tree::read(&mut rest, width)).collect::<Option<_>>()?;
        rest.is_empty().then(|| Self::of(bias, width, trees))
    }

    /// The file of these trees.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut file = MAGIC.to_vec();
        file.extend(self.bias.to_le_bytes());
        file.extend(self.width.to_le_bytes());
        file.extend((self.trees.len() as u16).to_le_bytes());
        self.trees.iter().for_each(|tree| tree.write(&mut file));
        file
    }

    /// The logit of a list of features.
    #[must_use]
    pub fn logit(&self, features: &[f32]) -> f32 {
        self.bias + self.scorer.sum(features)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forest() -> Forest {
        let mut tree = Tree::leaf(0.0);
        let right = tree.split(0, 1, 2.0).expect("room");
        let far = tree.split(right, 0, 5.0).expect("room");
        tree.answer(0, -1.0);
        tree.answer(right, 0.25);
        tree.answer(far, 2.0);
        Forest::of(0.5, 2, vec![tree, Tree::leaf(0.125)])
    }

    #[test]
    fn a_walk_ends_at_the_answer_of_its_features() {
        let sums = [[9.0, 2.0], [5.0, 3.0], [6.0, 3.0]].map(|features| forest().logit(&features));
        assert_eq!(sums, [-0.375, 0.875, 2.625]);
    }

    #[test]
    fn all_trees_at_once_say_what_they_say_one_by_one() {
        let file = include_bytes!("../../weights/second.bin");
        let forest = Forest::parse(file).expect("a forest");
        for round in 0..200_u32 {
            let number = |at: u32| ((at * 7919 + round * 104_729) % 1013) as f32 / 90.0 - 6.0;
            let features: Vec<f32> = (0..u32::from(forest.width)).map(number).collect();
            let sum = forest.trees.iter().map(|tree| tree.value(&features)).sum::<f32>();
            assert_eq!(forest.logit(&features), forest.bias + sum, "round {round}");
        }
    }

    #[test]
    fn a_file_that_is_cut_short_or_leads_astray_is_refused() {
        let file = forest().write();
        assert_eq!(Forest::read(&file, 2), Ok(forest()));
        assert_eq!(Forest::read(&file, 3), Err(Malformed));
        (0..file.len()).for_each(|end| assert_eq!(Forest::read(&file[..end], 2), Err(Malformed), "{end}"));
        let mut circle = file;
        circle[15] = 0;
        assert_eq!(Forest::read(&circle, 2), Err(Malformed));
    }
}
