//! The proxy: a thread that does what kernels of this PE cannot do themselves, along the same common path as the CPU's
//! own operations and with a context of its own. It also carries out this PE's part of copies through host memory
//! ([`crate::transport::stage`]), both for this PE and for others.
//!
//! * *Order*: commands are started in their order. Staged operations, and copies of prepared operations
//!   ([`crate::transfer::proxy_copies`]), progress by themselves while later commands are carried out; a signal that
//!   comes behind staged puts is staged with them.
//! * *When a command is complete*: the thread takes the commands that are there, up to a limit, and completes what the
//!   network carries. Then it tells each context of kernels the ticket below which all of the context's commands
//!   are complete: that of the oldest one that is staged or copied, if there is one.
//! * *No circular waits*: the thread waits only for this PE's network and for the threads of other nodes that change
//!   words, and none of these waits for a proxy. Changes of words of GPU memory are left to another thread
//!   ([`super::changer`]), which wakes the proxy.
//! * *Failures*: a command that fails or is invalid ends the job with an error message that names it. So does a panic,
//!   because nobody would answer any more.

#[expect(unsafe_code, reason = "carries out operations that kernels ask for")]
mod carry_out;
mod rounds;

use super::Services;
use super::counts::Counts;
use super::launches::Launches;
use super::prepared::{Late, Table};
use super::processor::Processor;
use super::progress::Progress;
use super::ring::CommandRing;
use crate::error::{Error, Result};
use crate::memory::StageArea;
use crate::sync::locked;
use crate::transfer::context::Context;
use crate::transfer::{Pending, Transfers, unfit};
use crate::transport::stage::{Changes, Stage, Staged};
use cushmem_bootstrap::joined_here;
use cushmem_bootstrap::waits::{Published, Wait, note};
use cushmem_path::Path;
use cushmem_record::Cause as Recorded;
use rounds::Rounds;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::{Builder, JoinHandle, Thread};

/// The thread, and what it shares with kernels.
pub(super) struct Proxy {
    shared: Arc<Shared>,
    launches: Launches,
    prepared: Arc<Table>,
    /// The context of what it issues.
    pub(super) context: Arc<Context>,
    /// Whoever carries out what kernels leave to their own GPU, if anybody does.
    processor: OnceLock<Arc<Processor>>,
    thread: Mutex<Option<JoinHandle<()>>>,
    /// To wake it.
    handle: Thread,
}

/// What the thread shares with other threads of this process.
struct Shared {
    ring: CommandRing,
    progress: Progress,
    counts: Counts,
    stop: AtomicBool,
    /// What threads of the CPU want to have staged, and whether there is any. The list has no bound of its own: each
    /// entry is an operation that the program has started and not completed, and takes less memory than the data it
    /// moves.
    inbox: Mutex<Vec<Staged>>,
    has_mail: AtomicBool,
    /// The stage, if the proxy had none when it started. This is mail too.
    late: Mutex<Option<Stage>>,
    /// PEs with which copies were under way when the proxy last slept.
    partners: Mutex<Vec<u32>>,
}

impl Proxy {
    /// Lets the proxy copy through host memory from now on.
    pub(super) fn stage_with(&self, stage: Stage) {
        *locked(&self.shared.late) = Some(stage);
        // SYNC(proxy-mail) release: as in `stage`.
        self.shared.has_mail.store(true, Ordering::Release);
        self.wake();
    }

    /// Wakes it, because something that it waits for has happened.
    pub(super) fn wake(&self) {
        self.handle.unpark();
    }

    /// Ends the thread. No kernel of this PE posts any more.
    pub(super) fn stop(&self) {
        // Relaxed: the join orders it.
        self.shared.stop.store(true, Ordering::Relaxed);
        self.handle.unpark();
        if let Some(thread) = locked(&self.thread).take() {
            let _ = thread.join();
        }
    }
}

impl Pending for Proxy {
    #[inline]
    fn finish_commands(&self, transfers: &Transfers) {
        // A forked child has no proxy, and has asked for nothing.
        let may_make_requests = self.launches.may_make_requests();
        if let Some(ticket) = self.shared.ring.pending(may_make_requests).filter(|_| joined_here()) {
            let mut late = Late::new();
            let look = || (self.shared.ring.has_completed(ticket) || late.is_lost(transfers)).then_some(());
            let what = || Wait { what: "commands of kernels".into(), late: vec![] };
            transfers.sync().wait_policy().wait_unwoken(look, (Recorded::Proxy, true), what);
        }
        if let Some(processor) = self.processor.get().filter(|_| joined_here()) {
            processor.finish(transfers);
        }
        self.prepared.finish_posts(transfers);
    }

    fn stage(&self, staged: Staged) {
        locked(&self.shared.inbox).push(staged);
        // SYNC(proxy-mail) release: pairs with the acquire in `progress`; the lock orders the mail itself.
        self.shared.has_mail.store(true, Ordering::Release);
        self.wake();
    }

    fn partners(&self) -> Vec<u32> {
        locked(&self.shared.partners).clone()
    }

    fn kernels(&self) -> String {
        self.launches.describe()
    }
}

impl Services {
    /// What the proxy has done, if there is one.
    pub(crate) fn proxy_counts(&self) -> Option<String> {
        self.proxy.get().map(|proxy| proxy.shared.counts.to_string())
    }

    /// Has the CPU's fence and quiet wait for the command processor too.
    pub(super) fn finish_with(&self, processor: Arc<Processor>) {
        let proxy = self.proxy.get().expect("kernels have a proxy");
        // Only one thread of a PE starts the GPUs.
        let _ = proxy.processor.set(processor);
    }

    /// Starts the proxy unless it is running. Returns the address of its ring, for kernels.
    pub(super) fn start_proxy(self: &Arc<Self>) -> Result<u64> {
        if self.proxy.get().is_none() {
            self.begin_proxy()?;
        }
        if self.memory().is_far() {
            // Otherwise the proxy's first copy would create the lane, in the program's GPU context.
            self.begin_proxy_lane("create the command ring")?;
        }
        Ok(self.proxy.get().expect("it was begun above").shared.ring.address())
    }

    fn begin_proxy(self: &Arc<Self>) -> Result<()> {
        let gpu = self.memory().own_gpu("create the command ring")?;
        let shared = Arc::new(Shared {
            ring: CommandRing::create(gpu)?,
            progress: Progress::new(
                self.launches.clone(),
                self.sync().control().wait_record(),
                gpu.properties().emulated,
            ),
            counts: Counts::default(),
            stop: AtomicBool::new(false),
            inbox: Mutex::default(),
            has_mail: AtomicBool::new(false),
            late: Mutex::default(),
            partners: Mutex::default(),
        });
        let changes = self.start_changer()?;
        let context = Arc::new(self.internal_context()?.make_proxy(&changes));
        let stage = self.memory().stage().map(|area| self.make_stage(area, &context, changes)).transpose()?;
        let rounds = Rounds::new(self, stage, &shared, &context);
        let thread = Builder::new().name("cushmem-proxy".to_owned());
        let thread = cushmem_thread::start(thread, move || {
            // Without it kernels would wait for ever.
            crate::sync::guard::or_abort(|| rounds.run());
        });
        let thread = thread.map_err(|error| Error::new("start a thread", crate::Cause::System(error.to_string())))?;
        let handle = thread.thread().clone();
        let (launches, prepared, thread) = (self.launches.clone(), self.prepared.clone(), Mutex::new(Some(thread)));
        let processor = OnceLock::new();
        let proxy = Arc::new(Proxy { shared, launches, prepared, context, processor, thread, handle });
        // Only one thread of a PE starts the GPUs.
        let _ = self.proxy.set(proxy.clone());
        self.transfers.set_proxy(proxy);
        Ok(())
    }

    /// Gives the proxy a lane for copies.
    pub(super) fn begin_proxy_lane(&self, operation: &'static str) -> Result<()> {
        self.proxy.get().map_or(Ok(()), |proxy| self.transfers.begin_internal_lane(&proxy.context, operation))
    }

    /// The context of the proxy, with its lane; `None` if there is no proxy.
    pub(crate) fn proxy_context(&self, operation: &'static str) -> Result<Option<&Context>> {
        self.begin_proxy_lane(operation)?;
        Ok(self.proxy.get().map(|proxy| &*proxy.context))
    }

    /// Collective. Enables staging in a job that has not needed it before, on all PEs or on none.
    pub(crate) fn enable_staging(self: &Arc<Self>) -> Result<()> {
        let operation = "prepare copies through host memory";
        let proxy = self.proxy.get().ok_or_else(|| unfit(Path::Staged))?;
        let made = self.memory().make_stage().and_then(|area| {
            let changes = self.start_changer()?;
            Ok((self.make_stage(&area, &proxy.context, changes)?, area))
        });
        self.job().agree(operation, made.as_ref().map(drop).map_err(Error::to_string))?;
        let (stage, area) = made?;
        self.memory().keep_stage(area);
        proxy.stage_with(stage);
        Ok(())
    }

    /// Creates the part that copies through host memory.
    fn make_stage(&self, area: &Arc<StageArea>, context: &Context, changes: Arc<Changes>) -> Result<Stage> {
        let transfers = &self.transfers;
        let (lanes, gpu) = transfers.stage_lanes("prepare copies through host memory")?;
        // Requests come behind the puts of the same context.
        let net = self.sync().network().map(|network| context.net_on(network).clone());
        let chunks = |class| transfers.paths().policy().machine().costs.chunks(class);
        Ok(Stage::new(transfers.job(), area, gpu, lanes, net, changes, chunks))
    }

    /// Lets the launcher ask whether kernels progress, and what the proxy has done, as long as the result is kept.
    pub(super) fn report_proxy(&self) -> impl Iterator<Item = Published> + use<> {
        let shared = self.proxy.get().map(|proxy| proxy.shared.clone());
        let reports = shared.map(|shared| {
            let looked_at = shared.clone();
            let kernels = note(move || looked_at.progress.describe(&looked_at.ring));
            [kernels, note(move || Some(format!("proxy: {}", shared.counts)))]
        });
        reports.into_iter().flatten()
    }
}
