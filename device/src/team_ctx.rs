use crate::complete::check_list;
use crate::team::{not_in_team, pe_of};
use crate::{Atomic, AtomicNumber, Ctx, DevPtr, DeviceTeam, Scope, SignalOp, Word};

/// A context whose PEs are those of a team: its operations name PEs by their numbers in the team
/// (`shmem_team_create_ctx`, OpenSHMEM 1.6, 9.5). The host makes such a context from the team's set of PEs.
///
/// It is the context of the block ([`Ctx::new`]), so it costs nothing to create, and contexts of several teams in a
/// block are completed together. An operation whose PE is not in the team ends the kernel with a message that names the
/// number and the team's slot.
///
/// ```
/// use cushmem_device::{Block, DevPtr, Scope, TeamCtx, kernels, team, team_my_pe, team_n_pes};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One block. Puts `n` elements to the next PE of this PE's row.
///     pub unsafe fn shift(inbox: DevPtr<f32>, outbox: DevPtr<f32>, n: usize, row_slot: u32) {
///         let row = team(row_slot);
///         let context = TeamCtx::new(row);
///         context.put(Block, inbox, outbox, n, (team_my_pe(row) + 1) % team_n_pes(row));
///         context.quiet_by(Block);
///     }
/// }
/// ```
#[derive(Debug)]
pub struct TeamCtx {
    ctx: Ctx,
    team: DeviceTeam,
}

impl TeamCtx {
    /// The context of this block for the PEs of a team.
    #[inline(always)]
    pub fn new(team: DeviceTeam) -> Self {
        Self { ctx: Ctx::new(), team }
    }

    /// Orders this lane's puts, as [`Ctx::fence`] does.
    #[inline(always)]
    pub fn fence(&self) {
        self.ctx.fence();
    }

    /// Completes this lane's operations, as [`Ctx::quiet`] does.
    #[inline(always)]
    pub fn quiet(&self) {
        self.ctx.quiet();
    }

    /// Orders the puts of the lanes of `scope`, as [`Ctx::fence_by`] does.
    #[inline(always)]
    pub fn fence_by<S: Scope>(&self, scope: S) {
        self.ctx.fence_by(scope);
    }

    /// Completes the operations of the lanes of `scope`, as [`Ctx::quiet_by`] does.
    #[inline(always)]
    pub fn quiet_by<S: Scope>(&self, scope: S) {
        self.ctx.quiet_by(scope);
    }

    /// Completes this lane's operations on the PEs of a list, as [`Ctx::pe_quiet`] does. The list has numbers in the
    /// team.
    ///
    /// # Safety
    /// The conditions of [`Ctx::pe_quiet`].
    #[inline(always)]
    pub unsafe fn pe_quiet(&self, target_pes: DevPtr<u32>, npes: usize) {
        let DeviceTeam { slot, n_pes, .. } = self.team;
        // SAFETY: the caller guarantees the list.
        if unsafe { check_list(target_pes, npes, n_pes, |number| not_in_team(number, slot, n_pes)) } {
            self.ctx.quiet();
        }
    }
}

/// Each operation takes a PE as its last argument.
macro_rules! operations { ($($name:ident [$($generic:tt)*] ($($arg:ident: $type:ty),*) $(-> $found:ty)?;)*) => {
    impl TeamCtx {$(
        #[doc = concat!("Does what [`Ctx::", stringify!($name), "`] does, for the PE with the number `pe` in the team.")]
        ///
        /// # Safety
        #[doc = concat!("The conditions of [`Ctx::", stringify!($name), "`].")]
        #[inline(always)]
        #[allow(clippy::too_many_arguments)] // the specification's
        pub unsafe fn $name<$($generic)*>(&self, $($arg: $type,)* pe: u32) $(-> $found)? {
            // SAFETY: the caller guarantees the same.
            unsafe { self.ctx.$name($($arg,)* pe_of(self.team, pe)) }
        }
    )*}
} }
operations! {
    p[T: Word](dst: DevPtr<T>, value: T);
    g[T: Word](src: DevPtr<T>) -> T;
    put[S: Scope, T: Copy](scope: S, dst: DevPtr<T>, src: DevPtr<T>, n: usize);
    put_nbi[S: Scope, T: Copy](scope: S, dst: DevPtr<T>, src: DevPtr<T>, n: usize);
    get[S: Scope, T: Copy](scope: S, dst: DevPtr<T>, src: DevPtr<T>, n: usize);
    get_nbi[S: Scope, T: Copy](scope: S, dst: DevPtr<T>, src: DevPtr<T>, n: usize);
    put_signal[S: Scope, T: Copy](scope: S, dst: DevPtr<T>, src: DevPtr<T>, n: usize, sig: DevPtr<u64>, value: u64, op: SignalOp);
    put_signal_nbi[S: Scope, T: Copy](scope: S, dst: DevPtr<T>, src: DevPtr<T>, n: usize, sig: DevPtr<u64>, value: u64, op: SignalOp);
    iput[S: Scope, T: Copy](scope: S, dst: DevPtr<T>, src: DevPtr<T>, dst_stride: isize, src_stride: isize, n: usize);
    iget[S: Scope, T: Copy](scope: S, dst: DevPtr<T>, src: DevPtr<T>, dst_stride: isize, src_stride: isize, n: usize);
    signal_op[](sig: DevPtr<u64>, value: u64, op: SignalOp);
    atomic_fetch[T: AtomicNumber](source: DevPtr<T>) -> T;
    atomic_set[T: AtomicNumber](dest: DevPtr<T>, value: T);
    atomic_compare_swap[T: Atomic](dest: DevPtr<T>, cond: T, value: T) -> T;
    atomic_swap[T: AtomicNumber](dest: DevPtr<T>, value: T) -> T;
    atomic_inc[T: Atomic](dest: DevPtr<T>);
    atomic_fetch_inc[T: Atomic](dest: DevPtr<T>) -> T;
    atomic_add[T: AtomicNumber](dest: DevPtr<T>, value: T);
    atomic_fetch_add[T: AtomicNumber](dest: DevPtr<T>, value: T) -> T;
    atomic_and[T: Atomic](dest: DevPtr<T>, value: T);
    atomic_fetch_and[T: Atomic](dest: DevPtr<T>, value: T) -> T;
    atomic_or[T: Atomic](dest: DevPtr<T>, value: T);
    atomic_fetch_or[T: Atomic](dest: DevPtr<T>, value: T) -> T;
    atomic_xor[T: Atomic](dest: DevPtr<T>, value: T);
    atomic_fetch_xor[T: Atomic](dest: DevPtr<T>, value: T) -> T;
    atomic_min[T: Atomic](dest: DevPtr<T>, value: T);
    atomic_fetch_min[T: Atomic](dest: DevPtr<T>, value: T) -> T;
    atomic_max[T: Atomic](dest: DevPtr<T>, value: T);
    atomic_fetch_max[T: Atomic](dest: DevPtr<T>, value: T) -> T;
    atomic_fetch_nbi[T: AtomicNumber](fetch: DevPtr<T>, source: DevPtr<T>);
    atomic_compare_swap_nbi[T: Atomic](fetch: DevPtr<T>, dest: DevPtr<T>, cond: T, value: T);
    atomic_swap_nbi[T: AtomicNumber](fetch: DevPtr<T>, dest: DevPtr<T>, value: T);
    atomic_fetch_inc_nbi[T: Atomic](fetch: DevPtr<T>, dest: DevPtr<T>);
    atomic_fetch_add_nbi[T: AtomicNumber](fetch: DevPtr<T>, dest: DevPtr<T>, value: T);
    atomic_fetch_and_nbi[T: Atomic](fetch: DevPtr<T>, dest: DevPtr<T>, value: T);
    atomic_fetch_or_nbi[T: Atomic](fetch: DevPtr<T>, dest: DevPtr<T>, value: T);
    atomic_fetch_xor_nbi[T: Atomic](fetch: DevPtr<T>, dest: DevPtr<T>, value: T);
    atomic_fetch_min_nbi[T: Atomic](fetch: DevPtr<T>, dest: DevPtr<T>, value: T);
    atomic_fetch_max_nbi[T: Atomic](fetch: DevPtr<T>, dest: DevPtr<T>, value: T);
}
