//! Barriers of all PEs.

use super::{Bench, LINE_WORDS};
use crate::names::By;
use crate::rounds::Figure;
use anyhow::Result;
use std::sync::atomic::{AtomicU64, Ordering, fence};

const BARRIERS: usize = 1_000;

impl Bench<'_> {
    pub(super) fn meetings(&mut self) -> Result<()> {
        let (shmem, me, pes) = (self.shmem, self.shmem.my_pe(), self.shmem.n_pes());
        let flags = shmem.malloc::<u64>(pes as usize * LINE_WORDS)?;
        // The word on PE `on` in which PE `from` announces its arrival.
        let word = |on: u32, from: u32| {
            let address = flags.at(from as usize * LINE_WORDS).as_slice().ptr(on);
            // SAFETY: the memory lives until it is freed below, and all PEs access it only with atomic instructions.
            unsafe { AtomicU64::from_ptr(address) }
        };
        let others = || (0..pes).filter(move |pe| *pe != me);
        let mine: Vec<_> = others().map(|pe| word(me, pe)).collect();
        let theirs: Vec<_> = others().map(|pe| word(pe, me)).collect();
        let (rounds, mut number) = (&self.rounds, 0);
        let [barrier, by_hand] =
            rounds.together([&mut || rounds.ns(BARRIERS, |_| shmem.barrier_all()), &mut || {
                rounds.ns(BARRIERS, |_| {
                    number += 1;
                    // SYNC(hand-barrier) full fence, as in the library's barrier: pairs with the acquire below on the
                    // other PEs.
                    fence(Ordering::SeqCst);
                    for flag in &theirs {
                        // Relaxed: the fence above orders it.
                        flag.store(number, Ordering::Relaxed);
                    }
                    for flag in &mine {
                        // SYNC(hand-barrier) acquire: pairs with the fence above on the other PEs.
                        while flag.load(Ordering::Acquire) < number {
                            std::hint::spin_loop();
                            if shmem.is_oversubscribed() {
                                std::thread::yield_now();
                            }
                        }
                    }
                    Ok(())
                })
            }])?;
        self.report.row("host_barrier_all_hh", &[], Figure::us(&barrier), "us")?;
        self.report.row_by(By::Limit, "host_barrier_all_hh", &[], Figure::us(&by_hand), "us")?;
        Ok(shmem.free(flags)?)
    }
}
