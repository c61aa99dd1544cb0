//! Collectives by a kernel of the library on each member, where the GPUs reach each other. This module decides which
//! kernel runs, with how many blocks. All members decide alike, because the decision depends only on what all know.

use super::unequal::Unequal;
use super::{Collective, Participants};
use crate::error::Result;
use crate::memory::{At, Segment};
use crate::service::on_stream::Queue;
use crate::transport::library::Library;
use crate::{Shmem, Team};
use cushmem_abi::{CollectiveArea, Folding, TEAM_BLOCKS};
use cushmem_device::{DevPtr, DeviceTeam, Kernel};
use cushmem_gpu::{Grid, LaunchKind, Stream};
use cushmem_kernels as kernels;

/// Lanes of a block.
const LANES: usize = 512;
/// On the emulated GPU, where a lane costs more than what it copies.
const EMULATED_LANES: usize = 32;
const EMULATED_BLOCKS: u32 = 2;
/// The most bytes that a member sends to another one through inboxes. Beyond that, sending a flag with each word takes
/// longer than a barrier.
const SHORT: usize = 64 << 10;

/// A member whose kernel reaches all others.
pub(super) struct Member<'a> {
    shmem: &'a Shmem,
    operation: &'static str,
    host: &'a Team,
    team: DeviceTeam,
    source: DevPtr<u8>,
    dest: DevPtr<u8>,
    library: &'a Library,
    /// At most.
    blocks: u32,
}

/// A kernel with its arguments except team and buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Work {
    Fold {
        bytes: usize,
        width: usize,
        code: u32,
        folding: Folding,
    },
    ReduceShort {
        bytes: usize,
        code: u32,
    },
    Copy {
        bytes: usize,
        step: usize,
        at: usize,
        root: Option<u32>,
    },
    CopyShort {
        bytes: usize,
        step: usize,
    },
    Strided {
        size: usize,
        elements: usize,
        strides: (usize, usize),
    },
    /// With the addresses of the splits of dest and source.
    Unequal {
        splits: (u64, u64),
        room: usize,
        given: usize,
        row: usize,
    },
}

impl<'a> Member<'a> {
    /// This member, if kernels reach the buffers of all members; otherwise none.
    pub(super) fn find(
        shmem: &'a Shmem,
        operation: &'static str,
        who: Participants<'a>,
        source: At,
        dest: At,
    ) -> Option<Self> {
        let Participants::Team(host) = who else { return None };
        let memory = shmem.memory();
        if host.pes().row().is_none() || !in_heap(shmem, source) || !in_heap(shmem, dest) {
            return None;
        }
        // A team other than the world gets a quarter of the blocks, so that kernels of several teams can be resident
        // together.
        let all = memory.collective_blocks()?;
        let blocks = if host.slot() == 0 { all } else { (all / 4).clamp(1, TEAM_BLOCKS) };
        let library = shmem.transfers().library()?;
        let here = |at: At| DevPtr::from_address(memory.own(at));
        let (source, dest) = (here(source), here(dest));
        Some(Self { shmem, operation, host, team: host.device(), source, dest, library, blocks })
    }

    /// Carries out a collective, if there is a kernel for it. The error is the number of bytes that the dest of a
    /// collect needs.
    pub(super) fn run(&self, collective: Collective) -> Option<std::result::Result<(), usize>> {
        let (work, most) = match collective {
            Collective::Collect { bytes, room } => {
                let (at, all) = self.shmem.sync().sums(self.operation, self.host, bytes);
                if all > room {
                    return Some(Err(all));
                }
                if all == 0 {
                    return Some(Ok(()));
                }
                (Work::Copy { bytes, step: 0, at, root: None }, all)
            }
            _ => self.work(collective)?,
        };
        // If the kernels start together, none waits long.
        self.shmem.sync().sync_team(self.operation, self.host);
        let (services, slot) = (self.shmem.services(), self.host.slot());
        let done = services.run_collective(slot, work.name(), |stream| self.start(work, most, stream));
        done.unwrap_or_else(|error| self.shmem.job().end(self.operation, &error));
        Some(Ok(()))
    }

    /// Enqueues a collective on a stream. Returns none if there is no kernel for it.
    pub(super) fn enqueue(&self, collective: Collective, queue: &Queue<'_>) -> Option<Result<()>> {
        let (work, most) = self.work(collective)?;
        self.shmem.services().collectives_use(self.host.slot());
        let launch = || self.start(work, most, queue.stream);
        let launched = match queue.launches {
            Some(launches) => launches.add(work.name(), launch),
            None => launch(),
        };
        Some(launched.map_err(|error| self.shmem.transfers().device_error(work.name(), error)))
    }

    /// The kernel that serves, and how many bytes a member works on.
    fn work(&self, collective: Collective) -> Option<(Work, usize)> {
        let (me, n) = (self.team.my_pe as usize, self.team.n_pes as usize);
        let is_short = |bytes| bytes <= SHORT.min(CollectiveArea::short_bytes(self.team.slot, self.team.n_pes));
        let fold = |elements: usize, width: usize, code: u32, folding| {
            let bytes = elements * width;
            (Work::Fold { bytes, width, code, folding }, bytes.div_ceil(n))
        };
        Some(match collective {
            Collective::Broadcast { bytes, root, .. } => {
                (Work::Copy { bytes, step: 0, at: 0, root: Some(root) }, bytes)
            }
            Collective::Fcollect { bytes } if is_short(bytes) => (Work::CopyShort { bytes, step: 0 }, bytes),
            Collective::Fcollect { bytes } => (Work::Copy { bytes, step: 0, at: me * bytes, root: None }, bytes),
            Collective::Alltoall { bytes } if is_short(bytes) => (Work::CopyShort { bytes, step: bytes }, bytes),
            Collective::Alltoall { bytes } => (Work::Copy { bytes, step: bytes, at: me * bytes, root: None }, bytes),
            Collective::Alltoalls { bytes, elements, strides } => {
                (Work::Strided { size: bytes, elements, strides }, elements * 16)
            }
            Collective::Alltoallv(Unequal { splits: (dest, source), room, given, row }) => {
                let memory = self.shmem.memory();
                if self.team.n_pes > CollectiveArea::unequal_members(self.team.slot)
                    || !in_heap(self.shmem, dest)
                    || !in_heap(self.shmem, source)
                {
                    return None;
                }
                let splits = (memory.own(dest), memory.own(source));
                (Work::Unequal { splits, room, given, row }, room.saturating_mul(row))
            }
            Collective::Reduce { elements, reducer } => {
                let (bytes, code) = (elements * reducer.element, reducer.code?);
                match is_short(bytes) {
                    true => (Work::ReduceShort { bytes, code }, bytes),
                    false => fold(elements, reducer.element, code, Folding::Reduce),
                }
            }
            Collective::Scan { elements, sum, inclusive } => {
                let folding = if inclusive { Folding::Inscan } else { Folding::Exscan };
                fold(elements, sum.element, sum.code?, folding)
            }
            Collective::ReduceScatter { elements, reducer } => {
                let (bytes, width) = (elements * reducer.element, reducer.element);
                (Work::Fold { bytes, width, code: reducer.code?, folding: Folding::Scatter }, bytes)
            }
            Collective::Collect { .. } => return None,
        })
    }

    fn start(&self, work: Work, most: usize, stream: &dyn Stream) -> cushmem_gpu::Result<()> {
        let emulated = self.shmem.gpu().is_some_and(|gpu| gpu.emulated);
        let grid = grid(work, most, if emulated { None } else { Some(self.blocks) });
        let (team, dst, src) = (self.team, self.dest, self.source);
        macro_rules! launch {
            ($kernel:ident, $($argument:expr),*) => {{
                let args = (team, dst, src, $($argument),*);
                // SAFETY: source and dest were found to be symmetric memory of as many bytes on all members, which the
                // caller does not touch during the call; the kernels accept this number of blocks and lanes.
                unsafe { self.library.launch(stream, kernels::$kernel, grid, LaunchKind::Plain, args) }
            }};
        }
        match work {
            Work::Fold { bytes, width, code, folding } => {
                launch!(collective_fold, bytes, width as u32, code, folding as u32)
            }
            Work::ReduceShort { bytes, code } => launch!(collective_reduce_short, bytes, code),
            Work::Copy { bytes, step, at, root } => {
                launch!(collective_copy, bytes, step, at, root.unwrap_or(u32::MAX))
            }
            Work::CopyShort { bytes, step } => launch!(collective_copy_short, bytes, step),
            Work::Unequal { splits: (dest, source), room, given, row } => {
                let [dest, source] = [dest, source].map(DevPtr::<u64>::from_address);
                launch!(collective_unequal, dest, source, room, given, row)
            }
            Work::Strided { size, elements, strides } => {
                launch!(collective_strided, size, elements, strides.0, strides.1)
            }
        }
    }
}

/// Whether kernels of all members reach an object, if those of any do.
fn in_heap(shmem: &Shmem, at: At) -> bool {
    match at.segment {
        Segment::Gpu => true,
        // No GPU reaches the memory behind the heap.
        Segment::Host => at.offset.0 < shmem.memory().host().bytes(),
        Segment::Globals | Segment::Network | Segment::RegisteredHost | Segment::RegisteredGpu => false,
    }
}

impl Work {
    fn name(self) -> &'static str {
        match self {
            Self::Fold { .. } => kernels::collective_fold::NAME,
            Self::ReduceShort { .. } => kernels::collective_reduce_short::NAME,
            Self::Copy { .. } => kernels::collective_copy::NAME,
            Self::CopyShort { .. } => kernels::collective_copy_short::NAME,
            Self::Unequal { .. } => kernels::collective_unequal::NAME,
            Self::Strided { .. } => kernels::collective_strided::NAME,
        }
    }
}

/// As many lanes as there are pieces to work on, up to the number that saturates the links.
fn grid(work: Work, bytes: usize, blocks: Option<u32>) -> Grid {
    let piece = if matches!(work, Work::ReduceShort { .. } | Work::CopyShort { .. }) { 8 } else { 16 };
    let pieces = bytes.div_ceil(piece).max(1);
    let (lanes, most) = blocks.map_or((EMULATED_LANES, EMULATED_BLOCKS), |blocks| (LANES, blocks));
    let blocks = pieces.div_ceil(lanes).min(most as usize).next_power_of_two();
    Grid::linear(blocks as u32, pieces.next_multiple_of(32).min(lanes) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a number of blocks that is not a power of two, with which members would count different collectives, or
    /// a number for which no collective works.
    #[test]
    fn blocks_are_a_power_of_two() {
        let works = [Work::CopyShort { bytes: 0, step: 0 }, Work::Strided { size: 1, elements: 1, strides: (1, 1) }];
        for (work, most) in works.into_iter().flat_map(|work| [(work, None), (work, Some(1)), (work, Some(32))]) {
            for bytes in (0..3000).chain([64 << 10, (64 << 10) + 1, 1 << 20, 1 << 40]) {
                let Grid { blocks: [blocks, 1, 1], threads: [threads, 1, 1], .. } = grid(work, bytes, most) else {
                    panic!("it has one dimension");
                };
                assert!(blocks.is_power_of_two() && blocks <= most.unwrap_or(EMULATED_BLOCKS), "{bytes} bytes");
                assert!(threads.is_multiple_of(32) && (32..=512).contains(&threads), "{bytes} bytes");
            }
        }
        assert_eq!(grid(works[0], 64 << 10, Some(32)), Grid::linear(16, 512));
        assert_eq!(grid(works[0], 8, Some(32)), Grid::linear(1, 32));
    }
}
