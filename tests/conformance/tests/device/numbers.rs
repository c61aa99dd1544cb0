//! Atomic operations of kernels on numbers: sums of floats, and minimum and maximum of integers, on words that GPUs,
//! CPUs and networks change.

use crate::rig::Rig;
use cushmem::raw::{Memory, Wanted};
use cushmem::{Amo, DevPtr, Grid, Kernel, Shmem};
use cushmem_conformance::conformance;
use cushmem_conformance_kernels::{self as kernels, NUMBER_LANES, NUMBER_WORDS};

conformance! { soft, cuda => {
    on_gpus: 1, 2, 4;
    on_host_memory: 1, 2, 4;
} }

/// GPUs that do not reach each other: only the owners change the words of other PEs.
mod apart {
    use super::on_gpus;
    const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];
    cushmem_conformance::conformance! { with APART: soft, cuda => {
        on_gpus: 2, 4;
    } }
}

mod on_nodes {
    use super::{for_the_network, on_gpus, on_host_memory};
    const SOFT: &[(&str, &str)] = &[("CUSHMEM_GPU", "soft")];
    cushmem_conformance::on_nodes! { with SOFT: {
        on_gpus: 3 on 2;
        on_host_memory: 3 on 2;
        for_the_network: 2 on 2;
    } }
}

/// Words in GPU memory, which the owner's GPU changes on behalf of everybody.
pub(crate) fn on_gpus(shmem: &Shmem) {
    all_kinds(shmem, Memory::Gpu);
}

/// Words in host memory, which CPUs change on behalf of everybody.
fn on_host_memory(shmem: &Shmem) {
    all_kinds(shmem, Memory::Host);
}

/// Words that the network changes on behalf of everybody.
fn for_the_network(shmem: &Shmem) {
    all_kinds(shmem, Memory::ForNetwork);
}

fn all_kinds(shmem: &Shmem, memory: Memory) {
    let rig = Rig::new(shmem);
    sums(&rig, memory, kernels::sums_f32, |n| (n as f32).to_bits(), |bits| f32::from_bits(bits) as u32);
    sums(&rig, memory, kernels::sums_f64, |n| f64::from(n).to_bits(), |bits| f64::from_bits(bits) as u32);
    extrema(&rig, memory, kernels::extrema_u32, |n| n);
    extrema(&rig, memory, kernels::extrema_i32, |n| n);
    extrema(&rig, memory, kernels::extrema_u64, u64::from);
    extrema(&rig, memory, kernels::extrema_i64, u64::from);
    extrema(&rig, memory, kernels::extrema_usize, u64::from);
    later(&rig, memory);
}

/// The words of a test, and what its launches share.
struct Words<'a, W> {
    rig: &'a Rig<'a>,
    words: *mut W,
    lanes: u32,
    times: u32,
}

type Args<W> = (DevPtr<W>, u32, u32, u32, DevPtr<u64>);

impl<'a, W: Amo> Words<'a, W> {
    fn new(rig: &'a Rig<'a>, memory: Memory) -> Self {
        let bytes = (NUMBER_WORDS + NUMBER_LANES) * size_of::<W>();
        let arguments = [("bytes", bytes as u64), ("", 0)];
        let wanted = Wanted { routine: "malloc", arguments, memory, bytes, alignment: 8, cleared: false };
        let words = rig.shmem.raw().malloc(&wanted).expect("malloc").expect("bytes are wanted").cast();
        let lanes = (NUMBER_LANES as u32 / rig.shmem.n_pes()).min(32);
        Self { rig, words, lanes, times: rig.times(12, 500) }
    }

    /// The number of lanes of all PEs.
    fn members(&self) -> u32 {
        self.lanes * self.rig.shmem.n_pes()
    }

    fn word(&self, at: usize) -> *mut W {
        self.words.wrapping_add(at)
    }

    /// Launches a kernel on the words of `owner`, which start with these values and zeros, while this CPU changes the
    /// first two by `by_cpu`. Returns the words in the end, of the owner.
    fn run<K: Kernel<Args = Args<W>>>(
        &self,
        kernel: K,
        owner: u32,
        start: [W; NUMBER_WORDS],
        zero: W,
        by_cpu: impl Fn(u32, usize, W) -> Option<W>,
    ) -> Vec<W> {
        let (rig, raw, me) = (self.rig, self.rig.shmem.raw(), self.rig.shmem.my_pe());
        let wrong = rig.symmetric(&[0u64]);
        for at in 0..NUMBER_WORDS + NUMBER_LANES {
            raw.set(self.word(at), start.get(at).copied().unwrap_or(zero), me).expect("set");
        }
        rig.barrier();
        let words = DevPtr::from_address(self.words.expose_provenance() as u64);
        let args = (words, owner, me * self.lanes, self.times, wrong.device_ptr());
        rig.start(kernel, Grid::linear(1, self.lanes), args);
        // Few enough for a slow network, and for a minimum or maximum that is a kernel's.
        for round in 0..self.times {
            for at in [0, 1] {
                let mut seen = raw.fetch(self.word(at), owner).expect("fetch");
                while let Some(new) = by_cpu(round * rig.shmem.n_pes() + me, at, seen) {
                    let before = raw.compare_swap(self.word(at), seen, new, owner).expect("compare_swap");
                    if before == seen {
                        break;
                    }
                    seen = before;
                }
            }
        }
        rig.wait();
        rig.barrier();
        assert_eq!(wrong.to_vec().expect("read"), [0], "{}: results that no order of the operations explains", K::NAME);
        let all = 0..NUMBER_WORDS + NUMBER_LANES;
        let words = all.map(|at| raw.fetch(self.word(at), owner).expect("fetch")).collect();
        rig.barrier();
        rig.shmem.free(wrong).expect("free");
        words
    }

    fn free(self) {
        self.rig.shmem.raw().free("free", self.words.cast()).expect("free");
    }
}

/// Catches an addition that is lost or that adds bits, a swap that loses a value, and a sum that breaks the rules for
/// zeros and NaN. All lanes of all PEs and all CPUs work on the same words, of each PE in turn.
fn sums<W: Amo + std::fmt::Debug, K: Kernel<Args = Args<W>> + Copy>(
    rig: &Rig<'_>,
    memory: Memory,
    kernel: K,
    of: fn(u32) -> W,
    value: fn(W) -> u32,
) {
    let words = Words::new(rig, memory);
    for owner in 0..rig.shmem.n_pes() {
        let add_three = |_, _, seen| Some(of(value(seen) + 3));
        let seen = words.run(kernel, owner, [of(0); NUMBER_WORDS], of(0), add_three);
        let (by_lanes, by_cpus) = (words.members() * words.times, 3 * rig.shmem.n_pes() * words.times);
        assert_eq!([seen[0], seen[1]].map(value), [by_lanes + by_cpus, 2 * by_lanes + by_cpus], "{}: sums", K::NAME);
        assert!((1..=words.members()).contains(&value(seen[2])), "{}: {:?} was swapped in", K::NAME, seen[2]);
        let own: Vec<W> =
            (0..NUMBER_LANES as u32).map(|lane| of(if lane < words.members() { lane } else { 0 })).collect();
        assert_eq!(seen[NUMBER_WORDS..], own, "{}: each lane's own word", K::NAME);
    }
    words.free();
}

/// Catches a smaller or larger number that is lost, and one that is compared with the wrong sign or width. All lanes of
/// all PEs and all CPUs work on the same words, of each PE in turn.
fn extrema<W: Amo + Ord + std::fmt::Debug, K: Kernel<Args = Args<W>> + Copy>(
    rig: &Rig<'_>,
    memory: Memory,
    kernel: K,
    of: fn(u32) -> W,
) {
    let words = Words::new(rig, memory);
    for owner in 0..rig.shmem.n_pes() {
        let offer = |number, at, seen| {
            let offer = of(if at == 0 { 1000 + number } else { 1_000_000 - number });
            (if at == 0 { offer > seen } else { offer < seen }).then_some(offer)
        };
        let start = [0, 2_000_000, 0, 2_000_000].map(of);
        let seen = words.run(kernel, owner, start, of(0), offer);
        let last = words.members() * words.times - 1;
        let expected = [1000 + last, 1_000_000 - last, 1000 + last, 1_000_000 - last].map(of);
        assert_eq!(seen[..NUMBER_WORDS], expected, "{}", K::NAME);
    }
    words.free();
}

/// Catches a result that is not in memory after a quiet, or is that of another operation.
fn later(rig: &Rig<'_>, memory: Memory) {
    let (words, me) = (Words::<u64>::new(rig, memory), rig.shmem.my_pe());
    let (found, wrong) = (rig.private(&[0u64; NUMBER_LANES]), rig.symmetric(&[0u64]));
    for owner in 0..rig.shmem.n_pes() {
        rig.barrier();
        let address = DevPtr::from_address(words.words.expose_provenance() as u64);
        let args = (address, owner, me * words.lanes, found.device_ptr(), wrong.device_ptr());
        rig.run(kernels::amo_later, Grid::linear(1, words.lanes), args);
        assert_eq!(wrong.to_vec().expect("read"), [0], "amo_later: wrong results");
    }
    rig.barrier();
    rig.shmem.free(wrong).expect("free");
    words.free();
}
