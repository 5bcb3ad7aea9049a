//! `PATCH /tasks/{task_id}`: what a person sets by hand stands above what items say (JSON Merge Patch, RFC 7396).

use super::{etag, get, owner_named};
use crate::{
    json,
    merge_patch::{MEDIA_TYPES, given},
    operation::{Doc, Operation},
    problem::{Code, Problem},
    route::{ApiCall, HandlerResult},
    validation::{FieldErrors, MAX_NAME},
};
use chrono::NaiveDate;
use gleaner_model::{Due, MAX_TITLE, Owner, Subject, Task, TaskId, TaskPatch, TaskRecord, TaskStatus, day};
use gleaner_store::Patched;
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// What may be set. A member that is absent stays as it is; null clears.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(transform = as_patch)]
pub struct PatchBody {
    /// Where the task stands.
    #[serde(deserialize_with = "given")]
    #[schemars(with = "TaskStatus")]
    status: Option<TaskStatus>,
    /// What it is called.
    #[serde(deserialize_with = "given")]
    #[schemars(with = "String", length(min = 1, max = 500), extend("pattern" = r"\S"))]
    title: Option<String>,
    /// By when; null: no due date.
    #[serde(deserialize_with = "given")]
    #[schemars(with = "Option<DueBody>")]
    due: Option<Option<DueBody>>,
    /// Who is to do it; null: nobody is named.
    #[serde(deserialize_with = "given")]
    #[schemars(with = "Option<OwnerBody>")]
    owner: Option<Option<OwnerBody>>,
    /// Whom the reader is waiting for; null: nobody.
    #[serde(deserialize_with = "given")]
    #[schemars(with = "Option<String>", length(min = 1, max = 200), extend("pattern" = r"\S"))]
    waiting_on: Option<Option<String>>,
}

/// A due date. Other members of a task's `due` may stand beside it and are ignored.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(transform = as_patch)]
struct DueBody {
    /// The day. Absent: as it is.
    #[serde(deserialize_with = "day::deserialize")]
    #[schemars(with = "String", extend("format" = "date"))]
    date: NaiveDate,
    /// The words for it. Absent: as they are, or none where the day is another one; null: none.
    #[schemars(length(min = 1, max = 500), extend("pattern" = r"\S"))]
    text: Option<String>,
}

/// An owner. A name that is absent stays as it is.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(transform = as_patch)]
struct OwnerBody {
    /// The name. Absent: as it is.
    #[schemars(length(min = 1, max = 200), extend("pattern" = r"\S"))]
    name: String,
    /// Whether that is the subject of the token; absent: decided by the name.
    #[serde(default)]
    is_me: Option<bool>,
}

/// The schema of a patch: what is absent stays, so that nothing is required, and nothing has a default.
fn as_patch(schema: &mut Schema) {
    schema.remove("required");
    let members = schema.get_mut("properties").and_then(Value::as_object_mut);
    for member in members.into_iter().flat_map(|members| members.values_mut()).filter_map(Value::as_object_mut) {
        member.remove("default");
    }
}

/// Summary, tag, parameters and answers.
pub fn docs(doc: &mut Doc) -> Operation {
    Operation::new("editTask", "Tasks", "Edit a task")
        .about(
            "A JSON Merge Patch (RFC 7396). What is set here stands above what items say, also those still to come. \
             With `If-Match` the edit is made only if the task is still as it was read.",
        )
        .takes_header("If-Match", "`ETag` of the task as it was read.", json!({"type": "string"}))
        .takes::<PatchBody>(doc, &MEDIA_TYPES)
        .answers::<Task>(doc, 200, "The task as it is now.")
        .with_header(200, "ETag", "The task's version.")
        .fails(412, "The task has changed since it was read.")
}

/// How often an edit is tried again when others change the same task meanwhile.
const MAX_ATTEMPTS: usize = 4;

/// `PATCH /tasks/{task_id}`
pub async fn handle(call: &mut ApiCall) -> HandlerResult {
    call.id::<TaskId>("task_id")?;
    let taken = call.body(&MEDIA_TYPES).await?;
    let patch = json::object(&taken.bytes)?;
    let wanted = etag::wanted(&call.headers);
    for _ in 0..MAX_ATTEMPTS {
        let record = get::find(call).await?;
        let body = merged(&record, &patch)?;
        check(&body)?;
        // After the body: what no version would take is not worth reading the task again for.
        if !wanted.as_ref().is_none_or(|wanted| wanted.allows(record.rev)) {
            return Err(changed());
        }
        let edit = edit(body, record.owner().as_ref(), &call.caller.credential.subject);
        let store = &call.app.store;
        let tenant = &call.caller.credential.tenant;
        match call.app.ask(store.patch_task(tenant, record.id, Some(record.rev), &edit)).await? {
            Patched::Done(record) => return get::answer(&record, &get::view(&record)?),
            Patched::NotFound => return Err(Problem::not_found()),
            Patched::Conflict => {}
        }
    }
    Err(changed())
}

fn changed() -> Problem {
    Problem::new(Code::PreconditionFailed, "the task has changed since it was read; read it again")
}

/// The members that the patch names, as they are to be: objects merge into what is there.
fn merged(record: &TaskRecord, patch: &Map<String, Value>) -> Result<PatchBody, Problem> {
    let mut wanted = patch.clone();
    if let (Some(Value::Object(members)), Some(due)) = (wanted.get_mut("due"), record.due()) {
        let day = members.entry("date").or_insert(due.date.to_string().into());
        if *day == due.date.to_string() {
            members.entry("text").or_insert(due.text.into());
        }
    }
    if let (Some(Value::Object(members)), Some(owner)) = (wanted.get_mut("owner"), record.owner()) {
        members.entry("name").or_insert(owner.name.into());
    }
    json::as_type(wanted)
}

/// The edit that a body asks for. Who is "me" is decided by the name where the body does not say.
fn edit(body: PatchBody, current: Option<&Owner>, subject: &Subject) -> TaskPatch {
    let trimmed = |text: String| text.trim().to_owned();
    let named = |body: OwnerBody| {
        let named = owner_named(&body.name, current, subject);
        Owner { is_me: body.is_me.unwrap_or(named.is_me), ..named }
    };
    // Here and below every member is named, so that none that is new can be forgotten.
    let PatchBody { status, title, due, owner, waiting_on } = body;
    TaskPatch {
        status,
        title: title.map(trimmed),
        due: due.map(|due| due.map(|due| Due { date: due.date, text: due.text.map(trimmed) })),
        owner: owner.map(|owner| owner.map(named)),
        waiting_on: waiting_on.map(|name| name.map(trimmed)),
    }
}

/// Names every member whose text breaks a rule.
fn check(body: &PatchBody) -> Result<(), Problem> {
    let PatchBody { status: _, title, due, owner, waiting_on } = body;
    let owner = owner.as_ref().and_then(Option::as_ref).map(|owner| owner.name.as_str());
    let due = due.as_ref().and_then(Option::as_ref).and_then(|due| due.text.as_deref());
    let mut faults = FieldErrors::default();
    faults.line("/title", title.as_deref(), MAX_TITLE);
    faults.line("/due/text", due, MAX_TITLE);
    faults.line("/owner/name", owner, MAX_NAME);
    faults.line("/waiting_on", waiting_on.as_ref().and_then(Option::as_deref), MAX_NAME);
    faults.into_result()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: Value) -> Result<PatchBody, Problem> {
        let Value::Object(members) = body else { panic!("an object") };
        json::as_type(members)
    }

    #[test]
    fn null_is_never_taken_for_a_member_that_is_absent() {
        let absent = format!("{:?}", PatchBody::default());
        let schema = schemars::schema_for!(PatchBody).to_value();
        for name in schema["properties"].as_object().unwrap().keys() {
            let null = read(json!({name: null}));
            assert!(null.map_or(true, |body| format!("{body:?}") != absent), "{name}: say `given`");
        }
    }

    /// The paths of the texts below a schema, each with the most letters that it may have.
    fn bounds(root: &Value, schema: &Value, path: &str, found: &mut Vec<(String, usize)>) {
        if let Some(most) = schema["maxLength"].as_u64() {
            found.push((path.to_owned(), most as usize));
        }
        if let Some(name) = schema["$ref"].as_str().and_then(|place| place.strip_prefix("#")) {
            bounds(root, root.pointer(name).unwrap(), path, found);
        }
        for one in schema["anyOf"].as_array().into_iter().flatten() {
            bounds(root, one, path, found);
        }
        for (name, member) in schema["properties"].as_object().into_iter().flatten() {
            bounds(root, member, &format!("{path}/{name}"), found);
        }
    }

    #[test]
    fn what_is_longer_than_the_schema_says_is_refused() {
        let root = schemars::schema_for!(PatchBody).to_value();
        let mut found = Vec::new();
        bounds(&root, &root, "", &mut found);
        assert_eq!(found.len(), 4, "{found:?}");
        for (path, most) in found {
            let body = |letters: usize| {
                let mut whole = json!({"title": "-", "waiting_on": "-",
                    "due": {"date": "2026-03-06", "text": "-"}, "owner": {"name": "-"}});
                *whole.pointer_mut(&path).unwrap() = "x".repeat(letters).into();
                read(whole).unwrap()
            };
            assert!(check(&body(most)).is_ok() && check(&body(most + 1)).is_err(), "{path}");
        }
    }
}
