//! What tenants are told by events. Each happening is an event of its own: nothing is remembered of those that were
//! written, whatever the number of ApiTokens, and no right to change an event is needed.

use gleaner_crds::ApiToken;
use k8s_openapi::{
    api::{core::v1::ObjectReference, events::v1::Event},
    apimachinery::pkg::apis::meta::v1::MicroTime,
    jiff::Timestamp,
};
use kube::{Resource as _, api::ObjectMeta};

/// Longest note that the API server takes, in bytes.
const MAX_NOTE_BYTES: usize = 1_024;
/// How much of the ApiToken's name stands in the event's own, which must stay within 253 characters.
const MAX_NAME_BYTES: usize = 220;

/// Whether people should be warned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EventSeverity {
    Normal,
    Warning,
}

/// Who tells: the controller's name, and that of this process.
#[derive(Clone, Debug)]
pub struct Reporter {
    /// The controller's name, as events show it in `reportingController`.
    pub controller: &'static str,
    /// This process among its kind.
    pub instance: String,
}

/// The event about an ApiToken.
pub(crate) fn event(token: &ApiToken, reporter: &Reporter, kind: EventSeverity, reason: &str, note: &str) -> Event {
    let now = Timestamp::now();
    let about: ObjectReference = token.object_ref(&());
    let name = shortened(about.name.as_deref().unwrap_or_default(), MAX_NAME_BYTES).trim_end_matches(['.', '-']);
    Event {
        metadata: ObjectMeta {
            namespace: about.namespace.clone(),
            name: Some(format!("{name}.{:x}", now.as_nanosecond())),
            ..ObjectMeta::default()
        },
        action: Some("Reconcile".to_owned()),
        event_time: Some(MicroTime(now)),
        note: Some(shortened(note, MAX_NOTE_BYTES).to_owned()),
        reason: Some(reason.to_owned()),
        regarding: Some(about),
        reporting_controller: Some(reporter.controller.to_owned()),
        reporting_instance: Some(reporter.instance.clone()),
        type_: Some(format!("{kind:?}")),
        ..Event::default()
    }
}

/// At most so many bytes of a text, cut between two characters.
fn shortened(text: &str, most: usize) -> &str {
    let end = (0..=text.len().min(most)).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_fits_whatever_the_name_and_the_note_are() {
        let token = ApiToken::new(&"x".repeat(253), gleaner_crds::ApiTokenSpec::default());
        let reporter = Reporter { controller: "gleaner-controller", instance: "one".to_owned() };
        let made = event(&token, &reporter, EventSeverity::Warning, "Suspended", &"é".repeat(2_000));
        assert!(made.metadata.name.unwrap().len() <= 253);
        assert_eq!(made.note.unwrap().len(), MAX_NOTE_BYTES);
        assert_eq!(made.type_.as_deref(), Some("Warning"));
    }
}
