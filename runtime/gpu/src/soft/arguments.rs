use std::ffi::c_void;

/// Longest parameter of a kernel that the emulation passes on, bytes.
const PARAMETER_BYTES: usize = 1024;
const PAGE_BYTES: usize = 4096;

/// A launch's parameters, copied when it was enqueued.
pub(super) struct Arguments {
    /// Sixteen-byte words, so that every parameter is aligned.
    _values: Vec<u128>,
    pointers: Vec<*const c_void>,
}

// SAFETY: the pointers lead into `_values`, whose heap memory moves along and is not changed any more.
unsafe impl Send for Arguments {}

impl Arguments {
    /// Copies what `args` points to. Kernels come without the sizes of their parameters, so this takes
    /// [`PARAMETER_BYTES`] from each pointer, or as much as is readable.
    ///
    /// # Safety
    /// Each pointer leads to a value of the kernel's parameter, and no parameter is longer than [`PARAMETER_BYTES`].
    pub unsafe fn capture(args: &[*const c_void]) -> Self {
        let words = PARAMETER_BYTES / size_of::<u128>();
        let mut values = vec![0u128; args.len() * words];
        let mut pointers = Vec::with_capacity(args.len());
        for (arg, words) in args.iter().zip(values.chunks_exact_mut(words)) {
            let source = arg.cast::<u8>();
            let target = words.as_mut_ptr().cast::<u8>();
            for i in 0..readable_bytes(source.addr()) {
                // SAFETY: the source is readable there, the target has PARAMETER_BYTES bytes. Volatile, because what
                // follows a short parameter belongs to others; those bytes are never interpreted.
                unsafe { target.add(i).write(source.add(i).read_volatile()) };
            }
            pointers.push(words.as_ptr().cast::<c_void>());
        }
        Self { _values: values, pointers }
    }

    pub fn as_ptr(&self) -> *const *const c_void {
        self.pointers.as_ptr()
    }
}

/// How much of [`PARAMETER_BYTES`] can be read at `address`, where at least one byte can.
fn readable_bytes(address: usize) -> usize {
    let in_page = PAGE_BYTES - address % PAGE_BYTES;
    if in_page >= PARAMETER_BYTES || is_readable(address + in_page) { PARAMETER_BYTES } else { in_page }
}

/// Whether the eight bytes at `address` can be read: the kernel copies the signal set in before it refuses the
/// first argument, and reports a bad address otherwise.
fn is_readable(address: usize) -> bool {
    // SAFETY: with an invalid first argument, `rt_sigprocmask` changes nothing.
    let result = unsafe { libc::syscall(libc::SYS_rt_sigprocmask, !0, address, 0, 8) };
    result != 0 && std::io::Error::last_os_error().raw_os_error() == Some(libc::EINVAL)
}
