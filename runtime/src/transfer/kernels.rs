//! What kernels are told of the job, so that they issue transfers themselves.

use super::Transfers;
use crate::error::{Error, Result};
use crate::memory::device_tables::Own;
use crate::memory::{At, Segment};
use cushmem_abi::{DeviceContext, Tables};
use std::time::Duration;

impl Transfers {
    /// What kernels of this PE know of the job, in constants and in tables that are now in its GPU's memory; `None` without a GPU. No
    /// collective of kernels waits longer than `wait_limit`.
    pub(crate) fn device_context(&self, wait_limit: Duration) -> Result<Option<DeviceContext>> {
        let Some(gpu) = self.memory.gpu() else { return Ok(None) };
        let tables =
            gpu.gpu().alloc(Tables::bytes(self.job.n_pes())).map_err(Error::of("allocate the device tables"))?;
        let own = Own {
            my_pe: self.job.my_pe(),
            sync_area: self.memory.own(At::new(Segment::Gpu, 0)),
            error_record: self.sync.control().error_record(),
            tables,
            wait_limit,
        };
        let (context, bytes) = self.memory.device_tables(gpu, own);
        // SAFETY: the tables were just allocated, as many bytes as are copied, which live until the copy is done.
        unsafe { self.copy_and_wait(tables, bytes.as_ptr().expose_provenance() as u64, bytes.len())? };
        Ok(Some(context))
    }
}
