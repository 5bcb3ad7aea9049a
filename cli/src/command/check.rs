//! `gleaner check`: whether a server answers, asks its store, and refuses whoever has no token; with `--model`, whether a
//! language model answers as it is asked. `helm test` runs both.

use crate::{
    client::{ApiClient, ServerArgs},
    failure::{CliError, CliResult},
    output::Output,
};
use gleaner_extract::{Context, Document};
use gleaner_llm::{LanguageModel, LlmConfig, PromptContext, Unlimited};
use gleaner_model::{OccurredAt, Subject, Zone};
use reqwest::{Method, StatusCode};
use serde_json::json;
use std::time::{Duration, Instant};

/// Which server to check.
#[derive(clap::Args, Debug)]
pub struct CheckArgs {
    #[command(flatten)]
    remote: ServerArgs,
    /// Ask the language model at --llm-url instead of a server
    #[arg(long)]
    model: bool,
    /// Try again for so many seconds before it counts as failed: the addresses of a service that has just become ready take
    /// a moment to reach every node
    #[arg(long, value_name = "SECONDS", default_value_t = 0, conflicts_with = "model",
        value_parser = clap::value_parser!(u64).range(..=3600))]
    retry_for: u64,
    #[command(flatten)]
    llm: LlmConfig,
}

/// What a model is asked: any that works finds the one task in it, and the smallest answers at least in the form asked for.
const TEXT: &str = "Dana: I'll send the price list to Marlow by Friday.\nLee: Great, thanks.";

/// Between two tries of `--retry-for`.
const RETRY_EVERY: Duration = Duration::from_secs(1);

pub async fn run(args: CheckArgs, output: Output) -> CliResult {
    if args.model {
        return model(&args.llm, output).await;
    }
    // A token that nobody has: to refuse it, the server must ask its store.
    let stranger = ServerArgs { token: Some("gln_nobody".to_owned()), ..args.remote };
    let client = ApiClient::new(&stranger)?;
    let until = Instant::now() + Duration::from_secs(args.retry_for);
    let version = loop {
        match healthy(&client).await {
            Err(_) if Instant::now() < until => tokio::time::sleep(RETRY_EVERY).await,
            ended => break ended?,
        }
    };
    if output.is_json() {
        output.json(&json!({"url": stranger.server_url, "version": version, "healthy": true}))
    } else {
        output.text(format!(
            "Gleaner {version} at {} answers, asks its store, and refuses strangers.",
            stranger.server_url
        ))
    }
}

/// The version of a server that answers and refuses a token that nobody has.
async fn healthy(client: &ApiClient) -> Result<String, CliError> {
    let document = client.ask(client.request(Method::GET, &["openapi.json"])).await?;
    let answer = client.send(client.request(Method::GET, &["tokens", "me"])).await?;
    if answer.status != StatusCode::UNAUTHORIZED {
        let status = answer.status;
        return Err(CliError::failed(format!("the server answers {status} to a token that nobody has; expected 401")));
    }
    Ok(document["info"]["version"].as_str().unwrap_or("of unknown version").to_owned())
}

async fn model(config: &LlmConfig, output: Output) -> CliResult {
    let model = LanguageModel::new(config).map_err(|error| CliError::usage(error.to_string()))?;
    let document = Document { source_type: "meeting", title: None, text: TEXT };
    let context = Context {
        me: Subject::named("Dana"),
        occurred_at: OccurredAt::utc(chrono::Utc::now()).time,
        zone: Zone::Named(chrono_tz::UTC),
        participants: Vec::new(),
        language: None,
        threshold: None,
    };
    let asked = model.extract(&document, &context, &PromptContext::default(), &Unlimited).await;
    let tasks = asked.outcome.map_err(|error| CliError::failed(format!("{error}; check the model's settings")))?;
    let name = model.name();
    if output.is_json() {
        let (input_tokens, output_tokens) = (asked.usage.input_tokens, asked.usage.output_tokens);
        let usage = json!({"input_tokens": input_tokens, "output_tokens": output_tokens});
        return output.json(&json!({"extractor": name, "tasks": tasks.len(), "usage": usage}));
    }
    output.text(match tasks.len() {
        0 => format!("{name} answers as it is asked, but finds no task in a text that holds one: expect little of it."),
        _ => format!("{name} answers as it is asked, and finds the task in a text that holds one."),
    })
}
