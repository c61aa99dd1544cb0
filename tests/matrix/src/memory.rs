//! Memory of every kind, and its bytes as the program sees them. The bytes are accessed without the library, so that a
//! cell does not depend on another one.

use crate::data::{Gpus, Kind};
use crate::driver::Driver;
use cushmem::Shmem;
use cushmem::raw::{Memory, Wanted};
use cushmem_abi::soft;
use std::alloc::{Layout, alloc_zeroed};
use std::ptr::{with_exposed_provenance, with_exposed_provenance_mut};

/// The globals, like those of a C program; their addresses are passed to the library.
static mut GLOBALS: [[u64; GLOBAL_BYTES / 8]; 2] = [[0; GLOBAL_BYTES / 8]; 2];
/// Room for all slots of the largest job.
const GLOBAL_BYTES: usize = 16 << 20;
const PAGE: usize = 64 << 10;

/// What the machine has.
pub struct Machine {
    gpus: Gpus,
    driver: Option<Driver>,
}

impl Machine {
    /// Opens the driver if the job uses its GPUs.
    pub fn new(shmem: &Shmem, gpus: Gpus) -> Self {
        let driver = (gpus == Gpus::Cuda).then(|| Driver::open(shmem.raw().gpu_context().expect("the GPU's context")));
        Self { gpus, driver }
    }

    /// Allocates this many bytes. Collective for symmetric kinds. The error is the library's message.
    pub fn allocate(&self, shmem: &Shmem, kind: Kind, area: usize, bytes: usize) -> Result<usize, String> {
        let found = self.find(shmem, kind, area, bytes);
        if let (Kind::Registered | Kind::RegisteredGpu, Ok(start)) = (kind, &found) {
            // SAFETY: the memory stays until the process ends.
            unsafe { shmem.raw().register("register", with_exposed_provenance_mut(*start), bytes) }
                .map_err(|error| error.to_string())?;
        }
        found
    }

    fn find(&self, shmem: &Shmem, kind: Kind, area: usize, bytes: usize) -> Result<usize, String> {
        match (kind, &self.driver) {
            (Kind::HostHeap, _) => symmetric(shmem, Memory::Host, bytes),
            (Kind::GpuHeap, _) => symmetric(shmem, Memory::Gpu, bytes),
            (Kind::Globals, _) => {
                assert!(bytes <= GLOBAL_BYTES, "{bytes} bytes are more than the globals have");
                Ok(((&raw mut GLOBALS).expose_provenance()) + area * GLOBAL_BYTES)
            }
            (Kind::Pinned, Some(driver)) => Ok(driver.pinned(bytes)),
            (Kind::Managed, Some(driver)) => Ok(driver.managed(bytes)),
            (Kind::Pool, Some(driver)) => Ok(driver.pool(bytes)),
            (Kind::Gpu | Kind::RegisteredGpu, Some(driver)) => Ok(driver.gpu(bytes)),
            (Kind::Gpu | Kind::Pool | Kind::RegisteredGpu, None) => {
                let buffer = shmem.device_alloc::<u8>(bytes).map_err(|e| e.to_string())?;
                let address = buffer.device_ptr().address() as usize;
                // The buffer stays until the process ends, as all memory here does.
                std::mem::forget(buffer);
                Ok(address)
            }
            // The emulation has no pinned and no managed memory. If there is an emulated GPU, memory of the CPU stands
            // for both.
            (Kind::Pinned | Kind::Managed, None) if self.gpus == Gpus::None => {
                Err(shmem.device_alloc::<u8>(1).err().map_or_else(String::new, |e| e.to_string()))
            }
            (Kind::Value | Kind::Pageable | Kind::Pinned | Kind::Managed | Kind::Registered, _) => Ok(pages(bytes)),
        }
    }

    /// Writes bytes of this PE.
    pub fn write(&self, kind: Kind, at: usize, bytes: &[u8]) {
        if let (Some(driver), true) = (&self.driver, kind.is_device()) {
            return driver.copy(at, bytes.as_ptr().expose_provenance(), bytes.len());
        }
        let at = with_exposed_provenance_mut::<u8>(soft::resolve(at as u64) as usize);
        // SAFETY: this is memory of the program, which nobody else uses between two barriers.
        unsafe { std::ptr::copy(bytes.as_ptr(), at, bytes.len()) };
    }

    /// Reads bytes of this PE.
    pub fn read(&self, kind: Kind, at: usize, n: usize) -> Vec<u8> {
        let mut bytes = vec![0u8; n];
        if let (Some(driver), true) = (&self.driver, kind.is_device()) {
            driver.copy(bytes.as_mut_ptr().expose_provenance(), at, n);
            return bytes;
        }
        let at = with_exposed_provenance::<u8>(soft::resolve(at as u64) as usize);
        // SAFETY: this is memory of the program, which nobody else writes between two barriers.
        unsafe { std::ptr::copy(at, bytes.as_mut_ptr(), n) };
        bytes
    }
}

fn symmetric(shmem: &Shmem, memory: Memory, bytes: usize) -> Result<usize, String> {
    let wanted = Wanted { routine: "matrix", arguments: [("", 0); 2], memory, bytes, alignment: 64, cleared: false };
    let found = shmem.raw().malloc(&wanted).map_err(|e| e.to_string())?;
    Ok(found.expect("bytes are wanted").expose_provenance())
}

/// Whole pages of the program.
fn pages(bytes: usize) -> usize {
    let layout = Layout::from_size_align(bytes.next_multiple_of(PAGE), PAGE).expect("a layout");
    // SAFETY: the layout is not empty. The memory is never given back.
    unsafe { alloc_zeroed(layout) }.expose_provenance()
}
