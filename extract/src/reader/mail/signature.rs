//! Who signed a mail: the name under its closing, or else alone at its end.

use super::SIGNATURE;
use super::mark::{greeting, is_closing, is_device, is_name, is_postscript, is_rule, is_salute};
use super::notice::is_notice;
use crate::people::given::is_given;

/// Most words of a closing that is known by its place above a name.
const CLOSING_WORDS: usize = 6;

/// The name that a mail is signed with, given its own lines without white space around them. What stands below the name, such
/// as a role or a company, is nobody's; where nothing says who wrote it, nobody did.
pub fn signer<'a>(lines: &[&'a str]) -> Option<&'a str> {
    let kept: Vec<&'a str> = lines.iter().copied().filter(|line| !is_device(line)).collect();
    let body = kept.iter().position(|line| !line.is_empty() && greeting(line).is_none())?;
    let end = kept.iter().skip(body + 1).position(|line| is_postscript(line)).map_or(kept.len(), |at| body + 1 + at);
    let kept = &kept[body..end];
    let written: Vec<&'a str> = kept.iter().copied().filter(|line| !line.is_empty()).collect();
    let tail = &written[written.len().saturating_sub(2 * SIGNATURE)..];
    let greeted: Vec<&'a str> =
        lines.iter().find(|line| !line.is_empty()).and_then(|line| greeting(line)).unwrap_or_default();
    let below = |lines, closes: fn(&str) -> bool| below(lines, closes, &greeted);
    let name = below(tail, |line| is_closing(line) || is_salute(line))
        .or_else(|| below(tail, is_rule))
        .or_else(|| below(&tail[1..], is_short));
    match name {
        Some((at, name)) => {
            let fuller = |line: &&&'a str| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(' '));
            Some(tail[at..].iter().find(fuller).and_then(|line| name_in(line)).unwrap_or(name))
        }
        None => alone(kept),
    }
}

/// The name that stands last on or under a line that closes a mail, and where. "Thanks, Sam" to Sam names nobody.
fn below<'a>(lines: &[&'a str], closes: fn(&str) -> bool, greeted: &[&str]) -> Option<(usize, &'a str)> {
    (0..lines.len()).rev().filter(|&at| closes(lines[at])).find_map(|at| {
        let beside = lines[at].split_once([',', '!']).and_then(|(_, name)| name_below(name.trim()));
        let beside = beside.filter(|name| !greeted.contains(name));
        let under = || lines[at + 1..].iter().find(|line| !is_rule(line)).and_then(|line| name_below(line));
        Some((at, beside.or_else(under)?))
    })
}

/// Whether a line of a few words leads to a name: "Hugs,".
fn is_short(line: &str) -> bool {
    line.ends_with(',') && line.split(' ').count() <= CLOSING_WORDS
}

/// The name on a line under a closing: `- Priya`, `Tom Klein, Bauleiter`.
fn name_below(line: &str) -> Option<&str> {
    let bare = line.trim_start_matches(['-', '–', '—', '/', '~', '*', ' ']);
    let end = [", ", " - ", " – ", " — "].iter().filter_map(|mark| bare.find(mark)).min().unwrap_or(bare.len());
    name_in(bare[..end].trim_end_matches(['.', ',', '!']))
}

/// The name on a line: `Tom Klein`, `Priya Raman | HallCo`, `Jo (she/her)`, `Mum xx`.
pub fn name_in(line: &str) -> Option<&str> {
    let aside = line.find('(').filter(|_| line.ends_with(')'));
    let end = line.find(['|', '•', '·']).or(aside).unwrap_or(line.len());
    let kiss = |word: &&str| !word.is_empty() && word.chars().all(|letter| matches!(letter, 'x' | 'X'));
    let bare = line[..end].trim_end_matches([' ', '*']);
    let name = bare.rsplit_once(' ').filter(|(_, last)| kiss(last)).map_or(bare, |(name, _)| name);
    let ends = name.strip_suffix('.').and_then(|name| name.rsplit(' ').next()).is_some_and(|word| word.len() > 3);
    (is_name(name) && !is_closing(name) && !ends).then_some(name)
}

/// The name that a mail without a closing ends with: alone on its last line, or above others of its last paragraph, where these
/// are no sentences. What the mail says of itself below is skipped, and so are telephone numbers and addresses.
fn alone<'a>(lines: &[&'a str]) -> Option<&'a str> {
    let mut paragraphs: Vec<&[&'a str]> = lines.split(|line| line.is_empty()).filter(|one| !one.is_empty()).collect();
    let skipped = |lines: &[&str]| is_notice(lines[0]) || lines.iter().all(|line| is_contact(line));
    while paragraphs.len() > 1 && paragraphs.last().is_some_and(|lines| skipped(lines)) {
        paragraphs.pop();
    }
    let last = paragraphs.pop()?;
    let name = |line: &&'a str| name_in(line).filter(|_| greeting(line).is_none());
    if !paragraphs.is_empty() && last.len() <= SIGNATURE && !last.iter().any(|line| is_sentence(line)) {
        let known = || last.iter().filter_map(name).find(|name| is_given(name.split(' ').next().unwrap_or(name)));
        let full = || name(&last[0]).filter(|name| name.contains(' ') && name_in(last[last.len() - 1]).is_none());
        if let Some(name) = known().or_else(full) {
            return Some(name);
        }
    }
    let (line, above) = last.split_last().filter(|(_, above)| !(above.is_empty() && paragraphs.is_empty()))?;
    let dash = |line: &'a str| line.strip_prefix(['-', '–', '—']).map_or(line, str::trim_start);
    let is_listed = above.last().is_some_and(|above| dash(above) != *above);
    let bare = if is_listed { line } else { dash(line) };
    name(&bare)
}

/// Whether a line only says how to reach somebody.
fn is_contact(line: &str) -> bool {
    line.contains('@') || line.contains("www.") || line.bytes().filter(u8::is_ascii_digit).count() > 5
}

fn is_sentence(line: &str) -> bool {
    line.ends_with(['.', '?', '!', ':']) || line.split(' ').count() > 2 * CLOSING_WORDS
}

#[cfg(test)]
mod tests {
    use super::signer;

    fn by(text: &str) -> Option<&str> {
        signer(&text.lines().map(str::trim).collect::<Vec<_>>())
    }

    #[test]
    fn the_name_under_the_closing_signs_and_not_what_stands_below() {
        for below in ["", "\nPresident", "\nHead of Sales", "\n+44 20 7946 0991", "\nBerlin", "\n\nSent from my iPad"] {
            let text = format!("Hi Marek,\n\nI'll send it tomorrow.\n\nBest,\nKostas Andreou{below}");
            assert_eq!(by(&text), Some("Kostas Andreou"), "{below}");
        }
        assert_eq!(by("I'll send it.\n\nGrüße\nTom\n\n--\nTom Klein\nBauleiter"), Some("Tom Klein"));
        assert_eq!(by("I'll send it.\n\nBest, Milica"), Some("Milica"));
        assert_eq!(by("Hi Sam,\n\nI'll send it.\n\nThanks, Sam!\n\nPriya"), Some("Priya"));
        assert_eq!(by("I'll send it.\n\nLove,\nMum xx"), Some("Mum"));
        assert_eq!(by("I'll send it.\n\nCheers,\n- Priya"), Some("Priya"));
    }

    #[test]
    fn a_closing_is_known_by_its_place_above_a_name() {
        for closing in ["Thanks & Regards,", "Hugs,", "Looking forward,", "Mit besten Grüßen", "Med vänlig hälsning"]
        {
            let text = format!("All fine.\n\n{closing}\nSunita Krishnan\nProcurement\nPlease call us before you pay.");
            assert_eq!(by(&text), Some("Sunita Krishnan"), "{closing}");
        }
    }

    #[test]
    fn without_a_closing_a_name_alone_at_the_end_signs() {
        assert_eq!(by("I'll bring the tables.\nAnna"), Some("Anna"));
        assert_eq!(by("I'll bring them.\n\nPriya Raman\nHallCo Ltd\n\nTel. +44 20 7946 0991"), Some("Priya Raman"));
        assert_eq!(by("I'll bring them.\n\n- Priya"), Some("Priya"));
        assert_eq!(by("Ich bringe sie.\n\nSchönes Wochenende\nTom"), Some("Tom"));
        for nobody in [
            "Two left:\n- Ana: sit\n- Lea (new): call Tom",
            "Hallo Sabine,\n\nThanks",
            "Hi Tom",
            "I'll bring them.",
            "Please reconcile.\n\nDone.",
            "",
        ] {
            assert_eq!(by(nobody), None, "{nobody}");
        }
    }
}
