use super::crew::{All, Crew};
use super::words::{load, store};
use super::{each_member, of_member};
use crate::{Ctx, DevPtr, DeviceTeam, Thread, arch, bulk};

/// Copies `bytes` bytes to each member's dest, at offset `at`; those for member `j` are `j * step` bytes into the
/// source. Only `root` copies, or all members if it is the largest number.
///
/// # Safety
/// Source and dest of all members are valid, and nobody else accesses them. All lanes of the crews of all members call
/// it, with the same arguments except `at`.
#[inline(always)]
pub unsafe fn copy<C: Crew>(
    crew: C,
    team: DeviceTeam,
    (dst, src): (DevPtr<u8>, DevPtr<u8>),
    (bytes, step, at): (usize, usize, usize),
    root: u32,
) {
    crew.meet(team);
    if root != u32::MAX && root != team.my_pe {
        // This member has nothing to copy.
    } else if (dst.address() | src.address() | at as u64 | bytes as u64 | step as u64).is_multiple_of(16) {
        // SAFETY: the caller guarantees that source and dest of all members are valid.
        unsafe {
            match C::VECTORS {
                8 => spread::<C, 8>(crew, team, (dst.add(at), src), (bytes / 16, step)),
                _ => spread::<C, 4>(crew, team, (dst.add(at), src), (bytes / 16, step)),
            }
        };
    } else {
        each_member(team, |j| {
            let (to, from) = (of_member(team, dst.add(at), j), src.add(j as usize * step));
            // SAFETY: the caller guarantees that source and dest of all members are valid.
            unsafe { unaligned(crew, to, from, bytes) };
        });
    }
    crew.meet(team);
}

/// Copies bytes of any alignment. It is a call, because what the compiler computes before the loop over the members
/// would otherwise take some 40 registers.
///
/// # Safety
/// Both ranges are valid, and nobody else accesses them.
#[inline(never)]
pub(super) unsafe fn unaligned<C: Crew>(crew: C, to: DevPtr<u8>, from: DevPtr<u8>, bytes: usize) {
    // SAFETY: the caller guarantees what this requires of both ranges.
    unsafe { bulk::copy_from_here(All(crew), to, from, bytes) };
}

/// Copies vectors to each member, `U` of them in flight on each lane; those for member `j` start at `j * step` bytes.
/// If all members get the same vectors, these are loaded once. The member's own part is copied along with the others,
/// so that the links do not wait for it.
///
/// # Safety
/// All are valid, and aligned to 16 bytes.
#[inline(always)]
unsafe fn spread<C: Crew, const U: usize>(
    crew: C,
    team: DeviceTeam,
    (dst, src): (DevPtr<u8>, DevPtr<u8>),
    (vectors, step): (usize, usize),
) {
    let (mut i, lanes) = (crew.first(), crew.stride());
    while i < vectors {
        // Vectors beyond the end are skipped.
        let here = |k: usize| i + k * lanes < vectors;
        let load = |j: u32| -> [[u64; 2]; U] {
            let from = src.add(j as usize * step);
            // SAFETY: the caller guarantees what this requires of the vectors.
            let one = |k: usize| unsafe { arch::ld_stream_v2_u64(from.add(16 * (i + k * lanes)).cast().raw()) };
            core::array::from_fn(|k| if here(k) { one(k) } else { [0; 2] })
        };
        let mut all = if step == 0 { load(0) } else { [[0; 2]; U] };
        each_member(team, |j| {
            if step != 0 {
                all = load(j);
            }
            let to = of_member(team, dst, j);
            let mut k = 0;
            while k < U {
                if here(k) {
                    // SAFETY: the caller guarantees what this requires of the vectors.
                    unsafe { arch::st_stream_v2_u64(to.add(16 * (i + k * lanes)).cast().raw(), all[k]) };
                }
                k += 1;
            }
        });
        i += U * lanes;
    }
}

/// Copies `elements` elements of `size` bytes to each member, with gaps between the elements.
///
/// # Safety
/// As for [`copy`]; the strides are in elements, and at least 1.
#[inline(always)]
pub unsafe fn strided<C: Crew>(
    crew: C,
    team: DeviceTeam,
    (dst, src): (DevPtr<u8>, DevPtr<u8>),
    (elements, size): (usize, usize),
    (dst_stride, src_stride): (usize, usize),
) {
    crew.meet(team);
    each_member(team, |j| {
        let (mut i, lanes) = (crew.first(), crew.stride());
        while i < elements {
            let to = (team.my_pe as usize * elements + i) * dst_stride * size;
            let from = (j as usize * elements + i) * src_stride * size;
            // SAFETY: the caller guarantees that source and dest of all members are valid; this is an element of them.
            unsafe { Ctx::DEFAULT.put_nbi_plain(Thread, dst.add(to), src.add(from), size, team.pe(j)) };
            i += lanes;
        }
    });
    crew.meet(team);
}

/// Copies like [`strided`], elements that are aligned words of 1, 2, 4 or 8 bytes.
///
/// # Safety
/// As for [`strided`].
#[inline(always)]
pub unsafe fn strided_words<C: Crew>(
    crew: C,
    team: DeviceTeam,
    (dst, src): (DevPtr<u8>, DevPtr<u8>),
    (elements, size): (usize, usize),
    (dst_stride, src_stride): (usize, usize),
) {
    crew.meet(team);
    each_member(team, |j| {
        let to = of_member(team, dst.add(team.my_pe as usize * elements * dst_stride * size), j);
        let from = src.add(j as usize * elements * src_stride * size);
        let (mut i, lanes) = (crew.first(), crew.stride());
        while i < elements {
            // SAFETY: the caller guarantees that source and dest of all members are valid; this is an element of them.
            unsafe { store(to.add(i * dst_stride * size), size, load(from.add(i * src_stride * size), size)) };
            i += lanes;
        }
    });
    crew.meet(team);
}
