//! The kernels for each type of cell.

use cushmem::{DevPtr, DeviceTrigger, Kernel, Roles};
use stencil2d_kernels as kernels;
use stencil2d_kernels::cell::Real;
use stencil2d_kernels::layout::{Job, Run, Sampling, Shape, Tiling, Whole};

/// A type of cell, with the kernels for it.
pub trait Cell: Real {
    const FILL: Self::Fill;
    const STEP: Self::Step;
    const RIM: Self::Rim;
    const PERSISTENT: Self::Persistent;
    const FUSED: Self::Fused;
    const TRIGGERED: Self::Triggered;
    const SAMPLE: Self::Sample;
    type Fill: Kernel<Args = (DevPtr<Self>, u32, Shape, Whole, u64)>;
    type Step: Kernel<Args = (DevPtr<Self>, DevPtr<Self>, Shape, Tiling)>;
    type Rim: Kernel<Args = (DevPtr<Self>, DevPtr<Self>, DevPtr<Job>, u32, DevPtr<Self>, DevPtr<u64>, u32)>;
    type Persistent: Kernel<
        Args = (
            DevPtr<Self>,
            Shape,
            Tiling,
            Run,
            DevPtr<Job>,
            DevPtr<u64>,
            DevPtr<Self>,
            DevPtr<u32>,
            DevPtr<u64>,
            DevPtr<u64>,
        ),
    >;
    type Fused: Kernel<
        Args = (
            DevPtr<Self>,
            Shape,
            Tiling,
            Run,
            DevPtr<Job>,
            DevPtr<u64>,
            DevPtr<Self>,
            Roles,
            DevPtr<u64>,
            DevPtr<u64>,
        ),
    >;
    type Triggered: Kernel<
        Args = (
            DevPtr<Self>,
            Shape,
            Tiling,
            Run,
            DevPtr<Job>,
            DevPtr<DeviceTrigger>,
            DevPtr<u64>,
            DevPtr<Self>,
            Roles,
            DevPtr<u64>,
            DevPtr<u64>,
        ),
    >;
    type Sample: Kernel<Args = (DevPtr<Self>, Shape, Whole, Sampling, DevPtr<f64>)>;
}

macro_rules! cells { ($($t:ty: $fill:ident $step:ident $rim:ident $persistent:ident $fused:ident $triggered:ident $sample:ident;)*) => {$(
    impl Cell for $t {
        const FILL: Self::Fill = kernels::$fill;
        const STEP: Self::Step = kernels::$step;
        const RIM: Self::Rim = kernels::$rim;
        const PERSISTENT: Self::Persistent = kernels::$persistent;
        const FUSED: Self::Fused = kernels::$fused;
        const TRIGGERED: Self::Triggered = kernels::$triggered;
        const SAMPLE: Self::Sample = kernels::$sample;
        type Fill = kernels::$fill;
        type Step = kernels::$step;
        type Rim = kernels::$rim;
        type Persistent = kernels::$persistent;
        type Fused = kernels::$fused;
        type Triggered = kernels::$triggered;
        type Sample = kernels::$sample;
    }
)*} }
cells! {
    f32: fill_f32 step_f32 rim_f32 persistent_f32 fused_f32 triggered_f32 sample_f32;
    f64: fill_f64 step_f64 rim_f64 persistent_f64 fused_f64 triggered_f64 sample_f64;
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMITTED: &str = include_str!("../kernels/prebuilt/stencil2d-kernels.part.ptx");

    fn name<K: Kernel>(_: K) -> String {
        K::NAME.into()
    }

    /// Catches a demo that needs the compiler for kernels where there is a GPU, and PTX that is committed for nothing.
    #[test]
    fn what_the_demo_launches_is_committed() {
        // The fields, then the mode for PEs with GPUs of their own, then that for PEs that share one.
        let mut launched = [name(f32::FILL), name(f32::SAMPLE), name(f32::PERSISTENT), name(f32::STEP), name(f32::RIM)];
        launched.sort();
        let entries = COMMITTED.lines().filter_map(|line| line.strip_prefix(".visible .entry ")?.strip_suffix('('));
        assert_eq!(entries.collect::<Vec<_>>(), launched);
        assert!(COMMITTED.lines().count() <= 6000);
    }
}
