//! A CPU exchanges data with a peer's kernel.

use crate::exchange::check_report;
use crate::rig::{LIMIT_NS, Rig};
use cushmem::{Cmp, Grid, Shmem, SignalOp};
use cushmem_conformance::{conformance, expect_words};
use cushmem_conformance_kernels::{self as kernels, mix};

conformance! { soft, cuda => {
    kernel_answers_cpu: 2, 4;
} }

/// Catches a signal between a CPU and a kernel that overtakes its data, in host memory or in GPU memory: the even PE's
/// kernel answers the odd PE's CPU. The signals lie in host memory, where both can watch them.
fn kernel_answers_cpu(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let partner = rig.partner();
    let lanes = 64;
    for (on_gpu, n) in [(false, 1), (false, 40), (false, 3000), (true, 1), (true, 40), (true, 3000)] {
        let data = if on_gpu { shmem.malloc_gpu::<u64>(n) } else { shmem.malloc(n) }.expect("malloc");
        let sig = shmem.malloc::<u64>(1).expect("malloc");
        sig.copy_from(&[0]).expect("write");
        let (src, report) = (rig.private(&vec![0u64; n]), rig.private(&vec![0u64; lanes + 1]));
        let rounds = rig.times(30, 300);
        rig.barrier();
        if shmem.my_pe().is_multiple_of(2) {
            let ends = (data.device_ptr(), src.device_ptr(), sig.device_ptr(), report.device_ptr());
            let args = (ends.0, ends.1, n, ends.2, rounds, partner, ends.3, LIMIT_NS);
            rig.run(kernels::answer_cpu, Grid::linear(1, lanes as u32), args);
            check_report("answer_cpu", n, &report.to_vec().expect("read"));
        } else {
            for round in 1..=rounds {
                let words: Vec<u64> = (0..n as u64).map(|i| mix(round, i)).collect();
                shmem.put_signal(data, &words, sig.at(0), round, SignalOp::Set, partner).expect("put_signal");
                shmem.signal_wait_until(sig.at(0), Cmp::Ge, round).expect("signal_wait_until");
                let seen = data.to_vec().expect("read");
                expect_words(|| format!("answer {round} of {n} words"), &seen, |i| !words[i]);
            }
        }
        rig.barrier();
        shmem.free(data).expect("free");
        shmem.free(sig).expect("free");
    }
}
