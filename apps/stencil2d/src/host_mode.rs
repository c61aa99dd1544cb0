//! `--mode host` and `--mode staged`: each iteration has one kernel for the rim and one for the inside
//! ([`crate::rim_first`]), and the CPU puts the rim as soon as it is packed.
//!
//! ```text
//!   host     wait for the stream of the rim
//!            puts: outbox on this GPU → halo of buffer k+1 on the neighbour's
//!            quiet, then signal k+1 to each neighbour; to those on other nodes puts with signal,
//!            which wait for no answer in between; wait for signal k+1 from each
//!   staged   on the stream of the rim: outbox on this GPU → outbox in the host heap; wait for it
//!            puts with signal k+1: outbox in the host heap → the neighbour's inbox k+1 there
//!            wait for signal k+1 from each; as each comes, on the stream: its inbox → halo of buffer k+1
//! ```
//!
//! `staged` shows how programs exchange halos when their library supports host memory only. It is the baseline for the
//! other modes. A halo is contiguous in a buffer, whether it is a row or a packed column, so copying it back also
//! unpacks it.
//!
//! Writers: each halo, inbox and signal is written by exactly one neighbour, except that in `staged` this PE's own
//! copies write the halos.
//!
//! **Why no halo is overwritten while it is still read.** In iteration `k` a neighbour puts into halos of buffer `k +
//! 1`, which the rim of iteration `k - 1` read last. This PE waited for that rim before it sent signals `k`, and the
//! neighbour entered iteration `k` only after it had seen its signal.
//!
//! **Why no inbox is overwritten while it is still read.** There are two, used alternately. In iteration `k` a
//! neighbour puts into inbox `k + 1`. This PE last copied from that inbox in iteration `k - 2`, on the same stream as
//! the rim of iteration `k - 1` and before it. This PE waited for that rim before it sent signals `k`. One inbox would
//! not suffice: copies of iteration `k - 1` may still be in progress.
//!
//! **Why no outbox is overwritten while it is still read.** The rim's kernel packs it again in the next iteration. By
//! then, the puts from it are complete (quiet), or they have returned (puts with signal), or, in `staged`, the stream
//! has copied it. The outbox in the host heap is overwritten by the stream's next copy, after the puts from it have
//! returned.
//!
//! A neighbour may be one iteration ahead, and so may its signal. Therefore a wait accepts this value or a greater one.

use crate::cells::Cell;
use crate::field::{Field, Job, Times};
use crate::plan::Parcel;
use crate::rim_first::{BUFFERS, RimFirst};
use crate::solver::Solver;
use anyhow::Result;
use cushmem::{Cmp, SignalOp, SymSlice};
use std::time::Instant;
use stencil2d_kernels::triggered::SIDES;

/// The field, and what is needed to exchange its halos.
pub struct HostMode<'a, T: Cell> {
    kernels: RimFirst<'a, T>,
    /// Where halos are staged, in staged mode.
    stages: Option<Stages<'a, T>>,
    /// One word per neighbour, in host memory.
    signals: SymSlice<'a, u64>,
    /// The value of all signals.
    signalled: u64,
}

/// What staged mode keeps in the host heap.
struct Stages<'a, T> {
    outbox: SymSlice<'a, T>,
    /// One slot per buffer and neighbour.
    inboxes: SymSlice<'a, T>,
    /// Elements in a slot, the same on all PEs.
    slot: usize,
}

impl<'a, T: Cell> Stages<'a, T> {
    fn new(kernels: &RimFirst<'a, T>) -> Result<Self> {
        let job = kernels.field.job;
        let (rows, cols) = job.grid.largest();
        let slot = rows.max(cols) as usize;
        let inboxes = job.shmem.malloc(BUFFERS as usize * SIDES * slot)?;
        Ok(Self { outbox: job.shmem.malloc(kernels.packed)?, inboxes, slot })
    }

    /// Where a parcel arrives in the memory of the PE that receives it.
    fn inbox(&self, buffer: u32, parcel: &Parcel) -> SymSlice<'a, T> {
        let start = ((buffer % BUFFERS) as usize * SIDES + parcel.signal) * self.slot;
        self.inboxes.slice(start..start + parcel.cells)
    }
}

impl<'a, T: Cell> HostMode<'a, T> {
    /// Allocates the field and everything else the mode needs. Collective.
    pub fn new(job: Job<'a>, is_staged: bool) -> Result<Self> {
        let kernels = RimFirst::new(job)?;
        let stages = if is_staged { Some(Stages::new(&kernels)?) } else { None };
        let signals = job.shmem.malloc(SIDES)?;
        signals.copy_from(&[0; SIDES])?;
        Ok(Self { kernels, stages, signals, signalled: 0 })
    }

    /// Sends the rim to the neighbours' halos of this buffer, and waits for theirs.
    fn exchange(&mut self, buffer: u32) -> Result<()> {
        let Self { kernels, signals, .. } = self;
        let Job { shmem, stream, .. } = kernels.field.job;
        self.signalled += 1;
        let value = self.signalled;
        if let Some(Stages { outbox, .. }) = &self.stages {
            stream.put(*outbox, kernels.outbox, shmem.my_pe())?;
        }
        // After this, the next iteration's inside needs no further wait for this rim.
        stream.synchronize()?;
        match &self.stages {
            None => {
                let is_near = |parcel: &&Parcel| !signals.ptr(parcel.pe).is_null();
                let near = || kernels.parcels.iter().filter(is_near);
                for parcel in near() {
                    shmem.put_nbi(kernels.halo(buffer, parcel), kernels.source(parcel), parcel.pe)?;
                }
                if near().next().is_some() {
                    shmem.quiet()?;
                }
                for parcel in near() {
                    shmem.p(signals.at(parcel.signal), value, parcel.pe)?;
                }
                for parcel in kernels.parcels.iter().filter(|parcel| !is_near(parcel)) {
                    let (to, signal) = (kernels.halo(buffer, parcel), signals.at(parcel.signal));
                    shmem.put_signal(to, kernels.source(parcel), signal, value, SignalOp::Set, parcel.pe)?;
                }
            }
            Some(stages) => {
                for parcel in &kernels.parcels {
                    let (to, signal) = (stages.inbox(buffer, parcel), signals.at(parcel.signal));
                    let from = stages.outbox.slice(parcel.packed..parcel.packed + parcel.cells);
                    shmem.put_signal(to, from, signal, value, SignalOp::Set, parcel.pe)?;
                }
            }
        }
        for parcel in &kernels.arrivals {
            shmem.signal_wait_until(signals.at(parcel.signal), Cmp::Ge, value)?;
            if let Some(stages) = &self.stages {
                stream.put(kernels.halo(buffer, parcel), stages.inbox(buffer, parcel), shmem.my_pe())?;
            }
        }
        Ok(())
    }

    fn iterate(&mut self, iterations: u32, exchange: bool) -> Result<Times> {
        let has_neighbours = !self.kernels.parcels.is_empty();
        let start = Instant::now();
        for k in 0..iterations {
            self.kernels.enqueue(k, None)?;
            self.kernels.report(k, k + 1, iterations)?;
            // Nobody would read what the last iteration sent. A loop without messages waits for the rim too, so that
            // the difference between the two is what the messages cost.
            if has_neighbours && k + 1 < iterations {
                if exchange {
                    self.exchange(k + 1)?;
                } else {
                    self.kernels.field.job.stream.synchronize()?;
                }
            }
        }
        self.kernels.finish()?;
        // The exchange overlaps with the inside, so it has no time of its own.
        Ok(Times { total: start.elapsed(), exchange: None })
    }
}

impl<'a, T: Cell> Solver<'a, T> for HostMode<'a, T> {
    fn field(&self) -> &Field<'a, T> {
        &self.kernels.field
    }

    fn run(&mut self, iterations: u32, exchange: bool) -> Result<Times> {
        let (line, done) = self.kernels.progress(iterations)?;
        line.during(done, || self.iterate(iterations, exchange))
    }

    fn result(&self, iterations: u32) -> u32 {
        iterations % BUFFERS
    }

    fn free(self: Box<Self>) -> Result<()> {
        let shmem = self.kernels.field.job.shmem;
        shmem.free(self.signals)?;
        if let Some(Stages { outbox, inboxes, .. }) = self.stages {
            shmem.free(outbox)?;
            shmem.free(inboxes)?;
        }
        self.kernels.free()
    }
}
