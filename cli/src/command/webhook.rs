//! `gleaner webhook`: who is told what happens.

use crate::{
    client::{ApiClient, ServerArgs},
    failure::{CliError, CliResult},
    output::{Output, faint, number, plain},
    show::{self, elements, text},
};
use chrono::{DateTime, Utc};
use clap::{Subcommand, ValueEnum};
use gleaner_model::{Page, WebhookId};
use reqwest::Method;
use serde_json::{Map, Value, json};

/// What to do with webhooks.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  gleaner webhook add https://example.com/hooks --event task.created --event task.completed
  gleaner webhook test 0197f3a0-0000-7000-8000-000000000000
  gleaner webhook deliveries 0197f3a0-0000-7000-8000-000000000000")]
pub struct WebhookArgs {
    #[command(flatten)]
    remote: ServerArgs,
    #[command(subcommand)]
    command: WebhookCommand,
}

/// How much of a record a message holds.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum PayloadArg {
    /// The whole record
    Full,
    /// Its id alone
    Thin,
}

/// How messages are signed.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Signature {
    /// HMAC-SHA256, with a secret that the receiver holds too
    V1,
    /// Ed25519: the receiver holds the public key
    V1a,
}

#[derive(Subcommand, Debug)]
enum WebhookCommand {
    /// Tell an endpoint what happens; its secret is shown this once
    Add {
        /// Where messages go
        #[arg(value_name = "TARGET")]
        target: String,
        /// What to send, e.g. task.created; may be given several times [default: everything]
        #[arg(long = "event", value_name = "EVENT")]
        events: Vec<String>,
        /// How much of it
        #[arg(long, value_enum, default_value_t = PayloadArg::Full)]
        payload: PayloadArg,
        /// How messages are signed
        #[arg(long, value_enum, default_value_t = Signature::V1)]
        signature: Signature,
        /// What to say of it
        #[arg(long, value_name = "TEXT")]
        description: Option<String>,
    },
    /// List the tenant's webhooks
    List,
    /// Send a test
    Test {
        /// The webhook's id
        id: WebhookId,
    },
    /// List what was sent, the last first
    Deliveries {
        /// The webhook's id
        id: WebhookId,
        /// How many
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u8).range(1..=200), value_name = "N")]
        limit: u8,
    },
    /// Send once more: one message, or everything since a time
    Redeliver {
        /// The webhook's id
        id: WebhookId,
        /// The message's id, as `deliveries` shows it
        #[arg(required_unless_present = "since", conflicts_with = "since", value_name = "DELIVERY")]
        delivery: Option<String>,
        /// Everything since then, RFC 3339
        #[arg(long, value_name = "TIME")]
        since: Option<DateTime<Utc>>,
    },
    /// Give it a new secret, shown this once; the one until now signs for 24 hours more
    Rotate {
        /// The webhook's id
        id: WebhookId,
    },
    /// Send nothing more, and forget what was sent
    Rm {
        /// The webhook's id
        id: WebhookId,
    },
}

pub async fn run(args: WebhookArgs, output: Output) -> CliResult {
    let client = ApiClient::new(&args.remote)?;
    match args.command {
        WebhookCommand::Add { target, events, payload, signature, description } => {
            let body = body_of(target, events, (payload, signature), description);
            with_secret(&post(&client, &[], Some(body)).await?, output)
        }
        WebhookCommand::List => {
            let body = client.ask(client.request(Method::GET, &["webhooks"])).await?;
            if output.is_json() { output.json(&body) } else { list(body, output) }
        }
        WebhookCommand::Test { id } => {
            let body = post(&client, &[id.to_string().as_str(), "test"], None).await?;
            print(&body, "a test is on its way; `gleaner webhook deliveries` shows what becomes of it", output)
        }
        WebhookCommand::Deliveries { id, limit } => {
            let request = client.request(Method::GET, &["webhooks", &id.to_string(), "deliveries"]);
            let body = client.ask(request.query(&[("limit", limit)])).await?;
            if output.is_json() { output.json(&body) } else { deliveries(body, output) }
        }
        WebhookCommand::Redeliver { id, delivery: Some(delivery), .. } => {
            let (id, delivery) = (id.to_string(), delivery.as_str());
            let path = [id.as_str(), "deliveries", delivery, "redeliver"];
            print(&post(&client, &path, None).await?, "it is on its way again", output)
        }
        WebhookCommand::Redeliver { id, since, .. } => {
            let answer = post(&client, &[id.to_string().as_str(), "redeliver"], Some(json!({"since": since}))).await?;
            print(&answer, "everything since then is on its way again", output)
        }
        WebhookCommand::Rotate { id } => {
            with_secret(&post(&client, &[id.to_string().as_str(), "rotate"], None).await?, output)
        }
        WebhookCommand::Rm { id } => {
            client.ask(client.request(Method::DELETE, &["webhooks", &id.to_string()])).await?;
            output.note(format!("removed {id}"))
        }
    }
}

async fn post(client: &ApiClient, path: &[&str], body: Option<Value>) -> Result<Value, CliError> {
    let request = client.request(Method::POST, &[&["webhooks"][..], path].concat());
    client
        .ask(match body {
            Some(body) => request.json(&body),
            None => request,
        })
        .await
}

fn body_of(
    target: String,
    events: Vec<String>,
    (payload, signature): (PayloadArg, Signature),
    description: Option<String>,
) -> Value {
    let payload = match payload {
        PayloadArg::Full => "full",
        PayloadArg::Thin => "thin",
    };
    let signature = match signature {
        Signature::V1 => "v1",
        Signature::V1a => "v1a",
    };
    let members = [("url", json!(target)), ("payload", json!(payload)), ("signature", json!(signature))];
    let mut body: Map<String, Value> = members.map(|(name, value)| (name.to_owned(), value)).into_iter().collect();
    if !events.is_empty() {
        body.insert("events".to_owned(), json!(events));
    }
    if let Some(description) = description {
        body.insert("description".to_owned(), json!(description));
    }
    Value::Object(body)
}

fn print(body: &Value, words: &str, output: Output) -> CliResult {
    if output.is_json() { output.json(body) } else { output.text(words) }
}

fn with_secret(body: &Value, output: Output) -> CliResult {
    if output.is_json() {
        return output.json(body);
    }
    output.text(format!("webhook {}", text(body, "id")))?;
    output.text(match text(body, "signature") {
        "v1a" => "The public key that its messages are verified with:",
        _ => "The secret that its messages are signed with, shown this once:",
    })?;
    output.text(text(body, "secret"))
}

fn list(body: Value, output: Output) -> CliResult {
    let page: Page<Value> = show::read(body)?;
    let rows = page.items.iter().map(|webhook| {
        let events: Vec<_> = elements(webhook, "events").iter().filter_map(Value::as_str).collect();
        vec![
            plain(text(webhook, "id")),
            plain(text(webhook, "url")),
            plain(text(webhook, "status")),
            plain(text(webhook, "payload")),
            plain(events.join(" ")),
            faint(text(webhook, "disabled_reason")),
        ]
    });
    output.table(&["WEBHOOK ID", "URL", "STATUS", "PAYLOAD", "EVENTS", "WHY"], rows.collect())
}

fn deliveries(body: Value, output: Output) -> CliResult {
    let page: Page<Value> = show::read(body)?;
    let rows = page.items.iter().map(|delivery| {
        let figure = |name: &str| delivery[name].as_u64().map(|n| n.to_string()).unwrap_or_default();
        let attempts = elements(delivery, "attempts");
        vec![
            plain(text(delivery, "id")),
            plain(text(delivery, "type")),
            plain(text(delivery, "status")),
            number(attempts.len()),
            number(figure("last_status")),
            number(figure("latency_ms")),
            faint(attempts.last().map(|attempt| text(attempt, "error")).unwrap_or_default()),
        ]
    });
    output.table(&["DELIVERY ID", "TYPE", "STATUS", "TRIES", "ANSWER", "MS", "WHY"], rows.collect())
}
