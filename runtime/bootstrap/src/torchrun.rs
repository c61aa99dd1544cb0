//! torchrun: what it tells each process, and where the processes meet.
//!
//! On one host they meet under a name that the operating system protects from other users ([`crate::node`]). On several
//! hosts, the process of rank 0, which runs on the host of `MASTER_ADDR`, listens at all of its addresses, because that
//! host may know itself under another one. Its port is one of four that derive from what torchrun told all processes.
//! They join as with a unique id. Its secret derives from the same values and from `CUSHMEM_SECRET`; without that
//! variable, whoever knows the values can join.

use std::net::{SocketAddr, ToSocketAddrs};

use cushmem_environment as environment;
use cushmem_environment::{MAX_PES, Variable};
use sha2::{Digest, Sha256};

use crate::env;
use crate::error::BootstrapError;
use crate::meeting::Place;
use crate::unique_id::UniqueId;

/// The ports of jobs on several hosts: below those that the operating system gives to programs which do not choose.
const FIRST_PORT: u16 = 20_000;
const PORTS: u16 = 12_000;
/// How many of them a job may take: others may be in use.
const PORTS_OF_A_JOB: usize = 4;

/// What torchrun tells each process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Torchrun {
    /// This process's number.
    pub(crate) rank: u32,
    /// The number of processes.
    pub(crate) size: u32,
    /// Whether all processes are on this host.
    pub(crate) is_one_host: bool,
    address: String,
    port: u16,
    run_id: String,
    restarts: u32,
    secret: String,
    /// How many jobs these processes have had before.
    pub(crate) jobs_before: u32,
}

impl Torchrun {
    /// Reads the environment. `None` if torchrun did not start this process.
    pub(crate) fn from_env() -> Result<Option<Torchrun>, BootstrapError> {
        Torchrun::read(env::text)
    }

    fn read(
        get: impl Fn(&'static str) -> Result<Option<String>, BootstrapError>,
    ) -> Result<Option<Torchrun>, BootstrapError> {
        let Some(run_id) = get(environment::TORCHELASTIC_RUN_ID.name)? else { return Ok(None) };
        let number = |variable: &'static Variable, valid: std::ops::RangeInclusive<u32>| {
            let (name, text) = (variable.name, get(variable.name)?);
            let text = text.or_else(|| variable.default_value().map(str::to_owned)).unwrap_or_default();
            text.trim().parse().ok().filter(|number| valid.contains(number)).ok_or_else(|| {
                BootstrapError::Environment {
                    variable: name,
                    cause: format!(
                        "torchrun started this process, and '{}' is not a number from {} to {}",
                        text.escape_debug(),
                        valid.start(),
                        valid.end()
                    ),
                }
            })
        };
        let size = number(&environment::WORLD_SIZE, 1..=MAX_PES)?;
        let rank = number(&environment::RANK, 0..=size - 1)?;
        let here = number(&environment::LOCAL_WORLD_SIZE, 1..=MAX_PES)?;
        let port = number(&environment::MASTER_PORT, 1..=u32::from(u16::MAX))? as u16;
        let restarts = number(&environment::TORCHELASTIC_RESTART_COUNT, 0..=u32::MAX)?;
        let address = get(environment::MASTER_ADDR.name)?.unwrap_or_default();
        let secret = get(environment::SECRET.name)?.unwrap_or_default();
        let is_one_host = here == size;
        Ok(Some(Torchrun { rank, size, is_one_host, address, port, run_id, restarts, secret, jobs_before: 0 }))
    }

    /// Distinguishes this job from others; the same in all of its processes.
    pub(crate) fn job_id(&self) -> String {
        let run_id: String = self.run_id.chars().filter(char::is_ascii_alphanumeric).take(36).collect();
        format!("torchrun-{}-{run_id}-{}-{}-{}", self.port, self.restarts, self.size, self.jobs_before)
    }

    /// Where the processes of a job on several hosts meet.
    pub(crate) fn place(&self) -> Result<Place, BootstrapError> {
        let found = (&*self.address, 0).to_socket_addrs().map_err(|cause| BootstrapError::Environment {
            variable: environment::MASTER_ADDR.name,
            cause: format!("'{}': {cause}", self.address.escape_debug()),
        })?;
        let id = UniqueId::of_secret(self.derive("secret", &self.secret));
        let ports = self.ports();
        let at = |port, mut address: SocketAddr| {
            address.set_port(port);
            address
        };
        let addresses = found.flat_map(|address| ports.map(|port| at(port, address))).collect();
        Ok(Place { id, addresses, is_agreed_before: true })
    }

    /// The ports on which the process of rank 0 may listen.
    pub(crate) fn ports(&self) -> [u16; PORTS_OF_A_JOB] {
        // Not of the secret: a process with another one is to be told so.
        let bytes = self.derive("port", "");
        std::array::from_fn(|at| FIRST_PORT + u16::from_le_bytes([bytes[2 * at], bytes[2 * at + 1]]) % PORTS)
    }

    /// Bytes that are the same in all processes of this run.
    fn derive(&self, purpose: &str, secret: &str) -> [u8; 32] {
        let numbers = format!("{} {} {}", self.port, self.restarts, self.size);
        let mut hash = Sha256::new();
        for part in [purpose, &self.address, &numbers, &self.run_id, secret] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        hash.finalize().into()
    }

    /// The name of the local socket at which the processes of this job meet.
    pub(crate) fn socket_name(&self, user: u32) -> String {
        format!("cushmem-{user}-{}", self.job_id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(change: &[(&str, &str)]) -> Result<Option<Torchrun>, BootstrapError> {
        let usual = [
            ("TORCHELASTIC_RUN_ID", "none"),
            ("TORCHELASTIC_RESTART_COUNT", "0"),
            ("RANK", "1"),
            ("WORLD_SIZE", "4"),
            ("LOCAL_WORLD_SIZE", "4"),
            ("MASTER_ADDR", "192.0.2.1"),
            ("MASTER_PORT", "29500"),
        ];
        Torchrun::read(|name| {
            let found = change.iter().chain(&usual).find(|(variable, _)| *variable == name);
            Ok(found.map(|(_, value)| value.to_string()).filter(|value| !value.is_empty()))
        })
    }

    #[test]
    fn processes_of_one_run_have_one_name() {
        let one = read(&[]).unwrap().unwrap();
        let other = read(&[("RANK", "3")]).unwrap().unwrap();
        assert_eq!((one.rank, one.size, other.rank), (1, 4, 3));
        assert_eq!(one.socket_name(7), other.socket_name(7));
        for change in [("MASTER_PORT", "29501"), ("TORCHELASTIC_RESTART_COUNT", "1"), ("TORCHELASTIC_RUN_ID", "x/y")] {
            assert_ne!(read(&[change]).unwrap().unwrap().socket_name(7), one.socket_name(7));
        }
        assert_ne!(Torchrun { jobs_before: 1, ..other }.socket_name(7), one.socket_name(7));
        let long = read(&[("TORCHELASTIC_RUN_ID", &"x".repeat(200))]).unwrap().unwrap();
        let long = Torchrun { port: u16::MAX, restarts: u32::MAX, size: MAX_PES, jobs_before: u32::MAX, ..long };
        // The name of an abstract socket can have 107 bytes.
        assert!(long.socket_name(u32::MAX).len() < 107);
    }

    #[test]
    fn without_torchrun_there_is_nothing() {
        assert_eq!(read(&[("TORCHELASTIC_RUN_ID", "")]), Ok(None));
    }

    #[test]
    fn wrong_values_are_named_with_their_range() {
        for (name, value, range) in [
            ("RANK", "4", "0 to 3"),
            ("RANK", "x", "0 to 3"),
            ("WORLD_SIZE", "", "1 to 65536"),
            ("MASTER_PORT", "70000", "1 to 65535"),
        ] {
            let text = read(&[(name, value)]).unwrap_err().to_string();
            assert!(text.contains(name) && text.contains(range), "{text}");
        }
    }

    #[test]
    fn processes_of_several_hosts_find_one_place() {
        let place = |change: &[(&str, &str)]| {
            let hosts = [("LOCAL_WORLD_SIZE", "2")];
            let all: Vec<(&str, &str)> = change.iter().chain(&hosts).copied().collect();
            let torchrun = read(&all).unwrap().unwrap();
            assert!(!torchrun.is_one_host);
            torchrun.place().unwrap()
        };
        let (one, other) = (place(&[]), place(&[("RANK", "3")]));
        assert_eq!((one.id, &one.addresses), (other.id, &other.addresses));
        assert!(one.addresses.len() == PORTS_OF_A_JOB && one.addresses.iter().all(|at| at.port() >= FIRST_PORT));
        for change in [
            ("MASTER_PORT", "29501"),
            ("TORCHELASTIC_RESTART_COUNT", "1"),
            ("TORCHELASTIC_RUN_ID", "x"),
            ("CUSHMEM_SECRET", "x"),
            ("MASTER_ADDR", "192.0.2.2"),
        ] {
            assert_ne!(place(&[change]).id, one.id, "{change:?}");
        }
        let wrong = read(&[("LOCAL_WORLD_SIZE", "2"), ("MASTER_ADDR", "")]).unwrap().unwrap().place().unwrap_err();
        assert!(wrong.to_string().contains("MASTER_ADDR: ''"), "{wrong}");
    }
}
