//! `gleaner check`: whether a server answers, asks its store, and refuses whoever has no token. `helm test` runs it.

use crate::{
    client::{Client, Remote},
    failure::{Failure, Outcome},
    output::Output,
};
use reqwest::{Method, StatusCode};
use serde_json::json;

/// Which server to check.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    remote: Remote,
}

/// Runs the command.
pub async fn run(args: Args, output: Output) -> Outcome {
    // A token that nobody has: to refuse it, the server must ask its store.
    let stranger = Remote { token: Some("gln_nobody".to_owned()), ..args.remote };
    let client = Client::new(&stranger)?;
    let document = client.ask(client.request(Method::GET, &["openapi.json"])).await?;
    let answer = client.send(client.request(Method::GET, &["tokens", "me"])).await?;
    if answer.status != StatusCode::UNAUTHORIZED {
        let status = answer.status;
        return Err(Failure::failed(format!("the server answers {status} to a token that nobody has; expected 401")));
    }
    let version = document["info"]["version"].as_str().unwrap_or("of unknown version");
    if output.is_json() {
        output.json(&json!({"url": stranger.server_url, "version": version, "healthy": true}))
    } else {
        output.text(format!(
            "Gleaner {version} at {} answers, asks its store, and refuses strangers.",
            stranger.server_url
        ))
    }
}
