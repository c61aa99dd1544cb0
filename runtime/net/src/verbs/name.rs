//! What processes tell each other in order to connect: the name of each, which all have, and one message in each
//! direction when one of them first uses the other.

use super::choice::Layer;
use std::net::{IpAddr, SocketAddr};

/// The bytes that a message to a process must contain: whoever knows its name has them.
pub(super) type Token = [u8; 16];

/// By what peers reach a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    /// Where its listener is.
    pub(super) address: SocketAddr,
    pub(super) token: Token,
    /// The kind of its port.
    pub(super) layer: Layer,
}

/// One end of a connection: a queue pair, and the port that it uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct End {
    /// The number of the queue pair.
    pub(super) number: u32,
    /// The number of the first packet that it sends.
    pub(super) first: u32,
    pub(super) gid: [u8; 16],
    /// On InfiniBand, the port's address in the subnet.
    pub(super) lid: u16,
    /// The largest packet, as the library counts them.
    pub(super) mtu: u8,
    /// How many reads and atomic operations may be under way in its direction.
    pub(super) reads: u8,
}

/// The kind and version of these messages.
const KIND: [u8; 4] = *b"ibv2";

impl Name {
    const BYTES: usize = 4 + 16 + 2 + 16 + 1;

    pub(super) fn bytes(&self) -> Vec<u8> {
        let ip = match self.address.ip() {
            IpAddr::V4(ip) => ip.to_ipv6_mapped(),
            IpAddr::V6(ip) => ip,
        };
        [&KIND[..], &ip.octets(), &self.address.port().to_le_bytes(), &self.token, &[self.layer as u8]].concat()
    }

    /// From what a process sent. The error follows the words that say whose name it is.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        if bytes.len() != Self::BYTES {
            return Err(format!("has {} bytes instead of {}", bytes.len(), Self::BYTES));
        }
        let mut rest = bytes;
        if take(&mut rest) != KIND {
            return Err("is not of this kind of network".to_owned());
        }
        let ip = IpAddr::from(take::<16>(&mut rest)).to_canonical();
        let port = u16::from_le_bytes(take(&mut rest));
        let token = take(&mut rest);
        let layer = match take(&mut rest) {
            [layer] if layer == Layer::InfiniBand as u8 => Layer::InfiniBand,
            [layer] if layer == Layer::Ethernet as u8 => Layer::Ethernet,
            [layer] => return Err(format!("has a port of the unknown kind {layer}")),
        };
        Ok(Self { address: SocketAddr::new(ip, port), token, layer })
    }
}

impl End {
    pub(super) const BYTES: usize = 28;

    pub(super) fn bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..4].copy_from_slice(&self.number.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.first.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.gid);
        bytes[24..26].copy_from_slice(&self.lid.to_le_bytes());
        bytes[26..].copy_from_slice(&[self.mtu, self.reads]);
        bytes
    }

    pub(super) fn read(bytes: [u8; Self::BYTES]) -> Self {
        let mut rest = &bytes[..];
        let [number, first] = [(); 2].map(|()| u32::from_le_bytes(take(&mut rest)));
        let gid = take(&mut rest);
        let lid = u16::from_le_bytes(take(&mut rest));
        let [mtu, reads] = take(&mut rest);
        Self { number, first, gid, lid, mtu, reads }
    }
}

/// What a process sends to one that it wants to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Request {
    /// Of the process that is asked.
    pub(super) token: Token,
    /// Of the process that asks.
    pub(super) end: End,
}

impl Request {
    pub(super) const BYTES: usize = 16 + End::BYTES;

    pub(super) fn bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..16].copy_from_slice(&self.token);
        bytes[16..].copy_from_slice(&self.end.bytes());
        bytes
    }

    pub(super) fn read(bytes: [u8; Self::BYTES]) -> Self {
        let mut rest = &bytes[..];
        Self { token: take(&mut rest), end: End::read(take(&mut rest)) }
    }
}

/// The first bytes, which have to be there.
fn take<const N: usize>(rest: &mut &[u8]) -> [u8; N] {
    let (first, after) = rest.split_first_chunk().expect("the length was checked");
    *rest = after;
    *first
}

#[cfg(test)]
mod tests {
    use super::*;

    const END: End = End { number: 0x1234, first: 0xff_fffe, gid: [7; 16], lid: 0x102, mtu: 3, reads: 16 };

    #[test]
    fn a_name_comes_back_as_it_was() {
        for address in ["127.0.0.1:40000", "[fe80::1]:1", "[::1]:65535"] {
            for layer in [Layer::InfiniBand, Layer::Ethernet] {
                let name = Name { address: address.parse().expect("an address"), token: [3; 16], layer };
                assert_eq!(Name::read(&name.bytes()), Ok(name));
            }
        }
    }

    #[test]
    fn another_name_is_refused() {
        let layer = Layer::Ethernet;
        let name = Name { address: "10.0.0.1:2".parse().expect("an address"), token: [3; 16], layer }.bytes();
        assert_eq!(Name::read(&name[1..]), Err("has 38 bytes instead of 39".to_owned()));
        let unknown = [&name[..38], &[7]].concat();
        assert_eq!(Name::read(&unknown), Err("has a port of the unknown kind 7".to_owned()));
        assert_eq!(Name::read(&[&b"ofi"[..], &name[3..]].concat()), Err("is not of this kind of network".to_owned()));
    }

    #[test]
    fn messages_come_back_as_they_were() {
        assert_eq!(End::read(END.bytes()), END);
        let request = Request { token: [9; 16], end: END };
        assert_eq!(Request::read(request.bytes()), request);
    }
}

#[cfg(test)]
mod fuzz {
    use super::*;
    use cushmem_fuzz::{Parser, is_one_line, within};

    #[test]
    fn verbs_name() {
        let layer = Layer::Ethernet;
        let name = Name { address: "10.0.0.1:2".parse().expect("an address"), token: [3; 16], layer };
        Parser::new("verbs_name", env!("CARGO_PKG_NAME")).sample("one", name.bytes()).run(|bytes| {
            match within(256, || Name::read(bytes)) {
                Ok(name) => assert!(Name::read(&name.bytes()) == Ok(name)),
                Err(why) => is_one_line(&why, bytes),
            }
        });
    }
}
