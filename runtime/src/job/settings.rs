//! What every PE tells the others when it joins.

use super::config::Config;
use crate::error::Cause;
use crate::{Error, Result};
use cushmem_bootstrap::Bootstrap;
use cushmem_gpu::Gpu;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// A PE's settings, as they travel: no byte is padding, and any bytes are a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(crate) struct Settings {
    /// Of the GPU that the PE uses; all zero without one.
    pub(crate) gpu_uuid: [u8; 16],
    /// Most bytes of symmetric host memory.
    pub(crate) host_bytes: u64,
    /// Most bytes of symmetric GPU memory.
    pub(crate) gpu_bytes: u64,
    /// The PE's place on its node.
    pub(crate) place: u32,
    /// A [`GpuKind`].
    gpu_kind: u8,
    /// `CUSHMEM_CHECK`.
    check: u8,
    /// 1 if the GPU's driver makes no host memory that PEs can share.
    no_host_chunks: u8,
    reserved: u8,
}

/// Which kind of GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum GpuKind {
    None = 0,
    Emulated = 1,
    Nvidia = 2,
}

impl GpuKind {
    fn name(kind: u8) -> &'static str {
        ["no GPU", "an emulated GPU", "an NVIDIA GPU"].get(usize::from(kind)).copied().unwrap_or("an unknown GPU")
    }
}

impl Settings {
    /// Those of this process. A GPU heap is as large as the GPU's memory unless the user chose.
    pub(crate) fn new(config: &Config, gpu: Option<&dyn Gpu>, place: u32, host_chunks: bool) -> Self {
        let emulated = cushmem_environment::parse_bytes(cushmem_environment::EMULATED_GPU_HEAP_SIZE).unwrap_or(0);
        let gpu_bytes = gpu.map_or(0, |gpu| {
            let properties = gpu.properties();
            let default = if properties.emulated { emulated } else { properties.memory_bytes };
            config.gpu_heap_bytes.unwrap_or(default)
        });
        let gpu_kind = match gpu.map(|gpu| gpu.properties().emulated) {
            None => GpuKind::None,
            Some(true) => GpuKind::Emulated,
            Some(false) => GpuKind::Nvidia,
        };
        Self {
            gpu_uuid: gpu.map_or([0; 16], |gpu| gpu.properties().uuid),
            host_bytes: config.host_heap_bytes,
            gpu_bytes,
            place,
            gpu_kind: gpu_kind as u8,
            check: u8::from(config.check),
            no_host_chunks: u8::from(!host_chunks),
            reserved: 0,
        }
    }

    /// Whether the PE runs in check mode.
    pub(crate) fn check(&self) -> bool {
        self.check != 0
    }

    /// Whether the PE's GPU driver makes host memory that PEs share.
    pub(crate) fn host_chunks(&self) -> bool {
        self.no_host_chunks == 0
    }

    /// Collective: the settings of all PEs. Fails unless all use the same kind of GPU, or none uses any.
    pub(super) fn exchange(self, bootstrap: &Bootstrap) -> Result<Vec<Self>> {
        let operation = "compare settings";
        let mut all = vec![];
        for (pe, part) in bootstrap.allgather("settings", self.as_bytes())?.iter().enumerate() {
            let theirs = Self::read_from_bytes(part).map_err(|_| {
                let (got, wanted) = (part.len(), size_of::<Self>());
                Error::new(operation, Cause::Mismatch(format!("PE {pe} sent {got} bytes instead of {wanted}")))
            })?;
            if theirs.gpu_kind != self.gpu_kind {
                let (own, other) = (GpuKind::name(self.gpu_kind), GpuKind::name(theirs.gpu_kind));
                let text = format!("this PE uses {own} and PE {pe} {other}; set CUSHMEM_GPU for all");
                return Err(Error::new(operation, Cause::Mismatch(text)));
            }
            all.push(theirs);
        }
        Ok(all)
    }
}

/// By PE, its place on this node. All PEs are on one node, and no two have the same place.
pub(super) fn places(all: &[Settings]) -> Result<Box<[Option<u32>]>> {
    let mut taken = vec![None; all.len()];
    for (pe, settings) in all.iter().enumerate() {
        let place = settings.place;
        let text = match taken.get_mut(place as usize) {
            Some(free @ None) => {
                *free = Some(pe);
                continue;
            }
            Some(Some(other)) => format!("PEs {other} and {pe} have the same place {place}"),
            None => format!("PE {pe} has the place {place}, which is not in 0..{}", all.len()),
        };
        return Err(Error::new("compare settings", Cause::Mismatch(text)));
    }
    Ok(all.iter().map(|settings| Some(settings.place)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_places(numbers: &[u32]) -> Result<Box<[Option<u32>]>> {
        let of = |&place| Settings { place, ..Settings::read_from_bytes(&[0; size_of::<Settings>()]).expect("zeros") };
        places(&numbers.iter().map(of).collect::<Vec<_>>())
    }

    #[test]
    fn places_are_a_permutation() {
        assert_eq!(*with_places(&[2, 0, 1]).expect("a permutation"), [Some(2), Some(0), Some(1)]);
        let cause = |numbers: &[u32]| with_places(numbers).expect_err("no permutation").to_string();
        assert_eq!(cause(&[0, 1, 0]), "compare settings: PEs 0 and 2 have the same place 0");
        assert_eq!(cause(&[0, 2]), "compare settings: PE 1 has the place 2, which is not in 0..2");
    }

    #[test]
    fn settings_survive_their_bytes() {
        let settings =
            Settings { host_bytes: 1 << 40, place: 7, check: 1, ..Settings::read_from_bytes(&[9; 40]).unwrap() };
        assert_eq!(Settings::read_from_bytes(settings.as_bytes()), Ok(settings));
        assert!(Settings::read_from_bytes(&settings.as_bytes()[1..]).is_err());
    }
}
