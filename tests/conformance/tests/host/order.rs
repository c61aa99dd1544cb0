//! Order of puts, and of a put and a get.

use crate::place::{objects, partner};
use cushmem::{Cmp, Shmem};
use cushmem_conformance::{conformance, expect_words};
use cushmem_conformance_kernels::mix;

conformance! { host, soft, cuda => {
    fence: 2, 4;
    quiet_before_get: 2;
} }

/// Catches a flag that overtakes the data that was put before the fence, in either heap.
pub fn fence(shmem: &Shmem) {
    const LEN: usize = 300;
    let (partner, me) = (partner(shmem), shmem.my_pe());
    let flag = shmem.malloc::<u32>(1).expect("malloc");
    flag.copy_from(&[0]).expect("write");
    let mut before = 0;
    for data in objects::<u64>(shmem, 2 * LEN) {
        let rounds = if data.is_gpu() { 100 } else { 3000 };
        // The source of a nonblocking put must not change; it has two halves, as the target has.
        let source = shmem.malloc::<u64>(2 * LEN).expect("malloc");
        for round in before + 1..=before + rounds {
            let start = (round % 2) as usize * LEN;
            let (half, from) = (data.slice(start..start + LEN), source.slice(start..start + LEN));
            let datum = |pe: u32, i: usize| mix(round.into(), (u64::from(pe) << 32) + i as u64);
            from.copy_from(&(0..LEN).map(|i| datum(me, i)).collect::<Vec<_>>()).expect("write");
            if round % 3 == 0 {
                shmem.put_nbi(half, from, partner).expect("put_nbi");
            } else {
                let (rest, last) = (half.slice(..LEN - 1), half.at(LEN - 1));
                shmem.put(rest, from.slice(..LEN - 1), partner).expect("put");
                shmem.p(last, datum(me, LEN - 1), partner).expect("p");
            }
            shmem.fence().expect("fence");
            shmem.p(flag.at(0), round, partner).expect("p");
            shmem.wait_until(flag.at(0), Cmp::Ge, round).expect("wait_until");
            let words = half.to_vec().expect("read");
            expect_words(|| format!("round {round} after the flag"), &words, |i| datum(partner, i));
        }
        before += rounds;
        shmem.barrier_all().expect("barrier");
        shmem.free(source).expect("free");
    }
}

/// Catches a flag that overtakes data put before the fence because the two lie in different heaps, and so take
/// different paths.
pub fn fence_between_heaps(shmem: &Shmem) {
    const LEN: usize = 1 << 18;
    let (partner, me) = (partner(shmem), shmem.my_pe());
    let source = shmem.malloc::<u64>(LEN).expect("malloc");
    let heaps = [shmem.malloc::<u64>(LEN).expect("malloc"), shmem.malloc_gpu::<u64>(LEN).expect("malloc_gpu")];
    let flags = [shmem.malloc_gpu::<u64>(1).expect("malloc_gpu"), shmem.malloc::<u64>(1).expect("malloc")];
    flags.iter().for_each(|flag| flag.copy_from(&[0]).expect("write"));
    shmem.barrier_all().expect("barrier");
    for round in 1..=10 {
        let datum = |pe: u32, i: usize| mix(round, (u64::from(pe) << 32) + i as u64);
        source.copy_from(&(0..LEN).map(|i| datum(me, i)).collect::<Vec<_>>()).expect("write");
        for (data, flag) in heaps.into_iter().zip(flags) {
            shmem.put_nbi(data, source, partner).expect("put_nbi");
            shmem.fence().expect("fence");
            shmem.p(flag.at(0), round, partner).expect("p");
            shmem.wait_until(flag.at(0), Cmp::Ge, round).expect("wait_until");
            let words = data.to_vec().expect("read");
            expect_words(|| format!("round {round} after the flag"), &words, |i| datum(partner, i));
        }
        shmem.barrier_all().expect("barrier");
    }
}

/// Catches a get that overtakes an earlier put: two PEs each put, quiet and get, and at least one must see the other's
/// word. Without a full fence in quiet, this also fails on x86.
pub fn quiet_before_get(shmem: &Shmem) {
    const ROUNDS: u64 = 30_000;
    let words = shmem.malloc::<u64>(64).expect("malloc");
    words.copy_from(&[0; 64]).expect("write");
    shmem.barrier_all().expect("barrier");
    let (me, other) = (shmem.my_pe(), shmem.my_pe() ^ 1);
    let mut saw = vec![];
    for round in 1..=ROUNDS {
        shmem.sync_all().expect("sync");
        // Not always at the same time.
        for _ in 0..mix(round, me.into()) % 8 {
            std::hint::spin_loop();
        }
        // The words lie with their reader or with their writer.
        let (to, from, at) = if round % 2 == 0 { (other, me, 0) } else { (me, other, 16) };
        shmem.p(words.at(at), round, to).expect("p");
        shmem.quiet().expect("quiet");
        saw.push(u8::from(shmem.g(words.at(at), from).expect("g") >= round));
    }
    let all = shmem.malloc::<u8>(2 * ROUNDS as usize).expect("malloc");
    let start = me as usize * ROUNDS as usize;
    shmem.put(all.slice(start..start + ROUNDS as usize), &saw, 0).expect("put");
    shmem.barrier_all().expect("barrier");
    if me == 0 {
        let all = all.to_vec().expect("read");
        let neither = (0..ROUNDS as usize).filter(|i| all[*i] == 0 && all[i + ROUNDS as usize] == 0).count();
        assert_eq!(neither, 0, "of {ROUNDS} rounds in which no PE saw the other's put");
    }
}
