//! Each shape of the litmus tests as a job, on emulated GPUs and on CUDA. Each prints a line for every kernel and
//! placement of the words: the tries, and how many had the forbidden outcome, which only kernels without an order may
//! have.

use cushmem_litmus::each_shape;

macro_rules! suite {
    ($($module:ident { $($name:ident: $($pes:literal),*;)* })*) => { $(
        mod $module {
            $(
                pub fn $name(shmem: &cushmem::Shmem) {
                    let mut rig = cushmem_litmus::Rig::new(shmem, None);
                    cushmem_litmus::$module::$name(&mut rig);
                    rig.end();
                }
            )*

            cushmem_conformance::conformance! { soft, cuda => { $($name: $($pes),*;)* } }
        }
    )* };
}
each_shape!(suite);

/// GPUs that do not reach each other: the CPU carries out what kernels ask for.
mod apart {
    use super::message::{commands, fence};
    use super::ranges::{fence_between_puts, fence_then_signal, put_with_signal};
    const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];

    cushmem_conformance::conformance! { with APART: soft, cuda => {
        commands: 2;
        fence: 2;
        fence_between_puts: 2;
        fence_then_signal: 2;
        put_with_signal: 2;
    } }
}
