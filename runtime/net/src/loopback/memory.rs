//! The memory of peers: ranges of shared files and of other processes.

use crate::pieces::{Key, Piece, Regions};
use nix::sys::mman::{MapFlags, MmapAdvise, ProtFlags, madvise, mmap, munmap};
use nix::unistd::{SysconfVar, sysconf};
use std::cell::OnceCell;
use std::ffi::c_void;
use std::num::NonZeroUsize;
use std::os::fd::OwnedFd;
use std::ptr::NonNull;
use std::sync::Arc;

/// A range of a shared file.
///
/// Closing any other descriptor of the file while atomic operations run on it releases their locks, so the process
/// should close none before it is done with the [`Nic`](crate::Nic).
#[derive(Clone, Debug)]
pub struct Memory {
    /// The file, open for reading and writing.
    pub file: Arc<OwnedFd>,
    /// The offset in the file at which the range starts.
    pub offset: u64,
    /// Its length.
    pub bytes: u64,
}

/// A range in another process of the same user. It is not mapped: the operating system copies, and may copy a word in
/// pieces. So words of it cannot be set, and atomic operations are not possible on it.
#[derive(Clone, Copy, Debug)]
pub struct ProcessMemory {
    /// The process.
    pub pid: i32,
    /// The address of the range in that process.
    pub start: usize,
    /// Its length.
    pub bytes: u64,
}

/// What backs a piece of a region.
#[derive(Clone)]
pub(crate) enum Backing {
    File(Memory),
    Process(ProcessMemory),
}

/// The regions of peers. A piece is mapped on first use.
#[derive(Default)]
pub(crate) struct Table {
    regions: Regions<Vec<Way>>,
    /// How many times a piece was introduced or forgotten.
    changes: u64,
}

/// The piece that was looked up last: most operations use the same one as the one before.
#[derive(Default)]
pub(crate) struct Last(Option<(Key, u64, Arc<Mapped>)>);

struct Way {
    backing: Backing,
    mapped: OnceCell<Arc<Mapped>>,
}

/// A piece of a region, in the address space of this process or of another one.
pub(crate) struct Mapped {
    pub(crate) backing: Backing,
    /// The offset in the region at which it starts.
    at: u64,
    start: NonNull<c_void>,
    length: usize,
    /// The distance from `start` to the piece's first byte.
    skipped: usize,
}

// SAFETY: the mapping is shared memory that is accessed only through raw pointers, and unmapped when its last owner
// goes.
unsafe impl Send for Mapped {}
// SAFETY: it is an address range that only whoever has the provider copies from and to, through raw pointers.
unsafe impl Sync for Mapped {}

/// Bytes of a region that lie in one piece.
#[derive(Clone)]
pub(crate) struct Remote {
    pub(crate) mapped: Arc<Mapped>,
    /// The offset in the region.
    pub(crate) at: u64,
}

impl Table {
    /// Introduces a piece of a peer's region.
    pub(crate) fn learn(&mut self, (peer, region): Key, number: u32, at: u64, backing: Backing) -> Result<(), String> {
        let (bytes, way) = (backing.bytes(), Way { backing, mapped: OnceCell::new() });
        self.changes += 1;
        self.regions.learn(region, Piece { peer, number, at, bytes, way })
    }

    /// Forgets a piece of all peers. What was delivered late still goes there.
    pub(crate) fn forget(&mut self, region: u32, number: u32) {
        self.regions.forget(region, number);
        self.changes += 1;
    }

    /// Of the bytes that an operation names, the last ones, as far as they lie in one piece, mapped; or the reason why
    /// the bytes cannot be used.
    pub(crate) fn find(&mut self, last: &mut Last, key: Key, at: u64, bytes: usize) -> Result<Remote, String> {
        let mapped = match &last.0 {
            Some((found, then, mapped)) if *found == key && *then == self.changes && mapped.holds(at, bytes) => {
                mapped.clone()
            }
            _ => {
                let mapped = self.look_up(key, at, bytes)?;
                last.0 = Some((key, self.changes, mapped.clone()));
                mapped
            }
        };
        let at = at.max(mapped.at);
        Ok(Remote { mapped, at })
    }

    fn look_up(&self, key: Key, at: u64, bytes: usize) -> Result<Arc<Mapped>, String> {
        let region = key.1;
        self.regions.check(key, at, bytes)?;
        let last = at + (bytes as u64).saturating_sub(1);
        let Some(found) = self.regions.holding(key, last) else {
            return Err(format!("no piece of region {region} has the byte at offset {last}"));
        };
        let (ways, place) = found.way();
        let way = &ways[place];
        if let Some(mapped) = way.mapped.get() {
            return Ok(mapped.clone());
        }
        let mapped = Mapped::map(&way.backing, found.at)
            .map_err(|cause| format!("map the {} bytes of region {region}: {cause}", way.backing.bytes()))?;
        Ok(way.mapped.get_or_init(|| Arc::new(mapped)).clone())
    }
}

impl Backing {
    fn bytes(&self) -> u64 {
        match self {
            Self::File(memory) => memory.bytes,
            Self::Process(memory) => memory.bytes,
        }
    }
}

impl Mapped {
    /// Whether these bytes of the region lie in this piece.
    fn holds(&self, at: u64, bytes: usize) -> bool {
        let inside = at.wrapping_sub(self.at);
        inside <= self.backing.bytes() && bytes as u64 <= self.backing.bytes() - inside
    }

    fn map(backing: &Backing, at: u64) -> Result<Self, String> {
        let memory = match backing {
            Backing::File(memory) => memory,
            Backing::Process(memory) => {
                let start = NonNull::new(std::ptr::without_provenance_mut(memory.start)).ok_or("it has no address")?;
                return Ok(Self { backing: backing.clone(), at, start, length: 0, skipped: 0 });
            }
        };
        let end = memory.offset.checked_add(memory.bytes).ok_or("its end has no offset in a file")?;
        // Without this test, an access beyond the end of the file would kill this process.
        let backed = nix::sys::stat::fstat(&memory.file).map_err(|e| format!("fstat failed: {e}"))?.st_size as u64;
        if end > backed {
            return Err(format!("its file has {backed} bytes and would need {end}"));
        }
        let page = sysconf(SysconfVar::PAGE_SIZE).ok().flatten().unwrap_or(4096) as u64;
        let skipped = (memory.offset % page) as usize;
        let Some(length) = NonZeroUsize::new(memory.bytes as usize + skipped) else {
            return Ok(Self { backing: backing.clone(), at, start: NonNull::dangling(), length: 0, skipped });
        };
        let offset = (memory.offset - skipped as u64) as libc::off_t;
        let access = ProtFlags::PROT_READ | ProtFlags::PROT_WRITE;
        let flags = MapFlags::MAP_SHARED | MapFlags::MAP_NORESERVE;
        // SAFETY: a new mapping, at an address that the system chooses.
        let start = unsafe { mmap(None, length, access, flags, &memory.file, offset) };
        let start = start.map_err(|e| format!("mmap failed: {e}"))?;
        // Otherwise a core dump would allocate every page of a sparse file. If the call fails, the dump is only larger.
        // SAFETY: the advice changes no access to the range, which was mapped just now.
        let _ = unsafe { madvise(start, length.get(), MmapAdvise::MADV_DONTDUMP) };
        Ok(Self { backing: backing.clone(), at, start, length: length.get(), skipped })
    }
}

impl Drop for Mapped {
    fn drop(&mut self) {
        if self.length > 0 {
            // SAFETY: `map` mapped it, and whoever holds an address in it also holds `self`.
            let _ = unsafe { munmap(self.start, self.length) };
        }
    }
}

impl Remote {
    /// Where the bytes are: in this process while `self` exists, or in the other process.
    pub(crate) fn address(&self) -> *mut u8 {
        self.mapped.start.as_ptr().cast::<u8>().wrapping_add(self.mapped.skipped + self.inside() as usize)
    }

    /// The offset in the piece.
    pub(crate) fn inside(&self) -> u64 {
        self.at - self.mapped.at
    }

    /// The process that has the bytes, if they are not mapped.
    pub(crate) fn process(&self) -> Option<i32> {
        match &self.mapped.backing {
            Backing::File(_) => None,
            Backing::Process(memory) => Some(memory.pid),
        }
    }
}

/// Copies to or from memory of another process.
///
/// # Safety
/// `here` is valid for reading or, if it is the target, for writing `bytes` bytes.
pub(crate) unsafe fn between_processes(
    pid: i32,
    there: *mut u8,
    here: *mut u8,
    bytes: usize,
    to_peer: bool,
) -> Result<(), String> {
    let mut done = 0;
    while done < bytes {
        let end = |start: *mut u8| libc::iovec { iov_base: start.wrapping_add(done).cast(), iov_len: bytes - done };
        let (here, there) = (end(here), end(there));
        // SAFETY: the caller guarantees the memory here, and the system checks the memory there.
        let copied = unsafe {
            if to_peer {
                libc::process_vm_writev(pid, &raw const here, 1, &raw const there, 1, 0)
            } else {
                libc::process_vm_readv(pid, &raw const here, 1, &raw const there, 1, 0)
            }
        };
        match copied {
            1.. => done += copied as usize,
            0 => return Err("the system copied nothing between the processes".to_owned()),
            _ => {
                return Err(format!(
                    "the system does not copy between the processes: {}",
                    std::io::Error::last_os_error()
                ));
            }
        }
    }
    Ok(())
}
