//! What the driver says about the GPUs and about how they reach each other. Nothing here creates a context.

use super::device::{attribute, device_count};
use super::driver::{self, CUdevice, CUdevice_P2PAttribute, CUdevice_attribute, CUresult};
use super::{check, describe};
use crate::{GpuError, Result};
use std::ffi::{CStr, c_char};

/// One GPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Device number in this process.
    pub ordinal: u32,
    /// NVIDIA's name for it.
    pub name: String,
    /// An identifier that is the same in all processes.
    pub uuid: [u8; 16],
    /// Address on the PCI bus, such as `0000:3b:00.0`, in lowercase as Linux writes it. It is empty if the driver does
    /// not give it.
    pub pci: String,
    /// The compute capability, major and minor.
    pub compute_capability: (u32, u32),
    /// Device memory in bytes.
    pub memory_bytes: u64,
    /// Streaming multiprocessors.
    pub sm_count: u32,
    /// The most shared memory of a block in bytes.
    pub shared_bytes: u32,
    /// What the library needs but this GPU or its driver lacks.
    pub lacks: Option<&'static str>,
}

/// How one GPU reaches another GPU's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Whether it reaches that memory with loads, stores and copies.
    pub access: bool,
    /// Whether its atomic operations on that memory are atomic for all GPUs.
    pub native_atomics: bool,
    /// The driver's order of links by speed, 0 for the fastest kind.
    pub performance_rank: i32,
}

/// Returns the version of CUDA that the driver supports, major and minor.
pub fn driver_version() -> std::result::Result<(u32, u32), String> {
    device_count()?;
    let mut version = 0;
    // SAFETY: the driver is present; the pointer is valid.
    match unsafe { driver::cuDriverGetVersion(&mut version) } {
        CUresult::CUDA_SUCCESS => Ok((version as u32 / 1000, version as u32 % 1000 / 10)),
        status => Err(format!("cuDriverGetVersion: {}", describe(status))),
    }
}

impl Facts {
    /// Reads the facts of device `ordinal` of this process.
    pub fn read(ordinal: u32) -> Result<Self> {
        let operation = || format!("open GPU {ordinal}");
        let device = device(ordinal)?;
        let mut bytes = 0usize;
        let (mut name, mut pci) = ([0 as c_char; 128], [0 as c_char; 32]);
        // SAFETY: the device exists, the pointers are valid and the lengths are given.
        unsafe {
            check(driver::cuDeviceGetName(name.as_mut_ptr(), name.len() as i32, device), operation)?;
            check(driver::cuDeviceTotalMem_v2(&mut bytes, device), operation)?;
        }
        // SAFETY: the device exists, the pointer is valid and the length is given.
        let located = unsafe { driver::cuDeviceGetPCIBusId(pci.as_mut_ptr(), pci.len() as i32, device) };
        use CUdevice_attribute as A;
        Ok(Self {
            ordinal,
            name: text(&name),
            uuid: uuid(device)?,
            pci: if located == CUresult::CUDA_SUCCESS { text(&pci).to_ascii_lowercase() } else { String::new() },
            compute_capability: (
                attribute(device, A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)? as u32,
                attribute(device, A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)? as u32,
            ),
            memory_bytes: bytes as u64,
            sm_count: attribute(device, A::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)? as u32,
            shared_bytes: attribute(device, A::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)? as u32,
            lacks: lacks(device)?,
        })
    }

    /// Returns how this GPU reaches the memory of device `other` of this process.
    pub fn link_to(&self, other: u32) -> Result<Link> {
        let operation = || format!("query how GPU {} reaches GPU {other}", self.ordinal);
        let (from, to) = (device(self.ordinal)?, device(other)?);
        let mut access = 0;
        // SAFETY: both devices exist; the pointer is valid.
        check(unsafe { driver::cuDeviceCanAccessPeer(&mut access, from, to) }, operation)?;
        let ask = |which| {
            let mut value = 0;
            // SAFETY: both devices exist; the pointer is valid.
            check(unsafe { driver::cuDeviceGetP2PAttribute(&mut value, which, from, to) }, operation)?;
            Ok(value)
        };
        use CUdevice_P2PAttribute as A;
        Ok(Link {
            access: access != 0,
            native_atomics: ask(A::CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED)? != 0,
            performance_rank: ask(A::CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK)?,
        })
    }
}

/// Returns the driver's handle of device `ordinal`.
pub(super) fn device(ordinal: u32) -> Result<CUdevice> {
    let operation = || format!("open GPU {ordinal}");
    let count = device_count().map_err(|why| GpuError::new(operation(), why))?;
    if ordinal >= count {
        return Err(GpuError::new(operation(), format!("there are {count} GPUs, numbered from 0")));
    }
    let mut device = 0;
    // SAFETY: the driver is initialised; the pointer is valid.
    check(unsafe { driver::cuDeviceGet(&mut device, ordinal as i32) }, operation)?;
    Ok(device)
}

/// Returns the identifier of a device, which is the same in all processes.
pub(super) fn uuid(device: CUdevice) -> Result<[u8; 16]> {
    let mut uuid = driver::CUuuid { bytes: [0; 16] };
    // SAFETY: the device exists; the pointer is valid.
    check(unsafe { driver::cuDeviceGetUuid_v2(&mut uuid, device) }, || format!("identify GPU {device}"))?;
    Ok(uuid.bytes)
}

fn lacks(device: CUdevice) -> Result<Option<&'static str>> {
    use CUdevice_attribute as A;
    for (which, what) in [
        (A::CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, "virtual memory management"),
        (A::CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, "sharing memory by file descriptor"),
        (A::CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, "host memory at its own address"),
    ] {
        if attribute(device, which)? == 0 {
            return Ok(Some(what));
        }
    }
    Ok(None)
}

/// Converts a buffer that the driver filled with a C string.
fn text(buffer: &[c_char]) -> String {
    let bytes: Vec<u8> = buffer.iter().map(|&c| c as u8).collect();
    CStr::from_bytes_until_nul(&bytes).map_or_else(|_| String::new(), |t| t.to_string_lossy().into_owned())
}
