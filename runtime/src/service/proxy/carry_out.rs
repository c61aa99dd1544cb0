//! What the proxy does for one command.

use super::rounds::Rounds;
use crate::error::ArgumentError;
use crate::job::record;
use crate::memory::{At, Remote, Segment};
use crate::service::commands::{
    Checked, Decoded, FileCommand, KernelCollective, MemoryOp, PreparedCommand, StridedCommand, Target, Word, decide,
    word_of,
};
use crate::service::files::Request;
use crate::service::printed::Whole;
use crate::service::tracked::Kept;
use crate::transfer::operation::{PreparedKind, PreparedOp};
use crate::transfer::{Completion, Local, Operation, Shape, Transfer};
use crate::transport::mapped;
use crate::transport::stage::{self, Done, Stage, Staged};
use cushmem_abi::{CommandHead, CommandKind, RING_SLOTS, WordOp};
use cushmem_protocol::ring::Command;
use cushmem_record::{Operation as Recorded, Way};
use std::sync::Arc;

/// The outcome of a command.
enum Outcome {
    /// It was carried out, and is complete when the context is. The value is what it found.
    Done(u64),
    /// It is to be staged, from what is kept for it.
    Staged(stage::StageOp, Kept),
}

/// What a command is in the record, and its bytes.
fn recorded(what: &MemoryOp) -> (Recorded, usize) {
    match *what {
        MemoryOp::Word { width, .. } => (Recorded::CommandWord, width),
        MemoryOp::Put { bytes, .. } | MemoryOp::PutHere { bytes, .. } | MemoryOp::PutChunk { bytes, .. } => {
            (Recorded::CommandPut, bytes)
        }
        MemoryOp::Get { bytes, .. } | MemoryOp::GetChunk { bytes, .. } => (Recorded::CommandGet, bytes),
        MemoryOp::FreeChunk { .. } => (Recorded::CommandOther, 0),
    }
}

impl Rounds {
    /// Carries out a command, or has it staged.
    #[inline]
    pub(super) fn carry_out(&mut self, ticket: u64, command: &Command) {
        let head = CommandHead::of_bits(command.head);
        match self.at_once(head, command) {
            Some(found) => {
                self.tracked.begun(ticket, head.context.into());
                if let Some(reply) = command.arguments[3].checked_sub(1) {
                    self.shared.ring.reply(reply, found);
                }
            }
            None => self.carry_out_slowly(ticket, head, command),
        }
    }

    /// A fast path for the most common commands: loads or changes a word that this CPU's loads and stores reach, unless
    /// it goes with something that is staged. Returns the old value, or `None` for everything else and for what makes
    /// no sense.
    #[inline]
    fn at_once(&self, head: CommandHead, command: &Command) -> Option<u64> {
        let Target { op, width, address, behind } = word_of(head, command)?;
        let CommandHead { context, pe, .. } = head;
        if behind && self.goes_with(context, pe).is_some() {
            return None;
        }
        let [_, operand, condition, ..] = command.arguments;
        let object = std::ptr::without_provenance::<u8>(address);
        let word = self.transfers.memory().near_host().find(object, width, pe)?;
        // SAFETY: a word of symmetric host memory, whose alignment was tested above.
        Some(unsafe { mapped::word_op(word, width, op, operand, condition) })
    }

    /// The stage, if it has puts of this context to this PE under way.
    #[inline]
    fn goes_with(&self, context: u16, pe: u32) -> Option<&Stage> {
        self.stage.as_ref().filter(|stage| stage.has(context.into(), pe))
    }

    /// Any other command, or any at all if this PE records.
    #[inline(never)]
    fn carry_out_slowly(&mut self, ticket: u64, head: CommandHead, command: &Command) {
        let from = record::active().map(|recorder| (recorder, record::begun(record::Of::Command)));
        let (operation, bytes, pe) = self.carry_out_any(ticket, head, command);
        if let Some((recorder, from)) = from {
            let word = word_of(head, command);
            let at = word.and_then(|word| self.transfers.memory().locate(word.address, word.width).ok());
            record::note(recorder, (operation, Way::Proxy), bytes, (pe, at.map(At::recorded)), from);
        }
    }

    /// Does it. Returns what it was, its bytes, and its PE if there is one.
    #[inline]
    fn carry_out_any(&mut self, ticket: u64, head: CommandHead, command: &Command) -> (Recorded, usize, Option<u32>) {
        let other = (Recorded::CommandOther, 0, None);
        if head.kind == CommandKind::Print.number() {
            self.tracked.begun(ticket, 0);
            self.print(ticket, head, command).unwrap_or_else(|why| self.refuse(ticket, command, &why));
            return other;
        }
        let job = &self.transfers.job();
        let asked = decide(command, job.my_pe(), (job.n_pes(), job.teams()))
            .unwrap_or_else(|why| self.refuse(ticket, command, &why));
        let checked = match asked {
            Decoded::Memory(checked) => checked,
            Decoded::Barrier(team, reply) => {
                self.syncs.begin(team, reply).unwrap_or_else(|why| self.refuse(ticket, command, &why));
                // No quiet waits for it.
                self.tracked.begun(ticket, head.context.into());
                return other;
            }
            Decoded::Collective(asked, reply) => {
                self.begin_collective(asked, reply).unwrap_or_else(|why| self.refuse(ticket, command, &why));
                self.tracked.begun(ticket, head.context.into());
                return other;
            }
            Decoded::Prepared(prepared) => {
                let begun = self.begin_prepared(ticket, &prepared);
                let (what, bytes, pe) = begun.unwrap_or_else(|why| self.refuse(ticket, command, &why));
                return (what, bytes, Some(pe));
            }
            Decoded::File(asked) => {
                self.begin_file(&asked).unwrap_or_else(|why| self.refuse(ticket, command, &why));
                // No quiet waits for it: whoever asks waits for the reply.
                self.tracked.begun(ticket, asked.context);
                return other;
            }
            Decoded::Exit(status) => job.bootstrap().abort(status, ""),
            Decoded::Strided(strided) => {
                let begun = self.begin_strided(ticket, &strided);
                begun.unwrap_or_else(|why| self.refuse(ticket, command, &why));
                let StridedCommand { to_peer, blocks, pe, .. } = strided;
                let operation = if to_peer { Recorded::CommandPut } else { Recorded::CommandGet };
                return (operation, Shape::Blocks(blocks).bytes(), Some(pe));
            }
        };
        let outcome = self.issue(&checked).unwrap_or_else(|why| self.refuse(ticket, command, &why));
        let Checked { context, reply, .. } = checked;
        self.tracked.begun(ticket, context);
        match (outcome, &mut self.stage) {
            (Outcome::Done(found), _) => {
                if let Some(reply) = reply {
                    self.shared.ring.reply(reply, found);
                }
            }
            (Outcome::Staged(what, kept), Some(stage)) => {
                let pe = self.transfers.job().pe(checked.pe).expect("it was checked");
                let done = Done::Command { ticket, context, reply };
                stage.begin(Staged { key: context as u64, pe, what, done }, self.transfers.memory());
                self.tracked.keep_open(ticket, context, kept);
            }
            (Outcome::Staged(..), None) => unreachable!("what is staged has a stage"),
        }
        let (operation, bytes) = recorded(&checked.what);
        // A chunk is freed on no PE.
        (operation, bytes, Some(checked.pe).filter(|_| operation != Recorded::CommandOther))
    }

    /// Begins to read a part of a file to a chunk, or to write it from there.
    fn begin_file(&mut self, asked: &FileCommand) -> std::result::Result<(), String> {
        let FileCommand { writes, file, ticket, bytes, offset, reply, .. } = *asked;
        let [index, generation] = file;
        let file = self.services.files.get(index, generation);
        let file = file.ok_or_else(|| format!("there is no file {index} of generation {generation}"))?;
        let chunk = self.chunks.take(ticket).ok_or_else(|| format!("chunk {ticket} is not in use"))?;
        let address = self.shared.ring.chunk(chunk);
        let begun = self.file_io.begin(Request { writes, file, chunk, address, bytes, offset, reply });
        begun.unwrap_or_else(|why| self.fail_of_file(&why));
        Ok(())
    }

    /// Has a collective carried out. Kernels are in one collective of a team at a time, as members' deputies need.
    fn begin_collective(&mut self, asked: KernelCollective, reply: u64) -> std::result::Result<(), String> {
        let slot = asked.what.slot;
        if self.collectives.iter().any(|(_, of, _)| *of == slot) {
            return Err(format!("another scope of this PE is in a collective of the team with slot {slot}"));
        }
        self.collectives.push((self.services.collective_for_kernel(asked)?, slot, reply));
        Ok(())
    }

    /// Takes a piece of a line that a lane prints, and prints the line if it is whole.
    fn print(&mut self, ticket: u64, head: CommandHead, command: &Command) -> std::result::Result<(), String> {
        if let Some(Whole { block, thread, text, reply }) = self.printed.take(ticket, head, command)? {
            let (pe, kernel) = (self.transfers.job().my_pe(), self.services.launches.describe());
            let line = format!("PE {pe}: {kernel}, block {block}, thread {thread}: {text}\n");
            // In one call, so that lines of several PEs do not mix, and without the lock of the standard library: a
            // thread of the program may hold it while it waits for this kernel. If nobody reads the errors, nobody
            // misses the line.
            let _ = nix::unistd::write(std::io::stderr(), line.as_bytes());
            self.shared.ring.reply(reply, 0);
        }
        Ok(())
    }

    /// Starts a prepared operation.
    fn begin_prepared(
        &mut self,
        ticket: u64,
        command: &PreparedCommand,
    ) -> std::result::Result<(Recorded, usize, u32), String> {
        let before = self.numbers_begun();
        let done = self.started.command(&self.services, &self.context, command)?;
        self.follow(before, ticket, command.context, command.reply);
        Ok(done)
    }

    /// Starts a strided copy, as a prepared operation that is carried out once.
    fn begin_strided(&mut self, ticket: u64, command: &StridedCommand) -> std::result::Result<(), String> {
        let StridedCommand { to_peer, blocks, pe, context, symmetric, private, reply } = *command;
        let refused = |error: ArgumentError| error.to_string();
        let found = self.transfers.ends_of_blocks(symmetric, private, &blocks, pe, to_peer).map_err(refused)?;
        let (remote, _, pe) = found.ok_or("no elements")?;
        let (start, bytes) = blocks.private(private, to_peer).ok_or("no such memory")?;
        let local = self.local(start as usize, bytes as usize, !to_peer)?;
        let (before, what) = (self.numbers_begun(), PreparedKind::Blocks { remote, local, blocks, to_peer });
        // SAFETY: the kernel that asks guarantees that the memory here is valid until the command is complete, and the
        // symmetric end was found.
        unsafe { PreparedOp { what, pe }.carry_out(&self.transfers, &self.context, Completion::Nbi) }
            .map_err(refused)?;
        self.transfers.note_copies(&self.context);
        self.follow(before, ticket, context, reply);
        Ok(())
    }

    /// The numbers that this thread's context has given to operations that are not complete at once.
    fn numbers_begun(&self) -> u64 {
        self.context.staged().map_or(0, |tracker| tracker.begun())
    }

    /// Has a command be complete when everything is that was started since `before`.
    fn follow(&mut self, before: u64, ticket: u64, context: usize, reply: Option<u64>) {
        self.tracked.begun(ticket, context);
        let last = self.numbers_begun();
        if last > before {
            self.waiting.push_back((last, ticket, context, reply));
            self.tracked.keep_open(ticket, context, Kept::Nothing);
        } else if let Some(reply) = reply {
            self.finish_direct();
            self.shared.ring.reply(reply, 0);
        }
    }

    /// The local end of a put, or of a get (`writes`), if it has that many bytes.
    fn local(&mut self, address: usize, bytes: usize, writes: bool) -> std::result::Result<Local, String> {
        let transfers = &*self.transfers;
        let gpu = transfers.kernel_gpu().expect("it has a kernel");
        let on_gpu = self.local_ends.is_on_gpu(transfers.memory(), &**gpu, (address, bytes), writes);
        let to_do = if writes { "write" } else { "read" };
        let on_gpu = on_gpu.ok_or_else(|| format!("there are no {bytes} bytes to {to_do} at {address:#x}"))?;
        Ok(Local { address, on_gpu })
    }

    /// Issues a command on memory. The error says what is wrong with it.
    fn issue(&mut self, checked: &Checked) -> std::result::Result<Outcome, String> {
        let Checked { what, pe, context, address, reply } = *checked;
        let here = |address, on_gpu| Local { address, on_gpu };
        let (local, bytes, kept) = match what {
            MemoryOp::Word { op, width, operand, condition, behind } => {
                let word = Word { op, width, operand, condition, behind };
                return self.word(address, pe, context, word).map_err(|error| error.to_string());
            }
            MemoryOp::Put { from, bytes } => (self.local(from, bytes, false)?, bytes, Kept::Nothing),
            MemoryOp::Get { to, bytes } => (self.local(to, bytes, true)?, bytes, Kept::Nothing),
            MemoryOp::PutHere { words, bytes } => {
                let kept = Arc::new(words);
                (here((&raw const *kept).expose_provenance(), false), bytes, Kept::Bytes(kept))
            }
            MemoryOp::PutChunk { ticket, bytes } => {
                let chunk = self.chunks.take(ticket).ok_or_else(|| format!("chunk {ticket} is not in use"))?;
                (here(self.shared.ring.chunk(chunk), false), bytes, Kept::Chunk(chunk))
            }
            MemoryOp::GetChunk { ticket, bytes } => {
                let chunk = self.chunks.take(ticket).ok_or_else(|| format!("chunk {ticket} is not in use"))?;
                (here(self.shared.ring.chunk(chunk), false), bytes, Kept::Lend(chunk))
            }
            MemoryOp::FreeChunk { ticket } => {
                let freed = self.chunks.give_back(ticket).ok_or_else(|| format!("chunk {ticket} is not lent"))?;
                self.shared.ring.publish_freed(freed);
                return Ok(Outcome::Done(0));
            }
        };
        let is_put = !matches!(what, MemoryOp::Get { .. } | MemoryOp::GetChunk { .. });
        let transfers = &*self.transfers;
        let refused = |error: ArgumentError| error.to_string();
        let at = transfers.memory().locate(address, bytes).map_err(refused)?;
        let pe = transfers.pe(pe).map_err(refused)?;
        let shape = Shape::Bytes(bytes);
        let operation = if is_put { Operation::Put(local, shape) } else { Operation::Get(local, shape) };
        // A get is complete when the batch is, unless somebody waits for it.
        let waits = reply.is_some() || matches!(kept, Kept::Bytes(_));
        let when = if waits { Completion::Blocking } else { Completion::Nbi };
        let transfer = Transfer { operation, pe, remote: at, when };
        let remote = transfers.memory().remote(at, pe);
        let may_stage = matches!(remote, Remote::Staged(_)) || matches!(remote, Remote::Net(_)) && local.on_gpu;
        if may_stage && !transfers.is_direct(&self.context, &transfer, &remote) {
            let span = stage::Span::whole(bytes);
            let staged =
                if is_put { stage::StageOp::Put(local, at, span) } else { stage::StageOp::Get(local, at, span) };
            return Ok(Outcome::Staged(staged, kept));
        }
        // SAFETY: the kernel that asks guarantees that the memory here is valid until the command is complete; what it
        // sent is kept until the transfer no longer needs it.
        let found = unsafe { transfers.issue(&self.context, &transfer) }.map_err(refused)?;
        transfers.await_proxy_copies(&self.context).map_err(|error| error.to_string())?;
        match kept {
            Kept::Chunk(chunk) => self.used.push(chunk),
            // Its get is complete, because a lane waits for the reply.
            Kept::Lend(chunk) => self.chunks.lend(chunk),
            Kept::Nothing | Kept::Bytes(_) => {}
        }
        Ok(Outcome::Done(found))
    }

    /// A word that this CPU's loads and stores do not reach, or that goes with what is staged.
    fn word(&self, address: usize, pe: u32, context: usize, word: Word) -> std::result::Result<Outcome, ArgumentError> {
        let Word { op, width, operand, condition, behind } = word;
        let transfers = &*self.transfers;
        let (at, peer) = (transfers.memory().locate(address, width)?, transfers.pe(pe)?);
        transfers.reaches_word(at, width, peer)?;
        let staged = || {
            let what = stage::StageOp::Word { to: at, bytes: width, op, value: operand, condition, behind };
            Ok(Outcome::Staged(what, Kept::Nothing))
        };
        // A signal behind staged puts goes with them, wherever its word is.
        if behind && self.goes_with(context as u16, pe).is_some() {
            if at.segment == Segment::Network && !matches!(width, 4 | 8) {
                return Err(ArgumentError::NetworkWidth(width));
            }
            return staged();
        }
        if op == WordOp::Set
            && let Some(word) = transfers.direct_word(&self.context, at, width, peer)
        {
            return transfers.set_direct_word(&self.context, word, operand, width).map(|()| Outcome::Done(0));
        }
        match (transfers.memory().remote(at, peer), op) {
            (Remote::Staged(_), WordOp::Fetch) => {
                return Ok(Outcome::Staged(stage::StageOp::Load(at, width), Kept::Nothing));
            }
            (Remote::Staged(_), _) => return staged(),
            (Remote::Net(far), WordOp::Set) => {
                return transfers.set_word_far(&self.context, far, operand, width).map(|()| Outcome::Done(0));
            }
            _ => {}
        }
        let operation = Operation::Amo { op, width, operand, condition };
        let transfer = Transfer { operation, pe: peer, remote: at, when: Completion::Blocking };
        // SAFETY: an atomic operation has no local end, and the word was found.
        unsafe { transfers.issue(&self.context, &transfer) }.map(Outcome::Done)
    }

    #[cold]
    fn refuse(&self, ticket: u64, command: &Command, why: &str) -> ! {
        let CommandHead { kind, width, context, pe } = CommandHead::of_bits(command.head);
        let address = command.arguments[0];
        let known = CommandKind::of_number(kind);
        let name = known.map_or("unknown".into(), |kind| kind.to_string());
        let kernel = self.services.launches.describe();
        let slot = ticket % RING_SLOTS as u64;
        // The others name a team, an operation, a line, a chunk or a file.
        let names_memory = !matches!(
            known,
            Some(
                CommandKind::Sync
                    | CommandKind::Prepared
                    | CommandKind::Fire
                    | CommandKind::Collective
                    | CommandKind::GlobalExit
                    | CommandKind::Print
                    | CommandKind::FreeChunk
                    | CommandKind::ReadFile
                    | CommandKind::WriteFile
            )
        );
        let memory = if names_memory { format!(" for {address:#x} on PE {pe}") } else { String::new() };
        let text = format!(
            "{kernel}: command {ticket} (slot {slot}, {name}, width {width}, context {context}){memory}: {why}"
        );
        self.transfers.job().bootstrap().abort(1, &text)
    }
}
