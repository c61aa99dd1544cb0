use crate::engine::Smem;
use crate::{Ctx, DevPtr, TaskCall, arch, sync};
use cushmem_abi::{DeviceTaskQueue, DeviceTeam, DeviceTrigger, SignalOp};

/// The lanes that carry out an operation together. All of them call it, with the same arguments.
///
/// ```
/// use cushmem_device::{Block, DevPtr, Scope, block_idx_x, grid_dim_x, kernels, my_pe, n_pes};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// Blocks of any size. Copies `n` elements of the next PE's `field`, each block a part of them.
///     pub unsafe fn fetch(copy: DevPtr<f32>, field: DevPtr<f32>, n: usize) {
///         let (block, blocks) = (block_idx_x() as usize, grid_dim_x() as usize);
///         let (first, end) = (n * block / blocks, n * (block + 1) / blocks);
///         Block.get(copy.add(first), field.add(first), end - first, (my_pe() + 1) % n_pes());
///     }
/// }
/// ```
pub trait Scope: Copy {
    /// The number of 16-byte vectors that each lane keeps in flight while it copies; 0 if it has a word in flight.
    const UNROLL: usize;
    /// Whether it is a lane alone that has lent no shared memory.
    #[doc(hidden)]
    const IS_THREAD: bool = false;
    /// Returns this lane's number in the scope, counted from 0.
    fn lane(self) -> usize;
    /// Returns the number of lanes in the scope.
    fn lanes(self) -> usize;
    /// Waits for all lanes of the scope and orders their memory accesses.
    fn sync(self);
    /// Does what [`Scope::sync`] does, and returns whether `holds` is true on any of the lanes.
    fn any(self, holds: bool) -> bool;
    /// The shared memory that the lanes have lent.
    #[doc(hidden)]
    #[inline(always)]
    fn smem(self) -> Option<Smem> {
        None
    }

    /// Copies `n` elements to the symmetric object `dst` on PE `pe` (`shmem_put`, OpenSHMEM 1.6, 9.6). On return the
    /// source may be reused. The data is visible to all PEs after [`crate::quiet`]. The source may be in any memory
    /// that the lanes reach, also in shared memory or, for [`Thread`], on the stack ([`DevPtr::from_raw`]).
    ///
    /// # Safety
    /// `dst` (on `pe`) and `src` are valid for `n` elements of any alignment; nobody accesses `dst` at the same time.
    #[inline(always)]
    unsafe fn put<T: Copy>(self, dst: DevPtr<T>, src: DevPtr<T>, n: usize, pe: u32) {
        // SAFETY: the caller guarantees what this requires of both ranges.
        unsafe { Ctx::DEFAULT.put(self, dst, src, n, pe) }
    }

    /// Copies like [`Scope::put`], but the source may be reused only after [`crate::quiet`].
    ///
    /// # Safety
    /// The conditions of [`Scope::put`].
    #[inline(always)]
    unsafe fn put_nbi<T: Copy>(self, dst: DevPtr<T>, src: DevPtr<T>, n: usize, pe: u32) {
        // SAFETY: the caller guarantees what this requires of both ranges.
        unsafe { Ctx::DEFAULT.put_nbi(self, dst, src, n, pe) }
    }

    /// Copies `n` elements of the symmetric object `src` on PE `pe` to `dst` (`shmem_get`, OpenSHMEM 1.6, 9.6). On
    /// return all lanes of the scope may read them. `dst` may be in any memory that the lanes reach, as the source of
    /// [`Scope::put`].
    ///
    /// # Safety
    /// `dst` and `src` (on `pe`) are valid for `n` elements of any alignment; nobody writes `src` at the same time.
    #[inline(always)]
    unsafe fn get<T: Copy>(self, dst: DevPtr<T>, src: DevPtr<T>, n: usize, pe: u32) {
        // SAFETY: the caller guarantees what this requires of both ranges.
        unsafe { Ctx::DEFAULT.get(self, dst, src, n, pe) }
    }

    /// Copies like [`Scope::get`], but the copy is complete only after [`crate::quiet`]. It is complete for all lanes
    /// of the scope if one lane calls `quiet` between two calls of [`Scope::sync`].
    ///
    /// # Safety
    /// The conditions of [`Scope::get`].
    #[inline(always)]
    unsafe fn get_nbi<T: Copy>(self, dst: DevPtr<T>, src: DevPtr<T>, n: usize, pe: u32) {
        // SAFETY: the caller guarantees what this requires of both ranges.
        unsafe { Ctx::DEFAULT.get_nbi(self, dst, src, n, pe) }
    }

    /// Copies like [`Scope::put`], and then updates the signal `sig` on the same PE, in an order such that whoever sees
    /// the signal, for instance by [`crate::signal_wait_until`], sees the data (`shmem_put_signal`, OpenSHMEM 1.6,
    /// 9.8).
    ///
    /// # Safety
    /// The conditions of [`Scope::put`]; `sig` is a symmetric, aligned word.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)] // the specification's
    unsafe fn put_signal<T: Copy>(
        self,
        dst: DevPtr<T>,
        src: DevPtr<T>,
        n: usize,
        sig: DevPtr<u64>,
        value: u64,
        op: SignalOp,
        pe: u32,
    ) {
        // SAFETY: the caller guarantees what this requires of both ranges and the word.
        unsafe { Ctx::DEFAULT.put_signal(self, dst, src, n, sig, value, op, pe) }
    }

    /// Copies `n` elements to the symmetric object `dst` on PE `pe` (`shmem_iput`, OpenSHMEM 1.6, 9.6): every
    /// `src_stride`th element from `src` on to every `dst_stride`th from `dst` on. Both are at least 1, otherwise the
    /// kernel ends with a message. On return the source may be reused. The data is visible to all PEs after
    /// [`crate::quiet`]. Where the CPU copies, the call is one command, or one for each word if the source is in
    /// shared memory or on the stack.
    ///
    /// ```
    /// use cushmem_device::{Block, DevPtr, Scope, kernels, my_pe, n_pes};
    /// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
    ///
    /// kernels! {
    ///     /// One block. Puts the last column of a matrix of this PE into the first column of the next PE's.
    ///     pub unsafe fn shift(matrix: DevPtr<f32>, rows: usize, columns: usize) {
    ///         let (last, width) = (matrix.add(columns - 1), columns as isize);
    ///         Block.iput(matrix, last, width, width, rows, (my_pe() + 1) % n_pes());
    ///     }
    /// }
    /// ```
    ///
    /// # Safety
    /// The elements of `dst` (on `pe`) and `src` are valid and aligned; nobody accesses those of `dst` at the same
    /// time.
    #[inline(always)]
    unsafe fn iput<T: Copy>(
        self,
        dst: DevPtr<T>,
        src: DevPtr<T>,
        dst_stride: isize,
        src_stride: isize,
        n: usize,
        pe: u32,
    ) {
        // SAFETY: the caller guarantees what this requires of the elements.
        unsafe { Ctx::DEFAULT.iput(self, dst, src, dst_stride, src_stride, n, pe) }
    }

    /// Copies `n` elements of the symmetric object `src` on PE `pe` to `dst` (`shmem_iget`, OpenSHMEM 1.6, 9.6), with
    /// strides like [`Scope::iput`]. On return all lanes of the scope may read them.
    ///
    /// # Safety
    /// The elements of `dst` and `src` (on `pe`) are valid and aligned; nobody writes those of `src` at the same time.
    #[inline(always)]
    unsafe fn iget<T: Copy>(
        self,
        dst: DevPtr<T>,
        src: DevPtr<T>,
        dst_stride: isize,
        src_stride: isize,
        n: usize,
        pe: u32,
    ) {
        // SAFETY: the caller guarantees what this requires of the elements.
        unsafe { Ctx::DEFAULT.iget(self, dst, src, dst_stride, src_stride, n, pe) }
    }

    /// Copies like [`Scope::put_signal`], but the source may be reused only after [`crate::quiet`]
    /// (`shmem_put_signal_nbi`, OpenSHMEM 1.6, 9.8).
    ///
    /// # Safety
    /// The conditions of [`Scope::put_signal`].
    #[inline(always)]
    #[allow(clippy::too_many_arguments)] // the specification's
    unsafe fn put_signal_nbi<T: Copy>(
        self,
        dst: DevPtr<T>,
        src: DevPtr<T>,
        n: usize,
        sig: DevPtr<u64>,
        value: u64,
        op: SignalOp,
        pe: u32,
    ) {
        // SAFETY: the caller guarantees what this requires of both ranges and the word.
        unsafe { Ctx::DEFAULT.put_signal_nbi(self, dst, src, n, sig, value, op, pe) }
    }

    /// Copies `n` elements into a buffer of a queue of tasks on PE `pe`, and then runs a function of the program there
    /// on the GPU, which finds the data: no CPU of that PE takes part. `call` says which function, with which
    /// arguments, where in which buffer the data go, and what is signalled on this PE when the function has returned.
    /// On return the source may be reused. What the scope did before is ordered before the function only by a
    /// [`Scope::fence`]. [`TaskCall`] has an example.
    ///
    /// Waits if the queue's row for this PE's kernels is full, up to the limit of the library's waits. Then the kernel
    /// ends with a message that names the PE, as for a function, a buffer or a range that the queue does not have.
    ///
    /// # Safety
    /// `src` is valid for `n` elements. Nobody accesses that part of the buffer on `pe` until the function has it. The
    /// queue exists until the function has returned, and its requirements of the arguments are met.
    #[inline(always)]
    unsafe fn put_task<T: Copy>(self, queue: DeviceTaskQueue, call: TaskCall, src: DevPtr<T>, n: usize, pe: u32) {
        // SAFETY: the caller guarantees what this requires.
        unsafe { Ctx::DEFAULT.put_task(self, queue, call, src, n, pe) }
    }

    /// Adds `n` to a trigger's counter, once for the scope, after everything that its lanes wrote. If the trigger's
    /// operation is then due, it starts: the lanes of the scope carry it out or, where this GPU does not reach the
    /// memory, the CPU does. The operation's source must not change until the operation is complete. The CPU that made
    /// the trigger can see that it is, and the target can learn it from a signal. Where all PEs are mapped,
    /// [`crate::quiet`] does not wait for what is left to the CPU; [`Ctx::quiet`] of another context does.
    ///
    /// ```
    /// use cushmem_device::{DevPtr, DeviceTrigger, Scope, Warp, kernels, thread_idx_x};
    /// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
    ///
    /// kernels! {
    ///     /// Blocks of 128 lanes. Each warp fills its part of what the trigger puts, whose threshold is the number of warps.
    ///     pub unsafe fn produce(outbox: DevPtr<u32>, put: DeviceTrigger) {
    ///         outbox.add(thread_idx_x() as usize).write(thread_idx_x());
    ///         Warp.trigger(put, 1);
    ///     }
    /// }
    /// ```
    ///
    /// # Safety
    /// The trigger exists until the kernel has ended. Until then, whatever the operation names is valid, and nobody
    /// else accesses it in a way that an operation of its kind forbids.
    #[inline(always)]
    unsafe fn trigger(self, trigger: DeviceTrigger, n: u64) {
        // SAFETY: the caller guarantees that the trigger is valid.
        unsafe { Ctx::DEFAULT.trigger(self, trigger, n) }
    }

    /// Orders earlier puts of all lanes of the scope to each PE before their later ones to the same PE (`shmem_fence`,
    /// OpenSHMEM 1.6, 9.12). The lanes meet, and one of them executes the fence, which would otherwise cost as much in
    /// each lane.
    #[inline(always)]
    fn fence(self) {
        Ctx::DEFAULT.fence_by(self);
    }

    /// Completes the operations of all lanes of the scope: they are visible to all PEs, and later reads of these lanes
    /// do not return older values (`shmem_quiet`, OpenSHMEM 1.6, 9.12). The lanes meet, and one of them executes the
    /// fence, which would otherwise cost as much in each lane.
    ///
    /// ```
    /// use cushmem_device::{Block, DevPtr, Scope, kernels, my_pe, n_pes, p};
    /// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
    ///
    /// kernels! {
    ///     /// One block of `n` lanes. Each lane stores a number to the next PE, and one says that all are there.
    ///     pub unsafe fn tell(numbers: DevPtr<u32>, ready: DevPtr<u64>) {
    ///         let next = (my_pe() + 1) % n_pes();
    ///         p(numbers.add(Block.lane()), 42, next);
    ///         Block.quiet();
    ///         if Block.lane() == 0 {
    ///             p(ready, 1, next);
    ///         }
    ///     }
    /// }
    /// ```
    #[inline(always)]
    fn quiet(self) {
        Ctx::DEFAULT.quiet_by(self);
    }

    /// Waits until all PEs have called it (`shmem_barrier_all`, OpenSHMEM 1.6, 9.10). Stores that any PE made before on
    /// the default context, by any lane of the scope or by lanes that these have synchronised with, are then visible to
    /// all PEs. Only one scope of one kernel of a PE may be in it at a time.
    ///
    /// ```
    /// use cushmem_device::{Block, DevPtr, Scope, kernels, my_pe, n_pes, p};
    /// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
    ///
    /// kernels! {
    ///     /// One block. Stores this PE's number into `inbox` of all PEs; those of all PEs have come when it ends.
    ///     pub unsafe fn gather(inbox: DevPtr<u32>) {
    ///         let mut pe = Block.lane() as u32;
    ///         while pe < n_pes() {
    ///             p(inbox.add(my_pe() as usize), my_pe(), pe);
    ///             pe += Block.lanes() as u32;
    ///         }
    ///         Block.barrier_all();
    ///     }
    /// }
    /// ```
    #[inline(always)]
    fn barrier_all(self) {
        sync::barrier_all(self);
    }

    /// Waits like [`Scope::barrier_all`], but does not complete puts that other lanes issued without synchronising with
    /// this scope (`shmem_sync_all`, OpenSHMEM 1.6, 9.10).
    #[inline(always)]
    fn sync_all(self) {
        sync::sync_all(self);
    }

    /// Waits like [`Scope::sync_all`], but for the PEs of `team`, which all call it with their own value for that team
    /// (`shmem_team_sync`, OpenSHMEM 1.6, 9.10). Other teams may synchronise at the same time.
    ///
    /// ```
    /// use cushmem_device::{Block, DevPtr, DeviceTeam, Scope, kernels, p};
    /// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
    ///
    /// kernels! {
    ///     /// One block. Stores this PE's number in `row` into `inbox` of the row's first PE, and waits for the whole row.
    ///     pub unsafe fn gather(inbox: DevPtr<u32>, row: DeviceTeam) {
    ///         if Block.lane() == 0 {
    ///             p(inbox.add(row.my_pe as usize), row.my_pe, row.pe(0));
    ///         }
    ///         Block.team_sync(row);
    ///     }
    /// }
    /// ```
    ///
    /// # Safety
    /// The host made `team` from one of its teams, and does not destroy that team before the kernel has ended.
    #[inline(always)]
    unsafe fn team_sync(self, team: DeviceTeam) {
        sync::team_sync(self, team);
    }

    /// Waits like [`Scope::team_sync`], and completes puts like [`Scope::barrier_all`]: stores that any PE of the team
    /// made before on the default context, by any lane of the scope or by lanes that these have synchronised with, are
    /// then visible to all PEs. OpenSHMEM 1.6 has no such routine; it is `nvshmem_barrier` of NVSHMEM.
    /// [`team`](crate::team) has an example.
    ///
    /// # Safety
    /// The conditions of [`Scope::team_sync`].
    #[inline(always)]
    unsafe fn team_barrier(self, team: DeviceTeam) {
        sync::team_barrier(self, team);
    }
}

/// Lanes that can wait for each other.
#[doc(hidden)]
pub trait Group: Copy {
    /// The vectors of each member that each lane has in flight in a reduction or scan: 8 of [`Wide`](crate::Wide), 4,
    /// or 3. With 4, a kernel with a sum takes more than the 64 registers that a block of 1,024 lanes can have.
    const VECTORS: usize;
    /// This lane's number among them.
    fn lane(self) -> usize;
    /// How many they are.
    fn lanes(self) -> usize;
    /// Waits for all of them, and orders their memory accesses.
    fn sync(self);
    /// Lanes of one block among them.
    type OfBlock: Scope;
    /// Those of this lane's block.
    fn of_block(self) -> Self::OfBlock;
    /// Waits for all of them, like [`Group::sync`]. Before any goes on, those of one block call `between`, which
    /// starts and ends with [`Scope::sync`].
    fn sync_around(self, between: impl FnOnce(Self::OfBlock));
}

impl<S: Scope> Group for S {
    const VECTORS: usize = if S::UNROLL >= 16 { 8 } else { 3 };
    #[inline(always)]
    fn lane(self) -> usize {
        Scope::lane(self)
    }
    #[inline(always)]
    fn lanes(self) -> usize {
        Scope::lanes(self)
    }
    #[inline(always)]
    fn sync(self) {
        Scope::sync(self);
    }
    type OfBlock = S;
    #[inline(always)]
    fn of_block(self) -> S {
        self
    }
    #[inline(always)]
    fn sync_around(self, between: impl FnOnce(S)) {
        between(self);
    }
}

/// A single lane.
///
/// ```
/// use cushmem_device::{DevPtr, Scope, Thread, kernels, my_pe, n_pes, thread_idx_x};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// Each lane puts the `n` elements of its own row of `rows` into the next PE's.
///     pub unsafe fn pass_on(rows: DevPtr<u8>, copies: DevPtr<u8>, n: usize) {
///         let first = thread_idx_x() as usize * n;
///         Thread.put(copies.add(first), rows.add(first), n, (my_pe() + 1) % n_pes());
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Thread;

/// The 32 lanes of a warp. All of them must exist.
///
/// ```
/// use cushmem_device::{DevPtr, Scope, Warp, kernels, n_pes, thread_idx_x};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// Each warp puts `n` elements to a PE of its own.
///     pub unsafe fn scatter(inbox: DevPtr<f32>, outbox: DevPtr<f32>, n: usize) {
///         let pe = thread_idx_x() / 32;
///         if pe < n_pes() {
///             Warp.put(inbox, outbox.add(pe as usize * n), n, pe);
///         }
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Warp;

/// All lanes of a block.
///
/// ```
/// use cushmem_device::{Block, Cmp, DevPtr, Scope, SignalOp, kernels, my_pe, n_pes, signal_wait_until};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One block. Puts `n` elements to the next PE and waits for those of the one before. `arrived` is 0.
///     pub unsafe fn pass_on(inbox: DevPtr<f32>, outbox: DevPtr<f32>, n: usize, arrived: DevPtr<u64>) {
///         Block.put_signal(inbox, outbox, n, arrived, 1, SignalOp::Set, (my_pe() + 1) % n_pes());
///         if Block.lane() == 0 {
///             signal_wait_until(arrived, Cmp::Eq, 1);
///         }
///         // All lanes see what the one that waited sees.
///         Block.sync();
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Block;

/// All lanes of a one-dimensional block, with their number given by the caller. A copy in a loop uses strides for
/// pieces of several sizes, which depend on the number of lanes. If that number comes from memory, the compiler cannot
/// compute all of them before the loop, where they would occupy some 40 registers.
///
/// ```
/// use cushmem_device::{DevPtr, Lanes, Scope, kernels};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One block of so many lanes puts `n` elements to each of `pes` PEs.
///     pub unsafe fn send(inbox: DevPtr<f32>, outbox: DevPtr<f32>, n: usize, lanes: DevPtr<u32>, pes: u32) {
///         let mut pe = 0;
///         while pe < pes {
///             Lanes(lanes.read()).put(inbox, outbox, n, pe);
///             pe += 1;
///         }
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Lanes(pub u32);

/// A scope that keeps more bytes in flight, so that few lanes saturate a link. Each lane has 16 vectors in flight,
/// which costs 80 to 130 registers. Use it in blocks of up to 256 lanes; the launch of much larger blocks is refused.
///
/// ```
/// use cushmem_device::{Block, DevPtr, Scope, Wide, kernels};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One block of 256 lanes puts `n` elements to PE 0.
///     pub unsafe fn send(inbox: DevPtr<f32>, outbox: DevPtr<f32>, n: usize) {
///         Wide(Block).put(inbox, outbox, n, 0);
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Wide<S>(pub S);

impl Scope for Thread {
    const UNROLL: usize = 8;
    const IS_THREAD: bool = true;
    #[inline(always)]
    fn lane(self) -> usize {
        0
    }
    #[inline(always)]
    fn lanes(self) -> usize {
        1
    }
    #[inline(always)]
    fn sync(self) {}
    #[inline(always)]
    fn any(self, holds: bool) -> bool {
        holds
    }
}

impl Scope for Warp {
    const UNROLL: usize = 8;
    #[inline(always)]
    fn lane(self) -> usize {
        arch::lane_id() as usize
    }
    #[inline(always)]
    fn lanes(self) -> usize {
        32
    }
    #[inline(always)]
    fn sync(self) {
        arch::syncwarp(u32::MAX);
    }
    #[inline(always)]
    fn any(self, holds: bool) -> bool {
        // A vote orders no memory accesses.
        arch::syncwarp(u32::MAX);
        arch::ballot(u32::MAX, holds) != 0
    }
}

impl Scope for Block {
    const UNROLL: usize = 4;
    #[inline(always)]
    fn lane(self) -> usize {
        (arch::thread_idx_x()
            + arch::block_dim_x() * (arch::thread_idx_y() + arch::block_dim_y() * arch::thread_idx_z()))
            as usize
    }
    #[inline(always)]
    fn lanes(self) -> usize {
        (arch::block_dim_x() * arch::block_dim_y() * arch::block_dim_z()) as usize
    }
    #[inline(always)]
    fn sync(self) {
        arch::syncthreads();
    }
    #[inline(always)]
    fn any(self, holds: bool) -> bool {
        arch::syncthreads_or(holds)
    }
}

impl Scope for Lanes {
    const UNROLL: usize = Block::UNROLL;
    #[inline(always)]
    fn lane(self) -> usize {
        debug_assert!(
            cfg!(target_arch = "nvptx64") || arch::block_dim_y() * arch::block_dim_z() == 1,
            "`Lanes` in a block of more than one dimension"
        );
        let lane = arch::thread_idx_x();
        (if lane < self.0 { lane } else { 0 }) as usize
    }
    #[inline(always)]
    fn lanes(self) -> usize {
        self.0 as usize
    }
    #[inline(always)]
    fn sync(self) {
        Scope::sync(Block);
    }
    #[inline(always)]
    fn any(self, holds: bool) -> bool {
        Block.any(holds)
    }
}

impl<S: Scope> Scope for Wide<S> {
    const UNROLL: usize = 16;
    #[inline(always)]
    fn lane(self) -> usize {
        self.0.lane()
    }
    #[inline(always)]
    fn lanes(self) -> usize {
        self.0.lanes()
    }
    #[inline(always)]
    fn sync(self) {
        self.0.sync();
    }
    #[inline(always)]
    fn any(self, holds: bool) -> bool {
        self.0.any(holds)
    }
    #[inline(always)]
    fn smem(self) -> Option<Smem> {
        self.0.smem()
    }
}

#[cfg(all(test, debug_assertions))]
mod tests {
    use super::*;

    /// Catches a block with several dimensions, in which lanes would share a number.
    #[test]
    #[should_panic(expected = "more than one dimension")]
    fn lanes_have_one_dimension() {
        arch::in_lane([3, 1, 0], [4, 2, 1]);
        Scope::lane(Lanes(8));
    }
}
