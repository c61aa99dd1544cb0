//! How PEs tell each other of the ranges that they register, and how a PE reaches those of the others.

use super::globals::{Attached, allow_peers};
use super::imported::Imported;
use super::{GpuHeap, Memory};
use crate::error::{Cause, Error, Result};
use crate::job::{Job, Pe};
use cushmem_bootstrap::WaitLimit;
use cushmem_gpu::{Chunk, Gpu, GpuError, IPC_BYTES, Mapped};
use std::os::fd::AsFd;
use std::sync::Arc;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// The most chunks of physical memory that a range may consist of.
const MOST_CHUNKS: usize = 1 << 14;

const OTHER_NODE: &str = "it is on another node";
const NOT_REACHED: &str = "this GPU does not reach that one's";
const NOT_SHARED: &str = "other processes cannot map it";

/// How a PE's range is reached.
pub(super) enum Peer {
    Own,
    Attached(Attached),
    Device(u64, Import),
    /// By the network.
    Net,
    /// Through its owner. Holds the reason.
    Staged(&'static str),
}

/// What has to be released.
pub(super) enum Import {
    Chunks(Imported),
    /// Opened by the driver, at this address.
    Handle(u64),
}

/// A PE's range, as the others are told of it: no byte is padding, and any bytes are a value. An error follows as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(super) struct Record {
    pub(super) start: u64,
    pub(super) bytes: u64,
    pub(super) pid: u64,
    /// 1 for host memory, 2 for chunks of GPU memory, 3 for an allocation of GPU memory, 4 for what only its owner
    /// reaches.
    pub(super) kind: u64,
    /// The offset of the range in the first chunk or in the allocation.
    offset: u64,
    chunks: u64,
    handle: [u8; IPC_BYTES],
}

const HOST: u64 = 1;
const CHUNKS: u64 = 2;
const HANDLE: u64 = 3;
pub(super) const STAGED: u64 = 4;

impl Record {
    /// Whether it is host memory.
    pub(super) fn is_host(&self) -> bool {
        self.kind == HOST
    }
}

impl Memory {
    /// Finds out how other PEs can reach a range of this PE.
    pub(super) fn share(
        &self,
        start: usize,
        bytes: usize,
        on_gpu: bool,
        chunks: &mut Vec<Arc<dyn Chunk>>,
    ) -> std::result::Result<Record, String> {
        let record = Record {
            start: start as u64,
            bytes: bytes as u64,
            pid: u64::from(std::process::id()),
            kind: HOST,
            offset: 0,
            chunks: 0,
            handle: [0; IPC_BYTES],
        };
        let Some(gpu) = self.opened_gpu().filter(|_| on_gpu) else {
            allow_peers();
            return Ok(record);
        };
        if self.gpu().is_none() {
            return Err("the GPUs of the job have not been started".to_owned());
        }
        match exported(&**gpu, record, chunks) {
            // The memory exists, so its owner can copy it for others.
            Err(_) if gpu.device_range(record.start, record.bytes).is_some() => Ok(Record { kind: STAGED, ..record }),
            shared => shared.map_err(|error| error.to_string()),
        }
    }

    /// Collective. Imports the ranges of all PEs.
    pub(super) fn import_all(&self, all: &[Record], own: &[Arc<dyn Chunk>]) -> std::result::Result<Vec<Peer>, String> {
        let job = &self.job;
        let mut problem = None;
        let mut peers: Vec<_> = job.pes().map(|pe| self.peer(pe, &all[pe.index()], &mut problem)).collect();
        for round in 0..all.iter().map(|record| record.chunks).max().unwrap_or(0) as usize {
            let chunk = own.get(round);
            let shared = chunk.map(|chunk| chunk.share()).transpose().map_err(|error| error.to_string());
            let fd = shared.as_ref().ok().and_then(|fd| fd.as_ref()).map(AsFd::as_fd);
            let bytes = chunk.map_or(0, |chunk| chunk.bytes());
            let told = [bytes, own.iter().map(|chunk| chunk.bytes()).sum()];
            problem = problem.or_else(|| shared.as_ref().err().cloned());
            let taken = job.bootstrap().share_each(
                "chunks of registered memory",
                told.as_bytes(),
                fd,
                WaitLimit::Unlimited,
                |number, part| {
                    let Some(Peer::Device(start, Import::Chunks(imported))) = peers.get_mut(number as usize) else {
                        return;
                    };
                    let Ok([bytes, total]) = <[u64; 2]>::read_from_bytes(&part.bytes) else { return };
                    let (Some(gpu), Ok(fd), None, true) = (self.opened_gpu(), part.descriptor(), &problem, bytes > 0)
                    else {
                        return;
                    };
                    let done = imported.map_next(&**gpu, fd, bytes, total);
                    *start = imported.start() + all[number as usize].offset;
                    problem = done.err().map(|why| format!("memory of PE {number}: {why}"));
                },
            );
            problem = problem.or_else(|| taken.err().map(|error| error.to_string()));
        }
        let missing = |(peer, record): (&Peer, &Record)| matches!(peer, Peer::Device(_, Import::Chunks(imported)) if imported.chunks() != record.chunks);
        if problem.is_none() && peers.iter().zip(all).any(missing) {
            problem = Some("a descriptor did not arrive: this process cannot open more files (ulimit -n)".to_owned());
        }
        match problem {
            None => Ok(peers),
            Some(why) => {
                self.release(&peers);
                Err(why)
            }
        }
    }

    /// How a PE's range is reached, without its chunks.
    fn peer(&self, pe: Pe, record: &Record, problem: &mut Option<String>) -> Peer {
        let reaches = |gpu: &GpuHeap| gpu.reach(pe).is_ok();
        match record.kind {
            _ if pe == self.job.me() => Peer::Own,
            HOST if self.job.place(pe).is_none() => Peer::Net,
            _ if self.job.place(pe).is_none() => Peer::Staged(OTHER_NODE),
            STAGED => Peer::Staged(NOT_SHARED),
            HOST => Peer::Attached(Attached::registered(record.pid as i32, record.start as usize)),
            _ if !self.gpu().is_some_and(reaches) => Peer::Staged(NOT_REACHED),
            CHUNKS => Peer::Device(0, Import::Chunks(Imported::default())),
            _ => match self.opened_gpu().map(|gpu| gpu.open_handle(&record.handle)) {
                Some(Ok(first)) => Peer::Device(first + record.offset, Import::Handle(first)),
                Some(Err(error)) => {
                    problem.get_or_insert(format!("memory of PE {}: {error}", pe.number()));
                    Peer::Staged(NOT_REACHED)
                }
                None => Peer::Staged(NOT_REACHED),
            },
        }
    }

    /// If it fails, the memory merely stays mapped.
    pub(super) fn release(&self, peers: &[Peer]) {
        let Some(gpu) = self.opened_gpu() else { return };
        for peer in peers {
            match peer {
                Peer::Device(_, Import::Chunks(imported)) => imported.release(&**gpu),
                Peer::Device(_, Import::Handle(first)) => drop(gpu.close_handle(*first)),
                Peer::Own | Peer::Attached(_) | Peer::Net | Peer::Staged(_) => {}
            }
        }
    }
}

/// Finds out by what others can map a range of GPU memory.
fn exported(gpu: &dyn Gpu, record: Record, chunks: &mut Vec<Arc<dyn Chunk>>) -> cushmem_gpu::Result<Record> {
    let Some(Mapped { first, chunks: found }) = gpu.chunks_of(record.start, record.bytes)? else {
        let (handle, first) = gpu.handle_of(record.start, record.bytes)?;
        return Ok(Record { kind: HANDLE, offset: record.start - first, handle, ..record });
    };
    if found.len() > MOST_CHUNKS {
        let why = format!("it consists of {} chunks, but at most {MOST_CHUNKS} are possible", found.len());
        return Err(GpuError::new("share memory", why));
    }
    // Not all such memory can be shared. This is checked first, so that no PE waits for descriptors in vain.
    found.iter().try_for_each(|chunk| chunk.share().map(drop))?;
    *chunks = found;
    Ok(Record { kind: CHUNKS, offset: record.start - first, chunks: chunks.len() as u64, ..record })
}

/// Collective. Exchanges the ranges of all PEs, and fails if one of them is invalid.
pub(super) fn exchange(
    job: &Job,
    operation: &'static str,
    own: std::result::Result<Record, String>,
) -> Result<Vec<Record>> {
    let none = Record { start: 0, bytes: 0, pid: 0, kind: 0, offset: 0, chunks: 0, handle: [0; IPC_BYTES] };
    let (record, why) = own.map_or_else(|why| (none, why), |record| (record, String::new()));
    let parts = job.bootstrap().allgather("registered memory", &[record.as_bytes(), why.as_bytes()].concat())?;
    let (mut all, mut problem) = (vec![], None);
    for (pe, part) in parts.iter().enumerate() {
        let Ok((theirs, why)) = Record::read_from_prefix(part) else {
            return Err(Error::new(operation, Cause::Mismatch(format!("PE {pe} sent {} bytes", part.len()))));
        };
        if theirs.kind == 0 {
            problem.get_or_insert_with(|| format!("PE {pe}: {}", String::from_utf8_lossy(why)));
        }
        all.push(theirs);
    }
    problem.map_or(Ok(all), |why| Err(Error::new(operation, Cause::Mismatch(why))))
}
