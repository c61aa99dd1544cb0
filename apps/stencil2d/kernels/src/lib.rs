//! Kernels of stencil2d, and what they share with the program: the arithmetic of a cell and the layout of a PE's
//! buffers.
//!
//! [`step`] is an iteration of the inner cells and [`edge::all`] one of the rim. Neither communicates; they serve the
//! modes in which the host or a stream exchanges halos. [`persistent`], [`fused`] and [`triggered`] run all iterations
//! in one launch. All of them update a cell with [`cell::updated`], and so does the serial reference.
#![cfg_attr(target_arch = "nvptx64", no_std, feature(abi_ptx, asm_experimental_arch))]

pub mod cell;
mod edge;
mod field;
pub mod fused;
pub mod layout;
pub mod persistent;
mod step;
pub mod triggered;

use cushmem_device::{DevPtr, DeviceTrigger, Roles, kernels};
use layout::{Job, Run, Sampling, Shape, Tiling, Whole};

kernels! {
    /// Sets the start values of all cells of `buffers` buffers; see `field::fill`.
    pub unsafe fn fill_f32(fields: DevPtr<f32>, buffers: u32, shape: Shape, whole: Whole, seed: u64) {
        field::fill(fields, buffers, shape, whole, seed);
    }

    /// Sets the start values of all cells of `buffers` buffers; see `field::fill`.
    pub unsafe fn fill_f64(fields: DevPtr<f64>, buffers: u32, shape: Shape, whole: Whole, seed: u64) {
        field::fill(fields, buffers, shape, whole, seed);
    }

    /// One iteration from buffer `from` to buffer `to`; see `step::tiles`.
    pub unsafe fn step_f32(from: DevPtr<f32>, to: DevPtr<f32>, shape: Shape, tiling: Tiling) {
        step::tiles::<f32, 4, { step::MANY_BLOCKS }>(from, to, shape, tiling);
    }

    /// One iteration from buffer `from` to buffer `to`; see `step::tiles`.
    pub unsafe fn step_f64(from: DevPtr<f64>, to: DevPtr<f64>, shape: Shape, tiling: Tiling) {
        step::tiles::<f64, 2, { step::MANY_BLOCKS }>(from, to, shape, tiling);
    }

    /// One iteration of the rim, which is also packed; see `edge::all`.
    pub unsafe fn rim_f32(
        from: DevPtr<f32>, to: DevPtr<f32>, jobs: DevPtr<Job>, count: u32, outbox: DevPtr<f32>, seen: DevPtr<u64>, signals: u32,
    ) {
        edge::all(from, to, jobs, count, outbox, seen, signals);
    }

    /// One iteration of the rim, which is also packed; see `edge::all`.
    pub unsafe fn rim_f64(
        from: DevPtr<f64>, to: DevPtr<f64>, jobs: DevPtr<Job>, count: u32, outbox: DevPtr<f64>, seen: DevPtr<u64>, signals: u32,
    ) {
        edge::all(from, to, jobs, count, outbox, seen, signals);
    }

    /// All iterations; a cooperative launch. See `persistent`.
    pub unsafe fn persistent_f32(
        fields: DevPtr<f32>, shape: Shape, tiling: Tiling, run: Run, jobs: DevPtr<Job>, signals: DevPtr<u64>,
        outbox: DevPtr<f32>, counter: DevPtr<u32>, outcome: DevPtr<u64>, progress: DevPtr<u64>,
    ) {
        persistent::iterate::<f32, 4>(
            fields, shape, tiling, run, jobs, signals, outbox, counter, outcome, progress,
        );
    }

    /// All iterations; a cooperative launch. See `persistent`.
    pub unsafe fn persistent_f64(
        fields: DevPtr<f64>, shape: Shape, tiling: Tiling, run: Run, jobs: DevPtr<Job>, signals: DevPtr<u64>,
        outbox: DevPtr<f64>, counter: DevPtr<u32>, outcome: DevPtr<u64>, progress: DevPtr<u64>,
    ) {
        persistent::iterate::<f64, 2>(
            fields, shape, tiling, run, jobs, signals, outbox, counter, outcome, progress,
        );
    }

    /// All iterations; a launch with roles. See `fused`.
    pub unsafe fn fused_f32(
        fields: DevPtr<f32>, shape: Shape, tiling: Tiling, run: Run, jobs: DevPtr<Job>, signals: DevPtr<u64>,
        outbox: DevPtr<f32>, roles: Roles, words: DevPtr<u64>, progress: DevPtr<u64>,
    ) {
        fused::with_puts::<f32, 4, { step::FEW_BLOCKS }>(
            fields, shape, tiling, run, jobs, signals, outbox, roles, words, progress,
        );
    }

    /// All iterations; a launch with roles. See `fused`.
    pub unsafe fn fused_f64(
        fields: DevPtr<f64>, shape: Shape, tiling: Tiling, run: Run, jobs: DevPtr<Job>, signals: DevPtr<u64>,
        outbox: DevPtr<f64>, roles: Roles, words: DevPtr<u64>, progress: DevPtr<u64>,
    ) {
        fused::with_puts::<f64, 2, { step::ROLES_F64 }>(
            fields, shape, tiling, run, jobs, signals, outbox, roles, words, progress,
        );
    }

    /// All iterations; a launch with roles. See `triggered`.
    pub unsafe fn triggered_f32(
        fields: DevPtr<f32>, shape: Shape, tiling: Tiling, run: Run, jobs: DevPtr<Job>, triggers: DevPtr<DeviceTrigger>,
        signals: DevPtr<u64>, outbox: DevPtr<f32>, roles: Roles, words: DevPtr<u64>, progress: DevPtr<u64>,
    ) {
        triggered::with_triggers::<f32, 4, { step::FEW_BLOCKS }>(
            fields, shape, tiling, run, jobs, triggers, signals, outbox, roles, words, progress,
        );
    }

    /// All iterations; a launch with roles. See `triggered`.
    pub unsafe fn triggered_f64(
        fields: DevPtr<f64>, shape: Shape, tiling: Tiling, run: Run, jobs: DevPtr<Job>, triggers: DevPtr<DeviceTrigger>,
        signals: DevPtr<u64>, outbox: DevPtr<f64>, roles: Roles, words: DevPtr<u64>, progress: DevPtr<u64>,
    ) {
        triggered::with_triggers::<f64, 2, { step::ROLES_F64 }>(
            fields, shape, tiling, run, jobs, triggers, signals, outbox, roles, words, progress,
        );
    }

    /// The cells that become pixels, row by row; see `field::sample`.
    pub unsafe fn sample_f32(field: DevPtr<f32>, shape: Shape, whole: Whole, pixels: Sampling, out: DevPtr<f64>) {
        field::sample(field, shape, whole, pixels, out);
    }

    /// The cells that become pixels, row by row; see `field::sample`.
    pub unsafe fn sample_f64(field: DevPtr<f64>, shape: Shape, whole: Whole, pixels: Sampling, out: DevPtr<f64>) {
        field::sample(field, shape, whole, pixels, out);
    }
}
