//! The way to the API server.

use kube::{Client, Config};

/// Settles which implementation of TLS the process uses. More than one may be linked in, and then rustls wants to be told.
pub fn choose_cryptography() {
    // Fails only when the process has chosen before: that one serves as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// A client for the API server that the environment names, as kubectl would find it or as a pod does, and the namespace
/// that is meant where none is said.
///
/// # Errors
/// When the environment names no API server.
pub async fn client() -> Result<(Client, String), kube::Error> {
    choose_cryptography();
    let config = Config::infer().await.map_err(kube::Error::InferConfig)?;
    let namespace = config.default_namespace.clone();
    Ok((Client::try_from(config)?, namespace))
}
