//! Puts, gets and atomic operations that the CPU issues and that the GPU agent or a copy engine carries out.

use super::Bench;
use crate::rounds::Figure;
use anyhow::Result;
use cushmem::SymSlice;
use std::time::{Duration, Instant};

/// Longer than the GPU agent stays without commands.
const PAUSE: Duration = Duration::from_millis(1);
const SIZES: [usize; 8] = [8, 4096, 16384, 32768, 65536, 1 << 20, 1 << 24, 1 << 28];

impl Bench<'_> {
    pub(super) fn gpu(&mut self) -> Result<()> {
        let shmem = self.shmem;
        let emulated = shmem.gpu().is_none_or(|g| g.emulated);
        let largest = if self.options.smoke || emulated { 1 << 20 } else { 1 << 28 };
        let dst = shmem.malloc_gpu::<u64>(largest / 8)?;
        let src = shmem.malloc_gpu::<u64>(largest / 8)?;
        let mut own = vec![1u64; largest / 8];
        src.copy_from(&own)?;
        dst.copy_from(&own)?;
        for bytes in SIZES.into_iter().filter(|s| *s <= largest) {
            let (peer, words, rounds) = (self.peer, bytes / 8, &self.rounds);
            // Rounds are short, because there are many.
            let calls = if bytes > 1 << 20 { 1 } else { 20 };
            let (to, from) = (dst.slice(..words), src.slice(..words));
            let [dd, hd, nbi, get_dd] = rounds.alone([
                &mut || rounds.ns(calls, |_| shmem.put(to, from, peer).and_then(|()| shmem.quiet())),
                &mut || rounds.ns(calls, |_| shmem.put(to, &own[..words], peer).and_then(|()| shmem.quiet())),
                &mut || {
                    let calls = 10 * calls;
                    let all =
                        |_| (0..calls).try_for_each(|_| shmem.put_nbi(to, from, peer)).and_then(|()| shmem.quiet());
                    Ok(rounds.ns(1, all)? / calls as f64)
                },
                &mut || rounds.ns(calls, |_| shmem.get(from, to, peer)),
            ])?;
            let [get_dh] = rounds.alone([&mut || rounds.ns(calls, |_| shmem.get(&mut own[..words], to, peer))])?;
            for (metric, kinds, times) in [
                ("host_put_quiet", "D-D", dd),
                ("host_put_quiet", "H-D", hd),
                ("host_put_nbi", "D-D", nbi),
                ("host_get", "D-D", get_dd),
                ("host_get", "D-H", get_dh),
            ] {
                let keys = [("kinds", kinds.to_string()), ("bytes", bytes.to_string())];
                self.report.row(metric, &keys, Figure::us(&times), "us")?;
            }
        }
        self.words(dst)?;
        let rounds = &self.rounds;
        let [barrier] = rounds.together([&mut || rounds.ns(300, |_| shmem.barrier_all())])?;
        self.report.row("host_barrier_all", &[], Figure::us(&barrier), "us")?;
        shmem.free(dst)?;
        Ok(shmem.free(src)?)
    }

    /// Operations on single words: puts to this PE's own GPU, puts after pauses in which the GPU agent exits, and
    /// additions.
    fn words(&mut self, dst: SymSlice<'_, u64>) -> Result<()> {
        let (shmem, peer, rounds, word) = (self.shmem, self.peer, &self.rounds, dst.slice(..1));
        let put = |pe| shmem.put(word, &[7], pe).and_then(|()| shmem.quiet());
        let [own, add] = rounds.alone([&mut || rounds.ns(20, |_| put(shmem.my_pe())), &mut || {
            rounds.ns(20, |_| shmem.fetch_add(word.at(0), 1, peer).map(drop))
        }])?;
        let paused = || {
            let mut ns = 0.0;
            for _ in 0..5 {
                let until = Instant::now() + PAUSE;
                while Instant::now() < until {
                    std::hint::spin_loop();
                }
                ns += rounds.ns(1, |_| put(peer))? / 5.0;
            }
            Ok(ns)
        };
        let [paused] = rounds.alone([&mut || paused()])?;
        let keys = |kinds: &str| vec![("kinds", kinds.to_string()), ("bytes", "8".to_string())];
        self.report.row("host_put_quiet_self", &keys("H-D"), Figure::us(&own), "us")?;
        self.report.row("host_fetch_add", &keys("D"), Figure::us(&add), "us")?;
        self.report.row("host_put_quiet_paused", &keys("H-D"), Figure::us(&paused), "us")
    }
}
