//! The globals and statics of a C or C++ program as symmetric memory: a variable is at the same distance from the first one on
//! every PE that runs the same executable, wherever the loader has put it.
//!
//! ```text
//!   this PE      | text | read-only | .data .bss | …      the executable's own addresses
//!                                        │ mapped onto a file without a name (`remap`)
//!   window       | globals of PE 0 | own: empty | globals of PE 2 | …      at equal distances, from the peers' files
//! ```
//!
//! An executable that `shmemcc` linked is marked, and its globals lie in shared memory before its own code runs: peers load and
//! store. Those of any other executable stay private, and peers `put` and `get` by cross-memory attach ([`attach`]). Each PE tells
//! the others which executable it runs, where its globals are, and passes the file: once, when it joins.
//!
//! Not symmetric are: thread-local variables, what becomes read-only, the globals of shared libraries, and those of programs that use the
//! Rust API, which has no addresses of them.

mod access;
mod attach;
mod fork;
mod image;
mod remap;

pub use remap::share;

use crate::address::Misuse;
use crate::{Error, Result};
use attach::{Attached, Copy, Reason};
use cushmem_bootstrap::{Bootstrap, Contribution};
use image::Image;
use nix::sys::mman::{MapFlags, ProtFlags, mmap, mmap_anonymous, munmap};
use std::ffi::c_void;
use std::num::NonZeroUsize;
use std::os::fd::{AsFd, BorrowedFd};
use std::ptr::NonNull;

/// Whose globals count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// Of nobody: addresses of Rust's statics are not passed to the library.
    Rust,
    /// The executable's.
    C,
}

/// All PEs' globals, as this PE reaches them. What a put needs is in the first cache line.
#[repr(C, align(64))]
pub(crate) struct Globals {
    /// Address of the first of this PE's globals, and how many bytes may be accessed on any PE without more ado: none if a PE does not
    /// share its own, and in check mode.
    first: usize,
    length: usize,
    /// Where they are on PE 0, and from there to the next PE's.
    first_of_0: usize,
    stride: usize,
    my_pe: u32,
    n_pes: u32,
    image: Option<Image>,
    window: Option<Window>,
    peers: Vec<Peer>,
}

/// How a PE's globals are reached.
#[derive(Debug)]
enum Peer {
    /// They are this PE's.
    Own,
    /// By loads and stores, through the window.
    Mapped,
    /// By the kernel.
    Attached(Attached),
    /// Not at all: it runs another executable, or has no globals that count.
    Other,
}

/// Where bytes of a PE's globals are.
pub(crate) enum Place<'a> {
    /// At this address here.
    Here(usize),
    /// At this offset of the globals of a process.
    There(&'a Attached, usize),
}

/// Addresses for everybody's globals.
struct Window {
    base: NonNull<c_void>,
    stride: usize,
    bytes: NonZeroUsize,
}

// SAFETY: it is an address range; access to the bytes goes through the functions of `mapped`.
unsafe impl Send for Window {}
// SAFETY: as above.
unsafe impl Sync for Window {}

/// What a PE tells the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Record {
    identity: u64,
    start: u64,
    /// 0 if it has none.
    bytes: u64,
    pid: u64,
    /// The system's error number, if the globals should have been shared.
    error: u64,
}

impl Globals {
    /// Collective: tells the others of this PE's globals and maps theirs.
    pub(crate) fn exchange(bootstrap: &Bootstrap, language: Language, check: bool) -> Result<Self> {
        let (my_pe, n_pes) = (bootstrap.job().my_pe, bootstrap.job().n_pes);
        let (image, file) = match (language, remap::shared()) {
            (Language::Rust, _) => (None, None),
            (Language::C, Some((image, file))) => (Some(*image), Some(file)),
            (Language::C, None) => (Image::find(), None),
        };
        let shared = file.and_then(std::result::Result::ok);
        if image.is_some() && shared.is_none() && n_pes > 1 {
            attach::allow_peers();
        }
        let own = Record::new(image.as_ref(), file.and_then(std::result::Result::err));
        let window = image.filter(|_| n_pes > 1).map(|image| Window::reserve(image.bytes(), n_pes));
        let mut peers = Vec::with_capacity(n_pes as usize);
        let mut malformed = None;
        bootstrap.allgather_each("globals", &own.encode(), shared, |pe, part: Contribution| {
            let Some(theirs) = Record::decode(&part.bytes) else {
                malformed.get_or_insert((pe, part.bytes.len()));
                return;
            };
            peers.push(match &window {
                _ if pe == my_pe => Peer::Own,
                Some(window) if theirs.identity == own.identity && theirs.bytes == own.bytes => {
                    theirs.reach(window, pe, part.fd.as_ref().map(AsFd::as_fd))
                }
                _ => Peer::Other,
            });
        })?;
        if let Some((pe, bytes)) = malformed {
            return Err(Error::new(
                "compare globals",
                format!("PE {pe} sent {bytes} bytes instead of {}", Record::BYTES),
            ));
        }
        let window = window.and_then(std::result::Result::ok);
        // They lie in one piece in nearly all executables; those of the others are found otherwise.
        let is_simple = |image: &Image| {
            !check && image.parts().len() == 1 && peers.iter().all(|p| matches!(p, Peer::Own | Peer::Mapped))
        };
        let (first, length) = image.filter(is_simple).map_or((0, 0), |image| (image.start(), image.bytes()));
        let (first_of_0, stride) = window.as_ref().map_or((first, 0), |window| (window.at(0), window.stride));
        Ok(Self { first, length, first_of_0, stride, my_pe, n_pes, image, window, peers })
    }

    /// Where all `bytes` bytes at this PE's address are on PE `pe`, if they are globals and a few compares can tell.
    #[inline(always)]
    pub(crate) fn at_once(&self, address: usize, bytes: usize, pe: u32) -> Option<usize> {
        let at = address.wrapping_sub(self.first);
        let inside = at < self.length && bytes <= self.length - at && pe < self.n_pes;
        let there = self.first_of_0.wrapping_add(pe as usize * self.stride).wrapping_add(at);
        inside.then_some(if pe == self.my_pe { address } else { there })
    }

    /// The same, if loads and stores reach them.
    pub(crate) fn mapped(&self, address: usize, bytes: usize, pe: u32) -> Option<usize> {
        let (offset, left) = self.image.as_ref()?.offset(address)?;
        match self.peers.get(pe as usize)? {
            _ if bytes > left => None,
            Peer::Own => Some(address),
            Peer::Mapped => self.window.as_ref().map(|window| window.at(pe) + offset),
            _ => None,
        }
    }

    /// The same for any way of reaching them, or why there is none; `None` if the address is no global.
    pub(crate) fn place(
        &self,
        address: usize,
        bytes: usize,
        pe: u32,
    ) -> Option<std::result::Result<Place<'_>, Misuse>> {
        let (offset, left) = self.image.as_ref()?.offset(address)?;
        if bytes > left {
            return Some(Err(Misuse::PastGlobals(left as u64)));
        }
        Some(match (self.peers.get(pe as usize), self.mapped(address, bytes, pe)) {
            (_, Some(here)) => Ok(Place::Here(here)),
            (Some(Peer::Attached(peer)), _) => Ok(Place::There(peer, offset)),
            _ => Err(Misuse::Global(format!("is a global, but PE {pe} runs another executable, which has its own"))),
        })
    }

    /// Where a global that is mapped from all PEs is on PE 0, and how far it is from there to the next PE's; this PE's own is elsewhere.
    pub(crate) fn on_0(&self, address: usize) -> Option<(usize, usize)> {
        let (offset, _) = self.image.as_ref()?.offset(address)?;
        self.window.as_ref().map(|window| (window.at(0) + offset, window.stride))
    }

    /// Whether the address is a global's.
    pub(crate) fn has(&self, address: usize) -> bool {
        self.offset(address).is_some()
    }

    /// How far a global is from the first one: the same on every PE.
    pub(crate) fn offset(&self, address: usize) -> Option<usize> {
        self.image.as_ref()?.offset(address).map(|(offset, _)| offset)
    }
}

impl Attached {
    /// Copies `bytes` bytes to the peer.
    ///
    /// # Safety
    /// `from` is readable for as many bytes.
    pub(crate) unsafe fn put(
        &self,
        offset: usize,
        from: *const u8,
        bytes: usize,
        pe: u32,
    ) -> std::result::Result<(), Misuse> {
        // SAFETY: passed on; it is only read.
        unsafe { self.copy(Copy::ToPeer, from.cast_mut(), offset, bytes) }.map_err(|error| self.unreachable(pe, error))
    }

    /// Copies `bytes` bytes from the peer.
    ///
    /// # Safety
    /// `to` is writable for as many bytes.
    pub(crate) unsafe fn get(
        &self,
        to: *mut u8,
        offset: usize,
        bytes: usize,
        pe: u32,
    ) -> std::result::Result<(), Misuse> {
        // SAFETY: passed on.
        unsafe { self.copy(Copy::FromPeer, to, offset, bytes) }.map_err(|error| self.unreachable(pe, error))
    }

    /// What to tell who wants to load, store or change atomically what cannot be mapped.
    pub(crate) fn only_copied(&self, pe: u32) -> Misuse {
        Misuse::Global(format!(
            "is a global that PE {pe} does not share{}: only put and get reach it; {REMEDY}",
            self.why()
        ))
    }

    fn unreachable(&self, pe: u32, error: i32) -> Misuse {
        let error = std::io::Error::from_raw_os_error(error);
        let what = format!("is a global that PE {pe} does not share{}", self.why());
        Misuse::Global(format!("{what}, and this system does not copy between processes ({error}); {REMEDY}"))
    }

    fn why(&self) -> String {
        match self.reason {
            Reason::NotShared => String::new(),
            Reason::Refused(error) => format!(" ({})", std::io::Error::from_raw_os_error(error)),
        }
    }
}

const REMEDY: &str = "link the program with shmemcc";

impl Window {
    /// The error is the system's number.
    fn reserve(globals: usize, n_pes: u32) -> std::result::Result<Self, i32> {
        let bytes = globals.checked_mul(n_pes as usize).and_then(NonZeroUsize::new).ok_or(libc::ENOMEM)?;
        let flags = MapFlags::MAP_PRIVATE | MapFlags::MAP_NORESERVE;
        // SAFETY: a new mapping at an address of the kernel's choice touches no memory in use.
        let base = unsafe { mmap_anonymous(None, bytes, ProtFlags::PROT_NONE, flags) }.map_err(|e| e as i32)?;
        Ok(Self { base, stride: globals, bytes })
    }

    #[inline]
    fn at(&self, pe: u32) -> usize {
        self.base.expose_provenance().get() + pe as usize * self.stride
    }

    /// Maps a peer's globals. The error is the system's number.
    fn map(&self, pe: u32, file: BorrowedFd<'_>) -> std::result::Result<(), i32> {
        let size = nix::sys::stat::fstat(file).map_err(|e| e as i32)?.st_size;
        let stride = NonZeroUsize::new(self.stride).filter(|stride| size == stride.get() as i64).ok_or(libc::EINVAL)?;
        let (protection, flags) = (
            ProtFlags::PROT_READ | ProtFlags::PROT_WRITE,
            MapFlags::MAP_SHARED | MapFlags::MAP_FIXED | MapFlags::MAP_NORESERVE,
        );
        // SAFETY: the PE's part of the window, which is this library's.
        unsafe { mmap(NonZeroUsize::new(self.at(pe)), stride, protection, flags, file, 0) }.map_err(|e| e as i32)?;
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
    const BYTES: usize = 40;

    fn new(image: Option<&Image>, error: Option<i32>) -> Self {
        Self {
            identity: image.map_or(0, |image| image.identity),
            start: image.map_or(0, |image| image.start() as u64),
            bytes: image.map_or(0, |image| image.bytes() as u64),
            pid: u64::from(std::process::id()),
            error: error.map_or(0, |error| u64::from(error.unsigned_abs())),
        }
    }

    fn encode(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        let numbers = [self.identity, self.start, self.bytes, self.pid, self.error];
        for (to, number) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(numbers) {
            *to = number.to_ne_bytes();
        }
        bytes
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let bytes: &[u8; Self::BYTES] = bytes.try_into().ok()?;
        let number = |i: usize| u64::from_ne_bytes(std::array::from_fn(|byte| bytes[8 * i + byte]));
        Some(Self { identity: number(0), start: number(1), bytes: number(2), pid: number(3), error: number(4) })
    }

    /// How the globals of a PE that runs the same executable are reached.
    fn reach(&self, window: &std::result::Result<Window, i32>, pe: u32, file: Option<BorrowedFd<'_>>) -> Peer {
        let (Ok(pid), Ok(start)) = (self.pid.try_into(), self.start.try_into()) else { return Peer::Other };
        let attached = |reason| Peer::Attached(Attached { pid, start, reason });
        match (window, file) {
            (_, None) if self.error == 0 => attached(Reason::NotShared),
            (_, None) => attached(Reason::Refused(self.error as i32)),
            (Err(error), _) => attached(Reason::Refused(*error)),
            (Ok(window), Some(file)) => match window.map(pe, file) {
                Ok(()) => Peer::Mapped,
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
        assert_eq!(Record::decode(&record.encode()), Some(record));
        assert_eq!(Record::decode(&record.encode()[1..]), None);
    }
}
