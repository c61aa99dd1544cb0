//! Arrays that are larger than a GPU's memory: each GPU has a software cache for them, through which its kernels read
//! and write elements by index. `cushmem_device::DeviceArray` is the kernels' side, [`cushmem_protocol::lines`] the
//! protocol of the cache's lines, and [`files`](crate::service::files) what the proxy does for files.
//!
//! *Where elements are*: in GPU memory or host memory of all PEs, in parts of equal length that are a whole number of
//! lines, one behind the other in the order of PEs; or in a file, which every PE opens.
//!
//! *The CPU's part* of the cache's protocol is to write back and to forget lines while no kernel uses the array: it
//! copies the words of all lines from the GPU, and back after it has changed them.

use crate::api::sym::{DeviceBuffer, SymSlice};
use crate::error::{Cause, Error, Result};
use crate::service::files::OpenFile;
use crate::sync::call::{Argument, Call};
use crate::{Shmem, Word};
use cushmem_abi::{ARRAY_ELSEWHERE, ArrayHead, LEAST_LINE_BYTES, MOST_LINE_BYTES};
use cushmem_device::{ArrayMode, ArrayParts, DeviceArray};
use cushmem_environment::log;
use cushmem_path::{ArrayAccess, RemoteKind};
use cushmem_protocol::lines::{BUSY, DIRTY, USERS, VALID, slot_of};
use std::mem::offset_of;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Words of the head.
const HEAD_WORDS: usize = size_of::<ArrayHead>() / 8;
/// How many bytes of slots a flush to a file copies at once, at most: a line or more.
const COPIED_AT_ONCE: usize = 1 << 18;
/// The most slots, and the most lines: three numbers are kept for other things.
const MOST: u64 = u32::MAX as u64 - 2;
const _: () = assert!(MOST <= ARRAY_ELSEWHERE as u64, "a slot would be taken for none");

/// Where the elements of an array are.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Backing {
    Gpu,
    Host,
    File(PathBuf),
}

/// Describes an array for [`ArrayBuilder::create`]. [`SymArray`] has an example.
#[must_use = "nothing is created before `create`"]
pub struct ArrayBuilder<'a> {
    shmem: &'a Shmem,
    /// What the caller has called, for messages.
    routine: &'static str,
    len: usize,
    backing: Backing,
    line_bytes: usize,
    slots: Option<usize>,
    mode: ArrayMode,
}

/// # Arrays larger than a GPU
impl Shmem {
    /// Describes an array of `n` elements, spread over the GPU memory of all PEs, whose elements kernels read and write
    /// by index. [`SymArray`] has an example.
    pub fn array(&self, n: usize) -> ArrayBuilder<'_> {
        self.array_by(ROUTINE, n)
    }

    /// [`Shmem::array`] for a caller of another routine.
    pub(crate) fn array_by(&self, routine: &'static str, n: usize) -> ArrayBuilder<'_> {
        let (backing, mode) = (Backing::Gpu, ArrayMode::ReadWrite);
        ArrayBuilder { shmem: self, routine, len: n, backing, line_bytes: 4096, slots: None, mode }
    }
}

impl<'a> ArrayBuilder<'a> {
    /// The most that [`ArrayBuilder::slots`] takes.
    pub const MOST_SLOTS: usize = MOST as usize;

    /// Spreads the elements over the host memory of all PEs instead.
    pub fn on_host(self) -> Self {
        Self { backing: Backing::Host, ..self }
    }

    /// Has the elements in a file instead, the first at its start, as their bytes are in memory. Every PE opens the
    /// file by this path. If kernels may write, it is created and made long enough.
    pub fn in_file(self, path: impl AsRef<Path>) -> Self {
        Self { backing: Backing::File(path.as_ref().to_owned()), ..self }
    }

    /// Sets the bytes of a line, which is what a miss fetches: a power of two from 512 to 65,536. The default is 4,096.
    pub fn line_bytes(self, line_bytes: usize) -> Self {
        Self { line_bytes, ..self }
    }

    /// Sets how many lines the cache of each GPU has room for. With 0 there is no cache: kernels load and store
    /// elements where they are, which must be in memory that the GPUs of all PEs reach. By default, the policy of paths
    /// decides whether there is a cache, which then has 1,024 slots.
    pub fn slots(self, slots: usize) -> Self {
        Self { slots: Some(slots), ..self }
    }

    /// Sets what kernels may do. The default is to read and to write.
    pub fn mode(self, mode: ArrayMode) -> Self {
        Self { mode, ..self }
    }

    /// Creates the array. Collective: all PEs describe the same array; it is created on all of them or on none.
    /// Elements in memory have arbitrary values at first. [`SymArray`] has an example.
    pub fn create<T: Word>(self) -> Result<SymArray<'a, T>> {
        let Self { shmem, routine, .. } = self;
        let shape = self.shape::<T>()?;
        shmem.gpus(routine)?;
        let backing = match self.backing {
            Backing::Gpu => 0,
            Backing::Host => 1,
            Backing::File(_) => 2,
        };
        let kind = self.mode as u64 | backing << 8;
        shmem.meet_in(&Call::new(
            routine,
            &[
                Argument::Number("bytes", shape.bytes),
                Argument::Number("bytes of a line", self.line_bytes as u64),
                Argument::Number("slots", self.slots.map_or(u64::MAX, |slots| slots as u64)),
                Argument::Number("kind", kind),
            ],
        ));
        let elements = match self.backing {
            Backing::Gpu => Some(shmem.malloc_gpu(shape.per_pe)?),
            Backing::Host => Some(shmem.malloc(shape.per_pe)?),
            Backing::File(_) => None,
        };
        let made = self.parts(&shape, elements);
        let agreed = shmem.job().agree(routine, made.as_ref().map(drop).map_err(|error| error.cause().to_string()));
        if let (Err(_), Some(elements)) = (&agreed, elements) {
            shmem.free(elements)?;
        }
        agreed.and(made)
    }

    /// The sizes, or what is wrong with the description.
    fn shape<T: Word>(&self) -> Result<Shape> {
        let wrong = |text: String| Err(Error::new(self.routine, Cause::Mismatch(text)));
        let Self { len, line_bytes, .. } = *self;
        if !line_bytes.is_power_of_two() || !(LEAST_LINE_BYTES..=MOST_LINE_BYTES).contains(&line_bytes) {
            return wrong(format!(
                "a line of {line_bytes} bytes is not a power of two from {LEAST_LINE_BYTES} to {MOST_LINE_BYTES}"
            ));
        }
        if let Some(slots) = self.slots.filter(|slots| *slots as u64 > MOST) {
            return wrong(format!("{slots} slots are out of range (0 to {MOST})"));
        }
        if self.slots == Some(0) && matches!(self.backing, Backing::File(_)) {
            return wrong(format!("an array in a file has a cache: 0 slots are out of range (1 to {MOST})"));
        }
        if self.mode == ArrayMode::Accumulate && matches!(self.backing, Backing::File(_)) {
            return wrong("an array for accumulation is in memory: nobody adds to a file".to_owned());
        }
        let line = line_bytes / size_of::<T>();
        let most = MOST.saturating_mul(line as u64).min(isize::MAX as u64 / size_of::<T>() as u64);
        if !(1..=most).contains(&(len as u64)) {
            return wrong(format!("{len} elements of {} bytes are out of range (1 to {most})", size_of::<T>()));
        }
        let lines = len.div_ceil(line);
        let per_pe = lines.div_ceil(self.shmem.n_pes() as usize) * line;
        let shift = line.trailing_zeros();
        Ok(Shape { len, bytes: (len * size_of::<T>()) as u64, line_bytes, lines, per_pe, shift })
    }

    /// How many slots this PE's cache has; 0 if there is none. The GPUs have been started.
    fn slots_here(&self) -> Result<usize> {
        let remote = match self.backing {
            // An array for accumulation has no cache.
            _ if self.mode == ArrayMode::Accumulate => return Ok(0),
            Backing::File(_) => return Ok(self.slots.unwrap_or(DEFAULT_SLOTS)),
            Backing::Gpu => RemoteKind::Gpu,
            Backing::Host => RemoteKind::Host,
        };
        let paths = self.shmem.transfers().paths();
        match self.slots {
            Some(0) => match paths.policy().array_in_place(remote) {
                Ok(()) => Ok(0),
                Err(why) => {
                    let text = format!("an array without a cache needs loads and stores, but {why}");
                    Err(Error::new(self.routine, Cause::Mismatch(text)))
                }
            },
            Some(slots) => Ok(slots),
            None => {
                let ArrayAccess { in_place, why } = paths.array(remote);
                let how = if in_place { "accessed in place" } else { "cached" };
                log!(Debug, "an array in {remote} memory whose slots are not given is {how} ({why})");
                Ok(if in_place { 0 } else { DEFAULT_SLOTS })
            }
        }
    }

    /// This PE's cache and, if there is one, its file.
    fn parts<T: Word>(&self, shape: &Shape, elements: Option<SymSlice<'a, T>>) -> Result<SymArray<'a, T>> {
        let shmem = self.shmem;
        let slots = self.slots_here()?;
        let lines = if slots == 0 { 0 } else { shape.lines };
        let data = shmem.device_alloc::<T>(slots << shape.shift)?;
        let control = shmem.device_alloc::<u64>(HEAD_WORDS + slots + lines)?;
        let file = match &self.backing {
            Backing::File(path) => {
                let opened = OpenFile::open(path, shape.bytes, self.mode == ArrayMode::ReadWrite);
                let file = Arc::new(opened.map_err(failed)?);
                let name = shmem.services().files.add(file.clone());
                Some((file, name))
            }
            _ => None,
        };
        let mut words = vec![0u64; HEAD_WORDS + slots + lines];
        let start = control.device_ptr().address();
        let own = elements.map_or(0, |elements| elements.device_ptr().address());
        let [index, generation] = file.as_ref().map_or([0, 0], |(_, name)| *name);
        for (offset, word) in [
            (offset_of!(ArrayHead, elements), own),
            (offset_of!(ArrayHead, lines_per_pe), (shape.per_pe >> shape.shift) as u64),
            (offset_of!(ArrayHead, line_bytes), shape.line_bytes as u64),
            (offset_of!(ArrayHead, bytes), shape.bytes),
            (offset_of!(ArrayHead, slots), slots as u64),
            (offset_of!(ArrayHead, data), data.device_ptr().address()),
            (offset_of!(ArrayHead, owners), start + 8 * HEAD_WORDS as u64),
            (offset_of!(ArrayHead, states), start + 8 * (HEAD_WORDS + slots) as u64),
            (offset_of!(ArrayHead, file), u64::from(index) | u64::from(generation) << 32),
        ] {
            words[offset / 8] = word;
        }
        // Before there is an array: it would write back what the words of a new allocation say.
        if let Err(error) = control.copy_from(&words) {
            if let Some((_, [index, _])) = file {
                shmem.services().files.remove(index);
            }
            return Err(error);
        }
        Ok(SymArray { shmem, elements, file, data, control, shape: *shape, slots, mode: self.mode })
    }
}

const ROUTINE: &str = "array";
/// Slots of a cache, if the program does not say how many.
const DEFAULT_SLOTS: usize = 1024;

#[cold]
fn failed(why: String) -> Error {
    Error::new(ROUTINE, Cause::System(why))
}

/// The sizes of an array.
#[derive(Clone, Copy, Debug)]
struct Shape {
    len: usize,
    bytes: u64,
    line_bytes: usize,
    lines: usize,
    /// Elements of each PE's part.
    per_pe: usize,
    /// The binary logarithm of the elements of a line.
    shift: u32,
}

/// An array of elements in the GPU memory or host memory of all PEs, or in a file, which may be larger than a GPU's
/// memory. Kernels get [`SymArray::device`], with which they read and write elements by index; lines of the array are
/// cached in the memory of their GPU.
///
/// A kernel sees what kernels of its PE have written. What one PE has written is seen by others after
/// [`SymArray::flush`] there, a barrier, and [`SymArray::invalidate`] here, or their counterparts in kernels; at a
/// time, only one PE may write elements of a line. Elements of a PE's own part in GPU memory are not cached on that PE:
/// its kernels load and store them in place. `docs/arrays.md` says more.
///
/// Dropping it writes back what kernels have written, unless the thread panics, and does not free the symmetric memory
/// of the elements, which is collective: [`SymArray::free`] frees all memory, and returns an error of the last flush,
/// where a drop can only log it.
///
/// ```no_run
/// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
/// use cushmem::ArrayMode;
///
/// // 80 GB in host memory, 4 GiB of cache on each GPU.
/// let edges = shmem.array(10_000_000_000).on_host().line_bytes(4096).slots(1 << 20).create::<u64>()?;
/// let part = edges.part().expect("it is in memory");
/// part.slice(..3).copy_from(&[1, 2, 3])?;
/// shmem.barrier_all()?;
/// // A kernel gets `edges.device()`.
/// edges.free()?;
/// // The same numbers in a file that exists.
/// let edges = shmem.array(10_000_000_000).in_file("edges.bin").mode(ArrayMode::ReadOnly).create::<u64>()?;
/// # edges.free()?;
/// # Ok(()) }) }
/// ```
pub struct SymArray<'a, T: Word> {
    shmem: &'a Shmem,
    elements: Option<SymSlice<'a, T>>,
    /// With its number and generation.
    file: Option<(Arc<OpenFile>, [u32; 2])>,
    data: DeviceBuffer<'a, T>,
    /// The head, the words of slots, and those of lines.
    control: DeviceBuffer<'a, u64>,
    shape: Shape,
    /// 0 without a cache.
    slots: usize,
    mode: ArrayMode,
}

impl<'a, T: Word> SymArray<'a, T> {
    /// Returns the number of elements.
    #[allow(clippy::len_without_is_empty)] // an array has elements
    pub fn len(&self) -> usize {
        self.shape.len
    }

    /// Returns the number of elements of a line.
    pub fn line_len(&self) -> usize {
        1 << self.shape.shift
    }

    /// Returns the array as kernels of this PE take it.
    pub fn device(&self) -> DeviceArray<T> {
        let start = self.control.device_ptr().address();
        let Shape { len, per_pe, shift, .. } = self.shape;
        // Loads and stores of this GPU's own memory are faster than the cache, and need no copy.
        let direct = if self.elements.is_some_and(|elements| elements.is_gpu()) { per_pe as u64 } else { 0 };
        DeviceArray::of(&ArrayParts {
            head: start,
            data: self.data.device_ptr().address(),
            states: start + 8 * (HEAD_WORDS + self.slots) as u64,
            own: self.elements.map_or(0, |elements| elements.device_ptr().address()),
            len: len as u64,
            per_pe: per_pe as u64,
            first: u64::from(self.shmem.my_pe()) * per_pe as u64,
            direct,
            shift,
            mode: self.mode,
            is_file: self.file.is_some(),
            in_place: self.slots == 0,
        })
    }

    /// Returns the memory with each PE's part of the elements, in the order of PEs, or `None` if they are in a file.
    /// The part of a PE whose [`SymArray::range`] is shorter has no elements at its end.
    pub fn part(&self) -> Option<SymSlice<'a, T>> {
        self.elements
    }

    /// Returns the indices of the elements in PE `pe`'s part; none if they are in a file.
    pub fn range(&self, pe: u32) -> Range<usize> {
        let per_pe = if self.elements.is_some() { self.shape.per_pe } else { 0 };
        let at = |pe: usize| pe.saturating_mul(per_pe).min(self.shape.len);
        at(pe as usize)..at(pe as usize + 1)
    }

    /// Writes back all lines that this PE's kernels have written to; no kernel uses the array at that time. On return,
    /// the elements are where they belong; for a file, on the storage device.
    pub fn flush(&self) -> Result<()> {
        if self.mode != ArrayMode::ReadWrite {
            return self.shmem.quiet();
        }
        let (_, mut states) = self.words()?;
        let mut dirty = self.lines_in_slots(&states).filter(|(line, _)| states[*line] & DIRTY != 0).collect::<Vec<_>>();
        dirty.sort_unstable_by_key(|(_, slot)| *slot);
        let written = match (self.elements, &self.file) {
            (Some(elements), _) => self.put_lines(elements, &dirty),
            (_, Some((file, _))) => self.write_lines(file, &dirty),
            (None, None) => unreachable!("elements are somewhere"),
        };
        // Also after an error, as puts may be under way from the slots.
        let complete = self.shmem.quiet();
        written.and(complete)?;
        if let Some((file, _)) = &self.file {
            file.sync().map_err(failed)?;
        }
        if !dirty.is_empty() {
            dirty.iter().for_each(|(line, _)| states[*line] &= !DIRTY);
            self.write(HEAD_WORDS + self.slots, &states)?;
        }
        Ok(())
    }

    /// Puts these lines, which are in these slots, to where they belong. They are complete after a quiet.
    fn put_lines(&self, elements: SymSlice<'_, T>, lines: &[(usize, usize)]) -> Result<()> {
        let Shape { per_pe, shift, .. } = self.shape;
        lines.iter().try_for_each(|&(line, slot)| {
            let (pe, at) = ((line << shift) / per_pe, (line << shift) % per_pe);
            let slot = self.data.slice(slot << shift..(slot + 1) << shift);
            self.shmem.put_nbi(elements.slice(at..at + self.line_len()), slot, pe as u32)
        })
    }

    /// Writes these lines, which are in these slots, to the file. Slots that follow each other are copied to the CPU
    /// together. The writes go to the page cache, and from there to the device together, when the file is synchronised.
    fn write_lines(&self, file: &OpenFile, lines: &[(usize, usize)]) -> Result<()> {
        let Shape { bytes, line_bytes, shift, .. } = self.shape;
        let mut buffer = vec![0u8; COPIED_AT_ONCE];
        let most = COPIED_AT_ONCE / line_bytes;
        for run in lines.chunk_by(|a, b| a.1 + 1 == b.1).flat_map(|run| run.chunks(most)) {
            let (first, n) = (run[0].1, run.len());
            let from = self.data.slice(first << shift..(first + n) << shift).device_ptr().address();
            let to = buffer.as_mut_ptr().expose_provenance() as u64;
            // SAFETY: the buffer has room for as many lines, and the call waits for the copy.
            unsafe { self.shmem.transfers().copy_and_wait(to, from, n * line_bytes) }?;
            for (&(line, _), content) in run.iter().zip(buffer.chunks(line_bytes)) {
                let offset = (line * line_bytes) as u64;
                let n = (bytes - offset).min(line_bytes as u64) as usize;
                file.write_at(&content[..n], offset).map_err(failed)?;
            }
        }
        Ok(())
    }

    /// Forgets all lines that were not written to since the last flush, so that kernels fetch them again; no kernel
    /// uses the array at that time.
    pub fn invalidate(&self) -> Result<()> {
        let (mut owners, mut states) = self.words()?;
        let clean = self.lines_in_slots(&states).filter(|(line, _)| states[*line] & DIRTY == 0).collect::<Vec<_>>();
        for (line, slot) in clean {
            (states[line], owners[slot]) = (0, 0);
        }
        self.write(HEAD_WORDS, &owners)?;
        self.write(HEAD_WORDS + self.slots, &states)
    }

    /// Frees the array, with all elements that are in memory. Collective; no kernel uses the array any more. Lines that
    /// were written to are written back before.
    pub fn free(mut self) -> Result<()> {
        let flushed = self.flush();
        let elements = self.elements.take();
        // What was flushed to memory goes with it; a file stays.
        self.mode = ArrayMode::ReadOnly;
        let freed = match elements {
            Some(elements) => self.shmem.free(elements),
            None => {
                self.shmem.meet_in(&Call::new("array_free", &[]));
                Ok(())
            }
        };
        freed.and(flushed)
    }

    /// The words of slots, and those of lines.
    fn words(&self) -> Result<(Vec<u64>, Vec<u64>)> {
        let mut owners = self.control.to_vec()?.split_off(HEAD_WORDS);
        let states = owners.split_off(self.slots);
        let stuck = states.iter().position(|state| state & (BUSY | USERS) != 0);
        if let Some(line) = stuck {
            let why = format!("a kernel uses line {line}, or has ended with an error while it did");
            return Err(Error::new(ROUTINE, Cause::Mismatch(why)));
        }
        Ok((owners, states))
    }

    /// The lines that are in a slot, with the slot.
    fn lines_in_slots(&self, states: &[u64]) -> impl Iterator<Item = (usize, usize)> {
        let there = |(line, state): (usize, &u64)| (state & VALID != 0).then(|| (line, slot_of(*state) as usize));
        states.iter().enumerate().filter_map(there)
    }

    /// Writes words of the control area from this one on.
    fn write(&self, first: usize, words: &[u64]) -> Result<()> {
        let (to, from) = (self.control.device_ptr().add(first).address(), words.as_ptr().expose_provenance() as u64);
        // SAFETY: the area has as many words there, and the call waits for the copy.
        unsafe { self.shmem.transfers().copy_and_wait(to, from, size_of_val(words)) }
    }
}

impl<T: Word> Drop for SymArray<'_, T> {
    fn drop(&mut self) {
        let flushed = match self.mode {
            ArrayMode::ReadOnly | ArrayMode::Accumulate => Ok(()),
            // A kernel may wait for this PE for ever.
            ArrayMode::ReadWrite if std::thread::panicking() => Err("in a panic, nothing is written back".to_owned()),
            ArrayMode::ReadWrite => self.flush().map_err(|error| error.to_string()),
        };
        if let Err(why) = flushed {
            let place = self.file.as_ref().map_or(String::new(), |(file, _)| format!(" in {}", file.path().display()));
            log!(Error, "an array{place} was dropped, and what kernels wrote to it may be lost: {why}");
        }
        if let Some((_, [index, _])) = self.file {
            self.shmem.services().files.remove(index);
        }
    }
}
