//! Threads that move pieces alongside the caller. They start with the first copy that is long enough, and end with the
//! job.
//!
//! *Nobody touches the program's memory after the call*: a helper enters with the lock held, while the copy is open.
//! The caller closes the copy and waits until all helpers have left, which takes at most as long as one piece.
//!
//! *Between copies* helpers poll for the next one for a while, because a program that copies once is likely to copy
//! again. Waking them takes a tenth of a millisecond, in which the engine could copy 5 MiB. Then they sleep. Where PEs
//! share cores, they sleep at once.

use super::SLOTS;
use super::pieces::{Pieces, Taken};
use crate::sync::locked;
use crate::transport::{mapped, streaming};
use nix::sched::{CpuSet, sched_setaffinity};
use nix::unistd::Pid;
use std::ptr::{with_exposed_provenance, with_exposed_provenance_mut};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

/// The most bytes of a piece, and the size of a slot.
pub(super) const PIECE: usize = 64 << 10;
/// The piece size of a short copy, chosen so that the first half of the copy travels while the second is moved.
const SHORT_PIECE: usize = 32 << 10;
const SHORT: usize = 128 << 10;

/// The copy: `host` is pageable memory, `ring` the address of the first slot.
#[derive(Clone, Copy)]
pub(super) struct Task {
    pub(super) host: usize,
    pub(super) ring: usize,
    pub(super) bytes: usize,
    pub(super) to_gpu: bool,
}

impl Task {
    /// Bytes of its pieces.
    pub(super) fn piece(&self) -> usize {
        if self.bytes <= SHORT { SHORT_PIECE } else { PIECE }
    }

    pub(super) fn pieces(&self) -> usize {
        self.bytes.div_ceil(self.piece())
    }

    /// Moves a piece between its slot and pageable memory.
    ///
    /// # Safety
    /// The piece was taken, both ends are valid, and nobody else uses the slot.
    pub(super) unsafe fn move_piece(&self, piece: usize) {
        let start = piece * self.piece();
        let slot = self.ring + start % (SLOTS * self.piece());
        let (host, bytes) = (self.host + start, self.piece().min(self.bytes - start));
        // SAFETY: the caller guarantees that both ends are valid.
        unsafe {
            if self.to_gpu {
                streaming::copy(with_exposed_provenance_mut(slot), with_exposed_provenance(host), bytes);
            } else {
                mapped::copy(with_exposed_provenance_mut(host), with_exposed_provenance(slot), bytes);
            }
        }
    }
}

#[derive(Default)]
struct State {
    /// The copy, and how many more helpers may join it.
    open: Option<(Task, usize)>,
    ended: bool,
}

pub(super) struct Shared {
    pub(super) pieces: Pieces,
    state: Mutex<State>,
    opened: Condvar,
    /// The number of copies that were opened. Written with the lock held.
    opens: AtomicU64,
    /// Helpers that have entered and not left yet. It grows only with the lock held.
    inside: AtomicUsize,
    /// How long helpers poll for the next copy.
    awake: Duration,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        locked(&self.state)
    }

    /// The loop of a helper.
    fn help(&self) {
        let mut state = self.lock();
        while !state.ended {
            let Some((task, places)) = state.open.as_mut().filter(|(_, places)| *places > 0) else {
                state = self.opened.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            *places -= 1;
            let task = *task;
            // Relaxed: the lock orders it.
            self.inside.fetch_add(1, Ordering::Relaxed);
            let seen = self.opens.load(Ordering::Relaxed);
            drop(state);
            self.move_all(&task);
            // SYNC(helpers-out) release: pairs with the acquire in `Open::drop`; orders what this helper moved.
            self.inside.fetch_sub(1, Ordering::Release);
            self.look_for_the_next(seen);
            state = self.lock();
        }
    }

    /// Returns when another copy was opened, or after a while.
    fn look_for_the_next(&self, seen: u64) {
        let start = Instant::now();
        // Relaxed: a hint; the copy itself is read with the lock held.
        while self.opens.load(Ordering::Relaxed) == seen && start.elapsed() < self.awake {
            (0..LOOKS).for_each(|_| std::hint::spin_loop());
            std::thread::yield_now();
        }
    }

    fn move_all(&self, task: &Task) {
        let mut idle = 0u32;
        loop {
            match self.pieces.take() {
                Taken::Piece(piece) => {
                    // SAFETY: the caller of the copy keeps its memory valid until all helpers have left, and the slot
                    // belongs to the piece.
                    unsafe { task.move_piece(piece) };
                    self.pieces.moved(piece);
                    idle = 0;
                }
                Taken::NotYet => {
                    idle = idle.saturating_add(1);
                    match idle {
                        // The engine is busy with copies of others, and the program may need the core.
                        PATIENCE.. => std::thread::sleep(NAP),
                        _ if idle.is_multiple_of(LOOKS) => std::thread::yield_now(),
                        _ => std::hint::spin_loop(),
                    }
                }
                Taken::End => return,
            }
        }
    }
}

/// Polls for a piece between two yields.
const LOOKS: u32 = 256;
/// Polls, taking some hundred microseconds together, before a thread naps between polls.
const PATIENCE: u32 = 64 * LOOKS;
const NAP: Duration = Duration::from_micros(50);

/// The threads.
pub(super) struct Helpers {
    pub(super) shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
    most: usize,
    cores: Option<CpuSet>,
}

impl Helpers {
    /// Starts no thread yet.
    pub(super) fn new(most: usize, cores: Option<CpuSet>, awake: Duration) -> Self {
        let (opens, inside) = (AtomicU64::new(0), AtomicUsize::new(0));
        let (pieces, state, opened) = (Pieces::new(), Mutex::default(), Condvar::new());
        let shared = Arc::new(Shared { pieces, state, opened, opens, inside, awake });
        Self { shared, threads: vec![], most, cores }
    }

    /// Lets up to `wanted` threads help with a copy until the result is dropped. If threads cannot be started, fewer
    /// help.
    pub(super) fn open(&mut self, task: &Task, wanted: usize) -> Open {
        self.shared.pieces.begin(task.pieces());
        let wanted = wanted.min(self.most);
        while self.threads.len() < wanted {
            let (shared, cores) = (self.shared.clone(), self.cores);
            let thread = Builder::new().name("cushmem-copy".to_owned());
            let started = cushmem_thread::start(thread, move || {
                // The copying thread may be bound to one core, which all threads would then share. If this fails, they
                // do share it.
                let _ = cores.map(|cores| sched_setaffinity(Pid::from_raw(0), &cores));
                // Without helpers the caller would wait for ever.
                crate::sync::guard::or_abort(|| shared.help());
            });
            match started {
                Ok(thread) => self.threads.push(thread),
                Err(_) => break,
            }
        }
        if wanted > 0 {
            let mut state = self.shared.lock();
            state.open = Some((*task, wanted));
            // Relaxed: as for the load.
            self.shared.opens.fetch_add(1, Ordering::Relaxed);
            drop(state);
            // One system call for all.
            self.shared.opened.notify_all();
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

/// A copy that accepts helpers. Once it is dropped, no helper touches its memory.
pub(super) struct Open(Arc<Shared>);

impl Open {
    pub(super) fn pieces(&self) -> &Pieces {
        &self.0.pieces
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.pieces.end();
        self.0.lock().open = None;
        let mut looks = 0u32;
        // SYNC(helpers-out) acquire: pairs with the release in `help`. No helper enters any more, and those inside take
        // no other piece.
        while self.0.inside.load(Ordering::Acquire) > 0 {
            looks += 1;
            if looks.is_multiple_of(LOOKS) {
                std::thread::yield_now();
            }
            std::hint::spin_loop();
        }
    }
}
