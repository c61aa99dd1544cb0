//! Which pieces of a copy may be moved between slots and pageable memory, and who takes which.
//!
//! Piece `i` has slot `i mod SLOTS`.
//!
//! * *Who writes*: the caller alone writes `limit`, and `next` at the start and at the end. In between, whoever takes a
//!   piece advances `next`, by a compare and swap below `limit`, and afterwards writes `moved[slot]`.
//! * *Order*: the caller raises `limit` past a piece, with release, when the piece's slot is free or has its bytes;
//!   whoever takes the piece has acquired `limit`. That thread stores the piece's number plus one into `moved` with
//!   release, and the caller acquires it before it gives the slot to the engine or to another piece. So only one side
//!   at a time has a slot.
//! * *No slot is taken twice*, because `limit` is at most `SLOTS` beyond the pieces that are complete.

// These come from the module that includes this one: the model checker's has loom's atomics and few slots.
use super::{AtomicUsize, SLOTS};
use std::sync::atomic::Ordering;

pub(super) struct Pieces {
    next: AtomicUsize,
    limit: AtomicUsize,
    count: AtomicUsize,
    moved: [AtomicUsize; SLOTS],
}

/// The outcome of an attempt to take a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    Piece(usize),
    /// No piece may be moved at present.
    NotYet,
    /// All pieces are taken.
    End,
}

impl Pieces {
    pub(super) fn new() -> Self {
        let zero = || AtomicUsize::new(0);
        Self { next: zero(), limit: zero(), count: zero(), moved: std::array::from_fn(|_| zero()) }
    }

    /// Starts a copy of `count` pieces. No helper is inside.
    pub(super) fn begin(&self, count: usize) {
        // Relaxed: helpers learn of the copy through a lock, after this.
        self.moved.iter().for_each(|slot| slot.store(0, Ordering::Relaxed));
        self.next.store(0, Ordering::Relaxed);
        self.limit.store(0, Ordering::Relaxed);
        self.count.store(count, Ordering::Relaxed);
    }

    /// Allows pieces below `limit` to be moved.
    pub(super) fn allow(&self, limit: usize) {
        // SYNC(pieces) release: pairs with the acquire in `take`; orders what the engine did with the slots of these
        // pieces.
        self.limit.store(limit, Ordering::Release);
    }

    /// Takes the next piece.
    pub(super) fn take(&self) -> Taken {
        // Relaxed: only a number, which the exchange checks.
        let mut next = self.next.load(Ordering::Relaxed);
        loop {
            // Relaxed: written before the helpers entered.
            if next >= self.count.load(Ordering::Relaxed) {
                return Taken::End;
            }
            // SYNC(pieces) acquire: pairs with the release in `allow`.
            if next >= self.limit.load(Ordering::Acquire) {
                return Taken::NotYet;
            }
            // Relaxed: `limit` orders the memory of the piece.
            match self.next.compare_exchange_weak(next, next + 1, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(piece) => return Taken::Piece(piece),
                Err(now) => next = now,
            }
        }
    }

    /// Notes that this piece was moved.
    pub(super) fn moved(&self, piece: usize) {
        // SYNC(pieces-moved) release: pairs with the acquire in `is_moved`; orders the moved bytes.
        self.moved[piece % SLOTS].store(piece + 1, Ordering::Release);
    }

    pub(super) fn is_moved(&self, piece: usize) -> bool {
        // SYNC(pieces-moved) acquire: pairs with the release in `moved`.
        self.moved[piece % SLOTS].load(Ordering::Acquire) == piece + 1
    }

    /// Lets no more pieces be taken.
    pub(super) fn end(&self) {
        // Relaxed: threads that took a piece before this are waited for by other means.
        self.next.store(usize::MAX, Ordering::Relaxed);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;

    /// Catches a piece that two threads take, one that nobody takes, and one that is taken too early.
    #[test]
    fn each_piece_is_taken_once_and_in_time() {
        const COUNT: usize = 5 * SLOTS + 3;
        let (pieces, allowed) = (Pieces::new(), AtomicUsize::new(0));
        for _ in 0..3 {
            pieces.begin(COUNT);
            allowed.store(0, Ordering::SeqCst);
            let times: Vec<_> = (0..COUNT).map(|_| AtomicU32::new(0)).collect();
            std::thread::scope(|scope| {
                for _ in 0..3 {
                    scope.spawn(|| {
                        loop {
                            match pieces.take() {
                                Taken::Piece(piece) => {
                                    assert!(piece < allowed.load(Ordering::SeqCst));
                                    times[piece].fetch_add(1, Ordering::SeqCst);
                                    pieces.moved(piece);
                                }
                                Taken::NotYet => std::thread::yield_now(),
                                Taken::End => return,
                            }
                        }
                    });
                }
                let mut done = 0;
                while done < COUNT {
                    allowed.store(done + SLOTS, Ordering::SeqCst);
                    pieces.allow(done + SLOTS);
                    match pieces.is_moved(done) {
                        true => done += 1,
                        false => std::thread::yield_now(),
                    }
                }
            });
            assert!(times.iter().all(|times| times.load(Ordering::SeqCst) == 1));
        }
    }

    /// Catches a helper that continues after the end, when the memory belongs to the program again.
    #[test]
    fn nothing_is_taken_after_the_end() {
        let pieces = Pieces::new();
        pieces.begin(2);
        assert_eq!(pieces.take(), Taken::NotYet);
        pieces.allow(SLOTS);
        assert_eq!((pieces.take(), pieces.is_moved(0)), (Taken::Piece(0), false));
        pieces.moved(0);
        assert!(pieces.is_moved(0) && !pieces.is_moved(SLOTS));
        pieces.end();
        assert_eq!(pieces.take(), Taken::End);
    }
}
