//! Described machines.

use cushmem_path::{
    Class, Cost, Figure, GpuLink, LocalKind, Machine, NOT_IN_THIS_VERSION, NicDistance, Path, RemoteKind,
};

const MAPPED: Class = Class::Mapped { atomics: true };
const NO_ATOMICS: Class = Class::Mapped { atomics: false };
const NO_NIC: &str = "libibverbs.so.1 was not found";
const NO_HOST_ATOMICS: &str =
    "this GPU's atomics on host memory are not atomic with the CPU's (no native host atomics)";

/// A name, and the machine with today's and with the planned transports.
pub struct Described {
    /// The name of its golden table.
    pub name: &'static str,
    /// The machine with what the library offers today.
    pub today: Machine,
    /// The machine with what is planned.
    pub planned: Machine,
}

/// All of them.
pub fn all() -> Vec<Described> {
    vec![
        described("nvlink-8-gpus", one_node(GpuLink::NvLink, MAPPED, None), NO_NIC),
        described(
            "pcie-4-gpus-without-p2p",
            one_node(GpuLink::Pcie, Class::Unmapped, Some("GPU 0 has no peer access to GPU 1")),
            NO_NIC,
        ),
        described("laptop", laptop(), NO_NIC),
        described("no-gpu", no_gpu(), NO_NIC),
        coherent_pair(),
        described(
            "nvlink-pair-without-atomics",
            one_node(GpuLink::NvLink, NO_ATOMICS, Some("the link between the GPUs has no native atomics")),
            NO_NIC,
        ),
        two_nodes("two-nodes-gpudirect", Ok(())),
        two_nodes(
            "two-nodes-without-gpudirect",
            Err("nvidia-peermem is not loaded, and the driver exports no dma-buf".into()),
        ),
    ]
}

/// PEs with a GPU each, of a C program that was linked by shmemcc, in this version after the GPUs were started.
fn one_node(link: GpuLink, peer_gpu: Class, why: Option<&str>) -> Machine {
    let mut machine = Machine::today(link);
    machine.set_transport(Path::Proxy, Ok(()));
    if peer_gpu == Class::Unmapped {
        staged(&mut machine);
    }
    machine.kernel_atomics_on_host = Err(NO_HOST_ATOMICS.into());
    for remote in [RemoteKind::Host, RemoteKind::Gpu, RemoteKind::Globals] {
        machine.add_reach(remote, Class::Own, None);
    }
    machine.add_reach(RemoteKind::Host, MAPPED, None);
    machine.add_reach(RemoteKind::Gpu, peer_gpu, why);
    machine.add_reach(RemoteKind::Globals, MAPPED, None);
    machine
}

/// Adds what this version provides if GPU memory of some PE is not mapped.
fn staged(machine: &mut Machine) {
    machine.set_transport(Path::Staged, Ok(()));
    machine.kernel_commands = Ok(());
}

/// Two PEs share the GPU. The program was linked by the system's compiler, so its globals are private.
fn laptop() -> Machine {
    let mut machine = one_node(GpuLink::Pcie, MAPPED, None);
    machine.reach.retain(|reach| (reach.remote, reach.class) != (RemoteKind::Globals, MAPPED));
    machine.add_reach(RemoteKind::Globals, Class::Attached, Some("the program was not linked by shmemcc"));
    machine
}

fn no_gpu() -> Machine {
    let mut machine = laptop();
    machine.set_transport(Path::Proxy, Err(NOT_IN_THIS_VERSION.into()));
    machine.gpu = Err("this job runs without GPUs (CUSHMEM_GPU=none)".into());
    machine.reach.retain(|reach| reach.remote != RemoteKind::Gpu);
    machine
}

/// Two GPUs, connected to each other and to the CPU by links with native atomics. The CPU has GPU memory mapped.
fn coherent_pair() -> Described {
    let mut today = one_node(GpuLink::NvLink, MAPPED, None);
    today.kernel_atomics_on_host = Ok(());
    let mut described = described("nvlink-pair-coherent", today, NO_NIC);
    described.planned.set_transport(Path::Bar, Ok(()));
    described
}

/// The plan on one node: everything except a NIC and GPU memory mapped for the CPU.
fn described(name: &'static str, today: Machine, no_nic: &str) -> Described {
    let mut planned = today.clone();
    for path in [Path::GpuAgent, Path::Staged, Path::Proxy] {
        planned.set_transport(path, Ok(()));
    }
    planned.set_transport(Path::Bar, Err("libgdrapi.so.2 was not found".into()));
    planned.set_transport(Path::Nic, Err(no_nic.into()));
    planned.set_transport(Path::Gdr, Err(no_nic.into()));
    planned.streams = Ok(());
    planned.kernel_commands = Ok(());
    planned.kernel_commands_beyond_heaps = Ok(());
    planned.attached_words = Ok(());
    planned.add_reach(RemoteKind::Registered, Class::Own, None);
    planned.add_reach(RemoteKind::Registered, Class::Attached, Some("a registered buffer stays the process's own"));
    Described { name, today, planned }
}

/// NVLink within a node, and a NIC that, according to this machine's tuner, is nearer to the CPU than to the GPU.
fn two_nodes(name: &'static str, gdr: Result<(), String>) -> Described {
    let mut today = one_node(GpuLink::NvLink, MAPPED, None);
    for remote in [RemoteKind::Host, RemoteKind::Gpu, RemoteKind::Globals] {
        today.add_reach(remote, Class::Far, None);
    }
    // This version's network requires host memory at both ends.
    today.set_transport(Path::Nic, Ok(()));
    staged(&mut today);
    let mut described = described(name, today, NOT_IN_THIS_VERSION);
    described.planned.add_reach(RemoteKind::Registered, Class::Far, None);
    described.planned.set_transport(Path::Nic, Ok(()));
    described.planned.set_transport(Path::Gdr, gdr);
    let tuned = Cost::new(300.0, 2_500.0, 12.0).expect("a cost");
    for from in LocalKind::ALL {
        for to in LocalKind::ALL {
            let figure = Figure { cost: tuned, source: "this machine's tuner".into() };
            described.planned.costs.set(Path::Gdr, *from, *to, figure);
        }
    }
    described
}

/// Nodes on which a NIC reads and writes GPU memory, as is planned: a name, and the machine.
pub fn with_gpudirect() -> Vec<(&'static str, Machine)> {
    let machine = |name, link, peer_gpu, nic: Result<NicDistance, &str>| {
        let mut planned = two_nodes(name, nic.map(drop).map_err(str::to_owned)).planned;
        let of_node = one_node(link, peer_gpu, None);
        planned.reach.retain(|reach| reach.class == Class::Far);
        planned.reach.extend(of_node.reach);
        planned.costs = of_node.costs;
        if let Ok(distance) = nic {
            planned.costs.set_nic_distance(distance);
        }
        (name, planned)
    };
    vec![
        machine("a NIC for each GPU", GpuLink::NvLink, MAPPED, Ok(NicDistance::Switch)),
        machine("two NICs and eight GPUs", GpuLink::NvLink, MAPPED, Ok(NicDistance::Node)),
        machine("NICs at the other socket", GpuLink::NvLink, MAPPED, Ok(NicDistance::Far)),
        machine("GPUs on PCI Express alone, NIC at their root", GpuLink::Pcie, Class::Unmapped, Ok(NicDistance::Root)),
        machine("without GPUDirect", GpuLink::Pcie, Class::Unmapped, Err("nvidia-peermem is not loaded")),
    ]
}
