//! The device address space of this process: what is reserved and what is mapped where.

use super::ranges::FreeRanges;
use crate::{GpuError, Result};
use cushmem_abi::soft::{ALIAS_DISTANCE, WINDOW_BASE, WINDOW_BYTES, is_device_address, resolve};
use std::collections::BTreeMap;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::sync::{OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Unit of chunks, bytes.
pub(super) const GRANULARITY: u64 = 64 << 10;
/// Unit of private memory, and what registered host memory is aligned to, bytes.
pub(super) const PAGE_BYTES: u64 = 4096;
/// Private memory up to this size starts out filled with [`POISON`], so that a program which relies on cleared memory
/// fails here as well.
const POISONED_BYTES: u64 = 1 << 20;
const POISON: u8 = 0xa5;

type Outcome<T> = std::result::Result<T, String>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Private,
    Chunk,
}

#[derive(Clone, Copy)]
struct Mapping {
    /// As asked for: copies may not run over this, even inside the last page.
    bytes: u64,
    kind: Kind,
}

struct State {
    free: FreeRanges,
    reservations: BTreeMap<u64, u64>,
    mapped: BTreeMap<u64, Mapping>,
}

/// The window of device addresses. One in a process.
pub(super) struct Window(RwLock<State>);

impl Window {
    /// The process's window, set up at the first call.
    pub fn get() -> Result<&'static Self> {
        static WINDOW: OnceLock<Result<Window>> = OnceLock::new();
        WINDOW.get_or_init(Self::set_up).as_ref().map_err(Clone::clone)
    }

    fn set_up() -> Result<Self> {
        for start in [WINDOW_BASE, WINDOW_BASE + ALIAS_DISTANCE] {
            map(start, WINDOW_BYTES, libc::PROT_NONE, ANONYMOUS | libc::MAP_FIXED_NOREPLACE, None).map_err(|e| {
                GpuError::new(
                    format!("set aside {WINDOW_BYTES} bytes of address space at {start:#x} for the emulated GPU"),
                    e,
                )
            })?;
        }
        Ok(Self(RwLock::new(State {
            free: FreeRanges::new(WINDOW_BASE, WINDOW_BYTES),
            reservations: BTreeMap::new(),
            mapped: BTreeMap::new(),
        })))
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
        let address = state.free.take(bytes, alignment.max(GRANULARITY)).ok_or("no such range is left")?;
        state.reservations.insert(address, bytes);
        Ok(address)
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
        map(resolve(address), bytes, protection, libc::MAP_SHARED | libc::MAP_FIXED, Some(fd))?;
        state.mapped.insert(address, Mapping { bytes, kind: Kind::Chunk });
        Ok(())
    }

    pub fn unmap(&self, address: u64, bytes: u64) -> Outcome<()> {
        let mut state = self.write();
        match state.mapped.get(&address) {
            Some(m) if m.kind == Kind::Chunk && m.bytes == bytes => {}
            _ => return Err("no chunk of this size is mapped there".to_owned()),
        }
        hide(address, bytes)?;
        state.mapped.remove(&address);
        Ok(())
    }

    pub fn alloc(&self, bytes: u64) -> Outcome<u64> {
        if bytes == 0 {
            return Err("the size is zero".to_owned());
        }
        let pages = bytes.next_multiple_of(PAGE_BYTES);
        let mut state = self.write();
        let address = state.free.take(pages, PAGE_BYTES).ok_or("no such range of device addresses is left")?;
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        if let Err(e) = map(resolve(address), pages, protection, ANONYMOUS | libc::MAP_FIXED, None) {
            state.free.give(address, pages);
            return Err(e);
        }
        if bytes <= POISONED_BYTES {
            // SAFETY: these pages were just mapped for reading and writing, and nobody else knows of them.
            unsafe { (resolve(address) as *mut u8).write_bytes(POISON, pages as usize) };
        }
        state.mapped.insert(address, Mapping { bytes, kind: Kind::Private });
        Ok(address)
    }

    pub fn free(&self, address: u64) -> Outcome<()> {
        let mut state = self.write();
        let pages = match state.mapped.get(&address) {
            Some(m) if m.kind == Kind::Private => m.bytes.next_multiple_of(PAGE_BYTES),
            _ => return Err("it was not allocated, or is freed already".to_owned()),
        };
        hide(address, pages)?;
        state.mapped.remove(&address);
        state.free.give(address, pages);
        Ok(())
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
        let state = self.read();
        let mut here = address;
        while here < end {
            let mapping = state.mapped.range(..=here).next_back().filter(|_| is_device_address(here));
            match mapping {
                Some((start, m)) if start + m.bytes > here => here = start + m.bytes,
                _ => return Err(format!("no device memory is mapped at {here:#x} ({bytes} bytes from {address:#x})")),
            }
        }
        Ok(())
    }
}

const ANONYMOUS: i32 = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;

/// Takes the bytes behind a device range away.
fn hide(address: u64, bytes: u64) -> Outcome<()> {
    map(resolve(address), bytes, libc::PROT_NONE, ANONYMOUS | libc::MAP_FIXED, None)
}

/// `mmap` at exactly `start`, which lies in the window or its alias.
fn map(start: u64, bytes: u64, protection: i32, flags: i32, fd: Option<BorrowedFd<'_>>) -> Outcome<()> {
    assert!(is_device_address(start) || is_device_address(start - ALIAS_DISTANCE), "{start:#x} is outside the window");
    let raw = fd.map_or(-1, |fd| fd.as_raw_fd());
    // SAFETY: the range belongs to the emulation (asserted above): either it is being taken now, without replacing
    // anything, or the window was set up and nothing but device memory lives there.
    let got = unsafe { libc::mmap(start as *mut libc::c_void, bytes as usize, protection, flags, raw, 0) };
    if got == libc::MAP_FAILED {
        return Err(format!("mmap failed: {}", io::Error::last_os_error()));
    }
    if got as u64 != start {
        // SAFETY: an old kernel took the address for a hint and mapped this elsewhere; nothing uses it yet.
        unsafe { libc::munmap(got, bytes as usize) };
        return Err("mmap failed: the address range is in use".to_owned());
    }
    Ok(())
}
