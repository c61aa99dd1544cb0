//! A machine as one PE of a job sees it, in plain values.

use crate::cost::{Costs, GpuLink};
use crate::path::Path;
use crate::request::{Class, Initiator, RemoteKind};

/// Whether something is present; if not, the reason, as text for users.
pub type Presence = Result<(), String>;

/// The reason why a planned path is absent.
pub const NOT_IN_THIS_VERSION: &str = "not in this version";

/// The reason why staging is absent unless a job needs it.
const NOT_NEEDED: &str = "no memory of this job needs it";

/// How this PE reaches one kind of memory of some PE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The kind of memory.
    pub remote: RemoteKind,
    /// How this PE can access it.
    pub class: Class,
    /// Why there is no better class, if there is a reason, such as `GPU 0 has no peer access to GPU 1`.
    pub why: Option<String>,
}

/// The facts on which the policy bases its decisions.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    transports: [Presence; Path::COUNT],
    /// Whether this PE has a GPU.
    pub gpu: Presence,
    /// Whether operations in streams can be issued.
    pub streams: Presence,
    /// Whether kernels can access the host heap.
    pub kernels_reach_host: Presence,
    /// Whether kernels' atomics on host memory are atomic with the CPU's.
    pub kernel_atomics_on_host: Presence,
    /// Whether the GPU agent copies, in addition to changing words.
    pub agent_copies: Presence,
    /// Whether kernels can send the proxy more than atomic operations on the host heap, that is, commands for copies if
    /// they cannot load and store a heap themselves.
    pub kernel_commands: Presence,
    /// Whether they can do so for memory outside the heaps.
    pub kernel_commands_beyond_heaps: Presence,
    /// Whether the owner changes words for others in memory that only the operating system copies.
    pub attached_words: Presence,
    /// Whether globals on other nodes can be reached.
    pub far_globals: Presence,
    /// Each way in which memory of some PE is reached. The table has all classes; this lists what the job really has,
    /// for output.
    pub reach: Vec<Reach>,
    /// The costs of the paths.
    pub costs: Costs,
}

impl Machine {
    /// A machine with a GPU and the transports that every job of this version has. Nothing can be reached yet.
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

    /// Whether a transport is present. Its other requirements (a GPU, a NIC) are checked separately.
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

    /// Why memory of this kind is in no better class, if reasons were given.
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

/// The presence, with a borrowed reason.
pub(crate) fn said(presence: &Presence) -> Result<(), &str> {
    presence.as_ref().copied().map_err(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a reason that is given for other memory, or twice.
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
