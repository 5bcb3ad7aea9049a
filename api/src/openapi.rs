//! The OpenAPI 3.1 document, made from the route table: what is served is what is described.
//!
//! schemars writes JSON Schema 2020-12, which is the dialect of OpenAPI 3.1, so a type is described once.

use crate::{
    examples,
    problem::{self, ProblemBody},
    query::{Param, ParamKind},
    route::{Access, Route},
};
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
    fn new() -> Self {
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

    fn request<T: JsonSchema>(&mut self) -> Value {
        self.requests.subschema_for::<T>().to_value()
    }

    fn answer<T: JsonSchema>(&mut self) -> Value {
        self.answers.subschema_for::<T>().to_value()
    }
}

/// One endpoint in the OpenAPI document.
pub struct Operation {
    id: &'static str,
    tag: &'static str,
    summary: &'static str,
    description: &'static str,
    headers: Vec<Value>,
    body: Option<Value>,
    answers: Map<String, Value>,
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

    /// An error.
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

fn header(description: &str) -> Value {
    json!({"description": description, "schema": {"type": "string"}})
}

/// The whole document.
pub fn document(routes: &'static [Route], path_prefix: &str) -> Value {
    let mut doc = Doc::new();
    doc.answer::<ProblemBody<'static>>();
    let mut paths = Map::new();
    for route in routes {
        let operation = operation(route, &mut doc);
        paths.entry(route.path).or_insert_with(|| json!({}))[route.method.as_str().to_lowercase()] = operation;
    }
    let schemas = doc.answers.take_definitions(true);
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
            "securitySchemes": {"token": {
                "type": "http", "scheme": "bearer", "bearerFormat": "gln_…",
                "description": "An API token. Each operation says which scope it takes.",
            }},
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
    let mut parameters: Vec<Value> = path_parameters(route.path).collect();
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
    let about = match route.access {
        Access::AnyScope(scopes) => {
            let names = scopes.iter().map(|scope| format!("`{scope}`")).collect::<Vec<_>>().join(" or ");
            format!("{}\n\nScope: {names}.", said.description)
        }
        Access::Feed => format!("{}\n\nA feed's token in the query, or the scope `tasks:read`.", said.description),
        Access::Token | Access::Open => said.description.to_owned(),
    };
    if !about.is_empty() {
        out["description"] = about.trim().into();
    }
    match route.access {
        Access::Open => out["security"] = json!([]),
        // Alternatives: a token needs one of these scopes.
        Access::AnyScope(scopes) => out["security"] = scopes.iter().map(|scope| json!({"token": [scope]})).collect(),
        Access::Token | Access::Feed => {}
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
        Access::AnyScope(_) | Access::Feed => said.fails(403, "The token lacks the scope."),
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
        path_parameters(route.path).chain(route.query.iter().filter(|param| !param.is_member()).map(query_parameter));
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

fn path_parameters(path: &str) -> impl Iterator<Item = Value> + '_ {
    path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')).map(|name| {
        let schema = match name {
            "source_type" => json!({"type": "string", "pattern": "^[a-z][a-z0-9_.-]{0,31}$"}),
            "external_id" => json!({"type": "string", "minLength": 1, "maxLength": 256}),
            "delivery_id" => json!({"type": "string", "pattern": "^evt_[0-9a-f]{32}_[0-9a-f-]{1,41}$"}),
            "token_id" | "feed_id" => json!({"type": "string", "pattern": "^[0-9A-Za-z]{1,64}$"}),
            _ => json!({"type": "string", "format": "uuid"}),
        };
        json!({"name": name, "in": "path", "required": true, "schema": schema})
    })
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
        ParamKind::SourceType => json!({"type": "string", "pattern": "^[a-z][a-z0-9_.-]{0,31}$"}),
        ParamKind::ExternalId => json!({"type": "string", "minLength": 1, "maxLength": 256}),
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
