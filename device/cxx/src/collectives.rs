//! Teams and collectives. A team comes as the words of [`DeviceTeam::to_words`], and the scope as [`any::Any`]. The
//! header has the meetings of a collective before and after its body.

use crate::{Looked, at};
use core::marker::PhantomData;
use cushmem_abi::{CollectiveCommand, CollectiveKind, Combine, DeviceTeam, Rows};
use cushmem_device::any::{self, Apart};
use cushmem_device::collective::{self, And, Combiner, Crew, Max, Min, Or, Prod, Sum, Unequal, Xor, each_word, word};
use cushmem_device::{Bf16, F16, Scope, Wide, team_translate_pe};

#[inline(always)]
fn of(pes: u64, numbers: u64, slot: u64) -> DeviceTeam {
    DeviceTeam::of_words([pes, numbers, slot])
}

#[inline(always)]
fn apart(scope: u32) -> Apart {
    Apart(any::Any::of_bits(scope))
}

/// Like [`Apart`], with more bytes in flight.
#[derive(Clone, Copy)]
struct WideApart(any::Any);

impl Crew for WideApart {
    const IS_KERNEL: bool = false;
    const VECTORS: usize = <Wide<any::Any> as Crew>::VECTORS;
    const UNROLL: usize = <Wide<any::Any> as Crew>::UNROLL;
    type Group = Wide<any::Any>;
    #[inline(always)]
    fn group(self) -> Self::Group {
        Wide(self.0)
    }
    #[inline(always)]
    fn groups(self) -> (u32, u32) {
        (0, 1)
    }
    #[inline(always)]
    fn meet(self, _: DeviceTeam) {}
}

#[inline(always)]
fn wide_apart(scope: u32) -> WideApart {
    WideApart(any::Any::of_bits(scope))
}

exports! {
    /// The scope of this lane alone.
    fn scope_thread() -> u32 { any::thread() }
    /// The scope of this warp.
    fn scope_warp() -> u32 { any::warp() }
    /// The scope of this block.
    fn scope_block() -> u32 { any::block() }
    /// The number of this block in the grid.
    fn block_number() -> u64 { any::block_of_grid().0 }
    /// The number of blocks of the grid.
    fn block_count() -> u64 { any::block_of_grid().1 }
    /// This lane's number in a scope.
    fn lane_of(scope: u32) -> u64 { any::Any::of_bits(scope).lane() as u64 }
    /// The number of lanes of a scope.
    fn lane_count(scope: u32) -> u64 { any::Any::of_bits(scope).lanes() as u64 }
    /// Waits for all lanes of a scope.
    fn meet_scope(scope: u32) { any::Any::of_bits(scope).sync() }
    /// The first two words of the team in a slot, or the kernel ends.
    fn team_of(slot: u32) -> Looked {
        let [word, found, _] = any::team_of(slot).to_words();
        Looked { word, found }
    }
    /// Ends the kernel because a team has no such member.
    fn refuse_member(number: u32, slot: u32, n_pes: u32) { any::refuse_member(number, slot, n_pes) }
    /// Ends the kernel because the distances of a strided exchange are below one element.
    fn refuse_strides(pe: u32, dst: u64, src: u64) { any::refuse_strides(pe, dst, src) }
    /// The number of a member of a team in another team, or -1.
    fn team_translate(from_pes: u64, from_numbers: u64, from_slot: u64, pe: u32, pes: u64, numbers: u64, slot: u64) -> u32 {
        team_translate_pe(of(from_pes, from_numbers, from_slot), pe, of(pes, numbers, slot)).unwrap_or(u32::MAX)
    }
    /// The synchronisation of a team, which also is the meeting of a collective.
    fn sync_team(scope: u32, pes: u64, numbers: u64, slot: u64) {
        any::meet(any::Any::of_bits(scope), of(pes, numbers, slot))
    }
    /// The barrier of a team.
    fn barrier_team(scope: u32, pes: u64, numbers: u64, slot: u64) {
        any::Any::of_bits(scope).team_barrier(of(pes, numbers, slot))
    }
    /// The same in a job in which not all PEs are mapped.
    fn far_sync_team(scope: u32, pes: u64, numbers: u64, slot: u64) {
        any::meet(any::Any::of_bits(scope), of(pes, numbers, slot))
    }
    /// The same for the barrier.
    fn far_barrier_team(scope: u32, pes: u64, numbers: u64, slot: u64) {
        any::barrier(any::Any::of_bits(scope), of(pes, numbers, slot))
    }

    /// How a collective is carried out, see [`any::way`].
    fn collective_way(scope: u32, pes: u64, numbers: u64, slot: u64, dst: u64, src: u64, bytes: u64) -> u32 {
        any::way(any::Any::of_bits(scope), of(pes, numbers, slot), (at(dst), at(src)), bytes as usize)
    }
    /// Has the CPU carry out a collective, for jobs in which not all PEs are mapped.
    fn far_collective(scope: u32, kind: u32, code: u32, width: u32, slot: u32, root: u32, dst_stride: u32, src_stride: u32, dst: u64, src: u64, n: u64) {
        let (kind, width, strides) = (kind_of(kind), width as u16, [dst_stride, src_stride]);
        let what = CollectiveCommand { kind, code, width, slot, root, strides };
        any::by_cpu(any::Any::of_bits(scope), (at(dst), at(src)), n as usize, what)
    }
    /// Has the CPU carry out an exchange of unequal size.
    fn far_collective_rows(scope: u32, slot: u32, dst: u64, src: u64, dst_splits: u64, src_splits: u64, room: u64, row: u64) {
        let room = if room > Rows::MOST { Rows::MOST } else { room };
        let row = if row > u64::from(u32::MAX) { 0 } else { row as u32 };
        let what = CollectiveCommand::of_rows(slot, Rows { row, room, dest_splits: dst_splits });
        any::by_cpu(any::Any::of_bits(scope), (at(dst), at(src)), src_splits as usize, what)
    }
    /// A broadcast without a meeting.
    fn collective_broadcast_short(scope: u32, pes: u64, numbers: u64, slot: u64, dst: u64, src: u64, bytes: u64, root: u32) {
        collective::broadcast_short(apart(scope), of(pes, numbers, slot), (at(dst), at(src)), bytes as usize, root)
    }
    /// An exchange without a meeting.
    fn collective_copy_short(scope: u32, pes: u64, numbers: u64, slot: u64, dst: u64, src: u64, bytes: u64, step: u64) {
        collective::copy_short(apart(scope), of(pes, numbers, slot), (at(dst), at(src)), (bytes as usize, step as usize))
    }
    /// A broadcast or exchange between two meetings.
    fn collective_copy(scope: u32, pes: u64, numbers: u64, slot: u64, dst: u64, src: u64, bytes: u64, step: u64, offset: u64, root: u32) {
        let sizes = (bytes as usize, step as usize, offset as usize);
        collective::copy(apart(scope), of(pes, numbers, slot), (at(dst), at(src)), sizes, root)
    }
    /// The same with more bytes in flight.
    fn wide_collective_copy(scope: u32, pes: u64, numbers: u64, slot: u64, dst: u64, src: u64, bytes: u64, step: u64, offset: u64, root: u32) {
        let sizes = (bytes as usize, step as usize, offset as usize);
        collective::copy(wide_apart(scope), of(pes, numbers, slot), (at(dst), at(src)), sizes, root)
    }
    /// An exchange of strided elements between two meetings.
    fn collective_strided(scope: u32, pes: u64, numbers: u64, slot: u64, dst: u64, src: u64, n: u64, size: u64, dst_stride: u64, src_stride: u64) {
        let (elements, strides) = ((n as usize, size as usize), (dst_stride as usize, src_stride as usize));
        collective::strided_words(apart(scope), of(pes, numbers, slot), (at(dst), at(src)), elements, strides)
    }
    /// An exchange of unequal size before a meeting.
    fn collective_unequal(scope: u32, pes: u64, numbers: u64, slot: u64, dst: u64, src: u64, dst_splits: u64, src_splits: u64, room: u64, row: u64) {
        let (dst_splits, src_splits) = (at(dst_splits), at(src_splits));
        let what = Unequal { dst_splits, src_splits, room: room as usize, given: usize::MAX, row: row as usize };
        collective::unequal(apart(scope), of(pes, numbers, slot), (at(dst), at(src)), what)
    }
}

/// The collective with this number, which the header has from here. It is no search in a table: a body has no tables.
#[inline(always)]
fn kind_of(number: u32) -> CollectiveKind {
    macro_rules! find { ($last:ident $($kind:ident)*) => {
        match number {
            $(number if number == CollectiveKind::$kind as u32 => CollectiveKind::$kind,)*
            _ => CollectiveKind::$last,
        }
    } }
    find! { Exscan Broadcast Fcollect Alltoall Alltoalls Reduce ReduceScatter Inscan }
}

/// An operation on elements of type `T` that is known only when the kernel runs: the number of a [`Combine`].
struct Any<T>(u32, PhantomData<T>);

impl<T> Clone for Any<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Any<T> {}

// A body for each type has all operations on it: with one for each operation, the header would be three times as long.
macro_rules! reductions { ($($t:ty: $short:ident $fold:ident $wide_fold:ident [$first:ident $($op:ident)*];)*) => {
    $(impl Combiner for Any<$t> {
        #[inline(always)]
        fn combine<const K: usize>(self, all: &mut [u64; K], more: [u64; K]) {
            match self.0 {
                $(op if op == Combine::$op as u32 => each_word(all, more, word::<$t, $op>),)*
                _ => each_word(all, more, word::<$t, $first>),
            }
        }
    })*
    exports! {$(
        /// A reduction without a meeting.
        fn $short(scope: u32, pes: u64, numbers: u64, slot: u64, dst: u64, src: u64, bytes: u64, op: u32) {
            let op = Any::<$t>(op, PhantomData);
            collective::reduce_short(apart(scope), of(pes, numbers, slot), (at(dst), at(src)), bytes as usize, op)
        }
        /// A reduction or scan between two meetings.
        fn $fold(scope: u32, pes: u64, numbers: u64, slot: u64, dst: u64, src: u64, bytes: u64, width: u32, op: u32, folding: u32) {
            let (sizes, op) = ((bytes as usize, width as usize), Any::<$t>(op, PhantomData));
            collective::fold(apart(scope), of(pes, numbers, slot), (at(dst), at(src)), sizes, op, folding)
        }
        /// The same with more bytes in flight.
        fn $wide_fold(scope: u32, pes: u64, numbers: u64, slot: u64, dst: u64, src: u64, bytes: u64, width: u32, op: u32, folding: u32) {
            let (sizes, op) = ((bytes as usize, width as usize), Any::<$t>(op, PhantomData));
            collective::fold(wide_apart(scope), of(pes, numbers, slot), (at(dst), at(src)), sizes, op, folding)
        }
    )*}
} }
// Sums and products of integers are the same with or without a sign, and bitwise operations with any width.
reductions! {
    u8: reduce_short_u8 fold_u8 wide_fold_u8 [Sum Prod Min Max];
    i8: reduce_short_i8 fold_i8 wide_fold_i8 [Min Max];
    u16: reduce_short_u16 fold_u16 wide_fold_u16 [Sum Prod Min Max];
    i16: reduce_short_i16 fold_i16 wide_fold_i16 [Min Max];
    u32: reduce_short_u32 fold_u32 wide_fold_u32 [Sum Prod Min Max];
    i32: reduce_short_i32 fold_i32 wide_fold_i32 [Min Max];
    u64: reduce_short_u64 fold_u64 wide_fold_u64 [Sum Prod Min Max And Or Xor];
    i64: reduce_short_i64 fold_i64 wide_fold_i64 [Min Max];
    f32: reduce_short_f32 fold_f32 wide_fold_f32 [Sum Prod Min Max];
    f64: reduce_short_f64 fold_f64 wide_fold_f64 [Sum Prod Min Max];
    F16: reduce_short_f16 fold_f16 wide_fold_f16 [Sum Prod Min Max];
    Bf16: reduce_short_bf16 fold_bf16 wide_fold_bf16 [Sum Prod Min Max];
}
