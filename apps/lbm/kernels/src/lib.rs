//! Kernels of lbm, and what they share with the program: the lattices, the arithmetic of a cell, and the layout of a
//! PE's arrays.
//!
//! [`sweep`] has the two halves of a step for boxes of cells. Kernels with the same names run one half, for the modes
//! in which something else exchanges messages. [`persistent`] and [`triggered`] run all steps in one launch. All of
//! them update a cell with [`cell`], and so does the serial reference.
#![cfg_attr(target_arch = "nvptx64", no_std, feature(abi_ptx, asm_experimental_arch))]

pub mod cell;
pub mod hash;
pub mod lattice;
pub mod layout;
pub mod memory;
pub mod message;
pub mod persistent;
pub mod sweep;
pub mod triggered;

use cell::Params;
use cushmem_device::{DevPtr, DeviceTrigger, block_dim_x, block_idx_x, grid_dim_x, kernels, thread_idx_x};
use layout::{Boxes, Part, Piece, Run, Shape, Watch};
use sweep::Cells;

/// The number of blocks of the grid, and this block's number.
#[inline(always)]
fn all_blocks() -> (u32, u32) {
    (block_idx_x(), grid_dim_x())
}

kernels! {
    /// Populations of a fluid at rest; see `sweep::start`.
    pub unsafe fn start_f32(
        memory: DevPtr<f32>, shape: Shape, params: Params<f32>, boxes: Boxes, watch: Watch,
    ) {
        let cells = Cells { memory, volume: shape.volume, shape: &shape, params: &params };
        let update = sweep::Start { cells, watch: &watch };
        sweep::tiles(&boxes, all_blocks(), &update);
    }

    /// First half of a step, for some boxes; see `sweep::order_parameter`.
    pub unsafe fn order_parameter_f32(
        memory: DevPtr<f32>, shape: Shape, params: Params<f32>, buffer: u32, boxes: Boxes,
    ) {
        let cells = Cells { memory, volume: shape.volume, shape: &shape, params: &params };
        let half = sweep::Half { cells, phase: 0, buffer, watch: &Watch::NOWHERE, ahead: 0 };
        sweep::tiles(&boxes, all_blocks(), &half);
    }

    /// Second half of a step, for some boxes; see `sweep::momentum`.
    pub unsafe fn momentum_f32(
        memory: DevPtr<f32>, shape: Shape, params: Params<f32>, buffer: u32, boxes: Boxes,
        watch: Watch,
    ) {
        let cells = Cells { memory, volume: shape.volume, shape: &shape, params: &params };
        let half = sweep::Half { cells, phase: 1, buffer, watch: &watch, ahead: 0 };
        sweep::tiles(&boxes, all_blocks(), &half);
    }

    /// Stores what can be observed of the cells of a box: `φ` of all, then the pressure, then each component of the
    /// velocity; see `sweep::observe`.
    pub unsafe fn observe_f32(
        memory: DevPtr<f32>, shape: Shape, params: Params<f32>, buffer: u32, part: Part, out: DevPtr<f64>,
    ) {
        let cells = Cells { memory, volume: shape.volume, shape: &shape, params: &params };
        let show = sweep::Show { cells, buffer, part: &part, out };
        sweep::box_tiles(&part, all_blocks(), &show);
    }

    /// Adds a hash of the bits of all cells of a box to a word; see `hash`.
    pub unsafe fn hash_f32(
        memory: DevPtr<f32>, shape: Shape, buffer: u32, part: Part, watch: Watch, sum: DevPtr<u64>,
    ) {
        let hash = hash::Hash { memory, shape: &shape, buffer, watch: &watch, sum };
        sweep::box_tiles(&part, all_blocks(), &hash);
    }

    /// Packs pieces, a block for each; see `message::pack`.
    pub unsafe fn pack_f32(memory: DevPtr<f32>, volume: u32, pieces: DevPtr<Piece>, outbox: DevPtr<f32>) {
        let piece = pieces.add(block_idx_x() as usize);
        message::pack(memory, volume, piece, outbox, thread_idx_x(), block_dim_x());
    }

    /// Copies pieces to the ghosts, a block for each; see `message::unpack`.
    pub unsafe fn unpack_f32(memory: DevPtr<f32>, volume: u32, pieces: DevPtr<Piece>, inbox: DevPtr<f32>) {
        let piece = pieces.add(block_idx_x() as usize);
        message::unpack(memory, volume, piece, inbox, thread_idx_x(), block_dim_x());
    }

    /// All steps; a cooperative launch. See `persistent`.
    pub unsafe fn persistent_f32(
        memory: DevPtr<f32>, shape: Shape, params: Params<f32>, run: Run, boxes: Boxes, pieces: DevPtr<Piece>,
        outbox: DevPtr<f32>, inbox: DevPtr<f32>, signals: DevPtr<u64>, counter: DevPtr<u32>, words: DevPtr<u64>,
        watch: Watch,
    ) {
        persistent::with_puts(
            memory, shape, params, run, boxes, pieces, outbox, inbox, signals, counter, words, watch,
        );
    }

    /// All steps; a cooperative launch. See `triggered`.
    pub unsafe fn triggered_f32(
        memory: DevPtr<f32>, shape: Shape, params: Params<f32>, run: Run, boxes: Boxes, pieces: DevPtr<Piece>,
        triggers: DevPtr<DeviceTrigger>, outbox: DevPtr<f32>, inbox: DevPtr<f32>, signals: DevPtr<u64>,
        counter: DevPtr<u32>, words: DevPtr<u64>, watch: Watch,
    ) {
        triggered::with_triggers(
            memory, shape, params, run, boxes, pieces, triggers, outbox, inbox, signals, counter, words, watch,
        );
    }

    /// Populations of a fluid at rest; see `sweep::start`.
    pub unsafe fn start_f64(
        memory: DevPtr<f64>, shape: Shape, params: Params<f64>, boxes: Boxes, watch: Watch,
    ) {
        let cells = Cells { memory, volume: shape.volume, shape: &shape, params: &params };
        let update = sweep::Start { cells, watch: &watch };
        sweep::tiles(&boxes, all_blocks(), &update);
    }

    /// First half of a step, for some boxes; see `sweep::order_parameter`.
    pub unsafe fn order_parameter_f64(
        memory: DevPtr<f64>, shape: Shape, params: Params<f64>, buffer: u32, boxes: Boxes,
    ) {
        let cells = Cells { memory, volume: shape.volume, shape: &shape, params: &params };
        let half = sweep::Half { cells, phase: 0, buffer, watch: &Watch::NOWHERE, ahead: 0 };
        sweep::tiles(&boxes, all_blocks(), &half);
    }

    /// Second half of a step, for some boxes; see `sweep::momentum`.
    pub unsafe fn momentum_f64(
        memory: DevPtr<f64>, shape: Shape, params: Params<f64>, buffer: u32, boxes: Boxes,
        watch: Watch,
    ) {
        let cells = Cells { memory, volume: shape.volume, shape: &shape, params: &params };
        let half = sweep::Half { cells, phase: 1, buffer, watch: &watch, ahead: 0 };
        sweep::tiles(&boxes, all_blocks(), &half);
    }

    /// Stores what can be observed of the cells of a box: `φ` of all, then the pressure, then each component of the
    /// velocity; see `sweep::observe`.
    pub unsafe fn observe_f64(
        memory: DevPtr<f64>, shape: Shape, params: Params<f64>, buffer: u32, part: Part, out: DevPtr<f64>,
    ) {
        let cells = Cells { memory, volume: shape.volume, shape: &shape, params: &params };
        let show = sweep::Show { cells, buffer, part: &part, out };
        sweep::box_tiles(&part, all_blocks(), &show);
    }

    /// Adds a hash of the bits of all cells of a box to a word; see `hash`.
    pub unsafe fn hash_f64(
        memory: DevPtr<f64>, shape: Shape, buffer: u32, part: Part, watch: Watch, sum: DevPtr<u64>,
    ) {
        let hash = hash::Hash { memory, shape: &shape, buffer, watch: &watch, sum };
        sweep::box_tiles(&part, all_blocks(), &hash);
    }

    /// Packs pieces, a block for each; see `message::pack`.
    pub unsafe fn pack_f64(memory: DevPtr<f64>, volume: u32, pieces: DevPtr<Piece>, outbox: DevPtr<f64>) {
        let piece = pieces.add(block_idx_x() as usize);
        message::pack(memory, volume, piece, outbox, thread_idx_x(), block_dim_x());
    }

    /// Copies pieces to the ghosts, a block for each; see `message::unpack`.
    pub unsafe fn unpack_f64(memory: DevPtr<f64>, volume: u32, pieces: DevPtr<Piece>, inbox: DevPtr<f64>) {
        let piece = pieces.add(block_idx_x() as usize);
        message::unpack(memory, volume, piece, inbox, thread_idx_x(), block_dim_x());
    }

    /// All steps; a cooperative launch. See `persistent`.
    pub unsafe fn persistent_f64(
        memory: DevPtr<f64>, shape: Shape, params: Params<f64>, run: Run, boxes: Boxes, pieces: DevPtr<Piece>,
        outbox: DevPtr<f64>, inbox: DevPtr<f64>, signals: DevPtr<u64>, counter: DevPtr<u32>, words: DevPtr<u64>,
        watch: Watch,
    ) {
        persistent::with_puts(
            memory, shape, params, run, boxes, pieces, outbox, inbox, signals, counter, words, watch,
        );
    }

    /// All steps; a cooperative launch. See `triggered`.
    pub unsafe fn triggered_f64(
        memory: DevPtr<f64>, shape: Shape, params: Params<f64>, run: Run, boxes: Boxes, pieces: DevPtr<Piece>,
        triggers: DevPtr<DeviceTrigger>, outbox: DevPtr<f64>, inbox: DevPtr<f64>, signals: DevPtr<u64>,
        counter: DevPtr<u32>, words: DevPtr<u64>, watch: Watch,
    ) {
        triggered::with_triggers(
            memory, shape, params, run, boxes, pieces, triggers, outbox, inbox, signals, counter, words, watch,
        );
    }

    /// One lane: adds `steps` to a word that counts steps. A replayed graph runs it.
    pub unsafe fn advance(word: DevPtr<u64>, steps: u64) {
        word.write(word.read() + steps);
    }
}
