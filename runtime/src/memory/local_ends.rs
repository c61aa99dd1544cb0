//! Memory of this PE that its kernels name in commands, as the source of a put or the target of a get: of which kind it
//! is, and whether all of it exists.
//!
//! The thread that asks carries out commands while the program may be in driver calls that wait for kernels, which may
//! in turn wait for a command. So addresses are first compared with those of this PE's heaps, of the library's own GPU
//! allocations, and of ranges that were found before. For other addresses only, the operating system is asked whether
//! the CPU can access the memory, and if not, the driver is asked whether the GPU can; once for each range.
//!
//! *Answers may become outdated.* A range of GPU memory that the program frees is still considered GPU memory: a copy
//! engine copies whatever lies there, or reports that nothing does. If host memory is unmapped and the driver then uses
//! its addresses for device memory, the program is killed, as [`super::near::KnownHost`] explains.

use super::{At, Memory, Segment};
use cushmem_gpu::Gpu;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::ops::Range;

/// The most ranges that are remembered.
const MOST: usize = 256;

/// The kind of memory in a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Gpu,
    Host { writable: bool },
}

/// Ranges found before: their start, end and kind. They do not overlap.
#[derive(Default)]
pub(crate) struct LocalEnds(BTreeMap<u64, (u64, Kind)>);

impl LocalEnds {
    /// Whether a range is GPU memory; `None` if not all of its bytes are memory. `writes` says whether the command
    /// writes or reads it. The range does not wrap around.
    pub(crate) fn is_on_gpu(
        &mut self,
        memory: &Memory,
        gpu: &dyn Gpu,
        (address, bytes): (usize, usize),
        writes: bool,
    ) -> Option<bool> {
        let bytes = bytes as u64;
        if let Some((At { segment, offset }, length)) = memory.segment_of(address) {
            return (bytes <= length - offset.0).then_some(segment == Segment::Gpu);
        }
        // The library's own words.
        let is_ours = |at: At| at.segment == Segment::Gpu && at.offset.0 < memory.words_in_gpu();
        if memory.heap_of_any(address).is_some_and(is_ours) {
            return None;
        }
        self.private(gpu, address as u64, bytes, writes)
    }

    /// Like [`Self::is_on_gpu`], for a range that is not in a heap of this PE.
    fn private(&mut self, gpu: &dyn Gpu, address: u64, bytes: u64, writes: bool) -> Option<bool> {
        let end = address + bytes;
        if gpu.is_of_lanes(address) {
            return None;
        }
        if let Some(range) = gpu.allocation(address) {
            return (end <= range.end).then_some(true);
        }
        let known = self.0.range(..=address).next_back().filter(|(_, (known, _))| end <= *known);
        if let Some((_, (_, kind))) = known
            && !(writes && *kind == Kind::Host { writable: false })
        {
            return Some(*kind == Kind::Gpu);
        }
        let of_host = host_range(address, end, writes).map(|(range, writable)| (range, Kind::Host { writable }));
        let (range, kind) = of_host.or_else(|| Some((gpu.device_range(address, bytes)?, Kind::Gpu)))?;
        self.remember(range, kind);
        Some(kind == Kind::Gpu)
    }

    fn remember(&mut self, range: Range<u64>, kind: Kind) {
        if self.0.len() >= MOST {
            self.0.clear();
        }
        // Ranges that overlap it are outdated.
        self.0.retain(|start, (end, _)| *end <= range.start || range.end <= *start);
        self.0.insert(range.start, (range.end, kind));
    }
}

/// The contiguous mappings that contain these bytes, if the CPU may read all of them, and write them if `writes`; also
/// returns whether it may write.
fn host_range(address: u64, end: u64, writes: bool) -> Option<(Range<u64>, bool)> {
    let mappings = BufReader::new(File::open("/proc/self/maps").ok()?);
    // The writable run, and the readable run.
    let mut runs = [const { 0..0 }; 2];
    for line in mappings.lines() {
        let line = line.ok()?;
        let (range, access) = line.split_once(' ')?;
        let (from, to) = range.split_once('-')?;
        let [from, to] = [from, to].map(|digits| u64::from_str_radix(digits, 16));
        let (from, to) = (from.ok()?, to.ok()?);
        for (run, access_needed) in runs.iter_mut().zip(["rw", "r"]) {
            let goes_on = access.starts_with(access_needed);
            if goes_on && run.end == from {
                run.end = to;
            } else if !run.contains(&address) {
                *run = if goes_on { from..to } else { 0..0 };
            }
        }
    }
    let [written, read] = runs.map(|run| Some(run).filter(|run| run.start <= address && end <= run.end));
    written.map(|run| (run, true)).or_else(|| read.filter(|_| !writes).map(|run| (run, false)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cushmem_gpu::soft::SoftGpu;

    static CONSTANT: [u8; 64] = *b"memory that the CPU reads, and writes only at its own peril; ...";

    fn ends() -> (LocalEnds, std::sync::Arc<SoftGpu>) {
        (LocalEnds::default(), SoftGpu::open(0).expect("the emulated GPU opens"))
    }

    /// Catches memory that does not exist, or that is read-only, and is accepted for a command.
    #[test]
    fn ranges_that_do_not_exist_are_found_out() {
        let (mut ends, gpu) = ends();
        let heap = vec![0u8; 1 << 20];
        let (heap, constant) = (heap.as_ptr() as u64, CONSTANT.as_ptr() as u64);
        for _ in 0..2 {
            assert_eq!(ends.private(&*gpu, heap, 1 << 20, true), Some(false));
            assert_eq!(ends.private(&*gpu, constant, 64, false), Some(false));
            assert_eq!(ends.private(&*gpu, constant, 64, true), None, "constants are not written");
            assert_eq!(ends.private(&*gpu, heap, 1 << 20, false), Some(false));
            assert_eq!(ends.private(&*gpu, heap, 1 << 46, false), None, "not so long");
            for nowhere in [1, 0x1000, 1 << 62] {
                assert_eq!([false, true].map(|writes| ends.private(&*gpu, nowhere, 8, writes)), [None; 2]);
            }
        }
    }

    /// Catches GPU memory that is still accepted after it was freed, and ranges that extend beyond it.
    #[test]
    fn allocations_count_as_long_as_they_live() {
        let (mut ends, gpu) = ends();
        // Other tests of this process get the lowest free addresses, so they do not get the end of so large a range.
        const LARGE: u64 = (1 << 30) + 1000;
        let start = gpu.alloc(LARGE).expect("memory");
        let address = start + LARGE - 1000;
        assert_eq!(ends.private(&*gpu, start, LARGE, true), Some(true));
        assert_eq!(ends.private(&*gpu, address, 1000, true), Some(true));
        assert_eq!(ends.private(&*gpu, address + 999, 1, false), Some(true));
        assert_eq!(ends.private(&*gpu, address + 999, 2, false), None);
        gpu.free(start).expect("it is allocated");
        assert_eq!(ends.private(&*gpu, address, 1000, true), None);
        assert!(ends.0.is_empty(), "nothing was asked of the driver that would be remembered");
    }

    /// Catches ranges that are looked up each time, that overlap, or that push each other out.
    #[test]
    fn what_was_found_is_remembered() {
        let (mut ends, gpu) = ends();
        let reserved = gpu.reserve(1 << 20, 1 << 16).expect("addresses");
        let chunk = gpu.create_chunk(1 << 16).expect("memory");
        gpu.map_chunk(reserved, &chunk).expect("map");
        assert_eq!(ends.private(&*gpu, reserved, 1 << 16, true), Some(true));
        gpu.unmap(reserved, 1 << 16).expect("it is mapped");
        assert_eq!(ends.private(&*gpu, reserved, 1 << 16, true), Some(true), "the driver is not asked again");
        gpu.map_chunk(reserved + (1 << 16), &chunk).expect("map");
        assert_eq!(ends.private(&*gpu, reserved, 1 << 17, true), None, "the driver is asked about the rest");
        ends.remember(reserved + 100..reserved + (1 << 17), Kind::Host { writable: true });
        assert_eq!(ends.0.len(), 1, "what overlaps is replaced");
        (0..2 * MOST as u64).for_each(|at| ends.remember(at << 20..(at + 1) << 20, Kind::Gpu));
        assert!(ends.0.len() <= MOST);
    }
}
