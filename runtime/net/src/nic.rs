//! A NIC: the process's handle to the engine.

use crate::Settings;
use crate::engine::Engine;
use crate::hub::Hub;
use crate::lane::{Lane, Ring};
use crate::loopback::Loopback;
#[cfg(test)]
use crate::loopback::gate::Gates;
use crate::loopback::memory::{Backing, Memory, ProcessMemory, Table};
use crate::provider::Provider;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

/// A network card, one per process. Dropping it waits until everything that was posted is done and delivered, but at
/// most 30 seconds after anything last moved; then the rest fails. Do not post to its lanes afterwards.
pub struct Nic {
    hub: Arc<Hub>,
    table: Arc<Table>,
    #[cfg(test)]
    pub(crate) gates: Arc<Gates>,
    lanes: AtomicU32,
    engine: Option<JoinHandle<()>>,
    process: u32,
}

impl Nic {
    /// Starts the engine of process `me` on a network within one machine. When it has nothing to do, it spins for
    /// `spin` and then sleeps until the next post.
    pub fn start(settings: Settings, me: u32, spin: Duration) -> io::Result<Self> {
        let loopback = Loopback::new(settings, me);
        let table = loopback.table();
        #[cfg(test)]
        let gates = loopback.gates();
        let mut nic = Self::over(Provider::Loopback(loopback), spin)?;
        nic.table = table;
        #[cfg(test)]
        {
            nic.gates = gates;
        }
        Ok(nic)
    }

    /// Starts the engine on a provider that knows all peers and their memory.
    pub fn over(provider: Provider, spin: Duration) -> io::Result<Self> {
        let hub = Arc::<Hub>::default();
        let engine = Engine::new(hub.clone(), provider, spin);
        let thread = Builder::new().name("cushmem-net".to_owned());
        let engine = cushmem_thread::start(thread, move || {
            // Without an engine, threads would wait for ever.
            if catch_unwind(AssertUnwindSafe(|| engine.work())).is_err() {
                std::process::abort();
            }
        })?;
        Ok(Self {
            hub,
            table: Arc::default(),
            #[cfg(test)]
            gates: Arc::new(Gates::open()),
            lanes: AtomicU32::new(0),
            engine: Some(engine),
            process: std::process::id(),
        })
    }

    /// Defines a region of a peer. Does not map it yet.
    pub fn register(&self, peer: u32, region: u32, memory: Memory) {
        self.table.insert(peer, region, Backing::File(memory));
    }

    /// Defines a region of a peer in the memory of its process.
    pub fn register_process(&self, peer: u32, region: u32, memory: ProcessMemory) {
        self.table.insert(peer, region, Backing::Process(memory));
    }

    /// Forgets a region. No operation on it may be under way.
    pub fn unregister(&self, peer: u32, region: u32) {
        self.table.remove(peer, region);
    }

    /// Declares a peer dead: its operations fail, those under way and all later ones. [`Lane::post`] says what memory
    /// stays in use.
    pub fn lost(&self, peer: u32, why: &str) {
        self.hub.lose(peer, why);
    }

    /// A new lane.
    pub fn lane(&self) -> Lane {
        // Relaxed: only the number matters.
        let ring = Arc::new(Ring::new(self.lanes.fetch_add(1, Ordering::Relaxed)));
        self.hub.add(ring.clone());
        Lane::new(ring, self.hub.bell.clone())
    }
}

impl Drop for Nic {
    fn drop(&mut self) {
        if std::process::id() != self.process {
            // A forked child does not have the engine's thread, so it cannot join it.
            std::mem::forget(self.engine.take());
            return;
        }
        self.hub.stop();
        if let Some(engine) = self.engine.take() {
            let _ = engine.join();
        }
    }
}
