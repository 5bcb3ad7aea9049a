//! The sample texts that come with the program: meetings, calls, mails, chats and notes, in several formats and languages.

use crate::failure::CliError;
use std::path::{Path, PathBuf};

/// Each with the name of its file.
const ALL: [(&str, &str); 12] = [
    ("weekly.vtt", include_str!("../../../samples/weekly.vtt")),
    ("kickoff.txt", include_str!("../../../samples/kickoff.txt")),
    ("vendor-call.srt", include_str!("../../../samples/vendor-call.srt")),
    ("pilot.eml", include_str!("../../../samples/pilot.eml")),
    ("incident-chat.txt", include_str!("../../../samples/incident-chat.txt")),
    ("minutes.txt", include_str!("../../../samples/minutes.txt")),
    ("launch.md", include_str!("../../../samples/launch.md")),
    ("stand-up.md", include_str!("../../../samples/stand-up.md")),
    ("angebot.eml", include_str!("../../../samples/angebot.eml")),
    ("reunion.json", include_str!("../../../samples/reunion.json")),
    ("grupo-chat.txt", include_str!("../../../samples/grupo-chat.txt")),
    ("junbi.txt", include_str!("../../../samples/junbi.txt")),
];

/// Writes the samples into a folder, and says where each is.
///
/// # Errors
/// When the folder cannot be written.
pub fn write(folder: &Path) -> Result<Vec<PathBuf>, CliError> {
    let failed = |error: std::io::Error| CliError::failed(format!("cannot write {}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(failed)?;
    let write = |(name, text): &(&str, &str)| {
        let path = folder.join(name);
        std::fs::write(&path, text).map(|()| path)
    };
    ALL.iter().map(write).collect::<Result<_, _>>().map_err(failed)
}
