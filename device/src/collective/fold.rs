use super::number::Combiner;
use super::words::{load, store};
use super::{Crew, each_member, of_member, share};
use crate::{DevPtr, DeviceTeam, arch};
use cushmem_abi::Folding;

/// What a long collective does with an element.
struct Fold<O> {
    team: DeviceTeam,
    dst: DevPtr<u8>,
    src: DevPtr<u8>,
    combiner: O,
    folding: u32,
}

impl<O: Combiner> Fold<O> {
    /// Goes through the members, with words of all.
    #[inline(always)]
    fn through<const K: usize>(&self, load: impl Fn(DevPtr<u8>) -> [u64; K], store: impl Fn(DevPtr<u8>, &[u64; K])) {
        let Self { team, dst, src, combiner, folding } = *self;
        let mut all = [0; K];
        let mut j = 0;
        while j < team.n_pes {
            let theirs = load(of_member(team, src, j));
            if folding == Folding::Exscan as u32 {
                store(of_member(team, dst, j), &all);
            }
            if j == 0 {
                all = theirs;
            } else {
                combiner.combine(&mut all, theirs);
            }
            if folding == Folding::Inscan as u32 {
                store(of_member(team, dst, j), &all);
            }
            j += 1;
        }
        if folding == Folding::Scatter as u32 {
            store(dst, &all);
        } else if folding == Folding::Reduce as u32 {
            each_member(team, |j| store(of_member(team, dst, j), &all));
        }
    }

    /// Vectors `i`, `i + stride`, …, where `U` of them are in flight together.
    ///
    /// # Safety
    /// All vectors are valid on all members.
    #[inline(always)]
    unsafe fn vectors<const U: usize, const K: usize>(&self, i: usize, stride: usize) {
        let at = |of: DevPtr<u8>, k: usize, stride: usize| of.add((i + k * stride) * 16).cast::<[u64; 2]>().raw();
        self.through::<K>(
            |from| {
                let stride = arch::opaque(stride);
                let mut words = [0; K];
                let mut k = 0;
                while k < U {
                    // SAFETY: the caller guarantees that the vector is valid; it starts at a multiple of 16.
                    let [a, b] = unsafe { arch::ld_stream_v2_u64(at(from, k, stride)) };
                    (words[2 * k], words[2 * k + 1]) = (a, b);
                    k += 1;
                }
                words
            },
            |to, words| {
                let stride = arch::opaque(stride);
                let mut k = 0;
                while k < U {
                    // SAFETY: the caller guarantees that the vector is valid; it starts at a multiple of 16.
                    unsafe { arch::st_stream_v2_u64(at(to, k, stride), [words[2 * k], words[2 * k + 1]]) };
                    k += 1;
                }
            },
        );
    }
}

/// Combines elements of `width` bytes of all members, in `bytes` bytes; `folding` is the number of a [`Folding`].
///
/// # Safety
/// Source and dest of all members are valid and aligned for the elements, and nobody else accesses them. `combiner` is
/// for elements of this width. All lanes of the crews of all members call it with the same arguments.
#[inline(always)]
pub unsafe fn fold<C: Crew, O: Combiner>(
    crew: C,
    team: DeviceTeam,
    (dst, src): (DevPtr<u8>, DevPtr<u8>),
    (bytes, width): (usize, usize),
    combiner: O,
    folding: u32,
) {
    let scatters = folding == Folding::Scatter as u32;
    let src = if scatters { src.add(team.my_pe as usize * bytes) } else { src };
    crew.meet(team);
    let fold = Fold { team, dst, src, combiner, folding };
    let (lane, lanes) = (crew.first(), crew.stride());
    // In a scatter nobody else works on this member's block.
    let share = |count| if scatters { (0, count) } else { share(count, team.my_pe, team.n_pes) };
    let vectors = if (dst.address() | src.address()).is_multiple_of(16) { bytes / 16 } else { 0 };
    // SAFETY: the caller guarantees that source and dest of all members are valid; the vectors and elements are parts
    // of them.
    unsafe {
        // The elements behind the vectors come first, so that the vectors need no registers for what is left.
        let rest = vectors * 16 / width;
        let (first, end) = share(bytes / width - rest);
        let mut i = first + lane;
        while i < end {
            let at = (rest + i) * width;
            fold.through::<1>(|from| [load(from.add(at), width)], |to, [word]| store(to.add(at), width, *word));
            i += lanes;
        }
        let (first, end) = share(vectors);
        let mut i = first + lane;
        // The compiler would otherwise compute multiples of the number before the loops, and keep them in registers.
        let lanes = || arch::opaque(lanes);
        while C::VECTORS == 8 && i + 7 * lanes() < end {
            fold.vectors::<8, 16>(i, lanes());
            i += 8 * lanes();
        }
        while C::VECTORS >= 4 && i + 3 * lanes() < end {
            fold.vectors::<4, 8>(i, lanes());
            i += 4 * lanes();
        }
        while C::VECTORS == 3 && i + 2 * lanes() < end {
            fold.vectors::<3, 6>(i, lanes());
            i += 3 * lanes();
        }
        if i + lanes() < end {
            fold.vectors::<2, 4>(i, lanes());
            i += 2 * lanes();
        }
        if i < end {
            fold.vectors::<1, 2>(i, lanes());
        }
    }
    crew.meet(team);
}
