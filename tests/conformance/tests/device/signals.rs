//! Exchanges of signals on streams.

use crate::rig::Rig;
use cushmem::{Cause, Shmem, SymSlice};
use cushmem_conformance::{conformance, expect_words, on_nodes};

conformance! { soft, cuda => {
    exchanges: 1, 2, 4;
    exchanges_in_graphs: 2, 4;
} }

/// More PEs than a kernel has lanes for.
mod many {
    use super::*;
    conformance! { soft => {
        exchanges: 66;
    } }
}

const STAGED: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];

mod staged {
    use super::*;
    conformance! { with STAGED: soft, cuda => {
        exchanges: 2;
        exchanges_in_graphs: 2;
    } }
}

const SOFT: &[(&str, &str)] = &[("CUSHMEM_GPU", "soft")];

mod nodes {
    use super::*;
    on_nodes! { with SOFT: {
        exchanges: 2 on 2, 4 on 2 by "cyclic";
        exchanges_in_graphs: 3 on 2;
    } }
}

/// A ring: in each round, each PE puts a number to the next one. Then sets of PEs whose numbers are at no regular
/// distances, in turn, as barriers. Catches who is told or awaited too often or not at all, waits that are over before
/// the data are there, and signals that are lost when a PE comes before the others have waited.
pub(crate) fn exchanges(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (me, n, stream) = (shmem.my_pe(), shmem.n_pes(), &rig.stream);
    let (sigs, ahead) = (rig.symmetric(&vec![0u64; n as usize]), rig.symmetric(&vec![0u64; n as usize]));
    let (inbox, seen) = (rig.symmetric(&vec![0u64; n as usize]), rig.private(&vec![0u64; 1000]));
    rig.barrier();
    let put = |value: u64, pe: u32| stream.p(inbox.at(me as usize), value, pe).expect("p");
    let note = |at: usize, from: u32| {
        // SAFETY: `seen` lives until the stream has been synchronised.
        let part = unsafe { shmem.raw().device_slice(seen.device_ptr().address() + 8 * at as u64, 1) };
        stream.get(part, inbox.slice(from as usize..=from as usize), me).expect("get");
    };
    let exchange = |sigs: SymSlice<'_, u64>, to: &[u32], from: &[u32]| {
        stream.exchange_signals(sigs, to, from).expect("exchange_signals");
    };
    let rounds = rig.times(10, 200);
    for round in 0..rounds {
        put(round as u64 + 1, rig.next());
        exchange(sigs, &[rig.next()], &[rig.previous()]);
        note(round, rig.previous());
        // Nobody puts again before the other has read.
        exchange(sigs, &[rig.previous()], &[rig.next()]);
    }
    rig.wait();
    expect_words(|| "passed on".into(), &seen.to_vec().expect("read")[..rounds], |i| i as u64 + 1);
    rig.barrier();
    // All of them, those but the second one, and this one alone; of a set, nobody is told who is not in it.
    let all: Vec<u32> = (0..n).collect();
    let (rest, alone): (Vec<u32>, _) = ((0..n).filter(|pe| *pe != 1).collect(), vec![me]);
    let mut expected = vec![];
    for round in 0..rounds {
        let set = [&all, &rest, &alone][round % 3];
        if !set.contains(&me) {
            continue;
        }
        let value = 1000 + round as u64;
        set.iter().for_each(|pe| put(value, *pe));
        exchange(sigs, set, &[set.as_slice(), set].concat());
        let from = set[round % set.len()];
        note(expected.len(), from);
        expected.push(value);
        exchange(sigs, set, set);
    }
    rig.wait();
    expect_words(|| "what a set wrote".into(), &seen.to_vec().expect("read")[..expected.len()], |i| expected[i]);
    exchange(sigs, &[], &[]);
    // Signals that come early are counted.
    for _ in 0..5 {
        exchange(ahead, &[rig.next()], &[]);
    }
    for _ in 0..5 {
        exchange(ahead, &[], &[rig.previous()]);
    }
    rig.wait();
    rig.barrier();
    for words in [sigs, ahead] {
        expect_words(|| "what is left".into(), &words.to_vec().expect("read"), |_| 0);
    }
    exchange(ahead, &[], &[me]);
    // What another stream does meanwhile takes longer than a kernel that does not wait.
    let second = shmem.stream().expect("stream");
    for _ in 0..50 {
        second.exchange_signals(sigs, &[me], &[me]).expect("exchange_signals");
    }
    second.synchronize().expect("synchronize");
    assert!(!stream.is_idle().expect("query"), "nobody has told this PE");
    second.exchange_signals(ahead, &[me], &[]).expect("exchange_signals");
    rig.wait();
    let refused = stream.exchange_signals(sigs, &[n], &[]).expect_err("no such PE");
    assert_eq!(refused.cause(), &Cause::NoSuchPe { pe: n, n_pes: n });
    let refused = stream.exchange_signals(rig.on_host(&vec![0; n as usize]), &all, &[]).expect_err("host memory");
    assert!(refused.to_string().contains("is not in the GPU heap, where streams exchange signals"), "{refused}");
    let short = rig.symmetric(&vec![0; n as usize + 1]);
    let refused = stream.exchange_signals(short, &all, &[]).expect_err("another length");
    assert_eq!(refused.cause(), &Cause::Lengths { target: n as usize + 1, source_len: n as usize });
    rig.barrier();
}

/// Replays of a recorded step in which PEs meet by an exchange. Catches what is right only in the first run.
fn exchanges_in_graphs(shmem: &Shmem) {
    // Odd, and no multiple of 3, so that the numbers do not end where they began.
    const REPLAYS: u64 = 53;
    let rig = Rig::new(shmem);
    let (me, n, stream) = (shmem.my_pe(), shmem.n_pes(), &rig.stream);
    let sigs = rig.symmetric(&vec![0u64; n as usize]);
    let words = rig.symmetric(&[u64::from(me), 0]);
    let others: Vec<u32> = (0..n).filter(|pe| *pe != me).collect();
    rig.barrier();
    let record = || {
        // The number goes round: out of the first word, into the second of the next PE, and back into the first.
        stream.put(words.slice(1..), words.slice(..1), rig.next())?;
        stream.exchange_signals(sigs, &others, &others)?;
        stream.get(words.slice(..1), words.slice(1..), me)?;
        stream.exchange_signals(sigs, &others, &others)
    };
    let graph = stream.capture(record).expect("capture");
    for _ in 0..REPLAYS {
        // SAFETY: the graph has only operations on symmetric memory.
        unsafe { stream.replay(&graph) }.expect("replay");
    }
    rig.wait();
    let n = u64::from(n);
    let expected = (u64::from(me) + n * REPLAYS - REPLAYS) % n;
    assert_eq!(words.to_vec().expect("read"), [expected; 2]);
    rig.barrier();
}
