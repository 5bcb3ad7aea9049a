//! What is taken of an answer, and what is asked.

use crate::support::{Answer, FakeEndpoint, ask, ask_with, one, task, titles};
use gleaner_llm::{FeedbackVerdict, KnownTask, PromptContext, RatedExample};
use gleaner_model::{TaskId, TaskStatus};
use serde_json::{Value, json};

const TEXT: &str = "Ada: hello\nBo: Ada, could you send the revised SOW\n  to Northwind by Friday?\nAda: sure thing";

fn with(mut task: Value, members: Value) -> String {
    let (Value::Object(task_members), Value::Object(members)) = (&mut task, members) else { unreachable!() };
    task_members.extend(members);
    json!({ "tasks": [task] }).to_string()
}

async fn asked_of(text: &str, answer: String) -> gleaner_llm::ModelRun {
    let endpoint = FakeEndpoint::start(move |_, _| Answer::says(&answer)).await;
    ask(&endpoint.model(), text).await
}

#[tokio::test]
async fn a_task_has_the_exact_words_of_the_text_its_owner_and_its_day() {
    let said = task("Send the revised SOW to Northwind.", 2, "COULD you send the revised sow to Northwind");
    let answer = with(said, json!({ "owner": "me", "due_words": "by Friday", "due": "2026-03-06" }));
    let asked = asked_of(TEXT, answer).await;
    let found = &asked.outcome.unwrap()[0].found;
    assert_eq!(found.title, "Send the revised SOW to Northwind");
    assert_eq!((found.owner.as_deref(), found.is_me), (Some("Ada Lund"), true));
    assert_eq!(found.due.as_ref().unwrap().date.to_string(), "2026-03-06");
    let quotes: Vec<_> = found.evidence.iter().map(|quote| quote.text.as_str()).collect();
    assert_eq!(quotes, ["could you send the revised SOW", "to Northwind"]);
    for quote in &found.evidence {
        let taken: String = TEXT.chars().skip(quote.start).take(quote.end - quote.start).collect();
        assert_eq!((taken.as_str(), quote.speaker.as_deref()), (quote.text.as_str(), Some("Bo")));
    }
}

#[tokio::test]
async fn what_the_text_does_not_bear_out_is_null_or_thrown_away() {
    assert!(titles(&asked_of(TEXT, one("Book a flight", 2, "I will book a flight")).await).is_empty());
    assert!(titles(&asked_of(TEXT, one("Cancel every subscription", 2, "sure thing")).await).is_empty());
    let said = task("Send the revised SOW to Northwind", 2, "send the revised SOW");
    for (members, owner, due) in [
        (json!({ "owner": "Zaphod" }), None, None),
        (json!({ "owner": "Bo" }), Some("Bo"), None),
        (json!({ "due_words": "by Monday", "due": "2026-03-09" }), None, None),
        (json!({ "due_words": "sure thing", "due": "2026-03-09" }), None, None),
        (json!({ "due_words": "by Friday", "due": "the day after" }), None, None),
        (json!({ "due_words": "by Friday", "due": null }), None, None),
        (json!({ "due_words": "by Friday", "due": "2026-03-06" }), None, Some("2026-03-06")),
    ] {
        let asked = asked_of(TEXT, with(said.clone(), members.clone())).await;
        let found = asked.outcome.unwrap().remove(0).found;
        let day = found.due.map(|due| due.date.to_string());
        assert_eq!((found.owner.as_deref(), day.as_deref()), (owner, due), "{members}");
    }
}

#[tokio::test]
async fn a_question_says_who_when_and_what_is_known() {
    let endpoint = FakeEndpoint::start(|_, _| {
        Answer::says(with(task("Send the SOW", 2, "send the revised SOW"), json!({"same_as": 1})))
    })
    .await;
    let known = KnownTask {
        id: TaskId::new(),
        title: "Send the SOW".to_owned(),
        owner: Some("Bo".to_owned()),
        due: "2026-03-04".parse().ok(),
        status: TaskStatus::Open,
        links: Vec::new(),
    };
    let verdict = FeedbackVerdict::Rejected;
    let rated = RatedExample { task: TaskId::new(), quote: "we could".to_owned(), verdict };
    let prompt_context = PromptContext { known: vec![known.clone()], ratings: vec![rated] };
    let asked = ask_with(&endpoint.model(), TEXT, &prompt_context).await;
    assert_eq!(asked.outcome.unwrap()[0].means.unwrap().task, known.id);
    let requests = endpoint.asked();
    let question = requests[0].question();
    for part in [
        "Kind: meeting\nTitle: Weekly\nLocal date: Monday 2026-03-02 10:00 (UTC)\n",
        "Mon 03-02 (today)",
        "Me: Ada Lund (also: Ada, ada@x.example)",
        "People: Bo\n",
        "Known tasks:\n1. Send the SOW (Bo, due 2026-03-04, open)\n",
        "\nText:\n1| Ada: hello\n2| Bo: Ada, could you send the revised SOW to Northwind by Friday?\n",
        "Ratings of earlier findings:\n- rejected, no task: \"we could\"\n",
    ] {
        assert!(question.contains(part), "{part}\n---\n{question}");
    }
    let body = &requests[0].body;
    assert_eq!((&body["temperature"], &body["stream"], &body["max_tokens"]), (&json!(0), &json!(false), &json!(4096)));
}

#[tokio::test]
async fn a_long_text_is_asked_of_in_windows_and_what_two_of_them_show_is_one_task() {
    let mut lines: Vec<String> =
        (0..1500).map(|n| format!("Bo: talking about topic {n} and nothing else at all")).collect();
    lines[700] = "Ada: I'll send the price list to Marlow".to_owned();
    let endpoint = FakeEndpoint::start(|_, request| {
        let line = request.question().lines().find(|line| line.ends_with("to Marlow"));
        let number = line.and_then(|line| line.split_once('|')).map(|(number, _)| number.parse().unwrap());
        Answer::says(number.map_or("{\"tasks\":[]}".to_owned(), |number| {
            one("Send the price list to Marlow", number, "I'll send the price list to Marlow")
        }))
    })
    .await;
    let asked = ask(&endpoint.model(), &lines.join("\n")).await;
    assert_eq!(titles(&asked), ["Send the price list to Marlow"]);
    let windows = endpoint.asked();
    assert!(windows.len() > 2 && asked.usage.input_tokens == 100 * windows.len() as u64);
    let shown: usize = windows.iter().map(|window| window.question().matches("| Bo: talking").count()).sum();
    assert!(shown > 1499 && shown < 2200, "each line once, some twice: {shown}");
}
