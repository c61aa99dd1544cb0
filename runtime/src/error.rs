//! What can go wrong, as values that a program can match on.

use cushmem_bootstrap::BootstrapError;
use cushmem_gpu::GpuError;
use std::borrow::Cow;

/// Result of this crate.
/// [`run`](crate::run) has an example.
pub type Result<T> = std::result::Result<T, Error>;

/// An operation that failed, and why. One pointer wide.
///
/// ```
/// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
/// let word = shmem.malloc::<u64>(1)?;
/// let error = shmem.p(word.at(0), 1, 4096).expect_err("there is no such PE");
/// assert_eq!(error.operation(), "p");
/// assert_eq!(error.to_string(), format!("p: PE 4096 is not in 0..{}", shmem.n_pes()));
/// # Ok(()) }) }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {}", .0.operation, .0.cause)]
pub struct Error(Box<Failure>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Failure {
    operation: Cow<'static, str>,
    cause: Cause,
}

const _: () = assert!(size_of::<Result<()>>() == size_of::<usize>());

/// Why an operation failed.
///
/// ```
/// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
/// use cushmem::Cause;
///
/// // Asks for less as long as there is no room.
/// let mut elements = 1 << 44;
/// let buffer = loop {
///     match shmem.malloc::<u64>(elements) {
///         Err(error) if matches!(error.cause(), Cause::HeapFull { .. }) => elements /= 1024,
///         buffer => break buffer?,
///     }
/// };
/// assert_eq!(buffer.len(), elements);
/// # Ok(()) }) }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Cause {
    /// An argument is wrong; `name` says which.
    #[error("{name} {error}")]
    Argument {
        /// What the operation calls it.
        name: Cow<'static, str>,
        /// What is wrong with it.
        error: ArgumentError,
    },
    /// There is no such PE.
    #[error("PE {pe} is not in 0..{n_pes}")]
    NoSuchPe {
        /// The number that was given.
        pe: u32,
        /// PEs in the job.
        n_pes: u32,
    },
    /// The team has no such member.
    #[error("PE {member} is not in 0..{size} of the team")]
    NoSuchMember {
        /// The number that was given.
        member: u32,
        /// Members of the team.
        size: u32,
    },
    /// A lock is used in a wrong way.
    #[error("{0}")]
    Lock(String),
    /// The symmetric object was allocated through another [`Shmem`](crate::Shmem).
    #[error("the symmetric object belongs to another job handle")]
    ForeignObject,
    /// Target and source have different numbers of elements.
    #[error("the target has {target} elements and the source {source_len}")]
    Lengths {
        /// Elements of the target.
        target: usize,
        /// Elements of the source.
        source_len: usize,
    },
    /// So many elements are larger than any memory.
    #[error("{elements} elements of {bytes} bytes are too many")]
    TooMany {
        /// How many were wanted.
        elements: usize,
        /// Bytes of an element.
        bytes: usize,
    },
    /// The heap has no room.
    #[error("{bytes} bytes do not fit into the heap of {limit} bytes ({variable} enlarges it)")]
    HeapFull {
        /// Bytes that were wanted.
        bytes: u64,
        /// Bytes of the heap.
        limit: u64,
        /// The variable of the environment that enlarges it.
        variable: &'static str,
    },
    /// Objects cannot be aligned to so many bytes.
    #[error("{alignment} is more than {most}, the largest possible alignment")]
    Alignment {
        /// What was wanted.
        alignment: u64,
        /// The largest that is possible.
        most: u64,
    },
    /// No symmetric object starts there.
    #[error("no symmetric object starts at offset {0} of the heap")]
    NoObject(u64),
    /// The job has no GPU; says why.
    #[error("this job runs without GPUs ({0})")]
    NoGpu(String),
    /// No path leads to that memory of that PE.
    #[error("{memory} of PE {pe} cannot be reached from here: {why}")]
    Unreachable {
        /// Which of its memory.
        memory: &'static str,
        /// The PE.
        pe: u32,
        /// Why each path is closed.
        why: String,
    },
    /// The GPU, or its driver, reports an error. If a kernel accessed memory out of bounds, the driver says no more
    /// than that, and the [operation](Error::operation) names the kernel. NVIDIA's `compute-sanitizer` finds block and
    /// lane. An emulated GPU ends the process instead, with a line that names kernel, block and lane, where no memory
    /// is mapped at the address.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// A kernel gave up and said why.
    #[error("PE {pe}: a kernel gave up in block {block}, lane {lane}: {why} ({error})")]
    Kernel {
        /// The PE on whose GPU it ran.
        pe: u32,
        /// The block that gave up.
        block: u32,
        /// The lane of the block.
        lane: u32,
        /// What it wrote down.
        why: String,
        /// What the driver reports.
        error: GpuError,
    },
    /// The rendezvous with the other PEs failed.
    #[error(transparent)]
    Bootstrap(#[from] BootstrapError),
    /// The operation failed on that PE, and so on all.
    #[error("PE {pe}: {why}")]
    OnPe {
        /// Where it failed first.
        pe: u32,
        /// What that PE says.
        why: String,
    },
    /// The operating system refused.
    #[error("{0}")]
    System(String),
    /// A variable of the environment cannot be used.
    #[error("{0}")]
    Environment(String),
    /// The PEs of the job do not fit together.
    #[error("{0}")]
    Mismatch(String),
    /// There is as much of something as there can be: teams, contexts, or memory that no setting enlarges.
    #[error("{0}")]
    Exhausted(String),
}

impl Error {
    #[cold]
    pub(crate) fn new(operation: impl Into<Cow<'static, str>>, cause: impl Into<Cause>) -> Self {
        Self(Box::new(Failure { operation: operation.into(), cause: cause.into() }))
    }

    /// A wrong argument, under the name that the operation gives it.
    #[cold]
    pub(crate) fn argument(
        operation: impl Into<Cow<'static, str>>,
        name: impl Into<Cow<'static, str>>,
        error: ArgumentError,
    ) -> Self {
        match error {
            // Its text needs no addition.
            ArgumentError::Failed(error) => error,
            ArgumentError::Pe { pe, n_pes } => Self::new(operation, Cause::NoSuchPe { pe, n_pes }),
            ArgumentError::Lock(why) => Self::new(operation, Cause::Lock(why)),
            error => Self::new(operation, Cause::Argument { name: name.into(), error }),
        }
    }

    /// What was attempted.
    pub fn operation(&self) -> &str {
        &self.0.operation
    }

    /// Why it failed.
    pub fn cause(&self) -> &Cause {
        &self.0.cause
    }

    /// Names what a GPU was to do for the library.
    pub(crate) fn of(operation: impl Into<Cow<'static, str>>) -> impl FnOnce(GpuError) -> Self {
        move |error| Self::new(operation, error)
    }
}

impl From<GpuError> for Error {
    fn from(error: GpuError) -> Self {
        Self::new("GPU", error)
    }
}

impl From<BootstrapError> for Error {
    fn from(error: BootstrapError) -> Self {
        Self::new("job", error)
    }
}

impl From<cushmem_environment::BadValue> for Error {
    fn from(error: cushmem_environment::BadValue) -> Self {
        Self::new(format!("read {}", error.variable), Cause::Environment(error.cause))
    }
}

/// What is wrong with an argument of an operation on addresses, or why the operation failed.
///
/// ```
/// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
/// use cushmem::ArgumentError;
///
/// let mut private = 0u64;
/// let refused = shmem.raw().p(&raw mut private, 1, 0);
/// assert_eq!(refused, Err(ArgumentError::NotSymmetric));
/// # Ok(()) }) }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArgumentError {
    /// There is no such PE.
    #[error("is not in 0..{n_pes}")]
    Pe {
        /// The number that was given.
        pe: u32,
        /// PEs in the job.
        n_pes: u32,
    },
    /// The symmetric end is not in this PE's symmetric memory.
    #[error("is not symmetric memory of this PE")]
    NotSymmetric,
    /// The symmetric end begins inside a heap and reaches past its end; so many bytes are left there.
    #[error("reaches past the end of the symmetric heap, where {0} bytes are left")]
    PastEnd(u64),
    /// The symmetric end reaches so many bytes below its first element, and so below the start of what that lies in.
    #[error("reaches {0} bytes below that, past the start of {1}")]
    BelowStart(u64, &'static str),
    /// In check mode: the symmetric end begins in an object and reaches past its end; so many bytes are left there.
    #[error("reaches past the end of its object, where {0} bytes are left")]
    PastObject(u64),
    /// In check mode: the object at this address was freed.
    #[error("lies in an object that was freed")]
    Freed,
    /// In check mode: the address lies in the symmetric heap where no object is.
    #[error("lies in the symmetric heap where no object is")]
    NoObject,
    /// No object starts at this address of the symmetric heap.
    #[error("is not the start of an object of the symmetric heap")]
    NotAStart,
    /// In check mode: source and target overlap where they must not.
    #[error("overlaps the other end of the copy")]
    Overlap,
    /// In check mode: what is wrong with the end that may be private.
    #[error("{0}")]
    Private(Box<ArgumentError>),
    /// The symmetric end begins among the globals of the program and reaches past their end; so many bytes are left
    /// there.
    #[error("reaches past the end of the globals, where {0} bytes are left")]
    PastGlobals(u64),
    /// The symmetric end is a global of the program, which cannot be used so on that PE; says why.
    #[error("{0}")]
    Global(String),
    /// The private end is NULL.
    #[error("is NULL")]
    NullPrivate,
    /// A word that has to be aligned to its size, this many bytes, is not.
    #[error("is not aligned to {0} bytes")]
    Misaligned(usize),
    /// The signal's address, for an operation that has data too.
    #[error("{0}")]
    Signal(Box<ArgumentError>),
    /// A lock is used in a wrong way.
    #[error("{0}")]
    Lock(String),
    /// The arguments are right, but the operation failed.
    #[error("{}", .0.cause())]
    Failed(#[from] Error),
}

impl ArgumentError {
    /// A global that nothing here reaches on that PE.
    #[cold]
    pub(crate) fn far_global(pe: u32, why: &str) -> Self {
        Self::Global(format!("is a global, but PE {pe} {why}"))
    }
}
