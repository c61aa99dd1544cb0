//! Single words: how long a call takes, and when the peer sees it.

use super::{Bench, SLOTS};
use crate::names::By;
use crate::rounds::{Figure, median_difference};
use anyhow::Result;
use cushmem::{Cmp, SignalOp, SymSlice};
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

/// Calls per round. A round takes much less time than the scheduler's time slice.
const CALLS: usize = 20_000;
const PINGPONGS: usize = 2_000;

/// Waits until the word is `value`, as a program without a library would. The pause makes this faster, because each
/// look disturbs the writer.
fn spin_until(word: &AtomicU64, value: u64) {
    // SYNC(hand-pingpong) acquire: pairs with the release in `visible`; as strong as the library's wait, to which it is
    // compared.
    while word.load(Ordering::Acquire) != value {
        std::hint::spin_loop();
    }
}

impl Bench<'_> {
    /// The words that the loops alternate between. As in a real program, the compiler knows neither their addresses nor
    /// their number.
    fn slots(&self) -> Vec<SymSlice<'_, u64>> {
        black_box((0..SLOTS).map(|i| self.slot(i)).collect())
    }

    /// The addresses of the same words on the peer.
    fn mapped(&self) -> Vec<*mut u64> {
        black_box((0..SLOTS).map(|i| self.slot(i).ptr(self.peer)).collect())
    }

    /// A word of PE `pe`, for access without the library.
    fn word(&self, slot: usize, pe: u32) -> &AtomicU64 {
        // SAFETY: symmetric memory lives as long as the job handle, and all PEs access this word only with atomic
        // instructions.
        unsafe { AtomicU64::from_ptr(self.slot(slot).ptr(pe)) }
    }

    pub(super) fn latencies(&mut self) -> Result<()> {
        self.put_and_store()?;
        self.get_and_load()?;
        self.fetch_add()?;
        self.put_signal()?;
        self.visible()
    }

    fn put_and_store(&mut self) -> Result<()> {
        let (shmem, peer, rounds) = (self.shmem, black_box(self.peer), &self.rounds);
        let (slots, mapped) = (self.slots(), self.mapped());
        let points: Vec<_> = slots.iter().map(|s| s.at(0)).collect();
        let store = |i: usize| {
            // SAFETY: `mapped` holds addresses of the peer's words, which stay mapped; only this loop writes them.
            unsafe { mapped[i % SLOTS].write_volatile(i as u64) };
            Ok(())
        };
        let [put, p, stored, rate, store_rate] = rounds.alone([
            &mut || rounds.ns(CALLS, |i| shmem.put(slots[i % SLOTS], &[i as u64], peer)),
            &mut || rounds.ns(CALLS, |i| shmem.p(points[i % SLOTS], i as u64, peer)),
            &mut || rounds.ns(CALLS, store),
            &mut || {
                rounds.ns(1, |_| {
                    (0..CALLS).try_for_each(|i| shmem.p(points[i % SLOTS], i as u64, peer)).and_then(|()| shmem.quiet())
                })
            },
            &mut || rounds.ns(1, |_| (0..CALLS).try_for_each(store).and_then(|()| shmem.quiet())),
        ])?;
        let (put_only, p_only) = (median_difference(&put, &stored), median_difference(&p, &stored));
        let (bytes, by_p) = (("bytes", "8".to_string()), ("call", "p".to_string()));
        let mops = |times: &[f64]| Figure::of(times, |ns| CALLS as f64 * 1e3 / ns);
        let report = &mut self.report;
        let size = std::slice::from_ref(&bytes);
        report.row("host_put_store", size, put_only, "ns")?;
        report.row("host_put_store", &[by_p.clone(), bytes.clone()], p_only, "ns")?;
        report.row("host_put_hh", size, Figure::ns(&put), "ns")?;
        report.row("host_put_hh", &[by_p, bytes.clone()], Figure::ns(&p), "ns")?;
        report.row_by(By::Limit, "host_put_hh", size, Figure::ns(&stored), "ns")?;
        report.row("host_put_rate_hh", size, mops(&rate), "Mop/s")?;
        report.row_by(By::Limit, "host_put_rate_hh", size, mops(&store_rate), "Mop/s")
    }

    fn get_and_load(&mut self) -> Result<()> {
        let (shmem, peer, rounds) = (self.shmem, black_box(self.peer), &self.rounds);
        let (slots, mapped) = (self.slots(), self.mapped());
        let mut value = [0];
        let [get, load] = rounds.alone([
            &mut || {
                rounds.ns(CALLS, |i| {
                    shmem.get(black_box(&mut value), slots[i % SLOTS], peer)?;
                    black_box(&value);
                    Ok(())
                })
            },
            &mut || {
                rounds.ns(CALLS, |i| {
                    // SAFETY: `mapped` holds addresses of the peer's words, which stay mapped; no PE writes them in
                    // this loop.
                    black_box(unsafe { mapped[i % SLOTS].read_volatile() });
                    Ok(())
                })
            },
        ])?;
        self.report.row("host_get_hh", &[("bytes", "8".into())], Figure::ns(&get), "ns")?;
        self.report.row_by(By::Limit, "host_get_hh", &[("bytes", "8".into())], Figure::ns(&load), "ns")
    }

    fn fetch_add(&mut self) -> Result<()> {
        let (shmem, peer, rounds) = (self.shmem, black_box(self.peer), &self.rounds);
        let points: Vec<_> = self.slots().iter().map(|s| s.at(0)).collect();
        let words: Vec<_> = black_box((0..SLOTS).map(|i| self.word(i, peer)).collect());
        let [add, by_hand] = rounds.alone([
            &mut || rounds.ns(CALLS, |i| shmem.fetch_add(points[i % SLOTS], 1, peer).map(|old| _ = black_box(old))),
            &mut || {
                rounds.ns(CALLS, |i| {
                    // Relaxed: only the time of the instruction matters, and it orders nothing.
                    black_box(words[i % SLOTS].fetch_add(1, Ordering::Relaxed));
                    Ok(())
                })
            },
        ])?;
        self.report.row("host_fetch_add_hh", &[("bytes", "8".into())], Figure::ns(&add), "ns")?;
        self.report.row_by(By::Limit, "host_fetch_add_hh", &[("bytes", "8".into())], Figure::ns(&by_hand), "ns")
    }

    fn put_signal(&mut self) -> Result<()> {
        let (shmem, peer, rounds) = (self.shmem, black_box(self.peer), &self.rounds);
        let (slots, sig) = (self.slots(), self.slot(SLOTS).at(0));
        let [signal] = rounds.alone([&mut || {
            rounds.ns(CALLS, |i| shmem.put_signal(slots[i % SLOTS], &[i as u64], sig, i as u64, SignalOp::Set, peer))
        }])?;
        self.report.row("host_put_signal_hh", &[("bytes", "8".into())], Figure::ns(&signal), "ns")
    }

    /// The time from a put until the peer, which waits for the word, has seen it: half a round trip.
    fn visible(&mut self) -> Result<()> {
        let (shmem, rounds, me, peer) = (self.shmem, &self.rounds, self.shmem.my_pe(), self.peer);
        let (flag, other) = (self.slot(2 * SLOTS), if me == 0 { peer } else { 0 });
        let (mine, theirs) = (self.word(3 * SLOTS, me), self.word(3 * SLOTS, other));
        let point = flag.at(0);
        let (mut put_value, mut hand_value) = (0, 0);
        let [put, by_hand] = rounds.together([
            &mut || {
                rounds.ns(if me == 0 || me == peer { PINGPONGS } else { 1 }, |_| {
                    put_value += 1;
                    if me == 0 {
                        shmem.p(point, put_value, other)?;
                        shmem.wait_until(point, Cmp::Eq, put_value)?;
                    } else if me == peer {
                        shmem.wait_until(point, Cmp::Eq, put_value)?;
                        shmem.p(point, put_value, other)?;
                    }
                    Ok(())
                })
            },
            &mut || {
                rounds.ns(if me == 0 || me == peer { PINGPONGS } else { 1 }, |_| {
                    hand_value += 1;
                    if me == 0 {
                        // SYNC(hand-pingpong) release: pairs with the acquire in `spin_until`.
                        theirs.store(hand_value, Ordering::Release);
                        spin_until(mine, hand_value);
                    } else if me == peer {
                        spin_until(mine, hand_value);
                        // SYNC(hand-pingpong) release: pairs with the acquire in `spin_until`.
                        theirs.store(hand_value, Ordering::Release);
                    }
                    Ok(())
                })
            },
        ])?;
        self.report.row("store_visible", &[("bytes", "8".into())], Figure::of(&put, |ns| ns / 2.0), "ns")?;
        self.report.row_by(
            By::Limit,
            "store_visible",
            &[("bytes", "8".into())],
            Figure::of(&by_hand, |ns| ns / 2.0),
            "ns",
        )
    }
}
