//! The same shapes between a kernel of PE 0 and the CPU of PE 1, which does what all lanes of a kernel would do.

use crate::kernels::{self, PART, SECTOR, STRIDE};
use crate::rig::{Found, HEAPS, Heap, Rig, Trial, Words};
use cushmem::{Cmp, Shmem, SignalOp, SymPtr, SymSlice};

/// A lane's first word.
fn of_lane<'a>(words: SymSlice<'a, u64>, lane: usize) -> SymPtr<'a, u64> {
    words.at(STRIDE * lane)
}

/// What the CPU finds in as many rounds as the kernel has.
fn rounds(words: &Words<'_>, mut round: impl FnMut(u64, &mut Found)) -> Found {
    let mut found = Found { tries: words.rounds * words.lanes() as u64, ..Found::default() };
    (1..=words.rounds).for_each(|number| round(number, &mut found));
    found
}

/// A lane's word of a round.
fn of_round<'a>(words: SymSlice<'a, u64>, lane: usize, round: u64) -> SymPtr<'a, u64> {
    words.at(STRIDE * lane + (round % 2) as usize * SECTOR)
}

/// Stores a number into the words of all lanes of the other PE: one by one, or at once into GPU memory, which the CPU
/// does not store to. The words of the round before, at which lanes may still look, then stay as they are.
fn store(shmem: &Shmem, words: &Words<'_>, round: u64) {
    let to = words.data;
    if to.is_gpu() {
        let mut all = vec![0; to.len()];
        for line in all.chunks_mut(STRIDE) {
            line[(round % 2) as usize * SECTOR] = round;
            line[((round + 1) % 2) as usize * SECTOR] = round - 1;
        }
        shmem.put(to, &all, words.peer).expect("put");
    } else {
        (0..words.lanes()).for_each(|lane| shmem.p(of_round(to, lane, round), round, words.peer).expect("p"));
    }
}

/// How many lanes' words of this PE are not of this round.
fn old(shmem: &Shmem, words: &Words<'_>, round: u64) -> u64 {
    let of = words.data;
    if of.is_gpu() {
        let seen = of.to_vec().expect("read");
        let seen = seen.iter().skip((round % 2) as usize * SECTOR).step_by(STRIDE).take(words.lanes());
        return seen.filter(|word| **word != round).count() as u64;
    }
    let is_old = |lane: &usize| shmem.g(of_round(of, *lane, round), shmem.my_pe()).expect("g") != round;
    (0..words.lanes()).filter(is_old).count() as u64
}

fn await_lanes(shmem: &Shmem, words: &Words<'_>, round: u64) {
    for lane in 0..words.lanes() {
        shmem.wait_until(of_lane(words.flag, lane), Cmp::Ge, round).expect("wait_until");
    }
}

fn message(shmem: &Shmem, words: &Words<'_>, order: impl Fn()) -> Found {
    rounds(words, |round, found| {
        store(shmem, words, round);
        order();
        (0..words.lanes()).for_each(|lane| shmem.p(of_lane(words.flag, lane), round, words.peer).expect("p"));
        await_lanes(shmem, words, round);
        found.forbidden += old(shmem, words, round);
    })
}

/// Catches a flag that overtakes the word before it on the way from a GPU to a CPU or back.
pub fn message_passing(rig: &mut Rig<'_>) {
    for heaps in [(Heap::Host, Heap::Host), (Heap::Gpu, Heap::Host)] {
        let part = |shmem: &Shmem, words: &Words<'_>| message(shmem, words, || shmem.fence().expect("fence"));
        rig.with_cpu(kernels::message_fence, Trial::on(heaps), part);
        rig.with_cpu(kernels::message_quiet, Trial::on(heaps), part);
    }
}

/// Puts and checks ranges as the kernels' blocks do. `send` gets a range, what it puts there, and the flag.
fn ranges(shmem: &Shmem, words: &Words<'_>, send: impl Fn(SymSlice<'_, u64>, &[u64], SymPtr<'_, u64>, u64)) -> Found {
    let length = PART * words.size;
    let half = |block: usize, round: u64| {
        let first = (2 * block + (round % 2) as usize) * length;
        words.data.slice(first..first + length)
    };
    let flag = |block: usize| of_lane(words.flag, block * words.size);
    rounds(words, |round, found| {
        for block in 0..words.blocks {
            send(half(block, round), &vec![round; length], flag(block), round);
        }
        for block in 0..words.blocks {
            shmem.wait_until(flag(block), Cmp::Ge, round).expect("wait_until");
            let seen = half(block, round).to_vec().expect("read");
            found.forbidden += seen.chunks(PART).filter(|part| part.iter().any(|word| *word != round)).count() as u64;
        }
    })
}

/// Catches a signal between a CPU and a block that overtakes its data.
pub fn put_with_signal(rig: &mut Rig<'_>) {
    for heaps in HEAPS {
        rig.with_cpu(kernels::signal_block, Trial::on(heaps), |shmem, words| {
            ranges(shmem, words, |to, data, flag, round| {
                shmem.put_signal(to, data, flag, round, SignalOp::Set, words.peer).expect("put_signal");
            })
        });
    }
}

/// Catches a flag between a CPU and a block that overtakes the range put before the fence.
pub fn fence_between_puts(rig: &mut Rig<'_>) {
    for heaps in HEAPS {
        let part = |shmem: &Shmem, words: &Words<'_>| {
            ranges(shmem, words, |to, data, flag, round| {
                shmem.put(to, data, words.peer).expect("put");
                shmem.fence().expect("fence");
                shmem.p(flag, round, words.peer).expect("p");
            })
        };
        rig.with_cpu(kernels::fence_block, Trial { way: 1, ..Trial::on(heaps) }, part);
        rig.with_cpu(kernels::puts_block, Trial::on(heaps), part);
    }
}

fn buffering(shmem: &Shmem, words: &Words<'_>, way: u32, order: impl Fn()) -> Found {
    let (me, told) = (shmem.my_pe(), |lane, round| words.told.at(STRIDE * lane + (round % 2) as usize));
    let (to, from) = if way == 0 { (me, words.peer) } else { (words.peer, me) };
    let mut missed = vec![0; words.lanes()];
    rounds(words, |round, found| {
        for (lane, missed) in missed.iter_mut().enumerate() {
            let word = of_lane(words.data, lane);
            shmem.p(word, round, to).expect("p");
            order();
            *missed = u64::from(shmem.g(word, from).expect("g") < round);
            shmem.p(told(lane, round), 2 * round + *missed, words.peer).expect("p");
        }
        for (lane, missed) in missed.iter().enumerate() {
            let other = shmem.wait_until(told(lane, round), Cmp::Ge, 2 * round).expect("wait_until");
            found.forbidden += u64::from(*missed == 1 && other & 1 == 1);
            found.overlapped += u64::from(*missed == 0 && other & 1 == 0);
        }
    })
}

/// Catches a get that overtakes an earlier put in spite of quiet, of the CPU or of the GPU.
pub fn store_buffering(rig: &mut Rig<'_>) {
    for way in [0, 1] {
        let trial = Trial { way, ..Trial::on((Heap::Host, Heap::Host)) };
        rig.with_cpu(kernels::buffering_quiet, trial, |shmem, words| {
            buffering(shmem, words, way, || shmem.quiet().expect("quiet"))
        });
    }
}

/// Catches an addition that overtakes one before the fence: both by CPUs in host memory, both by GPUs in theirs.
pub fn atomics(rig: &mut Rig<'_>) {
    for heap in [Heap::Host, Heap::Gpu] {
        let trial = Trial { is_slow: true, ..Trial::on((heap, heap)) };
        rig.with_cpu(kernels::atomics_fence, trial, |shmem, words| {
            rounds(words, |round, found| {
                let add = |to| _ = shmem.fetch_add(to, 1, words.peer).expect("fetch_add");
                for lane in 0..words.lanes() {
                    add(of_lane(words.data, lane));
                    shmem.fence().expect("fence");
                    add(of_lane(words.flag, lane));
                }
                await_lanes(shmem, words, round);
                let is_old = |lane: &usize| {
                    let word = of_lane(words.data, *lane);
                    shmem.atomic_fetch(word, shmem.my_pe()).expect("atomic_fetch") < round
                };
                found.forbidden += (0..words.lanes()).filter(is_old).count() as u64;
            })
        });
    }
}

/// Shows how often the machine reorders what no fence and no quiet orders.
pub fn without_an_order(rig: &mut Rig<'_>) {
    let trial = Trial { is_unordered: true, ..Trial::on((Heap::Host, Heap::Host)) };
    rig.with_cpu(kernels::message_unordered, trial, |shmem, words| message(shmem, words, || {}));
    rig.with_cpu(kernels::message_polled, trial, |shmem, words| message(shmem, words, || {}));
    for way in [0, 1] {
        let trial = Trial { way, ..trial };
        rig.with_cpu(kernels::buffering_unordered, trial, |shmem, words| buffering(shmem, words, way, || {}));
    }
}
