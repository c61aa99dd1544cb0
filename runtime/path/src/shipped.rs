//! The costs that come with the library, as the files in `costs`: one for any machine, and one for each kind of machine
//! that was measured.

use crate::cost::{Costs, GpuLink};
use crate::measured::Measured;

/// A file of costs.
#[derive(Debug, PartialEq)]
pub(crate) struct Shipped {
    /// A part of the GPU's name, if the file is for a kind of GPU.
    pub gpu: &'static str,
    text: &'static str,
}

/// All paths, on any machine.
pub(crate) const ANY: Shipped = Shipped { gpu: "", text: include_str!("../costs/any.costs") };
/// So far the only measured machine whose GPUs are connected by NVLink, so it stands for all of them. Figures that it
/// does not have are those for any machine.
pub(crate) const NVLINK: Shipped = Shipped { gpu: "H200", text: include_str!("../costs/h200.costs") };

impl Shipped {
    /// The file for GPUs that are connected in this way.
    pub(crate) const fn of(link: GpuLink) -> &'static Self {
        match link {
            GpuLink::NvLink => &NVLINK,
            GpuLink::Pcie => &ANY,
        }
    }

    pub(crate) fn apply(&self, costs: &mut Costs) {
        // A test parses all of them.
        Measured::parse("a shipped file", self.text).unwrap_or_else(|e| panic!("{e}")).replace(costs);
    }

    /// Says which costs these are, for a PE with a GPU of this name.
    pub(crate) fn told(&self, gpu: Option<&str>) -> String {
        match (self.gpu, gpu) {
            ("", _) => "those for any machine, which come with the library".to_owned(),
            (known, Some(name)) if !name.contains(known) => {
                format!("those of {known}, which come with the library, as nobody has measured {name}")
            }
            (known, _) => format!("those of {known}, which come with the library"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches figures of one GPU that are shown for another without saying so.
    #[test]
    fn a_gpu_that_nobody_measured_is_named() {
        let told = |link, gpu| Costs::shipped(link).table(gpu);
        let end = "which come with the library; not measured on this machine (shmem-tune measures them)";
        assert_eq!(told(GpuLink::NvLink, Some("NVIDIA H200")), format!("costs: those of H200, {end}"));
        assert_eq!(told(GpuLink::NvLink, None), format!("costs: those of H200, {end}"));
        assert_eq!(
            told(GpuLink::NvLink, Some("NVIDIA A100")),
            "costs: those of H200, which come with the library, as nobody has measured NVIDIA A100; not measured on this machine (shmem-tune measures them)"
        );
        assert_eq!(told(GpuLink::Pcie, Some("NVIDIA H200")), format!("costs: those for any machine, {end}"));
    }
}
