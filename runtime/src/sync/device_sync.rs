//! Barriers between kernels of PEs that their GPUs do not reach: the proxies of the PEs meet for them.
//!
//! ```text
//!   kernel:  quiet or fence, then the command `Sync` ───▶ proxy:  for each step k
//!                                                                   SET word k of member i + 2^k (mod n) to the meeting's number
//!                                                                   look at the own word k, until it has that number
//!            fence, goes on ◀──────────────── reply ─────────── after the last step
//! ```
//!
//! Dissemination with radix 2: after step `k` a PE has heard, directly or through others, of the `2^(k+1) - 1` members
//! before it.
//!
//! *Words*: in each control area, by team slot, two rows of a word for each step; odd and even meetings use them in
//! turn. Word `k` of member `i` is stored by member `i - 2^k` alone, as a SET of the meeting's number: by the CPU in
//! its own node, by the network elsewhere. The proxies poll, so nobody is woken.
//!
//! *The order in which SETs arrive does not matter.* A member stores the number `e + 2` into a word after it has come
//! out of meeting `e + 1`; by then all are in that meeting, so the owner of the word has come out of meeting `e`, for
//! which it has awaited the number `e` in this word. So each SET has arrived before the next one for its word is
//! posted. With one row a SET of `e + 1` could arrive before that of `e`, which would then take it back.
//!
//! *Why a slot can have another team after one was destroyed*: every SET was awaited by its receiver before the
//! receiver came out of its meeting, and a team is destroyed after its kernels have ended. So none is under way when
//! the slot gets another team, and all numbers that were left there are at most as large as the number of the last
//! meeting of some member of the new team. When a team is made, its members tell each other how far each PE has counted
//! on any slot, and count on from the largest number ([`Meetings::count_from`]).
//!
//! *Memory*: what a PE did before is complete, as its kernel's quiet says, or ordered by its fence. The slot of the
//! command, the words and the reply chain a release with an acquire each from every kernel to every other one.
//!
//! *When a PE does not come*, kernels give up after their limit; `shmemrun --status` names the PE that is waited for.
//! *When one dies*, the launcher ends the job.

use super::Sync;
use super::control::{ControlArea, MEETING_STEPS, TEAM_SLOTS};
use super::network::{Far, NetLane, Region};
use crate::Result;
use crate::job::Pe;
use cushmem_bootstrap::waits::{Published, look_up};
use cushmem_device::DeviceTeam;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The barriers of this PE's kernels, as its other threads know them.
pub(crate) struct Meetings {
    /// By slot: the number of the last one.
    counts: [AtomicU64; TEAM_SLOTS],
    /// By slot: the PE that is waited for, plus 1.
    late: [AtomicU32; TEAM_SLOTS],
}

impl Meetings {
    pub(super) fn new() -> Self {
        Self { counts: [const { AtomicU64::new(0) }; TEAM_SLOTS], late: [const { AtomicU32::new(0) }; TEAM_SLOTS] }
    }

    /// No number in a word of a slot without a team is beyond this one.
    pub(super) fn highest(&self) -> u64 {
        // Relaxed: kernels of such a slot's team have ended, and they learned of their last meeting after it was
        // counted.
        self.counts.iter().map(|count| count.load(Ordering::Relaxed)).max().unwrap_or(0)
    }

    /// A slot has a new team, of which no kernel is in a barrier yet.
    pub(super) fn count_from(&self, slot: usize, number: u64) {
        // Relaxed: kernels of the team are launched afterwards.
        self.counts[slot].store(number, Ordering::Relaxed);
    }

    /// The PE for which a barrier of the team with this slot waits.
    pub(crate) fn late(&self, slot: usize) -> Option<u32> {
        // Relaxed: only for people.
        self.late.get(slot)?.load(Ordering::Relaxed).checked_sub(1)
    }

    fn describe(&self) -> Option<String> {
        let line = |slot| Some(format!("barrier of team slot {slot}: waits for PE {}", self.late(slot)?));
        let lines: Vec<_> = (0..TEAM_SLOTS).filter_map(line).collect();
        (!lines.is_empty()).then(|| lines.join("; "))
    }
}

/// The barriers that kernels of this PE are in: the proxy has it.
pub(crate) struct DeviceSyncs {
    meetings: Arc<Meetings>,
    /// Its operations never wait for those of others.
    lane: Option<Arc<NetLane>>,
    under_way: Vec<(Meeting, u64)>,
    /// What is waited for is looked up while this is there.
    _waits: Published,
}

impl DeviceSyncs {
    pub(crate) fn new(sync: &Sync) -> Self {
        let meetings = sync.meetings().clone();
        let looked_at = meetings.clone();
        let waits = look_up(move || looked_at.describe());
        Self { meetings, lane: sync.network().map(|network| network.lane()), under_way: vec![], _waits: waits }
    }

    /// The team that a command names, by its arguments.
    pub(crate) const fn team_of([pes, numbers, slot]: [u64; 3]) -> DeviceTeam {
        let stride = ((pes >> 32) as u32).cast_signed();
        // A number that is too large is not that of a slot either.
        let slot = if slot > u32::MAX as u64 { u32::MAX } else { slot as u32 };
        DeviceTeam { start: pes as u32, stride, n_pes: numbers as u32, my_pe: (numbers >> 32) as u32, slot }
    }

    /// A kernel of this PE has come to a barrier of a team of its, and waits for the reply with this ticket. The error
    /// says what is wrong with the command.
    pub(crate) fn begin(&mut self, team: DeviceTeam, reply: u64) -> std::result::Result<(), String> {
        let slot = team.slot as usize;
        if self.under_way.iter().any(|(meeting, _)| meeting.team.slot == team.slot) {
            return Err(format!("another scope of this PE is in a barrier of the team with slot {slot}"));
        }
        // Relaxed: this thread counts, and whoever made the team before its kernels were launched.
        let number = self.meetings.counts[slot].load(Ordering::Relaxed) + 1;
        self.under_way.push((Meeting::new(team, number), reply));
        Ok(())
    }

    /// Whether a kernel is in one.
    pub(crate) fn are_under_way(&self) -> bool {
        !self.under_way.is_empty()
    }

    /// Goes on as far as possible, without waiting; says which replies are due. Whether something happened.
    pub(crate) fn progress(&mut self, sync: &Sync, mut answer: impl FnMut(u64)) -> Result<bool> {
        let (mut failed, mut moved) = (Ok(()), false);
        let (meetings, lane) = (&*self.meetings, self.lane.as_deref());
        self.under_way.retain_mut(|(meeting, reply)| {
            let (team, slot, step) = (meeting.team, meeting.team.slot as usize, meeting.step);
            let come = meeting.progress(&mut Areas { sync, lane, team }).unwrap_or_else(|error| {
                failed = Err(error);
                false
            });
            moved |= meeting.step != step;
            // Relaxed: only for people.
            meetings.late[slot].store(if come { 0 } else { team.pe(meeting.late()) + 1 }, Ordering::Relaxed);
            if come {
                // Relaxed: the reply comes after it.
                meetings.counts[slot].store(meeting.number, Ordering::Relaxed);
                answer(*reply);
            }
            !come
        });
        failed.map(|()| moved)
    }
}

/// What is wrong with a team, unless it is one of this PE's.
pub(crate) fn check(team: &DeviceTeam, me: u32, n_pes: u32) -> std::result::Result<(), String> {
    let DeviceTeam { start, stride, n_pes: members, my_pe, slot } = *team;
    let last = i64::from(start) + (i64::from(members) - 1) * i64::from(stride);
    let is_row = members > 0 && (stride != 0 || members == 1) && (0..i64::from(n_pes)).contains(&last);
    if !is_row || start >= n_pes {
        return Err(format!("a team of {members} PEs from {start} with stride {stride} is not in 0..{n_pes}"));
    }
    if my_pe >= members || team.pe(my_pe) != me {
        return Err(format!(
            "PE {me} is not number {my_pe} of the team of {members} PEs from {start} with stride {stride}"
        ));
    }
    if slot as usize >= TEAM_SLOTS {
        return Err(format!("team slot {slot} is not in 0..{TEAM_SLOTS}"));
    }
    if u64::from(members) > 1 << MEETING_STEPS {
        return Err(format!("a team of {members} PEs is too large for a barrier by the CPU"));
    }
    Ok(())
}

/// The words of a team's members.
trait Words {
    /// Stores a number into a word of a member; whether that was possible now.
    fn set(&mut self, member: u32, row: usize, step: usize, number: u64) -> Result<bool>;
    /// The own word.
    fn get(&self, row: usize, step: usize) -> u64;
}

/// One PE in one barrier.
struct Meeting {
    team: DeviceTeam,
    number: u64,
    step: usize,
    /// Whether the member of this step has been told.
    told: bool,
}

impl Meeting {
    const fn new(team: DeviceTeam, number: u64) -> Self {
        Self { team, number, step: 0, told: false }
    }

    /// Goes on as far as possible; whether all have come.
    fn progress(&mut self, words: &mut impl Words) -> Result<bool> {
        let DeviceTeam { n_pes, my_pe, .. } = self.team;
        let row = (self.number % 2) as usize;
        while 1 << self.step < n_pes {
            if !self.told {
                let next = (u64::from(my_pe) + (1 << self.step)) % u64::from(n_pes);
                self.told = words.set(next as u32, row, self.step, self.number)?;
            }
            if !self.told || words.get(row, self.step) < self.number {
                return Ok(false);
            }
            (self.step, self.told) = (self.step + 1, false);
        }
        Ok(true)
    }

    /// The member that is waited for, before the last step is over.
    fn late(&self) -> u32 {
        let DeviceTeam { n_pes, my_pe, .. } = self.team;
        (my_pe + n_pes - (1 << self.step)) % n_pes
    }
}

/// The words in the control areas.
struct Areas<'a> {
    sync: &'a Sync,
    lane: Option<&'a NetLane>,
    team: DeviceTeam,
}

impl Areas<'_> {
    fn at(&self, row: usize, step: usize) -> usize {
        ControlArea::meeting_word(self.team.slot as usize, row, step)
    }
}

impl Words for Areas<'_> {
    fn set(&mut self, member: u32, row: usize, step: usize, number: u64) -> Result<bool> {
        let (pe, at) = (Pe::member(self.team.pe(member)), self.at(row, step));
        if self.sync.control().is_near(pe) {
            // SYNC(device-sync) release: pairs with the acquire in `get` of that PE; what this PE's kernel did comes
            // first.
            self.sync.control().word(pe, at).store(number, Ordering::Release);
            return Ok(true);
        }
        let lane = self.lane.expect("there is a network where PEs are not near");
        lane.try_put_inline(Far { pe, region: Region::Control, at: at as u64 }, &number.to_ne_bytes())
    }

    fn get(&self, row: usize, step: usize) -> u64 {
        // SYNC(device-sync) acquire: pairs with the release in `set`.
        self.sync.control().word(self.sync.me(), self.at(row, step)).load(Ordering::Acquire)
    }
}

#[cfg(test)]
#[path = "device_sync_tests.rs"]
mod tests;
