//! Collectives on GPU memory, called by the CPU: the same random ones in a row as on host memory.

use crate::collective::{ARENA, Element, borders, row_in};
use crate::team::every_shape;
use cushmem::{Reduction, Shmem, Team};
use cushmem_conformance::{Random, conformance, expect_words, on_nodes};
use cushmem_conformance_kernels::mix;

conformance! { soft, cuda => {
    any_team_and_type: 1, 2, 3, 4;
    around_the_borders: 2, 3;
    from_one_memory_to_the_other: 1, 2, 3;
    bits_are_those_of_every_member: 2, 4;
} }

const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];
const CHECK: &[(&str, &str)] = &[("CUSHMEM_CHECK", "1")];
const SOFT: &[(&str, &str)] = &[("CUSHMEM_GPU", "soft")];

mod apart {
    use super::{APART, any_team_and_type, around_the_borders, from_one_memory_to_the_other};
    cushmem_conformance::conformance! { with APART: soft, cuda => {
        any_team_and_type: 2, 3;
        around_the_borders: 2;
        from_one_memory_to_the_other: 2;
    } }
}

mod checked {
    use super::{CHECK, any_team_and_type};
    cushmem_conformance::conformance! { with CHECK: soft, cuda => { any_team_and_type: 2; } }
}

on_nodes! { with SOFT: {
    any_team_and_type: 2 on 2, 4 on 2 by "cyclic";
    from_one_memory_to_the_other: 3 on 2;
} }

fn any_team_and_type(shmem: &Shmem) {
    let made = every_shape(shmem);
    let mut teams: Vec<Option<&Team>> = made.iter().map(|(_, team)| team.as_ref()).collect();
    teams.extend([Some(shmem.team_world()), Some(shmem.team_shared()), Some(shmem.team_world())]);
    let (mut random, calls) = (Random::shared(), if shmem.n_pes() <= 2 { 100 } else { 40 });
    row_on_gpu::<u8>(shmem, &teams, &mut random, calls);
    row_on_gpu::<i16>(shmem, &teams, &mut random, calls);
    row_on_gpu::<u32>(shmem, &teams, &mut random, calls);
    row_on_gpu::<i64>(shmem, &teams, &mut random, calls);
    row_on_gpu::<f32>(shmem, &teams, &mut random, calls);
    row_on_gpu::<f64>(shmem, &teams, &mut random, calls);
}

fn row_on_gpu<T: Element>(shmem: &Shmem, teams: &[Option<&Team>], random: &mut Random, calls: usize) {
    row_in(shmem, teams, random, calls, shmem.malloc_gpu::<T>(ARENA).expect("malloc_gpu"));
}

/// Catches a kernel that serves up to a number of bytes and is wrong for the last of them, or for the next one.
fn around_the_borders(shmem: &Shmem) {
    borders::<u8>(shmem, 1, shmem.malloc_gpu(ARENA).expect("malloc_gpu"));
    borders::<i64>(shmem, 2, shmem.malloc_gpu(ARENA).expect("malloc_gpu"));
}

/// One end in host memory, the other in GPU memory.
fn from_one_memory_to_the_other(shmem: &Shmem) {
    let (world, me, n) = (shmem.team_world(), shmem.my_pe(), shmem.n_pes());
    for len in [1usize, 3, 500, 70_000] {
        let host = shmem.malloc::<u32>(len * n as usize).expect("malloc");
        let gpu = shmem.malloc_gpu::<u32>(len * n as usize).expect("malloc_gpu");
        let number = |pe: u32, i: usize| mix(len as u64, u64::from(pe) << 32 | i as u64) as u32;
        for (dest, source) in [(gpu, host), (host, gpu)] {
            let own: Vec<u32> = (0..len * n as usize).map(|i| number(me, i)).collect();
            source.copy_from(&own).expect("write");
            shmem.sync_all().expect("sync");
            let first = dest.slice(..len);
            shmem.reduce(world, Reduction::Sum, first, source.slice(..len)).expect("reduce");
            let sum = |i| (0..n).fold(0u32, |sum, pe| sum.wrapping_add(number(pe, i)));
            expect_words(|| format!("sums of {len}"), &first.to_vec().expect("read"), sum);
            shmem.sync_all().expect("sync");
            shmem.alltoall(world, dest, source).expect("alltoall");
            let block = |i: usize| number((i / len) as u32, me as usize * len + i % len);
            expect_words(|| format!("blocks of {len}"), &dest.to_vec().expect("read"), block);
            shmem.sync_all().expect("sync");
            shmem.broadcast(world, first, source.slice(..len), n - 1).expect("broadcast");
            expect_words(|| format!("{len} of the last"), &first.to_vec().expect("read"), |i| number(n - 1, i));
            shmem.sync_all().expect("sync");
        }
        shmem.free(host).expect("free");
        shmem.free(gpu).expect("free");
    }
}

/// Sums of numbers of very different size depend on their order; all members must use the same, and that of their numbers.
fn bits_are_those_of_every_member(shmem: &Shmem) {
    let (me, n, world) = (shmem.my_pe(), shmem.n_pes(), shmem.team_world());
    for (round, len) in [1usize, 3, 255, 3000, 20_000].into_iter().enumerate() {
        let (source, dest) =
            (shmem.malloc_gpu::<f32>(len).expect("malloc_gpu"), shmem.malloc_gpu::<f32>(len).expect("malloc_gpu"));
        let nasty = |pe: u32, i: usize| {
            let bits = mix(round as u64, u64::from(pe) << 32 | i as u64);
            (bits as i32 as f32) * 10f32.powi((bits >> 40) as i32 % 12)
        };
        source.copy_from(&(0..len).map(|i| nasty(me, i)).collect::<Vec<_>>()).expect("write");
        shmem.reduce(world, Reduction::Sum, dest, source).expect("reduce");
        let serial = |i| (1..n).fold(nasty(0, i), |sum, pe| sum + nasty(pe, i));
        expect_words(|| format!("sums of {len} on PE {me}"), &dest.to_vec().expect("read"), serial);
        shmem.free(source).expect("free");
        shmem.free(dest).expect("free");
    }
}
