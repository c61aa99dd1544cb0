//! Collectives on symmetric objects (OpenSHMEM 1.6, section 9.10).

use super::reduction::{Arithmetic, Reducer, Reduction};
use super::{BadArgument, Buffers, Participants};
use crate::api::sym::SymSlice;
use crate::error::{ArgumentError, Cause, Error, Result};
use crate::{Shmem, Team, Word};

/// # Collectives
///
/// All members of the team call these methods, with the same arguments unless stated otherwise. Before any member
/// calls, `dest` must be ready to be overwritten on all of them. `dest` and `source` may lie in host or GPU memory.
impl Shmem {
    /// Waits until all members have called it (`shmem_team_sync`, 9.10). Their stores are then visible, but their
    /// non-blocking operations are not necessarily complete.
    /// [`Shmem::team_split_strided`] has an example.
    #[inline]
    pub fn team_sync(&self, team: &Team) -> Result<()> {
        finish("team_sync", self.raw().sync(Participants::Team(team)))
    }

    /// Copies `source` of member `root` to `dest` of all members (`shmem_broadcast`, 9.10).
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let (result, settings) = (shmem.malloc::<u32>(2)?, shmem.malloc::<u32>(2)?);
    /// if shmem.my_pe() == 0 {
    ///     settings.copy_from(&[640, 480])?;
    /// }
    /// shmem.broadcast(shmem.team_world(), result, settings, 0)?;
    /// assert_eq!(result.to_vec()?, [640, 480]);
    /// # Ok(()) }) }
    /// ```
    pub fn broadcast<T: Word>(
        &self,
        team: &Team,
        dest: SymSlice<'_, T>,
        source: SymSlice<'_, T>,
        root: u32,
    ) -> Result<()> {
        let buffers = self.ends("broadcast", dest, source, source.len())?;
        finish("broadcast", self.raw().broadcast(Participants::Team(team), buffers, source.bytes(), root, true))
    }

    /// Concatenates `source` of all members, in their order, in `dest` of each member (`shmem_fcollect`, 9.10).
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let (all, mine) = (shmem.malloc::<u32>(shmem.n_pes() as usize)?, shmem.malloc::<u32>(1)?);
    /// mine.copy_from(&[shmem.my_pe()])?;
    /// shmem.fcollect(shmem.team_world(), all, mine)?;
    /// assert!(all.to_vec()?.into_iter().eq(0..shmem.n_pes()));
    /// # Ok(()) }) }
    /// ```
    pub fn fcollect<T: Word>(&self, team: &Team, dest: SymSlice<'_, T>, source: SymSlice<'_, T>) -> Result<()> {
        let buffers = self.ends("fcollect", dest, source, of_all(source.len(), team))?;
        finish("fcollect", self.raw().fcollect(Participants::Team(team), buffers, source.bytes()))
    }

    /// Concatenates like [`Shmem::fcollect`], but each member's `source` may have a different length (`shmem_collect`,
    /// 9.10). `dest` has the same length on all members; if it is too short, the call fails on all of them.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// // PE 0 gives one number, PE 1 two, and so on.
    /// let (me, n) = (shmem.my_pe() as usize, shmem.n_pes() as usize);
    /// let (all, mine) = (shmem.malloc::<u32>(n * (n + 1) / 2)?, shmem.malloc::<u32>(n)?);
    /// shmem.collect(shmem.team_world(), all, mine.slice(..=me))?;
    /// # Ok(()) }) }
    /// ```
    pub fn collect<T: Word>(&self, team: &Team, dest: SymSlice<'_, T>, source: SymSlice<'_, T>) -> Result<()> {
        let buffers = self.ends("collect", dest, source, dest.len())?;
        finish("collect", self.raw().collect(Participants::Team(team), buffers, source.bytes(), dest.bytes()))
    }

    /// Copies block `j` of this member's `source` to block `i` of member `j`'s `dest`, where `i` is this member's
    /// number (`shmem_alltoall`, 9.10). Both have as many blocks as the team has members.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let n = shmem.n_pes() as usize;
    /// let (to_me, from_me) = (shmem.malloc::<u32>(n)?, shmem.malloc::<u32>(n)?);
    /// from_me.copy_from(&vec![shmem.my_pe(); n])?;
    /// shmem.alltoall(shmem.team_world(), to_me, from_me)?;
    /// assert!(to_me.to_vec()?.into_iter().eq(0..shmem.n_pes()));
    /// # Ok(()) }) }
    /// ```
    pub fn alltoall<T: Word>(&self, team: &Team, dest: SymSlice<'_, T>, source: SymSlice<'_, T>) -> Result<()> {
        let buffers = self.ends("alltoall", dest, source, source.len())?;
        let members = team.n_pes() as usize;
        if !source.len().is_multiple_of(members) {
            let cause = format!("{} elements cannot be divided evenly among {members} PEs", source.len());
            return Err(Error::new("alltoall", Cause::Mismatch(cause)));
        }
        finish("alltoall", self.raw().alltoall(Participants::Team(team), buffers, source.bytes() / members))
    }

    /// Combines corresponding elements of `source` of all members, and stores the result in `dest` of each member
    /// (`shmem_sum_reduce` and others, 9.10). `dest` may be `source`. Fails for bitwise reductions of types that are
    /// not integers.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// use cushmem::Reduction;
    ///
    /// let ones = shmem.malloc::<f64>(3)?;
    /// ones.copy_from(&[1.0; 3])?;
    /// let sums = shmem.malloc::<f64>(3)?;
    /// shmem.reduce(shmem.team_world(), Reduction::Sum, sums, ones)?;
    /// assert_eq!(sums.to_vec()?, [f64::from(shmem.n_pes()); 3]);
    /// # Ok(()) }) }
    /// ```
    pub fn reduce<T: Arithmetic>(
        &self,
        team: &Team,
        reduction: Reduction,
        dest: SymSlice<'_, T>,
        source: SymSlice<'_, T>,
    ) -> Result<()> {
        let buffers = self.ends("reduce", dest, source, source.len())?;
        let reducer = reducer_of::<T>("reduce", reduction)?;
        finish("reduce", self.raw().reduce(Participants::Team(team), buffers, source.len(), reducer))
    }

    /// Combines corresponding elements of `source` of all members, and stores one block of the result in each member's
    /// `dest`: the block with the member's number. `source` has a block as long as `dest` for each member, in their
    /// order. `dest` may be this member's own block of `source`.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// use cushmem::Reduction;
    ///
    /// let (block, all) = (shmem.malloc::<u64>(2)?, shmem.malloc::<u64>(2 * shmem.n_pes() as usize)?);
    /// all.copy_from(&vec![1; all.len()])?;
    /// shmem.reducescatter(shmem.team_world(), Reduction::Sum, block, all)?;
    /// assert_eq!(block.to_vec()?, [u64::from(shmem.n_pes()); 2]);
    /// # Ok(()) }) }
    /// ```
    pub fn reducescatter<T: Arithmetic>(
        &self,
        team: &Team,
        reduction: Reduction,
        dest: SymSlice<'_, T>,
        source: SymSlice<'_, T>,
    ) -> Result<()> {
        let reducer = reducer_of::<T>("reducescatter", reduction)?;
        if source.len() != of_all(dest.len(), team) {
            let text = format!("source has {} elements instead of {}", source.len(), of_all(dest.len(), team));
            return Err(Error::new("reducescatter", Cause::Mismatch(text)));
        }
        let buffers = self.ends("reducescatter", dest, source, dest.len())?;
        finish("reducescatter", self.raw().reducescatter(Participants::Team(team), buffers, dest.len(), reducer))
    }

    /// Stores in `dest` the sums of corresponding elements of `source` of all members up to and including this one
    /// (`shmem_sum_inscan`, 9.10). `dest` may be `source`.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let (up_to_me, ones) = (shmem.malloc::<u64>(1)?, shmem.malloc::<u64>(1)?);
    /// ones.copy_from(&[1])?;
    /// shmem.inscan(shmem.team_world(), up_to_me, ones)?;
    /// assert_eq!(up_to_me.to_vec()?, [u64::from(shmem.my_pe()) + 1]);
    /// # Ok(()) }) }
    /// ```
    pub fn inscan<T: Arithmetic>(&self, team: &Team, dest: SymSlice<'_, T>, source: SymSlice<'_, T>) -> Result<()> {
        self.scan("inscan", team, dest, source, true)
    }

    /// Stores in `dest` the sums of corresponding elements of `source` of all members before this one, which are zeros
    /// on the first member (`shmem_sum_exscan`, 9.10). `dest` may be `source`.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// // Where this PE's part begins in the whole, if its part has ten elements.
    /// let (start, length) = (shmem.malloc::<u64>(1)?, shmem.malloc::<u64>(1)?);
    /// length.copy_from(&[10])?;
    /// shmem.exscan(shmem.team_world(), start, length)?;
    /// assert_eq!(start.to_vec()?, [10 * u64::from(shmem.my_pe())]);
    /// # Ok(()) }) }
    /// ```
    pub fn exscan<T: Arithmetic>(&self, team: &Team, dest: SymSlice<'_, T>, source: SymSlice<'_, T>) -> Result<()> {
        self.scan("exscan", team, dest, source, false)
    }

    fn scan<T: Arithmetic>(
        &self,
        operation: &'static str,
        team: &Team,
        dest: SymSlice<'_, T>,
        source: SymSlice<'_, T>,
        inclusive: bool,
    ) -> Result<()> {
        let buffers = self.ends(operation, dest, source, source.len())?;
        let sum = reducer_of::<T>(operation, Reduction::Sum)?;
        finish(operation, self.raw().scan(Participants::Team(team), buffers, source.len(), sum, inclusive))
    }

    /// The addresses of both ends; fails unless `dest` has `needed` elements.
    pub(super) fn ends<T: Word>(
        &self,
        operation: &'static str,
        dest: SymSlice<'_, T>,
        source: SymSlice<'_, T>,
        needed: usize,
    ) -> Result<Buffers> {
        if !dest.belongs_to(self) || !source.belongs_to(self) {
            return Err(Error::new(operation, Cause::ForeignObject));
        }
        if dest.len() != needed {
            let text = format!("dest has {} elements instead of {needed}", dest.len());
            return Err(Error::new(operation, Cause::Mismatch(text)));
        }
        let here = |object: SymSlice<'_, T>| match object.is_gpu() {
            false => self.memory().host().own(object.offset()),
            true => std::ptr::with_exposed_provenance_mut(self.memory().own(object.at_symmetric()) as usize),
        };
        Ok(Buffers { dest: here(dest), source: here(source) })
    }
}

/// How elements are combined.
pub(super) fn reducer_of<T: Arithmetic>(operation: &'static str, reduction: Reduction) -> Result<Reducer> {
    let reducer = <T as Arithmetic>::reducer(reduction);
    reducer.ok_or_else(|| Error::new(operation, Cause::Mismatch(format!("{reduction:?} is for integers"))))
}

pub(super) fn of_all(len: usize, team: &Team) -> usize {
    len.saturating_mul(team.n_pes() as usize)
}

pub(super) fn finish(operation: &'static str, done: std::result::Result<(), BadArgument>) -> Result<()> {
    done.map_err(|BadArgument { argument, error, .. }| match argument {
        "PE_root" => match error {
            ArgumentError::Pe { pe: member, n_pes: size } => {
                Error::new(operation, Cause::NoSuchMember { member, size })
            }
            error => Error::argument(operation, argument, error),
        },
        _ => Error::argument(operation, argument, error),
    })
}
