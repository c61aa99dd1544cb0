//! Exchanges in which each member sends as many rows as it likes, each of which the lanes check.

use crate::collectives::Exact;
use crate::mix::mix;
use cushmem_device::collective::Group;
use cushmem_device::{Block, Collective, DevPtr, DeviceTeam, Grid, Thread, Warp, atomic_add, kernels_of_module, my_pe};

kernels_of_module! {
    /// One lane: exchanges of random sizes; counts wrong elements and numbers of rows. See [`Rows`].
    pub unsafe fn unequal_thread(team: DeviceTeam, dst: DevPtr<u64>, src: DevPtr<u64>, splits: DevPtr<u64>, most: usize, width: usize, first: u64, rounds: u64, wrong: DevPtr<u64>) {
        count(Thread, Rows { team, dst, src, splits, most, width, first, rounds }, wrong);
    }

    /// Like `unequal_thread`, by a warp.
    pub unsafe fn unequal_warp(team: DeviceTeam, dst: DevPtr<u64>, src: DevPtr<u64>, splits: DevPtr<u64>, most: usize, width: usize, first: u64, rounds: u64, wrong: DevPtr<u64>) {
        count(Warp, Rows { team, dst, src, splits, most, width, first, rounds }, wrong);
    }

    /// Like `unequal_thread`, by a block.
    pub unsafe fn unequal_block(team: DeviceTeam, dst: DevPtr<u64>, src: DevPtr<u64>, splits: DevPtr<u64>, most: usize, width: usize, first: u64, rounds: u64, wrong: DevPtr<u64>) {
        count(Block, Rows { team, dst, src, splits, most, width, first, rounds }, wrong);
    }

    /// Like `unequal_thread`, by a block, of bytes.
    pub unsafe fn unequal_block_u8(team: DeviceTeam, dst: DevPtr<u8>, src: DevPtr<u8>, splits: DevPtr<u64>, most: usize, width: usize, first: u64, rounds: u64, wrong: DevPtr<u64>) {
        count(Block, Rows { team, dst, src, splits, most, width, first, rounds }, wrong);
    }

    /// Like `unequal_thread`, by all blocks.
    pub unsafe fn unequal_grid(team: DeviceTeam, dst: DevPtr<u64>, src: DevPtr<u64>, splits: DevPtr<u64>, most: usize, width: usize, first: u64, rounds: u64, counter: DevPtr<u32>, wrong: DevPtr<u64>) {
        count(Grid::new(counter), Rows { team, dst, src, splits, most, width, first, rounds }, wrong);
    }

    /// One block: one exchange of bytes, whose rows and splits the host has written.
    pub unsafe fn unequal_once(team: DeviceTeam, dst: DevPtr<u8>, src: DevPtr<u8>, dst_splits: DevPtr<u64>, src_splits: DevPtr<u64>, room: usize, width: usize) {
        Block.alltoallv(team, (dst, src), (dst_splits, src_splits), room, width);
    }
}

/// What every round uses. A member sends less than `most` rows of `width` elements to each. The source has room for
/// `most` rows, and the dest for as many less one, of each member; the splits for four numbers of each.
#[derive(Clone, Copy)]
struct Rows<T> {
    team: DeviceTeam,
    dst: DevPtr<T>,
    src: DevPtr<T>,
    splits: DevPtr<u64>,
    most: usize,
    width: usize,
    first: u64,
    rounds: u64,
}

impl<T: Exact> Rows<T> {
    /// How many rows a member sends to another one: often none.
    #[inline(always)]
    fn rows(&self, round: u64, from: u32, to: u32) -> usize {
        let drawn = mix(round, u64::from(from) << 20 | u64::from(to)) as usize;
        match drawn & 7 {
            0 | 1 => 0,
            2 => self.most - 1,
            _ => (drawn >> 8) % self.most,
        }
    }

    /// Where the rows for a member start in the source: there is a gap behind each block, and in every other round the
    /// blocks are in reverse order.
    #[inline(always)]
    fn start(&self, round: u64, to: u32) -> usize {
        let place = if round.is_multiple_of(2) { to } else { self.team.n_pes - 1 - to };
        place as usize * self.most
    }

    /// Element `i` of what a member sends to another one.
    #[inline(always)]
    fn element(&self, round: u64, from: u32, to: u32, i: usize) -> T {
        T::exact(mix(round, u64::from(from) << 50 | u64::from(to) << 40 | i as u64))
    }

    /// Fills source and splits.
    #[inline(always)]
    unsafe fn fill<G: Group>(&self, group: G, round: u64) {
        let (me, members) = (self.team.my_pe, self.team.n_pes);
        let mut j = 0;
        while j < members {
            let (rows, start) = (self.rows(round, me, j), self.start(round, j));
            // SAFETY: the splits have four words for each member, and the source has room for these rows.
            unsafe {
                if group.lane() == j as usize % group.lanes() {
                    let split = self.splits.add(2 * members as usize + j as usize);
                    split.write(rows as u64);
                    split.add(members as usize).write(start as u64);
                }
                let mut i = group.lane();
                while i < rows * self.width {
                    self.src.add(start * self.width + i).write(self.element(round, me, j, i));
                    i += group.lanes();
                }
            }
            j += 1;
        }
    }

    /// How many numbers of rows and elements this lane finds wrong.
    #[inline(always)]
    unsafe fn wrong<G: Group>(&self, group: G, round: u64) -> u64 {
        let (me, members) = (self.team.my_pe, self.team.n_pes);
        let (mut wrong, mut start, mut j) = (0, 0, 0);
        while j < members {
            let rows = self.rows(round, j, me);
            // SAFETY: the splits have four words for each member, and the dest has room for these rows.
            unsafe {
                let split = self.splits.add(j as usize);
                wrong += u64::from(split.read() != rows as u64);
                wrong += u64::from(split.add(members as usize).read() != start as u64);
                let mut i = group.lane();
                while i < rows * self.width {
                    let found = self.dst.add(start * self.width + i).read();
                    wrong += u64::from(found != self.element(round, j, me, i));
                    i += group.lanes();
                }
            }
            start += rows;
            j += 1;
        }
        wrong
    }
}

/// Runs the rounds and adds up what all lanes find wrong.
///
/// # Safety
/// The memory has the sizes that [`Rows`] says; all members call it with the same arguments.
#[inline(always)]
unsafe fn count<T: Exact, C: Collective>(crew: C, rows: Rows<T>, wrong: DevPtr<u64>) {
    let members = rows.team.n_pes as usize;
    let splits = (rows.splits, rows.splits.add(2 * members));
    let (mut found, mut round) = (0, rows.first);
    while round < rows.first + rows.rounds {
        // SAFETY: the caller guarantees the sizes.
        unsafe {
            rows.fill(crew, round);
            crew.alltoallv(rows.team, (rows.dst, rows.src), splits, (rows.most - 1) * members, rows.width);
            found += rows.wrong(crew, round);
        }
        round += 1;
    }
    if found > 0 {
        // SAFETY: `wrong` is a symmetric word.
        unsafe { atomic_add(wrong, found, my_pe()) };
    }
}
