//! Copies by the bulk engine, which GPUs have from sm_90 on: one lane moves chunks through stages in shared memory that
//! the kernel has lent ([`crate::Lent`]).
//!
//! ```text
//!   source ──cp.async.bulk──▶ stage i % 4 ──cp.async.bulk──▶ destination
//!             mbarrier of the stage          group of the lane
//! ```
//!
//! The stages form a ring. Their barriers exist during a copy only, so that nothing has to be kept between copies, and
//! chunk `i` ends phase `i / 4` of its barrier. A stage is filled again when the copy out of it has read it, while the
//! last [`READING`] copies may still read theirs.
//!
//! The engine reaches memory through the async proxy, other than loads and stores, which go through the generic proxy.
//! Why each side sees what it has to see, in the terms of PTX's memory model:
//!
//! * *The source is read as loads of this lane would read it.* Whoever wrote it has synchronised with this lane: by a
//!   barrier of the scope, by the signal of a put, or by the launch. So the stores come before this lane's
//!   `fence.proxy.async` in base causality order, and that fence lies between them and the copy. It also orders the
//!   `mbarrier.init`, earlier accesses to the destination, and what lanes did with the shared memory before they lent
//!   it ([`crate::GiveSmem::give_smem`] waits for them).
//! * *A chunk is stored after it has been loaded.* The end of the phase, which this lane awaits, makes the chunk
//!   visible to it. Both copies are by the same proxy and from the same block, so no fence lies between them.
//! * *A stage is filled after it has been read.* `wait_group.read` ends when the copies have read their stages.
//! * *The destination is written before the copy returns.* `wait_group`, without `.read`, ends when the writes have
//!   been made visible to this lane. A fence between the async and the generic proxy is part of the completion. So the
//!   writes come before whatever this lane does next, as its own stores do, and a release at system scope covers them:
//!   that of quiet, of a signal, or of a barrier behind it. Other lanes of the scope see them behind the scope's
//!   barrier. `put_nbi` waits in the same way, because quiet is executed by lanes that do not know of the groups.
//! * *The shared memory can be used again.* All copies out of the stages are complete, the barriers are no barriers any
//!   more, and [`crate::Lent::release_smem`] has the lanes wait for the one that copied.
//!
//! The waits have no limit: the GPU ends every copy, or the kernel if an address is wrong.

use crate::{DevPtr, arch};

/// The number of chunks that are on their way at once.
pub(crate) const STAGES: u32 = 4;
/// The bytes of a stage's barrier.
pub(crate) const BARRIER_BYTES: u32 = 8;
/// What the start of the stages is aligned to.
pub(crate) const ALIGNMENT: u32 = 128;

/// How many copies out of stages may still read them when another stage is filled. More of them, or more stages in the
/// same memory, are not faster.
const READING: u32 = 1;

/// The least number of bytes of a chunk, if there are as many and the stages are as large. Smaller ones cost more time
/// than they save: of 8 KiB, one chunk took 2.40 µs on an H100, and four took 2.70.
const LEAST_CHUNK: usize = 8 << 10;

/// Where the stages lie. Their barriers follow.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Smem {
    pub(crate) at: arch::SharedAddress,
    /// The bytes of a stage.
    pub(crate) stage: u32,
}

impl Smem {
    #[inline(always)]
    pub(crate) fn barriers(self) -> arch::SharedAddress {
        self.at + arch::SharedAddress::from(STAGES * self.stage)
    }
}

/// Copies `bytes` bytes. To be called by one lane.
///
/// # Safety
/// Both ranges are valid global memory, their addresses and `bytes`, which is not 0, are multiples of 16, and nobody
/// writes either at the same time. `smem` is lent, and no other copy uses it.
#[inline(always)]
pub(crate) unsafe fn copy(smem: Smem, dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize) {
    let chunk = chunk(smem, bytes);
    let barrier = |i: u32| smem.barriers() + arch::SharedAddress::from(i % STAGES * BARRIER_BYTES);
    let stage = |i: u32| smem.at + arch::SharedAddress::from(i % STAGES * chunk);
    let size = |at: usize| if bytes - at < chunk as usize { (bytes - at) as u32 } else { chunk };
    // SAFETY: barriers and stages lie in the lent memory, and the chunks in the ranges. Each is as aligned as required.
    unsafe {
        // Chunk `i`, which starts at byte `at`.
        let fill = |i: u32, at: usize| {
            arch::mbarrier_arrive_expect_tx(barrier(i), size(at));
            arch::cp_async_bulk_shared_global(stage(i), src.add(at).raw(), size(at), barrier(i));
        };
        let mut i = 0;
        while i < STAGES {
            arch::mbarrier_init(barrier(i), 1);
            i += 1;
        }
        arch::fence_proxy_async();
        let (mut next, mut filled) = (0, 0);
        while filled < bytes && next < STAGES {
            fill(next, filled);
            next += 1;
            filled += chunk as usize;
        }
        let (mut i, mut at) = (0, 0);
        while at < bytes {
            while !arch::mbarrier_try_wait_parity(barrier(i), i / STAGES % 2) {}
            arch::cp_async_bulk_global_shared(dst.add(at).raw(), stage(i), size(at));
            arch::cp_async_bulk_commit_group();
            i += 1;
            at += chunk as usize;
            if filled < bytes && i > READING {
                arch::cp_async_bulk_wait_group_read::<READING>();
                fill(next, filled);
                next += 1;
                filled += chunk as usize;
            }
        }
        arch::cp_async_bulk_wait_group();
        i = 0;
        while i < STAGES {
            arch::mbarrier_inval(barrier(i));
            i += 1;
        }
    }
}

/// The bytes of a chunk: all stages have a part of a short copy, so that the parts overlap.
#[inline(always)]
fn chunk(smem: Smem, bytes: usize) -> u32 {
    let part = bytes.div_ceil(STAGES as usize).next_multiple_of(ALIGNMENT as usize);
    let part = if part > LEAST_CHUNK { part } else { LEAST_CHUNK };
    if part < smem.stage as usize { part as u32 } else { smem.stage }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches chunks that are lost, cut or in the wrong stage, and stages beyond the lent memory. The model of the
    /// barriers catches a wait for another phase.
    #[test]
    fn copies_of_every_length_arrive() {
        let room = 1 << 20;
        let mut words = std::vec![0u128; 2 * room / 16 + 8192];
        let first = words.as_mut_ptr().expose_provenance() as u64;
        let (src, dst) = (DevPtr::from_address(first), DevPtr::from_address(first + room as u64));
        let at = (first + 2 * room as u64).next_multiple_of(ALIGNMENT.into());
        (1..).zip(&mut words[..room / 16]).for_each(|(i, word)| *word = i);
        for stage in [1 << 10, 1536, 16 << 10] {
            let smem = Smem { at, stage };
            for bytes in
                (16..600).step_by(16).chain([4 << 10, (4 << 10) + 16, 50_000, 65_536, 100_000, room - 16, room])
            {
                words[room / 16..].fill(0);
                let past = (smem.barriers() - first) as usize / 16 + 2;
                words[past] = 77;
                // SAFETY: the ranges lie in `words`, and so do the stages with their barriers.
                unsafe { copy(smem, dst, src, bytes) };
                let arrived = words[room / 16..].iter().zip(1..).take_while(|(word, i)| **word == *i).count();
                assert_eq!(arrived, bytes / 16, "{bytes} bytes by stages of {stage}");
                assert_eq!(words[past], 77, "{bytes} bytes by stages of {stage}: behind the barriers");
            }
        }
    }
}
