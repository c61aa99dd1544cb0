//! Where threads sleep until the network has something to do, if the provider has a descriptor for that.

use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::eventfd::{EfdFlags, EventFd};
use nix::sys::time::TimeSpec;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

/// The provider's descriptor, and another one by which the engine is woken.
pub(crate) struct Descriptor {
    network: OwnedFd,
    rung: EventFd,
}

impl Descriptor {
    pub(crate) fn new(network: OwnedFd) -> io::Result<Self> {
        Ok(Self { network, rung: EventFd::from_flags(EfdFlags::EFD_CLOEXEC | EfdFlags::EFD_NONBLOCK)? })
    }

    /// Ends the engine's sleep, or its next one.
    pub(crate) fn ring(&self) {
        // An error would mean that it has been rung 2^64 times.
        let _ = self.rung.write(1);
    }

    /// Sleeps, as the engine, until the bell rings, but at most as long as this; with `network`, also until the network
    /// has something to do.
    pub(crate) fn sleep(&self, network: bool, limit: Option<Duration>) {
        let mut places = [&self.rung.as_fd(), &self.network.as_fd()].map(|fd| PollFd::new(*fd, PollFlags::POLLIN));
        wait(&mut places[..1 + usize::from(network)], limit);
        if places[0].any() == Some(true) {
            let _ = self.rung.read();
        }
    }

    /// Sleeps until the network has something to do, but at most as long as this; returns whether it has.
    pub(crate) fn wait(&self, limit: Duration) -> bool {
        let mut places = [PollFd::new(self.network.as_fd(), PollFlags::POLLIN)];
        wait(&mut places, Some(limit));
        places[0].any() == Some(true)
    }
}

/// May return early.
fn wait(places: &mut [PollFd<'_>], limit: Option<Duration>) {
    let _ = ppoll(places, limit.map(TimeSpec::from_duration), None);
}
