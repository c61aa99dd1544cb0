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
