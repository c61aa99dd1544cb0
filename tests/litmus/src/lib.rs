//! Litmus tests through the public API: they count orders of memory accesses that `docs/memory-model.md` forbids. On
//! CUDA these are ten million tries each, so that a pass says something about the fences. The emulated GPU runs on
//! CPUs, which reorder little: there a pass shows that the tests are right.
//!
//! The test `suite` has a job for each shape. The program `cushmem-litmus` tries all shapes in one job, and also
//! kernels from which a fence has been taken out.

pub mod atomics;
pub mod cpu;
pub mod message;
pub mod ranges;
mod rig;
pub mod several;
pub mod store_buffering;

pub use cushmem_litmus_kernels as kernels;
pub use rig::{LINE, Rig};

/// Calls a macro with all shapes: their modules, and the numbers of PEs that they are for.
#[macro_export]
macro_rules! each_shape {
    ($each:ident) => {
        $each! {
            message { fence: 2; quiet: 2; without_an_order: 2; commands: 2; }
            atomics { visibility: 2; coherence: 2; }
            store_buffering { quiet: 2; quiet_of_a_block: 2; without_an_order: 2; }
            ranges { put_with_signal: 2; fence_then_signal: 2; fence_between_puts: 2; without_an_order: 2; }
            several { barrier_of_pes: 2, 3, 4; barrier_of_blocks: 2; news_through_a_third_pe: 3; independent_writes: 4; }
            cpu {
                message_passing: 2; put_with_signal: 2; fence_between_puts: 2; store_buffering: 2; atomics: 2;
                without_an_order: 2;
            }
        }
    };
}

macro_rules! table {
    ($($module:ident { $($name:ident: $($pes:literal),*;)* })*) => {
        /// Tries the shapes that are for as many PEs as the job has.
        pub fn every_shape(rig: &mut Rig<'_>) {
            let n = rig.shmem().n_pes();
            $($(if [$($pes),*].contains(&n) { $module::$name(rig); })*)*
        }
    };
}
each_shape!(table);
