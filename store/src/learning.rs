//! What feedback teaches: the lessons, kept by the scripts that change tasks, and what they come to.
//!
//! The lessons decide; the model is worked out of them by whoever first needs it after a change, and kept beside them
//! until they change again or a day is over.

use crate::{
    Error, Store, TaskQuery,
    reply::{next_value, time},
    script::{LuaScript, QUEUE},
    tasks::TASKS,
};
use chrono::{DateTime, Utc};
use gleaner_model::{
    TaskRecord, TenantId,
    learning::{Learnt, Lesson, Sources, TaskFeatures, fit},
};
use redis::Value;
use std::sync::LazyLock;

static LOAD: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::new(&[QUEUE, include_str!("scripts/load_learning.lua")]));
static SAVE: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::new(&[QUEUE, include_str!("scripts/save_learning.lua")]));
static FORGET: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::new(&[QUEUE, TASKS, include_str!("scripts/forget_learning.lua")]));

/// Open tasks that are ranked anew when what was learnt of importance changes.
const RANKED_ANEW: usize = 200;
/// Least change of a task's importance, of 1, that is recorded.
const WORTH_A_CHANGE: f64 = 0.05;

/// What a tenant's feedback has taught, with the lessons that it was worked out of.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LearningState {
    /// What it comes to.
    pub learnt: Learnt,
    /// The lessons behind it.
    pub sources: Sources,
}

/// What load_learning.lua answers.
struct Loaded {
    now: DateTime<Utc>,
    revision: u64,
    forgotten: Option<DateTime<Utc>>,
    model: Vec<u8>,
    lessons: Vec<Vec<u8>>,
}

impl Store {
    /// What the tenant's feedback has taught by now.
    ///
    /// # Errors
    /// When the store cannot be asked, or what it keeps cannot be read.
    pub async fn learnt(&self, tenant: &TenantId) -> Result<Learnt, Error> {
        let loaded = self.load_learning(tenant, "model").await?;
        if !loaded.model.is_empty() {
            return parsed(&loaded.model);
        }
        Ok(self.work_out(tenant, loaded).await?.learnt)
    }

    /// What the tenant's feedback has taught by now, and the lessons that it was worked out of.
    ///
    /// # Errors
    /// As [`Store::learnt`].
    pub async fn learning_state(&self, tenant: &TenantId) -> Result<LearningState, Error> {
        let loaded = self.load_learning(tenant, "lessons").await?;
        if loaded.model.is_empty() {
            return self.work_out(tenant, loaded).await;
        }
        let (learnt, lessons) = (parsed(&loaded.model)?, loaded.lessons()?);
        let sources = Sources::of(&learnt, &lessons, loaded.now);
        Ok(LearningState { learnt, sources })
    }

    /// Forgets what the tenant's feedback has taught. Ratings stay with their tasks, and teach nothing any more.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn forget_learning(&self, tenant: &TenantId) -> Result<(), Error> {
        let tasks = self.tasks_of(tenant);
        let _revision: u64 = tasks.run(&tasks.call(&FORGET)).await?;
        Ok(())
    }

    /// Gives open tasks that nobody has rated the importance that what was learnt gives them: the latest 200. Later ones
    /// get it when they are recorded. Returns how many changed.
    ///
    /// # Errors
    /// As [`Store::learnt`].
    pub async fn rank_anew(&self, tenant: &TenantId) -> Result<usize, Error> {
        let (learnt, now) = (self.learnt(tenant).await?, self.now(tenant).await?);
        let mut changed = 0;
        for before in self.list_tasks(tenant, &TaskQuery { limit: RANKED_ANEW, ..TaskQuery::default() }).await?.items {
            let Some(seen) = before.mentions.first() else { continue };
            let offset = learnt.shift(&TaskFeatures::of_mention(seen)).importance;
            if before.feedback.is_empty() && (offset - before.importance_offset).abs() >= WORTH_A_CHANGE {
                // A task that somebody else changes at the same time is ranked when it is next recorded.
                let after = TaskRecord { importance_offset: offset, ..before.clone() };
                changed += usize::from(self.update(tenant, before, after, now).await?);
            }
        }
        Ok(changed)
    }

    async fn load_learning(&self, tenant: &TenantId, wanted: &'static str) -> Result<Loaded, Error> {
        let call = self.tenant_call(&LOAD, tenant).arg(wanted);
        let mut answer = self.tasks_of(tenant).run::<Vec<Value>>(&call).await?.into_iter();
        let now = time(next_value(&mut answer)?)?;
        let (revision, forgotten) = (next_value(&mut answer)?, next_value::<i64>(&mut answer)?);
        let forgotten = (forgotten > 0).then(|| time(forgotten)).transpose()?;
        Ok(Loaded { now, revision, forgotten, model: next_value(&mut answer)?, lessons: next_value(&mut answer)? })
    }

    /// Works the model out and keeps it for others, unless the lessons have changed meanwhile.
    async fn work_out(&self, tenant: &TenantId, loaded: Loaded) -> Result<LearningState, Error> {
        let work = move || {
            let lessons = loaded.lessons()?;
            let learnt = fit(&lessons, loaded.revision, loaded.now);
            let sources = Sources::of(&learnt, &lessons, loaded.now);
            Ok::<_, Error>(LearningState { learnt, sources })
        };
        let worked = tokio::task::spawn_blocking(work).await;
        let taught = worked.map_err(|_| Error::corrupt("lessons that nothing can be learnt from"))??;
        if taught.learnt.revision > 0 {
            let json = serde_json::to_vec(&taught.learnt).map_err(Error::corrupt)?;
            let call = self.tenant_call(&SAVE, tenant).show(taught.learnt.revision).show(taught.learnt.day).arg(&json);
            // Nobody needs it to be kept: whoever finds none works it out. So a store without memory to spare keeps none.
            if let Err(error) = call.run::<bool>(&self.0.connection).await {
                tracing::debug!(error = %error, "Keeping nothing of what was learnt");
            }
        }
        Ok(taught)
    }
}

impl Loaded {
    /// The lessons that count, in an order that is always the same.
    fn lessons(&self) -> Result<Vec<Lesson>, Error> {
        let read: Vec<Lesson> = self.lessons.iter().map(|json| parsed(json)).collect::<Result<_, _>>()?;
        let mut lessons: Vec<_> = read.into_iter().filter_map(|lesson| lesson.since(self.forgotten)).collect();
        lessons.sort_by_key(|lesson| lesson.task_id);
        Ok(lessons)
    }
}

fn parsed<T: serde::de::DeserializeOwned>(json: &[u8]) -> Result<T, Error> {
    // The reader's own words could quote the evidence.
    serde_json::from_slice(json)
        .map_err(|e| Error::corrupt(format!("what was learnt, line {}, column {}", e.line(), e.column())))
}
