//! `gleaner feedback` and `gleaner learning`: what people say of tasks, and what it taught.

use crate::{
    client::{ApiClient, ServerArgs},
    failure::CliResult,
    output::Output,
    show,
};
use chrono::NaiveDate;
use clap::ValueEnum;
use gleaner_model::{Correction, FeedbackReason, FeedbackRequest, Rating, TaskId};
use reqwest::Method;

/// What to say of which task.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  gleaner feedback 0197b0a4-… down --reason not-a-task
  gleaner feedback 0197b0a4-… up --reason important
  gleaner feedback 0197b0a4-… down --reason wrong-due --due 2026-03-13")]
pub struct FeedbackArgs {
    #[command(flatten)]
    remote: ServerArgs,
    /// The task's id
    id: TaskId,
    /// Thumb up or down
    #[arg(value_enum)]
    rating: Thumb,
    /// Why
    #[arg(long, value_enum)]
    reason: Option<FeedbackReasonArg>,
    /// In your own words
    #[arg(long, value_name = "TEXT")]
    comment: Option<String>,
    /// The right title
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Who is to do it
    #[arg(long, value_name = "NAME")]
    owner: Option<String>,
    /// The right day
    #[arg(long, value_name = "DATE")]
    due: Option<NaiveDate>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Thumb {
    Up,
    Down,
}

/// Spelled as elsewhere on the command line, or as the API spells it.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum FeedbackReasonArg {
    /// There is nothing to do
    #[value(alias = "not_a_task")]
    NotATask,
    /// Somebody else is to do it
    #[value(alias = "wrong_owner")]
    WrongOwner,
    /// The date is wrong
    #[value(alias = "wrong_due")]
    WrongDue,
    /// The same task is there already
    Duplicate,
    /// True, but it does not matter
    #[value(alias = "not_important")]
    NotImportant,
    /// It matters more than most
    Important,
}

impl From<FeedbackReasonArg> for FeedbackReason {
    fn from(reason: FeedbackReasonArg) -> Self {
        match reason {
            FeedbackReasonArg::NotATask => Self::NotATask,
            FeedbackReasonArg::WrongOwner => Self::WrongOwner,
            FeedbackReasonArg::WrongDue => Self::WrongDue,
            FeedbackReasonArg::Duplicate => Self::Duplicate,
            FeedbackReasonArg::NotImportant => Self::NotImportant,
            FeedbackReasonArg::Important => Self::Important,
        }
    }
}

/// Rates a task, or takes the rating back.
pub async fn run(args: FeedbackArgs, output: Output) -> CliResult {
    let client = ApiClient::new(&args.remote)?;
    let correction = Correction { title: args.title, owner: args.owner, due: args.due, ..Correction::default() };
    let body = FeedbackRequest {
        rating: match args.rating {
            Thumb::Up => Rating::Up,
            Thumb::Down => Rating::Down,
        },
        reason: args.reason.map(Into::into),
        comment: args.comment,
        correction: (correction != Correction::default()).then_some(correction),
    };
    let request = client.request(Method::POST, &["tasks", &args.id.to_string(), "feedback"]).json(&body);
    let receipt = client.ask(request).await?;
    if output.is_json() {
        return output.json(&receipt);
    }
    output.text("recorded; `gleaner learning` shows what it taught")
}

/// What to do with what was learnt.
#[derive(clap::Args, Debug)]
pub struct LearningArgs {
    #[command(flatten)]
    remote: ServerArgs,
    /// Forget all of it
    #[arg(long)]
    forget: bool,
}

/// Shows or forgets what feedback has taught.
pub async fn learning(args: LearningArgs, output: Output) -> CliResult {
    let client = ApiClient::new(&args.remote)?;
    if args.forget {
        client.ask(client.request(Method::DELETE, &["learning"])).await?;
        return output.note("forgotten");
    }
    let body = client.ask(client.request(Method::GET, &["learning"])).await?;
    if output.is_json() {
        return output.json(&body);
    }
    let count = |name: &str| body[name].as_u64().unwrap_or_default();
    output.text(format!("revision {}: {} up, {} down", count("revision"), count("up"), count("down")))?;
    show::weights(show::elements(&body, "effects"), ("EFFECT", "description"), output)
}
