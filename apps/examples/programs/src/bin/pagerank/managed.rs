//! Managed memory of CUDA, which the driver moves between host and GPU a page at a time, or the GPU reads where it is.

use anyhow::{Result, ensure};
use cudarc::driver::sys;
use cudarc::driver::sys::CUmem_advise::{CU_MEM_ADVISE_SET_ACCESSED_BY, CU_MEM_ADVISE_SET_PREFERRED_LOCATION};
use cushmem::{DevPtr, Shmem};

/// In place of a device: the host (`CU_DEVICE_CPU`).
const HOST: sys::CUdevice = -1;

/// Managed memory with numbers. Pages are on the host at first.
pub struct Managed {
    address: sys::CUdeviceptr,
}

impl Managed {
    /// Copies the numbers. `None` on an emulated GPU. The pages move to the GPU that uses them, or stay on the host.
    pub fn of(shmem: &Shmem, numbers: &[u32], stays: bool) -> Result<Option<Self>> {
        let Some(gpu) = shmem.gpu().filter(|gpu| !gpu.emulated) else { return Ok(None) };
        let bytes = size_of_val(numbers).max(4);
        let (mut context, mut address, mut free, mut all) = (std::ptr::null_mut(), 0, 0, 0);
        // SAFETY: the driver is open, because the library uses it, and the pointers are valid.
        unsafe {
            sys::cuDevicePrimaryCtxRetain(&mut context, gpu.ordinal as i32).result()?;
            sys::cuCtxSetCurrent(context).result()?;
            sys::cuMemGetInfo_v2(&mut free, &mut all).result()?;
        }
        // More than the GPU has would measure how the driver exchanges pages, and can make the GPU hang.
        ensure!(bytes < free / 2, "managed memory: {bytes} bytes are more than half of what this GPU has free, {free}");
        const GLOBAL: u32 = sys::CUmemAttach_flags::CU_MEM_ATTACH_GLOBAL as u32;
        // SAFETY: the pointer is valid.
        unsafe { sys::cuMemAllocManaged(&mut address, bytes, GLOBAL).result()? };
        let this = Self { address };
        if stays {
            let (stay, reach) = (CU_MEM_ADVISE_SET_PREFERRED_LOCATION, CU_MEM_ADVISE_SET_ACCESSED_BY);
            for (advice, device) in [(stay, HOST), (reach, gpu.ordinal as i32)] {
                // SAFETY: the memory was allocated above.
                unsafe { sys::cuMemAdvise(address, bytes, advice, device).result()? };
            }
        }
        // SAFETY: the memory is as long as the numbers, and the CPU may write it while no kernel uses it.
        unsafe { std::ptr::copy_nonoverlapping(numbers.as_ptr(), address as *mut u32, numbers.len()) };
        Ok(Some(this))
    }

    /// The numbers, for a kernel.
    pub fn device_ptr(&self) -> DevPtr<u32> {
        DevPtr::from_address(self.address)
    }
}

impl Drop for Managed {
    fn drop(&mut self) {
        // SAFETY: it was allocated in `of`, and whoever launched kernels with it has waited for them. If the call fails,
        // the memory goes with the process.
        let _ = unsafe { sys::cuMemFree_v2(self.address) };
    }
}
