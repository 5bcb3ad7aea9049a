//! ROUGE-L: how much of two titles is the same words in the same order.

/// F1 of the longest common subsequence of words, in lower case and without marks.
pub fn l(one: &str, other: &str) -> f64 {
    let (one, other) = (words(one), words(other));
    let mut row = vec![0usize; other.len() + 1];
    for word in &one {
        let mut before = 0;
        for (at, second) in other.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if word == second { before + 1 } else { above.max(row[at]) };
            before = above;
        }
    }
    let common = row.last().copied().unwrap_or_default() as f64;
    if common == 0.0 { 0.0 } else { 2.0 * common / (one.len() + other.len()) as f64 }
}

fn words(title: &str) -> Vec<String> {
    title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}
