//! Puts and gets of single lanes on contexts of their own, which a command processor may carry out.

use cushmem_device::{
    Block, Cmp, Ctx, DevPtr, Scope, SignalOp, Thread, arch, block_idx_x, kernels_of_module, my_pe, p, thread_idx_x,
    wait_until_for,
};

/// Words of an operation of [`carry_out`](kernel@carry_out): what, the offset at the target, that at the source, bytes.
pub const COPY_WORDS: usize = 4;
/// A put that sets the block's signal. 0 is a put, 1 a get.
pub const PUT_AND_SET: u64 = 2;
/// A put that adds to the block's signal.
pub const PUT_AND_ADD: u64 = 3;
/// A fence.
pub const FENCE: u64 = 4;
/// A quiet.
pub const QUIET: u64 = 5;

/// A word that belongs to a block, a round and a place.
#[inline(always)]
fn datum(pe: u32, block: u64, round: u64, i: u64) -> u64 {
    u64::from(pe) << 56 ^ block << 40 ^ round << 20 ^ i
}

/// A block tells the PE to which it has put a round by a signal that the put sets.
pub const BY_SET: u32 = 0;
/// By a signal to which the put adds.
pub const BY_ADD: u32 = 1;
/// By a word behind a fence.
pub const BY_FENCE: u32 = 2;
/// By a word behind a quiet.
pub const BY_QUIET: u32 = 3;

kernels_of_module! {
    /// Blocks of any size, whose first lanes each carry out `n` operations of a list, and then wait for them if
    /// `completes`. Puts go to `inbox`, gets to `private`; both come from `outbox`. `signals` are those of each block.
    pub unsafe fn carry_out(
        list: DevPtr<u64>, n: usize, inbox: DevPtr<u8>, private: DevPtr<u8>, outbox: DevPtr<u8>, signals: DevPtr<u64>, pe: u32,
        completes: u32
    ) {
        if thread_idx_x() != 0 {
            return;
        }
        let (context, block) = (Ctx::new(), block_idx_x() as usize);
        let mut i = 0;
        while i < n {
            let at = list.add((block * n + i) * COPY_WORDS);
            let (what, to, from, bytes) = (at.read(), at.add(1).read(), at.add(2).read(), at.add(3).read());
            let (to, from, bytes) = (to as usize, outbox.add(from as usize), bytes as usize);
            let (signal, value) = (signals.add(block), i as u64 + 1);
            match what {
                0 => context.put_nbi(Thread, inbox.add(to), from, bytes, pe),
                1 => context.get_nbi(Thread, private.add(to), from, bytes, pe),
                PUT_AND_SET => context.put_signal_nbi(Thread, inbox.add(to), from, bytes, signal, value, SignalOp::Set, pe),
                PUT_AND_ADD => context.put_signal_nbi(Thread, inbox.add(to), from, bytes, signal, value, SignalOp::Add, pe),
                FENCE => context.fence(),
                _ => context.quiet(),
            }
            i += 1;
        }
        if completes != 0 {
            context.quiet();
        }
    }

    /// Blocks of any size. In each round, the first lane of a block puts `words` words to `inbox` of PE `to`, and tells
    /// it (`by`). The lanes then wait for those from PE `from`, and check them and what they get back of their own.
    /// `inbox` and `outbox` are symmetric, `words` for each block, and so are `came` and `read`, a word for each; so
    /// many words of `copy` are private. Counts in `report` what was wrong, and behind it what was late.
    pub unsafe fn pass_on(
        inbox: DevPtr<u64>, outbox: DevPtr<u64>, copy: DevPtr<u64>, came: DevPtr<u64>, read: DevPtr<u64>, report: DevPtr<u64>,
        words: usize, rounds: u64, to: u32, from: u32, by: u32, limit_ns: u64
    ) {
        let (context, block) = (Ctx::new(), u64::from(block_idx_x()));
        let at = block as usize * words;
        let (inbox, outbox, copy) = (inbox.add(at), outbox.add(at), copy.add(at));
        let (came, read) = (came.add(block as usize), read.add(block as usize));
        let (mut round, mut wrong, mut late) = (1, 0u64, 0u64);
        while round <= rounds {
            let mut i = Block.lane();
            while i < words {
                outbox.add(i).write(datum(my_pe(), block, round, i as u64));
                copy.add(i).write(0);
                i += Block.lanes();
            }
            Block.sync();
            if Block.lane() == 0 {
                // By an addition, each round adds 1.
                if by == BY_SET {
                    context.put_signal_nbi(Thread, inbox, outbox, words, came, round, SignalOp::Set, to);
                } else if by == BY_ADD {
                    context.put_signal_nbi(Thread, inbox, outbox, words, came, 1, SignalOp::Add, to);
                } else {
                    context.put_nbi(Thread, inbox, outbox, words, to);
                    if by == BY_FENCE {
                        context.fence();
                    } else {
                        context.quiet();
                    }
                    context.p(came, round, to);
                }
                // What this lane gets back is what it has put: it completes the put first.
                context.quiet();
                context.get_nbi(Thread, copy, inbox, words, to);
                context.quiet();
                if wait_until_for(came, Cmp::Ge, round, limit_ns).is_none() {
                    late += 1;
                }
            }
            Block.sync();
            let mut i = Block.lane();
            while i < words {
                wrong += u64::from(inbox.add(i).read() != datum(from, block, round, i as u64));
                wrong += u64::from(copy.add(i).read() != datum(my_pe(), block, round, i as u64));
                // Nobody needs it any more.
                outbox.add(i).write(!0);
                i += Block.lanes();
            }
            Block.sync();
            if Block.lane() == 0 {
                p(read, round, from);
                if wait_until_for(read, Cmp::Ge, round, limit_ns).is_none() {
                    late += 1;
                }
            }
            if Block.any(late > 0) {
                break;
            }
            round += 1;
        }
        if wrong != 0 {
            cushmem_device::atomic_add(report, wrong, my_pe());
        }
        if late != 0 {
            cushmem_device::atomic_add(report.add(1), late, my_pe());
        }
    }

    /// One lane. Reads the words at these two offsets in the ring of this GPU's command processor, or zeros if there is
    /// none, and its address.
    pub unsafe fn look_at_ring(first: u64, second: u64, words: DevPtr<u64>) {
        let ring = arch::context_processor();
        let word = |at: u64| {
            if ring == 0 { 0 } else { arch::ld_relaxed_sys_u64(DevPtr::<u64>::from_address(ring + at).raw()) }
        };
        words.write(word(first));
        words.add(1).write(word(second));
        words.add(2).write(ring);
    }
}
