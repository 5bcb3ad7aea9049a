//! Reads the store's URL: one server, a Cluster, or a master that Sentinels know.

use crate::{Error, StoreConfig};
use redis::{
    AsyncConnectionConfig, Client, ConnectionAddr, ConnectionInfo, IntoConnectionInfo, TlsCertificates, TlsMode,
    cluster::ClusterClient,
    sentinel::{SentinelClient, SentinelClientBuilder, SentinelServerType},
};
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::Mutex;

/// How to open a connection.
pub(crate) enum Topology {
    Single(Client),
    /// A client of the whole, and one of each seed node: a subscription may be held at any node.
    Cluster(ClusterClient, Vec<Client>),
    Sentinel(Mutex<SentinelClient>),
}

impl Topology {
    /// # Errors
    /// [`Error::Refused`] when the URL or the CA file cannot be read.
    pub(crate) fn read(config: &StoreConfig) -> Result<Self, Error> {
        let url = Url::read(config.url.expose_secret())?;
        let certificates = certificates(config)?;
        if url.tls {
            // Fails only when the process has chosen a provider before: that one serves as well.
            let _ = rustls::crypto::ring::default_provider().install_default();
        }
        match url.kind {
            TopologyKind::Single => Ok(Self::Single(client(&url.nodes(config)?[0], url.tls, certificates.as_ref())?)),
            TopologyKind::Cluster => Self::cluster(config, &url.nodes(config)?, certificates),
            TopologyKind::Sentinel => Self::sentinel(config, &url, certificates),
        }
    }

    /// The Cluster that a URL of one server turned out to belong to.
    pub(crate) fn cluster_at(config: &StoreConfig) -> Result<Self, Error> {
        Self::cluster(config, &Url::read(config.url.expose_secret())?.nodes(config)?, certificates(config)?)
    }

    fn cluster(
        config: &StoreConfig,
        nodes: &[ConnectionInfo],
        certificates: Option<TlsCertificates>,
    ) -> Result<Self, Error> {
        let tls = matches!(nodes[0].addr(), ConnectionAddr::TcpTls { .. });
        let seeds = nodes.iter().map(|node| client(node, tls, certificates.as_ref())).collect::<Result<_, _>>()?;
        let mut builder = ClusterClient::builder(nodes.to_vec())
            .connection_timeout(config.connect_timeout())
            // A node that is silent for so long may have lost its slots to another.
            .response_timeout(config.timeout())
            .overall_response_timeout(Some(config.timeout().max(config.response_timeout())))
            // Redirections; whatever takes time is repeated by the connection.
            .retries(3)
            .min_retry_wait(10)
            .max_retry_wait(50);
        if let (true, Some(certificates)) = (tls, certificates) {
            builder = builder.certs(certificates);
        }
        Ok(Self::Cluster(builder.build()?, seeds))
    }

    fn sentinel(config: &StoreConfig, url: &Url, certificates: Option<TlsCertificates>) -> Result<Self, Error> {
        let nodes = url.nodes(config)?;
        let settings = nodes[0].redis_settings().clone();
        let sentinels = nodes.iter().map(|node| node.addr().clone());
        let mut builder = SentinelClientBuilder::new(sentinels, &url.master, SentinelServerType::Master)?
            .set_client_to_redis_db(settings.db());
        if let Some(name) = settings.username() {
            builder = builder.set_client_to_redis_username(name);
        }
        if let Some(password) = settings.password() {
            builder = builder.set_client_to_redis_password(password);
        }
        if let Some(password) = &config.sentinel_password {
            builder = builder.set_client_to_sentinel_password(password.expose_secret());
        }
        if url.tls {
            builder = builder.set_client_to_redis_tls_mode(TlsMode::Secure);
            if let Some(certificates) = certificates {
                builder = builder
                    .set_client_to_redis_certificates(certificates.clone())
                    .set_client_to_sentinel_certificates(certificates);
            }
        }
        Ok(Self::Sentinel(Mutex::new(builder.build()?)))
    }

    /// The clients to try for a connection that belongs to one node: a subscription.
    pub(crate) async fn nodes(&self) -> Result<Vec<Client>, Error> {
        Ok(match self {
            Self::Single(client) => vec![client.clone()],
            Self::Cluster(_, seeds) => seeds.clone(),
            Self::Sentinel(sentinel) => vec![sentinel.lock().await.async_get_client().await?],
        })
    }
}

/// Waits and buffers of a connection to one server.
pub(crate) fn connection_config(config: &StoreConfig) -> AsyncConnectionConfig {
    AsyncConnectionConfig::new()
        .set_connection_timeout(Some(config.connect_timeout()))
        .set_response_timeout(Some(config.response_timeout()))
        .set_pipeline_buffer_size(1024)
}

fn client(node: &ConnectionInfo, tls: bool, certificates: Option<&TlsCertificates>) -> Result<Client, Error> {
    Ok(match certificates {
        Some(certificates) if tls => Client::build_with_tls(node.clone(), certificates.clone())?,
        _ => Client::open(node.clone())?,
    })
}

fn certificates(config: &StoreConfig) -> Result<Option<TlsCertificates>, Error> {
    let Some(path) = &config.ca_file else { return Ok(None) };
    let root = std::fs::read(path)
        .map_err(|error| Error::Refused(format!("the CA file {} cannot be read: {error}", path.display())))?;
    Ok(Some(TlsCertificates { client_tls: None, root_cert: Some(root) }))
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TopologyKind {
    Single,
    Cluster,
    Sentinel,
}

/// The parts of a store URL; nodes still as text.
struct Url {
    kind: TopologyKind,
    tls: bool,
    /// `user:password@`, or nothing.
    login: String,
    hosts: Vec<String>,
    /// Name of the master that the Sentinels know.
    master: String,
    /// `/db`, `?…` and `#insecure` as they stand.
    rest: String,
}

impl Url {
    fn read(text: &str) -> Result<Self, Error> {
        let refused = |why: &str| Error::Refused(format!("the store's URL {why}"));
        let (scheme, after) = text.split_once("://").ok_or_else(|| refused("has no scheme such as redis://"))?;
        let (kind, tls) = match scheme {
            "redis" | "valkey" => (TopologyKind::Single, false),
            "rediss" | "valkeys" => (TopologyKind::Single, true),
            "redis+cluster" => (TopologyKind::Cluster, false),
            "rediss+cluster" => (TopologyKind::Cluster, true),
            "redis+sentinel" => (TopologyKind::Sentinel, false),
            "rediss+sentinel" => (TopologyKind::Sentinel, true),
            _ => {
                return Err(refused(
                    "must begin with redis://, rediss://, redis[s]+cluster:// or redis[s]+sentinel://",
                ));
            }
        };
        let (authority, path) = after.find(['/', '?', '#']).map_or((after, ""), |at| after.split_at(at));
        let (login, hosts) = authority.rfind('@').map_or(("", authority), |at| authority.split_at(at + 1));
        let (master, rest) = if kind == TopologyKind::Sentinel { split_master(path) } else { ("", path) };
        if kind == TopologyKind::Sentinel && master.is_empty() {
            return Err(refused("must name the Sentinels' master: redis+sentinel://host:26379/master"));
        }
        let default_port = if kind == TopologyKind::Sentinel { ":26379" } else { ":6379" };
        let with_port = |host: &str| {
            let has_port = host.rsplit_once(':').is_some_and(|(_, port)| port.bytes().all(|c| c.is_ascii_digit()));
            if has_port { host.to_owned() } else { format!("{host}{default_port}") }
        };
        let hosts: Vec<_> = hosts.split(',').filter(|host| !host.is_empty()).map(with_port).collect();
        if hosts.is_empty() || (kind == TopologyKind::Single && hosts.len() > 1) {
            return Err(refused("must name one host, or several with redis+cluster:// or redis+sentinel://"));
        }
        Ok(Self { kind, tls, login: login.to_owned(), hosts, master: master.to_owned(), rest: rest.to_owned() })
    }

    /// How to reach each host, with the login of the URL, else of the settings.
    fn nodes(&self, config: &StoreConfig) -> Result<Vec<ConnectionInfo>, Error> {
        let scheme = if self.tls { "rediss" } else { "redis" };
        self.hosts
            .iter()
            .map(|host| {
                let node = format!("{scheme}://{}{host}{}", self.login, self.rest).into_connection_info()?;
                Ok(log_in(node, config.username.as_deref(), config.password.as_ref()))
            })
            .collect()
    }
}

fn log_in(node: ConnectionInfo, username: Option<&str>, password: Option<&SecretString>) -> ConnectionInfo {
    let mut settings = node.redis_settings().clone();
    if let (None, Some(name)) = (settings.username(), username) {
        settings = settings.set_username(name);
    }
    if let (None, Some(password)) = (settings.password(), password) {
        settings = settings.set_password(password.expose_secret());
    }
    node.set_redis_settings(settings)
}

/// `/master/0` → `master`, `/0`.
fn split_master(path: &str) -> (&str, &str) {
    let path = path.strip_prefix('/').unwrap_or(path);
    path.find(['/', '?', '#']).map_or((path, ""), |at| path.split_at(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (TopologyKind, bool, Vec<String>, String, String) {
        let url = Url::read(text).unwrap();
        (url.kind, url.tls, url.hosts, url.master, url.rest)
    }

    #[test]
    fn every_form_of_url_is_read() {
        assert_eq!(
            read("redis://h"),
            (TopologyKind::Single, false, vec!["h:6379".into()], String::new(), String::new())
        );
        assert_eq!(
            read("rediss://u:p%40@h:1/3"),
            (TopologyKind::Single, true, vec!["h:1".into()], String::new(), "/3".into())
        );
        assert_eq!(
            read("redis+cluster://a,b:7001"),
            (TopologyKind::Cluster, false, vec!["a:6379".into(), "b:7001".into()], String::new(), String::new())
        );
        assert_eq!(
            read("redis+sentinel://:p@a,[::1]:5/main/2"),
            (TopologyKind::Sentinel, false, vec!["a:26379".into(), "[::1]:5".into()], "main".into(), "/2".into())
        );
    }

    #[test]
    fn a_url_that_cannot_be_meant_says_what_is_wrong() {
        for text in ["localhost:6379", "http://h", "redis://", "redis://a,b", "redis+sentinel://h"] {
            assert!(matches!(Url::read(text), Err(Error::Refused(_))), "{text}");
        }
    }

    #[test]
    fn settings_log_in_where_the_url_does_not() {
        let mut config = StoreConfig::at("redis://h");
        config.username = Some("app".to_owned());
        config.password = Some(SecretString::from("s".to_owned()));
        let login = |text: &str| {
            let node = Url::read(text).unwrap().nodes(&config).unwrap().remove(0);
            (node.redis_settings().username().map(str::to_owned), node.redis_settings().password().map(str::to_owned))
        };
        assert_eq!(login("redis://h"), (Some("app".into()), Some("s".into())));
        assert_eq!(login("redis://me:mine@h"), (Some("me".into()), Some("mine".into())));
    }
}
