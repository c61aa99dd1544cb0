//! A PE's arrays in the memory of its GPU, with its inbox and outbox.

use crate::decomposition::{Decomposition, Region};
use crate::element::Element;
use crate::plan::Plan;
use crate::problem::Problem;
use anyhow::{Result, anyhow};
use cushmem::{Cmp, DevPtr, DeviceBuffer, Grid, Module, Shmem, Stream, SymSlice};
use cushmem_program::{lanes, most_blocks, to_all, words_on_gpu};
use lbm_kernels::cell::{Observed, Params};
use lbm_kernels::layout::{Boxes, Part, Piece, Shape, Watch, arrays, kinds};
use std::iter::repeat_n;
use std::ops::Range;

/// Elements copied between the CPU and the arrays at a time.
const TRANSFER: usize = 1 << 20;

/// The job and its arguments, which everything here needs.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    pub shmem: &'a Shmem,
    pub module: &'a Module<'a>,
    pub stream: &'a Stream<'a>,
    pub grid: Decomposition,
    pub problem: Problem,
}

impl Job<'_> {
    /// Lanes of a block, for all kernels.
    pub fn lanes(&self) -> u32 {
        lanes(self.shmem)
    }
}

/// Boxes of a PE. All but the first are in GPU memory.
pub struct Parts<'a> {
    first: Part,
    count: u64,
    others: DeviceBuffer<'a, u64>,
    /// The tiles of all boxes.
    pub tiles: u32,
}

impl<'a> Parts<'a> {
    /// The first box, which may be empty, and others.
    pub fn new(shmem: &'a Shmem, first: Part, others: &[Part]) -> Result<Self> {
        let words: Vec<_> = others.iter().flat_map(Part::to_words).collect();
        let tiles = first.tiles + others.iter().map(|part| part.tiles).sum::<u32>();
        Ok(Self { first, count: others.len() as u64, others: words_on_gpu(shmem, &words)?, tiles })
    }

    /// The boxes in the form that kernels take.
    pub fn boxes(&self) -> Boxes {
        Boxes { first: self.first, count: self.count, others: self.others.device_ptr().cast() }
    }
}

/// Everything that a PE stores of the whole box.
pub struct Field<'a, T> {
    pub job: Job<'a>,
    pub region: Region,
    pub shape: Shape,
    pub plan: Plan,
    /// The inner box, then the shell's.
    pub all: Parts<'a>,
    pub inner: Parts<'a>,
    pub shell: Parts<'a>,
    /// The pieces to send of each list, then those to receive.
    pieces: DeviceBuffer<'a, u64>,
    memory: DeviceBuffer<'a, T>,
    pub outbox: SymSlice<'a, T>,
    pub inbox: SymSlice<'a, T>,
    /// Host memory for copies between the CPU and the arrays.
    transfer: SymSlice<'a, T>,
    /// Two words: the note about a cell that is not sound, and the step counter for graphs.
    watched: DeviceBuffer<'a, u64>,
    done: u64,
    /// The value of the second word.
    counted: u64,
}

impl<'a, T: Element> Field<'a, T> {
    /// Allocates everything. Collective.
    pub fn new(job: Job<'a>) -> Result<Self> {
        let (shmem, pe) = (job.shmem, job.shmem.my_pe());
        let (bytes, region) = (size_of::<T>(), job.grid.region(pe));
        let shape =
            job.grid.shape(pe, bytes).ok_or_else(|| anyhow!("a PE's box of {:?} cells is too large", region.size))?;
        let plan = Plan::new(&job.grid, pe, &shape, bytes, job.lanes());
        let pieces: Vec<_> = plan.sends.iter().chain(&plan.receives).flatten().flat_map(Piece::to_words).collect();
        let none = Part::new([0; 3], [0; 3], shape.volume, job.lanes());
        let (first, others) = plan.shell.split_first().unwrap_or((&none, &[]));
        let elements = arrays::COUNT as usize * shape.volume as usize;
        let field = Self {
            all: Parts::new(shmem, plan.inner, &plan.shell)?,
            inner: Parts::new(shmem, plan.inner, &[])?,
            shell: Parts::new(shmem, *first, others)?,
            pieces: words_on_gpu(shmem, &pieces)?,
            memory: shmem.device_alloc(elements)?,
            outbox: shmem.malloc_gpu(plan.box_elements)?,
            inbox: shmem.malloc_gpu(plan.box_elements)?,
            transfer: shmem.malloc(TRANSFER)?,
            watched: words_on_gpu(shmem, &[Watch::NONE, 0])?,
            done: 0,
            counted: 0,
            job,
            region,
            shape,
            plan,
        };
        // With NaN everywhere, ghosts that nobody fills are noticed.
        field.transfer.copy_from(&repeat_n(T::NAN, TRANSFER).collect::<Vec<_>>())?;
        for at in (0..elements).step_by(TRANSFER) {
            let count = TRANSFER.min(elements - at);
            job.stream.get(field.memory.slice(at..at + count), field.transfer.slice(..count), pe)?;
        }
        job.stream.synchronize()?;
        Ok(field)
    }

    /// Frees the symmetric memory. Collective.
    pub fn free(self) -> Result<()> {
        self.job.shmem.free(self.transfer)?;
        self.job.shmem.free(self.outbox)?;
        Ok(self.job.shmem.free(self.inbox)?)
    }

    /// The number of steps made so far.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Sets the number of steps, after the caller has made steps or restored the arrays.
    pub fn set_done(&mut self, done: u64) {
        self.done = done;
    }

    pub fn memory(&self) -> DevPtr<T> {
        self.memory.device_ptr()
    }

    /// The pieces to send of list 0. Those of the other lists follow, then the pieces to receive.
    pub fn pieces(&self) -> DevPtr<Piece> {
        self.pieces.device_ptr().cast()
    }

    /// The number of pieces in a list.
    pub fn pieces_of_list(&self) -> u32 {
        self.plan.sends[0].len() as u32
    }

    /// How kernels note cells that are not sound. The step's number is the step counter plus `ahead`.
    pub fn watch(&self, ahead: u64) -> Watch {
        Watch::new(self.watched.device_ptr().address(), ahead, self.region.first, self.job.grid.size)
    }

    /// The step counter for graphs.
    pub fn clock(&self) -> DevPtr<u64> {
        self.watched.device_ptr().add(1)
    }

    /// The value of the step counter once all kernels have ended.
    pub fn counted(&self) -> u64 {
        self.counted
    }

    /// Sets that value, for modes whose kernels count steps.
    pub fn set_counted(&mut self, counted: u64) {
        self.counted = counted;
    }

    /// The ranges of an array's elements that pass through the transfer buffer together: each within `0..count`, then
    /// within the memory.
    fn chunks(
        &self,
        array: u32,
        first: usize,
        count: usize,
    ) -> impl Iterator<Item = (Range<usize>, Range<usize>)> + use<T> {
        let start = array as usize * self.shape.volume as usize + first;
        (0..count).step_by(TRANSFER).map(move |at| {
            let end = (at + TRANSFER).min(count);
            (at..end, start + at..start + end)
        })
    }

    /// Sets elements of an array.
    fn upload(&self, array: u32, first: usize, values: &[T]) -> Result<()> {
        let Job { shmem, stream, .. } = self.job;
        for (from, to) in self.chunks(array, first, values.len()) {
            let buffer = self.transfer.slice(..from.len());
            buffer.copy_from(&values[from])?;
            stream.get(self.memory.slice(to), buffer, shmem.my_pe())?;
            stream.synchronize()?;
        }
        Ok(())
    }

    /// Copies elements of an array to the CPU.
    fn download(&self, array: u32, first: usize, count: usize) -> Result<Vec<T>> {
        let Job { shmem, stream, .. } = self.job;
        let mut values = Vec::with_capacity(count);
        for (_, from) in self.chunks(array, first, count) {
            let buffer = self.transfer.slice(..from.len());
            stream.put(buffer, self.memory.slice(from), shmem.my_pe())?;
            stream.synchronize()?;
            values.extend(buffer.to_vec()?);
        }
        Ok(values)
    }

    /// Sets the start of the problem: `φ` of all cells and ghosts, and populations of a fluid at rest.
    pub fn fill(&mut self, params: &Params<T>) -> Result<()> {
        let (shape, problem, stream) = (self.shape, self.job.problem, self.job.stream);
        let slots = |d: usize| shape.size[d].max(shape.low[d] + 1);
        let whole = |d: usize, at: u32| {
            let local = if at == shape.low[d] && at >= shape.size[d] { problem.size[d] - 1 } else { at };
            (self.region.first[d] + local) % problem.size[d]
        };
        let mut phi = vec![T::NAN; shape.volume as usize];
        for z in 0..slots(2) {
            for y in 0..slots(1) {
                for x in 0..slots(0) {
                    phi[shape.at([x, y, z]) as usize] = T::of(problem.start([whole(0, x), whole(1, y), whole(2, z)]));
                }
            }
        }
        self.upload(arrays::PHI, 0, &phi)?;
        self.watched.copy_from(&[Watch::NONE, 0])?;
        let args = (self.memory(), shape, *params, self.all.boxes(), self.watch(0));
        // SAFETY: the arrays have this shape, and the boxes cover the PE's cells.
        unsafe { stream.launch(self.job.module, T::START, self.grid(self.all.tiles), args)? };
        stream.synchronize()?;
        (self.done, self.counted) = (0, 0);
        Ok(())
    }

    /// A grid for this many tiles.
    pub fn grid(&self, tiles: u32) -> Grid {
        Grid::linear(tiles.clamp(1, most_blocks(self.job.shmem)), self.job.lanes())
    }

    /// Launches one half of step `n` for some boxes: phase 0 updates the order parameter, phase 1 momentum. `ahead` is
    /// `n` less the step counter.
    ///
    /// # Safety Nobody changes what the kernel reads, or reads what it changes, until the stream has passed it.
    pub unsafe fn update(
        &self,
        stream: &Stream<'_>,
        params: &Params<T>,
        phase: u32,
        n: u64,
        ahead: u64,
        parts: &Parts<'_>,
    ) -> cushmem::Result<()> {
        if parts.tiles == 0 {
            return Ok(());
        }
        let (memory, buffer, grid) = (self.memory(), (n & 1) as u32, self.grid(parts.tiles));
        let (boxes, module) = (parts.boxes(), self.job.module);
        // SAFETY: the arrays have this shape, and the boxes hold only the PE's cells; the caller guarantees the order.
        unsafe {
            if phase == 0 {
                let args = (memory, self.shape, *params, buffer, boxes);
                stream.launch(module, T::ORDER_PARAMETER, grid, args)
            } else {
                let args = (memory, self.shape, *params, buffer, boxes, self.watch(ahead));
                stream.launch(module, T::MOMENTUM, grid, args)
            }
        }
    }

    /// Waits until the last message of populations that was `sent` has arrived, so that none is in flight. Its signals
    /// are the first `count`.
    pub fn settle(&self, signals: SymSlice<'_, u64>, count: usize, sent: Option<u64>) -> Result<()> {
        let Some(sent) = sent else { return Ok(()) };
        for i in 0..count {
            self.job.shmem.signal_wait_until(signals.at(i), Cmp::Eq, kinds::signal(sent))?;
        }
        Ok(())
    }

    /// Sets the signals of both kinds, `count` each, to the values that they have once the first message has arrived.
    /// Returns its number. Collective.
    pub fn set_signals(&self, signals: SymSlice<'_, u64>, count: usize) -> Result<u64> {
        signals.copy_from(&kinds::signals_after(self.done(), count))?;
        // Neighbours may set them only after this.
        self.job.shmem.barrier_all()?;
        Ok(self.done())
    }

    /// Launches the packing of a kind's message number `n` into the outbox.
    ///
    /// # Safety
    /// The conditions of [`Field::update`].
    pub unsafe fn pack(&self, stream: &Stream<'_>, kind: u32, n: u64, outbox: DevPtr<T>) -> cushmem::Result<()> {
        let count = self.pieces_of_list();
        if count == 0 {
            return Ok(());
        }
        let pieces = self.pieces().add((kinds::list(kind, (n & 1) as u32) * count) as usize);
        let args = (self.memory(), self.shape.volume, pieces, outbox);
        // SAFETY: the pieces are those of the plan; the caller guarantees the order.
        unsafe { stream.launch(self.job.module, T::PACK, Grid::linear(count, self.job.lanes()), args) }
    }

    /// Launches the copying of a kind's message number `n` from the inbox to the ghosts.
    ///
    /// # Safety
    /// The conditions of [`Field::update`].
    pub unsafe fn unpack(&self, stream: &Stream<'_>, kind: u32, n: u64, inbox: DevPtr<T>) -> cushmem::Result<()> {
        let count = self.pieces_of_list();
        if count == 0 {
            return Ok(());
        }
        let list = kinds::LISTS + kinds::list(kind, (n & 1) as u32);
        let args = (self.memory(), self.shape.volume, self.pieces().add((list * count) as usize), inbox);
        // SAFETY: the pieces are those of the plan; the caller guarantees the order.
        unsafe { stream.launch(self.job.module, T::UNPACK, Grid::linear(count, self.job.lanes()), args) }
    }

    /// Sends the messages of all PEs, so that all inboxes have what the next step needs, and `φ` is in the ghosts. No
    /// other message may be in flight, and the caller sets its signals itself. Collective.
    pub fn send_first(&self) -> Result<()> {
        let Job { shmem, stream, .. } = self.job;
        for kind in [kinds::POPULATIONS, kinds::PHI] {
            // SAFETY: no kernel uses the outbox or changes the arrays.
            unsafe { self.pack(stream, kind, self.done, self.outbox.device_ptr())? };
        }
        stream.synchronize()?;
        // After this, nobody uses the inbox any more.
        shmem.barrier_all()?;
        for parcel in self.plan.parcels.iter().flatten() {
            let range = parcel.at..parcel.at + parcel.elements;
            shmem.put_nbi(self.inbox.slice(range.clone()), self.outbox.slice(range), parcel.to)?;
        }
        shmem.barrier_all()?;
        // SAFETY: the inbox is complete, and no kernel uses the ghosts.
        unsafe { self.unpack(stream, kinds::PHI, self.done, self.inbox.device_ptr())? };
        Ok(stream.synchronize()?)
    }

    /// Reads the PE's own values of an array in some planes. x varies fastest, then y, then z.
    pub fn read(&self, array: u32, planes: Range<u32>) -> Result<Vec<T>> {
        let [nx, ny, _] = self.shape.size;
        let [_, pitch, plane] = self.shape.step.map(|n| n as usize);
        let count = planes.len() * plane;
        let values = self.download(array, planes.start as usize * plane, count)?;
        let rows = values.chunks(plane).flat_map(|plane| plane.chunks(pitch).take(ny as usize));
        Ok(rows.flat_map(|row| row[..nx as usize].iter().copied()).collect())
    }

    /// Sets the PE's own values, in the order of [`Field::read`].
    pub fn write(&self, array: u32, planes: Range<u32>, values: &[T]) -> Result<()> {
        let [nx, ny, _] = self.shape.size.map(|n| n as usize);
        let [_, pitch, plane] = self.shape.step.map(|n| n as usize);
        for (z, own) in planes.zip(values.chunks(nx * ny)) {
            let mut padded = vec![T::NAN; plane];
            padded.chunks_mut(pitch).zip(own.chunks(nx)).for_each(|(to, from)| to[..nx].copy_from_slice(from));
            self.upload(array, z as usize * plane, &padded)?;
        }
        Ok(())
    }

    /// The PE's own cells in some planes.
    fn part(&self, planes: Range<u32>) -> Part {
        let [nx, ny, _] = self.shape.size;
        Part::new([0, 0, planes.start], [nx, ny, planes.end - planes.start], self.shape.volume, self.job.lanes())
    }

    /// Observes cells, in the order of [`Field::read`]. The last step must be complete.
    pub fn observe(&self, params: &Params<T>, planes: Range<u32>) -> Result<Vec<Observed>> {
        let Job { shmem, module, stream, .. } = self.job;
        let part = self.part(planes);
        let cells = part.cells() as usize;
        let out = shmem.device_alloc::<f64>(5 * cells)?;
        let buffer = (self.done & 1) as u32;
        let args = (self.memory(), self.shape, *params, buffer, part, out.device_ptr());
        // SAFETY: the box holds only the PE's cells, `out` has five elements for each, and no kernel changes the
        // arrays.
        unsafe { stream.launch(module, T::OBSERVE, self.grid(part.tiles), args)? };
        stream.synchronize()?;
        let values = out.to_vec()?;
        let at = |n: usize, i: usize| values[n * cells + i];
        let shown = |i| Observed { phi: at(0, i), pressure: at(1, i), velocity: [at(2, i), at(3, i), at(4, i)] };
        Ok((0..cells).map(shown).collect())
    }

    /// Returns a hash of the bits of the PE's own cells. The sum over all PEs, modulo 2⁶⁴, is the same for any number
    /// of PEs. The last step must be complete.
    pub fn hash(&self) -> Result<u64> {
        let Job { shmem, module, stream, .. } = self.job;
        let (part, sum) = (self.part(0..self.shape.size[2]), words_on_gpu(shmem, &[0])?);
        let args = (self.memory(), self.shape, (self.done & 1) as u32, part, self.watch(0), sum.device_ptr());
        // SAFETY: the arrays have this shape, the box holds only the PE's cells, `sum` has one word, and no kernel
        // changes the arrays.
        unsafe { stream.launch(module, T::HASH, self.grid(part.tiles), args)? };
        stream.synchronize()?;
        Ok(sum.to_vec()?[0])
    }

    /// The arrays that make up a state: `f`, `a`, `b`, `g`, `φ`.
    pub fn state(&self) -> impl Iterator<Item = u32> + use<T> {
        state(self.done)
    }

    /// Returns density and `φ` of a cell of the whole box, on all PEs. Collective.
    pub fn values(&self, cell: [u64; 3]) -> Result<[f64; 2]> {
        let Region { first, size } = self.region;
        let [x, y, z] = std::array::from_fn(|d| cell[d].wrapping_sub(first[d].into()));
        let is_own = [x, y, z].into_iter().zip(size).all(|(at, n)| at < n.into());
        let mut own = [0.0; 3];
        if is_own {
            let at = (y * u64::from(size[0]) + x) as usize;
            let value = |array| Ok::<f64, anyhow::Error>(self.read(array, z as u32..z as u32 + 1)?[at].into());
            let buffer = (self.done & 1) as usize;
            let excess = (0..19).map(|i| value(arrays::G[buffer] + i)).sum::<Result<f64>>()?;
            own = [1.0, 1.0 + excess, value(arrays::PHI)?];
        }
        let all = to_all(self.job.shmem, own)?;
        Ok(all.iter().find(|pe| pe[0] == 1.0).map_or([f64::NAN; 2], |pe| [pe[1], pe[2]]))
    }

    /// The first step in which a cell of any PE was not sound, and the cell. Collective.
    pub fn bad(&self) -> Result<Option<(u64, [u64; 3])>> {
        let own = self.watched.to_vec()?[0];
        let first = to_all(self.job.shmem, [own])?.into_iter().map(|[note]| note).min().unwrap_or(own);
        Ok(self.watch(0).read(first))
    }
}

/// The arrays that say all about a state of `done` steps: `f`, `a`, `b`, `g`, `φ`.
pub fn state(done: u64) -> impl Iterator<Item = u32> {
    let buffer = (done & 1) as usize;
    let f = arrays::F[buffer]..arrays::F[buffer] + 7;
    let g = arrays::G[buffer]..arrays::G[buffer] + 19;
    f.chain(arrays::A..arrays::B + 3).chain(g).chain([arrays::PHI])
}
