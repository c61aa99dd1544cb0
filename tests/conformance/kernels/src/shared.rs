//! Shared memory: what lanes write there, others see, and each block has its own.

use crate::mix::mix;
use cushmem_device::{
    Block, DevPtr, Scope, SharedPtr, Word, block_idx_x, dynamic_shared, dynamic_shared_bytes, kernels_of_module, shared,
};

kernels_of_module! {
    /// Exchanges words between lanes through declared shared memory and that of the launch. One word of `wrong` for
    /// each block.
    pub unsafe fn shared_words(wrong: DevPtr<u64>, seen_bytes: DevPtr<u64>) {
        words(wrong, seen_bytes);
    }

    /// Reverses bytes in declared shared memory by pointers to memory of any kind.
    pub unsafe fn shared_reverse(bytes: DevPtr<u8>, n: usize) {
        reverse(bytes, n);
    }
}

shared! {
    static BYTES: [u8; 1024];
    static WORDS: [u64; 1024];
}

/// Each lane fills every `lanes`-th of `n` elements, and checks those of another lane. Returns how many were wrong.
///
/// # Safety
/// `at` has `n` elements. All lanes of the block call it.
#[inline(always)]
unsafe fn exchange<T: Word>(at: SharedPtr<T>, n: usize, round: u64, value: impl Fn(u64) -> T) -> u64 {
    let (lane, lanes) = (Block.lane(), Block.lanes());
    let seed = round << 32 | u64::from(block_idx_x()) << 40;
    let mut wrong = 0;
    // SAFETY: the caller guarantees that there are `n` elements.
    unsafe {
        let mut i = lane;
        while i < n {
            at.add(i).write(value(mix(seed, i as u64)));
            i += lanes;
        }
        Block.sync();
        i = (lane + 1) % lanes;
        while i < n {
            if at.add(i).read() != value(mix(seed, i as u64)) {
                wrong += 1;
            }
            i += lanes;
        }
        Block.sync();
    }
    wrong
}

/// Uses all pieces in turn, so that pieces that overlap are seen: the first is written again before it is checked.
///
/// # Safety
/// Blocks of any size. `wrong_words` and `seen_bytes` have a word for each block, for the number of wrong words and the
/// bytes of dynamic shared memory that it saw.
#[inline(always)]
unsafe fn words(wrong_words: DevPtr<u64>, seen_bytes: DevPtr<u64>) {
    let bytes = dynamic_shared_bytes() as usize;
    let block = block_idx_x() as usize;
    // SAFETY: the pieces have as many elements.
    let wrong = unsafe {
        let dynamic = dynamic_shared::<u8>();
        let mut wrong = exchange(BYTES.ptr(), BYTES.len(), 1, |v| v as u8);
        wrong += exchange(BYTES.ptr().cast::<i16>(), BYTES.len() / 2, 2, |v| v as i16);
        wrong += exchange(WORDS.ptr(), WORDS.len(), 3, |v| v);
        wrong += exchange(WORDS.ptr().cast::<f64>(), WORDS.len(), 4, |v| (v >> 12) as f64);
        wrong += exchange(dynamic.cast::<u32>(), bytes / 4, 5, |v| v as u32);
        wrong += exchange(dynamic.cast::<f32>(), bytes / 4, 6, |v| (v >> 41) as f32);
        // Nobody writes between these, so each piece still has the values of its last round.
        wrong += held(BYTES.ptr().cast::<i16>(), BYTES.len() / 2, 2, |v| v as i16);
        wrong += held(WORDS.ptr().cast::<f64>(), WORDS.len(), 4, |v| (v >> 12) as f64);
        wrong
    };
    // SAFETY: the areas have a word for each block, and the lanes take turns.
    unsafe {
        let mut turn = 0;
        while turn < Block.lanes() {
            if turn == Block.lane() {
                let sum = wrong_words.add(block);
                sum.write(sum.read() + wrong);
                seen_bytes.add(block).write(bytes as u64);
            }
            Block.sync();
            turn += 1;
        }
    }
}

/// How many of a lane's elements do not hold what [`exchange`] wrote in `round`.
///
/// # Safety
/// `at` has `n` elements.
#[inline(always)]
unsafe fn held<T: Word>(at: SharedPtr<T>, n: usize, round: u64, value: impl Fn(u64) -> T) -> u64 {
    let seed = round << 32 | u64::from(block_idx_x()) << 40;
    let (mut i, mut wrong) = (Block.lane(), 0);
    while i < n {
        // SAFETY: the caller guarantees that there are `n` elements.
        if unsafe { at.add(i).read() } != value(mix(seed, i as u64)) {
            wrong += 1;
        }
        i += Block.lanes();
    }
    wrong
}

/// Reverses `n` bytes.
///
/// # Safety
/// One block; `bytes` has `n` elements, at most 1024.
#[inline(always)]
unsafe fn reverse(bytes: DevPtr<u8>, n: usize) {
    let copy = BYTES.ptr().dev_ptr();
    // SAFETY: the caller guarantees that the pieces are long enough.
    unsafe {
        let mut i = Block.lane();
        while i < n {
            copy.add(i).write(bytes.add(i).read());
            i += Block.lanes();
        }
        Block.sync();
        i = Block.lane();
        while i < n {
            bytes.add(i).write(copy.add(n - 1 - i).read());
            i += Block.lanes();
        }
    }
}
