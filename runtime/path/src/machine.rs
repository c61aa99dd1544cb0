//! A machine as one PE of a job sees it, in plain values.

use crate::cost::{Costs, GpuLink};
use crate::path::Path;
use crate::request::{Class, Initiator, RemoteKind};

/// Whether something is present; if not, why, in words for users.
pub type Presence = Result<(), String>;

/// Why a path of the plan is absent.
pub const NOT_IN_THIS_VERSION: &str = "not in this version";

/// Why nothing is staged, unless a job needs it.
const NOT_NEEDED: &str = "no memory of this job needs it";

/// How this PE reaches the memory of one kind of some PE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Which memory.
    pub remote: RemoteKind,
    /// What separates this PE from it.
    pub class: Class,
    /// Why there is no better class, if there is a reason: `GPU 0 has no peer access to GPU 1`.
    pub why: Option<String>,
}

/// The facts on which the policy decides.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    transports: [Presence; Path::COUNT],
    /// Whether this PE has a GPU.
    pub gpu: Presence,
    /// Whether operations in streams can be issued.
    pub streams: Presence,
    /// Whether kernels reach the host heap.
    pub kernels_reach_host: Presence,
    /// Whether atomics of kernels on host memory are atomic with the CPU's.
    pub kernel_atomics_on_host: Presence,
    /// Whether the GPU agent copies, beside changing words.
    pub agent_copies: Presence,
    /// Whether kernels ask the proxy for anything but atomic operations on the host heap: for copies, where they reach
    /// a heap by no load or store of their own.
    pub kernel_commands: Presence,
    /// Whether they can do so for memory that is in no heap.
    pub kernel_commands_beyond_heaps: Presence,
    /// Whether the owner of memory that only the operating system copies changes words of it for others.
    pub attached_words: Presence,
    /// Whether globals are reached on other nodes, where they are.
    pub far_globals: Presence,
    /// Each way in which memory of some PE is reached. The table has all classes; this is what the job really has, for
    /// people.
    pub reach: Vec<Reach>,
    /// What paths cost.
    pub costs: Costs,
}

impl Machine {
    /// A machine with a GPU, the transports that every job of this version has, and nothing to reach yet.
    pub fn today(link: GpuLink) -> Self {
        let present = |path: &Path| match path {
            Path::Mapped | Path::GpuDirect | Path::CopyEngine | Path::CrossMemory | Path::CrossMemoryStaged => Ok(()),
            Path::GpuAgent => Ok(()),
            Path::Staged => Err(NOT_NEEDED.to_owned()),
            Path::Bar | Path::Nic | Path::Gdr | Path::Proxy => Err(NOT_IN_THIS_VERSION.to_owned()),
        };
        Self {
            transports: std::array::from_fn(|at| present(&Path::ALL[at])),
            gpu: Ok(()),
            streams: Ok(()),
            kernels_reach_host: Ok(()),
            kernel_atomics_on_host: Ok(()),
            agent_copies: Ok(()),
            kernel_commands: Err("kernels ask for atomic operations on the host heap only".to_owned()),
            kernel_commands_beyond_heaps: Err("kernels ask for memory of the heaps only".to_owned()),
            attached_words: Err(format!(
                "a word of memory that is not shared is changed by its owner alone: requests to it are {NOT_IN_THIS_VERSION}"
            )),
            far_globals: Ok(()),
            reach: Vec::new(),
            costs: Costs::shipped(link),
        }
    }

    /// Whether a transport is present. Other things that it needs (a GPU, a NIC) are checked separately.
    pub fn transport(&self, path: Path) -> Result<(), &str> {
        said(&self.transports[path as usize])
    }

    /// Sets whether a transport is present.
    pub fn set_transport(&mut self, path: Path, presence: Presence) {
        self.transports[path as usize] = presence;
    }

    /// Adds a way in which memory of some PE is reached.
    pub fn add_reach(&mut self, remote: RemoteKind, class: Class, why: Option<&str>) {
        let reach = Reach { remote, class, why: why.map(str::to_owned) };
        if !self.reach.contains(&reach) {
            self.reach.push(reach);
        }
    }

    /// Why memory of this kind is of no better class, where that was told.
    pub fn why(&self, remote: RemoteKind, class: Class) -> impl Iterator<Item = &str> {
        let these = self.reach.iter().filter(move |reach| reach.remote == remote && reach.class == class);
        these.filter_map(|reach| reach.why.as_deref())
    }

    /// Whether this initiator can issue anything.
    pub(crate) fn initiator(&self, initiator: Initiator) -> Result<(), &str> {
        match initiator {
            Initiator::Cpu => Ok(()),
            Initiator::Kernel => said(&self.gpu),
            Initiator::Stream => said(&self.gpu).and(said(&self.streams)),
        }
    }
}

/// A presence with a borrowed reason.
pub(crate) fn said(presence: &Presence) -> Result<(), &str> {
    presence.as_ref().copied().map_err(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a reason that is told of other memory, or twice.
    #[test]
    fn reasons_are_those_of_the_kind_and_the_class() {
        let mut machine = Machine::today(GpuLink::Pcie);
        for (remote, class, why) in [
            (RemoteKind::Gpu, Class::Unmapped, "no peer access"),
            (RemoteKind::Gpu, Class::Unmapped, "no peer access"),
            (RemoteKind::Gpu, Class::Unmapped, "another process's"),
            (RemoteKind::Gpu, Class::Far, "another node's"),
            (RemoteKind::Globals, Class::Unmapped, "not shared"),
        ] {
            machine.add_reach(remote, class, Some(why));
        }
        machine.add_reach(RemoteKind::Gpu, Class::Unmapped, None);
        let why = |remote, class| machine.why(remote, class).collect::<Vec<_>>();
        assert_eq!(why(RemoteKind::Gpu, Class::Unmapped), ["no peer access", "another process's"]);
        assert_eq!(why(RemoteKind::Globals, Class::Unmapped), ["not shared"]);
        assert_eq!(why(RemoteKind::Globals, Class::Far), [""; 0]);
    }
}
