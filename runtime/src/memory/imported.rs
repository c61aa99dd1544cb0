//! GPU memory of another PE that consists of several chunks, mapped here one behind the other.

use cushmem_gpu::{Gpu, Result};
use std::os::fd::BorrowedFd;

/// The chunks of a range, as far as they have arrived.
#[derive(Default)]
pub(super) struct Imported {
    /// The addresses for all chunks and their length, once the first one has arrived.
    reserved: Option<(u64, u64)>,
    /// The chunks that are mapped, with their addresses and lengths.
    mapped: Vec<(u64, u64)>,
}

impl Imported {
    /// Maps a chunk of `bytes` bytes behind the previous one. All chunks together have `total` bytes.
    pub(super) fn map_next(&mut self, gpu: &dyn Gpu, fd: BorrowedFd<'_>, bytes: u64, total: u64) -> Result<()> {
        let chunk = gpu.import_chunk(fd, bytes)?;
        if self.reserved.is_none() {
            self.reserved = Some((gpu.reserve(total, gpu.properties().granularity)?, total));
        }
        let next = self.mapped.last().map_or(self.start(), |(address, bytes)| address + bytes);
        gpu.map_chunk(next, &chunk)?;
        self.mapped.push((next, bytes));
        Ok(())
    }

    /// Where the first chunk is; 0 before it has arrived.
    pub(super) fn start(&self) -> u64 {
        self.reserved.map_or(0, |(start, _)| start)
    }

    /// How many chunks are mapped.
    pub(super) fn chunks(&self) -> u64 {
        self.mapped.len() as u64
    }

    /// Unmaps what is mapped and gives its addresses back. If it fails, they merely stay in use.
    pub(super) fn release(&self, gpu: &dyn Gpu) {
        self.mapped.iter().for_each(|(address, bytes)| drop(gpu.unmap(*address, *bytes)));
        // All of them: the driver gives back no part of a reservation.
        if let Some((start, total)) = self.reserved {
            let _ = gpu.unreserve(start, total);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cushmem_gpu::soft::SoftGpu;
    use std::os::fd::AsFd;

    /// Catches device addresses that stay in use when not all chunks of a range have arrived, or one could not be
    /// mapped.
    #[test]
    fn addresses_are_given_back() {
        let gpu = SoftGpu::open(0).expect("the emulated GPU opens");
        let bytes = gpu.properties().granularity;
        let chunk = gpu.create_chunk(bytes).expect("a chunk");
        let fd = chunk.share().expect("it can be shared");
        for (times, total) in [(2, 2 * bytes), (1, 3 * bytes), (2, 3 * bytes)] {
            let mut imported = Imported::default();
            for time in 0..times {
                imported.map_next(&*gpu, fd.as_fd(), bytes, total).expect("there is room");
                assert_eq!(imported.chunks(), time + 1);
            }
            imported.release(&*gpu);
            gpu.unreserve(imported.start(), total).expect_err("it was given back");
        }
        let large = gpu.create_chunk(2 * bytes).expect("a chunk");
        let fd = large.share().expect("it can be shared");
        let mut imported = Imported::default();
        imported.map_next(&*gpu, fd.as_fd(), 2 * bytes, bytes).expect_err("there are too few addresses");
        assert_eq!(imported.chunks(), 0);
        imported.release(&*gpu);
        gpu.unreserve(imported.start(), bytes).expect_err("they were given back");
    }
}
