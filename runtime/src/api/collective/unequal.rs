//! The exchange in which each member sends as many rows as it likes to each other one.

use super::agree::NONE;
use super::by_copies::{Member, shifted};
use super::typed::{finish, of_all};
use super::{BadArgument, Buffers, Collective, Participants, Raw, locate};
use crate::api::raw::{AnyStream, RawStream, Splits};
use crate::api::sym::SymSlice;
use crate::error::{ArgumentError, Cause, Error, Result};
use crate::job::record::Timed;
use crate::memory::At;
use crate::transfer::{Local, Operation, Shape};
use crate::{Shmem, Stream, Team, Word};
use cushmem_collective::Group;
use cushmem_record::Operation as Recorded;

/// What a member passes, besides source and dest.
#[derive(Clone, Copy)]
pub(super) struct Unequal {
    /// The splits of dest and source.
    pub(super) splits: (At, At),
    /// The rows for which the dest has room.
    pub(super) room: usize,
    /// The rows of the source, as far as they are known.
    pub(super) given: usize,
    /// The bytes of a row.
    pub(super) row: usize,
}

/// # Exchanges of unequal size
///
/// OpenSHMEM 1.6 has no such routine.
impl Shmem {
    /// Copies rows of `width` elements from `source` to `dest` of the members of the team: to each as many as this
    /// member wants (`shmemx_alltoallmemv`).
    ///
    /// `source_splits` has two numbers for each member, in their order: how many rows it gets from this one, and then,
    /// for all members, where these start in `source`, in rows. `dest_splits` is as long and is written: how many rows
    /// each member has sent, and then where they start in `dest`, in which they follow each other in the members'
    /// order. All four may lie in host or GPU memory. If the rows for any member do not fit into its `dest`, the call
    /// fails on all members.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// // Each PE sends a row of two numbers to PE 0, two rows to PE 1, and so on.
    /// let (me, n) = (shmem.my_pe() as usize, shmem.n_pes() as usize);
    /// let counts = (0..n as u64).map(|pe| pe + 1);
    /// let starts = (0..n as u64).map(|pe| pe * (pe + 1) / 2);
    /// let (sent, received) = (shmem.malloc::<u64>(2 * n)?, shmem.malloc::<u64>(2 * n)?);
    /// sent.copy_from(&counts.chain(starts).collect::<Vec<_>>())?;
    /// let source = shmem.malloc::<f32>(n * (n + 1))?;
    /// let dest = shmem.malloc::<f32>(2 * n * n)?;
    /// source.copy_from(&vec![me as f32; source.len()])?;
    /// shmem.alltoallv(shmem.team_world(), (dest, source), (received, sent), 2)?;
    /// assert_eq!(received.to_vec()?[..n], vec![me as u64 + 1; n]);
    /// # Ok(()) }) }
    /// ```
    pub fn alltoallv<T: Word>(
        &self,
        team: &Team,
        (dest, source): (SymSlice<'_, T>, SymSlice<'_, T>),
        splits: (SymSlice<'_, u64>, SymSlice<'_, u64>),
        width: usize,
    ) -> Result<()> {
        let (buffers, splits) = self.unequal(team, (dest, source), splits, width)?;
        finish(OPERATION, self.raw().alltoallv(team, buffers, splits))
    }

    fn unequal<T: Word>(
        &self,
        team: &Team,
        (dest, source): (SymSlice<'_, T>, SymSlice<'_, T>),
        (dest_splits, source_splits): (SymSlice<'_, u64>, SymSlice<'_, u64>),
        width: usize,
    ) -> Result<(Buffers, Splits)> {
        let row = width.saturating_mul(size_of::<T>());
        let rows = |object: SymSlice<'_, T>| object.len().checked_div(width).unwrap_or(usize::MAX);
        let buffers = self.ends(OPERATION, dest, source, dest.len())?;
        let needed = of_all(2, team);
        let splits = self.ends(OPERATION, dest_splits, source_splits, needed)?;
        if source_splits.len() != needed {
            let text = format!("the splits of the source are {} numbers instead of {needed}", source_splits.len());
            return Err(Error::new(OPERATION, Cause::Mismatch(text)));
        }
        let (room, given) = (rows(dest), rows(source));
        Ok((buffers, Splits { dest: splits.dest.cast(), source: splits.source.cast(), room, given, row }))
    }
}

const OPERATION: &str = "alltoallv";

/// The arguments in symmetric memory: dest, source, and the rest.
fn find(shmem: &Shmem, team: &Team, buffers: Buffers, splits: Splits) -> Found {
    let Splits { dest, source, room, given, row } = splits;
    if row == 0 {
        return Err(Error::new(OPERATION, Cause::Mismatch("a row has 0 bytes".to_owned())).into());
    }
    for (argument, value) in [("dest_splits", dest.addr()), ("source_splits", source.addr())] {
        if !value.is_multiple_of(8) {
            return Err(BadArgument { argument, value, error: ArgumentError::Misaligned(8) });
        }
    }
    let bytes = of_all(16, team);
    let at = |argument, address: usize, bytes| locate(shmem.transfers(), team.pes(), argument, address, bytes);
    let dest_splits = at("dest_splits", dest.addr(), bytes)?;
    let source_splits = at("source_splits", source.addr(), bytes)?;
    let to = at("dest", buffers.dest.addr(), room.saturating_mul(row))?;
    // Which of its rows are sent is known only later.
    let from = at("source", buffers.source.addr(), 1)?;
    let what = Unequal { splits: (dest_splits, source_splits), room, given, row };
    Ok((to, from, Collective::Alltoallv(what)))
}

type Found = std::result::Result<(At, At, Collective), BadArgument>;

impl Raw<'_> {
    /// Copies rows from each member to each, as many as the splits say ([`Shmem::alltoallv`]).
    pub fn alltoallv(self, team: &Team, buffers: Buffers, splits: Splits) -> std::result::Result<(), BadArgument> {
        // What goes to each member differs, and only the members know it.
        let _timed = Timed::new(Recorded::Alltoall, 0);
        let (shmem, who) = (self.shmem(), Participants::Team(team));
        let numbers = [("size", splits.row), ("nrows", splits.room), NONE];
        // Which rows of the source are sent is known only later.
        self.agree(who, OPERATION, buffers, (splits.room.saturating_mul(splits.row), 1), numbers)?;
        let both = Buffers { dest: splits.dest.cast(), source: splits.source.cast() };
        let bytes = of_all(16, team);
        self.agree(who, "alltoallv, of the splits", both, (bytes, bytes), [NONE; 3])
            .map_err(|bad| BadArgument { argument: "source_splits", ..bad })?;
        let (dest, source, collective) = find(shmem, team, buffers, splits)?;
        let (transfers, context) = (&**shmem.transfers(), shmem.transfers().default_context());
        let done = Member { transfers, context, operation: OPERATION, who, source, dest }.run(collective);
        done.map_err(|needed| BadArgument {
            argument: "dest",
            value: buffers.dest.addr(),
            error: ArgumentError::TooManyRows(needed as u64, splits.room as u64),
        })
    }
}

/// # Exchanges of unequal size
impl Stream<'_> {
    /// Enqueues an exchange of rows, like [`Shmem::alltoallv`] (`shmemx_alltoallmemv_on_stream`). The splits of the
    /// source are read when the stream reaches it, so a kernel before it on the stream may write them. `dest` is as
    /// long on all members. If the rows for a member do not fit, [`Stream::synchronize`] returns an error on all
    /// members, whose GPUs are lost. Where the GPUs of the members do not reach each other, the job ends with a message
    /// that says so.
    ///
    /// ```no_run
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let (n, width, room) = (shmem.n_pes() as usize, 1792, 4096);
    /// let (tokens, received) = (shmem.malloc_gpu::<f32>(room * width)?, shmem.malloc_gpu::<f32>(room * width)?);
    /// let (sent, came) = (shmem.malloc_gpu::<u64>(2 * n)?, shmem.malloc_gpu::<u64>(2 * n)?);
    /// let stream = shmem.stream()?;
    /// // A kernel that sorts the tokens by PE and writes `sent` is launched here, and one that reads `came` behind it.
    /// stream.alltoallv(shmem.team_world(), (received, tokens), (came, sent), width)?;
    /// stream.synchronize()?;
    /// # Ok(()) }) }
    /// ```
    pub fn alltoallv<T: Word>(
        &self,
        team: &Team,
        ends: (SymSlice<'_, T>, SymSlice<'_, T>),
        splits: (SymSlice<'_, u64>, SymSlice<'_, u64>),
        width: usize,
    ) -> Result<()> {
        let shmem = self.shmem();
        let (buffers, splits) = shmem.unequal(team, ends, splits, width)?;
        // SAFETY: the stream's handle is valid, and the objects are symmetric memory, which lives as long as the job.
        let done = unsafe { shmem.raw().on_stream(AnyStream::Ours(self)).alltoallv(team, buffers, splits) };
        finish(OPERATION, done)
    }
}

/// # Exchanges of unequal size
impl RawStream<'_> {
    /// Enqueues an exchange of rows, like [`Raw::alltoallv`](crate::api::raw::Raw::alltoallv).
    ///
    /// # Safety
    /// The stream passes it before the team is destroyed or the memory is freed. The source has all rows that its
    /// splits name.
    pub unsafe fn alltoallv(
        self,
        team: &Team,
        buffers: Buffers,
        splits: Splits,
    ) -> std::result::Result<(), BadArgument> {
        let (dest, source, collective) = find(self.shmem(), team, buffers, splits)?;
        self.enqueue_found(OPERATION, team, (dest, source), collective)
    }
}

impl Member<'_> {
    /// Copies rows as [`Raw::alltoallv`] says. The error is the most rows that any member gets, if they do not fit.
    ///
    /// The splits of the dest are what the members exchange: each puts there how many rows it sends, and gets from
    /// there where they start. They begin with a meeting: until then, the others may use their splits.
    pub(super) fn unequal(&self, what: Unequal, group: &mut impl Group) -> std::result::Result<(), usize> {
        let Unequal { splits: (dest_splits, source_splits), room, given, row } = what;
        let (me, members) = (group.me(), group.size() as usize);
        let mut sent = vec![0; 2 * members];
        self.read(&mut sent, source_splits, 0, me);
        let (counts, starts) = sent.split_at(members);
        group.sync();
        for (member, (&count, &start)) in (0..).zip(counts.iter().zip(starts)) {
            self.check_rows(member, (start, count), given, row);
            self.write(&[count], dest_splits, me as usize, member);
        }
        group.sync();
        let mut received = vec![0; members];
        self.read(&mut received, dest_splits, 0, me);
        let mut end = 0u64;
        for count in &mut received {
            let start = end;
            end = end.saturating_add(*count);
            *count = start;
        }
        self.write(&received, dest_splits, members, me);
        // The others read the starts as soon as all members are in the exchange of their sums.
        self.quiet();
        let mut needed = 0;
        let Participants::Team(team) = self.who else { unreachable!("only teams carry it out") };
        self.transfers.sync().gather(self.operation, team, [end], |_, [rows]| needed = rows.max(needed));
        if needed > room as u64 {
            return Err(needed as usize);
        }
        for step in 1..=members {
            let member = (me as usize + step) % members;
            let (count, from, mut to) = (counts[member] as usize, starts[member] as usize, [0]);
            if count > 0 {
                self.read(&mut to, dest_splits, members + me as usize, member as u32);
                let put = Operation::Put(self.own(shifted(self.source, from * row)), Shape::Bytes(count * row));
                // SAFETY: the rows were found to be in symmetric memory, here and, by that member, there.
                unsafe { self.transfer(put, shifted(self.dest, to[0] as usize * row), member as u32) };
            }
        }
        group.sync();
        Ok(())
    }

    /// Ends the job unless the source has the rows for a member.
    fn check_rows(&self, member: u32, (start, count): (u64, u64), given: usize, row: usize) {
        if count == 0 {
            // A start that nobody needs may be any number.
            return;
        }
        let (memory, job) = (self.transfers.memory(), self.transfers.job());
        let end = start.saturating_add(count);
        let bytes = |rows: u64| usize::try_from(rows).unwrap_or(usize::MAX).saturating_mul(row);
        let own = memory.own(self.source) as usize;
        let is_inside = end <= given as u64 && memory.locate(own, bytes(end)).is_ok();
        if !is_inside {
            let cause = format!("the rows for member {member} end at row {end}, which is not in the source");
            job.end(self.operation, &Error::new(self.operation, Cause::Mismatch(cause)));
        }
    }

    /// Reads words of a member, from this number on.
    fn read(&self, words: &mut [u64], from: At, first: usize, member: u32) {
        let local = Local { address: words.as_mut_ptr().expose_provenance(), on_gpu: false };
        // SAFETY: the words have room for what is read.
        unsafe {
            self.transfer(Operation::Get(local, Shape::Bytes(8 * words.len())), shifted(from, 8 * first), member)
        };
    }

    /// Writes words of a member, from this number on.
    fn write(&self, words: &[u64], to: At, first: usize, member: u32) {
        let local = Local { address: words.as_ptr().expose_provenance(), on_gpu: false };
        // SAFETY: the words are readable.
        unsafe { self.transfer(Operation::Put(local, Shape::Bytes(8 * words.len())), shifted(to, 8 * first), member) };
    }
}
