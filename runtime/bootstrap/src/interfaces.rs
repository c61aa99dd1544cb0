//! The addresses of this host.

use std::fmt;
use std::io;
use std::net::IpAddr;
use std::str::FromStr;

use nix::ifaddrs::getifaddrs;
use nix::net::if_::InterfaceFlags;
use nix::sys::socket::SockaddrStorage;

/// An address of a host; as text `ADDRESS/BITS NAME`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The address.
    pub ip: IpAddr,
    /// The length of the network's prefix.
    pub bits: u32,
    /// The network interface.
    pub interface: String,
}

impl Address {
    /// The bits that all addresses of its network have in common, and which they are.
    pub fn network(&self) -> (u128, u32, bool) {
        let (value, width, is_v4) = match self.ip {
            IpAddr::V4(ip) => (u128::from(ip.to_bits()), 32, true),
            IpAddr::V6(ip) => (ip.to_bits(), 128, false),
        };
        let rest = width - self.bits.min(width);
        (value.checked_shr(rest).unwrap_or(0), self.bits, is_v4)
    }

    /// Whether other hosts may reach it: not an address within this host or within one cable.
    pub fn is_global(&self) -> bool {
        match self.ip {
            IpAddr::V4(ip) => !ip.is_loopback() && !ip.is_link_local() && !ip.is_unspecified(),
            IpAddr::V6(ip) => !ip.is_loopback() && !ip.is_unicast_link_local() && !ip.is_unspecified(),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{} {}", self.ip, self.bits, self.interface)
    }
}

impl FromStr for Address {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (network, interface) = text.split_once(' ').ok_or(())?;
        let (ip, bits) = network.split_once('/').ok_or(())?;
        let (ip, bits) = (ip.parse::<IpAddr>().map_err(drop)?, bits.parse().map_err(drop)?);
        // Linux lets no interface have such a name.
        let is_name = !interface.is_empty() && !interface.contains(char::is_whitespace);
        if !is_name || bits > if ip.is_ipv4() { 32 } else { 128 } {
            return Err(());
        }
        Ok(Self { ip, bits, interface: interface.to_owned() })
    }
}

/// All addresses of this host whose interfaces are up.
pub fn addresses() -> io::Result<Vec<Address>> {
    let ip = |address: Option<SockaddrStorage>| {
        let address = address?;
        let v4 = address.as_sockaddr_in().map(|address| IpAddr::V4(address.ip()));
        v4.or_else(|| address.as_sockaddr_in6().map(|address| IpAddr::V6(address.ip())))
    };
    let address = |found: nix::ifaddrs::InterfaceAddress| {
        let bits = match ip(found.netmask)? {
            IpAddr::V4(mask) => mask.to_bits().leading_ones(),
            IpAddr::V6(mask) => mask.to_bits().leading_ones(),
        };
        let is_up = found.flags.contains(InterfaceFlags::IFF_UP);
        Some(Address { ip: ip(found.address)?, bits, interface: found.interface_name }).filter(|_| is_up)
    };
    Ok(getifaddrs()?.filter_map(address).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_address_is_refused() {
        for text in ["", "192.0.2.1", "192.0.2.1/24", "192.0.2.1/33 a", "x/24 a", "::1/129 a", "192.0.2.1/-1 a"] {
            assert_eq!(text.parse::<Address>(), Err(()), "{text}");
        }
        for text in ["192.0.2.1/0 a", "192.0.2.1/32 a", "2001:db8::1/0 a", "2001:db8::1/128 a"] {
            assert_eq!(text.parse::<Address>().expect("an address").to_string(), text);
        }
        let network = |text: &str| text.parse::<Address>().expect("an address").network();
        assert_eq!(network("192.0.2.1/24 a"), network("192.0.2.77/24 b"));
        assert_ne!(network("192.0.2.1/24 a"), network("192.0.3.1/24 a"));
        assert_ne!(network("192.0.2.1/24 a"), network("192.0.2.1/25 a"));
        assert_eq!(network("192.0.2.1/0 a"), network("198.51.100.1/0 a"));
    }

    #[test]
    fn the_loopback_address_is_not_for_others() {
        let all = addresses().expect("a list");
        let local = all.iter().find(|address| address.ip.is_loopback()).expect("every host has it");
        assert!(!local.is_global() && all.iter().filter(|address| address.is_global()).all(|it| !it.ip.is_loopback()));
    }
}
