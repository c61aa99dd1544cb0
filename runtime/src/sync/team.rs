//! Teams (OpenSHMEM 1.6, section 9.4): PEs that take part in collectives together.
//!
//! A team synchronises with words in the control areas. They belong to one of a fixed number of slots ([`TeamArea`]),
//! which is the same on all its members. When a team is split, the members of the parent exchange which slots are free,
//! and take the first one that is free on all of them. A PE that does not become a member leaves the slot free, so
//! teams without common members may have the same slot. The members then exchange whether they got the slot, because
//! another thread may have taken it for a split of another team; if so, they try others. A PE that got it also says how
//! far its flags have counted, and how far its kernels have counted their barriers (`meetings`).
//!
//! A team with members on several nodes synchronises with the same words within each node, and with the replicas of its
//! slot between the leaders of the nodes (`level`), which register these when the team is made (`replicas`).
//!
//! *Why a slot can be reused after its team was destroyed.* The slot's flags are never reset. A new team starts to
//! count from a number that no flag of its members exceeds, so what an older team left there means nothing to it.
//! Destroying a team starts with a synchronisation of its members. A member that returns from it knows that no member
//! reads data of the slot any more; a member may at most still read a flag, for which a later number does as well. The
//! same holds for the slot's second area, in which threads of the library meet for streams (`service::deputy`): before
//! a member destroys the team, its streams have finished all of that.

use super::Sync;
use super::control::{ACTIVE_SLOT, SHARED_SLOT, TeamArea, WORLD_SLOT};
use super::flags::Awaited;
use super::slot_set::SlotSet;
use crate::error::Cause;
use crate::job::{Job, Pe};
use crate::sync::call::{Argument, Call};
use crate::sync::locked;
use crate::{Error, PeSet, Result};
use cushmem_collective::{Flag, Flags, Group, Layout, Progress, STAGE_BYTES, sync};
use cushmem_device::DeviceTeam;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// PEs that take part in collectives together. All members make collective calls in the same order, from one thread of
/// a PE at a time.
///
/// ```
/// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
/// use cushmem::Reduction;
///
/// let counts = shmem.malloc::<u32>(1)?;
/// counts.copy_from(&[1])?;
/// let (world, half) = (shmem.team_world(), shmem.n_pes().div_ceil(2) as i32);
/// // The PEs with even numbers; the others get none.
/// if let Some(even) = shmem.team_split_strided(world, 0, 2, half)? {
///     assert_eq!(even.translate_pe(even.my_pe(), world), Some(shmem.my_pe()));
///     shmem.reduce(&even, Reduction::Sum, counts, counts)?;
///     assert_eq!(counts.to_vec()?, [even.n_pes()]);
///     shmem.team_destroy(even);
/// }
/// # Ok(()) }) }
/// ```
#[derive(Debug)]
pub struct Team {
    pes: PeSet,
    my_pe: u32,
    slot: usize,
    /// The counters of the flags of this node's members.
    pub(super) progress: Progress,
    /// Present if the team has members on several nodes.
    nodes: Option<Box<TeamNodes>>,
    of_deputies: Arc<OfDeputies>,
}

/// A team of the same PEs for collectives that threads of the library carry out, made for the first of them. It has its
/// own words, because the CPU may be in a collective of the team at the same time.
#[derive(Debug)]
pub(crate) struct OfDeputies {
    pes: PeSet,
    my_pe: u32,
    slot: usize,
    /// When the team was created, none of its flags exceeded this number.
    base: u64,
    team: OnceLock<Arc<Team>>,
}

impl OfDeputies {
    pub(crate) fn team(&self, job: &Job) -> &Arc<Team> {
        let slot = job.teams() + self.slot;
        self.team.get_or_init(|| Arc::new(Team::new(job, self.pes, self.my_pe, slot, self.base)))
    }
}

/// What a team with members on several nodes needs in addition.
#[derive(Debug)]
pub(super) struct TeamNodes {
    pub(super) layout: Layout,
    /// The counters of the flags between the leaders of the nodes.
    pub(super) leaders: Progress,
    /// By leader: the number of its node in the job.
    pub(super) numbers: Box<[u32]>,
}

/// The predefined teams, and the slots of all others.
pub(crate) struct Teams {
    world: Team,
    shared: Team,
    active: Team,
    slots: Mutex<Slots>,
}

struct Slots {
    free: SlotSet,
    /// A number that no flag of a free slot exceeds.
    highest: u64,
}

impl Teams {
    pub(crate) fn new(job: &Job) -> Self {
        let all = PeSet::all(job.n_pes());
        let node = job.pes().filter(|pe| job.place(*pe).is_some()).map(Pe::number).collect();
        let team = |pes: PeSet, slot| Team::new(job, pes, pes.number_of(job.my_pe()).unwrap_or(0), slot, 0);
        let mut free = SlotSet::below(job.teams());
        [WORLD_SLOT, ACTIVE_SLOT, SHARED_SLOT].into_iter().for_each(|slot| free.remove(slot));
        let slots = Mutex::new(Slots { free, highest: 0 });
        Self {
            world: team(all, WORLD_SLOT),
            shared: team(PeSet::listed(node), SHARED_SLOT),
            active: team(all, ACTIVE_SLOT),
            slots,
        }
    }

    /// The team of all PEs.
    #[inline(always)]
    pub(crate) fn world(&self) -> &Team {
        &self.world
    }

    /// The team of the PEs of this node.
    #[inline(always)]
    pub(crate) fn shared(&self) -> &Team {
        &self.shared
    }

    /// The team of all PEs that collectives of active sets use if a set contains all PEs.
    #[inline(always)]
    pub(crate) fn active(&self) -> &Team {
        &self.active
    }
}

impl Team {
    /// `my_pe` is this PE's number in the team.
    fn new(job: &Job, pes: PeSet, my_pe: u32, slot: usize, base: u64) -> Self {
        let of_deputies = Arc::new(OfDeputies { pes, my_pe, slot, base, team: OnceLock::new() });
        let node = |member| job.node(pes.at(member));
        if (1..pes.size()).all(|member| node(member) == node(0)) {
            let progress = Progress::new(base, pes.size());
            return Self { pes, my_pe, slot, progress, nodes: None, of_deputies };
        }
        let layout = Layout::new((0..pes.size()).map(node), my_pe);
        let here = layout.members(layout.node()).len() as u32;
        let numbers = (0..layout.nodes()).map(|node| job.node(pes.at(layout.leader(node)))).collect();
        let leaders = Progress::new(base, layout.nodes());
        let nodes = Some(Box::new(TeamNodes { layout, leaders, numbers }));
        Self { pes, my_pe, slot, progress: Progress::new(base, here), nodes, of_deputies }
    }

    /// What makes the team's double for threads of the library.
    pub(crate) fn of_deputies(&self) -> &Arc<OfDeputies> {
        &self.of_deputies
    }

    /// A number that no flag of this PE in the team's areas exceeds.
    fn highest(&self) -> u64 {
        let between = self.nodes.as_ref().map_or(0, |nodes| nodes.leaders.highest());
        let of_deputies = self.of_deputies.team.get().map_or(0, |team| team.highest());
        between.max(of_deputies).max(self.progress.highest())
    }

    /// Present if the team has members on several nodes.
    #[inline(always)]
    pub(super) fn nodes(&self) -> Option<&TeamNodes> {
        self.nodes.as_deref()
    }

    /// Whether the team has members on several nodes.
    #[inline(always)]
    pub(crate) fn spans_nodes(&self) -> bool {
        self.nodes.is_some()
    }

    /// Returns this PE's number in the team (`shmem_team_my_pe`, 9.4).
    pub fn my_pe(&self) -> u32 {
        self.my_pe
    }

    /// Returns the number of PEs in the team (`shmem_team_n_pes`, 9.4).
    pub fn n_pes(&self) -> u32 {
        self.pes.size()
    }

    /// Returns the PEs of the team.
    #[inline(always)]
    pub fn pes(&self) -> PeSet {
        self.pes
    }

    /// Returns the number in `other` of the PE whose number in this team is `pe` (`shmem_team_translate_pe`, 9.4).
    /// Returns `None` unless the PE is in both teams.
    pub fn translate_pe(&self, pe: u32, other: &Team) -> Option<u32> {
        other.pes.number_of(self.pes.pe(pe)?)
    }

    /// Returns the slot that the team occupies on each PE. It is below [`Team::MOST`]. A kernel that gets the number as
    /// an argument finds the team there ([`cushmem_device::team`]).
    pub fn slot(&self) -> usize {
        self.slot
    }

    /// The largest number of teams of which a PE can be a member at a time, including the predefined ones: that to
    /// which `CUSHMEM_TEAMS` can be set. By default it is 64.
    pub const MOST: usize = cushmem_abi::MOST_TEAMS;

    /// The slot of the team of active sets, which the program cannot name.
    #[doc(hidden)]
    pub const WITHOUT_HANDLE: usize = ACTIVE_SLOT;

    /// Returns the team in the form in which kernels pass it to [`cushmem_device::Scope::team_sync`]. Destroy the team
    /// only after those kernels have ended on all its PEs.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let team = shmem.team_world().device();
    /// // A kernel takes it as an argument, and its PEs are those of the host's team.
    /// assert_eq!(team.pe(team.my_pe), shmem.my_pe());
    /// # Ok(()) }) }
    /// ```
    ///
    /// # Panics
    /// If the numbers of the team's PEs are not evenly spaced. In a job of several nodes this can be so for the team of
    /// a node, and for teams split from it.
    pub fn device(&self) -> DeviceTeam {
        let (start, stride) = self.pes.row().expect("kernels need a team whose PEs have numbers at equal distances");
        DeviceTeam { start, stride, n_pes: self.pes.size(), my_pe: self.my_pe, slot: self.slot as u32 }
    }

    /// Whether the team has members on several nodes, of whom this PE is the first on its node.
    pub(super) fn is_leader(&self) -> bool {
        self.nodes().is_some_and(|TeamNodes { layout, .. }| layout.leader(layout.node()) == self.my_pe)
    }
}

impl Sync {
    /// See [`Shmem::team_split_strided`](crate::Shmem::team_split_strided).
    pub(crate) fn team_split_strided(&self, parent: &Team, start: i32, stride: i32, size: i32) -> Result<Option<Team>> {
        self.agree(parent, || {
            let arguments = [("start", start), ("stride", stride), ("size", size)];
            Call::new("team_split_strided", &arguments.map(|(name, value)| Argument::Signed(name, value)))
        });
        let pes = parent.pes.strided(start, stride, size).ok_or_else(|| {
            let last = parent.n_pes() - 1;
            let wanted = format!("{size} PEs from {start} with stride {stride}");
            let why = format!("{wanted} are not distinct PEs of the parent team (0 to {last})");
            Error::new("team_split_strided", Cause::Mismatch(why))
        })?;
        let [team] = self.split("team_split_strided", parent, [pes])?;
        Ok(team)
    }

    /// See [`Shmem::team_split_2d`](crate::Shmem::team_split_2d).
    pub(crate) fn team_split_2d(&self, parent: &Team, xrange: i32) -> Result<(Team, Team)> {
        let operation = "team_split_2d";
        self.agree(parent, || Call::new(operation, &[Argument::Signed("xrange", xrange)]));
        let (me, size) = (parent.my_pe, parent.n_pes());
        let Some(xrange) = u32::try_from(xrange).ok().filter(|&x| x > 0).map(|x| x.min(size)) else {
            return Err(Error::new(operation, Cause::Mismatch(format!("a team cannot have rows of {xrange} PEs"))));
        };
        let (x, y) = (me % xrange, me / xrange);
        let row = parent.pes.strided((y * xrange) as i32, 1, xrange.min(size - y * xrange) as i32);
        let column = parent.pes.strided(x as i32, xrange as i32, (size - x).div_ceil(xrange) as i32);
        let (Some(row), Some(column)) = (row, column) else {
            return Err(Error::new(operation, Cause::Mismatch(format!("PE {me} is in no row of {xrange}"))));
        };
        match self.split(operation, parent, [row, column])? {
            [Some(row), Some(column)] => Ok((row, column)),
            _ => Err(Error::new(operation, Cause::Mismatch(format!("PE {me} is not in its own row and column")))),
        }
    }

    /// See [`Shmem::team_across_nodes`](crate::Shmem::team_across_nodes).
    pub(crate) fn team_across_nodes(&self, operation: &'static str) -> Result<[Option<Team>; 1]> {
        let world = self.teams.world();
        self.agree(world, || Call::new(operation, &[]));
        self.split(operation, world, [PeSet::listed(self.job.same_place())])
    }

    /// Finds a slot for each set, the same on all members of the parent.
    fn split<const N: usize>(
        &self,
        operation: &'static str,
        parent: &Team,
        sets: [PeSet; N],
    ) -> Result<[Option<Team>; N]> {
        let mut tried = SlotSet::NONE;
        loop {
            let mut free = self.slots(|s| s.free).without(&tried);
            self.free_on_all(operation, parent, &mut free);
            if free.len() < N {
                let (teams, most) = (self.job.teams(), Team::MOST);
                let cause = format!(
                    "a PE of the parent team is in {teams} teams already, which is the limit; CUSHMEM_TEAMS raises it, up to {most}"
                );
                return Err(Error::new(operation, Cause::Exhausted(cause)));
            }
            let found = sets.map(|pes| {
                let slot = free.take_first().expect("there are as many as sets");
                (pes, slot)
            });
            let is_mine = |(pes, _): &(PeSet, usize)| pes.number_of(self.job.my_pe()).is_some();
            let wanted = SlotSet::of(found.iter().filter(|set| is_mine(set)).map(|(_, slot)| *slot));
            // Since the slots were compared, another thread may have split another team and taken the slot, or even
            // given it back, with higher flags.
            let (taken, highest) = self.slots(|s| {
                let is_free = wanted.without(&s.free).len() == 0;
                if is_free {
                    s.free = s.free.without(&wanted);
                }
                (is_free, s.highest)
            });
            let (mut by_all, mut base, mut meetings) = (true, 0, 0);
            let own = [u64::from(taken), highest, self.meetings.highest()];
            self.gather(operation, parent, own, |_, [taken, highest, met]| {
                by_all &= taken != 0;
                base = base.max(highest);
                meetings = meetings.max(met);
            });
            if by_all {
                let teams = found.map(|(pes, slot)| {
                    let my_pe = pes.number_of(self.job.my_pe())?;
                    self.meetings.count_from(slot, meetings);
                    Some(Team::new(&self.job, pes, my_pe, slot, base))
                });
                if parent.spans_nodes() {
                    let share = |team: &Option<Team>| self.share_replicas(operation, parent, team.as_ref());
                    let shared = teams.iter().map(share).fold(Ok(()), Result::and);
                    shared.inspect_err(|_| self.slots(|s| s.free.add(&wanted)))?;
                }
                return Ok(teams);
            }
            if taken {
                self.slots(|s| s.free.add(&wanted));
            }
            tried.add(&SlotSet::of(found.iter().map(|(_, slot)| *slot)));
        }
    }

    /// Leaves those slots that are free on all members of a team.
    fn free_on_all(&self, operation: &'static str, parent: &Team, free: &mut SlotSet) {
        // One word serves unless the user asks for more slots.
        if self.job.teams() <= u64::BITS as usize {
            let [mine, ..] = free.words();
            self.gather(operation, parent, [mine], |_, [theirs]| free.keep(&[theirs]));
        } else {
            self.gather(operation, parent, free.words(), |_, theirs| free.keep(&theirs));
        }
    }

    /// See [`Shmem::team_destroy`](crate::Shmem::team_destroy).
    pub(crate) fn team_destroy(&self, team: Team, clear: impl FnOnce(usize)) {
        self.sync_team("team_destroy", &team);
        // Before another team can get the slot.
        clear(team.slot);
        self.give_back(&team);
    }

    /// Gives back the slot of a team that no member uses any more.
    pub(crate) fn give_back(&self, team: &Team) {
        self.slots(|s| {
            s.free.add(&SlotSet::of([team.slot]));
            s.highest = s.highest.max(team.highest());
        });
    }

    /// Collective over the team: returns the first PE that failed, if any did.
    pub(crate) fn first_to_fail(&self, operation: &'static str, team: &Team, failed: bool) -> Option<u32> {
        let mut first = None;
        self.gather(operation, team, [u64::from(failed)], |member, [failed]| {
            if failed != 0 {
                first = first.or(team.pes.pe(member));
            }
        });
        first
    }

    fn slots<T>(&self, action: impl FnOnce(&mut Slots) -> T) -> T {
        // An action changes the slots completely or not at all, so the lock of a thread that panicked can be used.
        action(&mut locked(&self.teams.slots))
    }
}

/// This PE as a member of a team, in a collective.
#[derive(Clone, Copy)]
pub(crate) struct TeamPoint<'a> {
    pub(super) sync: &'a Sync,
    pub(super) team: &'a Team,
    pub(super) operation: &'static str,
}

impl TeamPoint<'_> {
    /// The PE of the job that is this member.
    #[inline(always)]
    pub(crate) fn pe(&self, member: u32) -> Pe {
        self.team.pes.at(member)
    }

    /// The offset of the team's words in each control area.
    #[inline(always)]
    fn area(&self) -> usize {
        self.sync.control.team(self.team.slot)
    }

    /// Where a member's stage has its data.
    #[inline(always)]
    pub(crate) fn stage(&self, member: u32, stage: usize, at: usize, bytes: usize) -> *mut u8 {
        assert!(at + bytes <= STAGE_BYTES);
        self.sync.control.data(self.pe(member), self.area() + TeamArea::data(stage) + at)
    }

    #[inline(always)]
    fn staged(&self, member: u32, stage: usize, index: usize) -> &AtomicU64 {
        assert!(index * 8 + 8 <= STAGE_BYTES);
        self.sync.control.word(self.pe(member), self.area() + TeamArea::data(stage) + index * 8)
    }

    #[inline(always)]
    fn flag(&self, pe: Pe, flag: Flag) -> &AtomicU64 {
        self.sync.control.word(pe, self.area() + TeamArea::flag(flag))
    }
}

impl Group for TeamPoint<'_> {
    #[inline(always)]
    fn size(&self) -> u32 {
        self.team.pes.size()
    }

    #[inline(always)]
    fn me(&self) -> u32 {
        self.team.my_pe
    }

    #[inline(always)]
    fn sync(&mut self) {
        sync(self);
    }
}

impl Flags for TeamPoint<'_> {
    #[inline(always)]
    fn progress(&self) -> &Progress {
        &self.team.progress
    }

    #[inline(always)]
    fn post(&mut self, flag: Flag, value: u64) {
        let me = self.sync.me();
        self.sync.post(me, self.flag(me, flag), value);
    }

    #[inline(always)]
    fn wait(&mut self, member: u32, flag: Flag, value: u64) -> u64 {
        let pe = self.pe(member);
        let awaited = || Awaited { operation: self.operation, pes: self.team.pes, pe, area: pe, by_network: false };
        self.sync.await_flag(self.flag(pe, flag), value, awaited)
    }

    #[inline(always)]
    fn stage_word(&mut self, stage: usize, index: usize, value: u64) {
        // Relaxed: the round's flag orders the store.
        self.staged(self.team.my_pe, stage, index).store(value, Ordering::Relaxed);
    }

    #[inline(always)]
    fn staged_word(&mut self, from: u32, stage: usize, index: usize) -> u64 {
        // Relaxed: the round's flag orders the load.
        self.staged(from, stage, index).load(Ordering::Relaxed)
    }
}
