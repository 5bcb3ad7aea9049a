//! The nouns of Gleaner. Every other crate speaks in these types; this one knows no other crate of ours and does no
//! I/O, but for the system's clock and random numbers.

pub mod day;
mod event;
mod feedback;
mod id;
pub mod input;
mod item;
mod job;
pub mod learning;
mod mention;
mod page;
pub mod priority;
mod record;
mod scope;
mod subject;
mod submission;
mod suppressed;
mod task;
mod text;
mod token;
mod unicode;
mod webhook;
mod words;

pub use event::{Event, EventKind};
pub use feedback::{Correction, Feedback, FeedbackReason, FeedbackReceipt, FeedbackRequest, Rating};
pub use id::{FeedbackId, JobId, TaskId, TenantId, TokenId, WebhookId};
pub use item::{ExternalId, Item, ItemKey, MAX_PARTICIPANTS, OccurredAt, SourceType, Zone};
pub use job::{Job, JobFailure, JobStatus, Usage};
pub use mention::{Mention, MissedReport, Quote, Reason};
pub use page::Page;
pub use record::{Edit, Edits, IN_ONE_PIECE, MENTIONS_APART, MENTIONS_KEPT, TaskPatch, TaskRecord, UnknownMembers};
pub use scope::{Scope, ScopeSet, UnknownScope};
pub use subject::Subject;
pub use submission::{
    InvalidSubmission, MAX_METADATA_KEYS, MAX_METADATA_VALUE, MAX_TITLE, MAX_TRANSCRIPT, Metadata, Submission,
    SubmissionFault, Title, Transcript,
};
pub use suppressed::Suppressed;
pub use task::{Due, Evidence, FeedbackCounts, Owner, Source, Task, TaskStatus, Urgency};
pub use text::{InvalidText, in_one_line};
pub use token::{InvalidToken, PlainToken, TokenHash};
pub use unicode::{is_han, is_spaceless};
pub use webhook::{
    DeliveryRef, DeliveryStatus, InvalidSecret, PayloadForm, PreviousSecret, SignatureVersion, SigningSecret, Webhook,
    WebhookAttempt, WebhookDelivery, WebhookOrigin,
};
pub use words::words;
