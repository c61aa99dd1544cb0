//! A NIC: the process's handle to the engine.

use crate::driver::{Service, Shared, Slept};
use crate::engine::Engine;
use crate::fabric::{Fabric, GpuMemory, Local, Promises, UnderWay};
use crate::lane::Lane;
use crate::provider::Provider;
use crate::ring::Ring;
use crate::watch::Watch;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

/// A network card, one per process. Dropping it waits until everything that was posted is done and delivered, but at
/// most 30 seconds after anything last moved; then the rest fails. Do not post to its lanes afterwards.
///
/// Each process calls [`name`](Self::name) and gives the result to all others, which call [`peers`](Self::peers); then
/// it [registers](Self::register) its memory and gives the cards to the others, which [learn](Self::learn) them.
pub struct Nic {
    shared: Arc<Shared>,
    lanes: AtomicU32,
    engine: Option<JoinHandle<()>>,
    process: u32,
    watch: Option<Arc<dyn Watch>>,
}

impl Nic {
    /// Starts the engine on a provider. When it has nothing to do, it spins for `spin` and then sleeps until the next
    /// post.
    ///
    /// # Errors
    ///
    /// If the system starts no thread.
    pub fn over(provider: Provider, spin: Duration) -> io::Result<Self> {
        Self::watched(provider, spin, None)
    }

    /// Like [`Nic::over`], but somebody may watch.
    ///
    /// # Errors
    ///
    /// If the system starts no thread.
    pub fn watched(provider: Provider, spin: Duration, watch: Option<Arc<dyn Watch>>) -> io::Result<Self> {
        let shared = Arc::new(Shared::new(provider, watch.clone()));
        let engine = Engine::new(shared.clone(), spin);
        let thread = Builder::new().name("cushmem-net".to_owned());
        let engine = cushmem_thread::start(thread, move || {
            // Without an engine, threads would wait for ever.
            if catch_unwind(AssertUnwindSafe(|| engine.work())).is_err() {
                std::process::abort();
            }
        })?;
        Ok(Self { shared, lanes: AtomicU32::new(0), engine: Some(engine), process: std::process::id(), watch })
    }

    /// What the network promises.
    pub fn promises(&self) -> Promises {
        self.shared.call(|provider| provider.promises())
    }

    /// The network in one line, for people.
    pub fn description(&self) -> String {
        self.shared.call(|provider| provider.description())
    }

    /// What operations on the memory of a peer do, one in a line, for people; empty if there is nothing to say.
    pub fn explanation(&self) -> String {
        self.shared.call(|provider| provider.explanation())
    }

    /// What peers need in order to reach this process.
    pub fn name(&self) -> Vec<u8> {
        self.shared.call(|provider| provider.name())
    }

    /// Introduces all peers, by the names that they have. The first has the number 0. Connects to none.
    ///
    /// # Errors
    ///
    /// If a name is not of this kind of network. Then no peer was introduced.
    pub fn peers(&self, names: &[Vec<u8>]) -> Result<(), String> {
        self.shared.call(|provider| provider.peers(names))
    }

    /// Lets peers use a piece of this process's memory. The card is what they need for it.
    ///
    /// # Safety
    /// The memory is mapped, for reading and writing, until the piece is forgotten or the NIC is dropped. Peers may
    /// write it at any time.
    ///
    /// # Errors
    ///
    /// If the piece is already known, or the network refuses the memory.
    pub unsafe fn register(&self, region: u32, piece: u32, memory: Local) -> Result<Vec<u8>, String> {
        // SAFETY: the caller guarantees the memory.
        self.shared.call(|provider| unsafe { provider.register(region, piece, memory) })
    }

    /// Lets peers use a piece of this process's GPU memory, all of which is of one GPU. The card is what they need for
    /// it.
    ///
    /// # Safety
    /// As for [`register`](Self::register), but the CPU need not reach the memory.
    ///
    /// # Errors
    ///
    /// If the network does not reach GPU memory, or not this. Then the memory can be staged.
    pub unsafe fn register_gpu(
        &self,
        region: u32,
        piece: u32,
        memory: Local,
        gpu: GpuMemory,
    ) -> Result<Vec<u8>, String> {
        // SAFETY: the caller guarantees the memory.
        self.shared.call(|provider| unsafe { provider.register_gpu(region, piece, memory, gpu) })
    }

    /// Introduces a piece of a peer's memory, by its card.
    ///
    /// # Errors
    ///
    /// If the card is malformed.
    pub fn learn(&self, peer: u32, region: u32, piece: u32, card: &[u8]) -> Result<(), String> {
        self.shared.call(|provider| provider.learn(peer, region, piece, card))
    }

    /// Forgets a piece, this process's and those of all peers. No operation on it may be under way.
    pub fn forget(&self, region: u32, piece: u32) {
        self.shared.call(|provider| provider.forget(region, piece));
    }

    /// Declares a peer dead: its operations fail, those under way and all later ones. [`Lane::post`] says what memory
    /// stays in use.
    pub fn lost(&self, peer: u32, why: &str) {
        self.shared.hub.lose(peer, why);
    }

    /// The operations that are under way, to find peers that do not answer.
    pub fn under_way(&self) -> Vec<UnderWay> {
        self.shared.lock().under_way()
    }

    /// Each thread that lets the network work calls this behind it, one thread at a time; where processes need not poll
    /// for their peers ([`Promises::target_polls`]), only if it finds nothing else to do. It may post, but must not
    /// wait. With `None` that ends: a call that has begun is waited for.
    pub fn serve(&self, service: Option<Service>) {
        self.shared.set_service(service);
    }

    /// What lets threads that wait drive the network. It does nothing when the NIC is dropped.
    pub fn poller(&self) -> Poller {
        Poller(self.shared.clone())
    }

    /// A new lane.
    pub fn lane(&self) -> Lane {
        // Relaxed: only the number matters.
        let ring = Arc::new(Ring::new(
            self.lanes.fetch_add(1, Ordering::Relaxed),
            self.watch.clone().filter(|watch| watch.wants_times()),
        ));
        self.shared.hub.add(ring.clone());
        Lane::new(ring, self.shared.clone())
    }
}

/// Lets threads drive the network of a [`Nic`] while they wait.
#[derive(Clone)]
pub struct Poller(Arc<Shared>);

impl Poller {
    /// Like [`Lane::poll`].
    #[inline]
    pub fn poll(&self) {
        self.0.poll();
    }

    /// Calls the [service](Nic::serve); returns whether it has found anything.
    pub fn serve(&self) -> bool {
        self.0.serve(true)
    }

    /// Lets the network work, and calls `look`. If both find nothing, sleeps until the network has something to do, but
    /// at most as long as this.
    pub fn sleep<T>(&self, limit: Duration, look: impl FnOnce() -> Option<T>) -> Slept<T> {
        self.0.sleep(limit, look)
    }
}

impl Drop for Nic {
    fn drop(&mut self) {
        if std::process::id() != self.process {
            // A forked child does not have the engine's thread, so it cannot join it.
            std::mem::forget(self.engine.take());
            return;
        }
        self.shared.hub.stop();
        if let Some(engine) = self.engine.take() {
            let _ = engine.join();
        }
        self.shared.close();
    }
}
