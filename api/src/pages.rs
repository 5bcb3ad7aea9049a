//! What the service says of itself to whoever asks: its description, and a reference made from it.

use crate::{
    app::App,
    openapi::{Doc, Operation},
    web::assets,
};
use axum::{
    body::Body,
    http::{HeaderValue, header},
    response::Response,
};
use bytes::Bytes;
use serde_json::{Value, json};

/// Nothing but this server's style.
const POLICY: &str =
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Pages that never change while the process runs.
pub struct Pages {
    docs: Bytes,
    openapi: Bytes,
}

impl Pages {
    /// Renders the pages of a document.
    pub fn new(document: &Value, path_prefix: &str) -> Self {
        Self {
            docs: page("API reference · Gleaner", &reference(document, path_prefix), path_prefix),
            // A tree of strings and numbers: writing it cannot fail.
            openapi: serde_json::to_vec_pretty(document).unwrap_or_default().into(),
        }
    }
}

/// `GET /docs`
pub fn get_docs(app: &App) -> Response {
    html(app.pages.docs.clone())
}

/// `GET /openapi.json`
pub fn get_openapi(app: &App) -> Response {
    let mut response = Response::new(Body::from(app.pages.openapi.clone()));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// What is said of `GET /docs`.
pub fn docs_docs(_: &mut Doc) -> Operation {
    Operation::new("getReference", "Service", "This description, to read").answers_as(
        200,
        "A page for people.",
        "text/html",
        json!({"type": "string"}),
    )
}

/// What is said of `GET /openapi.json`.
pub fn openapi_docs(_: &mut Doc) -> Operation {
    Operation::new("getOpenApi", "Service", "This description, as OpenAPI 3.1").answers_as(
        200,
        "The document.",
        "application/json",
        json!({"type": "object"}),
    )
}

fn html(body: Bytes) -> Response {
    let mut response = Response::new(Body::from(body));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

fn page(title: &str, body: &str, prefix: &str) -> Bytes {
    let (style, icon) = (assets::path("app.css"), assets::path("icon.svg"));
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title}</title><link rel=\"icon\" href=\"{prefix}{icon}\" type=\"image/svg+xml\">\
         <link rel=\"stylesheet\" href=\"{prefix}{style}\"></head>\n<body><header class=\"bar\"><div>\
         <a class=\"brand\" href=\"{prefix}/\">Gleaner</a></div></header><main class=\"reference\">\n{body}</main></body></html>\n"
    )
    .into()
}

fn reference(document: &Value, prefix: &str) -> String {
    let mut out =
        format!("<h1>API reference</h1>\n<p><a href=\"{prefix}/openapi.json\">OpenAPI 3.1 document</a></p>\n");
    out += &format!("<p>{}</p>\n", escape(text(&document["info"]["description"])));
    let operations: Vec<_> = document["paths"]
        .as_object()
        .into_iter()
        .flatten()
        .flat_map(|(path, methods)| methods.as_object().into_iter().flatten().map(move |(m, said)| (m, path, said)))
        .collect();
    for tag in document["tags"].as_array().into_iter().flatten() {
        let of_tag = operations.iter().filter(|(.., said)| said["tags"][0] == tag["name"]);
        out += &format!("<h2>{}</h2>\n<p>{}</p>\n", escape(text(&tag["name"])), escape(text(&tag["description"])));
        of_tag.for_each(|(method, path, said)| out += &operation(method, path, said));
    }
    out
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
        out += &format!("<p>{}</p>\n", escape(paragraph));
    }
    out += &table("Parameter", parameters(said));
    out += &table("Member of the body", members(said));
    out += &table("Answer", answers(said));
    out += &format!("<pre>{}</pre></section>\n", escape(&example(&method, path, said)));
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
    let mut out = format!("curl -X {method} \"$GLEANER_URL{path}\"");
    if said["security"].is_null() {
        out += " \\\n  -H \"Authorization: Bearer $GLEANER_TOKEN\"";
    }
    if let Some(media) = said["requestBody"]["content"].as_object().and_then(|content| content.keys().next()) {
        out += &format!(" \\\n  -H \"Content-Type: {media}\" --data @body.json");
    }
    out
}

fn table(head: &str, rows: Vec<(String, String)>) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut out = format!("<table><tr><th scope=\"col\">{head}</th><th scope=\"col\">Meaning</th></tr>\n");
    for (name, meaning) in rows {
        out += &format!("<tr><td><code>{}</code></td><td>{}</td></tr>\n", escape(&name), escape(meaning.trim()));
    }
    out + "</table>\n"
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
