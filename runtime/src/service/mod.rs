//! What threads of the library do for kernels and streams, and how the library launches its own kernels.
//!
//! | thread | what it does |
//! |---|---|
//! | the proxy ([`proxy`]) | what kernels ask for ([`commands`]), what kernels and streams start by handle ([`started`]), what streams hand over ([`stream_ops`]), this PE's part of copies through host memory |
//! | the word-update thread ([`changer`]) | atomic operations on words of GPU memory, for the proxies of this PE and of others |
//! | deputies ([`deputy`]), one thread for each team | collectives of streams and kernels that kernels cannot carry out |
//!
//! All of them use the same common path as the CPU's own operations ([`Transfers`]). What it leaves to the proxy goes
//! through [`Pending`](crate::transfer::Pending).

#[expect(unsafe_code, reason = "looks at words that others change")]
pub(crate) mod arrivals;
mod changer;
#[expect(unsafe_code, reason = "clears the library's own words")]
pub(crate) mod collective;
mod commands;
mod counts;
#[expect(unsafe_code, reason = "lets streams write words and wait for them")]
pub(crate) mod deputy;
mod device_sync;
#[expect(unsafe_code, reason = "enqueues kernels on words that were found")]
pub(crate) mod exchange;
pub(crate) mod files;
mod idle;
#[expect(unsafe_code, reason = "calls functions of units of CUDA C++")]
pub(crate) mod images;
#[expect(unsafe_code, reason = "copies the record from the GPU, and launches a kernel of the library")]
mod kernel_record;
#[expect(unsafe_code, reason = "copies tables to the GPU")]
mod kernels;
pub(crate) mod launches;
#[expect(unsafe_code, reason = "enqueues copies and kernels on memory that the caller guarantees to be valid")]
pub(crate) mod on_stream;
#[expect(unsafe_code, reason = "issues operations on memory that the caller guarantees to be valid")]
pub(crate) mod prepared;
mod printed;
#[expect(unsafe_code, reason = "copies counts from the GPU")]
mod processor;
mod progress;
mod proxy;
#[expect(unsafe_code, reason = "launches kernels")]
pub(crate) mod resident;
#[cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "prefetches the cache line that it reads next"))]
mod ring;
#[expect(unsafe_code, reason = "issues operations on memory that the caller guarantees to be valid")]
mod started;
#[expect(unsafe_code, reason = "lets streams write words and wait for them")]
pub(crate) mod stream_ops;
#[expect(unsafe_code, reason = "copies tables to the GPU")]
mod team_table;
mod tracked;
#[expect(unsafe_code, reason = "copies to and from records that kernels change")]
pub(crate) mod trigger;
mod trigger_record;
#[expect(unsafe_code, reason = "has the system read to chunks and write from them")]
mod uring;

use crate::error::Result;
use crate::job::Job;
use crate::job::pe_set::PeSet;
use crate::memory::Memory;
use crate::sync::Sync;
use crate::transfer::Transfers;
use crate::transfer::context::{Context, ContextOptions};
use changer::Changer;
use collective::Collectives;
pub(crate) use commands::KernelCollective;
use cushmem_bootstrap::WaitLimit;
use cushmem_bootstrap::waits::Published;
use deputy::Deputies;
use files::Files;
use launches::Launches;
use prepared::Table;
use proxy::Proxy;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use stream_ops::StreamOps;
use team_table::TeamTable;

/// The threads of a PE that work for its kernels and streams, and what they share with the program's threads.
pub(crate) struct Services {
    transfers: Arc<Transfers>,
    launches: Launches,
    /// Carries out what kernels cannot do themselves; exists once kernels have been loaded.
    proxy: OnceLock<Arc<Proxy>>,
    /// Changes words of GPU memory, until the end of the job.
    changer: Mutex<Option<Changer>>,
    /// Operations that kernels and streams start by handle.
    prepared: Arc<Table>,
    /// Files of cached arrays.
    pub(crate) files: Files,
    /// Operations that streams leave to the proxy.
    stream_ops: StreamOps,
    /// Collectives that streams leave to the CPU.
    deputies: Deputies,
    /// Collectives that kernels carry out.
    collectives: Collectives,
    /// What kernels know about teams.
    team_table: TeamTable,
    /// Kernels of the library that stay on the GPU.
    residents: Mutex<Vec<Weak<resident::Resident>>>,
    /// `CUSHMEM_COMMAND_PROCESSOR`.
    wants_processor: bool,
    /// The command processor, which is one of the residents.
    processor: OnceLock<Arc<processor::Processor>>,
    /// What kernels record.
    kernel_record: OnceLock<kernel_record::InGpu>,
    /// Whether operations of the library were enqueued on streams.
    on_streams: AtomicBool,
    /// While these exist, the launcher can ask what kernels wait for and what the proxy has done.
    kernel_waits: Mutex<Vec<Published>>,
}

impl Services {
    /// Starts no thread. `wants_processor` says whether the GPU is to have a command processor.
    pub(crate) fn new(transfers: &Arc<Transfers>, wants_processor: bool) -> Self {
        let slots = transfers.job().teams();
        Self {
            transfers: transfers.clone(),
            launches: Launches::default(),
            proxy: OnceLock::new(),
            changer: Mutex::default(),
            prepared: Arc::default(),
            files: Files::default(),
            stream_ops: StreamOps::default(),
            deputies: Deputies::default(),
            collectives: Collectives::new(slots),
            team_table: TeamTable::new(slots),
            residents: Mutex::default(),
            wants_processor,
            processor: OnceLock::new(),
            kernel_record: OnceLock::new(),
            on_streams: AtomicBool::new(false),
            kernel_waits: Mutex::default(),
        }
    }

    fn job(&self) -> &Job {
        self.transfers.job()
    }

    fn memory(&self) -> &Memory {
        self.transfers.memory()
    }

    fn sync(&self) -> &Sync {
        self.transfers.sync()
    }

    /// A context for a thread of the library.
    fn internal_context(&self) -> Result<Context> {
        let pes = PeSet::all(self.job().n_pes());
        Ok(self.transfers.context(pes, ContextOptions::default())?.make_internal())
    }

    /// Which kernels may be running.
    pub(crate) fn launches(&self) -> &Launches {
        &self.launches
    }

    /// Notes that streams may have operations of the library enqueued.
    pub(crate) fn begin_on_streams(&self) {
        // Relaxed: whoever frees the memory or leaves the job has synchronised with the thread that enqueued them.
        self.on_streams.store(true, Ordering::Relaxed);
    }

    /// Whether streams may have operations of the library enqueued.
    pub(crate) fn are_on_streams(&self) -> bool {
        // Relaxed: as in `begin_on_streams`.
        self.on_streams.load(Ordering::Relaxed)
    }

    /// If the program has left queues of tasks, runs what has come to this PE's, and ends its executors. No other PE
    /// puts a task any more then: all have met, each after its kernels had ended and its puts had arrived.
    pub(crate) fn await_tasks(&self) -> Result<()> {
        if !self.are_executors() {
            return Ok(());
        }
        self.let_executors_yield();
        // After a failure of the GPU no kernel runs, and whoever checks its stream gets the error.
        let in_driver = self.launches().in_driver();
        let _ = self.memory().opened_gpu().map(|gpu| gpu.synchronize());
        drop(in_driver);
        self.transfers.complete_all()?;
        self.job().bootstrap().fence_with("the last tasks", WaitLimit::Unlimited)?;
        self.stop_executors();
        Ok(())
    }

    /// Waits for kernels before the last meeting: those that still run may ask other PEs, whose proxies end after it.
    /// `all` is for those too that ask nobody.
    pub(crate) fn await_kernels(&self, all: bool) {
        self.stop_processor();
        if all || self.memory().is_far() || self.are_on_streams() || self.kernel_record.get().is_some() {
            // After a failure of the GPU no kernel runs, and whoever checks its stream gets the error.
            let _in_driver = self.launches().in_driver();
            let _ = self.memory().opened_gpu().map(|gpu| gpu.synchronize());
        }
    }

    /// Ends the threads, and releases everything except what the operating system reclaims when the process ends.
    pub(crate) fn give_back(&self) {
        self.forget_waits();
        let mut deputies_have_ended = true;
        if let Some(proxy) = self.proxy.get() {
            // Kernels that the program launched itself may still make requests. After a failure of the GPU none does.
            let in_driver = self.launches().in_driver();
            let passed = self.memory().opened_gpu().is_none_or(|gpu| gpu.synchronize().is_ok());
            drop(in_driver);
            deputies_have_ended = self.stop_deputies(passed);
            proxy.stop();
        }
        self.stop_changer();
        // A deputy that is in a collective copies between heaps, so the heaps stay until the process ends.
        self.transfers.give_back(deputies_have_ended);
    }
}
