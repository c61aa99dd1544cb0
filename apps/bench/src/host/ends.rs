//! Puts and gets between a peer's GPU memory and pinned memory or the host heap. The copy engine can do these on its
//! own, so the limit is its own copy.

use super::Bench;
use super::by_hand::ByHand;
use crate::names::By;
use crate::rounds::Figure;
use anyhow::Result;
use cushmem::raw::Completion;
use cushmem::{Blocks, SymSlice};
use std::time::Instant;

/// The slice's address on this PE.
fn address(slice: SymSlice<'_, u64>) -> u64 {
    slice.device_ptr().address()
}

/// Strided calls in a round.
const CALLS: u32 = 5;
const SIZES: [usize; 4] = [65536, 1 << 20, 1 << 24, 1 << 28];

impl Bench<'_> {
    pub(super) fn ends(&mut self) -> Result<()> {
        let shmem = self.shmem;
        let emulated = shmem.gpu().is_none_or(|gpu| gpu.emulated);
        let largest = if self.options.smoke || emulated { 1 << 20 } else { 1 << 28 };
        let (dst, src) = (shmem.malloc_gpu::<u64>(largest / 8)?, shmem.malloc_gpu::<u64>(largest / 8)?);
        let heap = shmem.malloc::<u64>(largest / 8)?;
        // Collective: either all PEs have a real GPU, or none has.
        let mut by_hand = ByHand::create(shmem, largest / 8)?;
        for bytes in SIZES.into_iter().filter(|bytes| *bytes <= largest) {
            let (peer, words, rounds) = (self.peer, bytes / 8, &self.rounds);
            let calls = if bytes > 1 << 20 { 1 } else { 20 };
            let (to, from, near) = (dst.slice(..words), src.slice(..words), heap.slice(..words));
            let mut rows = vec![];
            let [put, get] = rounds.alone([
                &mut || rounds.ns(calls, |_| shmem.put(to, near, peer).and_then(|()| shmem.quiet())),
                &mut || rounds.ns(calls, |_| shmem.get(near, to, peer)),
            ])?;
            rows.push(("host_put_quiet", "heap-D", By::Cushmem, put));
            rows.push(("host_get", "D-heap", By::Cushmem, get));
            if bytes == 1 << 24 {
                let both = |to: SymSlice<'_, u64>, from: SymSlice<'_, u64>, here: u64| {
                    let (raw, start) = (shmem.raw(), Instant::now());
                    shmem.put_nbi(to, from, peer)?;
                    // SAFETY: both ends have that many bytes, and exist until the quiet.
                    unsafe { raw.get(here as *mut u8, address(to) as *const u8, bytes, peer, Completion::Nbi)? };
                    shmem.quiet()?;
                    Ok(start.elapsed().as_nanos() as f64)
                };
                let (second, third) = (heap.slice(words..2 * words), src.slice(words..2 * words));
                let [host, gpus] =
                    rounds.alone([&mut || both(to, near, address(second)), &mut || both(to, from, address(third))])?;
                rows.push(("host_nbi_both_ways", "heap-D and D-heap", By::Cushmem, host));
                rows.push(("host_nbi_both_ways", "D-D", By::Cushmem, gpus));
            }
            if let Some(by_hand) = &mut by_hand {
                let there = shmem.raw().ptr(to.device_ptr().address() as *const u8, peer)?.unwrap_or(0);
                let (own, pinned) = (from.device_ptr().address(), by_hand.pinned_address());
                let [put_pinned] = rounds.alone([&mut || {
                    rounds.ns(calls, |_| shmem.put(to, &by_hand.pinned()[..words], peer).and_then(|()| shmem.quiet()))
                }])?;
                let [get_pinned] = rounds
                    .alone([&mut || rounds.ns(calls, |_| shmem.get(&mut by_hand.pinned()[..words], to, peer))])?;
                let hand = |dst, src| {
                    let start = Instant::now();
                    (0..calls).try_for_each(|_| by_hand.copy(dst, src, bytes))?;
                    Ok(start.elapsed().as_nanos() as f64 / calls as f64)
                };
                let [dd, put_limit, get_limit, dd_limit] = rounds.alone([
                    &mut || rounds.ns(calls, |_| shmem.put(to, from, peer).and_then(|()| shmem.quiet())),
                    &mut || hand(there, pinned),
                    &mut || hand(pinned, there),
                    &mut || hand(there, own),
                ])?;
                rows.push(("host_put_quiet", "pinned-D", By::Cushmem, put_pinned));
                rows.push(("host_get", "D-pinned", By::Cushmem, get_pinned));
                rows.push(("host_put_quiet", "pinned-D", By::Limit, put_limit));
                rows.push(("host_get", "D-pinned", By::Limit, get_limit));
                rows.push(("host_put_quiet", "D-D beside the limit", By::Cushmem, dd));
                rows.push(("host_put_quiet", "D-D beside the limit", By::Limit, dd_limit));
            }
            for (metric, kinds, by, times) in rows {
                let keys = [("kinds", kinds.to_string()), ("bytes", bytes.to_string())];
                self.report.row_by(by, metric, &keys, Figure::us(&times), "us")?;
            }
        }
        self.strided(dst, heap)?;
        drop(by_hand);
        shmem.free(dst)?;
        shmem.free(heap)?;
        Ok(shmem.free(src)?)
    }

    /// A strided put of blocks, where a gap of one block follows each block at the target.
    fn strided(&mut self, dst: SymSlice<'_, u64>, heap: SymSlice<'_, u64>) -> Result<()> {
        let (shmem, peer, rounds) = (self.shmem, self.peer, &self.rounds);
        let pageable = vec![1u64; heap.len() / 2];
        let to = dst.device_ptr().address() as *mut u8;
        let near = heap.device_ptr().address() as *const u8;
        let far = pageable.as_ptr().cast::<u8>();
        let mut rows = vec![];
        for (elements, count) in [(1, 1 << 12), (512, 64)] {
            let blocks = Blocks { count, elements, size: 8, dst: 2 * elements as isize, sst: elements as isize };
            let put = |from| {
                let start = Instant::now();
                // SAFETY: the ends have at least 2 * 64 * 512 words.
                (0..CALLS).try_for_each(|_| unsafe { shmem.raw().put_blocks(to, from, blocks, peer) })?;
                Ok(start.elapsed().as_nanos() as f64 / f64::from(CALLS))
            };
            let [heap, pageable] = rounds.alone([&mut || put(near), &mut || put(far)])?;
            rows.push((8 * elements, "heap-D", heap));
            rows.push((8 * elements, "H-D", pageable));
        }
        for (bytes, kinds, times) in rows {
            let keys = [("kinds", kinds.to_string()), ("bytes", bytes.to_string())];
            self.report.row("host_put_blocks", &keys, Figure::us(&times), "us")?;
        }
        Ok(())
    }
}
