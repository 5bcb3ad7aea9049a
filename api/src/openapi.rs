//! The OpenAPI 3.1 document, made from the route table: what is served is what is described.

use crate::{
    examples,
    feeds::calendar::FEED,
    operation::{Doc, Operation, header},
    problem::ProblemBody,
    query::{Param, ParamKind},
    route::{Access, Route},
};
use gleaner_model::{ExternalId, Scope, SourceType, TokenId};
use schemars::JsonSchema;
use serde_json::{Map, Value, json};

/// The OpenAPI document of these routes, below a path.
pub fn document(routes: &'static [Route], path_prefix: &str) -> Value {
    let mut doc = Doc::new();
    doc.answer::<ProblemBody<'static>>();
    let mut paths = Map::new();
    for route in routes {
        let operation = operation(route, &mut doc);
        paths.entry(route.path).or_insert_with(|| json!({}))[route.method.as_str().to_lowercase()] = operation;
    }
    let schemas = doc.components();
    let mut out = json!({
        "openapi": "3.1.1",
        "info": {
            "title": "Gleaner",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Meetings, mail and chat in; tasks out, each with the words that prove it.",
            "description": ABOUT,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": if path_prefix.is_empty() { "/" } else { path_prefix }}],
        "tags": TAGS.map(|(name, description)| json!({"name": name, "description": description})),
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "token": {
                    "type": "http", "scheme": "bearer", "bearerFormat": "gln_…",
                    "description": "An API token. Each operation says which scope it takes.",
                },
                "feed": {"type": "apiKey", "in": "query", "name": FEED, "description": "The token of a feed."},
            },
        },
    });
    every_answer_names_its_request(&mut out);
    out
}

const ABOUT: &str = "JSON in UTF-8; times in RFC 3339 UTC with `Z`, dates as `YYYY-MM-DD`. Additions are not \
    breaking: ignore what you do not know. Errors are `application/problem+json` (RFC 9457) with a stable `code`.";

const TAGS: [(&str, &str); 8] = [
    ("Ingest", "Content in: items and the jobs that read them."),
    ("Tasks", "What was promised, by whom, by when, and the words that prove it."),
    ("Learning", "Feedback, and what it has taught."),
    ("Feeds", "Tasks as a calendar to subscribe to."),
    ("Events", "What happens, as it happens."),
    ("Tokens", "Who may do what."),
    ("Webhooks", "Who is told what happens, and what became of it."),
    ("Service", "About the service itself."),
];

fn operation(route: &Route, doc: &mut Doc) -> Value {
    let mut said = with_common_errors((route.docs)(doc), route);
    let mut parameters: Vec<Value> = path_parameters(route).collect();
    parameters.extend(route.query.iter().map(query_parameter));
    parameters.append(&mut said.headers);
    if let Some(rate) = route.rate {
        said = said.fails(429, rate.exceeded_words());
        for answer in said.answers.values_mut() {
            answer["headers"]["RateLimit-Policy"] = header("What the token may do; absent where unlimited.");
            answer["headers"]["RateLimit"] = header("What is left of it; absent where unlimited.");
        }
    }
    let mut out = json!({
        "operationId": said.id, "tags": [said.tag], "summary": said.summary, "responses": said.answers,
    });
    let named = |scopes: &[Scope]| scopes.iter().map(|scope| format!("`{scope}`")).collect::<Vec<_>>().join(" or ");
    let about = match route.access {
        Access::AnyScope(scopes) => format!("{}\n\nScope: {}.", said.description, named(scopes)),
        Access::FeedOrScope(scopes) => {
            format!("{}\n\nA feed's token in the query, or the scope {}.", said.description, named(scopes))
        }
        Access::Token | Access::Open => said.description.to_owned(),
    };
    if !about.is_empty() {
        out["description"] = about.trim().into();
    }
    // Alternatives: a token needs one of these scopes.
    let with_token = |scopes: &[Scope]| scopes.iter().map(|scope| json!({"token": [scope]})).collect::<Vec<_>>();
    match route.access {
        Access::Open => out["security"] = json!([]),
        Access::AnyScope(scopes) => out["security"] = with_token(scopes).into(),
        Access::FeedOrScope(scopes) => {
            out["security"] = [with_token(scopes), vec![json!({"feed": []})]].concat().into();
        }
        Access::Token => {}
    }
    if !parameters.is_empty() {
        out["parameters"] = parameters.into();
    }
    if let Some(mut body) = said.body {
        for (media_type, media) in body["content"].as_object_mut().into_iter().flatten() {
            let example = examples::body(said.id, media_type);
            if !example.is_null() {
                media["example"] = example;
            }
        }
        out["requestBody"] = body;
    }
    out
}

/// What any route of its kind may answer.
fn with_common_errors(said: Operation, route: &Route) -> Operation {
    let said = match route.access {
        Access::Open => return said,
        Access::Token => said,
        Access::AnyScope(_) | Access::FeedOrScope(_) => said.fails(403, "The token lacks the scope."),
    };
    let said = if route.path.contains('{') { said.fails(404, "There is no such thing in this tenant.") } else { said };
    said.fails(401, "No token, or none that is valid.")
        .fails(422, "A parameter breaks a rule; `errors` names each, with what is allowed.")
        .fails(500, "A fault of the service.")
        .fails(503, "The store cannot be asked, or too much is going on; try again after `Retry-After`.")
}

/// What a route takes as one object: the parameters of its path and query and the members of its body, side by side.
pub fn arguments(route: &Route) -> Value {
    let parameters =
        path_parameters(route).chain(route.query.iter().filter(|param| !param.is_member()).map(query_parameter));
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for mut parameter in parameters {
        let Value::String(name) = parameter["name"].take() else { continue };
        let mut schema = parameter["schema"].take();
        if parameter["description"].is_string() {
            schema["description"] = parameter["description"].take();
        }
        if parameter["required"] == true {
            required.push(Value::from(name.clone()));
        }
        properties.insert(name, schema);
    }
    if let Some(mut body) = (route.docs)(&mut Doc::new()).body {
        let mut schema = body["content"]["application/json"]["schema"].take();
        properties.extend(schema["properties"].as_object_mut().map(std::mem::take).unwrap_or_default());
        required.extend(schema["required"].as_array().cloned().unwrap_or_default());
    }
    json!({"type": "object", "properties": properties, "required": required})
}

fn path_parameters(route: &Route) -> impl Iterator<Item = Value> {
    route.path_parameters().map(|name| {
        let schema = match name {
            "source_type" => rule::<SourceType>(),
            "external_id" => rule::<ExternalId>(),
            "delivery_id" => json!({"type": "string", "pattern": "^evt_[0-9a-f]{32}_[0-9a-f-]{1,41}$"}),
            "token_id" | "feed_id" => rule::<TokenId>(),
            "job_id" | "task_id" | "webhook_id" => json!({"type": "string", "format": "uuid"}),
            _ => json!({"type": "string"}),
        };
        json!({"name": name, "in": "path", "required": true, "schema": schema})
    })
}

/// What a text must be, by its type.
fn rule<T: JsonSchema>() -> Value {
    let mut schema = Doc::new().request::<T>();
    schema.as_object_mut().and_then(|schema| schema.remove("description"));
    schema
}

fn query_parameter(param: &Param) -> Value {
    let schema = match param.kind {
        ParamKind::Choice(words, true) => json!({"type": "string", "enum": words, "default": words[0]}),
        ParamKind::Choice(words, false) => json!({"type": "string", "enum": words}),
        ParamKind::Integer { max, default } => {
            json!({"type": "integer", "minimum": 1, "maximum": max, "default": default})
        }
        ParamKind::Search | ParamKind::Text => json!({"type": "string", "maxLength": 200}),
        ParamKind::Date => json!({"type": "string", "format": "date"}),
        ParamKind::SourceType => rule::<SourceType>(),
        ParamKind::ExternalId => rule::<ExternalId>(),
        ParamKind::Cursor => json!({"type": "string", "minLength": 1, "maxLength": 1024}),
        ParamKind::Member => json!({"type": "string"}),
        ParamKind::Metadata => json!({"type": "object", "additionalProperties": {"type": "string"}}),
    };
    if matches!(param.kind, ParamKind::Metadata) {
        return json!({
            "name": param.name, "in": "query", "description": param.description, "schema": schema,
            "style": "deepObject", "explode": true,
        });
    }
    json!({"name": param.name, "in": "query", "description": param.description, "schema": schema})
}

fn every_answer_names_its_request(document: &mut Value) {
    let operations = document["paths"].as_object_mut().into_iter().flat_map(|paths| paths.values_mut());
    let answers = operations
        .filter_map(Value::as_object_mut)
        .flat_map(|methods| methods.values_mut())
        .filter_map(|operation| operation["responses"].as_object_mut())
        .flat_map(|answers| answers.values_mut());
    for answer in answers {
        answer["headers"]["X-Request-Id"] = header("The id under which the log knows the request.");
    }
}
