//! Bodies to begin with: for each operation that takes one, an example that works as it stands.

use serde_json::{Value, json};

/// The example of an operation, by its id in the OpenAPI document; null where nobody wrote one.
pub fn body(operation: &str) -> Value {
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
        "createToken" => json!({"name": "meeting bot", "scopes": ["ingest:write", "tasks:read"]}),
        "mcp" => json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "list_tasks", "arguments": {"sort": "priority"}},
        }),
        _ => Value::Null,
    }
}
