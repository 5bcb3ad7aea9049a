//! What a task looks like: its words, what the engine saw of it, where it comes from and whom it falls to.

use crate::{Mention, is_spaceless, words};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashSet};
use std::sync::LazyLock;

/// Most different words that a task's features hold.
const MOST_WORDS: usize = 24;
/// The feature of tasks that have a due date.
pub(super) const DUE: &str = "d:yes";
/// That of those that have none.
const NOT_DUE: &str = "d:no";
/// Most words of an item's title that it holds.
const MOST_OF_TITLE: usize = 6;
/// Letters of a word that count: its stem, more or less.
const STEM: usize = 6;
/// Words that say nothing of what a sentence is about. Among them are the times by which anything may be due, and the
/// verbs that stand in every tenth to fiftieth task of any kind: who rejects five tasks of sending jokes has nothing
/// against sending.
static EMPTY: LazyLock<HashSet<&str>> = LazyLock::new(|| EMPTY_WORDS.split_whitespace().collect());
const EMPTY_WORDS: &str = "about after again all also and any are because been before being but can could did does doing \
    don down for from get give going gonna got had has have her here him his how into its just kind know let like \
    make maybe mean more most much now off okay one only other our out over really right say see she should some \
    that the their them then there these they thing things think this those though time too until very want was way \
    well were what when where which while who why will with would yeah yes you your \
    anyway ask back come end everybody everyone fine first last need needs new next not once please put said same second send \
    somebody someone soon still take tell three two write \
    afternoon day days evening hour hours midnight minute minutes month months morning night noon week weekend weeks year \
    today tomorrow tonight monday tuesday wednesday thursday friday saturday sunday \
    january february march april june july august september october november december";

/// What the engine saw of a task while it looked at the text, and nobody can see in the task itself.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Signals {
    /// Log-odds of its being a task, before anything learnt.
    // The name in what is stored already.
    #[serde(rename = "odds")]
    pub log_odds: f64,
    /// Names of what was seen, such as `first person promise` or `a request`, sorted.
    // The name in what is stored already.
    #[serde(rename = "marks", skip_serializing_if = "Vec::is_empty")]
    pub feature_names: Vec<String>,
}

impl Signals {
    /// Whether nothing was seen: nobody looked at the text with the engine.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        *self == Self::default()
    }
}

/// All that features are taken from.
#[derive(Clone, Copy, Debug)]
pub struct FeatureSource<'a> {
    /// Kind of the item.
    pub source_type: &'a str,
    /// What the item is called.
    pub title: Option<&'a str>,
    /// The words it rests on, with who said them.
    pub quotes: &'a [(&'a str, Option<&'a str>)],
    /// Whether it has an owner, and whether that is "me".
    pub owner: Option<bool>,
    /// Whether it has a due date.
    pub has_due: bool,
    /// What the engine saw.
    pub signals: &'a Signals,
}

/// What a task looks like: which features it has, and how sure the engine was of it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct TaskFeatures {
    /// Log-odds of its being a task, before anything learnt.
    // The name in what is stored already.
    #[serde(rename = "odds")]
    pub log_odds: f64,
    /// Names of its features. The first letter and a colon say what kind it is: `w:` a word, `m:` seen by the engine,
    /// `s:` kind of source, `t:` a word of the item's title, `o:` whose it is, `d:` whether it is due, `p:` who said
    /// it.
    // The name in what is stored already.
    #[serde(rename = "traits")]
    pub feature_names: Vec<String>,
}

impl TaskFeatures {
    /// The features of what was seen.
    #[must_use]
    pub fn of(sight: &FeatureSource<'_>) -> Self {
        let mut feature_names: Vec<String> =
            sight.signals.feature_names.iter().map(|name| format!("m:{name}")).collect();
        feature_names.push(format!("s:{}", sight.source_type));
        feature_names.push(format!("o:{}", sight.owner.map_or("none", |is_me| if is_me { "me" } else { "other" })));
        feature_names.push(if sight.has_due { DUE } else { NOT_DUE }.to_owned());
        let speakers: BTreeSet<_> = sight.quotes.iter().filter_map(|(_, speaker)| *speaker).map(folded).collect();
        feature_names.extend(speakers.into_iter().map(|name| format!("p:{name}")));
        let called: BTreeSet<String> = sight.title.into_iter().flat_map(stems).take(MOST_OF_TITLE).collect();
        feature_names.extend(called.into_iter().map(|word| format!("t:{word}")));
        let words: BTreeSet<String> = sight.quotes.iter().flat_map(|(text, _)| stems(text)).take(MOST_WORDS).collect();
        feature_names.extend(words.into_iter().map(|word| format!("w:{word}")));
        Self { log_odds: sight.signals.log_odds, feature_names }
    }

    /// The features of what an item says of a task.
    #[must_use]
    pub fn of_mention(mention: &Mention) -> Self {
        let quotes: Vec<_> = mention.quotes.iter().map(|q| (q.text.as_str(), q.speaker.as_deref())).collect();
        Self::of(&FeatureSource {
            source_type: mention.item.source_type.as_str(),
            title: mention.item_title.as_deref(),
            quotes: &quotes,
            owner: mention.owner.as_ref().map(|owner| owner.is_me),
            has_due: mention.due.is_some(),
            signals: &mention.signals,
        })
    }

    /// Its words, without their kind.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.feature_names.iter().filter_map(|name| name.strip_prefix("w:"))
    }
}

/// A name as it is compared: lower case, at most two dozen letters.
fn folded(name: &str) -> String {
    name.chars().flat_map(char::to_lowercase).take(24).collect()
}

/// The stems of the words of a text that say what it is about; of scripts without spaces, neighbouring characters.
fn stems(text: &str) -> Vec<String> {
    let (mut found, mut word) = (Vec::new(), String::new());
    for part in words(text) {
        word.clear();
        word.extend(part.chars().flat_map(char::to_lowercase));
        if word.chars().any(is_spaceless) {
            let letters: Vec<char> = word.chars().collect();
            found.extend(letters.windows(2).map(|pair| pair.iter().collect::<String>()));
        } else if word.chars().nth(2).is_some()
            && !word.bytes().all(|byte| byte.is_ascii_digit())
            && !EMPTY.contains(word.as_str())
        {
            let end = word.char_indices().nth(STEM).map_or(word.len(), |(end, _)| end);
            found.push(word[..end].to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_stems_and_say_what_it_is_about() {
        assert_eq!(stems("Let's grab the coffees, 2026!"), ["grab", "coffee"]);
        assert_eq!(stems("会議室を予約"), ["会議", "議室", "室を", "を予", "予約"]);
    }

    #[test]
    fn features_are_the_same_whatever_the_order_of_words() {
        let signals = Signals { log_odds: 1.0, feature_names: vec!["promise".to_owned()] };
        let draw = |text: &str| {
            let quotes = [(text, Some("Dana"))];
            TaskFeatures::of(&FeatureSource {
                source_type: "chat",
                title: Some("Weekly sync, Room 3"),
                quotes: &quotes,
                owner: Some(true),
                has_due: false,
                signals: &signals,
            })
        };
        assert_eq!(draw("grab coffee later"), draw("later grab coffee"));
        let wanted = [
            "m:promise",
            "s:chat",
            "o:me",
            "d:no",
            "p:dana",
            "t:room",
            "t:sync",
            "t:weekly",
            "w:coffee",
            "w:grab",
            "w:later",
        ];
        assert_eq!(draw("grab coffee later").feature_names, wanted);
    }
}
