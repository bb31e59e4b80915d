//! Where a request comes from, as far as limits and the doors for this machine alone care.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use actix_web::HttpRequest;
use actix_web::dev::RequestHead;
use actix_web::http::header::{HOST, HeaderName};
use actix_web::http::uri::Authority;

/// An IPv4 address, or the /64 of an IPv6 address: what one household has.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Network(IpAddr);

/// Headers that only proxies write, besides those that begin with `x-forwarded`.
const PROXY_HEADERS: [&str; 9] = [
    "forwarded",
    "via",
    "x-real-ip",
    "x-client-ip",
    "x-cluster-client-ip",
    "x-original-forwarded-for",
    "x-original-host",
    "true-client-ip",
    "cf-connecting-ip",
];

impl Network {
    fn of_address(address: IpAddr) -> Network {
        Network(match address.to_canonical() {
            IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from(u128::from(address) >> 64 << 64)),
            address => address,
        })
    }

    /// The network of whoever asks; behind a proxy, of whom the proxy says it is.
    pub fn of(request: &HttpRequest, behind_proxy: bool) -> Network {
        let peer = request.peer_addr().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip());
        let forwarded = behind_proxy.then(|| last_forwarded(request)).flatten();
        Network::of_address(forwarded.unwrap_or(peer))
    }

    /// Whether it is this machine.
    pub fn is_here(self) -> bool {
        self.0.is_loopback()
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

fn last_forwarded(request: &HttpRequest) -> Option<IpAddr> {
    let header = request.headers().get_all("x-forwarded-for").last()?.to_str().ok()?;
    let last = header.rsplit(',').next()?.trim();
    let last = last.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(last);
    last.parse().ok()
}

/// Whether a request was made on this very machine, by a name of this machine, and not handed on by a proxy on it. A proxy that adds
/// no header still asks under the name that the world knows.
pub fn is_from_this_machine(head: &RequestHead) -> bool {
    let near = head.peer_addr.is_some_and(|peer| peer.ip().to_canonical().is_loopback());
    near && !head.headers().keys().any(is_proxy_header) && asks_for_this_machine(head)
}

fn is_proxy_header(name: &HeaderName) -> bool {
    name.as_str().starts_with("x-forwarded") || PROXY_HEADERS.contains(&name.as_str())
}

/// Whether the one `Host` of a request, and the address that it asks for if it is a whole one, name this machine.
fn asks_for_this_machine(head: &RequestHead) -> bool {
    let mut hosts = head.headers().get_all(HOST);
    let (Some(host), None) = (hosts.next(), hosts.next()) else { return false };
    let host = Authority::try_from(host.as_bytes()).ok();
    host.is_some_and(|host| is_loopback_name(&host)) && head.uri.authority().is_none_or(is_loopback_name)
}

fn is_loopback_name(authority: &Authority) -> bool {
    let name = authority.host();
    let address = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(name);
    name.eq_ignore_ascii_case("localhost") || address.parse::<IpAddr>().is_ok_and(|it| it.to_canonical().is_loopback())
}

/// Whether only this machine can reach what listens at these addresses.
pub fn are_loopback(addresses: &[SocketAddr]) -> bool {
    addresses.iter().all(|address| address.ip().to_canonical().is_loopback())
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn network(peer: &str, forwarded: Option<&str>, behind_proxy: bool) -> String {
        let mut request = TestRequest::default().peer_addr(peer.parse().unwrap());
        if let Some(forwarded) = forwarded {
            request = request.insert_header(("x-forwarded-for", forwarded));
        }
        Network::of(&request.to_http_request(), behind_proxy).to_string()
    }

    #[test]
    fn a_household_is_an_ipv4_address_or_half_an_ipv6_address() {
        assert_eq!(network("192.0.2.7:4000", None, false), "192.0.2.7");
        assert_eq!(network("[2001:db8:1:2:3:4:5:6]:4000", None, false), "2001:db8:1:2::");
        assert_eq!(network("[::ffff:192.0.2.7]:4000", None, false), "192.0.2.7");
    }

    #[test]
    fn a_forwarded_address_is_believed_only_behind_a_proxy_and_only_the_last() {
        let claimed = Some("198.51.100.1, 203.0.113.9");
        assert_eq!(network("127.0.0.1:4000", claimed, false), "127.0.0.1");
        assert_eq!(network("127.0.0.1:4000", claimed, true), "203.0.113.9");
        assert_eq!(network("127.0.0.1:4000", Some("nonsense"), true), "127.0.0.1");
    }

    fn is_local(peer: &str, headers: &[(&str, &str)]) -> bool {
        let mut request = TestRequest::with_uri("/mailbox").peer_addr(peer.parse().unwrap());
        for header in headers {
            request = request.append_header(*header);
        }
        is_from_this_machine(request.to_http_request().head())
    }

    #[test]
    fn only_a_request_by_a_name_of_this_machine_comes_from_it() {
        for host in ["localhost", "LocalHost:8080", "127.0.0.1:8080", "127.9.8.7", "[::1]:8080", "[::ffff:127.0.0.1]"] {
            assert!(is_local("127.0.0.1:4000", &[("host", host)]), "{host}");
            assert!(is_local("[::1]:4000", &[("host", host)]), "{host}");
            assert!(!is_local("192.0.2.7:4000", &[("host", host)]), "{host}");
        }
        for host in
            ["", "games.example", "localhost.games.example", "127.0.0.1.nip.io", "10.0.0.1:80", "[::]", "@", ":80"]
        {
            assert!(!is_local("127.0.0.1:4000", &[("host", host)]), "{host}");
        }
        assert!(!is_local("127.0.0.1:4000", &[]), "a request without a Host");
        assert!(!is_local("127.0.0.1:4000", &[("host", "localhost"), ("host", "games.example")]), "two hosts");
    }

    #[test]
    fn whatever_a_proxy_adds_shows_that_there_is_one() {
        for header in ["via", "forwarded", "x-real-ip", "x-forwarded-for", "X-Forwarded-Proto", "x-forwarded-host"] {
            assert!(!is_local("127.0.0.1:4000", &[("host", "localhost"), (header, "https")]), "{header}");
        }
    }

    #[test]
    fn a_whole_address_names_this_machine_too() {
        let asked = |uri: &str| {
            let request = TestRequest::with_uri(uri).insert_header(("host", "localhost"));
            is_from_this_machine(request.peer_addr("127.0.0.1:4000".parse().unwrap()).to_http_request().head())
        };
        assert!(asked("http://localhost:8080/mailbox"));
        assert!(!asked("http://games.example/mailbox"));
    }
}
