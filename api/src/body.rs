//! Takes request bodies in, of the API and of the pages: within a size, a time, and a share of the memory.

use crate::{
    config::{ApiConfig, or_unlimited},
    problem::{Code, Problem},
};
use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, HeaderValue, StatusCode, header},
};
use gleaner_runtime::lock;
use http_body_util::BodyExt;
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{Instant, timeout_at},
};

/// Memory is handed out in steps of this many bytes.
const STEP: usize = 16 * 1024;
/// How much of a refused body is read and thrown away, so that its sender gets to see the answer.
const DRAIN_BYTES: usize = 8 << 20;
/// For how long a refused body is read and thrown away.
const DRAIN_TIME: Duration = Duration::from_secs(5);
/// How long a body waits for memory before the answer is 503.
const MEMORY_WAIT: Duration = Duration::from_millis(500);

/// The limits that all requests share.
pub struct BodyLimits {
    max_bytes: usize,
    timeout: Duration,
    memory: Arc<Semaphore>,
}

/// Memory that a body takes; given back when it is dropped.
pub type BodyMemory = Arc<Mutex<Option<OwnedSemaphorePermit>>>;

/// A body that was taken in.
#[derive(Debug)]
pub struct ReceivedBody {
    /// The bytes as they came.
    pub bytes: Vec<u8>,
    _memory: BodyMemory,
}

/// A body on its way in.
pub struct IncomingBody {
    limits: Arc<BodyLimits>,
    max_bytes: usize,
    length: usize,
    deadline: Instant,
    memory: BodyMemory,
}

impl BodyLimits {
    /// The limits as they are set.
    pub fn new(config: &ApiConfig) -> Self {
        let steps = or_unlimited(config.body_memory_mib).saturating_mul((1 << 20) / STEP);
        Self {
            max_bytes: or_unlimited(config.max_body_bytes),
            timeout: config.body_timeout(),
            memory: Arc::new(Semaphore::new(steps.min(Semaphore::MAX_PERMITS))),
        }
    }

    /// A body that begins to arrive, of at most so many bytes.
    ///
    /// # Errors
    /// 413 where more were announced.
    pub fn begin(self: &Arc<Self>, headers: &HeaderMap, max_bytes: usize) -> Result<IncomingBody, Problem> {
        if content_length(headers).is_some_and(|length| length > max_bytes) {
            return Err(too_large(max_bytes));
        }
        let deadline = Instant::now() + self.timeout;
        Ok(IncomingBody { limits: Arc::clone(self), max_bytes, length: 0, deadline, memory: BodyMemory::default() })
    }

    /// Reads a body of one of the `media_types`.
    ///
    /// # Errors
    /// 415 for another media type or any encoding, 413 for too many bytes, 408 when they take too long,
    /// 400 when the connection breaks off, 503 when too much is being read at once.
    pub async fn read(
        self: &Arc<Self>,
        headers: &HeaderMap,
        body: &mut Body,
        media_types: &[&str],
    ) -> Result<ReceivedBody, Problem> {
        check_media_type(headers, media_types)?;
        let mut coming = self.begin(headers, self.max_bytes)?;
        let mut bytes = Vec::with_capacity(content_length(headers).unwrap_or(0).min(STEP));
        while let Some(piece) = coming.next(body).await? {
            bytes.extend_from_slice(&piece);
        }
        Ok(ReceivedBody { bytes, _memory: coming.memory })
    }

    async fn grant(&self, steps: usize) -> Result<OwnedSemaphorePermit, Problem> {
        let busy = || Problem::overloaded("too many large requests are being read; try again shortly");
        let steps = u32::try_from(steps).map_err(|_| busy())?;
        let grant = Arc::clone(&self.memory).acquire_many_owned(steps);
        tokio::time::timeout(MEMORY_WAIT, grant).await.map_err(|_| busy())?.map_err(|_| busy())
    }
}

impl IncomingBody {
    /// The memory that it takes, for as long as it is held.
    pub fn memory(&self) -> BodyMemory {
        Arc::clone(&self.memory)
    }

    /// The next piece; `None` at the end.
    ///
    /// # Errors
    /// 413 for too many bytes, 408 when they take too long, 400 when the connection breaks off, 503 when too much is being
    /// read at once.
    pub async fn next(&mut self, body: &mut Body) -> Result<Option<Bytes>, Problem> {
        loop {
            let frame = match timeout_at(self.deadline, body.frame()).await {
                Err(_) => return Err(too_slow()),
                Ok(None) => return Ok(None),
                Ok(Some(Err(_))) => return Err(Problem::new(Code::MalformedJson, "the body broke off")),
                Ok(Some(Ok(frame))) => frame,
            };
            if let Ok(piece) = frame.into_data() {
                self.count(piece.len()).await?;
                return Ok(Some(piece));
            }
        }
    }

    async fn count(&mut self, bytes: usize) -> Result<(), Problem> {
        self.length += bytes;
        if self.length > self.max_bytes {
            return Err(too_large(self.max_bytes));
        }
        let held = lock(&self.memory).as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let wanted = self.length.div_ceil(STEP).saturating_sub(held);
        if wanted > 0 {
            let more = self.limits.grant(wanted).await?;
            match &mut *lock(&self.memory) {
                Some(memory) => memory.merge(more),
                memory => *memory = Some(more),
            }
        }
        Ok(())
    }
}

fn too_large(max_bytes: usize) -> Problem {
    Problem::new(Code::ContentTooLarge, format!("the body may have at most {max_bytes} bytes"))
}

/// Reads what is left of a refused request's body, within bounds. Closing the connection on unread bytes would reset
/// it, and the sender would never see why; where more is announced than that, reading some of it helps nobody.
pub async fn drain(headers: &HeaderMap, body: &mut Body) {
    let beyond = content_length(headers).is_some_and(|announced| announced > DRAIN_BYTES);
    if beyond || headers.contains_key(header::EXPECT) {
        return;
    }
    let deadline = Instant::now() + DRAIN_TIME;
    let mut left = DRAIN_BYTES;
    while left > 0 {
        let Ok(Some(Ok(frame))) = timeout_at(deadline, body.frame()).await else { return };
        left = left.saturating_sub(frame.data_ref().map_or(0, Bytes::len));
    }
}

fn too_slow() -> Problem {
    Problem::new(Code::InvalidRequest, "the body took too long to arrive")
        .with_status(StatusCode::REQUEST_TIMEOUT)
        .with_header(header::CONNECTION, HeaderValue::from_static("close"))
}

fn content_length(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

fn check_media_type(headers: &HeaderMap, media_types: &[&str]) -> Result<(), Problem> {
    let unsupported = |detail: String| Problem::new(Code::UnsupportedMediaType, detail);
    if let Some(encoding) = headers.get(header::CONTENT_ENCODING)
        && !encoding.as_bytes().eq_ignore_ascii_case(b"identity")
    {
        return Err(unsupported("the body must not be encoded".to_owned())
            .with_header(header::ACCEPT_ENCODING, HeaderValue::from_static("identity")));
    }
    let given = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let mut parts = given.split(';').map(str::trim);
    let essence = parts.next().unwrap_or_default().to_ascii_lowercase();
    let utf8 = parts.filter_map(|part| part.split_once('=')).all(|(name, value)| {
        !name.trim().eq_ignore_ascii_case("charset") || value.trim().trim_matches('"').eq_ignore_ascii_case("utf-8")
    });
    // Whoever takes another kind of text sees to its charset.
    if media_types.contains(&essence.as_str()) && (utf8 || essence != "application/json") {
        return Ok(());
    }
    let problem = unsupported(format!("Content-Type must be {}, JSON in UTF-8", media_types.join(" or ")));
    Err(match HeaderValue::from_str(&media_types.join(", ")) {
        Ok(accepted) => problem.with_header(header::ACCEPT, accepted),
        Err(_) => problem,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(content_type: &str) -> Option<u16> {
        let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, content_type.parse().unwrap())]);
        check_media_type(&headers, &["application/json", "text/vtt"])
            .err()
            .map(|problem| problem.code.status().as_u16())
    }

    #[test]
    fn a_body_is_known_by_its_media_type_whatever_the_case() {
        let json = ["application/json", "Application/JSON; charset=UTF-8", "application/json;charset=\"utf-8\""];
        for good in json.into_iter().chain(["text/vtt", "text/VTT; charset=latin1"]) {
            assert_eq!(status(good), None, "{good}");
        }
        for bad in ["text/plain", "application/jsonx", "application/json; charset=latin1", ""] {
            assert_eq!(status(bad), Some(415), "{bad}");
        }
    }
}
