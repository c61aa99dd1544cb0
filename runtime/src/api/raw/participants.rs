//! The arguments that all collectives on addresses have.

use crate::error::ArgumentError;
use crate::sync::active_set::ActiveSet;
use crate::{PeSet, Team};

/// The PEs that take part in a collective.
///
/// ```
/// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
/// use cushmem::raw::{Buffers, Participants};
///
/// let settings = shmem.malloc::<u32>(8)?;
/// let here = settings.ptr(shmem.my_pe()).cast();
/// let (world, buffers) = (Participants::Team(shmem.team_world()), Buffers { dest: here, source: here });
/// // 32 bytes of PE 0, which gets them too.
/// if let Err(wrong) = shmem.raw().broadcast(world, buffers, 32, 0, true) {
///     eprintln!("broadcast: {} {}", wrong.argument, wrong.error);
/// }
/// # Ok(()) }) }
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Participants<'a> {
    /// A team.
    Team(&'a Team),
    /// An active set.
    Active(ActiveSet),
}

/// An invalid argument of a collective.
/// [`Participants`] has an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadArgument {
    /// The argument's name in the specification.
    pub argument: &'static str,
    /// The argument's value.
    pub value: usize,
    /// What is wrong with the argument.
    pub error: ArgumentError,
}

/// The target and the source of a collective: addresses of the same symmetric objects on all members.
/// [`Participants`] has an example.
#[derive(Clone, Copy, Debug)]
pub struct Buffers {
    /// Where the result is stored.
    pub dest: *mut u8,
    /// What is sent or combined.
    pub source: *const u8,
}

impl Participants<'_> {
    #[inline(always)]
    pub(in crate::api) fn pes(self) -> PeSet {
        match self {
            Participants::Team(team) => team.pes(),
            Participants::Active(set) => set.pes,
        }
    }

    #[inline(always)]
    pub(in crate::api) fn size(self) -> u32 {
        self.pes().size()
    }
}

/// The splits of dest and source by address, and sizes, for [`Raw::alltoallv`](super::Raw::alltoallv).
///
/// ```
/// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
/// use cushmem::raw::{Buffers, Splits};
///
/// let (n, me) = (shmem.n_pes() as usize, shmem.my_pe());
/// let (from, to, sent, came) =
///     (shmem.malloc::<u8>(8 * n)?, shmem.malloc::<u8>(8 * n)?, shmem.malloc::<u64>(2 * n)?, shmem.malloc::<u64>(2 * n)?);
/// // One row of eight bytes to each PE.
/// sent.copy_from(&[vec![1; n], (0..n as u64).collect()].concat())?;
/// let splits = Splits { dest: came.ptr(me), source: sent.ptr(me), room: n, given: n, row: 8 };
/// let buffers = Buffers { dest: to.ptr(me), source: from.ptr(me) };
/// if let Err(wrong) = shmem.raw().alltoallv(shmem.team_world(), buffers, splits) {
///     eprintln!("alltoallv: {} {}", wrong.argument, wrong.error);
/// }
/// # Ok(()) }) }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Splits {
    /// Two numbers for each member, which are written: how many rows it has sent, and then where they start.
    pub dest: *mut u64,
    /// Two numbers for each member: how many rows it gets, and then where they start.
    pub source: *const u64,
    /// The rows for which the dest has room.
    pub room: usize,
    /// The rows of the source, or the largest number if they are not known.
    pub given: usize,
    /// The bytes of a row.
    pub row: usize,
}
