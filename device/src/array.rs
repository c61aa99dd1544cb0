//! Arrays that are larger than this GPU's memory, read and written by index through a software cache in it.
//! [`cushmem_protocol::lines`] has the protocol of the lines, and `array_lines.rs` fetches them.
//!
//! Lanes of a warp that want the same line at the same time ask for it together: one of them pins it, all of them read
//! or write, and the same one unpins it. A warp has at most one missing line pinned at a time, as the protocol demands.

use crate::array_elements::{Access, Any, Elements, Own, Place};
use crate::array_lines::{self, Cache, flush, forget};
use crate::fail::fail;
use crate::{AtomicNumber, Ctx, DevPtr, Scope, Word, arch, my_pe};
use cushmem_abi::{ARRAY_WORDS, ArrayHead, ArrayMode, ErrorCode};
use cushmem_protocol::lines;

/// In [`DeviceArray::kind`]: the lanes of a warp that want the same line fetch it, rather than all lanes of the warp.
const BY_GROUPS: u32 = 1 << 8;
/// In [`DeviceArray::kind`]: there is no cache.
const IN_PLACE: u32 = 1 << 9;
/// In [`DeviceArray::kind`]: bits that are never set, which no compiler knows.
const NEVER: u32 = 16;
/// All lanes of a warp.
const WARP: u32 = u32::MAX;
/// Instead of a slot: the line is in none.
const NONE: u32 = u32::MAX;
/// Instead of a slot: nobody has looked for the line.
const UNKNOWN: u32 = u32::MAX - 1;

/// A cached array of the host (`SymArray`) as kernels of this PE see it. Kernels take it as a parameter.
///
/// All accesses are relaxed, and whole words. A kernel sees what kernels of its PE wrote; the host's `SymArray` says
/// when it sees what other PEs wrote. A miss waits for the line; a wait that is too long, an index that is too large,
/// and an access that the mode forbids end the kernel with a message. So does, with the job, an error of the file.
///
/// ```
/// use cushmem_device::{Block, DevPtr, DeviceArray, Scope, kernels, thread_idx_x};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One block. Copies the elements with these indices.
///     pub unsafe fn gather(array: DeviceArray<f32>, indices: DevPtr<u64>, n: usize, to: DevPtr<f32>) {
///         let mut i = thread_idx_x() as usize;
///         while i < n {
///             to.add(i).write(array.read(indices.add(i).read()));
///             i += Block.lanes();
///         }
///     }
/// }
/// ```
#[repr(C)]
pub struct DeviceArray<T> {
    head: DevPtr<ArrayHead>,
    /// The slots.
    data: DevPtr<T>,
    states: DevPtr<u64>,
    /// This PE's part of the elements.
    own: DevPtr<T>,
    len: u64,
    /// Elements of each PE's part.
    per_pe: u64,
    /// The elements that this PE's lanes access without the cache: the index of the first one, and how many.
    first: u64,
    direct: u64,
    /// The binary logarithm of the elements of a line.
    shift: u32,
    /// An [`ArrayMode`], perhaps with [`BY_GROUPS`] and [`IN_PLACE`].
    kind: u32,
}

impl<T> Clone for DeviceArray<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for DeviceArray<T> {}

/// What a [`DeviceArray`] is made of.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct ArrayParts {
    pub head: u64,
    pub data: u64,
    pub states: u64,
    pub own: u64,
    pub len: u64,
    pub per_pe: u64,
    pub first: u64,
    pub direct: u64,
    pub shift: u32,
    pub mode: ArrayMode,
    pub is_file: bool,
    pub in_place: bool,
}

impl<T: Word> DeviceArray<T> {
    #[doc(hidden)]
    pub fn of(parts: &ArrayParts) -> Self {
        let ArrayParts { head, data, states, own, len, per_pe, first, direct, shift, mode, is_file, in_place } = *parts;
        Self {
            head: DevPtr::from_address(head),
            data: DevPtr::from_address(data),
            states: DevPtr::from_address(states),
            own: DevPtr::from_address(own),
            len,
            per_pe,
            first,
            direct,
            shift,
            kind: mode as u32 | if is_file { BY_GROUPS } else { 0 } | if in_place { IN_PLACE } else { 0 },
        }
    }

    /// The array with the words of [`DeviceArray::to_words`].
    #[doc(hidden)]
    #[inline(always)]
    pub const fn of_words(words: [u64; ARRAY_WORDS]) -> Self {
        let [head, data, states, own, len, per_pe, first, direct, shape] = words;
        let (head, states) = (DevPtr::from_address(head), DevPtr::from_address(states));
        let [data, own] = [DevPtr::from_address(data), DevPtr::from_address(own)];
        Self { head, data, states, own, len, per_pe, first, direct, shift: shape as u32, kind: (shape >> 32) as u32 }
    }

    /// The words that the array is in memory.
    #[doc(hidden)]
    #[inline(always)]
    pub fn to_words(&self) -> [u64; ARRAY_WORDS] {
        let Self { head, data, states, own, len, per_pe, first, direct, .. } = *self;
        let [head, data, states, own] = [head.address(), data.address(), states.address(), own.address()];
        [head, data, states, own, len, per_pe, first, direct, self.shape()]
    }

    /// Returns the number of elements.
    #[inline(always)]
    #[allow(clippy::len_without_is_empty)] // an array has elements
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns an element. [`DeviceArray`] has an example.
    ///
    /// # Safety
    /// The array exists until the kernel has ended.
    #[inline(always)]
    pub unsafe fn read(&self, index: u64) -> T {
        if self.is_cached(index) {
            // SAFETY: the caller guarantees that the array exists, and the index is in range.
            return T::of_command(unsafe { self.in_slot(Access { index, writes: false, value: 0 }) });
        }
        self.check(index);
        match self.own(index) {
            // SAFETY: the caller guarantees that the array exists, and the element is in this PE's part.
            Some(own) => unsafe { T::load_relaxed_sys(own) },
            None => {
                let (own, pe) = self.there(index);
                // SAFETY: the caller guarantees that the array exists, which is in memory, and the index is in range.
                unsafe { Ctx::DEFAULT.g(own, pe) }
            }
        }
    }

    /// Stores an element. Other PEs see it after [`DeviceArray::flush`] here and [`DeviceArray::invalidate`] there,
    /// with a barrier in between. At a time, only one PE may write elements of a line; [`DeviceArray::line_of`] says
    /// which elements these are.
    ///
    /// ```
    /// use cushmem_device::{Block, DeviceArray, Scope, block_idx_x, kernels, thread_idx_x};
    /// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
    ///
    /// kernels! {
    ///     /// One block. Doubles `n` elements.
    ///     pub unsafe fn double(array: DeviceArray<f64>, first: u64, n: u64) {
    ///         let mut i = u64::from(thread_idx_x());
    ///         while i < n {
    ///             array.write(first + i, 2.0 * array.read(first + i));
    ///             i += Block.lanes() as u64;
    ///         }
    ///         array.flush(Block);
    ///     }
    /// }
    /// ```
    ///
    /// # Safety
    /// The array exists until the kernel has ended.
    #[inline(always)]
    pub unsafe fn write(&self, index: u64, value: T) {
        self.check(index);
        self.check_mode(ArrayMode::ReadWrite);
        // SAFETY: the caller guarantees that the array exists; the element is in this PE's part, where `there` says, or
        // in a slot that is pinned.
        unsafe {
            match self.own(index) {
                Some(own) => T::store_relaxed_sys(own, value),
                None if self.kind & IN_PLACE != 0 => {
                    let (own, pe) = self.there(index);
                    Ctx::DEFAULT.p(own, value, pe);
                }
                None => {
                    self.in_slot(Access { index, writes: true, value: value.to_command() });
                }
            }
        }
    }

    /// Adds to an element of an array for accumulation, by an atomic addition where the element is, which is complete
    /// after [`crate::quiet`]. No sum goes through the cache.
    ///
    /// ```
    /// use cushmem_device::{Block, DevPtr, DeviceArray, Scope, kernels, thread_idx_x};
    /// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
    ///
    /// kernels! {
    ///     /// One block. Counts keys.
    ///     pub unsafe fn count(counts: DeviceArray<u64>, keys: DevPtr<u32>, n: usize) {
    ///         let mut i = thread_idx_x() as usize;
    ///         while i < n {
    ///             counts.add(keys.add(i).read().into(), 1);
    ///             i += Block.lanes();
    ///         }
    ///         Block.quiet();
    ///     }
    /// }
    /// ```
    ///
    /// # Safety
    /// The array exists until the kernel has ended.
    #[inline(always)]
    pub unsafe fn add(&self, index: u64, value: T)
    where
        T: AtomicNumber,
    {
        self.check(index);
        self.check_mode(ArrayMode::Accumulate);
        let (own, pe) = self.there(index);
        // SAFETY: the caller guarantees that the array exists, and the element is at that place on `pe`.
        unsafe { Ctx::DEFAULT.atomic_add(own, value, pe) }
    }

    /// Returns the index of the first element of the line in which an element is, and the number of elements of a line.
    /// [`DeviceArray::flush`] has an example.
    #[inline(always)]
    pub fn line_of(&self, index: u64) -> (u64, u64) {
        (index >> self.shift << self.shift, 1 << self.shift)
    }

    /// Writes back all lines to which this PE's lanes have written: lanes of the scope, or lanes that have synchronised
    /// with it. All lanes of the scope call it. On return, the elements are where they belong, and a PE that learns of
    /// it sees them, unless it has old ones in its cache.
    ///
    /// ```
    /// use cushmem_device::{Block, DeviceArray, Scope, kernels, my_pe, n_pes, thread_idx_x};
    /// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
    ///
    /// kernels! {
    ///     /// One block. Writes an element, of a line of its own, and reads the next PE's.
    ///     pub unsafe fn pass_on(array: DeviceArray<u64>, value: u64) {
    ///         let (_, elements) = array.line_of(0);
    ///         if thread_idx_x() == 0 {
    ///             array.write(u64::from(my_pe()) * elements, value);
    ///         }
    ///         array.flush(Block);
    ///         Block.barrier_all();
    ///         array.invalidate(Block);
    ///         let _next = array.read(u64::from((my_pe() + 1) % n_pes()) * elements);
    ///     }
    /// }
    /// ```
    ///
    /// # Safety
    /// The array exists until the kernel has ended.
    #[inline(always)]
    pub unsafe fn flush<S: Scope>(&self, scope: S) {
        scope.sync();
        flush(self.head.address(), scope.lane() as u64, scope.lanes() as u64);
        scope.sync();
    }

    /// Forgets all lines that are not dirty, so that they are fetched again; lines that lanes of other scopes are
    /// fetching too, when they have come. All lanes of the scope call it, while no lane of the kernel is in a call for
    /// the array that waits for them. A line that other blocks read without a pause is waited for, up to the limit of
    /// the library's waits. [`DeviceArray::flush`] has an example.
    ///
    /// # Safety
    /// The array exists until the kernel has ended.
    #[inline(always)]
    pub unsafe fn invalidate<S: Scope>(&self, scope: S) {
        scope.sync();
        forget(self.head.address(), scope.lane() as u64, scope.lanes() as u64);
        scope.sync();
    }

    #[inline(always)]
    pub(crate) fn mode(&self) -> u32 {
        self.kind % BY_GROUPS
    }

    /// Whether there is an element with this index, which is read through the cache: one branch for all that is rare,
    /// as each branch holds up the look for the line.
    #[inline(always)]
    pub(crate) fn is_cached(&self, index: u64) -> bool {
        (index < self.len) & (index.wrapping_sub(self.first) >= self.direct) & (self.kind & IN_PLACE == 0)
    }

    #[inline(always)]
    fn shape(&self) -> u64 {
        pair(self.kind, self.shift)
    }

    #[inline(always)]
    pub(crate) fn check(&self, index: u64) {
        if index >= self.len {
            fail(ErrorCode::ArrayIndex, my_pe(), index, self.len);
        }
    }

    #[inline(always)]
    pub(crate) fn check_mode(&self, needed: ArrayMode) {
        if self.mode() != needed as u32 {
            fail(ErrorCode::ArrayMode, my_pe(), self.mode().into(), needed as u64);
        }
    }

    /// Where an element is that is accessed without the cache.
    #[inline(always)]
    pub(crate) fn own(&self, index: u64) -> Option<DevPtr<T>> {
        let at = index.wrapping_sub(self.first);
        (at < self.direct).then(|| self.own.add(at as usize))
    }

    /// Where an element is: at this symmetric address on this PE.
    #[inline(always)]
    pub(crate) fn there(&self, index: u64) -> (DevPtr<T>, u32) {
        (self.own.add((index % self.per_pe) as usize), (index / self.per_pe) as u32)
    }

    /// Accesses an element in its line's slot. Returns what was read.
    ///
    /// # Safety
    /// The array exists, and the index is in range.
    #[inline(always)]
    unsafe fn in_slot(&self, access: Access) -> u64 {
        // SAFETY: the caller guarantees the same.
        match unsafe { self.at_hand(access) } {
            Ok(read) => read,
            Err(slot) => {
                let Self { head, data, states, .. } = self;
                let how = pair(slot, access.writes.into());
                // SAFETY: the caller guarantees the same, and the slot is that of `at_hand`.
                unsafe {
                    let (head, data, states) = (head.address(), data.address(), states.address());
                    apart::<T>(head, data, states, self.shape(), access.index, how, access.value)
                }
            }
        }
    }

    /// Accesses an element if all lanes of the warp want one line that is at hand. Returns what was read, or the slot
    /// for [`apart`], which is known only if all lanes of the warp want its line.
    ///
    /// # Safety
    /// The conditions of [`DeviceArray::in_slot`]. After an error, this lane calls [`apart`] with the slot.
    #[inline(always)]
    pub(crate) unsafe fn at_hand(&self, access: Access) -> Result<u64, u32> {
        let mut slot = UNKNOWN;
        // Most often, a whole warp wants one line that it finds. If the compiler knows which lanes meet, it needs no
        // instructions to find out. All else is a call, so it takes no room here. A lane that sees that all lanes are
        // here goes on with all of them, because they see the same.
        if arch::activemask() == WARP {
            let line = self.line_with(access.index);
            let place = self.place(line, access.index, Own::<T>::NEW);
            let same = arch::match_any(WARP, self.key(line, access)) == WARP;
            let leads = same & (arch::lane_id() == 0);
            let states = Cache::states(self.states.address());
            let state = if leads { lines::look(&states, line) } else { 0 };
            let [low, high] = [state as u32, (state >> 32) as u32].map(|half| arch::shfl_idx(WARP, half, 0));
            let state = u64::from(high) << 32 | u64::from(low);
            if lines::is_at_hand(state) {
                let element = Some(place.in_slot(lines::slot_of(state)));
                // SAFETY: the caller guarantees that the array exists, and lane 0 has pinned the line.
                return Ok(unsafe { self.access((WARP, leads), line, element, access, Own::<T>::NEW) });
            }
            if same {
                let there = leads && lines::found(&states, line, state);
                slot = if arch::ballot(WARP, there) != 0 { lines::slot_of(state) } else { NONE };
            }
        }
        Err(slot)
    }

    /// [`DeviceArray::in_slot`] for any lanes that are here at the same time. With a `slot` that is not [`UNKNOWN`],
    /// all lanes of a warp call it for one line, which lane 0 has looked for, and has pinned in that slot unless it is
    /// [`NONE`].
    ///
    /// # Safety
    /// The conditions of [`DeviceArray::in_slot`].
    #[inline(always)]
    unsafe fn in_slots<E: Elements>(&self, access: Access, slot: u32, elements: E) -> u64 {
        let line = self.line_with(access.index);
        let place = self.place(line, access.index, elements);
        // Lanes in other calls may be here at the same time: for other arrays, or to write rather than to read. Nothing
        // says that lanes which came together still are: those that share a pin are named.
        let mask = if slot == UNKNOWN { arch::activemask() } else { WARP };
        let same = arch::match_any(mask, self.key(line, access));
        let leader = same.trailing_zeros();
        let leads = arch::lane_id() == leader;
        let slot = if slot == UNKNOWN {
            let states = Cache::states(self.states.address());
            let found = if leads { lines::hit(&states, line).unwrap_or(NONE) } else { NONE };
            arch::shfl_idx(same, found, leader)
        } else {
            slot
        };
        let mut result = 0;
        if slot != NONE {
            // SAFETY: the caller guarantees that the array exists, and the leader has pinned the line.
            result = unsafe { self.access((same, leads), line, Some(place.in_slot(slot)), access, elements) };
        }
        let missing = arch::ballot(mask, slot == NONE);
        if missing == 0 {
            return result;
        }
        let alike = arch::match_any(mask, self.head.address() | u64::from(access.writes));
        // When lanes begin to wait, the lines that were there are unpinned.
        arch::syncwarp(mask);
        if slot != NONE {
            return result;
        }
        // Where the lanes copy, all of them that miss a line of this array copy each line, which is faster. Where the
        // CPU does, each group of lanes asks for its line, so that the requests are under way together.
        let by_groups = self.kind & BY_GROUPS != 0 || arch::far();
        let mask = if by_groups { same } else { missing & alike };
        let leads = arch::lane_id() == mask.trailing_zeros();
        let mut left = mask;
        while left != 0 {
            let now = arch::shfl_idx(mask, line, left.trailing_zeros());
            let slot = array_lines::line(self.head.address(), mask, now);
            let is_mine = line == now;
            // SAFETY: the caller guarantees that the array exists, and the first lane has pinned the line.
            let read =
                unsafe { self.access((mask, leads), now, is_mine.then(|| place.in_slot(slot)), access, elements) };
            if is_mine {
                result = read;
            }
            left &= !arch::ballot(mask, is_mine);
        }
        result
    }

    /// The line of an element.
    #[inline(always)]
    fn line_with(&self, index: u64) -> u32 {
        (index >> self.shift) as u32
    }

    /// Lanes with the same key want the same line of the same array, all of them to read or all of them to write.
    #[inline(always)]
    fn key(&self, line: u32, access: Access) -> u64 {
        self.states.add(line as usize).address() | u64::from(access.writes)
    }

    #[inline(always)]
    fn place<E: Elements>(&self, line: u32, index: u64, elements: E) -> Place {
        let within = index - (u64::from(line) << self.shift);
        // The compiler would compute both where they are needed, when the slot is known.
        let in_first = arch::opaque((self.data.address() + within * elements.bytes() as u64) as usize) as u64;
        Place { in_first, line_bytes: arch::opaque(elements.bytes() << self.shift) as u32 }
    }

    /// Accesses an element, if this lane has one in this line, and then has the lane that `leads` unpin the line. All
    /// lanes of `group` call it together. Returns what was read.
    ///
    /// # Safety
    /// The array exists, and the lane that leads has pinned the line.
    #[inline(always)]
    unsafe fn access<E: Elements>(
        &self,
        (group, leads): (u32, bool),
        line: u32,
        element: Option<u64>,
        access: Access,
        elements: E,
    ) -> u64 {
        // What the one that leads has acquired, the others see after this.
        arch::syncwarp(group);
        let mut result = 0;
        if let Some(element) = element {
            // SAFETY: the array exists, and the line is pinned in the slot.
            unsafe {
                if access.writes {
                    elements.store(element, access.value);
                } else {
                    result = elements.load(element);
                }
            }
        }
        // 0, by way of what all these lanes have read there. What they have written comes before what one of them says
        // of it.
        let after = if access.writes {
            arch::syncwarp(group);
            0
        } else {
            u64::from(arch::ballot(group, result == 0) & self.kind >> NEVER)
        };
        if leads {
            let states = Cache::states(self.states.address());
            if access.writes {
                lines::wrote(&states, line);
            }
            lines::unpin(&states, line, after);
        }
        result
    }
}

const _: () = assert!(size_of::<DeviceArray<u64>>() == 8 * ARRAY_WORDS);

#[inline(always)]
fn pair(high: u32, low: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

/// [`DeviceArray::in_slots`], out of line. It takes numbers, because a kernel would put a structure into local memory.
///
/// # Safety
/// The conditions of [`DeviceArray::in_slots`].
#[inline(never)]
unsafe fn apart<T: Word>(head: u64, data: u64, states: u64, shape: u64, index: u64, how: u64, value: u64) -> u64 {
    // SAFETY: the caller guarantees the same.
    unsafe { in_slots(head, data, states, shape, index, how, value, Own::<T>::NEW) }
}

/// [`apart`] for elements with the binary logarithm of their bytes. It is for kernels in CUDA C++.
///
/// # Safety
/// The conditions of [`DeviceArray::in_slots`].
#[inline(always)]
#[allow(clippy::too_many_arguments)] // those of `apart`
pub(crate) unsafe fn apart_of_any(
    head: u64,
    data: u64,
    states: u64,
    shape: u64,
    index: u64,
    how: u64,
    value: u64,
    bytes_log: u32,
) -> u64 {
    // SAFETY: the caller guarantees the same.
    unsafe { in_slots(head, data, states, shape, index, how, value, Any(bytes_log)) }
}

#[inline(always)]
#[allow(clippy::too_many_arguments)] // those of `apart`
unsafe fn in_slots<E: Elements>(
    head: u64,
    data: u64,
    states: u64,
    shape: u64,
    index: u64,
    how: u64,
    value: u64,
    elements: E,
) -> u64 {
    let array = DeviceArray::<u8>::of_words([head, data, states, 0, 0, 0, 0, 0, shape]);
    let access = Access { index, writes: how as u32 != 0, value };
    // SAFETY: the caller guarantees the same.
    unsafe { array.in_slots(access, (how >> 32) as u32, elements) }
}
