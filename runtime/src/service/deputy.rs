//! Deputies: threads, one for each team, that carry out collectives of the team which kernels cannot, because the PEs
//! do not reach each other's buffers or because kernels do not know the team. Streams hand them over, and kernels ask
//! for them.
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
//! numbers them as it enqueues them. The deputy carries them out in the order of their numbers, each when its stream
//! has reached it. So all members' deputies carry out the same collectives, one after the other. Both words only grow:
//! when a slot gets another team, it continues to count.
//!
//! *A captured stream* records a kernel instead, whose arguments are the same at each replay: it says which collective
//! it is, and counts by itself. What was recorded is kept until the job ends. One stream of a PE at a time is in a
//! collective of the team, so one kernel at a time uses these words, and the deputy finds in `what` the value that the
//! asking kernel stored before it asked.
//!
//! *A kernel* that does not reach the memory of all members asks by a command, and waits for the reply. The proxy hands
//! the collective to the deputy and answers when it has ended ([`Ended`]). Such a collective has no number, because the
//! team is in no other collective.
//!
//! *No circular waits.* Streams of different PEs may reach collectives of two teams in different orders. So each team
//! has its own deputy. A deputy waits for its own streams and, in a collective, for the deputies of the same team and
//! for transfers, which wait for no deputy. Suppose that some deputies wait for ever. If all members of a team are in
//! the same collective, none of that team's deputies does. So in each team with waiting deputies, the stream of some
//! member has not reached the collective that the others are in. It is held before it by a collective of another such
//! team, and so on, in a circle. But then the streams would deadlock by themselves, even if kernels carried out the
//! collectives.
//!
//! * *The CPU may be in a collective of the same team*, so deputies have their own words for each team
//!   ([`OfDeputies`](crate::sync::team::OfDeputies)).
//! * *The driver.* A thread of the program may hold the driver's locks while it waits for the stream that is held, or
//!   for a kernel that has asked. So a deputy copies in the GPU context that the program does not use, on a lane that
//!   was created before, and launches nothing. A thread of the program appoints it: before it enqueues the first
//!   collective or, where kernels ask, when the team is made or the GPUs start. The proxy only looks it up.
//! * *Who dies.* When the GPU fails, its streams ask for nothing any more, and collectives that were handed over are
//!   dropped at the end of the job. A panic ends the process.

use super::Services;
use super::commands::KernelCollective;
use super::idle::Idle;
use super::on_stream::Queue;
use crate::error::{ArgumentError, Cause, Error, Result};
use crate::sync::guard;
use crate::sync::locked;
use crate::sync::pinned::PinnedWords;
use crate::transfer::Transfers;
use crate::transfer::context::Context;
use cushmem_device::DevPtr;
use cushmem_gpu::{Grid, Stream};
use cushmem_kernels as kernels;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::{Builder, JoinHandle, Thread};

/// A collective, independent of the thread that carries it out.
pub(crate) type Work = Arc<dyn Fn(&Transfers, &Context) + Send + Sync>;

/// Makes the collective of a team for which a kernel asks, or says what is wrong with it.
pub(crate) type Maker = Arc<dyn Fn(&Transfers, KernelCollective) -> std::result::Result<Work, String> + Send + Sync>;

/// All deputies of a PE.
#[derive(Default)]
pub(super) struct Deputies {
    /// Made for the first stream that hands over a collective.
    words: Arc<OnceLock<PinnedWords>>,
    /// By slot of the team, grown as needed. The proxy takes this lock while a kernel waits for it, so nobody holds it
    /// during a call of the driver.
    all: Mutex<Vec<Option<Deputy>>>,
    /// Held by the thread that makes the words or appoints a deputy.
    appointing: Mutex<()>,
}

impl Deputies {
    /// The deputy of the team with this slot, if there is one.
    fn find(&self, slot: usize) -> Option<(Arc<Mail>, Thread)> {
        let all = locked(&self.all);
        let Deputy { mail, thread } = all.get(slot)?.as_ref()?;
        Some((mail.clone(), thread.thread().clone()))
    }
}

struct Deputy {
    mail: Arc<Mail>,
    thread: JoinHandle<()>,
}

/// What a deputy shares with the threads that enqueue.
struct Mail {
    words: Arc<OnceLock<PinnedWords>>,
    slot: usize,
    waiting: Mutex<Waiting>,
    stop: AtomicBool,
}

#[derive(Default)]
struct Waiting {
    /// The number of the last collective.
    last: u64,
    enqueued: VecDeque<(u64, Work)>,
    /// Those that kernels asked for.
    asked: VecDeque<(Work, Arc<Ended>)>,
    /// The collectives of graphs, by number.
    recorded: Vec<Work>,
}

/// Whether a collective that a kernel asked for is complete.
#[derive(Default)]
pub(super) struct Ended(AtomicBool);

impl Ended {
    /// If it is, what the collective did is visible.
    pub(super) fn is_set(&self) -> bool {
        // SYNC(kernel-collective) acquire: pairs with the release in `Mail::run`.
        self.0.load(Ordering::Acquire)
    }
}

/// Who waits for a collective.
enum Waiter {
    /// A stream, until this word has this number.
    Stream(usize, u64),
    Kernel(Arc<Ended>),
}

/// What the deputy finds when it polls.
enum Found {
    /// A stream has reached this collective, or a kernel.
    Request(Work, Waiter),
    /// Some are enqueued or were recorded, but none is due.
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
    /// The index of a word of the team.
    fn at(&self, word: usize) -> usize {
        WORDS * self.slot + word
    }

    /// The words, which were made before any stream could hand over a collective.
    fn words(&self) -> &PinnedWords {
        self.words.get().expect("they were made for this stream, if not before")
    }

    /// Has the stream ask for a collective and wait for its end.
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
        // deputy has made progress.
        // SAFETY: a word of the library's own pinned memory, which lives until no stream runs any more, and is only
        // used as an atomic.
        if let Err(error) = unsafe { stream.write_word(self.words().address(self.at(ASKED)), number) } {
            locked(&self.waiting).enqueued.retain(|(of, _)| *of != number);
            return Err(error);
        }
        // SAFETY: the other word of the same memory, of which the same is true.
        unsafe { stream.wait_word(self.words().address(self.at(DONE)), number) }
    }

    /// Keeps a collective for a kernel that asks for it at each replay. Returns its number.
    fn record(&self, work: Work) -> u64 {
        let mut waiting = locked(&self.waiting);
        waiting.recorded.push(work);
        waiting.recorded.len() as u64 - 1
    }

    /// The next collective, if a stream has reached it.
    fn look(&self) -> Found {
        let mut waiting = locked(&self.waiting);
        if let Some((work, ended)) = waiting.asked.pop_front() {
            return Found::Request(work, Waiter::Kernel(ended));
        }
        if waiting.enqueued.is_empty() && waiting.recorded.is_empty() {
            return Found::Nothing;
        }
        // SYNC(stream-asks) acquire: pairs with the stream's write, and with the kernel's; orders what the stream did
        // before.
        let load = |word| self.words().word(self.at(word)).load(Ordering::Acquire);
        let asked = load(ASKED);
        if let Some((number, work)) = waiting.enqueued.pop_front_if(|(number, _)| *number <= asked) {
            return Found::Request(work, Waiter::Stream(DONE, number));
        }
        let (asked, done) = (load(GRAPHS + 1), load(GRAPHS + 2));
        if asked > done {
            let work = waiting.recorded[load(GRAPHS) as usize].clone();
            return Found::Request(work, Waiter::Stream(GRAPHS + 2, asked));
        }
        Found::Later { enqueued: !waiting.enqueued.is_empty() }
    }

    fn run(&self, services: &Services, context: &Context) {
        let transfers = &*services.transfers;
        let mut idle = Idle::new(transfers.job().is_oversubscribed());
        // Relaxed: nothing else is inferred from it.
        while !self.stop.load(Ordering::Relaxed) {
            match self.look() {
                Found::Request(work, waiter) => {
                    work(transfers, context);
                    match waiter {
                        // SYNC(stream-asks) release: orders what the collective did before the stream, and whatever is
                        // enqueued behind, continues.
                        Waiter::Stream(word, number) => {
                            self.words().word(self.at(word)).store(number, Ordering::Release);
                        }
                        // SYNC(kernel-collective) release: pairs with the acquire in `Ended::is_set`.
                        Waiter::Kernel(ended) => {
                            ended.0.store(true, Ordering::Release);
                            // It may nap, and replies to the kernel.
                            services.proxy.get().inspect(|proxy| proxy.wake());
                        }
                    }
                    idle = Idle::new(idle.shares);
                }
                Found::Later { enqueued } => drop(idle.pause(enqueued)),
                Found::Nothing => {
                    // Whoever hands over a collective wakes it.
                    std::thread::park();
                    idle = Idle::new(idle.shares);
                }
            }
        }
    }
}

impl Services {
    /// Leaves a collective of the team with this slot to the team's deputy, which carries it out when the stream has
    /// reached it.
    pub(crate) fn hand_to_deputy(
        self: &Arc<Self>,
        operation: &'static str,
        queue: &Queue<'_>,
        slot: usize,
        work: Work,
    ) -> std::result::Result<(), ArgumentError> {
        let failed = |error| self.transfers.device_error(operation, error);
        let (mail, thread) = self.deputy(operation, slot)?;
        self.make_words(operation)?;
        if queue.stream.is_captured().map_err(failed)? {
            let what = mail.record(work);
            thread.unpark();
            let words = DevPtr::from_address(mail.words().address(mail.at(GRAPHS)));
            // SAFETY: the three words of this team's graphs, which live until no stream runs any more.
            return unsafe { self.launch(queue, kernels::stream_deputy, Grid::linear(1, 1), (words, what)) };
        }
        // The stream is held until other PEs arrive, as by a kernel that waits for them, so it counts as a launch.
        let hand_over = || mail.hand_over(queue.stream, work, || thread.unpark());
        let handed = match queue.launches {
            Some(launches) => launches.add(operation, hand_over),
            None => hand_over(),
        };
        Ok(handed.map_err(failed)?)
    }

    /// Leaves a collective that a kernel asked for to the team's deputy. The error says what is wrong with it.
    pub(super) fn collective_for_kernel(&self, asked: KernelCollective) -> std::result::Result<Arc<Ended>, String> {
        let slot = asked.what.slot as usize;
        let maker = self.collectives_of_team(slot).ok_or_else(|| format!("there is no team with slot {slot}"))?;
        let work = maker(&self.transfers, asked)?;
        let deputy = self.deputies.find(slot);
        let (mail, thread) = deputy.ok_or("kernels of this job reach all PEs and ask for no collectives")?;
        let ended = Arc::<Ended>::default();
        locked(&mail.waiting).asked.push_back((work, ended.clone()));
        thread.unpark();
        Ok(ended)
    }

    /// Appoints the deputy of the team with this slot, if kernels of this job ask for collectives.
    pub(super) fn prepare_deputy(self: &Arc<Self>, operation: &'static str, slot: usize) -> Result<()> {
        if self.memory().is_far() { self.deputy(operation, slot).map(drop) } else { Ok(()) }
    }

    /// The deputy of the team with this slot. A thread of the program appoints it, because that calls the driver.
    fn deputy(self: &Arc<Self>, operation: &'static str, slot: usize) -> Result<(Arc<Mail>, Thread)> {
        if let Some(found) = self.deputies.find(slot) {
            return Ok(found);
        }
        let _one = locked(&self.deputies.appointing);
        // Another thread may have been faster.
        if let Some(found) = self.deputies.find(slot) {
            return Ok(found);
        }
        let deputy = self.appoint(operation, slot)?;
        let found = (deputy.mail.clone(), deputy.thread.thread().clone());
        let mut all = locked(&self.deputies.all);
        let places = all.len().max(slot + 1);
        all.resize_with(places, || None);
        all[slot] = Some(deputy);
        Ok(found)
    }

    /// Makes the words in which streams ask, unless there are any.
    fn make_words(&self, operation: &'static str) -> Result<()> {
        let _one = locked(&self.deputies.appointing);
        if self.deputies.words.get().is_none() {
            let words = PinnedWords::create(self.memory().own_gpu(operation)?, WORDS * self.job().teams())?;
            let _ = self.deputies.words.set(words);
        }
        Ok(())
    }

    fn appoint(self: &Arc<Self>, operation: &'static str, slot: usize) -> Result<Deputy> {
        let words = self.deputies.words.clone();
        let mail = Arc::new(Mail { words, slot, waiting: Mutex::default(), stop: AtomicBool::new(false) });
        let context = self.internal_context()?;
        self.transfers.begin_internal_lane(&context, operation)?;
        let (services, own) = (self.clone(), mail.clone());
        let thread = Builder::new().name("cushmem-deputy".to_owned());
        let thread = cushmem_thread::start(thread, move || {
            // Without it streams would wait for ever, and with them other PEs.
            guard::or_abort(|| own.run(&services, &context));
        });
        let thread = thread.map_err(|error| Error::new("start a thread", Cause::System(error.to_string())))?;
        self.transfers.sync().meetings().appoint(slot, thread.thread().id());
        Ok(Deputy { mail, thread })
    }

    /// Tells the deputies to end. No stream of this PE asks any more. Returns whether all have ended. If a stream has
    /// failed, `waits` is not set, because a deputy may be in a collective that the others do not reach.
    pub(super) fn stop_deputies(&self, waits: bool) -> bool {
        let mut have_ended = true;
        for Deputy { mail, thread } in locked(&self.deputies.all).drain(..).flatten() {
            // Relaxed: nothing else is inferred from it.
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
