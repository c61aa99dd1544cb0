//! The window of device addresses: what is reserved and what is mapped where in this process.

use super::chunk::SoftChunk;
use super::ranges::FreeRanges;
use crate::Chunk;
use cushmem_abi::soft::{WINDOW_BASE, WINDOW_BYTES, resolve};
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::os::unix::fs::FileExt;
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Unit of chunks, bytes.
pub(super) const GRANULARITY: u64 = 64 << 10;
/// Unit of private memory, and what registered host memory is aligned to, bytes.
pub(super) const PAGE_BYTES: u64 = 4096;
/// Private memory up to this size starts out filled with [`POISON`], so that a program which relies on cleared memory
/// fails here as well.
const POISONED_BYTES: u64 = 1 << 20;
const POISON: u8 = 0xa5;

/// What is left out behind a range that is not free in this process, bytes.
const LEFT_OUT: u64 = 1 << 30;

type Outcome<T> = std::result::Result<T, String>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum MappingKind {
    Private,
    Chunk,
}

#[derive(Clone, Copy)]
struct Mapping {
    /// As asked for: copies may not run over this, even inside the last page.
    bytes: u64,
    kind: MappingKind,
}

struct State {
    free: FreeRanges,
    reservations: BTreeMap<u64, u64>,
    mapped: BTreeMap<u64, Mapping>,
    /// Private memory that other processes may map: what it lies in.
    backed: BTreeMap<u64, Arc<SoftChunk>>,
}

/// The window of device addresses. One in a process.
///
/// Only what is reserved or allocated is taken from the address space. All of the window would be 2 TiB: more than a
/// limit allows (`ulimit -v`), and half a minute for tools that keep books about every address (valgrind).
pub(super) struct Window(RwLock<State>);

impl Window {
    /// The process's window.
    pub fn get() -> &'static Self {
        static WINDOW: OnceLock<Window> = OnceLock::new();
        WINDOW.get_or_init(|| {
            Self(RwLock::new(State {
                free: FreeRanges::new(WINDOW_BASE, WINDOW_BYTES),
                reservations: BTreeMap::new(),
                mapped: BTreeMap::new(),
                backed: BTreeMap::new(),
            }))
        })
    }

    fn read(&self) -> RwLockReadGuard<'_, State> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, State> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn reserve(&self, bytes: u64, alignment: u64) -> Outcome<u64> {
        if bytes == 0 || !bytes.is_multiple_of(GRANULARITY) {
            return Err(format!("not a multiple of the granularity of {GRANULARITY} bytes"));
        }
        if alignment != 0 && !alignment.is_power_of_two() {
            return Err(format!("alignment {alignment} is not a power of two"));
        }
        let mut state = self.write();
        let address = state.take(bytes, alignment.max(GRANULARITY), libc::PROT_NONE)?;
        state.reservations.insert(address, bytes);
        Ok(address)
    }

    /// Whether so many bytes could be reserved.
    pub fn try_out(&self, bytes: u64) -> Outcome<()> {
        let mut state = self.write();
        let address = state.take(bytes, GRANULARITY, libc::PROT_NONE)?;
        state.give(address, bytes)
    }

    pub fn map_chunk(&self, address: u64, fd: BorrowedFd<'_>, bytes: u64) -> Outcome<()> {
        if !address.is_multiple_of(GRANULARITY) {
            return Err(format!("the address is not a multiple of the granularity of {GRANULARITY} bytes"));
        }
        let mut state = self.write();
        let reserved = state.reservations.range(..=address).next_back();
        if reserved.is_none_or(|(start, length)| address - start > *length || bytes > length - (address - start)) {
            return Err("not inside a reservation".to_owned());
        }
        if let Some((start, other)) = state.mapped.range(..address + bytes).next_back()
            && start + other.bytes > address
        {
            return Err(format!("{} bytes are mapped at {start:#x}", other.bytes));
        }
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: the range is reserved and nothing is mapped in it, as was just checked.
        unsafe { map(resolve(address), bytes, protection, libc::MAP_SHARED | libc::MAP_FIXED, Some(fd)) }
            .map_err(failed)?;
        state.mapped.insert(address, Mapping { bytes, kind: MappingKind::Chunk });
        Ok(())
    }

    pub fn unmap(&self, address: u64, bytes: u64) -> Outcome<()> {
        let mut state = self.write();
        match state.mapped.get(&address) {
            Some(m) if m.kind == MappingKind::Chunk && m.bytes == bytes => {}
            _ => return Err("no chunk of this size is mapped there".to_owned()),
        }
        // SAFETY: the range is the chunk's; later accesses to it fault.
        unsafe { hide(address, bytes)? };
        state.mapped.remove(&address);
        Ok(())
    }

    pub fn alloc(&self, bytes: u64) -> Outcome<u64> {
        if bytes == 0 {
            return Err("the size is zero".to_owned());
        }
        let pages = bytes.next_multiple_of(PAGE_BYTES);
        let mut state = self.write();
        let address = state.take(pages, PAGE_BYTES, libc::PROT_READ | libc::PROT_WRITE)?;
        if bytes <= POISONED_BYTES {
            // SAFETY: these pages were just mapped for reading and writing, and nobody else knows of them.
            unsafe { (resolve(address) as *mut u8).write_bytes(POISON, pages as usize) };
        }
        state.mapped.insert(address, Mapping { bytes, kind: MappingKind::Private });
        Ok(address)
    }

    pub fn free(&self, address: u64) -> Outcome<()> {
        let mut state = self.write();
        let pages = match state.mapped.get(&address) {
            Some(m) if m.kind == MappingKind::Private => m.bytes.next_multiple_of(PAGE_BYTES),
            _ => return Err("it was not allocated, or is freed already".to_owned()),
        };
        state.give(address, pages)?;
        state.mapped.remove(&address);
        state.backed.remove(&address);
        Ok(())
    }

    /// Moves what [`Window::alloc`] gave to a chunk, which stays what it lies in until it is freed. Nobody uses it
    /// during the call.
    pub fn chunk_at(&self, address: u64) -> Outcome<Arc<SoftChunk>> {
        let mut state = self.write();
        if let Some(chunk) = state.backed.get(&address) {
            return Ok(chunk.clone());
        }
        let bytes = match state.mapped.get(&address) {
            Some(m) if m.kind == MappingKind::Private => m.bytes,
            _ => return Err("it was not allocated, or is freed already".to_owned()),
        };
        let chunk = Arc::new(SoftChunk::create(bytes.next_multiple_of(GRANULARITY))?);
        let file = File::from(chunk.share().map_err(|error| error.to_string())?);
        // SAFETY: these bytes are mapped, and by the caller's word nobody changes them now.
        let old = unsafe { std::slice::from_raw_parts(resolve(address) as *const u8, bytes as usize) };
        file.write_all_at(old, 0).map_err(|error| format!("copying it failed: {error}"))?;
        let (pages, protection) = (bytes.next_multiple_of(PAGE_BYTES), libc::PROT_READ | libc::PROT_WRITE);
        // SAFETY: the pages are this allocation's, and the file has the same bytes.
        unsafe { map(resolve(address), pages, protection, libc::MAP_SHARED | libc::MAP_FIXED, Some(file.as_fd())) }
            .map_err(failed)?;
        state.backed.insert(address, chunk.clone());
        Ok(chunk)
    }

    /// What [`Window::alloc`] gave around an address.
    pub fn allocation(&self, address: u64) -> Option<Range<u64>> {
        let state = self.read();
        let (&start, mapping) = state.mapped.range(..=address).next_back()?;
        let has_it = mapping.kind == MappingKind::Private && address - start < mapping.bytes;
        has_it.then_some(start..start + mapping.bytes)
    }

    /// Refuses a range that touches device addresses and is not mapped from its first to its last byte.
    pub fn check_range(&self, address: u64, bytes: u64) -> Outcome<()> {
        if bytes == 0 {
            return Ok(());
        }
        let end = address.checked_add(bytes).ok_or_else(|| format!("{bytes} bytes at {address:#x} wrap around"))?;
        if end <= WINDOW_BASE || address >= WINDOW_BASE + WINDOW_BYTES {
            return Ok(());
        }
        let (state, mut here) = (self.read(), address);
        while here < end {
            let mapping = state.mapped.range(..=here).next_back();
            match mapping {
                Some((start, m)) if start + m.bytes > here => here = start + m.bytes,
                _ => return Err(format!("no device memory is mapped at {here:#x} ({bytes} bytes from {address:#x})")),
            }
        }
        Ok(())
    }
}

/// At exactly this address, where nothing is. ThreadSanitizer knows the first flag only, by which it refuses addresses
/// that it has no shadow for; with the second alone it asks for address 0 and ends the program. Linux knows the second
/// from 4.17 on.
const NEW: i32 = libc::MAP_FIXED | libc::MAP_FIXED_NOREPLACE;
const ANONYMOUS: i32 = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;

impl State {
    /// Sets device addresses aside, and where their bytes are, with this protection.
    fn take(&mut self, bytes: u64, alignment: u64, protection: i32) -> Outcome<u64> {
        loop {
            let address =
                self.free.take(bytes, alignment).ok_or("no such range of device addresses is left of 1 TiB")?;
            match set_aside_at(address, bytes, protection) {
                Ok(()) => return Ok(address),
                // Somebody else has mapped something there. What lies behind is left out too, so that few tries lead
                // past it.
                Err(error) if error.raw_os_error() == Some(libc::EEXIST) => drop(self.free.take(LEFT_OUT, GRANULARITY)),
                Err(error) => {
                    self.free.give(address, bytes);
                    return Err(failed(error));
                }
            }
        }
    }

    /// Takes back what [`State::take`] gave. Later accesses fault.
    fn give(&mut self, address: u64, bytes: u64) -> Outcome<()> {
        for start in [resolve(address), address] {
            // SAFETY: it was set aside by `take`, and nobody uses it any more.
            unsafe { unmap(start, bytes)? };
        }
        self.free.give(address, bytes);
        Ok(())
    }
}

/// Device addresses that nobody accesses, and where their bytes are, with this protection.
fn set_aside_at(address: u64, bytes: u64, protection: i32) -> io::Result<()> {
    let flags = ANONYMOUS | NEW;
    // SAFETY: the flag keeps it from replacing anything.
    unsafe { map(address, bytes, libc::PROT_NONE, flags, None)? };
    // SAFETY: the flag keeps it from replacing anything.
    let alias = unsafe { map(resolve(address), bytes, protection, flags, None) };
    if alias.is_err() {
        // SAFETY: mapped above, and nobody else knows it. A failure leaves addresses unused.
        let _ = unsafe { unmap(address, bytes) };
    }
    alias
}

fn failed(error: io::Error) -> String {
    format!("mmap failed: {error}")
}

/// Takes the bytes of a range away.
///
/// # Safety
/// As [`map`]'s, for the bytes behind `address`.
unsafe fn hide(address: u64, bytes: u64) -> Outcome<()> {
    // SAFETY: the caller vouches for the range.
    unsafe { map(resolve(address), bytes, libc::PROT_NONE, ANONYMOUS | libc::MAP_FIXED, None) }.map_err(failed)
}

/// `mmap` at exactly `start`. A core dump leaves it out.
///
/// # Safety
/// The range belongs to the emulation and holds nothing that is still needed, unless `flags` keep the call from
/// replacing a mapping.
unsafe fn map(start: u64, bytes: u64, protection: i32, flags: i32, fd: Option<BorrowedFd<'_>>) -> io::Result<()> {
    let raw = fd.map_or(-1, |fd| fd.as_raw_fd());
    // SAFETY: the caller vouches for the range.
    let got = unsafe { libc::mmap(start as *mut libc::c_void, bytes as usize, protection, flags, raw, 0) };
    if got == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: it changes what a core dump holds of the mapping above. A failure makes the dump larger.
    unsafe { libc::madvise(got, bytes as usize, libc::MADV_DONTDUMP) };
    Ok(())
}

/// # Safety
/// The range belongs to the emulation, and nobody uses it any more.
unsafe fn unmap(start: u64, bytes: u64) -> Outcome<()> {
    // SAFETY: the caller vouches for the range.
    match unsafe { libc::munmap(start as *mut libc::c_void, bytes as usize) } {
        0 => Ok(()),
        _ => Err(format!("munmap failed: {}", io::Error::last_os_error())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a mapping of the program's among the device addresses, or where their bytes are, that is replaced or
    /// keeps the emulation from having any memory.
    #[test]
    fn others_mappings_are_passed_over() {
        let start = WINDOW_BASE + WINDOW_BYTES / 2;
        for foreign in [start, resolve(start)] {
            let free = FreeRanges::new(start, 4 * LEFT_OUT);
            let state = State { free, reservations: BTreeMap::new(), mapped: BTreeMap::new(), backed: BTreeMap::new() };
            let window = Window(RwLock::new(state));
            let protection = libc::PROT_READ | libc::PROT_WRITE;
            // SAFETY: the flag keeps it from replacing anything.
            unsafe { map(foreign, PAGE_BYTES, protection, ANONYMOUS | NEW, None) }.expect("nobody is there");
            // SAFETY: just mapped for writing.
            unsafe { (foreign as *mut u8).write(7) };
            let addresses = [1, 2].map(|_| window.alloc(3 * PAGE_BYTES).expect("there is room elsewhere"));
            assert!(addresses.iter().all(|address| *address > start), "{addresses:x?}");
            // SAFETY: mapped above.
            assert_eq!(unsafe { (foreign as *const u8).read() }, 7);
            for address in addresses {
                window.free(address).expect("it was allocated");
            }
            // SAFETY: mapped above, and nobody uses it any more.
            unsafe { unmap(foreign, PAGE_BYTES) }.expect("it is mapped");
        }
    }
}
