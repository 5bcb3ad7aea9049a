//! `gleaner token`: who may do what.

use crate::{
    client::{ApiClient, ServerArgs},
    failure::{CliError, CliResult},
    output::{Output, faint, plain},
    show,
};
use chrono::{DateTime, Utc};
use clap::Subcommand;
use gleaner_model::{Page, PlainToken, Scope, Subject, TenantId, TokenId};
use gleaner_store::{Credential, Origin, Store, StoreConfig};
use reqwest::Method;
use serde_json::{Map, Value, json};

/// What to do with tokens.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  gleaner token create notetaker --scope ingest:write --scope tasks:read
  gleaner token create dana --subject-name 'Dana Reyes' --subject-email dana@example.com
  gleaner token create first --store --redis-url redis://127.0.0.1:6379 --scope tokens:write
  gleaner token revoke 7Qm2c0d3E4f5")]
pub struct TokenArgs {
    #[command(flatten)]
    remote: ServerArgs,
    #[command(subcommand)]
    command: TokenCommand,
}

#[derive(Subcommand, Debug)]
enum TokenCommand {
    /// Make a token; it is shown this once
    Create(Box<CreateArgs>),
    /// List the tenant's tokens, oldest first
    List {
        /// How many
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=200))]
        limit: u32,
        /// Where the page begins: `next_cursor` of the one before
        #[arg(long)]
        cursor: Option<String>,
    },
    /// Take a token's rights away, everywhere within 2 seconds
    Revoke {
        /// The token's id
        id: TokenId,
    },
    /// Show what the token in use allows
    Me,
}

#[derive(clap::Args, Debug)]
struct CreateArgs {
    /// What to call it
    name: String,
    #[arg(long = "scope", value_name = "SCOPE", help = scope_help())]
    scopes: Vec<Scope>,
    #[command(flatten)]
    subject: SubjectArgs,
    /// When it expires, RFC 3339; without it, never
    #[arg(long, value_name = "TIME")]
    expires_at: Option<DateTime<Utc>>,
    /// Write it into the store itself, without a server: how the first token is made
    #[arg(long)]
    store: bool,
    /// Whose data it opens; with --store only
    #[arg(long, requires = "store", default_value_t, value_name = "NAME")]
    tenant: TenantId,
    #[command(flatten)]
    place: StoreConfig,
}

/// For whom a token speaks.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct SubjectArgs {
    /// Full name of the person it speaks for, as it stands in transcripts
    #[arg(long, value_name = "NAME")]
    subject_name: Option<String>,
    /// The person's e-mail address
    #[arg(long, value_name = "ADDRESS")]
    subject_email: Option<String>,
    /// Another name of that person; may be given several times
    #[arg(long = "subject-alias", value_name = "NAME")]
    subject_aliases: Vec<String>,
    /// The zone in which the person means dates, e.g. America/Chicago
    #[arg(long, value_name = "ZONE")]
    subject_time_zone: Option<String>,
}

impl SubjectArgs {
    /// The subject that the options describe.
    pub fn subject(&self) -> Subject {
        Subject {
            name: self.subject_name.clone(),
            email: self.subject_email.clone(),
            aliases: self.subject_aliases.clone(),
            time_zone: self.subject_time_zone.clone(),
        }
    }
}

pub async fn run(args: TokenArgs, output: Output) -> CliResult {
    let command = match args.command {
        TokenCommand::Create(create) if create.store => return created(&written(*create).await?, output),
        command => command,
    };
    let client = ApiClient::new(&args.remote)?;
    match command {
        TokenCommand::Create(create) => {
            let body = client.ask(client.request(Method::POST, &["tokens"]).json(&body_of(*create))).await?;
            created(&body, output)
        }
        TokenCommand::List { limit, cursor } => {
            let query = [("limit", Some(limit.to_string())), ("cursor", cursor)];
            let body = client.ask(client.request(Method::GET, &["tokens"]).query(&query)).await?;
            if output.is_json() { output.json(&body) } else { list(body, output) }
        }
        TokenCommand::Revoke { id } => {
            client.ask(client.request(Method::DELETE, &["tokens", id.as_str()])).await?;
            output.note(format!("revoked {id}"))
        }
        TokenCommand::Me => {
            let body = client.ask(client.request(Method::GET, &["tokens", "me"])).await?;
            if output.is_json() { output.json(&body) } else { rows(&[body], output) }
        }
    }
}

/// Mints a token and writes its credential into the store, which only whoever holds the store's password can.
async fn written(create: CreateArgs) -> Result<Value, CliError> {
    let failed = |error: &dyn std::fmt::Display| CliError::failed(format!("{error}; check --redis-url"));
    let store = Store::connect(&create.place).await.map_err(|error| failed(&error))?;
    let token = PlainToken::mint().map_err(|error| failed(&error))?;
    let credential = Credential {
        hash: token.hash(),
        token_id: token.id(),
        tenant: create.tenant,
        name: Some(create.name),
        subject: create.subject.subject(),
        scopes: scopes_or_default(create.scopes).into_iter().collect(),
        created_at: Utc::now(),
        expires_at: create.expires_at,
        suspended: false,
        last_used_at: None,
        made_by: None,
        origin: Origin::Store,
    };
    store.put_credential(&credential).await.map_err(|error| failed(&error))?;
    Ok(json!({
        "token": token.expose(),
        "token_id": credential.token_id,
        "tenant": credential.tenant,
        "name": credential.name,
        "subject": credential.subject,
        "scopes": credential.scopes,
        "created_at": credential.created_at,
        "expires_at": credential.expires_at,
    }))
}

fn scope_help() -> String {
    let names = |all: &[Scope]| all.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(", ");
    let without: Vec<Scope> = Scope::ALL.into_iter().filter(|scope| !is_default(*scope)).collect();
    format!("What it allows: {}; may be given several times [default: all but {}]", names(&Scope::ALL), names(&without))
}

/// What a token allows that was asked for without scopes.
fn scopes_or_default(scopes: Vec<Scope>) -> Vec<Scope> {
    if scopes.is_empty() { Scope::ALL.into_iter().filter(|scope| is_default(*scope)).collect() } else { scopes }
}

/// Whether a scope is given without being asked for. Named one by one, so that nobody gets a new one unawares.
const fn is_default(scope: Scope) -> bool {
    match scope {
        Scope::IngestWrite
        | Scope::IngestRead
        | Scope::TasksRead
        | Scope::TasksWrite
        | Scope::FeedbackWrite
        | Scope::WebhooksWrite => true,
        Scope::TokensWrite | Scope::FeedRead => false,
    }
}

fn body_of(create: CreateArgs) -> Value {
    let mut body = Map::from_iter([
        ("name".to_owned(), json!(create.name)),
        ("scopes".to_owned(), json!(scopes_or_default(create.scopes))),
    ]);
    let subject = create.subject.subject();
    if subject != Subject::default() {
        body.insert("subject".to_owned(), json!(subject));
    }
    if let Some(time) = create.expires_at {
        body.insert("expires_at".to_owned(), json!(time));
    }
    Value::Object(body)
}

fn created(body: &Value, output: Output) -> CliResult {
    if output.is_json() {
        return output.json(body);
    }
    output.text("The token, shown this once:")?;
    output.text(show::text(body, "token"))
}

fn list(body: Value, output: Output) -> CliResult {
    let page: Page<Value> = show::read(body)?;
    rows(&page.items, output)?;
    show::next_page(page.next_cursor, output)
}

fn rows(tokens: &[Value], output: Output) -> CliResult {
    let rows = tokens.iter().map(|token| {
        let text = |member: &str| show::text(token, member);
        let scopes: Vec<_> = show::elements(token, "scopes").iter().filter_map(Value::as_str).collect();
        vec![
            plain(text("token_id")),
            plain(text("name")),
            plain(text("tenant")),
            plain(show::text(&token["subject"], "name")),
            plain(scopes.join(" ")),
            faint(text("expires_at")),
            faint(text("last_used_at")),
        ]
    });
    output.table(&["TOKEN ID", "NAME", "TENANT", "SUBJECT", "SCOPES", "EXPIRES", "LAST USED"], rows.collect())
}
