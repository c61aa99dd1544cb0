//! Which ports processes use, on machines that a device of tests describes.

use super::*;
use crate::verbs::mock::Machine;
use cushmem_scratch::Folder;

/// The number of the device that a process uses, from what is said of it.
fn device_of(side: &Rails<Verbs>) -> String {
    side.description().split([' ', ',']).nth(5).expect("a name").to_owned()
}

/// Processes of a machine take its devices in turn, and only those that the user names.
#[test]
fn processes_take_devices_in_turn() {
    let machine = Machine::here();
    machine.lock().devices = vec![c"mock0".to_owned(), c"mock1".to_owned(), c"mock2".to_owned()];
    let find = |list: &str| VerbsPorts::find(&VerbsSettings { device: list.to_owned(), ..mock() });
    let device = |list: &str, number: usize| {
        let ports = find(list)?;
        let (cards, here) = (vec![ports.card(); 8], (0..=number).collect::<Vec<_>>());
        ports.open(&cards, &here, number).map(|side| device_of(&side))
    };
    let all = [0, 1, 2, 3].map(|number| device("", number).expect("open"));
    assert_eq!(all, ["mock0", "mock1", "mock2", "mock0"]);
    let two = [0, 1, 2].map(|number| device("mock2,mock1:1", number).expect("open"));
    assert_eq!(two, ["mock1", "mock2", "mock1"]);
    let why = device("mock1:2", 0).expect_err("it has one port");
    assert_eq!(why, "no port is active of those that `mock1:2` names");
    assert!(device("mock1,mock7", 0).expect_err("it has no such").starts_with("there is no device `mock7`"));
    let ports = find("").expect("find");
    let why = ports.open(&[vec![9]], &[0], 0).err().expect("it is malformed");
    assert_eq!(why, "what peer 0 says of its ports has 1 bytes that describe no process");
}

/// What the system says of a machine: where its devices for InfiniBand are, and other PCI devices. A path begins with
/// the number of the NUMA node.
fn described(name: &str, devices: &[(&str, &str)], others: &[&str]) -> Folder {
    let root = Folder::new(name).expect("a folder");
    let place = |path: &str| {
        let (node, path) = path.split_once('/').expect("a node");
        let folder = root.join("devices").join(path);
        std::fs::create_dir_all(&folder).expect("make a folder");
        std::fs::write(folder.join("numa_node"), node).expect("write");
        folder
    };
    let link = |to: &std::path::Path, at: std::path::PathBuf| {
        std::fs::create_dir_all(at.parent().expect("a folder")).expect("make a folder");
        std::os::unix::fs::symlink(to, at).expect("link");
    };
    for (device, path) in devices {
        link(&place(path), root.join("class/infiniband").join(device).join("device"));
    }
    for path in others {
        let folder = place(path);
        let name = folder.file_name().expect("a name").to_owned();
        link(&folder, root.join("bus/pci/devices").join(name));
    }
    root
}

/// A process uses the device that is behind the switch of its GPU; and what is seen of all devices.
#[test]
fn a_process_uses_the_device_of_its_gpu() {
    let machine = Machine::here();
    let devices =
        [("mock0", "0/pci0000:00/0000:00:01.0/0000:01:00.0"), ("mock1", "1/pci0000:80/0000:80:01.0/0000:81:00.0")];
    let gpus = ["0/pci0000:00/0000:00:01.0/0000:02:00.0", "1/pci0000:80/0000:80:01.0/0000:82:00.0"];
    let root = described("gpus", &devices, &gpus);
    machine.lock().devices = vec![c"mock0".to_owned(), c"mock1".to_owned()];
    machine.lock().sys = root.to_path_buf();
    let find = |gpu: &str, device: &str| {
        VerbsPorts::find(&VerbsSettings { gpu: Some(gpu.to_owned()), device: device.to_owned(), ..mock() })
    };
    let ports = find("0000:82:00.0", "mock0").expect("find");
    let own = ports.card();
    let far = ports.open(&[own], &[0], 0).expect("open");
    assert_eq!(far.gpu_distance(), Some(Distance::Far));
    for (gpu, expected) in [("0000:82:00.0", "mock1"), ("0000:02:00.0", "mock0")] {
        let ports = find(gpu, "").expect("find");
        let (device, port, why) = ports.choice().expect("there is one");
        assert_eq!((device, port, &*why), (expected, 1, "behind the same PCI switch as its GPU, one of 2"));
        let own = ports.card();
        let side = ports.open(&[own], &[0], 0).expect("open");
        assert_eq!(device_of(&side), expected);
        assert_eq!(side.gpu_distance(), Some(Distance::Switch));
    }
    let ports = VerbsPorts::find(&VerbsSettings { device: "mock1".to_owned(), ..mock() }).expect("find");
    assert_eq!(ports.all()[0].model, "0x0000:0, firmware 1.2");
    let seen = |port: &VerbsPort| {
        let VerbsPort { device, port, state, layer, gbit, atomics, refused, .. } = port;
        let node = port_node(ports.all(), device);
        format!("{device}:{port} {state} {layer} {gbit} {atomics} node {node:?} {refused:?}")
    };
    let all: Vec<String> = ports.all().iter().map(seen).collect();
    assert_eq!(
        all,
        [
            "mock0:1 active RoCE 200 with this device node Some(0) \
             Some(\"it is not one of those that CUSHMEM_NICS or CUSHMEM_NET names\")",
            "mock1:1 active RoCE 200 with this device node Some(1) None",
        ]
    );
}

fn port_node(all: &[VerbsPort], device: &str) -> Option<u32> {
    all.iter().find(|port| port.device == device).expect("it is there").numa_node()
}

/// All processes of a job use ports of a kind that each of them has. Where there is none, the start ends with a line.
#[test]
fn ports_of_two_kinds_are_told_apart() {
    let machine = Machine::here();
    machine.lock().devices = vec![c"mock0".to_owned(), c"mock1".to_owned()];
    machine.lock().infiniband = vec![1];
    let find = |list: &str| VerbsPorts::find(&VerbsSettings { device: list.to_owned(), ..mock() }).expect("find");
    for (first, second, expected) in
        [("", "mock0", "mock0 mock0"), ("", "mock1", "mock1 mock1"), ("", "", "mock1 mock1")]
    {
        let ports = [find(first), find(second)];
        let cards: Vec<_> = ports.iter().map(VerbsPorts::card).collect();
        let mut sides = ports.map(|ports| ports.open(&cards, &[0], 0).expect("open"));
        assert_eq!(sides.each_ref().map(device_of).join(" "), expected, "{first} {second}");
        let names = sides.each_ref().map(Fabric::name);
        assert_eq!(sides[0].peers(&names), Ok(()));
    }
    let ports = [find("mock0"), find("mock1")];
    let cards: Vec<_> = ports.iter().map(VerbsPorts::card).collect();
    let mut sides = ports.map(|ports| ports.open(&cards, &[0], 0).expect("open"));
    let names = sides.each_ref().map(Fabric::name);
    let why = sides[0].peers(&names).expect_err("they do not reach each other");
    let expected = "peer 1 at 127.0.0.1 uses InfiniBand, and port 1 of mock0 here is RoCE: ";
    assert!(why.starts_with(expected) && why.contains("CUSHMEM_NICS") && !why.contains('\n'), "{why}");
    assert!(sides[1].peers(&names).expect_err("nor the other way").starts_with("peer 0 at 127.0.0.1 uses RoCE, and"));
}
