use crate::world::*;
use gleaner_store::{Error, Store, StoreConfig};
use gleaner_testkit::redis::{RedisServer, free_port};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use std::path::PathBuf;

/// A server that speaks TLS on a second port, and the file of the authority that signed its certificate.
struct TlsServer {
    _server: RedisServer,
    port: u16,
    ca_file: PathBuf,
    _dir: tempfile::TempDir,
}

impl TlsServer {
    fn start() -> Self {
        let dir = tempfile::TempDir::new().unwrap();
        let mut authority = CertificateParams::default();
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let authority_key = KeyPair::generate().unwrap();
        let root = authority.self_signed(&authority_key).unwrap().pem();
        let key = KeyPair::generate().unwrap();
        let leaf = CertificateParams::new(["localhost".to_owned()]).unwrap();
        let leaf = leaf.signed_by(&key, &Issuer::new(authority, authority_key)).unwrap().pem();
        let [ca_file, cert, key_file] = ["ca.pem", "cert.pem", "key.pem"].map(|name| dir.path().join(name));
        for (file, pem) in [(&ca_file, root), (&cert, leaf), (&key_file, key.serialize_pem())] {
            std::fs::write(file, pem).unwrap();
        }
        let port = free_port();
        let [ca, cert, key] = [&ca_file, &cert, &key_file].map(|file| file.display().to_string());
        let server = RedisServer::start(&[
            "--tls-port",
            &port.to_string(),
            "--tls-ca-cert-file",
            &ca,
            "--tls-cert-file",
            &cert,
            "--tls-key-file",
            &key,
            "--tls-auth-clients",
            "no",
        ]);
        Self { _server: server, port, ca_file, _dir: dir }
    }

    fn config(&self, host: &str) -> StoreConfig {
        let mut config = StoreConfig::at(format!("rediss://{host}:{}", self.port));
        config.ca_file = Some(self.ca_file.clone());
        config
    }
}

#[tokio::test]
async fn a_store_behind_tls_is_reached_with_its_authority() {
    let server = TlsServer::start();
    let store = Store::connect(&server.config("localhost")).await.unwrap();
    queue(&store, "a", "1", "text").await;
    assert_eq!(read(&mut store.consumer("w", NEVER).await.unwrap()).await.len(), 1);
}

#[tokio::test]
async fn a_server_that_cannot_prove_who_it_is_is_not_used() {
    let server = TlsServer::start();
    let stranger = TlsServer::start();
    let mut unknown = server.config("localhost");
    unknown.ca_file = Some(stranger.ca_file.clone());
    let mut no_file = server.config("localhost");
    no_file.ca_file = Some(PathBuf::from("/nonexistent/ca.pem"));
    for config in [unknown, no_file, server.config("127.0.0.1")] {
        assert!(matches!(Store::connect(&config).await, Err(Error::Refused(_) | Error::Unavailable(_))), "{config:?}");
    }
}
