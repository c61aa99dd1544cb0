//! Huge pages of the host heap (`CUSHMEM_HUGE_PAGES`): pages of 2 MiB instead of 4 KiB. The first touch then takes one
//! fault instead of 512, and the TLB covers more memory.
//!
//! * *What the system gives*: the window is marked (`MADV_HUGEPAGE`), and the system may use such pages where memory is
//!   touched for the first time. Whether it does for shared memory is a setting of the system.
//! * *Reserved pages*: the node's file lies in hugetlbfs. A touch for which no page is left ends the process. So the
//!   leader reserves those of all segments, by a mapping of each, before it passes the file on. The reservation belongs
//!   to the file, and the pages are still allocated where they are first touched.

use crate::job::HugePages;
use crate::sync::shared_file::file_with;
use nix::sys::memfd::MFdFlags;
use nix::sys::mman::{MapFlags, MmapAdvise, ProtFlags, madvise, mmap, munmap};
use nix::sys::statfs::{HUGETLBFS_MAGIC, fstatfs};
use std::ffi::c_void;
use std::num::NonZeroUsize;
use std::os::fd::{AsFd, OwnedFd};
use std::ptr::NonNull;

/// The system's file with the number of reserved pages that are free. Reading it is only for messages.
const FREE: &str = "/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages";
/// The system's setting for shared memory.
const SHARED: &str = "/sys/kernel/mm/transparent_hugepage/shmem_enabled";

/// Creates a file of reserved pages for `segments` segments, each of which has `bytes` bytes at a multiple of `stride`.
/// All are multiples of 2 MiB. Fails if not enough pages are reserved.
pub(super) fn reserved_file(stride: u64, segments: u32, bytes: u64) -> Result<OwnedFd, String> {
    let flags = MFdFlags::MFD_HUGETLB | MFdFlags::MFD_HUGE_2MB;
    let file = file_with(c"cushmem-host-heap", flags, stride * u64::from(segments))?;
    let length = NonZeroUsize::new(bytes as usize).ok_or("a heap of 0 bytes")?;
    for start in (0..segments).map(|place| u64::from(place) * stride) {
        // SAFETY: a new mapping at an address that the operating system chooses touches no memory in use.
        let mapped = unsafe { mmap(None, length, ProtFlags::PROT_READ, MapFlags::MAP_SHARED, &file, start as i64) };
        let mapped = mapped.map_err(|error| {
            let free = std::fs::read_to_string(FREE).map_or_else(|_| "?".to_owned(), |free| free.trim().to_owned());
            format!("{error}: {free} pages are free, and {} are needed", u64::from(segments) * (bytes >> 21))
        })?;
        // SAFETY: the mapping just made, which nobody uses. If it fails, some addresses stay in use.
        let _ = unsafe { munmap(mapped, length.get()) };
    }
    Ok(file)
}

/// Asks for huge pages for a mapping of `file`, or for none. Returns what it has, in words.
pub(super) fn ask(asked: HugePages, file: &OwnedFd, base: NonNull<c_void>, length: NonZeroUsize) -> String {
    if fstatfs(file.as_fd()).is_ok_and(|facts| facts.filesystem_type() == HUGETLBFS_MAGIC) {
        return "reserved huge pages".to_owned();
    }
    let advice = if asked == HugePages::Never { MmapAdvise::MADV_NOHUGEPAGE } else { MmapAdvise::MADV_HUGEPAGE };
    // SAFETY: the advice does not change the memory.
    if let Err(error) = unsafe { madvise(base, length.get(), advice) } {
        return format!("no huge pages: {error}");
    }
    if asked == HugePages::Never {
        return "no huge pages".to_owned();
    }
    let setting = std::fs::read_to_string(SHARED).unwrap_or_default();
    let chosen = setting.split(['[', ']']).nth(1).unwrap_or("unknown");
    format!("huge pages as the system gives them (shmem_enabled is {chosen})")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a file that is passed on although a touch of it would end the process.
    #[test]
    fn more_pages_than_there_are_cannot_be_reserved() {
        let why = reserved_file(1 << 45, 2, 1 << 44).expect_err("16 TiB for each of two PEs");
        assert!(!why.is_empty());
    }
}
