//! What lanes leave to the command processor of their GPU, a block that carries out puts and gets of single lanes, so
//! that these go on at once; [`crate::run_processor`] is that block. [`cushmem_protocol::ring`] has the protocol.
//!
//! *What goes there*: `put_nbi`, `get_nbi` and `put_signal_nbi` of one lane, of enough bytes, to and from memory that
//! is mapped, on a context that the kernel has made. The default context has none of it, so that kernels which do not
//! use contexts pay nothing for it: their fence and quiet have no test. The lane finds the addresses, so the processor
//! only copies.
//!
//! *What is ordered with what*: a lane fences before it posts a command, so the processor, which acquires the words,
//! reads what the lane has written or had seen. A fence or quiet of the context waits for the count of complete
//! commands, which the processor stores behind its copies.

use crate::command::{Ring, fill_slot};
use crate::wait::{wait_limit_ns, wait_reported_for};
use crate::{Cmp, DevPtr, Word, arch, fail, my_pe};
use core::mem::offset_of;
use cushmem_abi::{CommandHead, ErrorCode, PROCESSOR_SLOTS, ProcessorRing, SLOT_WORDS};
use cushmem_protocol::ring::{self, Command, WORDS};

const _: () = assert!(PROCESSOR_SLOTS.is_power_of_two());

/// Whether the processor carries out a put or a get of so many bytes from or to `here`. The first tests are on
/// constants; the third is one comparison with the context, which fails where there is no processor. The CPU has the
/// number from its table of paths.
#[inline(always)]
pub(crate) fn takes<const IS_PUT: bool>(is_thread: bool, context: u32, here: u64, bytes: usize) -> bool {
    let least = if IS_PUT { arch::context_put_to_processor() } else { arch::context_get_to_processor() };
    is_thread
        && context != 0
        && bytes as u64 >= u64::from(least)
        && arch::context_processor() != 0
        && arch::is_global(here)
}

/// The ring as a lane that posts accesses it, with its wait.
struct Posting(Ring);

/// A word of the ring.
#[inline(always)]
fn here(offset: usize) -> DevPtr<u64> {
    DevPtr::from_address(arch::context_processor() + offset as u64)
}

impl ring::Posting for Posting {
    #[inline(always)]
    fn slots(&self) -> u64 {
        PROCESSOR_SLOTS as u64
    }
    #[inline(always)]
    fn take_ticket(&self) -> u64 {
        // SAFETY: the word is in the ring, which exists as long as kernels run.
        unsafe { arch::atom_add_relaxed_gpu_u64(here(offset_of!(ProcessorRing, tickets)).raw(), 1) }
    }
    #[inline(always)]
    fn read_seen(&self) -> u64 {
        // The word itself, because it is in this GPU's memory.
        // SAFETY: the word is in the ring, which exists as long as kernels run; it is only accessed as a whole.
        unsafe { u64::load_relaxed_sys(here(offset_of!(ProcessorRing, read))) }
    }
    #[inline(always)]
    fn look_at_read(&self) -> u64 {
        // SAFETY: the word is in the ring, which exists as long as kernels run. SYNC(processor-ring) acquire.sys: pairs
        // with the release of `publish_read`.
        unsafe { u64::load_acquire_sys(here(offset_of!(ProcessorRing, read))) }
    }
    #[inline(always)]
    fn store(&self, slot: u64, words: [u64; WORDS]) {
        let at = offset_of!(ProcessorRing, slots) + slot as usize * size_of::<[u64; SLOT_WORDS]>();
        // SAFETY: the slot of this lane's ticket, in the ring, which exists as long as kernels run.
        unsafe { fill_slot(here(at), words) };
    }
    #[inline(always)]
    fn pause(&self) -> bool {
        self.0.wait_for(here(offset_of!(ProcessorRing, read)))
    }
}

/// Leaves a copy to the processor. `head` is that of a put or a get, for PE 0; `there` is where the other PE's memory
/// is mapped. A put may bring a signal: where it is mapped, its value, and the width that the head has for it;
/// otherwise 0.
#[inline(never)]
#[allow(clippy::too_many_arguments)]
pub(crate) fn post<T: Word + Into<u64>>(
    head: u64,
    pe: u32,
    there: u64,
    here_at: u64,
    bytes: T,
    signal: u64,
    value: u64,
) {
    // SYNC(processor-ring) release fence: pairs with the acquires in `words`.
    arch::fence_acq_rel_gpu();
    let ring = Posting(Ring::of_processor());
    let command =
        Command { head: head | u64::from(pe), arguments: [there, here_at, bytes.into(), 0, signal, value, 0] };
    let ticket = ring.0.given(ring::post(&ring, &command));
    let context = CommandHead::of_bits(head).context;
    let posted = here(offset_of!(ProcessorRing, posted) + 8 * usize::from(context));
    // SAFETY: the word is in the ring, which exists as long as kernels run.
    unsafe { arch::red_max_relaxed_gpu_u64(posted.raw(), ticket + 1) };
}

/// The last command of a context that this lane knows of; [`Left::finish`] waits for it.
pub(crate) struct Left(u64);

impl Left {
    /// Loads the count, whose value is needed behind a fence: the two take the same time.
    #[inline(always)]
    pub(crate) fn by(context: u32) -> Self {
        if context == 0 || arch::context_processor() == 0 {
            return Self(0);
        }
        let posted = here(offset_of!(ProcessorRing, posted) + 8 * context as usize);
        // SAFETY: the word is in the ring, which exists as long as kernels run; it is only accessed as a whole.
        Self(unsafe { u64::load_relaxed_sys(posted) })
    }

    /// Waits until the processor has carried it out. Whatever this lane does afterwards is ordered after what it and
    /// the commands before it did.
    #[inline(always)]
    pub(crate) fn finish(self) {
        if self.0 != 0 {
            complete(self.0);
        }
    }
}

/// It is generic because a function called from another crate must be.
#[cold]
#[inline(never)]
fn complete<P: Into<u64>>(posted: P) {
    let (posted, done) = (posted.into(), here(offset_of!(ProcessorRing, done)));
    // SAFETY: the word is in the ring, which exists as long as kernels run, and is only accessed as a whole.
    // SYNC(processor-ring) acquire.sys: pairs with the fence before `done` is stored.
    let is_late = unsafe {
        u64::load_acquire_sys(done) < posted && wait_reported_for(done, Cmp::Ge, posted, wait_limit_ns()).is_none()
    };
    if is_late {
        fail::fail(ErrorCode::ProcessorTimeout, my_pe(), 0, arch::context_wait_limit_ns());
    }
}
