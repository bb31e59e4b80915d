//! Where a request comes from, as far as limits and the mailbox care.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use actix_web::HttpRequest;

/// An IPv4 address, or the /64 of an IPv6 address: what one household has.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Network(IpAddr);

/// Headers that only proxies write.
const PROXY_HEADERS: [&str; 4] = ["x-forwarded-for", "forwarded", "x-real-ip", "via"];

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

/// Whether a request was made on this very machine, and not handed on by a proxy on it.
pub fn is_from_this_machine(request: &HttpRequest) -> bool {
    let near = request.peer_addr().is_some_and(|peer| peer.ip().to_canonical().is_loopback());
    near && !PROXY_HEADERS.iter().any(|name| request.headers().contains_key(*name))
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

    #[test]
    fn only_a_request_without_a_proxy_comes_from_this_machine() {
        let request = TestRequest::default().peer_addr("127.0.0.1:4000".parse().unwrap());
        assert!(is_from_this_machine(&request.to_http_request()));
        let request = TestRequest::default().peer_addr("127.0.0.1:4000".parse().unwrap());
        assert!(!is_from_this_machine(&request.insert_header(("via", "1.1 proxy")).to_http_request()));
        let request = TestRequest::default().peer_addr("192.0.2.7:4000".parse().unwrap());
        assert!(!is_from_this_machine(&request.to_http_request()));
    }
}
