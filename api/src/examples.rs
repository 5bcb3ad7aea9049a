//! Bodies to begin with: for each operation that takes one, an example that works as it stands.

use crate::ingest::file;
use serde_json::{Value, json};

/// The example of an operation, by its id in the OpenAPI document, as a body of a media type; null where nobody wrote one.
pub fn body(operation: &str, media_type: &str) -> Value {
    match (operation, media_type) {
        ("submitItem", "text/vtt") => {
            json!("WEBVTT\n\n00:00:01.000 --> 00:00:04.000\n<v Dana Reyes>I will send the offer by Friday.\n")
        }
        ("submitItem", "application/x-subrip") => {
            json!("1\n00:00:01,000 --> 00:00:04,000\nDana Reyes: I will send the offer by Friday.\n")
        }
        ("submitItem", "text/markdown") => json!("# Weekly\n\n- [ ] Dana Reyes: Send the offer (due 2026-03-06)\n"),
        ("submitItem", "text/plain") => json!("Dana Reyes: I will send the offer by Friday.\n"),
        ("submitItem", "message/rfc822") => json!(
            "From: Dana Reyes <dana@example.com>\r\nTo: sam@example.com\r\nSubject: The offer\r\n\
             Date: Tue, 3 Mar 2026 09:00:00 -0600\r\nMessage-ID: <offer-1@example.com>\r\n\r\n\
             I will send the offer by Friday.\r\n"
        ),
        // No text.
        (_, file::WORD | file::PDF) => Value::Null,
        _ => json_body(operation),
    }
}

fn json_body(operation: &str) -> Value {
    match operation {
        "submitItem" => json!({
            "source_type": "meeting",
            "external_id": "weekly-2026-03-03",
            "title": "Weekly",
            "occurred_at": "2026-03-03T15:00:00Z",
            "transcript": "Dana Reyes: I will send the revised offer to Northwind by Friday.",
            "metadata": {"participant": "Dana Reyes", "time_zone": "America/Chicago"},
        }),
        "addMissedTask" => json!({
            "quote": "I will send the revised offer to Northwind by Friday.",
            "title": "Send the revised offer to Northwind",
        }),
        "editTask" => json!({"status": "completed"}),
        "rateTask" => json!({"rating": "down", "reason": "not_a_task"}),
        "createFeed" => json!({"name": "phone"}),
        "createToken" => json!({"name": "meeting bot", "scopes": ["ingest:write", "tasks:read"]}),
        "createWebhook" => json!({
            "url": "https://example.com/hooks/gleaner", "events": ["task.created", "task.completed"], "payload": "full",
        }),
        "editWebhook" => json!({"enabled": true}),
        "redeliverSince" => json!({"since": "2026-03-03T15:00:00Z"}),
        "mcp" => json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "list_tasks", "arguments": {"sort": "priority"}},
        }),
        _ => Value::Null,
    }
}
