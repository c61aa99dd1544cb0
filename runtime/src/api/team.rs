//! Teams (OpenSHMEM 1.6, section 9.4).

use crate::api::collective::for_kernels;
use crate::error::{Cause, Error, Result};
use crate::{Shmem, Team};

/// # Teams
impl Shmem {
    /// Returns the team of all PEs (`SHMEM_TEAM_WORLD`).
    /// [`Team`] has an example.
    #[inline(always)]
    pub fn team_world(&self) -> &Team {
        self.sync().teams().world()
    }

    /// Returns the team of the PEs whose host memory is mapped here, which are those on this node
    /// (`SHMEM_TEAM_SHARED`).
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// if shmem.team_shared().my_pe() == 0 {
    ///     println!("this line comes once from each machine");
    /// }
    /// # Ok(()) }) }
    /// ```
    #[inline(always)]
    pub fn team_shared(&self) -> &Team {
        self.sync().teams().shared()
    }

    /// Creates a team of `size` PEs of `parent`, starting with its PE `start` and then every `stride`th one
    /// (`shmem_team_split_strided`, 9.4). `stride` may be negative. Collective over `parent`, with the same arguments
    /// on all its members. Returns `None` on PEs that are not in the new team.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// // The PEs with even numbers.
    /// let half = shmem.n_pes().div_ceil(2) as i32;
    /// if let Some(even) = shmem.team_split_strided(shmem.team_world(), 0, 2, half)? {
    ///     assert_eq!(even.my_pe(), shmem.my_pe() / 2);
    ///     shmem.team_sync(&even)?;
    ///     shmem.team_destroy(even);
    /// }
    /// # Ok(()) }) }
    /// ```
    pub fn team_split_strided(&self, parent: &Team, start: i32, stride: i32, size: i32) -> Result<Option<Team>> {
        let team = self.sync().team_split_strided(parent, start, stride, size)?;
        let [team] = self.tell_all_kernels("team_split_strided", parent, [team])?;
        Ok(team)
    }

    /// Arranges the PEs of `parent` in a grid with rows of `xrange` PEs, and returns two teams: this PE's row and its
    /// column (`shmem_team_split_2d`, 9.4). The last row may be shorter. Collective over `parent`.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let (row, column) = shmem.team_split_2d(shmem.team_world(), 4)?;
    /// assert_eq!(row.my_pe(), shmem.my_pe() % 4);
    /// assert_eq!(column.my_pe(), shmem.my_pe() / 4);
    /// # Ok(()) }) }
    /// ```
    pub fn team_split_2d(&self, parent: &Team, xrange: i32) -> Result<(Team, Team)> {
        let (row, column) = self.sync().team_split_2d(parent, xrange)?;
        match self.tell_all_kernels("team_split_2d", parent, [Some(row), Some(column)])? {
            [Some(row), Some(column)] => Ok((row, column)),
            _ => unreachable!("the teams that are passed come back"),
        }
    }

    /// Creates the team of the PEs that have this PE's place on their nodes. Collective over all PEs.
    pub(crate) fn team_across_nodes(&self) -> Result<Option<Team>> {
        let operation = "the team across nodes";
        let teams = self.sync().team_across_nodes(operation)?;
        let [team] = self.tell_all_kernels(operation, self.team_world(), teams)?;
        Ok(team)
    }

    /// Collective over the parent. Tells kernels about new teams. If that fails on any PE, no PE keeps its teams.
    fn tell_all_kernels<const N: usize>(
        &self,
        operation: &'static str,
        parent: &Team,
        teams: [Option<Team>; N],
    ) -> Result<[Option<Team>; N]> {
        let told = teams.iter().flatten().try_for_each(|team| self.tell_kernels(operation, team));
        let Some(pe) = self.sync().first_to_fail(operation, parent, told.is_err()) else { return Ok(teams) };
        for team in teams.into_iter().flatten() {
            self.services().forget_team(team.slot());
            self.sync().give_back(&team);
        }
        told?;
        let why = "its kernels could not be told of the team".to_owned();
        Err(Error::new(operation, Cause::OnPe { pe, why }))
    }

    /// Tells kernels about a new team, or about one that there was before the GPUs started.
    pub(crate) fn tell_kernels(&self, operation: &'static str, team: &Team) -> Result<()> {
        self.services().tell_kernels(operation, team, for_kernels::maker(team))
    }

    /// Destroys a team (`shmem_team_destroy`, 9.4). Collective over the team. A team that is merely dropped still
    /// counts towards [`Team::MOST`].
    /// [`Shmem::team_split_strided`] has an example.
    pub fn team_destroy(&self, team: Team) {
        self.sync().team_destroy(team, |slot| {
            self.services().forget_team(slot);
            self.services().clear_collectives(slot);
        });
    }
}
