//! JSON-RPC messages: reading them, telling the revision that a client speaks, refusing them.

use crate::{json, problem::Problem, route::HandlerResult};
use axum::{
    http::{HeaderMap, HeaderName, StatusCode},
    response::Response,
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The revision in which every request tells its own revision.
pub const CURRENT: &str = "2026-07-28";
/// Revisions that begin with `initialize`, latest first.
pub const EARLIER: [&str; 3] = ["2025-11-25", "2025-06-18", "2025-03-26"];

const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");
/// Methods whose requests name something in a header too, and the member that names it.
const NAMED: [(&str, &str); 3] = [("tools/call", "name"), ("resources/read", "uri"), ("prompts/get", "name")];
/// Members of `params._meta` that the current revision wants.
const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const META_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// A JSON-RPC message as a client writes it.
#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "it stands in the API's description; reading gives finer errors")]
pub struct PostedMessage {
    /// Always `2.0`.
    #[schemars(extend("const" = "2.0"))]
    jsonrpc: String,
    /// What the answer will carry. Absent: a notification.
    #[schemars(extend("type" = ["string", "integer"]))]
    id: Option<Value>,
    /// What is asked: `server/discover`, `tools/list`, `tools/call`, `resources/list`, `resources/templates/list`,
    /// `resources/read`, `prompts/list`, `prompts/get`.
    method: String,
    /// What goes with it.
    #[schemars(extend("type" = "object"))]
    params: Option<Map<String, Value>>,
}

/// A JSON-RPC answer.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Answer")]
pub struct RpcResponse {
    /// Always `2.0`.
    jsonrpc: &'static str,
    /// The request's.
    id: Value,
    /// What was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Map<String, Value>>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Map<String, Value>>,
}

/// How a client begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Era {
    /// Each request says everything.
    Current,
    /// With `initialize`.
    Earlier,
}

/// Why a request has no result.
pub enum RpcFailure {
    /// In the protocol's terms.
    Error(RpcError),
    /// In HTTP's terms.
    Problem(Problem),
    /// A route's own answer, which goes to the client as it is.
    Answer(Response),
}

impl From<Problem> for RpcFailure {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

impl From<RpcError> for RpcFailure {
    fn from(fault: RpcError) -> Self {
        Self::Error(fault)
    }
}

/// A JSON-RPC error.
#[derive(Debug)]
pub struct RpcError {
    status: StatusCode,
    code: i32,
    message: String,
    data: Option<Value>,
}

impl RpcError {
    fn new(code: i32, message: impl Into<String>) -> Self {
        Self { status: StatusCode::BAD_REQUEST, code, message: message.into(), data: None }
    }

    fn invalid(message: &str) -> Self {
        Self::new(-32600, message)
    }

    /// The parameters are not what the method takes.
    pub fn params(message: String) -> Self {
        Self::new(-32602, message)
    }

    /// Nothing has that URI, in the terms of the revision that the client speaks.
    pub fn no_resource(era: Era, uri: &str) -> Self {
        let code = if era == Era::Current { -32602 } else { -32002 };
        let message = "there is no such resource; resources/templates/list tells their form";
        Self { data: Some(json!({"uri": uri})), ..Self::new(code, message) }
    }

    /// There is no such method.
    pub fn unknown_method(name: &str) -> Self {
        let message = format!("there is no method {name:.64}");
        Self { status: StatusCode::NOT_FOUND, ..Self::new(-32601, message) }
    }

    /// As the revision of the client has it: earlier ones tell what is wrong with a request in an answer that HTTP takes for
    /// a good one, and their clients wait in vain for the answer when it is not.
    #[must_use]
    pub fn in_era(self, era: Era) -> Self {
        let status = if era == Era::Earlier { StatusCode::OK } else { self.status };
        Self { status, ..self }
    }

    fn mismatch(header: &HeaderName) -> Self {
        Self::new(-32020, format!("the header {header} does not say the same as the message"))
    }

    fn unsupported(requested: &str) -> Self {
        let data = json!({"supported": [CURRENT], "requested": requested});
        Self { data: Some(data), ..Self::new(-32022, "unsupported protocol version") }
    }
}

/// The answer that refuses a message.
///
/// # Errors
/// A fault of ours when it cannot be written.
pub fn refusal(id: &Value, fault: &RpcError) -> HandlerResult {
    let mut error = json!({"code": fault.code, "message": fault.message});
    if let Some(data) = &fault.data {
        error["data"] = data.clone();
    }
    let mut response = json::answer(&json!({"jsonrpc": "2.0", "id": id, "error": error}))?;
    *response.status_mut() = fault.status;
    Ok(response)
}

/// A message that was read.
#[derive(Debug)]
pub struct RpcMessage {
    /// None: a notification, which has no answer.
    pub id: Option<Value>,
    pub method: String,
    pub params: Map<String, Value>,
}

impl RpcMessage {
    /// Reads one message.
    ///
    /// # Errors
    /// Whatever is no request and no notification: also batches, which the protocol no longer has.
    pub fn read(bytes: &[u8]) -> Result<Self, RpcError> {
        let value = json::value(bytes).map_err(|problem| RpcError::new(-32700, problem.detail.into_owned()))?;
        let Value::Object(mut members) = value else {
            return Err(RpcError::invalid("a message is one JSON object"));
        };
        if members.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
            return Err(RpcError::invalid("jsonrpc must be \"2.0\""));
        }
        let id = members.remove("id");
        if !id.as_ref().is_none_or(|id| id.is_string() || id.is_i64() || id.is_u64()) {
            return Err(RpcError::invalid("id must be text or a whole number"));
        }
        let Some(Value::String(method)) = members.remove("method") else {
            return Err(RpcError::invalid("method must be text"));
        };
        match members.remove("params") {
            None => Ok(Self { id, method, params: Map::new() }),
            Some(Value::Object(params)) => Ok(Self { id, method, params }),
            Some(_) => Err(RpcError::invalid("params must be an object")),
        }
    }

    /// How the client begins; in the current revision every request is compared with its headers.
    ///
    /// # Errors
    /// When headers and message contradict each other, or name a revision that is not spoken here.
    pub fn era(&self, headers: &HeaderMap) -> Result<Era, RpcError> {
        let header = headers.get(VERSION).map(|value| value.to_str().unwrap_or_default());
        let meta = self.params.get("_meta").and_then(Value::as_object);
        let told = meta.and_then(|meta| meta.get(META_VERSION));
        match (header, told) {
            (None, None) => return Ok(Era::Earlier),
            (Some(version), None) if EARLIER.contains(&version) => return Ok(Era::Earlier),
            (Some(CURRENT), None) => {
                return Err(RpcError::params(format!("params._meta must have {META_VERSION} and {META_CAPABILITIES}")));
            }
            (Some(version), None) => return Err(RpcError::unsupported(version)),
            (_, Some(_)) => {}
        }
        if meta.is_none_or(|meta| !meta.contains_key(META_CAPABILITIES)) {
            return Err(RpcError::params(format!("params._meta must have {META_CAPABILITIES}")));
        }
        let told = told.and_then(Value::as_str);
        agree(headers, &VERSION, told)?;
        agree(headers, &METHOD, Some(&self.method))?;
        if let Some((_, member)) = NAMED.iter().find(|(method, _)| *method == self.method) {
            agree(headers, &NAME, self.params.get(*member).and_then(Value::as_str))?;
        }
        match told {
            Some(CURRENT) => Ok(Era::Current),
            other => Err(RpcError::unsupported(other.unwrap_or_default())),
        }
    }
}

/// A header stands once and says what the message says.
fn agree(headers: &HeaderMap, name: &HeaderName, told: Option<&str>) -> Result<(), RpcError> {
    let mut values = headers.get_all(name).iter();
    let one = match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok().and_then(decoded),
        _ => None,
    };
    if one.is_some() && one.as_deref() == told { Ok(()) } else { Err(RpcError::mismatch(name)) }
}

/// A header's text; what no header can carry comes as `=?base64?…?=`.
fn decoded(text: &str) -> Option<String> {
    match text.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) {
        Some(packed) => String::from_utf8(STANDARD.decode(packed).ok()?).ok(),
        None => Some(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> i32 {
        RpcMessage::read(text.as_bytes()).unwrap_err().code
    }

    fn era(message: Value, headers: &[(&'static str, &'static str)]) -> Result<Era, i32> {
        let headers = headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
        let message = RpcMessage::read(message.to_string().as_bytes()).unwrap();
        message.era(&headers).map_err(|fault| fault.code)
    }

    #[test]
    fn what_is_no_message_is_refused() {
        assert_eq!(code("{"), -32700);
        for text in [
            "[]",
            "{}",
            r#"{"jsonrpc":"1.0","method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#,
        ] {
            assert_eq!(code(text), -32600, "{text}");
        }
        assert!(RpcMessage::read(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).unwrap().id.is_none());
    }

    #[test]
    fn headers_and_message_must_agree() {
        let message = |version: &str| {
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_tasks", "_meta": {
                META_VERSION: version, META_CAPABILITIES: {}}}})
        };
        let right = [
            ("mcp-protocol-version", CURRENT),
            ("mcp-method", "tools/call"),
            ("mcp-name", "=?base64?bGlzdF90YXNrcw==?="),
        ];
        assert_eq!(era(message(CURRENT), &right), Ok(Era::Current));
        assert_eq!(era(message(CURRENT), &right[..2]), Err(-32020), "a header is missing");
        assert_eq!(era(message("2027-01-01"), &right), Err(-32020));
        let later = [("mcp-protocol-version", "2027-01-01"), right[1], right[2]];
        assert_eq!(era(message("2027-01-01"), &later), Err(-32022));
    }

    #[test]
    fn a_client_of_an_earlier_revision_says_little() {
        let message = json!({"jsonrpc": "2.0", "id": "a", "method": "tools/list"});
        assert_eq!(era(message.clone(), &[]), Ok(Era::Earlier));
        assert_eq!(era(message.clone(), &[("mcp-protocol-version", "2025-06-18")]), Ok(Era::Earlier));
        assert_eq!(era(message.clone(), &[("mcp-protocol-version", "1999-01-01")]), Err(-32022));
        assert_eq!(era(message, &[("mcp-protocol-version", CURRENT)]), Err(-32602));
    }
}
