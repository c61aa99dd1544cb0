//! Gates with which tests hold the engine. Outside tests every gate is open and costs nothing.

#[cfg(test)]
use std::sync::atomic::{AtomicU64, Ordering};

/// What the engine asks permission for.
#[derive(Clone, Copy)]
pub(crate) enum Step {
    /// Execute a piece of an operation.
    Piece,
    /// Deliver, when its time has come, a put that is already complete.
    Deliver,
    /// Store the new value of an atomic operation.
    StoreAmo,
    /// Copy the other piece of bytes that are cut.
    OtherPiece,
}

/// How many more times each step is allowed.
pub(crate) struct Gates {
    #[cfg(test)]
    allowed: [AtomicU64; 4],
    /// How many times each step was refused.
    #[cfg(test)]
    refused: [AtomicU64; 4],
}

#[cfg(not(test))]
impl Gates {
    pub(crate) fn open() -> Self {
        Self {}
    }

    pub(crate) fn may(&self, _: Step) -> bool {
        true
    }
}

#[cfg(test)]
impl Gates {
    pub(crate) fn open() -> Self {
        Self { allowed: [const { AtomicU64::new(u64::MAX) }; 4], refused: [const { AtomicU64::new(0) }; 4] }
    }

    pub(crate) fn may(&self, step: Step) -> bool {
        let allowed = &self.allowed[step as usize];
        let less = |n: u64| if n == u64::MAX { Some(n) } else { n.checked_sub(1) };
        let may = allowed.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less).is_ok();
        if !may {
            self.refused[step as usize].fetch_add(1, Ordering::SeqCst);
        }
        may
    }

    /// Allows a step this many more times; `u64::MAX` means always.
    pub(crate) fn allow(&self, step: Step, times: u64) {
        self.allowed[step as usize].store(times, Ordering::SeqCst);
    }

    pub(crate) fn refused(&self, step: Step) -> u64 {
        self.refused[step as usize].load(Ordering::SeqCst)
    }
}
