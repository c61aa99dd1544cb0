//! Blocks of one kernel with different roles: some receive, some send, the others compute. `cushmem_protocol::roles`
//! has the protocol and explains why no block waits forever. `Stream::launch_roles` ensures that enough blocks are
//! resident at the same time.

use crate::{Block, DevPtr, Scope, Word, arch};
use cushmem_protocol::roles::{Counter, Draws};

pub use cushmem_protocol::roles::{Plan as RolePlan, Role};

/// The roles of a launch, which `Stream::launch_roles` passes to the kernel.
///
/// ```
/// use cushmem_device::{Block, Cmp, DevPtr, Role, Roles, Scope, SignalOp, gate_add, kernels, my_pe, n_pes, signal_op, wait_until};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// Blocks of any size and number, a receiver and a sender. Doubles the numbers, each role that computes one of them, tells the next PE when
///     /// all are done, and waits for the PE before. `done` and `arrived` are 0.
///     pub unsafe fn double(numbers: DevPtr<u32>, done: DevPtr<u64>, arrived: DevPtr<u64>, roles: Roles) {
///         let mut shift = roles.begin();
///         while let Some(role) = shift.next() {
///             if Block.lane() == 0 {
///                 match role {
///                     Role::Receive(_) => {
///                         wait_until(arrived, Cmp::Eq, 1);
///                     }
///                     Role::Send(_) => {
///                         wait_until(done, Cmp::Eq, roles.plan().computing);
///                         signal_op(arrived, 1, SignalOp::Set, (my_pe() + 1) % n_pes());
///                     }
///                     Role::Compute(i) => {
///                         let number = numbers.add(i as usize);
///                         number.write(2 * number.read());
///                         gate_add(done, 1);
///                     }
///                 }
///             }
///         }
///     }
/// }
/// ```
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Roles {
    plan: RolePlan,
    counter: DevPtr<u64>,
}

impl Roles {
    /// `counter` is a word that is 0.
    #[doc(hidden)]
    pub const fn new(plan: RolePlan, counter: DevPtr<u64>) -> Self {
        Self { plan, counter }
    }

    /// Returns the plan of the launch.
    #[inline(always)]
    pub fn plan(&self) -> RolePlan {
        self.plan
    }

    /// Starts this block's work. All lanes of each block call it, and then [`Shift::next`] until there are no more
    /// roles.
    ///
    /// # Safety
    /// `Stream::launch_roles` passed these roles to this launch. A block calls it once.
    #[inline(always)]
    pub unsafe fn begin(self) -> Shift {
        Shift { roles: self, draws: Draws::new(), turn: 0 }
    }
}

/// The roles that a block takes, one after another.
/// [`Roles`] has an example.
#[derive(Debug)]
pub struct Shift {
    roles: Roles,
    /// The draws of the block; only the first lane's are used.
    draws: Draws,
    /// Alternates between 0 and 1.
    turn: u32,
}

impl Counter for Roles {
    #[inline(always)]
    fn draw(&self) -> u64 {
        // SAFETY: the word belongs to the launch. Relaxed: it orders nothing.
        unsafe { arch::atom_add_relaxed_gpu_u64(self.counter.raw(), 1) }
    }
    #[inline(always)]
    fn reset(&self) {
        // SAFETY: the word belongs to the launch. Relaxed: the end of the kernel orders it.
        unsafe { u64::store_relaxed_sys(self.counter, 0) };
    }
}

impl Shift {
    /// Returns the block's next role, or `None` if there are no more. All lanes of the block call it and get the same
    /// result. Everything they did before is ordered before what they do after.
    #[inline(always)]
    #[allow(clippy::should_implement_trait)] // an iterator's adapters would call it from some of the lanes
    pub fn next(&mut self) -> Option<Role> {
        Some(self.next_and(|_| true)?.0)
    }

    /// Returns the next role, like [`Shift::next`], and whether it may start. Before the block synchronises, the lanes
    /// of its first warp call `ready` with the next role, to check by acquire loads whether what the role waits for has
    /// arrived. If `ready` is true on all of them, everything that they have seen is visible to all lanes of the block,
    /// and the role need not wait again.
    #[inline(always)]
    pub fn next_and(&mut self, ready: impl FnOnce(Role) -> bool) -> Option<(Role, bool)> {
        let (x, y) = (u64::from(arch::grid_dim_x()), u64::from(arch::grid_dim_y()));
        let blocks = x * y * u64::from(arch::grid_dim_z());
        let (lane, plan) = (Block.lane(), self.roles.plan);
        let (mut number, mut is_late) = (0, false);
        if lane < 32 {
            if lane == 0 {
                number = self.draws.next(&self.roles, &plan, blocks);
            }
            let half = |half: u64| u64::from(arch::shfl_idx(u32::MAX, half as u32, 0));
            number = half(number >> 32) << 32 | half(number);
            is_late = plan.role(number).is_some_and(|role| !ready(role));
        }
        let (number, is_late) = arch::syncthreads_from_first(arch::ROLES_WORD + self.turn, number, is_late);
        self.turn ^= 1;
        let role = plan.role(number)?;
        if lane == 0 {
            self.draws.begin(&self.roles, role);
        }
        Some((role, !is_late))
    }
}

/// Adds `n` to a word by which the roles of a launch wait for each other. Whoever sees the new value by
/// [`crate::wait_until`] sees everything that this lane did before, and everything done by lanes that it had
/// synchronised with.
/// [`Roles`] has an example.
///
/// # Safety
/// `word` is a valid, aligned word in this GPU's memory, and only this function changes it during the launch.
#[inline(always)]
pub unsafe fn gate_add(word: DevPtr<u64>, n: u64) {
    // SAFETY: the caller guarantees that the word is valid. SYNC(signal) release.gpu: pairs with the acquire loads of
    // `wait_until`, `wait_until_for` and `signal_fetch` by blocks of the launch.
    unsafe { arch::red_add_release_gpu_u64(word.raw(), n) };
}
