//! What feedback teaches, through HTTP, with a real worker.

use gleaner_model::Scope;
use gleaner_testkit::{
    api::{Api, titles},
    gleaner::GleanerProcess,
};
use serde_json::{Value, json};

/// Small talk that sounds like promises.
pub const COFFEE: [&str; 5] = [
    "I'll bring you a coffee tomorrow.",
    "I'll get you some coffee after lunch.",
    "I'll bring you a coffee this afternoon.",
    "I'll make you a coffee later today.",
    "I'll get everyone coffee on Monday.",
];
/// The same kind, and a real promise beside it.
pub const NEXT: &str = "Priya: I'll bring you some coffee on Tuesday.\nSam: Lovely.\n\
    Dana: I'll send the signed contract to Northwind by Friday.\n";

/// Someone who submits and rates.
pub struct Tenant<'a> {
    pub api: &'a Api,
    pub token: String,
}

impl Tenant<'_> {
    async fn call(&self, method: &str, path: &str, body: Option<Value>) -> gleaner_testkit::http::HttpResponse {
        let request = self.api.request(method, path).token(&self.token);
        match body {
            Some(body) => request.json(&body).send().await,
            None => request.send().await,
        }
    }

    /// Submits a meeting and waits for its job, with what it left out.
    pub async fn job(&self, external_id: &str, transcript: &str) -> Value {
        let item = json!({
            "source_type": "meeting", "external_id": external_id, "transcript": transcript,
            "occurred_at": "2026-03-03T15:00:00Z",
        });
        let accepted = self.call("POST", "/ingest/items", Some(item)).await.expect(202).json();
        let path = format!("/ingest/jobs/{}?include=suppressed", accepted["job_id"].as_str().unwrap());
        for _ in 0..100 {
            let request = self.api.request("GET", &path).token(&self.token).header("prefer", "wait=20");
            let job = request.send().await.expect(200).json();
            if job["status"] == "succeeded" {
                return job;
            }
            assert_ne!(job["status"], "failed", "{job}");
        }
        panic!("the job does not end");
    }

    async fn rate(&self, task: &str, rating: &str) -> String {
        self.say(task, json!({"rating": rating})).await
    }

    async fn say(&self, task: &str, body: Value) -> String {
        let receipt = self.call("POST", &format!("/tasks/{task}/feedback"), Some(body)).await.expect(201).json();
        receipt["feedback_id"].as_str().unwrap().to_owned()
    }

    async fn titles(&self, query: &str) -> Vec<String> {
        titles(&self.call("GET", &format!("/tasks?{query}"), None).await.expect(200).json())
    }

    /// Why the task of a meeting stands where it does.
    async fn explained(&self, external_id: &str, transcript: &str) -> Value {
        let job = self.job(external_id, transcript).await;
        let task = job["task_ids"][0].as_str().unwrap_or_else(|| panic!("a task: {job}"));
        self.call("GET", &format!("/tasks/{task}/explain"), None).await.expect(200).json()
    }

    /// Rates five promises of coffee down. Their tasks, and the ratings.
    async fn dislikes_coffee(&self) -> (Vec<String>, Vec<String>) {
        let (mut tasks, mut ratings) = (Vec::new(), Vec::new());
        for (number, said) in COFFEE.iter().enumerate() {
            let job = self.job(&format!("talk-{number}"), &format!("Priya: {said}\nSam: Thanks!\n")).await;
            let task = job["task_ids"][0].as_str().unwrap_or_else(|| panic!("a task in {said:?}: {job}")).to_owned();
            ratings.push(self.rate(&task, "down").await);
            tasks.push(task);
        }
        // What is promised twice is one task.
        tasks.sort();
        tasks.dedup();
        (tasks, ratings)
    }
}

#[tokio::test]
async fn five_downs_on_a_kind_of_task_suppress_the_next_until_they_are_taken_back() {
    let api = Api::start().await;
    let _worker = GleanerProcess::worker(&api.redis.url().to_string());
    let (mine, other) = (
        Tenant { api: &api, token: api.token.clone() },
        Tenant { api: &api, token: api.new_token("team-b", &Scope::ALL).await },
    );
    let (tasks, ratings) = mine.dislikes_coffee().await;

    let job = mine.job("next", NEXT).await;
    assert_eq!((job["suppressed"].as_u64(), job["tasks_extracted"].as_u64()), (Some(1), Some(1)), "{job}");
    let left_out = &job["suppressed_tasks"][0];
    assert_eq!(left_out["quote"], "I'll bring you some coffee on Tuesday.");
    let named: Vec<_> = left_out["reasons"].as_array().unwrap().iter().map(|r| r["feedback_id"].clone()).collect();
    assert!(!named.is_empty() && named.iter().all(|id| ratings.contains(&id.as_str().unwrap().to_owned())), "{job}");
    assert!(mine.titles("external_id=next").await[0].contains("contract"));

    let learning = mine.call("GET", "/learning", None).await.expect(200).json();
    assert_eq!(job["extractor"], format!("builtin/1+r{}", learning["revision"]));
    assert_eq!(learning["down"], tasks.len());
    let effects = learning["effects"].as_array().unwrap();
    let coffee =
        |e: &Value| e["description"].as_str().unwrap().contains("coffee") && e["weight"].as_f64().unwrap() < 0.0;
    assert!(effects.iter().any(coffee), "{learning}");

    let foreign = other.job("next", NEXT).await;
    assert_eq!((foreign["suppressed"].as_u64(), foreign["tasks_extracted"].as_u64()), (Some(0), Some(2)), "{foreign}");
    assert_eq!(foreign["extractor"], "builtin/1");
    assert_eq!(other.call("GET", "/learning", None).await.expect(200).json()["effects"], json!([]));

    for task in &tasks {
        mine.call("DELETE", &format!("/tasks/{task}/feedback"), None).await.expect(204);
    }
    let again = mine.job("next", &format!("{NEXT}Sam: Bye.\n")).await;
    assert_eq!((again["suppressed"].as_u64(), again["tasks_extracted"].as_u64()), (Some(0), Some(2)), "{again}");
    let learning = mine.call("GET", "/learning", None).await.expect(200).json();
    assert_eq!((learning["down"].as_u64(), &learning["effects"]), (Some(0), &json!([])));
}

#[tokio::test]
async fn a_rating_teaches_once_however_many_items_speak_of_the_task() {
    let api = Api::start().await;
    let _worker = GleanerProcess::worker(&api.redis.url().to_string());
    let mine = Tenant { api: &api, token: api.token.clone() };
    let mut tasks = Vec::new();
    for number in 0..5 {
        let job = mine.job(&format!("weekly-{number}"), "Priya: I'll bring the new badges on Monday.\n").await;
        tasks.push(job["task_ids"][0].as_str().unwrap().to_owned());
    }
    tasks.dedup();
    assert_eq!(tasks.len(), 1, "one commitment, told five times");
    for _ in 0..5 {
        mine.rate(&tasks[0], "down").await;
    }
    let learning = mine.call("GET", "/learning", None).await.expect(200).json();
    assert_eq!((learning["down"].as_u64(), &learning["effects"]), (Some(1), &json!([])));
    let job = mine.job("next", "Sam: I'll bring the new printer on Monday.\n").await;
    assert_eq!((job["suppressed"].as_u64(), job["tasks_extracted"].as_u64()), (Some(0), Some(1)), "{job}");
}

#[tokio::test]
async fn what_was_learnt_can_be_forgotten_and_is_learnt_anew() {
    let api = Api::start().await;
    let _worker = GleanerProcess::worker(&api.redis.url().to_string());
    let mine = Tenant { api: &api, token: api.token.clone() };
    mine.dislikes_coffee().await;
    mine.call("DELETE", "/learning", None).await.expect(204);
    let learning = mine.call("GET", "/learning", None).await.expect(200).json();
    assert_eq!(
        (learning["up"].as_u64(), learning["down"].as_u64(), &learning["effects"]),
        (Some(0), Some(0), &json!([]))
    );
    let job = mine.job("next", NEXT).await;
    assert_eq!((job["suppressed"].as_u64(), job["tasks_extracted"].as_u64()), (Some(0), Some(2)), "{job}");
}

#[tokio::test]
async fn what_was_left_out_can_be_reported_as_overlooked_and_people_s_decisions_outlast_a_new_submission() {
    let api = Api::start().await;
    let _worker = GleanerProcess::worker(&api.redis.url().to_string());
    let mine = Tenant { api: &api, token: api.token.clone() };
    mine.dislikes_coffee().await;
    let job = mine.job("next", NEXT).await;
    let quote = job["suppressed_tasks"][0]["quote"].clone();
    let body = json!({"quote": quote, "title": "Bring coffee"});
    let task = mine.call("POST", "/ingest/items/meeting/next/missed", Some(body)).await.expect(201).json();
    assert_eq!(task["evidence"][0]["start"], job["suppressed_tasks"][0]["start"]);
    let contract = job["task_ids"][0].as_str().unwrap();
    mine.rate(contract, "down").await;
    mine.job("next", &format!("{NEXT}Sam: Bye.\n")).await;
    assert_eq!(mine.titles("external_id=next").await, ["Bring coffee"]);
    let path = format!("/tasks/{contract}");
    assert_eq!(mine.call("GET", &path, None).await.expect(200).json()["status"], "dismissed");
}

#[tokio::test]
async fn a_correction_teaches_what_a_name_stands_for_and_what_next_friday_means() {
    let api = Api::start().await;
    let _worker = GleanerProcess::worker(&api.redis.url().to_string());
    let mine = Tenant { api: &api, token: api.token.clone() };
    let job = mine.job("first", "Dana: I'll send the signed contract to NW by next Friday.\n").await;
    let path = format!("/tasks/{}", job["task_ids"][0].as_str().unwrap());
    let before = mine.call("GET", &path, None).await.expect(200).json();
    let (title, due) = (before["title"].as_str().unwrap(), before["due"]["date"].as_str().unwrap());
    assert!(title.contains("NW"), "{title}");
    let meant = if due == "2026-03-06" { "2026-03-13" } else { "2026-03-06" };
    let correction = json!({"title": title.replace("NW", "Northwind"), "due": meant});
    let body = json!({"rating": "up", "correction": correction});
    mine.call("POST", &format!("{path}/feedback"), Some(body)).await.expect(201);

    let job = mine.job("second", "Dana: I'll mail the price list to NW by next Friday.\n").await;
    let path = format!("/tasks/{}", job["task_ids"][0].as_str().unwrap());
    let after = mine.call("GET", &path, None).await.expect(200).json();
    assert!(after["title"].as_str().unwrap().contains("Northwind"), "{after}");
    assert_eq!(after["due"]["date"], meant);
}

#[tokio::test]
async fn an_explanation_names_the_other_tasks_whose_ratings_moved_this_one_and_how_far() {
    let api = Api::start().await;
    let _worker = GleanerProcess::worker(&api.redis.url().to_string());
    let (mine, other) = (
        Tenant { api: &api, token: api.token.clone() },
        Tenant { api: &api, token: api.new_token("team-b", &Scope::ALL).await },
    );
    let mut rated = Vec::new();
    for vendor in ["Fabrikam", "Contoso", "Litware", "Adatum", "Trey"] {
        let job = mine.job(vendor, &format!("Dana: I'll pay the {vendor} invoice on Monday.\n")).await;
        let task = job["task_ids"][0].as_str().unwrap().to_owned();
        let feedback = mine.say(&task, json!({"rating": "up", "reason": "important"})).await;
        let title = mine.call("GET", &format!("/tasks/{task}"), None).await.expect(200).json()["title"].clone();
        rated.push((task, feedback, title.as_str().unwrap().to_owned()));
    }
    let text = "Dana: I'll pay the Proseware invoice on Monday.\n";
    let (moved, still) = (mine.explained("next", text).await, other.explained("next", text).await);
    let reasons = moved["reasons"].as_array().unwrap();
    let named: Vec<&Value> = reasons.iter().filter(|reason| reason["task_id"].is_string()).collect();
    assert!(!named.is_empty(), "{moved}");
    for reason in &named {
        let of_it = |(task, feedback, _): &&(String, String, String)| {
            reason["task_id"] == **task && reason["feedback_id"] == **feedback
        };
        let (_, _, title) = rated.iter().find(of_it).unwrap_or_else(|| panic!("a rating that was given: {reason}"));
        let says = format!("like “{title}”, which was rated important and also says “invoic…”, “pay”");
        assert_eq!((reason["about"].as_str(), reason["text"].as_str()), (Some("priority"), Some(says.as_str())));
        assert!(reason["weight"].as_f64().unwrap() > 0.0, "{reason}");
    }
    let by: f64 = named.iter().map(|reason| reason["weight"].as_f64().unwrap()).sum();
    let further = moved["priority"].as_f64().unwrap() - still["priority"].as_f64().unwrap();
    assert!((by - further).abs() < 1e-3, "moved by {further}, explained {by}: {moved}");
    assert!(still["reasons"].as_array().unwrap().iter().all(|reason| reason["task_id"].is_null()), "{still}");
}

#[tokio::test]
async fn ratings_given_at_once_teach_once_each() {
    let api = Api::start().await;
    let _worker = GleanerProcess::worker(&api.redis.url().to_string());
    let mine = Tenant { api: &api, token: api.token.clone() };
    let job = mine.job("first", "Dana: I'll send the signed contract to Northwind by Friday.\n").await;
    let task = job["task_ids"][0].as_str().unwrap();
    let ratings = (0..12).map(|number| mine.rate(task, if number % 2 == 0 { "up" } else { "down" }));
    futures::future::join_all(ratings).await;
    let seen = mine.call("GET", &format!("/tasks/{task}"), None).await.expect(200).json();
    let learning = mine.call("GET", "/learning", None).await.expect(200).json();
    let count = |of: &Value| (of["up"].as_u64().unwrap(), of["down"].as_u64().unwrap());
    assert_eq!(count(&learning), count(&seen["feedback"]));
    assert_eq!(count(&learning).0 + count(&learning).1, 1);
}
