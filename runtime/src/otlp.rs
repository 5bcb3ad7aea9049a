//! Export of traces to an OpenTelemetry collector: OTLP over HTTP, as JSON. Off unless an endpoint is set.
//!
//! Spans are collected as they close and sent a few at a time. Tracing never holds up the work: what the collector does
//! not take in time is dropped, and the log says how much.

use crate::{Shutdown, trace::TraceParent};
use serde_json::{Value, json};
use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tracing::{
    Level, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
};
use tracing_subscriber::{Layer, layer::Context, registry::LookupSpan};

/// Closed spans that may wait to be sent.
const WAITING: usize = 4096;
/// Most spans of one request.
const BATCH: usize = 512;
/// How long a span may wait for its batch to fill.
const BATCH_DELAY: Duration = Duration::from_secs(2);
/// How long the collector may take.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The field of a span that names the span before it, wherever that was.
const PARENT: &str = "trace.parent";

/// Why the export cannot start.
#[derive(Debug, thiserror::Error)]
pub enum OtlpError {
    /// The endpoint is no URL.
    #[error("GLEANER_OTLP_ENDPOINT must be a URL such as http://collector:4318")]
    Endpoint,
    /// The HTTP client does not start.
    #[error("cannot start an HTTP client: {0}")]
    Client(#[from] reqwest::Error),
}

/// Collects spans that have ended, up to a bound, for the exporter.
pub(crate) struct Collector {
    closed: Sender<Value>,
    dropped: Arc<AtomicU64>,
}

/// Sends what was collected.
pub struct Exporter {
    http: reqwest::Client,
    url: reqwest::Url,
    service: String,
    closed: Receiver<Value>,
    dropped: Arc<AtomicU64>,
}

/// What is known of an open span.
struct OpenSpan {
    trace_context: TraceParent,
    before: Option<u64>,
    begun: SystemTime,
    fields: SpanAttributes,
}

/// Both ends of the export of one process's spans.
pub(crate) fn export(endpoint: &str, service: &str) -> Result<(Collector, Exporter), OtlpError> {
    let url = format!("{}/v1/traces", endpoint.trim_end_matches('/'));
    let url: reqwest::Url = url.parse().map_err(|_| OtlpError::Endpoint)?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(OtlpError::Endpoint);
    }
    let http = reqwest::Client::builder().timeout(TIMEOUT).redirect(reqwest::redirect::Policy::none()).build()?;
    let (sender, closed) = channel(WAITING);
    let dropped = Arc::<AtomicU64>::default();
    let exporter = Exporter { http, url, service: service.to_owned(), closed, dropped: dropped.clone() };
    Ok((Collector { closed: sender, dropped }, exporter))
}

/// The trace context of a span: its trace and its own id, for whoever continues it elsewhere. `None` where nothing is
/// exported.
#[must_use]
pub fn trace_context(span: &tracing::Span) -> Option<TraceParent> {
    span.with_subscriber(|(id, subscriber)| {
        let registry = subscriber.downcast_ref::<tracing_subscriber::Registry>()?;
        let data = registry.span(id)?;
        data.extensions().get::<OpenSpan>().map(|open| open.trace_context)
    })
    .flatten()
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Collector {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut fields = SpanAttributes::default();
        attributes.record(&mut fields);
        let around = span.parent().and_then(|parent| Some(parent.extensions().get::<OpenSpan>()?.trace_context));
        let before = fields.parent.as_deref().and_then(TraceParent::parse).or(around);
        let fresh = TraceParent { sampled: true, ..TraceParent::start() };
        let trace_context = before.map_or(fresh, |before| TraceParent { trace_id: before.trace_id, ..fresh });
        let open =
            OpenSpan { trace_context, before: before.map(|before| before.span_id), begun: SystemTime::now(), fields };
        span.extensions_mut().insert(open);
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        if let Some(span) = context.span(id)
            && let Some(open) = span.extensions_mut().get_mut::<OpenSpan>()
        {
            values.record(&mut open.fields);
        }
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let Some(span) = context.span(&id) else { return };
        let Some(open) = span.extensions_mut().remove::<OpenSpan>() else { return };
        let failed = *span.metadata().level() == Level::ERROR;
        if self.closed.try_send(open.closed(span.name(), failed)).is_err() {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl OpenSpan {
    /// The span as OTLP has it.
    fn closed(self, name: &str, failed: bool) -> Value {
        json!({
            "traceId": format!("{:032x}", self.trace_context.trace_id),
            "spanId": format!("{:016x}", self.trace_context.span_id),
            "parentSpanId": self.before.map(|id| format!("{id:016x}")).unwrap_or_default(),
            "name": name,
            "kind": 1,
            "startTimeUnixNano": nanoseconds(self.begun),
            "endTimeUnixNano": nanoseconds(SystemTime::now()),
            "attributes": self.fields.attributes,
            "status": if failed { json!({ "code": 2 }) } else { json!({}) },
        })
    }
}

fn nanoseconds(time: SystemTime) -> String {
    time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos().to_string()
}

/// The fields of a span as attributes.
#[derive(Default)]
struct SpanAttributes {
    attributes: Vec<Value>,
    parent: Option<String>,
}

impl SpanAttributes {
    fn put(&mut self, field: &Field, value: Value) {
        self.attributes.push(json!({ "key": field.name(), "value": value }));
    }
}

impl Visit for SpanAttributes {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == PARENT {
            self.parent = Some(value.to_owned());
        } else if !value.is_empty() {
            self.put(field, json!({ "stringValue": value }));
        }
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, json!({ "intValue": value.to_string() }));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, json!({ "intValue": value.to_string() }));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, json!({ "boolValue": value }));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.record_str(field, &format!("{value:?}"));
    }
}

impl Exporter {
    /// Sends spans until the process is told to end, then those that have closed by then; what closes later is not sent.
    pub async fn run(mut self, shutdown: Shutdown) {
        loop {
            let mut spans = Vec::new();
            tokio::select! {
                count = self.closed.recv_many(&mut spans, BATCH) => if count == 0 { return },
                () = shutdown.stopping() => break,
            }
            if spans.len() < BATCH {
                tokio::select! {
                    () = tokio::time::sleep(BATCH_DELAY) => {}
                    () = shutdown.stopping() => {}
                }
                while let (true, Ok(span)) = (spans.len() < BATCH, self.closed.try_recv()) {
                    spans.push(span);
                }
            }
            self.send(spans).await;
        }
        let mut last = Vec::new();
        while let Ok(span) = self.closed.try_recv() {
            last.push(span);
        }
        self.send(last).await;
    }

    async fn send(&self, spans: Vec<Value>) {
        if spans.is_empty() {
            return;
        }
        let count = spans.len() as u64;
        let resource = json!({ "attributes": [
            { "key": "service.name", "value": { "stringValue": self.service } },
            { "key": "service.version", "value": { "stringValue": env!("CARGO_PKG_VERSION") } },
        ] });
        let scope = json!({ "scope": { "name": "gleaner" }, "spans": spans });
        let body = json!({ "resourceSpans": [{ "resource": resource, "scopeSpans": [scope] }] });
        let sent = self.http.post(self.url.clone()).json(&body).send().await.and_then(|r| r.error_for_status());
        let lost = self.dropped.swap(0, Ordering::Relaxed) + if sent.is_ok() { 0 } else { count };
        let error = sent.err().map(|error| error.without_url().to_string()).unwrap_or_default();
        if lost > 0 {
            tracing::warn!(trace.dropped = lost, error, "The trace collector did not take all spans");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::{
        io::{AsyncReadExt as _, AsyncWriteExt as _},
        net::TcpListener,
    };
    use tracing_subscriber::layer::SubscriberExt as _;

    #[tokio::test]
    async fn a_span_reaches_the_collector_within_the_trace_that_it_was_told_to_continue() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let (collector, exporter) = export(&endpoint, "gleaner-test").unwrap();
        let before = TraceParent::start();
        let continued = tracing::subscriber::with_default(tracing_subscriber::registry().with(collector), || {
            let span = tracing::info_span!("job", job.id = 7, trace.parent = before.to_string());
            let _inner = span.in_scope(|| tracing::info_span!("inner"));
            trace_context(&span).unwrap()
        });
        assert_eq!(continued.trace_id, before.trace_id);
        let shutdown = Shutdown::new();
        shutdown.stop();
        tokio::spawn(exporter.run(shutdown));
        let (mut stream, _) = listener.accept().await.unwrap();
        let (mut request, mut part) = (String::new(), [0; 4096]);
        while !request.contains("\"inner\"") || !request.contains("\"job\"") {
            let read = stream.read(&mut part).await.unwrap();
            request.push_str(&String::from_utf8_lossy(&part[..read]));
        }
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}").await.unwrap();
        assert!(request.starts_with("POST /v1/traces"));
        assert!(request.contains(&format!("{:016x}", before.span_id)), "it follows from the span that was named");
        assert!(request.contains(&format!("\"parentSpanId\":\"{:016x}\"", continued.span_id)), "and the inner from it");
    }

    #[test]
    fn an_endpoint_that_is_no_url_is_refused() {
        assert!(matches!(export("collector:4318", "x"), Err(OtlpError::Endpoint)));
    }
}
