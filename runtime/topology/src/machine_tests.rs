//! Tests discovery on small file trees in temporary folders.

use super::*;
use cushmem_scratch::Folder;

/// Such a folder.
struct Tree(Folder);

impl Tree {
    fn new(allowed: &str) -> Tree {
        let tree = Tree(Folder::new("topology").unwrap());
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

fn lists(machine: &Machine) -> Vec<String> {
    machine.cores.iter().map(|core| core.cpus.to_string()).collect()
}

#[test]
fn siblings_make_one_core_and_nodes_order_the_cores() {
    // Two NUMA nodes of two cores with two threads each, numbered as on servers: the siblings' numbers are far apart,
    // and the nodes' numbers alternate.
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

/// Catches an offline CPU that counts as a core, to which a PE could not be bound.
#[test]
fn offline_cpus_are_no_cores() {
    let mut tree = Tree::new("0-7");
    for cpu in 0..2 {
        tree = tree.cpu(cpu, "0-1", 0);
    }
    let tree = tree.put("sys/devices/system/cpu/online", "0-2\n");
    assert_eq!(lists(&tree.discover().unwrap()), ["0-1", "2"]);
    let other = Tree::new("3-4").put("sys/devices/system/cpu/online", "0-2\n");
    assert_eq!(lists(&other.discover().unwrap()), ["3", "4"], "a list that cannot be this machine's");
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

/// Catches a limit that is missed because it is not set at the root of the hierarchy, where the machine itself has
/// none.
#[test]
fn the_smallest_quota_on_the_way_to_the_root_counts() {
    let of = |groups, files: &[(&str, &str)]| {
        let tree = Tree::new("0-7").put("proc/self/cgroup", groups);
        let tree = files.iter().fold(tree, |tree, (path, text)| tree.put(&format!("sys/fs/cgroup/{path}"), text));
        tree.discover().unwrap().quota_milli_cpus
    };
    let version_2 = [("a/cpu.max", "150000 100000"), ("a/b/cpu.max", "400000 100000"), ("c/cpu.max", "1 100000")];
    assert_eq!(of("0::/a/b\n", &version_2), Some(1500));
    assert_eq!(of("0::/a/b:c/not-seen-here\n", &version_2), Some(1500));
    assert_eq!(of("0::/b\n", &version_2), None);
    assert_eq!(of("0::/../a\n", &version_2), None, "outside of what this process sees");
    let version_1 = [
        ("cpu/cpu.cfs_quota_us", "-1\n"),
        ("cpu/cpu.cfs_period_us", "100000\n"),
        ("cpu/a/cpu.cfs_quota_us", "250000\n"),
        ("cpu/a/cpu.cfs_period_us", "100000\n"),
    ];
    assert_eq!(of("4:memory:/x\n2:cpu,cpuacct:/a/b\n0::/\n", &version_1), Some(2500));
    assert_eq!(of("4:memory:/a\n3:cpuset:/a\n2:cpu,cpuacct:/\n", &version_1), None);
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
