//! Records to begin with: a test names what matters to it and takes the rest from here, `Mention { due, ..mention("m", "t") }`.

use chrono::{DateTime, NaiveDate, Utc};
use gleaner_model::{
    Due, EventKind, Item, ItemKey, JobId, Mention, OccurredAt, Owner, PayloadForm, PlainToken, Quote, Reason, Scope,
    ScopeSet, SignatureVersion, SigningSecret, Subject, TaskId, TaskStatus, TenantId, UnknownMembers, Urgency, Webhook,
    WebhookId, WebhookOrigin, learning::Signals,
};
use gleaner_store::{Admission, Credential, Origin, RateLimit, Store};
use serde_json::Value;

/// What one meeting says of one task.
pub fn mention(external_id: &str, title: &str) -> Mention {
    Mention {
        item: item_key(external_id),
        item_title: Some("Weekly".to_owned()),
        occurred_at: "2026-03-03T15:00:00Z".parse().unwrap(),
        job_id: JobId::new(),
        content_sha256: "0".repeat(64),
        title: title.to_owned(),
        owner: Some(Owner { name: "Dana Reyes".to_owned(), is_me: true }),
        waiting_on: None,
        due: None,
        status: TaskStatus::Open,
        urgency: Urgency::Normal,
        confidence: 0.9,
        explicit: false,
        quotes: vec![Quote {
            text: format!("I'll {title}"),
            start: 6,
            end: 11 + title.chars().count(),
            speaker: Some("Dana".to_owned()),
            at_s: Some(431.0),
        }],
        reasons: vec![Reason::new("first person promise", 1.5)],
        links: Vec::new(),
        signals: Signals::default(),
        moved_days: 0,
        reported: None,
        unknown: UnknownMembers::new(),
    }
}

/// The same, owed by somebody else.
pub fn owed_by(name: &str, mention: Mention) -> Mention {
    Mention { owner: Some(Owner { name: name.to_owned(), is_me: false }), waiting_on: Some(name.to_owned()), ..mention }
}

/// The same, due on a day.
pub fn due(date: &str, mention: Mention) -> Mention {
    let date: NaiveDate = date.parse().unwrap();
    Mention { due: Some(Due { date, text: Some("by then".to_owned()) }), ..mention }
}

/// The same, said at another time.
pub fn said_at(time: &str, mention: Mention) -> Mention {
    let occurred_at: DateTime<Utc> = time.parse().unwrap();
    Mention { occurred_at, ..mention }
}

/// An id that no task has.
pub fn unknown_task_id() -> TaskId {
    TaskId::new()
}

/// An item of a meeting, with that text.
pub fn item(external_id: &str, transcript: &str) -> Item {
    Item {
        key: item_key(external_id),
        transcript: transcript.to_owned(),
        occurred_at: OccurredAt::utc("2026-03-03T15:00:00Z".parse().unwrap()),
        title: None,
        metadata: Default::default(),
    }
}

/// The name of an item of a meeting.
pub fn item_key(external_id: &str) -> ItemKey {
    ItemKey { source_type: "meeting".parse().unwrap(), external_id: external_id.parse().unwrap() }
}

/// A submission of an item, without limits.
pub fn admission(tenant: &TenantId, item: Item) -> Admission {
    Admission {
        job_id: JobId::new(),
        tenant: tenant.clone(),
        token_id: "test".parse().unwrap(),
        subject: Subject::named("Dana Reyes"),
        item,
        occurred_at_given: true,
        client_key: None,
        rate: RateLimit::OFF,
        tenant_rate: RateLimit::OFF,
        backlog_cap: 0,
        request_id: "test".to_owned(),
        traceparent: None,
    }
}

/// A credential for a token.
pub fn credential(token: &PlainToken, tenant: &str, scopes: &[Scope]) -> Credential {
    Credential {
        hash: token.hash(),
        token_id: token.id(),
        tenant: TenantId::new(tenant).unwrap(),
        name: Some("test".to_owned()),
        subject: Subject { aliases: vec!["Dana".to_owned()], ..Subject::named("Dana Reyes") },
        scopes: scopes.iter().copied().collect::<ScopeSet>(),
        created_at: Utc::now(),
        expires_at: None,
        suspended: false,
        last_used_at: None,
        made_by: None,
        origin: Origin::Store,
    }
}

/// A token with these scopes, which the store knows.
pub async fn new_token(store: &Store, tenant: &str, scopes: &[Scope]) -> PlainToken {
    let token = PlainToken::mint().unwrap();
    store.put_credential(&credential(&token, tenant, scopes)).await.unwrap();
    token
}

/// An endpoint that is told everything.
pub fn webhook(url: &str) -> Webhook {
    Webhook {
        id: WebhookId::new(),
        url: url.to_owned(),
        events: EventKind::ALL.into_iter().collect(),
        payload: PayloadForm::Full,
        description: None,
        enabled: true,
        secret: SigningSecret::mint(SignatureVersion::V1).unwrap(),
        previous: None,
        created_at: Utc::now(),
        origin: WebhookOrigin::Api,
    }
}

/// A time as the API writes it.
#[track_caller]
pub fn time(value: &Value) -> DateTime<Utc> {
    let text = value.as_str().unwrap_or_else(|| panic!("a time, not {value}"));
    assert!(text.ends_with('Z'), "{text} is in UTC with Z");
    assert!(text.len() <= "2026-03-03T15:00:00.000Z".len(), "{text} counts milliseconds");
    text.parse().unwrap()
}
