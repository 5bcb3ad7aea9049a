//! Japanese and Chinese actions, which are written without spaces: without who acts, the day and courtesies, and in Japanese
//! with the verb in its dictionary form.

use std::borrow::Cow;

use super::kind::Lexicon;
use super::word::{Word, midday};
use crate::due;
use crate::word_list::WordList;
use gleaner_model::is_han;

/// What separates clauses.
const MARKS: [char; 12] = ['、', '，', ',', '。', '！', '？', '!', '?', '；', '：', ' ', '\u{3000}'];
/// Clauses that only answer, and what ends one that only calls somebody.
static ANSWERS: WordList = WordList::of(
    "はい ええ うん じゃあ じゃ では 了解 了解です わかりました ありがとう ありがとうございます お願いします \
    よろしくお願いします すみません それと あと 好 好的 好啊 行 可以 谢谢 謝謝 收到 没问题 沒問題 嗯 对 對 那 然后 \
    然後",
);
static CALLS: WordList = WordList::of("さん くん ちゃん 様 先生 部長");
/// Who acts, at the beginning.
static ACTS: WordList = WordList::of(
    "私は 私が 僕は 僕が 俺が わたしが こちらで それは じゃあ 麻烦你 麻煩你 麻烦您 请你 請你 我来 我來 我去 我会 我會 \
    我再 请 請 我",
);
/// What leads from a day to the action.
static LEADS: WordList = WordList::of("までには までに まで 中に 中 には に の 之前 以前 前 就 ，");
/// Longest weekday in brackets, in bytes.
const WEEKDAY: usize = 6;
/// Longest title, in characters: of more, the last clauses are kept.
const LONGEST: usize = 30;
/// Courtesies at the end.
static ENDS: WordList = WordList::of("ね よ か けど ので から わ 吧 啊 哈 吗 嗎 哦 呢 了");
/// What asks for the verb before it, which ends in て.
static ASKS: WordList = WordList::of(
    "もらえます もらえません もらえる いただけます いただけません いただける ください 下さい くれます くれる \
    ほしいです おいてください おきます おく きます",
);

/// An action in the words of a title; nothing where no words are left.
pub(super) fn clause<'a>(words: &[Word<'a>], language: &str) -> Option<Word<'a>> {
    let text: String = words.iter().map(|word| word.text.as_ref()).collect();
    let text = undated(&text, language);
    let says = |clause: &&str| {
        let called = CALLS.all().iter().any(|call| clause.ends_with(call)) && clause.chars().count() < 8;
        !clause.is_empty() && !called && !ANSWERS.has(clause)
    };
    let clauses: Vec<&str> = text.split(MARKS).filter(says).collect();
    let long = |from: &usize| clauses[*from..].iter().map(|clause| clause.chars().count()).sum::<usize>() > LONGEST;
    let from = (0..clauses.len()).find(|from| !long(from)).unwrap_or(clauses.len().saturating_sub(1));
    let mut said = clauses[from..].join("、");
    while let Some(rest) = ACTS.all().iter().find_map(|acts| said.strip_prefix(acts)) {
        said = rest.to_owned();
    }
    for acts in &ACTS.all()[..2] {
        said = said.replace(acts, "");
    }
    while let Some(rest) =
        ENDS.all().iter().find_map(|end| said.strip_suffix(end)).filter(|rest| rest.chars().count() > 3)
    {
        said = rest.to_owned();
    }
    let title = if language.starts_with("ja") { dictionary(&said) } else { said };
    (title.chars().count() > 2).then(|| Word::new(title, Lexicon::of(language)))
}

/// A text without its days, and what leads from them to the rest.
fn undated<'t>(text: &'t str, language: &str) -> Cow<'t, str> {
    let mut kept = String::new();
    let mut from = 0;
    for found in due::find(text, midday(), Some(language)) {
        if found.start < from {
            continue;
        }
        kept += &text[from..found.start];
        let rest = &text[found.end..];
        // "7/17（金）までに"
        let weekday = rest.strip_prefix('（').and_then(|rest| rest.find('）')).filter(|end| *end <= WEEKDAY);
        let day = weekday.map_or(0, |end| '（'.len_utf8() + end + '）'.len_utf8());
        let lead = LEADS.all().iter().find(|lead| rest[day..].starts_with(**lead)).map_or(0, |lead| lead.len());
        from = found.end + day + lead;
    }
    if from == 0 { Cow::Borrowed(text) } else { Cow::Owned(kept + &text[from..]) }
}

/// A Japanese clause with its last verb as a dictionary has it.
fn dictionary(clause: &str) -> String {
    for asks in
        ["をお願いします", "もお願いします", "をお願いできます", "もお願いできます", "お願いします", "お願いできます"]
    {
        if let Some(thing) = clause.strip_suffix(asks) {
            return format!("{thing}をする");
        }
    }
    let asked =
        ASKS.all().iter().filter_map(|asks| clause.strip_suffix(asks)).find(|rest| rest.ends_with(['て', 'で']));
    if let Some(rest) = asked {
        return from_te(rest).unwrap_or_else(|| clause.to_owned());
    }
    let polite = ["ましょう", "ます"].iter().find_map(|end| clause.strip_suffix(end));
    polite.and_then(from_polite).unwrap_or_else(|| clause.to_owned())
}

/// "確認し" of "確認します": the vowel i of most verbs becomes u.
fn from_polite(stem: &str) -> Option<String> {
    const I: &str = "きぎしちにびみりい";
    const U: &str = "くぐすつぬぶむるう";
    let last = stem.chars().next_back()?;
    let rest = &stem[..stem.len() - last.len_utf8()];
    let place = I.chars().position(|letter| letter == last);
    Some(match (last, place.and_then(|place| U.chars().nth(place))) {
        ('し', _) if !is_short(rest) => format!("{rest}する"),
        (_, Some(u)) => format!("{rest}{u}"),
        _ => format!("{stem}る"),
    })
}

/// "確認して", "買って", "調べて".
fn from_te(form: &str) -> Option<String> {
    const U: &str = "買使払会洗言貰もら";
    let ends = |ending: &str| form.strip_suffix(ending);
    if let Some(rest) = ends("して") {
        return Some(if is_short(rest) { format!("{rest}す") } else { format!("{rest}する") });
    }
    if let Some(rest) = ends("って") {
        let last = rest.chars().next_back()?;
        let ending = match last {
            '行' => 'く',
            '持' | '待' => 'つ',
            last if U.contains(last) => 'う',
            _ => 'る',
        };
        return Some(format!("{rest}{ending}"));
    }
    let other = [("いて", "く"), ("いで", "ぐ"), ("んで", "む"), ("て", "る")];
    other.iter().find_map(|(ending, plain)| Some([ends(ending)?, plain].concat()))
}

/// Whether one character alone stands before "し", as in 話し and 渡し: such verbs are not made with する.
fn is_short(rest: &str) -> bool {
    let mut back = rest.chars().rev();
    back.next().is_some_and(is_han) && !back.next().is_some_and(is_han)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::title::word::split;

    fn title(text: &str, language: &str) -> Option<String> {
        clause(&split(text, language), language).map(|word| word.text.into_owned())
    }

    #[test]
    fn japanese_titles_end_in_a_plain_verb() {
        for (said, wanted) in [
            ("私は招待状を水曜日までに送ります。", "招待状を送る"),
            ("鈴木さん、会場の予約を確認してもらえますか。", "会場の予約を確認する"),
            ("パンフレットは私が金曜日までに印刷します。", "パンフレットは印刷する"),
            ("はい、資料を渡しますね。", "資料を渡す"),
            ("明日までにログを調べてください。", "ログを調べる"),
            ("飲み物を買っておきます", "飲み物を買う"),
            ("会議室の予約をお願いします。", "会議室の予約をする"),
        ] {
            assert_eq!(title(said, "ja").as_deref(), Some(wanted), "{said}");
        }
        assert_eq!(title("お願いします。", "ja"), None);
    }

    #[test]
    fn chinese_titles_leave_out_who_acts_and_when() {
        assert_eq!(title("好的，我明天发合同。", "zh").as_deref(), Some("发合同"));
        assert_eq!(title("请周五之前把报告发给我", "zh").as_deref(), Some("把报告发给我"));
    }
}
