//! Discovery on small trees in temporary folders.

use super::*;
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder that is removed at the end of the test.
struct Tree(PathBuf);

impl Tree {
    fn new(allowed: &str) -> Tree {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        // Relaxed: only the number has to be unique.
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let tree = Tree(std::env::temp_dir().join(format!("cushmem-topology-{}-{number}", std::process::id())));
        tree.put("proc/self/status", &format!("Name:\tx\nCpus_allowed:\tff\nCpus_allowed_list:\t{allowed}\n"))
    }

    fn put(self, path: &str, text: &str) -> Tree {
        let path = self.0.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    fn cpu(self, cpu: u32, siblings: &str, package: u32) -> Tree {
        let folder = format!("sys/devices/system/cpu/cpu{cpu}/topology");
        self.put(&format!("{folder}/core_cpus_list"), siblings)
            .put(&format!("{folder}/physical_package_id"), &package.to_string())
    }

    fn discover(&self) -> Result<Machine, TopologyError> {
        Machine::discover(&self.0)
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn lists(machine: &Machine) -> Vec<String> {
    machine.cores.iter().map(|core| core.cpus.to_string()).collect()
}

#[test]
fn siblings_make_one_core_and_nodes_order_the_cores() {
    // Two nodes of two cores with two threads each, numbered as servers do: siblings far apart, nodes interleaved.
    let mut tree = Tree::new("0-7").put("sys/devices/system/node/online", "0-1\n");
    for cpu in 0..8 {
        tree = tree.cpu(cpu, &format!("{},{}", cpu % 4, cpu % 4 + 4), cpu % 2);
    }
    let tree = tree
        .put("sys/devices/system/node/node0/cpulist", "0,2,4,6\n")
        .put("sys/devices/system/node/node1/cpulist", "1,3,5,7\n");
    let machine = tree.discover().unwrap();
    assert_eq!(lists(&machine), ["0,4", "2,6", "1,5", "3,7"]);
    assert_eq!(machine.cores.iter().map(|core| core.numa_node).collect::<Vec<_>>(), [0, 0, 1, 1]);
    assert_eq!(machine.usable_cpus(), 8);
}

#[test]
fn only_allowed_threads_count() {
    let mut tree = Tree::new("1,5,6");
    for cpu in 0..8 {
        tree = tree.cpu(cpu, &format!("{},{}", cpu % 4, cpu % 4 + 4), 0);
    }
    assert_eq!(lists(&tree.discover().unwrap()), ["1,5", "6"]);
}

#[test]
fn without_topology_each_cpu_is_a_core_of_node_0() {
    let machine = Tree::new("3-4").discover().unwrap();
    assert_eq!(lists(&machine), ["3", "4"]);
    assert!(machine.cores.iter().all(|core| core.numa_node == 0 && core.package == 0));
}

#[test]
fn old_kernels_name_for_siblings_is_understood() {
    let tree = Tree::new("0-1").put("sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0-1");
    assert_eq!(lists(&tree.discover().unwrap()), ["0-1"]);
}

#[test]
fn quota_limits_what_is_usable() {
    let with = |text| Tree::new("0-7").put("sys/fs/cgroup/cpu.max", text).discover();
    assert_eq!(with("150000 100000\n").unwrap().usable_cpus(), 2);
    assert_eq!(with("max 100000\n").unwrap().usable_cpus(), 8);
    assert_eq!(with("100 100000\n").unwrap().usable_cpus(), 1);
    for nonsense in ["lots 0\n", "lots 100000\n", "150000 0\n", "150000\n"] {
        assert!(with(nonsense).unwrap_err().to_string().contains("cpu.max"), "{nonsense}");
    }
}

#[test]
fn errors_name_the_file() {
    let tree = Tree::new("0").put("sys/devices/system/cpu/cpu0/topology/core_cpus_list", "zero");
    let message = tree.discover().unwrap_err().to_string();
    assert!(message.contains("core_cpus_list: 'zero' is not a CPU"), "{message}");
    assert!(Tree::new("").discover().unwrap_err().to_string().contains("is empty"));
    assert!(Machine::discover(Path::new("/nonexistent")).unwrap_err().to_string().contains("read /nonexistent/proc"));
}

#[test]
fn this_machine_can_be_discovered() {
    assert!(!Machine::discover(Path::new("/")).unwrap().cores.is_empty());
}
