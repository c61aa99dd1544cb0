//! Deputies: threads that carry out what a team's streams cannot do by kernels, as PEs do not reach each other's
//! buffers, or kernels do not know the team.
//!
//! ```text
//!   pinned words by slot of the team   asked: number of the collective  ◀── the stream, when it has come so far  ──▶ the deputy
//!                                      done:  number of the collective  ◀── the deputy, when it is complete      ──▶ the stream, which is held until then
//!   and three more for graphs          what:  which collective          ◀── a kernel of the graph ──▶ the deputy
//!                                      asked: one more than it was      ◀── the same              ──▶ the deputy
//!                                      done:  as asked                  ◀── the deputy            ──▶ the kernel, which waits for it
//! ```
//!
//! *Order.* The members of a team enqueue its collectives in the same order, on one stream at a time, and each PE
//! numbers them as it enqueues them. The deputy carries them out by their numbers, each when its stream has come to it;
//! so all members' deputies carry out the same ones, one after the other. Both words only grow: a slot counts on when
//! it has another team.
//!
//! *A stream that is captured* records a kernel instead, whose arguments are the same at each replay: it says which
//! collective it is, and counts by itself. What was recorded is kept until the job ends. At a time one stream of a PE
//! is in a collective of the team, so one kernel uses these words, and the deputy finds `what` as the kernel that asked
//! has stored it before.
//!
//! *Nobody waits in a circle.* Streams of different PEs may come to collectives of two teams in different orders. So
//! each team has a deputy of its own, which waits for its own streams, and, in a collective, for the deputies of the
//! same team and for what moves data, which waits for no deputy. Suppose that some deputies wait for ever. Of a team
//! whose members are all in the same collective none does. So in each of these teams some member's stream has not come
//! to the collective in which the others are, and is held before it by a collective of another team, and so on in a
//! circle: the streams would stand still by themselves, with kernels too.
//!
//! *The CPU may be in a collective of the same team*, so deputies have words of their own for each team
//! ([`Team::of_streams`](crate::Team)). *The driver.* A thread of the program may wait, with the driver's locks held,
//! for the stream that is held. So a deputy copies in the context of the GPU that the program does not use, by a lane
//! that was made before the stream was held, and launches nothing. *Who dies.* When the GPU fails its streams ask for
//! nothing any more, and what was handed over is forgotten with the job. A panic ends the process.

use super::Transfers;
use super::context::Context;
use super::idle::Idle;
use super::on_stream::Queue;
use crate::error::{ArgumentError, Cause, Error, Result};
use crate::sync::guard;
use crate::sync::locked;
use crate::sync::pinned::PinnedWords;
use cushmem_device::DevPtr;
use cushmem_gpu::{Grid, Stream};
use cushmem_kernels as kernels;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::{Builder, JoinHandle};

/// A collective, but for the thread that carries it out.
pub(crate) type Work = Arc<dyn Fn(&Transfers, &Context) + Send + Sync>;

/// All of a PE.
#[derive(Default)]
pub(super) struct Deputies {
    words: OnceLock<Arc<PinnedWords>>,
    /// By slot of the team, as far as they were needed.
    all: Mutex<Vec<Option<Deputy>>>,
}

struct Deputy {
    mail: Arc<Mail>,
    thread: JoinHandle<()>,
}

/// What a thread shares with those that enqueue.
struct Mail {
    words: Arc<PinnedWords>,
    slot: usize,
    waiting: Mutex<Waiting>,
    stop: AtomicBool,
}

#[derive(Default)]
struct Waiting {
    /// The number of the last one.
    last: u64,
    enqueued: VecDeque<(u64, Work)>,
    /// Those of graphs, by which each is.
    recorded: Vec<Work>,
}

/// What the deputy finds when it looks.
enum Found {
    /// A stream has come to this one; where it waits for which number.
    Asked(Work, usize, u64),
    /// Some are enqueued, or were recorded.
    Later {
        enqueued: bool,
    },
    Nothing,
}

/// The words of a team.
const ASKED: usize = 0;
const DONE: usize = 1;
const GRAPHS: usize = 2;
const WORDS: usize = 5;

impl Mail {
    /// Where a word of the team is.
    fn at(&self, word: usize) -> usize {
        WORDS * self.slot + word
    }

    /// Has the stream ask for it, and wait for its end.
    fn hand_over(&self, stream: &dyn Stream, work: Work, wake: impl FnOnce()) -> cushmem_gpu::Result<()> {
        let number = {
            let mut waiting = locked(&self.waiting);
            waiting.last += 1;
            let number = waiting.last;
            waiting.enqueued.push_back((number, work));
            number
        };
        wake();
        // The lock is free: the driver may wait here, for room in the stream or for another thread's call, until the
        // deputy has gone on. SAFETY: a word of the library's own pinned memory, which lives until no stream runs any
        // more, and only used as an atomic.
        if let Err(error) = unsafe { stream.write_word(self.words.address(self.at(ASKED)), number) } {
            locked(&self.waiting).enqueued.retain(|(of, _)| *of != number);
            return Err(error);
        }
        // SAFETY: another such word.
        unsafe { stream.wait_word(self.words.address(self.at(DONE)), number) }
    }

    /// Keeps it for a kernel that asks for it at each replay; which one it is.
    fn record(&self, work: Work) -> u64 {
        let mut waiting = locked(&self.waiting);
        waiting.recorded.push(work);
        waiting.recorded.len() as u64 - 1
    }

    /// The next one, if a stream has come to it.
    fn look(&self) -> Found {
        // SYNC(stream-asks) acquire: pairs with the stream's write, and with the kernel's; what the stream did before
        // comes first.
        let load = |word| self.words.word(self.at(word)).load(Ordering::Acquire);
        let mut waiting = locked(&self.waiting);
        let asked = load(ASKED);
        if let Some((number, work)) = waiting.enqueued.pop_front_if(|(number, _)| *number <= asked) {
            return Found::Asked(work, DONE, number);
        }
        let (asked, done) = (load(GRAPHS + 1), load(GRAPHS + 2));
        if asked > done {
            return Found::Asked(waiting.recorded[load(GRAPHS) as usize].clone(), GRAPHS + 2, asked);
        }
        let enqueued = !waiting.enqueued.is_empty();
        if enqueued || !waiting.recorded.is_empty() { Found::Later { enqueued } } else { Found::Nothing }
    }

    fn run(&self, transfers: &Transfers, context: &Context) {
        let mut idle = Idle::new(transfers.job.is_oversubscribed());
        // Relaxed: nothing else is learnt from it.
        while !self.stop.load(Ordering::Relaxed) {
            match self.look() {
                Found::Asked(work, done, number) => {
                    work(transfers, context);
                    // SYNC(stream-asks) release: what the collective did comes first; the stream, and what is enqueued
                    // behind, come later.
                    self.words.word(self.at(done)).store(number, Ordering::Release);
                    idle = Idle::new(idle.shares);
                }
                Found::Later { enqueued } => drop(idle.pause(enqueued)),
                Found::Nothing => {
                    // Whoever hands over something wakes it.
                    std::thread::park();
                    idle = Idle::new(idle.shares);
                }
            }
        }
    }
}

impl Transfers {
    /// Leaves a collective of the team with this slot to its deputy, when the stream has come to it.
    pub(crate) fn hand_to_deputy(
        self: &Arc<Self>,
        operation: &'static str,
        queue: &Queue<'_>,
        slot: usize,
        work: Work,
    ) -> std::result::Result<(), ArgumentError> {
        let failed = |error| self.device_error(operation, error);
        let (mail, thread) = self.deputy(operation, slot)?;
        if queue.stream.is_captured().map_err(failed)? {
            let what = mail.record(work);
            thread.unpark();
            let words = DevPtr::from_address(mail.words.address(mail.at(GRAPHS)));
            // SAFETY: the three words of this team's graphs, which live until no stream runs any more.
            return unsafe { self.launch(queue, kernels::stream_deputy, Grid::linear(1, 1), (words, what)) };
        }
        // The stream is held until other PEs have come, as by a kernel that waits for them, so it counts as one.
        let hand_over = || mail.hand_over(queue.stream, work, || thread.unpark());
        let handed = match queue.launches {
            Some(launches) => launches.add(operation, hand_over),
            None => hand_over(),
        };
        Ok(handed.map_err(failed)?)
    }

    fn deputy(self: &Arc<Self>, operation: &'static str, slot: usize) -> Result<(Arc<Mail>, std::thread::Thread)> {
        let mut all = locked(&self.deputies.all);
        if all.len() <= slot {
            all.resize_with(slot + 1, || None);
        }
        if all[slot].is_none() {
            all[slot] = Some(self.appoint(operation, slot)?);
        }
        let Some(Deputy { mail, thread }) = &all[slot] else { unreachable!("it was appointed above, if not before") };
        Ok((mail.clone(), thread.thread().clone()))
    }

    fn appoint(self: &Arc<Self>, operation: &'static str, slot: usize) -> Result<Deputy> {
        if self.deputies.words.get().is_none() {
            let words = PinnedWords::create(self.memory.own_gpu(operation)?, WORDS * crate::Team::MOST)?;
            let _ = self.deputies.words.set(Arc::new(words));
        }
        let words = self.deputies.words.get().expect("they were made above, if not before").clone();
        let mail = Arc::new(Mail { words, slot, waiting: Mutex::default(), stop: AtomicBool::new(false) });
        let context = self.context_apart()?;
        self.let_copy(&context, operation)?;
        let (transfers, own) = (self.clone(), mail.clone());
        let thread = Builder::new().name("cushmem-deputy".to_owned());
        let thread = cushmem_thread::start(thread, move || {
            // Without it streams, and with them other PEs, would wait for ever.
            guard::or_abort(|| own.run(&transfers, &context));
        });
        let thread = thread.map_err(|error| Error::new("start a thread", Cause::System(error.to_string())))?;
        Ok(Deputy { mail, thread })
    }

    /// Tells the threads to end, and returns whether all have. No stream of this PE asks any more. If one has failed,
    /// `waits` is not set, as a deputy may be in a collective to which the others do not come.
    pub(super) fn stop_deputies(&self, waits: bool) -> bool {
        let mut have_ended = true;
        for Deputy { mail, thread } in locked(&self.deputies.all).drain(..).flatten() {
            // Relaxed: nothing else is learnt from it.
            mail.stop.store(true, Ordering::Relaxed);
            thread.thread().unpark();
            have_ended &= waits;
            if waits {
                let _ = thread.join();
            }
        }
        have_ended
    }
}
