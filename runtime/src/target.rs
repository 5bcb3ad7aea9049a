//! Where requests that tenants ask for may go: to public addresses over TLS, and elsewhere only where an admin says so.
//!
//! A name is checked after it was resolved, and the connection goes to the address that was checked: [`TargetRules`] is
//! also the resolver of the HTTP client. So a name that changes its mind gains nothing.

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    sync::Arc,
};
use url::{Host, Url};

/// Longest URL that is taken, in bytes.
const MAX_URL: usize = 2_048;

/// What an admin allows beyond what is public.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Webhooks")]
#[group(id = "webhook_targets")]
pub struct TargetConfig {
    /// Networks that webhooks may reach though they are not public, e.g. 10.20.0.0/16; several with commas
    #[arg(long, env = "GLEANER_WEBHOOK_ALLOW_CIDRS", value_delimiter = ',', value_name = "CIDR")]
    pub webhook_allow_cidrs: Vec<IpNet>,
    /// Let webhooks go over plain http:// too
    #[arg(long, env = "GLEANER_WEBHOOK_ALLOW_HTTP")]
    pub webhook_allow_http: bool,
}

/// Decides where requests may go.
#[derive(Clone, Debug)]
pub struct TargetRules(Arc<TargetConfig>);

/// Why a request may not go there; follows the name of the member.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// The text is no URL with a host.
    #[error("must be a URL such as https://example.com/hook, of at most {MAX_URL} characters")]
    NoUrl,
    /// The scheme is http, and no admin allows it.
    #[error("must begin with https://")]
    Scheme,
    /// A login would be kept and shown.
    #[error("must not hold a user name or password")]
    Login,
    /// The address is not public, and no admin allows it.
    #[error("must not lead to {0}, which is not a public address")]
    Address(IpAddr),
}

impl TargetRules {
    /// Rules with what an admin allows.
    #[must_use]
    pub fn new(config: TargetConfig) -> Self {
        Self(Arc::new(config))
    }

    /// Whether a request may go to that URL. Where the host is a name, its addresses are checked at the connection.
    ///
    /// # Errors
    /// [`TargetError`] says why not.
    pub fn check_url(&self, text: &str) -> Result<Url, TargetError> {
        // The URL's own parser knows 0x7f.1, 2130706433 and 0177.0.0.1 for what they are.
        let url = Url::parse(text).ok().filter(|_| text.len() <= MAX_URL).ok_or(TargetError::NoUrl)?;
        match url.scheme() {
            "https" => {}
            "http" if self.0.webhook_allow_http => {}
            "http" => return Err(TargetError::Scheme),
            _ => return Err(TargetError::NoUrl),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(TargetError::Login);
        }
        match url.host() {
            Some(Host::Ipv4(address)) => self.check_address(address.into())?,
            Some(Host::Ipv6(address)) => self.check_address(address.into())?,
            Some(Host::Domain(name)) if !name.is_empty() => {}
            _ => return Err(TargetError::NoUrl),
        }
        Ok(url)
    }

    /// Whether a connection may go to that address.
    ///
    /// # Errors
    /// [`TargetError::Address`] where it may not.
    pub fn check_address(&self, address: IpAddr) -> Result<(), TargetError> {
        let meant = meant_by(address);
        let allowed = self.0.webhook_allow_cidrs.iter().any(|net| net.contains(&meant) || net.contains(&address));
        if allowed || is_public(meant) { Ok(()) } else { Err(TargetError::Address(meant)) }
    }

    /// The addresses of a name as they may be connected to. One forbidden among them is enough to refuse all: which one is
    /// taken would be a matter of luck.
    fn admitted(&self, found: Vec<SocketAddr>) -> Result<Addrs, TargetError> {
        found.iter().try_for_each(|address| self.check_address(address.ip()))?;
        Ok(Box::new(found.into_iter()))
    }
}

impl Resolve for TargetRules {
    fn resolve(&self, name: Name) -> Resolving {
        let rules = self.clone();
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            Ok(rules.admitted(found)?)
        })
    }
}

/// The address that is reached: IPv4 hides within IPv6 in several ways.
fn meant_by(address: IpAddr) -> IpAddr {
    let IpAddr::V6(v6) = address else { return address };
    let [first, second, third, .., seventh, eighth] = v6.segments();
    let embedded = |high: u16, low: u16| IpAddr::V4(Ipv4Addr::from((u32::from(high) << 16) | u32::from(low)));
    if v6.to_ipv4_mapped().is_some() || NAT64.contains(&v6) {
        embedded(seventh, eighth)
    } else if first == 0x2002 {
        embedded(second, third)
    } else {
        address
    }
}

/// Where a translator to IPv4 listens.
const NAT64: Ipv6Net = Ipv6Net::new_assert(Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96);

const fn v4(a: u8, b: u8, c: u8, d: u8, prefix: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), prefix)
}

/// IPv4 that is not public (IANA's registry of special-purpose addresses), and where a cloud tells its secrets.
const NOT_PUBLIC_V4: [Ipv4Net; 17] = [
    v4(0, 0, 0, 0, 8),
    v4(10, 0, 0, 0, 8),
    v4(100, 64, 0, 0, 10),
    v4(127, 0, 0, 0, 8),
    v4(168, 63, 129, 16, 32),
    v4(169, 254, 0, 0, 16),
    v4(172, 16, 0, 0, 12),
    v4(192, 0, 0, 0, 24),
    v4(192, 0, 2, 0, 24),
    v4(192, 31, 196, 0, 24),
    v4(192, 88, 99, 0, 24),
    v4(192, 168, 0, 0, 16),
    v4(198, 18, 0, 0, 15),
    v4(198, 51, 100, 0, 24),
    v4(203, 0, 113, 0, 24),
    v4(224, 0, 0, 0, 4),
    v4(240, 0, 0, 0, 4),
];

/// Of IPv6 only this is handed out to the public,
const PUBLIC_V6: Ipv6Net = Ipv6Net::new_assert(Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// Networks within those above that are not public.
const NOT_PUBLIC_V6: [Ipv6Net; 3] = [
    Ipv6Net::new_assert(Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    Ipv6Net::new_assert(Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    Ipv6Net::new_assert(Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];

fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => !NOT_PUBLIC_V4.iter().any(|net| net.contains(&v4)),
        IpAddr::V6(v6) => PUBLIC_V6.contains(&v6) && !NOT_PUBLIC_V6.iter().any(|net| net.contains(&v6)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        collections::VecDeque,
        sync::{
            Mutex,
            atomic::{AtomicUsize, Ordering::Relaxed},
        },
    };
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    fn rules(cidrs: &[&str], http: bool) -> TargetRules {
        TargetRules::new(TargetConfig {
            webhook_allow_cidrs: cidrs.iter().map(|text| text.parse().unwrap()).collect(),
            webhook_allow_http: http,
        })
    }

    #[test]
    fn what_is_not_public_is_refused_in_every_form() {
        let hosts = [
            "127.0.0.1",
            "127.1",
            "2130706433",
            "0x7f000001",
            "0177.0.0.1",
            "0x7f.1",
            "0",
            "0.0.0.0",
            "10.1.2.3",
            "012.1.2.3",
            "100.64.0.1",
            "100.100.100.200",
            "168.63.129.16",
            "169.254.169.254",
            "2852039166",
            "0xa9.0xfe.0xa9.0xfe",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.192",
            "192.168.0.1",
            "198.18.0.1",
            "224.0.0.1",
            "239.255.255.250",
            "240.0.0.1",
            "255.255.255.255",
            "１２７.０.０.１",
            "[::]",
            "[::1]",
            "[::127.0.0.1]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "[::ffff:a9fe:a9fe]",
            "[0:0:0:0:0:ffff:10.0.0.1]",
            "[64:ff9b::127.0.0.1]",
            "[64:ff9b::a9fe:a9fe]",
            "[64:ff9b:1::1]",
            "[2002:7f00:1::]",
            "[2002:a9fe:a9fe::1]",
            "[2001::1]",
            "[2001:db8::1]",
            "[3fff::1]",
            "[100::1]",
            "[fc00::1]",
            "[fd00:ec2::254]",
            "[fe80::1]",
            "[fec0::1]",
            "[ff02::1]",
        ];
        for host in hosts {
            let refused = rules(&[], true).check_url(&format!("https://{host}/hook"));
            assert!(matches!(refused, Err(TargetError::Address(_))), "{host}: {refused:?}");
        }
    }

    #[test]
    fn what_is_public_passes() {
        for host in ["example.com", "93.184.216.34", "[2606:2800:220:1::1]", "[64:ff9b::5db8:d822]", "172.32.0.1"] {
            assert!(rules(&[], false).check_url(&format!("https://{host}:8443/a?b=c")).is_ok(), "{host}");
        }
    }

    #[test]
    fn an_admin_allows_networks_and_http() {
        let inside = rules(&["10.20.0.0/16", "fd00::/8"], false);
        assert!(inside.check_url("https://10.20.1.1/").is_ok() && inside.check_url("https://[fd12::1]/").is_ok());
        assert!(inside.check_url("https://[::ffff:10.20.1.1]/").is_ok(), "as the address that is meant");
        assert!(inside.check_url("https://10.21.1.1/").is_err());
        assert_eq!(inside.check_url("http://example.com/"), Err(TargetError::Scheme));
        assert!(rules(&[], true).check_url("http://example.com/").is_ok());
    }

    #[test]
    fn only_plain_urls_are_taken() {
        for text in ["", "example.com", "ftp://example.com/", "file:///etc/passwd", "https://", "javascript:alert(1)"] {
            assert_eq!(rules(&[], true).check_url(text), Err(TargetError::NoUrl), "{text}");
        }
        assert_eq!(rules(&[], true).check_url("https://me:mine@example.com/"), Err(TargetError::Login));
        assert_eq!(rules(&[], true).check_url(&format!("https://a/{}", "x".repeat(2_048))), Err(TargetError::NoUrl));
    }

    #[tokio::test]
    async fn a_name_is_checked_where_it_leads() {
        let name = || "localhost".parse::<Name>().unwrap();
        let Err(error) = rules(&[], true).resolve(name()).await else { panic!("localhost is not public") };
        assert!(matches!(error.downcast_ref(), Some(TargetError::Address(_))));
        let found: Vec<_> = rules(&["127.0.0.0/8", "::1/128"], true).resolve(name()).await.ok().unwrap().collect();
        assert!(!found.is_empty());
    }

    /// A name server that says something else each time.
    struct Fickle(TargetRules, Mutex<VecDeque<Vec<SocketAddr>>>);

    impl Resolve for Fickle {
        fn resolve(&self, _: Name) -> Resolving {
            let admitted = self.0.admitted(self.1.lock().unwrap().pop_front().unwrap());
            Box::pin(async move { Ok(admitted?) })
        }
    }

    /// A server that answers each connection, and how many there were.
    async fn serve(address: SocketAddr) -> (SocketAddr, Arc<AtomicUsize>) {
        let listener = tokio::net::TcpListener::bind(address).await.unwrap();
        let (address, count) = (listener.local_addr().unwrap(), Arc::new(AtomicUsize::new(0)));
        let counted = Arc::clone(&count);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                counted.fetch_add(1, Relaxed);
                // What nobody has read is answered with a reset.
                _ = stream.read(&mut [0; 4096]).await;
                _ = stream.write_all(b"HTTP/1.1 204 None\r\nconnection: close\r\n\r\n").await;
            }
        });
        (address, count)
    }

    #[tokio::test]
    async fn a_name_that_changes_its_mind_leads_nowhere_else() {
        // Stands for a public address; its neighbour of the same port is none.
        let (there, wanted) = serve("127.0.0.2:0".parse().unwrap()).await;
        let (inside, reached) = serve(SocketAddr::new(Ipv4Addr::LOCALHOST.into(), there.port())).await;
        let answers = VecDeque::from([vec![there], vec![inside], vec![there, inside], vec![there]]);
        let fickle = Fickle(rules(&["127.0.0.2/32"], true), Mutex::new(answers));
        let http = reqwest::Client::builder().dns_resolver(Arc::new(fickle)).no_proxy().build().unwrap();
        let ask = || http.post(format!("http://hooks.example:{}/", there.port())).send();
        let mut refused = Vec::new();
        for _ in 0..4 {
            refused.push(ask().await.is_err());
        }
        assert_eq!(refused, [false, true, true, false]);
        assert_eq!((wanted.load(Relaxed), reached.load(Relaxed)), (2, 0));
    }
}
