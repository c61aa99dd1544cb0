//! How the test suites start `shmemrun`. It is done in one place, so that a whole run can be repeated with another
//! placement of PEs, or on virtual nodes.

use std::path::Path;
use std::process::Command;

/// A value of `shmemrun --map` for every job that a suite starts.
pub const MAP: &str = cushmem_environment::TEST_MAP.name;
/// The number of virtual nodes for every job that has at least as many PEs; other jobs have one node for each PE.
pub const NODES: &str = cushmem_environment::TEST_NODES.name;
/// `CUSHMEM_TEST_HOSTS`: names of hosts with commas between them. Jobs run on these, and those of one PE on the first.
pub const HOSTS: &str = cushmem_environment::TEST_HOSTS.name;
/// `CUSHMEM_TEST_OVERSUBSCRIBE`: set if jobs share the cores with others that run at the same time.
pub const OVERSUBSCRIBE: &str = cushmem_environment::TEST_OVERSUBSCRIBE.name;
/// `CUSHMEM_TEST_SHARED_GPU`: set for tests on CUDA whose PEs may share a GPU.
const SHARED_GPU: &str = cushmem_environment::TEST_SHARED_GPU.name;

/// A job of `n` PEs for tests: `program` is the `shmemrun` to use, and the test run chooses the placement. Do not use
/// this for jobs whose test is about the placement, or for calls that start no job.
///
/// # Panics
/// If the number of nodes is not a number.
pub fn shmemrun(program: &Path, n: u32) -> Command {
    if let Some(hosts) = given(HOSTS) {
        return on_hosts(program, n, &hosts);
    }
    let nodes = given(NODES).map(|text| text.parse().unwrap_or_else(|e| panic!("{NODES}: '{text}': {e}")));
    placed(program, n, given(MAP).as_deref(), nodes, given(OVERSUBSCRIBE).is_some())
}

/// A job of `n` PEs that are dealt out to as many of these hosts as it has PEs for. The hosts share the cores of this
/// machine.
fn on_hosts(program: &Path, n: u32, hosts: &str) -> Command {
    let names: Vec<&str> = hosts.split(',').collect();
    let used = (names.len() as u32).min(n).max(1);
    let of_host = |host: u32| n / used + u32::from(host < n % used);
    let list: Vec<String> =
        (0..used).map(|host| format!("{}:{}", names[host as usize], of_host(host).max(1))).collect();
    let mut command = Command::new(program);
    command.args(["-n", &n.to_string(), "--oversubscribe", "--hosts", &list.join(",")]);
    command
}

/// A job of `n` PEs on this many nodes, whatever the test run asks for. Neighbours share a node.
pub fn on_nodes(program: &Path, n: u32, nodes: u32) -> Command {
    on_this_host(placed(program, n, None, Some(nodes), given(OVERSUBSCRIBE).is_some()))
}

/// A job of `n` PEs on this many nodes, with the placement that the test run asks for.
pub fn placed_on_nodes(program: &Path, n: u32, nodes: u32) -> Command {
    on_this_host(placed(program, n, given(MAP).as_deref(), Some(nodes), given(OVERSUBSCRIBE).is_some()))
}

/// The PEs of this job know that it is not on the hosts of other jobs.
fn on_this_host(mut job: Command) -> Command {
    job.env_remove(HOSTS);
    job
}

/// A job of `n` PEs that reach all memory of each other by loads and stores, whatever the test run asks for. It is for
/// tests of what only such jobs do.
pub fn mapped(program: &Path, n: u32) -> Command {
    let mut command = on_nodes(program, n, 1);
    command.env_remove(cushmem_environment::P2P.name);
    command
}

/// Whether jobs on CUDA may have more PEs than there are GPUs. Kernels of PEs that share a GPU take turns in time
/// slices, so kernels that wait for each other are slow.
pub fn shares_gpus() -> bool {
    given(SHARED_GPU).is_some()
}

/// Whether the run asks for a placement of its own, for nodes or for hosts.
pub fn is_placed() -> bool {
    [MAP, NODES, HOSTS].into_iter().any(|variable| given(variable).is_some())
}

/// Whether jobs run on several hosts; in a PE, whether its own does. A PE can then neither ask `shmemrun --status` nor
/// send signals to all others.
pub fn is_on_hosts() -> bool {
    given(HOSTS).is_some()
}

/// Whether the network between nodes is like TCP: it needs the processes of targets, and copies in any pieces
/// (docs/networks.md).
pub fn network_is_like_tcp() -> bool {
    let net = given(cushmem_environment::NET.name);
    net.map_or(given(HOSTS).is_some(), |net| net.starts_with("loopback:tcp") || net.starts_with("ofi"))
}

fn given(variable: &str) -> Option<String> {
    std::env::var(variable).ok().filter(|value| !value.is_empty())
}

fn placed(program: &Path, n: u32, map: Option<&str>, nodes: Option<u32>, oversubscribe: bool) -> Command {
    let mut command = Command::new(program);
    command.args(["-n", &n.to_string()]);
    if oversubscribe {
        command.arg("--oversubscribe");
    }
    if let Some(map) = map {
        command.args(["--map", map]);
    }
    if let Some(nodes) = nodes.map(|nodes| nodes.min(n)).filter(|nodes| *nodes > 1) {
        command.args(["--nodes", &nodes.to_string()]);
    }
    command
}

/// A path as a word of a shell's command, whatever characters it has.
pub fn word(path: &Path) -> String {
    format!("'{}'", path.to_string_lossy().replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;

    #[test]
    fn jobs_follow_the_variables() {
        let words = |n, map, nodes| {
            let command = placed(Path::new("shmemrun"), n, map, nodes, false);
            command.get_args().map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(words(3, None, None), "-n 3");
        assert_eq!(words(3, Some("random:1"), Some(1)), "-n 3 --map random:1");
        assert_eq!(words(3, None, Some(2)), "-n 3 --nodes 2");
        assert_eq!(words(3, None, Some(4)), "-n 3 --nodes 3");
        assert_eq!(words(1, None, Some(4)), "-n 1");
        let command = placed(Path::new("shmemrun"), 2, None, None, true);
        assert!(command.get_args().eq(["-n", "2", "--oversubscribe"]));
        // Otherwise its PEs would leave out what cannot be checked on several hosts.
        let forgets_hosts = |job: Command| job.get_envs().any(|pair| pair == (OsStr::new(HOSTS), None));
        let program = Path::new("shmemrun");
        assert!(forgets_hosts(on_nodes(program, 3, 2)) && forgets_hosts(placed_on_nodes(program, 3, 2)));
        assert!(forgets_hosts(mapped(program, 3)) && !forgets_hosts(placed(program, 3, None, None, false)));
    }

    #[test]
    fn a_word_stays_one() {
        assert_eq!(word(Path::new("/tmp/a b")), "'/tmp/a b'");
        assert_eq!(word(Path::new("it's $1")), r"'it'\''s $1'");
    }
}
