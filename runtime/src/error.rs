//! Errors, as values that a program can match on.

use cushmem_bootstrap::BootstrapError;
use cushmem_gpu::GpuError;
use std::borrow::Cow;

/// The result of a fallible operation of this crate.
/// [`run`](crate::run) has an example.
pub type Result<T> = std::result::Result<T, Error>;

/// A failed operation and the cause of its failure. The value is one pointer wide.
///
/// ```
/// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
/// let word = shmem.malloc::<u64>(1)?;
/// let error = shmem.p(word.at(0), 1, 4096).expect_err("there is no such PE");
/// assert_eq!(error.operation(), "p");
/// assert_eq!(error.to_string(), format!("p: PE 4096 is out of range (0 to {})", shmem.n_pes() - 1));
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
    /// An argument is invalid.
    #[error("{name} {error}")]
    Argument {
        /// The operation's name for the argument.
        name: Cow<'static, str>,
        /// What is wrong with the argument.
        error: ArgumentError,
    },
    /// The job has no PE with this number.
    #[error("PE {pe} is out of range (0 to {})", .n_pes - 1)]
    NoSuchPe {
        /// The number that the caller passed.
        pe: u32,
        /// The number of PEs in the job.
        n_pes: u32,
    },
    /// The team has no member with this number.
    #[error("PE {member} is out of range (0 to {}, the PEs of the team)", .size - 1)]
    NoSuchMember {
        /// The number that the caller passed.
        member: u32,
        /// The number of members of the team.
        size: u32,
    },
    /// A lock was used incorrectly.
    #[error("{0}")]
    Lock(String),
    /// The symmetric object was allocated through another [`Shmem`](crate::Shmem).
    #[error("the symmetric object belongs to another job handle")]
    ForeignObject,
    /// The target and the source have different numbers of elements.
    #[error("the target has {target} elements and the source {source_len}")]
    Lengths {
        /// The number of elements in the target.
        target: usize,
        /// The number of elements in the source.
        source_len: usize,
    },
    /// The request is larger than any memory.
    #[error("{elements} elements of {bytes} bytes are too many")]
    TooMany {
        /// The number of elements that were requested.
        elements: usize,
        /// The size of an element in bytes.
        bytes: usize,
    },
    /// The heap is full.
    #[error(
        "{bytes} bytes{} do not fit into the heap of {limit} bytes ({variable} enlarges it)",
        at_multiple_of(*alignment)
    )]
    HeapFull {
        /// The number of bytes that were requested.
        bytes: u64,
        /// The alignment that was requested, 1 if any would do.
        alignment: u64,
        /// The size of the heap in bytes.
        limit: u64,
        /// The environment variable that enlarges the heap.
        variable: &'static str,
    },
    /// The requested alignment is larger than the heap.
    #[error("{alignment} is more than {most}, the largest possible alignment in a heap of this size")]
    Alignment {
        /// The alignment that was requested.
        alignment: u64,
        /// The largest possible alignment.
        most: u64,
    },
    /// No symmetric object starts at this offset.
    #[error("no symmetric object starts at offset {0} of the heap")]
    NoObject(u64),
    /// The job has no GPU. The text says why.
    #[error("this job runs without GPUs ({0})")]
    NoGpu(String),
    /// No path leads to this PE's memory of this kind.
    #[error("{memory} of PE {pe} cannot be reached from here: {why}")]
    Unreachable {
        /// The kind of memory.
        memory: &'static str,
        /// The PE that owns it.
        pe: u32,
        /// Why each path is unavailable.
        why: String,
    },
    /// The GPU or its driver reported an error. If a kernel accessed memory out of bounds, the driver reports only that
    /// fact, and the [operation](Error::operation) names the kernel; NVIDIA's `compute-sanitizer` finds the block and
    /// the lane. The emulated GPU instead ends the process when no memory is mapped at the address, and prints a line
    /// that names the kernel, the block and the lane.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// A kernel stopped with an error message.
    #[error("PE {pe}: a kernel stopped in block {block}, thread {lane}: {why} ({error})")]
    Kernel {
        /// The PE on whose GPU it ran.
        pe: u32,
        /// The block that stopped.
        block: u32,
        /// The lane of the block that stopped.
        lane: u32,
        /// The kernel's message.
        why: String,
        /// The driver's error.
        error: GpuError,
    },
    /// The rendezvous with the other PEs failed.
    #[error(transparent)]
    Bootstrap(#[from] BootstrapError),
    /// The operation failed on one PE, and therefore on all.
    #[error("PE {pe}: {why}")]
    OnPe {
        /// The PE on which it failed first.
        pe: u32,
        /// That PE's message.
        why: String,
    },
    /// A call of the operating system failed.
    #[error("{0}")]
    System(String),
    /// An environment variable has an invalid value.
    #[error("{0}")]
    Environment(String),
    /// Two things that must match do not, such as the settings of the PEs or the job handles of two arguments.
    #[error("{0}")]
    Mismatch(String),
    /// A fixed resource is exhausted: teams, contexts, or memory that no setting enlarges.
    #[error("{0}")]
    Exhausted(String),
}

fn at_multiple_of(alignment: u64) -> String {
    if alignment > 1 { format!(" at a multiple of {alignment}") } else { String::new() }
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

    /// Returns the name of the operation that failed.
    pub fn operation(&self) -> &str {
        &self.0.operation
    }

    /// Returns the cause of the failure.
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
    /// The job has no PE with this number.
    #[error("is out of range (0 to {})", .n_pes - 1)]
    Pe {
        /// The number that the caller passed.
        pe: u32,
        /// The number of PEs in the job.
        n_pes: u32,
    },
    /// The symmetric end does not lie in this PE's symmetric memory.
    #[error("is not symmetric memory of this PE")]
    NotSymmetric,
    /// The symmetric end starts inside a heap and extends past the heap's end. The value is the number of bytes left in
    /// the heap.
    #[error("reaches past the end of the symmetric heap, where {0} bytes are left")]
    PastEnd(u64),
    /// The symmetric end extends below its first element by this many bytes, past the start of the memory that the text
    /// names.
    #[error("reaches {0} bytes below that, past the start of {1}")]
    BelowStart(u64, &'static str),
    /// In check mode: the symmetric end starts inside an object and extends past the object's end. The value is the
    /// number of bytes left in the object.
    #[error("reaches past the end of its object, where {0} bytes are left")]
    PastObject(u64),
    /// In an exchange of unequal size, a member gets the first number of rows, but its dest has room for the second.
    #[error("has room for {1} rows, but a PE of the team gets {0}")]
    TooManyRows(u64, u64),
    /// In check mode: the object at this address has been freed.
    #[error("lies in an object that was freed")]
    Freed,
    /// In check mode: the address lies in the symmetric heap, but in no object.
    #[error("lies in the symmetric heap, but in no object")]
    NoObject,
    /// No object starts at this address of the symmetric heap.
    #[error("is not the start of an object of the symmetric heap")]
    NotAStart,
    /// In check mode: the source and the target overlap where they must not.
    #[error("overlaps the other end of the copy")]
    Overlap,
    /// An error in the end of the copy that may be private.
    #[error("{0}")]
    Private(Box<ArgumentError>),
    /// The symmetric end starts among the globals of the program and extends past their end. The value is the number of
    /// bytes left.
    #[error("reaches past the end of the globals, where {0} bytes are left")]
    PastGlobals(u64),
    /// The symmetric end is a global of the program, which this operation cannot use on that PE. The text says why.
    #[error("{0}")]
    Global(String),
    /// The private end has a part that no address names.
    #[error("reaches past the end of the address space")]
    PastAddresses,
    /// The private end is NULL.
    #[error("is NULL")]
    NullPrivate,
    /// A word of memory for the network's atomic operations does not have 4 or 8 bytes, but this many.
    #[error("is memory for atomic operations by the network, which takes words of 4 or 8 bytes, not of {0}")]
    NetworkWidth(usize),
    /// A word is not aligned to its size, which is this many bytes.
    #[error("is not aligned to {0} bytes")]
    Misaligned(usize),
    /// An error in the signal's address, in an operation that also has data.
    #[error("{0}")]
    Signal(Box<ArgumentError>),
    /// A lock was used incorrectly.
    #[error("{0}")]
    Lock(String),
    /// The arguments are valid, but the operation failed.
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
