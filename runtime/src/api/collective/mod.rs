//! Collectives on addresses (OpenSHMEM 1.6, section 9.10). This module finds the memory, refuses memory that is not
//! symmetric, and runs a schedule of `cushmem_collective` on memory that the CPU reaches ([`members`]). If an end is
//! GPU memory, a kernel of the library does the work ([`by_kernel`]) or, where GPUs do not reach each other, a schedule
//! on transfers ([`by_copies`]).
//!
//! All members pass the same arguments, so an argument that is invalid on one is invalid on all.

mod agree;
#[expect(unsafe_code, reason = "copies buffers that the caller guarantees to be valid")]
mod by_copies;
#[expect(unsafe_code, reason = "launches the library's kernels")]
mod by_kernel;
pub(crate) mod for_kernels;
#[expect(unsafe_code, reason = "copies buffers that the caller guarantees to be valid")]
mod members;
#[expect(unsafe_code, reason = "uses stream handles that the caller guarantees to be valid")]
mod on_stream;
#[expect(unsafe_code, reason = "accesses elements of any type as bytes")]
pub(crate) mod reduction;
mod typed;
#[expect(unsafe_code, reason = "copies buffers that the caller guarantees to be valid")]
mod unequal;

use crate::api::raw::{BadArgument, Buffers, Participants, Raw};
use crate::error::ArgumentError;
use crate::job::record::Timed;
use crate::memory::{At, Remote, Segment};
use crate::sync::active_set::{ActiveSet, NoActiveSet};
use crate::transfer::Transfers;
use crate::{PeSet, Shmem};
use agree::NONE;
use cushmem_collective::{self as schedule, CHUNK_BYTES, levels};
use cushmem_record::Operation as Recorded;
use members::{Accumulator, End, LargeAccumulator, Members};
use reduction::Reducer;
use unequal::Unequal;

type Result<T> = std::result::Result<T, BadArgument>;

/// What a collective does. `bytes` is the size of a block on this member.
#[derive(Clone, Copy)]
enum Collective {
    Broadcast {
        bytes: usize,
        root: u32,
        root_too: bool,
    },
    Fcollect {
        bytes: usize,
    },
    Collect {
        bytes: usize,
        room: usize,
    },
    Alltoall {
        bytes: usize,
    },
    Alltoalls {
        bytes: usize,
        elements: usize,
        strides: (usize, usize),
    },
    /// Of rows whose number only the members know.
    Alltoallv(Unequal),
    Reduce {
        elements: usize,
        reducer: Reducer,
    },
    Scan {
        elements: usize,
        sum: Reducer,
        inclusive: bool,
    },
    /// Of blocks of this many elements.
    ReduceScatter {
        elements: usize,
        reducer: Reducer,
    },
}

/// Why a schedule on memory that the CPU reaches cannot serve.
enum Elsewhere {
    /// The object lies in GPU memory.
    Gpu,
    Wrong(BadArgument),
}

/// Runs one of three schedules on the members: for a team, for a team on several nodes (with an accumulator of its own
/// if that is worth it), or for an active set.
macro_rules! run {
    ($raw:expr, $who:expr, $operation:literal, $buffers:expr, $bytes:expr, $collective:expr, $accumulator:expr, |$members:ident| $on_team:expr, $on_nodes:expr, $on_set:expr) => {{
        run!(
            $raw,
            $who,
            $operation,
            $buffers,
            $bytes,
            $collective,
            $accumulator,
            [false, $accumulator],
            |$members| $on_team,
            $on_nodes,
            $on_set
        )
    }};
    ($raw:expr, $who:expr, $operation:literal, $buffers:expr, $bytes:expr, $collective:expr, $accumulator:expr, [$is_large:expr, $large:expr], |$members:ident| $on_team:expr, $on_nodes:expr, $on_set:expr) => {{
        let (shmem, (dest_bytes, source_bytes)) = ($raw.shmem(), $bytes);
        let pes = $who.pes();
        let operation = $operation;
        let source = match symmetric(shmem, pes, "source", $buffers.source.addr(), source_bytes) {
            Ok(end) => end,
            Err(why) => return $raw.elsewhere(why, $who, operation, $buffers, $bytes, $collective),
        };
        let dest = match symmetric(shmem, pes, "dest", $buffers.dest.addr(), dest_bytes) {
            Ok(end) => end,
            Err(why) => return $raw.elsewhere(why, $who, operation, $buffers, $bytes, $collective),
        };
        match $who {
            Participants::Team(team) if team.spans_nodes() && $is_large => {
                let (point, accumulator) = (shmem.sync().level_point(operation, team), $large);
                let mut members = Members { shmem, operation, point, source, dest, accumulator };
                let $members = &mut members;
                $on_nodes
            }
            Participants::Team(team) if team.spans_nodes() => {
                let (point, accumulator) = (shmem.sync().level_point(operation, team), $accumulator);
                let mut members = Members { shmem, operation, point, source, dest, accumulator };
                let $members = &mut members;
                $on_nodes
            }
            Participants::Team(team) => {
                let accumulator = $accumulator;
                let point = shmem.sync().point(operation, team);
                let mut members = Members { shmem, operation, point, source, dest, accumulator };
                let $members = &mut members;
                $on_team
            }
            Participants::Active(set) => {
                let accumulator = $accumulator;
                let point = shmem.sync().active_point(operation, set);
                let mut members = Members { shmem, operation, point, source, dest, accumulator };
                let $members = &mut members;
                $on_set
            }
        }
    }};
}

impl<'a> Raw<'a> {
    /// Returns the active set of the PEs `start + i * 2^log_stride` for each `i` below `size`. Fails if there is no
    /// such set with this PE as a member.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> Result<(), Box<dyn std::error::Error>> {
    /// if shmem.my_pe().is_multiple_of(2) {
    ///     let half = shmem.n_pes().div_ceil(2) as i32;
    ///     let even = shmem.raw().active_set(0, 1, half)?;
    ///     shmem.raw().sync(even).expect("there are no buffers");
    /// }
    /// # Ok(()) }) }
    /// ```
    pub fn active_set(
        self,
        start: i32,
        log_stride: i32,
        size: i32,
    ) -> std::result::Result<Participants<'a>, NoActiveSet> {
        let shmem = self.shmem();
        Ok(match ActiveSet::find(shmem.n_pes(), shmem.my_pe(), start, log_stride, size)? {
            None => Participants::Team(shmem.sync().teams().active()),
            Some(set) => Participants::Active(set),
        })
    }
}

impl Raw<'_> {
    /// Waits until all participants have called it (`shmem_team_sync`, 9.10). Their stores are then visible.
    #[inline]
    pub fn sync(self, who: Participants<'_>) -> Result<()> {
        let _timed = Timed::new(Recorded::Sync, 0);
        let (shmem, operation) = (self.shmem(), "team_sync");
        let nothing = Buffers { dest: std::ptr::null_mut(), source: std::ptr::null() };
        self.agree(who, operation, nothing, (0, 0), [NONE; 3])?;
        shmem.flush_for_barrier();
        match who {
            Participants::Team(team) => shmem.sync().sync_team(operation, team),
            Participants::Active(set) => schedule::Group::sync(&mut shmem.sync().active_point(operation, set)),
        }
        Ok(())
    }

    /// Copies the `bytes` bytes of member `root` to all members (`shmem_broadcast`, 9.10). On a team, the root's own
    /// `dest` receives them too.
    #[inline]
    pub fn broadcast(
        self,
        who: Participants<'_>,
        buffers: Buffers,
        bytes: usize,
        root: u32,
        root_too: bool,
    ) -> Result<()> {
        let _timed = Timed::new(Recorded::Broadcast, bytes);
        let numbers = [("bytes", bytes), ("PE_root", root as usize), NONE];
        self.agree(who, "broadcast", buffers, (bytes, bytes), numbers)?;
        if root >= who.size() {
            return Err(BadArgument {
                argument: "PE_root",
                value: root as usize,
                error: ArgumentError::Pe { pe: root, n_pes: who.size() },
            });
        }
        if bytes == 0 {
            return Ok(());
        }
        run!(
            self,
            who,
            "broadcast",
            buffers,
            (bytes, bytes),
            Collective::Broadcast { bytes, root, root_too },
            (),
            |members| {
                schedule::broadcast(members, bytes, root, root_too);
            },
            levels::broadcast(members, bytes, root, root_too),
            schedule::broadcast_direct(members, bytes, root)
        );
        Ok(())
    }

    /// Concatenates the `bytes` bytes of each member, in order, on all members (`shmem_fcollect`, 9.10).
    #[inline]
    pub fn fcollect(self, who: Participants<'_>, buffers: Buffers, bytes: usize) -> Result<()> {
        let _timed = Timed::new(Recorded::Fcollect, bytes);
        let all = bytes.saturating_mul(who.size() as usize);
        self.agree(who, "fcollect", buffers, (all, bytes), [("bytes", bytes), NONE, NONE])?;
        if bytes == 0 {
            return Ok(());
        }
        run!(
            self,
            who,
            "fcollect",
            buffers,
            (all, bytes),
            Collective::Fcollect { bytes },
            (),
            |members| {
                schedule::fcollect(members, bytes);
            },
            levels::fcollect(members, bytes),
            schedule::fcollect_direct(members, bytes)
        );
        Ok(())
    }

    /// Concatenates like [`Raw::fcollect`], but `bytes` may differ between members (`shmem_collect`, 9.10). `room` is
    /// the size of `dest` in bytes, as far as the caller knows it.
    pub fn collect(self, who: Participants<'_>, buffers: Buffers, bytes: usize, room: usize) -> Result<()> {
        let _timed = Timed::new(Recorded::Collect, bytes);
        self.agree(who, "collect", buffers, (0, bytes), [NONE; 3])?;
        let room = self.room(buffers.dest.addr()).min(room);
        let done = run!(
            self,
            who,
            "collect",
            buffers,
            (0, bytes),
            Collective::Collect { bytes, room },
            (),
            |members| schedule::collect(members, bytes, room),
            levels::collect(members, bytes, room),
            schedule::collect_direct(members, bytes, room)
        );
        done.or_else(|needed| self.too_short(who, buffers.dest.addr(), room, needed))
    }

    /// The error for a dest into which the blocks of a collect do not fit. All PEs come to the same conclusion, so the
    /// error is the same on all.
    #[cold]
    fn too_short(self, who: Participants<'_>, dest: usize, room: usize, needed: usize) -> Result<()> {
        locate(self.shmem().transfers(), who.pes(), "dest", dest, needed)?;
        Err(BadArgument { argument: "dest", value: dest, error: ArgumentError::PastObject(room as u64) })
    }

    /// Carries out a collective with an end that is not in memory that the CPU reaches, or reports what is wrong with
    /// it.
    #[cold]
    #[inline(never)]
    fn elsewhere(
        self,
        why: Elsewhere,
        who: Participants<'_>,
        operation: &'static str,
        buffers: Buffers,
        (dest_bytes, source_bytes): (usize, usize),
        collective: Collective,
    ) -> Result<()> {
        match why {
            Elsewhere::Wrong(bad) => Err(bad),
            Elsewhere::Gpu => self.anywhere(who, operation, buffers, (dest_bytes, source_bytes), collective),
        }
    }

    /// Carries out a collective on any symmetric memory.
    fn anywhere(
        self,
        who: Participants<'_>,
        operation: &'static str,
        buffers: Buffers,
        (dest_bytes, source_bytes): (usize, usize),
        collective: Collective,
    ) -> Result<()> {
        let shmem = self.shmem();
        let source = locate(shmem.transfers(), who.pes(), "source", buffers.source.addr(), source_bytes)?;
        let dest = locate(shmem.transfers(), who.pes(), "dest", buffers.dest.addr(), dest_bytes)?;
        let by_kernel = by_kernel::Member::find(shmem, operation, who, source, dest);
        let (transfers, context) = (&**shmem.transfers(), shmem.transfers().default_context());
        let by_copies = || by_copies::Member { transfers, context, operation, who, source, dest }.run(collective);
        let done = by_kernel.and_then(|member| member.run(collective)).unwrap_or_else(by_copies);
        match (done, collective) {
            (Err(needed), Collective::Collect { room, .. }) => self.too_short(who, buffers.dest.addr(), room, needed),
            _ => Ok(()),
        }
    }

    /// Sends `bytes` bytes from each member to each other member (`shmem_alltoall`, 9.10).
    #[inline]
    pub fn alltoall(self, who: Participants<'_>, buffers: Buffers, bytes: usize) -> Result<()> {
        let _timed = Timed::new(Recorded::Alltoall, bytes);
        let all = bytes.saturating_mul(who.size() as usize);
        self.agree(who, "alltoall", buffers, (all, all), [("bytes", bytes), NONE, NONE])?;
        if bytes == 0 {
            return Ok(());
        }
        run!(
            self,
            who,
            "alltoall",
            buffers,
            (all, all),
            Collective::Alltoall { bytes },
            (),
            |members| {
                schedule::alltoall(members, bytes);
            },
            levels::alltoall(members, bytes),
            schedule::alltoall_direct(members, bytes)
        );
        Ok(())
    }

    /// Sends `elements` elements of `bytes` bytes from each member to each other member (`shmem_alltoalls`, 9.10).
    /// `strides` are the distances between consecutive elements in `dest` and in `source`, in elements.
    pub fn alltoalls(
        self,
        who: Participants<'_>,
        buffers: Buffers,
        bytes: usize,
        elements: usize,
        strides: (usize, usize),
    ) -> Result<()> {
        let _timed = Timed::new(Recorded::Alltoall, bytes.saturating_mul(elements));
        let numbers = [("nelems", elements), ("dst", strides.0), ("sst", strides.1)];
        self.agree(who, "alltoalls", buffers, (0, 0), numbers)?;
        if elements == 0 {
            return Ok(());
        }
        let last = elements.saturating_mul(who.size() as usize) - 1;
        let span = |stride: usize| last.saturating_mul(stride).saturating_add(1).saturating_mul(bytes);
        run!(
            self,
            who,
            "alltoalls",
            buffers,
            (span(strides.0), span(strides.1)),
            Collective::Alltoalls { bytes, elements, strides },
            (),
            |members| {
                schedule::alltoalls(members, bytes, elements, strides);
            },
            levels::alltoalls(members, bytes, elements, strides),
            schedule::alltoalls(members, bytes, elements, strides)
        );
        Ok(())
    }

    /// Combines corresponding elements of all members and stores the result on all of them (`shmem_sum_reduce` and
    /// others, 9.10).
    #[inline]
    pub fn reduce(self, who: Participants<'_>, buffers: Buffers, elements: usize, reducer: Reducer) -> Result<()> {
        let _timed = Timed::new(Recorded::Reduce, elements.saturating_mul(reducer.element));
        let bytes = elements.saturating_mul(reducer.element);
        self.agree(who, "reduce", buffers, (bytes, bytes), [("nreduce", elements), NONE, NONE])?;
        if elements == 0 {
            return Ok(());
        }
        run!(
            self,
            who,
            "reduce",
            buffers,
            (bytes, bytes),
            Collective::Reduce { elements, reducer },
            &mut Accumulator::<CHUNK_BYTES>::new(reducer),
            [bytes > CHUNK_BYTES, &mut *LargeAccumulator::boxed(reducer)],
            |members| {
                schedule::reduce(members, bytes);
            },
            levels::reduce(members, bytes),
            schedule::reduce_direct(members, bytes)
        );
        Ok(())
    }

    /// Stores, on each member, the sums of corresponding elements of all members before it and, if `inclusive`, its own
    /// (`shmem_sum_inscan`, `shmem_sum_exscan`, 9.10).
    pub fn scan(
        self,
        who: Participants<'_>,
        buffers: Buffers,
        elements: usize,
        sum: Reducer,
        inclusive: bool,
    ) -> Result<()> {
        let _timed = Timed::new(Recorded::Reduce, elements.saturating_mul(sum.element));
        let bytes = elements.saturating_mul(sum.element);
        self.agree(who, "scan", buffers, (bytes, bytes), [("nelems", elements), NONE, NONE])?;
        if elements == 0 {
            return Ok(());
        }
        run!(
            self,
            who,
            "scan",
            buffers,
            (bytes, bytes),
            Collective::Scan { elements, sum, inclusive },
            &mut Accumulator::<CHUNK_BYTES>::new(sum),
            [bytes > CHUNK_BYTES, &mut *LargeAccumulator::boxed(sum)],
            |members| {
                schedule::scan(members, bytes, inclusive);
            },
            levels::scan(members, bytes, inclusive),
            schedule::scan_direct(members, bytes, inclusive)
        );
        Ok(())
    }

    /// Combines corresponding elements of all members and stores one block of the result, of `elements` elements, on
    /// each member (`nvshmemx_TYPE_OP_reducescatter_on_stream`). The source has a block for each member, in their
    /// order. `dest` may be this member's own block of the source.
    pub fn reducescatter(
        self,
        who: Participants<'_>,
        buffers: Buffers,
        elements: usize,
        reducer: Reducer,
    ) -> Result<()> {
        let _timed = Timed::new(Recorded::Reduce, elements.saturating_mul(reducer.element));
        let bytes = elements.saturating_mul(reducer.element);
        let all = bytes.saturating_mul(who.size() as usize);
        self.agree(who, "reducescatter", buffers, (0, 0), [("nreduce", elements), NONE, NONE])?;
        if elements == 0 {
            return Ok(());
        }
        self.anywhere(who, "reducescatter", buffers, (bytes, all), Collective::ReduceScatter { elements, reducer })
    }

    /// Bytes from an address to the end of symmetric host memory, or in check mode to the end of its object; 0 if it is
    /// not such memory.
    fn room(self, address: usize) -> usize {
        let memory = self.shmem().memory();
        let in_object = |left: u64| match memory.locate(address, left as usize) {
            Ok(_) => left,
            Err(ArgumentError::PastObject(left)) => left,
            Err(_) => 0,
        };
        match memory.locate(address, usize::MAX) {
            Err(ArgumentError::PastEnd(left)) => in_object(left) as usize,
            // In registered memory, the object is the range.
            Err(ArgumentError::PastGlobals(left) | ArgumentError::PastObject(left)) => left as usize,
            _ => 0,
        }
    }
}

/// An object of all members, given its address here.
#[inline(always)]
fn symmetric<'a>(
    shmem: &'a Shmem,
    pes: PeSet,
    argument: &'static str,
    address: usize,
    bytes: usize,
) -> std::result::Result<End<'a>, Elsewhere> {
    let near = shmem.memory().near_host();
    match near.offset_of(address, bytes) {
        Some(offset) => Ok(End { at: At::new(Segment::Host, offset as u64), near }),
        None => symmetric_slow(shmem, pes, argument, address, bytes),
    }
}

/// An object that is a global, or any object in check mode or if this PE records; or the error.
#[cold]
#[inline(never)]
fn symmetric_slow<'a>(
    shmem: &'a Shmem,
    pes: PeSet,
    argument: &'static str,
    value: usize,
    bytes: usize,
) -> std::result::Result<End<'a>, Elsewhere> {
    let memory = shmem.memory();
    let at = locate(shmem.transfers(), pes, argument, value, bytes).map_err(Elsewhere::Wrong)?;
    match at.segment {
        Segment::Gpu | Segment::RegisteredGpu => Err(Elsewhere::Gpu),
        Segment::RegisteredHost => Ok(End { at, near: memory.near_nothing() }),
        Segment::Globals => Ok(End { at, near: memory.shared_globals() }),
        Segment::Host | Segment::Network => Ok(End { at, near: memory.shared_host() }),
    }
}

/// Where an object of all members is, in any symmetric memory, given its address here.
fn locate(transfers: &Transfers, pes: PeSet, argument: &'static str, value: usize, bytes: usize) -> Result<At> {
    let memory = transfers.memory();
    let error = match memory.locate(value, bytes) {
        // It lies behind the heap, where the same table finds it.
        Ok(at) if at.segment == Segment::Network => {
            return Ok(At::new(Segment::Host, memory.far(at, transfers.job().me()).at));
        }
        Ok(at) if at.segment == Segment::Globals => {
            let far = (0..pes.size()).map(|member| pes.at(member)).find_map(|pe| match memory.remote(at, pe) {
                Remote::Unreachable(why) => Some((pe, why)),
                _ => None,
            });
            match far {
                None => return Ok(at),
                Some((pe, why)) => ArgumentError::far_global(pe.number(), why),
            }
        }
        Ok(at) => return Ok(at),
        // With no bytes nothing is copied, so any address will do.
        Err(_) if bytes == 0 && !memory.is_global(value) => return Ok(At::new(Segment::Host, 0)),
        Err(error) => error,
    };
    Err(BadArgument { argument, value, error })
}
