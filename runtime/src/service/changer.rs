//! The word-update thread: it has the GPU agent change words of GPU memory, for this PE's proxy and for other PEs. The
//! proxy cannot do it, because it waits for nothing and launches no kernel.

use super::Services;
use crate::error::{Cause, Error, Result};
use crate::sync::guard;
use crate::sync::locked;
use crate::transport::stage::Changes;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};

/// The thread, and the queue of words that it is asked for.
pub(super) struct Changer {
    changes: Arc<Changes>,
    thread: JoinHandle<()>,
}

impl Services {
    /// Starts the thread unless it is running. Returns its queue.
    pub(super) fn start_changer(self: &Arc<Self>) -> Result<Arc<Changes>> {
        let mut changer = locked(&self.changer);
        if let Some(Changer { changes, .. }) = &*changer {
            return Ok(changes.clone());
        }
        let changes = Arc::new(Changes::default());
        let (services, theirs) = (self.clone(), changes.clone());
        let thread = Builder::new().name("cushmem-words".to_owned());
        let work = move || guard::or_abort(|| services.change_words(&theirs));
        let thread = cushmem_thread::start(thread, work);
        let thread = thread.map_err(|error| Error::new("start a thread", Cause::System(error.to_string())))?;
        *changer = Some(Changer { changes: changes.clone(), thread });
        Ok(changes)
    }

    fn change_words(&self, changes: &Changes) {
        while let Some((asked, word)) = changes.next() {
            // Another PE may ask before this PE knows that all GPUs have started.
            while self.transfers.library().is_none() {
                std::thread::yield_now();
            }
            match self.transfers.change_on_gpu(word) {
                Ok(found) => changes.finish(asked, found),
                Err(error) => self.job().end("atomic operation for another PE, or for a kernel or stream", &error),
            }
            self.proxy.get().into_iter().for_each(|proxy| proxy.wake());
        }
    }

    /// Ends the thread. The proxy has ended.
    pub(super) fn stop_changer(&self) {
        let changer = locked(&self.changer).take();
        if let Some(Changer { changes, thread }) = changer {
            changes.end();
            let _ = thread.join();
        }
    }
}
