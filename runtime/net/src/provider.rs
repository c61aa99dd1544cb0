//! The provider that an engine uses.

use crate::fabric::{Fabric, GpuMemory, Local, Post, Promises, Tag};
use crate::loopback::Loopback;
use crate::ofi::Ofi;
use crate::rails::Rails;
use crate::verbs::Verbs;
use crate::{Distance, Failure, Work};
use std::os::fd::OwnedFd;
use std::time::Instant;

/// One of the providers.
#[allow(clippy::large_enum_variant, reason = "there is one in a process")]
pub enum Provider {
    /// A network within one machine.
    Loopback(Loopback),
    /// libfabric.
    Ofi(Ofi),
    /// InfiniBand or RoCE.
    Verbs(Rails<Verbs>),
    /// A network for tests, which does what a test says.
    #[cfg(test)]
    Scripted(crate::tests::descriptor::Scripted),
    /// Several networks within one machine as one.
    #[cfg(test)]
    Rails(Rails<Loopback>),
}

/// Calls a method of whichever it is.
macro_rules! either {
    ($self:ident, $provider:ident => $call:expr) => {
        match $self {
            Self::Loopback($provider) => $call,
            Self::Ofi($provider) => $call,
            Self::Verbs($provider) => $call,
            #[cfg(test)]
            Self::Scripted($provider) => $call,
            #[cfg(test)]
            Self::Rails($provider) => $call,
        }
    };
}

impl Provider {
    /// The network in one line, for people.
    pub fn description(&self) -> String {
        let name = either!(self, provider => provider.description());
        format!("{name}: {}", self.promises())
    }

    /// How far the NIC is from the GPU of this process, if it has both.
    pub fn gpu_distance(&self) -> Option<Distance> {
        match self {
            Self::Verbs(verbs) => verbs.gpu_distance(),
            _ => None,
        }
    }

    /// What operations on the memory of a peer do, one in a line; for people. Empty if there is nothing to say that
    /// [`Provider::description`] does not.
    pub fn explanation(&self) -> String {
        match self {
            Self::Verbs(verbs) => verbs.explanation(),
            _ => String::new(),
        }
    }
}

impl Fabric for Provider {
    fn promises(&self) -> Promises {
        either!(self, provider => provider.promises())
    }

    fn name(&self) -> Vec<u8> {
        either!(self, provider => provider.name())
    }

    fn peers(&mut self, names: &[Vec<u8>]) -> Result<(), String> {
        either!(self, provider => provider.peers(names))
    }

    unsafe fn register(&mut self, region: u32, piece: u32, memory: Local) -> Result<Vec<u8>, String> {
        // SAFETY: the caller guarantees the memory.
        either!(self, provider => unsafe { provider.register(region, piece, memory) })
    }

    unsafe fn register_gpu(
        &mut self,
        region: u32,
        piece: u32,
        memory: Local,
        gpu: GpuMemory,
    ) -> Result<Vec<u8>, String> {
        // SAFETY: the caller guarantees the memory.
        either!(self, provider => unsafe { provider.register_gpu(region, piece, memory, gpu) })
    }

    fn learn(&mut self, peer: u32, region: u32, piece: u32, card: &[u8]) -> Result<(), String> {
        either!(self, provider => provider.learn(peer, region, piece, card))
    }

    fn forget(&mut self, region: u32, piece: u32) {
        either!(self, provider => provider.forget(region, piece))
    }

    #[inline]
    unsafe fn post(&mut self, work: &Work, tag: Tag) -> Post {
        // SAFETY: the caller guarantees the addresses.
        either!(self, provider => unsafe { provider.post(work, tag) })
    }

    #[inline]
    fn poll(&mut self, done: &mut dyn FnMut(Tag, Result<(), Failure>)) -> bool {
        either!(self, provider => provider.poll(done))
    }

    fn retries(&self) -> u64 {
        either!(self, provider => provider.retries())
    }

    fn descriptor(&self) -> Option<OwnedFd> {
        either!(self, provider => provider.descriptor())
    }

    fn may_sleep(&mut self) -> bool {
        either!(self, provider => provider.may_sleep())
    }

    fn next_due(&self) -> Option<Instant> {
        either!(self, provider => provider.next_due())
    }

    fn is_idle(&self) -> bool {
        either!(self, provider => provider.is_idle())
    }

    fn forget_lane(&mut self, lane: u32) {
        either!(self, provider => provider.forget_lane(lane))
    }

    fn hurry(&mut self) {
        either!(self, provider => provider.hurry())
    }

    fn lost(&mut self, peer: u32, why: &str) {
        either!(self, provider => provider.lost(peer, why))
    }
}
