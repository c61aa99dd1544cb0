//! Collectives in direct succession, each of which the lanes check.

use crate::mix::mix;
use cushmem_device::collective::Group;
use cushmem_device::{
    Block, Cmp, Collective, DevPtr, DeviceTeam, F16, Grid, Number, Operation, Sum, Thread, Warp, Wide, Xor, atomic_add,
    block_idx_x, fence, kernels_of_module, my_pe, p, team, wait_until_for,
};

kernels_of_module! {
    /// One lane: collectives of random kinds and lengths; counts wrong elements. See [`Rounds`].
    pub unsafe fn collectives_thread(team: DeviceTeam, dst: DevPtr<u64>, src: DevPtr<u64>, most: usize, first: u64, rounds: u64, wrong: DevPtr<u64>) {
        count(Thread, Rounds { team, dst, src, most, first, rounds }, wrong);
    }

    /// Like `collectives_thread`, by a warp.
    pub unsafe fn collectives_warp(team: DeviceTeam, dst: DevPtr<f32>, src: DevPtr<f32>, most: usize, first: u64, rounds: u64, wrong: DevPtr<u64>) {
        count(Warp, Rounds { team, dst, src, most, first, rounds }, wrong);
    }

    /// Like `collectives_thread`, by a block.
    pub unsafe fn collectives_block(team: DeviceTeam, dst: DevPtr<u64>, src: DevPtr<u64>, most: usize, first: u64, rounds: u64, wrong: DevPtr<u64>) {
        count(Block, Rounds { team, dst, src, most, first, rounds }, wrong);
    }

    /// Like `collectives_thread`, by a block with many vectors in flight.
    pub unsafe fn collectives_wide(team: DeviceTeam, dst: DevPtr<u64>, src: DevPtr<u64>, most: usize, first: u64, rounds: u64, wrong: DevPtr<u64>) {
        count(Wide(Block), Rounds { team, dst, src, most, first, rounds }, wrong);
    }

    /// Like `collectives_thread`, by a block, of bytes.
    pub unsafe fn collectives_block_u8(team: DeviceTeam, dst: DevPtr<u8>, src: DevPtr<u8>, most: usize, first: u64, rounds: u64, wrong: DevPtr<u64>) {
        count(Block, Rounds { team, dst, src, most, first, rounds }, wrong);
    }

    /// Like `collectives_thread`, by a block, of 16-bit numbers.
    pub unsafe fn collectives_block_f16(team: DeviceTeam, dst: DevPtr<F16>, src: DevPtr<F16>, most: usize, first: u64, rounds: u64, wrong: DevPtr<u64>) {
        count(Block, Rounds { team, dst, src, most, first, rounds }, wrong);
    }

    /// Like `collectives_thread`, by all blocks.
    pub unsafe fn collectives_grid(team: DeviceTeam, dst: DevPtr<f32>, src: DevPtr<f32>, most: usize, first: u64, rounds: u64, counter: DevPtr<u32>, wrong: DevPtr<u64>) {
        count(Grid::new(counter), Rounds { team, dst, src, most, first, rounds }, wrong);
    }

    /// Blocks that run at the same time, each with a team of its own: like `collectives_block`, with a source and a
    /// dest for each block, behind those of the block before.
    pub unsafe fn collectives_of_blocks(slots: DevPtr<u32>, dst: DevPtr<u64>, src: DevPtr<u64>, most: usize, first: u64, rounds: u64, wrong: DevPtr<u64>) {
        let block = block_idx_x() as usize;
        let team = team(slots.add(block).read());
        let room = block * 2 * most * team.n_pes as usize;
        count(Block, Rounds { team, dst: dst.add(room), src: src.add(room), most, first: first + 1000 * block as u64, rounds }, wrong);
    }

    /// One block: like `collectives_block`, in each round by a team that the round draws. A slot of `!0` is a team in
    /// which this PE is no member.
    pub unsafe fn collectives_of_teams(slots: DevPtr<u32>, teams: u64, dst: DevPtr<u64>, src: DevPtr<u64>, most: usize, first: u64, rounds: u64, wrong: DevPtr<u64>) {
        let mut round = first;
        while round < first + rounds {
            let slot = slots.add((mix(round, 11) % teams) as usize).read();
            if slot != !0 {
                count(Block, Rounds { team: team(slot), dst, src, most, first: round, rounds: 1 }, wrong);
            }
            round += 1;
        }
    }

    /// Two blocks: they reduce words in place in turn. Lane 5 of a block hands over to the other block when it returns.
    pub unsafe fn reduce_in_turn(team: DeviceTeam, words: DevPtr<u64>, n: usize, rounds: u64, turn: DevPtr<u64>, limit_ns: u64) {
        let mut round = u64::from(block_idx_x());
        while round < rounds {
            if Block.lane() == 0 {
                wait_until_for(turn, Cmp::Ge, round, limit_ns);
            }
            Block.sync();
            Block.reduce(team, Xor, words, words, n);
            if Block.lane() == 5 {
                fence();
                p(turn, round + 1, my_pe());
            }
            round += 2;
        }
    }

    /// One block: reduces words in place, round after round, without looking at them.
    pub unsafe fn reduce_in_place(team: DeviceTeam, words: DevPtr<u64>, n: usize, rounds: u64) {
        in_place(Block, team, words, n, rounds);
    }
}

/// Numbers whose sums over a few members are exact.
pub(crate) trait Exact: Number + Default {
    fn exact(bits: u64) -> Self;
}

macro_rules! exact { ($($t:ty: |$bits:ident| $of:expr;)*) => {$(
    impl Exact for $t {
        #[inline(always)]
        fn exact($bits: u64) -> Self {
            $of
        }
    }
)*} }
exact! {
    u8: |bits| bits as u8;
    u64: |bits| bits;
    f32: |bits| (bits % 1000) as f32;
    F16: |bits| F16::from_f32((bits % 100) as f32);
}

/// What every round uses. Source and dest have room for `2 * most` elements of each member.
#[derive(Clone, Copy)]
pub(crate) struct Rounds<T> {
    pub(crate) team: DeviceTeam,
    pub(crate) dst: DevPtr<T>,
    pub(crate) src: DevPtr<T>,
    pub(crate) most: usize,
    pub(crate) first: u64,
    pub(crate) rounds: u64,
}

impl<T: Exact> Rounds<T> {
    /// Element `i` of the source of a member.
    #[inline(always)]
    fn element(&self, round: u64, member: u32, i: usize) -> T {
        T::exact(mix(round, (member as u64) << 40 | i as u64))
    }

    /// The sum of element `i` over the members from the first one up to this one.
    #[inline(always)]
    fn sum(&self, round: u64, members: u32, i: usize) -> T
    where
        Sum: Operation<T>,
    {
        let (mut sum, mut member) = (T::default(), 0);
        while member < members {
            sum = <Sum as Operation<T>>::apply(sum, self.element(round, member, i));
            member += 1;
        }
        sum
    }

    /// Fills `n` elements of the source.
    #[inline(always)]
    unsafe fn fill<G: Group>(&self, group: G, round: u64, n: usize) {
        let mut i = group.lane();
        while i < n {
            // SAFETY: the source has more elements.
            unsafe { self.src.add(i).write(self.element(round, self.team.my_pe, i)) };
            i += group.lanes();
        }
    }

    /// How many of `n` elements of the dest, `stride` apart, this lane finds wrong.
    #[inline(always)]
    unsafe fn wrong<G: Group>(&self, group: G, n: usize, stride: usize, expected: impl Fn(usize) -> T) -> u64 {
        let (mut wrong, mut i) = (0, group.lane());
        while i < n {
            // SAFETY: the dest has more elements.
            wrong += u64::from(unsafe { self.dst.add(i * stride).read() } != expected(i));
            i += group.lanes();
        }
        wrong
    }

    /// Returns how many wrong elements this lane has found.
    ///
    /// # Safety
    /// Source and dest have the sizes that [`Rounds`] says; all members call it with the same arguments.
    #[inline(always)]
    pub(crate) unsafe fn run<C: Collective>(self, crew: C) -> u64
    where
        Sum: Operation<T>,
    {
        let Self { team, dst, src, most, .. } = self;
        let (me, members) = (team.my_pe, team.n_pes);
        let (mut wrong, mut round) = (0, self.first);
        while round < self.first + self.rounds {
            let drawn = mix(round, 7) as usize;
            // Mostly short ones.
            let n = 1 + (if !drawn.is_multiple_of(4) { drawn >> 8 & 15 } else { (drawn >> 8) % most });
            let root = (drawn >> 40) as u32 % members;
            // SAFETY: the caller guarantees the sizes.
            unsafe {
                self.fill(crew, round, n * members as usize);
                match drawn >> 50 & 7 {
                    0 => {
                        crew.broadcast(team, dst, src, n, root);
                        wrong += self.wrong(crew, n, 1, |i| self.element(round, root, i));
                    }
                    1 => {
                        crew.fcollect(team, dst, src, n);
                        let of = |i| self.element(round, (i / n) as u32, i % n);
                        wrong += self.wrong(crew, n * members as usize, 1, of);
                    }
                    2 => {
                        crew.alltoall(team, dst, src, n);
                        let of = |i| self.element(round, (i / n) as u32, me as usize * n + i % n);
                        wrong += self.wrong(crew, n * members as usize, 1, of);
                    }
                    3 => {
                        let half = n.div_ceil(2);
                        crew.alltoalls(team, dst, src, 2, 1, half);
                        let of = |i| self.element(round, (i / half) as u32, me as usize * half + i % half);
                        wrong += self.wrong(crew, half * members as usize, 2, of);
                    }
                    4 => {
                        crew.reducescatter(team, Sum, dst, src, n);
                        wrong += self.wrong(crew, n, 1, |i| self.sum(round, members, me as usize * n + i));
                    }
                    5 => {
                        crew.sum_inscan(team, dst, src, n);
                        wrong += self.wrong(crew, n, 1, |i| self.sum(round, me + 1, i));
                    }
                    6 => {
                        crew.sum_exscan(team, dst, src, n);
                        wrong += self.wrong(crew, n, 1, |i| self.sum(round, me, i));
                    }
                    _ => {
                        crew.reduce(team, Sum, dst, src, n);
                        wrong += self.wrong(crew, n, 1, |i| self.sum(round, members, i));
                    }
                }
            }
            round += 1;
        }
        wrong
    }
}

/// Reduces `n` words in place, in all rounds, without looking at them.
///
/// # Safety
/// `words` are valid on all members, which call it with the same arguments.
#[inline(always)]
pub(crate) unsafe fn in_place<C: Collective>(crew: C, team: DeviceTeam, words: DevPtr<u64>, n: usize, rounds: u64) {
    let mut round = 0;
    while round < rounds {
        // SAFETY: the caller guarantees that the words are valid.
        unsafe { crew.reduce(team, Xor, words, words, n) };
        round += 1;
    }
}

/// Runs the rounds and adds up what all lanes find wrong.
///
/// # Safety
/// As for [`Rounds::run`].
#[inline(always)]
unsafe fn count<T: Exact, C: Collective>(crew: C, rounds: Rounds<T>, wrong: DevPtr<u64>)
where
    Sum: Operation<T>,
{
    // SAFETY: the caller guarantees what the rounds need; `wrong` is a symmetric word.
    unsafe {
        let found = rounds.run(crew);
        if found > 0 {
            atomic_add(wrong, found, my_pe());
        }
    }
}
