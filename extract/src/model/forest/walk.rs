//! A walk through all trees at once, number by number instead of tree by tree.
//!
//! Each tree keeps a set of the answers that are still possible. A number that is more than a question's bound rules out the
//! answers on the other way; the questions to a number stand sorted by their bounds, so that the first one that rules out
//! nothing ends the look at it. The first answer that is left is the tree's. After Lucchese and others, QuickScorer, 2015.

use super::Tree;

/// What the walk needs of the trees.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Walk {
    /// The numbers that are asked about, each with the end of its questions.
    numbers: Vec<(u16, u32)>,
    questions: Vec<Question>,
    /// For each tree, where its answers begin.
    begins: Vec<u32>,
    /// All answers, those of a tree from its lowest way to its highest.
    answers: Vec<f32>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Question {
    bound: f32,
    tree: u32,
    /// The answers of the tree that stay possible beyond the bound.
    beyond: u64,
}

impl Walk {
    /// Prepares the walk.
    pub fn through(trees: &[Tree]) -> Self {
        let mut walk = Self::default();
        let mut asked = Vec::new();
        for (tree, number) in trees.iter().zip(0..) {
            walk.begins.push(walk.answers.len() as u32);
            let first = if tree.nodes.is_empty() { -1 } else { 0 };
            let mut collect =
                Collect { tree, number, begin: walk.answers.len(), answers: &mut walk.answers, asked: &mut asked };
            collect.go(first);
        }
        asked.sort_by(|(one, a): &(u16, Question), (other, b)| one.cmp(other).then(a.bound.total_cmp(&b.bound)));
        for (number, question) in asked {
            walk.questions.push(question);
            let end = walk.questions.len() as u32;
            match walk.numbers.last_mut() {
                Some((last, to)) if *last == number => *to = end,
                _ => walk.numbers.push((number, end)),
            }
        }
        walk
    }

    /// The sum of the trees' answers.
    pub fn sum(&self, numbers: &[f32]) -> f32 {
        let mut possible = vec![u64::MAX; self.begins.len()];
        let mut begin = 0;
        for &(number, end) in &self.numbers {
            let value = numbers[usize::from(number)];
            for question in &self.questions[begin as usize..end as usize] {
                if value > question.bound {
                    possible[question.tree as usize] &= question.beyond;
                } else {
                    break;
                }
            }
            begin = end;
        }
        let answer = |(possible, begin): (&u64, &u32)| self.answers[(begin + possible.trailing_zeros()) as usize];
        possible.iter().zip(&self.begins).map(answer).sum()
    }
}

/// Collects a tree's answers and questions.
struct Collect<'c> {
    tree: &'c Tree,
    number: u32,
    begin: usize,
    answers: &'c mut Vec<f32>,
    asked: &'c mut Vec<(u16, Question)>,
}

impl Collect<'_> {
    /// Follows a way to its end. No tree is deeper than it has answers, which are [`super::LEAVES`] at most.
    fn go(&mut self, way: i8) {
        let Ok(at) = usize::try_from(way) else {
            self.answers.push(self.tree.leaves[(-1 - i32::from(way)) as usize]);
            return;
        };
        let node = self.tree.nodes[at];
        let from = self.answers.len() - self.begin;
        self.go(node.ways[0]);
        let ruled_out = (from..self.answers.len() - self.begin).fold(0, |set, answer| set | 1_u64 << answer);
        self.asked.push((node.number, Question { bound: node.bound, tree: self.number, beyond: !ruled_out }));
        self.go(node.ways[1]);
    }
}
