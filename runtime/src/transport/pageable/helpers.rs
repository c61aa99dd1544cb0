//! Threads that move pieces beside the caller. They start with the first copy that is long enough, sleep between copies, and end with the job.
//!
//! *Nobody touches the program's memory after the call*: a helper comes in with the lock held, while the copy is open, and the caller closes it and
//! waits until all are out again.

use super::pieces::{Pieces, SLOTS, Taken};
use crate::transport::mapped;
use nix::sys::signal::SigSet;
use std::ptr::{with_exposed_provenance, with_exposed_provenance_mut};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// Bytes of a piece, and of a slot.
pub(super) const PIECE: usize = 64 << 10;

/// What is copied: `host` is pageable memory, `ring` the first slot.
#[derive(Clone, Copy)]
pub(super) struct Task {
    pub(super) host: usize,
    pub(super) ring: usize,
    pub(super) bytes: usize,
    pub(super) to_gpu: bool,
}

impl Task {
    pub(super) fn pieces(&self) -> usize {
        self.bytes.div_ceil(PIECE)
    }

    /// Moves a piece between its slot and pageable memory.
    ///
    /// # Safety
    /// The piece was taken, both ends are valid, and the slot is nobody else's.
    pub(super) unsafe fn move_piece(&self, piece: usize) {
        let start = piece * PIECE;
        let slot = self.ring + start % (SLOTS * PIECE);
        let (to, from) = if self.to_gpu { (slot, self.host + start) } else { (self.host + start, slot) };
        let bytes = PIECE.min(self.bytes - start);
        // SAFETY: the caller vouches for both ends.
        unsafe { mapped::copy(with_exposed_provenance_mut(to), with_exposed_provenance(from), bytes) };
    }
}

#[derive(Default)]
struct State {
    /// The copy, and how many helpers it still takes.
    open: Option<(Task, usize)>,
    inside: usize,
    ended: bool,
}

pub(super) struct Shared {
    pub(super) pieces: Pieces,
    state: Mutex<State>,
    opened: Condvar,
    left: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A helper's life.
    fn help(&self) {
        let mut state = self.lock();
        while !state.ended {
            let Some((task, places)) = state.open.as_mut().filter(|(_, places)| *places > 0) else {
                state = self.opened.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            *places -= 1;
            let task = *task;
            state.inside += 1;
            drop(state);
            self.move_all(&task);
            state = self.lock();
            state.inside -= 1;
            if state.inside == 0 {
                self.left.notify_all();
            }
        }
    }

    fn move_all(&self, task: &Task) {
        let mut idle = 0u32;
        loop {
            match self.pieces.take() {
                Taken::Piece(piece) => {
                    // SAFETY: the caller of the copy keeps its memory valid until all helpers are out, and the slot belongs to the piece.
                    unsafe { task.move_piece(piece) };
                    self.pieces.moved(piece);
                    idle = 0;
                }
                Taken::NotYet => {
                    idle += 1;
                    if idle.is_multiple_of(LOOKS) {
                        std::thread::yield_now();
                    }
                    std::hint::spin_loop();
                }
                Taken::End => return,
            }
        }
    }
}

/// Looks for a piece between two yields.
const LOOKS: u32 = 256;

/// The threads.
pub(super) struct Helpers {
    pub(super) shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
    most: usize,
}

impl Helpers {
    /// Starts none yet.
    pub(super) fn new(most: usize) -> Self {
        let (opened, left) = (Condvar::new(), Condvar::new());
        let shared = Arc::new(Shared { pieces: Pieces::new(), state: Mutex::default(), opened, left });
        Self { shared, threads: vec![], most }
    }

    /// Lets up to `wanted` threads help with a copy, until the result is dropped. Where no thread can be started, there are fewer.
    pub(super) fn open(&mut self, task: &Task, wanted: usize) -> Open {
        self.shared.pieces.begin(task.pieces());
        let wanted = wanted.min(self.most);
        while self.threads.len() < wanted {
            let shared = self.shared.clone();
            let started = std::thread::Builder::new().name("cushmem-copy".to_owned()).spawn(move || {
                // Signals belong to the program's own threads. If this fails, a handler may run on this one.
                let _ = SigSet::all().thread_block();
                // Without it the caller would wait for ever.
                crate::sync::guard::or_abort(|| shared.help());
            });
            match started {
                Ok(thread) => self.threads.push(thread),
                Err(_) => break,
            }
        }
        if wanted > 0 {
            self.shared.lock().open = Some((*task, wanted));
            (0..wanted).for_each(|_| self.shared.opened.notify_one());
        }
        Open(self.shared.clone())
    }
}

impl Drop for Helpers {
    fn drop(&mut self) {
        // A forked child has no threads to wait for.
        if !cushmem_bootstrap::joined_here() {
            return;
        }
        self.shared.lock().ended = true;
        self.shared.opened.notify_all();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// A copy that takes helpers. When it is dropped, none touches its memory any more.
pub(super) struct Open(Arc<Shared>);

impl Open {
    pub(super) fn pieces(&self) -> &Pieces {
        &self.0.pieces
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.pieces.end();
        let mut state = self.0.lock();
        state.open = None;
        while state.inside > 0 {
            state = self.0.left.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
