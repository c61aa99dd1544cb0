//! What each path can do. Each "no" has a reason.
//!
//! More transports never serve less, because nothing here depends on the absence of a transport. `policy.rs` decides
//! which of several paths is taken.

use crate::machine::{Machine, said};
use crate::path::Path;
use crate::request::{Class, Initiator, LocalKind, Operation, RemoteKind, Request};
use std::fmt;

/// Why a path cannot serve a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum No<'m> {
    /// It never serves such a request, on any machine.
    Rule(&'static str),
    /// The machine or the job lacks something, for this reason.
    Lacks(&'m str),
    /// It consists of other paths, and one of them is absent for this reason.
    Needs(Path, &'m str),
}

impl fmt::Display for No<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule(why) => f.write_str(why),
            Self::Lacks(why) => f.write_str(why),
            Self::Needs(path, why) => write!(f, "it needs {path}: {why}"),
        }
    }
}

type Answer<'m> = Result<(), No<'m>>;

const CPU_ONLY: &str = "only a CPU thread can use it";
const NO_GPU_END: &str = "no end is in GPU memory";
const NOT_REACHED: &str = "no load or store reaches this memory";
const CHANGES_NO_WORD: &str = "it copies, and has no atomic operations";
const NOT_PINNED: &str = "globals are not pinned, so GPUs do not reach them";
const PAGEABLE: &str = "GPUs reach pinned memory only, and the local end is pageable";
const ONLY_HELD: &str = "a kernel cannot start a copy engine, only release a stream held by `arm_on_stream`";

/// Whether a path can serve a request on this machine.
pub(crate) fn serves(path: Path, request: Request, machine: &Machine) -> Answer<'_> {
    machine.initiator(request.initiator).map_err(No::Lacks)?;
    if request.has_gpu_end() {
        said(&machine.gpu).map_err(No::Lacks)?;
    }
    if (request.remote, request.class) == (RemoteKind::Globals, Class::Far) {
        said(&machine.far_globals).map_err(No::Lacks)?;
    }
    match path {
        Path::Mapped => mapped(request)?,
        Path::GpuDirect => gpu_direct(request, machine)?,
        Path::CopyEngine => copy_engine(request)?,
        Path::GpuAgent => gpu_agent(request, machine)?,
        Path::Bar => bar(request)?,
        Path::CrossMemory => cross_memory(request)?,
        Path::CrossMemoryStaged => cross_memory_staged(request, machine)?,
        Path::Nic => nic(request)?,
        Path::Gdr => gdr(request, machine)?,
        Path::Staged => staged(request, machine)?,
        Path::Proxy => proxy(request, machine)?,
    }
    if path.needs_gpu() {
        said(&machine.gpu).map_err(No::Lacks)?;
    }
    machine.transport(path).map_err(No::Lacks)
}

fn rule<'m>(holds: bool, otherwise: &'static str) -> Answer<'m> {
    if holds { Ok(()) } else { Err(No::Rule(otherwise)) }
}

fn needs(machine: &Machine, path: Path) -> Answer<'_> {
    machine.transport(path).map_err(|why| No::Needs(path, why))
}

fn by_cpu<'m>(request: Request) -> Answer<'m> {
    rule(request.initiator == Initiator::Cpu, CPU_ONLY)
}

fn copies<'m>(request: Request) -> Answer<'m> {
    rule(request.operation != Operation::Amo, CHANGES_NO_WORD)
}

/// Whether nothing on this PE reaches the memory, not even the operating system.
fn is_apart(request: Request) -> bool {
    matches!(request.class, Class::Unmapped | Class::Far)
}

fn by_loads_and_stores<'m>(request: Request) -> Answer<'m> {
    match request.class {
        Class::Mapped { atomics: false } if request.operation == Operation::Amo => {
            Err(No::Rule("atomics from here are not atomic with the owner's"))
        }
        Class::Own | Class::Mapped { .. } => Ok(()),
        Class::Attached | Class::Unmapped | Class::Far => Err(No::Rule(NOT_REACHED)),
    }
}

fn mapped<'m>(request: Request) -> Answer<'m> {
    by_cpu(request)?;
    rule(!request.has_gpu_end(), "the CPU does not load or store GPU memory")?;
    by_loads_and_stores(request)
}

fn gpu_direct(request: Request, machine: &Machine) -> Answer<'_> {
    rule(request.initiator != Initiator::Cpu, "only a kernel or a stream can use it")?;
    let is_amo = request.operation == Operation::Amo;
    rule(is_amo || request.local != LocalKind::Pageable, PAGEABLE)?;
    rule(request.remote != RemoteKind::Globals, NOT_PINNED)?;
    by_loads_and_stores(request)?;
    let local_is_host = !is_amo && request.local == LocalKind::Pinned;
    if local_is_host || request.remote != RemoteKind::Gpu {
        said(&machine.kernels_reach_host).map_err(No::Lacks)?;
    }
    if is_amo && request.remote != RemoteKind::Gpu {
        said(&machine.kernel_atomics_on_host).map_err(No::Lacks)?;
    }
    Ok(())
}

fn copy_engine<'m>(request: Request) -> Answer<'m> {
    let of_kernel = if may_be_held(request) { ONLY_HELD } else { "a kernel cannot start a copy engine" };
    rule(request.initiator != Initiator::Kernel, of_kernel)?;
    copies(request)?;
    if request.initiator == Initiator::Stream {
        let pageable = request.local == LocalKind::Pageable || request.remote == RemoteKind::Globals;
        rule(!pageable, "a stream's copy would read pageable memory when it is enqueued, not in its turn")?;
    }
    rule(request.has_gpu_end(), NO_GPU_END)?;
    by_loads_and_stores(request)
}

/// Whether a kernel's copy can be put into a stream in advance, where a trigger holds it until lanes release it.
pub(crate) fn may_be_held(request: Request) -> bool {
    let pinned = request.local != LocalKind::Pageable && request.remote != RemoteKind::Globals;
    request.initiator == Initiator::Kernel && pinned && copies(request).and(by_loads_and_stores(request)).is_ok()
}

fn gpu_agent(request: Request, machine: &Machine) -> Answer<'_> {
    by_cpu(request)?;
    rule(request.has_gpu_end(), NO_GPU_END)?;
    rule(request.remote != RemoteKind::Globals, NOT_PINNED)?;
    by_loads_and_stores(request)?;
    if request.remote != RemoteKind::Gpu {
        said(&machine.kernels_reach_host).map_err(No::Lacks)?;
    }
    if request.operation == Operation::Amo { Ok(()) } else { said(&machine.agent_copies).map_err(No::Lacks) }
}

fn bar<'m>(request: Request) -> Answer<'m> {
    by_cpu(request)?;
    rule(request.operation != Operation::Amo, "the CPU's atomics are not atomic with the GPU's")?;
    rule(request.has_gpu_end(), NO_GPU_END)?;
    let one_end = request.local != LocalKind::Gpu || request.remote != RemoteKind::Gpu;
    rule(one_end, "both ends are in GPU memory, which GPUs copy faster")?;
    by_loads_and_stores(request)
}

fn cross_memory<'m>(request: Request) -> Answer<'m> {
    attached(request)?;
    rule(request.local != LocalKind::Gpu, "the operating system does not copy GPU memory")
}

fn cross_memory_staged(request: Request, machine: &Machine) -> Answer<'_> {
    attached(request)?;
    rule(request.local == LocalKind::Gpu, "the local end is host memory: one step is enough")?;
    needs(machine, Path::CopyEngine)?;
    needs(machine, Path::CrossMemory)
}

fn attached<'m>(request: Request) -> Answer<'m> {
    by_cpu(request)?;
    copies(request)?;
    rule(request.remote != RemoteKind::Gpu, "the operating system does not copy GPU memory")?;
    match request.class {
        Class::Attached => Ok(()),
        Class::Own | Class::Mapped { .. } => Err(No::Rule("it is for memory that no load or store reaches")),
        Class::Unmapped | Class::Far => Err(No::Rule("the operating system does not reach this memory")),
    }
}

fn nic<'m>(request: Request) -> Answer<'m> {
    posted_to_nic(request)?;
    rule(!request.has_gpu_end(), "an end is in GPU memory")?;
    rule(request.class == Class::Far, "the peer is on this node")
}

fn gdr(request: Request, machine: &Machine) -> Answer<'_> {
    posted_to_nic(request)?;
    rule(request.has_gpu_end(), NO_GPU_END)?;
    rule(is_apart(request), "the peer is on this node, and reached without a NIC")?;
    needs(machine, Path::Nic)
}

fn posted_to_nic<'m>(request: Request) -> Answer<'m> {
    by_cpu(request)?;
    rule(request.operation != Operation::Amo, "a NIC's atomics are not atomic with the owner's")
}

fn staged(request: Request, machine: &Machine) -> Answer<'_> {
    by_cpu(request)?;
    copies(request)?;
    rule(request.has_gpu_end(), NO_GPU_END)?;
    rule(is_apart(request), "the peer is on this node, and reached without staging")?;
    needs(machine, Path::CopyEngine)?;
    if request.class == Class::Far {
        needs(machine, Path::Nic)?;
    }
    // The owner's proxy handles the owner's GPU memory.
    if request.class == Class::Unmapped || request.remote == RemoteKind::Gpu {
        needs(machine, Path::Proxy)?;
    }
    Ok(())
}

/// Whether kernels have a command for this request. Atomic operations on the host heap are not covered here.
fn asked_for(request: Request, machine: &Machine) -> Answer<'_> {
    if request.initiator != Initiator::Kernel {
        return Ok(());
    }
    said(&machine.kernel_commands).map_err(No::Lacks)?;
    let of_heap = matches!(request.remote, RemoteKind::Host | RemoteKind::Gpu);
    if of_heap { Ok(()) } else { said(&machine.kernel_commands_beyond_heaps).map_err(No::Lacks) }
}

/// Whether atomic operations on GPU memory can be carried out. The owner's agent does this; if the initiator must ask
/// the owner, it does so in the same way as for copies.
fn agent(request: Request, machine: &Machine) -> Answer<'_> {
    needs(machine, Path::GpuAgent)?;
    let is_asked = is_apart(request) || request.class == Class::Mapped { atomics: false };
    if is_asked { needs(machine, Path::Staged) } else { Ok(()) }
}

fn proxy(request: Request, machine: &Machine) -> Answer<'_> {
    if request.operation == Operation::Amo {
        // The command goes to the owner, through mapped memory or a NIC, and the owner executes it where the word is
        // atomic.
        if request.class == Class::Far {
            needs(machine, Path::Nic)?;
        }
        if request.class == Class::Attached {
            said(&machine.attached_words).map_err(No::Lacks)?;
        }
        if request.remote == RemoteKind::Gpu {
            agent(request, machine)?;
        }
        machine.transport(Path::Proxy).map_err(No::Lacks)?;
        return if request.remote == RemoteKind::Host { Ok(()) } else { asked_for(request, machine) };
    }
    rule(request.initiator != Initiator::Cpu, "a CPU thread uses the other paths itself")?;
    let by_kernel = request.initiator == Initiator::Kernel;
    rule(!(by_kernel && request.local == LocalKind::Pageable), PAGEABLE)?;
    machine.transport(Path::Proxy).map_err(No::Lacks)?;
    asked_for(request, machine)?;
    let of_cpu = Request { initiator: Initiator::Cpu, ..request };
    let mut others = Path::ALL.iter().filter(|path| **path != Path::Proxy);
    rule(others.any(|path| serves(*path, of_cpu, machine).is_ok()), "the CPU has no path for it either")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GpuLink;

    /// A machine that has all transports.
    fn machine() -> Machine {
        let mut machine = Machine::today(GpuLink::NvLink);
        for path in Path::ALL {
            machine.set_transport(*path, Ok(()));
        }
        machine
    }

    /// Catches a GPU that is sent to host memory that it cannot access, and one that is denied its own memory.
    #[test]
    fn a_gpu_needs_pinned_memory_where_an_end_is_in_host_memory() {
        let mut machine = machine();
        machine.kernels_reach_host = Err("host memory is not pinned".into());
        let class = Class::Mapped { atomics: true };
        let reaches = |path, operation, initiator, local, remote| {
            serves(path, Request { operation, initiator, local, remote, class }, &machine)
        };
        let not_pinned = Err(No::Lacks("host memory is not pinned"));
        let by_kernel =
            |operation, local, remote| reaches(Path::GpuDirect, operation, Initiator::Kernel, local, remote);
        assert_eq!(by_kernel(Operation::Put, LocalKind::Gpu, RemoteKind::Gpu), Ok(()));
        assert_eq!(by_kernel(Operation::Put, LocalKind::Pinned, RemoteKind::Gpu), not_pinned);
        assert_eq!(by_kernel(Operation::Put, LocalKind::Gpu, RemoteKind::Host), not_pinned);
        // An atomic operation has no local end.
        assert_eq!(by_kernel(Operation::Amo, LocalKind::Pinned, RemoteKind::Gpu), Ok(()));
        assert_eq!(by_kernel(Operation::Amo, LocalKind::Gpu, RemoteKind::Host), not_pinned);
        let by_agent = |local, remote| reaches(Path::GpuAgent, Operation::Put, Initiator::Cpu, local, remote);
        assert_eq!(by_agent(LocalKind::Pageable, RemoteKind::Gpu), Ok(()));
        assert_eq!(by_agent(LocalKind::Gpu, RemoteKind::Host), not_pinned);
    }

    /// Catches a staged copy that nobody handles at the other end.
    #[test]
    fn staging_needs_a_proxy_where_the_owner_has_a_step_to_make() {
        let mut machine = machine();
        machine.set_transport(Path::Proxy, Err("no proxy".into()));
        let staged = |local, remote, class| {
            let (operation, initiator) = (Operation::Put, Initiator::Cpu);
            serves(Path::Staged, Request { operation, initiator, local, remote, class }, &machine)
        };
        let no_proxy = Err(No::Needs(Path::Proxy, "no proxy"));
        assert_eq!(staged(LocalKind::Gpu, RemoteKind::Host, Class::Far), Ok(()));
        assert_eq!(staged(LocalKind::Pinned, RemoteKind::Gpu, Class::Far), no_proxy);
        assert_eq!(staged(LocalKind::Gpu, RemoteKind::Host, Class::Unmapped), no_proxy);
        assert_eq!(staged(LocalKind::Pinned, RemoteKind::Gpu, Class::Unmapped), no_proxy);
    }

    /// Catches commands for memory that kernels cannot name, copies that no kernel may ask for, and atomic operations
    /// on far GPU memory that are not sent to the owner, or whose refusal lacks the reason.
    #[test]
    fn kernels_ask_for_copies_of_heaps_that_they_do_not_reach() {
        let mut machine = machine();
        let asks = |machine: &Machine, operation, local, remote, class| {
            let request = Request { operation, initiator: Initiator::Kernel, local, remote, class };
            serves(Path::Proxy, request, machine).map_err(|no| no.to_string())
        };
        let only_atomics = Err("kernels ask for atomic operations on the host heap only".to_owned());
        let only_heaps = Err("kernels ask for memory of the heaps only".to_owned());
        machine.kernel_commands_beyond_heaps = only_heaps.clone();
        let ways = [(RemoteKind::Host, Class::Far), (RemoteKind::Gpu, Class::Far), (RemoteKind::Gpu, Class::Unmapped)];
        for (remote, class) in ways {
            for operation in [Operation::Put, Operation::Get, Operation::PutSignal] {
                machine.kernel_commands = Machine::today(GpuLink::Pcie).kernel_commands;
                assert_eq!(asks(&machine, operation, LocalKind::Gpu, remote, class), only_atomics);
                machine.kernel_commands = Ok(());
                assert_eq!(asks(&machine, operation, LocalKind::Gpu, remote, class), Ok(()));
                assert_eq!(asks(&machine, operation, LocalKind::Pinned, remote, class), Ok(()));
                assert_eq!(asks(&machine, operation, LocalKind::Pageable, remote, class), Err(PAGEABLE.to_owned()));
                assert_eq!(asks(&machine, operation, LocalKind::Gpu, RemoteKind::Globals, class), only_heaps);
            }
            assert_eq!(asks(&machine, Operation::Amo, LocalKind::Gpu, RemoteKind::Globals, class), only_heaps);
            assert_eq!(asks(&machine, Operation::Amo, LocalKind::Gpu, RemoteKind::Host, class), Ok(()));
            assert_eq!(asks(&machine, Operation::Amo, LocalKind::Gpu, RemoteKind::Gpu, class), Ok(()));
        }
        for class in [Class::Mapped { atomics: false }, Class::Unmapped, Class::Far] {
            let on_gpu = |machine: &Machine| asks(machine, Operation::Amo, LocalKind::Gpu, RemoteKind::Gpu, class);
            let mut lacking = machine.clone();
            lacking.set_transport(Path::GpuAgent, Err("no room for it".into()));
            assert_eq!(on_gpu(&lacking), Err("it needs gpu-agent: no room for it".to_owned()));
            lacking = machine.clone();
            lacking.set_transport(Path::Staged, Err("nobody is asked".into()));
            assert_eq!(on_gpu(&lacking), Err("it needs staged: nobody is asked".to_owned()));
        }
    }
}
