//! Addresses within the site: made from parts, and taken from forms only where they stay here.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// A text as one segment of a path.
pub fn segment(text: &str) -> String {
    utf8_percent_encode(text, SEGMENT).to_string()
}

/// A path with the parameters that have a value.
pub fn with_query(path: &str, parameters: &[(&str, &str)]) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, value) in parameters.iter().filter(|(_, value)| !value.is_empty()) {
        query.append_pair(name, value);
    }
    match query.finish() {
        query if query.is_empty() => path.to_owned(),
        query => format!("{path}?{query}"),
    }
}

/// Where to go back to: a path of this site, else its front page.
pub fn back(wanted: &str, prefix: &str) -> String {
    let plain = wanted.bytes().all(|c| c.is_ascii_graphic() && c != b'\\');
    let here = wanted.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('/') && !rest.starts_with("//"));
    if plain && here && !wanted.starts_with("//") { wanted.to_owned() } else { format!("{prefix}/") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_back_never_leaves_the_site() {
        assert_eq!(back("/?q=a%20b", ""), "/?q=a%20b");
        assert_eq!(back("/g/app/add", "/g"), "/g/app/add");
        for away in ["//evil.example", "https://evil.example", "/\\evil", "", "app", "/a\r\nb", "/g"] {
            assert_eq!(back(away, "/g"), "/g/", "{away}");
        }
        assert_eq!(back("//evil.example", ""), "/");
    }

    #[test]
    fn a_segment_holds_any_text() {
        assert_eq!(segment("a/b ü"), "a%2Fb%20%C3%BC");
    }
}
