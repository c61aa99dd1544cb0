//! Copies by a single lane, for `shmem-tune`, which compares them with those of the command processor.

use cushmem_device::{Ctx, DevPtr, Thread, arch};

/// `leaves` says whether the lane leaves the copies to a command processor, if there is one.
#[inline(always)]
#[allow(clippy::too_many_arguments)] // those of the kernel
pub(crate) unsafe fn thread_copies(
    there: DevPtr<u8>,
    here: DevPtr<u8>,
    bytes: usize,
    n: u64,
    is_get: bool,
    leaves: bool,
    pe: u32,
    spent: DevPtr<u64>,
) {
    // The processor takes nothing of the default context.
    let context = if leaves { Ctx::new() } else { Ctx::DEFAULT };
    let (mut i, mut returned, start) = (0, 0, arch::globaltimer());
    while i < n {
        let begin = arch::globaltimer();
        // SAFETY: whoever launches the kernel guarantees that both ranges are valid.
        unsafe {
            if is_get {
                context.get_nbi(Thread, here, there, bytes, pe);
            } else {
                context.put_nbi(Thread, there, here, bytes, pe);
            }
        }
        returned += arch::globaltimer().wrapping_sub(begin);
        context.quiet();
        i += 1;
    }
    // SAFETY: whoever launches the kernel guarantees two words.
    unsafe {
        spent.write(returned);
        spent.add(1).write(arch::globaltimer().wrapping_sub(start));
    }
}
