//! Puts and gets of many sizes, compared with a copy by hand to and from the mapped heap.

use super::Bench;
use crate::names::By;
use crate::rounds::Figure;
use anyhow::Result;
use std::hint::black_box;

/// A round moves at least this many bytes, or makes at least one call.
const ROUND_BYTES: usize = 4 << 20;
const MOST_CALLS: usize = 20_000;

impl Bench<'_> {
    pub(super) fn sizes(&mut self, largest: usize) -> Result<()> {
        let heap = self.shmem.malloc::<u64>(largest / 8)?;
        let mut own = vec![1u64; largest / 8];
        // This touches the peer's memory for the first time, so that no round does.
        heap.copy_from(&own)?;
        self.shmem.barrier_all()?;
        let (shmem, peer) = (self.shmem, black_box(self.peer));
        let mapped = heap.ptr(peer);
        for bytes in self.options.sizes.clone() {
            let (words, rounds) = (bytes / 8, &self.rounds);
            let calls = (ROUND_BYTES / bytes).clamp(1, MOST_CALLS);
            let target = black_box(heap.slice(..words));
            let from = own[..words].as_ptr();
            let [put, copied] = rounds.alone([
                &mut || rounds.ns(calls, |_| shmem.put(black_box(target), &own[..words], peer)),
                &mut || {
                    rounds.ns(calls, |_| {
                        // SAFETY: `own` and the peer's mapped part have at least `words` elements, and no other PE uses
                        // them in this loop.
                        unsafe { black_box(mapped).copy_from_nonoverlapping(from, black_box(words)) };
                        Ok(())
                    })
                },
            ])?;
            let into = own.as_mut_ptr();
            let [got, fetched] = rounds.alone([
                &mut || rounds.ns(calls, |_| shmem.get(&mut own[..words], black_box(target), peer)),
                &mut || {
                    rounds.ns(calls, |_| {
                        // SAFETY: the peer's mapped part and `own` have at least `words` elements, and no other PE uses
                        // them in this loop.
                        unsafe { black_box(mapped).copy_to_nonoverlapping(into, black_box(words)) };
                        Ok(())
                    })
                },
            ])?;
            let size = [("bytes", bytes.to_string())];
            let gb_s = |times: &[f64]| Figure::of(times, |ns| bytes as f64 / ns);
            self.report.row("host_put_bw_hh", &size, gb_s(&put), "GB/s")?;
            self.report.row_by(By::Limit, "host_put_bw_hh", &size, gb_s(&copied), "GB/s")?;
            // Gets of 8 bytes are measured with the other single words.
            if bytes != 8 {
                self.report.row("host_get_hh", &size, Figure::ns(&got), "ns")?;
                self.report.row_by(By::Limit, "host_get_hh", &size, Figure::ns(&fetched), "ns")?;
            }
        }
        Ok(self.shmem.free(heap)?)
    }
}
