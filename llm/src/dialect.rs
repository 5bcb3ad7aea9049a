//! What an endpoint understands: with a schema for the answer (in one of two ways), with any JSON, or in plain words. It is asked in the richest
//! form first, and in a plainer one once it has said that it does not know that.

use serde_json::{Value, json};
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// The form of the answer that is asked for.
const SCHEMA: &str = include_str!("schema.json");
/// What is said where no schema is understood and none was followed.
const REPAIR_PROMPT: &str = "That was not of the form asked for. Answer again with one JSON object {\"tasks\": [...]} as \
    described, and nothing else.";

/// What is known of an endpoint, shared by all who ask it.
#[derive(Debug, Default)]
pub struct Dialect(AtomicU8);

/// How one question is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestForm(u8);

/// The two low bits say how the answer's form is asked for.
const FORMAT: u8 = 0b0011;
const SCHEMA_KNOWN: u8 = 0;
/// As the Python server of llama.cpp wants it.
const SCHEMA_ASIDE: u8 = 1;
const JSON_KNOWN: u8 = 2;
const PLAIN: u8 = 3;
/// The answer's length goes by its newer name.
const COMPLETION_TOKENS: u8 = 0b0100;
/// No temperature may be given.
const ANY_TEMPERATURE: u8 = 0b1000;

impl Dialect {
    /// The richest form that the endpoint is not known to refuse.
    pub fn form(&self) -> RequestForm {
        RequestForm(self.0.load(Relaxed))
    }

    /// Downgrades the form after a refusal; false if nothing simpler is left.
    pub fn downgrade(&self, asked: RequestForm, says: &str) -> bool {
        let downgraded = match () {
            () if says.contains("max_completion_tokens") && asked.0 & COMPLETION_TOKENS == 0 => {
                asked.0 | COMPLETION_TOKENS
            }
            () if says.contains("temperature") && asked.0 & ANY_TEMPERATURE == 0 => asked.0 | ANY_TEMPERATURE,
            () if asked.0 & FORMAT < PLAIN => asked.0 + 1,
            () => return false,
        };
        self.0.fetch_max(downgraded, Relaxed);
        true
    }
}

impl RequestForm {
    /// The request's body. Written piece by piece, because the order of the schema's members is the order in which a model
    /// answers; `unreadable` is an answer that is to be repaired.
    pub fn body(
        self,
        model: &str,
        instructions: &str,
        question: &str,
        unreadable: Option<&str>,
        max_tokens: u32,
    ) -> String {
        let mut messages =
            vec![json!({ "role": "system", "content": instructions }), json!({ "role": "user", "content": question })];
        if let Some(said) = unreadable {
            messages.push(json!({ "role": "assistant", "content": said }));
            messages.push(json!({ "role": "user", "content": REPAIR_PROMPT }));
        }
        let limit = if self.0 & COMPLETION_TOKENS == 0 { "max_tokens" } else { "max_completion_tokens" };
        let temperature = if self.0 & ANY_TEMPERATURE == 0 { ",\"temperature\":0" } else { "" };
        let format = match self.0 & FORMAT {
            SCHEMA_KNOWN => format!(
                ",\"response_format\":{{\"type\":\"json_schema\",\"json_schema\":{{\"name\":\"tasks\",\"strict\":true,\"schema\":{}}}}}",
                SCHEMA.trim_end()
            ),
            SCHEMA_ASIDE => {
                format!(",\"response_format\":{{\"type\":\"json_object\",\"schema\":{}}}", SCHEMA.trim_end())
            }
            JSON_KNOWN => ",\"response_format\":{\"type\":\"json_object\"}".to_owned(),
            _ => String::new(),
        };
        format!(
            "{{\"model\":{},\"messages\":{},\"{limit}\":{max_tokens}{temperature},\"stream\":false{format}}}",
            Value::from(model),
            Value::from(messages)
        )
    }
}
