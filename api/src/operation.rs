//! What a route says of itself in the OpenAPI document: what it takes and answers, with the schemas of both.
//!
//! schemars writes JSON Schema 2020-12, which is the dialect of OpenAPI 3.1, so a type is described once.

use crate::problem;
use gleaner_model::Page;
use schemars::{
    JsonSchema,
    generate::{SchemaGenerator, SchemaSettings},
};
use serde_json::{Map, Value, json};

/// Makes schemas: of what is taken in (written out where it is used) and of what is answered (named components).
pub struct Doc {
    requests: SchemaGenerator,
    answers: SchemaGenerator,
}

impl Doc {
    /// Nothing is described yet.
    pub fn new() -> Self {
        let settings = || {
            SchemaSettings::draft2020_12().with(|settings| {
                settings.definitions_path = "/components/schemas".into();
                settings.meta_schema = None;
            })
        };
        let inline = settings().with(|settings| settings.inline_subschemas = true);
        Self {
            requests: inline.for_deserialize().into_generator(),
            answers: settings().for_serialize().into_generator(),
        }
    }

    /// The schema of what is taken in.
    pub fn request<T: JsonSchema>(&mut self) -> Value {
        self.requests.subschema_for::<T>().to_value()
    }

    /// The schema of what is answered: a reference to a component.
    pub fn answer<T: JsonSchema>(&mut self) -> Value {
        self.answers.subschema_for::<T>().to_value()
    }

    /// The components that answers refer to.
    pub fn components(&mut self) -> Map<String, Value> {
        self.answers.take_definitions(true)
    }
}

/// One endpoint in the OpenAPI document.
pub struct Operation {
    /// Its name in clients.
    pub id: &'static str,
    /// The group it stands in.
    pub tag: &'static str,
    /// What it does, in a few words.
    pub summary: &'static str,
    /// What a user should know besides.
    pub description: &'static str,
    /// Request headers that it heeds.
    pub headers: Vec<Value>,
    /// The body that it takes.
    pub body: Option<Value>,
    /// What it answers, by status.
    pub answers: Map<String, Value>,
}

impl Operation {
    /// An operation by its name in clients, the group it stands in, and what it does in a few words.
    pub fn new(id: &'static str, tag: &'static str, summary: &'static str) -> Self {
        let (headers, body, answers) = (Vec::new(), None, Map::new());
        Self { id, tag, summary, description: "", headers, body, answers }
    }

    /// What a user should know besides.
    pub fn about(mut self, description: &'static str) -> Self {
        self.description = description;
        self
    }

    /// A request header that it heeds.
    pub fn takes_header(mut self, name: &str, description: &str, schema: Value) -> Self {
        self.headers.push(json!({"name": name, "in": "header", "description": description, "schema": schema}));
        self
    }

    /// The body that it takes, in each of the media types.
    pub fn takes<T: JsonSchema>(mut self, doc: &mut Doc, media_types: &[&str]) -> Self {
        let schema = doc.request::<T>();
        let content: Map<_, _> =
            media_types.iter().map(|media| ((*media).to_owned(), json!({"schema": schema}))).collect();
        self.body = Some(json!({"required": true, "content": content}));
        self.fails(400, "The body is not well-formed JSON in UTF-8, or names a member twice.")
            .fails(408, "The body took too long to arrive.")
            .fails(413, "The content is too large.")
            .fails(415, "The body is of another media type, or encoded.")
            .fails(422, "A member or parameter breaks a rule; `errors` names each.")
    }

    /// Files that it takes as they are, besides.
    pub fn takes_files(mut self, media_types: &[&str]) -> Self {
        if let Some(content) = self.body.as_mut().and_then(|body| body["content"].as_object_mut()) {
            content
                .extend(media_types.iter().map(|media| ((*media).to_owned(), json!({"schema": {"type": "string"}}))));
        }
        self
    }

    /// An answer with a JSON body.
    pub fn answers<T: JsonSchema>(self, doc: &mut Doc, status: u16, description: &str) -> Self {
        let schema = doc.answer::<T>();
        self.answers_as(status, description, "application/json", schema)
    }

    /// A page of a list, whose `Link` leads to the next one.
    pub fn answers_page<T: JsonSchema>(self, doc: &mut Doc, description: &str) -> Self {
        self.answers::<Page<T>>(doc, 200, description).with_header(
            200,
            "Link",
            "The next page, as `rel=\"next\"`; absent on the last one.",
        )
    }

    /// An answer with a body of another kind.
    pub fn answers_as(mut self, status: u16, description: &str, media_type: &str, schema: Value) -> Self {
        let answer = json!({"description": description, "content": {media_type: {"schema": schema}}});
        self.answers.insert(status.to_string(), answer);
        self
    }

    /// The same answer in another media type, for clients that ask for it.
    pub fn also_as(mut self, status: u16, media_type: &str) -> Self {
        if let Some(answer) = self.answers.get_mut(&status.to_string()) {
            answer["content"][media_type] = json!({"schema": {"type": "string"}});
        }
        self
    }

    /// An answer without a body.
    pub fn answers_empty(mut self, status: u16, description: &str) -> Self {
        self.answers.insert(status.to_string(), json!({"description": description}));
        self
    }

    /// A header of an answer named before.
    pub fn with_header(mut self, status: u16, name: &str, description: &str) -> Self {
        if let Some(answer) = self.answers.get_mut(&status.to_string()) {
            answer["headers"][name] = header(description);
        }
        self
    }

    /// An error, with the problem type as its body. One that stands there already stays.
    pub fn fails(mut self, status: u16, description: &str) -> Self {
        let mut answer = json!({
            "description": description,
            "content": {problem::MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        });
        match status {
            401 | 403 => answer["headers"]["WWW-Authenticate"] = header("What is wanted (RFC 6750)."),
            429 | 503 => answer["headers"]["Retry-After"] = header("Seconds after which to try again."),
            _ => {}
        }
        self.answers.entry(status.to_string()).or_insert(answer);
        self
    }
}

/// A header of an answer.
pub fn header(description: &str) -> Value {
    json!({"description": description, "schema": {"type": "string"}})
}
