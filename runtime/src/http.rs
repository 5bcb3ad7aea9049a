//! An HTTP/1.1 server that nobody can hold: limits on connections (see [`crate::connections`]), a deadline for each
//! request's header, for each connection's idleness and for each write, and a graceful shutdown.

use crate::{
    Shutdown,
    connections::{Answering, ClientConnection, ConnectionLimits, Connections},
    write_deadline::WriteDeadline,
};
use axum::{
    Router,
    body::{Body, Bytes, HttpBody},
    http::{HeaderValue, header},
    response::Response,
};
use hyper::{
    body::{Frame, SizeHint},
    server::conn::http1,
};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use std::{
    future::Future,
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};
use tokio::net::{TcpListener, TcpStream};

/// Bounds of one listening port.
#[derive(Clone, Copy, Debug)]
pub struct HttpLimits {
    /// How long the header of a request may take, and how long a connection may rest before the next one.
    pub header_timeout: Duration,
    /// How long a client may take nothing of an answer that is ready.
    pub write_timeout: Duration,
    /// How many connections there may be.
    pub connections: ConnectionLimits,
    /// Bytes that a request's header may have.
    pub max_header_bytes: usize,
}

impl HttpLimits {
    /// With so many connections, whoever they belong to.
    #[must_use]
    pub fn of(connections: usize) -> Self {
        let all = usize::MAX;
        Self {
            header_timeout: Duration::from_secs(10),
            write_timeout: Duration::from_secs(30),
            connections: ConnectionLimits { total: connections, per_client: all, per_tenant: all, per_token: all },
            max_header_bytes: 64 * 1024,
        }
    }
}

/// Serves `app` until a graceful shutdown begins, then lets open requests finish until it is forced.
pub async fn serve(listener: TcpListener, app: Router, limits: HttpLimits, shutdown: &Shutdown) {
    let (connections, open) = (Connections::new(limits.connections), GracefulShutdown::new());
    let mut protocol = http1::Builder::new();
    protocol.timer(TokioTimer::new()).header_read_timeout(limits.header_timeout);
    // hyper wants a buffer of at least 8 KiB.
    protocol.max_buf_size(limits.max_header_bytes.max(8 * 1024));
    loop {
        let accepted = tokio::select! {
            accepted = accept(&listener, &connections) => accepted,
            () = shutdown.stopping() => break,
        };
        let Some((stream, connection)) = accepted else { continue };
        let (app, leaving, this) = (app.clone(), shutdown.clone(), connection.clone());
        let service = tower::service_fn(move |mut request: hyper::Request<hyper::body::Incoming>| {
            request.extensions_mut().insert(this.clone());
            answered(tower::ServiceExt::oneshot(app.clone(), request), leaving.clone(), this.answering())
        });
        let stream = TokioIo::new(WriteDeadline::new(stream, limits.write_timeout));
        let served = open.watch(protocol.serve_connection(stream, TowerToHyperService::new(service)));
        shutdown.spawn(async move {
            tokio::select! {
                // A client that goes away in the middle of a request is no event of ours.
                _ = served => {}
                () = connection.gives_way() => {}
            }
        });
    }
    drop(listener);
    tokio::select! {
        () = open.shutdown() => {}
        () = shutdown.aborted() => {}
    }
}

/// An answer, under way until it was handed over. Once the end is announced, each answer is the last of its connection: a
/// client that would send the next request just as the connection is closed would not know whether it arrived.
async fn answered<E>(
    answer: impl Future<Output = Result<Response, E>>,
    leaving: Shutdown,
    answering: Answering,
) -> Result<hyper::Response<UnderWay>, E> {
    let mut answer = answer.await?;
    if leaving.is_leaving() {
        answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    Ok(answer.map(|body| UnderWay { body, _answering: answering }))
}

/// The body of an answer that is under way.
struct UnderWay {
    body: Body,
    _answering: Answering,
}

impl HttpBody for UnderWay {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The next connection, once there is room for it.
async fn accept(listener: &TcpListener, connections: &Arc<Connections>) -> Option<(TcpStream, ClientConnection)> {
    match listener.accept().await {
        Ok((stream, peer)) => {
            // Answers are small and written whole: waiting for more bytes to send would only delay them.
            if let Err(error) = stream.set_nodelay(true) {
                tracing::debug!(error = %error, "A connection ended while it was being accepted");
            }
            Some((stream, connections.admit(peer.ip().to_canonical()).await?))
        }
        Err(error) => {
            refused(&error).await;
            None
        }
    }
}

/// Out of file descriptors, accepting fails at once, again and again, until a connection ends.
async fn refused(error: &io::Error) {
    let client_left = matches!(error.kind(), io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset);
    if !client_left {
        tracing::warn!(error = %error, "Cannot accept a connection; trying again in a second");
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shares::Holder;
    use axum::{Extension, routing::get};
    use std::net::SocketAddr;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    async fn start(limits: HttpLimits) -> (SocketAddr, Shutdown) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, shutdown) = (listener.local_addr().unwrap(), Shutdown::new());
        let app = Router::new().route("/", get(|| async { "hello" }));
        let this = shutdown.clone();
        shutdown.spawn(async move { serve(listener, app, limits, &this).await });
        (address, shutdown)
    }

    /// An answer that nobody can take at once, to somebody who does not give way.
    async fn endless(Extension(connection): Extension<ClientConnection>) -> Bytes {
        let holder = Holder { tenant: "a".to_owned(), token: "t".to_owned() };
        connection.belongs_to(&holder).unwrap();
        Bytes::from(vec![b'x'; 64 << 20])
    }

    async fn ask(address: SocketAddr) -> String {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    }

    #[tokio::test]
    async fn a_client_that_keeps_its_connection_is_sent_elsewhere_once_the_end_is_announced() {
        let (address, shutdown) = start(HttpLimits::of(100)).await;
        let mut stream = TcpStream::connect(address).await.unwrap();
        for (announced, ends) in [(false, false), (true, true)] {
            if announced {
                shutdown.leave();
            }
            stream.write_all(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
            let mut answer = vec![0; 1024];
            let length = stream.read(&mut answer).await.unwrap();
            let answer = String::from_utf8_lossy(&answer[..length]).into_owned();
            assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
            assert_eq!(answer.contains("connection: close"), ends, "{answer}");
        }
        assert!(ask(address).await.contains("hello"), "new connections are still served");
    }

    #[tokio::test]
    async fn a_client_that_never_ends_its_header_is_cut_off() {
        let limits = HttpLimits { header_timeout: Duration::from_millis(50), ..HttpLimits::of(100) };
        let (address, _shutdown) = start(limits).await;
        let mut slow = TcpStream::connect(address).await.unwrap();
        slow.write_all(b"GET / HTTP/1.1\r\nx-slow: ").await.unwrap();
        let mut rest = Vec::new();
        // Resolves only because the server closes the connection.
        let _ = slow.read_to_end(&mut rest).await;
        assert!(ask(address).await.ends_with("hello"));
    }

    #[tokio::test]
    async fn a_client_that_does_not_read_its_answer_is_cut_off() {
        let limits = HttpLimits { write_timeout: Duration::from_millis(100), ..HttpLimits::of(1) };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, shutdown) = (listener.local_addr().unwrap(), Shutdown::new());
        let app = Router::new().route("/", get(|| async { "hello" })).route("/endless", get(endless));
        let this = shutdown.clone();
        shutdown.spawn(async move { serve(listener, app, limits, &this).await });
        let mut greedy = TcpStream::connect(address).await.unwrap();
        greedy.write_all(b"GET /endless HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
        // The one slot is free again only because the server gives up.
        assert!(ask(address).await.ends_with("hello"));
    }

    #[tokio::test]
    async fn a_connection_over_the_limit_takes_the_place_of_one_that_rests() {
        let limits = HttpLimits { header_timeout: Duration::from_secs(600), ..HttpLimits::of(1) };
        let (address, _shutdown) = start(limits).await;
        let _idle = TcpStream::connect(address).await.unwrap();
        assert!(ask(address).await.ends_with("hello"));
    }

    #[tokio::test]
    async fn a_graceful_shutdown_ends_the_server_and_its_idle_connections() {
        let (address, shutdown) = start(HttpLimits::of(100)).await;
        let _idle = TcpStream::connect(address).await.unwrap();
        assert!(ask(address).await.ends_with("hello"));
        shutdown.stop();
        shutdown.finished().await;
        assert!(TcpStream::connect(address).await.is_err());
    }
}
