//! What feedback teaches: from what people say of tasks to how later ones are judged and ranked. Pure functions.
//!
//! A [`TaskFeatures`] says what a task looks like. A [`Lesson`] is such features with what people said of that task; the tenant's
//! lessons are the truth, and [`Learnt`] is worked out of them anew whenever they change: so a rating that is replaced or
//! taken back leaves no trace. `docs/learning.md` says what is learnt and how far it goes.

mod attribution;
mod convention;
mod effect;
mod features;
mod fit;
mod learnt;
mod lesson;
mod wording;

pub use attribution::{LIKE_A_TASK, Sources};
pub use convention::Convention;
pub use effect::{Effect, effects};
pub use features::{FeatureSource, Signals, TaskFeatures};
pub use fit::fit;
pub use learnt::{Learnt, Shift, log_odds, probability};
pub use lesson::{Lesson, Vote, VoteKind};
pub use wording::Alias;
