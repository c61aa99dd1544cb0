//! Which GPU this PE will have, for the choice of the NIC. The network starts before any GPU is opened, and CUDA is not
//! asked, because that takes long. So it is what CUDA is expected to say: the GPU at this PE's place among those that
//! the system lists and the user lets it see. If a program chooses another one, its NIC is not the nearest.

use std::fs;
use std::path::Path;

/// The vendor of GPUs that CUDA knows, and the class of devices that show or compute.
const NVIDIA: &str = "0x10de";
const DISPLAY: &str = "0x03";

/// The PCI address of the GPU for this place among the PEs of the machine, as `sys` has it. `visible` is
/// `CUDA_VISIBLE_DEVICES`.
pub(super) fn at(sys: &Path, visible: Option<&str>, place: u32) -> Option<String> {
    let folder = sys.join("bus/pci/devices");
    let is = |address: &str, file: &str, start: &str| {
        fs::read_to_string(folder.join(address).join(file)).is_ok_and(|text| text.starts_with(start))
    };
    let all = fs::read_dir(&folder).ok()?.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut all: Vec<String> =
        all.filter(|address| is(address, "vendor", NVIDIA) && is(address, "class", DISPLAY)).collect();
    all.sort();
    let seen = match visible {
        None => all,
        // CUDA stops at the first that is not there. Names other than numbers are known to CUDA alone.
        Some(list) => {
            let get = |word: &str| all.get(word.trim().parse::<usize>().ok()?).cloned();
            list.split(',').map_while(get).collect()
        }
    };
    // Of none, there is no remainder.
    let at = (place as usize).checked_rem(seen.len())?;
    seen.into_iter().nth(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gpu_is_the_one_at_the_place_among_those_that_are_visible() {
        let sys = std::env::temp_dir().join(format!("cushmem-likely-gpu-{}", std::process::id()));
        let devices = [
            ("0000:81:00.0", "0x10de", "0x030200"),
            ("0000:02:00.0", "0x10de", "0x030200"),
            ("0000:02:00.1", "0x10de", "0x040300"),
            ("0000:03:00.0", "0x15b3", "0x020700"),
            ("0000:c1:00.0", "0x10de", "0x030000"),
        ];
        for (address, vendor, class) in devices {
            let folder = sys.join("bus/pci/devices").join(address);
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("vendor"), vendor).unwrap();
            fs::write(folder.join("class"), class).unwrap();
        }
        let found = |visible, place| at(&sys, visible, place);
        let all = [0, 1, 2, 3].map(|place| found(None, place).unwrap());
        let some = [0, 1, 2].map(|place| found(Some("2, 0"), place).unwrap());
        let cut = found(Some("1,9,0"), 1);
        let none = [Some(""), Some("GPU-1234"), Some("-1")].map(|visible| found(visible, 0));
        fs::remove_dir_all(&sys).unwrap();
        assert_eq!(all, ["0000:02:00.0", "0000:81:00.0", "0000:c1:00.0", "0000:02:00.0"]);
        assert_eq!(some, ["0000:c1:00.0", "0000:02:00.0", "0000:c1:00.0"]);
        assert_eq!(cut.as_deref(), Some("0000:81:00.0"));
        assert_eq!(none, [None, None, None]);
        assert_eq!(at(Path::new("/nowhere"), None, 0), None);
    }
}
