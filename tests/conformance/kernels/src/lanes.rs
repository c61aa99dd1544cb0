//! Warps and blocks without memory: shuffles, votes, matches, reductions and scans.

use cushmem_device::{
    And, Block, DevPtr, Fold, Max, Min, Or, Scope, Sum, Warp, Word, Xor, ballot, kernels_of_module, lane_id, match_all,
    match_any, shfl_down, shfl_idx, shfl_up, shfl_xor, vote_all, vote_any,
};

kernels_of_module! {
    /// Shuffles values.
    pub unsafe fn shuffle_u32(values: DevPtr<u32>, out: DevPtr<u32>, by: u32) {
        shuffle(values, out, by);
    }

    /// Combines values: sum, minimum, maximum, and, or, xor.
    pub unsafe fn fold_u32(values: DevPtr<u32>, out: DevPtr<u32>, operation: u32) {
        match operation {
            0 => fold(Sum, values, out),
            1 => fold(Min, values, out),
            2 => fold(Max, values, out),
            3 => fold(And, values, out),
            4 => fold(Or, values, out),
            _ => fold(Xor, values, out),
        }
    }

    /// Shuffles values.
    pub unsafe fn shuffle_i32(values: DevPtr<i32>, out: DevPtr<i32>, by: u32) {
        shuffle(values, out, by);
    }

    /// Combines values: sum, minimum, maximum, and, or, xor.
    pub unsafe fn fold_i32(values: DevPtr<i32>, out: DevPtr<i32>, operation: u32) {
        match operation {
            0 => fold(Sum, values, out),
            1 => fold(Min, values, out),
            2 => fold(Max, values, out),
            3 => fold(And, values, out),
            4 => fold(Or, values, out),
            _ => fold(Xor, values, out),
        }
    }

    /// Shuffles values.
    pub unsafe fn shuffle_u64(values: DevPtr<u64>, out: DevPtr<u64>, by: u32) {
        shuffle(values, out, by);
    }

    /// Combines values: sum, minimum, maximum, and, or, xor.
    pub unsafe fn fold_u64(values: DevPtr<u64>, out: DevPtr<u64>, operation: u32) {
        match operation {
            0 => fold(Sum, values, out),
            1 => fold(Min, values, out),
            2 => fold(Max, values, out),
            3 => fold(And, values, out),
            4 => fold(Or, values, out),
            _ => fold(Xor, values, out),
        }
    }

    /// Shuffles values.
    pub unsafe fn shuffle_i64(values: DevPtr<i64>, out: DevPtr<i64>, by: u32) {
        shuffle(values, out, by);
    }

    /// Combines values: sum, minimum, maximum, and, or, xor.
    pub unsafe fn fold_i64(values: DevPtr<i64>, out: DevPtr<i64>, operation: u32) {
        match operation {
            0 => fold(Sum, values, out),
            1 => fold(Min, values, out),
            2 => fold(Max, values, out),
            3 => fold(And, values, out),
            4 => fold(Or, values, out),
            _ => fold(Xor, values, out),
        }
    }

    /// Shuffles values.
    pub unsafe fn shuffle_f32(values: DevPtr<f32>, out: DevPtr<f32>, by: u32) {
        shuffle(values, out, by);
    }

    /// Combines values: sum, minimum, maximum.
    pub unsafe fn fold_f32(values: DevPtr<f32>, out: DevPtr<f32>, operation: u32) {
        match operation {
            0 => fold(Sum, values, out),
            1 => fold(Min, values, out),
            _ => fold(Max, values, out),
        }
    }

    /// Shuffles values.
    pub unsafe fn shuffle_f64(values: DevPtr<f64>, out: DevPtr<f64>, by: u32) {
        shuffle(values, out, by);
    }

    /// Combines values: sum, minimum, maximum.
    pub unsafe fn fold_f64(values: DevPtr<f64>, out: DevPtr<f64>, operation: u32) {
        match operation {
            0 => fold(Sum, values, out),
            1 => fold(Min, values, out),
            _ => fold(Max, values, out),
        }
    }

    /// Votes, and finds equal keys.
    pub unsafe fn votes(keys: DevPtr<u64>, out: DevPtr<u32>) {
        vote(keys, out);
    }
}

/// Words per lane that [`shuffle`] writes.
pub const SHUFFLED: usize = 6;
/// Words per lane that [`vote`] writes.
pub const VOTED: usize = 8;
/// Elements per lane that [`fold`] writes: reduction, inclusive and exclusive scan by block, then by warp.
pub const FOLDED: usize = 6;

/// Stores what other lanes passed; the last two by the half of the warp, each in a branch of its own.
///
/// # Safety
/// Whole warps. `values` has an element for each lane, `out` [`SHUFFLED`].
#[inline(always)]
unsafe fn shuffle<T: Word>(values: DevPtr<T>, out: DevPtr<T>, by: u32) {
    let lane = Block.lane();
    // SAFETY: the caller guarantees that there are as many elements.
    unsafe {
        let (value, out) = (values.add(lane).read(), out.add(lane * SHUFFLED));
        out.write(shfl_idx(u32::MAX, value, by + lane_id()));
        out.add(1).write(shfl_up(u32::MAX, value, by));
        out.add(2).write(shfl_down(u32::MAX, value, by));
        out.add(3).write(shfl_xor(u32::MAX, value, by));
        if lane_id() < 16 {
            out.add(4).write(shfl_idx(0xffff, value, by % 16));
            out.add(5).write(shfl_xor(0xffff, value, by % 16));
        } else {
            out.add(4).write(shfl_idx(0xffff_0000, value, 16 + by % 16));
            out.add(5).write(shfl_xor(0xffff_0000, value, by % 16));
        }
    }
}

/// Stores what votes and matches of the warp, and of its even or odd lanes, give.
///
/// # Safety
/// Blocks of any size. `keys` has an element for each lane, `out` [`VOTED`].
#[inline(always)]
unsafe fn vote(keys: DevPtr<u64>, out: DevPtr<u32>) {
    let lane = Block.lane();
    // SAFETY: the caller guarantees that there are as many elements.
    unsafe {
        let (key, out) = (keys.add(lane).read(), out.add(lane * VOTED));
        out.write(ballot(u32::MAX, key > 1));
        out.add(1).write(vote_all(u32::MAX, key > 1).into());
        out.add(2).write(vote_any(u32::MAX, key > 1).into());
        out.add(3).write(match_any(u32::MAX, key));
        out.add(4).write(match_all(u32::MAX, key).into());
        let half = if lane_id().is_multiple_of(2) { 0x5555_5555 } else { 0xaaaa_aaaa };
        out.add(5).write(match_any(half, key as i16));
        out.add(6).write(match_all(half, key as f32).into());
        out.add(7).write(vote_all(half, key > 1).into());
    }
}

/// Stores the results of all reductions and scans by the block and, if its warps are whole, by each warp. It repeats
/// those of the block with other values first, so that a value of the call before is seen.
///
/// # Safety
/// Blocks of any size. `values` has an element for each lane, `out` [`FOLDED`].
#[inline(always)]
unsafe fn fold<T: Word, F: Fold<T>>(fold: F, values: DevPtr<T>, out: DevPtr<T>) {
    let (lane, lanes) = (Block.lane(), Block.lanes());
    // SAFETY: the caller guarantees that there are as many elements.
    unsafe {
        let out = out.add(lane * FOLDED);
        let mut round = 2;
        while round > 0 {
            round -= 1;
            let value = values.add((lane + round) % lanes).read();
            out.write(Block.fold(fold, value));
            out.add(1).write(Block.inclusive_scan(fold, value));
            out.add(2).write(Block.exclusive_scan(fold, value));
        }
        if lanes.is_multiple_of(32) {
            let value = values.add(lane).read();
            out.add(3).write(Warp.fold(fold, value));
            out.add(4).write(Warp.inclusive_scan(fold, value));
            out.add(5).write(Warp.exclusive_scan(fold, value));
        }
    }
}
