//! Which path carries each operation of PE 0 in the job described on the command line, and why no other path does. For
//! a running job, `shmemrun --explain` prints the same. A test compares the two.

use crate::gpus::{Gpus, Link};
use cushmem_environment as environment;
use cushmem_path::{
    Class, Explanation, GpuLink, Machine, Measured, Overrides, Path, Policy, RemoteKind, State, Verdict,
};
use serde::Serialize;

const HEADING: &str = "Paths (with --paths)";

/// The described job.
#[derive(clap::Args, Clone, Debug)]
pub struct Job {
    /// Show which path carries each operation in a job, what it costs, and why no other is taken
    #[arg(long, help_heading = HEADING)]
    pub paths: bool,

    /// Number of PEs in the job
    #[arg(short = 'n', long, value_name = "N", default_value_t = 2, requires = "paths", help_heading = HEADING,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(environment::MAX_PES)))]
    pub pes: u32,

    /// Number of nodes in the job, each with neighbouring PEs, as with --nodes of shmemrun
    #[arg(long, value_name = "K", default_value_t = 1, requires = "paths", help_heading = HEADING,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(environment::MAX_PES)))]
    pub nodes: u32,

    /// The program is a C or C++ program linked by shmemcc, so PEs put to and get from its globals
    #[arg(long, requires = "paths", help_heading = HEADING)]
    pub globals: bool,

    /// Assume that no GPU can access the memory of another one, whatever the driver says
    #[arg(long, requires = "paths", help_heading = HEADING)]
    pub no_peer_access: bool,
}

/// The answer. The field names are the keys of the JSON.
#[derive(Serialize)]
pub struct Answer {
    pub pes: u32,
    pub nodes: u32,
    /// What PEs use: `cuda`, `soft` or `none`.
    pub gpus: &'static str,
    pub rows: Vec<Row>,
    #[serde(skip)]
    text: String,
}

/// A row of the table.
#[derive(Serialize)]
pub struct Row {
    pub operation: &'static str,
    pub initiator: &'static str,
    /// The kind of memory at this PE's end, and at the other end.
    pub local: &'static str,
    pub remote: &'static str,
    pub class: &'static str,
    /// Paths that are taken come first, in the order of size.
    pub paths: Vec<Judged>,
}

/// A path, and whether this row takes it.
#[derive(Serialize)]
pub struct Judged {
    pub path: &'static str,
    /// `taken`, `dearer`, `spare` (used only where no other path works), `overridden` (by `CUSHMEM_PATH`) or `cannot`.
    pub state: &'static str,
    /// The fewest and the most bytes for which it is taken; no upper limit without `most_bytes`.
    pub least_bytes: Option<u64>,
    pub most_bytes: Option<u64>,
    /// Predicted time of `n` bytes: `start_ns + n / gb_s`.
    pub start_ns: Option<f64>,
    pub gb_s: Option<f64>,
    /// Where the prediction comes from.
    pub source: Option<String>,
    /// For copies that are split: the most bytes of a chunk, and the number of chunks in flight to a PE.
    pub chunk_bytes: Option<usize>,
    pub chunks: Option<usize>,
    /// Why it cannot carry the operation.
    pub why: Option<String>,
}

impl Job {
    /// The table of this job. The error says what is wrong with the description, or with a variable.
    pub fn answer(&self, gpus: &Gpus) -> Result<Answer, String> {
        let p2p = environment::p2p().map_err(|error| error.to_string())?;
        let mut machine = self.machine(gpus, p2p)?;
        let overrides = environment::path().map_err(|error| error.to_string())?.unwrap_or_default();
        let overrides = Overrides::parse(&overrides).map_err(|error| error.to_string())?;
        overrides.check(&machine).map_err(|error| error.to_string())?;
        let costs = environment::costs().map_err(|error| error.to_string())?;
        let costs = costs.map_or(Ok(Measured::default()), |(file, text)| Measured::parse(&file, &text));
        let costs = costs.map_err(|error| error.to_string())?;
        costs.apply(&mut machine.costs);
        let policy = Policy::new(&machine, &overrides);
        let kind = gpus.chosen.unwrap_or("none");
        let count = |n: u32, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let head = format!(
            "paths of PE 0 in a job of {} on {}; GPUs: {kind} ({})",
            count(self.pes, "PE"),
            count(self.nodes, "node"),
            gpus.chosen_because
        );
        let gpu = gpus.devices.first().filter(|_| kind == "cuda").map(|gpu| gpu.name.as_str());
        let table = machine.costs.table(gpu);
        let text = format!("{head}\n{table}\n\n{policy}\nrow by row\n\n{}", policy.explain_all());
        let rows = policy.rows().map(|row| Row::from(policy.explain(row))).collect();
        Ok(Answer { pes: self.pes, nodes: self.nodes, gpus: kind, rows, text })
    }

    /// The machine, described to the policy as the library would describe it once the job's GPUs have started.
    /// Without `p2p` (`CUSHMEM_P2P`), no PE reaches the GPU memory of another one.
    fn machine(&self, gpus: &Gpus, p2p: bool) -> Result<Machine, String> {
        let Self { pes, nodes, .. } = *self;
        if nodes > pes {
            return Err(format!("--nodes {nodes}: each node needs a PE, so with {pes} PEs there are 1 to {pes} nodes"));
        }
        let kind = gpus.chosen.ok_or_else(|| format!("PEs could not start: {}", gpus.chosen_because))?;
        // The PEs of PE 0's node, as the launcher divides them.
        let peers: Vec<Peer> = (1..pes.div_ceil(nodes)).map(|pe| self.peer(pe, kind, gpus, p2p)).collect();
        let has_gpus = kind != "none";
        let by_nvlink = has_gpus && peers.iter().all(|peer| peer.class == Class::Mapped { atomics: true });
        let mut machine = Machine::today(if by_nvlink { GpuLink::NvLink } else { GpuLink::Pcie });
        machine.kernel_atomics_on_host =
            Err("a GPU's atomics on host memory lose updates of CPUs and other GPUs".into());
        if !has_gpus {
            machine.gpu = Err(format!("this job runs without GPUs ({})", gpus.chosen_because));
        }
        if nodes > 1 {
            machine.set_transport(Path::Nic, Ok(()));
        }
        if nodes > 1 || has_gpus {
            machine.set_transport(Path::Proxy, Ok(()));
        }
        if has_gpus && (nodes > 1 || peers.iter().any(|peer| peer.class == Class::Unmapped)) {
            machine.set_transport(Path::Staged, Ok(()));
            machine.kernel_commands = Ok(());
        }
        let mut kinds = vec![RemoteKind::Host];
        kinds.extend(has_gpus.then_some(RemoteKind::Gpu));
        kinds.extend(self.globals.then_some(RemoteKind::Globals));
        for remote in kinds {
            machine.add_reach(remote, Class::Own, None);
            for peer in &peers {
                match remote {
                    RemoteKind::Gpu => machine.add_reach(remote, peer.class, peer.why.as_deref()),
                    _ => machine.add_reach(remote, Class::Mapped { atomics: true }, None),
                }
            }
            if nodes > 1 {
                let why = (remote == RemoteKind::Gpu).then_some("it is on another node");
                machine.add_reach(remote, Class::Far, why);
            }
        }
        Ok(machine)
    }

    /// How PE 0 reaches the GPU memory of a PE of its node. PE `p` uses GPU `p` modulo the number of GPUs.
    fn peer(&self, pe: u32, kind: &str, gpus: &Gpus, p2p: bool) -> Peer {
        let own = Peer { class: Class::Mapped { atomics: true }, why: None };
        let apart =
            |to: u32| Peer { class: Class::Unmapped, why: Some(format!("GPU 0 has no peer access to GPU {to}")) };
        match (kind, gpus.devices.len() as u32) {
            ("cuda" | "soft", _) if !p2p => {
                Peer { class: Class::Unmapped, why: Some(format!("{}=0", environment::P2P.name)) }
            }
            ("cuda", devices) if devices > 0 && pe.is_multiple_of(devices) => own,
            ("cuda", devices) if devices > 0 => {
                let to = pe % devices;
                match gpus.links.iter().find(|link| (link.from, link.to) == (0, to)) {
                    Some(Link { peer_access: true, native_atomics, .. }) if !self.no_peer_access => {
                        Peer { class: Class::Mapped { atomics: *native_atomics }, why: None }
                    }
                    _ => apart(to),
                }
            }
            ("soft", _) if self.no_peer_access => apart(pe),
            _ => own,
        }
    }
}

/// How the GPU memory of a PE is reached.
struct Peer {
    class: Class,
    why: Option<String>,
}

impl Answer {
    /// The table as text.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl From<Explanation> for Row {
    fn from(explanation: Explanation) -> Self {
        let request = explanation.request;
        Self {
            operation: request.operation.word(),
            initiator: request.initiator.word(),
            local: request.local.word(),
            remote: request.remote.word(),
            class: request.class.word(),
            paths: explanation.verdicts.into_iter().map(Judged::from).collect(),
        }
    }
}

impl From<Verdict> for Judged {
    fn from(Verdict { path, state, cost, chunks }: Verdict) -> Self {
        let (word, sizes, why) = match state {
            State::Taken { from, up_to } => ("taken", Some((from, up_to)), None),
            State::Dearer => ("dearer", None, None),
            State::Spare => ("spare", None, None),
            State::Overridden(by) => ("overridden", None, Some(format!("CUSHMEM_PATH asks for {by}"))),
            State::Cannot(why) => ("cannot", None, Some(why)),
        };
        Self {
            path: path.word(),
            state: word,
            least_bytes: sizes.map(|(from, _)| from),
            most_bytes: sizes.map(|(_, up_to)| up_to).filter(|most| *most < u64::MAX),
            start_ns: cost.as_ref().map(|figure| figure.cost.start_ns()),
            gb_s: cost.as_ref().map(|figure| figure.cost.bytes_per_ns()).filter(|gb_s| *gb_s < f64::MAX),
            source: cost.map(|figure| figure.source.into_owned()),
            chunk_bytes: chunks.map(|chunks| chunks.bytes),
            chunks: chunks.map(|chunks| chunks.depth),
            why,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpus::{Device, Emulated};

    /// Two GPUs that PEs would use, with these properties of the link from the first to the second.
    fn gpus(peer_access: bool, native_atomics: bool) -> Gpus {
        let device = |ordinal| Device {
            ordinal,
            name: "a GPU".into(),
            uuid: String::new(),
            compute_capability: "9.0".into(),
            memory_bytes: 1 << 30,
            sm_count: 1,
            pci: None,
            numa_node: None,
            lacks: None,
        };
        let emulated =
            Emulated { available: false, reason: None, sm_count: 0, memory_bytes: 0, address_space_bytes: 0 };
        Gpus {
            cuda_driver: None,
            reason: None,
            devices: vec![device(0), device(1)],
            links: vec![Link { from: 0, to: 1, peer_access, native_atomics, performance_rank: 0 }],
            emulated,
            chosen: Some("cuda"),
            chosen_because: "this test".into(),
        }
    }

    /// Catches a PE that is assigned another GPU than the launcher would assign, confused links, and an option without
    /// effect.
    #[test]
    fn the_links_between_the_gpus_decide() {
        let job = Job { paths: true, pes: 3, nodes: 1, globals: false, no_peer_access: false };
        let classes = |job: &Job, gpus: &Gpus| {
            let machine = job.machine(gpus, true).expect("the job can be");
            let of_gpus = machine.reach.iter().filter(|reach| reach.remote == RemoteKind::Gpu);
            let classes: Vec<&str> = of_gpus.map(|reach| reach.class.word()).collect();
            (classes.join(" "), machine.transport(Path::Staged).is_ok())
        };
        // PE 2 has the GPU of PE 0.
        assert_eq!(classes(&job, &gpus(true, true)), ("own mapped".into(), false));
        assert_eq!(classes(&job, &gpus(true, false)), ("own mapped-without-atomics mapped".into(), false));
        assert_eq!(classes(&job, &gpus(false, false)), ("own unmapped mapped".into(), true));
        let apart = Job { no_peer_access: true, ..job.clone() };
        assert_eq!(classes(&apart, &gpus(true, true)), ("own unmapped mapped".into(), true));
        // The first node has two of the three PEs.
        let two = Job { nodes: 2, ..job.clone() };
        assert_eq!(classes(&two, &gpus(true, true)), ("own mapped far".into(), true));
        let three = Job { nodes: 3, ..job };
        assert_eq!(classes(&three, &gpus(true, true)), ("own far".into(), true));
    }
}
