use std::ffi::c_void;

/// A launch's parameters, copied when the launch was enqueued.
pub(super) struct Arguments {
    /// Sixteen-byte words, so that every parameter is aligned.
    _values: Vec<u128>,
    pointers: Vec<*const c_void>,
}

// SAFETY: the pointers lead into `_values`. Its heap memory stays in place when this value moves, and is not changed
// any more.
unsafe impl Send for Arguments {}

// SAFETY: nobody changes what the pointers lead to.
unsafe impl Sync for Arguments {}

impl Arguments {
    /// Copies what `args` points to.
    ///
    /// # Safety
    /// `args` and `bytes` have the same length, and pointer `i` leads to `bytes[i]` readable bytes.
    pub unsafe fn capture(args: &[*const c_void], bytes: &[usize]) -> Self {
        let words = |bytes: usize| bytes.div_ceil(size_of::<u128>());
        let mut values = vec![0u128; bytes.iter().map(|&b| words(b)).sum()];
        let mut pointers = Vec::with_capacity(args.len());
        let mut rest = values.as_mut_slice();
        for (arg, &bytes) in args.iter().zip(bytes) {
            let (place, after) = rest.split_at_mut(words(bytes));
            // SAFETY: the caller guarantees that the source has this many bytes; the target was allocated for them.
            unsafe { arg.cast::<u8>().copy_to_nonoverlapping(place.as_mut_ptr().cast(), bytes) };
            pointers.push(place.as_ptr().cast::<c_void>());
            rest = after;
        }
        Self { _values: values, pointers }
    }

    pub fn as_ptr(&self) -> *const *const c_void {
        self.pointers.as_ptr()
    }
}
