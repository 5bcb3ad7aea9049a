//! What the service says of itself to whoever asks: its description, and a reference made from it.

use crate::{
    app::{App, ServiceDocs},
    operation::{Doc, Operation},
    web,
};
use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, header},
    response::Response,
};
use serde_json::{Value, json};

/// Renders the pages of an OpenAPI document.
pub fn render(document: &Value, path_prefix: &str) -> ServiceDocs {
    ServiceDocs {
        reference: reference(document, path_prefix),
        // A tree of strings and numbers: writing it cannot fail.
        openapi: serde_json::to_vec_pretty(document).unwrap_or_default().into(),
    }
}

/// `GET /docs`
pub fn get_docs(app: &App, headers: &HeaderMap) -> Response {
    web::reference::show(&app.config.path_prefix, headers, &app.service_docs.reference)
}

/// `GET /openapi.json`
pub fn get_openapi(app: &App, _: &HeaderMap) -> Response {
    let mut response = Response::new(Body::from(app.service_docs.openapi.clone()));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// `GET /docs` in the OpenAPI document.
pub fn docs_docs(_: &mut Doc) -> Operation {
    Operation::new("getReference", "Service", "This description, to read").answers_as(
        200,
        "A page for people.",
        "text/html",
        json!({"type": "string"}),
    )
}

/// `GET /openapi.json` in the OpenAPI document.
pub fn openapi_docs(_: &mut Doc) -> Operation {
    Operation::new("getOpenApi", "Service", "This description, as OpenAPI 3.1").answers_as(
        200,
        "The document.",
        "application/json",
        json!({"type": "object"}),
    )
}

fn reference(document: &Value, prefix: &str) -> String {
    let mut out = format!(
        "<div class=\"head\"><h1>API reference</h1><a href=\"{prefix}/openapi.json\">OpenAPI 3.1 document</a></div>\n"
    );
    out += &format!("<p>{}</p>\n", prose(text(&document["info"]["description"])));
    let operations: Vec<_> = document["paths"]
        .as_object()
        .into_iter()
        .flatten()
        .flat_map(|(path, methods)| methods.as_object().into_iter().flatten().map(move |(m, said)| (m, path, said)))
        .collect();
    let tags = || document["tags"].as_array().into_iter().flatten();
    let of = |tag: &Value| operations.iter().filter(|(.., said)| said["tags"][0] == tag["name"]).copied().collect();
    out += "<nav class=\"contents\" aria-label=\"Operations\">\n";
    tags().for_each(|tag| out += &contents(tag, of(tag)));
    out += "</nav>\n";
    for tag in tags() {
        out += &format!("<h2>{}</h2>\n<p>{}</p>\n", escape(text(&tag["name"])), escape(text(&tag["description"])));
        of(tag).into_iter().for_each(|(method, path, said)| out += &operation(method, path, said));
    }
    out
}

/// The operations of a group, to go to.
fn contents(tag: &Value, operations: Vec<(&String, &String, &Value)>) -> String {
    let link = |(.., said): &(&String, &String, &Value)| {
        format!("<li><a href=\"#{}\">{}</a></li>", text(&said["operationId"]), escape(text(&said["summary"])))
    };
    let links: String = operations.iter().map(link).collect();
    format!("<section><h2>{}</h2><ul>{links}</ul></section>\n", escape(text(&tag["name"])))
}

fn operation(method: &str, path: &str, said: &Value) -> String {
    let method = method.to_uppercase();
    let id = text(&said["operationId"]);
    let mut out = format!(
        "<section id=\"{id}\"><h3><code>{method} {}</code> {}</h3>\n",
        escape(path),
        escape(text(&said["summary"]))
    );
    for paragraph in text(&said["description"]).split("\n\n").filter(|text| !text.is_empty()) {
        out += &format!("<p>{}</p>\n", prose(paragraph));
    }
    out += &table("Parameter", parameters(said));
    out += &table("Member of the body", members(said));
    out += &table("Answer", answers(said));
    let example = escape(&example(&method, path, said));
    out += &format!(
        "<div class=\"example\"><pre id=\"{id}-example\" tabindex=\"0\" aria-label=\"Example\">{example}</pre>\
         <button data-copy=\"{id}-example\" aria-label=\"Copy the example of: {}\">Copy</button></div></section>\n",
        escape(text(&said["summary"]))
    );
    out
}

fn parameters(said: &Value) -> Vec<(String, String)> {
    let row = |parameter: &Value| {
        let kind = format!("{} ({})", text(&parameter["name"]), text(&parameter["in"]));
        (kind, format!("{} {}", text(&parameter["description"]), rule(&parameter["schema"])))
    };
    said["parameters"].as_array().into_iter().flatten().map(row).collect()
}

fn members(said: &Value) -> Vec<(String, String)> {
    let schema =
        &said["requestBody"]["content"].as_object().and_then(|media| media.values().next()).map(|m| &m["schema"]);
    let Some(schema) = schema else { return Vec::new() };
    let required = |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|n| n == name));
    let row = |(name, member): (&String, &Value)| {
        let must = if required(name) { "Required. " } else { "" };
        (name.clone(), format!("{must}{} {}", text(&member["description"]), rule(member)))
    };
    schema["properties"].as_object().into_iter().flatten().map(row).collect()
}

fn answers(said: &Value) -> Vec<(String, String)> {
    let row = |(status, answer): (&String, &Value)| (status.clone(), text(&answer["description"]).to_owned());
    said["responses"].as_object().into_iter().flatten().map(row).collect()
}

/// A schema's rule in a few words.
fn rule(schema: &Value) -> String {
    let mut rules: Vec<String> = Vec::new();
    if let Some(words) = schema["enum"].as_array() {
        rules.push(format!("One of: {}.", words.iter().map(text).collect::<Vec<_>>().join(", ")));
    }
    for (key, words) in [("maximum", "At most"), ("maxLength", "Longest"), ("default", "Default"), ("pattern", "Form")]
    {
        match &schema[key] {
            Value::Null => {}
            Value::String(value) => rules.push(format!("{words}: {value}.")),
            value => rules.push(format!("{words}: {value}.")),
        }
    }
    rules.join(" ")
}

fn example(method: &str, path: &str, said: &Value) -> String {
    // {task_id} becomes $TASK_ID, for the shell to fill in.
    let filled: String = path
        .split(['{', '}'])
        .enumerate()
        .map(|(at, part)| if at % 2 == 1 { format!("${}", part.to_uppercase()) } else { part.to_owned() })
        .collect();
    let mut out = format!("curl -X {method} \"$GLEANER_URL{filled}\"");
    if said["security"].as_array().is_none_or(|ways| !ways.is_empty()) {
        out += " \\\n  -H \"Authorization: Bearer $GLEANER_TOKEN\"";
    }
    let content = said["requestBody"]["content"].as_object();
    if let Some((media, body)) = content.and_then(|content| content.iter().next()) {
        let body = serde_json::to_string_pretty(&body["example"]).unwrap_or_default().replace('\'', r"'\''");
        out += &format!(" \\\n  -H \"Content-Type: {media}\" \\\n  --data '{body}'");
    }
    out
}

fn table(head: &str, rows: Vec<(String, String)>) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut out =
        format!("<table><thead><tr><th scope=\"col\">{head}</th><th scope=\"col\">Meaning</th></tr></thead><tbody>\n");
    for (name, meaning) in rows {
        out += &format!("<tr><td><code>{}</code></td><td>{}</td></tr>\n", escape(&name), prose(meaning.trim()));
    }
    out + "</tbody></table>\n"
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Text in which backticks stand around code.
fn prose(text: &str) -> String {
    let part = |(at, part): (usize, &str)| if at % 2 == 1 { format!("<code>{part}</code>") } else { part.to_owned() };
    escape(text).split('`').enumerate().map(part).collect()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
