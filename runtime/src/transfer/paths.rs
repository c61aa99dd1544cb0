//! Which path a transfer takes: this machine, in the policy's terms, and the table that the policy makes of it.

use super::{Local, Operation, Transfer};
use crate::error::{ArgumentError, Cause, Error, Result};
use crate::job::{Job, Pe};
use crate::memory::{At, Memory, Remote, Segment};
use crate::sync::Sync;
use cushmem_path as path;
use cushmem_path::{
    ArrayAccess, BadOverride, Class, GpuLink, Initiator, LocalKind, Machine, Measured, Overrides, Path, Policy,
    RemoteKind, Request,
};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

type Found<T> = std::result::Result<T, ArgumentError>;

/// From this size on it matters whether memory is pinned.
const LEAST_ASKED: usize = 4 << 10;

/// The table of paths, and what it is made from.
pub(crate) struct Paths {
    overrides: Overrides,
    /// `CUSHMEM_COSTS`.
    measured: Measured,
    policy: RwLock<Policy>,
    /// Whether it was asked about an array.
    had_arrays: AtomicBool,
}

impl Paths {
    /// Builds the table from what this machine can do.
    pub(crate) fn new(
        job: &Job,
        sync: &Sync,
        memory: &Memory,
        overrides: Overrides,
        measured: Measured,
    ) -> Result<Self> {
        let machine = machine(job, sync, memory, &measured);
        let bad = |error: BadOverride| Error::new("choose paths", Cause::Environment(error.to_string()));
        overrides.check(&with_gpu_memory(&machine)).map_err(bad)?;
        let policy = Policy::new(&machine, &overrides);
        // The inline fast path does not ask the policy, and need not.
        debug_assert!(keeps_near(&policy), "nothing is quicker than loads and stores between host memories");
        Ok(Self { overrides, measured, policy: RwLock::new(policy), had_arrays: AtomicBool::new(false) })
    }

    /// Makes the table anew, once the GPUs are started.
    pub(crate) fn renew(&self, job: &Job, sync: &Sync, memory: &Memory) {
        let machine = machine(job, sync, memory, &self.measured);
        *self.policy.write().unwrap_or_else(PoisonError::into_inner) = Policy::new(&machine, &self.overrides);
    }

    /// The table.
    pub(crate) fn policy(&self) -> RwLockReadGuard<'_, Policy> {
        self.policy.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// How kernels access an array whose slots are not given.
    pub(crate) fn array(&self, remote: RemoteKind) -> ArrayAccess {
        self.had_arrays.store(true, Ordering::Relaxed);
        self.policy().array_access(remote)
    }

    /// What was said of arrays, if there were any; for `CUSHMEM_EXPLAIN`.
    pub(crate) fn arrays_in_words(&self) -> Option<String> {
        self.had_arrays.load(Ordering::Relaxed).then(|| self.policy().arrays_in_words())
    }

    /// Describes the costs that the table uses.
    pub(crate) fn costs(&self, memory: &Memory) -> String {
        let gpu = memory.opened_gpu().map(|gpu| gpu.properties()).filter(|gpu| !gpu.emulated);
        self.policy().machine().costs.table(gpu.map(|gpu| gpu.name.as_str()))
    }

    /// The path of a copy, and whether the user forced it. Between host memories it is known in advance, by loads and
    /// stores or the network.
    pub(super) fn path(
        &self,
        at: (&Job, &Memory),
        transfer: &Transfer,
        local: LocalKind,
        bytes: usize,
        remote: &Remote<'_>,
    ) -> Found<(Path, bool)> {
        match remote {
            Remote::Near(_) if local != LocalKind::Gpu => Ok((Path::Mapped, false)),
            Remote::Net(_) if local != LocalKind::Gpu => Ok((Path::Nic, false)),
            Remote::Unreachable(why) if transfer.remote.segment == Segment::Globals => {
                Err(ArgumentError::far_global(transfer.pe.number(), why))
            }
            // The table describes heaps. Registered memory has the path of a heap that the network reaches, and no
            // other but staging.
            Remote::Staged(_) | Remote::Net(_) if transfer.remote.segment.is_registered() => {
                let is_direct = at.1.is_on_network()
                    && matches!(self.choose(at, transfer, local, bytes, remote), Ok((Path::Gdr, _)));
                Ok((if is_direct { Path::Gdr } else { Path::Staged }, false))
            }
            Remote::Unreachable(why) if transfer.remote.segment.is_registered() => {
                let (pe, why) = (transfer.pe.number(), (*why).to_owned());
                Err(Error::new("copy", Cause::Unreachable { memory: "registered memory", pe, why }).into())
            }
            _ => self.choose(at, transfer, local, bytes, remote),
        }
    }

    /// The path of a copy from the table. If there is none, the error says why.
    fn choose(
        &self,
        (job, memory): (&Job, &Memory),
        transfer: &Transfer,
        local: LocalKind,
        bytes: usize,
        remote: &Remote<'_>,
    ) -> Found<(Path, bool)> {
        let operation = match transfer.operation {
            Operation::Get(..) => path::Operation::Get,
            _ => path::Operation::Put,
        };
        let (kind, name) = match transfer.remote.segment {
            Segment::Host | Segment::Network => (RemoteKind::Host, "host memory"),
            Segment::Gpu => (RemoteKind::Gpu, "GPU memory"),
            Segment::Globals => (RemoteKind::Globals, "the globals"),
            Segment::RegisteredHost if matches!(remote, Remote::Net(_)) => (RemoteKind::Host, "registered host memory"),
            Segment::RegisteredHost => (RemoteKind::Registered, "registered host memory"),
            Segment::RegisteredGpu => (RemoteKind::Gpu, "registered GPU memory"),
        };
        let class = class(job, memory, remote, transfer.pe);
        let request = Request { operation, initiator: Initiator::Cpu, local, remote: kind, class };
        let policy = self.policy();
        let chosen = policy.choose(request, bytes as u64).map(|path| (path, policy.wanted(request) == Some(path)));
        chosen.map_err(|refusal| {
            let pe = transfer.pe.number();
            let why = match remote {
                Remote::Unreachable(why) if transfer.remote.segment == Segment::Globals => {
                    return ArgumentError::far_global(pe, why);
                }
                Remote::Unreachable(why) => (*why).to_owned(),
                Remote::Staged(why) => format!("{why}; {}", policy.explain(refusal).reasons()),
                _ => policy.explain(refusal).reasons(),
            };
            Error::new("copy", Cause::Unreachable { memory: name, pe, why }).into()
        })
    }
}

/// The kind of the local end. For a few bytes, asking the driver takes longer than the copy.
pub(super) fn kind(memory: &Memory, local: &Local, bytes: usize, remote: &Remote<'_>) -> LocalKind {
    let address = local.address as u64;
    let asks = || bytes >= LEAST_ASKED && matches!(remote, Remote::Device(_));
    match local.on_gpu {
        true => LocalKind::Gpu,
        _ if memory.is_pinned_heap(address) => LocalKind::Pinned,
        _ if asks() && memory.is_pinned(address, bytes as u64) => LocalKind::Pinned,
        _ => LocalKind::Pageable,
    }
}

/// Whether the policy uses loads and stores for host memory that they reach, whatever the size.
fn keeps_near(policy: &Policy) -> bool {
    let requests = Request::all().filter(|request| {
        let near = matches!(request.class, Class::Own | Class::Mapped { atomics: true });
        let host = matches!(request.remote, RemoteKind::Host | RemoteKind::Globals);
        near && host && request.initiator == Initiator::Cpu && request.local != LocalKind::Gpu
    });
    requests.into_iter().all(|request| policy.steps(request).iter().all(|step| step.path == Path::Mapped))
}

/// This machine, in the policy's terms.
fn machine(job: &Job, sync: &Sync, memory: &Memory, measured: &Measured) -> Machine {
    // Of the links between GPUs, NVLink has native atomics, and PCIe seldom has.
    let by_nvlink = |pe| memory.gpu().is_none_or(|gpu| gpu.reach(pe).is_ok_and(|reach| reach.native_atomics));
    // GPUs of other nodes are not linked to this one.
    let mut here = job.pes().filter(|pe| job.place(*pe).is_some());
    let link = if memory.no_gpus().is_none() && here.all(by_nvlink) { GpuLink::NvLink } else { GpuLink::Pcie };
    let mut machine = Machine::today(link);
    if let Some(network) = sync.network().filter(|network| network.reaches_gpus()) {
        machine.costs.set_nic_distance(network.gpu_distance());
    }
    measured.apply(&mut machine.costs);
    if let Some(why) = memory.no_gpus() {
        machine.gpu = Err(Cause::NoGpu(why.to_owned()).to_string());
    }
    if sync.network().is_some() {
        machine.set_transport(Path::Nic, Ok(()));
    }
    if sync.network().is_some() || memory.gpu().is_some() {
        machine.set_transport(Path::Proxy, Ok(()));
    }
    if memory.gpu().is_some_and(|gpu| gpu.pes_on_my_gpu() > 1) {
        machine.agent_copies = Err("several PEs share this GPU, on which their kernels take turns".into());
    }
    // Between nodes, a thread copies through a buffer until there is a stage.
    if memory.is_far() || sync.network().is_some() {
        machine.set_transport(Path::Staged, Ok(()));
    }
    if memory.is_far() {
        machine.kernel_commands = Ok(());
    }
    if let Some(network) = sync.network() {
        let direct = match memory.gpu().filter(|_| memory.is_on_network()) {
            Some(gpu) => gpu.net().is_complete(),
            // As far as it is known before the GPUs are started.
            None if memory.gpu().is_none() && network.reaches_gpus() => Ok(()),
            None => Err("the network reaches no GPU memory".to_owned()),
        };
        machine.set_transport(Path::Gdr, direct);
    }
    machine.kernel_atomics_on_host = Err("a GPU's atomics on host memory lose updates of CPUs and other GPUs".into());
    for pe in job.pes() {
        for (segment, kind) in SEGMENTS {
            if !memory.has(segment) {
                continue;
            }
            let remote = memory.remote(At::new(segment, 0), pe);
            let why = if let Remote::Unreachable(why) | Remote::Staged(why) = &remote { Some(*why) } else { None };
            if let (Segment::Globals, Remote::Unreachable(why)) = (segment, &remote) {
                machine.far_globals = Err(format!("PE {} {why}", pe.number()));
            }
            machine.add_reach(kind, class(job, memory, &remote, pe), why);
        }
    }
    machine
}

/// A machine like this one, but with GPU memory, as far as it can be known in advance.
fn with_gpu_memory(machine: &Machine) -> Machine {
    let mut machine = machine.clone();
    if machine.gpu.is_ok() {
        machine.set_transport(Path::Proxy, Ok(()));
        machine.add_reach(RemoteKind::Gpu, Class::Own, None);
        machine.add_reach(RemoteKind::Gpu, Class::Mapped { atomics: true }, None);
        if machine.transport(Path::Nic).is_ok() {
            machine.add_reach(RemoteKind::Gpu, Class::Far, None);
        }
    }
    machine
}

const SEGMENTS: [(Segment, RemoteKind); 3] =
    [(Segment::Host, RemoteKind::Host), (Segment::Gpu, RemoteKind::Gpu), (Segment::Globals, RemoteKind::Globals)];

/// The class of a PE's memory, in the policy's terms.
pub(crate) fn class(job: &Job, memory: &Memory, remote: &Remote<'_>, pe: Pe) -> Class {
    match remote {
        _ if pe == job.me() => Class::Own,
        Remote::Near(_) => Class::Mapped { atomics: true },
        Remote::Device(_) => {
            let reach = memory.gpu().and_then(|gpu| gpu.reach(pe).ok());
            Class::Mapped { atomics: reach.is_some_and(|reach| reach.native_atomics) }
        }
        Remote::Attached(..) => Class::Attached,
        Remote::Net(_) => Class::Far,
        Remote::Staged(_) | Remote::Unreachable(_) if job.place(pe).is_some() => Class::Unmapped,
        Remote::Staged(_) | Remote::Unreachable(_) => Class::Far,
    }
}
