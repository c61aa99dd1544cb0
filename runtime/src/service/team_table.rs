//! Tells kernels about this PE's teams, in the device tables ([`cushmem_abi::TeamEntry`] says who writes and reads
//! them).
//!
//! Teams can exist before the GPUs start, and threads can create some while they do. So the entries are kept here, and
//! under one lock: whoever changes an entry also copies it, if there are tables, and whoever brings up the tables
//! copies what is here.

use super::Services;
use crate::Team;
use crate::error::Result;
use crate::memory::device_tables::team_words;
use crate::service::deputy::Maker;
use crate::sync::locked;
use cushmem_abi::{TEAM_SLOTS, Tables, TeamEntry};
use std::mem::offset_of;
use std::sync::Mutex;

/// The teams of this PE, as kernels see them.
pub(super) struct TeamTable(Mutex<Known>);

struct Known {
    teams: [TeamEntry; TEAM_SLOTS],
    /// By slot: what makes the collectives that kernels ask the CPU for.
    makers: [Option<Maker>; TEAM_SLOTS],
    /// The device address of the tables, while there are any.
    tables: Option<u64>,
}

impl TeamTable {
    pub(super) const fn new() -> Self {
        Self(Mutex::new(Known {
            teams: [TeamEntry::NONE; TEAM_SLOTS],
            makers: [const { None }; TEAM_SLOTS],
            tables: None,
        }))
    }
}

impl Services {
    /// Notes that the tables are at this address, and copies the teams there.
    pub(super) fn begin_team_table(&self, tables: u64) -> Result<()> {
        let mut known = locked(&self.team_table.0);
        let words = team_words(&known.teams);
        let (to, from) = (entry_at(tables, 0), words.as_ptr().expose_provenance() as u64);
        // SAFETY: the tables have an entry for each slot, and the words live until the copy is complete.
        unsafe { self.transfers.copy_and_wait(to, from, size_of_val(words.as_slice()))? };
        known.tables = Some(tables);
        Ok(())
    }

    /// Notes that the tables are given back.
    pub(crate) fn end_team_table(&self) {
        locked(&self.team_table.0).tables = None;
    }

    /// Lets kernels name a new team by its slot, and ask for its collectives.
    pub(crate) fn tell_kernels(&self, team: &Team, maker: Maker) {
        locked(&self.team_table.0).makers[team.slot()] = Some(maker);
        self.set_team(team.slot(), entry_of(team));
    }

    /// What makes the collectives of the team with this slot that kernels ask for, if there is such a team.
    pub(super) fn collectives_of_team(&self, slot: usize) -> Option<Maker> {
        locked(&self.team_table.0).makers.get(slot)?.clone()
    }

    /// Called when the team of this slot is destroyed: no kernel uses it any more.
    pub(crate) fn forget_team(&self, slot: usize) {
        locked(&self.team_table.0).makers[slot] = None;
        self.set_team(slot, TeamEntry::NONE);
    }

    fn set_team(&self, slot: usize, entry: TeamEntry) {
        let mut known = locked(&self.team_table.0);
        known.teams[slot] = entry;
        if let Some(tables) = known.tables {
            let words = team_words(&[entry]);
            let (to, from) = (entry_at(tables, slot), words.as_ptr().expose_provenance() as u64);
            // A copy fails if the GPU is lost. Then no kernel looks at the entry.
            // SAFETY: the tables have an entry for each slot, and the words live until the copy is complete.
            let _ = unsafe { self.transfers.copy_aside(to, from, size_of_val(words.as_slice())) };
        }
    }
}

fn entry_at(tables: u64, slot: usize) -> u64 {
    tables + (offset_of!(Tables, teams) + slot * size_of::<TeamEntry>()) as u64
}

/// The numbers of the team's PEs may not be evenly spaced, which kernels need.
fn entry_of(team: &Team) -> TeamEntry {
    let (start, stride) = team.pes().row().unwrap_or((0, 0));
    TeamEntry { start, stride, n_pes: team.n_pes(), my_pe: team.my_pe() }
}
