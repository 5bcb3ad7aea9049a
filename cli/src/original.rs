//! Files that are sent as they are, under a media type of their own.

use crate::{client::ApiClient, command::extract};
use gleaner_model::SourceType;
use reqwest::{Method, RequestBuilder, header::CONTENT_TYPE};
use std::path::Path;

const MAIL: &str = "message/rfc822";
const WORD: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const PDF: &str = "application/pdf";

/// A file as it is, and what is known about it.
pub struct Original {
    bytes: Vec<u8>,
    media_type: &'static str,
    query: Vec<(String, String)>,
}

impl Original {
    /// The file's bytes under the name that the item has.
    pub fn new(path: &Path, bytes: Vec<u8>, source_type: Option<&SourceType>, external_id: &str) -> Self {
        let source_type = source_type.map_or(extract::guess_source_type(path), SourceType::as_str);
        let query = [("source_type", source_type), ("external_id", external_id)];
        let query = query.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        Self { bytes, media_type: media_type(path), query }
    }

    /// A mail, which says of itself what it is.
    pub fn mail(bytes: Vec<u8>) -> Self {
        Self { bytes, media_type: MAIL, query: Vec::new() }
    }

    /// The same with one more thing that is known, if it is.
    pub fn with(mut self, name: impl Into<String>, value: Option<String>) -> Self {
        self.query.extend(value.map(|value| (name.into(), value)));
        self
    }

    /// The same with metadata.
    pub fn with_metadata(self, metadata: &[(String, String)]) -> Self {
        metadata.iter().fold(self, |file, (key, value)| file.with(format!("metadata[{key}]"), Some(value.clone())))
    }

    /// The request that submits it.
    pub fn request(&self, client: &ApiClient) -> RequestBuilder {
        let request = client.request(Method::POST, &["ingest", "items"]).query(&self.query);
        request.header(CONTENT_TYPE, self.media_type).body(self.bytes.clone())
    }
}

/// Whether a file is a mail, which says of itself what it is.
pub fn is_mail(path: &Path) -> bool {
    media_type(path) == MAIL
}

/// Whether a file goes as bytes in which the server finds the text: a mail, a Word document or a PDF.
pub fn goes_as_original(path: &Path) -> bool {
    matches!(media_type(path), MAIL | WORD | PDF)
}

fn media_type(path: &Path) -> &'static str {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    match extension.to_ascii_lowercase().as_str() {
        "vtt" => "text/vtt",
        "srt" => "application/x-subrip",
        "md" | "markdown" => "text/markdown",
        "eml" => MAIL,
        "docx" => WORD,
        "pdf" => PDF,
        _ => "text/plain",
    }
}
