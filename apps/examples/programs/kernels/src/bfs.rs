//! Breadth-first search, level by level. Warps take the vertices of a level, enqueue new vertices of their own PE, and
//! stage those of other PEs with their parents, each once in a search. Then the CPU, a stream or [`Search::search`]
//! exchanges the stages, and the receivers enqueue the vertices that are new to them.
//!
//! An inbox has a part for each PE, which only that PE writes; the same holds for the words that say how many vertices
//! it sent. A PE fills them for the next level only after the barrier that ends the current level, when the others have
//! read them.

use cushmem_device::{
    Block, DevPtr, Scope, Warp, atomic_compare_swap, atomic_fetch, atomic_fetch_add, atomic_fetch_or, ballot,
    block_dim_x, block_idx_x, globaltimer, grid_dim_x, grid_sync, my_pe, n_pes, p, shfl_idx, thread_idx_x,
};

const NONE: u32 = u32::MAX;
/// A search, as kernels receive it. PE `k` has vertices `k`, `k + n_pes`, …; all members but the first two are
/// symmetric.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Search {
    /// Where each vertex's neighbours start.
    pub first: DevPtr<u32>,
    /// Neighbours.
    pub neighbours: DevPtr<u32>,
    /// Vertices of a PE.
    pub vertices: u32,
    /// For each vertex, its parent.
    pub parents: DevPtr<u32>,
    /// For each vertex, its level.
    pub levels: DevPtr<u32>,
    /// For each vertex of all PEs, a bit that is set once the vertex was staged.
    pub seen: DevPtr<u32>,
    /// The vertices of the current level and of the next one.
    pub queue: DevPtr<u32>,
    /// How many vertices these have.
    pub queued: DevPtr<u32>,
    /// For each PE, vertices with their parents.
    pub outbox: DevPtr<u64>,
    /// How many are staged for each PE.
    pub sent: DevPtr<u32>,
    /// The vertices that arrived from each PE.
    pub inbox: DevPtr<u64>,
    /// How many arrived from each PE.
    pub received: DevPtr<u32>,
    /// How many vertices of the next level each PE has.
    pub totals: DevPtr<u32>,
}

#[cfg(not(target_arch = "nvptx64"))]
// SAFETY: plain data in C's layout.
unsafe impl cushmem_device::KernelArg for Search {}

impl Search {
    /// A slot of its own, among those that `counter` counts, for each lane of a warp that wants one.
    #[inline(always)]
    unsafe fn slot(counter: DevPtr<u32>, wants: bool) -> usize {
        let mask = ballot(u32::MAX, wants);
        let reserves = Warp.lane() == 0 && mask != 0;
        // SAFETY: the counters are symmetric words.
        let base = if reserves { unsafe { atomic_fetch_add(counter, mask.count_ones(), my_pe()) } } else { 0 };
        let before = mask & ((1 << Warp.lane()) - 1);
        (shfl_idx(u32::MAX, base, 0) + before.count_ones()) as usize
    }

    /// A warp enqueues vertices of this PE, for the lanes that have one, unless they were reached before.
    #[inline(always)]
    unsafe fn enqueue(self, has: bool, vertex: u32, parent: u32, level: u32) {
        let (at, half) = (self.parents.add(vertex as usize), level % 2);
        // SAFETY: a lane for which `has` holds has a vertex of this PE. A queue has room for all, and each vertex is
        // enqueued by the lane that gave it its parent.
        unsafe {
            let is_new =
                has && atomic_fetch(at, my_pe()) == NONE && atomic_compare_swap(at, NONE, parent, my_pe()) == NONE;
            let slot = Self::slot(self.queued.add(half as usize), is_new);
            if is_new {
                self.levels.add(vertex as usize).write(level);
                self.queue.add((half * self.vertices) as usize + slot).write(vertex);
            }
        }
    }

    /// Follows the edges from the vertices of a level.
    ///
    /// # Safety
    /// The memory is as the fields say, the level is complete, and no other step runs.
    #[inline(always)]
    pub unsafe fn expand(self, level: u32) {
        let (me, pes, half) = (my_pe(), n_pes(), (level % 2) as usize);
        // SAFETY: the caller guarantees that the memory is valid. A stage has room for all vertices of its PE, and each
        // is staged once.
        unsafe {
            let (mut i, end) = (warp(), self.queued.add(half).read() as usize);
            while i < end {
                let vertex = self.queue.add(half * self.vertices as usize + i).read();
                let (mut edge, last) = (
                    self.first.add(vertex as usize).read() as usize,
                    self.first.add(vertex as usize + 1).read() as usize,
                );
                let parent = vertex * pes + me;
                while edge < last {
                    let has = edge + Warp.lane() < last;
                    let other = if has { self.neighbours.add(edge + Warp.lane()).read() } else { 0 };
                    let owner = other % pes;
                    self.enqueue(has && owner == me, other / pes, parent, level + 1);
                    let (word, bit) = (self.seen.add(other as usize / 32), 1 << (other % 32));
                    let is_new = has
                        && owner != me
                        && atomic_fetch(word, me) & bit == 0
                        && atomic_fetch_or(word, bit, me) & bit == 0;
                    let mut k = 1;
                    while k < pes {
                        let pe = (me + k) % pes;
                        let slot = Self::slot(self.sent.add(pe as usize), is_new && owner == pe);
                        if is_new && owner == pe {
                            let at = (pe * self.vertices) as usize + slot;
                            self.outbox.add(at).write(u64::from(other / pes) | u64::from(parent) << 32);
                        }
                        k += 1;
                    }
                    edge += 32;
                }
                i += warps();
            }
        }
    }

    /// Enqueues the vertices that arrived.
    ///
    /// # Safety
    /// The conditions of [`Search::expand`].
    #[inline(always)]
    pub unsafe fn absorb(self, level: u32) {
        let mut k = 1;
        while k < n_pes() {
            let pe = (my_pe() + k) % n_pes();
            // SAFETY: the caller guarantees what this requires of the memory.
            unsafe {
                let (mut i, end) = (warp() * 32, self.received.add(pe as usize).read() as usize);
                while i < end {
                    let has = i + Warp.lane() < end;
                    let at = (pe * self.vertices) as usize + i + Warp.lane();
                    let message = if has { self.inbox.add(at).read() } else { 0 };
                    self.enqueue(has, message as u32, (message >> 32) as u32, level + 1);
                    i += warps() * 32;
                }
            }
            k += 1;
        }
    }

    /// Puts what is staged; each lane puts a part of it. A put by the block would take registers from all steps, and so
    /// reduce the number of lanes.
    #[inline(always)]
    unsafe fn send(self) {
        let (me, first) = (my_pe(), warp() * 32 + Warp.lane());
        let mut k = 1;
        while k < n_pes() {
            let pe = (me + k) % n_pes();
            // SAFETY: the part of the inbox is this PE's, and as long as the stage.
            unsafe {
                let n = self.sent.add(pe as usize).read();
                let (to, from) = ((me * self.vertices) as usize, (pe * self.vertices) as usize);
                let mut i = first;
                while i < n as usize {
                    p(self.inbox.add(to + i), self.outbox.add(from + i).read(), pe);
                    i += warps() * 32;
                }
                if first == 0 {
                    p(self.received.add(me as usize), n, pe);
                }
            }
            k += 1;
        }
    }

    /// The whole search, from level 0 on, in a cooperative launch. `times` receives the nanoseconds spent on the
    /// exchange, and the number of levels.
    ///
    /// # Safety
    /// The conditions of [`Search::expand`]; all PEs launch it. `counter` belongs to the launch.
    #[inline(always)]
    pub unsafe fn search(self, counter: DevPtr<u32>, times: DevPtr<u64>) {
        let is_first = block_idx_x() == 0 && Block.lane() == 0;
        let (me, mut level, mut exchange_ns) = (my_pe(), 0, 0);
        loop {
            // SAFETY: the caller guarantees that the memory and the launch are valid; `grid_sync` separates the steps.
            unsafe {
                self.expand(level);
                grid_sync(counter);
                let start = globaltimer();
                self.send();
                meet(counter);
                exchange_ns += globaltimer() - start;
                self.absorb(level);
                if is_first {
                    // The queue that this level has read serves the level after the next.
                    self.queued.add((level % 2) as usize).write(0);
                    (0..n_pes()).for_each(|pe| self.sent.add(pe as usize).write(0));
                }
                grid_sync(counter);
                let start = globaltimer();
                if is_first {
                    let own = self.queued.add(1 - (level % 2) as usize).read();
                    (0..n_pes()).for_each(|pe| p(self.totals.add(me as usize), own, pe));
                }
                meet(counter);
                exchange_ns += globaltimer() - start;
                level += 1;
                if (0..n_pes()).all(|pe| self.totals.add(pe as usize).read() == 0) {
                    break;
                }
            }
        }
        if is_first {
            // SAFETY: the caller guarantees that the two words are valid.
            unsafe {
                times.write(exchange_ns);
                times.add(1).write(u64::from(level));
            }
        }
    }
}

/// Barrier of all blocks of all PEs, after which all puts have arrived.
#[inline(always)]
unsafe fn meet(counter: DevPtr<u32>) {
    // SAFETY: the caller guarantees that the counter is valid.
    unsafe {
        grid_sync(counter);
        if block_idx_x() == 0 {
            Block.barrier_all();
        }
        grid_sync(counter);
    }
}

#[inline(always)]
fn warp() -> usize {
    ((block_idx_x() * block_dim_x() + thread_idx_x()) / 32) as usize
}

#[inline(always)]
fn warps() -> usize {
    (grid_dim_x() * block_dim_x() / 32) as usize
}
