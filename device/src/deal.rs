//! Pieces of work, dealt to blocks in order. The protocol is in `cushmem_protocol::deal`.

use crate::{Block, DevPtr, Scope, arch};
use cushmem_protocol::deal::Rounds;

/// Deals pieces of work, such as tiles, to the blocks of a kernel in order, round after round. Blocks with fixed shares
/// drift apart and load data that other blocks used long before; blocks that are dealt their work stay close together.
/// A kernel has only one `Deal`.
///
/// ```
/// use cushmem_device::{Block, Deal, DevPtr, Scope, grid_sync, kernels};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// Launched cooperatively. Adds 1 to each of `n` numbers in each of `rounds` rounds. `dealt` is 0.
///     pub unsafe fn count(numbers: DevPtr<u32>, n: u64, rounds: u32, dealt: DevPtr<u64>, meetings: DevPtr<u32>) {
///         let mut deal = Deal::begin(dealt);
///         let mut round = 0;
///         while round < rounds {
///             while let Some(i) = deal.next(n) {
///                 if Block.lane() == 0 {
///                     let number = numbers.add(i as usize);
///                     number.write(number.read() + 1);
///                 }
///             }
///             grid_sync(meetings);
///             round += 1;
///         }
///     }
/// }
/// ```
#[derive(Debug)]
pub struct Deal {
    counter: DevPtr<u64>,
    rounds: Rounds,
    /// The number that the block has drawn; only the first lane's is used.
    ahead: u64,
    /// Alternates between 0 and 1.
    turn: u32,
}

impl Deal {
    /// Starts dealing. All lanes of each block call it, and then [`Deal::next`] in each round until the round is over,
    /// unless all blocks stop before the same round.
    ///
    /// # Safety
    /// `counter` is a valid, aligned word in this GPU's memory that was 0 before the kernel and that nobody else uses.
    /// A block calls this function once.
    #[inline(always)]
    pub unsafe fn begin(counter: DevPtr<u64>) -> Self {
        let mut deal = Self { counter, rounds: Rounds::new(), ahead: 0, turn: 0 };
        deal.draw();
        deal
    }

    /// Returns the block's next piece of this round, a number below `count`, or `None` if the round is over for the
    /// block. `count` is the same in all blocks. All lanes of the block call it and get the same result, and everything
    /// they did before is ordered before what they do after. Blocks do not wait for each other.
    #[inline(always)]
    pub fn next(&mut self, count: u64) -> Option<u64> {
        let (number, _) = arch::syncthreads_from_first(arch::DEAL_WORD + self.turn, self.ahead, false);
        self.turn ^= 1;
        let piece = self.rounds.piece(number, count);
        if piece.is_some() {
            // Draw now, so that the number has arrived when the piece is done.
            self.draw();
        }
        piece
    }

    #[inline(always)]
    fn draw(&mut self) {
        if Block.lane() == 0 {
            // SAFETY: the caller of `begin` guarantees that the word is valid. Relaxed: it orders nothing.
            self.ahead = unsafe { arch::atom_add_relaxed_gpu_u64(self.counter.raw(), 1) };
        }
    }
}
