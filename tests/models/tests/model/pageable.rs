//! The pieces of a copy of pageable memory, through a ring of two slots: a caller, which also plays the engine, and
//! threads that help.
//!
//! The code is the library's own, compiled with loom's words. Slots and pageable memory are cells, and loom reports an
//! error if one is accessed without order: for example, if a slot is filled while the engine still reads it, or if the
//! program's memory is read before a helper's bytes have arrived. The engine finishes a piece in a later round than the
//! one in which it got it.

#[allow(dead_code)]
#[path = "../../../../runtime/src/transport/pageable/pieces.rs"]
mod pieces;

use crate::all_of;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::AtomicUsize;
use loom::thread;
use pieces::{Pieces, Taken};
use std::sync::atomic::Ordering::Relaxed;

const SLOTS: usize = 2;

/// What a test tries.
#[derive(Clone, Copy)]
struct Trial {
    to_gpu: bool,
    pieces: usize,
    helpers: usize,
    /// How often the caller polls, and a helper.
    looks: [usize; 2],
    preemptions: usize,
}

struct Copy {
    pieces: Pieces,
    slots: [UnsafeCell<usize>; SLOTS],
    /// Indexed by piece.
    host: Vec<UnsafeCell<usize>>,
}

fn datum(piece: usize) -> usize {
    100 + piece
}

impl Copy {
    fn new(trial: Trial) -> Self {
        let host = |piece| UnsafeCell::new(if trial.to_gpu { datum(piece) } else { 0 });
        let slots = std::array::from_fn(|_| UnsafeCell::new(0));
        let copy = Self { pieces: Pieces::new(), slots, host: (0..trial.pieces).map(host).collect() };
        copy.pieces.begin(trial.pieces);
        copy
    }

    fn move_piece(&self, piece: usize, to_gpu: bool) {
        let (slot, host) = (&self.slots[piece % SLOTS], &self.host[piece]);
        let (from, to) = if to_gpu { (host, slot) } else { (slot, host) };
        // SAFETY: only the model uses the cell, and loom watches it.
        let value = from.with(|from| unsafe { *from });
        assert_eq!(value, datum(piece), "the bytes of another piece");
        // SAFETY: a cell of the model; loom reports any conflicting use.
        to.with_mut(|to| unsafe { *to = value });
        self.pieces.moved(piece);
    }

    fn help(&self, trial: Trial) {
        for _ in 0..trial.looks[1] {
            match self.pieces.take() {
                Taken::Piece(piece) => self.move_piece(piece, trial.to_gpu),
                Taken::NotYet => thread::yield_now(),
                Taken::End => return,
            }
        }
    }

    /// The engine finishes a piece.
    fn pass(&self, piece: usize, to_gpu: bool) {
        let slot = &self.slots[piece % SLOTS];
        if to_gpu {
            // SAFETY: only the model uses the cell, and loom watches it.
            slot.with(|slot| assert_eq!(unsafe { *slot }, datum(piece), "what goes to the GPU"));
        } else {
            // SAFETY: a cell of the model; loom reports any conflicting use.
            slot.with_mut(|slot| unsafe { *slot = datum(piece) });
        }
    }

    /// The caller. Returns whether everything was copied.
    fn run(&self, trial: Trial) -> bool {
        let Trial { to_gpu, pieces, .. } = trial;
        let (mut moved, mut posted, mut through, mut allowed) = (0, 0, 0, 0);
        for _ in 0..trial.looks[0] {
            while moved < pieces && self.pieces.is_moved(moved) {
                moved += 1;
            }
            (through..posted).for_each(|piece| self.pass(piece, to_gpu));
            through = posted;
            posted = if to_gpu { moved } else { pieces.min(moved + SLOTS) };
            if (if to_gpu { through } else { moved }) == pieces {
                self.pieces.end();
                return true;
            }
            let ready = if to_gpu { through + SLOTS } else { through };
            if ready > allowed {
                allowed = ready;
                self.pieces.allow(ready);
            }
            match self.pieces.take() {
                Taken::Piece(piece) => self.move_piece(piece, to_gpu),
                Taken::NotYet | Taken::End => thread::yield_now(),
            }
        }
        self.pieces.end();
        false
    }
}

fn explore(trial: Trial) {
    all_of(trial.preemptions, move |count| {
        let copy = Arc::new(Copy::new(trial));
        let helpers: Vec<_> = (0..trial.helpers)
            .map(|_| {
                let copy = copy.clone();
                thread::spawn(move || copy.help(trial))
            })
            .collect();
        if copy.run(trial) {
            count.fetch_add(1, Relaxed);
            for (piece, host) in copy.host.iter().enumerate() {
                // SAFETY: nothing writes it any more; otherwise loom reports an error.
                host.with(|host| assert_eq!(unsafe { *host }, datum(piece), "pageable memory"));
            }
        }
        helpers.into_iter().for_each(|helper| helper.join().unwrap());
    });
}

#[test]
fn to_the_gpu_with_a_helper() {
    explore(Trial { to_gpu: true, pieces: 4, helpers: 1, looks: [9, 5], preemptions: 3 });
}

#[test]
fn from_the_gpu_with_a_helper() {
    explore(Trial { to_gpu: false, pieces: 4, helpers: 1, looks: [9, 5], preemptions: 3 });
}

#[test]
fn with_two_helpers() {
    explore(Trial { to_gpu: true, pieces: 3, helpers: 2, looks: [8, 3], preemptions: 2 });
    explore(Trial { to_gpu: false, pieces: 3, helpers: 2, looks: [8, 3], preemptions: 2 });
}
