//! Kernels of the conformance tests in which lanes lend shared memory for copies, and use it themselves in between.
//! They are a crate of their own, because they are compiled for newer GPUs too.
#![cfg_attr(target_arch = "nvptx64", no_std, feature(abi_ptx, asm_experimental_arch))]

use cushmem_device::{
    Block, Cmp, DevPtr, GiveSmem, Scope, SharedPtr, SignalOp, Thread, Warp, block_dim_x, block_idx_x, dynamic_shared,
    dynamic_shared_bytes, grid_dim_x, kernels, my_pe, quiet, shared, signal_wait_until_for, thread_idx_x,
};
pub use cushmem_device::{SMEM_BYTES, SMEM_MIN_BYTES};
use cushmem_numbers::mixed;

kernels! {
    /// Puts the list's ranges, each by a lane.
    pub unsafe fn put_lent_thread(dst: DevPtr<u8>, src: DevPtr<u8>, list: DevPtr<u64>, n: u64, pe: u32) {
        copy::<Thread, true>(Thread, Copies { dst, src, list, n, pe });
    }

    /// Puts the list's ranges, each by a warp.
    pub unsafe fn put_lent_warp(dst: DevPtr<u8>, src: DevPtr<u8>, list: DevPtr<u64>, n: u64, pe: u32) {
        copy::<Warp, true>(Warp, Copies { dst, src, list, n, pe });
    }

    /// Puts the list's ranges, each by a block.
    pub unsafe fn put_lent_block(dst: DevPtr<u8>, src: DevPtr<u8>, list: DevPtr<u64>, n: u64, pe: u32) {
        copy::<Block, true>(Block, Copies { dst, src, list, n, pe });
    }

    /// Gets the list's ranges, each by a lane.
    pub unsafe fn get_lent_thread(dst: DevPtr<u8>, src: DevPtr<u8>, list: DevPtr<u64>, n: u64, pe: u32) {
        copy::<Thread, false>(Thread, Copies { dst, src, list, n, pe });
    }

    /// Gets the list's ranges, each by a warp.
    pub unsafe fn get_lent_warp(dst: DevPtr<u8>, src: DevPtr<u8>, list: DevPtr<u64>, n: u64, pe: u32) {
        copy::<Warp, false>(Warp, Copies { dst, src, list, n, pe });
    }

    /// Gets the list's ranges, each by a block.
    pub unsafe fn get_lent_block(dst: DevPtr<u8>, src: DevPtr<u8>, list: DevPtr<u64>, n: u64, pe: u32) {
        copy::<Block, false>(Block, Copies { dst, src, list, n, pe });
    }

    /// `put_signal` by a lane, in both directions.
    pub unsafe fn exchange_lent_thread(dst: DevPtr<u64>, src: DevPtr<u64>, n: usize, sig: DevPtr<u64>, rounds: u64, peer: u32, report: DevPtr<u64>, limit_ns: u64, add: u32) {
        let lent = Thread.give_smem(dynamic_shared(), dynamic_shared_bytes());
        exchange::<_, false>(lent, Exchange { dst, src, n, sig, rounds, peer, report, limit_ns, add: add != 0 });
    }

    /// `put_signal` by a warp, in both directions.
    pub unsafe fn exchange_lent_warp(dst: DevPtr<u64>, src: DevPtr<u64>, n: usize, sig: DevPtr<u64>, rounds: u64, peer: u32, report: DevPtr<u64>, limit_ns: u64, add: u32) {
        let lent = Warp.give_smem(dynamic_shared(), dynamic_shared_bytes());
        exchange::<_, false>(lent, Exchange { dst, src, n, sig, rounds, peer, report, limit_ns, add: add != 0 });
    }

    /// `put_signal_nbi` by a block, in both directions.
    pub unsafe fn exchange_lent_block(dst: DevPtr<u64>, src: DevPtr<u64>, n: usize, sig: DevPtr<u64>, rounds: u64, peer: u32, report: DevPtr<u64>, limit_ns: u64, add: u32) {
        let lent = Block.give_smem(dynamic_shared(), dynamic_shared_bytes());
        exchange::<_, true>(lent, Exchange { dst, src, n, sig, rounds, peer, report, limit_ns, add: add != 0 });
    }

    /// One block lends `bytes` bytes of its memory.
    pub unsafe fn lend(bytes: u32) {
        Block.give_smem(dynamic_shared(), bytes).release_smem();
    }
}

/// The most groups in a block, and bytes for each of them that are not lent.
const GROUPS: usize = 4;
const OWN_BYTES: usize = 2048;

shared! {
    static OWN: [u8; GROUPS * OWN_BYTES];
}

/// What a launch copies.
#[derive(Clone, Copy)]
struct Copies {
    dst: DevPtr<u8>,
    src: DevPtr<u8>,
    /// Three words per copy: offset in `dst`, offset in `src`, bytes.
    list: DevPtr<u64>,
    n: u64,
    pe: u32,
}

impl Copies {
    /// # Safety
    /// `i` is below `n`, and the list was written before the launch.
    #[inline(always)]
    unsafe fn at(&self, i: u64) -> (DevPtr<u8>, DevPtr<u8>, usize) {
        let entry = self.list.add(3 * i as usize);
        // SAFETY: the caller guarantees that the entry exists.
        let [dst, src, bytes] = unsafe { [entry.read(), entry.add(1).read(), entry.add(2).read()] };
        (self.dst.add(dst as usize), self.src.add(src as usize), bytes as usize)
    }
}

/// Group `g` of `groups` takes the copies `g, g + groups, …`. It lends its part of the block's shared memory for three
/// copies at a time: from global memory to global memory, the same by the nbi form, and one whose private end is in
/// other shared memory, if the range fits. For the next range that fits, it takes the memory back, and the range goes
/// through it by loads and stores on this side.
///
/// # Safety
/// The ranges are valid and disjoint. Blocks have at most [`GROUPS`] groups.
#[inline(always)]
unsafe fn copy<S: Scope, const IS_PUT: bool>(scope: S, copies: Copies) {
    let (lanes, in_block) = (scope.lanes(), block_dim_x() / scope.lanes() as u32);
    let group = thread_idx_x() as usize / lanes;
    let (mut i, groups) = (u64::from(block_idx_x() * in_block) + group as u64, u64::from(grid_dim_x() * in_block));
    let bytes_lent = dynamic_shared_bytes() / in_block / 16 * 16;
    let smem = dynamic_shared::<u8>().add(group * bytes_lent as usize);
    let own = OWN.ptr().add(group * OWN_BYTES);
    let mut turn = 0;
    // SAFETY: the caller guarantees what these require of the ranges. The memory is this group's, which uses it in
    // turn.
    unsafe {
        let mut lent = scope.give_smem(smem, bytes_lent);
        while i < copies.n {
            let (dst, src, bytes) = copies.at(i);
            match turn % 4 {
                3 if bytes <= bytes_lent as usize => {
                    let scope = lent.release_smem();
                    through::<S, S, IS_PUT>(scope, scope, smem, dst, src, bytes, copies.pe);
                    lent = scope.give_smem(smem, bytes_lent);
                }
                2 if bytes <= OWN_BYTES => through::<_, S, IS_PUT>(lent, scope, own, dst, src, bytes, copies.pe),
                1 if IS_PUT => lent.put_nbi(dst, src, bytes, copies.pe),
                1 => {
                    lent.get_nbi(dst, src, bytes, copies.pe);
                    quiet();
                }
                _ if IS_PUT => lent.put(dst, src, bytes, copies.pe),
                _ => lent.get(dst, src, bytes, copies.pe),
            }
            turn += 1;
            i += groups;
        }
        lent.release_smem();
    }
    quiet();
}

/// Copies by way of private memory: `by` copies between it and the other PE.
///
/// # Safety
/// The ranges are valid. `private` has as many bytes, which belong to the scope.
#[inline(always)]
#[allow(clippy::too_many_arguments)]
unsafe fn through<C: Scope, S: Scope, const IS_PUT: bool>(
    by: C,
    scope: S,
    private: SharedPtr<u8>,
    dst: DevPtr<u8>,
    src: DevPtr<u8>,
    bytes: usize,
    pe: u32,
) {
    // SAFETY: the caller guarantees what these require of the ranges.
    unsafe {
        if !IS_PUT {
            by.get(private.dev_ptr(), src, bytes, pe);
        }
        let mut j = scope.lane();
        while j < bytes {
            if IS_PUT {
                private.add(j).write(src.add(j).read());
            } else {
                dst.add(j).write(private.add(j).read());
            }
            j += scope.lanes();
        }
        scope.sync();
        if IS_PUT {
            by.put(dst, private.dev_ptr(), bytes, pe);
        }
    }
}

/// What an exchange works on.
#[derive(Clone, Copy)]
struct Exchange {
    /// Symmetric: two halves of `n` words.
    dst: DevPtr<u64>,
    /// Private: `n` words.
    src: DevPtr<u64>,
    n: usize,
    /// Symmetric.
    sig: DevPtr<u64>,
    rounds: u64,
    peer: u32,
    /// Private: the number of wrong words of each lane; then the round in which the wait ended without a signal.
    report: DevPtr<u64>,
    limit_ns: u64,
    /// Whether the signals add 1.
    add: bool,
}

/// Each PE writes `n` words, puts them with a signal, waits for the peer's words and checks them. A half is written
/// again two rounds later, after the peer's next signal has shown that the peer no longer needs it. With `NBI`, a quiet
/// comes before the source is written again.
///
/// # Safety
/// As the fields say; one scope per PE.
#[inline(always)]
unsafe fn exchange<S: Scope, const NBI: bool>(scope: S, x: Exchange) {
    let (lane, lanes) = (scope.lane(), scope.lanes());
    let late = x.report.add(lanes);
    let word = |round: u64, pe: u32, i: usize| mixed(round << 32 ^ u64::from(pe) << 60 ^ i as u64);
    let op = if x.add { SignalOp::Add } else { SignalOp::Set };
    let (mut round, mut wrong) = (1, 0);
    while round <= x.rounds {
        let half = x.dst.add((round % 2) as usize * x.n);
        let value = if x.add { 1 } else { round };
        // SAFETY: the caller guarantees what these require of the words.
        unsafe {
            let mut i = lane;
            while i < x.n {
                x.src.add(i).write(word(round, my_pe(), i));
                i += lanes;
            }
            scope.sync();
            if NBI {
                scope.put_signal_nbi(half, x.src, x.n, x.sig, value, op, x.peer);
            } else {
                scope.put_signal(half, x.src, x.n, x.sig, value, op, x.peer);
            }
            if lane == 0 && signal_wait_until_for(x.sig, Cmp::Ge, round, x.limit_ns).is_none() {
                late.write(round);
            }
            scope.sync();
            if late.read() != 0 {
                break;
            }
            i = lane;
            while i < x.n {
                // A plain load: nobody writes the words before this PE's next signal.
                wrong += u64::from(half.add(i).read() != word(round, x.peer, i));
                i += lanes;
            }
            if NBI && lane == 0 {
                quiet();
            }
            scope.sync();
        }
        round += 1;
    }
    // SAFETY: the caller guarantees that there is a word for each lane.
    unsafe { x.report.add(lane).write(wrong) };
}
