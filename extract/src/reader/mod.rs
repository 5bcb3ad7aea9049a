//! Readers: one format each, recognised by its content. They turn a text into utterances whose places in the text are exact.

/// What one person said or wrote in one go.
#[derive(Clone, Debug, PartialEq)]
pub struct Utterance<'a> {
    /// Who, as the text names them.
    pub speaker: Option<&'a str>,
    /// Seconds into the recording, where the format has time codes.
    pub at_s: Option<f64>,
    /// What kind of line it is.
    pub kind: Kind,
    /// The words: one or more slices of the text, in order. Wrapped cues and hard-wrapped paragraphs have several.
    pub parts: Vec<Part<'a>>,
}

/// A slice of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part<'a> {
    /// The words.
    pub text: &'a str,
    /// First byte in the text.
    pub start: usize,
}

/// What kind of line an utterance is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Spoken or written prose.
    Speech,
}
