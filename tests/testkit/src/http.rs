//! A client that sends what it is told to, byte for byte, and reads one answer.

use serde_json::Value;
use std::{net::SocketAddr, time::Duration};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

/// Longest wait for anything: only a hanging server takes as long.
pub const TIMEOUT: Duration = Duration::from_secs(60);

/// A request to be sent.
#[derive(Clone)]
pub struct HttpRequest {
    address: SocketAddr,
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

/// What came back.
#[derive(Debug)]
pub struct HttpResponse {
    /// The status.
    pub status: u16,
    headers: Vec<(String, String)>,
    /// The body, no longer chunked.
    pub body: Vec<u8>,
}

impl HttpRequest {
    /// A request without headers of its own and without a body.
    pub fn new(address: SocketAddr, method: &str, path: &str) -> Self {
        Self { address, method: method.into(), path: path.into(), headers: Vec::new(), body: Vec::new() }
    }

    /// A form as a browser on one of our pages sends it.
    pub fn form(address: SocketAddr, path: &str) -> Self {
        let request = Self::new(address, "POST", path).header("sec-fetch-site", "same-origin");
        request.header("content-type", "application/x-www-form-urlencoded")
    }

    /// With a bearer token.
    pub fn token(self, token: &str) -> Self {
        self.header("authorization", &format!("Bearer {token}"))
    }

    /// With a header.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// A JSON body.
    pub fn json(self, body: &Value) -> Self {
        self.body("application/json", body.to_string())
    }

    /// A body of any kind.
    pub fn body(mut self, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        if content_type.is_empty() { self } else { self.header("content-type", content_type) }
    }

    /// Where it goes.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The head as it goes over the wire.
    pub fn head(&self) -> String {
        let mut head = format!("{} {} HTTP/1.1\r\nhost: gleaner\r\nconnection: close\r\n", self.method, self.path);
        let framed = self.headers.iter().any(|(name, _)| name == "content-length" || name == "transfer-encoding");
        if !framed && (!self.body.is_empty() || matches!(self.method.as_str(), "POST" | "PATCH")) {
            head += &format!("content-length: {}\r\n", self.body.len());
        }
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        head + "\r\n"
    }

    fn bytes(&self) -> Vec<u8> {
        [self.head().as_bytes(), &self.body].concat()
    }

    /// Sends it, and reads the answer.
    pub async fn send(self) -> HttpResponse {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        // The server may answer and close before it has read everything.
        let _ = stream.write_all(&self.bytes()).await;
        read_answer(&mut stream, self.method == "HEAD").await
    }

    /// The answer, if the server is there and lives long enough to give one.
    pub async fn attempt(&self) -> Option<HttpResponse> {
        let mut stream = TcpStream::connect(self.address).await.ok()?;
        stream.write_all(&self.bytes()).await.ok()?;
        let mut answer = Vec::new();
        timeout(TIMEOUT, stream.read_to_end(&mut answer)).await.expect("the server hangs").ok()?;
        (!answer.is_empty()).then(|| HttpResponse::parse(&answer, self.method == "HEAD"))
    }

    /// Sends it and hangs up without waiting for the answer.
    pub async fn abandon(&self) {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(&self.bytes()).await.unwrap();
    }
}

/// Reads one answer, to the end of the connection.
pub async fn read_answer(stream: &mut TcpStream, no_body: bool) -> HttpResponse {
    let mut bytes = Vec::new();
    timeout(TIMEOUT, stream.read_to_end(&mut bytes)).await.expect("the server hangs").expect("an answer");
    HttpResponse::parse(&bytes, no_body)
}

impl HttpResponse {
    fn parse(bytes: &[u8], no_body: bool) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
        let end = end.unwrap_or_else(|| panic!("no answer: {text:?}"));
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let mut lines = head.split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers: Vec<_> = lines
            .map(|line| line.split_once(':').unwrap())
            .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
            .collect();
        let mut body = bytes[end + 4..].to_vec();
        if headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked") {
            body = dechunked(&body);
        }
        let answer = Self { status, headers, body };
        if let (false, Some(length)) = (no_body, answer.header("content-length")) {
            assert_eq!(length.parse(), Ok(answer.body.len()), "content-length tells the truth");
        }
        answer
    }

    /// The value of a header that stands there at most once.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str());
        let first = found.next();
        assert!(found.next().is_none(), "{name} stands there twice");
        first
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).expect("UTF-8")
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// The answer, if it has that status.
    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", String::from_utf8_lossy(&self.body));
        self
    }

    /// A problem with that status and code and everything that each problem has.
    #[track_caller]
    pub fn problem(&self, status: u16, code: &str) -> Value {
        assert_eq!(self.status, status, "{}", String::from_utf8_lossy(&self.body));
        assert_eq!(self.header("content-type"), Some("application/problem+json"));
        let body = self.json();
        assert_eq!(body["code"], code, "{body}");
        assert_eq!(body["type"], format!("https://gleaner.dev/problems/{code}"));
        assert_eq!(body["status"], status);
        assert_eq!(body["request_id"].as_str(), self.header("x-request-id"));
        for member in ["title", "detail"] {
            assert!(body[member].as_str().is_some_and(|text| !text.is_empty()), "{body}");
        }
        body
    }
}

/// Reads one answer with a known length off a connection that is kept, as benches do: head and body as text.
pub fn read_kept(stream: &mut std::net::TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let read = std::io::Read::read(stream, &mut piece).unwrap();
        assert!(read > 0, "the server closed the connection");
        bytes.extend_from_slice(&piece[..read]);
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length =
                head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ").map(str::to_owned));
            if body.len() >= length.unwrap().trim().parse().unwrap() {
                return text.into_owned();
            }
        }
    }
}

fn dechunked(mut rest: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    while let Some(end) = rest.windows(2).position(|window| window == b"\r\n") {
        let size = usize::from_str_radix(std::str::from_utf8(&rest[..end]).unwrap(), 16).unwrap();
        if size == 0 {
            break;
        }
        out.extend_from_slice(&rest[end + 2..end + 2 + size]);
        rest = &rest[end + 4 + size..];
    }
    out
}
