//! Collectives on streams. Each member enqueues the same collectives on a stream of its own, in the same order, and no
//! CPU waits.

use super::reduction::{Arithmetic, Reducer, Reduction};
use super::typed::{finish, of_all, reducer_of};
use super::{BadArgument, Buffers, Collective, Participants, by_copies, by_kernel, locate};
use crate::api::raw::{AnyStream, RawStream};
use crate::api::sym::SymSlice;
use crate::error::{ArgumentError, Cause, Error, Result};
use crate::memory::At;
use crate::service::on_stream::Queue;
use crate::transfer::Transfers;
use crate::transfer::context::Context;
use crate::{Stream, Team, Word};
use std::sync::Arc;

/// # Collectives
///
/// A collective starts when everything before it on the stream has finished, and the stream then waits for the other
/// members. The arguments are those of the methods of [`Shmem`](crate::Shmem) with the same names. All members enqueue
/// the collectives of a team in the same order, and on one stream at a time: another stream, or the CPU, may start a
/// collective of the same team only when the stream has passed the earlier ones. Where the GPUs of all members reach
/// all members' heap memory, the collectives are kernels, which can be captured in CUDA graphs. Elsewhere a thread of
/// the library carries them out while the stream waits.
impl Stream<'_> {
    /// Enqueues a broadcast, like [`Shmem::broadcast`](crate::Shmem::broadcast) (`shmemx_broadcast_on_stream`).
    ///
    /// ```no_run
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let (result, settings) = (shmem.malloc_gpu::<u32>(2)?, shmem.malloc_gpu::<u32>(2)?);
    /// let stream = shmem.stream()?;
    /// // A kernel that fills the settings of PE 0 is launched here, and one that reads the results behind the broadcast.
    /// stream.broadcast(shmem.team_world(), result, settings, 0)?;
    /// stream.synchronize()?;
    /// # Ok(()) }) }
    /// ```
    pub fn broadcast<T: Word>(
        &self,
        team: &Team,
        dest: SymSlice<'_, T>,
        source: SymSlice<'_, T>,
        root: u32,
    ) -> Result<()> {
        let (operation, bytes) = ("broadcast", source.bytes());
        if root >= team.n_pes() {
            return Err(Error::new(operation, Cause::NoSuchMember { member: root, size: team.n_pes() }));
        }
        let collective = Collective::Broadcast { bytes, root, root_too: true };
        self.collective(operation, team, (dest, source), source.len(), collective)
    }

    /// Enqueues a concatenation, like [`Shmem::fcollect`](crate::Shmem::fcollect) (`shmemx_fcollect_on_stream`).
    pub fn fcollect<T: Word>(&self, team: &Team, dest: SymSlice<'_, T>, source: SymSlice<'_, T>) -> Result<()> {
        let collective = Collective::Fcollect { bytes: source.bytes() };
        self.collective("fcollect", team, (dest, source), of_all(source.len(), team), collective)
    }

    /// Enqueues an all-to-all exchange, like [`Shmem::alltoall`](crate::Shmem::alltoall) (`shmemx_alltoall_on_stream`).
    pub fn alltoall<T: Word>(&self, team: &Team, dest: SymSlice<'_, T>, source: SymSlice<'_, T>) -> Result<()> {
        let members = team.n_pes() as usize;
        if !source.len().is_multiple_of(members) {
            let cause = format!("{} elements cannot be divided evenly among {members} PEs", source.len());
            return Err(Error::new("alltoall", Cause::Mismatch(cause)));
        }
        let collective = Collective::Alltoall { bytes: source.bytes() / members };
        self.collective("alltoall", team, (dest, source), source.len(), collective)
    }

    /// Enqueues a reduction, like [`Shmem::reduce`](crate::Shmem::reduce) (`shmemx_TYPE_OP_reduce_on_stream`). All
    /// members get bitwise the same result.
    ///
    /// ```no_run
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// use cushmem::Reduction;
    ///
    /// let gradient = shmem.malloc_gpu::<f32>(1 << 20)?;
    /// let stream = shmem.stream()?;
    /// // A kernel that computes this PE's part is launched here.
    /// stream.reduce(shmem.team_world(), Reduction::Sum, gradient, gradient)?;
    /// stream.synchronize()?;
    /// # Ok(()) }) }
    /// ```
    pub fn reduce<T: Arithmetic>(
        &self,
        team: &Team,
        reduction: Reduction,
        dest: SymSlice<'_, T>,
        source: SymSlice<'_, T>,
    ) -> Result<()> {
        let (elements, reducer) = (source.len(), reducer_of::<T>("reduce", reduction)?);
        self.collective("reduce", team, (dest, source), elements, Collective::Reduce { elements, reducer })
    }

    /// Enqueues a reduce-scatter, like [`Shmem::reducescatter`](crate::Shmem::reducescatter)
    /// (`shmemx_TYPE_OP_reducescatter_on_stream`).
    pub fn reducescatter<T: Arithmetic>(
        &self,
        team: &Team,
        reduction: Reduction,
        dest: SymSlice<'_, T>,
        source: SymSlice<'_, T>,
    ) -> Result<()> {
        let reducer: Reducer = reducer_of::<T>("reducescatter", reduction)?;
        let elements = dest.len();
        if source.len() != of_all(elements, team) {
            let text = format!("source has {} elements instead of {}", source.len(), of_all(elements, team));
            return Err(Error::new("reducescatter", Cause::Mismatch(text)));
        }
        let collective = Collective::ReduceScatter { elements, reducer };
        self.collective("reducescatter", team, (dest, source), elements, collective)
    }

    fn collective<T: Word>(
        &self,
        operation: &'static str,
        team: &Team,
        (dest, source): (SymSlice<'_, T>, SymSlice<'_, T>),
        needed: usize,
        collective: Collective,
    ) -> Result<()> {
        let shmem = self.shmem();
        let buffers = shmem.ends(operation, dest, source, needed)?;
        let bytes = (dest.bytes(), source.bytes());
        // SAFETY: the stream's handle is valid, and the objects are symmetric memory, which lives as long as the job.
        let done = unsafe { shmem.raw().on_stream(AnyStream::Ours(self)) }
            .enqueue_collective(operation, team, buffers, bytes, collective);
        finish(operation, done)
    }
}

/// # Collectives on streams
///
/// These work like the methods of [`Stream`] with the same names. The stream must pass them before the team is
/// destroyed or the memory is freed.
impl RawStream<'_> {
    /// Enqueues a broadcast, like [`Raw::broadcast`](crate::api::raw::Raw::broadcast).
    ///
    /// # Safety
    /// The stream passes it before the team is destroyed or the memory is freed.
    pub unsafe fn broadcast(
        self,
        team: &Team,
        buffers: Buffers,
        bytes: usize,
        root: u32,
    ) -> std::result::Result<(), BadArgument> {
        if root >= team.n_pes() {
            let error = ArgumentError::Pe { pe: root, n_pes: team.n_pes() };
            return Err(BadArgument { argument: "PE_root", value: root as usize, error });
        }
        let collective = Collective::Broadcast { bytes, root, root_too: true };
        self.enqueue_collective("broadcast", team, buffers, (bytes, bytes), collective)
    }

    /// Enqueues a concatenation, like [`Raw::fcollect`](crate::api::raw::Raw::fcollect).
    ///
    /// # Safety
    /// The stream passes it before the team is destroyed or the memory is freed.
    pub unsafe fn fcollect(self, team: &Team, buffers: Buffers, bytes: usize) -> std::result::Result<(), BadArgument> {
        let (all, collective) = (of_all(bytes, team), Collective::Fcollect { bytes });
        self.enqueue_collective("fcollect", team, buffers, (all, bytes), collective)
    }

    /// Enqueues an all-to-all exchange, like [`Raw::alltoall`](crate::api::raw::Raw::alltoall).
    ///
    /// # Safety
    /// The stream passes it before the team is destroyed or the memory is freed.
    pub unsafe fn alltoall(self, team: &Team, buffers: Buffers, bytes: usize) -> std::result::Result<(), BadArgument> {
        let (all, collective) = (of_all(bytes, team), Collective::Alltoall { bytes });
        self.enqueue_collective("alltoall", team, buffers, (all, all), collective)
    }

    /// Enqueues a reduction, like [`Raw::reduce`](crate::api::raw::Raw::reduce). Fails with a reducer that the
    /// program defined.
    ///
    /// # Safety
    /// The stream passes it before the team is destroyed or the memory is freed.
    pub unsafe fn reduce(
        self,
        team: &Team,
        buffers: Buffers,
        elements: usize,
        reducer: Reducer,
    ) -> std::result::Result<(), BadArgument> {
        let (bytes, collective) = (elements.saturating_mul(reducer.element), Collective::Reduce { elements, reducer });
        self.enqueue_collective("reduce", team, buffers, (bytes, bytes), collective)
    }

    /// Enqueues a reduce-scatter, like [`Raw::reducescatter`](crate::api::raw::Raw::reducescatter). Fails with a
    /// reducer that the program defined.
    ///
    /// # Safety
    /// The stream passes it before the team is destroyed or the memory is freed.
    pub unsafe fn reducescatter(
        self,
        team: &Team,
        buffers: Buffers,
        elements: usize,
        reducer: Reducer,
    ) -> std::result::Result<(), BadArgument> {
        let bytes = elements.saturating_mul(reducer.element);
        let (all, collective) = (of_all(bytes, team), Collective::ReduceScatter { elements, reducer });
        self.enqueue_collective("reducescatter", team, buffers, (bytes, all), collective)
    }

    fn enqueue_collective(
        self,
        operation: &'static str,
        team: &Team,
        buffers: Buffers,
        (dest_bytes, source_bytes): (usize, usize),
        collective: Collective,
    ) -> std::result::Result<(), BadArgument> {
        if dest_bytes == 0 {
            return Ok(());
        }
        let find =
            |argument, address: usize, bytes| locate(self.shmem().transfers(), team.pes(), argument, address, bytes);
        let source = find("source", buffers.source.addr(), source_bytes)?;
        let dest = find("dest", buffers.dest.addr(), dest_bytes)?;
        self.enqueue_found(operation, team, (dest, source), collective)
    }

    /// Enqueues a collective on objects that were found.
    pub(super) fn enqueue_found(
        self,
        operation: &'static str,
        team: &Team,
        (dest, source): (At, At),
        collective: Collective,
    ) -> std::result::Result<(), BadArgument> {
        let (shmem, who) = (self.shmem(), Participants::Team(team));
        let enqueue = |queue: &Queue<'_>| {
            let member = by_kernel::Member::find(shmem, operation, who, source, dest);
            if let Some(enqueued) = member.and_then(|member| member.enqueue(collective, queue)) {
                return Ok(enqueued?);
            }
            let deputies = team.of_deputies().team(shmem.job()).clone();
            let work = move |transfers: &Transfers, context: &Context| {
                let who = Participants::Team(&deputies);
                let member = by_copies::Member { transfers, context, operation, who, source, dest };
                member.run_or_end(collective);
            };
            Ok(shmem.services().hand_to_deputy(operation, queue, team.slot(), Arc::new(work))?)
        };
        self.enqueue(operation, enqueue)
    }
}

impl From<Error> for BadArgument {
    fn from(error: Error) -> Self {
        ArgumentError::from(error).into()
    }
}

impl From<ArgumentError> for BadArgument {
    fn from(error: ArgumentError) -> Self {
        Self { argument: "stream", value: 0, error }
    }
}
