//! What kernels need to know about the job to issue transfers themselves.

use super::Services;
use crate::error::{Error, Result};
use crate::memory::device_tables::Own;
use crate::memory::{At, Segment};
use crate::sync::locked;
use crate::transfer::unfit;
use crate::transport::library::Library;
use cushmem_abi::{
    CollectiveArea, ContextDone, DeviceContext, HostRing, MoreTeam, ProcessorRing, RING_CONTEXTS, RING_REPLIES,
    RingCounter, SyncArea, TEAM_SLOTS, Tables, TeamSync, WaitRecord, WordKind,
};
use cushmem_bootstrap::waits::look_up;
use cushmem_device::Cmp;
use cushmem_gpu::GpuError;
use cushmem_path::Path;
use std::mem::offset_of;
use std::sync::Arc;
use std::time::Duration;

impl Services {
    /// Prepares what this PE's kernels need, once the GPUs are started: constants, which this returns together with the
    /// library's own kernels, and tables, which it copies to GPU memory. No collective of kernels waits longer than
    /// `wait_limit`.
    pub(crate) fn prepare_kernels(self: &Arc<Self>, wait_limit: Duration) -> Result<(DeviceContext, Library)> {
        let operation = "tell kernels about the job";
        let gpu = self.memory().gpu().ok_or_else(|| unfit(Path::GpuDirect))?;
        self.transfers.paths().renew(self.job(), self.sync(), self.memory());
        let sync_area = self.memory().own(At::new(Segment::Gpu, 0));
        self.transfers.start_agent()?;
        let ring = self.start_proxy()?;
        let tables = gpu
            .gpu()
            .alloc(Tables::team(self.job().teams() as u32, self.job().n_pes()))
            .map_err(Error::of(operation))?;
        let processor = self.make_processor_ring(operation, &**gpu.gpu())?;
        let (record, [record_every, record_slots], empty_record) = self.make_kernel_record(operation, &**gpu.gpu())?;
        let (reports, far) = (self.sync().control().reports(), self.memory().is_far());
        let (context, bytes) = self.memory().device_tables(
            gpu,
            Own {
                my_pe: self.job().my_pe(),
                teams: self.job().teams() as u32,
                sync_area,
                reports,
                ring,
                processor: processor.ring,
                to_processor: processor.least,
                record,
                record_every,
                record_slots,
                tables,
                far,
                wait_limit,
            },
        );
        self.report_waits(sync_area, (ring, processor.ring));
        // The library's own words in GPU memory must be zero before any peer may use them.
        let words = vec![0; self.memory().words_in_gpu() as usize];
        let slots = (processor.ring != 0).then(|| (processor.ring, vec![0; size_of::<ProcessorRing>()]));
        let kernels = (record != 0).then_some((record, empty_record));
        let all = [(sync_area, words), (tables, bytes)].into_iter().chain(slots).chain(kernels).collect::<Vec<_>>();
        let copied = all.iter().try_for_each(|(to, bytes)| {
            // SAFETY: as many bytes were just mapped or allocated there, and the source lives until the copy is
            // complete.
            unsafe { self.transfers.copy_and_wait(*to, bytes.as_ptr().expose_provenance() as u64, bytes.len()) }
        });
        let told = copied.and_then(|()| self.begin_team_table(operation, tables));
        let loaded = told.and_then(|()| Library::load(&**gpu.gpu(), &context));
        let started = loaded.and_then(|library| {
            self.begin_kernel_record((record, record_slots), gpu.gpu(), &library);
            self.start_processor(operation, processor.ring, &library)?;
            Ok(library)
        });
        started.map(|library| (context, library)).inspect_err(|_| {
            self.end_team_table();
            let _ = gpu.gpu().free(tables);
            if record != 0 {
                let _ = gpu.gpu().free(record);
            }
        })
    }

    /// Lets the launcher ask what a kernel waits for and what the proxy has done, until the GPU fails or is given back.
    fn report_waits(&self, sync_area: u64, rings: (u64, u64)) {
        let (record, launches) = (self.sync().control().wait_record(), self.launches.clone());
        let teams = self.job().teams() as u32;
        let waits = look_up(move || {
            Some(format!("{}: {}", launches.describe(), waiting(&record.read_wait()?, (sync_area, teams), rings)))
        });
        let published = [waits].into_iter().chain(self.report_proxy()).chain(self.transfers.report_agent()).collect();
        *locked(&self.kernel_waits) = published;
    }

    /// The error for a GPU on which nothing runs any more.
    pub(crate) fn lost(&self, operation: String, error: GpuError) -> Error {
        self.forget_waits();
        let operation = match self.suspects() {
            Some(suspects) => format!("{operation}, beside {suspects}"),
            None => operation,
        };
        self.transfers.device_error(operation, error)
    }

    /// Called when no kernel runs any more.
    pub(super) fn forget_waits(&self) {
        locked(&self.kernel_waits).clear();
    }
}

/// Describes what a lane waits for, with the addresses of the command ring and of the processor's, which may be 0.
fn waiting(record: &WaitRecord, (sync_area, teams): (u64, u32), (ring, processor): (u64, u64)) -> String {
    let WaitRecord { comparison, kind, lane, address, wanted, seen } = *record;
    let value = |value: u64| match kind {
        _ if kind == WordKind::Signed as u32 => value.cast_signed().to_string(),
        _ if kind == WordKind::Float as u32 => f64::from_bits(value).to_string(),
        _ => value.to_string(),
    };
    let in_ring = |field: usize, bytes: usize| {
        (ring + field as u64..ring + (field + bytes) as u64).contains(&address) && ring != 0
    };
    let (block, lane) = (lane >> 32, lane as u32);
    if kind == WordKind::Line as u32 {
        return format!("block {block}, thread {lane} waits for line {wanted} of a cached array, or for a slot for it");
    }
    if kind == WordKind::TaskRoom as u32 {
        return format!("block {block}, thread {lane} waits for room in PE {wanted}'s queue of tasks");
    }
    if in_ring(offset_of!(HostRing, read), size_of::<RingCounter>()) {
        return format!("block {block}, thread {lane} waits for room in the command ring");
    }
    if in_ring(offset_of!(HostRing, freed), size_of::<RingCounter>()) {
        return format!("block {block}, thread {lane} waits for a free chunk");
    }
    if in_ring(offset_of!(HostRing, replies), 16 * RING_REPLIES) {
        return format!("block {block}, thread {lane} waits for the reply to a command");
    }
    let in_processor =
        address.checked_sub(processor).filter(|at| processor != 0 && *at < size_of::<ProcessorRing>() as u64);
    if let Some(at) = in_processor {
        let is_room = at == offset_of!(ProcessorRing, read) as u64;
        let what = if is_room { "room in the ring of the command processor" } else { "the command processor" };
        return format!("block {block}, thread {lane} waits for {what}");
    }
    let inboxes = offset_of!(SyncArea, collective) + offset_of!(CollectiveArea, inboxes);
    let inboxes = sync_area + inboxes as u64..sync_area + SyncArea::BYTES;
    let is_ours = (sync_area..sync_area + SyncArea::bytes(teams)).contains(&address);
    // The slot of a team beyond those of the area, and the offset in its words.
    let more = address.checked_sub(sync_area + SyncArea::BYTES).filter(|_| is_ours);
    let more = more.map(|at| {
        let (slot, at) = (at / size_of::<MoreTeam>() as u64, at as usize % size_of::<MoreTeam>());
        (TEAM_SLOTS as u64 + slot, at)
    });
    if inboxes.contains(&address) || more.is_some_and(|(_, at)| at >= offset_of!(MoreTeam, inbox)) {
        return format!(
            "block {block}, thread {lane} is in collective {seen} on GPU memory, to which PE {wanted} has not contributed"
        );
    }
    let teams = sync_area + offset_of!(SyncArea, teams) as u64;
    let slot = address.checked_sub(teams).map(|at| at / size_of::<TeamSync>() as u64);
    let slot = slot.filter(|slot| *slot < TEAM_SLOTS as u64);
    let slot = slot.or(more.filter(|(_, at)| *at < size_of::<TeamSync>()).map(|(slot, _)| slot));
    // Barriers between GPUs wait for words that only grow.
    if let Some(slot) = slot.filter(|_| comparison == Cmp::Ne as u32 + 1) {
        return format!("block {block}, thread {lane} is in a barrier of team slot {slot}, which the CPUs carry out");
    }
    let operation = if let Some(slot) = slot {
        format!("a barrier of team slot {slot}, whose word is")
    } else if is_ours {
        "a barrier, whose word is".to_owned()
    } else if in_ring(offset_of!(HostRing, done), size_of::<ContextDone>() * RING_CONTEXTS) {
        "a quiet or a fence, for commands whose word is".to_owned()
    } else {
        "wait_until of the word".to_owned()
    };
    let cmp = Cmp::ALL.get(comparison.wrapping_sub(1) as usize).map_or("?".into(), Cmp::to_string);
    format!(
        "block {block}, thread {lane} is in {operation} at {address:#x} (now {}, wanted {cmp} {})",
        value(seen),
        value(wanted)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lanes_wait_says_where_and_for_what() {
        let record = |kind, wanted, seen| WaitRecord {
            comparison: Cmp::Ge as u32 + 1,
            kind: kind as u32,
            lane: 3 << 32 | 17,
            address: 0x9000,
            wanted,
            seen,
        };
        let text = |record, sync_area| waiting(&record, (sync_area, 64), (0x900_0000, 0xa00_0000));
        assert_eq!(
            text(record(WordKind::Signed, 7, (-4i64).cast_unsigned()), 0x100_0000),
            "block 3, thread 17 is in wait_until of the word at 0x9000 (now -4, wanted >= 7)"
        );
        assert!(text(record(WordKind::Unsigned, u64::MAX, 0), 0).ends_with(" (now 0, wanted >= 18446744073709551615)"));
        assert!(
            text(record(WordKind::Float, 2.0f64.to_bits(), 0.5f64.to_bits()), 0).ends_with(" (now 0.5, wanted >= 2)")
        );
        assert!(
            text(record(WordKind::Unsigned, 2, 1), 0x8000)
                .contains("is in a barrier of team slot 16, whose word is at 0x9000 (now 1, wanted >= 2)")
        );
        // Whatever its address: a line's word has no place of its own.
        assert_eq!(
            text(record(WordKind::Line, 12, 0), 0x8000),
            "block 3, thread 17 waits for line 12 of a cached array, or for a slot for it"
        );
        assert_eq!(
            text(record(WordKind::TaskRoom, 4, 0), 0x8000),
            "block 3, thread 17 waits for room in PE 4's queue of tasks"
        );
        let at = |offset: usize| WaitRecord { address: 0x900_0000 + offset as u64, ..record(WordKind::Unsigned, 2, 1) };
        let (room, reply) = (at(offset_of!(HostRing, read)), at(offset_of!(HostRing, replies)));
        let chunk = at(offset_of!(HostRing, freed));
        assert_eq!(text(chunk, 0), "block 3, thread 17 waits for a free chunk");
        let at_processor = |offset: usize| {
            let address = 0xa00_0000 + offset as u64;
            text(WaitRecord { address, ..record(WordKind::Unsigned, 2, 1) }, 0)
        };
        let waits = "block 3, thread 17 waits for";
        assert_eq!(at_processor(offset_of!(ProcessorRing, done)), format!("{waits} the command processor"));
        let for_room = format!("{waits} room in the ring of the command processor");
        assert_eq!(at_processor(offset_of!(ProcessorRing, read)), for_room);
        assert!(at_processor(size_of::<ProcessorRing>()).contains(" is in wait_until of the word at 0x"));
        // Behind the ring, where other memory may lie.
        assert!(text(at(offset_of!(HostRing, chunks)), 0).contains(" is in wait_until of the word at 0x"));
        assert_eq!(text(room, 0), "block 3, thread 17 waits for room in the command ring");
        assert_eq!(text(reply, 0), "block 3, thread 17 waits for the reply to a command");
        let of_team = WaitRecord {
            comparison: Cmp::Ne as u32 + 1,
            address: 0x8000 + 3 * size_of::<TeamSync>() as u64,
            ..record(WordKind::Unsigned, 0, 0)
        };
        let barrier = "block 3, thread 17 is in a barrier of team slot 3, which the CPUs carry out";
        assert_eq!(text(of_team, 0x8000), barrier);
        assert!(
            text(at(offset_of!(HostRing, done)), 0)
                .contains("is in a quiet or a fence, for commands whose word is at 0x9000080 (now 1, wanted >= 2)")
        );
    }
}
