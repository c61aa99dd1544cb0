//! What the conformance tests share. A test is a function that every PE of a job runs, and [`conformance!`] makes a
//! `#[test]` of it for each kind of GPU: `host` (none), `soft` (emulated) and `cuda`.
//!
//! Such a test starts itself again under `shmemrun`, once for each number of PEs; a process that is a PE runs the
//! function. What the machine cannot do is recorded as left out. All random values come from one seed, which a failure
//! prints.

mod backend;
mod data;
mod job;
mod random;
mod status;

pub use backend::Backend;
pub use data::{Sample, expect_words};
pub use job::{
    OnNodes, TOLD, Variables, all_gpus_are_mapped, asked_requests, folder, gpus_reach_each_other, run, run_on_nodes,
    run_owned, run_to_exit, run_to_failure, shmemrun,
};
pub use random::seeded;
pub use status::{expect_status, wait_until_stopped};

/// For tests that hold up copies: each of their streams has a hardware queue of its own. A stream that waits for a word
/// would also hold up those that share its queue.
pub const QUEUES: &[(&str, &str)] = &[("CUDA_DEVICE_MAX_CONNECTIONS", "32")];

/// `conformance! { soft, cuda => { name: 1, 2, 4; … } }` makes the tests `soft::name` and `cuda::name`, which run
/// `fn name(&Shmem)` with 1, 2 and 4 PEs. `with VARIABLES: soft => …` sets these environment variables for the PEs;
/// `VARIABLES` is a constant beside the functions.
#[macro_export]
macro_rules! conformance {
    (with $variables:ident: $($backend:ident),+ => $tests:tt) => {
        $($crate::conformance!(@ $backend $tests super::$variables);)+
    };
    ($($backend:ident),+ => $tests:tt) => {
        $($crate::conformance!(@ $backend $tests &[]);)+
    };
    (@ $backend:ident { $($name:ident: $($n_pes:literal),+;)* } $variables:expr) => {
        mod $backend {
            $(
                #[test]
                fn $name() {
                    let name = concat!(module_path!(), "::", stringify!($name));
                    let backend = $crate::Backend::named(stringify!($backend));
                    $crate::run(name, backend, &[$($n_pes),+], $variables, super::$name);
                }
            )*
        }
    };
}

/// `on_nodes! { name: 3 on 2, 4 on 2 by "cyclic"; … }` makes the tests `verbs::name`, `tcp::name` and `efa::name`,
/// which run `fn name(&Shmem)` with 3 and with 4 PEs on 2 virtual nodes that are connected by a network of that
/// profile. The text after `by` is the value of `--map`; the default is `block`. `with VARIABLES: { … }` is as in
/// [`conformance!`]; `with VARIABLES: tcp { … }` makes only the tests of that profile.
#[macro_export]
macro_rules! on_nodes {
    (with $variables:ident: $profile:ident $tests:tt) => {
        $crate::on_nodes!(@ $profile $tests super::$variables);
    };
    (with $variables:ident: $tests:tt) => {
        $crate::on_nodes!(@ verbs $tests super::$variables);
        $crate::on_nodes!(@ tcp $tests super::$variables);
        $crate::on_nodes!(@ efa $tests super::$variables);
    };
    (@ $profile:ident { $($name:ident: $($n_pes:literal on $nodes:literal $(by $map:literal)?),+;)* } $variables:expr) => {
        mod $profile {
            $(
                #[test]
                fn $name() {
                    let name = concat!(module_path!(), "::", stringify!($name));
                    let jobs = [$($crate::OnNodes {
                        n_pes: $n_pes,
                        nodes: $nodes,
                        map: [$($map,)? "block"][0],
                    }),+];
                    $crate::run_on_nodes(name, stringify!($profile), &jobs, $variables, super::$name);
                }
            )*
        }
    };
    ($($tests:tt)*) => {
        $crate::on_nodes!(@ verbs { $($tests)* } &[]);
        $crate::on_nodes!(@ tcp { $($tests)* } &[]);
        $crate::on_nodes!(@ efa { $($tests)* } &[]);
    };
}
