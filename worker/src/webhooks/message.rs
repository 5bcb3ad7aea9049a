//! What a message says: `{type, timestamp, data}`, as Standard Webhooks has it.

use chrono::{DateTime, SecondsFormat, Utc};
use gleaner_model::{DeliveryRef, Event, PayloadForm, WebhookDelivery};
use serde::Deserialize;
use serde_json::json;

/// Sent on request, so that a receiver can be tried.
pub const TEST: &str = "webhook.test";
/// Sent where events went before they could be sent: the receiver is to look for itself.
pub const MISSED: &str = "webhook.missed";

/// What tells jobs and tasks apart.
#[derive(Deserialize, Default)]
struct Ids {
    id: Option<String>,
    job_id: Option<String>,
}

/// The message that tells an event.
pub fn of(event: &Event, place: DeliveryRef) -> WebhookDelivery {
    let ids: Ids = serde_json::from_str(&event.data).unwrap_or_default();
    let subject = ids.id.or(ids.job_id).unwrap_or_else(|| place.to_string());
    WebhookDelivery::new(event.kind.as_str(), subject, time_of(place))
}

fn time_of(place: DeliveryRef) -> DateTime<Utc> {
    let ms = match place {
        DeliveryRef::Event { ms, .. } => i64::try_from(ms).ok(),
        DeliveryRef::Own(_) => None,
    };
    ms.and_then(DateTime::from_timestamp_millis).unwrap_or_else(Utc::now)
}

/// The body of a message. `event`: what it tells; `None` where it is one of our own.
pub fn body(message: &WebhookDelivery, event: Option<&Event>, form: PayloadForm) -> String {
    let data = match (event, form) {
        (Some(event), PayloadForm::Full) => event.data.clone(),
        (Some(event), PayloadForm::Thin) if event.kind.as_str().starts_with("job.") => {
            json!({"job_id": message.subject}).to_string()
        }
        (Some(_), PayloadForm::Thin) => json!({"id": message.subject}).to_string(),
        (None, _) if message.kind == TEST => {
            json!({"message": "a test that somebody asked for; nothing happened"}).to_string()
        }
        (None, _) => {
            json!({"message": "events before this were forgotten before they could be sent; list tasks and jobs"})
                .to_string()
        }
    };
    let time = message.timestamp.to_rfc3339_opts(SecondsFormat::Millis, true);
    // The record is JSON already, and is passed on as it is.
    format!(r#"{{"type":"{}","timestamp":"{time}","data":{data}}}"#, message.kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gleaner_model::EventKind;
    use serde_json::Value;

    #[test]
    fn a_thin_message_names_the_record_and_says_nothing_of_it() {
        let event = |kind, data: &str| Event { id: "1700000000000-0".to_owned(), kind, data: data.to_owned() };
        let task = event(EventKind::TaskCreated, r#"{"id":"t1","title":"secret"}"#);
        let job = event(EventKind::JobFailed, r#"{"job_id":"j1","error":{}}"#);
        for (event, data) in [(&task, json!({"id": "t1"})), (&job, json!({"job_id": "j1"}))] {
            let message = of(event, event.id.parse().unwrap());
            let thin: Value = serde_json::from_str(&body(&message, Some(event), PayloadForm::Thin)).unwrap();
            let expected = json!({"type": event.kind.as_str(), "timestamp": "2023-11-14T22:13:20.000Z", "data": data});
            assert_eq!(thin, expected);
            let full: Value = serde_json::from_str(&body(&message, Some(event), PayloadForm::Full)).unwrap();
            assert_eq!(full["data"].to_string().len(), event.data.len());
        }
    }
}
