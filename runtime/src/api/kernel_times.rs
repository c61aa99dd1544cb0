//! How long kernels take, for timelines. The driver says so only if it is asked before and after a launch, which
//! lengthens the launch. So of the launches of a stream only one in [`EACH`] is between two points in the stream, and
//! the time between them is looked up when somebody has waited for the stream. A job without a timeline does nothing of
//! this.
//!
//! The time includes what the GPU waits for the launch, if it has nothing else to do on the stream, so the shortest of
//! several is nearest to the kernel's own.

use crate::job::record;
use crate::sync::locked;
use cushmem_gpu::{Event, Stream};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// A prime, so that all launches of an iteration have their turn unless it has so many.
const EACH: u64 = 17;
/// The most times of a stream that are not looked up yet: the latest, because launches of earlier ones may have left
/// the record.
const MOST: usize = 64;

/// When the call began, and the points before and after the kernel.
type Timed = (u64, Arc<dyn Event>, Arc<dyn Event>);

/// The launches of a stream that are timed.
#[derive(Default)]
pub(super) struct KernelTimes {
    launches: AtomicU64,
    pending: Mutex<VecDeque<Timed>>,
}

impl KernelTimes {
    /// Makes a launch on this stream, and times it if it is its turn.
    #[inline]
    pub(super) fn of<T, E>(&self, stream: &dyn Stream, launch: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        if record::active().is_none_or(|recorder| !recorder.keeps_events()) {
            return launch();
        }
        self.of_recorded(stream, launch)
    }

    #[cold]
    fn of_recorded<T, E>(&self, stream: &dyn Stream, launch: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        // Relaxed: it is only a count.
        let is_turn = self.launches.fetch_add(1, Ordering::Relaxed) % EACH == EACH - 1;
        if !is_turn || stream.is_captured().unwrap_or(true) {
            return launch();
        }
        // A kernel whose time is not known is launched all the same.
        let (from, before) = (record::now(), stream.record());
        let launched = launch()?;
        if let (Ok(before), Ok(after)) = (before, stream.record()) {
            keep(&mut locked(&self.pending), (from, before, after));
        }
        Ok(launched)
    }

    /// Looks the times up. Everything on the stream has finished.
    pub(super) fn look_up(&self, stream: &dyn Stream) {
        let Some(recorder) = record::active() else { return };
        for (from, before, after) in locked(&self.pending).drain(..) {
            if let Ok(ms) = after.elapsed_ms(&*before) {
                record::note_kernel(recorder, stream, from, (f64::from(ms) * 1e6) as u64);
            }
        }
    }
}

/// Keeps the latest ones.
fn keep<T>(pending: &mut VecDeque<T>, new: T) {
    if pending.len() == MOST {
        pending.pop_front();
    }
    pending.push_back(new);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_are_kept() {
        let mut pending = VecDeque::new();
        (0..200).for_each(|number| keep(&mut pending, number));
        assert!(pending.iter().copied().eq(200 - MOST..200));
    }
}
