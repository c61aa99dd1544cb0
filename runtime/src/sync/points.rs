//! Synchronisation of a team's members, whether they are on one node or on several.

use super::Sync;
use super::level::LevelPoint;
use super::team::Team;
use cushmem_collective::{gather_words, levels, sync};

impl Sync {
    /// This PE as a member of a team on several nodes.
    pub(crate) fn level_point<'a>(&'a self, operation: &'static str, team: &'a Team) -> LevelPoint<'a> {
        LevelPoint::new(self, operation, team, team.nodes().expect("the team has members on several nodes"))
    }

    /// Returns when all members have called it.
    #[inline(always)]
    pub(crate) fn sync_team(&self, operation: &'static str, team: &Team) {
        match team.nodes() {
            None => sync(&mut self.point(operation, team)),
            Some(nodes) => levels::sync(&mut LevelPoint::new(self, operation, team, nodes)),
        }
    }

    /// Gives all members `N` numbers of each member, and combines them in the order of the members.
    pub(crate) fn gather<const N: usize>(
        &self,
        operation: &'static str,
        team: &Team,
        mine: [u64; N],
        combine: impl FnMut(u32, [u64; N]),
    ) {
        match team.nodes() {
            None => gather_words(&mut self.point(operation, team), mine, combine),
            Some(nodes) => levels::gather_words(&mut LevelPoint::new(self, operation, team, nodes), mine, combine),
        }
    }

    /// The sum of `mine` over the members before this one, and over all members.
    pub(crate) fn sums(&self, operation: &'static str, team: &Team, mine: usize) -> (usize, usize) {
        let (mut before, mut all) = (0, 0usize);
        self.gather(operation, team, [mine as u64], |member, [theirs]| {
            if member == team.my_pe() {
                before = all;
            }
            all = all.saturating_add(theirs as usize);
        });
        (before, all)
    }
}
