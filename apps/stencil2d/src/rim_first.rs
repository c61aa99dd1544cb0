//! What the modes whose kernels send nothing have in common: each iteration is two kernels. One updates the rim and
//! packs it for the neighbours; the other updates the inside.
//!
//! Iteration `k` reads buffer `k mod 2` and writes the other. The two kernels run concurrently on two streams, so that
//! the rim is sent while the inside is being updated:
//!
//! ```text
//!   stream of the rim      halos k have come   after inside k-1: rim k           what the mode sends
//!   stream of the inside                       inside k   after rim k: …
//! ```
//!
//! The stream of the rim has the higher priority. Otherwise the inside, whose blocks fill the GPU many times over,
//! would often start first, and the rim would finish only when the inside does.
//!
//! **Why all data that is read has arrived.** In iteration `k`, the inside reads the inside and the rim of iteration `k
//! - 1`, but no halo. The rim reads those and the halos, for which the mode waits on the rim's stream.
//!
//! **Why nobody overwrites what is still read.** Each cell of this PE is stored by exactly one job of the rim or one
//! tile of the inside. Both kernels of iteration `k` store cells that were last read in iteration `k - 1`, and both
//! start after the two kernels of iteration `k - 1`. The outbox is packed again only after the rim's stream has passed
//! what the mode sends from it. Why halos are not overwritten is explained where they are sent.

use crate::cells::Cell;
use crate::field::{Field, Job};
use crate::plan::{Parcel, Plan};
use crate::solver::report_every;
use anyhow::Result;
use cushmem::{DevPtr, DeviceBuffer, Grid, Stream, SymSlice};
use cushmem_program::{Progress, is_watched, most_blocks, words_on_gpu};
use stencil2d_kernels::layout::Tiling;

/// The number of buffers of the field.
pub const BUFFERS: u32 = 2;

/// The field, its two kernels, and what they pack.
pub struct RimFirst<'a, T: Cell> {
    pub field: Field<'a, T>,
    /// What goes to each neighbour.
    pub parcels: Vec<Parcel>,
    /// What comes from each neighbour, described as the neighbour sends it. The first has signal 0.
    pub arrivals: Vec<Parcel>,
    /// Where the rim is packed, and how much of that any PE uses at most.
    pub outbox: SymSlice<'a, T>,
    pub packed: usize,
    jobs: DeviceBuffer<'a, u64>,
    n_jobs: u32,
    tiling: Tiling,
    /// The stream of the inside, if there is a rim. Without one, the job's stream serves.
    inside: Option<Stream<'a>>,
    /// The number of iterations that the rim's stream has passed, in host memory; kept only if somebody watches.
    passed: SymSlice<'a, u64>,
    is_watched: bool,
}

impl<'a, T: Cell> RimFirst<'a, T> {
    /// Allocates the field and the outbox. Collective.
    pub fn new(job: Job<'a>) -> Result<Self> {
        let field = Field::<T>::new(job, BUFFERS)?;
        let (pe, n_pes) = (job.shmem.my_pe(), job.grid.n_pes());
        let plan = |pe| Plan::new(&job.grid, pe, size_of::<T>(), job.lanes());
        let own = plan(pe);
        let parcels = own.parcels(&job.grid, pe);
        let of_neighbour = |parcel: &Parcel| plan(parcel.pe).parcels(&job.grid, parcel.pe);
        let arrivals = parcels.iter().flat_map(of_neighbour).filter(|parcel| parcel.pe == pe).collect();
        let packed = (0..n_pes).map(|pe| plan(pe).outbox as usize).max().unwrap_or(0).max(1);
        let words: Vec<_> = own.jobs.iter().flat_map(|job| job.to_words()).collect();
        let resident = job.module.max_resident_blocks(T::STEP, job.lanes())?.min(most_blocks(job.shmem));
        Ok(Self {
            field,
            parcels,
            arrivals,
            outbox: job.shmem.malloc_gpu(packed)?,
            packed,
            jobs: words_on_gpu(job.shmem, &words)?,
            n_jobs: own.jobs.len() as u32,
            tiling: own.inside.tiling_of_a_launch(job.tile_width::<T>(), resident.max(1)),
            inside: if own.jobs.is_empty() { None } else { Some(job.shmem.stream()?) },
            passed: job.shmem.malloc(1)?,
            is_watched: is_watched(job.shmem),
        })
    }

    /// Where a parcel is packed.
    pub fn source(&self, parcel: &Parcel) -> SymSlice<'a, T> {
        self.outbox.slice(parcel.packed..parcel.packed + parcel.cells)
    }

    /// Where a parcel goes in a buffer of the PE that receives it.
    pub fn halo(&self, buffer: u32, parcel: &Parcel) -> SymSlice<'a, T> {
        self.field.buffer(buffer).slice(parcel.to..parcel.to + parcel.cells)
    }

    /// Enqueues both kernels of iteration `k`. The rim runs on the job's stream, after everything enqueued there
    /// before, such as waits for halos. It sets the signals `seen`, for which this stream has waited, back to 0.
    pub fn enqueue(&self, k: u32, seen: Option<SymSlice<'a, u64>>) -> Result<()> {
        let (field, job) = (&self.field, &self.field.job);
        let (from, to) = (field.buffer(k).device_ptr(), field.buffer(k + 1).device_ptr());
        let (seen, signals) = seen.map_or((DevPtr::from_address(0), 0), |s| (s.device_ptr(), s.len() as u32));
        let jobs = self.jobs.device_ptr().cast();
        let rim = (from, to, jobs, self.n_jobs, self.outbox.device_ptr(), seen, signals);
        let tiles = self.tiling.tiles();
        let grid = |useful: u32| Grid::linear(useful.min(most_blocks(job.shmem)), job.lanes());
        self.join()?;
        // SAFETY: buffers, jobs and tiling belong to this PE's plan, which stores each cell once; the module's text
        // explains why nobody else interferes.
        unsafe {
            if self.inside.is_some() {
                job.stream.launch(job.module, T::RIM, grid(self.n_jobs), rim)?;
            }
            if tiles > 0 {
                let inside = self.inside.as_ref().unwrap_or(job.stream);
                inside.launch(job.module, T::STEP, grid(tiles), (from, to, field.shape, self.tiling))?;
            }
        }
        Ok(())
    }

    /// Makes the inside's stream wait for the rim. Needed after each [`Self::enqueue`], unless the CPU waits for the
    /// rim before the next one.
    pub fn fork(&self) -> Result<()> {
        self.inside.iter().try_for_each(|inside| Ok(inside.wait_for(self.field.job.stream)?))
    }

    /// Makes the rim's stream wait for the inside.
    pub fn join(&self) -> Result<()> {
        self.inside.iter().try_for_each(|inside| Ok(self.field.job.stream.wait_for(inside)?))
    }

    /// Waits until everything that was enqueued has finished.
    pub fn finish(&self) -> Result<()> {
        self.join()?;
        Ok(self.field.job.stream.synchronize()?)
    }

    /// The progress line of a run, and a function that returns the number to show. The run calls [`Self::report`].
    pub fn progress(&self, iterations: u32) -> Result<(Progress, impl Fn() -> u64 + Send + use<'a, T>)> {
        let passed = self.passed;
        passed.copy_from(&[0])?;
        let done = move || passed.to_vec().map_or(0, |words| words[0]);
        Ok((Progress::new(self.is_watched, "iteration", iterations.into()), done))
    }

    /// If it is time for a report, enqueues a note on the rim's stream that `done` iterations have passed. At the
    /// previous call, `before` had.
    pub fn report(&self, before: u32, done: u32, iterations: u32) -> Result<()> {
        let every = report_every(iterations);
        if self.is_watched && before / every < done / every {
            let Job { shmem, stream, .. } = self.field.job;
            stream.p(self.passed.at(0), u64::from(done), shmem.my_pe())?;
        }
        Ok(())
    }

    /// Frees the symmetric memory. Collective.
    pub fn free(self) -> Result<()> {
        self.field.job.shmem.free(self.passed)?;
        self.field.job.shmem.free(self.outbox)?;
        self.field.free()
    }
}
