//! What the sentence encoder learns from, and what it says of texts that it has not seen. The encoder is trained by
//! `encoder/train.py`, apart from all else; what it says of the training texts, each by an encoder that never saw it, is
//! kept beside it (`encoder/heldout.jsonl.gz`), so that everything else can be trained anew without it.

use crate::data::{self, GoldDocument};
use crate::prepared::PreparedText;
use crate::train::importance;
use anyhow::{Result, ensure};
use gleaner_extract::encoder::window::{self, windows};
use gleaner_extract::encoder::wordpiece::{Piece, pieces};
use gleaner_extract::encoder::{Encoder, OUTPUTS, UNREAD, likeliest};
use gleaner_extract::judge;
use gleaner_extract::language;
use gleaner_extract::reader::Transcript;
use gleaner_extract::score::{First, LINEAR};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::Path;

/// A text as the encoder learns from it.
#[derive(Debug, Serialize)]
pub struct EncoderExample<'l> {
    id: &'l str,
    /// Those of one group are never on both sides of a fold.
    group: u32,
    is_talk: bool,
    sentences: Vec<SentenceExample>,
    /// The windows in which its sentences are judged.
    windows: Vec<WindowExample>,
}

/// A sentence with what is true of it.
#[derive(Debug, Serialize)]
struct SentenceExample {
    speaker: Option<u32>,
    pieces: Vec<Piece>,
    /// Whether it is part of a task, its first part, a later part.
    labels: [bool; OUTPUTS],
    weight: f32,
    /// The greater logit of the linear models that decide what is read.
    gate: f32,
}

#[derive(Debug, Serialize)]
struct WindowExample {
    pieces: Vec<Piece>,
    marks: Vec<usize>,
}

/// Whether a text is one that the encoder reads.
#[must_use]
pub fn is_read(document: &GoldDocument, transcript: &Transcript<'_>) -> bool {
    language::of(document.metadata.get("language").map(String::as_str), transcript) == "en"
}

/// A text as a training example.
#[must_use]
pub fn example<'l>(
    document: &'l GoldDocument,
    text: &PreparedText<'_>,
    group: u32,
    linear: &[Vec<f32>],
) -> EncoderExample<'l> {
    let line = |index: usize| SentenceExample {
        speaker: text.scene.sentences[index].speaker,
        pieces: pieces(text.scene.sentences[index].text, window::SENTENCE),
        labels: [text.labels[index], text.opens(index, true), text.opens(index, false)],
        weight: importance(text, index),
        gate: linear[judge::DOCUMENTS][index].max(linear[judge::TALK][index]),
    };
    let cut = windows(text.scene.sentences);
    EncoderExample {
        id: &document.id,
        group,
        is_talk: document.format.starts_with("talk"),
        sentences: (0..text.labels.len()).map(line).collect(),
        windows: cut.into_iter().map(|window| WindowExample { pieces: window.pieces, marks: window.marks }).collect(),
    }
}

/// What an encoder says of the sentences of a text that it never saw.
#[derive(Debug, Deserialize)]
struct Heldout {
    id: String,
    /// A row for each sentence, in eighths.
    logits: Vec<[i16; OUTPUTS]>,
}

/// The held-out logits of each text by its document's name.
///
/// # Errors
/// Where the file cannot be read.
pub fn heldout() -> Result<HashMap<String, Vec<[f32; OUTPUTS]>>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("encoder");
    let all: Vec<Heldout> = data::read(&folder, "heldout.jsonl.gz")?;
    let logits = |row: [i16; OUTPUTS]| row.map(|step| f32::from(step) / 8.0);
    Ok(all.into_iter().map(|text| (text.id, text.logits.into_iter().map(logits).collect())).collect())
}

/// The views of a text: those of the linear models, and what an encoder that never saw it says of what it would read. That is
/// kept for the texts that the encoder learnt from; of all others the encoder itself never saw anything.
///
/// # Errors
/// Where the held-out logits are those of another text.
pub fn views(
    text: &PreparedText<'_>,
    linear: [Vec<f32>; LINEAR],
    heldout: Option<&Vec<[f32; OUTPUTS]>>,
    encoder: Option<&Encoder>,
) -> Result<First> {
    let count = text.labels.len();
    let sentences = text.scene.sentences;
    let encoder_priority = |index| judge::encoder_priority(&text.scene, &linear, index);
    let mut encoded: [Vec<f32>; OUTPUTS] = std::array::from_fn(|_| vec![UNREAD; count]);
    if let Some(rows) = heldout {
        ensure!(rows.len() == count, "sentences are cut otherwise than when the encoder was trained: train it again");
        for window in likeliest(sentences, encoder_priority) {
            for index in window.judged {
                for (encoded, logit) in encoded.iter_mut().zip(rows[index]) {
                    encoded[index] = logit;
                }
            }
        }
    } else if let Some(encoder) = encoder {
        encoded = encoder.logits(sentences, encoder_priority);
    }
    let mut views = linear.into_iter().chain(encoded);
    Ok(std::array::from_fn(|_| views.next().unwrap_or_default()))
}
