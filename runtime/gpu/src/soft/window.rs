//! The window of device addresses: what is reserved, and what is mapped where, in this process.

use super::chunk::{GRANULARITY, SoftChunk};
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

/// The unit of private memory and the alignment of registered host memory, in bytes.
pub(super) const PAGE_BYTES: u64 = 4096;
/// Private memory up to this size is initially filled with [`POISON`], so that a program that relies on cleared memory
/// fails here as it would on a GPU.
const POISONED_BYTES: u64 = 1 << 20;
const POISON: u8 = 0xa5;

/// How much is skipped behind a range that is not free in this process, in bytes.
const LEFT_OUT: u64 = 1 << 30;

type Outcome<T> = std::result::Result<T, String>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum MappingKind {
    Private,
    Chunk,
}

#[derive(Clone, Copy)]
struct Mapping {
    /// The size that was asked for: copies may not exceed it, even inside the last page.
    bytes: u64,
    kind: MappingKind,
}

struct State {
    free: FreeRanges,
    reservations: BTreeMap<u64, u64>,
    mapped: BTreeMap<u64, Mapping>,
    /// Private memory that other processes may map, with the chunk in which it lies.
    backed: BTreeMap<u64, Arc<SoftChunk>>,
}

/// The window of device addresses, of which a process has one.
///
/// It takes from the address space only what is reserved or allocated. The whole window would be 2 TiB: more than a
/// limit (`ulimit -v`) allows, and half a minute of work for tools that keep track of every address (valgrind).
pub(super) struct Window(RwLock<State>);

impl Window {
    /// Returns the process's window.
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

    pub fn unreserve(&self, address: u64, bytes: u64) -> Outcome<()> {
        let mut state = self.write();
        if state.reservations.get(&address) != Some(&bytes) {
            return Err("no such range is reserved".to_owned());
        }
        if let Some((start, _)) = state.mapped.range(address..address + bytes).next() {
            return Err(format!("something is still mapped at {start:#x}"));
        }
        state.give(address, bytes)?;
        state.reservations.remove(&address);
        Ok(())
    }

    /// Checks that `bytes` bytes could be reserved.
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
        // SAFETY: the range is the chunk's, and later accesses to it fault.
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

    /// Moves an allocation of [`Window::alloc`] into a chunk, in which it stays until it is freed. The caller
    /// guarantees that nobody uses it during the call.
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
        // SAFETY: these bytes are mapped, and the caller guarantees that nobody changes them now.
        let old = unsafe { std::slice::from_raw_parts(resolve(address) as *const u8, bytes as usize) };
        file.write_all_at(old, 0).map_err(|error| format!("copying it failed: {error}"))?;
        let (pages, protection) = (bytes.next_multiple_of(PAGE_BYTES), libc::PROT_READ | libc::PROT_WRITE);
        // SAFETY: the pages are this allocation's, and the file has the same bytes.
        unsafe { map(resolve(address), pages, protection, libc::MAP_SHARED | libc::MAP_FIXED, Some(file.as_fd())) }
            .map_err(failed)?;
        state.backed.insert(address, chunk.clone());
        Ok(chunk)
    }

    /// Returns the [`Window::alloc`] allocation around an address.
    pub fn allocation(&self, address: u64) -> Option<Range<u64>> {
        let state = self.read();
        let (&start, mapping) = state.mapped.range(..=address).next_back()?;
        let has_it = mapping.kind == MappingKind::Private && address - start < mapping.bytes;
        has_it.then_some(start..start + mapping.bytes)
    }

    /// Refuses a range that touches device addresses unless all of its bytes are mapped.
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

/// Maps at exactly this address, and only if nothing is mapped there. ThreadSanitizer knows only the first flag, which
/// makes it refuse addresses for which it has no shadow; with the second flag alone, it asks for address 0 and ends the
/// program. Linux knows the second flag since 4.17.
const NEW: i32 = libc::MAP_FIXED | libc::MAP_FIXED_NOREPLACE;
const ANONYMOUS: i32 = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;

impl State {
    /// Sets device addresses aside, together with the aliases of their bytes, which get this protection.
    fn take(&mut self, bytes: u64, alignment: u64, protection: i32) -> Outcome<u64> {
        loop {
            let address = self
                .free
                .take(bytes, alignment)
                .ok_or("no free range of this size is left in 1 TiB of device addresses")?;
            match set_aside_at(address, bytes, protection) {
                Ok(()) => return Ok(address),
                // Somebody else has mapped something there. Skip what lies behind it too, so that a few tries get past
                // it.
                Err(error) if error.raw_os_error() == Some(libc::EEXIST) => drop(self.free.take(LEFT_OUT, GRANULARITY)),
                Err(error) => {
                    self.free.give(address, bytes);
                    return Err(failed(error));
                }
            }
        }
    }

    /// Gives back what [`State::take`] returned. Later accesses fault.
    fn give(&mut self, address: u64, bytes: u64) -> Outcome<()> {
        for start in [resolve(address), address] {
            // SAFETY: `take` set the range aside, and nobody uses it any more.
            unsafe { unmap(start, bytes)? };
        }
        self.free.give(address, bytes);
        Ok(())
    }
}

/// Maps device addresses, which nobody accesses, and the aliases of their bytes, which get this protection.
fn set_aside_at(address: u64, bytes: u64, protection: i32) -> io::Result<()> {
    let flags = ANONYMOUS | NEW;
    // SAFETY: the flags keep the call from replacing anything.
    unsafe { map(address, bytes, libc::PROT_NONE, flags, None)? };
    // SAFETY: the flags keep the call from replacing anything.
    let alias = unsafe { map(resolve(address), bytes, protection, flags, None) };
    if alias.is_err() {
        // SAFETY: mapped above, and nobody else knows the mapping. A failure leaves the addresses unused.
        let _ = unsafe { unmap(address, bytes) };
    }
    alias
}

fn failed(error: io::Error) -> String {
    format!("mmap failed: {error}")
}

/// Removes the bytes of a range; later accesses fault.
///
/// # Safety
/// The conditions of [`map`], for the bytes behind `address`.
unsafe fn hide(address: u64, bytes: u64) -> Outcome<()> {
    // SAFETY: the caller guarantees that the range is the emulation's and holds nothing that is still needed.
    unsafe { map(resolve(address), bytes, libc::PROT_NONE, ANONYMOUS | libc::MAP_FIXED, None) }.map_err(failed)
}

/// Calls `mmap` for exactly this range, which core dumps leave out.
///
/// # Safety
/// The range belongs to the emulation and holds nothing that is still needed, unless `flags` keep the call from
/// replacing a mapping.
unsafe fn map(start: u64, bytes: u64, protection: i32, flags: i32, fd: Option<BorrowedFd<'_>>) -> io::Result<()> {
    let raw = fd.map_or(-1, |fd| fd.as_raw_fd());
    // SAFETY: the caller guarantees that the range holds nothing that is still needed, or that nothing is replaced.
    let got = unsafe { libc::mmap(start as *mut libc::c_void, bytes as usize, protection, flags, raw, 0) };
    if got == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: this only changes what a core dump contains of the mapping above. A failure makes the dump larger.
    unsafe { libc::madvise(got, bytes as usize, libc::MADV_DONTDUMP) };
    Ok(())
}

/// # Safety
/// The range belongs to the emulation, and nobody uses it any more.
unsafe fn unmap(start: u64, bytes: u64) -> Outcome<()> {
    // SAFETY: the caller guarantees that the range is the emulation's and that nobody uses it any more.
    match unsafe { libc::munmap(start as *mut libc::c_void, bytes as usize) } {
        0 => Ok(()),
        _ => Err(format!("munmap failed: {}", io::Error::last_os_error())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches an emulation that replaces a mapping of the program among the device addresses or their aliases, or that
    /// can allocate nothing because of such a mapping.
    #[test]
    fn others_mappings_are_passed_over() {
        let start = WINDOW_BASE + WINDOW_BYTES / 2;
        for foreign in [start, resolve(start)] {
            let free = FreeRanges::new(start, 4 * LEFT_OUT);
            let state = State { free, reservations: BTreeMap::new(), mapped: BTreeMap::new(), backed: BTreeMap::new() };
            let window = Window(RwLock::new(state));
            let protection = libc::PROT_READ | libc::PROT_WRITE;
            // SAFETY: the flags keep the call from replacing anything.
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
