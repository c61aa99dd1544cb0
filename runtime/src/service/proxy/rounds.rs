//! The loop of the proxy thread. Each round takes the commands of kernels and what streams have posted
//! ([`Rounds::take`]; `carry_out.rs` executes a command), advances staged transfers of this PE and of others
//! ([`Rounds::progress`]) and barriers of kernels ([`Rounds::meet`]), and reports to kernels which commands are
//! complete ([`Rounds::tell`]). When there is nothing to do, the thread sleeps ([`Rounds::rest`]).

use super::Shared;
use crate::job::record;
use crate::memory::LocalEnds;
use crate::service::Services;
use crate::service::deputy::Ended;
use crate::service::device_sync::DeviceSyncs;
use crate::service::files::{FileIo, Request};
use crate::service::idle::Idle;
use crate::service::printed::Printed;
use crate::service::progress::REPORT_LIMIT;
use crate::service::started::StartedOps;
use crate::service::tracked::{Kept, Tracked};
use crate::sync::locked;
use crate::transfer::Transfers;
use crate::transfer::context::Context;
use crate::transport::stage::{Done, Finished, Stage};
use cushmem_abi::RING_CHUNKS;
use cushmem_gpu::GpuError;
use cushmem_protocol::ring::{Chunks, Reader};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of commands that are completed together.
const BATCH: usize = 64;
/// In how many rounds without a nap the thread looks once whether kernels progress.
const LOOK_EVERY: u32 = 1024;
/// While this many copies are staged, or this many prepared operations are incomplete, the proxy takes no more
/// commands.
const MOST_STAGED: usize = 4096;

/// The thread's state.
pub(super) struct Rounds {
    pub(super) services: Arc<Services>,
    /// Those of `services`.
    pub(super) transfers: Arc<Transfers>,
    pub(super) shared: Arc<Shared>,
    pub(super) context: Arc<Context>,
    pub(super) stage: Option<Stage>,
    pub(super) syncs: DeviceSyncs,
    /// Collectives that deputies carry out for kernels: the slot of the team, and the ticket of the reply.
    pub(super) collectives: Vec<(Arc<Ended>, u32, u64)>,
    /// Prepared operations that are under way.
    pub(super) started: StartedOps,
    /// The local ends of puts and gets.
    pub(super) local_ends: LocalEnds,
    /// Commands for prepared operations and strided copies that are under way: the number of the last part, the ticket,
    /// the context, and the reply if a lane waits for one.
    pub(super) waiting: VecDeque<(u64, u64, usize, Option<u64>)>,
    pub(super) tracked: Tracked,
    pub(super) printed: Printed,
    pub(super) file_io: FileIo,
    pub(super) chunks: Box<Chunks<RING_CHUNKS>>,
    /// Chunks that become free when the context is complete.
    pub(super) used: Vec<usize>,
    stall: Stall,
}

/// Whether commands wait because too much is staged.
#[derive(Default)]
struct Stall(bool);

impl Stall {
    /// Notes whether they do in this round, and returns that. One that goes on in the next rounds is counted once.
    fn is_one(&mut self, is_one: bool, count: &AtomicU64) -> bool {
        if is_one && !self.0 {
            // Relaxed: a statistic.
            count.fetch_add(1, Ordering::Relaxed);
        }
        self.0 = is_one;
        is_one
    }
}

impl Rounds {
    pub(super) fn new(
        services: &Arc<Services>,
        stage: Option<Stage>,
        shared: &Arc<Shared>,
        context: &Arc<Context>,
    ) -> Self {
        Self {
            stage,
            syncs: DeviceSyncs::new(services.sync()),
            collectives: vec![],
            services: services.clone(),
            transfers: services.transfers.clone(),
            shared: shared.clone(),
            context: context.clone(),
            started: StartedOps::default(),
            local_ends: LocalEnds::default(),
            waiting: VecDeque::new(),
            tracked: Tracked::default(),
            printed: Printed::default(),
            file_io: FileIo::default(),
            chunks: Box::default(),
            used: Vec::with_capacity(BATCH),
            stall: Stall::default(),
        }
    }

    pub(super) fn run(mut self) {
        let (mut reader, mut finished) = (Reader::default(), vec![]);
        let mut idle = Idle::new(self.transfers.job().is_oversubscribed());
        let mut busy = 0u32;
        // Relaxed: nothing else is inferred from it.
        while !self.shared.stop.load(Ordering::Relaxed) {
            let taken = self.take(&mut reader);
            // Tell now: somebody waits for the commands just taken, more urgently than for anything else.
            self.publish(reader.next_ticket());
            let moved = self.progress(&mut finished) | self.meet() | self.finish_files();
            self.publish(reader.next_ticket());
            if taken || moved {
                idle = Idle::new(idle.shares);
                busy = busy.wrapping_add(1);
                if busy.is_multiple_of(LOOK_EVERY) {
                    self.look();
                }
            } else {
                reader.publish(&self.shared.ring);
                self.rest(&mut idle);
            }
        }
        if !self.file_io.end() {
            // The system may still read and write the chunks.
            std::mem::forget(self.shared.clone());
        }
        self.transfers.forget_copies(&self.context);
        if let Some(stage) = &mut self.stage {
            stage.give_back();
        }
    }

    /// Carries out the commands that are there, and what streams have posted. Returns whether there were any.
    fn take(&mut self, reader: &mut Reader) -> bool {
        let staged = self.context.staged().map_or(0, |tracker| tracker.begun() - tracker.completed());
        let under_way = self.stage.as_ref().map_or(0, Stage::under_way).max(staged as usize);
        if self.stall.is_one(under_way >= MOST_STAGED, &self.shared.counts.stalls) {
            return false;
        }
        // Whether it is full is known by looking at all slots.
        let is_full = record::active().is_some() && self.shared.ring.is_full();
        let mut taken = 0;
        while taken < BATCH
            && let Some((ticket, command)) = reader.take(&self.shared.ring)
        {
            self.carry_out(ticket, &command);
            taken += 1;
        }
        let posted = self.started.posts(&self.services, &self.context, BATCH as u64);
        if taken + posted == 0 {
            return false;
        }
        self.shared.ring.take_until(reader.next_ticket());
        self.finish_direct();
        self.finish_prepared();
        for chunk in self.used.drain(..) {
            self.shared.ring.publish_freed(self.chunks.free(chunk));
        }
        let counts = &self.shared.counts;
        for (count, more) in [(&counts.commands, taken as u64), (&counts.batches, 1), (&counts.full, is_full.into())] {
            // Relaxed: statistics, which no other thread writes.
            count.store(count.load(Ordering::Relaxed) + more, Ordering::Relaxed);
        }
        self.shared.counts.record();
        true
    }

    /// Completes what is neither staged nor left to the lane of copies, which continue independently.
    pub(super) fn finish_direct(&self) {
        if let Err(error) = self.transfers.drain_network(&self.context) {
            self.transfers.job().end("commands of kernels", &error);
        }
    }

    /// One round of the staged operations. Returns whether anything happened.
    fn progress(&mut self, finished: &mut Vec<Finished>) -> bool {
        if self.stage.is_none() && self.shared.has_mail.load(Ordering::Relaxed) {
            self.stage = locked(&self.shared.late).take();
        }
        let Some(stage) = &mut self.stage else { return self.finish_prepared() };
        // SYNC(proxy-mail) acquire: pairs with the release in `stage`.
        if self.shared.has_mail.load(Ordering::Relaxed) && self.shared.has_mail.swap(false, Ordering::Acquire) {
            for staged in locked(&self.shared.inbox).drain(..) {
                stage.begin(staged, self.transfers.memory());
            }
        }
        let moved = stage.progress(self.transfers.memory(), self.transfers.sync(), finished);
        let moved = moved.unwrap_or_else(|error| self.transfers.job().end("copies through host memory", &error));
        // Relaxed: statistics.
        self.shared.counts.pairs.store(stage.pairs(), Ordering::Relaxed);
        self.shared.counts.staged.fetch_add(finished.len() as u64, Ordering::Relaxed);
        if moved {
            self.shared.counts.record();
        }
        for Finished { done, found } in finished.drain(..) {
            match done {
                Done::Number(tracker, number) => tracker.finish(number),
                Done::Word(tracker, number, word) => {
                    // Relaxed: finishing the number below is a release.
                    word.store(found, Ordering::Relaxed);
                    tracker.finish(number);
                }
                Done::Command { ticket, context, reply } => {
                    if let Some(reply) = reply {
                        self.shared.ring.reply(reply, found);
                    }
                    self.close(ticket, context);
                }
            }
        }
        moved | self.finish_prepared()
    }

    /// Reports the completion of prepared operations that were not complete at once. Returns whether there were any.
    fn finish_prepared(&mut self) -> bool {
        let copied = self.transfers.finish_copies(&self.context);
        let copied = copied.unwrap_or_else(|error| self.transfers.job().end("copies for kernels and streams", &error));
        let staged = self.context.staged().map_or(0, |tracker| tracker.completed());
        let mut moved = self.started.finish(&self.services, staged) | copied;
        while let Some((_, ticket, context, reply)) = self.waiting.pop_front_if(|(number, ..)| *number <= staged) {
            reply.into_iter().for_each(|reply| self.shared.ring.reply(reply, 0));
            self.close(ticket, context);
            moved = true;
        }
        moved
    }

    /// Answers for parts of files that were read or written. Returns whether there were any.
    fn finish_files(&mut self) -> bool {
        let (ring, chunks) = (&self.shared.ring, &mut self.chunks);
        let finished = self.file_io.progress(|Request { writes, chunk, reply, .. }| {
            if writes {
                ring.publish_freed(chunks.free(chunk));
            } else {
                chunks.lend(chunk);
            }
            ring.reply(reply, 0);
        });
        finished.unwrap_or_else(|why| self.fail_of_file(&why))
    }

    /// Ends the job, because a part of a file cannot be read or written.
    #[cold]
    pub(super) fn fail_of_file(&self, why: &str) -> ! {
        self.transfers.job().bootstrap().abort(1, &format!("{}: {why}", self.services.launches.describe()))
    }

    /// Notes that a staged command is complete.
    fn close(&mut self, ticket: u64, context: usize) {
        match self.tracked.close(ticket, context) {
            Some(Kept::Chunk(chunk)) => self.shared.ring.publish_freed(self.chunks.free(chunk)),
            // This thread has replied, and reads no command before it has noted this.
            Some(Kept::Lend(chunk)) => self.chunks.lend(chunk),
            Some(Kept::Nothing | Kept::Bytes(_)) | None => {}
        }
    }

    /// Advances barriers of kernels, and answers for collectives that have ended. Returns whether anything happened.
    fn meet(&mut self) -> bool {
        let ring = &self.shared.ring;
        let before = self.collectives.len();
        self.collectives.retain(|(ended, _, reply)| {
            let has_ended = ended.is_set();
            if has_ended {
                ring.reply(*reply, 0);
            }
            !has_ended
        });
        let moved = self.syncs.progress(self.transfers.sync(), |reply| ring.reply(reply, 0));
        let moved = moved.unwrap_or_else(|error| self.transfers.job().end("barriers of kernels", &error));
        moved | (self.collectives.len() < before)
    }

    /// Publishes which commands below this ticket are complete.
    fn publish(&mut self, next: u64) {
        let ring = &self.shared.ring;
        let any = self.tracked.publish(|context, ticket| ring.publish_done(context, ticket));
        if any {
            self.shared.ring.complete_until(self.tracked.complete_of_all(next));
        }
    }

    /// Waits briefly for something to do.
    fn rest(&self, idle: &mut Idle) {
        let is_awaited = self.syncs.are_under_way()
            || !self.collectives.is_empty()
            || self.services.stream_ops.are_awaited()
            || self.services.prepared.are_awaited()
            || self.transfers.has_copies(&self.context)
            || self.file_io.is_under_way()
            || self.stage.as_ref().is_some_and(|stage| stage.under_way() > 0);
        if idle.pause(is_awaited) {
            // Relaxed: a statistic.
            self.shared.counts.naps.fetch_add(1, Ordering::Relaxed);
            self.shared.counts.record();
            self.look();
            if let Some(stage) = &self.stage {
                *locked(&self.shared.partners) = stage.partners();
                if let Err(error) = stage.check(self.transfers.sync().control()) {
                    self.transfers.job().end("copies through host memory", &error);
                }
            }
        }
    }

    /// Looks whether kernels progress. If one has given up, and CUDA does not report it, ends the job.
    fn look(&self) {
        if self.shared.progress.look(&self.shared.ring, || self.transfers.a_kernel_gave_up()) {
            let late = format!("CUDA has not reported for {} s that a kernel has ended itself", REPORT_LIMIT.as_secs());
            let kernels = self.services.launches().describe_kernels();
            let error = self.services.lost(kernels, GpuError::new("wait for a stream", late));
            self.transfers.job().end("wait for a stream", &error);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a number of rounds, of which there are millions in a second, that is called one of stalls.
    #[test]
    fn a_stall_is_counted_once() {
        let (mut stall, count) = (Stall::default(), AtomicU64::new(0));
        let rounds = [false, true, true, true, false, false, true, true];
        assert_eq!(rounds.map(|is_one| stall.is_one(is_one, &count)), rounds);
        assert_eq!(count.into_inner(), 2);
    }
}
