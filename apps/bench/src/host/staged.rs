//! Copies between GPUs that cannot reach each other's memory. Such a copy goes through host memory, so the limit is the
//! slower of its parts: a copy between this GPU and its pinned host memory, or, across a network, a put between host
//! memories.

use super::Bench;
use crate::names::By;
use crate::rounds::{Figure, median};
use anyhow::Result;

const SIZES: [usize; 7] = [8, 4096, 65536, 1 << 20, 1 << 24, 1 << 26, 1 << 28];

impl Bench<'_> {
    /// `via` says what connects the PEs: pinned memory that both map, or the network.
    pub(super) fn staged(&mut self, via: &'static str) -> Result<()> {
        let shmem = self.shmem;
        let emulated = shmem.gpu().is_none_or(|g| g.emulated);
        let largest = if self.options.smoke || emulated { 1 << 20 } else { 1 << 28 };
        let dst = shmem.malloc_gpu::<u64>(largest / 8)?;
        let src = shmem.malloc_gpu::<u64>(largest / 8)?;
        // Pinned for this GPU.
        let host = shmem.malloc::<u64>(largest / 8)?;
        let far = if via == "network" { Some(shmem.malloc::<u64>(largest / 8)?) } else { None };
        src.copy_from(&vec![1u64; largest / 8])?;
        for bytes in SIZES.into_iter().filter(|s| *s <= largest) {
            let (peer, me, words, rounds) = (self.peer, shmem.my_pe(), bytes / 8, &self.rounds);
            let calls = if bytes > 1 << 20 { 1 } else { 10 };
            let (to, from, near) = (dst.slice(..words), src.slice(..words), host.slice(..words));
            let [put, get, copy, sent] = rounds.alone([
                &mut || rounds.ns(calls, |_| shmem.put(to, from, peer).and_then(|()| shmem.quiet())),
                &mut || rounds.ns(calls, |_| shmem.get(from, to, peer)),
                &mut || rounds.ns(calls, |_| shmem.put(near, from, me).and_then(|()| shmem.quiet())),
                &mut || match far {
                    Some(far) => {
                        rounds.ns(calls, |_| shmem.put(far.slice(..words), near, peer).and_then(|()| shmem.quiet()))
                    }
                    None => Ok(0.0),
                },
            ])?;
            let limit = median(&copy).max(median(&sent));
            let keys = [("via", via.to_string()), ("bytes", bytes.to_string())];
            for (metric, times) in [("staged_put", &put), ("staged_get", &get)] {
                self.report.row(metric, &keys, Figure::us(times), "us")?;
            }
            let gb_s = |ns: f64| bytes as f64 / ns;
            self.report.row("staged_bw", &keys, Figure::of(&put, gb_s), "GB/s")?;
            self.report.row_by(By::Limit, "staged_bw", &keys, gb_s(limit), "GB/s")?;
        }
        shmem.free(dst)?;
        shmem.free(host)?;
        if let Some(far) = far {
            shmem.free(far)?;
        }
        Ok(shmem.free(src)?)
    }
}
