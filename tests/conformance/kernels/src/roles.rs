//! Roles of blocks, which wait for each other as much as the rules allow; and pieces of work that are dealt.

use cushmem_device::{
    Block, Cmp, Deal, DevPtr, Role, Roles, Scope, atomic_add, block_dim_x, block_dim_y, block_dim_z, gate_add, my_pe,
    signal_fetch, syncthreads, wait_until_for,
};

/// Words of `gates`, all 0 before the launch.
pub mod gates {
    /// Lasting roles that have started.
    pub const THERE: usize = 0;
    /// Computing roles that are finished.
    pub const DONE: usize = 1;
    /// Waits that took too long, and lanes that do not see what the block was told has arrived.
    pub const LATE: usize = 2;
    /// The number of words.
    pub const WORDS: usize = 3;
}

/// Each lane adds 1 to the word of each role that its block carries out. A lasting role waits until all lasting roles
/// have started and everything is computed. A computing role waits for all lasting roles to start, and for all
/// computing roles before it.
///
/// # Safety
/// `gates` has [`gates::WORDS`] words, `counts` one for each role, in the order of their numbers; the launch has
/// `roles`.
#[inline(always)]
pub unsafe fn run(counts: DevPtr<u64>, gates: DevPtr<u64>, limit_ns: u64, roles: Roles) {
    let plan = roles.plan();
    // SAFETY: as the caller says.
    unsafe {
        let wait = |word: usize, value: u64| {
            if wait_until_for(gates.add(word), Cmp::Ge, value, limit_ns).is_none() {
                gate_add(gates.add(gates::LATE), 1);
            }
        };
        // The computing roles for which it waits, and its number.
        let place = |role| match role {
            Role::Receive(i) => (plan.computing, if i < plan.senders { 2 * i } else { plan.senders + i }.into()),
            Role::Send(i) => (plan.computing, if i < plan.receivers { 2 * i + 1 } else { plan.receivers + i }.into()),
            Role::Compute(i) => (i, plan.lasting() + i),
        };
        let has = |word: usize, value: u64| signal_fetch(gates.add(word)) >= value;
        // A single lane knows, not the first one if there are others: the block acts on what all lanes say together.
        let lanes = block_dim_x() * block_dim_y() * block_dim_z();
        let knows = Block.lane() == usize::from(lanes > 1);
        let has_come = |role| !knows || (has(gates::THERE, plan.lasting()) && has(gates::DONE, place(role).0));
        let mut shift = roles.begin();
        while let Some((role, is_ready)) = shift.next_and(has_come) {
            let (before, number): (u64, u64) = place(role);
            let lasts = number < plan.lasting();
            if Block.lane() == 0 && lasts {
                gate_add(gates.add(gates::THERE), 1);
            }
            if is_ready {
                // The last lane, which is in another warp if there are several, sees what blocks stored before they
                // reported that they were done.
                let last = Block.lane() + 1 == lanes as usize;
                if last && before > 0 && counts.add((plan.lasting() + before - 1) as usize).read() != u64::from(lanes) {
                    gate_add(gates.add(gates::LATE), 1);
                }
            } else if Block.lane() == 0 {
                wait(gates::THERE, plan.lasting());
                wait(gates::DONE, before);
            }
            syncthreads();
            atomic_add(counts.add(number as usize), 1, my_pe());
            syncthreads();
            if !lasts && Block.lane() == 0 {
                gate_add(gates.add(gates::DONE), 1);
            }
        }
    }
}

/// The number of pieces of a round.
pub fn pieces(most: u64, round: u64) -> u64 {
    most * (round % 3) / 2
}

/// Each lane adds 1 to the word of each piece that its block is dealt, in rounds of `pieces(most, round)`. There is no
/// barrier of blocks.
///
/// # Safety
/// `counts` has `most` words for each round, `dealt` is 0.
#[inline(always)]
pub unsafe fn deal(counts: DevPtr<u64>, most: u64, rounds: u64, dealt: DevPtr<u64>) {
    // SAFETY: as the caller says.
    unsafe {
        let mut deal = Deal::begin(dealt);
        let mut round = 0;
        while round < rounds {
            while let Some(piece) = deal.next(pieces(most, round)) {
                atomic_add(counts.add((round * most + piece) as usize), 1, my_pe());
            }
            round += 1;
        }
    }
}
