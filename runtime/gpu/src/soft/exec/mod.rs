//! Runs kernels: every lane is a coroutine, a few blocks are resident at once, and one thread of the operating system
//! runs them all in turn.
//!
//! [`lane`] switches between lanes, [`barrier`] and [`warp`] decide for whom a lane waits, [`block`] schedules the
//! lanes of a block, [`stack`] owns their stacks, and [`shared`] the shared memory of a block. The lanes' events stay
//! inside a block, and blocks interact through memory only. So a block whose lanes all wait for an event can never go
//! on, and is reported as a deadlock.

mod barrier;
mod block;
mod idle;
mod lane;
mod shared;
mod stack;
mod warp;

pub(super) use idle::prepare_thread;
pub(super) use lane::install_panic_hook;
pub(super) use stack::area as stack_area;

use super::arguments::Arguments;
use super::module::SoftFunction;
use crate::{Grid, LaunchKind};
use block::{Block, Shape, Visit};
use cushmem_abi::lane::{Dim3, Lane};
use idle::Idle;
use stack::{Pool, Stack};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How many blocks of a plain grid are resident: enough that a polling block does not stop the others, few enough that
/// their stacks stay in the cache.
const PLAIN_BLOCKS: u64 = 16;
const PLAIN_LANES: u64 = 2048;

/// Whether an address lies on a lane's stack or in a block's shared memory.
pub(super) fn is_of_lanes(address: u64) -> bool {
    stack::area().contains(&address) || shared::contains(address)
}

pub(super) struct Launch {
    pub kernel: SoftFunction,
    pub grid: Grid,
    pub kind: LaunchKind,
    pub arguments: Arguments,
}

/// Why a block cannot go on.
pub(super) enum Failure {
    /// A lane called `trap`.
    Trap { thread: u32 },
    /// Lanes wait for each other in a way that cannot end, or broke a rule of barriers or warp operations.
    Stuck(String),
}

/// Runs a kernel to its end on this thread. The error says why it ended early.
///
/// # Safety
/// The arguments match the kernel's parameters and satisfy its contract until this returns.
pub(super) unsafe fn run(launch: &Launch) -> Result<(), String> {
    let threads = launch.grid.threads_per_block();
    let resident = match launch.kind {
        LaunchKind::Cooperative => launch.grid.block_count(),
        LaunchKind::Plain => launch.grid.block_count().min(PLAIN_BLOCKS).min((PLAIN_LANES / threads).max(1)),
    };
    let stacks = take_stacks(resident as usize, threads as usize, launch.kind)
        .map_err(|e| format!("kernel {} could not start: {e}", launch.kernel.kernel.name))?;
    let mut run = Run::new(launch, stacks);
    // A panic of a lane arrives here. Whatever it leaves behind is only dropped.
    let outcome = catch_unwind(AssertUnwindSafe(|| run.finish()));
    lane::leave();
    let name = launch.kernel.kernel.name;
    let block = run.visited;
    match outcome {
        Ok(Ok(())) => Ok(()),
        Ok(Err(Failure::Trap { thread })) => Err(format!("a kernel trapped (block {block}, thread {thread}): {name}")),
        Ok(Err(Failure::Stuck(cause))) => Err(format!("a kernel cannot continue (block {block}): {name}: {cause}")),
        Err(payload) => {
            let thread = run.blocks.iter().find(|b| b.number() == block).map_or(0, Block::running);
            Err(format!("a kernel panicked (block {block}, thread {thread}): {name}: {}", lane::panic_text(&*payload)))
        }
    }
}

/// Takes stacks for up to `blocks` blocks. A plain grid makes do with fewer, but needs those of at least one block.
fn take_stacks(blocks: usize, threads: usize, kind: LaunchKind) -> Result<Vec<Vec<Stack>>, String> {
    let pool = Pool::get()?;
    if kind == LaunchKind::Cooperative {
        let mut all = pool.take(blocks * threads)?;
        return Ok((0..blocks).map(|_| all.split_off(all.len() - threads)).collect());
    }
    let mut stacks = vec![pool.take(threads)?];
    // If there is no room or no memory for another block, go on with the stacks taken so far.
    while stacks.len() < blocks
        && let Ok(Some(more)) = pool.try_take(threads)
    {
        stacks.push(more);
    }
    Ok(stacks)
}

struct Run<'a> {
    launch: &'a Launch,
    blocks: Vec<Block>,
    next_block: u64,
    /// The number of the block whose lanes run.
    visited: u64,
}

impl<'a> Run<'a> {
    fn new(launch: &'a Launch, stacks: Vec<Vec<Stack>>) -> Self {
        let shape = Shape {
            entry: launch.kernel.kernel.entry,
            arguments: launch.arguments.as_ptr(),
            template: lane::template(
                launch.kernel.kernel.name,
                launch.grid.blocks,
                launch.grid.threads,
                launch.grid.shared_bytes,
                launch.kernel.context,
            ),
        };
        let mut run = Self { launch, blocks: Vec::with_capacity(stacks.len()), next_block: 0, visited: 0 };
        for stacks in stacks {
            run.blocks.push(Block::new(shape, stacks));
            run.start_next(run.blocks.len() - 1);
        }
        run
    }

    fn start_next(&mut self, i: usize) {
        self.blocks[i].start(self.next_block, position(self.next_block, self.launch.grid.blocks));
        self.next_block += 1;
    }

    fn finish(&mut self) -> Result<(), Failure> {
        let block_count = self.launch.grid.block_count();
        let mut idle = Idle::default();
        while !self.blocks.is_empty() {
            let mut round = Visit::default();
            let mut i = 0;
            while i < self.blocks.len() {
                self.visited = self.blocks[i].number();
                let visit = self.blocks[i].visit()?;
                round.add(&visit);
                if self.blocks[i].is_finished() {
                    if self.next_block == block_count {
                        self.blocks.swap_remove(i);
                        continue;
                    }
                    self.start_next(i);
                }
                i += 1;
            }
            idle.after_round(&round);
        }
        Ok(())
    }
}

/// Returns the position of the block with this number; x varies fastest.
fn position(number: u64, [x, y, _]: Dim3) -> Dim3 {
    let (x, y) = (u64::from(x), u64::from(y));
    [(number % x) as u32, (number / x % y) as u32, (number / x / y) as u32]
}

/// Returns the position of the lane with this number in its block; x varies fastest.
fn place(lane: &Lane, number: u32) -> Dim3 {
    position(number.into(), lane.block_dim)
}
