//! Kernels that end the job: all PEs end with their output, whatever they are doing.

use crate::far::{Far, Said};
use crate::rig::{LIMIT_NS, Rig};
use crate::routes::{ALL, HOST, Job, WORD};
use cushmem::{Grid, Shmem};
use cushmem_abi::{CommandKind, ErrorCode, HostRing, RING_REPLIES, WordKind};
use cushmem_conformance::{Backend, Variables, run_to_exit};
use cushmem_conformance_kernels as kernels;
use std::mem::offset_of;

/// What the PEs do that do not end the job.
#[derive(Clone, Copy)]
enum Others {
    Compute,
    MeetOnTheHost,
    /// In a kernel.
    Meet,
    /// In a kernel, for a word.
    Wait,
}

/// A kernel of PE 1 ends the job. Each PE has printed half a line, which only a flush writes.
fn end(shmem: &Shmem, others: Others, status: i32) {
    let rig = Rig::new(shmem);
    let word = rig.symmetric(&[0u64]);
    let (second, seen) = (shmem.stream().expect("stream"), rig.private(&[0u64]));
    let wait = (word.device_ptr(), 1, LIMIT_NS, seen.device_ptr());
    let me = shmem.my_pe();
    print!("result of PE {me}");
    // No PE ends the job before all have printed.
    rig.barrier();
    if me == 1 {
        // Its other kernel waits too. One of its blocks is in a barrier, unless the others are.
        let meets = if matches!(others, Others::Meet) { 0 } else { 3 };
        // SAFETY: the words exist until the job ends.
        unsafe { second.launch(&rig.module, kernels::wait_for, Grid::linear(1, 1), wait) }.expect("launch");
        rig.run(kernels::exit_among_waits, Grid::linear(3, 32), (word.device_ptr(), status, meets, LIMIT_NS));
    } else {
        match others {
            Others::Compute => loop {
                std::hint::spin_loop();
            },
            Others::MeetOnTheHost => rig.barrier(),
            Others::Meet => rig.run(kernels::barrier_once, Grid::linear(1, 1), ()),
            Others::Wait => rig.run(kernels::wait_for, Grid::linear(1, 1), wait),
        }
    }
    panic!("the job goes on");
}

macro_rules! ends { ($($name:ident: $others:ident, $status:literal, $variables:expr;)*) => {
    ends! { @ soft $($name: $others, $status, $variables;)* }
    ends! { @ cuda $($name: $others, $status, $variables;)* }
}; (@ $backend:ident $($name:ident: $others:ident, $status:literal, $variables:expr;)*) => {
    mod $backend {
        use super::*;
        $(
            #[test]
            fn $name() {
                const VARIABLES: Variables<'_> = $variables;
                let name = concat!(module_path!(), "::", stringify!($name));
                let says: Vec<String> = (0..3).map(|pe| format!("result of PE {pe}")).collect();
                run_to_exit(name, Backend::named(stringify!($backend)), 3, VARIABLES, $status, &says, |shmem| {
                    end(&shmem, Others::$others, $status)
                });
            }
        )*
    }
} }

// Catches a kernel that ends only its own PE or nothing, a status that is lost, output that is lost, and a PE that goes
// on, so that the job ends at its time limit.
ends! {
    while_others_compute: Compute, 7, &[];
    while_others_meet_on_the_host: MeetOnTheHost, 200, &[];
    while_others_meet_in_kernels: Meet, 7, &[];
    while_others_wait_in_kernels: Wait, 0, &[];
    without_peer_access_while_others_compute: Compute, 9, &[("CUSHMEM_P2P", "0")];
    without_peer_access_while_others_meet: Meet, 9, &[("CUSHMEM_P2P", "0")];
    without_peer_access_while_others_wait: Wait, 1, &[("CUSHMEM_P2P", "0")];
}

/// Catches a lane that goes on, or waits for ever, if the CPU does not end the job, and a wait that the host cannot
/// read.
#[test]
fn a_lane_whose_end_is_not_carried_out_gives_up() {
    for far in [0, 1] {
        let mut limits = [200_000_000, 2_000_000_000, 20_000_000_000].into_iter();
        loop {
            let limit = limits.next().expect("the last one has been judged");
            let mut job = Far::of(Job { far, wait_limit_ns: limit, ..Job::of_four([ALL, 0, ALL, HOST]) });
            let word = job.alone.objects::<u64>(WORD).0;
            let (code, record) = job.alone.give_up(kernels::exit_among_waits, Grid::linear(2, 4), (word, -2, 0, 0));
            assert_eq!((code, record.limit, record.lane), (Some(ErrorCode::NoReply), limit, 3));
            // SAFETY: the kernel has ended, and nobody else accesses the record.
            let wait = unsafe { job.alone.reports.read_volatile() }.wait;
            if wait.address == 0 && limits.len() > 0 {
                // A lane that gets no core until the limit has passed gives up without a report.
                continue;
            }
            let replies = job.alone.context.ring + offset_of!(HostRing, replies) as u64;
            assert!((replies..replies + 16 * RING_REPLIES as u64).contains(&wait.address), "{wait:x?}");
            assert_eq!((wait.lane, wait.kind), (3, WordKind::Unsigned as u32));
            let said = job.posted();
            let status = u64::from((-2i32).cast_unsigned());
            assert_eq!(said, [Said::new(CommandKind::GlobalExit, 0, 0, [status, 0, 0]).with_reply()]);
            break;
        }
    }
}
