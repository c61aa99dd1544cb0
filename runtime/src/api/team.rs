//! Teams (OpenSHMEM 1.6, section 9.4).

use crate::error::Result;
use crate::{Shmem, Team};

/// # Teams
impl Shmem {
    /// The team of all PEs (`SHMEM_TEAM_WORLD`).
    /// [`Team`] has an example.
    #[inline(always)]
    pub fn team_world(&self) -> &Team {
        self.sync().teams().world()
    }

    /// The team of the PEs whose host memory is mapped (`SHMEM_TEAM_SHARED`): those of this machine.
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

    /// The team of `size` PEs of `parent`, from its PE `start` on, each `stride` after the one before
    /// (`shmem_team_split_strided`, 9.4). Collective over `parent`, with the same arguments; `None` on PEs that are not
    /// in the new team. A stride may be negative.
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
        self.sync().team_split_strided(parent, start, stride, size)
    }

    /// Two teams for a grid with rows of `xrange` PEs of `parent` (`shmem_team_split_2d`, 9.4): this PE's row and its
    /// column. The last row may be shorter. Collective over `parent`.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let (row, column) = shmem.team_split_2d(shmem.team_world(), 4)?;
    /// assert_eq!(row.my_pe(), shmem.my_pe() % 4);
    /// assert_eq!(column.my_pe(), shmem.my_pe() / 4);
    /// # Ok(()) }) }
    /// ```
    pub fn team_split_2d(&self, parent: &Team, xrange: i32) -> Result<(Team, Team)> {
        self.sync().team_split_2d(parent, xrange)
    }

    /// Gives a team back (`shmem_team_destroy`, 9.4). Collective over it. A team that is dropped instead keeps its
    /// place among the [`Team::MOST`]. [`Shmem::team_split_strided`] has an example.
    pub fn team_destroy(&self, team: Team) {
        self.sync().team_destroy(team, |slot| self.transfers().clear_collectives(slot));
    }
}
