//! What every PE tells the others when it joins.

use super::config::{Config, GpuChoice};
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
    /// 1 if `CUSHMEM_GPU` leaves the kind to the library.
    auto: u8,
}

/// Which kind of GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum GpuKind {
    None = 0,
    Emulated = 1,
    Nvidia = 2,
    /// The emulated one would do, but cannot be had here; the reason follows the settings.
    Missing = 3,
}

impl GpuKind {
    fn name(kind: u8) -> &'static str {
        ["no GPU", "an emulated GPU", "an NVIDIA GPU", "no GPU"]
            .get(usize::from(kind))
            .copied()
            .unwrap_or("an unknown GPU")
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
            auto: u8::from(config.gpu == GpuChoice::Auto),
        }
    }

    /// Whether the PE has an emulated GPU which the user did not ask for.
    pub(crate) fn can_do_without(&self) -> bool {
        self.auto != 0 && self.gpu_kind == GpuKind::Emulated as u8
    }

    /// The same of a PE that should have an emulated GPU and cannot.
    pub(crate) fn missing_gpu(self) -> Self {
        Self { gpu_kind: GpuKind::Missing as u8, ..self.without_gpu() }
    }

    fn without_gpu(self) -> Self {
        Self { gpu_uuid: [0; 16], gpu_bytes: 0, gpu_kind: GpuKind::None as u8, no_host_chunks: 0, ..self }
    }

    /// Whether the PE runs in check mode.
    pub(crate) fn check(&self) -> bool {
        self.check != 0
    }

    /// Whether the PE uses a GPU.
    pub(crate) fn has_gpu(&self) -> bool {
        self.gpu_kind == GpuKind::Emulated as u8 || self.gpu_kind == GpuKind::Nvidia as u8
    }

    /// Whether the PE's GPU driver makes host memory that PEs share.
    pub(crate) fn host_chunks(&self) -> bool {
        self.no_host_chunks == 0
    }

    /// Collective: the settings of all PEs, and why the job has no GPUs, if it has none; `missing` says why this PE has none that it
    /// should have. Fails unless all use the same kind of GPU, or none uses any.
    ///
    /// If the emulated GPU is missing on a PE, no PE uses one, unless one was told to.
    pub(super) fn exchange(self, missing: &str, bootstrap: &Bootstrap) -> Result<(Vec<Self>, String)> {
        let mut all = vec![];
        let mut reason = None;
        let own = [self.as_bytes(), missing.as_bytes()].concat();
        for (pe, part) in bootstrap.allgather("settings", &own)?.iter().enumerate() {
            let (theirs, text) = Self::read_from_prefix(part).map_err(|_| {
                let (got, wanted) = (part.len(), size_of::<Self>());
                mismatch(format!("PE {pe} sent {got} bytes instead of {wanted}"))
            })?;
            if theirs.gpu_kind == GpuKind::Missing as u8 {
                reason.get_or_insert_with(|| format!("PE {pe}: {}", String::from_utf8_lossy(text)));
            }
            all.push(theirs);
        }
        let reason = match reason {
            Some(reason) if all.iter().all(|settings| settings.can_do_without() || !settings.has_gpu()) => {
                all.iter_mut().for_each(|settings| *settings = settings.without_gpu());
                return Ok((all, reason));
            }
            reason => reason.map(|reason| format!(" ({reason})")).unwrap_or_default(),
        };
        if let Some((pe, theirs)) = all.iter().enumerate().find(|(_, theirs)| theirs.gpu_kind != self.gpu_kind) {
            let (own, other) = (GpuKind::name(self.gpu_kind), GpuKind::name(theirs.gpu_kind));
            return Err(mismatch(format!("this PE uses {own} and PE {pe} {other}{reason}; set CUSHMEM_GPU for all")));
        }
        Ok((all, "CUSHMEM_GPU=none".to_owned()))
    }
}

fn mismatch(text: String) -> Error {
    Error::new("compare settings", Cause::Mismatch(text))
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
        return Err(mismatch(text));
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
