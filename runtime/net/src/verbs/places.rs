//! Where devices and cores are, as the system says in `/sys`.

use super::choice::Place;
use std::fs;
use std::path::Path;

/// Where the system says what it has.
pub(super) const SYS: &str = "/sys";

/// The place of a device of the library.
pub(super) fn of_device(sys: &Path, name: &str) -> Place {
    of_link(&sys.join("class/infiniband").join(name).join("device"))
}

/// The place of a PCI device, by its address.
pub(super) fn of_pci(sys: &Path, address: &str) -> Place {
    // An address has no folder in it.
    if address.is_empty() || address.contains('/') {
        Place::default()
    } else {
        of_link(&sys.join("bus/pci/devices").join(address))
    }
}

/// The vendor of GPUs that CUDA knows, and the class of devices that show or compute.
const NVIDIA: &str = "0x10de";
const DISPLAY: &str = "0x03";

/// The PCI addresses of the GPUs that the system lists, in order.
pub(super) fn gpus(sys: &Path) -> Vec<String> {
    let folder = sys.join("bus/pci/devices");
    let is = |address: &str, file: &str, start: &str| {
        fs::read_to_string(folder.join(address).join(file)).is_ok_and(|text| text.starts_with(start))
    };
    let all = fs::read_dir(&folder).into_iter().flatten().flatten();
    let all = all.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut gpus: Vec<String> =
        all.filter(|address| is(address, "vendor", NVIDIA) && is(address, "class", DISPLAY)).collect();
    gpus.sort();
    gpus
}

fn of_link(link: &Path) -> Place {
    // -1 if the machine has no nodes.
    let node = fs::read_to_string(link.join("numa_node")).ok().and_then(|node| node.trim().parse().ok());
    let real = fs::canonicalize(link).unwrap_or_default();
    let parts = real.iter().map(|part| part.to_string_lossy().into_owned());
    let path: Vec<String> = parts.skip_while(|part| !part.starts_with("pci")).collect();
    Place { node, path }
}

/// The place of the cores that this thread may use, as `status` of `/proc/thread-self` names them: a node if all belong
/// to one.
pub(super) fn of_cores(sys: &Path, status: &str) -> Place {
    let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).map(numbers);
    let nodes = fs::read_dir(sys.join("devices/system/node")).into_iter().flatten().flatten();
    let has_all = |list: &str| {
        let cores = numbers(list);
        allowed.as_ref().is_some_and(|allowed| !allowed.is_empty() && allowed.iter().all(|core| cores.contains(core)))
    };
    let node = nodes.into_iter().find_map(|entry| {
        let node = entry.file_name().to_string_lossy().strip_prefix("node")?.parse().ok()?;
        has_all(&fs::read_to_string(entry.path().join("cpulist")).ok()?).then_some(node)
    });
    Place { node, path: Vec::new() }
}

/// The numbers of a list such as `0-3,8`.
fn numbers(list: &str) -> Vec<u32> {
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some(first.parse::<u32>().ok()?..=last.parse().ok()?)
    };
    list.trim().split(',').filter_map(range).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cushmem_scratch::Folder;

    /// Catches a GPU that is taken for its sound, and other devices.
    #[test]
    fn gpus_are_told_from_other_devices() {
        let sys = Folder::new("gpus").expect("make a folder");
        for (address, vendor, class) in [
            ("0000:81:00.0", "0x10de", "0x030200"),
            ("0000:02:00.0", "0x10de", "0x030200"),
            ("0000:02:00.1", "0x10de", "0x040300"),
            ("0000:03:00.0", "0x15b3", "0x020700"),
            ("0000:04:00.0", "0x1a03", "0x030000"),
        ] {
            let folder = sys.join("bus/pci/devices").join(address);
            fs::create_dir_all(&folder).expect("make a folder");
            fs::write(folder.join("vendor"), vendor).expect("write");
            fs::write(folder.join("class"), class).expect("write");
        }
        let found = gpus(&sys);
        assert_eq!(found, ["0000:02:00.0", "0000:81:00.0"]);
        assert!(gpus(Path::new("/nowhere")).is_empty());
    }

    /// A machine with two nodes, and a device behind a switch of the second.
    #[test]
    fn places_are_read_from_the_system() {
        let sys = Folder::new("places").expect("make a folder");
        let device = sys.join("devices/pci0000:80/0000:80:01.0/0000:81:00.0");
        for folder in [&device, &sys.join("class/infiniband/mlx5_0"), &sys.join("bus/pci/devices")] {
            fs::create_dir_all(folder).expect("make a folder");
        }
        fs::write(device.join("numa_node"), "1\n").expect("write");
        for link in ["class/infiniband/mlx5_0/device", "bus/pci/devices/0000:81:00.0"] {
            std::os::unix::fs::symlink(&device, sys.join(link)).expect("link");
        }
        for (node, cores) in [(0, "0-3,8-11\n"), (1, "4-7,12-15\n")] {
            let folder = sys.join(format!("devices/system/node/node{node}"));
            fs::create_dir_all(&folder).expect("make a folder");
            fs::write(folder.join("cpulist"), cores).expect("write");
        }
        let path = ["pci0000:80", "0000:80:01.0", "0000:81:00.0"].map(str::to_owned).to_vec();
        let found =
            [of_device(&sys, "mlx5_0"), of_device(&sys, "nobody"), of_pci(&sys, "0000:81:00.0"), of_pci(&sys, "")];
        let cores = ["Name: x\nCpus_allowed_list:\t5-6,12\n", "Cpus_allowed_list:\t3-4\n", "Name: x\n"]
            .map(|status| of_cores(&sys, status).node);
        let here = Place { node: Some(1), path };
        assert_eq!(found, [here.clone(), Place::default(), here, Place::default()]);
        assert_eq!(cores, [Some(1), None, None]);
    }
}
