//! Teams (OpenSHMEM 1.6, section 9.4): PEs that take part in collectives together.
//!
//! A team synchronises with words in the library's symmetric memory: one of a fixed number of slots ([`TeamArea`]), the same on all
//! its members. When a team is split, the members of the parent tell each other which slots are free and take the first that is
//! free for all; who does not become a member leaves it free, so teams without common members may have the same slot. Then
//! they tell each other whether they got it, as another thread can have taken it for a split of another team; if so they try others. Who
//! got it says also how far its flags have come.
//!
//! *Why a slot can have another team after one was destroyed*: its flags are never reset. A new team begins to count where no flag of
//! its members has come to, so what an older team left there says nothing to it. Destroying a team begins with a synchronisation of its
//! members; who comes out of it knows that none reads data of the slot any more, at most a flag, for which a later number is as good.

use crate::agreement::{Argument, Call};
use crate::host_heap::{HostArea, TEAM_SLOTS, TeamArea};
use crate::members::{End, Members};
use crate::{Error, PeSet, Result, Shmem};
use cushmem_collective::{Progress, gather_words, sync};
use std::mem::offset_of;
use std::sync::{Mutex, PoisonError};

/// PEs that take part in collectives together. All members call these in the same order, one thread of a PE at a time.
#[derive(Debug)]
pub struct Team {
    pes: PeSet,
    my_pe: u32,
    slot: usize,
    pub(crate) progress: Progress,
}

/// The teams that are there from the beginning, and the slots of the others.
pub(crate) struct Teams {
    world: Team,
    shared: Team,
    /// All PEs, for collectives of active sets of all PEs.
    pub(crate) active: Team,
    slots: Mutex<Slots>,
}

struct Slots {
    /// A bit for each that is free.
    free: u64,
    /// No flag of a free slot is beyond this.
    highest: u64,
}

const _: () = assert!(TEAM_SLOTS == u64::BITS as usize);
/// Slots of the teams that are there from the beginning.
const FIRST_SLOTS: u64 = 0b111;

impl Teams {
    pub(crate) fn new(my_pe: u32, n_pes: u32) -> Self {
        let team = |slot| Team::new(PeSet::all(n_pes), my_pe, slot, 0);
        let slots = Mutex::new(Slots { free: !FIRST_SLOTS, highest: 0 });
        Self { world: team(0), shared: team(1), active: team(2), slots }
    }
}

impl Team {
    /// `my_pe` is this PE's number here.
    fn new(pes: PeSet, my_pe: u32, slot: usize, base: u64) -> Self {
        Self { pes, my_pe, slot, progress: Progress::new(base, pes.size()) }
    }

    /// This PE's number in the team (`shmem_team_my_pe`, 9.4.1).
    pub fn my_pe(&self) -> u32 {
        self.my_pe
    }

    /// Its number of PEs (`shmem_team_n_pes`, 9.4.2).
    pub fn n_pes(&self) -> u32 {
        self.pes.size()
    }

    /// Its PEs.
    #[inline(always)]
    pub fn pes(&self) -> PeSet {
        self.pes
    }

    /// The number in `other` of the PE that is number `pe` here (`shmem_team_translate_pe`, 9.4.4); `None` if it is in one of them only.
    pub fn translate_pe(&self, pe: u32, other: &Team) -> Option<u32> {
        other.pes.number_of(self.pes.pe(pe)?)
    }

    /// Which of a PE's slots it has; below [`Team::MOST`].
    pub fn slot(&self) -> usize {
        self.slot
    }

    /// So many teams a PE can be a member of at a time, those that are there from the beginning included.
    pub const MOST: usize = TEAM_SLOTS;

    /// Place of its words in each slice.
    #[inline(always)]
    pub(crate) fn area(&self) -> usize {
        offset_of!(HostArea, teams) + self.slot * size_of::<TeamArea>()
    }
}

impl Shmem {
    /// The team of all PEs (`SHMEM_TEAM_WORLD`).
    #[inline(always)]
    pub fn team_world(&self) -> &Team {
        &self.teams.world
    }

    /// The team of the PEs whose host memory is mapped (`SHMEM_TEAM_SHARED`): those of this machine.
    #[inline(always)]
    pub fn team_shared(&self) -> &Team {
        &self.teams.shared
    }

    /// The team of `size` PEs of `parent`, from its PE `start` on, each `stride` after the one before (`shmem_team_split_strided`,
    /// 9.4.5). Collective over `parent`, with the same arguments; `None` on who is not in the new team. A stride may be negative.
    pub fn team_split_strided(&self, parent: &Team, start: i32, stride: i32, size: i32) -> Result<Option<Team>> {
        self.agree(parent, || {
            let arguments = [("start", start), ("stride", stride), ("size", size)];
            Call::new("team_split_strided", &arguments.map(|(name, value)| Argument::Signed(name, value)))
        });
        let pes = parent.pes.strided(start, stride, size).ok_or_else(|| {
            let members = parent.n_pes();
            let wanted = format!("{size} PEs from {start} with stride {stride}");
            Error::new("team_split_strided", format!("{wanted} are not different PEs in 0..{members}"))
        })?;
        let [team] = self.split("team_split_strided", parent, [pes])?;
        Ok(team)
    }

    /// Two teams for a grid with rows of `xrange` PEs of `parent` (`shmem_team_split_2d`, 9.4.6): this PE's row and its column. The last
    /// row may be shorter. Collective over `parent`.
    pub fn team_split_2d(&self, parent: &Team, xrange: i32) -> Result<(Team, Team)> {
        let operation = "team_split_2d";
        self.agree(parent, || Call::new(operation, &[Argument::Signed("xrange", xrange)]));
        let (me, size) = (parent.my_pe, parent.n_pes());
        let Some(xrange) = u32::try_from(xrange).ok().filter(|&x| x > 0).map(|x| x.min(size)) else {
            return Err(Error::new(operation, format!("a row of {xrange} PEs is none")));
        };
        let (x, y) = (me % xrange, me / xrange);
        let row = parent.pes.strided((y * xrange) as i32, 1, xrange.min(size - y * xrange) as i32);
        let column = parent.pes.strided(x as i32, xrange as i32, (size - x).div_ceil(xrange) as i32);
        let (Some(row), Some(column)) = (row, column) else {
            return Err(Error::new(operation, format!("PE {me} is in no row of {xrange}")));
        };
        match self.split(operation, parent, [row, column])? {
            [Some(row), Some(column)] => Ok((row, column)),
            _ => Err(Error::new(operation, format!("PE {me} is not in its own row and column"))),
        }
    }

    /// A slot for each set, the same on all members of the parent.
    fn split<const N: usize>(
        &self,
        operation: &'static str,
        parent: &Team,
        sets: [PeSet; N],
    ) -> Result<[Option<Team>; N]> {
        let mut tried = 0;
        loop {
            let (mine, mut free) = (self.slots(|s| s.free), !tried);
            gather_words(&mut self.members(operation, parent), [mine], |_, [theirs]| free &= theirs);
            if (free.count_ones() as usize) < N {
                let cause = format!("a PE of the parent is in {} teams, and more are not possible", Team::MOST);
                return Err(Error::new(operation, cause));
            }
            let found = sets.map(|pes| {
                let slot = free.trailing_zeros() as usize;
                free &= free - 1;
                (pes, slot)
            });
            let wanted = found.map(|(pes, slot)| u64::from(pes.number_of(self.my_pe()).is_some()) << slot);
            let wanted = wanted.into_iter().fold(0, |all, bit| all | bit);
            // Another thread may have split another team meanwhile and taken the slot, or even given it back, with higher flags.
            let (taken, highest) = self.slots(|s| {
                let is_free = s.free & wanted == wanted;
                if is_free {
                    s.free &= !wanted;
                }
                (is_free, s.highest)
            });
            let (mut by_all, mut base) = (true, 0);
            let own = [u64::from(taken), highest];
            gather_words(&mut self.members(operation, parent), own, |_, [taken, highest]| {
                by_all &= taken != 0;
                base = base.max(highest);
            });
            if by_all {
                return Ok(found.map(|(pes, slot)| Some(Team::new(pes, pes.number_of(self.my_pe())?, slot, base))));
            }
            if taken {
                self.slots(|s| s.free |= wanted);
            }
            tried |= found.iter().fold(0, |all, (_, slot)| all | 1 << slot);
        }
    }

    /// Gives a team back (`shmem_team_destroy`, 9.4.7). Collective over it. A team that is dropped instead keeps its place among the
    /// [`Team::MOST`].
    pub fn team_destroy(&self, team: Team) {
        sync(&mut self.members("team_destroy", &team));
        self.slots(|s| {
            s.free |= 1 << team.slot;
            s.highest = s.highest.max(team.progress.highest());
        });
    }

    fn slots<T>(&self, action: impl FnOnce(&mut Slots) -> T) -> T {
        // Each action is whole or has not begun.
        action(&mut self.teams.slots.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The members of a team, without buffers.
    #[inline(always)]
    pub(crate) fn members<'a>(&'a self, operation: &'static str, team: &'a Team) -> Members<'a, &'a Team> {
        let (pes, me) = (team.pes, team.my_pe);
        let nowhere = End::default();
        Members { shmem: self, operation, pes, me, source: nowhere, dest: nowhere, meeting: team, accumulator: () }
    }
}
