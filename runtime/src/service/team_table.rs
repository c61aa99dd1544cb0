//! Tells kernels about this PE's teams, in the device tables ([`cushmem_abi::TeamEntry`] says who writes and reads
//! them).
//!
//! Teams can exist before the GPUs start, and threads can create some while they do. So the entries are kept here, and
//! under one lock: whoever changes an entry also copies it, if there are tables, and whoever brings up the tables
//! copies what is here.
//!
//! The proxy looks up what makes a team's collectives while a kernel waits, and a copy to the GPU may wait for that
//! kernel. So the makers have a lock of their own, which nobody holds during a copy or another call of the driver. A
//! team's deputy is appointed before any kernel can ask for it: by the thread that makes the team, or by the one that
//! starts the GPUs. The former notes the maker before it looks for the tables, and the latter notes the tables before
//! it looks for makers, so at least one of them appoints it.

use super::Services;
use crate::Team;
use crate::error::{Cause, Error, Result};
use crate::memory::device_tables::team_words;
use crate::service::deputy::Maker;
use crate::sync::locked;
use cushmem_abi::{TEAM_SLOTS, Tables, TeamEntry};
use std::sync::{Arc, Mutex};

/// The teams of this PE, as kernels see them.
pub(super) struct TeamTable {
    known: Mutex<Known>,
    /// By slot: what makes the collectives that kernels ask the CPU for.
    makers: Mutex<Box<[Option<Maker>]>>,
}

struct Known {
    teams: Box<[TeamEntry]>,
    /// The device address of the tables, while there are any.
    tables: Option<u64>,
}

impl TeamTable {
    /// For so many slots.
    pub(super) fn new(slots: usize) -> Self {
        let known = Known { teams: vec![TeamEntry::NONE; slots].into(), tables: None };
        Self { known: Mutex::new(known), makers: Mutex::new((0..slots).map(|_| None).collect()) }
    }
}

impl Services {
    /// Notes that the tables are at this address, copies the teams there, and appoints their deputies.
    pub(super) fn begin_team_table(self: &Arc<Self>, operation: &'static str, tables: u64) -> Result<()> {
        {
            let mut known = locked(&self.team_table.known);
            let (first, more) = known.teams.split_at(TEAM_SLOTS);
            for (slot, teams) in [(0, first), (TEAM_SLOTS, more)].into_iter().filter(|(_, teams)| !teams.is_empty()) {
                let words = team_words(teams);
                let (to, from) = (self.entry_at(tables, slot), words.as_ptr().expose_provenance() as u64);
                // As later copies, so that these find the lane that they need.
                // SAFETY: the tables have an entry for each slot, and the words live until the copy is complete.
                unsafe { self.transfers.copy_aside(to, from, size_of_val(words.as_slice()))? };
            }
            known.tables = Some(tables);
        }
        let has_maker = |slot: &usize| self.collectives_of_team(*slot).is_some();
        (0..self.job().teams()).filter(has_maker).try_for_each(|slot| self.prepare_deputy(operation, slot))
    }

    /// Notes that the tables are given back.
    pub(crate) fn end_team_table(&self) {
        locked(&self.team_table.known).tables = None;
    }

    /// Lets kernels name a new team by its slot, and ask for its collectives.
    pub(crate) fn tell_kernels(self: &Arc<Self>, operation: &'static str, team: &Team, maker: Maker) -> Result<()> {
        let slot = team.slot();
        locked(&self.team_table.makers)[slot] = Some(maker);
        let told = self.set_team(slot, entry_of(team));
        let prepared =
            told.and_then(|are_tables| if are_tables { self.prepare_deputy(operation, slot) } else { Ok(()) });
        prepared.inspect_err(|_| self.forget_team(slot))
    }

    /// What makes the collectives of the team with this slot that kernels ask for, if there is such a team.
    pub(super) fn collectives_of_team(&self, slot: usize) -> Option<Maker> {
        locked(&self.team_table.makers).get(slot)?.clone()
    }

    /// Called when the team of this slot is destroyed: no kernel uses it any more, whether its entry could be cleared
    /// or not.
    pub(crate) fn forget_team(&self, slot: usize) {
        locked(&self.team_table.makers)[slot] = None;
        let _ = self.set_team(slot, TeamEntry::NONE);
    }

    fn entry_at(&self, tables: u64, slot: usize) -> u64 {
        tables + Tables::team(slot as u32, self.job().n_pes())
    }

    /// Returns whether there are tables.
    fn set_team(&self, slot: usize, entry: TeamEntry) -> Result<bool> {
        let mut known = locked(&self.team_table.known);
        known.teams[slot] = entry;
        let Some(tables) = known.tables else { return Ok(false) };
        let words = team_words(&[entry]);
        let (to, from) = (self.entry_at(tables, slot), words.as_ptr().expose_provenance() as u64);
        // SAFETY: the tables have an entry for each slot, and the words live until the copy is complete.
        let copied = unsafe { self.transfers.copy_aside(to, from, size_of_val(words.as_slice())) };
        match copied {
            // No kernel runs any more, so nobody looks at the entry or asks for a collective.
            Err(error) if is_lost(&error) => Ok(false),
            copied => copied.map(|()| true),
        }
    }
}

/// Whether a copy failed because the GPU is lost: the lane was there, and the driver did not refuse the copy.
pub(super) fn is_lost(error: &Error) -> bool {
    match error.cause() {
        Cause::Gpu(error) => !error.is_refusal(),
        cause => matches!(cause, Cause::Kernel { .. }),
    }
}

/// The numbers of the team's PEs may not be evenly spaced, which kernels need.
fn entry_of(team: &Team) -> TeamEntry {
    let (start, stride) = team.pes().row().unwrap_or((0, 0));
    TeamEntry { start, stride, n_pes: team.n_pes(), my_pe: team.my_pe() }
}
