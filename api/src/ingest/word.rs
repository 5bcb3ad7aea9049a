//! A Word document (ECMA-376), as meeting services export transcripts: its paragraphs become the lines of the transcript.

use crate::problem::Problem;
use quick_xml::{
    Reader,
    escape::resolve_predefined_entity,
    events::{BytesRef, Event},
};
use std::io::{BufRead, BufReader, Cursor, Read as _};
use zip::ZipArchive;

/// The part that holds what is written.
const TEXT: &str = "word/document.xml";
/// Most bytes that it may unpack to. Word writes some ten for each letter at most.
const MAX_UNPACKED: u64 = 8 << 20;

/// The text of a document.
///
/// # Errors
/// 422 where the bytes are no such document, or one that unpacks to too much.
pub fn transcript(bytes: &[u8]) -> Result<String, Problem> {
    let invalid = || Problem::invalid("/transcript", "is not a Word document: send a .docx file as it is");
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| invalid())?;
    let part = archive.by_name(TEXT).map_err(|_| invalid())?;
    // What the archive says of its size may be a lie, so the reading is bounded too.
    let mut part = BufReader::new(part.take(MAX_UNPACKED + 1));
    let text = lines(&mut part).map_err(|_| invalid())?;
    if part.get_ref().limit() == 0 {
        let detail = format!("unpacks to more than {} MiB: send its text as text/plain", MAX_UNPACKED >> 20);
        return Err(Problem::invalid("/transcript", detail));
    }
    Ok(text)
}

/// What stands in its paragraphs, a line each.
fn lines(part: impl BufRead) -> Result<String, quick_xml::Error> {
    let mut reader = Reader::from_reader(part);
    let (mut text, mut buffer, mut is_text) = (String::new(), Vec::new(), false);
    loop {
        match reader.read_event_into(&mut buffer)? {
            Event::Start(tag) if tag.local_name().as_ref() == b"t" => is_text = true,
            Event::Text(run) if is_text => text.push_str(&run.decode()?),
            Event::GeneralRef(letter) if is_text => text.push_str(&resolved(&letter)?),
            Event::End(tag) => match tag.local_name().as_ref() {
                b"t" => is_text = false,
                b"p" => text.push('\n'),
                _ => {}
            },
            Event::Empty(tag) => match tag.local_name().as_ref() {
                b"br" | b"cr" | b"p" => text.push('\n'),
                b"tab" => text.push('\t'),
                _ => {}
            },
            Event::Eof => return Ok(text),
            _ => {}
        }
        buffer.clear();
    }
}

/// The letter that `&amp;` or `&#228;` stands for; nothing for what a document may not define itself.
fn resolved(letter: &BytesRef<'_>) -> Result<String, quick_xml::Error> {
    if let Some(letter) = letter.resolve_char_ref()? {
        return Ok(letter.to_string());
    }
    Ok(resolve_predefined_entity(&letter.decode()?).unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;
    use zip::{ZipWriter, write::SimpleFileOptions};

    fn document(name: &str, xml: &[u8]) -> Vec<u8> {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        archive.start_file(name, SimpleFileOptions::default()).unwrap();
        archive.write_all(xml).unwrap();
        archive.finish().unwrap().into_inner()
    }

    fn body(inner: &str) -> String {
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><w:document xmlns:w=\"http://schemas.openxmlformats.org/\
             wordprocessingml/2006/main\"><w:body>{inner}</w:body></w:document>"
        )
    }

    #[test]
    fn paragraphs_become_lines() {
        let xml = body(
            "<w:p><w:pPr><w:pStyle w:val=\"t\"/></w:pPr><w:r><w:t>Dana Reyes</w:t></w:r><w:r><w:tab/><w:t>0:03</w:t></w:r></w:p>\
             <w:p><w:r><w:t xml:space=\"preserve\">I&#8217;ll send R&amp;D the </w:t></w:r><w:r><w:t>SOW.</w:t><w:br/>\
             <w:t>Gr\u{fc}\u{df}e</w:t></w:r></w:p><w:p/>",
        );
        let text = transcript(&document(TEXT, xml.as_bytes())).unwrap();
        assert_eq!(text, "Dana Reyes\t0:03\nI’ll send R&D the SOW.\nGrüße\n\n");
    }

    #[test]
    fn what_is_no_document_or_a_bomb_is_refused() {
        let entities = "<!DOCTYPE d [<!ENTITY a \"lol\">]>".to_owned() + "<w:p><w:t>&a;&a;</w:t></w:p>";
        assert_eq!(transcript(&document(TEXT, entities.as_bytes())).unwrap(), "\n");
        let bomb = body(&"<w:p><w:t>0000000000000000</w:t></w:p>".repeat(300_000));
        let packed = document(TEXT, bomb.as_bytes());
        assert!(packed.len() < 1 << 20, "{}", packed.len());
        let bad =
            [b"".to_vec(), b"PK\x03\x04".to_vec(), document("a.txt", b"x"), document(TEXT, b"<w:p></w:q>"), packed];
        for bytes in bad {
            assert_eq!(transcript(&bytes).unwrap_err().errors[0].pointer, "/transcript");
        }
    }
}
