//! Barriers between kernels of PEs whose GPUs do not reach each other: the proxies of the PEs meet for them.
//!
//! ```text
//!   kernel:  quiet or fence, then the command `Sync` ───▶ proxy:  for each step k
//!                                                                   SET word k of member i + 2^k (mod n) to the meeting's number
//!                                                                   look at the own word k, until it has that number
//!            fence, goes on ◀──────────────── reply ─────────── after the last step
//! ```
//!
//! This is dissemination with radix 2: after step `k` a PE has heard, directly or through others, from the `2^(k+1) -
//! 1` members before it.
//!
//! *Words.* Each control area has, for each team slot, two rows of one word per step. Odd and even meetings use the
//! rows alternately. Word `k` of member `i` is stored only by member `i - 2^k`, as a SET of the meeting's number: by
//! the CPU on its own node, by the network elsewhere. The proxies poll, so nobody needs to be woken.
//!
//! *The order in which SETs arrive does not matter.* A member stores the number `e + 2` into a word after it has left
//! meeting `e + 1`. By then all members are in that meeting, so the word's owner has left meeting `e`, in which it
//! waited for the number `e` in this word. Each SET has therefore arrived before the next one for its word is posted.
//! With only one row, the SET of `e + 1` could arrive before that of `e`, which would then overwrite it.
//!
//! *Why a slot can be reused after its team was destroyed.* Every SET was awaited by its receiver before the receiver
//! left its meeting, and a team is destroyed after its kernels have ended. No SET is therefore in flight when the slot
//! gets another team, and no number that is left in the slot exceeds the last meeting's number of some member of the
//! new team. When a team is created, its members exchange how far each PE has counted on any slot, and continue from
//! the largest number ([`Meetings::count_from`]).
//!
//! *Memory order.* What a PE did before the barrier is complete if its kernel called quiet, or ordered if it called
//! fence. The command's slot, the words and the reply form a chain of release and acquire from every kernel to every
//! other one.
//!
//! *When a PE does not arrive*, kernels give up after their time limit; `shmemrun --status` names the PE that they wait
//! for. *When a PE dies*, the launcher ends the job.

use crate::Result;
use crate::job::Pe;
use crate::sync::Sync;
use crate::sync::control::{ControlArea, MEETING_STEPS};
use crate::sync::meetings::Meetings;
use crate::sync::network_lane::{NetLane, Region, RemoteAddr};
use cushmem_bootstrap::waits::{Published, look_up};
use cushmem_device::DeviceTeam;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The barriers that kernels of this PE are in. The proxy owns this.
pub(crate) struct DeviceSyncs {
    meetings: Arc<Meetings>,
    /// A lane of its own, so that its operations never wait for those of others.
    lane: Option<Arc<NetLane>>,
    under_way: Vec<(Meeting, u64)>,
    /// While this exists, others can look up what is waited for.
    _waits: Published,
}

impl DeviceSyncs {
    pub(crate) fn new(sync: &Sync) -> Self {
        let meetings = sync.meetings().clone();
        let looked_at = meetings.clone();
        let waits = look_up(move || looked_at.describe());
        Self { meetings, lane: sync.network().map(|network| network.lane()), under_way: vec![], _waits: waits }
    }

    /// Starts a barrier that a kernel of this PE has entered, on a team of this PE. The kernel waits for the reply with
    /// this ticket. The error says what is wrong with the command.
    pub(crate) fn begin(&mut self, team: DeviceTeam, reply: u64) -> std::result::Result<(), String> {
        let slot = team.slot as usize;
        if self.under_way.iter().any(|(meeting, _)| meeting.team.slot == team.slot) {
            return Err(format!("another scope of this PE is in a barrier of the team with slot {slot}"));
        }
        let number = self.meetings.last(slot) + 1;
        self.under_way.push((Meeting::new(team, number), reply));
        Ok(())
    }

    /// Whether a kernel is in a barrier.
    pub(crate) fn are_under_way(&self) -> bool {
        !self.under_way.is_empty()
    }

    /// Advances as far as possible without waiting and answers the replies that are due; returns whether anything
    /// changed.
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
            meetings.wait_for(slot, (!come).then(|| team.pe(meeting.late())));
            if come {
                meetings.complete(slot, meeting.number);
                answer(*reply);
            }
            !come
        });
        failed.map(|()| moved)
    }
}

/// Returns what is wrong with a team, unless it is a valid team of this PE.
pub(crate) fn check(team: &DeviceTeam, me: u32, (n_pes, teams): (u32, usize)) -> std::result::Result<(), String> {
    let DeviceTeam { start, stride, n_pes: members, my_pe, slot } = *team;
    let last = i64::from(start) + (i64::from(members) - 1) * i64::from(stride);
    let is_row = members > 0 && (stride != 0 || members == 1) && (0..i64::from(n_pes)).contains(&last);
    if !is_row || start >= n_pes {
        return Err(format!(
            "a team of {members} PEs from {start} with stride {stride} is out of range (0 to {})",
            n_pes - 1
        ));
    }
    if my_pe >= members || team.pe(my_pe) != me {
        return Err(format!(
            "PE {me} is not number {my_pe} of the team of {members} PEs from {start} with stride {stride}"
        ));
    }
    if slot as usize >= teams {
        return Err(format!("team slot {slot} is out of range (0 to {})", teams - 1));
    }
    if u64::from(members) > 1 << MEETING_STEPS {
        return Err(format!("a team of {members} PEs is too large for a barrier by the CPU"));
    }
    Ok(())
}

/// The words of a team's members.
trait Words {
    /// Stores a number into a word of a member; returns whether that was possible now.
    fn set(&mut self, member: u32, row: usize, step: usize, number: u64) -> Result<bool>;
    /// A word of this member.
    fn get(&self, row: usize, step: usize) -> u64;
}

/// One PE in one barrier.
struct Meeting {
    team: DeviceTeam,
    number: u64,
    step: usize,
    /// Whether this PE has set the word of this step's member.
    is_set: bool,
}

impl Meeting {
    const fn new(team: DeviceTeam, number: u64) -> Self {
        Self { team, number, step: 0, is_set: false }
    }

    /// Advances as far as possible; returns whether all members have arrived.
    fn progress(&mut self, words: &mut impl Words) -> Result<bool> {
        let DeviceTeam { n_pes, my_pe, .. } = self.team;
        let row = (self.number % 2) as usize;
        while 1 << self.step < n_pes {
            if !self.is_set {
                let next = (u64::from(my_pe) + (1 << self.step)) % u64::from(n_pes);
                self.is_set = words.set(next as u32, row, self.step, self.number)?;
            }
            if !self.is_set || words.get(row, self.step) < self.number {
                return Ok(false);
            }
            (self.step, self.is_set) = (self.step + 1, false);
        }
        Ok(true)
    }

    /// The member that is waited for, unless the last step is over.
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
            // SYNC(device-sync) release: pairs with the acquire in `get` of that PE; orders what this PE's kernel did
            // before.
            self.sync.control().word(pe, at).store(number, Ordering::Release);
            return Ok(true);
        }
        let lane = self.lane.expect("there is a network where PEs are not near");
        lane.try_set(RemoteAddr { pe, region: Region::Control, at: at as u64 }, number)
    }

    fn get(&self, row: usize, step: usize) -> u64 {
        // SYNC(device-sync) acquire: pairs with the release in `set`.
        self.sync.control().word(self.sync.me(), self.at(row, step)).load(Ordering::Acquire)
    }
}

#[cfg(test)]
#[path = "device_sync_tests.rs"]
mod tests;
