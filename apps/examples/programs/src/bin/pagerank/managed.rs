//! Managed memory of CUDA, which the driver moves between host and GPU a page at a time, or the GPU reads where it is.

use anyhow::Result;
use cudarc::driver::sys;
use cudarc::driver::sys::CUmem_advise::{CU_MEM_ADVISE_SET_ACCESSED_BY, CU_MEM_ADVISE_SET_PREFERRED_LOCATION};
use cushmem::{DevPtr, Shmem};

const BESIDE: sys::CUdevice_attribute = sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS;
/// In place of a device: the host (`CU_DEVICE_CPU`).
const HOST: sys::CUdevice = -1;

/// Managed memory with numbers. Pages are on the host at first.
pub struct Managed {
    address: sys::CUdeviceptr,
    /// Whose context is retained as long as this exists.
    device: sys::CUdevice,
}

impl Managed {
    /// Copies the numbers. The pages move to the GPU that uses them, or stay on the host. `None` on a GPU that is
    /// emulated, that the CPU must not use such memory beside, or that has less than twice as much memory free: with
    /// more than it has, the GPU can hang.
    pub fn of(shmem: &Shmem, numbers: &[u32], stays: bool) -> Result<Option<Self>> {
        let Some(gpu) = shmem.gpu().filter(|gpu| !gpu.emulated) else { return Ok(None) };
        let (device, bytes) = (gpu.ordinal as i32, size_of_val(numbers).max(4));
        let (mut context, mut beside, mut free, mut all) = (std::ptr::null_mut(), 0, 0, 0);
        // SAFETY: the driver is open, because the library uses it, and the pointer is valid.
        unsafe { sys::cuDevicePrimaryCtxRetain(&mut context, device).result()? };
        let mut this = Self { address: 0, device };
        // SAFETY: the context is retained, and the pointers are valid.
        unsafe {
            sys::cuCtxSetCurrent(context).result()?;
            sys::cuMemGetInfo_v2(&mut free, &mut all).result()?;
            sys::cuDeviceGetAttribute(&mut beside, BESIDE, device).result()?;
        }
        if beside == 0 || bytes > free / 2 {
            return Ok(None);
        }
        const GLOBAL: u32 = sys::CUmemAttach_flags::CU_MEM_ATTACH_GLOBAL as u32;
        // SAFETY: the pointer is valid.
        unsafe { sys::cuMemAllocManaged(&mut this.address, bytes, GLOBAL).result()? };
        if stays {
            let (stay, reach) = (CU_MEM_ADVISE_SET_PREFERRED_LOCATION, CU_MEM_ADVISE_SET_ACCESSED_BY);
            for (advice, device) in [(stay, HOST), (reach, device)] {
                // SAFETY: the memory was allocated above.
                unsafe { sys::cuMemAdvise(this.address, bytes, advice, device).result()? };
            }
        }
        // SAFETY: the memory is as long as the numbers, and the CPU may write it while no kernel uses it.
        unsafe { std::ptr::copy_nonoverlapping(numbers.as_ptr(), this.address as *mut u32, numbers.len()) };
        Ok(Some(this))
    }

    /// The numbers, for a kernel.
    pub fn device_ptr(&self) -> DevPtr<u32> {
        DevPtr::from_address(self.address)
    }
}

impl Drop for Managed {
    fn drop(&mut self) {
        // SAFETY: the memory was allocated in `of`, or its address is null, which is freed without effect; whoever
        // launched kernels with it has waited for them. If a call fails, what it is to give back goes with the process.
        unsafe {
            let _ = sys::cuMemFree_v2(self.address);
            let _ = sys::cuDevicePrimaryCtxRelease_v2(self.device);
        }
    }
}
