//! NVIDIA GPUs, the emulation, and which of them PEs would use.

use cushmem_environment::{GpuChoice, gpu_choice};
use cushmem_gpu::Gpu;
use cushmem_gpu::cuda::{self, Facts};
use cushmem_gpu::soft::SoftGpu;
use serde::Serialize;

/// What is known about GPUs.
#[derive(Serialize)]
pub struct Gpus {
    /// The CUDA version that the driver supports, such as `13.0`.
    pub cuda_driver: Option<String>,
    /// Why there are no NVIDIA GPUs, or why something about them is unknown.
    pub reason: Option<String>,
    pub devices: Vec<Device>,
    pub links: Vec<Link>,
    pub emulated: Emulated,
    /// What PEs use with the current settings: `cuda`, `soft` or `none`; absent if they could not start.
    pub chosen: Option<&'static str>,
    /// The reason for that choice.
    pub chosen_because: String,
}

/// One NVIDIA GPU.
#[derive(Serialize)]
pub struct Device {
    pub ordinal: u32,
    pub name: String,
    /// `GPU-` and 32 hexadecimal digits in groups, as NVIDIA's tools write it.
    pub uuid: String,
    pub compute_capability: String,
    pub memory_bytes: u64,
    pub sm_count: u32,
    /// Its address on the PCI bus.
    pub pci: Option<String>,
    /// The NUMA node whose memory and cores are close to the GPU; absent if the system does not know.
    pub numa_node: Option<u32>,
    /// A requirement of the library that this GPU does not meet.
    pub lacks: Option<&'static str>,
}

/// How GPU `from` reaches the memory of GPU `to`.
#[derive(Serialize)]
pub struct Link {
    pub from: u32,
    pub to: u32,
    pub peer_access: bool,
    pub native_atomics: bool,
    /// 0 for the fastest kind of link on this machine.
    pub performance_rank: i32,
}

/// The emulated GPU, which runs on the CPU.
#[derive(Serialize)]
pub struct Emulated {
    pub available: bool,
    /// Why it is not available.
    pub reason: Option<String>,
    pub sm_count: u32,
    /// As much as the machine's memory.
    pub memory_bytes: u64,
    /// The range of device addresses of one process. The segments of all PEs of a job, and private memory, must fit
    /// into it.
    pub address_space_bytes: u64,
}

impl Gpus {
    /// Asks the driver, without using a GPU.
    pub fn find() -> Self {
        let counted = cuda::device_count();
        let (chosen, chosen_because) = choose(gpu_choice().map_err(|e| e.to_string()), &counted);
        let emulated = Emulated::find();
        let cuda_driver = cuda::driver_version().ok().map(|(major, minor)| format!("{major}.{minor}"));
        let none = |reason| (vec![], vec![], Some(reason));
        let (devices, links, reason) = match counted {
            Ok(count) => devices(count).unwrap_or_else(none),
            Err(why) => none(why),
        };
        Self { cuda_driver, reason, devices, links, emulated, chosen, chosen_because }
    }
}

type Found = (Vec<Device>, Vec<Link>, Option<String>);

fn devices(count: u32) -> Result<Found, String> {
    let facts: Vec<Facts> = (0..count).map(Facts::read).collect::<Result<_, _>>().map_err(|e| e.to_string())?;
    let (mut links, mut reason) = (vec![], None);
    for from in &facts {
        for to in (0..count).filter(|to| *to != from.ordinal) {
            match from.link_to(to) {
                Ok(link) => links.push(Link {
                    from: from.ordinal,
                    to,
                    peer_access: link.access,
                    native_atomics: link.native_atomics,
                    performance_rank: link.performance_rank,
                }),
                Err(error) => reason = Some(error.to_string()),
            }
        }
    }
    Ok((facts.into_iter().map(Device::from).collect(), links, reason))
}

impl From<Facts> for Device {
    fn from(facts: Facts) -> Self {
        let (major, minor) = facts.compute_capability;
        Self {
            ordinal: facts.ordinal,
            name: facts.name,
            uuid: uuid_text(&facts.uuid),
            compute_capability: format!("{major}.{minor}"),
            memory_bytes: facts.memory_bytes,
            sm_count: facts.sm_count,
            numa_node: numa_node(&facts.pci),
            pci: Some(facts.pci).filter(|pci| !pci.is_empty()),
            lacks: facts.lacks,
        }
    }
}

/// The operating system writes -1 if it does not know the node.
fn numa_node(pci: &str) -> Option<u32> {
    std::fs::read_to_string(format!("/sys/bus/pci/devices/{pci}/numa_node")).ok()?.trim().parse().ok()
}

fn uuid_text(uuid: &[u8; 16]) -> String {
    let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
    let groups = [&uuid[..4], &uuid[4..6], &uuid[6..8], &uuid[8..10], &uuid[10..]];
    format!("GPU-{}", groups.map(hex).join("-"))
}

impl Emulated {
    fn find() -> Self {
        let address_space_bytes = cushmem_abi::soft::WINDOW_BYTES;
        let opened = SoftGpu::open(0).and_then(|gpu| {
            let granularity = gpu.properties().granularity;
            gpu.try_out(granularity).map(|()| gpu)
        });
        match opened {
            Ok(gpu) => Self {
                available: true,
                reason: None,
                sm_count: gpu.properties().sm_count,
                memory_bytes: gpu.properties().memory_bytes,
                address_space_bytes,
            },
            Err(error) => Self {
                available: false,
                reason: Some(error.to_string()),
                sm_count: 0,
                memory_bytes: 0,
                address_space_bytes,
            },
        }
    }
}

/// Makes the same choice, in the same order, as the library does when it starts.
fn choose(choice: Result<GpuChoice, String>, cuda: &Result<u32, String>) -> (Option<&'static str>, String) {
    match (choice, cuda) {
        (Err(why), _) => (None, why),
        (Ok(GpuChoice::None), _) => (Some("none"), "CUSHMEM_GPU=none".into()),
        (Ok(GpuChoice::Soft), _) => (Some("soft"), "CUSHMEM_GPU=soft".into()),
        (Ok(GpuChoice::Cuda), Ok(_)) => (Some("cuda"), "CUSHMEM_GPU=cuda".into()),
        (Ok(GpuChoice::Cuda), Err(why)) => (None, format!("CUSHMEM_GPU=cuda, but {why}")),
        (Ok(GpuChoice::Auto), Ok(_)) => (Some("cuda"), "CUSHMEM_GPU=auto, and the driver finds GPUs".into()),
        (Ok(GpuChoice::Auto), Err(why)) => (Some("soft"), format!("CUSHMEM_GPU=auto, and {why}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identities_are_written_as_nvidia_does() {
        let uuid = std::array::from_fn(|i| i as u8 * 16 + 1);
        assert_eq!(uuid_text(&uuid), "GPU-01112131-4151-6171-8191-a1b1c1d1e1f1");
    }

    #[test]
    fn the_choice_follows_setting_and_driver() {
        let (with, without) = (Ok(2), Err("there is none".to_owned()));
        for (choice, cuda, chosen) in [
            (GpuChoice::Auto, &with, Some("cuda")),
            (GpuChoice::Auto, &without, Some("soft")),
            (GpuChoice::Cuda, &with, Some("cuda")),
            (GpuChoice::Cuda, &without, None),
            (GpuChoice::Soft, &with, Some("soft")),
            (GpuChoice::None, &with, Some("none")),
        ] {
            assert_eq!(choose(Ok(choice), cuda).0, chosen, "{choice:?} {cuda:?}");
        }
        assert_eq!(choose(Err("bad".into()), &with), (None, "bad".into()));
    }
}
