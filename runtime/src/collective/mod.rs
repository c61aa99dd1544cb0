//! Collectives on addresses (OpenSHMEM 1.6, section 9.11): finds the memory, refuses what is not symmetric host memory, and runs a
//! schedule of `cushmem_collective`.
//!
//! All members call with the same arguments, so if they are wrong for one, they are for all.

mod agree;
mod typed;

use crate::active_set::Pairs;
pub use crate::active_set::{ActiveSet, NoActiveSet};
use crate::fold::Fold;
use crate::globals::Place;
use crate::members::{Accumulator, End, Members};
use crate::raw::Raw;
use crate::sym::Kind;
use crate::{Misuse, PeSet, Shmem, Team};
use agree::NONE;
use cushmem_collective as schedule;

/// Who takes part in a collective.
#[derive(Clone, Copy, Debug)]
pub enum Who<'a> {
    /// A team.
    Team(&'a Team),
    /// An active set.
    Active(ActiveSet),
}

/// What is wrong with an argument of a collective.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadArgument {
    /// Its name in the specification.
    pub argument: &'static str,
    /// Its value.
    pub value: usize,
    /// What is wrong with it.
    pub misuse: Misuse,
}

type Result<T> = std::result::Result<T, BadArgument>;

/// The two ends: names of the same objects on all members, and how many bytes each has there.
#[derive(Clone, Copy, Debug)]
pub struct Buffers {
    /// Where the result goes.
    pub dest: *mut u8,
    /// What is sent.
    pub source: *const u8,
}

impl Who<'_> {
    #[inline(always)]
    fn pes(self) -> PeSet {
        match self {
            Who::Team(team) => team.pes(),
            Who::Active(set) => set.pes,
        }
    }

    #[inline(always)]
    fn size(self) -> u32 {
        self.pes().size()
    }
}

/// Runs one of two schedules on the members.
macro_rules! run {
    ($raw:expr, $who:expr, $operation:literal, $buffers:expr, $bytes:expr, $accumulator:expr, |$members:ident| $on_team:expr, $on_set:expr) => {{
        let (shmem, (dest_bytes, source_bytes)) = ($raw.shmem(), $bytes);
        let pes = $who.pes();
        let source = symmetric(shmem, pes, "source", $buffers.source.addr(), source_bytes)?;
        let dest = symmetric(shmem, pes, "dest", $buffers.dest.addr(), dest_bytes)?;
        let (operation, accumulator) = ($operation, $accumulator);
        match $who {
            Who::Team(team) => {
                let me = team.my_pe();
                let mut members = Members { shmem, operation, pes, me, source, dest, meeting: team, accumulator };
                let $members = &mut members;
                $on_team
            }
            Who::Active(ActiveSet { me, .. }) => {
                let mut members = Members { shmem, operation, pes, me, source, dest, meeting: Pairs, accumulator };
                let $members = &mut members;
                $on_set
            }
        }
    }};
}

impl<'a> Raw<'a> {
    /// The PEs `start + i * 2^log_stride` for each `i` below `size`; if there is no such set of which this PE
    /// is a member, what is wrong with it.
    pub fn active_set(self, start: i32, log_stride: i32, size: i32) -> std::result::Result<Who<'a>, NoActiveSet> {
        let shmem = self.shmem();
        Ok(match ActiveSet::find(shmem.n_pes(), shmem.my_pe(), start, log_stride, size)? {
            None => Who::Team(&shmem.teams.active),
            Some(set) => Who::Active(set),
        })
    }
}

impl Raw<'_> {
    /// Returns when all have called it; their stores are visible (`shmem_team_sync`, 9.11.3).
    #[inline]
    pub fn sync(self, who: Who<'_>) -> Result<()> {
        let (shmem, operation) = (self.shmem(), "team_sync");
        let nothing = Buffers { dest: std::ptr::null_mut(), source: std::ptr::null() };
        self.agree(who, operation, nothing, (0, 0), [NONE; 3])?;
        match who {
            Who::Team(team) => schedule::sync(&mut shmem.members(operation, team)),
            Who::Active(ActiveSet { pes, me }) => {
                let (source, dest, accumulator) = (End::default(), End::default(), ());
                let mut members = Members { shmem, operation, pes, me, source, dest, meeting: Pairs, accumulator };
                schedule::Group::sync(&mut members);
            }
        }
        Ok(())
    }

    /// All get the `bytes` bytes of member `root`; on a team, so does the root's own dest (`shmem_broadcast`, 9.11.6).
    #[inline]
    pub fn broadcast(self, who: Who<'_>, buffers: Buffers, bytes: usize, root: u32, root_too: bool) -> Result<()> {
        let numbers = [("bytes", bytes), ("PE_root", root as usize), NONE];
        self.agree(who, "broadcast", buffers, (bytes, bytes), numbers)?;
        if root >= who.size() {
            return Err(BadArgument { argument: "PE_root", value: root as usize, misuse: Misuse::Pe(who.size()) });
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
            (),
            |members| {
                schedule::broadcast(members, bytes, root, root_too);
            },
            schedule::broadcast_direct(members, bytes, root)
        );
        Ok(())
    }

    /// All get the `bytes` bytes of each, one after the other (`shmem_fcollect`, 9.11.7).
    #[inline]
    pub fn fcollect(self, who: Who<'_>, buffers: Buffers, bytes: usize) -> Result<()> {
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
            (),
            |members| {
                schedule::fcollect(members, bytes);
            },
            schedule::fcollect_direct(members, bytes)
        );
        Ok(())
    }

    /// As [`Raw::fcollect`], where `bytes` is another number on each (`shmem_collect`, 9.11.7), and dest has room for `room` bytes, as
    /// far as the caller knows.
    pub fn collect(self, who: Who<'_>, buffers: Buffers, bytes: usize, room: usize) -> Result<()> {
        self.agree(who, "collect", buffers, (0, bytes), [NONE; 3])?;
        let room = self.room(buffers.dest.addr()).min(room);
        let done = run!(
            self,
            who,
            "collect",
            buffers,
            (0, bytes),
            (),
            |members| schedule::collect(members, bytes, room),
            schedule::collect_direct(members, bytes, room)
        );
        // All find the same.
        if let Err(needed) = done {
            let value = buffers.dest.addr();
            symmetric(self.shmem(), who.pes(), "dest", value, needed)?;
            return Err(BadArgument { argument: "dest", value, misuse: Misuse::PastObject(room as u64) });
        }
        Ok(())
    }

    /// Each gets `bytes` bytes of each (`shmem_alltoall`, 9.11.4).
    #[inline]
    pub fn alltoall(self, who: Who<'_>, buffers: Buffers, bytes: usize) -> Result<()> {
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
            (),
            |members| {
                schedule::alltoall(members, bytes);
            },
            schedule::alltoall_direct(members, bytes)
        );
        Ok(())
    }

    /// Each gets `elements` elements of `bytes` bytes of each; from one to the next there are `strides` elements, in dest and in source
    /// (`shmem_alltoalls`, 9.11.5).
    pub fn alltoalls(
        self,
        who: Who<'_>,
        buffers: Buffers,
        bytes: usize,
        elements: usize,
        strides: (usize, usize),
    ) -> Result<()> {
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
            (),
            |members| {
                schedule::alltoalls(members, bytes, elements, strides);
            },
            schedule::alltoalls(members, bytes, elements, strides)
        );
        Ok(())
    }

    /// All get the combination of each element of all (`shmem_sum_reduce` and others, 9.11.8).
    #[inline]
    pub fn reduce(self, who: Who<'_>, buffers: Buffers, elements: usize, fold: Fold) -> Result<()> {
        let bytes = elements.saturating_mul(fold.element);
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
            &mut Accumulator::new(fold),
            |members| {
                schedule::reduce(members, bytes);
            },
            schedule::reduce_direct(members, bytes)
        );
        Ok(())
    }

    /// Each gets the sum of each element of those before it, and its own if `inclusive` (`shmem_sum_inscan`, `shmem_sum_exscan`,
    /// 9.11.9).
    pub fn scan(self, who: Who<'_>, buffers: Buffers, elements: usize, sum: Fold, inclusive: bool) -> Result<()> {
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
            &mut Accumulator::new(sum),
            |members| {
                schedule::scan(members, bytes, inclusive);
            },
            schedule::scan_direct(members, bytes, inclusive)
        );
        Ok(())
    }

    /// Bytes from an address to the end of symmetric host memory, in check mode to that of its object; 0 if it is not there.
    fn room(self, address: usize) -> usize {
        let shmem = self.shmem();
        let in_object = |left: u64| match shmem.locate(address, left as usize) {
            Ok(_) => left,
            Err(Misuse::PastObject(left)) => left,
            Err(_) => 0,
        };
        match (shmem.locate(address, usize::MAX), shmem.globals.place(address, usize::MAX, shmem.my_pe())) {
            (Err(Misuse::PastEnd(left)), _) => in_object(left) as usize,
            (_, Some(Err(Misuse::PastGlobals(left)))) => left as usize,
            _ => 0,
        }
    }
}

/// Where an object is on all members, from where it is here.
#[inline(always)]
fn symmetric(shmem: &Shmem, pes: PeSet, argument: &'static str, address: usize, bytes: usize) -> Result<End> {
    let here = std::ptr::without_provenance::<u8>(address);
    match shmem.windows.host(here, bytes, 0) {
        Some(on_0) => Ok(in_heap(shmem, on_0.addr())),
        None => symmetric_otherwise(shmem, pes, argument, address, bytes),
    }
}

#[inline(always)]
fn in_heap(shmem: &Shmem, on_0: usize) -> End {
    let stride = shmem.stride as usize;
    End { on_0, stride, own: on_0 + shmem.my_pe() as usize * stride }
}

/// The same for globals and in check mode, or what is wrong.
#[cold]
#[inline(never)]
fn symmetric_otherwise(shmem: &Shmem, pes: PeSet, argument: &'static str, value: usize, bytes: usize) -> Result<End> {
    let misuse = match shmem.locate(value, bytes) {
        Ok((Kind::Host, offset)) => return Ok(in_heap(shmem, shmem.seen_at(Kind::Host, offset, 0) as usize)),
        // Nothing is copied.
        _ if bytes == 0 && !shmem.globals.has(value) => return Ok(End::default()),
        Ok((Kind::Gpu, _)) => Misuse::GpuRange,
        Err(misuse) if !shmem.globals.has(value) => misuse,
        Err(_) => match mapped_globals(shmem, pes, value, bytes) {
            Ok(end) => return Ok(end),
            Err(misuse) => misuse,
        },
    };
    Err(BadArgument { argument, value, misuse })
}

/// Globals of the members, if all of them are in shared memory.
fn mapped_globals(shmem: &Shmem, pes: PeSet, own: usize, bytes: usize) -> std::result::Result<End, Misuse> {
    // Mostly a few compares tell that all PEs share them.
    let shared = shmem.globals.at_once(own, bytes, shmem.my_pe()).is_some();
    for member in 0..if shared { 0 } else { pes.size() } {
        let pe = pes.at(member);
        match shmem.globals.place(own, bytes, pe) {
            Some(Ok(Place::Here(_))) => {}
            Some(Ok(Place::There(..))) => {
                let why = format!(
                    "is a global, and those of PE {pe} are not in shared memory, where collectives need it: shmemcc links programs so"
                );
                return Err(Misuse::Global(why));
            }
            Some(Err(misuse)) => return Err(misuse),
            None => return Err(Misuse::NotSymmetric),
        }
    }
    // A job of one PE has no window, and needs none.
    let (on_0, stride) = shmem.globals.on_0(own).unwrap_or((own, 0));
    Ok(End { on_0, stride, own })
}
