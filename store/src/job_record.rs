//! A job as its HASH holds it.

use crate::{Error, reply::Fields};
use chrono::{DateTime, Utc};
use gleaner_model::{Job, JobFailure, JobId, JobStatus};

/// Reads a job's HASH; `None` when there is none.
pub(crate) fn read_job(id: JobId, fields: &Fields) -> Result<Option<Job>, Error> {
    if fields.is_empty() {
        return Ok(None);
    }
    let name = |field: &str| text(id, fields, field).and_then(|text| text.parse().map_err(|e| wrong(id, field, e)));
    let external_id = text(id, fields, "external_id")?.parse().map_err(|e| wrong(id, "external_id", e))?;
    let task_ids = match fields.get("task_ids") {
        Some(json) => serde_json::from_str(json).map_err(|e| wrong(id, "task_ids", e))?,
        None => Vec::new(),
    };
    Ok(Some(Job {
        job_id: id,
        status: status(id, text(id, fields, "status")?)?,
        source_type: name("source_type")?,
        external_id,
        idempotency_key: text(id, fields, "key")?.to_owned(),
        attempts: number(id, fields, "attempts")?.unwrap_or(0),
        tasks_extracted: number(id, fields, "tasks_extracted")?,
        tasks_over_cap: number(id, fields, "tasks_over_cap")?.unwrap_or(0),
        task_ids,
        suppressed: number(id, fields, "suppressed")?.unwrap_or(0),
        extractor: fields.get("extractor").cloned(),
        usage: match fields.get("usage") {
            Some(json) => Some(serde_json::from_str(json).map_err(|e| wrong(id, "usage", e))?),
            None => None,
        },
        accepted_at: time(id, fields, "accepted_at")?.ok_or_else(|| wrong(id, "accepted_at", "is missing"))?,
        started_at: time(id, fields, "started_at")?,
        finished_at: time(id, fields, "finished_at")?,
        error: failure(fields),
    }))
}

fn failure(fields: &Fields) -> Option<JobFailure> {
    let code = fields.get("error_code")?.clone();
    Some(JobFailure { code, message: fields.get("error_message").cloned().unwrap_or_default() })
}

fn wrong(id: JobId, field: &str, why: impl std::fmt::Display) -> Error {
    Error::corrupt(format!("job {id}, field {field}: {why}"))
}

fn text<'a>(id: JobId, fields: &'a Fields, field: &str) -> Result<&'a str, Error> {
    fields.get(field).map(String::as_str).ok_or_else(|| wrong(id, field, "is missing"))
}

fn number(id: JobId, fields: &Fields, field: &str) -> Result<Option<u32>, Error> {
    fields.get(field).map(|text| text.parse().map_err(|e| wrong(id, field, e))).transpose()
}

fn time(id: JobId, fields: &Fields, field: &str) -> Result<Option<DateTime<Utc>>, Error> {
    let Some(text) = fields.get(field) else { return Ok(None) };
    let ms = text.parse().map_err(|e| wrong(id, field, e))?;
    DateTime::from_timestamp_millis(ms).map(Some).ok_or_else(|| wrong(id, field, "is out of range"))
}

fn status(id: JobId, text: &str) -> Result<JobStatus, Error> {
    JobStatus::ALL
        .into_iter()
        .find(|status| status.as_str() == text)
        .ok_or_else(|| wrong(id, "status", format_args!("{text:?} is unknown")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_that_cannot_be_read_names_the_job_and_the_field() {
        let id = JobId::new();
        assert_eq!(read_job(id, &Fields::new()).unwrap(), None);
        let fields = Fields::from([("status".to_owned(), "asleep".to_owned())]);
        let error = read_job(id, &fields).unwrap_err().to_string();
        assert!(error.contains(&id.to_string()) && error.contains("external_id"), "{error}");
    }
}
