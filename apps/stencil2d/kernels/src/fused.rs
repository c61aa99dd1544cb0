//! All iterations in one kernel whose blocks have roles: one receives, some send, the others compute.
//!
//! Iteration `k` reads buffer `k mod 3` and writes buffer `(k + 1) mod 3` on all PEs, as in [`crate::persistent`]. But
//! there is no barrier of all blocks after each iteration: a role waits only for what it reads.
//!
//! ```text
//!   receiver             senders                        computing role k * tiles + t
//!   for each k:          for each k:
//!   wait for all         wait: rim, all bands at k;     wait: rim, three bands at k
//!   signals k + 1        arrived k                      update tile t
//!   arrived += 1         their jobs of the rim:         its band += 1
//!                        update, pack, put, signal k+1
//!                        rim += 1 for each job
//! ```
//!
//! A *band* is a row of tiles. Its word counts their updates. The band is *at `k`* when its word has reached `k` times
//! the number of its tiles. All their updates before iteration `k` are then finished. None that the word counts came
//! later, because each later update has itself waited for the band to be at `k`. The same holds for the word of the
//! rim, which counts finished jobs. A block adds to a word after its stores (release), and lanes wait for words with
//! acquires, so a lane that has waited sees the cells.
//!
//! Where there are many tiles, a block checks the words of its next tile before the barrier at the end of the current
//! tile. If they have reached their values, it starts the next tile at once, and its first lane adds to the word of the
//! finished tile at the same time. If not, it waits as before. These checks are acquires too, and the block's barrier
//! passes them on to all its lanes.
//!
//! **Who writes what.** As in `persistent`: each cell of this PE is stored by one job or one tile, and each halo cell
//! and each signal by one job of one neighbour. A job belongs to one sender, and so does its part of the outbox.
//!
//! **Why all data that is read has arrived.** A tile reads its own band, the two next to it, and the rim, all of
//! iteration `k - 1`. A job reads the rim, the tiles next to it, and the halos that the neighbours sent in their
//! iteration `k - 1`, whose signals `k` the receiver has seen.
//!
//! **Why nobody overwrites what is still read.** A tile or job of iteration `k` stores cells that were last read in
//! iteration `k - 2`, by its own band, the bands next to it and the rim, all of which are at `k`. A job stores into a
//! neighbour's halo once all signals `k` of all neighbours have arrived. A neighbour sends its first signal `k` in its
//! iteration `k - 1`, when its rim has finished iteration `k - 2`, in which it last read this halo. Two buffers would
//! not be enough: other jobs of the neighbour may still be in iteration `k - 1`.
//!
//! **Why nobody waits forever.** Receiver and senders last as long as the kernel. A computing role waits for those of
//! the iteration before, which have lower numbers, and for senders, as `cushmem_protocol::roles` allows. Senders in
//! iteration `k` wait for computing roles of iteration `k - 1` and for the receiver, which waits for senders of other
//! PEs in their iteration `k - 1`. So each waits only for something of an earlier iteration. A block draws its next
//! role before it adds to the word of the finished tile, but it waits for nothing in between.
//!
//! **When a neighbour does not answer** within [`Run::limit_ns`], the receiver notes it and stops waiting, so all roles
//! run to the end; the result is not used. The receiver starts to wait for an iteration as soon as the halos of the one
//! before have arrived, so the limit has to be longer than an iteration takes. When a PE waits for itself, the limit is
//! twice that, so these waits end in any case.

use crate::cell::Real;
use crate::edge;
use crate::layout::{Job, Run, Shape, Tiling};
use crate::persistent::{BUFFERS, note_late, outcome, wait_for_all};
use crate::step;
use cushmem_device::{
    Cmp, DevPtr, Role, Roles, Word, block_dim_x, gate_add, grid_dim_x, signal_fetch, syncthreads, thread_idx_x,
    wait_until_for,
};

/// Words by which the roles of a PE wait for each other, all zero before the kernel starts. They follow the words of
/// `outcome`, and each kind has cache lines of its own.
pub mod gates {
    /// Finished jobs of the rim.
    pub const RIM: usize = super::outcome::WORDS;
    /// Iterations whose signals have arrived.
    pub const ARRIVED: usize = RIM + 16;
    /// The word of the first band; those of the others follow.
    pub const BANDS: usize = ARRIVED + 16;
}

/// How halos are sent, and how a PE knows that they have arrived. All lanes of a block call the functions.
pub trait Exchange: Copy {
    /// The number of iterations after which jobs pack into the same place again.
    const OUTBOXES: u64;
    /// Sends what job `index` of `jobs` has packed to buffer `to` of a neighbour.
    ///
    /// # Safety
    /// The conditions of [`iterate`]; the lanes have synchronised since they packed.
    unsafe fn send<T: Real>(self, jobs: DevPtr<Job>, index: usize, to: DevPtr<T>, outbox: DevPtr<T>, value: u64);
    /// Waits for all halos of iteration `k`. Returns how long this lane may wait the next time, as [`wait_for_all`]
    /// does.
    ///
    /// # Safety
    /// The conditions of [`iterate`]; only the receiver calls it.
    unsafe fn receive(self, run: &Run, k: u64, value: u64, limit_ns: u64, outcome: DevPtr<u64>) -> u64;
}

/// Puts by the senders, with signals that grow.
#[derive(Clone, Copy)]
struct Puts {
    signals: DevPtr<u64>,
}

impl Exchange for Puts {
    const OUTBOXES: u64 = 1;
    #[inline(always)]
    unsafe fn send<T: Real>(self, jobs: DevPtr<Job>, index: usize, to: DevPtr<T>, outbox: DevPtr<T>, value: u64) {
        // SAFETY: a job of this block, which has packed.
        unsafe { edge::put(jobs.add(index), to, outbox, self.signals, value) };
    }
    #[inline(always)]
    unsafe fn receive(self, run: &Run, k: u64, value: u64, limit_ns: u64, outcome: DevPtr<u64>) -> u64 {
        // SAFETY: the words belong to the launch, and only this block waits for them.
        unsafe { wait_for_all(self.signals, run.signals, value, limit_ns, outcome, k) }
    }
}

/// What all roles share.
#[derive(Clone, Copy)]
struct Pe<T, X> {
    fields: DevPtr<T>,
    shape: Shape,
    tiling: Tiling,
    run: Run,
    exchange: X,
    /// The words of `outcome` and `gates`.
    words: DevPtr<u64>,
}

/// Runs all iterations with [`Puts`]; see the module's text.
///
/// # Safety
/// The conditions of [`iterate`].
#[inline(always)]
#[allow(clippy::too_many_arguments)] // a kernel's
pub unsafe fn with_puts<T: Real, const N: usize, const BATCH: usize>(
    fields: DevPtr<T>,
    shape: Shape,
    tiling: Tiling,
    run: Run,
    jobs: DevPtr<Job>,
    signals: DevPtr<u64>,
    outbox: DevPtr<T>,
    roles: Roles,
    words: DevPtr<u64>,
    progress: DevPtr<u64>,
) {
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe {
        iterate::<T, Puts, N, BATCH>(fields, shape, tiling, run, jobs, Puts { signals }, outbox, roles, words, progress)
    };
}

/// Runs all iterations.
///
/// # Safety
/// The conditions of `persistent::iterate`, but launched with roles: at most one receiver, at most as many senders as
/// there are jobs, and a computing role for each tile and iteration. There are [`Exchange::OUTBOXES`] times
/// [`Run::jobs`] jobs, which differ in where they pack. `words` are those of `outcome` and `gates`, with one for each
/// band of tiles.
#[inline(always)]
#[allow(clippy::too_many_arguments)] // a kernel's
pub unsafe fn iterate<T: Real, X: Exchange, const N: usize, const BATCH: usize>(
    fields: DevPtr<T>,
    shape: Shape,
    tiling: Tiling,
    run: Run,
    jobs: DevPtr<Job>,
    exchange: X,
    outbox: DevPtr<T>,
    roles: Roles,
    words: DevPtr<u64>,
    progress: DevPtr<u64>,
) {
    let pe = Pe { fields, shape, tiling, run, exchange, words };
    let tiles = u64::from(tiling.tiles());
    let mut limit_ns = 2 * run.limit_ns;
    // SAFETY: all memory is as the caller guarantees; the order is argued in the module's text.
    unsafe {
        let mut shift = roles.begin();
        // Whether the first computing role would have to wait is not known.
        let mut role = shift.next_and(|_| false);
        // Lasting roles come first. One loop for both kinds would hold the registers that either needs.
        loop {
            match role {
                Some((Role::Receive(_), _)) => pe.receive(),
                Some((Role::Send(first), _)) => pe.send(first, roles.plan().senders, jobs, outbox),
                _ => break,
            }
            role = shift.next_and(|_| false);
        }
        // Where tiles are few, the next one is seldom ready, and checking would only delay those that wait for this
        // one.
        let looks_ahead = tiles > 2 * u64::from(grid_dim_x());
        let mut place = Place { k: 0, first: 0 };
        while let Some((Role::Compute(number), is_ready)) = role {
            let tile = place.advance(number, tiles);
            let k = u64::from(place.k);
            if !is_ready {
                pe.wait_for_tile(k, tile, &mut limit_ns);
            }
            step::tile::<T, N, BATCH>(pe.buffer(k), pe.buffer(k + 1), shape, tiling, tile);
            // The block has synchronised before, so its stores come first.
            let finished = || {
                if thread_idx_x() == 0 {
                    gate_add(words.add(gates::BANDS + (tile / tiling.across) as usize), 1);
                }
            };
            if !looks_ahead {
                syncthreads();
                finished();
            }
            role = shift.next_and(|next| match next {
                Role::Compute(number) if looks_ahead => {
                    let mut place = place;
                    let tile = place.advance(number, tiles);
                    pe.may_begin(place.k.into(), tile)
                }
                _ => false,
            });
            if looks_ahead {
                finished();
            }
            if tile == 0 && run.progress_every != 0 && thread_idx_x() == 0 && k.is_multiple_of(run.progress_every) {
                u64::store_relaxed_sys(progress, k);
            }
        }
    }
}

/// An iteration, and the number of its first computing role. Since the numbers that a block draws grow, it moves
/// forward from there; a division would take longer.
#[derive(Clone, Copy)]
struct Place {
    /// 32 bits wide, because registers are scarce.
    k: u32,
    first: u64,
}

impl Place {
    /// Moves forward to the iteration of a role; returns the role's tile.
    #[inline(always)]
    fn advance(&mut self, number: u64, tiles: u64) -> u32 {
        while number - self.first >= tiles {
            self.first += tiles;
            self.k += 1;
        }
        (number - self.first) as u32
    }
}

impl<T: Real, X: Exchange> Pe<T, X> {
    #[inline(always)]
    fn buffer(&self, k: u64) -> DevPtr<T> {
        buffer(self.fields, self.shape.buffer, k)
    }

    /// Waits for the signals of all iterations.
    ///
    /// # Safety
    /// The conditions of [`iterate`].
    #[inline(always)]
    unsafe fn receive(&self) {
        let mut limit_ns = self.run.limit_ns;
        let mut k = 0;
        loop {
            let value = self.run.signal_of(k);
            if value == 0 {
                break;
            }
            // SAFETY: only the receiver gets here, and nobody else adds to this word of `gates`.
            unsafe {
                limit_ns = self.exchange.receive(&self.run, k, value, limit_ns, self.words);
                if thread_idx_x() == 0 {
                    gate_add(self.words.add(gates::ARRIVED), 1);
                }
            }
            k += 1;
        }
    }

    /// Updates and sends jobs `first`, `first + senders`, … in all iterations.
    ///
    /// # Safety
    /// The conditions of [`iterate`].
    #[inline(always)]
    unsafe fn send(&self, first: u32, senders: u32, jobs: DevPtr<Job>, outbox: DevPtr<T>) {
        let Self { run, exchange, words, .. } = *self;
        let across = self.tiling.across;
        let bands = if across == 0 { 0 } else { self.tiling.down };
        let mut limit_ns = 2 * run.limit_ns;
        let mut k = 0;
        // SAFETY: the words and jobs belong to the launch; the order of what jobs read and store is argued in the
        // module's text.
        unsafe {
            while k < run.iterations {
                let mut band = thread_idx_x();
                while band < bands {
                    wait(words, gates::BANDS + band as usize, k * u64::from(across), &mut limit_ns, k);
                    band += block_dim_x();
                }
                if thread_idx_x() == 0 {
                    wait(words, gates::RIM, k * u64::from(run.jobs), &mut limit_ns, k);
                    if run.exchange != 0 {
                        wait(words, gates::ARRIVED, k, &mut limit_ns, k);
                    }
                }
                syncthreads();
                let (value, mut number) = (run.signal_of(k), first);
                while number < run.jobs {
                    let index = ((k + 1) % X::OUTBOXES) as usize * run.jobs as usize + number as usize;
                    let (job, to) = (jobs.add(index), self.buffer(k + 1));
                    edge::run(job, self.buffer(k), to, outbox, value != 0, None, || {
                        exchange.send(jobs, index, to, outbox, value);
                    });
                    number += senders;
                    syncthreads();
                    if thread_idx_x() == 0 {
                        gate_add(words.add(gates::RIM), 1);
                    }
                }
                k += 1;
            }
        }
    }

    /// What this lane has to wait for before a tile of iteration `k`: a word and its value. Lanes 0 to 2 wait for the
    /// bands above, at and below the tile, lane 3 for the rim.
    #[inline(always)]
    fn gate(&self, k: u64, tile: u32) -> Option<(usize, u64)> {
        let across = self.tiling.across;
        let (band, lane) = (tile / across, thread_idx_x());
        if lane < 3 && band + lane >= 1 && band + lane <= self.tiling.down {
            Some((gates::BANDS + (band + lane - 1) as usize, k * u64::from(across)))
        } else if lane == 3 {
            Some((gates::RIM, k * u64::from(self.run.jobs)))
        } else {
            None
        }
    }

    /// Whether the word that this lane has to wait for before a tile has reached its value.
    ///
    /// # Safety
    /// The conditions of [`iterate`].
    #[inline(always)]
    unsafe fn may_begin(&self, k: u64, tile: u32) -> bool {
        // SAFETY: the words belong to the launch.
        self.gate(k, tile).is_none_or(|(word, value)| unsafe { signal_fetch(self.words.add(word)) } >= value)
    }

    /// Waits until the tile may be updated in iteration `k`.
    ///
    /// # Safety
    /// The conditions of [`iterate`].
    #[inline(always)]
    unsafe fn wait_for_tile(&self, k: u64, tile: u32, limit_ns: &mut u64) {
        if let Some((word, value)) = self.gate(k, tile) {
            // SAFETY: the words belong to the launch.
            unsafe { wait(self.words, word, value, limit_ns, k) };
        }
        syncthreads();
    }
}

/// The buffer that iteration `k` reads.
#[inline(always)]
fn buffer<T>(fields: DevPtr<T>, elements: u64, k: u64) -> DevPtr<T> {
    fields.add((k % u64::from(BUFFERS)) as usize * elements as usize)
}

/// Makes this lane wait for one of the PE's own words.
///
/// # Safety
/// The conditions of [`iterate`].
#[inline(always)]
unsafe fn wait(words: DevPtr<u64>, word: usize, value: u64, limit_ns: &mut u64, k: u64) {
    // SAFETY: a word of `words`.
    unsafe {
        if wait_until_for(words.add(word), Cmp::Ge, value, *limit_ns).is_none() {
            *limit_ns = 0;
            note_late(words, k, outcome::OWN_BLOCKS);
        }
    }
}
