//! Style, script and icon: inside the binary, under an address that changes with their content.

use axum::{
    extract::Path,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

const SCRIPT: &str = "text/javascript; charset=utf-8";

const FILES: [(&str, &str, &str); 6] = [
    ("app.css", "text/css; charset=utf-8", include_str!("../../web/static/app.css")),
    ("app.js", SCRIPT, include_str!("../../web/static/app.js")),
    ("live.js", SCRIPT, include_str!("../../web/static/live.js")),
    ("tasks.js", SCRIPT, include_str!("../../web/static/tasks.js")),
    ("add.js", SCRIPT, include_str!("../../web/static/add.js")),
    ("icon.svg", "image/svg+xml", include_str!("../../web/static/icon.svg")),
];

/// Names what all of the files hold, so that a browser may keep them for ever.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut hash = Sha256::new();
    FILES.iter().for_each(|(.., text)| hash.update(text));
    format!("{:x}", hash.finalize())[..12].to_owned()
});

/// The path of a file.
pub fn path(name: &str) -> String {
    format!("/app/assets/{}/{name}", *VERSION)
}

/// `GET /app/assets/{version}/{name}`
pub async fn serve(Path((_, name)): Path<(String, String)>) -> Response {
    let Some((_, kind, text)) = FILES.iter().find(|(known, ..)| *known == name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable")),
    ];
    (headers, *text).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gleaner_model::EventKind;

    #[test]
    fn a_page_is_drawn_again_at_every_kind_of_event() {
        let (.., script) = FILES.iter().find(|(name, ..)| *name == "live.js").unwrap();
        let (_, list) = script.split_once("const KINDS = ").unwrap();
        let list: Vec<EventKind> = serde_json::from_str(list.split_once(';').unwrap().0).unwrap();
        assert_eq!(list, EventKind::ALL);
    }
}
