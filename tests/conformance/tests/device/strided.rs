//! Copies of elements at equal distances by kernels, in every kind of memory, compared with the definition.

use crate::rig::Rig;
use cushmem::{DevPtr, DeviceBuffer, Grid, Kernel, Shmem, SymSlice};
use cushmem_conformance::{conformance, expect_words, seeded};
use cushmem_conformance_kernels::{self as kernels, STRIDED_WORDS, mix};
use cushmem_numbers::Random;

conformance! { soft, cuda => { elements_of_any_size: 1, 2; strides_below_one: 1, 2; } }

/// GPUs that do not reach each other.
mod apart {
    use super::*;
    const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];
    conformance! { with APART: soft, cuda => { elements_of_any_size: 2; strides_below_one: 2; } }
}

mod on_nodes {
    use super::*;
    const SOFT: &[(&str, &str)] = &[("CUSHMEM_GPU", "soft")];
    cushmem_conformance::on_nodes! { with SOFT: { elements_of_any_size: 2 on 2; } }
}

type Args = (DevPtr<u8>, DevPtr<u8>, DevPtr<u64>, u64, u32);

/// A list of copies. Each has a place of its own in the target, while sources may overlap.
struct List {
    words: Vec<u64>,
    /// What either end has.
    bytes: usize,
}

impl List {
    fn new(random: &mut Random) -> Self {
        let mut list = Self { words: vec![], bytes: 0 };
        let mut end = 16;
        for size in [1, 2, 3, 4, 8, 12, 16] {
            for count in [0, 1, 2, 7, 33, 300] {
                let [dst, src] = [1 + random.below(5), 1 + random.below(5)];
                // Elements of bytes may start anywhere.
                let mut skew = || if size % 2 == 1 { random.below(16) } else { 0 };
                let [to, from] = [usize::next_multiple_of(end, 16) + skew(), skew()];
                list.words.extend([size, to, from, dst, src, count].map(|word| word as u64));
                end = to + count * dst * size + 16;
                list.bytes = list.bytes.max(end).max(from + count * src * size);
            }
        }
        list
    }

    fn expected(&self, before: &[u8], source: &[u8]) -> Vec<u8> {
        let mut target = before.to_vec();
        for entry in self.words.chunks(STRIDED_WORDS) {
            let [size, to, from, dst, src, count] = *entry else { unreachable!("six words") };
            for i in 0..count {
                let [to, from] = [to + i * dst * size, from + i * src * size].map(|at| at as usize);
                target[to..to + size as usize].copy_from_slice(&source[from..from + size as usize]);
            }
        }
        target
    }
}

/// Catches elements that are lost, cut or in the wrong place, bytes between elements that change, and a put or a get
/// that returns before its private end may be used.
pub(crate) fn elements_of_any_size(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    // All PEs have the same list, because each checks what another one has put.
    let list = List::new(&mut seeded());
    for on_host in [false, true] {
        let new = |bytes: &[u8]| if on_host { rig.on_host(bytes) } else { rig.symmetric(bytes) };
        let ends = Ends {
            rig: &rig,
            object: new(&vec![0; list.bytes]),
            private: rig.private(&vec![0; list.bytes]),
            words: rig.private(&list.words),
            list: &list,
        };
        ends.put(kernels::iput_thread, 64);
        ends.put(kernels::iput_warp, 64);
        ends.put(kernels::iput_block, 48);
        ends.get(kernels::iget_thread, 64);
        ends.get(kernels::iget_warp, 64);
        ends.get(kernels::iget_block, 48);
        shmem.free(ends.object).expect("free");
    }
}

/// The ends of copies.
struct Ends<'a> {
    rig: &'a Rig<'a>,
    object: SymSlice<'a, u8>,
    private: DeviceBuffer<'a, u8>,
    words: DeviceBuffer<'a, u64>,
    list: &'a List,
}

impl Ends<'_> {
    /// The contents of a PE's source, or of its target before the copies.
    fn bytes(&self, pe: u32, end: u64) -> Vec<u8> {
        (0..self.list.bytes as u64).map(|i| mix(2 * u64::from(pe) + end, i) as u8).collect()
    }

    fn put<K: Kernel<Args = Args>>(&self, kernel: K, lanes: u32) {
        let (rig, me) = (self.rig, self.rig.shmem.my_pe());
        self.object.copy_from(&self.bytes(me, 0)).expect("write");
        self.private.copy_from(&self.bytes(me, 1)).expect("write");
        rig.barrier();
        self.run(kernel, lanes, self.object.device_ptr(), self.private.device_ptr(), rig.next());
        self.check(K::NAME, &self.object.to_vec().expect("read"), rig.previous());
    }

    fn get<K: Kernel<Args = Args>>(&self, kernel: K, lanes: u32) {
        let (rig, me) = (self.rig, self.rig.shmem.my_pe());
        self.object.copy_from(&self.bytes(me, 1)).expect("write");
        self.private.copy_from(&self.bytes(me, 0)).expect("write");
        rig.barrier();
        self.run(kernel, lanes, self.private.device_ptr(), self.object.device_ptr(), rig.next());
        self.check(K::NAME, &self.private.to_vec().expect("read"), rig.next());
    }

    fn run<K: Kernel<Args = Args>>(&self, kernel: K, lanes: u32, dst: DevPtr<u8>, src: DevPtr<u8>, pe: u32) {
        let n = (self.list.words.len() / STRIDED_WORDS) as u64;
        self.rig.run(kernel, Grid::linear(2, lanes), (dst, src, self.words.device_ptr(), n, pe));
        self.rig.barrier();
    }

    /// Checks a target into which the source of `from` was copied.
    fn check(&self, name: &str, seen: &[u8], from: u32) {
        let expected = self.list.expected(&self.bytes(self.rig.shmem.my_pe(), 0), &self.bytes(from, 1));
        expect_words(|| format!("{name}, GPU memory {}", self.object.is_gpu()), seen, |i| expected[i]);
        self.rig.barrier();
    }
}

/// Catches a copy that goes on with elements on top of each other, and one without elements that is refused.
fn strides_below_one(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let bytes = rig.symmetric(&[0u8; 64]);
    let words = rig.private(&[4, 0, 0, 0, u64::MAX, 0, 4, 0, 32, 2, u64::MAX, 3]);
    rig.barrier();
    let args = |skipped| (bytes.device_ptr(), bytes.device_ptr(), words.device_ptr().add(skipped), 1, rig.next());
    rig.run(kernels::iput_thread, Grid::linear(1, 1), args(0));
    rig.start(kernels::iput_thread, Grid::linear(1, 1), args(STRIDED_WORDS));
    let text = rig.stream.synchronize().expect_err("the kernel succeeded").to_string();
    let part = "strided copy with distances of 2 and -1 elements: both must be at least 1";
    assert!(text.contains(part), "'{part}' is not in '{text}'");
    rig.barrier();
}
