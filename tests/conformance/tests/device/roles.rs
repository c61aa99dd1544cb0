//! Launches whose blocks have roles, or are dealt pieces of work.

use crate::rig::{LIMIT_NS, Rig};
use cushmem::{Grid, RolePlan, Shmem};
use cushmem_conformance::conformance;
use cushmem_conformance_kernels as kernels;
use cushmem_conformance_kernels::gates;

conformance! { soft, cuda => {
    each_role_once: 1;
    more_blocks_than_fit: 1;
    roles_that_last_need_room: 1, 2;
    each_piece_once: 1;
} }

/// Runs all plans in this grid, one after the other on the stream, each twice.
fn run(rig: &Rig<'_>, grid: Grid, plans: &[RolePlan]) {
    let launches: Vec<_> = plans.iter().flat_map(|plan| [*plan; 2]).collect();
    let memory = launches
        .iter()
        .map(|plan| (rig.symmetric(&vec![0u64; plan.roles().max(1) as usize]), rig.private(&[0u64; gates::WORDS])));
    let memory: Vec<_> = memory.collect();
    for (plan, (counts, gates)) in launches.iter().zip(&memory) {
        let args = |roles| (counts.device_ptr(), gates.device_ptr(), LIMIT_NS, roles);
        // SAFETY: the memory has the words that the kernel requires, and lives until the kernel has ended.
        unsafe { rig.stream.launch_roles(&rig.module, kernels::take_roles, grid, *plan, args) }.expect("launch");
    }
    rig.wait();
    for (plan, (counts, words)) in launches.iter().zip(&memory) {
        let lanes = grid.threads_per_block();
        let counts = counts.to_vec().expect("read");
        assert!(counts[..plan.roles() as usize].iter().all(|n| *n == lanes), "{plan:?} in {grid:?}: {counts:?}");
        let words = words.to_vec().expect("read");
        assert_eq!(words, [plan.lasting(), plan.computing, 0], "{plan:?} in {grid:?}");
    }
}

/// Catches a role that is lost or given to two blocks, lanes of a block with different roles, a counter that is not
/// ready for the next launch, and a block that does not see something whose arrival it was told of.
fn each_role_once(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let plans = [
        RolePlan { receivers: 1, senders: 1, computing: 0 },
        RolePlan { receivers: 1, senders: 1, computing: rig.times(9, 5000) },
        RolePlan { receivers: 0, senders: 3, computing: 4 },
        RolePlan { receivers: 2, senders: 0, computing: 1 },
        RolePlan { receivers: 0, senders: 0, computing: 0 },
    ];
    for grid in
        [Grid::linear(4, 1), Grid { blocks: [3, 2, 2], threads: [8, 4, 2], shared_bytes: 0 }, Grid::linear(5, 33)]
    {
        run(&rig, grid, &plans);
    }
    let most = rig.module.max_resident_blocks(kernels::take_roles, 256).expect("occupancy");
    run(&rig, Grid::linear(most, 256), &plans);
}

/// Catches a role that waits for a block that has not arrived: few blocks are resident together, and only one or two on
/// the emulated GPU.
fn more_blocks_than_fit(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let plan = [RolePlan { receivers: 0, senders: 0, computing: rig.times(20, 10_000) }];
    for (blocks, threads) in [(rig.times(40, 20_000), 32), (rig.times(6, 2000), 1024), (1, 1024)] {
        run(&rig, Grid::linear(blocks, threads), &plan);
    }
}

/// Catches a launch that would wait for ever, and a refusal that breaks the stream.
fn roles_that_last_need_room(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let most = rig.module.max_resident_blocks(kernels::take_roles, 1024).expect("occupancy");
    let (counts, gates) = (rig.symmetric(&vec![0u64; 2 * most as usize]), rig.private(&[0u64; gates::WORDS]));
    // With the block for the remaining work, there is one too many: of those that fit, or of those in the grid.
    let too_many = RolePlan { receivers: 1, senders: most - 1, computing: 1 };
    let one = RolePlan { receivers: 1, senders: 1, computing: 1 };
    for (plan, blocks, needed) in [(too_many, most + 1, most + 1), (too_many, most, most + 1), (one, 2, 3)] {
        let args = |roles| (counts.device_ptr(), gates.device_ptr(), LIMIT_NS, roles);
        let grid = Grid::linear(blocks, 1024);
        // SAFETY: the launch is refused, and the arguments are valid anyway.
        let refused = unsafe { rig.stream.launch_roles(&rig.module, kernels::take_roles, grid, plan, args) };
        let text = refused.expect_err("a launch that cannot end was accepted").to_string();
        let parts = [
            format!("{needed} blocks must be resident together"),
            format!("the grid has {blocks} of 1024 threads"),
            format!("{most} fit"),
        ];
        assert!(parts.iter().all(|part| text.contains(part)), "'{text}' lacks one of {parts:?}");
    }
    run(&rig, Grid::linear(most, 1024), &[RolePlan { receivers: 1, senders: most - 2, computing: 3 }]);
}

/// Catches a piece that is lost or dealt twice, even if a block is rounds ahead of others, and lanes of a block with
/// different pieces.
fn each_piece_once(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (most, rounds) = (rig.times(7, 3001), 8);
    let most_blocks = rig.module.max_resident_blocks(kernels::deal, 256).expect("occupancy");
    for grid in [Grid::linear(1, 1), Grid::linear(3, 33), Grid::linear(most_blocks, 256)] {
        let (counts, dealt) = (rig.symmetric(&vec![0u64; (most * rounds) as usize]), rig.private(&[0u64]));
        let args = (counts.device_ptr(), most, rounds, dealt.device_ptr());
        rig.run(kernels::deal, grid, args);
        let lanes = grid.threads_per_block();
        let counts = counts.to_vec().expect("read");
        for (round, counts) in (0..rounds).zip(counts.chunks(most as usize)) {
            let (dealt, others) = counts.split_at(kernels::pieces(most, round) as usize);
            assert!(dealt.iter().all(|n| *n == lanes), "{grid:?}, round {round}: {dealt:?}");
            assert!(others.iter().all(|n| *n == 0), "{grid:?}, round {round}: pieces that there are not");
        }
    }
}
