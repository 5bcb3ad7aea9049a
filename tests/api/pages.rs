//! The web app's pages of tasks, as a browser without scripts asks for them.

use chrono::{Days, Utc};
use gleaner_model::{Scope, TaskRecord};
use gleaner_testkit::{
    api::Api,
    fixture::{due, mention, owed_by, unknown_task_id},
    http::{HttpRequest, HttpResponse},
};
use serde_json::json;

/// Somebody who is signed in.
struct SignedInUser<'a> {
    api: &'a Api,
    cookie: String,
}

impl<'a> SignedInUser<'a> {
    async fn of(api: &'a Api) -> Self {
        Self { api, cookie: api.signed_in().await }
    }

    /// With a token of these scopes.
    async fn with(api: &'a Api, scopes: &[Scope]) -> Self {
        let token = api.new_token("default", scopes).await;
        Self { api, cookie: api.signed_in_with(&token).await }
    }

    async fn see(&self, path: &str) -> String {
        self.api.request("GET", path).header("cookie", &self.cookie).send().await.expect(200).text()
    }

    fn form(&self, path: &str, fields: &[(&str, &str)]) -> HttpRequest {
        let body =
            fields.iter().map(|(name, value)| format!("{name}={}", escaped(value))).collect::<Vec<_>>().join("&");
        HttpRequest::form(self.api.address, path).header("cookie", &self.cookie).body("", body)
    }

    /// One step for several tasks, as the form sends it.
    async fn step(&self, step: &str, tasks: &[&TaskRecord]) -> HttpResponse {
        let values: Vec<_> = tasks.iter().map(|task| format!("{} Its title", task.id)).collect();
        let mut fields = vec![("step", step), ("back", "/?view=open")];
        fields.extend(values.iter().map(|value| ("task", value.as_str())));
        self.form("/app/tasks/several", &fields).send().await
    }

    /// Follows an answer back to the list, with what it left to tell.
    async fn follow(&self, answer: &HttpResponse) -> String {
        let told = answer.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
        let cookie = format!("{}; {told}", self.cookie);
        let path = answer.header("location").unwrap();
        self.api.request("GET", path).header("cookie", &cookie).send().await.expect(200).text()
    }

    /// Sends the form that takes a step back, as the page has it.
    async fn undo(&self, page: &str) -> HttpResponse {
        let form = page.split("action=\"/app/tasks/several/undo\"").nth(1).unwrap_or_else(|| panic!("no undo: {page}"));
        let inputs = form.split("</form>").next().unwrap().split("<input ").skip(1);
        let of = |input: &str, name: &str| {
            input.split(&format!("{name}=\"")).nth(1).unwrap().split('"').next().unwrap().to_owned()
        };
        let fields: Vec<_> = inputs.map(|input| (of(input, " name"), of(input, "value"))).collect();
        let fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        self.form("/app/tasks/several/undo", &fields).send().await
    }

    async fn status(&self, task: &TaskRecord) -> String {
        let task = self.api.get(&format!("/tasks/{}", task.id)).await.expect(200).json();
        task["status"].as_str().unwrap().to_owned()
    }

    async fn set(&self, task: &TaskRecord, status: &str) {
        let path = format!("/tasks/{}", task.id);
        self.api.call("PATCH", &path).json(&json!({"status": status})).send().await.expect(200);
    }
}

fn escaped(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// What stands in a page under a heading, up to the next one.
#[track_caller]
fn under<'a>(page: &'a str, heading: &str) -> &'a str {
    let from = page.split(&format!(">{heading} <span")).nth(1).unwrap_or_else(|| panic!("no {heading}: {page}"));
    from.split("<h2").next().unwrap()
}

#[tokio::test]
async fn people_are_listed_with_what_they_owe_and_each_has_a_page() {
    let api = Api::start().await;
    let me = SignedInUser::of(&api).await;
    assert!(me.see("/app/people").await.contains("Nobody owes anything."));
    api.task(mention("m-1", "Send Priya the budget")).await;
    api.task(mention("m-2", "Book the hall")).await;
    api.task(owed_by("Priya Raman", due("2020-01-01", mention("m-3", "Review the draft")))).await;
    let mut theirs = owed_by("priya raman", mention("m-4", "Call the caterer"));
    theirs.waiting_on = None;
    api.task(theirs).await;
    api.task(owed_by("Priya", mention("m-5", "Another Priya's task"))).await;
    let mut orphan = mention("m-6", "Somebody should water the plants");
    orphan.owner = None;
    api.task(orphan).await;

    let list = me.see("/app/people").await;
    let row =
        |name: &str| list.split(&format!(">{name}</a>")).nth(1).unwrap().split("</tr>").next().unwrap().to_owned();
    assert!(row("You").contains("data-label=\"Open\">2<"), "{}", row("You"));
    let priya = row("Priya Raman");
    assert!(priya.contains("data-label=\"Open\">2<") && priya.contains("wait for\">1<"), "{priya}");
    assert!(priya.contains("<span class=\"late\">1</span>"), "{priya}");
    assert!(row("Nobody yet").contains("data-label=\"Open\">1<"));

    let page = me.see("/app/people?who=Priya+Raman").await;
    assert!(under(&page, "You wait for").contains("Review the draft"));
    assert!(under(&page, "Theirs").contains("Call the caterer"));
    assert!(under(&page, "Yours that speak of them").contains("Send Priya the budget"));
    for other in ["Another Priya", "Book the hall", "water the plants"] {
        assert!(!page.contains(other), "{other}");
    }
    let page = me.see("/app/people?who=me").await;
    assert!(page.contains("Book the hall") && !page.contains("Review the draft"));
    assert!(me.see("/app/people?who=nobody").await.contains("water the plants"));
    assert!(me.see("/app/people?who=%3Cb%3Ex").await.contains("Nothing is open."));
}

#[tokio::test]
async fn a_list_is_downloaded_as_the_page_shows_it() {
    let api = Api::start().await;
    let me = SignedInUser::of(&api).await;
    let hall = api.task(due("2026-03-06", mention("m-1", "Book the hall"))).await;
    api.task(mention("m-2", "Call the caterer")).await;
    let files = [
        ("tasks.csv", "text/csv", format!("{},Book the hall,", hall.id)),
        ("tasks.md", "text/markdown", "- [ ] Dana Reyes: Book the hall (due 2026-03-06)\n".to_owned()),
    ];
    for (file, media_type, row) in files {
        let path = format!("/app/{file}?q=hall&sort=recent");
        let page = me.see("/?q=hall&sort=recent").await;
        assert!(page.contains(&format!("href=\"{}\"", path.replace('&', "&#38;"))), "{path}: {page}");
        let answer = api.request("GET", &path).header("cookie", &me.cookie).send().await.expect(200);
        assert!(answer.header("content-type").unwrap().starts_with(media_type), "{file}");
        assert_eq!(answer.header("content-disposition"), Some(format!("attachment; filename=\"{file}\"").as_str()));
        let text = answer.text();
        assert!(text.contains(&row) && !text.contains("caterer"), "{text}");
        assert!(!me.see(&format!("/app/{file}?view=completed")).await.contains("hall"));
        api.request("GET", &path).send().await.expect(303);
    }
}

#[tokio::test]
async fn the_week_has_each_open_task_in_its_part() {
    let api = Api::start().await;
    let me = SignedInUser::of(&api).await;
    let today = Utc::now().date_naive();
    let monday = today.week(chrono::Weekday::Mon).first_day();
    let on = |days: u64| (monday + Days::new(days)).to_string();
    api.task(due("2020-01-01", mention("m-1", "Late thing"))).await;
    api.task(due(&today.to_string(), owed_by("Priya Raman", mention("m-2", "Today's thing")))).await;
    api.task(due(&on(7), mention("m-3", "Monday's thing"))).await;
    api.task(due(&on(14), mention("m-4", "Far thing"))).await;
    api.task(mention("m-5", "Dateless thing")).await;
    let page = me.see("/app/week").await;
    for (part, title) in [
        ("Late", "Late thing"),
        ("This week", "Today&#39;s thing"),
        ("Next week", "Monday&#39;s thing"),
        ("Later", "Far thing"),
        ("Without a date", "Dateless thing"),
    ] {
        assert!(under(&page, part).contains(title), "{part}: {page}");
    }
    let mine = me.see("/app/week?whose=mine").await;
    assert!(!mine.contains("Today&#39;s thing") && mine.contains("Late thing"));
    let waiting = me.see("/app/week?whose=waiting").await;
    assert!(waiting.contains("Today&#39;s thing") && !waiting.contains("Late thing"));
    let part = me.see("/app/week?part=later").await;
    assert!(part.contains("Far thing") && !part.contains("Late thing"));
}

#[tokio::test]
async fn a_part_of_the_week_shows_fifty_and_leads_to_the_rest() {
    let api = Api::start().await;
    let me = SignedInUser::of(&api).await;
    for n in 0..52 {
        api.task(mention(&format!("m-{n}"), &format!("Sort pile number {n}"))).await;
    }
    let page = me.see("/app/week").await;
    assert_eq!(page.matches("<li class=\"task\"").count(), 50);
    assert!(page.contains("part=undated\">All 52</a>"), "{page}");
    assert_eq!(me.see("/app/week?part=undated").await.matches("<li class=\"task\"").count(), 52);
}

#[tokio::test]
async fn several_tasks_are_completed_in_one_step_and_taken_back_in_one() {
    let api = Api::start().await;
    let me = SignedInUser::of(&api).await;
    let [one, two, three] = [
        api.task(mention("m-1", "Book the hall")).await,
        api.task(mention("m-2", "Call the caterer")).await,
        api.task(mention("m-3", "Send the invitations")).await,
    ];
    me.set(&three, "completed").await;
    let answer = me.step("completed", &[&one, &two, &three]).await.expect(303);
    let page = me.follow(&answer).await;
    assert!(page.contains("Completed: 2 tasks"), "one was done already: {page}");
    for task in [&one, &two, &three] {
        assert_eq!(me.status(task).await, "completed");
    }
    let page = me.follow(&me.undo(&page).await.expect(303)).await;
    assert!(page.contains("Taken back: 2 tasks"), "{page}");
    assert_eq!((me.status(&one).await, me.status(&two).await), ("open".into(), "open".into()));
    assert_eq!(me.status(&three).await, "completed", "the step had not changed it");
}

#[tokio::test]
async fn what_fails_is_told_by_name_and_the_rest_goes_through() {
    let api = Api::start().await;
    let me = SignedInUser::of(&api).await;
    let one = api.task(mention("m-1", "Book the hall")).await;
    let gone = TaskRecord { id: unknown_task_id(), ..one.clone() };
    let page = me.step("dismissed", &[&one, &gone]).await.expect(200).text();
    assert!(page.contains("Dismissed: 1 of 2 tasks"), "{page}");
    assert!(page.contains("Its title") && page.contains("There is no such task any more."), "{page}");
    assert_eq!(me.status(&one).await, "dismissed");
    // Somebody else decided otherwise in the meantime: that stays.
    me.set(&one, "completed").await;
    let undone = me.undo(&page).await.expect(200).text();
    assert!(undone.contains("Book the hall") && undone.contains("It was changed in the meantime."), "{undone}");
    assert_eq!(me.status(&one).await, "completed");
}

#[tokio::test]
async fn not_a_task_teaches_and_its_undoing_takes_that_back_too() {
    let api = Api::start().await;
    let me = SignedInUser::of(&api).await;
    let [fresh, rated] =
        [api.task(mention("m-1", "Book the hall")).await, api.task(mention("m-2", "Call the caterer")).await];
    let path = format!("/tasks/{}/feedback", rated.id);
    api.call("POST", &path).json(&json!({"rating": "up"})).send().await.expect(201);
    let answer = me.step("not_a_task", &[&fresh, &rated]).await.expect(303);
    let ratings = async || {
        let mut all = Vec::new();
        for task in [&fresh, &rated] {
            let task = api.get(&format!("/tasks/{}", task.id)).await.expect(200).json();
            all.push((task["status"].as_str().unwrap().to_owned(), task["feedback"].clone()));
        }
        all
    };
    let (up, down, none) = (json!({"up": 1, "down": 0}), json!({"up": 0, "down": 1}), json!({"up": 0, "down": 0}));
    let of = |status: &str, one, other| vec![(status.to_owned(), one), (status.to_owned(), other)];
    assert_eq!(ratings().await, of("dismissed", down, up.clone()));
    me.undo(&me.follow(&answer).await).await.expect(303);
    assert_eq!(ratings().await, of("open", none, up));
}

#[tokio::test]
async fn one_step_has_at_most_two_hundred_tasks() {
    let api = Api::start().await;
    let me = SignedInUser::of(&api).await;
    let mut tasks = Vec::new();
    for n in 0..200 {
        tasks.push(api.task(mention(&format!("m-{n}"), &format!("Sort pile number {n}"))).await);
    }
    let other = TaskRecord { id: unknown_task_id(), ..tasks[0].clone() };
    let too_many: Vec<_> = tasks.iter().chain([&other]).collect();
    let refused = me.step("completed", &too_many).await.expect(422).text();
    assert!(refused.contains("201 tasks were selected: at most 200 go at once."), "{refused}");
    assert_eq!(me.status(&tasks[0]).await, "open");
    // What is too much for a cookie is told on a page of its own.
    let all: Vec<_> = tasks.iter().collect();
    let page = me.step("completed", &all).await.expect(200).text();
    assert!(page.contains("Completed: 200 tasks"), "{page}");
    let back = me.undo(&page).await.expect(303);
    assert!(me.follow(&back).await.contains("Taken back: 200 tasks"));
    assert_eq!((me.status(&tasks[0]).await, me.status(&tasks[199]).await), ("open".into(), "open".into()));
}

#[tokio::test]
async fn a_step_needs_a_form_of_ours_a_sense_and_the_scope() {
    let api = Api::start().await;
    let me = SignedInUser::of(&api).await;
    let task = api.task(mention("m-1", "Book the hall")).await;
    let value = format!("{} Book the hall", task.id);
    for path in ["/app/tasks/several", "/app/tasks/several/undo"] {
        let foreign = api.request("POST", path).header("sec-fetch-site", "cross-site").header("cookie", &me.cookie);
        let body = format!("step=completed&task={}&back=%2F", escaped(&value));
        foreign.body("application/x-www-form-urlencoded", body).send().await.expect(403);
    }
    me.form("/app/tasks/several", &[("step", "burnt"), ("task", &value)]).send().await.expect(422);
    me.form("/app/tasks/several", &[("step", "open"), ("task", "1")]).send().await.expect(422);
    me.form("/app/tasks/several/undo", &[("from", "completed"), ("open", "!")]).send().await.expect(422);
    let none = me.form("/app/tasks/several", &[("step", "completed"), ("back", "/")]).send().await.expect(303);
    assert!(me.follow(&none).await.contains("No task was selected."));
    let elsewhere = me.form("/app/tasks/several", &[("step", "open"), ("task", &value), ("back", "//evil.example")]);
    assert_eq!(elsewhere.send().await.expect(303).header("location"), Some("/"));
    assert_eq!(me.status(&task).await, "open");

    let reader = SignedInUser::with(&api, &[Scope::TasksRead]).await;
    assert!(!reader.see("/").await.contains("class=\"pick\""), "nothing can be done to what is selected");
    reader.step("completed", &[&task]).await.expect(403);
    assert_eq!(me.status(&task).await, "open");
}

#[tokio::test]
async fn only_the_pages_of_whoever_may_listen_do() {
    let api = Api::start().await;
    for (scopes, page, listens) in [
        (&[Scope::TasksRead][..], "/", true),
        (&[Scope::IngestRead, Scope::TasksRead], "/app/items", true),
        (&[Scope::IngestRead], "/app/items", false),
    ] {
        let me = SignedInUser::with(&api, scopes).await;
        assert_eq!(me.see(page).await.contains("data-events"), listens, "{page} with {scopes:?}");
    }
}
