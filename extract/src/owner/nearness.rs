//! How far from a task somebody was named, in words of the document.

use super::Stretch;
use crate::feature::token::hash_word;
use crate::hash::HashedMap;
use crate::people::name::fold;
use crate::reader::Transcript;
use gleaner_model::words;

/// Where each word of a document stands, counted in words, by its folded form.
#[derive(Debug)]
pub struct WordPlaces {
    /// How many words come before each utterance.
    begins: Vec<usize>,
    places: HashedMap<Vec<usize>>,
}

/// How far a word stands from the end of a stretch, in words; none where it does not stand on that side.
#[derive(Clone, Copy, Debug)]
pub struct Nearness {
    /// Before the end: in the stretch, too.
    pub before: Option<usize>,
    /// Behind it.
    pub after: Option<usize>,
    /// How often it stands in the document.
    pub count: usize,
}

impl WordPlaces {
    /// Counts the words of a transcript.
    pub fn of(transcript: &Transcript<'_>) -> Self {
        let mut found = Self { begins: Vec::new(), places: HashedMap::default() };
        let mut at = 0;
        for utterance in &transcript.utterances {
            found.begins.push(at);
            for word in words(utterance.text.as_str()) {
                found.places.entry(hash_word(&fold(word))).or_default().push(at);
                at += 1;
            }
        }
        found
    }

    /// Whether a folded word stands anywhere.
    pub fn has(&self, word: &str) -> bool {
        self.places.contains_key(&hash_word(word))
    }

    /// How far a folded word stands from the end of a stretch; `until` is what its utterance says until then.
    pub fn nearness(&self, word: &str, stretch: &Stretch, until: &str) -> Nearness {
        let end = self.begins.get(stretch.utterance).map_or(0, |begin| begin + words(until).count());
        let all = self.places.get(&hash_word(word)).map_or(&[][..], Vec::as_slice);
        let next = all.partition_point(|place| *place < end);
        Nearness {
            before: next.checked_sub(1).map(|last| end - all[last]),
            after: all.get(next).map(|place| place - end),
            count: all.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Document;
    use crate::reader::read;

    #[test]
    fn words_are_counted_over_utterances() {
        let text = "Sam: Élodie has it.\nDana: can she bring it? Elodie, can you?\n";
        let transcript = read(&Document { source_type: "meeting", title: None, text });
        let places = WordPlaces::of(&transcript);
        let stretch = Stretch { utterance: 1, range: 0..17 };
        let near = places.nearness("elodie", &stretch, "can she bring it?");
        assert_eq!((near.before, near.after, near.count), (Some(7), Some(0), 2));
        let none = places.nearness("tom", &stretch, "can she bring it?");
        assert_eq!((none.before, none.after, none.count), (None, None, 0));
    }
}
