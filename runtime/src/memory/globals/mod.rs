//! The globals and statics of a C or C++ program as symmetric memory. On all PEs that run the same executable, a
//! variable has the same distance from the first one, wherever the loader has put them.
//!
//! ```text
//!   this PE      | text | read-only | .data .bss | …      the executable's own addresses
//!                                        │ mapped onto a file without a name (`remap`)
//!   window       | globals of PE 0 | own: empty | globals of PE 2 | …      at equal distances, from the peers' files
//! ```
//!
//! An executable that `shmemcc` linked is marked. Its globals are in shared memory before its own code runs, however it
//! was started, so peers can load and store them. The globals of any other executable, and those of forked children,
//! stay private, and peers `put` and `get` them by cross-memory attach ([`Attached`]). When a PE joins, it tells the
//! others once which executable it runs and where its globals are, and passes the file.
//!
//! The following are not symmetric: thread-local variables, what becomes read-only, the globals of shared libraries,
//! and the globals of programs that use the Rust API, which does not take their addresses.

mod attached;
mod fork;
mod image;
mod remap;
mod shared;

pub use remap::share;

pub(crate) use attached::Attached;

use super::near::Near;
use super::{Remote, SymOffset};
use crate::error::{ArgumentError, Cause};
use crate::job::{Job, Pe};
use crate::sync::network::Network;
use crate::sync::network_lane::{Region, RemoteAddr};
use crate::sync::shared_file::not_in_core_dumps;
use crate::{Error, Result};
pub(super) use attached::allow_peers;
use attached::{REMEDY, REMEDY_FORKED, Reason};
use cushmem_bootstrap::{Contribution, WaitLimit};
use cushmem_net::{Local, Memory};
use image::Image;
use nix::sys::mman::{MapFlags, ProtFlags, mmap, mmap_anonymous, munmap};
use std::ffi::c_void;
use std::num::NonZeroUsize;
use std::os::fd::BorrowedFd;
use std::ptr::NonNull;
use std::sync::Arc;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// Whose globals are symmetric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// Nobody's, because addresses of Rust statics are not passed to the library.
    Rust,
    /// The executable's.
    C,
}

/// All PEs' globals, as this PE reaches them.
pub(crate) struct Globals {
    image: Option<Image>,
    /// Kept for its mapping.
    _window: Option<Window>,
    peers: Vec<Peer>,
}

/// How a PE's globals are reached.
#[derive(Debug)]
enum Peer {
    /// By loads and stores. The first global is at this address here.
    Near(usize),
    /// By the operating system.
    Attached(Attached),
    /// By the network.
    Net,
    /// Not at all, because it is on another node and does not share them. The text gives the reason.
    Unshared(String),
    /// Not at all, because it runs another executable or has no symmetric globals.
    Other,
}

/// The addresses at which the globals of all PEs of this node are mapped.
struct Window {
    base: NonNull<c_void>,
    stride: usize,
    bytes: NonZeroUsize,
}

// SAFETY: it is an address range; access to the bytes goes through the functions of `mapped`.
unsafe impl Send for Window {}
// SAFETY: it is an address range; access to the bytes goes through the functions of `mapped`.
unsafe impl Sync for Window {}

/// What a PE tells the others about its globals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
struct Record {
    identity: u64,
    start: u64,
    /// 0 if it has none.
    bytes: u64,
    pid: u64,
    /// The operating system's error number, if the globals should have been shared, or [`FORKED`].
    error: u64,
}

/// No error number: the process was forked.
const FORKED: u64 = u64::MAX;

impl Globals {
    /// Collective: tells the others about this PE's globals and maps theirs.
    pub(crate) fn exchange(job: &Job, network: Option<&Network>, language: Language) -> Result<Self> {
        let (image, file) = match (language, shared::shared()) {
            (Language::Rust, _) => (None, None),
            (Language::C, Some((image, file))) => (Some(*image), Some(file)),
            (Language::C, None) => (Image::find(), None),
        };
        let shared = file.and_then(std::result::Result::ok);
        if image.is_some() && shared.is_none() && job.n_pes() > 1 {
            allow_peers();
        }
        let error = file.and_then(std::result::Result::err).map(|error| u64::from(error.unsigned_abs()));
        let own = Record::new(image.as_ref(), error.or_else(|| shared::is_forked().then_some(FORKED)).unwrap_or(0));
        let others = image.filter(|_| job.n_pes() > 1);
        let window = others.map(|image| Window::reserve(image.bytes(), job.node_pes()));
        let on_network = match network {
            Some(network) => {
                let memory = image.as_ref().zip(shared).map(|(image, file)| local(image, file)).transpose()?;
                network.share(job, 0, &[(Region::Globals, memory)])?
            }
            None => vec![],
        };
        let records = records(job, &own)?;
        let is_same = |theirs: &Record| theirs.identity == own.identity && theirs.bytes == own.bytes;
        let elsewhere = |(pe, theirs): (usize, &Record)| match (&window, &image) {
            (_, Some(image)) if pe == job.me().index() => Peer::Near(image.start()),
            (Some(_), _) if is_same(theirs) && on_network.get(pe) == Some(&true) => Peer::Net,
            (Some(_), _) if is_same(theirs) => Peer::Unshared(theirs.unshared()),
            _ => Peer::Other,
        };
        let mut peers: Vec<Peer> = records.iter().enumerate().map(elsewhere).collect();
        // Only PEs of this host pass descriptors, and only those of this node are near.
        job.bootstrap().share_each("globals of a host", &[], shared, WaitLimit::Limited, |pe, part| {
            let place = job.pe(pe).filter(|pe| *pe != job.me()).and_then(|pe| job.place(pe));
            let theirs = records.get(pe as usize).filter(|theirs| is_same(theirs));
            if let (Some(window), Some(place), Some(theirs)) = (&window, place, theirs) {
                peers[pe as usize] = theirs.reach(window, place, &part);
            }
        })?;
        if let Some(Ok(window)) = &window {
            not_in_core_dumps(window.base, window.bytes.get());
        }
        Ok(Self { image, _window: window.and_then(std::result::Result::ok), peers })
    }

    /// Whether the program has symmetric globals.
    pub(crate) fn exist(&self) -> bool {
        self.image.is_some()
    }

    /// The bytes from the first to the end of the last global.
    pub(crate) fn bytes(&self) -> u64 {
        self.image.map_or(0, |image| image.bytes() as u64)
    }

    /// The test of the inline fast path for globals that loads and stores reach. In nearly all executables they lie in
    /// one piece; those in other pieces are found by other means.
    pub(crate) fn near(&self, check: bool) -> Near {
        let image = self.image.filter(|image| image.parts().len() == 1);
        let start = |peer: &Peer| if let Peer::Near(start) = peer { *start } else { 0 };
        let starts = if check { Box::default() } else { self.peers.iter().map(start).collect() };
        Near::new(image.map_or(0, |image| image.start()), image.map_or(0, |image| image.bytes()), starts)
    }

    /// The distance of a global from the first one, which is the same on every PE. It is an error if not all `bytes`
    /// bytes are globals; `None` if the address is not that of a global.
    pub(crate) fn find(&self, address: usize, bytes: usize) -> Option<std::result::Result<SymOffset, ArgumentError>> {
        let (offset, left) = self.image.as_ref()?.offset(address)?;
        Some(if bytes > left { Err(ArgumentError::PastGlobals(left as u64)) } else { Ok(SymOffset(offset as u64)) })
    }

    /// Where a PE has its global at this offset.
    pub(crate) fn remote(&self, offset: SymOffset, pe: Pe) -> Remote<'_> {
        match &self.peers[pe.index()] {
            Peer::Near(start) => Remote::Near(start + offset.0 as usize),
            Peer::Attached(attached) => Remote::Attached(*attached, offset.0 as usize),
            Peer::Net => Remote::Net(RemoteAddr { pe, region: Region::Globals, at: offset.0 }),
            Peer::Unshared(why) => Remote::Unreachable(why),
            Peer::Other => Remote::Unreachable("runs another executable, which has its own"),
        }
    }
}

/// Collective: what all PEs tell about their globals.
fn records(job: &Job, own: &Record) -> Result<Vec<Record>> {
    let told = job.bootstrap().allgather("globals", own.as_bytes())?;
    let read = |(pe, told): (usize, &Vec<u8>)| {
        Record::read_from_bytes(told).map_err(|_| {
            let text = format!("PE {pe} sent {} bytes instead of {}", told.len(), size_of::<Record>());
            Error::new("compare globals", Cause::Mismatch(text))
        })
    };
    told.iter().enumerate().map(read).collect()
}

/// This PE's globals, as the network gets them. It has a descriptor of its own, because the program may close the
/// other.
fn local(image: &Image, file: BorrowedFd<'_>) -> Result<Local> {
    let failed = |error: std::io::Error| Error::new("share globals", Cause::System(error.to_string()));
    let file = Arc::new(file.try_clone_to_owned().map_err(failed)?);
    let (address, bytes) = (image.start(), image.bytes());
    Ok(Local { at: 0, address, bytes, file: Some(Memory { file, offset: 0, bytes: bytes as u64 }) })
}

impl Window {
    /// The error is the operating system's number.
    fn reserve(globals: usize, places: u32) -> std::result::Result<Self, i32> {
        let bytes = globals.checked_mul(places as usize).and_then(NonZeroUsize::new).ok_or(libc::ENOMEM)?;
        let flags = MapFlags::MAP_PRIVATE | MapFlags::MAP_NORESERVE;
        // SAFETY: a new mapping at an address that the operating system chooses touches no memory in use.
        let base = unsafe { mmap_anonymous(None, bytes, ProtFlags::PROT_NONE, flags) }.map_err(|e| e as i32)?;
        Ok(Self { base, stride: globals, bytes })
    }

    #[inline]
    fn at(&self, place: u32) -> usize {
        self.base.expose_provenance().get() + place as usize * self.stride
    }

    /// Maps the globals of the PE at this place. The error is the operating system's number.
    fn map(&self, place: u32, file: BorrowedFd<'_>) -> std::result::Result<(), i32> {
        let size = nix::sys::stat::fstat(file).map_err(|e| e as i32)?.st_size;
        let stride = NonZeroUsize::new(self.stride).filter(|stride| size == stride.get() as i64).ok_or(libc::EINVAL)?;
        let (protection, flags) = (
            ProtFlags::PROT_READ | ProtFlags::PROT_WRITE,
            MapFlags::MAP_SHARED | MapFlags::MAP_FIXED | MapFlags::MAP_NORESERVE,
        );
        // SAFETY: this part of the window belongs to the place, and the window to this library.
        unsafe { mmap(NonZeroUsize::new(self.at(place)), stride, protection, flags, file, 0) }.map_err(|e| e as i32)?;
        Ok(())
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        // SAFETY: the range is ours, and nothing that refers to it outlives the library's handle.
        let _ = unsafe { munmap(self.base, self.bytes.get()) };
    }
}

impl Record {
    fn new(image: Option<&Image>, error: u64) -> Self {
        Self {
            identity: image.map_or(0, |image| image.identity),
            start: image.map_or(0, |image| image.start() as u64),
            bytes: image.map_or(0, |image| image.bytes() as u64),
            pid: u64::from(std::process::id()),
            error,
        }
    }

    /// Why the globals of a PE on another node that runs the same executable are not reached.
    fn unshared(&self) -> String {
        match self.error {
            0 => format!("is on another node and does not share it; {REMEDY}"),
            FORKED => format!("is on another node and does not share it; {REMEDY_FORKED}"),
            error => {
                let error = std::io::Error::from_raw_os_error(error as i32);
                format!("is on another node, where the system refused to share it ({error})")
            }
        }
    }

    /// How the globals of a PE that runs the same executable are reached.
    fn reach(&self, window: &std::result::Result<Window, i32>, place: u32, part: &Contribution) -> Peer {
        let (Ok(pid), Ok(start)) = (self.pid.try_into(), self.start.try_into()) else { return Peer::Other };
        let attached = |reason| Peer::Attached(Attached { pid, start, reason });
        match (window, part.descriptor().ok()) {
            (_, None) if part.lost => attached(Reason::Refused(libc::EMFILE)),
            (_, None) if self.error == 0 => attached(Reason::NotShared),
            (_, None) if self.error == FORKED => attached(Reason::Forked),
            (_, None) => attached(Reason::Refused(self.error as i32)),
            (Err(error), _) => attached(Reason::Refused(*error)),
            (Ok(window), Some(file)) => match window.map(place, file) {
                Ok(()) => Peer::Near(window.at(place)),
                Err(error) => attached(Reason::Refused(error)),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_survives_its_bytes() {
        let record = Record { identity: u64::MAX, start: 1, bytes: 1 << 40, pid: 7, error: 12 };
        assert_eq!(Record::read_from_bytes(record.as_bytes()), Ok(record));
        assert!(Record::read_from_bytes(&record.as_bytes()[1..]).is_err());
    }
}
