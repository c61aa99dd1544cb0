//! The jobs that measure, and how they are started.

use crate::said::{Found, Said};
use cushmem_environment as environment;
use std::path::PathBuf;
use std::process::Command;

/// Time limit of a job in seconds. The longest job takes about ten on an emulated GPU.
const LIMIT_S: &str = "120";

/// What is said instead of a GPU's name if it is emulated.
pub const EMULATED: &str = "emulated";

/// What is measured in one job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Job {
    /// Between host memories of a node. This job also reports which GPU there is.
    Host,
    Engine,
    Agent,
    Stream,
    /// Copies by single threads of kernels: their own, and those of the command processor.
    Threads,
    /// Between GPUs of a node, with peer access turned off.
    Staged,
    /// Between host memories of two nodes.
    Network,
    /// Between GPUs of two nodes, through host memory.
    FarStaged,
    /// Between GPUs of two nodes, by the network itself.
    Direct,
}

impl Job {
    /// All jobs, in the order in which they run.
    pub const ALL: &[Self] = &[
        Self::Host,
        Self::Engine,
        Self::Agent,
        Self::Stream,
        Self::Threads,
        Self::Staged,
        Self::Network,
        Self::FarStaged,
        Self::Direct,
    ];

    fn word(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Engine => "engine",
            Self::Agent => "agent",
            Self::Stream => "stream",
            Self::Threads => "threads",
            Self::Staged => "staged",
            Self::Network => "network",
            Self::FarStaged => "far-staged",
            Self::Direct => "direct",
        }
    }

    /// The paths that it measures.
    pub fn measures(self) -> &'static str {
        match self {
            Self::Host => "mapped, cross-memory",
            Self::Engine => "copy-engine",
            Self::Agent => "gpu-agent",
            Self::Stream => "launch, gpu-direct",
            Self::Threads => "thread-put, thread-get, processor-put, processor-get",
            Self::Staged => "staged-here",
            Self::Network => "nic",
            Self::FarStaged => "staged",
            Self::Direct => "gdr",
        }
    }

    /// Its `CUSHMEM_PATH`: the path that carries every operation that it can.
    fn path(self) -> Option<&'static str> {
        match self {
            Self::Engine => Some("copy-engine"),
            Self::Agent => Some("gpu-agent"),
            Self::Stream => Some("stream=gpu-direct"),
            Self::FarStaged => Some("staged"),
            Self::Direct => Some("gdr"),
            // No other path can carry what these jobs measure.
            Self::Host | Self::Threads | Self::Staged | Self::Network => None,
        }
    }

    /// The reason against running the job, if there is one.
    pub fn reason_against(self, nodes: Option<u32>, gpu: Option<&Result<String, String>>) -> Option<String> {
        match self {
            Self::Host => None,
            Self::Network | Self::FarStaged | Self::Direct if nodes.is_none() => {
                Some("--nodes 2 measures it".to_owned())
            }
            Self::Network => None,
            Self::Direct => gpu?.as_ref().map_or_else(|why| Some(why.clone()), |gpu| against_direct(gpu)),
            Self::Threads if gpu?.is_ok() && !environment::command_processor().unwrap_or(false) => {
                Some(format!("{}=1 measures it", environment::COMMAND_PROCESSOR.name))
            }
            Self::Engine | Self::Agent | Self::Threads | Self::Stream | Self::Staged | Self::FarStaged => {
                gpu?.as_ref().err().cloned()
            }
        }
    }

    /// Runs the job and adds what it reports. If the job fails, that is recorded as the reason why its paths are
    /// absent. An error means that no job can be started.
    pub fn run(self, pes: u32, nodes: Option<u32>, quick: bool, found: &mut Found) -> Result<(), String> {
        let program = std::env::current_exe().map_err(|error| format!("find this program: {error}"))?;
        let beside = program.with_file_name("shmemrun");
        let shmemrun = if beside.exists() { beside } else { PathBuf::from("shmemrun") };
        let mut job = Command::new(&shmemrun);
        // Settings that the user made for other jobs would affect the measurement.
        for variable in
            [&environment::PATH, &environment::COSTS, &environment::EXPLAIN, &environment::CHECK, &environment::P2P]
        {
            job.env_remove(variable.name);
        }
        if let Some(path) = self.path() {
            job.env(environment::PATH.name, path);
        }
        if self == Self::Staged {
            job.env(environment::P2P.name, "0");
        }
        job.args(["-n", &pes.to_string(), "--timeout", LIMIT_S]);
        if let Some(nodes) = nodes.filter(|_| matches!(self, Self::Network | Self::FarStaged | Self::Direct)) {
            job.args(["--nodes", &nodes.to_string()]);
        }
        job.arg(program).args(["--measure", self.word()]).args(quick.then_some("--quick"));
        let output = job.output().map_err(|error| format!("start {}: {error}", shmemrun.display()))?;
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let said: Said =
                serde_json::from_str(line).map_err(|error| format!("read what a PE said, `{line}`: {error}"))?;
            found.add(said);
        }
        if !output.status.success() {
            let errors = String::from_utf8_lossy(&output.stderr);
            found.failed += 1;
            found.absent(
                self.measures(),
                &format!("the job failed: {}", errors.lines().next().unwrap_or("it printed no reason")),
            );
        }
        Ok(())
    }
}

/// Why the network between nodes (`CUSHMEM_NET`) reaches no memory of these GPUs, if it does not.
fn against_direct(gpu: &str) -> Option<String> {
    let net = std::env::var(environment::NET.name).unwrap_or_else(|_| "loopback".to_owned());
    match net.split(':').next() {
        Some("verbs") => None,
        Some("loopback") if gpu == EMULATED => None,
        _ => Some(format!("the network `{net}` reaches no GPU memory")),
    }
}
