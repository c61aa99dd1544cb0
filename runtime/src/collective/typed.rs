//! Collectives on symmetric objects (OpenSHMEM 1.6, section 9.11). All members of the team call them, with the same arguments but
//! where said otherwise, and the elements of `dest` are ready to be written on all before any of them calls. Host memory only.

use crate::fold::{Arithmetic, Reduction};
use crate::raw::{BadArgument, Buffers, Who};
use crate::sym::{Kind, SymSlice};
use crate::{Error, Misuse, Result, Shmem, Team};
use cushmem_device::Word;

impl Shmem {
    /// Returns when all members have called it; their stores are visible, their non-blocking operations not necessarily complete
    /// (`shmem_team_sync`, 9.11.3).
    #[inline]
    pub fn team_sync(&self, team: &Team) -> Result<()> {
        finish("team_sync", self.raw().sync(Who::Team(team)))
    }

    /// Copies `source` of the member `root` to `dest` of all (`shmem_broadcast`, 9.11.6).
    pub fn broadcast<T: Word>(
        &self,
        team: &Team,
        dest: SymSlice<'_, T>,
        source: SymSlice<'_, T>,
        root: u32,
    ) -> Result<()> {
        let buffers = self.ends("broadcast", dest, source, source.len())?;
        finish("broadcast", self.raw().broadcast(Who::Team(team), buffers, source.bytes(), root, true))
    }

    /// Copies `source` of each member to `dest` of all, in the members' order (`shmem_fcollect`, 9.11.7).
    pub fn fcollect<T: Word>(&self, team: &Team, dest: SymSlice<'_, T>, source: SymSlice<'_, T>) -> Result<()> {
        let buffers = self.ends("fcollect", dest, source, of_all(source.len(), team))?;
        finish("fcollect", self.raw().fcollect(Who::Team(team), buffers, source.bytes()))
    }

    /// As [`Shmem::fcollect`], where each member's `source` may have another length (`shmem_collect`, 9.11.7). It fails on all if `dest`,
    /// which has the same length on all, is not long enough.
    pub fn collect<T: Word>(&self, team: &Team, dest: SymSlice<'_, T>, source: SymSlice<'_, T>) -> Result<()> {
        let buffers = self.ends("collect", dest, source, dest.len())?;
        finish("collect", self.raw().collect(Who::Team(team), buffers, source.bytes(), dest.bytes()))
    }

    /// Block `j` of this member's `source` becomes block `i` of member `j`'s `dest`, where `i` is this member
    /// (`shmem_alltoall`, 9.11.4). Both have as many blocks as the team has members.
    pub fn alltoall<T: Word>(&self, team: &Team, dest: SymSlice<'_, T>, source: SymSlice<'_, T>) -> Result<()> {
        let buffers = self.ends("alltoall", dest, source, source.len())?;
        let members = team.n_pes() as usize;
        if !source.len().is_multiple_of(members) {
            let cause = format!("{} elements are no whole blocks for {members} PEs", source.len());
            return Err(Error::new("alltoall", cause));
        }
        finish("alltoall", self.raw().alltoall(Who::Team(team), buffers, source.bytes() / members))
    }

    /// Combines each element of `source` of all members; all get the result in `dest`, which may be `source`
    /// (`shmem_sum_reduce` and others, 9.11.8). Fails for bitwise operations on numbers that are not integers.
    pub fn reduce<T: Arithmetic>(
        &self,
        team: &Team,
        reduction: Reduction,
        dest: SymSlice<'_, T>,
        source: SymSlice<'_, T>,
    ) -> Result<()> {
        let buffers = self.ends("reduce", dest, source, source.len())?;
        let fold = <T as Arithmetic>::fold(reduction)
            .ok_or_else(|| Error::new("reduce", format!("{reduction:?} is for integers")))?;
        finish("reduce", self.raw().reduce(Who::Team(team), buffers, source.len(), fold))
    }

    /// Each member gets the sums of the elements of the members up to itself (`shmem_sum_inscan`, 9.11.9). `dest` may be `source`.
    pub fn inscan<T: Arithmetic>(&self, team: &Team, dest: SymSlice<'_, T>, source: SymSlice<'_, T>) -> Result<()> {
        self.scan("inscan", team, dest, source, true)
    }

    /// Each member gets the sums of the elements of the members before itself, the first zeros (`shmem_sum_exscan`, 9.11.9). `dest` may
    /// be `source`.
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
        let sum = <T as Arithmetic>::fold(Reduction::Sum).ok_or_else(|| Error::new(operation, "no sum"))?;
        finish(operation, self.raw().scan(Who::Team(team), buffers, source.len(), sum, inclusive))
    }

    /// The addresses of both ends; fails unless `dest` has `needed` elements.
    fn ends<T: Word>(
        &self,
        operation: &'static str,
        dest: SymSlice<'_, T>,
        source: SymSlice<'_, T>,
        needed: usize,
    ) -> Result<Buffers> {
        if !dest.belongs_to(self) || !source.belongs_to(self) {
            return Err(Error::new(operation, "the symmetric object belongs to another job handle"));
        }
        if dest.len() != needed {
            return Err(Error::new(operation, format!("dest has {} elements instead of {needed}", dest.len())));
        }
        for (name, kind) in [("dest", dest.kind()), ("source", source.kind())] {
            if kind == Kind::Gpu {
                return Err(Error::new(operation, format!("{name} {}", Misuse::GpuRange)));
            }
        }
        let here = self.my_pe();
        Ok(Buffers { dest: dest.host_ptr(here).cast(), source: source.host_ptr(here).cast() })
    }
}

fn of_all(len: usize, team: &Team) -> usize {
    len.saturating_mul(team.n_pes() as usize)
}

fn finish(operation: &'static str, done: std::result::Result<(), BadArgument>) -> Result<()> {
    done.map_err(|BadArgument { argument, value, misuse }| match argument {
        "PE_root" => Error::new(operation, format!("PE {value} {misuse} of the team")),
        _ => Error::new(operation, format!("{argument} {misuse}")),
    })
}
