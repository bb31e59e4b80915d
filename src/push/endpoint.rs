//! Where notices go: an address that a browser or a player tells, so nobody may use it to reach into our own network.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use url::{Host, Url};

/// The most characters of an address.
const LONGEST: usize = 1000;

const HTTPS: u16 = 443;

/// Which addresses notices and webhooks may go to.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// Those on the Internet, over https.
    #[default]
    Internet,
    /// Private networks and this machine, too, also without encryption: for tests, and for hosts who say so.
    Anywhere,
}

/// The address of a push service, with what it calls a browser, or of a webhook. Whoever knows it can try to send there, so it goes into no log.
#[derive(Clone, PartialEq, Eq)]
pub struct Endpoint(Url);

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Endpoint({}/…)", self.origin())
    }
}

impl Endpoint {
    pub fn parse(text: &str, reach: Reach) -> Option<Endpoint> {
        let url = Url::parse(text).ok().filter(|_| text.len() <= LONGEST)?;
        let has_account = !url.username().is_empty() || url.password().is_some();
        let may_be_reached = match (url.host()?, reach) {
            (_, Reach::Anywhere) => matches!(url.scheme(), "http" | "https"),
            (host, Reach::Internet) => {
                let is_public = match host {
                    Host::Domain(name) => name.contains('.') && !name.ends_with(".localhost"),
                    Host::Ipv4(ip) => is_public(ip.into()),
                    Host::Ipv6(ip) => is_public(ip.into()),
                };
                is_public && url.scheme() == "https" && url.port_or_known_default() == Some(HTTPS)
            }
        };
        (may_be_reached && !has_account).then_some(Endpoint(url))
    }

    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// `https://push.example.org`.
    pub fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }

    pub fn is_https(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// The host as it is asked for in the DNS: an IPv6 address without its brackets.
    pub fn host(&self) -> String {
        match self.0.host() {
            Some(Host::Domain(name)) => name.to_owned(),
            Some(Host::Ipv4(ip)) => ip.to_string(),
            Some(Host::Ipv6(ip)) => ip.to_string(),
            None => String::new(),
        }
    }

    pub fn port(&self) -> u16 {
        self.0.port_or_known_default().unwrap_or(HTTPS)
    }

    /// What is asked of the host: the path, and whatever follows it.
    pub fn path(&self) -> &str {
        &self.0[url::Position::BeforePath..url::Position::AfterQuery]
    }

    /// The host with its port, unless that is the usual one.
    pub fn authority(&self) -> &str {
        &self.0[url::Position::BeforeHost..url::Position::AfterPort]
    }
}

/// Whether an address belongs to the Internet at large: not to this machine, a private network, or anything set apart.
pub fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => is_public_v4(ip),
        IpAddr::V6(ip) => match ip.to_ipv4_mapped() {
            Some(ip) => is_public_v4(ip),
            None => is_public_v6(ip),
        },
    }
}

fn is_public_v4(ip: Ipv4Addr) -> bool {
    let [a, b, c, _] = ip.octets();
    let is_set_apart = matches!((a, b, c), (0 | 240.., _, _) | (100, 64..=127, _) | (192, 0, 0) | (198, 18..=19, _));
    !(is_set_apart
        || ip.is_private()
        || ip.is_loopback()
        || ip.is_link_local()
        || ip.is_multicast()
        || ip.is_documentation())
}

/// All public addresses begin with 001. Those that stand for others (6to4, Teredo) may lead anywhere.
fn is_public_v6(ip: Ipv6Addr) -> bool {
    let [a, b, ..] = ip.segments();
    let leads_elsewhere = a == 0x2002 || (a == 0x2001 && b == 0);
    let is_documentation = a == 0x2001 && b == 0x0db8;
    a & 0xe000 == 0x2000 && !leads_elsewhere && !is_documentation
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_go_to_the_internet_alone() {
        for good in [
            "https://fcm.googleapis.com/fcm/send/abc:def",
            "https://updates.push.services.mozilla.com/wpush/v2/abc?x=1",
            "https://web.push.apple.com:443/abc",
            "https://[2606:4700::1111]/abc",
        ] {
            let endpoint = Endpoint::parse(good, Reach::Internet).unwrap_or_else(|| panic!("{good}"));
            assert!(good.starts_with(&endpoint.origin()), "{good}");
        }
        for bad in [
            "http://push.example.org/abc",
            "https://push.example.org:8443/abc",
            "https://alice:secret@push.example.org/abc",
            "https://localhost/abc",
            "https://house.localhost/abc",
            "https://intranet/abc",
            "https://10.0.0.1/abc",
            "https://127.0.0.1/abc",
            "https://0x7f000001/abc",
            "https://169.254.169.254/latest",
            "https://[::1]/abc",
            "https://[::ffff:10.0.0.1]/abc",
            "https://[fe80::1]/abc",
            "ftp://push.example.org/abc",
            "javascript:alert(1)",
            "",
        ] {
            assert_eq!(Endpoint::parse(bad, Reach::Internet), None, "{bad}");
        }
        let long = format!("https://push.example.org/{}", "a".repeat(LONGEST));
        assert_eq!(Endpoint::parse(&long, Reach::Internet), None);
    }

    #[test]
    fn what_is_asked_of_the_host_is_told_apart_from_the_host() {
        let endpoint = Endpoint::parse("http://[::1]:8080/a/b?c=d#e", Reach::Anywhere).unwrap();
        assert_eq!((endpoint.host().as_str(), endpoint.port()), ("::1", 8080));
        assert_eq!((endpoint.authority(), endpoint.path()), ("[::1]:8080", "/a/b?c=d"));
        assert_eq!(format!("{endpoint:?}"), "Endpoint(http://[::1]:8080/…)");
    }

    #[test]
    fn private_networks_are_known_for_what_they_are() {
        let private = "0.0.0.0 10.0.0.1 100.64.0.1 127.0.0.1 169.254.0.1 172.16.0.1 192.168.1.1 192.0.2.1 198.18.0.1 224.0.0.1 255.255.255.255 \
                       :: ::1 fe80::1 fc00::1 fd12::1 ff02::1 2002:a00:1:: 2001::1 2001:db8::1 64:ff9b::a00:1 ::ffff:192.168.1.1";
        for ip in private.split_whitespace() {
            assert!(!is_public(ip.parse().unwrap()), "{ip}");
        }
        for ip in ["1.1.1.1", "172.32.0.1", "2606:4700::1111", "::ffff:1.1.1.1"] {
            assert!(is_public(ip.parse().unwrap()), "{ip}");
        }
    }
}
