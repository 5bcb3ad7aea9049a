//! The admin port, apart from the public one: `/livez`, `/readyz`, `/metrics`.

use crate::{
    Shutdown,
    http::{HttpLimits, serve},
};
use axum::{
    Router,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use prometheus_client::{encoding::text::encode, registry::Registry};
use std::{future::Future, io, net::SocketAddr, sync::Arc, time::Duration};
use tokio::{net::TcpListener, time::timeout};

/// Longest time that a question to the process may take before the answer is "not ready".
const PROBE_TIMEOUT: Duration = Duration::from_secs(2);

/// Where the admin port listens.
#[derive(clap::Args, Clone, Debug)]
pub struct AdminConfig {
    /// Address of the admin port: /livez, /readyz, /metrics
    #[arg(long, env = "GLEANER_ADMIN_LISTEN", default_value = "0.0.0.0:9090", value_name = "ADDRESS")]
    pub admin_listen: SocketAddr,
}

/// What the admin port asks the process it belongs to.
pub trait ReadinessProbe: Send + Sync + 'static {
    /// Whether the process can do its work now.
    ///
    /// # Errors
    /// The reason why not, in a sentence without secrets.
    fn ready(&self) -> impl Future<Output = Result<(), String>> + Send;

    /// Brings gauges up to date that are read from elsewhere, just before they are shown.
    fn refresh(&self) -> impl Future<Output = ()> + Send {
        std::future::ready(())
    }
}

struct Admin<P> {
    probe: P,
    registry: Arc<Registry>,
    shutdown: Shutdown,
}

/// Listens at once, so that a taken address is an error at start, and serves until the process ends.
///
/// # Errors
/// When the address cannot be listened on.
pub async fn start<P: ReadinessProbe>(
    config: &AdminConfig,
    registry: Arc<Registry>,
    probe: P,
    shutdown: &Shutdown,
) -> io::Result<SocketAddr> {
    let listener = TcpListener::bind(config.admin_listen).await?;
    let address = listener.local_addr()?;
    let admin = Arc::new(Admin { probe, registry, shutdown: shutdown.clone() });
    let app = Router::new()
        .route("/livez", get(|| async { "live\n" }))
        .route("/readyz", get(readyz::<P>))
        .route("/metrics", get(metrics::<P>))
        .with_state(admin);
    let limits = HttpLimits::of(64);
    let this = shutdown.clone();
    shutdown.spawn(async move { serve(listener, app, limits, &this).await });
    Ok(address)
}

async fn readyz<P: ReadinessProbe>(State(admin): State<Arc<Admin<P>>>) -> Response {
    if admin.shutdown.is_leaving() {
        return (StatusCode::SERVICE_UNAVAILABLE, "not ready: stopping\n").into_response();
    }
    match timeout(PROBE_TIMEOUT, admin.probe.ready()).await {
        Ok(Ok(())) => "ready\n".into_response(),
        Ok(Err(reason)) => (StatusCode::SERVICE_UNAVAILABLE, format!("not ready: {reason}\n")).into_response(),
        Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "not ready: no answer in time\n").into_response(),
    }
}

async fn metrics<P: ReadinessProbe>(State(admin): State<Arc<Admin<P>>>) -> Response {
    if timeout(PROBE_TIMEOUT, admin.probe.refresh()).await.is_err() {
        tracing::warn!("Showing metrics as they last were: bringing them up to date took too long");
    }
    let mut text = String::new();
    match encode(&mut text, &admin.registry) {
        Ok(()) => ([(header::CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], text)
            .into_response(),
        Err(error) => {
            tracing::error!(error = %error, "Cannot write the metrics");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use prometheus_client::metrics::counter::Counter;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    struct FixedProbe(Result<(), String>, Counter);

    impl ReadinessProbe for FixedProbe {
        async fn ready(&self) -> Result<(), String> {
            self.0.clone()
        }

        async fn refresh(&self) {
            self.1.inc();
        }
    }

    async fn start_with(answer: Result<(), String>) -> (SocketAddr, Shutdown) {
        let (mut registry, counter) = (Registry::default(), Counter::default());
        registry.register("asked", "How often", counter.clone());
        let shutdown = Shutdown::new();
        let config = AdminConfig { admin_listen: "127.0.0.1:0".parse().unwrap() };
        let address = start(&config, Arc::new(registry), FixedProbe(answer, counter), &shutdown).await.unwrap();
        (address, shutdown)
    }

    async fn get(address: SocketAddr, path: &str) -> String {
        let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    }

    #[tokio::test]
    async fn metrics_are_brought_up_to_date_before_they_are_shown() {
        let (address, _shutdown) = start_with(Ok(())).await;
        let answer = get(address, "/metrics").await;
        assert!(answer.contains("asked_total 1") && answer.trim_end().ends_with("# EOF"), "{answer}");
    }

    #[tokio::test]
    async fn a_process_that_lost_the_store_lives_but_is_not_ready() {
        let (address, _shutdown) = start_with(Err("the store is away".to_owned())).await;
        assert!(get(address, "/livez").await.starts_with("HTTP/1.1 200"));
        let answer = get(address, "/readyz").await;
        assert!(answer.starts_with("HTTP/1.1 503") && answer.contains("the store is away"), "{answer}");
    }
}
