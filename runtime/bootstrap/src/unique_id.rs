//! A job's unique id: where its rendezvous is, and the secret that proves that a process belongs to the job.
//!
//! ```text
//!  byte  0     4        6     8      10       12     20            52
//!        | magic | version | port | zero | count | node | secret, 32 B | count × address, 16 B, IPv4 mapped into IPv6 |
//! ```
//!
//! **Proof.** The id itself is never sent. Each side of a new connection sends 32 random bytes, and proves that it has
//! the secret with an HMAC-SHA-256 over the random bytes of both. Each proof names the side that gives it, so that
//! neither side can return the other's proof. The member's first message is a greeting that depends on its own bytes
//! alone: it tells the server whom to wait for, before anything was sent to strangers, but it proves nothing, because
//! somebody may have recorded it. Later messages are neither encrypted nor signed: anybody who can change
//! packets in the network can disturb a job.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

/// The length of a unique id in bytes.
pub const UNIQUE_ID_BYTES: usize = 128;
/// Length of the random bytes that each side of a connection contributes to the proofs.
pub(crate) const NONCE_BYTES: usize = 32;
/// Length of a proof in bytes.
pub(crate) const PROOF_BYTES: usize = 32;

const MAGIC: [u8; 4] = *b"cshm";
const VERSION: u16 = 1;
const SECRET_AT: usize = 20;
const ADDRESSES_AT: usize = 52;
const ADDRESS_BYTES: usize = 16;
const MAX_ADDRESSES: usize = (UNIQUE_ID_BYTES - ADDRESSES_AT) / ADDRESS_BYTES;

/// The identity of a job whose processes join without a launcher: where they meet, and a secret.
///
/// One process creates it with [`UniqueId::create`](crate::UniqueId::create) and distributes it to the others in any
/// way that keeps it secret. Its text form is 256 hexadecimal digits.
///
/// ```
/// # use cushmem_bootstrap::{UNIQUE_ID_BYTES, UniqueId};
/// let id = UniqueId::create()?;
/// // Either form can be sent to the other processes.
/// let (text, bytes): (String, [u8; UNIQUE_ID_BYTES]) = (id.to_string(), id.to_bytes());
/// assert!(text.parse() == Ok(id) && UniqueId::from_bytes(bytes) == Ok(id));
/// # std::io::Result::Ok(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct UniqueId([u8; UNIQUE_ID_BYTES]);

/// The side that gives a proof.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Side {
    Server,
    Member,
}

/// Random bytes from the operating system.
pub(crate) fn random<const N: usize>() -> std::io::Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(std::io::Error::from)?;
    Ok(bytes)
}

/// Identifies a node in an id.
pub(crate) fn mark(node: &str) -> [u8; 8] {
    Sha256::digest(node.as_bytes()).first_chunk().copied().unwrap_or_default()
}

impl UniqueId {
    /// An id with a new secret, for a server that listens on this port at these addresses, on this node.
    pub(crate) fn new(addresses: &[IpAddr], port: u16, node: &str) -> std::io::Result<Self> {
        let mut bytes = [0; UNIQUE_ID_BYTES];
        let count = addresses.len().min(MAX_ADDRESSES);
        bytes[..4].copy_from_slice(&MAGIC);
        bytes[4..6].copy_from_slice(&VERSION.to_le_bytes());
        bytes[6..8].copy_from_slice(&port.to_le_bytes());
        bytes[10..12].copy_from_slice(&(count as u16).to_le_bytes());
        bytes[12..SECRET_AT].copy_from_slice(&mark(node));
        bytes[SECRET_AT..ADDRESSES_AT].copy_from_slice(&random::<{ ADDRESSES_AT - SECRET_AT }>()?);
        for (address, to) in addresses.iter().zip(bytes[ADDRESSES_AT..].chunks_exact_mut(ADDRESS_BYTES)) {
            let address = match address {
                IpAddr::V4(address) => address.to_ipv6_mapped(),
                IpAddr::V6(address) => *address,
            };
            to.copy_from_slice(&address.octets());
        }
        Ok(UniqueId(bytes))
    }

    /// An id that all processes derive from the same secret. It says nothing about where its server listens.
    pub(crate) fn of_secret(secret: [u8; ADDRESSES_AT - SECRET_AT]) -> Self {
        let mut bytes = [0; UNIQUE_ID_BYTES];
        bytes[SECRET_AT..ADDRESSES_AT].copy_from_slice(&secret);
        UniqueId(bytes)
    }

    /// Returns the id as bytes, to be sent to the other processes.
    pub fn to_bytes(&self) -> [u8; UNIQUE_ID_BYTES] {
        self.0
    }

    /// Reads an id from bytes. The error says why they are not an id.
    pub fn from_bytes(bytes: [u8; UNIQUE_ID_BYTES]) -> Result<Self, String> {
        let id = UniqueId(bytes);
        if bytes[..4] != MAGIC {
            return Err("its first bytes are not those of an id that this library has made".into());
        }
        let version = id.u16_at(4);
        if version != VERSION {
            return Err(format!(
                "it is of version {version}, expected {VERSION}: the PEs use different versions of cushmem"
            ));
        }
        let count = usize::from(id.u16_at(10));
        if id.u16_at(6) == 0 || count == 0 || count > MAX_ADDRESSES {
            return Err(format!("it is damaged: port {}, {count} addresses", id.u16_at(6)));
        }
        Ok(id)
    }

    fn u16_at(&self, at: usize) -> u16 {
        u16::from_le_bytes([self.0[at], self.0[at + 1]])
    }

    fn secret(&self) -> &[u8] {
        &self.0[SECRET_AT..ADDRESSES_AT]
    }

    /// Whether processes of this node can reach the server: it is on this node, or has other addresses than loopback.
    pub(crate) fn is_reachable_from(&self, node: &str) -> bool {
        self.0[12..SECRET_AT] == mark(node) || self.addresses().iter().any(|address| !address.ip().is_loopback())
    }

    /// The addresses of the server.
    pub(crate) fn addresses(&self) -> Vec<SocketAddr> {
        let port = self.u16_at(6);
        let (addresses, _) = self.0[ADDRESSES_AT..].as_chunks::<ADDRESS_BYTES>();
        let count = usize::from(self.u16_at(10));
        addresses[..count].iter().map(|a| SocketAddr::new(Ipv6Addr::from(*a).to_canonical(), port)).collect()
    }

    /// The name of the job, which reveals nothing about the secret.
    pub(crate) fn job_id(&self) -> String {
        hex(&self.derive(&[b"job"])[..16])
    }

    /// What a member sends with its random bytes. Nobody can make it without the secret.
    pub(crate) fn greeting(&self, member: &[u8; NONCE_BYTES]) -> [u8; PROOF_BYTES] {
        self.derive(&[b"greeting", member])
    }

    /// Proves that one side of a connection has the secret.
    pub(crate) fn proof(
        &self,
        side: Side,
        server: &[u8; NONCE_BYTES],
        member: &[u8; NONCE_BYTES],
    ) -> [u8; PROOF_BYTES] {
        let side: &[u8] = match side {
            Side::Server => b"server",
            Side::Member => b"member",
        };
        self.derive(&[side, server, member])
    }

    /// Whether the proof is the one that this side would give.
    pub(crate) fn proves(
        &self,
        side: Side,
        server: &[u8; NONCE_BYTES],
        member: &[u8; NONCE_BYTES],
        proof: &[u8; PROOF_BYTES],
    ) -> bool {
        are_equal(&self.proof(side, server, member), proof)
    }

    /// Whether this is the greeting with these random bytes.
    pub(crate) fn is_greeting(&self, member: &[u8; NONCE_BYTES], greeting: &[u8; PROOF_BYTES]) -> bool {
        are_equal(&self.greeting(member), greeting)
    }

    fn derive(&self, parts: &[&[u8]]) -> [u8; PROOF_BYTES] {
        // HMAC accepts a key of any length.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(self.secret()) else { return [0; PROOF_BYTES] };
        for part in parts {
            mac.update(&[part.len() as u8]);
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }
}

/// Takes the same time for all that differ.
fn are_equal(one: &[u8; PROOF_BYTES], other: &[u8; PROOF_BYTES]) -> bool {
    one.iter().zip(other).fold(0, |difference, (one, other)| difference | (one ^ other)) == 0
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl fmt::Display for UniqueId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl fmt::Debug for UniqueId {
    /// Leaves out the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "UniqueId({})", self.job_id())
    }
}

impl FromStr for UniqueId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("{} characters are not the {} hexadecimal digits of an id", text.len(), 2 * UNIQUE_ID_BYTES);
        let mut bytes = [0; UNIQUE_ID_BYTES];
        let (digits, rest) = text.as_bytes().as_chunks::<2>();
        if digits.len() != UNIQUE_ID_BYTES || !rest.is_empty() {
            return Err(wrong());
        }
        for (byte, pair) in bytes.iter_mut().zip(digits) {
            let pair = pair.map(|digit| char::from(digit).to_digit(16));
            let [Some(high), Some(low)] = pair else { return Err(wrong()) };
            *byte = (high * 16 + low) as u8;
        }
        UniqueId::from_bytes(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    fn sample() -> UniqueId {
        let addresses = ["192.168.1.7".parse().unwrap(), "2001:db8::5".parse().unwrap()];
        UniqueId::new(&addresses, 4711, "one").unwrap()
    }

    #[test]
    fn an_id_survives_bytes_and_text() {
        let id = sample();
        assert_eq!(UniqueId::from_bytes(id.to_bytes()), Ok(id));
        assert_eq!(id.to_string().parse(), Ok(id));
    }

    #[test]
    fn names_of_jobs_keep_the_secret() {
        let id = sample();
        assert_ne!(id.job_id(), sample().job_id(), "each id is of a job of its own");
        assert_eq!(format!("{id:?}"), format!("UniqueId({})", id.job_id()));
        assert!(!hex(id.secret()).contains(&id.job_id()));
    }

    #[test]
    fn an_id_names_its_node_and_its_addresses() {
        assert!(sample().is_reachable_from("one") && sample().is_reachable_from("other"));
        let local = UniqueId::new(&[Ipv4Addr::LOCALHOST.into()], 4711, "one").unwrap();
        assert!(local.is_reachable_from("one") && !local.is_reachable_from("other"));
        let texts: Vec<String> = sample().addresses().iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["192.168.1.7:4711", "[2001:db8::5]:4711"]);
    }

    #[test]
    fn an_id_has_the_first_addresses_of_many() {
        let many: Vec<IpAddr> = (1..9).map(|last| Ipv4Addr::new(192, 0, 2, last).into()).collect();
        let id = UniqueId::new(&many, 4711, "one").unwrap();
        assert_eq!(UniqueId::from_bytes(id.to_bytes()), Ok(id));
        let kept: Vec<IpAddr> = id.addresses().iter().map(SocketAddr::ip).collect();
        assert_eq!(kept, many[..4]);
    }

    #[test]
    fn what_is_no_id_is_refused_with_a_reason() {
        let cause = |change: &dyn Fn(&mut [u8; UNIQUE_ID_BYTES])| {
            let mut bytes = sample().to_bytes();
            change(&mut bytes);
            UniqueId::from_bytes(bytes).unwrap_err()
        };
        assert!(cause(&|bytes| *bytes = [0; UNIQUE_ID_BYTES]).contains("not those of an id"));
        assert!(cause(&|bytes| bytes[4] = 9).contains("version 9, expected 1"));
        assert!(cause(&|bytes| bytes[10] = 0).contains("0 addresses"));
        assert!(cause(&|bytes| bytes[10] = 9).contains("9 addresses"));
        assert!("12".parse::<UniqueId>().unwrap_err().contains("2 characters are not the 256"));
        assert!("g".repeat(256).parse::<UniqueId>().unwrap_err().contains("hexadecimal"));
    }

    #[test]
    fn proofs_depend_on_secret_side_and_both_nonces() {
        let (id, one, other) = (sample(), [1; NONCE_BYTES], [2; NONCE_BYTES]);
        let proof = id.proof(Side::Member, &one, &other);
        assert!(id.proves(Side::Member, &one, &other, &proof));
        assert!(!id.proves(Side::Server, &one, &other, &proof));
        assert!(!id.proves(Side::Member, &other, &one, &proof));
        assert!(!sample().proves(Side::Member, &one, &other, &proof));
        // Catches a comparison in which errors in two bytes cancel each other out.
        let mut wrong = proof;
        wrong[..2].iter_mut().for_each(|byte| *byte ^= 1);
        assert!(!id.proves(Side::Member, &one, &other, &wrong));
        let greeting = id.greeting(&one);
        assert!(id.is_greeting(&one, &greeting));
        assert!(!id.is_greeting(&other, &greeting) && !sample().is_greeting(&one, &greeting));
    }
}
